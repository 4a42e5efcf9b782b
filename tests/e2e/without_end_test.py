#!/usr/bin/env python3
"""Programs that do not end, or go to a limit of ours: what is wrong after a few steps is found, and the verdict says how far the search came.

    without_end_test.py COMPILER FOLDER

The programs of the folder begin with `// expect: exit=CODE finding=KIND says=WORDS guarantee=NAME options=O,...`, with _ for spaces;
what is left out is not compared. By default options: nobody says --bound or --depth.
"""

import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile

MAZURKA = os.environ["MAZURKA"]
SECONDS = 120


def wrong_with(source, compiler, folder):
    expected = dict(item.split("=", 1) for item in re.search(r"^// expect: (.*)$", source.read_text(), re.M).group(1).split())
    program = pathlib.Path(folder, source.stem)
    subprocess.run([compiler, "-g", "-O1", "-pthread", source, "-o", program], check=True)
    report = pathlib.Path(folder, "report.json")
    options = expected["options"].split(",") if "options" in expected else []
    command = [MAZURKA, "check", "--jobs=1", f"--json={report}", f"--schedules={folder}", *options, program]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, timeout=SECONDS, check=False)
    said = " ".join((done.stdout + done.stderr).split())
    if done.returncode != int(expected["exit"]):
        return f"exit code {done.returncode}: {said}"
    if "says" in expected and expected["says"].replace("_", " ") not in said:
        return f"does not say so: {said}"
    verdict = json.loads(report.read_text())
    if verdict["guarantee"] != expected.get("guarantee", verdict["guarantee"]):
        return f"guarantee {verdict['guarantee']}: {said}"
    if [finding["kind"] for finding in verdict["findings"]] != ([expected["finding"]] if "finding" in expected else []):
        return f"findings: {said}"
    for finding in verdict["findings"]:
        replayed = subprocess.run([MAZURKA, "replay", finding["schedule"]], cwd=folder, capture_output=True, text=True, check=False)
        if replayed.returncode != 1:
            return f"the replay of {finding['kind']} ends with {replayed.returncode}: {replayed.stdout}"
    return None


def main():
    compiler, sources = sys.argv[1:]
    failures = 0
    programs = sorted(pathlib.Path(sources).glob("*.c"))
    with tempfile.TemporaryDirectory() as folder:
        for source in programs:
            wrong = wrong_with(source, compiler, folder)
            if wrong:
                failures += 1
                print(f"{source.stem}: {wrong}")
    print(f"{failures} of {len(programs)} programs came out wrong")
    return 1 if failures or not programs else 0


if __name__ == "__main__":
    sys.exit(main())
