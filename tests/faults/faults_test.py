#!/usr/bin/env python3
"""Lets the system calls of the command and of its runtime fail, one after another (fail_call.cc), and looks at what
comes out: the verdict of an undisturbed run, or a sentence that says what failed. Never a hang, a crash of the command,
another verdict, half a file, or a process that is left.

    faults_test.py FAIL_CALL FOLDER_OF_LTS_EXAMPLES [WORD]     WORD: only commands and calls that have it in their name
"""

import dataclasses
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import time
from concurrent.futures import ThreadPoolExecutor

MAZURKA = os.environ["MAZURKA"]
EXAMPLES = pathlib.Path(os.environ["MAZURKA_EXAMPLES"])
PROGRAMS = EXAMPLES.parent / "e2e"
FAIL_CALL = sys.argv[1]
LTS = pathlib.Path(sys.argv[2])
SKIPPED, LEFT_PROCESSES, NO_SECCOMP = 77, 98, 99
TIMEOUT_S = 20
FINDINGS = ("deadlock: ", "assertion: ", "crash: ", "divergence: ", "nondeterminism: ", "memory: ", "misuse: ")
MOST = 6  # of the calls of one kind: so many of them, spread evenly, fail in turn

# What is said if these calls fail.
NO_SEGMENT = "cannot (create a memory file|size the shared segment|map the shared segment): "
NO_MEMORY = "no memory|cannot map the shared segment|out of memory"
NO_FORK = "cannot start a process|fork failed|no thread or no memory|no process or no memory"
NO_FILE = "cannot (open|read|write) |Too many open files"
NOT_WRITTEN = "cannot write .*: No space left on device"


@dataclasses.dataclass
class Fault:
    calls: str
    error: str
    scope: str  # whose calls: those of the tool, or of the program with our runtime
    sentence: str  # a regular expression; "": nothing but the undisturbed verdict will do
    path: str = ""  # only calls on files with this in their name
    codes: tuple = (4,)  # exit codes that go with the sentence
    unmodelled: str = ""  # or the undisturbed findings, with this named as what was not covered

    def options(self):
        yield from (f"--call={self.calls}", f"--error={self.error}", f"--in={self.scope}")
        if self.path:
            yield f"--path={self.path}"


TOOL = (
    Fault("memfd_create", "EMFILE", "tool", NO_SEGMENT),
    Fault("ftruncate", "ENOSPC", "tool", NO_SEGMENT),
    Fault("mmap,mremap", "ENOMEM", "tool", NO_MEMORY),
    Fault("fork,vfork,clone,clone3", "EAGAIN", "tool", NO_FORK),
    Fault("execve", "ENOMEM", "tool", "cannot execute it: Cannot allocate memory"),
    Fault("openat", "EMFILE", "tool", NO_FILE, codes=(1, 2, 4)),
    Fault("prctl,sched_setaffinity", "EPERM", "tool", "it cannot be let read time stamps"),
    Fault("futex", "EINTR", "tool", ""),
)
RUNTIME = (
    Fault("memfd_create", "EMFILE", "program", "memory of .* cannot be"),
    Fault("mmap,mprotect", "ENOMEM", "program", NO_MEMORY),
    Fault("fork,vfork,clone,clone3", "EAGAIN", "program", NO_FORK),
    Fault("openat", "EMFILE", "program", "cannot open the shared segment: Too many open files"),
    Fault("fcntl", "EINVAL", "program", ""),
    Fault("prctl", "EINVAL", "program", "", unmodelled="system calls that no interposer sees"),
    Fault("futex", "EINTR", "program", ""),
)
# Without them each execution is a new process, or all pages are copied.
IN_PLACE = (
    Fault("userfaultfd", "EPERM", "program", ""),
    Fault("ioctl", "EINVAL", "program", ""),
    Fault("pread64,getrusage", "EIO", "program", ""),
)
OUTPUTS = (
    Fault("openat,write,fsync,rename", "ENOSPC", "tool", NOT_WRITTEN, "report.", codes=(1, 2, 4)),
    Fault("openat,write", "ENOSPC", "tool", NOT_WRITTEN, ".schedule", codes=(1,)),
)


@dataclasses.dataclass
class Command:
    name: str
    arguments: tuple  # {folder} is where it runs
    faults: tuple
    program: pathlib.Path = None  # copied there
    first_fails: bool = False  # it never ends by itself: so all calls fail from the first on


