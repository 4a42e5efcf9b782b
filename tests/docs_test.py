#!/usr/bin/env python3
"""Runs every command that the documentation shows, and compares what it prints.

    docs_test.py MAZURKA ROOT [--update] [PAGE ...]

A page may show files: a block that begins with ```c file=bank.c is written to bank.c. A block of ```console has commands
after "$ " and what they print, with [exit code N] if that is not 0; all blocks of a page run in one folder, one after
another. Times are not compared. A command of mazurka in a block of ```yaml must stand in a console block of that page, too.
docs/lts.md and docs/races.md have a test of their own (tests/lts/docs_test.py).
"""

import difflib
import os
import pathlib
import re
import subprocess
import sys
import tempfile

BLOCK = re.compile(r"^```(\w+)([^\n]*)\n(.*?)^```", re.DOTALL | re.MULTILINE)


def commands(block):
    """Yields (command, expected output)."""
    for part in re.split(r"^\$ ", block, flags=re.MULTILINE)[1:]:
        command, _, expected = part.partition("\n")
        while command.endswith("\\"):
            more, _, expected = expected.partition("\n")
            command += "\n" + more
        yield command, expected


def normalised(text, folder, root):
    text = text.replace(folder + "/", "").replace(folder, ".").replace(str(root) + "/", "")
    text = re.sub(r"(\.\./)+[\w/.-]*/(?=[\w-]+\.(c|cpp):)", "", text)  # what __FILE__ was when it was built
    text = re.sub(r"(\d+\.\d+|\d+) s(?=$|,|:|\))", "0.00 s", text, flags=re.MULTILINE)
    text = re.sub(r"\d+\.\d+ sec", "0.00 sec", text)
    # How __FILE__ names a file depends on how the compiler was called.
    text = re.sub(r"assertion failed: [^\s:]*/", "assertion failed: ", text)
    return re.sub(r'"seconds": [\d.e-]+', '"seconds": 0', text)


class Page:
    def __init__(self, path, root, mazurka):
        self.path, self.root, self.mazurka = path, root, mazurka
        self.text = path.read_text()
        self.count = 0
        self.wrong = []

    def environment(self, folder):
        path = f"{self.mazurka.parent}:{self.mazurka.parent.parent / 'examples'}:{os.environ['PATH']}"
        clean = {k: v for k, v in os.environ.items() if not k.startswith("MAZURKA")}
        return clean | {"PATH": path, "ROOT": str(self.root), "BUILD": str(self.mazurka.parent.parent), "HOME": folder}

    def run(self, command, expected, folder, update):
        self.count += 1
        run = subprocess.run(["bash", "-c", command], cwd=folder, env=self.environment(folder), stdout=subprocess.PIPE,
                             stderr=subprocess.STDOUT, text=True, timeout=300)
        output = run.stdout + (f"[exit code {run.returncode}]\n" if run.returncode else "")
        output = normalised(output, folder, self.root)
        if update:
            self.text = self.text.replace(f"$ {command}\n{expected}", f"$ {command}\n{output}", 1)
        elif output != normalised(expected, folder, self.root):
            self.wrong.append(f"$ {command}")
            self.wrong += difflib.unified_diff(normalised(expected, folder, self.root).splitlines(), output.splitlines(),
                                               self.path.name, "printed", lineterm="")

    def check(self, update):
        shown = []
        with tempfile.TemporaryDirectory() as folder:
            for language, info, block in BLOCK.findall(self.text):
                file = re.search(r"file=(\S+)", info)
                if file:
                    place = pathlib.Path(folder, file.group(1))
                    place.parent.mkdir(parents=True, exist_ok=True)
                    place.write_text(block)
                if language == "console":
                    for command, expected in commands(block):
                        shown.append(" ".join(command.replace("\\\n", " ").split()))
                        self.run(command, expected, folder, update)
        for language, _, block in BLOCK.findall(self.text):
            if language == "yaml":
                for line in re.findall(r"mazurka (?:check|replay|doctor)[^\n]*", block.replace("\\\n", " ")):
                    if not any(" ".join(line.split()) in command for command in shown):
                        self.wrong.append(f"{self.path.name}: not run: {line}")
        if update:
            self.path.write_text(self.text)


def main():
    mazurka, root = pathlib.Path(sys.argv[1]).resolve(), pathlib.Path(sys.argv[2]).resolve()
    named = [pathlib.Path(word).resolve() for word in sys.argv[3:] if not word.startswith("--")]
    count, wrong = 0, []
    for path in named or sorted((root / "docs").glob("*.md")):
        if path.name in ("lts.md", "races.md"):
            continue
        page = Page(path, root, mazurka)
        page.check("--update" in sys.argv)
        count += page.count
        wrong += page.wrong
    print("\n".join(wrong))
    if wrong or (count < 20 and not named):
        sys.exit(f"not all of {count} commands print what the documentation says")
    print(f"{count} commands print what the documentation says")


if __name__ == "__main__":
    main()
