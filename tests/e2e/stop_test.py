#!/usr/bin/env python3
"""The command ends within two seconds when it must: whatever the search, whatever it is just doing, by --timeout and by signals.

    stop_test.py COMPILER FOLDER [SEED]

FOLDER has the programs.

A busy machine must not fail it: seconds are counted by a clock that stands still while this test does not get the processor
either, and twice of them are allowed where it did not get its share.
"""

import os
import pathlib
import random
import signal
import subprocess
import sys
import tempfile
import time

MAZURKA = os.environ["MAZURKA"]
SEARCHES = ("none", "sleep", "persistent", "dpor", "wakeup", "optimal")
RUNS = (("long", ()), ("spins", ()), ("forks", ()), ("finding", ()), ("finding", ("--keep-going",)))
SIGNALS = (signal.SIGINT, signal.SIGTERM)
ALLOWED_S = 2.0
TICK_S = 0.02
BURN_S = 0.004
LATEST_S = 1.5  # the moment


def burn(seconds):
    end = time.thread_time() + seconds
    while time.thread_time() < end:
        pass


def seconds_until_end(process, limit):
    """Counted only as far as this process was let run; None after the limit. And the share that it got."""
    counted = 0.0
    begin = time.monotonic()
    while process.poll() is None:
        if counted > limit:
            return None, counted / (time.monotonic() - begin)
        before = time.monotonic()
        time.sleep(TICK_S - BURN_S)
        burn(BURN_S)
        counted += min(time.monotonic() - before, TICK_S)
    return counted, counted / max(time.monotonic() - begin, 1e-6)


def judge(process):
    """None if it ended in time."""
    taken, share = seconds_until_end(process, 2 * ALLOWED_S)
    allowed = ALLOWED_S if share > 0.8 else 2 * ALLOWED_S
    if taken is not None and taken <= allowed:
        return None
    return f"not ended after {2 * ALLOWED_S:.1f} s" if taken is None else f"ended after {taken:.1f} s"


def run(program, options, search, moment, how, folder):
    command = [MAZURKA, "check", f"--search={search}", f"--schedules={folder}", *options]
    if how is None:
        command.append(f"--timeout={moment:.2f}")
    process = subprocess.Popen([*command, pathlib.Path(folder, program)], stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                               text=True)
    # The signal must find the search at work: a launch is ended by the signal itself.
    begin = time.monotonic()
    while process.poll() is None and time.monotonic() < begin + moment:
        time.sleep(0.01)
    if how is not None and process.poll() is None:
        process.send_signal(how)
    wrong = judge(process)
    if wrong:
        process.kill()
    said = process.communicate()[0]
    if not wrong and process.returncode not in (0, 1, 3, -signal.SIGINT, -signal.SIGTERM):
        wrong = f"exit code {process.returncode}"
    if not wrong and how is None and process.returncode == 0:
        wrong = "the verdict is complete"
    return f"{wrong}\n{said}" if wrong else None


def main():
    compiler, sources = sys.argv[1:3]
    seed = int(sys.argv[3]) if len(sys.argv) > 3 else random.randrange(1 << 30)
    chance = random.Random(seed)
    failures = 0
    with tempfile.TemporaryDirectory() as folder:
        for source in pathlib.Path(sources).glob("*.c"):
            subprocess.run([compiler, "-g", "-O1", "-pthread", source, "-o", pathlib.Path(folder, source.stem)], check=True)
        for program, options in RUNS:
            for search in SEARCHES:
                how = chance.choice((None, *SIGNALS))
                moment = chance.uniform(0.2, LATEST_S)
                wrong = run(program, options, search, moment, how, folder)
                if wrong:
                    failures += 1
                    print(f"{program} {' '.join(options)}, {search}, {how or '--timeout'} at {moment:.2f} s: {wrong}")
        for how in (None, *SIGNALS):
            moment = chance.uniform(0.5, LATEST_S)
            wrong = run("never_begins", (), "optimal", moment, how, folder)
            if wrong:
                failures += 1
                print(f"never_begins, {how or '--timeout'} at {moment:.2f} s: {wrong}")
    print(f"{failures} of {len(RUNS) * len(SEARCHES) + 3} did not stop in time (seed {seed})")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
