#!/usr/bin/env python3
"""mazurka-cc and mazurka-c++ do what compilers do, as the compilers of make and CMake, too.

    compilers_test.py CMAKE
"""

import json
import os
import pathlib
import subprocess
import sys
import tempfile

MAZURKA = pathlib.Path(os.environ["MAZURKA"])
CC, CXX = MAZURKA.parent / "mazurka-cc", MAZURKA.parent / "mazurka-c++"

MAIN = """
#include <pthread.h>
#include <stddef.h>
void count(void);
static void* work(void* unused) { count(); return unused; }
int main(void) {
  pthread_t threads[2];
  for (int i = 0; i < 2; ++i) pthread_create(&threads[i], NULL, work, NULL);
  for (int i = 0; i < 2; ++i) pthread_join(threads[i], NULL);
  return 0;
}
"""
COUNT = "int counter;\nvoid count(void) { ++counter; }\n"  # a race on line 2
COUNT_RIGHT = "#include <stdatomic.h>\natomic_int counter;\nvoid count(void) { ++counter; }\n"
CXX_MAIN = """
#include <atomic>
#include <thread>
std::atomic<int> counter;
int main() {
  std::thread other([] { ++counter; });
  ++counter;
  other.join();
  return counter == 2 ? 0 : 1;
}
"""
MAKEFILE = "program: main.o count.o\n\t$(CC) $(LDFLAGS) $^ -o $@\n"
CMAKELISTS = """
cmake_minimum_required(VERSION 3.25)
project(two_languages C CXX)
find_package(Threads REQUIRED)
add_library(count SHARED count.c)
add_executable(program main.c)
target_link_libraries(program count Threads::Threads)
add_executable(cxx_program main.cpp)
target_link_libraries(cxx_program Threads::Threads)
"""

failures = []


def expect(what, holds, *details):
    if not holds:
        failures.append(what)
        print(f"not so: {what}", *details, sep="\n  ")


def run(*command, **options):
    return subprocess.run([str(part) for part in command], capture_output=True, text=True, **options)


def succeeds(*command, **options):
    done = run(*command, **options)
    expect(f"{' '.join(map(str, command))} succeeds", done.returncode == 0, done.stdout, done.stderr)
    return done


def check(program, *options):
    """The kinds of what is found, and the report."""
    folder = pathlib.Path(program).parent
    report = folder / "report.json"
    report.unlink(missing_ok=True)
    done = run(MAZURKA, "check", "--keep-going", f"--json={report}", f"--schedules={folder}", *options, "--", program)
    if not report.exists():
        return None, done
    result = json.loads(report.read_text())
    return sorted({finding["kind"] for finding in result["findings"]}), result


def write_sources(folder):
    for name, text in {"main.c": MAIN, "count.c": COUNT, "right.c": COUNT_RIGHT, "main.cpp": CXX_MAIN, "Makefile": MAKEFILE,
                       "CMakeLists.txt": CMAKELISTS}.items():
        pathlib.Path(folder, name).write_text(text)


def compiles_in_steps(folder, compiler):
    chosen = f"--cc={compiler}"
    preprocessed = succeeds(CC, chosen, "-E", "count.c", cwd=folder).stdout
    expect("-E prints the source", "++counter" in preprocessed)
    succeeds(CC, chosen, "-S", "-O1", "count.c", "-o", "count.s", cwd=folder)
    expect("-S writes instrumented assembler", "__tsan_write4" in pathlib.Path(folder, "count.s").read_text())
    succeeds(CC, chosen, "-c", "count.s", "-o", "count.o", cwd=folder)
    succeeds(CC, chosen, "-c", "-MMD", "main.c", "-o", "main.o", cwd=folder)
    expect("-MMD writes what depends on what", "main.c" in pathlib.Path(folder, "main.d").read_text())
    succeeds(CC, chosen, "main.o", "count.o", "-o", "steps", cwd=folder)
    kinds, report = check(folder / "steps")
    expect(f"{compiler}, in steps: a race", kinds == ["race"], report)
    expect("at line 2", report["findings"][0]["location"].endswith("count.c:2"), report)


def links_shared_libraries(folder, compiler):
    chosen = f"--cc={compiler}"
    succeeds(CC, chosen, "-shared", "-fPIC", "count.c", "-o", "libcount.so", cwd=folder)
    succeeds(CC, chosen, "main.c", "-L.", "-lcount", "-Wl,-rpath,$ORIGIN", "-o", "with_library", cwd=folder)
    kinds, report = check(folder / "with_library")
    expect(f"{compiler}: a race in a shared library", kinds == ["race"] and not report["assumptions"], report)
    succeeds(compiler, "-g", "-pthread", "main.c", "-L.", "-lcount", "-Wl,-rpath,$ORIGIN", "-o", "plain_main", cwd=folder)
    kinds, report = check(folder / "plain_main")
    expect(f"{compiler}: an instrumented library in a plain program", kinds == ["race"], report)
    expect("the plain module is named", any("plain_main" in sentence for sentence in report["assumptions"]), report)
    succeeds(compiler, "-g", "-shared", "-fPIC", "count.c", "-o", "libcount.so", cwd=folder)
    kinds, report = check(folder / "with_library")
    expect(f"{compiler}: a plain library hides its race", kinds == [], report)
    expect("the plain library is named", any("libcount.so" in sentence for sentence in report["assumptions"]), report)


