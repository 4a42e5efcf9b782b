#!/usr/bin/env python3
"""Random C programs of processes and threads with pipes, message queues, datagrams, eventfds, poll, files and their locks, against an
interpreter.

    random_channels_test.py CC

Each program is a list of statements for each of its threads and processes, written down as C and run by
interleavings.py. The plain search must count what the interpreter counts, and find a deadlock if and only if there is one. What
the threads saw is summed up in the end, and the program claims that the sum is not a certain number: one that the interpreter has
met, or one that it has not. Every other search must find what the plain one finds (`--compare=none`).
MAZURKA_RANDOM_PROGRAMS says how many, MAZURKA_RANDOM_SEED=N runs the program N alone and keeps its source.
"""

import json
import os
import pathlib
import random
import subprocess
import sys
import tempfile

import random_file_locks
import random_files
from interleavings import ALWAYS, Op, World, always
from random_programs_test import MAZURKA, search_names

PROGRAMS = 18
MOST_EXECUTIONS = 400  # what takes more is left out
WORD = 2**64

PREAMBLE = """\
#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <mqueue.h>
#include <netinet/in.h>
#include <poll.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/eventfd.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static int pipes[2][2], counters[2], sockets[2];
static struct sockaddr_in ports[2];
static mqd_t queues[2];
static uint64_t* seen;

static void note(int me, uint64_t result) { seen[me] = seen[me] * 31 + result + 1; }

static uint64_t read_pipe(int i) {
  unsigned char byte;
  assert(read(pipes[i][0], &byte, 1) == 1);
  return byte;
}
static void write_pipe(int me, int i) {
  unsigned char byte = (unsigned char)me;
  assert(write(pipes[i][1], &byte, 1) == 1);
}
static uint64_t receive(int i, const struct timespec* deadline) {
  unsigned char bytes[8];
  unsigned priority;
  if (mq_timedreceive(queues[i], (char*)bytes, 8, &priority, deadline) != 1) return 99;
  return bytes[0] * 10 + priority;
}
static void send_message(int me, int i, unsigned priority) {
  char byte = (char)me;
  assert(mq_send(queues[i], &byte, 1, priority) == 0);
}
static uint64_t receive_datagram(int i) {
  unsigned char byte;
  assert(recv(sockets[i], &byte, 1, 0) == 1);
  return byte;
}
static void send_datagram(int me, int i) {
  char byte = (char)me;
  assert(sendto(sockets[1 - i], &byte, 1, 0, (struct sockaddr*)&ports[i], sizeof ports[i]) == 1);
}
static void open_sockets(void) {
  for (int i = 0; i < 2; ++i) {
    ports[i].sin_family = AF_INET;
    ports[i].sin_port = htons(7000 + i);
    ports[i].sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    sockets[i] = socket(AF_INET, SOCK_DGRAM, 0);
    assert(bind(sockets[i], (struct sockaddr*)&ports[i], sizeof ports[i]) == 0);
  }
}
static uint64_t take(int i) {
  uint64_t value;
  assert(read(counters[i], &value, 8) == 8);
  return value;
}
static void add(int i, uint64_t value) { assert(write(counters[i], &value, 8) == 8); }
static uint64_t wait_for(int i, int timeout) {
  struct pollfd all[] = {{pipes[i][0], POLLIN}, {queues[i], POLLIN}, {counters[i], POLLIN}};
  uint64_t ready = 0;
  poll(all, 3, timeout);
  for (int k = 0; k < 3; ++k) ready |= (uint64_t)(all[k].revents != 0) << k;
  return ready;
}
static void set_up(int places, int flags) {
  struct mq_attr attributes = {.mq_maxmsg = places, .mq_msgsize = 8};
  seen = mmap(0, 4096, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  for (int i = 0; i < 2; ++i) {
    assert(pipe(pipes[i]) == 0);
    queues[i] = mq_open(i == 0 ? "/zero" : "/one", O_RDWR | O_CREAT, 0600, &attributes);
    counters[i] = eventfd(0, flags);
    assert(queues[i] >= 0 && counters[i] >= 0);
  }
}
static uint64_t sum(int count) {
  uint64_t all = 0;
  for (int i = 0; i < count; ++i) all = all * 1000003 + seen[i];
  return all;
}
""" + random_file_locks.PREAMBLE + random_files.PREAMBLE

