#!/usr/bin/env python3
"""What an instrumented memory access costs under Mazurka, against ThreadSanitizer's own, in one run.

access_bench.py MAZURKA [--check]: with --check the exit code says whether it is at most 1.5 times as much.
"""

import pathlib
import subprocess
import sys
import tempfile

NAMES = ["read", "write", "read and write of one word", "write of single bytes", "read of what others read, too"]
SOURCE = pathlib.Path(__file__).parent / "programs" / "accesses.c"
MOST = 1.5


def cycles(command, out):
    done = subprocess.run([str(word) for word in command], capture_output=True, text=True, check=False)
    if done.returncode != 0 and not out.exists():
        sys.exit(f"{command}: exit code {done.returncode}\n{done.stdout}{done.stderr}")
    return [float(line) for line in out.read_text().split()]


def main():
    mazurka = pathlib.Path(sys.argv[1])
    with tempfile.TemporaryDirectory() as folder:
        folder = pathlib.Path(folder)
        subprocess.run(["gcc", "-O2", "-fsanitize=thread", "-pthread", "-o", folder / "tsan", SOURCE], check=True)
        subprocess.run([mazurka.parent / "mazurka-cc", "-O2", "-pthread", "-o", folder / "ours", SOURCE], check=True)
        theirs, ours = [], []
        for _ in range(3):  # the machine is noisy: the best of each
            theirs.append(cycles([folder / "tsan", folder / "tsan.txt"], folder / "tsan.txt"))
            ours.append(cycles([mazurka, "check", "--quiet", "--max-executions=1", "--reset=fork", folder / "ours",
                                folder / "ours.txt"], folder / "ours.txt"))
    worst = 0.0
    for name, one, other in zip(NAMES, map(min, zip(*ours)), map(min, zip(*theirs))):
        worst = max(worst, one / other)
        print(f"{name:32} {one:7.2f} cycles, ThreadSanitizer {other:7.2f}: {one / other:5.2f} times")
    print(f"at most {MOST} times: {'yes' if worst <= MOST else 'no'}")
    if "--check" in sys.argv[2:] and worst > MOST:
        sys.exit(1)


if __name__ == "__main__":
    main()
