#!/usr/bin/env python3
"""How fast executions are: one table, one run; read the ratios.

    speed_bench.py MAZURKA RUNTIME BENCH_DIR EXAMPLES_DIR [--json=FILE] [--quick] [--only=TEXT]

Rows are searches of whole programs. Columns, the best of three each: executions a second of the command with one worker, reset in place and by the fork
server; of a minimal runtime that runs the same program without a search (the limit, minimal_runtime.c), and of one that knows
in advance which pages will have changed; with two workers, where the command has --jobs; processor time of an execution (command, program and the fork server that checks them; launch included), which other
work on the machine disturbs least; the program's own share of it; the largest memory of command or program. Below it: what an
execution costs by its length.
"""

import argparse
import json
import os
import pathlib
import subprocess
import sys
import tempfile

FORK_EXECUTIONS = 1500
TIMES = 3
SCALE_OF_QUICK = 50


class Row:
    """`once`: arguments for one execution of the program, without the toss that repeats it: for its own share, and for the
    limit. `threads`: that the program creates; None if the minimal runtime does not know all that it calls."""

    def __init__(self, name, program, arguments, most=None, once=None, threads=None, share=True):
        self.name, self.program, self.arguments = name, program, arguments
        self.most, self.once, self.threads, self.share = most, once or arguments, threads, share


