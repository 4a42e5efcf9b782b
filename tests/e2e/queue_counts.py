#!/usr/bin/env python3
"""What the plain search must count on the programs with message queues: each is written down again
here, as scripts for interleavings.py with the few operations that these need. Used as count.py.
"""

import sys

import count
from channel_counts import look
from interleavings import ALWAYS, Op, always
from process_counts import wait_any


class Queue:
    """Messages are (type, content), oldest first; a POSIX queue gives the highest type first."""

    def __init__(self, most=1000, posix=False):
        self.messages = []
        self.most = most
        self.posix = posix
        self.removed = False

    def _chosen(self, wanted):
        if self.posix:
            return max(self.messages, key=lambda message: message[0], default=None)
        return next((message for message in self.messages if wanted in (0, message[0])), None)

    def send(self, kind, content=None):
        return Op(
            lambda me: ALWAYS if len(self.messages) < self.most or self.removed else [],
            lambda me, outcome: self.messages.append((kind, content)),
        )

    def receive(self, wanted=0):
        def apply(me, outcome):
            chosen = None if self.removed else self._chosen(wanted)
            if chosen is not None:
                self.messages.remove(chosen)
            return chosen

        return Op(lambda me: ALWAYS if self.removed or self._chosen(wanted) else [], apply)

    def remove(self):
        return always(lambda me: setattr(self, "removed", True))


def posix_queue_forms(world):
    queue = Queue(most=1, posix=True)
    for _ in range(6 + 1 + 2 + 4 + 2):  # alone; opening and closing, and errors of the arguments, are invisible
        yield look()

    def sender(world):
        for _ in range(3):
            yield queue.send(0)

    thread = world.create(sender)
    for _ in range(3):
        yield queue.receive()
    yield world.join(thread)


def posix_queue_processes(world):
    queue = Queue(posix=True)

    def child(world, priority):
        yield queue.send(priority)
        yield look()  # its end closes the queue

    children = [world.create(child, i) for i in range(2)]
    yield look()  # opening the name
    for _ in range(2):
        yield queue.receive()
    for _ in range(3):
        yield wait_any(children)


def sysv_queue_forms(world):
    queue = Queue()
    for _ in range(4 + 3 + 3 + 1 + 3):
        yield look()

    def child(world):
        yield queue.send(2)
        yield queue.receive(7)

    children = [world.create(child)]
    yield queue.receive()
    yield queue.remove()
    yield look()  # the second removal
    yield wait_any(children)


def sysv_queue_types(world):
    requests, answers = Queue(), Queue()

    def client(world, me):
        yield requests.send(1, me)
        yield answers.receive(me)

    children = [world.create(client, i) for i in (1, 2)]
    for _ in range(2):
        _, number = yield requests.receive()
        yield answers.send(number)
    for _ in range(3):
        yield wait_any(children)


count.SCRIPTS = {
    script.__name__: script
    for script in (
        posix_queue_forms,
        posix_queue_processes,
        sysv_queue_forms,
        sysv_queue_types,
    )
}

if __name__ == "__main__":
    sys.exit(count.main(sys.argv[1:]))
