#!/usr/bin/env python3
"""`mazurka check` and `mazurka replay` on the philosophers: what they write, and how they exit.

    commands_test.py MAZURKA EXAMPLES
"""

import json
import os
import pathlib
import re
import signal
import subprocess
import sys
import tempfile
import time
import unittest

MAZURKA, EXAMPLES = sys.argv[1:3]
del sys.argv[1:3]
PHILOSOPHERS = EXAMPLES + "/philosophers_processes"

FIELDS = [
    "version", "command", "verdict", "complete", "guarantee", "search", "executions", "blocked_executions", "transitions",
    "steps", "max_depth", "seconds", "findings", "assumptions", "unmodelled",
]


class Commands(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)

    def mazurka(self, *arguments):
        return subprocess.run([MAZURKA, *arguments], cwd=self.folder, capture_output=True, text=True, timeout=120)

    def check(self, *arguments):
        run = self.mazurka("check", "--search=none", "--json=out.json", *arguments)
        return run, json.loads((self.folder / "out.json").read_text())

    def test_finding(self):
        run, verdict = self.check("--keep-going", PHILOSOPHERS, "2")
        self.assertEqual(run.returncode, 1)
        self.assertEqual(list(verdict), FIELDS)
        self.assertEqual((verdict["transitions"], verdict["executions"]), (18, 4))
        self.assertEqual((verdict["verdict"], verdict["complete"]), ("error", True))
        (finding,) = verdict["findings"]
        self.assertEqual((finding["kind"], finding["count"], finding["length"]), ("deadlock", 2, 2))
        self.assertRegex(finding["location"], r"philosophers_processes\.c:\d+$")
        self.assertEqual(finding["schedule"], "philosophers_processes.deadlock-1.schedule")
        self.assertIn("replay: mazurka replay philosophers_processes.deadlock-1.schedule", run.stdout)
        self.assertEqual(run.stderr, "")

    def test_first_finding_ends_the_search(self):
        run, verdict = self.check(PHILOSOPHERS, "3")
        self.assertEqual((run.returncode, verdict["complete"]), (1, False))
        self.assertLess(verdict["executions"], 396)

    def test_nothing_found(self):
        run, verdict = self.check(PHILOSOPHERS + "_fixed", "2")
        self.assertEqual((run.returncode, verdict["verdict"], verdict["guarantee"]), (0, "ok", "complete"))
        self.assertTrue(run.stdout.startswith("ok: nothing found; complete for its synchronisation calls\n"))
        self.assertEqual(run.stdout.splitlines()[-1], "Not covered: plain memory accesses (rebuild with mazurka-c++)")
        self.assertEqual(list(self.folder.glob("*.schedule")), [])
        self.assertEqual(verdict["assumptions"], ["not covered: plain memory accesses (rebuild with mazurka-c++)"])

    def test_limits_make_it_incomplete(self):
        for limit in ("--depth=3", "--bound=2", "--max-executions=2"):
            run, verdict = self.check(limit, PHILOSOPHERS + "_fixed", "2")
            self.assertEqual((run.returncode, verdict["verdict"]), (3, "incomplete"), limit)
            self.assertIn(limit.split("=")[0], run.stdout)

    def test_replay(self):
        self.check("--schedules=a/b", PHILOSOPHERS, "2")
        schedule = "a/b/philosophers_processes.deadlock-1.schedule"
        run = self.mazurka("replay", schedule)
        self.assertEqual(run.returncode, 1, run)
        self.assertIn("deadlock: no thread can go on", run.stdout)
        self.assertEqual(len(self.rows(run.stdout)), 2)
        # From another directory: the schedule knows where it was run.
        self.assertEqual(subprocess.run([MAZURKA, "replay", self.folder / schedule], capture_output=True).returncode, 1)

    def rows(self, text):
        """The steps of its schedule, without the marks before them."""
        return [row[2:] for row in text.splitlines() if re.match(r"[*! ]{2} *\d+  |  +\.\.\. \d+ step", row)]

    def test_replay_prints_what_check_prints(self):
        program = (EXAMPLES + "/philosophers_threads", "4")
        for option in ((), ("--full",)):
            found = self.mazurka("check", *option, *program).stdout
            again = self.mazurka("replay", *option, "philosophers_threads.deadlock-1.schedule").stdout
            self.assertGreater(len(self.rows(found)), 3)
            self.assertEqual(self.rows(again), self.rows(found))
            begin = found.index("deadlock: ")
            self.assertEqual(again[:again.index("  schedule: ")], found[begin:found.index("  schedule: ")])

    def test_replay_of_another_program(self):
        self.check(PHILOSOPHERS, "2")
        schedule = self.folder / "philosophers_processes.deadlock-1.schedule"
        schedule.write_text(schedule.read_text().replace("philosophers_processes 2", "philosophers_processes_fixed 2"))
        run = self.mazurka("replay", schedule.name)
        self.assertEqual(run.returncode, 3, run)
        self.assertIn("did not show", run.stdout)

    def test_output_is_quiet_in_check_and_shown_in_replay(self):
        script = ("sh", "-c", 'echo "hello $1"; exit 3', "sh", "[a,b] --c")
        run, verdict = self.check(*script)
        self.assertEqual((run.returncode, verdict["findings"][0]["kind"]), (1, "exit"))
        self.assertNotIn("hello", run.stdout.split("replay:")[0])
        run = self.mazurka("replay", "sh.exit-1.schedule")
        self.assertEqual(run.returncode, 1)
        self.assertIn("hello [a,b] --c\n", run.stdout)
        self.assertIn("the program ended with status 3", run.stdout)

    def test_standard_input(self):
        (self.folder / "input").write_text("4\n")
        run, verdict = self.check("--stdin=input", "sh", "-c", "read x; exit $x")
        self.assertEqual(verdict["findings"][0]["message"], "the program ended with status 4")
        self.assertEqual(self.mazurka("replay", "sh.exit-1.schedule").returncode, 1)

    def test_quiet(self):
        run = self.mazurka("check", "--quiet", PHILOSOPHERS, "2")
        self.assertEqual(run.stdout.count("\n"), 1)
        self.assertTrue(run.stdout.startswith("error: 1 finding;"))

    def test_interrupt(self):
        command = [MAZURKA, "check", "--search=none", "--keep-going", "--json=out.json", PHILOSOPHERS + "_fixed", "6"]
        for number in (signal.SIGINT, signal.SIGTERM):
            with subprocess.Popen(command, cwd=self.folder, stdout=subprocess.PIPE, text=True) as process:
                time.sleep(1)
                process.send_signal(number)
                output, _ = process.communicate(timeout=60)
            self.assertEqual(process.returncode, 3, output)
            self.assertIn("the search was interrupted", output)
            self.assertEqual(json.loads((self.folder / "out.json").read_text())["guarantee"], "sampled")

    def test_timeout(self):
        run, verdict = self.check("--timeout=0.5", PHILOSOPHERS + "_fixed", "6")
        self.assertEqual(run.returncode, 3)
        self.assertLess(verdict["seconds"], 5)


if __name__ == "__main__":
    os.environ.pop("DEBUGINFOD_URLS", None)
    unittest.main()
