"""The turn log: one `Turn` a move, folded from a box's facts, with what rulings add to it; and of one table from the
journals of several boxes: a move in which one box died and another went on is one.
"""

from __future__ import annotations

from collections.abc import Collection, Container, Iterable
from dataclasses import dataclass, field, replace
from typing import Final

from dalej.domain.game.bank import Tiles
from dalej.domain.game.commands import MidGame, told_by
from dalej.domain.game.facts import HOWS, STOP_REASONS, Fact, seat_name
from dalej.domain.game.games import Deal, DealKey, GameFacts, GameKey, OfDeals, deal_key, taken_over
from dalej.domain.game.rulings import FactKey, Ruling, by_fact
from dalej.domain.rules.rulesets import RulingName
from moveclock import facts as k

# What may be noted of a turn, in the order it is printed.
FLAGS: Final = (
    "clicked_before_drawing", "dalej_refused", "late_tile", "further_tile", "drew_then_laid", "announced", "claim",
    "claim_denied", "restarted", "taken_up", "dispute", "call_withdrawn", "referee_called", "corrected", "extra_time",
    "seat_changed", "bank_corrected", "box_lost_power", "reopened", "other_box", "unended",
)  # fmt: skip

_NOTED: Final = {
    k.CLICKED_BEFORE_DRAWING: "clicked_before_drawing",
    k.DALEJ_REFUSED: "dalej_refused",
    k.OPENING_ANNOUNCED: "announced",
    k.RESTART_CLAIMED: "claim",
    k.CLAIM_DENIED: "claim_denied",
    k.MOVE_RESTARTED: "restarted",
    k.DISPUTE_RAISED: "dispute",
    k.CALL_WITHDRAWN: "call_withdrawn",
    k.REFEREE_CALLED: "referee_called",
    k.TIME_CORRECTED: "corrected",
    k.EXTRA_TIME_GIVEN: "extra_time",
    k.SEAT_CHANGED: "seat_changed",
    k.BANK_CORRECTED: "bank_corrected",
    k.GAME_REOPENED: "reopened",
}
_OF_THE_MOVER: Final = (k.MOVE_STARTED, k.TILE_DRAWN, k.MOVE_ENDED, k.TIME_RAN_OUT, k.TABLE_RESTORED)
_GIVEN: Final = (k.MOVE_RESTARTED, k.TIME_CORRECTED, k.EXTRA_TIME_GIVEN)
_KINDS: Final = (*_NOTED, *_OF_THE_MOVER, k.GAME_STARTED, k.CLOCK_STOPPED, k.CLOCK_RESUMED)
_UPTIME: Final = 0xFFFFFFFF

Stamp = tuple[int, int]  # boot, uptime in ms

_NO_DEAL: Final = DealKey("", 0, 0, 0)


@dataclass(frozen=True, slots=True)
class Turn:
    """One move at the table of `box`. Durations in ms; seat 0..3 or NOBODY.

    `elapsed_ms` and `how` are None while the move goes on. `tiles` is what the turn cost, drawn and ruled, None while
    nobody has counted. `stopped_ms` is how long the clock stood within the move, `stops` why. `partial`: its start is
    not known. `given_ms`: the time it began with, `allowed_ms`: all it has had by now; None: not known.
    `takes_over`: it began at another box; `late`: and its time was over there. `own` are the tiles that this box
    counted, in time and after it, `brought` those that the box before had, as far as this one was told. `judged` is the
    ruling on it, `deal` the deal that it is a turn of.
    """

    box: str
    epoch: int
    seq: int  # of the first fact that is known of it
    game: int
    move: int
    seat: int
    elapsed_ms: int | None
    how: str | None
    drawn: bool
    tiles: int | None
    ruling: RulingName | None
    flags: tuple[str, ...]
    stopped_ms: int
    stops: tuple[str, ...]
    overrun_ms: int | None
    started: Stamp | None
    ended: Stamp | None
    partial: bool
    void: bool
    given_ms: int | None = None
    allowed_ms: int | None = None
    takes_over: bool = False
    late: bool = False
    own: tuple[int, int] = (0, 0)
    brought: tuple[int, int] = (0, 0)
    judged: Ruling | None = None
    deal: DealKey = _NO_DEAL

    def fields(self) -> dict[str, int | str | bool | list[str] | None]:
        """The turn under its JSON names."""
        return {
            "box": self.box,
            "seq": self.seq,
            "game": self.game,
            "move": self.move,
            "seat": seat_name(self.seat),
            "elapsed_ms": self.elapsed_ms,
            "how": self.how,
            "tiles": self.tiles,
            "ruling": self.ruling,
            "flags": list(self.flags),
            "stopped_ms": self.stopped_ms,
            "overrun_ms": self.overrun_ms,
            "partial": self.partial,
            "void": self.void,
        }


