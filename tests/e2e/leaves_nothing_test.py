#!/usr/bin/env python3
"""Counts what is on the machine before and after thousands of executions of programs with several
processes: processes, System V objects, names in /dev/shm, files. Then once more after kill -9 of the command.

Programs are run from copies of their own, so that whatever else the machine does is not counted.
"""

import os
import pathlib
import shutil
import signal
import subprocess
import tempfile
import time

MAZURKA = os.environ["MAZURKA"]
EXAMPLES = pathlib.Path(os.environ["MAZURKA_EXAMPLES"])
PROGRAMS = EXAMPLES.parent / "e2e"
EXECUTIONS = 10_000


def processes(folder):
    """Whose image or command line is in the folder; the dead that nobody waited for have neither."""
    found = set()
    for entry in pathlib.Path("/proc").iterdir():
        if not entry.name.isdigit() or entry.name == str(os.getpid()):
            continue
        try:
            image = os.readlink(entry / "exe")
        except OSError:
            image = ""
        try:
            command = (entry / "cmdline").read_bytes().decode(errors="replace")
        except OSError:
            continue
        if folder in image or folder in command:
            found.add(f"process {entry.name} {command!r}")
    return found


def machine(folder):
    found = processes(folder)
    for kind in ("sem", "shm", "msg"):
        lines = pathlib.Path("/proc/sysvipc", kind).read_text().splitlines()[1:]
        found |= {f"{kind} {' '.join(line.split()[:4])}" for line in lines}
    found |= {f"/dev/shm/{name}" for name in os.listdir("/dev/shm")}
    found |= {f"file {path}" for path in pathlib.Path(folder).rglob("*")}
    return found


def command(program, folder):
    return [MAZURKA, "check", "--search=none", "--keep-going", f"--max-executions={EXECUTIONS}",
            f"--schedules={folder}/schedules", "--", *program]


def compare(before, folder, what):
    deadline = time.monotonic() + 5  # the kernel takes its time to bury a process
    while processes(folder) and time.monotonic() < deadline:
        time.sleep(0.05)
    left = {line for line in machine(folder) - before if "/schedules" not in line}
    assert not left, f"left behind by {what}: {sorted(left)}"


def check_without_control(folder):
    """A runtime that does nothing leaves the program alone: what that has forked by then must go with it."""
    for name in ("bin", "lib"):
        os.mkdir(f"{folder}/{name}")
    shutil.copy(MAZURKA, f"{folder}/bin")
    shutil.copy("/bin/sh", folder)
    shutil.copy("/bin/sleep", folder)
    library = f"{folder}/lib/libmazurka_rt.so"
    subprocess.run(["cc", "-shared", "-x", "c", "/dev/null", "-o", library], check=True)
    before = machine(folder)
    program = [f"{folder}/sh", "-c", f"{folder}/sleep 1000 & exit 0"]
    done = subprocess.run([f"{folder}/bin/mazurka", "check", f"--schedules={folder}/schedules", "--", *program],
                          cwd=folder, capture_output=True, text=True)
    assert done.returncode == 4 and "before its main function" in done.stderr, done.stdout + done.stderr
    compare(before, folder, "a program without control")


def main():
    with tempfile.TemporaryDirectory(prefix="mazurka-leaves-nothing-") as folder:
        check_without_control(folder)
    with tempfile.TemporaryDirectory(prefix="mazurka-leaves-nothing-") as folder:
        programs = []
        for source, arguments in (
            (EXAMPLES / "philosophers_processes", ["4"]),
            (PROGRAMS / "named_semaphore", []),
            (PROGRAMS / "shm_open_two_processes", []),
            (PROGRAMS / "sysv_shm", []),
            (PROGRAMS / "spawn_and_system", []),
            (PROGRAMS / "posix_queue_processes", []),
            (PROGRAMS / "sysv_queue_types", []),
        ):
            shutil.copy(source, folder)
            programs.append([f"{folder}/{source.name}", *arguments])
        os.mkdir(f"{folder}/schedules")

        before = machine(folder)
        for program in programs:
            done = subprocess.run(command(program, folder), cwd=folder, capture_output=True, text=True)
            print(done.stdout.splitlines()[1])
            assert done.returncode in (0, 1, 3), done.stdout + done.stderr
            compare(before, folder, program)

        for seconds in (0.02, 0.1, 0.3, 1.0):
            tool = subprocess.Popen(command(programs[0], folder), cwd=folder, stdout=subprocess.DEVNULL)
            time.sleep(seconds)
            tool.send_signal(signal.SIGKILL)
            tool.wait()
            compare(before, folder, f"a command that was killed after {seconds} s")


if __name__ == "__main__":
    main()
