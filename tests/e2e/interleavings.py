"""Counts the interleavings of small thread scripts by brute force: the oracle for the plain search.

It shares nothing with Mazurka but the semantics (docs): threads are Python generators that yield the
operations they stand before, objects have the meaning that POSIX gives them, and every schedule is
run from the start.
"""

from errno import EAGAIN, EBUSY, EDEADLK, EOWNERDEAD, EPERM, ETIMEDOUT

SERIAL = -1  # PTHREAD_BARRIER_SERIAL_THREAD
NOBODY = "nobody"
ALWAYS = [0]  # one outcome


class Op:
    """A visible operation. `enabled(me)` lists its outcomes, `apply(me, outcome)` is what it returns."""

    def __init__(self, enabled, apply, is_pause=False, is_wait=False):
        self.enabled = enabled
        self.apply = apply
        self.is_pause = is_pause
        self.is_wait = is_wait


def always(apply):
    return Op(lambda me: ALWAYS, lambda me, outcome: apply(me))


class Thread:
    def __init__(self, number, generator):
        self.number = number
        self.generator = generator
        self.pending = None
        self.ended = False
        self.joined = False
        self.woken = False
        self.pauses = 0  # without another operation in between
        self.others_moved = False
        self.robust = []


class Mutex:
    def __init__(self, kind="normal", robust=False):
        self.kind = kind
        self.robust = robust
        self.owner = None
        self.depth = 0
        self.owner_dead = False

    def blocks(self, me):
        return self.owner is not None and (self.owner is not me or self.kind == "normal")

    def take(self, me):
        if self.owner is me:
            if self.kind == "errorcheck":
                return EDEADLK
            self.depth += 1
            return 0
        self.owner, self.depth = me, 1
        if self.robust:
            me.robust.append(self)
        dead, self.owner_dead = self.owner_dead, False
        return EOWNERDEAD if dead else 0

    def give(self, me):
        if self.owner is not me:
            assert self.kind != "normal"
            return EPERM
        self.depth -= 1
        if self.depth == 0:
            self.owner = None
            if self.robust:
                me.robust.remove(self)
        return 0

    def lock(self):
        return Op(lambda me: [] if self.blocks(me) else ALWAYS, lambda me, outcome: self.take(me))

    def unlock(self):
        return always(self.give)

    def trylock(self):
        def apply(me):
            if self.blocks(me):
                return EBUSY
            error = self.take(me)
            return EBUSY if error == EDEADLK else error

        return always(apply)

    def timedlock(self):
        return always(lambda me: ETIMEDOUT if self.blocks(me) else self.take(me))

    def consistent(self):
        return always(lambda me: 0)


class Condition:
    def __init__(self):
        self.waiters = []

    def _begin(self, mutex):
        def apply(me):
            assert mutex.owner is me
            mutex.give(me)
            me.woken = False
            self.waiters.append(me)

        return always(apply)

    def wait(self, mutex):
        yield self._begin(mutex)
        return (
            yield Op(
                lambda me: ALWAYS if me.woken and not mutex.blocks(me) else [],
                lambda me, outcome: mutex.take(me),
            )
        )

    def timedwait(self, mutex):
        yield self._begin(mutex)

        def apply(me):
            if me.woken:
                return 0
            self.waiters.remove(me)
            return ETIMEDOUT

        result = yield always(apply)
        yield mutex.lock()
        return result

    def signal(self):
        def apply(me, who):
            if who is not NOBODY:
                self.waiters.remove(who)
                who.woken = True

        return Op(lambda me: list(self.waiters) or [NOBODY], apply)

    def broadcast(self):
        def apply(me):
            for waiter in self.waiters:
                waiter.woken = True
            self.waiters = []

        return always(apply)


class RwLock:
    def __init__(self):
        self.writer = None
        self.readers = []

    def _read(self, me):
        self.readers.append(me)
        return 0

    def _write(self, me):
        self.writer = me
        return 0

    def read_blocks(self):
        return self.writer is not None

    def write_blocks(self):
        return self.writer is not None or bool(self.readers)

    def rdlock(self):
        return Op(lambda me: [] if self.read_blocks() else ALWAYS, lambda me, outcome: self._read(me))

    def wrlock(self):
        return Op(lambda me: [] if self.write_blocks() else ALWAYS, lambda me, outcome: self._write(me))

    def tryrdlock(self, error=EBUSY):
        return always(lambda me: error if self.read_blocks() else self._read(me))

    def trywrlock(self, error=EBUSY):
        return always(lambda me: error if self.write_blocks() else self._write(me))

    def unlock(self):
        def apply(me):
            if self.writer is me:
                self.writer = None
            else:
                self.readers.remove(me)

        return always(apply)


class Barrier:
    def __init__(self, count):
        self.count = count
        self.arrived = 0
        self.round = 0

    def wait(self):
        def arrive(me):
            mine = self.round
            self.arrived += 1
            last = self.arrived == self.count
            if last:
                self.arrived = 0
                self.round += 1
            return mine, last

        mine, last = yield always(arrive)
        yield Op(lambda me: ALWAYS if self.round > mine else [], lambda me, outcome: None)
        return SERIAL if last else 0