def turns(facts: Iterable[Fact], rulings: Iterable[Ruling] = ()) -> list[Turn]:
    """Every turn, in the order of boxes, epochs and sequence numbers; `rulings` are the current ones."""
    fold = Turns()
    for fact in facts:
        fold.add(fact)
    return fold.turns(rulings)


class Turns:
    """The same fold one fact at a time; facts may come in any order and repeatedly."""

    def __init__(self) -> None:
        self._facts = GameFacts(_KINDS)
        self._games: dict[GameKey, list[_Turn] | None] = {}
        self._of_deals = OfDeals(self._facts, _turns_of)

    def add(self, fact: Fact) -> bool:
        """Take in one fact; whether it changed a turn."""
        key = self._facts.add(fact)
        if key is None:
            return False
        self._games[key] = None
        return True

    def turns(self, rulings: Iterable[Ruling] = (), deals: Collection[DealKey] | None = None) -> list[Turn]:
        """Every turn, or those of these deals, in the order of boxes, epochs and sequence numbers; `rulings` are the
        current ones.
        """
        ruled = by_fact(rulings)
        games = self._games if deals is None else self._games.keys() & {GameKey(*deal[:3]) for deal in deals}
        found = (turn for key in games for turn in self._of_game(key) if deals is None or turn.deal in deals)
        return sorted((turn.seen(ruled) for turn in found), key=lambda turn: (turn.box, turn.epoch, turn.seq))

    def _of_game(self, key: GameKey) -> list[_Turn]:
        known = self._games[key]
        if known is None:
            known = self._games[key] = [turn for turns in self._of_deals.of(key) for turn in turns]
        return known


@dataclass(slots=True)
class _Turn:
    first: Fact
    void: bool
    deal: DealKey
    seat: int = k.NOBODY
    started: Stamp | None = None
    ended: Stamp | None = None
    elapsed_ms: int | None = None
    how: int | None = None
    tiles: Tiles = field(default_factory=Tiles)
    tapped: bool = False  # the tile contact was used in it
    overrun_ms: int | None = None
    stopped_ms: int = 0
    stops: list[str] = field(default_factory=list)
    flags: set[str] = field(default_factory=set)
    ruled_on: list[FactKey] = field(default_factory=list)
    given_ms: int | None = None
    allowed_ms: int | None = None
    played_ms: int | None = None  # when the clock stood last, or when it ended
    takes_over: bool = False
    late: bool = False
    brought: Tiles = field(default_factory=Tiles)

    def take_over(self, before: MidGame, key: FactKey) -> None:
        """It began at another box, which has counted its tiles."""
        self.brought = Tiles(int(before.drawn), int(before.penalty))
        self.tapped = before.drawn or before.penalty
        if before.late:
            self.late, self.how, self.ended, self.played_ms = True, k.BY_TIMEOUT, self.started, 0
            self.ruled_on.append(key)

    def give(self, fact: Fact) -> None:
        """The referee sets what is left: from the start again, or on top of what was played."""
        if fact.kind == k.MOVE_RESTARTED:
            self.played_ms = 0
        self.allowed_ms = None if self.played_ms is None else self.played_ms + fact.a

    def seen(self, ruled: dict[FactKey, Ruling]) -> Turn:
        ruling = next((ruled[of] for of in self.ruled_on if of in ruled), None)
        tiles = Tiles(self.tiles.in_time + self.brought.in_time, self.tiles.late + self.brought.late)
        return Turn(
            box=self.first.box,
            epoch=self.first.epoch,
            seq=self.first.seq,
            game=self.first.game,
            move=self.first.move,
            seat=self.seat,
            elapsed_ms=self.elapsed_ms,
            how=HOWS[self.how] if self.how is not None else None,
            drawn=tiles.counted > 0,
            tiles=tiles.cost(ruling),
            ruling=ruling.ruling if ruling else None,
            flags=tuple(flag for flag in FLAGS if flag in self.flags),
            stopped_ms=self.stopped_ms,
            stops=tuple(self.stops),
            overrun_ms=self.overrun_ms,
            started=self.started,
            ended=self.ended,
            partial=self.started is None,
            void=self.void,
            given_ms=self.given_ms,
            allowed_ms=self.allowed_ms,
            takes_over=self.takes_over,
            late=self.late,
            own=(self.tiles.in_time, self.tiles.late),
            brought=(self.brought.in_time, self.brought.late),
            judged=ruling,
            deal=self.deal,
        )


