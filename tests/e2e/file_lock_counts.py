#!/usr/bin/env python3
"""What the plain search must count on the programs that lock files: each is written down again here, as
scripts for interleavings.py with the few operations that these need. Used as count.py.
"""

import sys

import count
from channel_counts import look
from interleavings import ALWAYS, Op, always
from process_counts import wait_any

SHARED, EXCLUSIVE = "shared", "exclusive"


class File:
    """Locks on all of it, by owner: a description, or for records a process."""

    def __init__(self):
        self.locks = {}

    def _is_kept_out(self, owner, how):
        others = [held for other, held in self.locks.items() if other != owner]
        return EXCLUSIVE in others or (how == EXCLUSIVE and len(others) > 0)

    def record(self, owner, how):
        return Op(
            lambda me: [] if self._is_kept_out(owner, how) else ALWAYS,
            lambda me, outcome: self.locks.update({owner: how}),
        )

    def lock(self, owner, how):
        """By flock: where the lock that there is cannot be changed at once, it is given up first."""

        def apply(me, outcome):
            is_given_up = self._is_kept_out(owner, how)
            self.locks.pop(owner, None)
            if not is_given_up:
                self.locks[owner] = how
            return not is_given_up

        def enabled(me):
            return [] if self._is_kept_out(owner, how) and owner not in self.locks else ALWAYS

        while not (yield Op(enabled, apply)):
            pass

    def unlock(self, owner):
        return always(lambda me: self.locks.pop(owner, None))


def wait_for_all(children):
    for _ in range(len(children) + 1):
        yield wait_any(children)


def flock_processes(world):
    file = File()

    def child(world, number, how):
        yield from file.lock(number, how)
        yield file.unlock(number)
        yield look()  # its end closes the file

    yield from wait_for_all([world.create(child, 1, EXCLUSIVE), world.create(child, 2, SHARED)])


def flock_upgrade(world):
    file = File()

    def child(world, number):
        yield from file.lock(number, SHARED)
        yield from file.lock(number, EXCLUSIVE)
        yield file.unlock(number)  # its end

    yield from wait_for_all([world.create(child, i) for i in range(2)])


def flock_inherited(world):
    file = File()
    holders = {"parent", "child"}
    yield from file.lock("inherited", EXCLUSIVE)

    def close(who):
        def apply(me):
            holders.remove(who)
            if not holders:
                file.locks.pop("inherited")

        return always(apply)

    def child(world):
        yield from file.lock("inherited", EXCLUSIVE)
        yield close("child")

    children = [world.create(child)]
    yield close("parent")
    yield from file.lock("other", EXCLUSIVE)
    yield wait_any(children)


def flock_threads(world):
    file = File()

    def worker(world, number):
        yield look()  # opening
        yield from file.lock(number, EXCLUSIVE)
        yield file.unlock(number)  # closing

    thread = world.create(worker, 1)
    yield from worker(world, 0)
    yield world.join(thread)


def deadlock_records(world):
    file = File()

    def child(world, number):
        yield file.record(number, SHARED)
        yield file.record(number, EXCLUSIVE)
        yield file.unlock(number)  # its end

    yield from wait_for_all([world.create(child, i) for i in range(2)])


deadlock_records.may_deadlock = True

count.SCRIPTS = {
    script.__name__: script
    for script in (deadlock_records, flock_inherited, flock_processes, flock_threads, flock_upgrade)
}

if __name__ == "__main__":
    sys.exit(count.main(sys.argv[1:]))
