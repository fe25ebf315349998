"""A screen that paints for ever, faster than anybody looks; with an argument it does not end when it is told to."""

from __future__ import annotations

import os
import signal
import sys

FRAME = b"x" * 60_000


def main() -> None:
    if sys.argv[1:]:
        signal.signal(signal.SIGTERM, signal.SIG_IGN)
    os.write(1, b"__GANGLION__\n")
    while True:
        left = b"D" + len(FRAME).to_bytes(4, "big") + FRAME
        while left:
            left = left[os.write(1, left) :]


if __name__ == "__main__":
    main()
