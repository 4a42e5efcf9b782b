#!/usr/bin/env python3
"""What the plain search must count on the programs beside: each is written down again here, as thread
scripts for interleavings.py.

    count.py [NAME ...]            prints the counts
    count.py --check FOLDER        compares them with the `expect:` lines of the programs there
    count.py --write FOLDER        puts them there
"""

import pathlib
import re
import sys
from errno import EBUSY, EDEADLK, EOWNERDEAD, ETIMEDOUT

from interleavings import Barrier, Condition, Futex, Mutex, Once, RwLock, Semaphore, always, count


def join_all(world, threads):
    for thread in threads:
        yield world.join(thread)


def cond_broadcast_three(world):
    mutex, condition = Mutex(), Condition()
    go = []

    def waiter(world):
        yield mutex.lock()
        while not go:
            yield from condition.wait(mutex)
        yield mutex.unlock()

    threads = [world.create(waiter) for _ in range(3)]
    yield mutex.lock()
    go.append(1)
    yield mutex.unlock()
    yield condition.broadcast()
    yield from join_all(world, threads)


def cond_signal_chooses(world):
    mutex, condition = Mutex(), Condition()
    tickets = [0]

    def waiter(world):
        yield mutex.lock()
        while tickets[0] == 0:
            yield from condition.wait(mutex)
        tickets[0] -= 1
        yield condition.signal()
        yield mutex.unlock()

    threads = [world.create(waiter) for _ in range(2)]
    yield mutex.lock()
    tickets[0] = 2
    yield condition.signal()
    yield mutex.unlock()
    yield from join_all(world, threads)


def rwlock_two_readers_writer(world):
    lock = RwLock()

    def reader(world):
        yield lock.rdlock()
        yield lock.unlock()

    def try_reader(world):
        if (yield lock.tryrdlock()) == 0:
            yield lock.unlock()

    threads = [world.create(reader), world.create(try_reader)]
    yield lock.wrlock()
    yield always(lambda me: EDEADLK)
    assert (yield lock.trywrlock()) == EBUSY
    yield lock.unlock()
    yield from join_all(world, threads)


def rwlock_timed(world):
    lock = RwLock()

    def writer(world):
        if (yield lock.trywrlock(ETIMEDOUT)) == 0:
            yield always(lambda me: EDEADLK)
            yield lock.unlock()

    thread = world.create(writer)
    if (yield lock.tryrdlock(ETIMEDOUT)) == 0:
        assert (yield lock.trywrlock()) == EBUSY
        yield lock.unlock()
    yield world.join(thread)


def barrier_reused(world):
    barrier = Barrier(2)

    def walker(world):
        for _ in range(3):
            yield from barrier.wait()

    thread = world.create(walker)
    yield from walker(world)
    yield world.join(thread)


def timed_waits(world):
    mutex, condition, semaphore = Mutex(), Condition(), Semaphore(0)
    ready = []

    def waiter(world):
        if (yield mutex.timedlock()) != 0:
            return
        if not ready:
            yield from condition.timedwait(mutex)
        yield mutex.unlock()

    thread = world.create(waiter)
    yield mutex.lock()
    ready.append(1)
    yield condition.signal()
    yield mutex.unlock()
    assert (yield semaphore.timedwait()) == ETIMEDOUT
    yield world.join(thread)
    yield mutex.lock()
    assert (yield from condition.timedwait(mutex)) == ETIMEDOUT
    yield mutex.unlock()


def trylock(world):
    mutex = Mutex()

    def taker(world):
        if (yield mutex.trylock()) == 0:
            assert (yield mutex.trylock()) == EBUSY
            yield mutex.unlock()

    threads = [world.create(taker) for _ in range(2)]
    yield from taker(world)
    yield from join_all(world, threads)


