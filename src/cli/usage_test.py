#!/usr/bin/env python3
"""Wrong usage and wrong input: one sentence on standard error, exit code 2.

    usage_test.py MAZURKA
"""

import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

MAZURKA = sys.argv.pop(1)


def mazurka(*arguments):
    return subprocess.run([MAZURKA, *arguments], capture_output=True, text=True, timeout=60)


class Usage(unittest.TestCase):
    def refuses(self, arguments, sentence):
        run = mazurka(*arguments)
        self.assertEqual(run.returncode, 2, (arguments, run))
        self.assertEqual(run.stdout, "", arguments)
        self.assertIn(sentence, run.stderr)
        self.assertTrue(run.stderr.startswith("mazurka: "), run.stderr)
        self.assertEqual(run.stderr.count("\n"), 1, run.stderr)

    def test_commands(self):
        self.refuses([], "there is no command")
        self.refuses(["chekc"], "there is no command 'chekc'")
        self.refuses(["check"], "there is no program: mazurka check")
        self.refuses(["check", "--"], "there is no program: mazurka check")
        self.refuses(["check", ""], "the name of the program is empty")
        self.refuses(["replay"], "FILE is required")
        self.refuses(["replay", "a", "b"], "'b'")
        self.refuses(["replay", "a", "--", "b"], "'b'")

    def test_options(self):
        self.refuses(["check", "--nope", "true"], "there is no option --nope")
        self.refuses(["check", "-x", "true"], "there is no option -x")
        self.refuses(["check", "--nope", "--", "true"], "there is no option --nope")
        self.refuses(["check", "--depth"], "--depth")
        self.refuses(["check", "--keep-going=perhaps", "true"], "--keep-going")
        self.refuses(["replay", "--nope", "x"], "there is no option --nope; 'mazurka replay --help' lists them")

    def test_suggestions(self):
        self.refuses(["chekc"], "did you mean 'check'?")
        self.refuses(["lts", "verfy"], "did you mean 'verify'?")
        self.refuses(["check", "--dpeth=3", "true"], "there is no option --dpeth; did you mean '--depth'?")
        self.refuses(["check", "--keepgoing", "true"], "did you mean '--keep-going'?")
        self.refuses(["check", "--max", "true"], "did you mean '--max-executions'?")
        self.refuses(["replay", "--gbd", "x"], "did you mean '--gdb'?")
        self.refuses(["lts", "verify", "--memroy=3", "x"], "did you mean '--memory'?")
        self.refuses(["check", "--zzz", "true"], "'mazurka check --help' lists them")

    def test_doctor(self):
        run = mazurka("doctor")
        self.assertEqual((run.returncode, run.stderr), (0, ""), run.stdout)
        self.assertTrue(run.stdout.endswith("\nmazurka check can run here\n"), run.stdout)
        for what in ("kernel", "processors", "pinning", "written pages", "debugger", "fork server"):
            self.assertRegex(run.stdout, rf"(?m)^(good|slow|missing) +{what}: ")
        self.refuses(["doctor", "now"], "now")

    def test_the_help_is_short_and_that_of_check_complete(self):
        self.assertLess(len(mazurka("--help").stdout.splitlines()), 20)
        text = mazurka("check", "--help").stdout
        for option in ("--search", "--bound", "--json", "--sarif", "--junit", "--html", "--full", "--no-minimize"):
            self.assertIn(option, text)
        self.assertIn("Exit codes: 0 nothing found", text)

    def test_testers(self):
        self.refuses(["check", "--tester=/no/such", "true"], "/no/such")
        with tempfile.TemporaryDirectory() as folder:
            tester = pathlib.Path(folder, "t.tester")
            for text, sentence in (
                    ("initial q\nlivelock q\n", "'q' is a livelock state"),
                    ("initial q\ninfinite q\n", "'q' is an infinite-trace state"),
                    ("visible a\n", f"{tester}:1: there is no initial state"),
                    ("initial q\nq -a-> q\n", f"{tester}:2: 'a' is neither a visible action nor tau_T")):
                tester.write_text(text)
                self.refuses(["check", f"--tester={tester}", "true"], sentence)
            tester.write_text("initial q\ndeadlock q\n")
            self.refuses(["check", f"--tester={tester}", "--search=sleep", "--conditional", "true"],
                         "--conditional and --tester")

    def test_values(self):
        for option in ("--depth", "--bound", "--livelock", "--max-executions"):
            for value in ("-1", "x", "", "1.5", "1e3", "99999999999999999999999", "0x10", " 1"):
                self.refuses(["check", f"{option}={value}", "true"], option)
        for option in ("--timeout", "--divergence"):
            for value in ("-1", "0", "x", "", "nan", "inf", "1s"):
                self.refuses(["check", f"{option}={value}", "true"], option)
        self.refuses(["check", "--depth=0", "true"], "--depth")
        self.refuses(["check", "--search=guess", "true"], "there is no search 'guess'; the searches are: none")
        self.refuses(["check", "--compare=guess", "true"], "there is no search 'guess'")
        self.refuses(["check", "--search=none", "--conditional", "true"], "none has none")
        for option in ("--preemptions=1", "--deepen"):
            for other in ("--search=none", "--compare=none", "--transitions=first"):
                self.refuses(["check", option, other, "true"], "is a search of its own")
        for value in ("-1", "x", "", "4294967296"):
            self.refuses(["check", f"--preemptions={value}", "true"], "--preemptions")
        self.refuses(["estimate"], "there is no program: mazurka estimate")
        self.refuses(["estimate", "--timeout=0", "true"], "--timeout")
        self.refuses(["estimate", "--json=/no/such/file", "true"], "cannot write /no/such/file")
        self.refuses(["check", "--carrier=pigeon", "true"], "'pigeon' is neither fibers nor threads")

    def test_programs(self):
        with tempfile.TemporaryDirectory() as folder:
            program = pathlib.Path(folder, "program")
            program.write_text("hello\n")
            self.refuses(["check", str(program)], "is not executable")
            program.chmod(0o755)
            self.refuses(["check", str(program)], "neither an ELF program nor a script")
            self.refuses(["check", folder], "is a directory")
            self.refuses(["check", folder + "/missing"], "No such file or directory")
        self.refuses(["check", "--", "--nope"], "there is no program --nope in PATH")

    def test_files(self):
        self.refuses(["check", "--stdin=/no/such/file", "true"], "/no/such/file")
        self.refuses(["check", "--stdin=/", "true"], "it is a directory")
        self.refuses(["check", "--json=/no/such/file", "true"], "cannot write /no/such/file")
        self.refuses(["replay", "/no/such/file"], "cannot read /no/such/file")
        self.refuses(["replay", "/"], "cannot read /")
        self.refuses(["replay", MAZURKA], ":1: this is no schedule of Mazurka")
        with tempfile.TemporaryDirectory() as folder:
            schedule = pathlib.Path(folder, "damaged")
            schedule.write_text("mazurka schedule 1\nprogram true\n")
            self.refuses(["replay", str(schedule)], f"{schedule}:3: the file ends too early")

    def test_help(self):
        for arguments in (["--help"], ["check", "--help"], ["replay", "--help"], ["--version"]):
            run = mazurka(*arguments)
            self.assertEqual((run.returncode, run.stderr), (0, ""))
            self.assertIn("mazurka", run.stdout)


if __name__ == "__main__":
    os.environ.pop("DEBUGINFOD_URLS", None)
    unittest.main()