def _turns_of(key: GameKey, deal: Deal) -> list[_Turn]:
    return list(_Deal(key, deal).turns.values())


class _Deal:
    """The turns of one deal, by move."""

    def __init__(self, key: GameKey, deal: Deal) -> None:
        self.turns: dict[int, _Turn] = {}
        self.key = deal_key(key, deal)
        self.void = deal.void
        self.stopped: Stamp | None = None
        for fact in deal.facts:
            if fact.move:
                self.take(fact)
        first = taken_over(deal)
        if first is not None:
            self.turns[first.move].takes_over = True

    def take(self, fact: Fact) -> None:
        turn = self.turns.get(fact.move)
        if turn is None:
            turn = self.turns[fact.move] = _Turn(fact, self.void, self.key)
        if fact.kind in _NOTED:
            turn.flags.add(_NOTED[fact.kind])
        if fact.kind in _OF_THE_MOVER and turn.seat == k.NOBODY:
            turn.seat = fact.seat
        if fact.kind == k.MOVE_STARTED:
            turn.started = (fact.boot, fact.uptime_ms)
            turn.given_ms = turn.allowed_ms = fact.a
            if fact.b:
                turn.take_over(told_by(fact), (fact.box, fact.epoch, fact.seq))
            if self.stopped is not None:
                self.stopped = turn.started
        elif fact.kind == k.TILE_DRAWN:
            self.tile(turn, fact)
        elif fact.kind == k.MOVE_ENDED:
            self.end(turn, fact)
        elif fact.kind == k.TIME_RAN_OUT:
            turn.ruled_on.append((fact.box, fact.epoch, fact.seq))
        elif fact.kind == k.TABLE_RESTORED:
            turn.overrun_ms = fact.a
            turn.ruled_on.append((fact.box, fact.epoch, fact.seq))
        elif fact.kind == k.SEAT_CHANGED and turn.ended is None:
            turn.seat = fact.seat
        elif fact.kind == k.CLOCK_STOPPED:
            self.stop(turn, fact)
        elif fact.kind == k.CLOCK_RESUMED:
            self.count_stop(turn, fact)
            self.stopped = None
        elif fact.kind == k.GAME_REOPENED and fact.code == k.NEXT_SEAT:
            turn.ruled_on.append((fact.box, fact.epoch, fact.seq))
        elif fact.kind == k.MOVE_RESTARTED or (
            fact.kind in (k.TIME_CORRECTED, k.EXTRA_TIME_GIVEN, k.GAME_REOPENED) and fact.a > 0
        ):
            self.go_on(turn)
        if fact.kind in _GIVEN:
            turn.give(fact)

    def tile(self, turn: _Turn, fact: Fact) -> None:
        if turn.how == k.BY_DALEJ:
            turn.flags.add("late_tile")
        elif turn.ended is None and turn.tapped:
            turn.flags.add("further_tile")
        turn.tapped = True
        if fact.code == 1 and turn.ended is None:
            turn.tiles.in_time = 1
        elif fact.code == 1:
            turn.tiles.late = 1

    def end(self, turn: _Turn, fact: Fact) -> None:
        turn.how, turn.elapsed_ms = fact.code, fact.a
        turn.played_ms = fact.a
        if fact.b and not turn.tapped:  # a box without a tile contact: the click itself counts as the tile
            turn.tiles.in_time = 1
        if fact.b and fact.code in (k.BY_JUZ, k.BY_EMPTY_RACK):
            turn.flags.add("drew_then_laid")
        self.count_stop(turn, fact)
        turn.ended = (fact.boot, fact.uptime_ms)
        if self.stopped is not None:
            self.stopped = turn.ended

    def go_on(self, turn: _Turn) -> None:
        if turn.ended is not None:
            if turn.how == k.BY_TIMEOUT:
                turn.flags.add("taken_up")
            turn.how = turn.elapsed_ms = turn.ended = None
            # a tile taken late is the one tile of the move now
            turn.brought = Tiles(min(1, turn.brought.counted))
            turn.tiles = Tiles(min(1 - turn.brought.counted, turn.tiles.counted))

    def stop(self, turn: _Turn, fact: Fact) -> None:
        if turn.allowed_ms is not None and turn.ended is None:
            turn.played_ms = turn.allowed_ms - fact.a
        if fact.code < len(STOP_REASONS):
            turn.stops.append(STOP_REASONS[fact.code])
        if fact.code == k.BOX_LOST_POWER:
            turn.flags.add("box_lost_power")
        if self.stopped is None or self.stopped[0] != fact.boot:
            self.stopped = (fact.boot, fact.uptime_ms)

    def count_stop(self, turn: _Turn, fact: Fact) -> None:
        """The clock stood from `stopped` to the fact, if that was one boot and within the move."""
        if self.stopped is not None and self.stopped[0] == fact.boot and turn.ended is None:
            turn.stopped_ms += (fact.uptime_ms - self.stopped[1]) & _UPTIME


