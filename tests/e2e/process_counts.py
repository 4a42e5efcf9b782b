#!/usr/bin/env python3
"""What the plain search must count on the programs with several processes: each is written down again
here, as scripts for interleavings.py with the few operations that processes need. Used as count.py.
"""

import sys

import count
from interleavings import ALWAYS, Mutex, Op, Semaphore, always


class SemSet:
    def __init__(self, *values):
        self.values = list(values)
        self.removed = False
        self.owed = {}  # SEM_UNDO: process -> {number: adjustment}

    def blocks(self, parts):
        values = list(self.values)
        for number, delta in parts:
            if values[number] + delta < 0 or (delta == 0 and values[number] != 0):
                return True
            values[number] += delta
        return False

    def _do(self, me, parts, undo):
        for number, delta in parts:
            self.values[number] += delta
            if undo:
                owed = self.owed.setdefault(me, {})
                owed[number] = owed.get(number, 0) - delta

    def op(self, *parts, undo=False):
        return Op(
            lambda me: [] if self.blocks(parts) and not self.removed else ALWAYS,
            lambda me, outcome: None if self.removed else self._do(me, parts, undo),
        )

    def try_op(self, *parts):
        """IPC_NOWAIT or a timeout: False if it cannot be done now."""
        return always(lambda me: not self.blocks(parts) and (self._do(me, parts, False), True)[1])

    def get(self, number):
        return always(lambda me: self.values[number])

    def remove(self):
        return always(lambda me: setattr(self, "removed", True))

    def end(self):
        """The end of a process that owes something: others can notice it."""

        def apply(me):
            for number, delta in self.owed.pop(me, {}).items():
                self.values[number] += delta

        return always(apply)


class Name:
    def __init__(self):
        self.exists = False

    def open(self, create=False):
        """True: made. False: found, EEXIST or ENOENT; nobody here asks which."""

        def apply(me):
            made = create and not self.exists
            self.exists = self.exists or create
            return made

        return always(apply)

    def unlink(self):
        return always(lambda me: setattr(self, "exists", False))


def wait_any(children):
    """The outcome is the child; no child left is an error at once."""

    def enabled(me):
        left = [child for child in children if not child.joined]
        return [child for child in left if child.ended] if left else [None]

    def apply(me, child):
        if child is not None:
            child.joined = True
        return child

    return Op(enabled, apply)


def wait_or_not(child):
    """waitpid with WNOHANG, or without a child to wait for."""

    def apply(me):
        child.joined = child.joined or child.ended
        return child.joined

    return always(apply)


def end(thread):
    thread.pending = None
    thread.ended = True


def fork_wait_any(world):
    semaphores = SemSet(0, 0)

    def child(world, number):
        yield semaphores.op((number, +1))

    children = [world.create(child, number) for number in range(2)]
    for _ in range(3):
        yield wait_any(children)


def wait_forms(world):
    semaphore = SemSet(0)

    def first(world):
        yield semaphore.op((0, +1))

    def second(world):
        return
        yield

    child = world.create(first)
    if not (yield wait_or_not(child)):
        yield world.join(child)
    yield wait_or_not(child)  # ECHILD
    yield wait_or_not(child)  # ECHILD: oneself
    yield world.join(world.create(second))


def exec_self(world):
    semaphore = SemSet(0)

    def child(world):
        yield semaphore.op((0, +1))

    process = world.create(child)
    yield semaphore.op((0, -1))
    yield world.join(process)


def exec_with_threads(world):
    semaphores = SemSet(0, 0)

    def thread(world):
        yield semaphores.op((0, +1))
        yield semaphores.op((0, +1))

    def child(world):
        other = world.create(thread)
        yield semaphores.op((1, +1))
        # Nobody joined the other thread, so exec is an operation even where it has ended already.
        yield always(lambda me: None if other.ended else end(other))
        other.joined = True
        yield semaphores.get(0)
        yield semaphores.get(1)

    yield world.join(world.create(child))
    yield semaphores.get(0)


def shell(world):
    """What it does about signals: two actions."""
    yield always(lambda me: None)
    yield always(lambda me: None)
    yield always(lambda me: None)  # before its end, because of its handler


def exec_script(world):
    for _ in range(3):
        yield world.join(world.create(shell))


def spawn_and_system(world):
    def child(world):
        return
        yield

    yield world.join(world.create(shell))  # posix_spawnp
    yield always(lambda me: None)  # ECHILD
    yield world.join(world.create(shell))  # system
    yield world.join(world.create(child))  # vfork


