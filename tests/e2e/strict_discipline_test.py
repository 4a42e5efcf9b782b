#!/usr/bin/env python3
"""mazurka check --discipline=strict: the same lock in all executions (Stoller, section 8), found in pairs of executions that are
fine by themselves, replayed, and the same whoever finds them.

strict_discipline_test.py FOLDER; MAZURKA in the environment is the command.
"""

import json
import os
import pathlib
import subprocess
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "web"))
from simulator import Simulator  # noqa: E402

HEAD = """
#include <pthread.h>
#include <stdlib.h>
pthread_mutex_t first = PTHREAD_MUTEX_INITIALIZER, locks[3] = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER,
                                                                PTHREAD_MUTEX_INITIALIZER};
int decided, which, v, w;
int* block;
// Whoever comes first decides for all.
static int decide(int mine) {
  pthread_mutex_lock(&first);
  if (!decided) which = mine;
  decided = 1;
  int choice = which;
  pthread_mutex_unlock(&first);
  return choice;
}
static void in(int i) { pthread_mutex_lock(&locks[i]); }
static void out(int i) { pthread_mutex_unlock(&locks[i]); }
"""
MAIN = """
int main(void) {
  block = calloc(1, sizeof *block);
  pthread_t threads[THREADS];
  for (long i = 0; i < THREADS; ++i) pthread_create(&threads[i], 0, body, (void*)i);
  for (int i = 0; i < THREADS; ++i) pthread_join(threads[i], 0);
  return 0;
}
"""

# name: (threads, what thread number `me` does, variables that no lock protects in all executions, executions of a finding)
PROGRAMS = {
    "first_decides": (2, "int i = decide(me); in(i); v++; /* here */ out(i);", {"v"}, 2),
    "always_the_same": (2, "decide(me); in(0); v++; out(0);", set(), 0),
    "one_in_common": (2, "int i = decide(me); in(2); in(i); v++; out(i); out(2);", set(), 0),
    "on_the_heap": (2, "int i = decide(me); in(i); ++*block; /* here */ out(i);", {"*block"}, 2),
    # Each two executions have a lock in common: 0 and 1, 1 and 2, 2 and 0.
    "three_pairs": (3, "int i = decide(me), j = (i + 1) % 3, low = i < j ? i : j, high = i + j - low;\n"
                    "in(low); in(high); v++; /* here */ out(high); out(low);", {"v"}, 3),
    # Only read where the second one decides.
    "read_only_there": (2, "int i = decide(me); in(i); if (i == 0) v++; else w += v < 0; out(i);", set(), 0),
    # Neighbours in one word, each with a lock of its own.
    "neighbours": (2, "in(0); v++; out(0); in(1); w++; out(1);", set(), 0),
}


def build(mazurka, folder, name, threads, body):
    text = (f"#define THREADS {threads}\n{HEAD}static void* body(void* arg) {{\n  int me = (int)(long)arg;\n  {body}\n"
            f"  return 0;\n}}\n{MAIN}")
    (folder / f"{name}.c").write_text(text)
    program = folder / name
    subprocess.run([str(mazurka.parent / "mazurka-cc"), "-O1", "-w", "-pthread", "-o", str(program), str(folder / f"{name}.c")],
                   check=True)
    return program, [number for number, line in enumerate(text.splitlines(), start=1) if "/* here */" in line]


def check(mazurka, folder, program, *options):
    report = folder / "report.json"
    done = subprocess.run([str(mazurka), "check", "--keep-going", f"--json={report}", f"--schedules={folder}", *options,
                           "--", str(program)], capture_output=True, text=True, check=False)
    if done.returncode not in (0, 1):
        sys.exit(f"{program} {options}: exit code {done.returncode}\n{done.stdout}{done.stderr}")
    return json.loads(report.read_text()), done.stdout


def what_is_found(result):
    return sorted((finding["memory"], *sorted((access["thread"], access["location"], *access["locks"])
                                              for access in finding["accesses"])) for finding in result["findings"])


