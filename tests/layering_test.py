#!/usr/bin/env python3
"""Holds the table of which folder may include which, and checks every #include against it.

What counts is what a file reaches, through whatever headers: a folder that may not know another does not see it by way
of a third. No header may reach itself. docs/architecture.md is this table in prose: change both together.
"""

import functools
import pathlib
import re
import sys

# Folder of src/ -> the other folders of src/ that its files may reach. Its own and include/mazurka are always open.
# "words" are files of objects/ and kinds/ that are for the tool alone, below.
MODELS = {"base", "objects", "kinds", "schedule"}
MAY_REACH = {
    "base": set(),
    "objects": {"base", "kinds"},
    "kinds": {"base", "objects"},
    "words": {"base", "objects", "kinds"},
    "schedule": {"base", "objects", "kinds"},
    "protocol": MODELS | {"execution"},
    "runtime": MODELS | {"execution", "protocol"},
    "execution": MODELS,
    "program": MODELS | {"execution", "protocol"},
    "explore": MODELS | {"words", "execution", "lts"},
    "source": {"base"},
    "lts": {"base"},
    "report": MODELS | {"words", "execution", "explore", "source", "lts"},
    "sim": MODELS | {"words", "execution", "protocol", "program", "explore", "source", "lts", "report"},
    "driver": set(),
    "cli": MODELS | {"words", "execution", "protocol", "program", "explore", "source", "lts", "report", "sim"},
    "testing": MODELS | {"words", "execution", "explore", "lts"},
}

# Tests and what they share may use src/testing, and through it the searches.
FOR_TESTS = {"testing", "words", "execution", "explore", "lts"}

# How kinds are told to people, with strings: the runtime compiles nothing of it. Known by their names, in these folders.
WITH_WORDS = ("kinds", "objects")
WORDS = re.compile(r"(_words|_text|/namer|/takings|/queue_contents|/words_fixture)(_test)?\.(h|cc)$")

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


def folder_of(name):
    """Of a path below src/: its row of the table."""
    folder = name.split("/")[0]
    return "words" if folder in WITH_WORDS and WORDS.search(name) else folder


def sources(folder):
    return sorted(path for path in folder.rglob("*") if path.suffix in SOURCE_SUFFIXES)


def is_for_tests(path, source):
    """Tests, and headers that only tests include: they reach src/testing."""
    relative = path.relative_to(source).as_posix()
    return path.stem.endswith("_test") or relative.startswith("testing/") or relative in TEST_HEADERS


# Headers outside of src/testing that belong to tests.
TEST_HEADERS = {"report/formats/scripted_deadlock.h"}


def check_src(root):
    source = root / "src"

    @functools.cache
    def direct(path):
        return tuple(name for _, name, _ in includes(path) if name.split("/")[0] in MAY_REACH)

    known, open_headers = {}, []

    def reached(name):
        """Folder -> how it is reached from the header, as a list of headers. With a cycle, None -> the cycle."""
        if name in open_headers:
            return {None: [*open_headers[open_headers.index(name):], name]}
        if name not in known:
            ways = {folder_of(name): [name]}
            open_headers.append(name)
            for further in direct(source / name) if (source / name).is_file() else ():
                for folder, way in reached(further).items():
                    ways.setdefault(folder, way if folder is None else [name, *way])
            open_headers.pop()
            known[name] = ways
        return known[name]

    cyclic = set()
    for folder in sorted(path for path in source.iterdir() if path.is_dir()):
        if folder.name not in MAY_REACH:
            yield f"{folder.relative_to(root)}: this folder is not in tests/layering_test.py"
            continue
        for path in sources(folder):
            own = folder_of(path.relative_to(source).as_posix())
            allowed = MAY_REACH[own] | {own, "mazurka"}
            if is_for_tests(path, source):
                allowed = allowed | FOR_TESTS
            for number, included, quoted in includes(path):
                where = f"{path.relative_to(root)}:{number}"
                target = included.split("/")[0]
                if quoted and target not in MAY_REACH and target != "mazurka":
                    yield f'{where}: "{included}" does not start with a folder of src/'
                if target not in MAY_REACH:
                    continue
                if not (source / included).is_file():
                    yield f"{where}: there is no {included}"
                for reached_folder, way in reached(included).items():
                    if reached_folder is None:
                        cycle = " -> ".join(way)
                        if cycle not in cyclic:
                            cyclic.add(cycle)
                            yield f"{where}: headers include each other: {cycle}"
                    elif reached_folder not in allowed:
                        yield f"{where}: {own} may not reach {reached_folder}: {' -> '.join(way)}"


def check_public(root):
    for folder in PUBLIC_ONLY:
        for path in sources(root / folder):
            for number, included, quoted in includes(path):
                own = quoted and (path.parent / included).is_file()
                if included.split("/")[0] in MAY_REACH or (
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
