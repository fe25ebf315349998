"""What becomes of links through an evening, a line each: for whoever looks into it afterwards why a box was not heard.

The lines are in English, whatever the reader's language, since they travel with a question to somebody else. They name
tables, boxes and adapters, no secrets and no people.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final, Protocol

from dalej.desk.desk import Desk
from dalej.desk.evening.evening import HEARD_LATELY_MS
from dalej.desk.notices import Notice
from dalej.domain.game.facts import is_phone
from dalej.errors import DalejError
from dalej.link.adapters import Adapter, Way
from dalej.words import readable

SILENT_MS: Final = 5_000  # a link on which nothing came for so long before it was ended had fallen silent
TOLD: Final = frozenset({
    "conflict", "lease_lost", "lost", "new_epoch", "no_secret", "not_recorded", "recorded_again", "silent",
    "turned_away",
})  # fmt: skip  # kinds of notices that are about links, and about what came over them


class Air(Protocol):
    """What the computer's Bluetooth tells of itself; `taken_over`: links that a killed desk had left."""

    taken_over: int

    @property
    def adapters(self) -> Sequence[Adapter[Any]]: ...

    @property
    def deaf(self) -> Mapping[str, DalejError]:
        """Adapters that do not scan now, and why."""

    def apart(self, uid: bytes, since_ms: int) -> DalejError | None:
        """Why the box could not be linked, if it was found out since then."""

    def way(self, uid: bytes) -> Way | None:
        """How the box is linked, else how it is heard best."""


