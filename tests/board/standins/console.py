# mypy: ignore-errors
# ruff: noqa: N801
"""Stands in for `sys.stdin`, `sys.stdout`, `select` and `micropython.kbd_intr`: the serial port.

As on the board, `read(n)` and `readinto` wait until all bytes have come: `select.poll` first, and read what is there.
"""

import sys

import outside

POLLIN = 1
POLLOUT = 4
POLLERR = 8
POLLHUP = 16

_there = [0]  # bytes that have come and were not read


def _came(count: int) -> None:
    _there[0] += count


def _interrupted() -> None:
    _there[0] = 0
    raise KeyboardInterrupt


outside.hear("serial", _came)
outside.hear("interrupt", _interrupted)


def kbd_intr(byte: int) -> None:
    """The byte that raises KeyboardInterrupt; -1: none does."""
    outside.ask("interrupt", byte)


class _In:
    def __init__(self, text: bool) -> None:
        self._text = text
        if text:
            self.buffer = _In(False)

    def read(self, count: int = -1) -> object:
        if count < 0:
            raise NotImplementedError  # it would wait for ever on the board too
        while _there[0] < count:
            outside.sleep(1000)
        _there[0] -= count
        data = bytes.fromhex(outside.ask("take", count))
        return data.replace(b"\r", b"\n").decode() if self._text else data

    def readinto(self, buffer: bytearray, count: int = -1) -> int:
        data = self.read(len(buffer) if count < 0 else count)
        buffer[: len(data)] = data
        return len(data)

    def readline(self) -> object:
        line = self.read(1)
        while line[-1:] not in ("\n", b"\n"):
            line += self.read(1)
        return line


class _Out:
    def __init__(self, text: bool) -> None:
        self._real = sys.stdout if text else sys.stdout.buffer
        if text:
            self.buffer = _Out(False)

    def write(self, data: object, *rest: int) -> int:
        self._real.write(data[slice(*rest)] if rest else data)
        return len(data)

    def flush(self) -> None:
        pass


class poll:
    """One poll of objects; only the serial port's input can be waited for."""

    def __init__(self) -> None:
        self._watched = {}

    def register(self, obj: object, eventmask: int = 5) -> None:
        self._watched[id(obj)] = [obj, eventmask]

    def modify(self, obj: object, eventmask: int) -> None:
        self._watched[id(obj)][1] = eventmask

    def unregister(self, obj: object) -> None:
        self._watched.pop(id(obj), None)

    def poll(self, timeout: int = -1) -> list:
        waited = 0
        while True:
            found = []
            for obj, mask in self._watched.values():
                ready = POLLIN if isinstance(obj, _In) and _there[0] else 0
                ready |= POLLOUT if isinstance(obj, _Out) else 0
                if ready & mask:
                    found.append((obj, ready & mask))
            if found or 0 <= timeout <= waited:
                return found
            outside.sleep(1000)
            waited += 1

    def ipoll(self, timeout: int = -1, flags: int = 0) -> object:
        return iter(self.poll(timeout))


class _Implementation:
    """`sys.implementation` of an ESP32."""

    name = "micropython"
    version = sys.implementation.version
    _mpy = sys.implementation._mpy

    def __init__(self, machine: str) -> None:
        self._machine = machine


class View:
    """`sys` with the board's serial port in the places of its own."""

    def __init__(self, machine: str) -> None:
        self.implementation = _Implementation(machine)
        self.stdin = _In(True)
        self.stdout = self.stderr = _Out(True)
        self.platform = "esp32"

    def __getattr__(self, name: str) -> object:
        return getattr(sys, name)
