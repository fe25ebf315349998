"""From which fact on a box counts at its table, decided once, when the desk has met the box there; and where a spare
box goes on: what is known of the game that another box of the table has not ended.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field, replace
from typing import Final

from dalej.clock import Clock
from dalej.desk.evening.owngames import InTheWay
from dalej.desk.evening.places import Assigned, Places
from dalej.desk.hearing import Line
from dalej.domain.game.commands import MidGame, take_over
from dalej.domain.game.facts import SEATS, Fact, seat_name
from dalej.domain.game.heard import Told
from dalej.domain.game.positions import Position, position
from dalej.event.boxplaces import ALL, BoxPlace
from dalej.event.ledger import ASSIGN, REVOKE, Baseline, Draft, Ledger, body_of
from dalej.link.session import Trusted
from dalej.words import N_, readable
from moveclock import facts as k

PLAYS = (k.RUNNING, k.EXPIRED, k.STOPPED)
_SAME_MOVE: Final = 6  # facts: fewer do not bring the turn round to the same seat again


@dataclass(frozen=True, slots=True)
class LastHeard:
    """What a desk heard of a box at last. `at_ms`: when, by its own clock, the box still stood as `told` says."""

    told: Told
    at_ms: int


@dataclass(frozen=True, slots=True)
class Unended:
    """A game within a move. `seats` were dealt to, `out` of them (a mask) have withdrawn; `starter` None: not named.

    `missing`: facts that the box had and nobody received, so the table may be further than this. `more`: what else the
    table must know to go on; of a move whose time is over nothing remains.
    """

    game: int
    move: int
    seat: int
    remaining_ms: int
    bank: int
    out: int
    seats: str
    starter: str | None
    missing: int = 0
    more: MidGame = field(default_factory=MidGame)

    def arguments(self) -> dict[str, int | str]:
        """Of the `take_over` by which a box goes on here."""
        return take_over(
            game=self.game, move=self.move, seat=self.seat, remaining_ms=self.remaining_ms, bank=self.bank,
            out=self.out, more=self.more,
        )  # fmt: skip


def unended(facts: Iterable[Fact], heard: LastHeard | None) -> Unended | None:
    """The game in which a box stood after these facts of one of its journals, and as it was `heard`; None if it stood
    in none, or if nobody can say where.
    """
    at = position(facts)
    if at.state not in PLAYS or not at.move or at.bank is None or at.seat >= len(SEATS):
        return None
    told = heard.told if heard is not None and heard.told.epoch == at.epoch else None
    missing = 0 if told is None else max(0, told.head - at.seq)
    more = at.mid_game
    if told is not None and missing and _ran_out(at, told, missing):
        more = replace(more, late=True)
    left_ms = at.left_ms
    if heard is not None and told is not None and not missing:
        left_ms = _left(told, heard.at_ms, left_ms)
    if left_ms is None:
        left_ms = at.limit_ms or 0
    if more.late:
        left_ms = 0
    return Unended(
        game=at.game, move=at.move, seat=at.seat, remaining_ms=left_ms, bank=at.bank, out=at.out,
        seats="".join(letter for seat, letter in enumerate(SEATS) if at.seats >> seat & 1),
        starter=seat_name(at.starter), missing=missing, more=more,
    )  # fmt: skip


def as_decided(game: Unended, at: Baseline) -> Unended:
    """The position that was decided when the box was met, and who has withdrawn."""
    decided = Unended(
        game=at.game or game.game, move=at.move or game.move, seat=game.seat if at.seat is None else at.seat,
        remaining_ms=game.remaining_ms if at.remaining_ms is None else at.remaining_ms,
        bank=game.bank if at.bank is None else at.bank, out=game.out, seats=game.seats, starter=game.starter,
        more=game.more,
    )  # fmt: skip
    if (decided.game, decided.move, decided.seat) != (game.game, game.move, game.seat):
        lap = game.more.lap_mask | 1 << decided.seat if game.more.lap_reason is not None else 0
        return replace(decided, more=MidGame(lap_reason=game.more.lap_reason, lap_mask=lap))
    if decided.remaining_ms:
        return replace(decided, more=replace(game.more, late=False, penalty=False))
    return decided


def _ran_out(at: Position, told: Told, missing: int) -> bool:
    """Whether the box was heard to be past the limit of the very move that the facts tell of last."""
    return told.state == k.EXPIRED and at.state == k.RUNNING and told.seat == at.seat and missing < _SAME_MOVE


def _left(told: Told, at_ms: int, by_facts: int | None) -> int | None:
    """What was left when the box was heard last: of a running move less than when it said so."""
    if told.state == k.EXPIRED:
        return 0
    if told.left_ms is None or told.state not in (k.RUNNING, k.STOPPED):
        return by_facts
    passed = max(0, at_ms - told.at_ms) if told.state == k.RUNNING else 0
    return max(0, told.left_ms - passed)


Tell = Callable[..., None]

TO_TAKE_OVER: Final = N_(
    "table {table}: box {box} is to take over game {game}, move {move}, seat {seat}, as box {other} said last"
)
FURTHER: Final = N_(
    "table {table}: some facts of the box before were received by nobody (how many: {missing}): ask the table"
)
NOTHING_KNOWN: Final = N_(
    "table {table}: nothing is known of a game that box {box} could go on with; it is set up for a new one"
)


class Meetings:
    """`heard_last(box)`: what this desk heard of a box that is gone; `tell` reaches a person; `tells_more(box)`: it has
    facts that count from now on, and did not when it proved itself.
    """

    def __init__(
        self,
        ledger: Ledger,
        clock: Clock,
        places: Places,
        who: str,
        tell: Tell,
        heard_last: Callable[[str], LastHeard | None],
        round_began: Callable[[], int],
        tells_more: Callable[[str], None],
    ) -> None:
        self._ledger = ledger
        self._clock = clock
        self._places = places
        self._who = who
        self._tell = tell
        self._heard_last = heard_last
        self._round_began = round_began
        self._tells_more = tells_more
        self._lost: set[int] = set()  # assignments to go on with a game of which nothing is known

    def met(self, line: Line, event: Trusted) -> None:
        """The box proved itself and says what it holds."""
        place = self._places.places.get(line.box)
        if place is None or self.assignment(place, event.epoch) is not None:
            return
        if self._settled(place) is not None:
            self._assign(place, event.epoch, 0, None)  # a journal that began anew at this very table
            return
        known = self._contiguous(line.box, event.epoch)
        if place.since == ALL:
            self._begin(line, place, event.epoch, 0)
        elif known is None:
            self._begin(line, place, event.epoch, event.head)
        elif known >= event.head:
            self._begin(line, place, event.epoch, known)

    def caught_up(self, line: Line, epoch: int) -> None:
        """Everything that the box had when it proved itself is in the ledger."""
        place = self._places.places.get(line.box)
        if place is None or self._settled(place) is not None:
            return
        known = self._contiguous(line.box, epoch)
        if known is not None:
            self._begin(line, place, epoch, 0 if place.since == ALL else known)

    def assignment(self, place: BoxPlace, epoch: int) -> Assigned | None:
        """The assignment by which the box's facts of that journal count at this place."""
        found = self._settled(place)
        if found is None or found.baseline.epoch == epoch:
            return found
        return next((one for one in self._since(place) if one.baseline.epoch == epoch), None)

    def game_before(self, place: BoxPlace) -> Unended | None:
        """The game that the table's box before this one has not ended, if it is of the round that is played."""
        before = self._places.before(place)
        if before is None:
            return None
        last = before.baseline
        told = self._places.facts(last.box, last.epoch)
        here = [one for one in told if self._places.table_of_fact(last.box, last.epoch, one.fact.seq) == place.table]
        heard = self._heard_here(before) if told[-1:] == here[-1:] else None
        found = unended((one.fact for one in here), heard)
        began = [one.cursor for one in here if found is not None and one.fact.game == found.game and one.fact.move]
        return found if began and began[-1] > self._round_began() else None

    def _left_in_a_game(self, place: BoxPlace) -> bool:
        """Whether the box before was in a game when it was heard last."""
        before = self._places.before(place)
        last = None if before is None else self._heard_here(before)
        return last is not None and last.told.state in PLAYS

    def _heard_here(self, stood: Assigned) -> LastHeard | None:
        """What was heard of a box that has counted at no other table since; of one that has it tells of that."""
        box = stood.baseline.box
        later = (one for one in self._places.assigned if one.baseline.box == box and one.cursor > stood.cursor)
        return None if any(later) else self._heard_last(box)

    def is_lost(self, given: Assigned) -> bool:
        """Whether the box was to go on with a game in which the one before was heard, and nothing is known of it."""
        return given.cursor in self._lost

    def begin_again(self, place: BoxPlace, given: Assigned, game: InTheWay) -> None:
        """What the box told of that game does not count at its table after all."""
        body = body_of(replace(given.baseline, seq=game.seq))
        drafts = [Draft(ASSIGN, body, revokes=given.cursor)]
        drafts += [Draft(REVOKE, {}, revokes=one.cursor) for one in game.earlier]
        why = f"box {place.called} was in another game"
        self._ledger.decide_together(drafts, who=self._who, when_ms=self._clock.wall_ms(), why=why)
        self._places.read_on()

    # --- what is decided -----

    def _begin(self, line: Line, place: BoxPlace, epoch: int, seq: int) -> None:
        game = self.game_before(place) if place.goes_on else None
        lost = game is None and place.goes_on and self._left_in_a_game(place)
        self._assign(place, epoch, seq, game)
        given = self._settled(place)
        if lost and given is not None:
            self._lost.add(given.cursor)
        if game is None:
            return
        before = self._places.before(place)
        self._tell(
            "to_take_over", line, TO_TAKE_OVER, table=place.table, game=game.game, move=game.move,
            seat="ABCD"[game.seat], other="" if before is None else readable(self._places.called(before.baseline.box)),
        )  # fmt: skip
        if game.missing:
            self._tell("takes_over", line, FURTHER, table=place.table, missing=game.missing)

    def _assign(self, place: BoxPlace, epoch: int, seq: int, game: Unended | None) -> None:
        baseline = Baseline(table=place.table, box=place.box, epoch=epoch, seq=seq)
        if game is not None:
            baseline = Baseline(
                table=place.table, box=place.box, epoch=epoch, seq=seq, game=game.game, move=game.move, seat=game.seat,
                remaining_ms=game.remaining_ms, bank=game.bank,
            )  # fmt: skip
        more = any(one.epoch == epoch and one.baseline > seq for one in self._ledger.boxes(place.box))
        self._ledger.assign(
            baseline, who=self._who, when_ms=self._clock.wall_ms(), why=f"box {place.called} was met at its table"
        )
        self._places.read_on()
        if more:
            self._tells_more(place.box)

    def _settled(self, place: BoxPlace) -> Assigned | None:
        """The box's last assignment, if it was made for this place."""
        of_box = [one for one in self._places.assigned if one.baseline.box == place.box]
        last = of_box[-1] if of_box else None
        return last if last is not None and last.baseline.table == place.table and last.cursor > place.cursor else None

    def _since(self, place: BoxPlace) -> list[Assigned]:
        return [
            one
            for one in self._places.assigned
            if one.cursor > place.cursor and (one.baseline.box, one.baseline.table) == (place.box, place.table)
        ]

    def _contiguous(self, box: str, epoch: int) -> int | None:
        """Up to where the event has that journal, None: nothing was ever told of it."""
        return next((one.contiguous for one in self._ledger.boxes(box) if one.epoch == epoch), None)
