# mypy: ignore-errors
# ruff: noqa: RUF005
"""What `outside` of tests/board/standins needs of the world, for a MicroPython that is a program of this computer.

`swap("")` is the time in microseconds since power-on; `swap("1234")` waits so long and answers with the time, or with
JSON `[time, [event, ...], microseconds left]` as soon as something came in; `swap("[...]")` says something to the
outside or asks this file. Lines go in by standard input and out by a descriptor of their own: standard output is the
board's serial port. While it waits, the interpreter's scheduler runs, and with it NimBLE.
"""

import gc
import json
import select
import sys
import time

_MILLISECOND = 1000


class _Bridge:
    def __init__(self) -> None:
        self.start = time.ticks_us()
        self.out = None
        self.device = None  # the flash, once there is one
        self.interrupt = 3
        self.bytes = b""  # of the serial port, not read yet
        self.poll = select.poll()
        self.poll.register(sys.stdin, select.POLLIN)

    def time(self) -> int:
        return time.ticks_diff(time.ticks_us(), self.start)

    def say(self, *what: object) -> None:
        self.out.write(json.dumps([self.time()] + list(what)) + "\n")

    def line(self) -> dict:
        line = sys.stdin.readline()
        if not line:
            halt()
        return json.loads(line)

    def wait(self, microseconds: int) -> list:
        until = self.time() + microseconds
        while True:
            left = until - self.time()
            if self.poll.poll(1 if left >= _MILLISECOND else 0):
                return self.sort(self.line().get("in", []))
            if left < _MILLISECOND:
                if left > 0:
                    time.sleep_us(left)
                return []

    def sort(self, events: list) -> list:
        """Stamp what has no stamp; keep back what is not for the stand-ins."""
        found = []
        for at, kind, *rest in events:
            stamp = self.time() if at is None else at
            if kind == "serial":
                found += self.typed(stamp, bytes.fromhex(rest[0]))
            elif kind == "heap":
                gc.collect()
                self.say("heap", gc.mem_alloc())
            elif kind == "breaks":
                self.device.breaks(*rest)
            elif kind == "cut":
                self.device.cuts(*rest)
            else:
                found.append([stamp, kind] + rest)
        return found

    def typed(self, stamp: int, data: bytes) -> list:
        at = data.find(bytes([self.interrupt])) if self.interrupt >= 0 else -1
        if at >= 0:
            self.bytes = b""
            return [[stamp, "interrupt"]] + self.typed(stamp, data[at + 1 :])
        self.bytes += data
        return [[stamp, "serial", len(data)]] if data else []

    def take(self, count: int) -> str:
        found, self.bytes = self.bytes[:count], self.bytes[count:]
        return found.hex()

    def answer(self, kind: str, *rest: object) -> str:
        if kind == "take":
            return self.take(*rest)
        if kind == "interrupt":
            self.interrupt = rest[0]
        elif kind == "reset":
            self.say("reset", *rest)
            halt()
        elif kind not in ("watchdog", "collect"):
            self.say(kind, *rest)
        return ""


bridge = _Bridge()


def halt() -> None:
    """Nothing runs from here on, until the outside kills the process."""
    while True:
        select.poll().poll(1 << 30)


def swap(text: str) -> str:
    if text == "":
        return str(bridge.time())
    if text[0] == "[":
        return bridge.answer(*json.loads(text))
    before = bridge.time()
    events = bridge.wait(int(text))
    if not events:
        return str(bridge.time())
    return json.dumps([bridge.time(), events, max(0, int(text) - (bridge.time() - before))])
