"""Files on disk for random_channels_test.py: what the statements are in C, and what they do. Each is one operation. The files have other
names than those that are locked.
"""

from interleavings import always

PREAMBLE = """\
static const char* const paths[] = {"alpha", "beta"};

static uint64_t error_of(int result) { return result == 0 ? 0 : (uint64_t)errno; }
static uint64_t look_at(int i) {
  struct stat status;
  if (stat(paths[i], &status) != 0) return (uint64_t)errno;
  return 100 + (uint64_t)status.st_size * 10 + status.st_nlink;
}
static uint64_t look_into(void) { return (uint64_t)(access("alpha", F_OK) == 0); }
"""

IN_C = {
    "make_file": "note({0}, error_of(mknod(paths[{1}], S_IFREG | 0600, 0)));",
    "unlink": "note({0}, error_of(unlink(paths[{1}])));",
    "rename": "note({0}, error_of(rename(paths[{1}], paths[1 - {1}])));",
    "link": "note({0}, error_of(link(paths[{1}], paths[1 - {1}])));",
    "truncate": "note({0}, error_of(truncate(paths[{1}], {2} + 1)));",
    "stat": "note({0}, look_at({1}));",
    "access": "note({0}, look_into());",
}
SETS = [["make_file", "unlink", "access"], ["make_file", "rename", "stat", "truncate"], list(IN_C)]
ENOENT, EEXIST = 2, 17


class Names:
    """Both names: the file that each leads to, which is a list with its size."""

    def __init__(self):
        self.files = {}

    def _make(self, i):
        if i in self.files:
            return EEXIST
        self.files[i] = [0]
        return 0

    def _unlink(self, i):
        return ENOENT if self.files.pop(i, None) is None else 0

    def _rename(self, i):
        if i not in self.files:
            return ENOENT
        if self.files[i] is not self.files.get(1 - i):  # two names of one file: nothing happens
            self.files[1 - i] = self.files.pop(i)
        return 0

    def _link(self, i):
        if i not in self.files:
            return ENOENT
        if 1 - i in self.files:
            return EEXIST
        self.files[1 - i] = self.files[i]
        return 0

    def _truncate(self, i, size):
        if i not in self.files:
            return ENOENT
        self.files[i][0] = size
        return 0

    def _stat(self, i):
        if i not in self.files:
            return ENOENT
        links = sum(file is self.files[i] for file in self.files.values())
        return 100 + self.files[i][0] * 10 + links

    def operation(self, kind, i, number):
        """What it returns is noted."""
        return always({
            "make_file": lambda t: self._make(i),
            "unlink": lambda t: self._unlink(i),
            "rename": lambda t: self._rename(i),
            "link": lambda t: self._link(i),
            "truncate": lambda t: self._truncate(i, number + 1),
            "stat": lambda t: self._stat(i),
            "access": lambda t: int(0 in self.files),
        }[kind])
