#!/usr/bin/env python3
"""What the plain search must count on the programs with signals: each is written down again here, as scripts
for interleavings.py with the few operations that these need. Used as count.py.
"""

import sys
from errno import EINTR

import count
from channel_counts import Pipe, wait_for_input
from interleavings import ALWAYS, NOBODY, Mutex, Op, always

FIRST, THEN = "first", "then"  # a signal is taken before the operation, or within it
NEVER = Op(lambda me: [], None)


def look():
    return always(lambda me: None)


class Signal:
    """One signal for one thread. The handler is a generator function."""

    def __init__(self, handler=lambda: iter(()), restarts=False, blocked=False):
        self.handler = handler
        self.restarts = restarts
        self.blocked = blocked
        self.is_pending = False

    def send(self):
        return always(lambda me: setattr(self, "is_pending", True))

    def _take(self, blocks):
        self.is_pending = False
        self.blocked = blocks

    def _handle(self):
        yield from self.handler()
        yield from self.unblock()

    def unblock(self):
        """Also the return from a handler: what is pending is taken at once."""

        def apply(me, outcome):
            self.blocked = False
            if outcome == THEN:
                self._take(True)
            return outcome

        if (yield Op(lambda me: [THEN] if self.is_pending else ALWAYS, apply)) == THEN:
            yield from self._handle()

    def at(self, op, interruptible=False):
        """The operation of a thread that may take the signal."""

        def enabled(me):
            plain = op.enabled(me)
            if not self.is_pending or self.blocked:
                return plain
            fails = interruptible and not self.restarts and not plain
            return list(plain) + [FIRST] + ([THEN] if fails else [])

        def apply(me, outcome):
            if outcome not in (FIRST, THEN):
                return None, op.apply(me, outcome)
            self._take(True)
            return outcome, None

        while True:
            how, result = yield Op(enabled, apply)
            if how is None:
                return result
            yield from self._handle()
            if how == THEN:
                return EINTR

    def suspend(self):
        """sigsuspend, where the signal is blocked otherwise."""
        yield Op(lambda me: [THEN] if self.is_pending else [], lambda me, outcome: self._take(True))
        yield from self.handler()


def end():
    """Of a thread or process that others could send a signal to: whatever they sent goes elsewhere here."""
    return look()


def exit_of_last(signal):
    """Of a process that is alone: what has come is taken, or never."""
    if signal.is_pending and not signal.blocked:
        yield from signal.at(look())


def sender(world, signal):
    yield signal.send()
    yield end()


def signal_lost_wakeup(world):
    has_come = []

    def handler():
        has_come.append(1)
        return iter(())

    signal = Signal(handler)
    yield look()  # sigaction
    thread = world.create(sender, signal)
    if not has_come:
        yield from signal.at(NEVER, interruptible=True)
    yield from signal.at(world.join(thread))
    yield from exit_of_last(signal)


def signal_suspend(world):
    has_come = []

    def handler():
        has_come.append(1)
        return iter(())

    signal = Signal(handler, blocked=True)
    yield look()
    yield look()  # sigprocmask
    thread = world.create(sender, signal)
    while not has_come:
        yield from signal.suspend()
    yield world.join(thread)


def signal_handler_locks(world):
    mutex = Mutex()

    def handler():
        yield mutex.lock()
        yield mutex.unlock()

    signal = Signal(handler)
    yield look()
    thread = world.create(sender, signal)
    yield from signal.at(mutex.lock())
    yield from signal.at(mutex.unlock())
    yield from signal.at(world.join(thread))
    yield from exit_of_last(signal)


def signal_restarts_read(world):
    pipe = Pipe(writers=1)
    signal = Signal(restarts=True)
    yield look()

    def writer(world):
        yield signal.send()
        yield pipe.write()
        yield end()

    thread = world.create(writer)
    yield from signal.at(pipe.read(), interruptible=True)
    yield from signal.at(world.join(thread))
    yield from exit_of_last(signal)


def signal_pselect(world):
    pipe = Pipe(writers=1)
    signal = Signal(blocked=True)
    yield look()
    yield look()
    yield signal.send()
    yield from signal.suspend()  # which ppoll is here, too
    yield look()

    def writer(world):
        yield signal.send()
        yield pipe.write()
        yield end()

    def poll():
        has_input = wait_for_input(pipe)
        enabled = lambda me: has_input.enabled(me) or ([THEN] if signal.is_pending else [])  # noqa: E731
        return Op(enabled, lambda me, outcome: signal._take(True) or outcome if outcome == THEN else None)

    thread = world.create(writer)
    while (yield poll()) == THEN:
        pass
    yield pipe.read()
    yield world.join(thread)


def signal_of_children(world):
    ended, reaped = [], []
    signal = Signal(blocked=True)

    def end(me):
        ended.append(me)
        signal.is_pending = True

    def child(world):
        yield look()  # as before any end
        yield always(end)

    def wait():
        def apply(me, who):
            if who is not NOBODY:
                ended.remove(who)
                reaped.append(who)
            return who

        return Op(lambda me: list(ended) or [NOBODY], apply)

    def handler():
        while (yield wait()) is not NOBODY:
            pass

    signal.handler = handler
    yield look()
    yield look()
    for _ in range(2):
        world.create(child)
    while len(reaped) < 2:
        yield from signal.suspend()


def signal_self_pipe(world):
    pipe = Pipe(writers=1)
    ended = []

    def handler():
        yield pipe.write()

    signal = Signal(handler)
    yield look()

    def child(world):
        yield signal.send()
        yield end()
        yield always(lambda me: ended.append(me))  # it closes its ends of the pipe

    world.create(child)
    while (yield from signal.at(wait_for_input(pipe), interruptible=True)) == EINTR:
        pass
    yield from signal.at(pipe.read())
    yield from signal.at(Op(lambda me: ALWAYS if ended else [], lambda me, outcome: None))
    yield from exit_of_last(signal)


def signal_timer(world):
    signal = Signal()
    yield look()
    yield look()  # alarm: what was set before is cancelled
    yield signal.send()
    yield from signal.at(look())  # where the call returns
    yield from signal.at(look())
    yield from signal.at(always(lambda me: setattr(signal, "is_pending", False)))
    signal.blocked = True
    yield look()
    yield look()
    yield signal.send()
    yield from signal.suspend()


def signal_ends_child(world):
    """What the child takes ends it: also before its end, which is an operation because it holds a pipe."""
    signal = Signal()
    ended = []

    def child(world):
        yield Op(lambda me: [FIRST] if signal.is_pending else [], lambda me, outcome: ended.append(me))

    world.create(child)
    yield look()
    yield signal.send()
    yield Op(lambda me: ALWAYS if ended else [], lambda me, outcome: None)
    yield look()


signal_handler_locks.may_deadlock = signal_lost_wakeup.may_deadlock = True

count.SCRIPTS = {
    script.__name__: script
    for script in (
        signal_ends_child,
        signal_handler_locks,
        signal_lost_wakeup,
        signal_of_children,
        signal_pselect,
        signal_restarts_read,
        signal_self_pipe,
        signal_suspend,
        signal_timer,
    )
}

if __name__ == "__main__":
    sys.exit(count.main(sys.argv[1:]))
