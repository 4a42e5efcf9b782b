#!/usr/bin/env python3
"""The simulator in a real browser: browser_test.py TOOLS MAZURKA EXAMPLES PROGRAMS [PICTURES] runs simulator_test.mjs with Playwright."""

import os
import pathlib
import shutil
import subprocess
import sys

from node_setup import install, skip


def main():
    tools, mazurka, examples, programs = install(sys.argv[1]), *sys.argv[2:5]
    pictures = sys.argv[5] if len(sys.argv) > 5 else ""
    chromium = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
    if chromium is None:
        skip("there is no browser here: install chromium")
    script = pathlib.Path(__file__).with_name("simulator_test.mjs")
    run = subprocess.run(["node", script, tools, chromium, mazurka, examples, programs, pictures],
                         env={**os.environ, "NO_COLOR": "1"})
    sys.exit(run.returncode)


if __name__ == "__main__":
    main()
