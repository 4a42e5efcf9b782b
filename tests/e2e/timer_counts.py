#!/usr/bin/env python3
"""What the plain search must count on the programs with timerfds: each is written down again here, as scripts
for interleavings.py with the few operations that these need. Used as count.py.
"""

import sys

import count
from channel_counts import Pipe, look
from interleavings import Op


def maybe():
    """Two outcomes: not yet, and expired."""
    return Op(lambda me: [False, True], lambda me, outcome: outcome)


def timerfd_forms(world):
    yield look()  # a timer that is not set
    if not (yield maybe()):
        yield look()
    yield look()
    for _ in range(6):  # two reads, the state, two polls, a read
        yield look()


def timerfd_and_pipe(world):
    pipe = Pipe(writers=1)

    def answer(world):
        yield pipe.write()

    thread = world.create(answer)
    # Only the timer, while nothing was written; then the timer has expired, too, or not.
    expired = yield Op(lambda me: [False, True] if pipe.bytes else [True], lambda me, outcome: outcome)
    if expired:
        yield look()  # reading it
    yield world.join(thread)
    yield look()  # epoll_wait: for the timer, or in vain


count.SCRIPTS = {script.__name__: script for script in (timerfd_and_pipe, timerfd_forms)}

if __name__ == "__main__":
    sys.exit(count.main(sys.argv[1:]))
