#!/usr/bin/env python3
"""What the plain search must count on the programs that make and change files: each is written down again here, as
scripts for interleavings.py. Used as count.py.
"""

import sys

import count
from channel_counts import look
from interleavings import Mutex, always
from process_counts import wait_any


def calls(number):
    for _ in range(number):
        yield look()


def file_made_once(world):
    made = []

    def make():
        def apply(me):
            made.append(me)
            return made[0] is me

        return always(apply)

    def child(world):
        if (yield make()):
            yield look()  # its end closes the file

    children = [world.create(child)]
    yield make()
    yield wait_any(children)


def file_events(world):
    made = []

    def make(me):
        made.append(me)
        return made[0] is me

    def body(world):
        if (yield always(make)):
            yield look()  # its end closes the file

    world.create(body)
    is_first = yield always(make)
    yield look()  # the event
    if is_first:
        yield look()


def file_offset_shared(world):
    def child(world):
        yield from calls(2)  # writing, and its end, which closes the files

    children = [world.create(child)]
    yield look()
    yield wait_any(children)


def file_replaced(world):
    def writer(world):
        yield from calls(5)  # the number of the descriptor, making, writing, closing, renaming

    thread = world.create(writer)
    yield from calls(3)  # the number of the descriptor, opening, reading
    yield world.join(thread)


def file_listed(world):
    made = set()

    def child(world, name):
        yield always(lambda me: made.add(name))
        yield look()  # its end

    children = [world.create(child, name) for name in "ab"]
    yield from calls(2)  # opening, looking at it
    listed = {"."}
    yield look()  # the first call lists the two that are always there, and what is made
    listed |= made
    while True:
        new = yield always(lambda me: {name for name in made if name > max(listed)})
        if not new:
            break
        listed |= new
    for _ in children:
        yield wait_any(children)


def stream_shared_by_threads(world):
    lock = Mutex()
    buffers = []

    def put(world):
        yield lock.lock()
        if not buffers:
            buffers.append(1)
            yield look()  # at the file, for the size of the buffer
        yield lock.unlock()

    threads = [world.create(put) for _ in range(2)]
    for thread in threads:
        yield world.join(thread)


count.SCRIPTS = {
    script.__name__: script
    for script in (file_events, file_listed, file_made_once, file_offset_shared, file_replaced, stream_shared_by_threads)
}

if __name__ == "__main__":
    sys.exit(count.main(sys.argv[1:]))
