#!/usr/bin/env python3
"""--udp=lossy and --partial-io: how many executions there are, against a calculation; and what is wrong with them is said."""

import json
import math
import os
import pathlib
import subprocess
import tempfile
import unittest

MAZURKA = os.environ["MAZURKA"]

DATAGRAMS = r"""
#include <arpa/inet.h>
#include <assert.h>
#include <netinet/in.h>
#include <stdlib.h>
#include <sys/socket.h>

int main(int argc, char** argv) {
  struct sockaddr_in to = {.sin_family = AF_INET, .sin_port = htons(7000), .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
  int fd = socket(AF_INET, SOCK_DGRAM, 0), count = atoi(argv[1]), last = 0, in_order = 1;
  assert(bind(fd, (struct sockaddr*)&to, sizeof to) == 0);
  for (char i = 1; i <= count; ++i) assert(sendto(fd, &i, 1, 0, (struct sockaddr*)&to, sizeof to) == 1);
  char got, seen = 0;
  while (recv(fd, &got, 1, MSG_DONTWAIT) == 1) {
    assert(got >= 1 && got <= count && !(seen & 1 << got));  // each once, and as it was sent
    seen |= 1 << got;
    in_order = in_order && got > last;
    last = got;
  }
  if (argc > 2) assert(in_order);
  return 0;
}
"""

STREAM = r"""
#include <assert.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

int main(int argc, char** argv) {
  int ends[2], count = atoi(argv[1]);
  char sent[64], got[64];
  assert(socketpair(AF_UNIX, SOCK_STREAM, 0, ends) == 0);
  for (int i = 0; i < count; ++i) sent[i] = (char)i;
  for (int done = 0; done < count;) {
    int n = write(ends[0], sent + done, count - done);
    assert(n > 0);
    done += n;
    if (argc > 2) assert(done == count);
  }
  for (int done = 0; done < count;) {
    int n = read(ends[1], got + done, count - done);
    assert(n > 0);
    done += n;
  }
  assert(memcmp(sent, got, count) == 0);
  return 0;
}
"""


def ways(count):
    """To transfer so many bytes: all, one, or half of the rest at a time."""
    if count == 0:
        return 1
    parts = {count, 1} if count < 4 else {count, 1, count // 2}
    return sum(ways(count - part) for part in parts)


class ChannelOptions(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)

    def build(self, text):
        source = pathlib.Path(self.folder.name, "program.c")
        program = pathlib.Path(self.folder.name, "program")
        source.write_text(text)
        subprocess.run(["cc", "-g", "-O1", "-w", source, "-o", program], check=True)
        return program

    def check(self, *words):
        report = pathlib.Path(self.folder.name, "report.json")
        command = [MAZURKA, "check", f"--json={report}", f"--schedules={self.folder.name}", *map(str, words)]
        run = subprocess.run(command, capture_output=True, text=True, cwd=self.folder.name)
        self.assertTrue(report.exists(), run.stderr)
        return json.loads(report.read_text())

    def test_datagrams_are_lost_and_overtake_each_other(self):
        program = self.build(DATAGRAMS)
        for search in ("none", "optimal"):
            for count in (1, 2, 3):
                lossy = self.check("--udp=lossy", f"--search={search}", "--", program, count)
                arrivals = sum(math.perm(count, arrived) for arrived in range(count + 1))
                self.assertEqual((lossy["verdict"], lossy["complete"], lossy["executions"]), ("ok", True, arrivals))
        reliable = self.check("--", program, 3, "in order")
        self.assertEqual((reliable["verdict"], reliable["executions"]), ("ok", 1))

    def test_a_finding_among_lossy_datagrams_replays(self):
        program = self.build(DATAGRAMS)
        report = self.check("--udp=lossy", "--", program, 2, "in order")
        self.assertEqual([finding["kind"] for finding in report["findings"]], ["assertion"])
        schedule = report["findings"][0]["schedule"]
        text = pathlib.Path(self.folder.name, schedule).read_text()
        self.assertIn("udp lossy", text)
        self.assertRegex(text, r"read .* = 1 ")  # the second datagram first
        replay = subprocess.run([MAZURKA, "replay", schedule], capture_output=True, text=True, cwd=self.folder.name)
        self.assertIn("in_order", replay.stdout + replay.stderr)
        damaged = text.replace("udp lossy", "udp often")
        pathlib.Path(self.folder.name, "damaged").write_text(damaged)
        replay = subprocess.run([MAZURKA, "replay", "damaged"], capture_output=True, text=True, cwd=self.folder.name)
        self.assertEqual(replay.returncode, 2)
        self.assertIn("expected 'udp lossy'", replay.stderr)

    def test_transfers_in_part(self):
        program = self.build(STREAM)
        for search in ("none", "optimal"):
            for count in (1, 3, 5):
                report = self.check("--partial-io", f"--search={search}", "--", program, count)
                self.assertEqual((report["verdict"], report["complete"], report["executions"]),
                                 ("ok", True, ways(count) ** 2))
        self.assertEqual(self.check("--", program, 5)["executions"], 1)
        report = self.check("--partial-io", "--", program, 5, "at once")
        self.assertEqual([finding["kind"] for finding in report["findings"]], ["assertion"])

    def test_a_way_that_is_none(self):
        run = subprocess.run([MAZURKA, "check", "--udp=often", "true"], capture_output=True, text=True)
        self.assertEqual(run.returncode, 2)
        self.assertIn("'often' is neither reliable nor lossy", run.stderr)


if __name__ == "__main__":
    unittest.main()
