"""The bank of every game: what the box has counted, and what it comes to with the rulings of now.

The box counts every tile that is drawn, and the penalty tile of the table's own verdict. It does not know what was
ruled by default or by a referee, so that is added here, and given back where a verdict is overruled; no tile is ever
counted twice. „Takes every tile outside valid sets” takes from the table: it costs the bank nothing, and the penalty
tile it stands in place of goes back.

A count that a referee has set (`bank_corrected`) includes whatever was settled before it. A box that takes a game over
goes on with the count of the box before, which knows no more of rulings than that one did.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Final

from dalej.domain.game.commands import MidGame, told_by
from dalej.domain.game.facts import Fact
from dalej.domain.game.games import Deal, DealKey, GameFacts, GameKey, TableGame, deal_key
from dalej.domain.game.rulings import FactKey, Ruling, by_fact
from moveclock import facts as k

_COUNTS: Final = (
    k.CONFIGURED, k.GAME_STARTED, k.MOVE_STARTED, k.TILE_DRAWN, k.MOVE_ENDED, k.TIME_RAN_OUT, k.TABLE_RESTORED,
    k.BANK_CORRECTED, k.GAME_REDEALT,
)  # fmt: skip
_GOES_ON: Final = (k.MOVE_RESTARTED, k.TIME_CORRECTED, k.EXTRA_TIME_GIVEN)
_KINDS: Final = (*_COUNTS, *_GOES_ON, k.GAME_REOPENED)


@dataclass(frozen=True, slots=True)
class Bank:
    """Tiles left: `counted` by the box, `corrected` by the rulings that it does not know; None: it has told nothing."""

    counted: int | None
    corrected: int | None


UNKNOWN: Final = Bank(None, None)


@dataclass(frozen=True, slots=True)
class GameBank:
    """The bank of one deal, dealt by fact `dealt`; `after`: what it was when each of its moves was over and ruled.
    `goes_on`: the rest of it is told by another box.
    """

    box: str
    epoch: int
    game: int
    dealt: int
    void: bool
    now: Bank
    after: Mapping[int, Bank]
    goes_on: bool = False


@dataclass(slots=True)
class Tiles:
    """Tiles of one move that the box has counted: drawn in time, and after it (the one tile of a penalty)."""

    in_time: int = 0
    late: int = 0

    @property
    def counted(self) -> int:
        return self.in_time + self.late

    def from_bank(self, ruling: Ruling | None) -> int:
        """How many tiles the move costs the bank, as it is ruled now.

        What a referee rules is what the move costs beyond the tile drawn in time: the late one counts towards it, or
        goes back. The tile of an undone move is its ordinary draw: whoever has taken one has taken it.
        """
        if ruling is None:
            return self.counted
        if ruling.ruling == "undone":
            kept = self.counted if ruling.by == "default" else self.in_time
            return max(kept, ruling.tiles or 0)
        if ruling.by != "referee":
            return self.counted
        return self.in_time + (ruling.tiles or 0 if ruling.ruling == "stands" else 0)

    def cost(self, ruling: Ruling | None) -> int | None:
        """How many tiles the move costs its player, from the bank and from the table; None while nobody has counted."""
        if ruling is None or ruling.ruling != "takes_invalid":
            return self.from_bank(ruling)
        return None if ruling.tiles is None else self.from_bank(ruling) + ruling.tiles


def banks(facts: Iterable[Fact], rulings: Iterable[Ruling] = (), games: Iterable[TableGame] = ()) -> list[GameBank]:
    """The bank of every deal, in the order of boxes, epochs and deals; `rulings` are the current ones, `games` those of
    which several boxes tell.

    Facts may come in any order and repeatedly.
    """
    fold = GameFacts(_KINDS)
    fold.add_all(facts)
    ruled = by_fact(rulings)
    deals = {deal_key(key, deal): deal for key in fold.games() for deal in fold.deals(key)}
    counts = {key: _counted(deal) for key, deal in deals.items()}
    before: dict[DealKey, int] = {}
    goes_on: set[DealKey] = set()
    for game in games:
        for part, following in pairwise(game.parts):
            if part.deal in counts:
                owed = counts[part.deal].owed_in_all(ruled, before.get(part.deal, 0), following.move)
                before[following.deal] = owed
                goes_on.add(part.deal)
    found = [_bank(key, deals[key], count, ruled, before.get(key, 0), key in goes_on) for key, count in counts.items()]
    return sorted(found, key=lambda bank: (bank.box, bank.epoch, bank.dealt))


def _counted(deal: Deal) -> _Count:
    count = _Count()
    for fact in deal.facts:
        count.take(fact)
    return count


def _bank(
    key: DealKey, deal: Deal, count: _Count, ruled: Mapping[FactKey, Ruling], before: int, goes_on: bool
) -> GameBank:
    """`before`: tiles that rulings take, and that no box before this one has counted."""
    after: dict[int, Bank] = {}
    reset, owed = 0, before  # tiles that the rulings since the reset take and the box has not counted
    for number, move in sorted(count.moves.items()):
        latest = max((seq for seq in count.resets if seq <= move.left_seq), default=0)
        if latest > reset:
            reset, owed = latest, 0
        owed += move.owed(ruled) if move.settled_seq >= reset else 0
        after[number] = Bank(move.left, _less(move.left, owed))
    now = Bank(count.left, _less(count.left, count.owed_in_all(ruled, before)))
    return GameBank(key.box, key.epoch, key.game, deal.facts[0].seq, deal.void, now, after, goes_on)


def _less(left: int | None, owed: int) -> int | None:
    return None if left is None else max(0, left - owed)


class BanksByMove:
    """What the bank was after a move, wherever it was played."""

    def __init__(self, found: Iterable[GameBank]) -> None:
        self._deals: dict[GameKey, list[GameBank]] = {}
        for bank in found:
            self._deals.setdefault(GameKey(bank.box, bank.epoch, bank.game), []).append(bank)

    def after(self, game: GameKey, move: int, seq: int) -> Bank | None:
        """`seq`: of a fact of that move; None if nothing is known of it."""
        deals = [bank for bank in self._deals.get(game, ()) if bank.dealt <= seq]
        return max(deals, key=_dealt).after.get(move) if deals else None


def _dealt(bank: GameBank) -> int:
    return bank.dealt


@dataclass(slots=True)
class _Move:
    tiles: Tiles = field(default_factory=Tiles)
    over: bool = False
    tapped: bool = False  # the tile contact was used in it
    ruled_on: list[FactKey] = field(default_factory=list)
    settled_seq: int = 0  # of the fact that settled it so far: its time-out, then the table's verdict
    left: int | None = None
    left_seq: int = 0

    def drawn(self, in_it: int) -> None:
        """The box says at its end whether a tile was drawn in it."""
        if in_it and not self.tapped:  # a box without a tile contact: the click itself counts as the tile
            self.tiles.in_time = 1

    def taken_over(self, before: MidGame, key: FactKey) -> None:
        """The box before has counted its tiles, and the count that this one was given is without them."""
        self.tiles = Tiles(int(before.drawn), int(before.penalty))
        self.tapped = before.drawn
        if before.late:
            self.over = True
            self.ruled_on.append(key)
            self.settled_seq = key[2]

    def owed(self, ruled: Mapping[FactKey, Ruling]) -> int:
        """Tiles that the move costs the bank by its ruling, beyond those that the box has counted."""
        ruling = next((ruled[of] for of in self.ruled_on if of in ruled), None)
        return self.tiles.from_bank(ruling) - self.tiles.counted


class _Count:
    """The facts of one deal, as far as they tell of tiles."""

    def __init__(self) -> None:
        self.left: int | None = None
        self.resets: list[int] = []
        self.moves: dict[int, _Move] = {}

    def owed_in_all(self, ruled: Mapping[FactKey, Ruling], before: int, but: int = 0) -> int:
        """Tiles that rulings take since the count was set last, and that are not in it; without the move `but`."""
        reset = max(self.resets, default=0)
        own = sum(
            move.owed(ruled) for number, move in self.moves.items() if move.settled_seq >= reset and number != but
        )
        return own + (0 if reset else before)

    def take(self, fact: Fact) -> None:
        if fact.kind in _COUNTS:
            self.left = fact.c
        if fact.kind == k.BANK_CORRECTED:
            self.resets.append(fact.seq)
        if not fact.move:
            return
        move = self.moves.setdefault(fact.move, _Move())
        if fact.kind in _COUNTS:
            move.left, move.left_seq = fact.c, fact.seq
        key = (fact.box, fact.epoch, fact.seq)
        if fact.kind == k.TILE_DRAWN:
            self._tile(move, fact)
        elif fact.kind == k.MOVE_STARTED and fact.b:
            move.taken_over(told_by(fact), key)
        elif fact.kind == k.TIME_RAN_OUT:
            move.drawn(fact.b)
            self._settle(move, key)
        elif fact.kind == k.MOVE_ENDED:
            move.drawn(fact.b)
            move.over = True
        elif fact.kind == k.TABLE_RESTORED:
            move.tiles.late = max(move.tiles.late, fact.b)
            self._settle(move, key)
        elif fact.kind == k.GAME_REOPENED and fact.code == k.NEXT_SEAT:
            self._settle(move, key)
        elif fact.kind in (*_GOES_ON, k.GAME_REOPENED) and fact.a:
            self._go_on(move)

    def _settle(self, move: _Move, key: FactKey) -> None:
        move.over = True
        move.ruled_on.append(key)
        move.settled_seq = key[2]

    def _tile(self, move: _Move, fact: Fact) -> None:
        move.tapped = True
        if fact.code != 1:
            return
        if move.over:
            move.tiles.late = 1
        else:
            move.tiles.in_time = 1

    def _go_on(self, move: _Move) -> None:
        """The tile that was taken late is the one tile of the move now."""
        move.tiles = Tiles(move.tiles.counted)
        move.over = False
