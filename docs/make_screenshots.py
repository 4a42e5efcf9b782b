#!/usr/bin/env python3
"""Makes the pictures of the documentation: docs/images/*.png. Needs chromium and a build.

    docs/make_screenshots.py [--all FOLDER] [BUILD]

With --all it makes other ones instead: report and simulator, light and dark, 1280 and 1920 pixels wide, to be looked at.
"""

import os
import pathlib
import subprocess
import sys
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parents[1]
sys.path[:0] = [str(ROOT / "tests" / "e2e"), str(ROOT / "tests" / "web")]
import browser  # noqa: E402
import simulator  # noqa: E402

DEADLOCK, RACE, WAKEUP = ("philosophers_threads", "4"), ("double_checked_locking",), ("lost_wakeup",)
# Picture: the program, the end of the address, dark or light.
REPORTS = {"report.png": (DEADLOCK, "", "light"), "report-race-dark.png": (RACE, "", "dark")}
SIZES = {1280: 800, 1920: 1080}


def report(build, folder, program):
    """Writes the page, and gives back its address."""
    page = pathlib.Path(folder, program[0] + ".html")
    subprocess.run([build / "bin" / "mazurka", "check", f"--html={page}", "--schedules=.", "--", *program], cwd=folder,
                   capture_output=True)
    return page.as_uri()


def shot(page, address, file, keys=()):
    page.open("about:blank")
    page.open(address)
    time.sleep(1)  # the page asks its server
    for key in keys:
        page.press(key)
        time.sleep(0.5)
    page.screenshot(file)
    print(file)


def scheme(page, name):
    page.call("Emulation.setEmulatedMedia", features=[{"name": "prefers-color-scheme", "value": name}])


def make_all(build, images):
    with tempfile.TemporaryDirectory() as folder:
        pages = {program[0]: report(build, folder, program) for program in (DEADLOCK, RACE, WAKEUP)}
        schedule = next(pathlib.Path(folder).glob("philosophers_threads.*.schedule"))
        sleeper = next(pathlib.Path(folder).glob("lost_wakeup.*.schedule"))
        mazurka = build / "bin" / "mazurka"
        with simulator.Simulator(mazurka, f"--schedule={schedule}") as deadlock, simulator.Simulator(mazurka, f"--schedule={sleeper}") as wakeup:
            for width, height in SIZES.items():
                with browser.Browser(width, height) as page:
                    for colours in ("light", "dark"):
                        scheme(page, colours)
                        name = f"{colours}-{width}.png"
                        for program, address in pages.items():
                            shot(page, address, images / f"report-{program}-{name}")
                        shot(page, deadlock.address, images / f"simulator-waits-{name}", ["b"])
                        shot(page, deadlock.address, images / f"simulator-graph-{name}", ["g", "v"])
                        shot(page, wakeup.address, images / f"simulator-compare-{name}", ["C"])


def make_documentation(build, images):
    with tempfile.TemporaryDirectory() as folder, browser.Browser(1280, 800) as page:
        for picture, (program, fragment, colours) in REPORTS.items():
            scheme(page, colours)
            shot(page, report(build, folder, program) + fragment, images / picture)
    # Those of the simulator are made by its test, on the way.
    subprocess.run([sys.executable, ROOT / "tests" / "web" / "browser_test.py", build / "web", build / "bin" / "mazurka", build / "examples",
                    build / "tests" / "web", images], check=True)


def main():
    words = sys.argv[1:]
    folder = None
    if words[:1] == ["--all"]:
        folder, words = pathlib.Path(words[1]), words[2:]
    build = pathlib.Path(words[0] if words else ROOT / "build" / "release").resolve()
    if browser.find() is None:
        sys.exit("there is no browser here: install chromium")
    images = folder or ROOT / "docs" / "images"
    images.mkdir(exist_ok=True)
    os.environ["PATH"] = f"{build / 'examples'}:{os.environ['PATH']}"  # reports show commands without the folders of this machine
    (make_all if folder else make_documentation)(build, images)


if __name__ == "__main__":
    main()
