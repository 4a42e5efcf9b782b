"""Runs a command on a terminal of its own."""

import fcntl
import os
import pty
import struct
import subprocess
import termios


def run(command, stream, width=80, cwd=None):
    """What it prints on `stream` ("stdout" or "stderr"), which is a terminal of that width; the other stream is lost."""
    master, slave = pty.openpty()
    fcntl.ioctl(slave, termios.TIOCSWINSZ, struct.pack("HHHH", 24, width, 0, 0))
    environment = {**os.environ, "TERM": "xterm"}
    environment.pop("NO_COLOR", None)
    streams = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL, stream: slave}
    process = subprocess.Popen(command, cwd=cwd, env=environment, **streams)
    os.close(slave)
    output = b""
    while True:
        try:
            part = os.read(master, 65536)
        except OSError:
            break
        if not part:
            break
        output += part
    process.wait()
    os.close(master)
    return output.decode().replace("\r\n", "\n")
