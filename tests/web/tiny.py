"""A screen of a few keys, for tests: it speaks the web driver's protocol by itself, for Textual takes seconds to load.

It shows who it works for, and of each act what became of it. `w` tries to write the event by itself; `x` fails as a
Textual app does; `z` hangs. That Textual speaks the same protocol is shown by test_serve_command.
"""

from __future__ import annotations

import asyncio
import json
import os
import signal
import sys
import time
from typing import Final

from dalej.errors import DalejError
from dalej.event.ledger import Ledger
from dalej.office.acts.wishes import Wish
from dalej.web.hands import VARIABLE, RemoteHands, join

KEYS: Final = {
    "s": Wish("blink", {"table": 3}),
    "o": Wish("set_option", {"key": "limit", "value": "60"}),
    "e": Wish("end_sessions", {"role": "everybody"}),
    "p": Wish("end_sessions", {"role": "public"}),
}


def say(kind: bytes, payload: str) -> None:
    said = payload.encode()
    os.write(1, kind + len(said).to_bytes(4, "big") + said)


def exactly(length: int) -> bytes:
    """What comes next from the server; ends the program where the server has."""
    got = b""
    while len(got) < length:
        got += os.read(0, length - len(got)) or sys.exit()
    return got


def pressed(key: str, hands: RemoteHands, ledger: Ledger) -> str:
    """What the key has done."""
    if key == "z":
        time.sleep(3_600)
    if key == "x":
        say(b"M", json.dumps({"type": "exit"}))
        raise RuntimeError(key)
    if key == "q":
        say(b"M", json.dumps({"type": "exit"}))
        sys.exit()
    try:
        if key == "w":
            ledger.request(3, "stop", {}, who="Lis", at_ms=1)
            return "WRITTEN"
        done = asyncio.run(hands.do(KEYS[key])) if key in KEYS else None
    except DalejError as error:
        return f"{'KEPT' if key == 'w' else f'NOT-{key}'}-{type(error).__name__}"
    return "" if done is None else f"DONE-{key}-{len(done.requests)}"


def main() -> None:
    os.write(1, b"__GANGLION__\n")
    hands = join(os.environ.pop(VARIABLE))
    hands.attend(lambda: os.kill(os.getpid(), signal.SIGKILL))
    with Ledger.open(sys.argv[1], read_only=True) as ledger:
        say(b"D", f"HALL-{hands.actor.name}-{hands.actor.role}-{sys.argv[2]}\r\n")
        while True:
            kind, size = exactly(1), int.from_bytes(exactly(4), "big")
            typed = exactly(size).decode()
            if kind == b"M" and json.loads(typed)["type"] == "quit":
                break
            if kind == b"D":
                for key in typed:
                    say(b"D", f"{pressed(key, hands, ledger)}\r\n")


if __name__ == "__main__":
    main()
