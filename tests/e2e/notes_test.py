#!/usr/bin/env python3
"""Notes of `mazurka check` on what it was given and did not need: events of a tester that never come, suppressions
that cover nothing."""

import os
import pathlib
import subprocess
import tempfile
import unittest

MAZURKA = pathlib.Path(os.environ["MAZURKA"])
EXAMPLES = pathlib.Path(os.environ["MAZURKA_EXAMPLES"])
RACE = """
#include <pthread.h>
static int counter;
static void* count(void* unused) { ++counter; return unused; }
int main(void) {
  pthread_t thread;
  pthread_create(&thread, NULL, count, NULL);
  count(NULL);
  pthread_join(thread, NULL);
}
"""


class Notes(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)

    def notes(self, *arguments):
        done = subprocess.run([MAZURKA, "check", "--color=never", *arguments], cwd=self.folder, capture_output=True, text=True)
        self.assertEqual(done.stderr, "")
        return [line for line in done.stdout.splitlines() if line.startswith("note: ")]

    def test_events_that_never_come(self):
        tester = self.folder / "asked.tester"
        text = "tester asked\nvisible {}\ninitial idle\nidle -request-> waiting\nwaiting -answer-> idle\n"
        for names, missing in (("request answer", []), ("request answer refusal requset", ["refusal, requset"])):
            tester.write_text(text.format(names))
            self.assertEqual(self.notes(f"--tester={tester}", "--", EXAMPLES / "tester_answer"),
                             [f"note: the tester names {name}, which the program never made" for name in missing])

    def test_suppressions_that_cover_nothing(self):
        (self.folder / "race.c").write_text(RACE)
        subprocess.run([MAZURKA.parent / "mazurka-cc", "-g", "-pthread", "race.c", "-o", "race"], cwd=self.folder, check=True)
        known = self.folder / "known.txt"
        known.write_text("variable:counter\nfunction:log*  \n# a comment\n")
        self.assertEqual(self.notes(f"--suppressions={known}", "--", "./race"),
                         ["note: nothing that was found is covered by function:log* (--suppressions)"])


if __name__ == "__main__":
    unittest.main()
