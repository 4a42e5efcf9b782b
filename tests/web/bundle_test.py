#!/usr/bin/env python3
"""The committed bundle web/dist is what the sources in web/src give, and these are type-correct."""

import json
import pathlib
import shutil
import subprocess
import sys
import tempfile

from node_setup import WEB, install


def main():
    tools = install(sys.argv[1])
    lock = (WEB / "package-lock.json").read_text()
    if any("resolved" in entry for entry in json.loads(lock)["packages"].values()):
        sys.exit("web/package-lock.json names where packages came from: npm install --omit-lockfile-registry-resolved")
    with tempfile.TemporaryDirectory() as folder:
        copy = pathlib.Path(folder) / "web"
        shutil.copytree(WEB, copy, ignore=shutil.ignore_patterns("node_modules", "dist"))
        (copy / "node_modules").symlink_to(tools / "node_modules")
        subprocess.run(["node", "node_modules/typescript/bin/tsc", "--noEmit"], cwd=copy, check=True)
        subprocess.run(["node", "build.mjs", "dist"], cwd=copy, check=True)
        made = sorted(path.name for path in (copy / "dist").iterdir())
        committed = sorted(path.name for path in (WEB / "dist").iterdir())
        if made != committed:
            sys.exit(f"web/dist has {committed}, the sources give {made}")
        for name in made:
            if (copy / "dist" / name).read_bytes() != (WEB / "dist" / name).read_bytes():
                sys.exit(f"web/dist/{name} is not what the sources give: run 'npm ci && npm run build' in web/")
    print("the bundle is what the sources give:", ", ".join(made))


if __name__ == "__main__":
    main()
