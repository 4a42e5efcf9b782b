#!/usr/bin/env python3
"""What docs/guarantees.md says of behaviours that may be missed is what the verdict says.

    guarantees_test.py DOCUMENT CC CXX [NAME ...]

The table with the column "tried by" has a row for each way: what the verdict says then, or "nothing", and a program of guarantees/ with
the options that it is run with. In a program, each line `// check [OPTIONS]: verdict=V [findings=KINDS]` says what is right with
these options; those that begin with -D or -m are the compiler's.
"""

import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).parent / "guarantees"
MAZURKA = pathlib.Path(os.environ["MAZURKA"])
CLOCK = pathlib.Path("/sys/devices/system/clocksource/clocksource0/current_clocksource")
EXIT_CODES = {"ok": 0, "error": 1, "incomplete": 3}


def can_run(name):
    """With another clock the kernel's own library makes system calls, which have a model."""
    return name != "vdso_clock" or (CLOCK.exists() and CLOCK.read_text().strip() == "tsc")


def rows(document):
    """Of each: what is said, and the program with its options."""
    lines = iter(document.read_text().splitlines())
    for line in lines:
        if line.startswith("|") and line.rstrip(" |").endswith("tried by"):
            break
    next(lines)
    for line in lines:
        if not line.startswith("|"):
            return
        _, says, tried = (cell.strip() for cell in line.strip("|").split("|"))
        yield says, tried.strip("`").split()


def compiler_of(source, compilers):
    cc, cxx = compilers
    is_cxx = source.suffix == ".cpp"
    if source.read_text().startswith("// built with mazurka-c"):
        return MAZURKA.parent / ("mazurka-c++" if is_cxx else "mazurka-cc")
    return cxx if is_cxx else cc


def run(source, options, compilers, folder):
    """The report, the exit code and what was printed, in one line."""
    flags = [option for option in options if option.startswith(("-D", "-m"))]
    program = pathlib.Path(folder, source.stem)
    language = "-std=c++17" if source.suffix == ".cpp" else "-std=gnu11"
    subprocess.run([compiler_of(source, compilers), language, "-g", "-O1", "-w", *flags, "-pthread", source, "-o", program], check=True)
    report = pathlib.Path(folder, "report.json")
    command = [MAZURKA, "check", "--keep-going", *(o for o in options if o not in flags), f"--json={report}",
               f"--schedules={folder}", "--", program]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, timeout=250)
    if not report.exists():
        sys.exit(f"{source.name} {options}: no report\n{done.stdout}{done.stderr}")
    return json.loads(report.read_text()), done.returncode, " ".join((done.stdout + done.stderr).split())


def differences(expected, report, exit_code, folder):
    if report["verdict"] != expected["verdict"] or exit_code != EXIT_CODES[expected["verdict"]]:
        yield f"verdict {report['verdict']}, exit code {exit_code}; expected {expected['verdict']}"
    kinds = sorted({finding["kind"] for finding in report["findings"]})
    if "findings" in expected and kinds != sorted(expected["findings"].split(",")):
        yield f"findings {kinds}; expected {expected['findings']}"
    for finding in report["findings"]:
        if subprocess.run([MAZURKA, "replay", finding["schedule"]], cwd=folder, capture_output=True).returncode != 1:
            yield f"the {finding['kind']} does not replay"


def wrong_cases(source, compilers):
    for line in re.finditer(r"^// check ?(.*?): (.*)$", source.read_text(), re.MULTILINE):
        options, expected = line.group(1).split(), dict(item.split("=") for item in line.group(2).split())
        with tempfile.TemporaryDirectory() as folder:
            report, exit_code, text = run(source, options, compilers, folder)
            for difference in differences(expected, report, exit_code, folder):
                yield f"{source.name} {' '.join(options)}: {difference}\n{text}"


def wrong_row(says, tried, compilers):
    name, *options = tried
    with tempfile.TemporaryDirectory() as folder:
        report, _, text = run(HERE / name, options, compilers, folder)
    if says == "nothing" and (report["verdict"] != "ok" or " note: " in text or " unmodelled: " in text):
        return f"{name}: the table says that nothing is said\n{text}"
    if says != "nothing" and says not in text:
        return f"{name}: does not say '{says}'\n{text}"
    return None


def main():
    document, *compilers = map(pathlib.Path, sys.argv[1:4])
    wanted = sys.argv[4:]
    is_wanted = lambda name: can_run(name) and (not wanted or name in wanted)  # noqa: E731
    table = [row for row in rows(document) if is_wanted(pathlib.Path(row[1][0]).stem)]
    sources = [source for source in sorted(HERE.glob("*.c*")) if is_wanted(source.stem)]
    if not table or not sources:
        sys.exit("no such row, or no such program")
    wrong = [problem for source in sources for problem in wrong_cases(source, compilers)]
    wrong += filter(None, (wrong_row(says, tried, compilers) for says, tried in table))
    print(*wrong, sep="\n")
    print(f"{len(table)} rows, {len(sources)} programs, {len(wrong)} problems")
    return len(wrong) != 0


if __name__ == "__main__":
    sys.exit(main())
