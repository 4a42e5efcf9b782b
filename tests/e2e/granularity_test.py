#!/usr/bin/env python3
"""mazurka check --annotations about code: calls that are one operation, blocks and stacks of one thread. What is right explores
less and comes to the same end; what is wrong is found.

granularity_test.py SOURCES FOLDER CHECK...; MAZURKA in the environment is the command.
"""

import json
import os
import pathlib
import subprocess
import sys
import tempfile

INCLUDE = pathlib.Path(__file__).resolve().parents[2] / "include"
BUILDS = [("g++", "-O0"), ("clang++", "-O2"), ("g++", "-O2"), ("clang++", "-O0")]
MODES = ["SYNCHRONIZED", "TWO_LOCKS", "RECURSIVE", "TWICE", "POSTS", "ATOMIC", "TRIES", "THROWS", "JUMPS"]  # of inside.cpp
FINE = ["SYNCHRONIZED", "TWO_LOCKS", "RECURSIVE", "THROWS", "JUMPS"]


class Test:
    def __init__(self, mazurka, sources, folder):
        self.mazurka, self.sources, self.folder = mazurka, sources, folder

    def build(self, source, *flags, compiler="g++", level="-O1"):
        program = self.folder / "-".join([source, compiler, level, *flags]).replace("=", "")
        if not program.exists():
            driver = "mazurka-cc" if source.endswith(".c") else "mazurka-c++"
            compiler = compiler if source.endswith("pp") else compiler.replace("clang++", "clang").replace("g++", "gcc")
            subprocess.run([str(self.mazurka.parent / driver), f"--cc={compiler}", level, "-g", "-w", "-pthread", f"-I{INCLUDE}", *flags,
                            "-o", str(program), str(self.sources / source)], check=True)
        return program

    def run(self, program, annotations, *options, argument=None):
        report = self.folder / "report.json"
        report.unlink(missing_ok=True)
        (self.folder / "annotations").write_text(annotations)
        given = [f"--annotations={self.folder / 'annotations'}"] if annotations else []
        done = subprocess.run([str(self.mazurka), "check", "--keep-going", f"--json={report}", f"--schedules={self.folder}",
                               *given, *options, "--", str(program), *([] if argument is None else [str(argument)])],
                              capture_output=True, text=True, check=False)
        text = report.read_text() if report.exists() else ""
        return done, json.loads(text) if text else {}

    def replays(self, findings):
        for finding in findings:
            done = subprocess.run([str(self.mazurka), "replay", finding["schedule"]], capture_output=True, text=True, check=False)
            if done.returncode != 1 or finding["kind"] not in done.stdout:
                sys.exit(f"the replay of {finding} shows:\n{done.stdout}{done.stderr}")

    def line(self, source, comment):
        lines = (self.sources / source).read_text().splitlines()
        return 1 + next(number for number, text in enumerate(lines) if comment in text)


def kinds(result):
    return sorted({finding["kind"] for finding in result["findings"]})


def expect(right, what, done):
    if not right:
        sys.exit(f"{what}\n{done.stdout}{done.stderr}")


def check_methods(test):
    """Under their lock, methods need not be interleaved: the same is found by fewer executions, whoever inlines what."""
    visible = ["--memory=visible", "--search=sleep"]
    for compiler, level in BUILDS[:2]:
        program = test.build("account.cpp", compiler=compiler, level=level)
        done, whole = test.run(program, "", *visible)
        expect(kinds(whole) == ["exit"] and whole["complete"], "without annotations the lost visit is found", done)
        transitions = [whole["transitions"]]
        for annotations in ("method function:Account::deposit", "method class:Account", "atomic function:Account::deposit"):
            done, less = test.run(program, annotations, *visible)
            name = f"{compiler} {level} {annotations}"
            expect(kinds(less) == ["exit"] and less["complete"], f"{name}: the lost visit is found, and nothing else", done)
            test.replays(less["findings"])
            transitions.append(less["transitions"])
        # What the method calls is no part of a method, and is a part of an atomic one.
        expect(transitions[0] > transitions[1] > transitions[3], f"{compiler} {level}: {transitions}", done)
        expect(transitions[2] <= transitions[3] + 4, f"{compiler} {level}: {transitions}", done)


