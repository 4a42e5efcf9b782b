#!/usr/bin/env python3
"""System calls that programs make by instructions of their own are the operations that libc's functions are.

    past_libc_test.py CC [NAME ...]

Each program in past_libc/ says in a line `// check [MACRO]: verdict=V [findings=KINDS] [says=WORDS]` what is right when it is compiled
with the macro; in words, _ may be a space. Each is run in place, by the fork server and with kernel threads.
"""

import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).parent / "past_libc"
EXIT_CODES = {"ok": 0, "error": 1, "incomplete": 3}
WAYS = (["--reset=auto"], ["--reset=fork"], ["--carrier=threads"])


def cases(source):
    for line in re.finditer(r"^// check ?(\w*): (.*)$", source.read_text(), re.MULTILINE):
        yield line.group(1), dict(item.split("=") for item in line.group(2).split())


def differences(expected, report, done):
    if report["verdict"] != expected["verdict"] or done.returncode != EXIT_CODES[expected["verdict"]]:
        yield f"verdict {report['verdict']}, exit code {done.returncode}"
    kinds = sorted({finding["kind"] for finding in report["findings"]})
    if kinds != sorted(filter(None, expected.get("findings", "").split(","))):
        yield f"findings {kinds}"
    if expected.get("says", "").replace("_", " ") not in done.stdout.replace("_", " "):
        yield f"does not say '{expected['says']}'"


def run_case(source, macro, expected, compiler, folder):
    program = pathlib.Path(folder, f"{source.stem}{macro.lower()}")
    macros = [f"-D{macro}"] if macro else []
    subprocess.run([compiler, "-std=gnu11", "-g", "-O1", "-w", *macros, "-pthread", source, "-o", program], check=True)
    wrong = 0
    for way in WAYS:
        report = pathlib.Path(folder, "report.json")
        command = [os.environ["MAZURKA"], "check", "--keep-going", *way, f"--json={report}", f"--schedules={folder}", program]
        done = subprocess.run(command, cwd=folder, capture_output=True, text=True)
        for difference in differences(expected, json.loads(report.read_text()), done):
            print(f"{source.name} {macro} {' '.join(way)}: {difference}; expected {expected}\n{done.stdout}{done.stderr}")
            wrong += 1
    return wrong


def main():
    compiler, *wanted = sys.argv[1:]
    wrong = 0
    run = 0
    for source in sorted(HERE.glob("*.c")):
        if wanted and source.stem not in wanted:
            continue
        for macro, expected in cases(source):
            run += 1
            with tempfile.TemporaryDirectory() as folder:
                wrong += run_case(source, macro, expected, compiler, folder)
    print(f"{run} programs")
    sys.exit(wrong != 0 or run == 0)


if __name__ == "__main__":
    main()
