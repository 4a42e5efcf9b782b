#!/usr/bin/env python3
"""Makes the Debian package, installs it, and uses what is installed.

    package_test.py CPACK SOURCE BUILD

Where it may not install packages, the package is unpacked and used from there. Says so and stops with 77 where there is no
dpkg.
"""

import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

PROGRAM = """
#include <pthread.h>
static pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER, b = PTHREAD_MUTEX_INITIALIZER;
static void* other(void* unused) {
  pthread_mutex_lock(&b);
  pthread_mutex_lock(&a);
  return unused;
}
int main(void) {
  pthread_t thread;
  pthread_create(&thread, 0, other, 0);
  pthread_mutex_lock(&a);
  pthread_mutex_lock(&b);
  pthread_mutex_unlock(&b);
  pthread_mutex_unlock(&a);
  pthread_join(thread, 0);
}
"""


def run(*command, code=0, **options):
    done = subprocess.run([str(word) for word in command], capture_output=True, text=True, **options)
    if done.returncode != code:
        sys.exit(f"{' '.join(map(str, command))}: exit code {done.returncode}\n{done.stdout}{done.stderr}")
    return done.stdout


def make_package(cpack, build, folder):
    run(cpack, "-G", "DEB", "--config", build / "CPackConfig.cmake", "-B", folder, cwd=folder)
    (package,) = folder.glob("*.deb")
    return package


def check_contents(package):
    fields = run("dpkg-deb", "--field", package)
    for field in ("Package: mazurka", "Architecture: ", "Depends: ", "Description: stateless model checker"):
        if field not in fields:
            sys.exit(f"no '{field}' in\n{fields}")
    if "libc6" not in re.search("Depends: (.*)", fields).group(1):
        sys.exit(f"it does not depend on libc: {fields}")
    files = run("dpkg-deb", "--contents", package)
    for file in ("/usr/bin/mazurka", "/usr/lib/mazurka/libmazurka_rt.so", "/usr/include/mazurka/check.h",
                 "/usr/share/man/man1/mazurka.1", "/usr/lib/cmake/mazurka/mazurka-config.cmake"):
        if "." + file + "\n" not in files:
            sys.exit(f"no {file} in\n{files}")


def use(mazurka, folder):
    source, program = folder / "program.c", folder / "program"
    source.write_text(PROGRAM)
    run("cc", "-g", "-pthread", source, "-o", program)
    output = run(mazurka, "check", program, cwd=folder, code=1)
    if "deadlock: no thread can go on" not in output or "program.c:" not in output:
        sys.exit(f"the installed command prints {output}")
    run(mazurka, "replay", "program.deadlock-1.schedule", cwd=folder, code=1)
    run(mazurka, "doctor")


def may_install():
    """As root, and only where no other one is installed: that would be gone afterwards."""
    return os.geteuid() == 0 and subprocess.run(["dpkg", "-s", "mazurka"], capture_output=True).returncode != 0 \
        and not pathlib.Path("/usr/bin/mazurka").exists()


def main():
    cpack, build = sys.argv[1], pathlib.Path(sys.argv[3]).resolve()
    if not shutil.which("dpkg-deb") or not shutil.which("dpkg-shlibdeps"):
        print("there is no dpkg here")
        sys.exit(77)
    with tempfile.TemporaryDirectory() as scratch:
        folder = pathlib.Path(scratch)
        package = make_package(cpack, build, folder)
        check_contents(package)
        if may_install():
            run("dpkg", "--install", package)
            try:
                use("/usr/bin/mazurka", folder)
            finally:
                run("dpkg", "--purge", "mazurka")
            if pathlib.Path("/usr/bin/mazurka").exists():
                sys.exit("something is left after the package was removed")
            print(f"{package.name} was installed, used and removed")
        else:
            run("dpkg-deb", "--extract", package, folder / "root")
            use(folder / "root/usr/bin/mazurka", folder)
            print(f"{package.name} was unpacked and used")


if __name__ == "__main__":
    main()
