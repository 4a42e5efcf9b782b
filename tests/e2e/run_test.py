#!/usr/bin/env python3
"""Runs the plain search on a program, with each reset, by one worker and by two, and compares the verdict with what its source says.

    run_test.py SOURCE PROGRAM

The source begins with `// expect: executions=N transitions=N verdict=ok|error findings=KIND,...`; what
is left out is not compared, but a finding that is not expected always fails the test. A line with
`// mazurka: KIND` is where a finding of that kind must point. With `reset=in-place` the program must be
reset in place, where the kernel can tell which pages were written. With `optimal=N` the search optimal, which runs
many executions at a time, must have as many. With `atomics=off` locked instructions are not seen: every interleaving of theirs would be
far too many. Each finding is replayed by its schedule, too.
"""

import itertools
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile

EXIT_CODES = {"ok": 0, "error": 1, "incomplete": 3}


def expectation(source):
    line = re.search(r"^// expect: (.*)$", source, re.MULTILINE)
    if line is None:
        sys.exit("no `// expect:` line")
    return dict(item.split("=") for item in line.group(1).split())


def expected_places(path, source):
    return {
        (kind, f"{path.name}:{number}")
        for number, line in enumerate(source.splitlines(), 1)
        for kind in re.findall(r"// mazurka: (\S+)", line)
    }


def check(program, search, reset, jobs, folder, expected):
    report = pathlib.Path(folder, "report.json")
    command = [os.environ["MAZURKA"], "check", f"--search={search}", "--keep-going", f"--reset={reset}", f"--jobs={jobs}",
               f"--json={report}", f"--schedules={folder}", f"--atomics={expected.get('atomics', 'on')}", program]
    print(" ".join(command))
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True)
    print(done.stdout + done.stderr)
    if not report.exists():
        sys.exit(f"no report; exit code {done.returncode}")
    return json.loads(report.read_text()), done.returncode


def differences(expected, places, report, exit_code):
    for key in ("executions", "transitions"):
        if key in expected and report[key] != int(expected[key]):
            yield f"{key}: {report[key]}, expected {expected[key]}"
    if report["verdict"] != expected["verdict"]:
        yield f"verdict: {report['verdict']}, expected {expected['verdict']}"
    if exit_code != EXIT_CODES[expected["verdict"]]:
        yield f"exit code: {exit_code}"
    kinds = sorted({finding["kind"] for finding in report["findings"]})
    expected_kinds = sorted(filter(None, expected.get("findings", "").split(",")))
    if kinds != expected_kinds:
        yield f"findings: {kinds}, expected {expected_kinds}"
    found = {(f["kind"], pathlib.Path(f["location"]).name) for f in report["findings"]}
    for kind, place in sorted(places - found):
        yield f"no {kind} at {place}; found {sorted(found)}"


def replays(report, folder):
    """What `mazurka replay` does not show of the findings."""
    for finding in report["findings"]:
        command = [os.environ["MAZURKA"], "replay", "--color=never", finding["schedule"]]
        done = subprocess.run(command, cwd=folder, capture_output=True, text=True)
        if done.returncode != EXIT_CODES["error"]:
            print(done.stdout + done.stderr)
            yield f"{finding['kind']}: its replay has exit code {done.returncode}"


def resets(expected):
    release = tuple(map(int, re.findall(r"\d+", os.uname().release)[:2]))
    in_place = expected.get("reset") == "in-place" and release >= (6, 7)
    return ("fork", "in-place") if in_place else ("fork", "auto")


def main():
    path = pathlib.Path(sys.argv[1])
    source = path.read_text()
    wrong = 0
    expected, places = expectation(source), expected_places(path, source)
    searches = {"none": expected}
    if "optimal" in expected:
        searches["optimal"] = {key: value for key, value in expected.items() if key != "transitions"} | {"executions": expected["optimal"]}
    for search, reset, jobs in itertools.product(searches, resets(expected), (1, 2)):
        with tempfile.TemporaryDirectory() as folder:
            report, exit_code = check(os.path.abspath(sys.argv[2]), search, reset, jobs, folder, expected)
            sentences = list(differences(searches[search], places, report, exit_code))
            if (reset, jobs) == ("fork", 1):
                sentences += replays(report, folder)
        for sentence in sentences:
            print(f"{search}, {reset}, {jobs} jobs: {sentence}")
            wrong += 1
    return wrong != 0


if __name__ == "__main__":
    sys.exit(main())
