#!/usr/bin/env python3
"""Verifies the same models with Mazurka and with SPIN, turn by turn, and compares.

    lts_bench.py MAZURKA [--json=FILE] [--rounds=N] [--only=WORD]

SPIN is installed if it is missing. It runs without partial-order reduction, because we visit all states,
too; once as it is, and once with -DCOLLAPSE, its compression of states. Time is processor time of the
whole process, the least of all rounds. "store" is what the states themselves take: ours with the
table, SPIN's without its hash table. "all" counts everything, for SPIN with a stack as deep as the
search needs. The aims are at least twice SPIN's transitions a second and at most a third of its bytes.
"""

import argparse
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

import lts_models

MEGABYTE = 1 << 20
SPEED_AIM = 2
BYTES_AIM = 1 / 3


def ensure_spin():
    if shutil.which("spin"):
        return
    sudo = [] if os.geteuid() == 0 else ["sudo", "-n"]
    command = sudo + ["apt-get", "install", "--yes", "--no-install-recommends", "spin"]
    if subprocess.run(command).returncode != 0:
        sys.exit("SPIN is missing. Please run: sudo apt-get install spin")


def run(command, folder):
    """Returns output, exit code and processor seconds."""
    with tempfile.TemporaryFile() as output:
        process = subprocess.Popen(command, cwd=folder, stdout=output, stderr=subprocess.STDOUT)
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
        output.seek(0)
        return output.read().decode(), process.returncode, usage.ru_utime + usage.ru_stime


def number(pattern, text):
    found = re.search(pattern, text)
    if not found:
        sys.exit(f"SPIN did not print {pattern}:\n{text}")
    return float(found.group(1))


class Spin:
    def __init__(self, model, folder, flags):
        self.live = model.liveness
        self.folder = folder
        folder.mkdir(parents=True)
        (folder / "model.pml").write_text(model.promela)
        subprocess.run(["spin", "-a", "model.pml"], cwd=folder, check=True, stdout=subprocess.DEVNULL)
        options = ["-O3", "-DNOREDUCE", "-DNOFAIR", "-DMEMLIM=8000", *flags]
        options += [] if self.live else ["-DSAFETY"]
        subprocess.run(["gcc", "-w", *options, "-o", "pan", "pan.c"], cwd=folder, check=True)
        first = self.once(10_000_000, 22)
        self.depth = int(first["depth"] * 1.01) + 100
        self.hash_bits = max(10, int(first["states"]).bit_length())

    def once(self, depth, hash_bits):
        command = ["./pan", "-a" if self.live else "-E", f"-m{depth}", f"-w{hash_bits}"]
        text, code, seconds = run(command, self.folder)
        if code != 0 or "errors: 0" not in text or "max search depth too small" in text:
            sys.exit(f"SPIN did not finish:\n{text}")
        states = number(r"([\d.e+]+) states, stored", text)
        used = number(r"([\d.]+)\s+actual memory usage for states", text)
        return {
            "states": states,
            "transitions": number(r"([\d.e+]+) transitions \(=", text),
            "seconds": seconds,
            "depth": number(r"depth reached (\d+)", text),
            "store_bytes": used * MEGABYTE / states,
            "all_bytes": number(r"([\d.]+)\s+total actual memory usage", text) * MEGABYTE / states,
        }

    def round(self):
        return self.once(self.depth, self.hash_bits)


class Mazurka:
    def __init__(self, mazurka, model, folder):
        folder.mkdir(parents=True)
        self.folder = folder
        (folder / "model.tester").write_text(model.tester)
        self.command = [mazurka, "lts", "verify", str(model.network), "--tester", "model.tester"]
        self.command += ["--json=result.json"]

    def round(self):
        text, code, seconds = run(self.command, self.folder)
        if code != 0:
            sys.exit(f"{' '.join(self.command)} failed:\n{text}")
        result = json.loads((self.folder / "result.json").read_text())
        return {
            "states": result["states"],
            "transitions": result["steps"],
            "passes": result["passes"],
            "seconds": seconds,
            "store_bytes": result["table_bytes_per_state"],
            "all_bytes": result["bytes_per_state"],
        }


def measure(model, mazurka, folder, rounds):
    tools = {
        "mazurka": Mazurka(mazurka, model, folder / "mazurka"),
        "spin": Spin(model, folder / "spin", []),
        "spin -DCOLLAPSE": Spin(model, folder / "collapse", ["-DCOLLAPSE"]),
    }
    results = {}
    for _ in range(rounds):
        for name, tool in tools.items():
            result = tool.round()
            if name not in results or result["seconds"] < results[name]["seconds"]:
                results[name] = result
    for result in results.values():
        result["transitions_per_second"] = result["transitions"] / result["seconds"]
    return results


def print_rows(model, results):
    ours = results["mazurka"]
    kind = "liveness" if model.liveness else "reachability"
    for name, result in results.items():
        row = f"{model.name + ', ' + kind:<36} {name:<16} {result['states']:>9.0f} "
        row += f"{result['transitions_per_second'] / 1e6:>7.2f} {result['store_bytes']:>7.1f} "
        row += f"{result['all_bytes']:>7.1f}"
        if result is not ours:
            speed = ours["transitions_per_second"] / result["transitions_per_second"]
            row += f" {speed:>8.2f} {ours['store_bytes'] / result['store_bytes']:>7.2f}"
            row += f" {ours['all_bytes'] / result['all_bytes']:>7.2f}"
        print(row, flush=True)


def reaches_aims(results):
    ours, spin = results["mazurka"], results["spin"]
    return (
        ours["transitions_per_second"] >= SPEED_AIM * spin["transitions_per_second"]
        and ours["store_bytes"] <= BYTES_AIM * spin["store_bytes"]
        and ours["all_bytes"] <= BYTES_AIM * spin["all_bytes"]
    )


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("mazurka", type=pathlib.Path)
    parser.add_argument("--json", type=pathlib.Path, help="write the figures as JSON, too")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--only", default="", help="only models with this in their name")
    arguments = parser.parse_args()
    ensure_spin()
    print(f"{'model':<36} {'tool':<16} {'states':>9} {'Mtr/s':>7} {'store B':>7} {'all B':>7} "
          f"{'speed x':>8} {'store':>7} {'all':>7}")
    report = []
    with tempfile.TemporaryDirectory() as folder:
        root = pathlib.Path(folder)
        for i, model in enumerate(lts_models.all_models(root / "models")):
            if arguments.only not in model.name:
                continue
            results = measure(model, str(arguments.mazurka.resolve()), root / str(i), arguments.rounds)
            print_rows(model, results)
            report.append({"model": model.name, "liveness": model.liveness,
                           "reaches_aims": reaches_aims(results), "tools": results})
    missed = [entry["model"] for entry in report if not entry["reaches_aims"]]
    print("aims against spin: " + (f"missed by {', '.join(missed)}" if missed else "reached by all"))
    if arguments.json:
        arguments.json.write_text(json.dumps(report, indent=2) + "\n")


if __name__ == "__main__":
    main()