class Semaphore:
    def __init__(self, value):
        self.value = value

    def _take(self, me):
        self.value -= 1
        return 0

    def wait(self):
        return Op(lambda me: ALWAYS if self.value > 0 else [], lambda me, outcome: self._take(me))

    def trywait(self, error=EAGAIN):
        return always(lambda me: self._take(me) if self.value > 0 else error)

    def timedwait(self):
        return self.trywait(ETIMEDOUT)

    def post(self):
        def apply(me):
            self.value += 1
            return 0

        return always(apply)

    def getvalue(self):
        return always(lambda me: self.value)


class Once:
    """Also the guard of a static local. A thread that knows that it is done does no operation."""

    def __init__(self):
        self.state = "fresh"
        self.known_by = set()

    def call(self, me, routine):
        """`routine` is a generator function, or None. If it returns False, it was left by an exception."""
        if me in self.known_by:
            return True

        def begin(me):
            if self.state == "done":
                self.known_by.add(me)
                return False
            self.state = "running"
            return True

        mine = yield Op(
            lambda me: [] if self.state == "running" else ALWAYS, lambda me, outcome: begin(me)
        )
        if not mine:
            return True
        good = True
        if routine is not None:
            good = (yield from routine()) is not False

        def end(me):
            self.state = "done" if good else "fresh"
            if good:
                self.known_by.add(me)

        yield always(end)
        return good


class Futex:
    """With the word that it is about: `value`."""

    def __init__(self, value=0):
        self.value = value
        self.waiters = []

    def wait(self, expected, timed=False):
        def begin(me):
            if self.value != expected:
                return False
            me.woken = False
            self.waiters.append(me)
            return True

        if not (yield always(begin)):
            return EAGAIN

        def go_on(me, outcome):
            if me.woken:
                return 0
            self.waiters.remove(me)
            return ETIMEDOUT

        return (yield Op(lambda me: ALWAYS if me.woken or timed else [], go_on))

    def wake_one(self):
        def apply(me, who):
            if who is not NOBODY:
                self.waiters.remove(who)
                who.woken = True

        return Op(lambda me: list(self.waiters) or [NOBODY], apply)

    def wake_all(self):
        def apply(me):
            for waiter in self.waiters:
                waiter.woken = True
            self.waiters = []

        return always(apply)


class World:
    def __init__(self):
        self.threads = []
        self.creating = []

    @property
    def me(self):
        return self.creating[-1]

    def create(self, function, *args):
        """Runs the new thread up to its first visible operation: creating is invisible."""
        thread = Thread(len(self.threads), None)
        self.threads.append(thread)
        thread.generator = function(self, *args)
        self.run(thread, None)
        return thread

    def run(self, thread, value):
        self.creating.append(thread)
        try:
            thread.pending = thread.generator.send(value)
        except StopIteration:
            thread.pending = None
            self._end(thread)
        self.creating.pop()

    def _end(self, thread):
        if thread.robust:  # others can notice it: one more transition
            thread.pending = always(lambda me: self._abandon(me))
            thread.generator = iter_once()
            next(thread.generator)
            return
        thread.ended = True

    @staticmethod
    def _abandon(thread):
        for mutex in list(thread.robust):
            mutex.owner, mutex.depth, mutex.owner_dead = None, 0, True
        thread.robust = []

    def join(self, thread):
        def apply(me, outcome):
            thread.joined = True

        return Op(lambda me: ALWAYS if thread.ended else [], apply)

    def alone(self):
        return all(t.joined for t in self.threads if t is not self.me)

    def pause(self):
        """A yield or a sleep has no effect: it is visible only when 64 in a row have gone before."""
        if self.alone():
            return
        self.me.pauses += 1
        if self.me.pauses > 64:
            yield Op(lambda t: ALWAYS, lambda t, outcome: None, is_pause=True)

    def come_round(self):
        """A pause of a loop that does nothing else, and is where it was: it waits until another thread has moved."""
        self.me.others_moved = False
        yield Op(lambda t: ALWAYS if t.others_moved else [], lambda t, outcome: None, is_wait=True)

    def choices(self):
        found = [
            (thread, outcome)
            for thread in self.threads
            if thread.pending is not None
            for outcome in thread.pending.enabled(thread)
        ]
        if found:
            return found
        return [(t, 0) for t in self.threads if t.pending is not None and t.pending.is_wait]

    def step(self, thread, outcome):
        op = thread.pending
        if not op.is_pause:
            thread.pauses = 0
        for other in self.threads:
            if other is not thread:
                other.others_moved = True
        self.run(thread, op.apply(thread, outcome))


def iter_once():
    yield


def count(main):
    """(executions, transitions) of the plain search. Transitions are the edges of its tree."""
    executions = transitions = 0
    path = []  # how many choices there were at each depth, and which is taken
    while True:
        world = World()
        world.create(main)
        depth = 0
        while True:
            choices = world.choices()
            if not choices:
                break
            if depth == len(path):
                path.append([len(choices), 0])
                transitions += 1
            thread, outcome = choices[path[depth][1]]
            world.step(thread, outcome)
            depth += 1
        stuck = [t.number for t in world.threads if not t.ended]
        assert not stuck or getattr(main, "may_deadlock", False), f"deadlock of {stuck}"
        executions += 1
        while path and path[-1][1] + 1 == path[-1][0]:
            path.pop()
        if not path:
            return executions, transitions
        path[-1][1] += 1
        transitions += 1
