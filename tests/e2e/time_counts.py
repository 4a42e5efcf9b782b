#!/usr/bin/env python3
"""What the plain search must count on the programs with time, chance and tosses: each is written
down again here, as scripts for interleavings.py. Used as count.py.
"""

import sys

import count
from interleavings import Mutex, Op, Semaphore


def toss(largest):
    return Op(lambda me: list(range(largest + 1)), lambda me, outcome: outcome)


def virtual_time(world):
    mutex = Mutex()

    def work(world):
        yield mutex.lock()
        yield mutex.unlock()

    thread = world.create(work)
    yield from work(world)
    yield world.join(thread)


def pauses_until(deadline_us):
    """How often a thread yields until then: a microsecond at a time, after 8 times longer and longer."""
    passed_us = pauses = 0
    while passed_us < deadline_us:
        passed_us += 2 ** max(0, pauses - 8)
        pauses += 1
    return pauses


def yields_and_sleeps(world):
    mutex, go, done = Mutex(), Semaphore(0), []

    def worker(world):
        yield mutex.lock()
        yield mutex.unlock()
        done.append(1)

    def waiter(world):
        yield go.wait()

    for _ in range(1000):
        yield from world.pause()
    thread = world.create(worker)
    rounds = 0
    while not done:
        yield from world.come_round() if rounds > 0 else world.pause()
        rounds += 1
    yield world.join(thread)
    thread = world.create(waiter)
    for _ in range(5):
        yield from world.pause()
    yield go.post()
    for _ in range(pauses_until(3600 * 1000 * 1000)):
        yield from world.pause()
    yield world.join(thread)


def toss_program(world):
    def tosser(world):
        yield toss(1)

    yield toss(0)
    thread = world.create(tosser)
    first = yield toss(2)
    yield toss(first)
    yield world.join(thread)


toss_program.__name__ = "toss"


def random_is_repeatable(world):
    semaphores = [Semaphore(0) for _ in range(3)]

    def draw(world):
        for semaphore in semaphores:  # which ones does not matter: a post never waits
            yield semaphore.post()

    thread = world.create(draw)
    yield from draw(world)
    yield world.join(thread)


def cpus(world):
    mutex = Mutex()

    def locker(world):
        yield mutex.lock()
        yield mutex.unlock()

    yield world.join(world.create(locker))


count.SCRIPTS = {
    script.__name__: script
    for script in (cpus, random_is_repeatable, toss_program, virtual_time, yields_and_sleeps)
}

if __name__ == "__main__":
    sys.exit(count.main(sys.argv[1:]))
