#!/usr/bin/env python3
"""Programs that change files: nothing of it is on disk afterwards, and what was found can be replayed, simulated, saved and gone on with.

    private_files_test.py CC
"""

import json
import os
import pathlib
import signal
import subprocess
import sys
import tempfile
import time
import unittest

MAZURKA = os.environ["MAZURKA"]
PROGRAMS = pathlib.Path(os.environ["MAZURKA_EXAMPLES"]).parent / "e2e"

CONFIGURATION = r"""
#include <assert.h>
#include <fcntl.h>
#include <stdio.h>
#include <sys/wait.h>
#include <unistd.h>

static void set(const char* text) {
  FILE* const file = fopen("configuration", "w");
  fputs(text, file);
  fclose(file);
}

int main(void) {
  if (fork() == 0) {
    set("new");
    return 0;
  }
  char text[16] = "";
  FILE* const file = fopen("configuration", "r");
  assert(file != NULL);
  assert(fgets(text, sizeof text, file) != NULL);  // not while it is empty
  wait(NULL);
}
"""

# Makes a program, and runs it.
SCRIPT = """
printf '#!/bin/sh\\necho made > result\\n' > tool
chmod +x tool
./tool
test "$(cat result)" = made && mkdir d && cd d && cp ../result . && test -s result
"""