def mixes_objects(folder, compiler):
    succeeds(compiler, "-g", "-c", "main.c", "-o", "plain.o", cwd=folder)
    succeeds(CC, f"--cc={compiler}", "plain.o", "count.c", "-o", "mixed", cwd=folder)
    kinds, report = check(folder / "mixed")
    expect(f"{compiler}: instrumented and plain objects", kinds == ["race"], report)


def runs_without_mazurka(folder, compiler):
    succeeds(CC, f"--cc={compiler}", "main.c", "right.c", "-o", "right", cwd=folder)
    succeeds(folder / "right")
    kinds, report = check(folder / "right")
    expect(f"{compiler}: atomics are right", kinds == [] and report["executions"] == 2 and report["complete"], report)
    cxx = {"gcc": "g++", "clang": "clang++"}[compiler]
    succeeds(CXX, f"--cc={cxx}", "-std=c++20", "main.cpp", "-o", "cxx", cwd=folder)
    succeeds(folder / "cxx")
    kinds, report = check(folder / "cxx")
    expect(f"{cxx}: atomics are right", kinds == [] and report["executions"] == 2, report)


def runs_what_the_sanitizer_built(folder):
    succeeds("gcc", "-g", "-fsanitize=thread", "main.c", "count.c", "-o", "gcc_tsan", cwd=folder)
    kinds, report = check(folder / "gcc_tsan")
    expect("gcc -fsanitize=thread: a race", kinds == ["race"], report)
    succeeds("clang", "-g", "-fsanitize=thread", "main.c", "count.c", "-o", "clang_tsan", cwd=folder)
    done = run(MAZURKA, "check", "--", folder / "clang_tsan")
    expect("clang -fsanitize=thread is refused", done.returncode == 2, done.stdout, done.stderr)
    expect("and the sentence names mazurka-cc", "mazurka-cc" in done.stderr or "mazurka-c++" in done.stderr, done.stderr)
    for compiler, sanitizer in ("gcc", "address"), ("clang", "address"), ("clang", "undefined"):
        program = folder / f"{compiler}_{sanitizer}"
        succeeds(compiler, "-g", f"-fsanitize={sanitizer}", "main.c", "count.c", "-o", program, cwd=folder)
        done = run(MAZURKA, "check", "--", program)
        expect(f"{compiler} -fsanitize={sanitizer} is refused", done.returncode == 2 and "-fsanitize" in done.stderr, done.stderr)
    for compiler, flag in ("gcc", "-fsanitize=undefined"), ("clang", "-fsanitize-trap=undefined"):
        program = folder / f"{compiler}_checked"
        succeeds(compiler, "-g", "-fsanitize=undefined", flag, "main.c", "count.c", "-o", program, cwd=folder)
        kinds, report = check(program)
        expect(f"{compiler} {flag} is run", kinds == [], report)


def builds_with_make(folder):
    environment = os.environ | {"MAZURKA_CC": "clang"}
    succeeds("make", f"CC={CC}", "CFLAGS=-O2 -g", "LDFLAGS=-pthread", cwd=folder, env=environment)
    kinds, report = check(folder / "program")
    expect("make: a race", kinds == ["race"], report)


def builds_with_cmake(folder, cmake):
    build = folder / "build"
    succeeds(cmake, "-S", folder, "-B", build, f"-DCMAKE_C_COMPILER={CC}", f"-DCMAKE_CXX_COMPILER={CXX}",
             "-DCMAKE_BUILD_TYPE=RelWithDebInfo")
    succeeds(cmake, "--build", build)
    kinds, report = check(build / "program")
    expect("CMake: a race in a library", kinds == ["race"] and not report["assumptions"], report)
    kinds, report = check(build / "cxx_program")
    expect("CMake: C++", kinds == [] and report["executions"] == 2, report)


def refuses(folder):
    for arguments, word in [
        ([], "input"),
        (["--cc=no-such-compiler", "count.c"], "no-such-compiler"),
        (["-static", "main.c", "count.c"], "static"),
        (["-fno-sanitize=thread", "main.c"], "-fno-sanitize=thread"),
    ]:
        done = run(CC, *arguments, cwd=folder)
        text = done.stderr.strip()
        expect(f"mazurka-cc {arguments} ends with 2", done.returncode == 2, done.returncode, text)
        expect(f"mazurka-cc {arguments} says why, in one line", word in text and "\n" not in text, text)
    done = run(CC, "missing.c", cwd=folder)
    expect("a missing file is the compiler's trouble", done.returncode == 1 and "missing.c" in done.stderr, done.stderr)
    done = run(CC, "--version", cwd=folder)
    expect("--version is the compiler's", done.returncode == 0 and "gcc" in done.stdout, done.stdout, done.stderr)
    done = run(CC, "-v", cwd=folder)
    expect("so is -v, which configure scripts ask", done.returncode == 0 and "gcc version" in done.stderr, done.stderr)


def main():
    for compiler in ("gcc", "clang"):
        with tempfile.TemporaryDirectory() as name:
            folder = pathlib.Path(name)
            write_sources(folder)
            compiles_in_steps(folder, compiler)
            links_shared_libraries(folder, compiler)
            mixes_objects(folder, compiler)
            runs_without_mazurka(folder, compiler)
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        write_sources(folder)
        runs_what_the_sanitizer_built(folder)
        builds_with_make(folder)
        builds_with_cmake(folder, sys.argv[1])
        refuses(folder)
    return len(failures) > 0


if __name__ == "__main__":
    sys.exit(main())
