#!/usr/bin/env python3
"""Runs the commands of a page of docs/ in a folder of examples/, and compares what they print.

    docs_test.py MAZURKA ROOT PAGE FOLDER [--update]
"""

import difflib
import os
import pathlib
import re
import subprocess
import sys
import tempfile


def blocks(text):
    return re.findall(r"^```console\n(.*?)^```", text, re.DOTALL | re.MULTILINE)


def commands(block):
    """Yields (command, expected output)."""
    for part in re.split(r"^\$ ", block, flags=re.MULTILINE)[1:]:
        command, _, expected = part.partition("\n")
        yield command, expected


def normalised(text, folder, root):
    text = text.replace(folder, "$TMP").replace(str(root), "...")
    return re.sub(r"\d+\.\d\d s(?=$|,)", "0.00 s", text, flags=re.MULTILINE)


def main():
    mazurka, root = pathlib.Path(sys.argv[1]).resolve(), pathlib.Path(sys.argv[2]).resolve()
    page, examples = root / "docs" / sys.argv[3], root / "examples" / sys.argv[4]
    failures = 0
    count = 0
    with tempfile.TemporaryDirectory() as folder:
        path = f"{mazurka.parent}:{mazurka.parent.parent / 'examples'}:{os.environ['PATH']}"
        environment = os.environ | {"TMP": folder, "PATH": path}
        for block in blocks(page.read_text()):
            for command, expected in commands(block):
                count += 1
                run = subprocess.run(command, shell=True, cwd=examples, env=environment,
                                     capture_output=True, text=True, timeout=60)
                output = run.stdout + run.stderr
                if run.returncode != 0:
                    output += f"[exit code {run.returncode}]\n"
                if "--update" in sys.argv:
                    new = re.sub(r"\d+\.\d\d s(?=$|,)", "0.00 s", output.replace(folder, "$TMP").replace(str(root), "..."))
                    page.write_text(page.read_text().replace(f"$ {command}\n{expected}", f"$ {command}\n{new}"))
                elif normalised(output, folder, root) != normalised(expected, folder, root):
                    failures += 1
                    print(f"$ {command}")
                    sys.stdout.writelines(
                        difflib.unified_diff(expected.splitlines(True), output.splitlines(True),
                                             page.name, "printed"))
    if failures or count < 5:
        sys.exit(f"{failures} of {count} commands print something else")
    print(f"{count} commands print what {page.name} says")


if __name__ == "__main__":
    main()