def semaphore_forms(world):
    semaphore = Semaphore(1)

    def user(world):
        yield semaphore.wait()
        yield semaphore.getvalue()
        yield semaphore.post()

    threads = [world.create(user) for _ in range(2)]
    if (yield semaphore.trywait()) == 0:
        yield semaphore.post()
    yield from join_all(world, threads)
    yield semaphore.post()


def spin_locks(world):
    lock = Mutex()

    def adder(world):
        yield lock.lock()
        yield lock.unlock()

    def try_adder(world):
        if (yield lock.trylock()) == 0:
            yield lock.unlock()

    threads = [world.create(adder), world.create(try_adder)]
    yield from adder(world)
    yield from join_all(world, threads)
    for _ in range(2):
        yield from adder(world)


def once_and_statics(world):
    flag, control, guard = Once(), Once(), Once()

    def use_once(world):
        me = world.me
        yield from control.call(me, None)
        yield from guard.call(me, None)
        yield from guard.call(me, None)

    def throws():
        return False
        yield

    other = world.create(use_once)
    me = world.me
    assert not (yield from flag.call(me, throws))
    assert (yield from flag.call(me, None))
    yield from use_once(world)
    yield world.join(other)


def once_throws_while_others_wait(world):
    flag, guard = Once(), Once()
    attempts = []

    def fails_first(which):
        def routine():
            attempts.append(which)
            return attempts.count(which) > 1
            yield

        return routine

    def both(world):
        me = world.me
        yield from flag.call(me, fails_first("flag"))
        yield from guard.call(me, fails_first("guard"))

    other = world.create(both)
    yield from both(world)
    yield world.join(other)


def c11_threads(world):
    mutex, condition, once = Mutex(), Condition(), Once()
    ready = []

    def worker(world):
        yield from once.call(world.me, None)
        yield mutex.lock()
        ready.append(1)
        yield condition.signal()
        yield mutex.unlock()

    def leaver(world):
        return
        yield

    me = world.me
    thread = world.create(worker)
    yield mutex.lock()
    while not ready:
        yield from condition.wait(mutex)
    yield mutex.unlock()
    yield from once.call(me, None)
    yield world.join(thread)
    yield world.join(world.create(leaver))
    yield mutex.trylock()
    assert (yield mutex.trylock()) == EBUSY
    assert (yield mutex.timedlock()) == ETIMEDOUT
    assert (yield from condition.timedwait(mutex)) == ETIMEDOUT
    yield mutex.unlock()
    yield from world.pause()
    yield from world.pause()
    recursive = Mutex("recursive")
    for _ in range(2):
        yield recursive.lock()
    for _ in range(2):
        yield recursive.unlock()


def recursive_and_errorcheck(world):
    recursive, checking = Mutex("recursive"), Mutex("errorcheck")

    def thread_main(world):
        yield recursive.lock()
        yield recursive.lock()
        yield recursive.unlock()
        yield recursive.unlock()
        yield checking.unlock()

    thread = world.create(thread_main)
    yield checking.lock()
    assert (yield checking.lock()) == EDEADLK
    yield recursive.lock()
    yield recursive.trylock()
    yield recursive.unlock()
    yield recursive.unlock()
    yield checking.unlock()
    yield world.join(thread)
    yield recursive.unlock()


def robust_mutex(world):
    mutex = Mutex("errorcheck", robust=True)

    def leaver(world):
        assert (yield mutex.lock()) == 0

    thread = world.create(leaver)
    error = yield mutex.lock()
    if error == EOWNERDEAD:
        yield mutex.consistent()
    yield mutex.unlock()
    yield world.join(thread)
    again = yield mutex.trylock()
    assert (again == EOWNERDEAD) == (error == 0)
    yield mutex.unlock()
    if again == EOWNERDEAD:
        yield always(lambda me: "not recoverable")


def hundred_threads(world):
    turns = [Semaphore(0) for _ in range(101)]

    def in_turn(world, number):
        yield turns[number].wait()
        yield turns[number + 1].post()

    threads = [world.create(in_turn, number) for number in range(100)]
    yield turns[0].post()
    yield turns[100].wait()
    yield from join_all(world, threads)


