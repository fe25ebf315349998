"""The cable while the box plays: a link like those of the radio, opened and closed by packets."""

from devices.chip import memory
from devices.counter import ticks_ms
from devices.persona import Persona
from devices.serial import Port
from moveclock import cable
from moveclock.box import Box

IN_SETUP_ALONE = (cable.PAIR, cable.TO_PYTHON, cable.RESTART)


class Wired:
    """Between the port and the box."""

    def __init__(self, port: Port, box: Box, persona: Persona) -> None:
        self._port = port
        self._box = box
        self._persona = persona
        self._open = False
        port.put(cable.CLOSED)  # a desk that had a link before the box was started anew need not wait for its next ping

    def take(self) -> bool:
        """Give the box what has come; whether anything has."""
        packets = self._port.take()
        for kind, payload in packets:
            self._heed(kind, payload)
        return bool(packets)

    def send(self) -> None:
        """The next frame of the link, when the one before is written."""
        if self._open and not self._port.waits():
            frame = self._box.send(cable.LINK, ticks_ms())
            if frame is not None:
                self._port.put(cable.FRAME, frame)

    def close(self) -> None:
        """The box wants the link closed."""
        self._box.closed(cable.LINK)
        if self._open:
            self._open = False
            self._port.put(cable.CLOSED)

    def _heed(self, kind: int, payload: bytes) -> None:
        box, port = self._box, self._port
        if kind == cable.FRAME:
            if self._open:
                box.receive(cable.LINK, payload, ticks_ms())
            else:
                port.put(cable.CLOSED)
        elif kind == cable.ASK:
            port.put(cable.TOLD, told(self._persona, box.info(), False, box.journal.backlog))
        elif kind == cable.OPEN:
            self._open = True
            box.opened(cable.LINK, cable.MTU, ticks_ms())
            port.put(cable.OPENED)
        elif kind == cable.CLOSE:
            self._open = False
            box.closed(cable.LINK)
        elif kind < cable.TOLD:
            result = cable.NOT_IN_SETUP if kind in IN_SETUP_ALONE else cable.UNKNOWN
            port.put(cable.DONE, bytes([kind, result]))


def told(persona: Persona, info: bytes, setup: bool, backlog: int | None = None) -> bytes:
    """What this box says of itself, and how much of its memory is free: whoever looks after it may want to know."""
    fingerprint = cable.fingerprint(persona.known_secret())
    free, chip = memory()
    return cable.pack_told(cable.Told(info, persona.paired, setup, fingerprint, backlog, free, chip))
