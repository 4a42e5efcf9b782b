#!/usr/bin/env python3
"""A search that is killed at random moments and resumed each time comes to the same counts and findings as one run.

    checkpoint_test.py COUNTS
"""

import json
import os
import pathlib
import random
import signal
import subprocess
import sys
import tempfile
import unittest

MAZURKA, EXAMPLES = os.environ["MAZURKA"], os.environ["MAZURKA_EXAMPLES"]
COUNTS = sys.argv.pop(1)
KILLS = 20  # for each search
LONG_ENOUGH = 0.25  # seconds of a search, so that it is saved before most of its kills
SEED = int(os.environ.get("MAZURKA_SEED", "7"))


class Checkpoints(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        self.saved = self.folder / "saved"
        self.random = random.Random(SEED)

    def command(self, arguments, save=True):
        words = [MAZURKA, "check", "--keep-going", "--no-minimize", "--json=out.json"]
        if save:
            words += [f"--checkpoint={self.saved}", "--checkpoint-interval=0.02"]
            if self.saved.exists():
                words.append(f"--resume={self.saved}")
        return words + arguments

    def start(self, arguments, **options):
        return subprocess.Popen(self.command(arguments, **options), cwd=self.folder, stdout=subprocess.PIPE,
                                stderr=subprocess.STDOUT, text=True)

    def result(self, process):
        output, _ = process.communicate(timeout=240)
        self.assertIn(process.returncode, (0, 1), output)
        verdict = json.loads((self.folder / "out.json").read_text())
        self.assertTrue(verdict["complete"], output)
        self.seconds = verdict["seconds"]
        return {
            **{name: verdict[name] for name in ("executions", "blocked_executions", "transitions", "max_depth")},
            "findings": sorted((f["kind"], f["count"], f["location"]) for f in verdict["findings"]),
        }

    def kill_and_resume(self, options, program, *sizes):
        """The first size that is long enough on this machine."""
        for size in sizes:
            arguments = [*options, program, *map(str, size)]
            wanted = self.result(self.start(arguments, save=False))
            if self.seconds >= LONG_ENOUGH:
                break
        kills = resumed = 0
        while kills < KILLS:
            had_checkpoint = self.saved.exists()
            process = self.start(arguments)
            try:
                process.wait(timeout=self.random.uniform(0.02, 0.6))
            except subprocess.TimeoutExpired:
                process.send_signal(signal.SIGKILL)
                process.wait()
                process.stdout.close()
                kills += 1
                resumed += had_checkpoint
                continue
            self.assertEqual(self.result(process), wanted)
            self.saved.unlink(missing_ok=True)
        self.assertEqual(self.result(self.start(arguments)), wanted)
        self.assertGreater(resumed, 0, "nothing was ever resumed")

    def test_before_the_first_execution(self):
        for search in ("optimal", "wakeup", "sleep", "persistent", "dpor"):
            arguments = [f"--search={search}", EXAMPLES + "/philosophers_threads", "3"]
            wanted = self.result(self.start(arguments, save=False))
            self.start(["--timeout=0.0000001", *arguments]).communicate()
            self.assertTrue(self.saved.exists(), search)
            self.assertEqual(self.result(self.start(arguments)), wanted, search)
            self.saved.unlink()

    def test_auto(self):
        self.kill_and_resume([], COUNTS + "/counter", (5, 2), (4, 3))

    def test_auto_with_a_finding(self):
        self.kill_and_resume(["--jobs=1"], EXAMPLES + "/philosophers_threads", (13,), (14,), (15,))

    def test_optimal(self):
        self.kill_and_resume(["--search=optimal"], COUNTS + "/counter", (5, 2), (4, 3))

    def test_optimal_with_a_finding(self):
        self.kill_and_resume(["--search=optimal", "--jobs=1"], EXAMPLES + "/philosophers_threads", (14,), (15,), (16,))

    def test_none(self):
        self.kill_and_resume(["--search=none", "--reset=fork"], EXAMPLES + "/philosophers_threads", (3,))

    def test_sleep(self):
        self.kill_and_resume(["--search=sleep"], EXAMPLES + "/philosophers_threads", (7,), (8,))

    def test_persistent(self):
        self.kill_and_resume(["--search=persistent"], EXAMPLES + "/philosophers_threads", (11,), (12,), (13,))

    def test_dpor(self):
        self.kill_and_resume(["--search=dpor"], EXAMPLES + "/philosophers_threads", (11,), (12,), (13,))

    def test_wakeup(self):
        self.kill_and_resume(["--search=wakeup"], EXAMPLES + "/philosophers_threads", (8,), (9,), (10,))

    def test_a_stop_in_time_saves_all(self):
        program = ["--search=none", EXAMPLES + "/philosophers_threads", "2"]
        wanted = self.result(self.start(program, save=False))
        for most in range(1, wanted["executions"]):
            process = self.start([f"--max-executions={most}", *program])
            process.communicate(timeout=60)
            self.assertEqual(json.loads((self.folder / "out.json").read_text())["executions"], most)
        self.assertEqual(self.result(self.start(program)), wanted)

    def refuses(self, sentence, *arguments):
        run = subprocess.run([MAZURKA, "check", *arguments], cwd=self.folder, capture_output=True, text=True)
        self.assertEqual((run.returncode, run.stdout), (2, ""))
        self.assertIn(sentence, run.stderr)

    def test_what_does_not_fit_is_refused(self):
        program = EXAMPLES + "/philosophers_threads_fixed"
        subprocess.run([MAZURKA, "check", "--max-executions=1", f"--checkpoint={self.saved}", program, "3"],
                       cwd=self.folder, capture_output=True)
        resume = f"--resume={self.saved}"
        self.refuses("'bound 0', and this is 'bound 3'", resume, "--bound=3", program, "3")
        self.refuses("another search", resume, "--search=none", program, "3")
        self.refuses("another search", resume, program, "4")
        self.refuses("another search", resume, EXAMPLES + "/philosophers_threads", "3")
        self.refuses("cannot read", "--resume=/no/such/file", program)
        self.refuses("is no checkpoint", f"--resume={MAZURKA}", program)
        self.refuses("--compare", "--compare=none", resume, program)
        self.refuses("cannot write", "--checkpoint=/no/such/file", program)
        damaged = bytearray(self.saved.read_bytes())
        damaged[len(damaged) // 2] ^= 1
        self.saved.write_bytes(damaged)
        self.refuses("is damaged", resume, program, "3")


if __name__ == "__main__":
    print(f"MAZURKA_SEED={SEED}")
    unittest.main()
