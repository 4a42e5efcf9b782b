#!/usr/bin/env python3
"""Holds the table of which folder may include which, and checks every #include against it.

docs/architecture.md is this table in prose: change both together.
"""

import pathlib
import re
import sys

# Folder of src/ -> the other folders of src/ whose headers it may include. Its own and
# include/mazurka are always open.
MAY_INCLUDE = {
    "base": set(),
    "objects": {"base"},
    "protocol": {"base", "objects"},
    "runtime": {"base", "objects", "protocol"},
    "program": {"base", "objects", "protocol"},
    "explore": {"base", "objects", "program", "lts"},
    "source": {"base"},
    "lts": {"base"},
    "report": {"base", "objects", "program", "explore", "source", "lts"},
    "sim": {"base", "objects", "protocol", "program", "explore", "source", "lts", "report"},
    "driver": set(),
    "cli": {"base", "objects", "protocol", "program", "explore", "source", "lts", "report", "sim"},
}

# What is built into or as a program under test sees the public headers and its own, nothing of src/.
PUBLIC_ONLY = ("include", "examples")

SOURCE_SUFFIXES = {".h", ".c", ".cc", ".S", ".inc"}
INCLUDE = re.compile(r'^\s*#\s*include\s*(?:"([^"]+)"|<([^>]+)>)')


def includes(path):
    """Yields (line number, included path, whether it stands in quotes)."""
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), start=1):
        found = INCLUDE.match(line)
        if found:
            yield number, found.group(1) or found.group(2), found.group(1) is not None


def sources(folder):
    return sorted(path for path in folder.rglob("*") if path.suffix in SOURCE_SUFFIXES)


def check_src(root):
    for folder in sorted(path for path in (root / "src").iterdir() if path.is_dir()):
        if folder.name not in MAY_INCLUDE:
            yield f"{folder.relative_to(root)}: this folder is not in tests/layering_test.py"
            continue
        allowed = MAY_INCLUDE[folder.name] | {folder.name, "mazurka"}
        for path in sources(folder):
            for number, included, quoted in includes(path):
                where = f"{path.relative_to(root)}:{number}"
                target = included.split("/")[0]
                if target in MAY_INCLUDE and target not in allowed:
                    yield f"{where}: {folder.name} may not include {included}"
                elif quoted and target not in MAY_INCLUDE and target != "mazurka":
                    yield f'{where}: "{included}" does not start with a folder of src/'


def check_public(root):
    for folder in PUBLIC_ONLY:
        for path in sources(root / folder):
            for number, included, quoted in includes(path):
                own = quoted and (path.parent / included).is_file()
                if included.split("/")[0] in MAY_INCLUDE or (
                    quoted and not own and not included.startswith("mazurka/")
                ):
                    where = f"{path.relative_to(root)}:{number}"
                    yield f"{where}: {folder} may include only mazurka/*, not {included}"


def main():
    root = pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else pathlib.Path(__file__).parents[1])
    violations = [*check_src(root), *check_public(root)]
    for violation in violations:
        print(violation)
    if violations:
        sys.exit(f"{len(violations)} violation(s); the table is in tests/layering_test.py")
    print("every #include follows the table")


if __name__ == "__main__":
    main()
