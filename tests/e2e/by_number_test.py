#!/usr/bin/env python3
"""The table of system calls is whole, and what has a model is the same operations in all three forms.

    by_number_test.py CC ROWS [NAME ...]

ROWS is src/runtime/syscalls/call_rows.inc. Every call that the machine's headers know must have its row there. Each row with a model has a
case in by_number/calls.inc; it is made by libc's function, by syscall() and by an instruction. All steps, the counts of the search, what
is named as unmodelled and how the program ended must be the same.
"""

import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).parent / "by_number"
WAYS = ("function", "number", "instruction")
ROW = re.compile(r"^MAZURKA_(\w+)\((\d+), (\w+)", re.MULTILINE)
HOLE = range(335, 424)  # the kernel leaves these numbers out
COUNTS = ("verdict", "executions", "transitions", "max_depth")


def known_to_headers(compiler):
    text = subprocess.run([compiler, "-dM", "-E", "-include", "asm/unistd_64.h", "-x", "c", "/dev/null"],
                          check=True, capture_output=True, text=True).stdout
    return {int(number): name for name, number in re.findall(r"^#define __NR_(\w+) (\d+)$", text, re.MULTILINE)}


def errors_in_table(rows, compiler):
    numbers = [number for _, number, _ in rows]
    if numbers != sorted(set(numbers)):
        yield "rows are not in order, or there are two for a number"
    for number in range(max(numbers) + 1):
        if number not in numbers and number not in HOLE:
            yield f"{number} has no row"
    names = {number: name for _, number, name in rows}
    for number, name in known_to_headers(compiler).items():
        if names.get(number, name) != name:
            yield f"{number} is {name}, not {names[number]}"


def steps(text):
    """The schedule without places in the source, which are other ones."""
    shown = re.search(r"^  schedule: .*?(?=^  replay:)", text, re.MULTILINE | re.DOTALL)
    lines = shown.group(0).splitlines() if shown else []
    return [re.split(r"\s{2,}\S+:\d+\b|\s{2,}\(no source\)", line)[0].rstrip() for line in lines]


def outcome(program, name, way):
    with tempfile.TemporaryDirectory() as folder:
        report = pathlib.Path(folder, "report.json")
        work = pathlib.Path(folder, "work")
        work.mkdir()
        command = [os.environ["MAZURKA"], "check", "--full", "--search=optimal", f"--json={report}", f"--schedules={folder}", program, name, way]
        done = subprocess.run(command, cwd=work, capture_output=True, text=True)
        if not report.exists():
            return {"failed": done.stdout + done.stderr}
        verdict = json.loads(report.read_text())
        found = [(finding["kind"], finding["message"], finding["length"]) for finding in verdict["findings"]]
        named = [re.split(": no model covers", sentence)[0] for sentence in verdict["unmodelled"]]
        return {key: verdict[key] for key in COUNTS} | {"findings": found, "unmodelled": named, "steps": steps(done.stdout), "code": done.returncode}


def differences(program, name):
    by_function = outcome(program, name, WAYS[0])
    if "failed" in by_function or by_function["code"] != 1 or not by_function["steps"]:
        yield f"{name}: no finding to compare: {by_function}"
        return
    for way in WAYS[1:]:
        by_way = outcome(program, name, way)
        for key in by_function:
            if by_way.get(key) != by_function[key]:
                yield f"{name} by {way}: {key} {by_way.get(key)}; by function {by_function[key]}{by_way.get('failed', '')}"


def main():
    compiler, table, *wanted = sys.argv[1:]
    rows = [(kind, int(number), name) for kind, number, name in ROW.findall(pathlib.Path(table).read_text())]
    wrong = list(errors_in_table(rows, compiler))
    modelled = [name for kind, _, name in rows if kind.startswith("MODELLED")]
    cases = re.findall(r"^CASE\((\w+),", (HERE / "calls.inc").read_text(), re.MULTILINE)
    wrong += [f"{name} has no case" for name in modelled if name not in cases]
    wrong += [f"{name} has a case, and no model" for name in cases if name not in modelled]
    with tempfile.TemporaryDirectory() as folder:
        program = pathlib.Path(folder, "by_number")
        subprocess.run([compiler, "-std=gnu11", "-g", "-O1", "-w", "-pthread", HERE / "by_number.c", "-o", program], check=True)
        for name in cases:
            if not wanted or name in wanted:
                wrong += differences(program, name)
    print("\n".join(wrong))
    print(f"{len(rows)} rows, {len(cases)} cases")
    sys.exit(bool(wrong) or not cases)


if __name__ == "__main__":
    main()
