#!/usr/bin/env python3
"""What the plain search must count on the programs with pipes and their like: each is written down again
here, as scripts for interleavings.py with the few operations that these need. Used as count.py.
"""

import sys

import count
from interleavings import ALWAYS, Op, always
from process_counts import wait_any


class Pipe:
    """Holders are whoever could still write or read."""

    def __init__(self, writers, readers=1):
        self.bytes = 0
        self.writers = writers
        self.readers = readers

    def write(self, length=1):
        def apply(me):
            self.bytes += length

        return always(apply)

    def _take(self, most):
        taken = min(most, self.bytes)
        self.bytes -= taken
        return taken

    def read(self, most=1):
        return Op(
            lambda me: ALWAYS if self.bytes or not self.writers else [],
            lambda me, outcome: self._take(most),
        )

    def try_read(self, most=1):
        return always(lambda me: self._take(most) if self.bytes or not self.writers else None)

    def close_writer(self):
        return always(lambda me: setattr(self, "writers", self.writers - 1))


def wait_for_input(*pipes):
    return Op(lambda me: ALWAYS if any(pipe.bytes for pipe in pipes) else [], lambda me, outcome: None)


def look(*_):
    """A call that finds what it finds, and does not wait."""
    return always(lambda me: None)


def pipe_end_of_stream(world):
    pipe = Pipe(writers=3)

    def child(world):
        yield pipe.write()
        yield pipe.close_writer()  # its end

    children = [world.create(child) for _ in range(2)]
    yield pipe.close_writer()
    while (yield pipe.read()):
        pass
    for _ in range(3):
        yield wait_any(children)


def pipe_short_reads(world):
    pipe = Pipe(writers=1)

    def writer(world):
        yield pipe.write(2)
        yield pipe.write(2)

    thread = world.create(writer)
    if (yield pipe.read(8)) == 2:
        yield pipe.read(8)
    yield world.join(thread)


def pipe_nonblocking(world):
    pipe = Pipe(writers=1)
    for _ in range(17 + 16 + 17 + 9):  # alone: writes until it is full, and reads; setting flags is invisible
        yield look()

    def writer(world):
        yield pipe.write()

    thread = world.create(writer)
    yield pipe.try_read()
    yield world.join(thread)


def poll_and_select(world):
    pipes = [Pipe(writers=1), Pipe(writers=1)]
    yield look()

    def writer(world, pipe):
        yield pipe.write()

    threads = [world.create(writer, pipe) for pipe in pipes]
    yield wait_for_input(*pipes)
    for thread in threads:
        yield world.join(thread)
    yield look()  # select; the close is invisible now
    yield look()


class EdgePipe(Pipe):
    """Counts what comes, for one reader that is told of changes only."""

    def __init__(self):
        super().__init__(writers=1)
        self.arrivals = self.told = 0

    def write(self, length=1):
        def apply(me):
            self.bytes += length
            self.arrivals += 1

        return always(apply)

    def wait(self):
        def apply(me, outcome):
            self.told = self.arrivals

        return Op(lambda me: ALWAYS if self.bytes and self.arrivals > self.told else [], apply)


def two_bytes_by_edges(world, reads_all):
    pipe = EdgePipe()

    def writer(world):
        yield pipe.write()
        yield pipe.write()

    thread = world.create(writer)
    seen = 0
    while seen < 2:
        yield pipe.wait()
        while (yield pipe.try_read()):
            seen += 1
            if not reads_all:
                break
    yield world.join(thread)


def epoll_edges(world):
    yield from two_bytes_by_edges(world, reads_all=True)


def epoll_edge_lost(world):
    yield from two_bytes_by_edges(world, reads_all=False)


epoll_edge_lost.may_deadlock = True


def epoll_forms(world):
    pipes = [Pipe(writers=1), Pipe(writers=1)]
    yield look()

    def writer(world, pipe):
        yield pipe.write()

    threads = [world.create(writer, pipe) for pipe in pipes]
    yield wait_for_input(*pipes)
    for thread in threads:
        yield world.join(thread)
    for _ in range(4):  # three waits and a read
        yield look()


