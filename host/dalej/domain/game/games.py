"""The games of a table, from the facts of its boxes: in whatever order they arrive, however often, each game's facts
are the same list; a spare box goes on with the game of another; and what a box knows of every game that was played.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Final, Generic, NamedTuple, TypeVar

from dalej.domain.game.commands import told_by
from dalej.domain.game.facts import END_REASONS, SEATS, Fact, seat_name
from moveclock import facts as k


class GameKey(NamedTuple):
    """One game as one box counted it. A box may count the same number again after it was set up anew: see `deals`."""

    box: str
    epoch: int
    game: int


class GameFacts:
    """The facts of the given kinds that belong to a game, by game, in the order of the box."""

    def __init__(self, kinds: Collection[int]) -> None:
        self._kinds = frozenset(kinds) | {k.CONFIGURED, k.GAME_REDEALT}
        self._games: dict[GameKey, list[Fact]] = {}
        self._over: dict[GameKey, list[Deal]] = {}  # deals after which the tiles were dealt anew

    def add(self, fact: Fact) -> GameKey | None:
        """Sort in one fact. The game it changed; None if it is known already, of another kind, or of no game."""
        if not fact.game or fact.kind not in self._kinds:
            return None
        key = GameKey(fact.box, fact.epoch, fact.game)
        known = self._games.setdefault(key, [])
        place = len(known)
        if known and fact.seq <= known[-1].seq:
            place = bisect_left(known, fact.seq, key=_seq)
            if known[place].seq == fact.seq:
                return None
            self._over.pop(key, None)
        known.insert(place, fact)
        return key

    def add_all(self, facts: Iterable[Fact]) -> None:
        """Sort in all of them; they may come in any order and repeatedly."""
        for fact in facts:
            self.add(fact)

    def games(self) -> list[GameKey]:
        """Every game of which there is a fact."""
        return list(self._games)

    def deals(self, key: GameKey) -> Sequence[Deal]:
        """The game's facts, cut where the tiles were dealt anew; each deal counts its moves from 1. One that is over is
        the very same again as long as no fact before its end is told late.
        """
        facts, over = self._games.get(key, []), self._over.setdefault(key, [])
        start = first = sum(len(deal.facts) for deal in over)
        for place in range(first, len(facts)):
            if facts[place].kind in _DEALS and place > start:
                over.append(Deal(facts[start:place], facts[place].kind == k.GAME_REDEALT))
                start = place
        return [*over, Deal(facts[start:], False)] if facts else []


@dataclass(frozen=True, slots=True)
class Deal:
    """The facts from one deal of the tiles to the next; `void` if the players asked for a redeal."""

    facts: Sequence[Fact]
    void: bool


MadeT = TypeVar("MadeT")


class OfDeals(Generic[MadeT]):
    """What `make` makes of each deal of a game. A number is played again in each round; deals that are over are not
    gone through again.
    """

    def __init__(self, facts: GameFacts, make: Callable[[GameKey, Deal], MadeT]) -> None:
        self._facts = facts
        self._make = make
        self._made: dict[GameKey, list[tuple[Deal, MadeT]]] = {}

    def of(self, key: GameKey) -> list[MadeT]:
        """By deal, in their order."""
        made = self._made.get(key, [])
        self._made[key] = [
            made[place] if place < len(made) and made[place][0] is deal else (deal, self._make(key, deal))
            for place, deal in enumerate(self._facts.deals(key))
        ]
        return [one for _, one in self._made[key]]


def _seq(fact: Fact) -> int:
    return fact.seq


_DEALS: Final = (k.CONFIGURED, k.GAME_REDEALT)
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
    fold = BoxGames()
    for fact in facts:
        fold.add(fact)
    return fold.games()


class BoxGames:
    """The same fold one fact at a time."""

    def __init__(self) -> None:
        self._facts = GameFacts(_KINDS)
        self._of_deals = OfDeals(self._facts, _game)
        self._games: dict[GameKey, list[BoxGame]] = {}

    def add(self, fact: Fact) -> None:
        """Take in one fact, of whatever kind."""
        key = self._facts.add(fact)
        if key is not None:
            self._games.pop(key, None)

    def games(self) -> list[BoxGame]:
        """As `box_games`."""
        for key in self._facts.games():
            if key not in self._games:
                begun = [game for game in self._of_deals.of(key) if game is not None]
                self._games[key] = [game for game in begun if game.ended is not None or game is begun[-1]]
        found = (game for games in self._games.values() for game in games)
        return sorted(found, key=lambda game: (game.box, game.epoch, game.dealt))


def _game(key: GameKey, deal: Deal) -> BoxGame | None:
    """None: it was not begun, or the tiles were dealt anew."""
    begun = _begun(deal)
    if deal.void or begun is None:
        return None
    seen = _Seen()
    for fact in deal.facts:
        seen.take(fact)
    announced: dict[str, tuple[int, ...]] = {
        SEATS[seat]: tuple(dict.fromkeys(moves)) for seat, moves in sorted(seen.announced.items())
    }
    moved: dict[str, int] = {SEATS[seat]: move for move, seat in sorted(seen.mover.items()) if seat < len(SEATS)}
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
