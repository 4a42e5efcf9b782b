#!/usr/bin/env python3
"""Man pages and completions say what the command says.

    help_test.py FOLDER MAZURKA
"""

import pathlib
import re
import shutil
import subprocess
import sys
import unittest

FOLDER, MAZURKA = pathlib.Path(sys.argv[1]), sys.argv[2]
del sys.argv[1:3]


def options_of(*command):
    text = subprocess.run([MAZURKA, *command, "--help"], capture_output=True, text=True).stdout
    return set(re.findall(r"^  (?:-\w,)?(--[\w-]+)", text, re.MULTILINE))


def completed(*words):
    """What bash offers after these words."""
    line = " ".join(f"'{word}'" for word in words)
    script = (f"source {FOLDER}/completions/mazurka; COMP_WORDS=({line}); COMP_CWORD={len(words) - 1}; "
              "_mazurka; printf '%s\\n' \"${COMPREPLY[@]}\"")
    run = subprocess.run(["bash", "-c", script], capture_output=True, text=True, check=True)
    return set(run.stdout.split())


class Help(unittest.TestCase):
    def test_man_pages_have_all_options(self):
        for name, command in (("mazurka-check", ["check"]), ("mazurka-replay", ["replay"]),
                              ("mazurka-lts-verify", ["lts", "verify"])):
            page = (FOLDER / "man1" / f"{name}.1").read_text().replace("\\-", "-")
            for option in options_of(*command):
                self.assertIn(f"\\fB{option}\\fR", page, name)
        self.assertIn("mazurka-check", (FOLDER / "man1" / "mazurka.1").read_text().replace("\\-", "-"))

    @unittest.skipUnless(shutil.which("groff"), "no groff")
    def test_groff_has_nothing_to_complain_about(self):
        for page in (FOLDER / "man1").glob("*.1"):
            run = subprocess.run(["groff", "-man", "-Tascii", "-ww", "-z", page], capture_output=True, text=True)
            self.assertEqual((run.returncode, run.stderr), (0, ""), page)

    def test_bash(self):
        self.assertEqual(completed("mazurka", ""), {"check", "replay", "estimate", "sim", "doctor", "lts", "--help", "--version"})
        self.assertEqual(completed("mazurka", "re"), {"replay"})
        self.assertEqual(completed("mazurka", "check", "--ht"), {"--html"})
        self.assertEqual(completed("mazurka", "check", "--") - {"-h"}, options_of("check"))
        self.assertEqual(completed("mazurka", "check", "--search", "o"), {"optimal"})
        self.assertEqual(completed("mazurka", "check", "--search", "=", "pers"), {"persistent"})
        self.assertEqual(completed("mazurka", "check", "--reset", "="), {"auto", "in-place", "fork"})
        self.assertEqual(completed("mazurka", "lts", "co"), {"compose", "convert", "compare"})
        self.assertIn("--memory", completed("mazurka", "lts", "verify", "--m"))
        self.assertEqual(completed("mazurka", "check", "--", "prog", "--ht"), set())

    @unittest.skipUnless(shutil.which("zsh"), "no zsh")
    def test_zsh(self):
        run = subprocess.run(["zsh", "-n", FOLDER / "completions" / "_mazurka"], capture_output=True, text=True)
        self.assertEqual((run.returncode, run.stderr), (0, ""))

    def test_zsh_has_all_options(self):
        text = (FOLDER / "completions" / "_mazurka").read_text()
        for option in options_of("check"):
            self.assertRegex(text, rf"'{option}=?\[")


if __name__ == "__main__":
    unittest.main()
