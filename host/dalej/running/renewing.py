"""Boxes that were set up for the round and go by other settings than the rules give now: they are set up anew.

Only one that rests takes settings. A game that has just ended may be opened again, and a box that is ready for the next
one cannot do that: so a box at an ended game is asked once nothing has happened at its table for a minute, or as soon
as the table has gone on to the next game by itself. What was asked and answered is read from the ledger.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final

from dalej.domain.heard import Told
from dalej.domain.positions import position
from dalej.ledger import APPLIED, REFUSED, Ledger
from dalej.line import Line
from dalej.office.boxplaces import BoxPlace
from dalej.office.tableplans import CONFIGURE, TablePlan, renewed, same_rules
from dalej.running.meeting import Tell
from dalej.running.places import OF_STATE, Asked, Places
from dalej.running.roundnow import RoundNow
from dalej.words import N_
from moveclock import facts as k

SETTLES_MS: Final = 60_000  # a game that ended so long ago is hardly opened again
WHY: Final = "the settings changed"

RENEWED: Final = N_("table {table}: box {box} has the changed settings, from game {game} on")
NOT_RENEWED: Final = N_(
    "table {table}: box {box} keeps the settings it has: the box refuses the changed ones ({reason})"
)

Ask = Callable[[Line, str, Mapping[str, int | str], str], bool]


class Renewing:
    """All boxes of a desk. `ask` and `tell` as in `dalej.running.setup`."""

    def __init__(self, ledger: Ledger, places: Places, round_now: RoundNow, tell: Tell, ask: Ask) -> None:
        self._ledger = ledger
        self._places = places
        self._round = round_now
        self._tell = tell
        self._ask = ask
        self._asked: dict[str, TablePlan] = {}  # box -> what it was asked to be set up for anew
        self._ended: dict[str, tuple[tuple[int, int], int]] = {}  # box -> its last fact, and since when that is so
        self._played: dict[str, tuple[int, int, int]] = {}  # box at whose table nothing is left -> as in `_where`
        self._refused: set[int] = set()  # requests of which that was said
        self._judged: dict[int, tuple[int, bool]] = {}  # request -> reading of the round, and as in `_goes_by_them`

    def look(self, line: Line, place: BoxPlace, told: Told, since: int, now_ms: int) -> None:
        """A box that rests, has told everything and answered everything. `since`: the place in the ledger from which on
        it was set up for this round; WrongInput if what the event says of its table makes no settings.
        """
        has, last = (self._places.asked(line.box, CONFIGURE, since, result) for result in (APPLIED, None))
        if has is None or self._goes_by_them(place, has):
            if has is last:
                self._tell_renewed(line, place)
            return
        if last is not None and self._will_not(place, last):
            self._tell_refused(line, place, last)
        elif told.state != k.OVER or self._has_settled(line, told, now_ms):
            self._renew(line, place, told, has)

    def _goes_by_them(self, place: BoxPlace, asked: Asked) -> bool:
        """Whether the settings it was asked to take are those that count now."""
        known = self._judged.get(asked.request.id)
        if known is None or known[0] != self._round.version:
            wanted = self._round.settings(place.table, asked.game)
            same = wanted is None or same_rules(asked.settings, wanted, asked.game)
            self._judged[asked.request.id] = known = (self._round.version, same)
        return known[1]

    def _will_not(self, place: BoxPlace, last: Asked) -> bool:
        """Whether the box was asked for just these settings, and refused them for good."""
        return last.result == REFUSED and last.reason not in OF_STATE and self._goes_by_them(place, last)

    def _has_settled(self, line: Line, told: Told, now_ms: int) -> bool:
        fact = (told.epoch, told.head)
        known = self._ended.get(line.box)
        if known is None or known[0] != fact:
            self._ended[line.box] = known = (fact, now_ms)
        return now_ms - known[1] >= SETTLES_MS

    def _renew(self, line: Line, place: BoxPlace, told: Told, has: Asked) -> None:
        where = (self._round.version, told.epoch, told.head)
        ruleset = self._round.ruleset
        if ruleset is None or self._played.get(line.box) == where:
            return
        plan = self._round.plan(place.table)
        if plan is None:
            self._played[line.box] = where
            return
        at = position(one.fact for one in self._ledger.facts(line.box, told.epoch))
        wanted = renewed(plan, ruleset, at)
        if (wanted["game"], wanted["settings"]) == (has.game, has.settings):
            self._played[line.box] = where
            return
        self._asked[line.box] = plan
        self._ask(line, CONFIGURE, wanted, WHY)

    def _tell_renewed(self, line: Line, place: BoxPlace) -> None:
        """Once, if it was this process that asked for it."""
        plan = self._asked.pop(line.box, None)
        if plan is not None:
            self._tell("renewed", line, RENEWED, table=place.table, game=plan.first_game)

    def _tell_refused(self, line: Line, place: BoxPlace, last: Asked) -> None:
        if last.request.id not in self._refused:
            self._refused.add(last.request.id)
            self._asked.pop(line.box, None)
            self._tell("not_set_up", line, NOT_RENEWED, table=place.table, reason=last.reason)
