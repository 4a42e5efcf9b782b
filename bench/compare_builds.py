#!/usr/bin/env python3
"""Whether a change made searches slower: two builds in turn, processor time of whole searches with one worker.

    compare_builds.py BEFORE AFTER [ROUNDS]

BEFORE and AFTER are build folders (build/release of two checkouts). For each program: the best time of either, their
ratio, and whether executions, transitions and verdict are the same. Machines are noisy: 9 rounds or more tell a few per cent.
"""

import json
import pathlib
import resource
import subprocess
import sys
import tempfile

READERS = pathlib.Path(__file__).parents[1] / "tests/e2e/memory/counts/readers.c"
ROWS = [
    ("micro, C", "bench/micro_c", ["20000"]),
    ("philosophers 16, fixed", "examples/philosophers_threads_fixed", ["16"]),
    ("philosophers 16", "examples/philosophers_threads", ["16"]),
    ("readers 14", "readers", ["14"]),
]


def program_of(build, name, folder):
    """Programs whose memory accesses are seen have the runtime of their build in them."""
    if name != "readers":
        return build / name
    program = pathlib.Path(folder, build.as_posix().replace("/", "_"))
    if not program.exists():
        subprocess.run([build / "bin/mazurka-cc", "-O2", "-o", program, READERS], check=True)
    return program


def search(build, name, arguments, folder):
    """Seconds of processor time, and what came out."""
    report = pathlib.Path(folder, "report.json")
    program = program_of(build, name, folder)
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    done = subprocess.run([build / "bin/mazurka", "check", "--jobs=1", "--keep-going", "--search=optimal", f"--json={report}",
                           f"--schedules={folder}", "--", program, *arguments], capture_output=True, text=True, check=False)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    if done.returncode not in (0, 1):
        sys.exit(f"{name}: exit code {done.returncode}\n{done.stdout}{done.stderr}")
    found = json.loads(report.read_text())
    seconds = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return seconds, [found[key] for key in ("verdict", "executions", "transitions")]


def main():
    if len(sys.argv) not in (3, 4):
        sys.exit(__doc__)
    builds = [pathlib.Path(name).resolve() for name in sys.argv[1:3]]
    rounds = int(sys.argv[3]) if len(sys.argv) == 4 else 9
    print(f"{'':24}{'before s':>10}{'after s':>10}{'ratio':>8}")
    with tempfile.TemporaryDirectory() as folder:
        for title, name, arguments in ROWS:
            best, found = {}, {}
            for turn in range(rounds):
                for build in builds if turn % 2 == 0 else builds[::-1]:
                    seconds, found[build] = search(build, name, arguments, folder)
                    best[build] = min(best.get(build, seconds), seconds)
            before, after = (best[build] for build in builds)
            same = "" if found[builds[0]] == found[builds[1]] else f"  differ: {found[builds[0]]} {found[builds[1]]}"
            print(f"{title:24}{before:10.3f}{after:10.3f}{after / before:8.3f}{same}", flush=True)


if __name__ == "__main__":
    main()
