"""Inviting phones to tables: a code is drawn and shown, and the box that claims it stands on its table; from a terminal
and from a page alike.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass
from pathlib import Path

from dalej.boxes.paired import OwnBox, OwnBoxes
from dalej.boxes.phones import CLAIM_MS, Code, Phones
from dalej.boxes.secret import ClubKeys
from dalej.domain.game.facts import is_phone
from dalej.errors import Refused
from dalej.event.boxplaces import NOW, Wish, decide, places
from dalej.event.event import Event
from dalej.words import N_


@dataclass(frozen=True, slots=True)
class Invited:
    """A phone of the club's: `table` where it stands, None: nowhere."""

    box: OwnBox
    table: int | None


class PhoneCodes:
    """`event(who)`: the event in somebody's hands; `wall_ms()`: Unix time."""

    def __init__(
        self, phones: Phones, boxes: OwnBoxes, event: Callable[[str], Event], wall_ms: Callable[[], int]
    ) -> None:
        self._phones = phones
        self._boxes = boxes
        self._event = event
        self._wall_ms = wall_ms

    @classmethod
    def of_club(
        cls, folder: Path, random: Callable[[int], bytes], event: Callable[[str], Event], wall_ms: Callable[[], int]
    ) -> PhoneCodes:
        """Those of the club that is kept in that folder."""
        return cls(Phones(folder, ClubKeys(folder, random), random), OwnBoxes(folder), event, wall_ms)

    def address(self) -> str:
        """Where phones reach the desk; Refused, and what begins one, if none answers them."""
        return self._phones.address()

    def draw(self, table: int, lasts_ms: int = CLAIM_MS) -> Code:
        """A new code for that table, which may be claimed for so long."""
        return self._phones.draw(table, self._wall_ms(), lasts_ms)

    def is_claimed(self, uid: str) -> bool:
        """Whether a device has that phone's code by now."""
        return self._phones.is_claimed(uid)

    def stand(self, boxes: Mapping[int, OwnBox], who: str, why: str) -> None:
        """Each is its table's box from now on, and goes on with the game of the one before."""
        wishes = [Wish(box.uid, table, NOW, goes_on=True, name=box.name) for table, box in boxes.items()]
        decide(self._event(who), lambda _before: wishes, why)

    def expect_free(self, tables: Collection[int], who: str) -> None:
        """Refused if a box stands on one of them: it keeps its table until somebody replaces that one."""
        taken = {one.table: one for one in places(self._event(who).read())}
        for table in tables:
            if table in taken:
                raise Refused(
                    N_("table {table} has a box, {box}: expected tables without one"), table=table,
                    box=taken[table].called,
                )  # fmt: skip

    def forget(self, uid: str) -> None:
        """It is no box of the club's any more: whoever has its code is turned away."""
        self._boxes.forget(uid)

    def there(self) -> list[Invited]:
        """All of the club's phones."""
        at = {one.box: one.table for one in places(self._event("").read())}
        return [Invited(box, at.get(box.uid)) for box in self._boxes if is_phone(box.uid)]
