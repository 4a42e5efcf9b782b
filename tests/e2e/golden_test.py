#!/usr/bin/env python3
"""The reports of the examples are those of their expected.txt, and look right on a terminal.

    golden_test.py FOLDER [--update]

expected.txt has the commands of the README with what they print, and the exit code. Times are left out. The line `at` must
be the one with the comment `// mazurka: KIND`.
"""

import difflib
import os
import pathlib
import re
import shlex
import subprocess
import sys
import tempfile

import terminal

MAZURKA = os.environ["MAZURKA"]


def commands(example):
    text = (example / "README.md").read_text()
    return re.findall(r"^    mazurka check (.*)$", text, re.MULTILINE)


def whole_command(line, folder):
    arguments = shlex.split(line, comments=True)
    split = arguments.index("--")
    program = os.path.join(os.environ["MAZURKA_EXAMPLES"], arguments[split + 1])
    return [MAZURKA, "check", f"--schedules={folder}", *arguments[:split], "--", program, *arguments[split + 2:]]


def normalised(text, example, folder):
    text = text.replace(folder + "/", "").replace(str(example) + "/", "")
    text = re.sub(r"(\.\./)+[\w/.-]*/(?=[\w-]+\.(c|cpp):)", "", text)  # what __FILE__ was when it was built
    return re.sub(r"\d+\.\d\d s(?=,)", "0.00 s", text)


def printed(example):
    text = ""
    for line in commands(example):
        with tempfile.TemporaryDirectory() as folder:
            run = subprocess.run(whole_command(line, folder), capture_output=True, text=True, cwd=example, timeout=120)
        text += f"$ mazurka check {line}\n" + normalised(run.stdout + run.stderr, example, folder)
        text += f"[exit code {run.returncode}]\n"
    return text


def announced(example):
    return {
        (kind, f"{source.name}:{number}")
        for source in example.glob("*.c*")
        for number, line in enumerate(source.read_text().splitlines(), 1)
        for kind in re.findall(r"// mazurka: (\S+)", line)
    }


def named(text):
    """The kind and the place of each finding, as the text names them."""
    return set(re.findall(r"^(\S+): .*\n  at (\S+)$", text, re.MULTILINE))


def check_terminal(example):
    (line,) = commands(example)[:1]
    wrong = []
    for width in (50, 80, 160):
        with tempfile.TemporaryDirectory() as folder:
            text = terminal.run(whole_command(line, folder), "stdout", width)
        if "\x1b[1;31mdeadlock" not in text:
            wrong.append(f"no colours on a terminal: {text}")
        plain = re.sub(r"\x1b\[[0-9;]*m", "", text)
        for row in plain.splitlines():
            # Names of files and commands are not broken.
            if len(row) > width and " " in row.strip() and not re.match(r"  (at|replay:|simulate:) ", row):
                wrong.append(f"wider than {width}: {row}")
    return wrong


def main():
    folder = pathlib.Path(sys.argv[1]).resolve()
    update = "--update" in sys.argv
    wrong = []
    for example in sorted(p for p in folder.iterdir() if any(p.glob("*.c*"))):
        text = printed(example)
        file = example / "expected.txt"
        if update:
            file.write_text(text)
        expected = file.read_text() if file.exists() else ""
        if "\x1b" in text:
            wrong.append(f"{example.name}: colours in a pipe")
        if text != expected:
            wrong += difflib.unified_diff(expected.splitlines(), text.splitlines(), str(file), "printed", lineterm="")
        if named(text) != announced(example):
            wrong.append(f"{example.name}: the report names {named(text)}, the source {announced(example)}")
    wrong += check_terminal(folder / "philosophers_threads")
    print("\n".join(wrong))
    return len(wrong) > 0


if __name__ == "__main__":
    sys.exit(main())
