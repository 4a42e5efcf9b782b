#!/usr/bin/env python3
"""The unit tests of the models and of what reads the segment, with sanitizers: a part of `make asan` that takes about three minutes to build.

    sanitizers_test.py SOURCE CMAKE CTEST

It uses the folder of the preset asan, so whoever runs `make asan` has built it already.
"""

import subprocess
import sys

TESTS = ("base_test", "kinds_test", "lts_test", "program_test", "protocol_test", "schedule_test")


def main():
    source, cmake, ctest = sys.argv[1:]
    for command in ([cmake, "--preset", "asan"],
                    [cmake, "--build", "--preset", "asan", "--parallel", "1", "--target", *TESTS],
                    [ctest, "--preset", "asan", "--no-tests=error", "-R", f"^({'|'.join(TESTS)})$"]):
        done = subprocess.run(command, cwd=source, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        print("\n".join(done.stdout.splitlines()[-200:]))
        if done.returncode != 0:
            return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