_TIME_OUT = HOWS[k.BY_TIMEOUT]
_BY_DESK = (HOWS[k.BY_DESK], HOWS[k.BY_WITHDRAWAL])


def whole(turns: Iterable[Turn], void: Container[DealKey] = ()) -> list[Turn]:
    """The turns of one table, in the order in which they were made, each once; those of the deals in `void` are void.

    A turn that was taken over stands where the box that went on tells of it, under that box's numbers, with what it
    took and cost at both.
    """
    found: list[Turn] = []
    for told in turns:
        turn = replace(told, void=True) if told.deal in void else told
        begun = _begun_before(found, turn) if turn.takes_over else None
        if begun is not None:
            turn = _joined(found.pop(begun), turn)
        before = found[-1] if found else None
        if before is not None and before.how is None and (not before.void or before.deal in void):
            found[-1] = replace(before, flags=_flags(before.flags, ("unended",)))
        found.append(turn)
    return found


def _begun_before(found: list[Turn], turn: Turn) -> int | None:
    """The place of the turn that was told of the same move before: under way still, late, or ended by the desk."""
    for place in range(len(found) - 1, -1, -1):
        before = found[place]
        if before.deal == turn.deal or before.game != turn.game or before.void != turn.void:
            return None
        if before.move <= turn.move:
            put_back = (before.box, before.epoch) == (turn.box, turn.epoch)
            open_still = before.how is None or before.how == _TIME_OUT or (put_back and before.how in _BY_DESK)
            return place if before.move == turn.move and open_still else None
    return None


def _joined(before: Turn, turn: Turn) -> Turn:
    played_ms = 0
    if before.allowed_ms is not None and turn.given_ms is not None and "restarted" not in turn.flags:
        played_ms = max(0, before.allowed_ms - turn.given_ms)
    given_time = "taken_up" in turn.flags if turn.late else bool(turn.given_ms)
    goes_on = before.how == _TIME_OUT and given_time
    elapsed_ms = before.elapsed_ms if turn.late and not goes_on else None
    if turn.elapsed_ms is not None:
        elapsed_ms = played_ms + turn.elapsed_ms
    had = Tiles(*map(sum, zip(before.own, before.brought, strict=True)))
    if goes_on:
        had = Tiles(min(1, had.counted))
    if before.partial:  # it may have had a tile of which only the box that went on was told
        had = Tiles(max(had.in_time, turn.brought[0]), max(had.late, turn.brought[1]))
    judged = turn.judged or (None if goes_on else before.judged)
    tiles = Tiles(had.in_time + turn.own[0], had.late + turn.own[1])
    return replace(
        turn,
        elapsed_ms=elapsed_ms,
        drawn=tiles.counted > 0,
        tiles=tiles.cost(judged),
        ruling=judged.ruling if judged else None,
        judged=judged,
        flags=_flags(before.flags, turn.flags, ("other_box",), ("taken_up",) if goes_on else ()),
        stopped_ms=before.stopped_ms + turn.stopped_ms,
        stops=before.stops + turn.stops,
        partial=before.partial,
        takes_over=before.takes_over,
        given_ms=before.given_ms,
        allowed_ms=None if turn.allowed_ms is None else played_ms + turn.allowed_ms,
        brought=(had.in_time, had.late),
    )


def _flags(*several: Iterable[str]) -> tuple[str, ...]:
    noted = {flag for flags in several for flag in flags}
    return tuple(flag for flag in FLAGS if flag in noted)