# What each statement is in C; {0} is who does it, {1} the number of the object, {2} a small number.
IN_C = {
    "write": "write_pipe({0}, {1});",
    "read": "note({0}, read_pipe({1}));",
    "send": "send_message({0}, {1}, {2});",
    "receive": "note({0}, receive({1}, NULL));",
    "try_receive": "{{ struct timespec past = {{0}}; note({0}, receive({1}, &past)); }}",
    "sendto": "send_datagram({0}, {1});",
    "recv": "note({0}, receive_datagram({1}));",
    "add": "add({1}, {2} + 1);",
    "take": "note({0}, take({1}));",
    "poll": "note({0}, wait_for({1}, -1));",
    "look": "note({0}, wait_for({1}, 0));",
}
SETS = [["write", "read", "write"], ["sendto", "recv", "sendto"], ["send", "receive", "send", "try_receive"], ["add", "take", "add"],
        ["write", "send", "add", "poll", "look"], list(IN_C), *random_file_locks.SETS, *random_files.SETS]
IN_C |= random_file_locks.IN_C | random_files.IN_C


class Program:
    def __init__(self, seed):
        dice = random.Random(seed)
        self.seed = seed
        self.places = dice.choice([1, 2])
        self.gives_one = dice.random() < 0.3
        kinds = SETS[seed % len(SETS)]
        count = dice.choice([2, 2, 3])
        self.bodies = [
            [(dice.choice(kinds), dice.randrange(2) if count == 2 else 0, dice.randrange(2))
             for _ in range(dice.choice([1, 2, 3] if count == 2 else [1, 1, 2]))]
            for _ in range(count)
        ]
        used = {kind for body in self.bodies for kind, _, _ in body}
        if used & set(random_files.IN_C) and "make_file" not in used:  # looking is no operation where nobody changes files
            self.bodies[0][0] = ("make_file", 0, 0)
        self.has_sockets = any(kind in ("sendto", "recv") for body in self.bodies for kind, _, _ in body)
        self.has_files = any(kind in random_file_locks.IN_C for body in self.bodies for kind, _, _ in body)
        self.is_process = [False] + [dice.random() < 0.6 for _ in range(count - 1)]

    def functions(self, claimed):
        name = f"p{self.seed}"
        text = ""
        for me, body in enumerate(self.bodies):
            lines = [IN_C[kind].format(me, i, number) for kind, i, number in body]
            text += f"static void* {name}_{me}(void* unused) {{\n  " + "\n  ".join(lines) + "\n  return unused;\n}\n"
        lines = [f"set_up({self.places}, {'EFD_SEMAPHORE' if self.gives_one else 0});", "pthread_t t[3];", "pid_t c[3];"]
        lines += ["open_sockets();"] if self.has_sockets else []
        lines += ["open_files();"] if self.has_files else []
        others = range(1, len(self.bodies))
        lines += [f"if ((c[{i}] = fork()) == 0) {{ {name}_{i}(0); _exit(0); }}" for i in others if self.is_process[i]]
        lines += [f"pthread_create(&t[{i}], 0, {name}_{i}, 0);" for i in others if not self.is_process[i]]
        lines += [f"{name}_0(0);"]
        lines += [f"pthread_join(t[{i}], 0);" for i in others if not self.is_process[i]]
        lines += [f"waitpid(c[{i}], 0, 0);" for i in others if self.is_process[i]]
        lines += [f"assert(sum({len(self.bodies)}) != {claimed}u);", "return 0;"]
        return text + f"static int {name}(void) {{\n  " + "\n  ".join(lines) + "\n}\n"