class PrivateFilesTest(unittest.TestCase):
    def setUp(self):
        temporary = tempfile.TemporaryDirectory()
        self.addCleanup(temporary.cleanup)
        self.root = pathlib.Path(temporary.name).resolve()
        self.folder = self.root / "disk"
        self.folder.mkdir()
        self.out = self.root / "out"

    def run_mazurka(self, *words, **options):
        return subprocess.run([MAZURKA, *words], cwd=self.folder, capture_output=True, text=True, timeout=200, **options)

    def check(self, program, *options):
        report = self.root / "report.json"
        report.unlink(missing_ok=True)
        done = self.run_mazurka("check", f"--json={report}", f"--schedules={self.out}", *options, "--", *program)
        self.assertTrue(report.exists(), done.stdout + done.stderr)
        return json.loads(report.read_text()), done

    def disk(self):
        return {str(path): path.read_text() for path in self.folder.rglob("*") if path.is_file()}

    def compile(self, text):
        source = self.root / "program.c"
        source.write_text(text)
        binary = self.root / "program"
        subprocess.run([COMPILER, "-g", "-O1", "-o", binary, source], check=True)
        return str(binary)

    def test_a_reader_of_what_is_written_anew(self):
        program = self.compile(CONFIGURATION)
        (self.folder / "configuration").write_text("old\n")
        before = self.disk()
        report, done = self.check([program], "--keep-going")
        self.assertEqual((report["verdict"], report["guarantee"]), ("error", "complete"), done.stdout)
        self.assertEqual([finding["kind"] for finding in report["findings"]], ["assertion"], done.stdout)
        self.assertIn("create configuration", done.stdout)
        self.assertEqual(self.disk(), before)
        schedule = next(self.out.iterdir())
        self.assertIn("files private\n", schedule.read_text())
        replayed = self.run_mazurka("replay", str(schedule))
        self.assertEqual(replayed.returncode, 1, replayed.stdout + replayed.stderr)
        self.assertIn("fgets(text", replayed.stdout)
        debugged = self.run_mazurka("replay", "--gdb", str(schedule))
        self.assertEqual(debugged.returncode, 2)
        self.assertIn("there are no private ones under gdb", debugged.stderr)
        self.assertEqual(self.disk(), before)

    def test_every_search_finds_the_same(self):
        program = self.compile(CONFIGURATION)
        (self.folder / "configuration").write_text("old\n")
        for search in ("sleep", "dpor", "persistent", "wakeup", "optimal"):
            for jobs in (1, 2):
                report, done = self.check([program], f"--search={search}", "--compare=none", f"--jobs={jobs}")
                self.assertEqual(report["guarantee"], "complete", done.stdout)
                self.assertIn("the same findings, and the same", done.stdout)

    def test_shells_that_write_make_and_run(self):
        for script in (SCRIPT, "echo a > f & echo b > g; wait; test \"$(cat f g)\" = 'a\nb'"):
            report, done = self.check(["sh", "-c", script], "--keep-going")
            self.assertEqual((report["verdict"], report["guarantee"]), ("ok", "complete"), done.stdout + done.stderr)
            self.assertEqual(self.disk(), {})

    def test_names_of_sockets_are_among_them(self):
        program = self.compile(r"""
#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>
int main(void) {
  const int file = open("note", O_CREAT | O_WRONLY, 0600);
  assert(file >= 0 && mkfifo("note", 0600) == -1 && errno == EEXIST && mkfifo("fifo", 0600) == 0);
  if (fork() == 0) {
    assert(write(open("fifo", O_WRONLY), "x", 1) == 1);
    _exit(0);
  }
  char byte;
  assert(read(open("fifo", O_RDONLY), &byte, 1) == 1 && wait(NULL) > 0);
  assert(unlink("fifo") == 0 && unlink("note") == 0 && unlink("fifo") == -1 && errno == ENOENT);
}
""")
        report, done = self.check([program], "--keep-going")
        self.assertEqual((report["verdict"], report["guarantee"]), ("ok", "complete"), done.stdout)
        self.assertEqual(self.disk(), {})

    def test_modes_and_times_are_private_too(self):
        program = self.compile(r"""
#include <assert.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>
#include <utime.h>
int main(void) {
  struct stat status;
  assert(chmod("kept", 0600) == 0 && utime("kept", &(struct utimbuf){1, 2}) == 0);
  assert(stat("kept", &status) == 0 && (status.st_mode & 0777) == 0600 && status.st_mtime == 2);
}
""")
        kept = self.folder / "kept"
        kept.write_text("x")
        kept.chmod(0o640)
        before = kept.stat()
        report, done = self.check([program])
        self.assertEqual((report["verdict"], report["guarantee"]), ("ok", "complete"), done.stdout)
        self.assertEqual((kept.stat().st_mode, kept.stat().st_mtime), (before.st_mode, before.st_mtime))

    def loses_complete(self, text, why):
        report, done = self.check([self.compile(text)], "--keep-going")
        self.assertEqual(report["guarantee"], "sampled", done.stdout)
        self.assertIn(why, done.stdout)

    def test_a_directory_that_is_renamed_while_it_is_open(self):
        text = r"""
#include <fcntl.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>
int main(void) {
  mkdir("from", 0700);
  if (fork() == 0) {
    %s;
    return 0;
  }
  rename("from", "to");
}
"""
        for use in ('openat(open("from", O_RDONLY | O_DIRECTORY), "f", O_CREAT | O_WRONLY, 0600)', 'chdir("from"); access("f", F_OK)'):
            self.loses_complete(text % use, "rename of a directory that is open, or in which a process is")

    def test_a_file_that_is_mapped_before_it_is_written(self):
        text = r"""
#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>
int main(void) {
  const int file = open("shared", O_CREAT | O_RDWR, 0600);
  write(file, "abcd", 4);
  if (fork() == 0) {
    mmap(NULL, 4, PROT_READ, MAP_SHARED, file, 0);
    return 0;
  }
  %s;
}
"""
        for change in ('pwrite(file, "x", 1, 0)', 'truncate("shared", 0)', 'open("shared", O_WRONLY | O_TRUNC)'):
            self.loses_complete(text % change, "reading or writing a file that is mapped")

    def test_kernel_threads_have_private_files_too(self):
        report, done = self.check([str(PROGRAMS / "files_written")], "--carrier=threads")
        self.assertEqual((report["guarantee"], report["executions"]), ("complete", 1), done.stdout)
        listed, done = self.check([str(PROGRAMS / "file_listed")], "--carrier=threads")
        with_fibers, _ = self.check([str(PROGRAMS / "file_listed")])
        self.assertEqual([listed[key] for key in ("executions", "guarantee")],
                         [with_fibers[key] for key in ("executions", "guarantee")], done.stdout)
        self.assertEqual(list(self.folder.iterdir()), [])

    def test_a_saved_search_goes_on(self):
        whole, _ = self.check([str(PROGRAMS / "file_listed")], "--search=none")
        saved = self.root / "saved"
        self.check([str(PROGRAMS / "file_listed")], "--search=none", "--jobs=1", "--max-executions=300", f"--checkpoint={saved}")
        rest, done = self.check([str(PROGRAMS / "file_listed")], "--search=none", f"--resume={saved}")
        self.assertEqual([rest[key] for key in ("executions", "transitions", "guarantee")],
                         [whole[key] for key in ("executions", "transitions", "guarantee")], done.stdout)

    def test_the_events_of_one_that_writes(self):
        done = self.run_mazurka("lts", "extract", "--", str(PROGRAMS / "file_events"))
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("first", done.stdout)
        self.assertIn("second", done.stdout)

    def test_killed_it_leaves_nothing(self):
        running = subprocess.Popen([MAZURKA, "check", "--search=none", "--", str(PROGRAMS / "file_listed")], cwd=self.folder,
                                   stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        time.sleep(0.4)
        running.send_signal(signal.SIGKILL)
        running.wait()
        self.assertEqual(list(self.folder.iterdir()), [])


if __name__ == "__main__":
    COMPILER = sys.argv.pop(1)
    unittest.main()