def epoll_oneshot(world):
    pipe = Pipe(writers=2)

    def child(world):
        yield pipe.write()
        yield pipe.close_writer()  # its end

    children = [world.create(child)]
    yield wait_for_input(pipe)
    yield look()  # in vain
    yield look()
    yield pipe.read()
    yield wait_any(children)


def eventfd_forms(world):
    counter = Pipe(writers=1)
    for _ in range(3):  # reads of the other; one of four bytes is an error without looking
        yield look()

    def adder(world):
        yield counter.write(2)

    threads = [world.create(adder) for _ in range(2)]
    yield counter.read(100)
    for thread in threads:
        yield world.join(thread)


class Listener:
    """A queue of connections, each a pipe to the one who accepts."""

    def __init__(self, room=100):
        self.waiting = []
        self.room = room

    def connect(self, pipe):
        return Op(
            lambda me: ALWAYS if len(self.waiting) < self.room else [],
            lambda me, outcome: self.waiting.append(pipe),
        )

    def accept(self):
        return Op(lambda me: ALWAYS if self.waiting else [], lambda me, outcome: self.waiting.pop(0))


def tcp_two_clients(world):
    listener = Listener()
    yield look()  # bind
    yield look()  # listen

    def client(world):
        pipe = Pipe(writers=1)
        yield listener.connect(pipe)
        yield pipe.close_writer()  # its end

    children = [world.create(client) for _ in range(2)]
    yield (yield listener.accept()).read()
    yield listener.accept()
    for _ in children:
        yield wait_any(children)


def unix_full_queue(world):
    listener = Listener(room=1)
    yield look()
    yield look()

    def client(world):
        yield listener.connect(Pipe(writers=1))
        yield look()  # its end

    children = [world.create(client) for _ in range(2)]
    for _ in children:
        yield listener.accept()
    for _ in children:
        yield wait_any(children)
    yield look()  # unlink


def udp_two_senders(world):
    receiver, senders = [], [[], []]
    for _ in range(3):
        yield look()  # bind

    def receive(queue):
        return Op(lambda me: ALWAYS if queue else [], lambda me, outcome: queue.pop(0))

    def sender(world, number):
        yield always(lambda me: receiver.append(number))
        yield look()  # its end

    children = [world.create(sender, number) for number in range(2)]
    first = yield receive(receiver)
    yield always(lambda me: senders[first].append("!"))
    yield receive(senders[first])
    yield receive(receiver)
    for _ in children:
        yield wait_any(children)


def fifo_rendezvous(world):
    pipe = Pipe(writers=0, readers=0)
    opened = {"readers": 0, "writers": 0}
    yield look()  # mkfifo

    def open_fifo(side, other):
        """Whoever opens it is there at once, and then waits for the other side, if nobody is."""

        def opens(me):
            opened[side] += 1
            setattr(pipe, side, getattr(pipe, side) + 1)
            return getattr(pipe, other) == 0

        must_wait = yield always(opens)
        before = opened[other]
        if must_wait:
            yield Op(lambda me: ALWAYS if opened[other] > before else [], lambda me, outcome: None)

    def writer(world):
        yield from open_fifo("writers", "readers")
        yield pipe.write()
        yield pipe.close_writer()  # its end

    child = world.create(writer)
    yield from open_fifo("readers", "writers")
    yield pipe.read()
    yield pipe.read()
    yield look()  # close
    yield wait_any([child])
    yield look()  # unlink


count.SCRIPTS = {
    script.__name__: script
    for script in (
        epoll_edge_lost,
        epoll_edges,
        epoll_forms,
        epoll_oneshot,
        eventfd_forms,
        fifo_rendezvous,
        pipe_end_of_stream,
        pipe_nonblocking,
        pipe_short_reads,
        poll_and_select,
        tcp_two_clients,
        udp_two_senders,
        unix_full_queue,
    )
}

if __name__ == "__main__":
    sys.exit(count.main(sys.argv[1:]))
