"""Whom to link when adapters hold few links and each connects one box at a time: needs and times in; turns out.

While there is room for every box, every box keeps its link. Beyond that a link is a turn: who needs one waits, the most
urgent first, among equals who has waited longest since the last turn; a turn ends when nothing is left to tell, or
after a while if others wait. Of those passed over by the more urgent, the one that has waited longest is next after
four of them, so however often a few tables call, all others come round. A connect that drags on, as it does with a box
that was just switched off, is given up when an alarm waits. A box whose connect failed waits by itself,
longer each time. Every box gets a turn now and then even without a need, because clocks drift. A box on a cable needs
none of this: its link is not counted, and nobody waits for it.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import IntEnum
from typing import Final, NamedTuple

LINKS: Final = 3
REACH_MS: Final = 5_000  # a box that has not been heard for so long is not tried
TURN_MS: Final = 10_000
ALARM_AFTER_MS: Final = 2_000  # so long a turn lasts even when an alarm waits
LINGER_MS: Final = 300  # the last acknowledgement is on its way
BACK_OFF_MS: Final = 2_000  # doubled with each failure
BACK_OFF_MOST_MS: Final = 60_000
SYNC_EVERY_MS: Final = 180_000
YIELD_AFTER_MS: Final = 3_000  # a connect takes 1.5 to 2.5 s; one that takes longer is given up for an alarm
SWEEP_MS: Final = 5_000
PASSED_OVER_MOST: Final = 4


class Need(IntEnum):
    """Why a box should have a link, the more urgent the higher."""

    NOTHING = 0
    FACTS = 1  # it holds facts that are not recorded, or its clock was never compared
    COMMAND = 2
    ALARM = 3  # it calls, and what it has to tell about that is not recorded
    OPENED = 4  # a person has opened what waits there, and sits before what it has not told yet


class Connect(NamedTuple):
    """Connect to this box now."""

    uid: bytes


class Leave(NamedTuple):
    """Give this box's link up now: somebody else needs it."""

    uid: bytes


@dataclass(slots=True)
class _Box:
    """`waits_ms`: since when it has wanted its turn; `idle_ms`: since when its link has nothing to do; `wired`: it is
    on a cable, and so is its link.
    """

    uid: bytes
    need: Need = Need.NOTHING
    urgency: int = int(Need.FACTS)  # of its need; none waits like a small one
    calls: bool = False
    waits_ms: int = 0
    heard_ms: int | None = None
    linked_ms: int | None = None
    idle_ms: int | None = None
    turn_ms: int = 0  # when its last turn ended
    retry_ms: int = 0
    failures: int = 0
    wired: bool = False


