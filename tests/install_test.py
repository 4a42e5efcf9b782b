#!/usr/bin/env python3
"""Installs the build tree into a temporary folder and uses what is there, as a user would."""

import pathlib
import shutil
import subprocess
import sys
import tempfile

CONSUMER = """
cmake_minimum_required(VERSION 3.25)
project(consumer LANGUAGES C)
find_package(mazurka REQUIRED)
get_target_property(folders mazurka::mazurka INTERFACE_INCLUDE_DIRECTORIES)
message(STATUS "headers in ${folders}")
"""


def run(*command):
    done = subprocess.run([str(word) for word in command], capture_output=True, text=True)
    if done.returncode != 0:
        line = " ".join(map(str, command))
        sys.exit(f"{line}: exit code {done.returncode}\n{done.stdout}{done.stderr}")
    return done.stdout


def check_files(source, prefix):
    headers = [header.relative_to(source) for header in source.glob("include/mazurka/*.h")]
    for expected in ["bin/mazurka", "lib/mazurka/libmazurka_rt.so", *headers]:
        if not (prefix / expected).exists():
            sys.exit(f"not installed: {expected}")


def check_package(cmake, prefix, folder):
    (folder / "CMakeLists.txt").write_text(CONSUMER)
    output = run(cmake, "-S", folder, "-B", folder / "build", f"-DCMAKE_PREFIX_PATH={prefix}")
    if f"headers in {prefix}/include" not in output:
        sys.exit(f"find_package(mazurka) gives other headers than those of {prefix}:\n{output}")


def main():
    cmake, source, build = sys.argv[1:]
    with tempfile.TemporaryDirectory() as scratch:
        scratch = pathlib.Path(scratch).resolve()
        built, prefix, consumer = scratch / "built", scratch / "moved", scratch / "consumer"
        run(cmake, "--install", build, "--prefix", built)
        shutil.move(built, prefix)  # nothing may depend on the place it was installed to
        check_files(pathlib.Path(source), prefix)
        run(prefix / "bin/mazurka", "--version")
        consumer.mkdir()
        check_package(cmake, prefix, consumer)
    print("the installation works")


if __name__ == "__main__":
    main()
