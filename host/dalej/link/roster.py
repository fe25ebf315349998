"""What scanning tells of the boxes of an event, without I/O: advertisements and times in; sightings out.

The bytes of a box change only when its head or its alarm does. So an advertisement counts if its own box tagged it, in
the epoch that a session or the ledger has shown, and with a head no older than what is known; whatever is older is a
replay. At one head only time itself can raise an alarm, nothing takes it back without a fact. A boot later than the
known one is believed, since each boot writes a fact; an earlier one is a replay. An epoch nobody has shown yet may be
that of a journal which is long over: its sighting is not `sure`, tells nothing, and asks for a session, which settles
the epoch and with it all others that were seen.

What this cannot know: the very latest advertisement of a box, repeated by a stranger, looks like the box itself until
the box has something new to say. So a sighting without news says nothing of when its bytes were made; for how long it
counts is for the desk to say (`dalej.desk.hearing`).
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, Final, NamedTuple

from dalej.domain.game.heard import Told
from dalej.link.uptime import UptimeMap
from moveclock import advert, secure, wire
from moveclock import facts as k
from moveclock.clock import QUIET

_TAIL: Final = slice(6, 9)  # where `moveclock.advert` has the end of the uid
_HALF: Final = 1 << 31
_BOOTS: Final = 1 << 8  # an advertisement has room for the low byte of the boot,
_EPOCHS: Final = 1 << 16  # and for two bytes of the epoch


class Sighting(NamedTuple):
    """A box was heard. `told` is None if there is nothing new, and if it is not `sure` that these are bytes of now."""

    uid: bytes
    told: Told | None
    sure: bool


@dataclass(slots=True)
class _Box:
    """`epoch`, `boot`, `head`, `alarm`: how far the box is known to be, None: not known yet."""

    uid: bytes
    key: bytes
    uptimes: UptimeMap
    again: Sighting
    epoch: int | None = None
    boot: int | None = None
    head: int = 0
    alarm: int | None = None
    latest: bytes = b""
    doubtful: set[int] = field(default_factory=set)  # low halves of epochs that wait for a session
    over: set[int] = field(default_factory=set)  # low halves of epochs that a session has shown to be over


class Roster:
    """The boxes of an event. `refused` counts what no box said now: foreign, altered, replayed; `held` the doubtful."""

    def __init__(self) -> None:
        self.refused = 0
        self.held = 0
        self._boxes: dict[bytes, _Box] = {}
        self._tails: dict[bytes, list[_Box]] = {}
        self._latest: dict[bytes, _Box] = {}  # the advertisements that hold now

    def know(self, uid: bytes, secret: bytes, uptimes: UptimeMap) -> None:
        """A box of this event, and how its uptimes relate to the desk's clock."""
        box = _Box(uid, secure.advert_key(secret, uid), uptimes, Sighting(uid, None, sure=True))
        self._forget(uid)
        self._boxes[uid] = box
        self._tails.setdefault(uid[3:], []).append(box)

    def met(self, uid: bytes, epoch: int, boot: int | None, head: int, alarm: int | None = None) -> None:
        """A session (or, without a boot, the ledger) has shown how far the box is."""
        box = self._boxes[uid]
        if epoch != box.epoch:
            if box.epoch is not None:
                box.over.add(box.epoch % _EPOCHS)
            box.over.discard(epoch % _EPOCHS)
            self._outdated(box)
            box.epoch, box.head, box.boot, box.alarm = epoch, head, None, alarm
        elif head > box.head or (head == box.head and alarm not in (None, box.alarm)):
            self._outdated(box)
            box.head, box.alarm = head, alarm
        if boot is not None:
            box.boot = boot if box.boot is None else max(box.boot, boot)
            box.over |= box.doubtful - {epoch % _EPOCHS}
            box.doubtful.clear()

    def doubts(self, uid: bytes) -> bool:
        """Whether advertisements of the box wait for a session to tell their epoch."""
        return bool(self._boxes[uid].doubtful)

    def hear(self, data: bytes, now_ms: int) -> Sighting | None:
        """Manufacturer data as `moveclock.advert.pack` makes it; None, and counted, if it is not of now."""
        known = self._latest.get(data)
        if known is not None:
            return known.again
        for box in self._tails.get(data[_TAIL], ()):
            try:
                said = advert.unpack(box.key, data)
            except wire.WireError:
                continue
            return self._judge(box, data, said, now_ms)
        self.refused += 1
        return None

    def _judge(self, box: _Box, data: bytes, said: tuple[Any, ...], now_ms: int) -> Sighting | None:
        _, epoch_low, boot_low, head, backlog, state, seat, alarm, deadline, _ = said
        if epoch_low in box.over:
            self.refused += 1
            return None
        if box.epoch is None or box.epoch % _EPOCHS != epoch_low:
            self.held += 1
            box.doubtful.add(epoch_low)
            return Sighting(box.uid, None, sure=False)
        boot = _whole(box.boot, boot_low)
        if boot is None or not _follows(box, boot, head, alarm):
            self.refused += 1
            return None
        news = head > box.head or alarm != box.alarm
        self._outdated(box)
        self._latest[data], box.latest = box, data
        box.boot, box.head, box.alarm = boot, head, alarm
        if not news:
            return box.again
        uptime = box.uptimes.uptime_at((box.epoch, boot), now_ms)
        told = Told(
            at_ms=now_ms, epoch=box.epoch, boot=boot, head=head, state=state, seat=seat, alarm=alarm,
            left_ms=_left(state, deadline, uptime), uptime_ms=uptime, game=None, move=None, bank=None, backlog=backlog,
        )  # fmt: skip
        return Sighting(box.uid, told, sure=True)

    def _outdated(self, box: _Box) -> None:
        """Its latest advertisement holds no longer."""
        self._latest.pop(box.latest, None)
        box.latest = b""

    def _forget(self, uid: bytes) -> None:
        known = self._boxes.pop(uid, None)
        if known is not None:
            self._outdated(known)
            self._tails[uid[3:]].remove(known)


def _whole(known: int | None, low: int) -> int | None:
    """The boot whose low byte was said: the known one or a later one, None if that cannot be."""
    if known is None:
        return low
    later = (low - known) % _BOOTS
    return known + later if later < _BOOTS // 2 else None


def _follows(box: _Box, boot: int, head: int, alarm: int) -> bool:
    """Whether the box can have come from where it is known to have been to there."""
    if head != box.head:
        return head > box.head
    return box.boot in (None, boot) and (box.alarm in (None, alarm) or box.alarm == QUIET)


def _left(state: int, deadline: int, uptime: int | None) -> int | None:
    """What remains, in `expired` what is over: the latter and a running move's come as an instant of uptime."""
    if state not in (k.RUNNING, k.EXPIRED):
        return deadline
    if uptime is None:
        return None
    ahead = (deadline - uptime + _HALF) % (2 * _HALF) - _HALF
    return max(0, ahead if state == k.RUNNING else -ahead)