class Objects:
    """The objects with one number, and what statements do to them."""

    def __init__(self, places, gives_one):
        self.bytes, self.messages, self.datagrams, self.count = [], [], [], 0
        self.places, self.gives_one = places, gives_one

    def ready(self):
        return bool(self.bytes) | bool(self.messages) << 1 | (self.count > 0) << 2

    def take(self):
        taken = 1 if self.gives_one else self.count
        self.count -= taken
        return taken

    def receive(self):
        best = max(self.messages, key=lambda message: message[0])  # the oldest of these
        self.messages.remove(best)
        return best[1] * 10 + best[0]

    def add(self, value):
        self.count += value

    def operation(self, kind, me, number):
        """And whether what it returns is noted."""
        when = lambda condition, do: Op(lambda t: ALWAYS if condition() else [], lambda t, outcome: do())
        return {
            "write": lambda: (always(lambda t: self.bytes.append(me)), False),
            "read": lambda: (when(lambda: self.bytes, lambda: self.bytes.pop(0)), True),
            "send": lambda: (when(lambda: len(self.messages) < self.places,
                                  lambda: self.messages.append((number, me))), False),
            "receive": lambda: (when(lambda: self.messages, self.receive), True),
            "try_receive": lambda: (always(lambda t: self.receive() if self.messages else 99), True),
            "sendto": lambda: (always(lambda t: self.datagrams.append(me)), False),
            "recv": lambda: (when(lambda: self.datagrams, lambda: self.datagrams.pop(0)), True),
            "add": lambda: (always(lambda t: self.add(number + 1)), False),
            "take": lambda: (when(lambda: self.count > 0, self.take), True),
            "poll": lambda: (when(self.ready, self.ready), True),
            "look": lambda: (always(lambda t: self.ready()), True),
        }[kind]()


class TooLarge(Exception):
    pass


def script(program, seen, claimed):
    objects = [Objects(program.places, program.gives_one) for _ in range(2)]
    files = [random_file_locks.FileLocks() for _ in range(2)]
    names = random_files.Names()

    def operation(kind, i, me, number):
        if kind in random_file_locks.IN_C:
            return files[i].operation(kind, me, me if program.is_process[me] else 0, number)
        if kind in random_files.IN_C:
            return names.operation(kind, i, number), True
        return objects[i].operation(kind, me, number)

    def body(world, me):
        for kind, i, number in program.bodies[me]:
            chosen, is_noted = operation(kind, i, me, number)
            while (result := (yield chosen)) == random_file_locks.GIVEN_UP:
                pass
            if is_noted:
                seen[me] = (seen[me] * 31 + result + 1) % WORD
        if program.is_process[me]:
            yield always(lambda t: [file.end(me) for file in files])  # its end closes what it holds

    def main(world):
        for _ in range(2 if program.has_sockets else 0):
            yield always(lambda t: None)  # bind
        others = range(1, len(program.bodies))
        order = [i for i in others if program.is_process[i]] + [i for i in others if not program.is_process[i]]
        made = {i: world.create(body, i) for i in order}
        yield from body(world, 0)
        for i in [i for i in others if not program.is_process[i]] + [i for i in others if program.is_process[i]]:
            yield world.join(made[i])
        if total(seen) == claimed:
            yield always(lambda t: None)  # the failed assertion

    return main


def total(seen):
    result = 0
    for value in seen:
        result = (result * 1000003 + value) % WORD
    return result


def explore(program, claimed=None):
    """(executions, transitions, sums, deadlocks) of the plain search."""
    executions = transitions = deadlocks = 0
    sums = set()
    path = []
    while True:
        seen = [0] * len(program.bodies)
        world = World()
        world.create(script(program, seen, claimed))
        depth = 0
        while choices := world.choices():
            if depth == len(path):
                path.append([len(choices), 0])
                transitions += 1
            world.step(*choices[path[depth][1]])
            depth += 1
        executions += 1
        if executions > MOST_EXECUTIONS:
            raise TooLarge
        if all(thread.ended for thread in world.threads):
            sums.add(total(seen))
        else:
            deadlocks += 1
        while path and path[-1][1] + 1 == path[-1][0]:
            path.pop()
        if not path:
            return executions, transitions, sums, deadlocks
        path[-1][1] += 1
        transitions += 1


