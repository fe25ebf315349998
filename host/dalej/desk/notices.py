"""What a desk tells people: each thing once, the latest thousand kept."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from dalej.desk.hearing import Line
from dalej.errors import DalejError, Sayable
from dalej.link.session import Silent, TurnedAway
from dalej.words import N_
from moveclock import wire

MOST: Final = 1_000
TURNED_AWAY: Final = "turned_away"  # kind: the box refuses the link
NO_SECRET_OF_OURS: Final = N_("box {box} does not know this desk's secret: pair it, or import the club's keys")
_AWAY: Final[Mapping[int, str]] = {
    wire.NO_PROTOCOL: N_("box {box} speaks another protocol ({text}): update its firmware or this desk"),
    wire.NO_MTU: N_("box {box} needs frames of {least} bytes, the link carries fewer"),
    wire.NO_AUTH: NO_SECRET_OF_OURS,
    wire.NO_BUSY: N_("box {box} is served by another desk: {text}"),
}
_FULL: Final = N_("box {box} has no link left: other computers hold all that it has")


@dataclass(frozen=True, slots=True)
class Notice:
    """Something a person should read: an English template with its fields, the box it is about (hex uid), and what
    helps, for whoever types commands.
    """

    kind: str
    box: str
    template: str
    data: Mapping[str, Sayable]
    hint: DalejError | None = None


class Notices:
    """`latest` holds what was told, oldest first."""

    def __init__(self) -> None:
        self.latest: list[Notice] = []
        self._trouble = False
        self._repeated: set[tuple[str, str]] = set()  # what has been said of a box until it is on the line again

    def tell(self, kind: str, line: Line | None, template: str, **data: Sayable) -> None:
        """Something new about a box, or about no box."""
        box = "" if line is None else line.box
        self._note(Notice(kind, box, template, {"box": box, **data}))

    def tell_once(self, kind: str, line: Line, template: str, **data: Sayable) -> None:
        """What would be said at every attempt to connect is said once, until the box is `on_the_line` again."""
        if (kind, line.box) not in self._repeated:
            self._repeated.add((kind, line.box))
            self.tell(kind, line, template, **data)

    def turned_away(self, line: Line, event: TurnedAway) -> None:
        """The box refuses the link."""
        template = _AWAY.get(event.why, N_("box {box} refuses the link ({text})"))
        if event.why == wire.NO_BUSY and not event.text:
            template = _FULL
        self.tell_once(TURNED_AWAY, line, template, text=event.text, least=wire.MTU_AT_LEAST)

    def silent(self, line: Line, event: Silent) -> None:
        """Nothing has come on its link for a while."""
        template = N_("table {table}: box {box} has been silent for {seconds} s")
        self.tell_once("silent", line, template, table=line.table, seconds=event.for_ms // 1000)

    def on_the_line(self, line: Line) -> None:
        """The box answers: whatever was said of its silence may be said anew."""
        self._repeated = {said for said in self._repeated if said[1] != line.box}

    def error(self, kind: str, error: DalejError) -> None:
        """An error in its own words."""
        self._note(Notice(kind, "", error.template, error.data))

    def add(self, notice: Notice) -> None:
        """Something that is worded already."""
        self._note(notice)

    def in_trouble(self, error: DalejError) -> None:
        """The ledger cannot take facts now; said once, until it can."""
        if not self._trouble:
            self._trouble = True
            self.error("not_recorded", error)

    def at_ease(self, file: object) -> None:
        """The ledger takes facts; said only after trouble."""
        if self._trouble:
            self._trouble = False
            template = N_("the event file takes facts again: {file}")
            self._note(Notice("recorded_again", "", template, {"file": str(file)}))

    def _note(self, notice: Notice) -> None:
        self.latest.append(notice)
        if len(self.latest) > MOST:
            del self.latest[: MOST // 2]
