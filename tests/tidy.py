#!/usr/bin/env python3
"""clang-tidy on the sources of the tool, the models and the runtime, as clang compiles them (.clang-tidy says which checks).

    tests/tidy.py [--deep] [--configure=CMAKE] BUILD [FOLDER ...]

BUILD is the folder of the preset tidy, which is configured first if that is wanted. FOLDERs are of src/, such as objects or kinds/sync; without
one, all of them. The static analyzer takes fifty times as long as all other checks, and runs with --deep only.

Sources of a folder are looked at as one, a dozen at a time: what they include is then parsed and checked once. Those that do not compile
together are looked at one by one. Exit code 1: there are warnings, which are printed, each once. 77: there is no clang-tidy, or another than
the one that .clang-tidy is for, which would know other checks.
"""

import argparse
import collections
import concurrent.futures
import json
import pathlib
import re
import shlex
import shutil
import subprocess
import sys
import time

ROOT = pathlib.Path(__file__).resolve().parents[1]
VERSION = "14"
TOGETHER = 12
SKIPPED = 77


def has_clang_tidy():
    if shutil.which("clang-tidy") is None or shutil.which("clang++") is None:
        return False
    text = subprocess.run(["clang-tidy", "--version"], capture_output=True, text=True).stdout
    return re.search(rf"version {VERSION}\.", text) is not None


def flags_of(entry):
    """How it is compiled, but for what is its own."""
    words = shlex.split(entry["command"])
    for word in ("-o", "-c"):
        if word in words:
            at = words.index(word)
            del words[at:at + 2]
    return tuple(words)


def is_wanted(source, folders):
    if source.suffix != ".cc" or not source.is_relative_to(ROOT / "src") or source.name.endswith("_test.cc"):
        return False
    return not folders or any(source.is_relative_to(ROOT / "src" / folder) for folder in folders)


def groups(build, folders):
    """Sources that are compiled alike, by folder; each source once, though the runtime compiles those of others again."""
    found, seen = collections.OrderedDict(), set()
    for entry in json.loads((build / "compile_commands.json").read_text()):
        source = pathlib.Path(entry["file"]).resolve()
        if source not in seen and is_wanted(source, folders):
            seen.add(source)
            found.setdefault((source.parent, flags_of(entry)), []).append(source)
    for (folder, flags), sources in found.items():
        for first in range(0, len(sources), TOGETHER):
            yield folder, flags, sources[first:first + TOGETHER]


def tidy(build, source, flags, deep):
    # Sources that include others are our own doing.
    checks = "-bugprone-suspicious-include" + ("" if deep else ",-clang-analyzer-*")
    command = ["clang-tidy", "--quiet", f"--checks={checks}", "--warnings-as-errors=*", source, "--", *flags[1:]]
    done = subprocess.run(command, cwd=build, capture_output=True, text=True)
    return done.stdout, done.returncode


def look_at(build, deep, number, folder, flags, sources):
    """What clang-tidy prints of them, and whether it was content."""
    began = time.monotonic()
    one = build / "tidy" / f"{number}.cc"
    one.write_text("".join(f'#include "{source}"\n' for source in sources))
    text, code = tidy(build, one, flags, deep)
    if "clang-diagnostic-error" in text:
        alone = [tidy(build, source, flags, deep) for source in sources]
        text, code = "".join(text for text, _ in alone), max(code for _, code in alone)
    print(f"{folder.relative_to(ROOT / 'src')}: {len(sources)} files, {time.monotonic() - began:.0f} s", file=sys.stderr, flush=True)
    return text, code == 0


def warnings(text):
    """Each with the lines that belong to it."""
    for part in re.split(r"^(?=\S[^\n]*: (?:error|warning): )", text, flags=re.MULTILINE):
        if re.match(r"\S[^\n]*: (?:error|warning): ", part):
            yield part.replace(f"{ROOT}/", "")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--deep", action="store_true")
    parser.add_argument("--configure", metavar="CMAKE")
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("build", type=pathlib.Path)
    parser.add_argument("folders", nargs="*")
    arguments = parser.parse_args()
    build = arguments.build.resolve()
    if not has_clang_tidy():
        print(f"there is no clang-tidy {VERSION}")
        return SKIPPED
    if arguments.configure:
        subprocess.run([arguments.configure, "--preset", "tidy", "-B", build], cwd=ROOT, check=True, stdout=subprocess.DEVNULL)
    (build / "tidy").mkdir(exist_ok=True)
    todo = list(groups(build, arguments.folders))
    if not todo:
        sys.exit(f"no sources in {build}: {' '.join(arguments.folders)}")
    with concurrent.futures.ThreadPoolExecutor(arguments.jobs) as pool:
        done = list(pool.map(lambda item: look_at(build, arguments.deep, item[0], *item[1]), enumerate(todo)))
    found = dict.fromkeys(warning for text, _ in done for warning in warnings(text))
    print("".join(found), end="")
    files = sum(len(sources) for _, _, sources in todo)
    print(f"{files} files, {len(found)} warnings")
    return 1 if found or not all(is_content for _, is_content in done) else 0


if __name__ == "__main__":
    sys.exit(main())
