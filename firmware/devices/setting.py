"""Set-up mode: seat A's Już and Dalej (or the shared ones) were held at power-on.

The buttons change the rules of the table, see `moveclock.setup`; the cable may pair the box, ask for MicroPython's
prompt or end set-up mode. No desk is let in, by radio or cable, and no watchdog runs, because the prompt could not stop
it.
"""

from devices.counter import sleep_ms, ticks_ms
from devices.edge import Edge
from devices.identifying import pair
from devices.wired import told
from moveclock import cable
from moveclock import facts as k
from moveclock import settings as rules
from moveclock.box import introduction
from moveclock.debounce import UNDECIDED, Contacts
from moveclock.identity import SECRET, UID
from moveclock.setup import Setup
from moveclock.ticks import Uptime
from moveclock.view import CLICK
from moveclock.wire import WireError

_PLAY = 1  # what comes after set-up mode
_PLAY_ANEW = 2  # with new rules, in a new game
_PYTHON = 3

_TURN_MS = 5
_FILE = "settings"


def stay(edge: Edge) -> bool | None:
    """Until it is over: whether the table has new rules, for a new game; None if MicroPython's prompt is wanted."""
    after = Setting(edge).run()
    return None if after == _PYTHON else after == _PLAY_ANEW


class Setting:
    """One stay in set-up mode."""

    def __init__(self, edge: Edge) -> None:
        self._edge = edge
        self._menu = Setup(_stored(edge))
        self._uptime = Uptime(ticks_ms())
        self._contacts = Contacts(k.CONTACTS, edge.buttons.held())
        self._next = 0

    def run(self) -> int:
        """Until it is over: what comes then."""
        edge = self._edge
        while not self._next:
            now = self._uptime.advance(ticks_ms())
            self._press(now)
            self._hear()
            edge.displays.show_all(self._menu.text())
            edge.buzzer.go_on(now)
            edge.port.flush()
            sleep_ms(_TURN_MS)
        while edge.port.waits():
            edge.port.flush()
            sleep_ms(_TURN_MS)
        return self._next

    def _press(self, now: int) -> None:
        edge, contacts = self._edge, self._contacts
        edge.buttons.look()
        while edge.buttons.ring.waits():
            contact, down, stamp = edge.buttons.ring.take()
            if contacts.edge(contact, down, self._uptime.date(stamp)):
                edge.buzzer.play(CLICK, self._menu.settings.sound, now)
        while contacts.queue and contacts.decide(now, 0) != UNDECIDED:
            press = contacts.take()
            if press is not None:
                self._menu.press(press.contact)
        if self._menu.over:
            self._save()

    def _save(self) -> None:
        try:
            self._edge.flash.write(_FILE, self._menu.settings.pack())
            self._next = _PLAY_ANEW
        except OSError:
            self._edge.displays.show_all(f"E{k.E_FLASH_WRITE:3d}")
            sleep_ms(2000)
            self._next = _PLAY

    def _hear(self) -> None:
        edge = self._edge
        for kind, payload in edge.port.take():
            if kind == cable.ASK:
                persona = edge.persona
                info = introduction(persona.uid, persona.kostka, persona.shared)
                edge.port.put(cable.TOLD, told(persona, info, True))
            elif kind == cable.OPEN:
                edge.port.put(cable.CLOSED)
            elif kind < cable.TOLD and kind not in (cable.FRAME, cable.CLOSE):
                edge.port.put(cable.DONE, bytes([kind, self._obey(kind, payload)]))

    def _obey(self, kind: int, payload: bytes) -> int:
        if kind == cable.PAIR:
            return self._pair(payload)
        if kind == cable.TO_PYTHON:
            self._next = _PYTHON
        elif kind == cable.RESTART:
            self._next = _PLAY
        else:
            return cable.UNKNOWN
        return cable.OK

    def _pair(self, payload: bytes) -> int:
        persona = self._edge.persona
        uid, secret = payload[:UID], payload[UID:]
        if uid != persona.uid:
            return cable.OTHER_UID
        if len(secret) != SECRET or secret == bytes(SECRET):
            return cable.UNKNOWN
        try:
            pair(self._edge.flash, persona, secret)
        except OSError:
            return cable.NOT_WRITTEN
        return cable.OK


def _stored(edge: Edge) -> rules.Settings:
    try:
        stored = edge.flash.read(_FILE)
        return rules.Settings() if stored is None else rules.unpack(stored)
    except (OSError, WireError):
        return rules.Settings()
