#!/usr/bin/env python3
"""The runtime lives in a stranger's process, so it may need libc and nothing else."""

import re
import subprocess
import sys

ALLOWED = {"libc.so.6", "ld-linux-x86-64.so.2"}


def needed(library):
    dynamic = subprocess.run(
        ["readelf", "--dynamic", "--wide", library], check=True, capture_output=True, text=True
    ).stdout
    return set(re.findall(r"\(NEEDED\).*\[(.*)\]", dynamic))


def main():
    library = sys.argv[1]
    found = needed(library)
    print(f"{library} needs {', '.join(sorted(found)) or 'nothing'}")
    if found - ALLOWED:
        sys.exit(f"not allowed: {', '.join(sorted(found - ALLOWED))}")


if __name__ == "__main__":
    main()