def exceptions_across_threads(world):
    mutex = Mutex()

    def throws(world):
        yield mutex.lock()
        yield mutex.unlock()

    other = world.create(throws)
    yield from throws(world)
    yield world.join(other)


def thread_local_destructors(world):
    mutex = Mutex()

    def ends(world):
        yield mutex.lock()
        yield mutex.unlock()

    other, third = world.create(ends), world.create(ends)
    yield world.join(third)
    yield world.join(other)


def spin_then(world, holds):
    """libstdc++ before it waits on a futex: looks 16 times, and yields after the last four."""
    for i in range(16):
        if holds():
            return True
        if i >= 12:
            yield from world.pause()
    return False


def std_atomic_wait(world):
    futex, mutex = Futex(), Mutex()
    waiting = [0]

    def waiter(world):
        waiting[0] += 1
        while futex.value == 0:
            if (yield from spin_then(world, lambda: futex.value != 0)):
                break
            yield from futex.wait(0)
        waiting[0] -= 1

    thread = world.create(waiter)
    for _ in range(3):
        yield mutex.lock()
        yield mutex.unlock()
    futex.value = 1
    if waiting[0]:
        yield futex.wake_one()
    yield world.join(thread)


def std_shared_mutex(world):
    lock, timed = RwLock(), RwLock()

    def writer(world):
        yield lock.wrlock()
        yield lock.unlock()

    def reader(world):
        yield lock.rdlock()
        yield lock.unlock()

    threads = [world.create(writer), world.create(reader)]
    if (yield lock.tryrdlock()) == 0:
        yield lock.unlock()
    yield from join_all(world, threads)
    yield timed.rdlock()
    assert (yield timed.trywrlock(ETIMEDOUT)) == ETIMEDOUT
    yield timed.unlock()


def std_condition_variable_any(world):
    mutex, inner, condition = Mutex("recursive"), Mutex(), Condition()
    ready = []

    def waiter(world):
        yield mutex.lock()
        while not ready:
            yield inner.lock()
            yield mutex.unlock()
            yield from condition.wait(inner)
            yield inner.unlock()
            yield mutex.lock()
        yield mutex.unlock()

    thread = world.create(waiter)
    yield mutex.lock()
    ready.append(1)
    yield mutex.unlock()
    yield inner.lock()
    yield condition.signal()
    yield inner.unlock()
    yield world.join(thread)


def std_condition_variable_timed(world):
    mutex, condition = Mutex(), Condition()
    ready = []

    def waiter(world):
        yield mutex.lock()
        while not ready:
            if (yield from condition.timedwait(mutex)) == ETIMEDOUT:
                break
        yield mutex.unlock()

    thread = world.create(waiter)
    yield mutex.lock()
    ready.append(1)
    yield mutex.unlock()
    yield condition.broadcast()
    yield world.join(thread)


def std_timed_mutex(world):
    mutex, recursive = Mutex(), Mutex("recursive")

    def use(world):
        if (yield mutex.timedlock()) != 0:
            return
        assert (yield recursive.trylock()) == 0
        assert (yield recursive.timedlock()) == 0
        yield recursive.unlock()
        yield recursive.unlock()
        yield mutex.unlock()

    other = world.create(use)
    yield from use(world)
    yield world.join(other)


def std_latch(world):
    """It waits on a proxy word, which each notification changes."""
    mutex, version = Mutex(), Futex()
    left, waiting = [2], [0]

    def count_down(world):
        left[0] -= 1
        if left[0] == 0:
            version.value += 1
            if waiting[0]:
                yield version.wake_all()

    def other(world):
        yield mutex.lock()
        yield mutex.unlock()
        yield from count_down(world)

    thread = world.create(other)
    yield from count_down(world)
    waiting[0] += 1
    while left[0]:
        seen = version.value
        if (yield from spin_then(world, lambda: left[0] == 0)):
            break
        yield from version.wait(seen)
    waiting[0] -= 1
    yield world.join(thread)