def check_searches(test):
    program = test.build("account.cpp")
    for search in ("optimal", "persistent", "dpor"):
        done, result = test.run(program, "atomic class:Account", "--memory=visible", f"--search={search}", "--compare=none")
        expect(kinds(result) == ["exit"] and not result["compared"]["differences"], search, done)


def check_torn(test):
    """A call that nobody protects is no single operation: both accesses are told, and nothing is complete."""
    for flags in (["-DUNLOCKED"], ["-DONE_UNLOCKED"]):
        program = test.build("account.cpp", *flags)
        for annotations in ("atomic class:Account", "method class:Account"):
            done, result = test.run(program, annotations, "--memory=visible")
            found = [one for one in result["findings"] if "is in a call that is annotated as one operation" in one["message"]]
            expect(found and not result["complete"], f"{flags} {annotations}: should be found", done)
            expect("calls that are annotated as one operation are not" in done.stdout, "the verdict should say so", done)
            expect(all(len(one["accesses"]) == 2 for one in found), "two accesses", done)
            test.replays(found[:2])
    # The reader is not annotated: its access is visible, and conflicts with what is not.
    done, result = test.run(program, "atomic function:Account::deposit", "--memory=visible")
    expect(any("is in a call that is annotated" in one["message"] for one in result["findings"]), "one side only", done)
    # Otherwise it is a race as ever.
    done, result = test.run(program, "atomic class:Account")
    expect(kinds(result) == ["exit", "race"] or kinds(result) == ["race"], "a race", done)


def check_operations_inside(test):
    for compiler, level in BUILDS:
        program = test.build("inside.cpp", compiler=compiler, level=level)
        for number, mode in enumerate(MODES):
            done, result = test.run(program, "atomic function:operation", "--max-executions=3", argument=number)
            found = [one for one in result["findings"] if "inside a call that is annotated" in one["message"]]
            name = f"{compiler} {level} {mode}"
            expect(bool(found) == (mode not in FINE), name, done)
            if found:
                line = test.line("inside.cpp", f"// inside: {mode}")
                expect(all(one["location"].endswith(f":{line}") for one in found), f"{name}: line {line}", done)
                test.replays(found[:1])
    program = test.build("inside.cpp", "-DINLINED", level="-O2")
    for mode in ("SYNCHRONIZED", "POSTS", "ATOMIC"):
        done, result = test.run(program, "method function:operation", "--max-executions=3", argument=MODES.index(mode))
        found = any("inside a call that is annotated" in one["message"] for one in result["findings"])
        expect(found == (mode not in FINE), f"inlined {mode}", done)


def check_commuting(test):
    program = test.build("tally.c")
    composed = ["--transitions=composed"]
    done, result = test.run(program, "", *composed)
    expect(result["executions"] == 2 and result["complete"], "two orders", done)
    done, result = test.run(program, "commuting function:add", *composed)
    expect(result["executions"] == 1 and result["complete"], "one for both", done)
    expect("calls of add commute with each other, as the annotations say: that was not checked" in done.stdout, "it is said", done)
    program = test.build("tally.c", "-DLOOKS")
    done, result = test.run(program, "commuting function:add", *composed, "--compare=none")
    expect(kinds(result) == ["assertion"] and not result["compared"]["differences"], "who looks sees the order", done)


