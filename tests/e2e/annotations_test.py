#!/usr/bin/env python3
"""mazurka check --annotations: unshared memory is not interleaved, a wrong annotation is found, a tentative one is given up.

annotations_test.py FOLDER; MAZURKA in the environment is the command.
"""

import json
import os
import pathlib
import subprocess
import sys
import tempfile

SOURCE = """
#include <assert.h>
#include <pthread.h>
struct counter { int hits; };
static struct counter own[2];  // of each thread one
static int sum;
static void* body(void* arg) {
  long me = (long)arg;
  own[me].hits++;
  int before = sum;  // lost update
  sum = before + 1;
#ifdef INTRUDES
  own[0].hits++;  /* here */
#endif
  return 0;
}
int main(void) {
  pthread_t t[2];
  for (long i = 0; i < 2; ++i) pthread_create(&t[i], 0, body, (void*)i);
  for (int i = 0; i < 2; ++i) pthread_join(t[i], 0);
  assert(own[1].hits == 1);
  assert(sum == 2);
  return 0;
}
"""

WRONG = [
    ("unshared variable:nothing", "annotations:1: no global or static variable with debug information matches 'nothing'"),
    ("# fine\nshared variable:own", "annotations:2: expected unshared or tentatively-unshared, then variable:, file:, class:, heap:"),
    ("unshared variable:", "annotations:1: expected unshared"),
]


class Test:
    def __init__(self, mazurka, folder):
        self.mazurka, self.folder = mazurka, folder
        (folder / "program.c").write_text(SOURCE)

    def build(self, *flags, compiler=None):
        program = self.folder / "-".join(["program", *flags])
        command = [str(self.mazurka.parent / "mazurka-cc")] if compiler is None else [compiler]
        subprocess.run([*command, "-O1", "-g", "-w", "-pthread", *flags, "-o", str(program), str(self.folder / "program.c")],
                       check=True)
        return program

    def run(self, program, annotations, *options):
        report = self.folder / "report.json"
        report.unlink(missing_ok=True)
        (self.folder / "annotations").write_text(annotations)
        given = [f"--annotations={self.folder / 'annotations'}"] if annotations else []
        done = subprocess.run([str(self.mazurka), "check", "--keep-going", f"--json={report}", f"--schedules={self.folder}", *given,
                               *options, "--", str(program)], capture_output=True, text=True, check=False)
        text = report.read_text() if report.exists() else ""
        return done, json.loads(text) if text else {}

    def replays(self, result):
        for finding in result["findings"]:
            done = subprocess.run([str(self.mazurka), "replay", finding["schedule"]], capture_output=True, text=True, check=False)
            if done.returncode != 1 or finding["kind"] not in done.stdout:
                sys.exit(f"the replay of {finding} shows:\n{done.stdout}{done.stderr}")


def kinds(result):
    return sorted(finding["kind"] for finding in result["findings"])


def expect(right, what, done):
    if not right:
        sys.exit(f"{what}\n{done.stdout}{done.stderr}")


def check_unshared(test):
    program = test.build()
    visible = ["--memory=visible", "--search=none"]
    done, all_of_it = test.run(program, "", *visible)
    expect(kinds(all_of_it) == ["assertion"] and all_of_it["complete"], "without annotations the lost update is found", done)
    for annotations in ("unshared variable:own", "unshared class:counter", "tentatively-unshared variable:own",
                        "tentatively-unshared file:program.c"):
        done, less = test.run(program, annotations, *visible)
        expect(kinds(less) == ["assertion"] and less["complete"], f"{annotations}: the same is found", done)
        # What is left: a load and a store of two threads, and where the first join comes.
        expect(less["executions"] * 3 < all_of_it["executions"], f"{annotations}: {less['executions']} executions of "
               f"{all_of_it['executions']}", done)
        test.replays(less)
        done, optimal = test.run(program, annotations, "--memory=visible", "--compare=none", "--jobs=2")
        expect(kinds(optimal) == ["assertion"] and not optimal["compared"]["differences"], f"{annotations}: optimal", done)


def check_wrongly_unshared(test):
    program = test.build("-DINTRUDES")
    line = 1 + [number for number, text in enumerate(SOURCE.splitlines()) if "/* here */" in text][0]
    for options in (["--memory=visible"], [], ["--discipline"], ["--transitions=composed"]):
        done, result = test.run(program, "unshared variable:own", *options)
        found = [finding for finding in result["findings"] if "is annotated as unshared" in finding["message"]]
        expect(found and not result["complete"], f"{options}: the second thread's access should be found", done)
        expect(any(access["location"].endswith(f":{line}") for finding in found for access in finding["accesses"]),
               f"{options}: line {line} should be named", done)
        test.replays({"findings": found})


# Given up, it is as if nothing had been said.
def check_tentative(test):
    program = test.build("-DINTRUDES")
    done, plain = test.run(program, "", "--memory=visible")
    done, result = test.run(program, "tentatively-unshared file:program.c", "--memory=visible")
    expect(kinds(result) == kinds(plain) and result["complete"], f"expected {kinds(plain)}", done)
    expect(result["executions"] == plain["executions"], f"{plain['executions']} executions before", done)
    test.replays(result)


def check_wrong_input(test):
    program = test.build()
    for annotations, text in WRONG:
        done, _ = test.run(program, annotations)
        expect(done.returncode == 2 and text in done.stderr, f"expected exit code 2 and '{text}'", done)
    done, _ = test.run(test.build("-DPLAIN", compiler="gcc"), "unshared variable:own")
    expect(done.returncode == 2 and "does not tell them" in done.stderr, "a program that tells nothing", done)
    done, _ = test.run(program, "unshared variable:own", "--checkpoint=x")
    expect(done.returncode == 2 and "may start anew" in done.stderr, "a checkpoint", done)
    done, _ = test.run(program, "", "--annotations=/does/not/exist")
    expect(done.returncode == 2 and "cannot read /does/not/exist" in done.stderr, "no file", done)


def main():
    mazurka, where = pathlib.Path(os.environ["MAZURKA"]).resolve(), pathlib.Path(sys.argv[1])
    where.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=where) as scratch:
        test = Test(mazurka, pathlib.Path(scratch))
        check_unshared(test)
        check_wrongly_unshared(test)
        check_tentative(test)
        check_wrong_input(test)


if __name__ == "__main__":
    main()
