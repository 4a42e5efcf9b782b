#!/usr/bin/env python3
"""The schedules of the examples have the fewest preemptions, as an oracle that searches by itself says.

    least_preemptions_test.py FOLDER ORACLE RUNTIME
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
    return [line for line in re.findall(r"^    mazurka check (.*)$", text, re.MULTILINE)
            if not line.endswith("# nothing found")]


def check(line, example, folder, search):
    arguments = shlex.split(line, comments=True)
    split = arguments.index("--")
    program = os.path.join(os.environ["MAZURKA_EXAMPLES"], arguments[split + 1])
    report = pathlib.Path(folder, "report.json")
    subprocess.run([os.environ["MAZURKA"], "check", f"--search={search}", f"--json={report}", f"--schedules={folder}",
                    *arguments[:split], "--", program, *arguments[split + 2:]],
                   capture_output=True, text=True, cwd=example)
    return json.loads(report.read_text())["findings"]


def main():
    folder, oracle, runtime = sys.argv[1:]
    wrong = compared = 0
    for example in sorted(p for p in pathlib.Path(folder).iterdir() if any(p.glob("*.c*")) and not p.name.endswith("_fixed")):
        for line in commands(example):
            for search in ("optimal", "none"):
                with tempfile.TemporaryDirectory() as scratch:
                    for finding in check(line, example, scratch, search):
                        if finding["kind"] in ("divergence", "nondeterminism"):
                            continue
                        run = subprocess.run([oracle, runtime, finding["schedule"]], capture_output=True, text=True)
                        if run.returncode != 0:
                            sys.exit(f"{example.name}: {run.stderr}")
                        has, fewest = map(int, run.stdout.split())
                        compared += 1
                        print(f"{example.name}, {search}: {has} preemptions, {fewest} are needed")
                        wrong += has != fewest or finding["preemptions"] != has
    if wrong or compared < 10:
        sys.exit(f"{wrong} of {compared} schedules could have fewer preemptions")


if __name__ == "__main__":
    main()