def check_marks(test):
    """The program's source says the same by itself."""
    for compiler, level in BUILDS[:2]:
        program = test.build("marked.cpp", compiler=compiler, level=level)
        done, marked = test.run(program, "", "--memory=visible", "--search=sleep")
        expect(not marked["findings"] and marked["complete"], f"{compiler} {level}: nothing is wrong", done)
        # What is left is what the library does to make a thread: nobody interleaves the range.
        done, named = test.run(program, "atomic class:Range*", "--memory=visible", "--search=sleep")
        expect(named["transitions"] == marked["transitions"], f"{compiler} {level}: {named['transitions']} by file", done)
        done, none = test.run(program, "method function:work", "--memory=visible", "--search=sleep")
        expect(none["transitions"] == marked["transitions"], f"{compiler} {level}: both count", done)
    program = test.build("marked.cpp", "-DUNLOCKED")
    done, result = test.run(program, "", "--memory=visible")
    found = [one for one in result["findings"] if "is in a call that is annotated as one operation" in one["message"]]
    expect(found and not result["complete"], "should be found", done)
    test.replays(found[:1])
    done, _ = test.run(program, "", f"--checkpoint={test.folder / 'x'}")
    expect(done.returncode == 2 and "says in Range<int>::" in done.stderr, "a checkpoint", done)
    unmarked = test.folder / "without"
    subprocess.run(["g++", "-O2", f"-I{INCLUDE}", "-pthread", str(test.sources / "marked.cpp"), "-o", str(unmarked)], check=True)
    expect(subprocess.run([str(unmarked)], check=False).returncode == 0, "it runs without Mazurka", done)


def check_blocks(test):
    for compiler, level in BUILDS[:2]:
        program = test.build("buffers.c", compiler=compiler, level=level)
        search = ["--memory=visible", "--search=sleep"]
        done, whole = test.run(program, "", *search)
        expect(kinds(whole) == ["assertion"] and whole["complete"], "the lost update", done)
        for annotations in ("unshared heap:make_buffer", "tentatively-unshared heap:*", "unshared stack:work",
                            "tentatively-unshared stack:*\ntentatively-unshared heap:work"):
            done, less = test.run(program, annotations, *search)
            name = f"{compiler} {level} {annotations}"
            expect(kinds(less) == ["assertion"] and less["complete"], f"{name}: the same is found", done)
            expect(less["transitions"] < whole["transitions"], f"{name}: with less", done)
            test.replays(less["findings"])


def check_shared_blocks(test):
    program = test.build("buffers.c", "-DINTRUDES")
    for kind, annotations in (("heap", "unshared heap:make_buffer"), ("stack", "unshared stack:work")):
        for options in (["--memory=visible"], ["--discipline"], []):
            done, result = test.run(program, annotations, *options)
            found = [one for one in result["findings"] if "is annotated as unshared" in one["message"]]
            expect(found and not result["complete"], f"{annotations} {options}: should be found", done)
            line = test.line("buffers.c", f"/* {kind} */")
            expect(any(access["location"].endswith(f":{line}") for one in found for access in one["accesses"]), f"line {line}", done)
            test.replays(found[:1])
    done, plain = test.run(program, "", "--memory=visible")
    done, result = test.run(program, "tentatively-unshared heap:*\ntentatively-unshared stack:*", "--memory=visible")
    expect(kinds(result) == kinds(plain) and result["complete"], "given up, the same is found", done)
    expect(result["executions"] == plain["executions"], f"{plain['executions']} executions before", done)
    test.replays(result["findings"])


def check_wrong_input(test):
    program = test.build("tally.c")
    for annotations, text in (("atomic function:nothing", "annotations:1: no function with debug information matches 'nothing'"),
                              ("atomic variable:sum", "annotations:1: expected unshared or tentatively-unshared, then"),
                              ("unshared heap:", "annotations:1: expected unshared")):
        done, _ = test.run(program, annotations)
        expect(done.returncode == 2 and text in done.stderr, f"expected exit code 2 and '{text}'", done)


def main():
    mazurka, sources, where = pathlib.Path(os.environ["MAZURKA"]).resolve(), pathlib.Path(sys.argv[1]), pathlib.Path(sys.argv[2])
    where.mkdir(parents=True, exist_ok=True)
    checks = {"calls": [check_methods, check_searches, check_torn, check_commuting], "operations": [check_operations_inside, check_marks],
              "blocks": [check_blocks, check_shared_blocks, check_wrong_input]}
    with tempfile.TemporaryDirectory(dir=where) as scratch:
        test = Test(mazurka, sources.resolve(), pathlib.Path(scratch))
        for name in sys.argv[3:]:
            for check in checks[name]:
                check(test)


if __name__ == "__main__":
    main()
