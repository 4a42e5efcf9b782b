#!/usr/bin/env python3
"""What a person at a terminal is told while a search goes on, and afterwards how far off it was; nothing in a pipe."""

import os
import subprocess
import tempfile
import unittest

import terminal

MAZURKA, EXAMPLES = os.environ["MAZURKA"], os.environ["MAZURKA_EXAMPLES"]

# Long enough to be told of, if not on a fast machine; and of what the estimate is a share.
SEARCHES = {
    "optimal": ("philosophers_threads", 13, "done"),
    "none": ("philosophers_processes", 3, "done"),
    "sleep": ("philosophers_threads", 7, "done"),
    "persistent": ("philosophers_threads", 13, "of this round done"),
    "dpor": ("philosophers_threads", 12, "of what is known so far done"),
    "wakeup": ("philosophers_threads", 9, "of what is known so far done"),
}


class Progress(unittest.TestCase):
    def command(self, search, more=0):
        program, philosophers, _ = SEARCHES[search]
        return [MAZURKA, "check", f"--search={search}", "--keep-going", "--no-minimize",
                f"{EXAMPLES}/{program}", str(philosophers + more)]

    def told(self, search, folder):
        for more in range(4):
            text = terminal.run(self.command(search, more), "stderr", cwd=folder)
            if "about" in text:
                break
        return text

    def test_is_told_on_a_terminal(self):
        for search, (_, _, what) in SEARCHES.items():
            with self.subTest(search), tempfile.TemporaryDirectory() as folder:
                text = self.told(search, folder)
                self.assertRegex(text, r"\d+ executions, \d+ per second, depth \d+, \d findings?")
                self.assertRegex(text, rf"about [\d.]+ % {what}")
                self.assertRegex(text, r"the estimate was off by \d+ % of the (search|last round) on average, by \d+ % at most")
                self.assertEqual(" left" in text, what == "done")

    def test_no_end_is_promised_where_there_is_none(self):
        """2^40 executions: not "1 % done, 5 min left"."""
        for search in ("auto", "optimal"):
            with self.subTest(search), tempfile.TemporaryDirectory() as folder:
                command = [MAZURKA, "check", f"--search={search}", "--keep-going", "--no-minimize", "--timeout=4",
                           f"{EXAMPLES}/philosophers_threads_fixed", "40"]
                text = terminal.run(command, "stderr", cwd=folder)
                self.assertRegex(text, r", of about [\d.]+ \* 10\^\d+ \([^)]*\)")
                self.assertNotRegex(text, r"\d (s|min|h) left")

    def test_is_quiet_in_a_pipe(self):
        with tempfile.TemporaryDirectory() as folder:
            quiet = subprocess.run(self.command("none"), cwd=folder, capture_output=True, text=True)
        self.assertEqual(quiet.stderr, "")


if __name__ == "__main__":
    unittest.main()
