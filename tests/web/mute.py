"""A screen that speaks the web driver's protocol and nothing else, for what needs no Textual: it starts at once."""

from __future__ import annotations

import os

SAYS = b"HALL-mute"


def main() -> None:
    os.write(1, b"__GANGLION__\n" + b"D" + len(SAYS).to_bytes(4, "big") + SAYS)
    while os.read(0, 65_536):
        os.write(1, b"D" + len(SAYS).to_bytes(4, "big") + SAYS)


if __name__ == "__main__":
    main()