class LinkLog:
    """A `ScanningPort` in front of the desk: hands everything on, and notes what becomes of links. `note(line)` keeps
    it; `names()`: what is written on boxes, by uid; `port_of(uid)`: the serial port of a box that is on a cable, to be
    set by whoever drives cables.

    `look` is to be called several times a second: some things show only then.
    """

    def __init__(
        self,
        desk: Desk,
        note: Callable[[str], None],
        *,
        names: Callable[[], Mapping[str, str]],
        air: Air | None = None,
    ) -> None:
        self.port_of: Callable[[bytes], str | None] = lambda _uid: None
        self._desk = desk
        self._keep = note
        self._names = names
        self._air = air
        self._begun: dict[bytes, int] = {}  # connects that are under way, and since when
        self._failures: dict[bytes, int] = {}  # in a row
        self._linked: dict[bytes, int] = {}  # since when
        self._parted: dict[bytes, int] = {}  # when the latest link ended
        self._frame: dict[bytes, int] = {}  # when something came on the link
        self._heard: dict[bytes, int] = {}
        self._unheard: set[bytes] = set()
        self._wired: set[bytes] = set()
        self._deaf: dict[str, int] = {}  # adapters, and since when they do not scan
        self._why_deaf: dict[str, str] = {}
        self._restarts: dict[str, int] = {}
        self._room: dict[str, int] = {}
        self._taken_over = 0
        self._last: Notice | None = None

    # --- links -----

    def connected(self, uid: bytes, now_ms: int) -> None:
        said = [f"linked {self._way(uid)}"]
        begun_ms, parted_ms = self._begun.pop(uid, None), self._parted.get(uid)
        if begun_ms is not None and uid not in self._wired:
            said.append(f"in {_seconds(now_ms - begun_ms)}")
        if parted_ms is not None:
            said.append(f"{_seconds(now_ms - parted_ms)} after the link before")
        if failures := self._failures.pop(uid, 0):
            said.append(f"at attempt {failures + 1}")
        self._linked[uid] = self._frame[uid] = now_ms
        self._unheard.discard(uid)
        self._about(uid, ", ".join(said))
        self._desk.connected(uid, now_ms)

    def disconnected(self, uid: bytes, now_ms: int) -> None:
        linked_ms = self._linked.pop(uid, now_ms)
        quiet_ms = now_ms - self._frame.pop(uid, now_ms)
        said = [f"link over after {_seconds(now_ms - linked_ms)}"]
        said.append("this desk ended it" if self._desk.wants_to_leave(uid) else "it fell")
        if quiet_ms >= SILENT_MS:
            said.append(f"nothing had come for {_seconds(quiet_ms)}")
        if uid in self._desk.lines and not self._desk.proved(uid):
            said.append("the box had not proved itself")
        self._parted[uid] = self._heard[uid] = now_ms
        self._about(uid, ", ".join(said))
        self._desk.disconnected(uid, now_ms)

    def to_connect(self, now_ms: int) -> list[bytes]:
        chosen = self._desk.to_connect(now_ms)
        self._begun |= dict.fromkeys(chosen, now_ms)
        return chosen

    def failed(self, uid: bytes, now_ms: int) -> None:
        begun_ms = self._begun.pop(uid, now_ms)
        why = None if self._air is None else self._air.apart(uid, begun_ms)
        took = _seconds(now_ms - begun_ms)
        if why is None:
            self._about(uid, f"not linked, put off after {took}")
        else:
            self._failures[uid] = self._failures.get(uid, 0) + 1
            signal = "" if self._air is None else _signal(self._air.way(uid))
            self._about(uid, f"not linked after {took}{signal}, at attempt {self._failures[uid]}: {why}")
        self._desk.failed(uid, now_ms)

    def plugged(self, uid: bytes, now_ms: int) -> None:
        if uid not in self._wired:
            self._wired.add(uid)
            self._about(uid, "comes over the network" if is_phone(uid.hex()) else f"on a cable{self._port(uid)}")
        self._desk.plugged(uid, now_ms)

    def unplugged(self, uid: bytes, now_ms: int) -> None:
        if uid in self._wired:
            self._wired.discard(uid)
            self._about(
                uid,
                "gone from the network" if is_phone(uid.hex()) else f"not to be had by cable any more{self._port(uid)}",
            )
        self._desk.unplugged(uid, now_ms)

    # --- what boxes say -----

    def advertised(self, data: bytes, now_ms: int) -> bytes | None:
        uid = self._desk.advertised(data, now_ms)
        if uid is not None:
            before_ms = self._heard.get(uid)
            self._heard[uid] = now_ms
            if before_ms is None or uid in self._unheard:
                self._unheard.discard(uid)
                again = "" if before_ms is None else f" again after {_seconds(now_ms - before_ms)}"
                self._about(uid, f"heard{again}{'' if self._air is None else _signal(self._air.way(uid))}")
        return uid

    def receive(self, uid: bytes, frame: bytes, now_ms: int) -> None:
        self._frame[uid] = now_ms
        self._desk.receive(uid, frame, now_ms)

    # --- only handed on -----

    def waiting(self) -> list[bytes]:
        return self._desk.waiting()

    def frames(self, uid: bytes) -> list[bytes]:
        return self._desk.frames(uid)

    def wants_to_leave(self, uid: bytes) -> bool:
        return self._desk.wants_to_leave(uid)

    def next_timer(self) -> int | None:
        return self._desk.next_timer()

    def handle_timer(self, now_ms: int) -> None:
        self._desk.handle_timer(now_ms)

    def proved(self, uid: bytes) -> bool:
        return self._desk.proved(uid)

    # --- what shows when it is looked for -----

    def complained(self, problem: DalejError) -> None:
        """What a carrier says of a port."""
        self._note(str(problem))

    def look(self, now_ms: int) -> None:
        """Note what the adapters, the desk's notices and the silence of boxes tell since the last time."""
        self._look_at_notices()
        if self._air is not None:
            self._look_at_air(self._air, now_ms)
        for uid in self._desk.lines.keys() & self._heard.keys() - self._linked.keys() - self._unheard - self._wired:
            if now_ms - self._heard[uid] > HEARD_LATELY_MS:
                self._unheard.add(uid)
                self._about(uid, f"not heard for {_seconds(now_ms - self._heard[uid])}")

    def _look_at_notices(self) -> None:
        new: list[Notice] = []
        for notice in reversed(self._desk.notices):
            if notice is self._last:
                break
            new.append(notice)
        if new:
            self._last = new[0]
        for notice in reversed(new):
            if notice.kind in TOLD:
                self._note(str(DalejError(notice.template, **notice.data)))

    def _look_at_air(self, air: Air, now_ms: int) -> None:
        deaf = air.deaf
        for adapter in air.adapters:
            name = f"adapter {adapter.name}" if adapter.name else "the Bluetooth adapter"
            why, since_ms = deaf.get(adapter.name), self._deaf.get(adapter.name)
            if why is not None and str(why) != self._why_deaf.get(adapter.name):
                self._why_deaf[adapter.name] = str(why)
                self._deaf.setdefault(adapter.name, now_ms)
                self._note(f"{name} does not scan: {why}")
            elif why is None and since_ms is not None:
                del self._deaf[adapter.name], self._why_deaf[adapter.name]
                self._note(f"{name} scans again, after {_seconds(now_ms - since_ms)}")
            if adapter.restarts != self._restarts.setdefault(adapter.name, 0):
                self._restarts[adapter.name] = adapter.restarts
                self._note(f"{name} heard no box for a while, its scanner is started anew ({adapter.restarts})")
            links = adapter.room.links(now_ms)
            if links != self._room.setdefault(adapter.name, links):
                self._room[adapter.name] = links
                self._note(f"{name} is counted on for {links} links from now on")
        if air.taken_over != self._taken_over:
            self._taken_over = air.taken_over
            self._note(f"links of a desk that was killed have been ended: {air.taken_over}")

    # --- words -----

    def _about(self, uid: bytes, said: str) -> None:
        line, name = self._desk.lines.get(uid), self._names().get(uid.hex())
        table = "no table" if line is None else f"table {line.table}"
        box = uid.hex() if name is None or name == uid.hex() else f"{name} ({uid.hex()})"
        self._note(f"{table}, box {box}: {said}")

    def _way(self, uid: bytes) -> str:
        if uid in self._wired:
            return "over the network" if is_phone(uid.hex()) else f"by cable{self._port(uid)}"
        way = None if self._air is None else self._air.way(uid)
        if way is None:
            return "over the air"
        mtu = "" if way.mtu is None else f", {way.mtu} bytes at a time"
        return f"over {way.adapter or 'the air'}{_signal(way)}{mtu}"

    def _port(self, uid: bytes) -> str:
        port = self.port_of(uid)
        return "" if port is None else f" at {port}"

    def _note(self, said: str) -> None:
        self._keep(readable(said))


def _signal(way: Way | None) -> str:
    return "" if way is None or way.rssi is None else f", {way.rssi} dBm"


def _seconds(ms: int) -> str:
    return f"{ms / 1000:.1f} s"
