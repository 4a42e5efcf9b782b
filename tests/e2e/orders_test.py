#!/usr/bin/env python3
"""What operations order for data races: orders.c has no race but where nothing is ordered. A way that fails has other findings.

    orders_test.py SOURCE

MAZURKA in the environment is the command. Each way is checked by itself, so that a failure names it.
"""
import os
import pathlib
import subprocess
import sys
import tempfile

MAZURKA = pathlib.Path(os.environ["MAZURKA"])


def check(program, way, folder):
    """What is wrong, or nothing."""
    done = subprocess.run([MAZURKA, "check", "--keep-going", program, way], cwd=folder, capture_output=True, text=True, check=False)
    races = "\nrace: " in done.stdout
    if way.startswith("unordered: "):
        return None if done.returncode == 1 and races else f"{way}: no race is found\n{done.stdout}{done.stderr}"
    if way.startswith("fails: "):
        return None if done.returncode == 1 and not races else f"{way}: exit code {done.returncode}\n{done.stdout}{done.stderr}"
    return None if done.returncode == 0 else f"{way}: exit code {done.returncode}\n{done.stdout}{done.stderr}"


def main():
    with tempfile.TemporaryDirectory() as folder:
        program = pathlib.Path(folder) / "orders"
        subprocess.run([MAZURKA.with_name("mazurka-cc"), "-g", "-O1", "-pthread", sys.argv[1], "-o", program], check=True)
        ways = subprocess.run([program], capture_output=True, text=True, check=True).stdout.splitlines()
        wrong = [text for way in ways if (text := check(program, way, folder))]
    print("\n".join(wrong) if wrong else f"{len(ways)} ways")
    return 1 if wrong or len(ways) < 15 else 0


if __name__ == "__main__":
    sys.exit(main())
