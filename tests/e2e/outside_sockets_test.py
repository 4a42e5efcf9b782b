#!/usr/bin/env python3
"""A peer outside of the program: it is talked to, it is named, and the verdict says what it lost. Without one, a connect is
refused, and nothing is lost; and what the program listens on is not seen outside."""

import json
import os
import pathlib
import socket
import subprocess
import tempfile
import threading
import unittest

MAZURKA = os.environ["MAZURKA"]

CLIENT = r"""
#include <arpa/inet.h>
#include <assert.h>
#include <errno.h>
#include <netinet/in.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <unistd.h>

int main(int argc, char** argv) {
  struct sockaddr_in to = {.sin_family = AF_INET, .sin_port = htons(atoi(argv[1])), .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
  int fd = socket(AF_INET, SOCK_STREAM, 0);
  char byte = 0;
  if (connect(fd, (struct sockaddr*)&to, sizeof to) != 0) {
    assert(errno == ECONNREFUSED);
    return 0;
  }
  assert(read(fd, &byte, 1) == 1 && byte == '!');
  return 0;
}
"""

SERVER = CLIENT.replace("connect(fd, (struct sockaddr*)&to, sizeof to) != 0",
                        "bind(fd, (struct sockaddr*)&to, sizeof to) == 0 && listen(fd, 1) == 0")
SERVER = SERVER.replace("assert(errno == ECONNREFUSED);", "").replace("read(fd, &byte, 1) == 1", "0")


class Outside(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)
        self.server = socket.create_server(("127.0.0.1", 0))
        self.port = self.server.getsockname()[1]
        self.addCleanup(self.server.close)

    def check(self, text, *arguments):
        source = pathlib.Path(self.folder.name, "program.c")
        report = pathlib.Path(self.folder.name, "report.json")
        source.write_text(text)
        subprocess.run(["cc", "-g", "-O1", "-w", "program.c", "-o", "program"], check=True, cwd=self.folder.name)
        run = subprocess.run([MAZURKA, "check", f"--json={report}", "--", "./program", *map(str, arguments)],
                             capture_output=True, text=True, cwd=self.folder.name, timeout=60)
        self.assertTrue(report.exists(), run.stderr)
        return run, json.loads(report.read_text())

    def serve(self):
        while True:
            try:
                peer, _ = self.server.accept()
            except OSError:
                return
            try:
                peer.sendall(b"!")
            except OSError:
                pass
            peer.close()

    def test_somebody_outside_is_named(self):
        threading.Thread(target=self.serve, daemon=True).start()
        run, report = self.check(CLIENT, self.port)
        self.assertEqual((run.returncode, report["verdict"], report["complete"]), (3, "incomplete", False), run.stdout)
        self.assertIn("somebody outside of the program", " ".join(report["unmodelled"]))

    def test_nobody_outside_costs_nothing(self):
        self.server.close()
        run, report = self.check(CLIENT, self.port)
        self.assertEqual((run.returncode, report["verdict"], report["complete"]), (0, "ok", True), run.stdout)

    def test_a_port_that_is_taken_outside_is_free_inside(self):
        run, report = self.check(SERVER, self.port)
        self.assertEqual((run.returncode, report["verdict"], report["complete"]), (0, "ok", True), run.stdout)


if __name__ == "__main__":
    unittest.main()