def rows(quick):
    times = str(40_000 // (SCALE_OF_QUICK if quick else 1))
    few = str(int(times) // 10)
    sizes = (8,) if quick else (8, 10, 12, 14, 16)
    found = [
        Row("micro, C", "micro_c", [times], once=["1"], threads=2),
        Row("micro, C++", "micro_cpp", [times], once=["1"], threads=2),
    ]
    found += [Row(f"philosophers {n}", "philosophers_threads", [str(n)], threads=n) for n in sizes]
    return found + [
        Row("counter 3x3", "lock_counter", ["3", "3"], threads=3, share=False),
        Row("counter 5x2", "lock_counter", ["2", "2"] if quick else ["5", "2"], threads=5, share=False),
        Row("readers 12", "readers", ["8" if quick else "12"], threads=13, share=False),
        Row("producer-consumer", "producer_consumer", ["2"], most=int(few), share=False),
        Row("100 threads", "many_threads", ["100", few], once=["100", "1"], threads=100),
        Row("5 MB heap", "large_heap", ["5", few], once=["5", "1"]),
        Row("50 MB heap", "large_heap", ["50", few], once=["50", "1"]),
    ]


class Bench:
    def __init__(self, options):
        self.options = options
        usage = subprocess.run([options.mazurka, "check", "--help"], capture_output=True, text=True).stdout
        self.has_jobs = "--jobs" in usage and (os.cpu_count() or 1) > 1

    def path(self, program):
        for folder in (self.options.bench, self.options.examples):
            if pathlib.Path(folder, program).exists():
                return str(pathlib.Path(folder, program))
        sys.exit(f"no program {program}")

    def search(self, row, reset, jobs=1, most=None):
        """The report, and what command and program used together."""
        with tempfile.TemporaryDirectory() as folder:
            report = pathlib.Path(folder, "report.json")
            command = [self.options.mazurka, "check", "--keep-going", "--depth=100000", f"--reset={reset}",
                       f"--json={report}", f"--schedules={folder}"]
            command += [f"--jobs={jobs}"] if self.has_jobs else []
            command += [f"--max-executions={most}"] if most else []
            process = subprocess.Popen([*command, "--", self.path(row.program), *row.arguments],
                                       stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
            _, status, usage = os.wait4(process.pid, 0)
            if os.waitstatus_to_exitcode(status) not in (0, 1, 3):
                sys.exit(f"{row.name}: {' '.join(command)} failed")
            return json.loads(report.read_text()), usage

    def rate(self, row, reset, jobs=1, most=None):
        report, usage = self.search(row, reset, jobs, most)
        report["memory_mb"] = usage.ru_maxrss / 1024
        report["cpu_us"] = (usage.ru_utime + usage.ru_stime) * 1e6 / max(report["executions"], 1)
        return report["executions"] / max(report["seconds"], 1e-6), report

    def one_plan(self, row, executions):
        command = [str(pathlib.Path(self.options.bench, "one_plan_bench")), self.options.runtime, str(executions),
                   "in-place", self.path(row.program), *row.once]
        done = subprocess.run(command, capture_output=True, text=True, check=True)
        return json.loads(done.stdout)

    def limit(self, row, executions, restore):
        library = pathlib.Path(self.options.bench, "libminimal_runtime.so")
        command = ["setarch", "-R", "env", "LD_BIND_NOW=1", f"LD_PRELOAD={library}", f"MINIMAL_EXECUTIONS={executions}",
                   f"MINIMAL_RESTORE={restore}", f"MINIMAL_THREADS={row.threads}", self.path(row.program), *row.once]
        done = subprocess.run(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True, check=True, timeout=300)
        return json.loads(done.stderr)["rate"]

    def best(self, measured):
        """Of several times: other work on the machine only ever takes some away."""
        return max((measured() for _ in range(1 if self.options.quick else TIMES)), key=lambda found: found[0])

    def measure(self, row):
        in_place, report = self.best(lambda: self.rate(row, "in-place", most=row.most))
        fork, _ = self.rate(row, "fork", most=min(FORK_EXECUTIONS, report["executions"]))
        result = {"name": row.name, "executions": report["executions"], "steps": report["steps"],
                  "in_place": in_place, "fork": fork, "in_place_by_fork": in_place / fork,
                  "cpu_us": report["cpu_us"], "memory_mb": report["memory_mb"]}
        scale = SCALE_OF_QUICK if self.options.quick else 1
        if row.threads is not None:
            for key, restore in (("limit", "used"), ("knowing", "changed")):
                result[key], = self.best(lambda: (self.limit(row, 100_000 // scale, restore),))
                result[f"in_place_by_{key}"] = in_place / result[key]
        if self.has_jobs:
            two, other = self.best(lambda: self.rate(row, "in-place", jobs=2, most=row.most))
            result.update({"two_jobs": two, "two_jobs_by_one": two / in_place})
            if row.most is None and other["executions"] != report["executions"]:
                sys.exit(f"{row.name}: {report['executions']} executions with one job, {other['executions']} with two")
        if row.share:
            result["program_us"] = self.one_plan(row, 20_000 // scale)["program_us"]
        return result

    def by_length(self):
        """Microseconds of an execution, by its transitions."""
        scale = SCALE_OF_QUICK if self.options.quick else 1
        for length, times in ((10, 20_000), (100, 10_000), (1_000, 1_000), (10_000, 200)):
            if self.options.quick and length > 100:
                return
            times = max(times // scale, 10)
            row = Row(f"{length} transitions", "long_run", [str(length), str(times)], once=[str(length), "1"])
            rate, report = self.rate(row, "in-place")
            steps = report["steps"] / report["executions"]
            yield {"name": row.name, "steps_per_execution": steps, "us": 1e6 / rate, "us_per_step": 1e6 / rate / steps,
                   "program_us": self.one_plan(row, times)["program_us"], "cpu_us": report["cpu_us"],
                   "memory_mb": report["memory_mb"]}


def cell(result, key, form):
    return format(result[key], form) if key in result else "-"


def print_table(results, columns):
    print("".join(title.ljust(20) if key == "name" else title.rjust(12) for key, title, _ in columns))
    for result in results:
        print("".join(cell(result, key, form).ljust(20) if key == "name" else cell(result, key, form).rjust(12)
                      for key, _, form in columns))
    print(flush=True)


COLUMNS = (("name", "program", ""), ("executions", "executions", ","), ("in_place", "in place/s", ",.0f"),
           ("fork", "fork/s", ",.0f"), ("in_place_by_fork", "ratio", ".1f"), ("limit", "limit/s", ",.0f"),
           ("in_place_by_limit", "ratio", ".2f"), ("knowing", "knowing/s", ",.0f"), ("in_place_by_knowing", "ratio", ".2f"), ("two_jobs", "2 jobs/s", ",.0f"), ("two_jobs_by_one", "ratio", ".2f"),
           ("cpu_us", "cpu us", ",.1f"), ("program_us", "program us", ".1f"), ("memory_mb", "MB", ".1f"))
LENGTH_COLUMNS = (("name", "length", ""), ("steps_per_execution", "steps", ",.0f"), ("us", "us", ",.1f"),
                  ("us_per_step", "us/step", ".3f"), ("cpu_us", "cpu us", ",.1f"), ("program_us", "program us", ",.1f"), ("memory_mb", "MB", ".1f"))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    for name in ("mazurka", "runtime", "bench", "examples"):
        parser.add_argument(name)
    parser.add_argument("--json")
    parser.add_argument("--only", default="", help="rows whose names contain this")
    parser.add_argument("--quick", action="store_true", help="too few executions for figures, enough to see that it works")
    options = parser.parse_args()
    bench = Bench(options)
    results = [bench.measure(row) for row in rows(options.quick) if options.only in row.name]
    print_table(results, COLUMNS)
    lengths = list(bench.by_length()) if not options.only else []
    if lengths:
        print_table(lengths, LENGTH_COLUMNS)
    if options.json:
        pathlib.Path(options.json).write_text(json.dumps({"rows": results, "lengths": lengths}, indent=2) + "\n")


if __name__ == "__main__":
    main()
