#!/usr/bin/env python3
"""The robots of examples/robots: the divergence is found, its scenario is short and replays; the twin is clean.

MAZURKA_NIGHTLY=1 explores all of the twin, too.
"""

import json
import os
import pathlib
import subprocess
import tempfile
import unittest

MAZURKA, EXAMPLES = os.environ["MAZURKA"], os.environ["MAZURKA_EXAMPLES"]


class Robots(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)

    def mazurka(self, *arguments):
        return subprocess.run([MAZURKA, *arguments], cwd=self.folder, capture_output=True, text=True)

    def check(self, *arguments):
        run = self.mazurka("check", "--json=out.json", *arguments)
        return run, json.loads((self.folder / "out.json").read_text())

    # As with the default options, but that a second without a visible operation is enough.
    def test_the_divergence(self):
        run, verdict = self.check("--divergence=1", "--", EXAMPLES + "/robots", "-v")
        self.assertEqual(run.returncode, 1, run)
        (finding,) = verdict["findings"]
        self.assertEqual(finding["kind"], "divergence")
        self.assertRegex(run.stdout, r"called from robot\.c:\d+ in fetch")
        self.assertLessEqual(finding["length"], 40)
        self.assertLess(verdict["executions"], 500)
        replay = self.mazurka("replay", finding["schedule"])
        self.assertEqual(replay.returncode, 1, replay)
        told = [line.split("|")[1].strip() for line in replay.stdout.splitlines() if "|" in line]
        wanted = ("feeder   drops", "left", "visitor")
        self.assertEqual([line for line in told if line.startswith(wanted)], [
            "feeder   drops 1 at 2,2", "left     will fetch 1", "feeder   drops 2 at 2,0",
            "visitor  bumps against the table: 2 moves",
        ])

    def expect_clean(self, verdict, guarantee):
        self.assertEqual((verdict["findings"], verdict["guarantee"]), ([], guarantee))

    def test_the_twin_within_a_bound(self):
        run, verdict = self.check("--bound=12", "--", EXAMPLES + "/robots_fixed")
        self.expect_clean(verdict, "bounded")
        self.assertIn("every behaviour within the bounds was explored", run.stdout)

    def test_the_bound_is_no_excuse(self):
        _, verdict = self.check("--bound=12", "--divergence=1", "--", EXAMPLES + "/robots")
        self.assertEqual([finding["kind"] for finding in verdict["findings"]], ["divergence"])

    def test_one_object_is_no_trouble(self):
        for name in ("robots", "robots_fixed"):
            _, verdict = self.check("--", f"{EXAMPLES}/{name}", "1")
            self.expect_clean(verdict, "complete")

    @unittest.skipUnless(os.environ.get("MAZURKA_NIGHTLY"), "only in long runs")
    def test_the_whole_twin(self):
        _, verdict = self.check("--", EXAMPLES + "/robots_fixed")
        self.expect_clean(verdict, "complete")
        self.assertEqual(verdict["executions"], 5885)

    def test_wrong_arguments(self):
        run = subprocess.run([EXAMPLES + "/robots", "many"], capture_output=True, text=True)
        self.assertEqual(run.returncode, 2)
        self.assertIn("OBJECTS is a number from 0 to 8, not 'many'", run.stderr)


if __name__ == "__main__":
    unittest.main()