THREADS = EXAMPLES / "philosophers_threads"
FIXED = EXAMPLES / "philosophers_threads_fixed"
CHECK = ("check", "--keep-going", "--color=never")

COMMANDS = (
    Command("in place", (*CHECK, "--jobs=1", "{program}", "3"), TOOL + RUNTIME + IN_PLACE, THREADS),
    Command("fork", (*CHECK, "--jobs=1", "--reset=fork", "{program}", "2"), TOOL[2:4] + RUNTIME, THREADS),
    Command("kernel threads", (*CHECK, "--jobs=1", "--carrier=threads", "{program}", "2"), RUNTIME[1:3], THREADS),
    Command("2 jobs", (*CHECK, "--jobs=2", "{program}", "4"), TOOL[:4] + RUNTIME[2:3], THREADS),
    Command("processes", (*CHECK, "--jobs=1", "{program}", "2"), RUNTIME[:4], EXAMPLES / "philosophers_processes"),
    Command("pipes", (*CHECK, "--jobs=1", "{program}"), (RUNTIME[0], RUNTIME[2], RUNTIME[3]),
            PROGRAMS / "pipe_between_processes"),
    Command("outputs", (*CHECK, "--jobs=1", "--json=report.json", "--html=report.html", "--sarif=report.sarif",
                        "--junit=report.xml", "{program}", "2"), OUTPUTS, THREADS),
    Command("outputs without findings", (*CHECK, "--jobs=1", "--json=report.json", "--html=report.html",
                                         "{program}", "2"), OUTPUTS[:1], FIXED),
    Command("checkpoint", (*CHECK, "--jobs=1", "--checkpoint=report.saved", "--max-executions=2", "{program}", "3"),
            OUTPUTS[:1], FIXED),
    Command("replay", ("replay", "--color=never", "{schedule}"), TOOL + RUNTIME[1:4], THREADS),
    Command("lts", ("lts", "verify", str(LTS / "mutex" / "mutex.net"), "--tester",
                    str(LTS / "mutex" / "exclusion.tester")),
            (TOOL[2], Fault("openat", "EMFILE", "tool", NO_FILE, codes=(2, 4)))),
    Command("sim", ("sim", "--no-open", "{program}", "2"),
            TOOL[:2] + TOOL[3:5] + (Fault("socket,bind,listen", "EADDRINUSE", "tool", "cannot listen", codes=(2, 4)),),
            THREADS, first_fails=True),
)


@dataclasses.dataclass
class Outcome:
    code: int
    verdict: tuple
    said: str
    met: int
    wrong_files: list
    output: str

    @property
    def findings(self):
        return {line for line in self.verdict if line.startswith(FINDINGS)}


def verdict_of(output):
    """What must be the same: words, counts and kinds of findings, but neither places in the source nor times."""
    kept = rf"^(error|ok|incomplete|{'|'.join(FINDINGS)}).*|^\d+ executions, \d+ transitions"
    return tuple(found.group(0) for found in re.finditer(kept, output, re.MULTILINE))


def is_whole(path):
    text = path.read_text(errors="replace")
    ends = {".schedule": "end\n", ".html": "</html>\n", ".xml": "</testsuites>\n"}
    if path.suffix in (".json", ".sarif"):
        try:
            return bool(json.loads(text))
        except ValueError:
            return False
    return text.endswith(ends.get(path.suffix, ""))


def wrong_files(folder, known):
    """Files that should not be there, or are there by half."""
    for path in sorted(pathlib.Path(folder).iterdir()):
        if path.name in known:
            continue
        if path.suffix not in (".schedule", ".json", ".html", ".sarif", ".xml", ".saved") or not is_whole(path):
            yield path.name


def run(command, fault, how, schedule):
    with tempfile.TemporaryDirectory(prefix="mazurka-faults-") as folder:
        known = {"met"}
        program = ""
        if command.program is not None:
            program = shutil.copy(command.program, folder)
            known.add(command.program.name)
        if schedule is not None:
            text = schedule.replace("{folder}", folder)
            pathlib.Path(folder, "given.schedule").write_text(text)
        arguments = [argument.format(program=program, schedule="given.schedule") for argument in command.arguments]
        line = [FAIL_CALL, *fault.options(), *how, f"--report={folder}/met", MAZURKA, *arguments]
        try:
            done = subprocess.run(line, cwd=folder, capture_output=True, text=True, timeout=TIMEOUT_S, check=False)
        except subprocess.TimeoutExpired:
            return Outcome("hang", (), "", 0, [], "")
        met = pathlib.Path(folder, "met")
        return Outcome(done.returncode, verdict_of(done.stdout), done.stderr,
                       int(met.read_text()) if met.exists() else 0, list(wrong_files(folder, known)), done.stdout)


