#!/usr/bin/env python3
"""Writes the dining philosophers as a network: one .aut file each philosopher and fork, and the .net file.

    philosophers.py N FOLDER [--loop]

Without --loop, a philosopher eats once and stops, as in example 1 of P. Godefroid, "Model Checking for
Programming Languages using VeriSoft"; with it, he goes on for ever. All take their left fork first.
"""

import argparse
import pathlib


def aut(transitions, states):
    lines = [f"des (0, {len(transitions)}, {states})"]
    lines += [f'({source}, "{action}", {target})' for source, action, target in transitions]
    return "\n".join(lines) + "\n"


def philosopher(i, n, loop):
    left, right = f"fork{i}", f"fork{(i + 1) % n}"
    last = 0 if loop else 4
    return aut(
        [
            (0, f"p{i} takes {left}", 1),
            (1, f"p{i} takes {right}", 2),
            (2, f"p{i} puts {left}", 3),
            (3, f"p{i} puts {right}", last),
        ],
        4 if loop else 5,
    )


def fork(i, n):
    # On the table (0), or with one of its two neighbours. Only who took it puts it back, so one state
    # is enough for both.
    users = [i, (i - 1) % n]
    return aut(
        [(0, f"p{p} takes fork{i}", 1) for p in users] + [(1, f"p{p} puts fork{i}", 0) for p in users], 2
    )


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("n", type=int, help="philosophers, at least 2")
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("--loop", action="store_true", help="they eat again and again")
    arguments = parser.parse_args()
    if arguments.n < 2:
        parser.error("there are at least 2 philosophers")
    arguments.folder.mkdir(parents=True, exist_ok=True)
    net = []
    for i in range(arguments.n):
        (arguments.folder / f"p{i}.aut").write_text(philosopher(i, arguments.n, arguments.loop))
        (arguments.folder / f"fork{i}.aut").write_text(fork(i, arguments.n))
        net.append(f'process p{i} = "p{i}.aut"')
        net.append(f'process fork{i} = "fork{i}.aut"')
    (arguments.folder / "philosophers.net").write_text("\n".join(net) + "\n")


if __name__ == "__main__":
    main()
