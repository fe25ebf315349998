"""Every time-out that boxes have told of, and every claim: at which table, in which game of which round, and how it is
ruled and was ruled before.
"""

from __future__ import annotations

from bisect import bisect_right
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import Final, Literal, TypeVar

from dalej.domain.game.facts import SEATS, Fact
from dalej.domain.game.games import BoxGame, TableGame
from dalej.domain.game.rulings import RULING, FactKey, Ruling, is_open
from dalej.domain.tournament.tournament import GameAt, RoundKey, Tournament
from dalej.errors import Refused, Sayable, WrongInput
from dalej.event.ledger import Decision, Reported
from dalej.event.reading import Reading
from dalej.event.roundgames import games_of_round
from dalej.event.tables import Tables
from dalej.words import N_
from moveclock import facts as k

Answer = Literal["restarted", "denied", "withdrawn", "resumed"]
ANSWERED: Final[Mapping[Answer, str]] = {
    "restarted": N_("the move started again"), "denied": N_("it was denied"), "withdrawn": N_("it was withdrawn"),
    "resumed": N_("the clock went on"),
}  # fmt: skip

_ANSWERS: Final[Mapping[int, Answer]] = {
    k.MOVE_RESTARTED: "restarted", k.CALL_WITHDRAWN: "withdrawn", k.CLAIM_DENIED: "denied",
    k.CLOCK_RESUMED: "resumed", k.TIME_CORRECTED: "resumed", k.EXTRA_TIME_GIVEN: "resumed",
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Place:
    """Where it was. `game`: of the round `key`; of the box, if the round has no such game (`key` None). Seat 0..3."""

    table: int
    key: RoundKey | None
    game: int
    box_game: int
    move: int
    seat: int
    player: int

    @property
    def letter(self) -> str:
        """The seat's letter, "?" if it is not known."""
        return SEATS[self.seat] if self.seat < len(SEATS) else "?"


@dataclass(frozen=True, slots=True)
class Case:
    """A time-out. `history`: all its rulings in the order they were made; `current` the one that holds, None if the
    move went on after all or the tiles were dealt anew. `bank`: tiles that were left then. `told`: its game, by the
    boxes that tell of it.
    """

    of: FactKey
    place: Place
    history: tuple[Ruling, ...]
    bank: int
    told: TableGame

    @property
    def current(self) -> Ruling | None:
        return next((ruling for ruling in self.history if ruling.standing == "current"), None)


@dataclass(frozen=True, slots=True)
class Claimed:
    """A claim that a move start again, as a box told it; `answer`: what became of it there, None while it waits."""

    of: FactKey
    place: Place
    answer: Answer | None


def cases(reading: Reading, state: Tournament, at: int | None = None) -> list[Case]:
    """Every time-out of the event, or of that table, each once, by table and in the order in which its boxes told of
    them. It is of the table at which its move began, wherever the box was carried meanwhile, as in the log.
    """
    event, places = reading.fold(Tables), Places(reading, state, at)
    found: list[Case] = []
    for table in event.played_at() if at is None else [at]:
        ruled = ((game.game, ruling) for game in event.games(table) for ruling in game.history)
        for (told, of), made in groupby(ruled, key=lambda one: (one[0], one[1].of)):
            history = tuple(ruling for _, ruling in made)
            first = history[0]
            reported = event.reported(of)
            if reported is not None and _table_of(event, told, first) == table:
                fact = reported.fact
                bank = fact.c if fact.kind != k.GAME_REOPENED else k.NOBODY
                place = places.at(table, of, first.game, first.move, first.seat)
                found.append(Case(of, place, history, bank, told))
    return found


def _table_of(event: Tables, told: TableGame, first: Ruling) -> int | None:
    """Where the time-out is listed: of the tables that list its game the one where its move began, else where it was
    told.
    """
    box, epoch, seq = first.of
    journal = event.journal(box, epoch)
    until = [] if journal is None else journal.facts[: bisect_right(journal.facts, seq, key=_seq)]
    began = next((one.fact.seq for one in reversed(until) if _begins(one.fact, first)), seq)
    part = told.part_of(first.of)
    ends = (seq,) if part is None else (part.begun, part.last)
    there = [event.boxes.table_of_fact(box, epoch, one) for one in ends]
    wanted = [event.boxes.table_of_fact(box, epoch, one) for one in (began, seq)]
    return next((table for table in (*wanted, *there) if table is not None and table in there), None)


def _begins(fact: Fact, first: Ruling) -> bool:
    return fact.kind == k.MOVE_STARTED and (fact.game, fact.move) == (first.game, first.move)


@dataclass(frozen=True, slots=True)
class Untold:
    """A ruling that holds for no time-out: its box has not told of one yet, or there was none."""

    decision: Decision
    table: int
    waits: bool


def untold(reading: Reading) -> list[Untold]:
    """Every ruling that was made before its time-out was told of, stands, and belongs to none so far."""
    event = reading.fold(Tables)
    made = [one for one in reading.decisions(RULING, standing=True) if is_open(one)]
    became = [(one, event.ahead(one)) for one in made]
    return [
        Untold(one, int(str(one.body.get("table") or 0)), became == "waits")
        for one, became in became
        if became in ("waits", "astray")
    ]


def claims(reading: Reading, state: Tournament, at: int | None = None) -> list[Claimed]:
    """Every claim that boxes have told of, or those at that table, by table and in the order of the boxes."""
    event, places = reading.fold(Tables), Places(reading, state, at)
    found: list[Claimed] = []
    journals = event.journals() if at is None else event.journals_of(at)
    for journal in sorted(journals, key=lambda one: (one.box, one.epoch)):
        told = [one.fact for one in journal.facts if one.fact.kind in (k.RESTART_CLAIMED, *_ANSWERS)]
        for number, fact in enumerate(told):
            if fact.kind != k.RESTART_CLAIMED:
                continue
            place = places.of(_key(fact), fact.game, fact.move, fact.seat)
            if place is not None and at in (None, place.table):
                there = (later for later in told[number + 1 :] if places.table(_key(later)) == place.table)
                after = (_ANSWERS[later.kind] for later in there if later.kind in _ANSWERS)
                found.append(Claimed(_key(fact), place, next(after, None)))
    return sorted(found, key=lambda claim: claim.place.table)


class Places:
    """Where facts of boxes were told: the table, and the game of the round. `at`: of this table alone."""

    def __init__(self, reading: Reading, state: Tournament, at: int | None = None) -> None:
        self._boxes = reading.fold(Tables).boxes
        self._players = {
            (key, seats.table): seats.players
            for key, one in state.rounds.items()
            if one.seating is not None
            for seats in one.seating.tables
        }
        tables = None if at is None else [at]
        self._games = _Told(
            (game, key, of) for key in state.rounds for of, game in games_of_round(reading, state, key, tables).items()
        )

    def table(self, fact: FactKey) -> int | None:
        """Where the fact counts; None: from before the box was given to any table."""
        return self._boxes.table_of_fact(*fact)

    def of(self, fact: FactKey, box_game: int, move: int, seat: int) -> Place | None:
        """None: from before the box was given to any table."""
        table = self.table(fact)
        return None if table is None else self.at(table, fact, box_game, move, seat)

    def at(self, table: int, fact: FactKey, box_game: int, move: int, seat: int) -> Place:
        """As something of that table."""
        found = self._games.at(*fact)
        if found is None or found[1].table != table:  # of a game that the box brought along nothing is the table's
            return Place(table, None, box_game, box_game, move, seat, 0)
        key, at = found
        seats = self._players.get((key, table))
        player = 0 if seats is None or seat >= len(SEATS) else seats[seat]
        return Place(table, key, at.game, box_game, move, seat, player)


class _Told:
    """Games of rounds by what told of them: in one journal a game's facts end before those of the next one begin."""

    def __init__(self, games: Iterable[tuple[BoxGame, RoundKey, GameAt]]) -> None:
        self._of_journal: defaultdict[tuple[str, int], list[tuple[int, int, RoundKey, GameAt]]] = defaultdict(list)
        for game, key, at in games:
            for part in _parts(game):
                self._of_journal[part.box, part.epoch].append((part.dealt, part.last, key, at))
        for told in self._of_journal.values():
            told.sort()

    def at(self, box: str, epoch: int, seq: int) -> tuple[RoundKey, GameAt] | None:
        told = self._of_journal.get((box, epoch), [])
        place = bisect_right(told, seq, key=_dealt)
        if not place:
            return None
        _, last, key, at = told[place - 1]
        return (key, at) if seq <= last else None


def _parts(game: BoxGame) -> Iterator[BoxGame]:
    """The game as each of its boxes tells it."""
    yield game
    for part in game.before:
        yield from _parts(part)


_AtMove = TypeVar("_AtMove", Case, Claimed)


def the_case(found: Sequence[Case], key: RoundKey | None, table: int, game: int, move: int) -> Case:
    """The time-out of that move; Refused if there was none, or it needs no ruling any more."""
    case = _latest(
        [one for one in found if _is_at(one.place, key, table, game)], move,
        N_("table {table}, game {game}: there was no time-out in move {move}; those with one: {moves}"),
        table=table, game=game,
    )  # fmt: skip
    if case.current is None:
        said = N_("table {table}, game {game}, move {move} went on after its time-out: there is nothing to rule")
        if case.history[-1].standing == "void" or any(one.standing == "void" for one in case.history):
            said = N_("table {table}, game {game}: the tiles were dealt anew, so move {move} needs no ruling")
        raise Refused(said, table=table, game=game, move=move)
    return case


def the_claim(found: Sequence[Claimed], key: RoundKey | None, table: int, game: int, move: int) -> Claimed:
    """The claim in that move; Refused if there was none."""
    return _latest(
        [one for one in found if _is_at(one.place, key, table, game)], move,
        N_("table {table}, game {game}: there was no claim in move {move}; those with one: {moves}"),
        table=table, game=game,
    )  # fmt: skip


def box_knows(reading: Reading, state: Tournament, key: RoundKey, at: GameAt) -> bool:
    """Whether a box has told of that game."""
    return at in games_of_round(reading, state, key, [at.table])


def seat_letter(text: str) -> str | None:
    """The seat that `text` names; None if it is a number. WrongInput if it is neither."""
    told = text.strip().upper()
    if told in SEATS:
        return told
    if told.isascii() and told.isdigit() and 0 < int(told[:6]) < 1 << 16 and len(told) <= 6:
        return None
    raise WrongInput(N_("“{found}” is no move, expected its number, or a seat where no box counts"), found=text)


def listed(moves: Iterable[int]) -> str:
    """Numbers of moves in a sentence."""
    return ", ".join(str(move) for move in dict.fromkeys(moves)) or "–"


def _latest(there: Sequence[_AtMove], move: int, nothing: str, **data: Sayable) -> _AtMove:
    """The last one in that move; Refused with `nothing`, which names the moves that have one, if there is none."""
    of_move = [one for one in there if one.place.move == move]
    if not of_move:
        raise Refused(nothing, move=move, moves=listed(one.place.move for one in there), **data)
    return of_move[-1]


def _is_at(place: Place, key: RoundKey | None, table: int, game: int) -> bool:
    return (place.table, place.game) == (table, game) and (place.key is None or place.key == key)


def _dealt(told: tuple[int, int, RoundKey, GameAt]) -> int:
    return told[0]


def _key(fact: Fact) -> FactKey:
    return fact.box, fact.epoch, fact.seq


def _seq(reported: Reported) -> int:
    return reported.fact.seq
