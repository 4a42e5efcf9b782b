"""Two threads with two locks of Python's; with an argument they are taken in two orders."""
import sys
import threading

a, b = threading.Lock(), threading.Lock()


def takes(first, second):
    with first:
        with second:
            pass


other = threading.Thread(target=takes, args=(b, a) if len(sys.argv) > 1 else (a, b))
other.start()
takes(a, b)
other.join()