def sysv_semop_forms(world):
    semaphores = SemSet(1, 1, 1)

    def child(world):
        yield semaphores.op((0, -1), (1, -1))
        yield semaphores.op((0, +1), (1, +1), (2, -1))

    # Alone: only what is no setting is visible, and nothing of it here reaches a semaphore.
    process = world.create(child)
    yield semaphores.op((1, -1), (0, -1))
    assert not (yield semaphores.try_op((0, -1)))
    yield semaphores.op((0, +1), (1, +1))
    yield semaphores.op((2, 0))
    yield wait_any([process])
    assert not (yield semaphores.try_op((2, -1)))
    for _ in range(5):  # GETALL, GETVAL twice, IPC_STAT, and GETVAL of a set that is gone
        yield semaphores.get(0)


def sysv_undo(world):
    semaphores = SemSet(1, 0)

    def child(world):
        yield semaphores.op((0, -1), undo=True)
        yield semaphores.op((1, +1))
        yield semaphores.end()

    process = world.create(child)
    yield semaphores.op((1, -1))
    yield semaphores.op((0, -1))
    yield semaphores.get(0)
    assert (yield wait_or_not(process))


def sysv_keys(world):
    name = Name()
    semaphores = SemSet(0)

    def maker(world):
        yield name.open(create=True)

    def waiter(world):
        yield semaphores.op((0, -1))

    process = world.create(maker)
    yield name.open(create=True)
    yield world.join(process)
    process = world.create(waiter)  # semget in between: alone, invisible
    yield semaphores.remove()
    yield world.join(process)


def shared_mutex_between_processes(world):
    mutex = Mutex()

    def work(world):
        yield mutex.lock()
        yield mutex.unlock()

    child = world.create(work)
    yield mutex.lock()
    yield mutex.trylock()
    yield mutex.unlock()
    yield from work(world)
    yield wait_any([child])


def private_mutex_copied_by_fork(world):
    mine, copy = Mutex(), Mutex()
    yield mine.lock()

    def child(world):
        copy.take(world.me)
        yield copy.unlock()
        yield copy.lock()

    process = world.create(child)
    yield mine.trylock()
    yield mine.unlock()
    yield wait_any([process])


def named_semaphore(world):
    name = Name()
    semaphore = Semaphore(0)

    def make_or_open():
        if not (yield name.open(create=True)):
            yield name.open()

    def child(world):
        yield from make_or_open()
        yield semaphore.post()

    process = world.create(child)
    yield from make_or_open()
    yield name.open(create=True)
    yield semaphore.wait()
    yield wait_any([process])
    yield semaphore.getvalue()
    yield semaphore.post()  # opening and unlinking in between: alone, invisible
    yield semaphore.trywait()


def shm_open_two_processes(world):
    name = Name()
    name.exists = True
    ready = Semaphore(0)

    def child(world):
        yield name.open()
        yield ready.post()

    process = world.create(child)
    yield name.unlink()
    yield ready.wait()
    yield wait_any([process])


def sysv_shm(world):
    name = Name()
    mutex = Mutex()

    def work(world):
        yield mutex.lock()
        yield mutex.unlock()
        yield name.open(create=True)

    process = world.create(work)
    yield from work(world)
    yield wait_any([process])


def pids(world):
    def child(world):
        yield always(lambda me: None)  # kill(parent, 0)

    def thread(world):
        yield always(lambda me: None)  # where it could take a signal before its end

    process = world.create(child)
    yield always(lambda me: None)  # kill(child, 0)
    yield world.join(process)
    yield always(lambda me: None)
    yield always(lambda me: None)  # sigaction
    for _ in range(5):  # a signal to oneself, and the return from its handler
        yield always(lambda me: None)
        yield always(lambda me: None)
    yield world.join(world.create(thread))


count.SCRIPTS = {
    script.__name__: script
    for script in (
        exec_script,
        exec_self,
        exec_with_threads,
        fork_wait_any,
        named_semaphore,
        pids,
        private_mutex_copied_by_fork,
        shared_mutex_between_processes,
        shm_open_two_processes,
        spawn_and_system,
        sysv_keys,
        sysv_semop_forms,
        sysv_shm,
        sysv_undo,
        wait_forms,
    )
}

if __name__ == "__main__":
    sys.exit(count.main(sys.argv[1:]))
