"""Where a spare box goes on: what is known of the game that another box of the table has not ended."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from typing import Final

from dalej.domain.facts import SEATS, Fact, seat_name
from dalej.domain.heard import Told
from dalej.domain.midgame import MidGame, take_over
from dalej.domain.positions import Position, position
from dalej.ledger import Baseline
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
