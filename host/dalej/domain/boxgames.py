"""What a box knows of the games at its table: facts -> one `BoxGame` for every game that was played.

Nothing here is the result: the racks are on paper. A deal that was dealt anew is no game, nor is one that was begun and
then set up again under its number.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Final

from dalej.domain.facts import END_REASONS, SEATS, Fact, seat_name
from dalej.domain.gamefacts import Deal, GameFacts, GameKey
from dalej.domain.parts import taken_over
from moveclock import facts as k

_BANK_TOLD: Final = (
    k.CONFIGURED, k.GAME_STARTED, k.MOVE_STARTED, k.TILE_DRAWN, k.MOVE_ENDED, k.TIME_RAN_OUT, k.TABLE_RESTORED,
    k.BANK_CORRECTED, k.GAME_REDEALT,
)  # fmt: skip
_KINDS: Final = (
    *_BANK_TOLD, k.SEAT_CHANGED, k.SEAT_WITHDRAWN, k.OPENING_ANNOUNCED, k.GAME_ENDED, k.GAME_REOPENED,
)  # fmt: skip
_MOVED: Final = (k.MOVE_STARTED, k.MOVE_ENDED, k.TIME_RAN_OUT)


@dataclass(frozen=True, slots=True, kw_only=True)
class BoxGame:
    """One game. `game` is the box's own number; `dealt`, `begun` the facts that dealt and began it, `last` its latest.

    Seats are letters. `seats` were dealt to, "" if that is not known. `ended`: one of END_REASONS, None while it goes
    on; `winner` who went out, or was left. `announced`: who said „Wyłożę się w następnej rundzie”, in which of the
    game's moves; `in_time` of them said so in the last move they had, and only that lifts the higher penalty.
    `bank`: tiles left by the box's count, None if it has told none. `takes_over`: it began at
    another box; `moved`: who had a move here, and which was the last of them; `before`: what the boxes before told of
    it.
    """

    box: str
    epoch: int
    game: int
    dealt: int
    begun: int
    last: int
    seats: str
    ended: str | None
    winner: str | None
    announced: Mapping[str, tuple[int, ...]]
    in_time: frozenset[str]
    withdrawn: tuple[str, ...]
    bank: int | None
    reopened: int
    takes_over: bool
    moved: Mapping[str, int]
    before: tuple[BoxGame, ...] = ()

    def holds(self, box: str, epoch: int, seq: int) -> bool:
        """Whether that fact was told of this game, also by the box before."""
        here = (box, epoch) == (self.box, self.epoch) and self.dealt <= seq <= self.last
        return here or any(part.holds(box, epoch, seq) for part in self.before)

    def taken_over_by(self, other: BoxGame) -> BoxGame:
        """The same game with what the spare box `other` tells of the rest of it. An end that the players made at this
        box holds until the other tells of one; one that a desk made there was of the box alone.
        """
        announced = dict(self.announced)
        for seat, moves in other.announced.items():
            announced[seat] = (*announced.get(seat, ()), *moves)
        withdrawn = tuple(dict.fromkeys((*self.withdrawn, *other.withdrawn)))
        moved = {**self.moved, **other.moved}
        ended, winner = other.ended, other.winner
        if ended is None and self.ended != END_REASONS[k.DESK_ENDED]:
            ended, winner = self.ended, self.winner
        return replace(
            other, seats=self.seats, ended=ended, winner=winner, moved=moved, before=(self,), announced=announced,
            in_time=_in_time(announced, moved), withdrawn=withdrawn, reopened=self.reopened + other.reopened,
            takes_over=self.takes_over,
        )  # fmt: skip


def _in_time(announced: Mapping[str, tuple[int, ...]], moved: Mapping[str, int]) -> frozenset[str]:
    """Seats whose last announcement was made in the last move that they had."""
    return frozenset(seat for seat, moves in announced.items() if seat in moved and moves[-1] >= moved[seat])


def box_games(facts: Iterable[Fact]) -> list[BoxGame]:
    """Every game that was begun, in the order of boxes, epochs and deals; facts in any order, however often."""
    fold = GameFacts(_KINDS)
    fold.add_all(facts)
    found = [game for key in fold.games() for game in _games(key, list(fold.deals(key)))]
    return sorted(found, key=lambda game: (game.box, game.epoch, game.dealt))


def _games(key: GameKey, deals: Sequence[Deal]) -> list[BoxGame]:
    games = [_game(key, deal) for deal in deals if not deal.void and _begun(deal) is not None]
    return [game for place, game in enumerate(games) if game.ended is not None or place == len(games) - 1]


def _begun(deal: Deal) -> Fact | None:
    return next((fact for fact in deal.facts if fact.kind == k.GAME_STARTED or fact.move), None)


def _game(key: GameKey, deal: Deal) -> BoxGame:
    seen = _Seen()
    for fact in deal.facts:
        seen.take(fact)
    begun = _begun(deal)
    assert begun is not None, "only games that were begun are looked at"
    announced = {SEATS[seat]: tuple(dict.fromkeys(moves)) for seat, moves in sorted(seen.announced.items())}
    moved = {SEATS[seat]: move for move, seat in sorted(seen.mover.items()) if seat < len(SEATS)}
    return BoxGame(
        box=key.box, epoch=key.epoch, game=key.game, dealt=deal.facts[0].seq, begun=begun.seq, last=deal.facts[-1].seq,
        seats="".join(letter for seat, letter in enumerate(SEATS) if seen.dealt >> seat & 1),
        ended=seen.ended, winner=seen.winner,
        announced=announced, in_time=_in_time(announced, moved),
        withdrawn=tuple(SEATS[seat] for seat in seen.withdrawn), bank=seen.bank, reopened=seen.reopened,
        takes_over=taken_over(deal) is not None, moved=moved,
    )  # fmt: skip


@dataclass(slots=True)
class _Seen:
    """What the facts of one deal come to."""

    dealt: int = 0
    ended: str | None = None
    winner: str | None = None
    bank: int | None = None
    reopened: int = 0
    mover: dict[int, int] = field(default_factory=dict)  # move -> seat
    announced: dict[int, list[int]] = field(default_factory=dict)  # seat -> moves
    withdrawn: dict[int, None] = field(default_factory=dict)

    def take(self, fact: Fact) -> None:
        if fact.kind in _BANK_TOLD:
            self.bank = fact.c
        if fact.kind in _MOVED or (fact.kind == k.SEAT_CHANGED and fact.move):
            self.mover[fact.move] = fact.seat
        if fact.kind == k.CONFIGURED:
            self.dealt = fact.b
        elif fact.kind == k.OPENING_ANNOUNCED and fact.seat < len(SEATS):
            self.announced.setdefault(fact.seat, []).append(fact.move)
        elif fact.kind == k.SEAT_WITHDRAWN and fact.seat < len(SEATS):
            self.withdrawn[fact.seat] = None
        elif fact.kind == k.GAME_ENDED:
            self.ended = END_REASONS[fact.code] if fact.code < len(END_REASONS) else None
            self.winner = seat_name(fact.seat)
        elif fact.kind == k.GAME_REOPENED:
            self.ended = self.winner = None
            self.reopened += 1