def futex_by_syscall(world):
    futex = Futex()

    def waiter(world):
        while futex.value == 0:
            yield from futex.wait(0)

    def impatient(world):
        yield from futex.wait(0, timed=True)

    threads = [world.create(waiter), world.create(impatient)]
    futex.value = 1
    yield futex.wake_all()
    yield from join_all(world, threads)
    yield futex.wake_one()
    yield from futex.wait(0)
    yield from futex.wait(1, timed=True)


def process_shared_forms(world):
    """Processes are threads here: a fork creates, a wait joins."""
    mutex, condition, barrier, lock = Mutex(), Condition(), Barrier(2), RwLock()
    semaphore, ready = Semaphore(0), []

    def child(world):
        yield mutex.lock()
        while not ready:
            yield from condition.wait(mutex)
        yield mutex.unlock()
        yield from barrier.wait()
        yield lock.wrlock()
        yield lock.unlock()
        yield semaphore.post()

    process = world.create(child)
    yield mutex.lock()
    ready.append(1)
    yield condition.signal()
    yield mutex.unlock()
    yield from barrier.wait()
    yield lock.rdlock()
    yield lock.unlock()
    yield semaphore.wait()
    yield world.join(process)


def once_across_fork(world):
    def child(world):
        yield always(lambda me: None)  # the end of its copy of the control

    yield always(lambda me: None)
    process = world.create(child)
    yield always(lambda me: None)
    yield world.join(process)


def once_left_by_pthread_exit(world):
    once = Once()
    runs = []

    def routine():
        runs.append(1)
        return len(runs) > 1
        yield

    def thread_main(world):
        yield from once.call(world.me, routine)

    threads = [world.create(thread_main) for _ in range(2)]
    yield from join_all(world, threads)


SCRIPTS = {
    script.__name__: script
    for script in (
        barrier_reused,
        c11_threads,
        cond_broadcast_three,
        cond_signal_chooses,
        exceptions_across_threads,
        futex_by_syscall,
        hundred_threads,
        once_across_fork,
        once_and_statics,
        once_left_by_pthread_exit,
        once_throws_while_others_wait,
        process_shared_forms,
        recursive_and_errorcheck,
        robust_mutex,
        rwlock_timed,
        rwlock_two_readers_writer,
        semaphore_forms,
        spin_locks,
        std_atomic_wait,
        std_condition_variable_any,
        std_condition_variable_timed,
        std_latch,
        std_shared_mutex,
        std_timed_mutex,
        thread_local_destructors,
        timed_waits,
        trylock,
    )
}

COUNTS = re.compile(r"^// expect: executions=(\d+) transitions=(\d+) ", re.MULTILINE)


def source_of(folder, name):
    for suffix in (".c", ".cpp"):
        path = pathlib.Path(folder, name + suffix)
        if path.exists():
            return path
    sys.exit(f"no program {name} in {folder}")


def write(folder):
    for name, script in SCRIPTS.items():
        path = source_of(folder, name)
        executions, transitions = count(script)
        line = f"// expect: executions={executions} transitions={transitions} "
        path.write_text(COUNTS.sub(line, path.read_text(), count=1))


def check(folder):
    wrong = 0
    for name, script in SCRIPTS.items():
        found = COUNTS.search(source_of(folder, name).read_text())
        said = tuple(map(int, found.groups())) if found else None
        counted = count(script)
        if said != counted:
            print(f"{name}: the program says {said}, the script counts {counted}")
            wrong += 1
    return wrong


def main(arguments):
    if arguments[:1] == ["--check"]:
        return check(arguments[1]) != 0
    if arguments[:1] == ["--write"]:
        return write(arguments[1])
    for name in arguments or SCRIPTS:
        executions, transitions = count(SCRIPTS[name])
        print(f"{name}: executions={executions} transitions={transitions}")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