def check_finding(mazurka, name, finding, output, lines, executions):
    if finding["kind"] != "locking-discipline" or "in another execution" not in finding["message"]:
        sys.exit(f"{name}: {finding}")
    for access in finding["accesses"]:
        if not any(access["location"].endswith(f":{line}") for line in lines) or not access["locks"]:
            sys.exit(f"{name}: an access at a wrong place, or without its locks: {access}")
    if executions == 2 and set(finding["accesses"][0]["locks"]) & set(finding["accesses"][1]["locks"]):
        sys.exit(f"{name}: the accesses have a lock in common: {finding}")
    if "in another execution: read of 4 bytes, holding" not in output:
        sys.exit(f"{name}: the report does not tell of the other execution:\n{output}")
    schedule = pathlib.Path(finding["schedule"]).read_text()
    if schedule.count("\nearlier ") != executions - 1:
        sys.exit(f"{name}: {executions} executions should be in the schedule:\n{schedule}")
    again = subprocess.run([str(mazurka), "replay", finding["schedule"]], capture_output=True, text=True, check=False)
    if again.returncode != 1 or finding["message"] not in again.stdout:
        sys.exit(f"{name}: the replay does not show it:\n{again.stdout}{again.stderr}")
    with Simulator(mazurka, "--schedule=" + finding["schedule"]) as sim:
        there = sim.ask("hello")
        if finding["message"] not in [one["message"] for one in there["state"]["findings"]]:
            sys.exit(f"{name}: the simulator does not show it: {there['state']['findings']}")
        if sim.ask("save", run=there["run"], at=there["at"])["text"].count("\nearlier ") != executions - 1:
            sys.exit(f"{name}: what the simulator saves has lost the other executions")
    # Without the other execution there is nothing to see.
    alone = pathlib.Path(finding["schedule"] + ".alone")
    alone.write_text(schedule[:schedule.index("\nearlier ")] + "\nend\n")
    shown = subprocess.run([str(mazurka), "replay", str(alone)], capture_output=True, text=True, check=False)
    if shown.returncode != 3 or "did not show" not in shown.stdout:
        sys.exit(f"{name}: it shows by itself, too:\n{shown.stdout}{shown.stderr}")


def check_program(mazurka, folder, name, threads, body, variables, executions):
    program, lines = build(mazurka, folder, name, threads, body)
    plain, _ = check(mazurka, folder, program, "--discipline")
    if plain["findings"] or not plain["complete"]:
        sys.exit(f"{name}: nothing is wrong with any one execution: {plain}")
    strict, output = check(mazurka, folder, program, "--discipline=strict", "--jobs=1")
    found = {finding["memory"] for finding in strict["findings"]}
    if len(found) != len(variables) or not all(any(v in memory for memory in found) for v in variables):
        sys.exit(f"{name}: expected {variables}, found {found}\n{output}")
    for finding in strict["findings"]:
        check_finding(mazurka, name, finding, output, lines, executions)
    for options in (["--jobs=2"], ["--search=sleep"], ["--search=persistent", "--transitions=composed"]):
        other, _ = check(mazurka, folder, program, "--discipline=strict", *options)
        same = what_is_found(other) == what_is_found(strict) if "--jobs=2" in options else (
            {finding["memory"] for finding in other["findings"]} == found)
        if not same:
            sys.exit(f"{name}: {options} found {what_is_found(other)}, and not {what_is_found(strict)}")


def check_wrong(mazurka, program):
    for options, text in ((["--discipline=loose"], "'loose' is neither checked nor strict"),
                          (["--discipline=strict", "--checkpoint=x"], "goes with neither --checkpoint nor --resume")):
        done = subprocess.run([str(mazurka), "check", *options, str(program)], capture_output=True, text=True, check=False)
        if done.returncode != 2 or text not in done.stderr:
            sys.exit(f"{options}: expected exit code 2 and '{text}'\n{done.stdout}{done.stderr}")


def main():
    mazurka, where = pathlib.Path(os.environ["MAZURKA"]).resolve(), pathlib.Path(sys.argv[1])
    where.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=where) as scratch:
        folder = pathlib.Path(scratch)
        for name, program in PROGRAMS.items():
            check_program(mazurka, folder, name, *program)
        check_wrong(mazurka, folder / "always_the_same")
    print(f"{len(PROGRAMS)} programs")


if __name__ == "__main__":
    main()
