#!/usr/bin/env python3
"""All tracked C and C++ files are as .clang-format has them, and no folder of src/ has too many files: format_test.py ROOT

Other versions of clang-format break lines elsewhere, so where version 14 is not to be had the formatting is skipped
(exit code 77). `make format` mends what is told here.
"""

import pathlib
import re
import shutil
import subprocess
import sys

VERSION = "14"
SKIPPED = 77  # SKIP_RETURN_CODE
PATTERNS = ["*.h", "*.c", "*.cc", "*.cpp"]
MOST_FILES = 40
FILES_AT_ONCE = 50


def clang_format():
    """The command, or None."""
    for name in (f"clang-format-{VERSION}", "clang-format"):
        if shutil.which(name) is None:
            continue
        said = subprocess.run([name, "--version"], capture_output=True, text=True).stdout
        if re.search(rf"version {VERSION}\.", said):
            return name
    return None


def tracked(root, *patterns):
    """None where the files are no clone of the repository."""
    run = subprocess.run(["git", "ls-files", "--cached", "--others", "--exclude-standard", "-z", *patterns], cwd=root,
                         capture_output=True, text=True)
    if run.returncode != 0:
        return None
    return sorted(name for name in run.stdout.split("\0") if name and (pathlib.Path(root) / name).is_file())


def badly_formatted(root, command, files):
    bad = set()
    for start in range(0, len(files), FILES_AT_ONCE):
        run = subprocess.run([command, "--dry-run", *files[start:start + FILES_AT_ONCE]], cwd=root, capture_output=True, text=True)
        bad.update(re.findall(r"^(\S+?):\d+:\d+: warning: code should be clang-formatted", run.stderr, re.MULTILINE))
        if run.returncode != 0:
            sys.exit(run.stderr)
    return sorted(bad)


def crowded_folders(files):
    counts = {}
    for name in files:
        folder = str(pathlib.PurePath(name).parent)
        counts[folder] = counts.get(folder, 0) + 1
    return {folder: count for folder, count in counts.items() if count > MOST_FILES}


def main():
    root = sys.argv[1]
    files = tracked(root, "src")
    if files is None:
        print("skipped: this is no clone of the repository")
        sys.exit(SKIPPED)
    crowded = crowded_folders(files)
    for folder, count in sorted(crowded.items()):
        print(f"{folder} has {count} files; at most {MOST_FILES} find their place in one folder")
    command = clang_format()
    bad = badly_formatted(root, command, tracked(root, *PATTERNS)) if command else []
    for name in bad:
        print(f"{name} is not as .clang-format has it: make format")
    if crowded or bad:
        sys.exit(1)
    if command is None:
        print(f"skipped: clang-format {VERSION} is not here")
        sys.exit(SKIPPED)


if __name__ == "__main__":
    main()
