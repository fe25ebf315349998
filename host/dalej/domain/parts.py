"""The games of a table, put together from what each of its boxes tells: a spare box goes on with the game of another.

A game that no box has told the end of, and that was then set up anew under its number in the same round, was broken
off. It counts as little as a deal that was dealt anew: see `dalej.office.boxes`, which numbers the games of a round.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import NamedTuple

from dalej.domain.facts import Fact
from dalej.domain.gamefacts import Deal, GameKey
from dalej.domain.midgame import told_by
from moveclock import facts as k

_DEALS = (k.CONFIGURED, k.GAME_REDEALT)
_PLAYED = (k.MOVE_ENDED, k.TABLE_RESTORED, k.GAME_ENDED)


class DealKey(NamedTuple):
    """One deal of one box; `dealt`: the fact that dealt it, 0: not known."""

    box: str
    epoch: int
    game: int
    dealt: int


@dataclass(frozen=True, slots=True)
class Part:
    """A deal in which somebody moved, as one box tells it; `begun`, `last`: numbers of facts.

    `move`: the one that it took over from another box, or from itself when it was put back; 0: the game began here.
    `late`: its time was over there; else the box gave it `given_ms`, None: not known. `over`: the game was ended here.
    `idle`: nothing was done in it yet but to take it over. `void`: the tiles were dealt anew.
    """

    deal: DealKey
    begun: int
    last: int
    move: int
    late: bool
    given_ms: int | None
    over: bool
    idle: bool
    void: bool


@dataclass(frozen=True, slots=True)
class TableGame:
    """One game, by its boxes one after the other; `broken_off`: it has no end, and was begun anew."""

    parts: tuple[Part, ...]
    broken_off: bool

    @property
    def void(self) -> bool:
        """Whether it counts as little as if it had not been played."""
        return self.broken_off or self.parts[-1].void

    def part_of(self, fact: tuple[str, int, int]) -> Part | None:
        """Which of the boxes told that fact (box, epoch, seq) in it; None: it is no fact of this game."""
        box, epoch, seq = fact
        of_journal = (part for part in self.parts if part.deal[:2] == (box, epoch))
        return next((part for part in of_journal if part.begun <= seq <= part.last), None)


def deal_key(game: GameKey, deal: Deal) -> DealKey:
    """The deal's name, whatever kinds of facts are looked at."""
    first = deal.facts[0]
    return DealKey(game.box, game.epoch, game.game, first.seq if first.kind in _DEALS else 0)


def taken_over(deal: Deal) -> Fact | None:
    """The first fact of a move that began at another box; None if the game began here, as far as is known.

    A box that takes over reports its first move right after it was set up; of one that was started, or whose start is
    among facts that are missing, something stands between.
    """
    first = deal.facts[0]
    begun = _begun(deal)
    if first.kind != k.CONFIGURED or begun is None or begun.kind == k.GAME_STARTED:
        return None
    if any(fact.kind == k.GAME_STARTED for fact in deal.facts):
        return None
    at_once = begun.kind == k.MOVE_STARTED and begun.seq == first.seq + 1
    return begun if at_once or begun.move > 1 else None


def part_of(game: GameKey, deal: Deal) -> Part | None:
    """What the box tells of that deal; None if nobody moved in it. Of all kinds of facts it must have those that begin
    and end games and moves.
    """
    begun, taken = _begun(deal), taken_over(deal)
    if begun is None:
        return None
    ends = [fact.kind for fact in deal.facts if fact.kind in (k.GAME_ENDED, k.GAME_REOPENED)]
    return Part(
        deal_key(game, deal), begun.seq, deal.facts[-1].seq,
        move=0 if taken is None else taken.move,
        late=taken is not None and told_by(taken).late,
        given_ms=None if taken is None or taken.kind != k.MOVE_STARTED else taken.a,
        over=bool(ends) and ends[-1] == k.GAME_ENDED,
        idle=not any(fact.kind in _PLAYED for fact in deal.facts),
        void=deal.void,
    )  # fmt: skip


def table_games(parts: Iterable[tuple[int, Part]]) -> list[TableGame]:
    """The games of one table, from its parts in the order in which they were played, each with a number that tells its
    round from the others.
    """
    games: list[list[Part]] = []
    broken_off: set[int] = set()
    before_round = 0
    for number, part in parts:
        before = games[-1][-1] if games else None
        if before is not None and before.deal.game == part.deal.game and not before.void:
            if part.move and (part.deal[:2] != before.deal[:2] or _put_back(part)):
                games[-1].append(part)  # whatever became of it at the box before since then
                before_round = number
                continue
            if number == before_round and not before.over:
                broken_off.add(len(games) - 1)
        games.append([part])
        before_round = number
    return [TableGame(tuple(found), place in broken_off) for place, found in enumerate(games)]


def _put_back(part: Part) -> bool:
    """Whether a box was put back in its own game: it told of the move right after it was set up."""
    return part.begun == part.deal.dealt + 1


def _begun(deal: Deal) -> Fact | None:
    return next((fact for fact in deal.facts if fact.kind == k.GAME_STARTED or fact.move), None)
