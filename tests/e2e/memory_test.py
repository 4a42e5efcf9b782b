#!/usr/bin/env python3
"""Builds a program with mazurka-cc or mazurka-c++, checks it, and compares the verdict with what its source says.

    memory_test.py SOURCE

Each line `// check [MACRO]: KEY=VALUE ...` of the source is one check, of the program built with that macro defined:

    verdict=ok|error|incomplete  findings=KIND,...  executions=N
    found=N              findings, all kinds together
    arguments=A,B        of the program
    options=O,...        of mazurka check
    flags=F,...          of the compiler
    orders=weak          the program is told that only sequentially consistent behaviours are explored
    builds=all|two|one|clang  compilers and levels of optimisation (all for C, two for C++)
    compare=no           with the plain search: it would take too long
    unknown=F,...        functions of libc whose accesses are not known: the report names them, and them only
    starts=P,...         programs that it starts, whose accesses are not seen: an assumption names them

Findings of a kind must point to lines of the source with `// mazurka: KIND ...` (or `// mazurka[MACRO]: KIND ...`), if it has such
lines; of a race, both accesses.
"""

import dataclasses
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile

MAZURKA = pathlib.Path(os.environ["MAZURKA"])
EXIT_CODES = {"ok": 0, "error": 1, "incomplete": 3}
BUILDS = {
    "all": [("gcc", "-O0"), ("clang", "-O0"), ("clang", "-O2"), ("gcc", "-O2")],
    "two": [("clang", "-O2"), ("gcc", "-O0")],
    "one": [("gcc", "-O2")],
    "clang": [("clang", "-O2")],
}
# The last build is checked in these ways, too.
OTHER_WAYS = [["--reset=fork", "--jobs=2"], ["--carrier=threads"]]


@dataclasses.dataclass
class Check:
    macro: str
    verdict: str
    findings: list = dataclasses.field(default_factory=list)
    executions: int = None
    found: int = None
    arguments: list = dataclasses.field(default_factory=list)
    options: list = dataclasses.field(default_factory=list)
    flags: list = dataclasses.field(default_factory=list)
    orders: str = "strong"
    builds: str = None
    compare: str = "yes"
    starts: list = dataclasses.field(default_factory=list)
    unknown: list = dataclasses.field(default_factory=list)


def parsed(macro, text):
    values = dict(item.split("=", 1) for item in text.split())
    for key in ("findings", "arguments", "options", "flags", "starts", "unknown"):
        if key in values:
            values[key] = values[key].split(",")
    for key in ("executions", "found"):
        if key in values:
            values[key] = int(values[key])
    return Check(macro, **values)


def checks(source):
    return [parsed(macro, text) for macro, text in re.findall(r"^// check ?(\w*): (.*)$", source, re.MULTILINE)]


def announced(path, source, check):
    """The places that the source announces for findings of the check."""
    return {
        (kind, f"{path.name}:{number}")
        for number, line in enumerate(source.splitlines(), 1)
        for macro, kinds in re.findall(r"// mazurka(?:\[(\w+)\])?: (.*)", line)
        if macro in ("", check.macro)
        for kind in kinds.split()
        if kind in check.findings
    }


def build(path, check, compiler, level, folder):
    is_cxx = path.suffix == ".cpp"
    driver = MAZURKA.parent / ("mazurka-c++" if is_cxx else "mazurka-cc")
    if is_cxx:
        compiler = {"gcc": "g++", "clang": "clang++"}[compiler]
    program = pathlib.Path(folder, "-".join(filter(None, (path.stem, check.macro, compiler, level.strip("-")))))
    if program.exists():
        return program
    command = [driver, f"--cc={compiler}", level, "-g", "-pthread", *(["-std=c++20"] if is_cxx else []),
               *([f"-D{check.macro}"] if check.macro else []), *check.flags, path, "-o", program]
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode != 0:
        sys.exit(" ".join(map(str, command)) + "\n" + done.stderr)
    return program


def run(program, check, ways, folder):
    report = pathlib.Path(folder, "report.json")
    report.unlink(missing_ok=True)
    command = [MAZURKA, "check", "--keep-going", f"--json={report}", f"--schedules={folder}", *ways, *check.options,
               "--", program, *check.arguments]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True)
    print("$", " ".join(map(str, command)))
    result = json.loads(report.read_text()) if report.exists() else None
    return result, done.returncode, done.stdout + done.stderr


def places(report):
    """The kind of each finding with each of its places."""
    for finding in report["findings"]:
        locations = [access["location"] for access in finding.get("accesses", [])] or [finding["location"]]
        for location in locations:
            yield finding["kind"], pathlib.Path(location).name


def differences(path, check, expected_places, report, exit_code):
    if report is None:
        yield "no report"
        return
    if report["verdict"] != check.verdict or exit_code != EXIT_CODES[check.verdict]:
        yield f"verdict: {report['verdict']} and exit code {exit_code}, expected {check.verdict}"
    if check.verdict != "incomplete" and not report["complete"]:
        yield "not complete"
    assumptions = [s for s in report["assumptions"] if "weaker memory orders" not in s]
    if check.starts and len(assumptions) != 1 or any(name not in assumptions[0] for name in check.starts):
        yield f"assumptions: {assumptions}, expected one that names {check.starts}"
    named = sorted(sentence.split()[1] for sentence in report["unmodelled"] if " does to memory is not known" in sentence)
    if (assumptions and not check.starts) or named != sorted(check.unknown) or len(named) < len(report["unmodelled"]):
        yield f"assumptions: {assumptions}, unmodelled: {report['unmodelled']}"
    if (len(assumptions) < len(report["assumptions"])) != (check.orders == "weak"):
        yield f"assumptions: {report['assumptions']}, expected {check.orders} orders"
    if check.executions is not None and report["executions"] != check.executions:
        yield f"executions: {report['executions']}, expected {check.executions}"
    kinds = {finding["kind"] for finding in report["findings"]}
    if kinds != set(check.findings):
        yield f"findings: {sorted(kinds)}, expected {check.findings}"
    if check.found is not None and len(report["findings"]) != check.found:
        yield f"{len(report['findings'])} findings, expected {check.found}"
    found = set(places(report))
    for kind in sorted({kind for kind, _ in expected_places}):
        here = {place for k, place in found if k == kind and place.startswith(path.name)}
        wanted = {place for k, place in expected_places if k == kind}
        if not here or here - wanted:
            yield f"{kind} at {sorted(here)}, the source announces {sorted(wanted)}"
    for sentence in report.get("compared", {}).get("differences", []):
        yield f"compared with the plain search: {sentence}"


def main():
    path = pathlib.Path(sys.argv[1]).resolve()
    source = path.read_text()
    wrong = 0
    all_checks = checks(source)
    if not all_checks:
        sys.exit("no `// check:` line")
    with tempfile.TemporaryDirectory() as folder:
        for check in all_checks:
            builds = BUILDS[check.builds or ("two" if path.suffix == ".cpp" else "all")]
            for compiler, level in builds:
                program = build(path, check, compiler, level, folder)
                is_last = (compiler, level) == builds[-1]
                compared = ["--compare=none"] if check.compare == "yes" else []
                ways = [compared, *OTHER_WAYS] if is_last else [[]]
                for way in ways:
                    report, exit_code, output = run(program, check, way, folder)
                    for sentence in differences(path, check, announced(path, source, check), report, exit_code):
                        print(f"{path.name} {check.macro}, {compiler} {level}: {sentence}\n{output[:3000]}")
                        wrong += 1
    return wrong != 0


if __name__ == "__main__":
    sys.exit(main())
