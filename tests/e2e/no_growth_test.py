#!/usr/bin/env python3
"""Many executions in one process: its memory, descriptors and mappings and those of the command do not grow, however many.

    no_growth_test.py [EXECUTIONS]

Looks at them all the time, and compares the most that there was in the second half with the most that there was in the first.
The figure for a million is a run with that number; it prints what it saw.
"""

import json
import os
import pathlib
import subprocess
import sys
import tempfile
import time

MAZURKA = os.environ["MAZURKA"]
EXAMPLES = pathlib.Path(os.environ["MAZURKA_EXAMPLES"])
PROGRAMS = EXAMPLES.parent / "e2e"
# Page tables, and pages that are touched late: not in proportion to executions.
ROOM_KB = 2048
# Files that are open for a moment, when programs are launched and at the end: a look may miss them.
ROOM_DESCRIPTORS = 8
# program and arguments, its input, options: each has more executions than we ask for
SUBJECTS = (
    ([PROGRAMS / "many_executions", "4", "6"], "42\nrest\n", ["--search=none", "--reset=in-place"]),
    ([PROGRAMS / "many_executions", "3", "6"], "42\n", ["--search=optimal", "--reset=in-place"]),
    ([EXAMPLES / "philosophers_threads", "5"], "", ["--search=none", "--reset=in-place"]),
)


def children(pid):
    try:
        return [int(child) for child in pathlib.Path(f"/proc/{pid}/task/{pid}/children").read_text().split()]
    except OSError:
        return []


def kilobytes(pid, key):
    for line in pathlib.Path(f"/proc/{pid}/status").read_text().splitlines():
        if line.startswith(key):
            return int(line.split()[1])
    return 0


def size_of(pid):
    folder = pathlib.Path(f"/proc/{pid}")
    return {
        "memory": kilobytes(pid, "RssAnon:") + kilobytes(pid, "RssShmem:"),
        "descriptors": len(os.listdir(folder / "fd")),
        "mappings": len((folder / "maps").read_text().splitlines()),
    }


def everything(tool):
    """The command and the processes under it, by what they are and in their order."""
    found = {"command": size_of(tool)}
    for number, child in enumerate(sorted(children(tool))):
        found[f"program {number}"] = size_of(child)
    return found


def look(command):
    """What everything was, again and again until the command has ended."""
    tool = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    seen = []
    while tool.poll() is None:
        time.sleep(0.005)
        try:
            seen.append(everything(tool.pid))
        except (FileNotFoundError, ProcessLookupError, PermissionError):
            pass  # one of them has just ended
    most = max((len(what) for what in seen), default=0)
    return tool.returncode, [what for what in seen if len(what) == most]


def most_of(seen):
    """The most of each that was ever seen."""
    return {name: {what: max(one[name][what] for one in seen if name in one) for what in size}
            for name, size in seen[0].items()}


def growth(before, after):
    for name in before.keys() & after.keys():
        for what, room in (("memory", ROOM_KB), ("descriptors", ROOM_DESCRIPTORS), ("mappings", 4)):
            if after[name][what] > before[name][what] + room:
                yield f"{what} of the {name} grew from {before[name][what]} to {after[name][what]}"


def complaints(program, text, options, wanted):
    with tempfile.TemporaryDirectory() as folder:
        pathlib.Path(folder, "input").write_text(text)
        report = pathlib.Path(folder, "report.json")
        command = [MAZURKA, "check", "--keep-going", f"--max-executions={wanted}", f"--json={report}",
                   f"--schedules={folder}", f"--stdin={folder}/input", *options, "--", *map(str, program)]
        print(" ".join(command))
        exit_code, seen = look(command)
        if exit_code not in (1, 3):  # 3: there were more executions than we asked for
            yield f"exit code {exit_code}"
            return
        done = json.loads(report.read_text())
    print(f"{done['executions']} executions, {done['seconds']:.1f} s, looked {len(seen)} times")
    if done["executions"] + done["blocked_executions"] < wanted:
        yield f"only {done['executions']} executions"
    kinds = {finding["kind"] for finding in done["findings"]} - {"deadlock"}
    if kinds:
        yield f"found {kinds}"
    if len(seen) < 10:
        yield "too quick to be looked at"
        return
    half = len(seen) // 2
    before, after = most_of(seen[:half]), most_of(seen[half:])
    print(f"  first half:  {before}\n  second half: {after}")
    yield from growth(before, after)


def main():
    wanted = int(sys.argv[1]) if len(sys.argv) > 1 else 40_000
    wrong = 0
    for program, text, options in SUBJECTS:
        for sentence in complaints(program, text, options, wanted):
            print(f"{program[0].name}: {sentence}")
            wrong += 1
    return wrong != 0


if __name__ == "__main__":
    sys.exit(main())
