#!/usr/bin/env python3
"""Installs the build tree into a temporary folder and uses what is there, as a user would."""

import pathlib
import shutil
import subprocess
import sys
import tempfile

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


def check_package(cmake, source, prefix, folder):
    """A project that finds Mazurka there, and tests itself with it."""
    run(cmake, "-S", source / "tests" / "consumer", "-B", folder, f"-DCMAKE_PREFIX_PATH={prefix}")
    run(cmake, "--build", folder, "-j2")
    run("ctest", "--test-dir", folder, "--output-on-failure")
    flags = run("env", f"PKG_CONFIG_PATH={prefix}/lib/pkgconfig", "pkg-config", "--cflags", "--variable=command", "mazurka")
    words = flags.split()
    if not pathlib.Path(words[0]).samefile(prefix / "bin/mazurka"):
        sys.exit(f"pkg-config says {flags}")


def check_seen_memory(source, prefix, folder):
    """Unit tests that mazurka-c++ has built explore, too."""
    program = folder / "seen_memory_tests"
    run(prefix / "bin/mazurka-c++", "-std=c++17", "-g", "-O1", f"-I{prefix}/include", "-o", program,
        source / "tests/consumer/seen_memory_tests.cc", "-lgtest", "-lgtest_main", "-pthread")
    run("env", f"MAZURKA={prefix}/bin/mazurka", program)


def check_pages(prefix):
    for page in ("share/man/man1/mazurka-check.1", "share/bash-completion/completions/mazurka",
                 "share/zsh/vendor-completions/_mazurka"):
        if not (prefix / page).exists():
            sys.exit(f"not installed: {page}")


def main():
    cmake, source, build = sys.argv[1:]
    with tempfile.TemporaryDirectory() as scratch:
        scratch = pathlib.Path(scratch).resolve()
        built, prefix, consumer = scratch / "built", scratch / "moved", scratch / "consumer"
        run(cmake, "--install", build, "--prefix", built)
        shutil.move(built, prefix)  # nothing may depend on the place it was installed to
        check_files(pathlib.Path(source), prefix)
        run(prefix / "bin/mazurka", "--version")
        check_pages(prefix)
        check_package(cmake, pathlib.Path(source), prefix, consumer)
        check_seen_memory(pathlib.Path(source), prefix, consumer)
    print("the installation works")


if __name__ == "__main__":
    main()
