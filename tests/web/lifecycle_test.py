#!/usr/bin/env python3
"""How `mazurka sim` begins and ends: ports, browsers, signals, terminals. However it ends, its program ends with it.

    lifecycle_test.py MAZURKA PROGRAM
"""

import fcntl
import os
import pathlib
import pty
import signal
import socket
import subprocess
import sys
import tempfile
import termios
import time
import unittest

from simulator import Simulator

MAZURKA, PROGRAM = (pathlib.Path(name).resolve() for name in sys.argv[1:3])
PATIENCE_S = 60


def descendants(pid):
    """Processes, also of processes that have lost their parents since."""
    found = []
    for task in pathlib.Path(f"/proc/{pid}/task").glob("*"):
        try:
            children = (task / "children").read_text().split()
        except FileNotFoundError:
            continue
        for child in children:
            found += [int(child), *descendants(int(child))]
    return found


def is_there(pid):
    try:
        return pathlib.Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()[0] != "Z"
    except (FileNotFoundError, ProcessLookupError):
        return False


def comes_true(condition):
    give_up = time.monotonic() + PATIENCE_S
    while not condition():
        if time.monotonic() > give_up:
            return False
        time.sleep(0.02)
    return True


class Ends(unittest.TestCase):
    def ends_by(self, number, code):
        with Simulator(MAZURKA, "--", PROGRAM, "2") as sim:
            sim.ask("hello")
            sim.ask("search", do="start", run=1, at=0)
            programs = descendants(sim.process.pid)
            self.assertGreater(len(programs), 0)
            sim.process.send_signal(number)
            self.assertEqual(sim.process.wait(timeout=PATIENCE_S), code)
            self.assertTrue(comes_true(lambda: not any(is_there(pid) for pid in programs)))

    def test_ctrl_c(self):
        self.ends_by(signal.SIGINT, 0)

    def test_terminated(self):
        self.ends_by(signal.SIGTERM, 0)

    def test_hung_up(self):
        self.ends_by(signal.SIGHUP, 0)

    def test_killed(self):
        self.ends_by(signal.SIGKILL, -signal.SIGKILL)

    def test_closed_terminal(self):
        master, slave = pty.openpty()
        run = subprocess.Popen([MAZURKA, "sim", "--no-open", "--", PROGRAM, "2"], stdin=slave, stdout=slave, stderr=slave,
                               start_new_session=True, preexec_fn=lambda: fcntl.ioctl(0, termios.TIOCSCTTY, 0))
        os.close(slave)
        self.assertIn(b"the simulator is at", os.read(master, 1000))
        self.assertTrue(comes_true(lambda: descendants(run.pid)))
        programs = descendants(run.pid)
        os.close(master)
        run.wait(timeout=PATIENCE_S)
        self.assertTrue(comes_true(lambda: not any(is_there(pid) for pid in programs)))

    def test_nohup(self):
        with Simulator(MAZURKA, "--", PROGRAM, "2", preexec_fn=lambda: signal.signal(signal.SIGHUP, signal.SIG_IGN)) as sim:
            sim.process.send_signal(signal.SIGHUP)
            self.assertEqual(sim.ask("hello")["kind"], "program")


class Begins(unittest.TestCase):
    def test_a_port_in_use(self):
        with socket.socket() as taken:
            taken.bind(("127.0.0.1", 0))
            taken.listen()
            port = taken.getsockname()[1]
            run = subprocess.run([MAZURKA, "sim", "--no-open", f"--port={port}", "--", PROGRAM], capture_output=True, text=True)
        self.assertEqual(run.returncode, 2)
        self.assertIn(f"cannot listen on port {port}", run.stderr)
        self.assertIn("--port=0", run.stderr)

    def test_the_port_that_is_wanted(self):
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            port = free.getsockname()[1]
        with Simulator(MAZURKA, f"--port={port}", "--", PROGRAM, "2") as sim:
            self.assertEqual(sim.port, port)

    def test_no_browser(self):
        """A display, and nothing that could open the address."""
        with tempfile.TemporaryDirectory() as empty:
            with Simulator(MAZURKA, "--", PROGRAM, "2", opens=True, env={**os.environ, "DISPLAY": ":77", "PATH": empty}) as sim:
                self.assertEqual(sim.ask("hello")["kind"], "program")
                self.assertEqual(sim.end(), 0)

    def test_a_browser_is_opened_and_outlives_ctrl_c(self):
        with tempfile.TemporaryDirectory() as folder:
            browser = pathlib.Path(folder) / "xdg-open"
            browser.write_text('#!/bin/sh\necho "$1" > "$0.asked.new"\nmv "$0.asked.new" "$0.asked"\necho $$ > "$0.pid"\nexec sleep 1000\n')
            browser.chmod(0o755)
            with Simulator(MAZURKA, "--", PROGRAM, "2", opens=True, start_new_session=True,
                           env={**os.environ, "DISPLAY": ":77", "PATH": f"{folder}:{os.environ['PATH']}"}) as sim:
                pid_file = pathlib.Path(f"{browser}.pid")
                self.assertTrue(comes_true(lambda: pid_file.exists() and pid_file.read_text().strip()))
                door = pathlib.Path(pathlib.Path(f"{browser}.asked").read_text().strip())
                self.assertNotIn(sim.token, str(door))  # others can read what a process was started with
                self.assertIn(f"url={sim.address}", door.read_text())
                self.assertEqual((door.stat().st_mode & 0o777, door.parent.stat().st_mode & 0o777), (0o600, 0o700))
                os.killpg(sim.process.pid, signal.SIGINT)  # as the terminal does
                self.assertEqual(sim.process.wait(timeout=PATIENCE_S), 0)
                opened = int(pid_file.read_text())
                self.assertTrue(is_there(opened))
                self.assertFalse(door.parent.exists())
                os.kill(opened, signal.SIGKILL)

    def test_bad_input(self):
        with tempfile.TemporaryDirectory() as folder:
            bad = pathlib.Path(folder) / "bad.schedule"
            bad.write_text("nonsense\n")
            for words, sentence in ((["--schedule", bad], "bad.schedule:1"), (["--", "/no/such/program"], "/no/such/program"),
                                    (["--port=70000", "--", PROGRAM], "port")):
                run = subprocess.run([MAZURKA, "sim", "--no-open", *words], capture_output=True, text=True, timeout=PATIENCE_S)
                self.assertEqual(run.returncode, 2, run.stderr)
                self.assertIn(sentence, run.stderr)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