class Pool:
    """The links of all adapters, at most `links` at a time, and at most `connects` connects under way: as many as there
    are adapters. Boxes are known by their uid; times are the desk's ms.
    """

    def __init__(self, links: int = LINKS, connects: int = 1) -> None:
        self._links = links
        self._connects = connects
        self._boxes: dict[bytes, _Box] = {}
        self._waiting: dict[bytes, _Box] = {}
        self._linked: dict[bytes, _Box] = {}
        self._connecting: dict[bytes, int] = {}  # since when
        self._leaving: bytes | None = None
        self._unwired = 0  # boxes that are not on a cable
        self._passed_over = 0
        self._look_ms = 0  # nothing can be decided before, unless something happens
        self._sweep_ms = 0

    # --- what happens -----

    def know(self, uid: bytes, now_ms: int) -> None:
        """A box that may be linked, when it is heard."""
        if uid in self._boxes:
            return
        self._boxes[uid] = self._linked.get(uid) or _Box(uid, turn_ms=now_ms)
        self._unwired += 1
        self._look_ms = now_ms
        if not self._roomy:
            self._only_needy_wait()

    def forget(self, uid: bytes, now_ms: int) -> None:
        """A box that is not to be linked any more; a link that it has, or is about to have, counts until it is gone."""
        box = self._boxes.pop(uid, None)
        if box is not None:
            self._waiting.pop(uid, None)
            self._unwired -= not box.wired
            box.wired = False
            self._look_ms = now_ms
            self._all_may_wait(now_ms)

    def holds(self, links: int, now_ms: int, connects: int | None = None) -> None:
        """So many links there are now: adapters show how many they really have, and may come and go."""
        if connects is not None and connects != self._connects:
            self._connects = connects
            self._look_ms = now_ms
        if links == self._links:
            return
        self._links = links
        self._look_ms = now_ms
        if self._roomy:
            self._all_may_wait(now_ms)
        else:
            self._only_needy_wait()

    def plugged(self, uid: bytes, now_ms: int) -> None:
        """The box is on a cable."""
        box = self._boxes[uid]
        self._unwired -= not box.wired
        box.wired = True
        self._waiting.pop(uid, None)
        self._look_ms = now_ms
        self._all_may_wait(now_ms)

    def unplugged(self, uid: bytes, now_ms: int) -> None:
        """The box is on no cable any more; it is linked over the air when it is heard."""
        box = self._boxes[uid]
        self._unwired += box.wired
        box.wired = False
        self._look_ms = now_ms
        if not self._roomy:
            self._only_needy_wait()
        if box.need or self._roomy:
            self._wait(box, now_ms)

    def heard(self, uid: bytes, now_ms: int) -> None:
        """The box is in reach."""
        box = self._boxes[uid]
        if box.heard_ms is None or now_ms - box.heard_ms > REACH_MS:
            self._look_ms = now_ms
            if self._roomy:
                self._wait(box, now_ms)
        box.heard_ms = now_ms

    def needs(self, uid: bytes, need: Need, now_ms: int, *, calls: bool = False) -> None:
        """What the box needs a link for now; while it `calls`, somebody will soon have a command for it."""
        box = self._boxes[uid]
        box.calls = calls
        if need is box.need:
            return
        box.need = need
        box.urgency = max(int(need), int(Need.FACTS))
        self._look_ms = now_ms
        if box.linked_ms is not None:
            box.idle_ms = None if need else now_ms
        elif need:
            self._wait(box, now_ms)
        elif not self._roomy:
            self._waiting.pop(uid, None)

    def connected(self, uid: bytes, now_ms: int) -> None:
        """Its link is up."""
        box = self._boxes[uid]
        if not box.wired:
            self._linked[uid] = box
        self._done_connecting(uid, now_ms)
        self._waiting.pop(uid, None)
        box.linked_ms = now_ms
        box.idle_ms = None if box.need else now_ms

    def disconnected(self, uid: bytes, now_ms: int, *, served: bool) -> None:
        """Its link is gone; `served`: the box had accepted this desk."""
        self._linked.pop(uid, None)
        box = self._boxes.get(uid)
        if self._leaving == uid:
            self._leaving = None
        self._look_ms = now_ms
        if box is not None:
            box.linked_ms = box.idle_ms = None
            self._ended(box, now_ms, failed=not served and not box.wired)

    def failed(self, uid: bytes, now_ms: int) -> None:
        """The box could not be connected."""
        self._done_connecting(uid, now_ms)
        box = self._boxes.get(uid)
        if box is not None:
            self._ended(box, now_ms, failed=True)

    # --- what to do -----

    def decide(self, now_ms: int) -> Connect | Leave | None:
        """The next step, to be asked for after everything that happened and when `next_timer` says so.

        A `Connect` must end in `connected` or `failed`, a `Leave` in `disconnected`; until then the one is among the
        `connects` under way, and there is no step after the other. One `Connect` more than these is for an alarm: what
        is under way at its adapter is to be given up.
        """
        if self._leaving is not None or now_ms < self._look_ms:
            return None
        busy = len(self._connecting) >= self._connects
        if busy and not self._may_yield(now_ms):
            return None
        if now_ms >= self._sweep_ms:
            self._sweep(now_ms)
        box, longest = self._next(now_ms)
        if box is None:
            return None
        if busy and box.need < Need.ALARM:
            return None
        if len(self._linked) + len(self._connecting) - busy >= self._links:
            self._leaving = self._spared_for(box, now_ms)
            return None if self._leaving is None else Leave(self._leaving)
        self._passed_over = 0 if box is longest else self._passed_over + 1
        self._connecting[box.uid] = now_ms
        self._look_ms = now_ms  # another adapter may be free
        return Connect(box.uid)

    def next_timer(self) -> int | None:
        """When to ask again, if nothing happens."""
        return self._look_ms if self._leaving is None else None

    # --- who is next -----

    def _may_yield(self, now_ms: int) -> bool:
        """Whether a connect under way has taken so long that an alarm may be put in its place; look again if not."""
        under_way = [self._boxes.get(uid) for uid in self._connecting]
        at_ms = min(self._connecting.values()) + YIELD_AFTER_MS
        if len(under_way) > self._connects or any(box is not None and box.need >= Need.ALARM for box in under_way):
            self._look_ms = now_ms + SWEEP_MS
        elif now_ms < at_ms:
            self._look_ms = at_ms
        else:
            return True
        return False

    @property
    def _roomy(self) -> bool:
        return self._unwired <= self._links

    def _all_may_wait(self, now_ms: int) -> None:
        """A box less: perhaps there is room for every one that is left."""
        if self._roomy:
            for box in self._boxes.values():
                self._wait(box, now_ms)

    def _only_needy_wait(self) -> None:
        """There is no room for every one any more."""
        self._waiting = {uid: box for uid, box in self._waiting.items() if box.need}

    def _wait(self, box: _Box, now_ms: int) -> None:
        if box.uid not in self._waiting and box.linked_ms is None and not box.wired:
            box.waits_ms = now_ms
            self._waiting[box.uid] = box

    def _ended(self, box: _Box, now_ms: int, *, failed: bool) -> None:
        """A turn, or an attempt at one: whoever still needs something waits anew."""
        box.turn_ms = self._look_ms = now_ms
        box.failures = box.failures + 1 if failed else 0
        box.retry_ms = now_ms
        if failed:
            box.retry_ms += min(BACK_OFF_MS << min(box.failures - 1, 8), BACK_OFF_MOST_MS)
        self._waiting.pop(box.uid, None)
        if box.need or self._roomy:
            self._wait(box, now_ms)

    def _done_connecting(self, uid: bytes, now_ms: int) -> None:
        self._connecting.pop(uid, None)
        self._look_ms = now_ms

    def _sweep(self, now_ms: int) -> None:
        """Boxes that were long without a turn want one."""
        self._sweep_ms = now_ms + SWEEP_MS
        for box in self._boxes.values():
            if now_ms - box.turn_ms >= SYNC_EVERY_MS and box.linked_ms is None:
                self._wait(box, now_ms)

    def _next(self, now_ms: int) -> tuple[_Box | None, _Box | None]:
        """Who is next, and who has waited longest, of those who can be tried now; look again when that can change."""
        look_ms = self._sweep_ms
        best: _Box | None = None
        longest: _Box | None = None
        for box in self._waiting.values():
            if box.uid in self._connecting:
                continue
            if box.retry_ms > now_ms:
                look_ms = min(look_ms, box.retry_ms)
            elif box.heard_ms is not None and now_ms - box.heard_ms <= REACH_MS:
                if longest is None or box.waits_ms < longest.waits_ms:
                    longest = box
                if best is None or (-box.urgency, box.waits_ms) < (-best.urgency, best.waits_ms):
                    best = box
        self._look_ms = look_ms
        return (longest if self._passed_over >= PASSED_OVER_MOST else best), longest

    def _spared_for(self, waits: _Box, now_ms: int) -> bytes | None:
        """The box whose link is best given to the one that waits; None, and asked again in time, if that must wait."""
        spare = [(self._spare_at(box, waits), box) for box in self._linked.values()]
        now = [(box.idle_ms is None, box.calls, at_ms, box.uid) for at_ms, box in spare if at_ms <= now_ms]
        if now:
            return min(now)[-1]
        self._look_ms = min([self._look_ms, *(at_ms for at_ms, _ in spare)])
        return None

    def _spare_at(self, box: _Box, waits: _Box) -> int:
        """From when on the link of a box may be given to the one that waits."""
        assert box.linked_ms is not None
        if box.idle_ms is not None:
            return box.idle_ms + LINGER_MS
        if waits.need >= Need.ALARM and box.need < waits.need:
            return box.linked_ms + ALARM_AFTER_MS
        return box.linked_ms + TURN_MS
