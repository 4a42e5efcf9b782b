"""The page's tools (TypeScript, esbuild, Playwright) in a folder of the build, as web/package-lock.json wants them."""

import pathlib
import shutil
import subprocess
import sys

SKIPPED = 77  # SKIP_RETURN_CODE
WEB = pathlib.Path(__file__).resolve().parents[2] / "web"


def skip(why):
    print("skipped:", why)
    sys.exit(SKIPPED)


def install(folder):
    """Gives back the folder with node_modules. Ends the test as skipped where npm is not to be had."""
    folder = pathlib.Path(folder)
    if shutil.which("npm") is None or shutil.which("node") is None:
        skip("npm is not here: the page cannot be bundled or tested")
    folder.mkdir(parents=True, exist_ok=True)
    lock = WEB / "package-lock.json"
    installed = folder / "installed-lock.json"
    if installed.exists() and installed.read_bytes() == lock.read_bytes():
        return folder
    for name in ("package.json", "package-lock.json"):
        shutil.copy(WEB / name, folder / name)
    run = subprocess.run(["npm", "ci", "--no-audit", "--no-fund", "--ignore-scripts"], cwd=folder, capture_output=True, text=True)
    if run.returncode != 0:
        skip("npm cannot get the page's packages: " + run.stderr.strip()[-500:])
    shutil.copy(lock, installed)
    return folder
