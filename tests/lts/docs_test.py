#!/usr/bin/env python3
"""Runs the commands of docs/lts.md in examples/lts, and compares what they print.

    docs_test.py MAZURKA ROOT [--update]
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
    failures = 0
    count = 0
    with tempfile.TemporaryDirectory() as folder:
        path = f"{mazurka.parent}:{mazurka.parent.parent / 'examples'}:{os.environ['PATH']}"
        environment = os.environ | {"TMP": folder, "PATH": path}
        for block in blocks((root / "docs" / "lts.md").read_text()):
            for command, expected in commands(block):
                count += 1
                run = subprocess.run(command, shell=True, cwd=root / "examples" / "lts", env=environment,
                                     capture_output=True, text=True, timeout=60)
                output = run.stdout + run.stderr
                if run.returncode != 0:
                    output += f"[exit code {run.returncode}]\n"
                if "--update" in sys.argv:
                    path = root / "docs" / "lts.md"
                    new = re.sub(r"\d+\.\d\d s(?=$|,)", "0.00 s", output.replace(folder, "$TMP").replace(str(root), "..."))
                    path.write_text(path.read_text().replace(f"$ {command}\n{expected}", f"$ {command}\n{new}"))
                elif normalised(output, folder, root) != normalised(expected, folder, root):
                    failures += 1
                    print(f"$ {command}")
                    sys.stdout.writelines(
                        difflib.unified_diff(expected.splitlines(True), output.splitlines(True),
                                             "docs/lts.md", "printed"))
    if failures or count < 10:
        sys.exit(f"{failures} of {count} commands print something else")
    print(f"{count} commands print what docs/lts.md says")


if __name__ == "__main__":
    main()
