"""What becomes of the game that a box is in when its table is to be set up: it may be the table's, or not.

A game is ended to make room for another one, and only if somebody has said so by giving the box to the table. The first
row that is true holds. "Begun here": the event has the fact that began it, and that fact counts at this table.

    the game of the box                          the box was given            what becomes of the game
    any                                          with all its facts           goes on: it counts at the table
    another box has gone on with it since then   anyhow                       goes on: that box tells of its end, and
                                                                              two ends would make two games of it
    begun here, since the round was seated       anyhow                       goes on: it is the table's own
    begun here, since the box was given          anyhow                       goes on: whoever gave it meant no later
    nobody knows where it began, but its number  to go on with a known game   goes on: the box may have taken it over
    is that game's and it is as far                                           before the event was restored from a copy
    nobody knows where it began                  and has been set up since    goes on: what was wished is done
    any other                                    to begin anew (`--fresh`)    is ended
    begun at another table, in this round        without that                 goes on: it may be a slip of the finger
    any other                                    to go on with a known game   is ended: it is in the way of that one
    begun here, in an earlier round              and no game is known         goes on: people are asked
    any other                                    and no game is known         goes on: maybe it is played there, and the
                                                                              desk came late; people are asked

Nothing of a game that is ended so counts at the table: from where the box does is decided anew, after the last that it
had to tell of that game. So it is if the game ended by itself in the meantime.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final

from dalej.desk.evening.places import Assigned, Places
from dalej.domain.game.heard import Told
from dalej.errors import DalejError
from dalej.event.boxplaces import ALL, BoxPlace
from dalej.event.ledger import APPLIED, Reported
from dalej.hints import EVENT, typed
from dalej.words import N_
from moveclock import facts as k

COUNTS_HERE: Final = N_(
    "table {table}: box {box} is in a game that counts here; the table is set up when that game is over"
)
OF_BEFORE: Final = N_(
    "table {table}: box {box} is still in a game from before this round; the table is set up when that game is over, "
    "or when the box is given to it anew, to begin a new game"
)
OF_ANOTHER: Final = N_(
    "table {table}: box {box} is still in this round's game of table {other}, so it is not set up here. Put it back, "
    "or give it to table {table} anew, to begin a new game"
)
WHOSE: Final = N_(
    "table {table}: box {box} is in a game that did not begin here, as far as this event knows. Give it to the table "
    "anew: if the game is played here, with all that it holds; if not, to begin a new game"
)
AS_FAR: Final = N_(
    "table {table}: box {box} is as far in game {game} already. If it went on with the game of this table, give it to "
    "the table anew, with all that it holds. If that is another game, free the box: hold Już and Dalej "
    "(of seat A, if each seat has its own) while you plug it in, then press Sędzia"
)
TAKEN: Final = N_(
    "table {table}: box {box} still holds a game of table {other} that was taken from it, so it is not set up; to free "
    "it: hold Już and Dalej (of seat A, if each seat has its own) while you plug it in, then press Sędzia"
)
TAKEN_HERE: Final = N_(
    "table {table}: box {box} still holds the game that box {by} went on with. If it is played on at box {box}, what "
    "is played counts. If at box {by}, give that one to the table. To go on here where box {by} is, free box {box}: "
    "hold Już and Dalej (of seat A, if each seat has its own) while you plug it in, then press Sędzia"
)
ENDS_FOR_NEW: Final = N_(
    "table {table}: box {box} holds a game that nobody ended; the desk ends it, because the table begins anew"
)
ENDS_OF_ANOTHER: Final = N_(
    "table {table}: box {box} is still in this round's game of table {other}; the desk ends it, because the box was "
    "given to this table to begin anew"
)
ENDS_FOR_KNOWN: Final = N_(
    "table {table}: box {box} holds a game that nobody ended; the desk ends it, because the box goes on with the game "
    "of this table"
)

_HINTS: Final = {
    OF_BEFORE: N_("{fresh} begins a new game"),
    OF_ANOTHER: N_("{back} puts it back, {fresh} begins a new game"),
    WHOSE: N_("{facts} counts what it holds, {fresh} begins a new game"),
    AS_FAR: N_("{facts} counts what it holds"),
    TAKEN_HERE: N_("{instead} gives it"),
}

_BEGINS: Final = (k.CONFIGURED, k.GAME_REDEALT, k.GAME_STARTED)
_PLAYED: Final = (k.MOVE_STARTED, k.MOVE_ENDED, k.TIME_RAN_OUT, k.GAME_ENDED)


@dataclass(frozen=True, slots=True)
class Verdict:
    """Whether the game is ended, and what is said of it. `other`: the table at which it is played, `game`: its number,
    0: none is named; `by`: the box (its uid) that went on with it.
    """

    ends: bool
    template: str
    other: int = 0
    game: int = 0
    by: str = ""

    def hint(self, place: BoxPlace) -> DalejError | None:
        """What gives the boxes to tables otherwise; they are named by their uids."""
        template = _HINTS.get(self.template)
        if template is None:
            return None
        here = assigning(place.box, place.table)
        return DalejError(
            template, fresh=typed(*here, "--fresh"), facts=typed(*here, "--all-facts"),
            back=typed(*assigning(place.box, self.other)), instead=typed(*assigning(self.by, place.table)),
        )  # fmt: skip


def assigning(box: str, table: int) -> tuple[str | int, ...]:
    """The command that gives the box to the table."""
    return ("box", "assign", EVENT, box, table)


@dataclass(frozen=True, slots=True)
class InTheWay:
    """A game that was: `seq` is its last fact; by the `earlier` assignments facts of it alone count at the table."""

    seq: int
    earlier: tuple[Assigned, ...]


class OwnGames:
    """`round_began()`: the place in the ledger from which on games are of the round at work; 0: there is none."""

    def __init__(self, places: Places, round_began: Callable[[], int]) -> None:
        self._places = places
        self._round_began = round_began

    def verdict(self, place: BoxPlace, given: Assigned, told: Told | None) -> Verdict:
        """On the game that the box is in; everything it has to tell is in the ledger. `told`: as it stands now."""
        if place.since == ALL:
            return Verdict(False, COUNTS_HERE)
        began = self._beginning(given)
        table = None if began is None else self._table_of(began)
        if began is None or table is None:
            if self._was_set_up(place):
                return Verdict(False, COUNTS_HERE)
            if place.goes_on and told is not None and _is_as_far(told, given):
                return Verdict(False, AS_FAR, game=told.game or 0)
            return _of_nobody(place, given)
        by = self._taken_by(began, table)
        if by is not None:
            return Verdict(False, TAKEN if table != place.table else TAKEN_HERE, table, by=by)
        in_round = began.cursor > self._round_began()
        if table != place.table:
            return _of_another(place, table) if in_round else _of_nobody(place, given)
        if in_round:
            return Verdict(False, COUNTS_HERE)
        no_other = place.goes_on and given.baseline.game is None
        return Verdict(False, OF_BEFORE) if no_other or began.cursor > place.cursor else _of_nobody(place, given)

    def in_the_way(self, place: BoxPlace, given: Assigned) -> InTheWay | None:
        """A game that was in the way and is over, if any of it counts by this assignment; None: none was."""
        if place.since == ALL or (place.goes_on and given.baseline.game is None) or self.is_over(place, given):
            return None
        told = [one.fact for one in self._told(given)]
        seq = given.baseline.seq
        begins = next((fact.seq for fact in told if fact.seq > seq and fact.kind in _BEGINS), None)
        of_it = [fact for fact in told if fact.seq > seq and (begins is None or fact.seq < begins)]
        if not any(fact.kind in _PLAYED for fact in of_it):
            return None
        last_begun = max((fact.seq for fact in told if fact.seq <= seq and fact.kind in _BEGINS), default=0)
        earlier = [
            one
            for one in self._places.assigned
            if (one.baseline.box, one.baseline.epoch, one.baseline.table)
            == (place.box, given.baseline.epoch, place.table)
            and last_begun <= one.baseline.seq
            and one.cursor < given.cursor
        ]
        return InTheWay(of_it[-1].seq, tuple(earlier))

    def is_over(self, place: BoxPlace, given: Assigned) -> bool:
        """Whether the game that the box was to go on with was its own all the time and has ended there since. One that
        another box had taken over must have been played on here for that.
        """
        began = None if given.baseline.game is None else self._beginning(given)
        if began is None or began.fact.game != given.baseline.game or began.cursor <= self._round_began():
            return False
        if self._table_of(began) != place.table:
            return False
        since = max(given.baseline.seq, began.fact.seq)
        later = [one.fact for one in self._told(given) if one.fact.seq > since]
        if not any(fact.kind == k.GAME_ENDED for fact in later):
            return False
        played = any(fact.kind == k.MOVE_ENDED and fact.code != k.BY_DESK for fact in later)
        return played or self._taken_by(began, place.table) is None

    def _beginning(self, given: Assigned) -> Reported | None:
        """The fact that began the game the box is in; None if the event does not have it."""
        began, game = None, 0
        for reported in self._told(given):
            game = reported.fact.game or game
            if reported.fact.kind in _BEGINS:
                began = reported
        return began if began is not None and began.fact.game == game else None

    def _taken_by(self, began: Reported, table: int) -> str | None:
        """The box that has gone on with that game at its table since, and was not taken back; None: none has."""
        return next(
            (
                one.baseline.box
                for one in reversed(self._places.assigned)
                if one.baseline.table == table
                and one.baseline.box != began.fact.box
                and one.cursor > began.cursor
                and not self._places.is_undone(one)
                and self._took_over(one, began.fact.game)
            ),
            None,
        )

    def _took_over(self, one: Assigned, game: int) -> bool:
        """Whether the box has said that it did, since it was given to the table."""
        return any(
            told.fact.kind == k.COMMAND_APPLIED
            and told.fact.code == k.C_TAKE_OVER
            and told.fact.game == game
            and told.fact.seq > one.baseline.seq
            and self._table_of(told) == one.baseline.table
            for told in self._told(one)
        )

    def _was_set_up(self, place: BoxPlace) -> bool:
        """Whether the box has been set up for a game of its table since it was given to it."""
        asked = self._places.asked(place.box, "configure", place.cursor)
        return asked is not None and asked.result == APPLIED

    def _told(self, given: Assigned) -> Sequence[Reported]:
        """All that the journal told of, in the order of the box."""
        return self._places.facts(given.baseline.box, given.baseline.epoch)

    def _table_of(self, reported: Reported) -> int | None:
        fact = reported.fact
        return self._places.table_of_fact(fact.box, fact.epoch, fact.seq)


def _is_as_far(told: Told, given: Assigned) -> bool:
    """Whether the box may be in the very game that it was to take over."""
    at = given.baseline
    if at.game is None or at.move is None or told.game is None or told.move is None:
        return False
    return told.game == at.game and told.move >= at.move


def _of_another(place: BoxPlace, table: int) -> Verdict:
    """It is played in this round, at another table."""
    if not place.goes_on:
        return Verdict(True, ENDS_OF_ANOTHER, table)
    return Verdict(False, OF_ANOTHER, table)


def _of_nobody(place: BoxPlace, given: Assigned) -> Verdict:
    """It is none of the round's, as far as the event tells."""
    if not place.goes_on:
        return Verdict(True, ENDS_FOR_NEW)
    return Verdict(True, ENDS_FOR_KNOWN) if given.baseline.game is not None else Verdict(False, WHOSE)
