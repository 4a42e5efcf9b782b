#!/usr/bin/env python3
"""What comes out for programs of several libraries and builds is what docs/works-with.md says.

    works_with_test.py PAGE CC CXX [--update]

Each row of the table has a program that is right and one with a bug. A row whose compiler is not here is left out,
with a message, and stays as it is in the page.
"""

import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).parent
CC, CXX = sys.argv[2:4]
RUSTC = "/usr/bin/rustc"  # of Debian
OPTIONS = ["--timeout=120", "--divergence=20", "--max-executions=2000"]


def c_row(name, *flags, compiler=None):
    source = HERE / "works_with" / "two_locks.c"
    build = [compiler or CC, "-g", "-O1", "-pthread", *flags, source, "-o"]
    return name, build[0], ([*build, "right", "-DFIXED"], ["./right"]), ([*build, "wrong"], ["./wrong"])


def cxx_row(name, macro):
    build = [CXX, "-std=c++20", "-g", "-O1", "-pthread", HERE / "works_with" / "cxx20.cpp", "-o"]
    return name, CXX, ([*build, "right", f"-D{macro}"], ["./right"]), ([*build, "wrong", f"-D{macro}_BROKEN"], ["./wrong"])


def rust_row(name, part):
    build = [RUSTC, "-O", "-g", "-A", "unused", "--cfg", part, HERE / "works_with" / "sync.rs", "-o"]
    return name, RUSTC, ([*build, "right"], ["./right"]), ([*build, "wrong", "--cfg", "broken"], ["./wrong"])


def openmp_row(name):
    build = [CC, "-g", "-O1", "-fopenmp", HERE / "works_with" / "critical.c", "-o"]
    return name, CC, ([*build, "right"], ["./right"]), ([*build, "wrong", "-DBROKEN"], ["./wrong"])


def assembly_row(name):
    build = [CC, "-g", "-O1", "-pthread", HERE / "atomics" / "spin_lock.c", "-o"]
    return name, CC, ([*build, "right", "-DPLAIN"], ["./right"]), ([*build, "wrong", "-DPLAIN_AND_BROKEN"], ["./wrong"])


def python_row(name):
    run = [sys.executable, HERE / "works_with" / "two_locks.py"]
    return name, sys.executable, (["true"], run), (["true"], [*run, "wrong"])


ROWS = [
    c_row("C, locks of POSIX, gcc"),
    c_row("the same, clang", compiler="clang"),
    c_row("the same, linked statically", "-static"),
    c_row("the same, AddressSanitizer", "-fsanitize=address"),
    c_row("the same, UndefinedBehaviorSanitizer", "-fsanitize=undefined"),
    c_row("the same, ThreadSanitizer", "-fsanitize=thread"),
    cxx_row("C++20, `std::latch`", "LATCH"),
    cxx_row("C++20, `std::barrier`", "BARRIER"),
    cxx_row("C++20, `std::counting_semaphore`", "SEMAPHORE"),
    cxx_row("C++20, `std::stop_token`", "STOP_TOKEN"),
    cxx_row("C++20, `std::atomic::wait`", "WAIT"),
    assembly_row("spin lock in inline assembly, released by a plain store"),
    openmp_row("OpenMP, gcc: `critical`, `atomic`"),
    rust_row("Rust, `RwLock`", "rwlock"),
    rust_row("Rust, `Condvar`", "condvar"),
    rust_row("Rust, `Once`", "once"),
    rust_row("Rust, `mpsc`", "mpsc"),
    rust_row("Rust, `thread::park`", "park"),
    rust_row("Rust, `Mutex`", "mutex"),
    rust_row("Rust, `Barrier`", "barrier"),
]


def outcome(case, folder):
    build, run = case
    subprocess.run(build, cwd=folder, check=True, capture_output=True)
    report = pathlib.Path(folder, "report.json")
    report.unlink(missing_ok=True)
    command = [os.environ["MAZURKA"], "check", *OPTIONS, f"--json={report}", f"--schedules={folder}", "--", *run]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, timeout=600)
    if done.returncode in (2, 4) or not report.exists():
        return "refused: " + re.sub(r"^mazurka: |\S*/(?=\w)", "", (done.stdout + done.stderr).strip().splitlines()[-1])
    verdict = json.loads(report.read_text())
    if verdict["findings"]:
        return ", ".join(sorted({finding["kind"] for finding in verdict["findings"]}))
    return "complete" if verdict["complete"] else "not complete"


def line_of(row, folder):
    name, _, right, wrong = row
    return f"| {name} | {outcome(right, folder)} | {outcome(wrong, folder)} |"


def main():
    page = pathlib.Path(sys.argv[1])
    text = page.read_text()
    wrong = 0
    for row in ROWS:
        old = re.search(rf"^\| {re.escape(row[0])} \|.*$", text, re.MULTILINE)
        if shutil.which(row[1]) is None:
            print(f"{row[0]}: left out, there is no {row[1]}")
            continue
        with tempfile.TemporaryDirectory() as folder:
            new = line_of(row, folder)
        if old is not None and old.group(0).startswith(new[:-2]):
            continue
        print(f"{new}\n  is what came out; the page says\n{old.group(0) if old else 'nothing'}", flush=True)
        wrong += 1
        if "--update" in sys.argv:
            text = text.replace(old.group(0), new) if old else text.replace("<!-- end of the table -->", new + "\n<!-- end of the table -->")
            page.write_text(text)
    sys.exit(wrong != 0 and "--update" not in sys.argv)


if __name__ == "__main__":
    main()
