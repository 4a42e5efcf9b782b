#!/usr/bin/env python3
"""Bugs of the literature in programs that are too large to finish: `mazurka check` without options finds them, and so does
each sampler those that it is good at; the same seed finds the same.

    hunting_test.py SOURCES MAZURKA_CXX
"""

import json
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

MAZURKA = os.environ["MAZURKA"]
SOURCES, CXX = pathlib.Path(sys.argv[1]), sys.argv[2]
del sys.argv[1:3]

# Program, argument, what is found. SafeStack is in the benchmark alone: it takes a minute.
BY_DEFAULT = [
    ("reorder", 3, "assertion"), ("reorder", 10, "assertion"), ("reorder", 20, "assertion"), ("reorder", 100, "assertion"),
    ("twostage", 3, "assertion"), ("twostage", 10, "assertion"), ("twostage", 20, "assertion"), ("twostage", 100, "assertion"),
    ("work_stealing", 0, "assertion"), ("bounded_buffer", 2, "deadlock"), ("bounded_buffer", 10, "deadlock"),
    ("philosophers", 30, "deadlock"),
]
BY_SAMPLER = [("random", "reorder", 10), ("pct", "twostage", 10), ("pos", "reorder", 20), ("surw", "work_stealing", 0),
              ("lag", "philosophers", 30)]


class Hunting(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(cls.folder.cleanup)
        for source in sorted(SOURCES.glob("*.cpp")):
            subprocess.run([CXX, "-std=c++17", "-g", "-O1", str(source), "-o", f"{cls.folder.name}/{source.stem}"], check=True)

    def check(self, program, argument, *options):
        command = [MAZURKA, "check", "--quiet", "--json=out.json", *options, "./" + program, *([str(argument)] if argument else [])]
        done = subprocess.run(command, cwd=self.folder.name, capture_output=True, text=True, timeout=300)
        self.assertIn(done.returncode, (0, 1, 3), done.stdout + done.stderr)
        return json.loads(pathlib.Path(self.folder.name, "out.json").read_text())

    def test_default_options_find_them(self):
        for program, argument, kind in BY_DEFAULT:
            with self.subTest(program=program, argument=argument):
                report = self.check(program, argument, "--timeout=120", "--max-executions=60000")
                self.assertEqual([finding["kind"] for finding in report["findings"]], [kind])

    def test_samplers_find_them_the_same_way_each_time(self):
        for search, program, argument in BY_SAMPLER:
            with self.subTest(search=search, program=program):
                first, again = (self.check(program, argument, f"--search={search}", "--jobs=1") for _ in range(2))
                self.assertEqual(len(first["findings"]), 1)
                self.assertEqual(first["guarantee"], "sampled")
                self.assertEqual(first["sampled_executions"], first["executions"])
                for report in (first, again):
                    del report["seconds"]
                self.assertEqual(first, again)

    def test_seed_says_which_executions(self):
        for search in ("random", "pct", "pos", "surw", "lag"):
            reports = [self.check("twostage", 4, f"--search={search}", "--keep-going", "--max-executions=300", "--no-minimize", *options)
                       for options in (["--jobs=1"], ["--jobs=2"], ["--jobs=2", "--reset=fork"], ["--seed=2"])]
            self.assertEqual([report["executions"] for report in reports], [300] * 4)
            seen = [{key: report[key] for key in ("transitions", "max_depth", "samples")} for report in reports]
            self.assertEqual(seen[0], seen[1])
            self.assertEqual(seen[0], seen[2])
            self.assertNotEqual(seen[0], seen[3])
            self.assertEqual([report["samples"]["seed"] for report in reports], [1, 1, 1, 2])

    def test_what_is_sampled_is_said(self):
        pct = self.check("philosophers", 3, "--search=pct", "--bug-depth=2", "--keep-going", "--max-executions=2000")
        sampler = pct["samples"]["samplers"][0]
        self.assertEqual((sampler["search"], sampler["bug_depth"], sampler["most_threads"]), ("pct", 2, 4))
        self.assertGreater(sampler["counting_executions"], 1000)
        hit = 1 / (sampler["most_threads"] * sampler["most_steps"])
        self.assertAlmostEqual(sampler["missed_at_most"], (1 - hit) ** sampler["counting_executions"])
        self.assertEqual(pct["samples"]["traces"], 7)
        mixed = self.check("philosophers", 10, "--keep-going")
        alone = self.check("philosophers", 10, "--keep-going", "--search=optimal")
        self.assertEqual((mixed["guarantee"], alone["guarantee"]), ("complete", "complete"))
        self.assertEqual((mixed["executions"], mixed["transitions"]), (alone["executions"], alone["transitions"]))
        self.assertGreater(mixed["sampled_executions"], 0)
        self.assertNotIn("sampled_executions", alone)
        small = self.check("philosophers", 5, "--keep-going")
        self.assertNotIn("sampled_executions", small)
        self.assertEqual(small["search"], "optimal")

    def estimate(self, program, argument, *options):
        command = [MAZURKA, "estimate", "--json=out.json", *options, "./" + program, str(argument)]
        done = subprocess.run(command, cwd=self.folder.name, capture_output=True, text=True, timeout=300)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        return done.stdout, json.loads(pathlib.Path(self.folder.name, "out.json").read_text())

    def test_the_size_of_a_search_is_told(self):
        text, small = self.estimate("philosophers", 5)
        self.assertEqual((small["exact"], round(small["executions"]), round(small["low"]), round(small["high"])), (True, 31, 31, 31))
        self.assertIn("31 executions: less than a second", text)
        self.assertRegex(text, r"\d+ %  forks\S*, by T0\.\d and T0\.\d|\d+ %  .*, by T0\.\d and T0\.\d")
        self.assertIn("--preemptions=0: ", text)
        text, large = self.estimate("philosophers", 60, "--timeout=5")
        self.assertFalse(large["exact"])
        self.assertLess(abs(large["log10"][0] - 60 * 0.30103), 3)
        self.assertIn("years", text)
        self.assertIn("--deepen", text)

    def test_few_preemptions(self):
        for program, argument, kind, needed in (("reorder", 3, "assertion", 1), ("twostage", 3, "assertion", 1),
                                                ("work_stealing", 0, "assertion", 1), ("bounded_buffer", 2, "deadlock", 0)):
            with self.subTest(program=program):
                for options in (("--deepen",), ("--deepen", "--jobs=2", "--reset=fork"), (f"--preemptions={needed}",)):
                    report = self.check(program, argument, *options)
                    self.assertEqual([finding["kind"] for finding in report["findings"]], [kind], options)
                    self.assertEqual(report["findings"][0]["preemptions"], needed, options)
                if needed > 0:
                    report = self.check(program, argument, "--preemptions=0")
                    self.assertEqual((report["findings"], report["guarantee"], report["preemptions_reached"]), ([], "bounded", 0))
                    self.assertLess(report["traces"], report["executions"] + 1)


if __name__ == "__main__":
    unittest.main()
