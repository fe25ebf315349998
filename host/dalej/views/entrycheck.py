"""An entry sheet as it is typed: what of it can be read, what it scores, what is wrong and under which field. Pure."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final

from dalej.domain.game.facts import SEATS
from dalej.domain.game.games import BoxGame
from dalej.domain.scoring.points import SeatScore
from dalej.domain.scoring.sheets import ENDINGS, Rack
from dalej.domain.tournament.tournament import NOT_PLAYED, GameAt, Result, Round, Tournament
from dalej.errors import DalejError, Refused, WrongInput
from dalej.office import results
from dalej.office.notation import Entry, ended_by, rack, surprising, with_box, written
from dalej.views.rows import SeenTurn
from dalej.words import N_

ENDS: Final = (*ENDINGS, NOT_PLAYED)


@dataclass(frozen=True, slots=True)
class Typed:
    """What somebody has typed: racks by seat; `ended` if they said so; `ruling`: why it stands all the same."""

    racks: Mapping[str, str]
    ended: str | None = None
    ruling: str = ""


@dataclass(frozen=True, slots=True)
class Checked:
    """`wrong` by seat, "" for the sheet as a whole; `doubts` may be, by seat too. `missing`: seats of which nothing is
    said yet. `ended`: how it ended as far as it is known, None: it must be said. `scores` by seat as soon as it can be
    right. `may_stand`: a referee's reason would let it stand. `filled`: the entry with what the box adds, as it would
    be kept.
    """

    entry: Entry | None = None
    ended: str | None = None
    scores: Mapping[str, SeatScore] = field(default_factory=dict)
    wrong: Mapping[str, DalejError] = field(default_factory=dict)
    doubts: tuple[tuple[str, DalejError], ...] = ()
    missing: tuple[str, ...] = ()
    may_stand: bool = False
    filled: Entry | None = None

    def becomes(self, seat: str) -> str:
        """The rack as it would be kept, where that is not what was typed: a box adds who has withdrawn; else ""."""
        typed, kept = (
            next((one for one in told.racks if one.seat == seat), None) if told is not None else None
            for told in (self.entry, self.filled)
        )
        return "" if typed is None or kept is None or typed == kept else written(kept)

    @property
    def right(self) -> bool:
        """Whether it can be kept."""
        return self.entry is not None and not self.wrong and not self.missing

    @property
    def sum(self) -> int | None:
        """All small points together."""
        return sum(score.small for score in self.scores.values()) if self.scores else None


def check(state: Tournament, one: Round, at: GameAt, typed: Typed, box: BoxGame | None) -> Checked:
    """What is typed so far, against the event as it stands."""
    seats = results.seats_of(results.table_of(one, at.table))
    if typed.ended == NOT_PLAYED:
        return Checked(Entry(NOT_PLAYED, ()), NOT_PLAYED)
    racks, wrong = _read(typed)
    left = results.left_before(state, one, at)
    missing = tuple(seat for seat in seats if not typed.racks.get(seat, "").strip() and seat not in left)
    ended = typed.ended or ended_by(racks) or (box.ended if box is not None and box.ended in ENDINGS else None)
    if wrong or missing:
        return Checked(None, ended, wrong=wrong, missing=missing, doubts=_of_seats(surprising(racks)))
    return _scored(state, one, at, Entry(typed.ended, racks, typed.ruling), box, list(seats), ended)


def _scored(
    state: Tournament, one: Round, at: GameAt, entry: Entry, box: BoxGame | None, seats: Sequence[str],
    ended: str | None,
) -> Checked:  # fmt: skip
    try:
        filled, remarks = with_box(entry, box, seats)
    except WrongInput:
        if ended is not None:
            raise
        must = WrongInput(N_("nobody's rack is empty: how did the game end?"))
        return Checked(None, None, wrong={"": must})
    doubts = _of_seats([*remarks, *results.left_out(state, one, at, filled), *surprising(filled.racks)])
    try:
        scores = results.scored(state, one, at, filled)
    except (WrongInput, Refused) as problem:
        stands = not entry.ruling and _stands(state, one, at, filled)
        return Checked(None, filled.ended, wrong=dict([_of_seat(problem)]), doubts=doubts, may_stand=stands)
    return Checked(entry, filled.ended, {score.seat: score for score in scores}, doubts=doubts, filled=filled)


def _stands(state: Tournament, one: Round, at: GameAt, entry: Entry) -> bool:
    """Whether a referee's reason would let it stand."""
    try:
        results.scored(state, one, at, Entry(entry.ended, entry.racks, "as ruled"))
    except DalejError:
        return False
    return True


def _read(typed: Typed) -> tuple[tuple[Rack, ...], dict[str, DalejError]]:
    racks: list[Rack] = []
    wrong: dict[str, DalejError] = {}
    for seat, text in typed.racks.items():
        if not text.strip():
            continue
        try:
            racks.append(rack(seat, text))
        except WrongInput as problem:
            wrong[seat] = problem
    return tuple(racks), wrong


def _of_seats(problems: Sequence[DalejError]) -> tuple[tuple[str, DalejError], ...]:
    return tuple(_of_seat(problem) for problem in problems)


def _of_seat(problem: DalejError) -> tuple[str, DalejError]:
    """The one seat that it is about, "" if it is about none or several."""
    seat = str(problem.data.get("seat", ""))
    return (seat if seat in SEATS and len(seat) == 1 else ""), problem


def filled_by_box(box: BoxGame | None, seats: Sequence[str]) -> dict[str, str]:
    """What the box knows of the racks, as it would be typed: who went out has none left."""
    if box is None or box.ended != "went_out" or box.winner not in seats:
        return {}
    return {str(box.winner): "0"}


def texts_of(result: Result) -> Typed:
    """What was entered, as it would be typed."""
    if result.sheet is None:
        return Typed({}, NOT_PLAYED)
    racks = {one.seat: written(one) for one in result.sheet.racks}
    said = ended_by(result.sheet.racks)
    return Typed(racks, None if said == result.sheet.ended else result.sheet.ended, result.sheet.ruling)


def penalty_tiles(one: Round, at: GameAt, box: BoxGame | None, turns: Sequence[SeenTurn]) -> dict[str, int | None]:
    """Tiles that rulings of this game cost each seat, so that somebody can see that they lie on the rack; None: nobody
    has counted them.
    """
    found: dict[str, int | None] = {}

    def add(seat: str, tiles: int | None) -> None:
        before = found.get(seat, 0)
        found[seat] = None if tiles is None or before is None else before + tiles

    for ruling in one.rulings:
        if ruling.at == at:
            add(ruling.seat, ruling.tiles)
    for seen in turns if box is not None else ():
        turn = seen.turn  # its own `tiles` are also those that were drawn, which nobody has to look for on a rack
        if turn.judged is not None and turn.seat < len(SEATS) and box is not None and box.holds(
            turn.box, turn.epoch, turn.seq
        ):  # fmt: skip
            add(SEATS[turn.seat], turn.judged.tiles)
    return {seat: tiles for seat, tiles in found.items() if tiles != 0}
