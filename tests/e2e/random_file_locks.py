"""Locks of files for random_channels_test.py: what the statements are in C, and what they do.

Each thread or process has descriptions of its own, which all processes inherit: so their locks last until they are given up. Records
belong to processes: 0 is that of all threads.
"""

from interleavings import ALWAYS, Op, always

FILES = ("zero", "one")

PREAMBLE = """\
static int files[3][2];

static void open_files(void) {
  for (int me = 0; me < 3; ++me) {
    files[me][0] = open("zero", O_RDWR);
    files[me][1] = open("one", O_RDWR);
    assert(files[me][1] >= 0);
  }
}
static int record(int me, int i, int command, short type, int byte) {
  struct flock range = {.l_type = type, .l_whence = SEEK_SET, .l_start = byte, .l_len = 1};
  return fcntl(files[me][i], command, &range) == 0;
}
"""

IN_C = {
    "lock": "assert(flock(files[{0}][{1}], LOCK_EX) == 0);",
    "share": "assert(flock(files[{0}][{1}], LOCK_SH) == 0);",
    "try_lock": "note({0}, flock(files[{0}][{1}], LOCK_EX | LOCK_NB) == 0);",
    "unlock": "assert(flock(files[{0}][{1}], LOCK_UN) == 0);",
    "record": "assert(record({0}, {1}, F_SETLKW, F_WRLCK, {2}));",
    "share_record": "assert(record({0}, {1}, F_SETLKW, F_RDLCK, {2}));",
    "try_record": "note({0}, record({0}, {1}, F_SETLK, F_WRLCK, {2}));",
    "unlock_record": "assert(record({0}, {1}, F_SETLK, F_UNLCK, {2}));",
}
SETS = [["lock", "share", "unlock", "try_lock"], ["record", "share_record", "unlock_record", "try_record"], list(IN_C)]

GIVEN_UP = "given up"


class FileLocks:
    """Those of one file: (owner, byte) has it exclusively (True) or shares it; None is the byte of flock."""

    def __init__(self):
        self.held = {}

    def _is_kept_out(self, owner, byte, alone):
        others = [held for (other, where), held in self.held.items() if other != owner and where == byte]
        return any(others) or (alone and len(others) > 0)

    def _try(self, owner, byte, alone):
        if self._is_kept_out(owner, byte, alone):
            if byte is None:
                self.held.pop((owner, byte), None)
            return False
        self.held[owner, byte] = alone
        return True

    def _wait(self, owner, byte, alone):
        """A lock of flock that cannot be changed at once is given up first."""

        def enabled(t):
            changes = byte is None and (owner, byte) in self.held
            return [] if self._is_kept_out(owner, byte, alone) and not changes else ALWAYS

        return Op(enabled, lambda t, outcome: None if self._try(owner, byte, alone) else GIVEN_UP)

    def end(self, process):
        for owner, byte in [key for key in self.held if key[0] == process and key[1] is not None]:
            del self.held[owner, byte]

    def operation(self, kind, me, process, number):
        """And whether what it returns is noted."""
        owner, byte = (process, number) if kind.endswith("record") else (("description", me), None)
        if kind.startswith("try"):
            return always(lambda t: int(self._try(owner, byte, True))), True
        if kind.startswith("unlock"):
            return always(lambda t: self.held.pop((owner, byte), None)), False
        return self._wait(owner, byte, not kind.startswith("share")), False
