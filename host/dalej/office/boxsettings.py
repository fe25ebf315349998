"""Which table's box goes by the settings as they are now: what boxes were asked for, against what the event says.

A box is asked to `configure` with all of its settings; the ledger keeps the request and what became of it. What it was
given last is worked out for the same game, so that a game that has been played since makes no difference.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Final, Literal

from dalej import eventlog
from dalej.domain.boxgames import BoxGame
from dalej.domain.tournament import GameAt, TableSeats, Tournament
from dalej.errors import DalejError
from dalej.ledger import APPLIED, NO_LINK, REFUSED, Entry, Ledger, OlderFile, Outcome, Request
from dalej.office.tableplans import CONFIGURE, LEAST, same_rules, seats_in_play, settings_text

SLICE: Final = 1_000

How = Literal["has", "older", "waits", "unheard", "refused", "never", "no_box", "over"]


@dataclass(frozen=True, slots=True)
class Given:
    """One table. `has`: its box goes by the settings as they are; `older`: by others; `waits`: it was asked and has not
    answered; `unheard`: no link came; `refused`, with the box's `reason`; `never`: it was never set up; `no_box`;
    `over`: nothing is left to play there. `plays`: in a game, in which no box takes other settings. `box`: its uid.
    """

    table: int
    how: How
    reason: str = ""
    plays: bool = False
    box: str = ""

    @property
    def lacks(self) -> bool:
        """Whether it would have to be sent."""
        return self.how in ("older", "unheard", "refused", "never")


@dataclass(slots=True)
class _Asked:
    request: Request
    outcome: Outcome | None = None


class SettingsGiven:
    """What was asked of boxes, read along, by one thread at a time."""

    def __init__(self, ledger: Ledger) -> None:
        self._ledger = ledger
        self._start()

    def _start(self) -> None:
        self._cursor = 0
        self._asked: dict[int, _Asked] = {}
        self._of_box: dict[str, list[_Asked]] = {}

    def read_on(self) -> None:
        """Take in what is new; Unreachable if the ledger cannot be read now."""
        while True:
            try:
                entries = self._ledger.since(self._cursor, SLICE)
            except OlderFile:
                self._start()
                continue
            self._take(entries)
            if len(entries) < SLICE:
                return

    def tables(self, state: Tournament, games: Mapping[GameAt, BoxGame]) -> list[Given]:
        """Every table of the round to work on; [] while nobody sits. `games`: what boxes tell of that round."""
        one = state.current
        if one is None or one.seating is None:
            return []
        stands = eventlog.boxes_and_tables(self._ledger).on_tables
        ended = Counter(at.table for at, game in games.items() if game.ended is not None)
        playing = {at.table for at, game in games.items() if game.ended is None}
        return [
            self._given(
                state, at, stands.get(at.table), plays=at.table in playing,
                left=one.stage.games - ended[at.table],
            )
            for at in one.seating.tables
        ]  # fmt: skip

    def _given(self, state: Tournament, at: TableSeats, box: str | None, *, plays: bool, left: int) -> Given:
        if box is None:
            return Given(at.table, "no_box")
        seats = seats_in_play(state, at)
        if left < 1 or len(seats) < LEAST:
            return Given(at.table, "over", box=box)
        asked = self._of_box.get(box, [])
        applied = next((one for one in reversed(asked) if _result(one) == APPLIED), None)
        last = asked[-1] if asked else None
        if last is None:
            return Given(at.table, "never", plays=plays, box=box)
        if (
            applied is not None
            and (last is applied or _result(last) in (NO_LINK, REFUSED))
            and _same(state, seats, applied)
        ):
            return Given(at.table, "has", plays=plays, box=box)
        result = _result(last)
        if result == REFUSED and last.outcome is not None:
            return Given(at.table, "refused", last.outcome.reason, plays=plays, box=box)
        if result == NO_LINK:
            return Given(at.table, "unheard", plays=plays, box=box)
        return Given(at.table, "older" if result == APPLIED else "waits", plays=plays, box=box)

    def _take(self, entries: Iterable[Entry]) -> None:
        for entry in entries:
            self._cursor = entry.cursor
            if isinstance(entry, Request) and entry.command == CONFIGURE and entry.box is not None:
                self._asked[entry.id] = asked = _Asked(entry)
                self._of_box.setdefault(entry.box, []).append(asked)
            elif isinstance(entry, Outcome) and entry.request in self._asked:
                self._asked[entry.request].outcome = entry


def _same(state: Tournament, seats: str, asked: _Asked) -> bool:
    game, given = asked.request.args.get("game"), asked.request.args.get("settings")
    try:
        return isinstance(game, int) and same_rules(given, settings_text(state.ruleset, seats, max(1, game)), game)
    except DalejError:
        return False


def _result(asked: _Asked) -> str:
    return "" if asked.outcome is None else asked.outcome.result
