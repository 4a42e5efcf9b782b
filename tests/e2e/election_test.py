#!/usr/bin/env python3
"""The election of examples/election: two leaders are found with default options, the scenario replays; the twin is clean and complete.

`MAZURKA` is the command, `MAZURKA_EXAMPLES` the folder of the built examples.
"""

import json
import os
import pathlib
import subprocess
import tempfile
import unittest

MAZURKA = os.environ["MAZURKA"]
EXAMPLES = os.environ["MAZURKA_EXAMPLES"]


class Election(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)

    def check(self, *words):
        report = pathlib.Path(self.folder.name, "report.json")
        run = subprocess.run([MAZURKA, "check", f"--json={report}", *words], capture_output=True, text=True,
                             cwd=self.folder.name)
        self.assertTrue(report.exists(), run.stderr)
        return run, json.loads(report.read_text())

    def test_two_leaders_are_found(self):
        run, verdict = self.check("--", EXAMPLES + "/election", "-v")
        self.assertEqual([finding["kind"] for finding in verdict["findings"]], ["assertion"], run.stdout)
        finding = verdict["findings"][0]
        self.assertIn("leaders <= 1", finding["message"])
        self.assertEqual(verdict["unmodelled"], [])
        replay = subprocess.run([MAZURKA, "replay", finding["schedule"]], capture_output=True, text=True,
                                cwd=self.folder.name)
        told = replay.stdout
        for line in ("node 2: crashes", "node 0: leads in term 1", "node 1: leads in term 1"):
            self.assertIn(line, told)
        self.assertEqual(told.count("node 2: votes for"), 2)

    def test_the_twin_is_clean_and_complete(self):
        run, verdict = self.check("--", EXAMPLES + "/election_fixed")
        self.assertEqual((run.returncode, verdict["verdict"], verdict["complete"]), (0, "ok", True), run.stdout)
        self.assertGreater(verdict["executions"], 100)

    def test_both_run_without_mazurka(self):
        for name in ("election", "election_fixed"):
            run = subprocess.run([EXAMPLES + "/" + name], capture_output=True, text=True, timeout=60)
            self.assertEqual(run.returncode, 0, run.stderr)


if __name__ == "__main__":
    unittest.main()