def is_named(fault, outcome, normal):
    return (fault.unmodelled and f"no model covers {fault.unmodelled}" in outcome.output and outcome.code == normal.code
            and outcome.findings == normal.findings and not outcome.said)


def complaints(fault, outcome, normal):
    if outcome.code == LEFT_PROCESSES:
        yield "processes are left"
        return
    if outcome.wrong_files:
        yield f"files are left: {outcome.wrong_files}"
    if outcome.code == normal.code and outcome.verdict == normal.verdict and not outcome.said:
        return
    if is_named(fault, outcome, normal):
        return
    if not fault.sentence:
        yield f"exit code {outcome.code}, and not the undisturbed verdict"
    elif not re.search(f"^mazurka: .*({fault.sentence})", outcome.said, re.MULTILINE):
        yield f"exit code {outcome.code}, and no sentence like '{fault.sentence}'"
    elif outcome.code == 1 and not normal.findings.issuperset(outcome.findings):
        yield "findings that are none"
    elif outcome.code not in (*fault.codes, 1 if outcome.findings else 4):
        yield f"exit code {outcome.code}, expected {fault.codes}"


def ways(command, met):
    if command.first_fails:
        return [["--from=1"]]
    numbers = sorted({1 + i * (met - 1) // max(min(met, MOST) - 1, 1) for i in range(min(met, MOST))})
    return [[f"--{how}={number}"] for number in numbers for how in ("nth", "from")]


def examine(pool, command, fault, schedule):
    """Yields what is wrong, and how many calls were made to fail."""
    normal = Outcome(None, (), "", 1, [], "") if command.first_fails else run(command, fault, [], schedule)
    if normal.code == NO_SECCOMP:
        print("this kernel or container has no seccomp notifications:", normal.said)
        sys.exit(SKIPPED)
    if normal.code not in (None, 0, 1, 3) or normal.wrong_files:
        print(normal)
        return [f"{command.name}: undisturbed, exit code {normal.code}, files {normal.wrong_files}"], 0
    all_ways = ways(command, normal.met)
    outcomes = pool.map(lambda how: run(command, fault, how, schedule), all_ways)
    wrong = []
    for how, outcome in zip(all_ways, outcomes):
        for sentence in complaints(fault, outcome, normal):
            wrong.append(f"{command.name}: {fault.calls} of the {fault.scope} {how[0]}: {sentence}")
            print(wrong[-1], outcome.output, outcome.said, sep="\n")
    return wrong, len(all_ways)


def make_schedule():
    with tempfile.TemporaryDirectory(prefix="mazurka-faults-") as folder:
        program = shutil.copy(THREADS, folder)
        subprocess.run([MAZURKA, *CHECK, "--quiet", program, "2"], cwd=folder, capture_output=True, check=False)
        text = next(pathlib.Path(folder).glob("*.schedule")).read_text()
        return text.replace(folder, "{folder}")


def shared_names():
    found = {f"/dev/shm/{name}" for name in os.listdir("/dev/shm")}
    for kind in ("sem", "shm", "msg"):
        lines = pathlib.Path("/proc/sysvipc", kind).read_text().splitlines()[1:]
        found |= {f"{kind} {' '.join(line.split()[:2])}" for line in lines}
    return found


def main():
    word = sys.argv[3] if len(sys.argv) > 3 else ""
    before = shared_names()
    schedule = make_schedule()
    wrong = []
    failed = 0
    with ThreadPoolExecutor(2) as pool:
        for command in COMMANDS:
            for fault in command.faults:
                if word not in f"{command.name} {fault.calls} {fault.scope}":
                    continue
                start = time.monotonic()
                said, count = examine(pool, command, fault, schedule if command.name == "replay" else None)
                wrong += said
                failed += count
                print(f"{command.name}: {fault.calls} of the {fault.scope}: {count} runs, {len(said)} wrong, "
                      f"{time.monotonic() - start:.1f} s", flush=True)
    left = shared_names() - before
    if left:
        wrong.append(f"left behind: {sorted(left)}")
    print(f"{failed} runs with a failing call; {len(wrong)} wrong", *wrong, sep="\n  ")
    return bool(wrong)


if __name__ == "__main__":
    sys.exit(main())
