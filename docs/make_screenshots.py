#!/usr/bin/env python3
"""Makes the pictures of the documentation: docs/images/*.png. Needs chromium and a build.

    docs/make_screenshots.py [BUILD]
"""

import os
import pathlib
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT / "tests" / "e2e"))
import browser  # noqa: E402

PICTURES = {"report.png": ("double_free", "#finding=1&step=3")}


def main():
    build = pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else ROOT / "build" / "release").resolve()
    if browser.find() is None:
        sys.exit("there is no browser here: install chromium")
    images = ROOT / "docs" / "images"
    images.mkdir(exist_ok=True)
    environment = {**os.environ, "PATH": f"{build / 'examples'}:{os.environ['PATH']}"}
    with tempfile.TemporaryDirectory() as folder, browser.Browser(1200, 760) as page:
        for picture, (example, fragment) in PICTURES.items():
            subprocess.run([build / "bin" / "mazurka", "check", f"--html={folder}/{example}.html", "--schedules=" + folder,
                            "--", example], cwd=ROOT / "examples" / example, capture_output=True, env=environment)
            page.open(pathlib.Path(folder, example + ".html").as_uri() + fragment)
            page.screenshot(images / picture)
            print(images / picture)
    # Those of the simulator are made by its test, on the way.
    subprocess.run([sys.executable, ROOT / "tests" / "web" / "browser_test.py", build / "web", build / "bin" / "mazurka", build / "examples",
                    build / "tests" / "web", images], check=True)


if __name__ == "__main__":
    main()
