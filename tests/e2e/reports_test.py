#!/usr/bin/env python3
"""Builds a program in the style of real code, and compares what the report says about its bug with what the source says.

    reports_test.py SOURCE C_COMPILER C++_COMPILER

The source has a comment for each thing that must be there:

    // kind: deadlock          of the only finding; its place is the line with `// mazurka: deadlock`, maybe in the library
    // name: pool.mutex_       what an object is called in the schedule or where threads stand
    // why: TEXT               a part of the reason
    // message: TEXT           a part of the message
    // flags: -O2              of the compiler
    // compiler: mazurka-c++   instead of the usual one
    // library: FILE           a shared library that the program is linked with
    // option: --atomics=off   of `mazurka check`

In texts, @label is the place of the line with `// @label`, and @here that of the line with `// mazurka: ...`. No object may have
a name that is a mere address. The page, the text and the SARIF file must have the same names.
"""

import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile

MAZURKA = pathlib.Path(os.environ["MAZURKA"])
MERE_ADDRESS = re.compile(r"stack of T[\d.]+ at 0x|heap block \d+|0x[0-9a-f]{6,}")


def values(source, key):
    return re.findall(rf"^// {key}: (.*)$", source, re.MULTILINE)


def labels(paths):
    found = {}
    for path in paths:
        for number, line in enumerate(path.read_text().splitlines(), 1):
            for label in re.findall(r"// @(\w+)$", line):
                found[label] = f"{path.name}:{number}"
            if re.search(r"// mazurka: \w+$", line):
                found["here"] = f"{path.name}:{number}"
    return found


def build(source, compilers, folder):
    text = source.read_text()
    compiler = compilers[0 if source.suffix == ".c" else 1]
    for name in values(text, "compiler"):
        compiler = MAZURKA.parent / name
    standard = [] if source.suffix == ".c" else ["-std=c++20"]
    flags = ["-g", *standard, "-pthread", *" ".join(values(text, "flags")).split()]
    program = pathlib.Path(folder, source.stem)
    libraries = []
    for name in values(text, "library"):
        library = pathlib.Path(folder, "lib" + pathlib.Path(name).stem + ".so")
        subprocess.run([compiler, *flags, "-shared", "-fPIC", source.parent / name, "-o", library], check=True)
        libraries += [library, f"-Wl,-rpath,{folder}"]
    subprocess.run([compiler, *flags, source, *libraries, "-o", program], check=True)
    return program


def check(program, options, folder):
    files = {kind: pathlib.Path(folder, "report." + kind) for kind in ("json", "sarif", "html")}
    command = [MAZURKA, "check", *[f"--{kind}={file}" for kind, file in files.items()], f"--schedules={folder}", *options, program]
    done = subprocess.run(command, capture_output=True, text=True, timeout=120)
    print(done.stdout + done.stderr)
    if done.returncode != 1:
        sys.exit(f"exit code {done.returncode}")
    return json.loads(files["json"].read_text()), done.stdout, files["sarif"].read_text(), files["html"].read_text()


def complaints(source, report, text, sarif, html):
    program = source.read_text()
    places = labels([source, *[source.parent / name for name in values(program, "library")]])

    def expected(key):
        return [re.sub(r"@(\w+)", lambda found: places[found.group(1)], value) for value in values(program, key)]

    finding, *others = report["findings"]
    if others:
        yield f"{len(others)} findings more"
    if [finding["kind"]] != expected("kind"):
        yield f"kind: {finding['kind']}"
    # Of a race, either access may be the later one.
    accesses = [pathlib.Path(access["location"]).name for access in finding.get("accesses", [])]
    where = pathlib.Path(finding["location"]).name
    if where != places["here"] and not (where in accesses and places["here"] in accesses):
        yield f"at {finding['location']}, expected {places['here']}"
    for key in ("why", "message"):
        for part in expected(key):
            if part not in finding[key]:
                yield f"{key}: {finding[key]!r} has no {part!r}"
    operations = [step["operation"] for step in finding["steps"] + finding["states"]] + [finding.get("memory", "")]
    for name in expected("name"):
        if not any(re.search(rf"(^|\s){re.escape(name)}($|[\s,:])", operation) for operation in operations):
            yield f"no operation on {name}: {operations}"
        shown = {"text": text, "SARIF": sarif, "HTML": html.replace("\\u003e", ">")}
        for where, report_text in shown.items():
            if name not in report_text:
                yield f"{name} is not in the {where}"
    if finding["why"] and finding["why"] not in text:
        yield "the reason is not in the text"
    for operation in operations:
        if MERE_ADDRESS.search(operation):
            yield f"a mere address: {operation}"


def main():
    source = pathlib.Path(sys.argv[1])
    with tempfile.TemporaryDirectory() as folder:
        program = build(source, sys.argv[2:], folder)
        wrong = list(complaints(source, *check(program, values(source.read_text(), "option"), folder)))
    print("\n".join(wrong))
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
