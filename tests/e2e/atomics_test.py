#!/usr/bin/env python3
"""Programs with atomics that no compiler of ours has seen: their locked instructions are operations.

    atomics_test.py CC CXX [NAME ...]

Each program in atomics/ says in a line `// check [MACRO]: verdict=V [findings=KINDS] [executions=N] [locked=yes] [off=V]` what is right when
it is compiled with the macro; `locked` is what the verdict must be complete for, `off` is the verdict with --atomics=off, `gdb` where gdb must stop for what was found,
`first=yes` that the search ends there. Each is run in place, by the fork server and with kernel threads.
Rust's are left out, with a message, where there is no rustc.
"""

import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).parent / "atomics"
EXIT_CODES = {"ok": 0, "error": 1, "incomplete": 3}
WAYS = (["--reset=auto"], ["--reset=fork"], ["--carrier=threads"])


def cases(source):
    for line in re.finditer(r"^// check ?(\w*): (.*)$", source.read_text(), re.MULTILINE):
        yield line.group(1), dict(item.split("=") for item in line.group(2).split())


def compile_command(source, macro, program, compilers):
    if source.suffix == ".rs":
        return ["rustc", "-O", "-g", *(["--cfg", macro] if macro else []), "-A", "unexpected_cfgs", "-o", program, source]
    compiler, standard = compilers[source.suffix]
    return [compiler, standard, "-g", "-O1", *([f"-D{macro}"] if macro else []), "-pthread", source, "-o", program]


def check(program, options, folder):
    report = pathlib.Path(folder, "report.json")
    command = [os.environ["MAZURKA"], "check", "--search=optimal", "--atomics=on", "--divergence=2", *options, f"--json={report}", f"--schedules={folder}", program]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True)
    return json.loads(report.read_text()), done


def differences(expected, report, done):
    if report["verdict"] != expected["verdict"] or done.returncode != EXIT_CODES[expected["verdict"]]:
        yield f"verdict {report['verdict']}, exit code {done.returncode}"
    kinds = sorted({finding["kind"] for finding in report["findings"]})
    if kinds != sorted(filter(None, expected.get("findings", "").split(","))):
        yield f"findings {kinds}"
    if "executions" in expected and report["executions"] != int(expected["executions"]):
        yield f"{report['executions']} executions"
    if "locked" in expected and "complete for its synchronisation calls and locked instructions" not in done.stdout:
        yield "not complete for locked instructions"


def run_case(source, macro, expected, compilers, folder):
    program = pathlib.Path(folder, f"{source.stem}{macro.lower()}")
    subprocess.run(compile_command(source, macro, program, compilers), check=True)
    wrong = 0
    for way in WAYS:
        report, done = check(program, way + (["--keep-going"] if "first" not in expected else []), folder)
        for difference in differences(expected, report, done):
            print(f"{source.name} {macro} {' '.join(way)}: {difference}; expected {expected}\n{done.stdout}{done.stderr}")
            wrong += 1
    if "gdb" in expected:
        wrong += run_debugged(folder, expected["gdb"])
    if "off" in expected:
        wrong += run_without(program, folder, expected["off"])
    return wrong


def run_debugged(folder, place):
    if shutil.which("gdb") is None:
        print("there is no gdb")
        return 0
    schedule = next(pathlib.Path(folder).glob("*.schedule"))
    command = [os.environ["MAZURKA"], "replay", "--gdb", schedule]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, input="thread apply all backtrace\n", timeout=120)
    if "mazurka_finding_is_here ()" in done.stdout and place in done.stdout:
        return 0
    print(f"gdb does not stop where {schedule} leads to, at {place}:\n{done.stdout}{done.stderr}")
    return 1


def run_without(program, folder, verdict):
    report, done = check(program, ["--atomics=off", "--keep-going"], folder)
    if report["verdict"] == verdict and "locked instructions" not in done.stdout:
        return 0
    print(f"{program.name}: locked instructions are seen with --atomics=off\n{done.stdout}")
    return 1


def main():
    compilers = {".c": (sys.argv[1], "-std=gnu11"), ".cpp": (sys.argv[2], "-std=c++20")}
    wanted = sys.argv[3:]
    wrong = 0
    for source in sorted(HERE.iterdir()):
        if wanted and source.stem not in wanted:
            continue
        if source.suffix == ".rs" and shutil.which("rustc") is None:
            print(f"{source.name} is left out: there is no rustc")
            continue
        for macro, expected in cases(source):
            with tempfile.TemporaryDirectory() as folder:
                wrong += run_case(source, macro, expected, compilers, folder)
    sys.exit(wrong != 0)


if __name__ == "__main__":
    main()
