#!/usr/bin/env python3
"""Runs the commands that the README of each example gives, with the plain search.

    examples_test.py FOLDER

An example must find what its source announces with `// mazurka: KIND`, on that line; its `_fixed`
twin announces nothing, and must come out clean and complete; so must a command that is followed by
`# nothing found`.
"""

import json
import os
import pathlib
import re
import shlex
import subprocess
import sys
import tempfile


def commands(example):
    text = (example / "README.md").read_text()
    return re.findall(r"^    mazurka check (.*)$", text, re.MULTILINE)


def announced(example):
    return {
        (kind, f"{source.name}:{number}")
        for source in example.glob("*.c*")
        for number, line in enumerate(source.read_text().splitlines(), 1)
        for kind in re.findall(r"// mazurka: (\S+)", line)
    }


def check(arguments, folder, example):
    split = arguments.index("--")
    program = os.path.join(os.environ["MAZURKA_EXAMPLES"], arguments[split + 1])
    report = pathlib.Path(folder, "report.json")
    command = [os.environ["MAZURKA"], "check", "--search=none", f"--json={report}",
               f"--schedules={folder}", *arguments[:split], "--", program, *arguments[split + 2 :]]
    done = subprocess.run(command, capture_output=True, text=True, cwd=example)
    print(" ".join(command))
    return done.returncode, json.loads(report.read_text()) if report.exists() else None


def complaint(expected, exit_code, report):
    if report is None:
        return f"no report; exit code {exit_code}"
    found = {(f["kind"], pathlib.Path(f["location"]).name) for f in report["findings"]}
    if found != expected:
        return f"found {sorted(found)}, expected {sorted(expected)}"
    if exit_code != (1 if expected else 0):
        return f"exit code {exit_code}"
    return None


def main():
    wrong = 0
    examples = sorted(p for p in pathlib.Path(sys.argv[1]).iterdir() if any(p.glob("*.c*")))
    for example in examples:
        if not commands(example):
            print(f"{example.name}: its README says no command")
            wrong += 1
        for line in commands(example):
            expected = set() if line.endswith("# nothing found") else announced(example)
            with tempfile.TemporaryDirectory() as folder:
                trouble = complaint(expected, *check(shlex.split(line, comments=True), folder, example))
            if trouble:
                print(f"{example.name}: {trouble}")
                wrong += 1
    return wrong != 0


if __name__ == "__main__":
    sys.exit(main())
