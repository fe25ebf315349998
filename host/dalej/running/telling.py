"""What people at a running desk should know, as lines of text: each thing once, and now and then how the hall stands.

Boxes are called by what is written on them, as the club's list has it now.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final

from dalej.clock import Clock
from dalej.errors import DalejError
from dalej.notices import Notice
from dalej.running.desk import Counts, RunningDesk
from dalej.words import N_, _, ngettext, said

EVERY_MS: Final = 60_000  # how the hall stands is said so often,
CHANGED_MS: Final = 5_000  # and so long after another number of boxes is heard
AGAIN_MS: Final = 300_000  # the same trouble is said again after so long
SAME_MS: Final = 10_000  # a port that fails again within that time fails for the same reason, whatever it says

_BOXES: Final = ("box", "other", "by")  # fields that name one; the others by the event's name for it

NO_BLUETOOTH: Final = N_("no box is heard over the air: {problem}")
BLUETOOTH_BACK: Final = N_("Bluetooth works")


class Telling:
    """`trouble()`: why the air cannot be used now, None: it can, or it is not used. `names()`: what is written on the
    club's boxes, by uid, also on those that stand on no table.
    """

    def __init__(
        self,
        running: RunningDesk,
        clock: Clock,
        trouble: Callable[[], DalejError | None],
        names: Callable[[], Mapping[str, str]] = dict,
    ) -> None:
        self._running = running
        self._names = names
        self._named_once: dict[str, str] = dict(running.names())
        self._clock = clock
        self._trouble = trouble
        self._last: Notice | None = None
        self._waiting: list[DalejError] = []
        self._in_trouble = False
        self._troubles: dict[str, int] = {}  # sentence -> when it was said
        self._ports: dict[object, int] = {}  # port -> when it failed
        self._counts: Counts | None = None
        self._counted_ms = clock.now_ms()

    def hear(self, problem: DalejError) -> None:
        """Something that a carrier complains of. A cable that is pulled does so twice: the port is gone, and then it
        cannot be opened.
        """
        now_ms, port = self._clock.now_ms(), problem.data.get("port")
        failed_ms = self._ports.get(port)
        if port is not None:
            self._ports[port] = now_ms
        if failed_ms is None or now_ms - failed_ms > SAME_MS or "box" in problem.data:
            self._waiting.append(problem)

    def lines(self) -> list[str]:
        """What is new since the last time."""
        errors = [*self._new_notices(), *self._carriers(), *self._air()]
        return [said(error) for error in errors] + self._standing()

    # --- where it comes from -----

    def _new_notices(self) -> list[DalejError]:
        new: list[Notice] = []
        for notice in reversed(self._running.desk.notices):
            if notice is self._last:
                break
            new.append(notice)
        if new:
            self._last = new[0]
        return [DalejError(notice.template, **self._named(notice.data)) for notice in reversed(new)]

    def _carriers(self) -> list[DalejError]:
        told, self._waiting = self._waiting, []
        return [self._rename(problem) for problem in told]

    def _air(self) -> list[DalejError]:
        problem = self._trouble()
        if problem is None:
            was, self._in_trouble = self._in_trouble, False
            return [DalejError(BLUETOOTH_BACK)] if was else []
        about_box = bool(problem.data.get("box"))
        self._in_trouble = self._in_trouble or not about_box
        named = self._rename(problem)
        if not self._is_due(str(named)):
            return []
        return [named if about_box else DalejError(NO_BLUETOOTH, problem=named)]

    def _is_due(self, sentence: str) -> bool:
        now_ms = self._clock.now_ms()
        due = now_ms - self._troubles.get(sentence, now_ms - AGAIN_MS) >= AGAIN_MS
        if due:
            self._troubles[sentence] = now_ms
        return due

    def _standing(self) -> list[str]:
        """How the hall stands, if that is due."""
        now_ms, counts, before = self._clock.now_ms(), self._running.counts(), self._counts
        changed = before is None or (before.boxes, before.heard) != (counts.boxes, counts.heard)
        if now_ms - self._counted_ms < (CHANGED_MS if changed else EVERY_MS):
            return []
        self._counted_ms, self._counts = now_ms, counts
        return [summary(counts)] if counts.boxes or (before is not None and before.boxes) else []

    # --- names -----

    def _rename(self, problem: DalejError) -> DalejError:
        return DalejError(problem.template, **self._named(problem.data))

    def _named(self, data: Mapping[str, object]) -> dict[str, object]:
        """The club's names of today before those that the event wrote down, under which commands may find nobody."""
        if "box" not in data:
            return dict(data)
        self._named_once.update(self._running.names())
        club, once = self._names(), self._named_once
        names = {called: club[uid] for uid, called in once.items() if uid in club} | once | dict(club)
        return {
            name: names.get(value, value) if name in _BOXES and isinstance(value, str) else value
            for name, value in data.items()
        }


def summary(counts: Counts) -> str:
    """One line."""
    boxes = ngettext("{count} box stands on a table", "{count} boxes stand on tables", counts.boxes)
    facts = ngettext("{count} fact waits", "{count} facts wait", counts.waiting)
    return _("{boxes}: {heard} heard, {linked} linked, {facts}").format(
        boxes=boxes.format(count=counts.boxes), heard=counts.heard, linked=counts.linked,
        facts=facts.format(count=counts.waiting),
    )  # fmt: skip