def claim(program):
    """The number for the program's assertion, and what a search must count and find with it."""
    sums = explore(program)[2]
    is_wrong = bool(sums) and program.seed % 3 != 0
    claimed = random.Random(program.seed).choice(sorted(sums)) if is_wrong else (max(sums, default=0) + 1) % WORD
    executions, transitions, _, deadlocks = explore(program, claimed)
    kinds = (["assertion"] if is_wrong else []) + (["deadlock"] if deadlocks else [])
    return claimed, (executions, transitions, kinds)


def run(binary, seed, search, folder):
    report = pathlib.Path(folder, "report.json")
    report.unlink(missing_ok=True)
    options = ["--keep-going"] if search == "none" else ["--compare=none"]
    command = [MAZURKA, "check", f"--search={search}", *options, f"--jobs={1 + seed % 2}", f"--json={report}",
               f"--schedules={folder}", str(binary), str(seed)]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, timeout=120)
    if done.returncode == 4 or not report.exists():
        sys.exit(" ".join(command) + "\n" + done.stdout + done.stderr)
    return json.loads(report.read_text()), " ".join(command)


def check(binary, seed, expected, searches, folder):
    report, command = run(binary, seed, "none", folder)
    kinds = sorted({finding["kind"] for finding in report["findings"]})
    found = (report["executions"], report["transitions"], kinds)
    if found != expected or report["guarantee"] != "complete":
        sys.exit(f"{command}\nprogram {seed}: {found}, {report['guarantee']}; the interpreter says {expected}; "
                 f"repeat it with MAZURKA_RANDOM_SEED={seed}")
    for search in searches:
        run(binary, seed, search, folder)


def source(programs):
    table = ", ".join(f"{{{program.seed}, p{program.seed}}}" for program, _ in programs)
    return (PREAMBLE + "".join(program.functions(claimed) for program, claimed in programs) + f"""
static const struct {{ int seed; int (*run)(void); }} programs[] = {{{table}}};

int main(int argc, char** argv) {{
  const int seed = argc > 1 ? atoi(argv[1]) : 0;
  for (unsigned i = 0; i < sizeof programs / sizeof *programs; ++i) {{
    if (programs[i].seed == seed) return programs[i].run();
  }}
  return 2;
}}
""")


def main(compiler):
    one = os.environ.get("MAZURKA_RANDOM_SEED")
    wanted = 1 if one else int(os.environ.get("MAZURKA_RANDOM_PROGRAMS", PROGRAMS))
    programs, expected = [], {}
    seed = int(one) if one else 1
    while len(programs) < wanted:
        program = Program(seed)
        try:
            claimed, expected[seed] = claim(program)
            programs.append((program, claimed))
        except TooLarge:
            if one:
                sys.exit("too large")
        seed += 1
    with tempfile.TemporaryDirectory() as temporary:
        folder = pathlib.Path("." if one else temporary).resolve()
        file = folder / "random_channels.c"
        file.write_text(source(programs))
        binary = folder / "random_channels"
        for name in random_file_locks.FILES:
            (folder / name).touch()
        subprocess.run([compiler, "-g", "-O0", "-w", "-pthread", "-o", binary, file], check=True)
        searches = search_names()
        for program, _ in programs:
            check(binary, program.seed, expected[program.seed], searches, folder)
    kinds = [kind for _, _, found in expected.values() for kind in found]
    print(f"{wanted} programs of {seed - 1}: {sum(e[0] for e in expected.values())} executions, "
          f"{kinds.count('deadlock')} with a deadlock, {kinds.count('assertion')} with a wrong claim")
    if not one and (not 0 < kinds.count("deadlock") < wanted or not kinds.count("assertion")):
        sys.exit("the programs are all of one kind")


if __name__ == "__main__":
    main(*sys.argv[1:])
