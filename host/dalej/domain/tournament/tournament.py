"""A tournament at one moment, as the decisions in its ledger make it. `dalej.domain.tournament.fold` folds it.

Every decision has a kind, a body and a subject; of several standing ones on a subject the latest counts. Bodies:

    event         {"name", "town", "date": "2026-11-21", "closed": bool}                    subject event
    ruleset       {"id", "text"}
    option        {"key", "value"}: otherwise than the ruleset says; null: as it says       option:KEY
    player        {"player": 7, "name", "group", "qualified": bool, "consent": bool|null}   player:7
                  and "waits": true where there was no place left; "surname", "town" where the sign-up list told them
    waiting       {"player": 7, "waits": bool}: for a place; false: has moved up            waiting:7
    gone          {"player": 7, "how": "withdrawn" | "excluded"}                            gone:7
    warned        {"player": 7}
    absent        {"player": 7, "stage", "round", "absent": bool}                           absent:STAGE:ROUND:7
    seating       {"stage", "round", "how", "seed", "tables": [{"table": 1, "players": [3, 17, 8, 0],
                   "names": ["Lis", "Sowa", "Jeż", ""]}, …]}: seats A to D, 0 an empty chair
                                                                                            seating:STAGE:ROUND
    locked        {"stage", "round", "locked": bool}                                        locked:STAGE:ROUND
    dated         {"stage", "round", "date": "2026-12-04"}: the day of the round, which may be still to come; "": none
                                                                                            dated:STAGE:ROUND
    clock         {"stage", "round", "length_ms"}: begun when it was decided                clock:STAGE:ROUND
    result        {"stage", "round", "table", "game", "ended", "started": 4, "ruling": "",
                   "racks": [{"seat", "player", "points"|"tiles", "jokers", "opened", …}]}
                                                                                  result:STAGE:ROUND:TABLE:GAME
                  with "ended": "not_played" there are no racks
    confirmed     {"stage", "round", "table", "results": [cursor, …]}                       confirmed:STAGE:ROUND:TABLE
    closed        {"stage", "round"}; revoked when the round is reopened                    closed:STAGE:ROUND
    advanced      {"stage", "players": [best first]}: who plays in that stage               advanced:STAGE
    tie           {"stage", "order": [3, 8], "points": [big|null, small]}: the head referee's order among players level
                  on those points, of everybody level who had not left; it counts for no others
    ruling        {"of": [box, epoch, seq], "ruling", "tiles"(, "seen")}: see `dalej.domain.game.rulings`
    table_ruling  {"stage", "round", "table", "game", "seat", "player", "ruling", "tiles"(, "seen", "instead": 41)}:
                  where no box counted; in place of the decision `instead`, of that seat, as long as it stands itself
    claim         {"of": [box, epoch, seq] | null, "stage", "round", "table", "game", "seat", "granted": bool}

Of a tournament that is played in several halls, of which each has an event file of its own:

    hall          {"hall", "tables": [1, 2, …]}: which tables stand there                   hall:NAME
    home          {"hall"}: this file is that hall's                                        home
    given         {"stage", "round", "given": bool, "halls": ["North", …]}: these halls decide about their tables of
                  that round; false: no more                                                given:STAGE:ROUND
    complete      {"stage", "round", "hall", "of": number}: the hall has decided all that it ever will since that
                   decision `given`, by its number in the centre's event
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final, Literal, NamedTuple

from dalej.domain.rules.rulesets import Ruleset, Stage
from dalej.domain.scoring.points import SeatScore, Sheet

EVENT: Final = "event"
RULESET: Final = "ruleset"
OPTION: Final = "option"
PLAYER: Final = "player"
WAITING: Final = "waiting"
GONE: Final = "gone"
WARNED: Final = "warned"
ABSENT: Final = "absent"
SEATING: Final = "seating"
LOCKED: Final = "locked"
DATED: Final = "dated"
CLOCK: Final = "clock"
RESULT: Final = "result"
CONFIRMED: Final = "confirmed"
CLOSED: Final = "closed"
ADVANCED: Final = "advanced"
TIE: Final = "tie"
TABLE_RULING: Final = "table_ruling"
CLAIM: Final = "claim"
HALL: Final = "hall"
HOME: Final = "home"
GIVEN: Final = "given"
COMPLETE: Final = "complete"

MOVED: Final = "moved"  # how a seating came about that changed an earlier one by hand
NOT_PLAYED: Final = "not_played"


class RoundKey(NamedTuple):
    """A round of a stage, from 1."""

    stage: str
    round: int

    @property
    def text(self) -> str:
        """As people type it, league/2; the same in every language."""
        return f"{self.stage}/{self.round}"


class GameAt(NamedTuple):
    """A game of a round at a table, from 1."""

    table: int
    game: int


@dataclass(frozen=True, slots=True)
class Mark:
    """Who decided something, when (Unix ms) and why; `cursor` is its place in the ledger."""

    cursor: int
    who: str
    when_ms: int
    why: str


@dataclass(frozen=True, slots=True)
class Gone:
    """A player who left for good."""

    how: Literal["withdrawn", "excluded"]
    mark: Mark


@dataclass(frozen=True, slots=True)
class Player:
    """`number` is by order of sign-up; `group` a class, club or town; `consent`: a parent's is on file, None: open;
    `waits`: for a place, since then. `surname`: which words of the name, `town`: where they are from; "" where the
    sign-up list did not say.
    """

    number: int
    name: str
    mark: Mark
    group: str = ""
    qualified: bool = False
    consent: bool | None = None
    gone: Gone | None = None
    warnings: tuple[Mark, ...] = ()
    waits: Mark | None = None
    surname: str = ""
    town: str = ""

    @property
    def takes_part(self) -> bool:
        """Whether the player has a place and has not left."""
        return self.gone is None and self.waits is None


@dataclass(frozen=True, slots=True)
class TableSeats:
    """`players`: numbers at seats A, B, C, D; 0 an empty chair."""

    table: int
    players: tuple[int, int, int, int]

    @property
    def seated(self) -> tuple[int, ...]:
        """The players without the empty chairs."""
        return tuple(player for player in self.players if player)


@dataclass(frozen=True, slots=True)
class Seating:
    """Who sits where in a round. `how`: a method of seating, or "moved"; `seed`: of the lot, None if there was none."""

    tables: tuple[TableSeats, ...]
    how: str
    seed: int | None
    mark: Mark
    locked: Mark | None = None

    def at(self, table: int) -> TableSeats | None:
        """That table, None if it is not part of the round."""
        return next((one for one in self.tables if one.table == table), None)

    def place_of(self, player: int) -> tuple[int, int] | None:
        """Table and seat 0..3 of a player, None if not seated."""
        for one in self.tables:
            if player in one.seated:
                return one.table, one.players.index(player)
        return None


@dataclass(frozen=True, slots=True)
class Result:
    """One game's result. `sheet` None: it was not played and scores nothing. `players`: seat letter -> number."""

    at: GameAt
    sheet: Sheet | None
    scores: tuple[SeatScore, ...]
    players: Mapping[str, int]
    mark: Mark
    confirmed: Mark | None = None


@dataclass(frozen=True, slots=True)
class Tie:
    """An order, best first, among players level on `points` (big, small); None: on whatever they are level."""

    order: tuple[int, ...]
    points: tuple[int | None, int] | None = None


@dataclass(frozen=True, slots=True)
class RoundClock:
    """`starts_ms`: Unix time; the final lap is due `length_ms` later."""

    starts_ms: int
    length_ms: int
    mark: Mark


@dataclass(frozen=True, slots=True)
class TableRuling:
    """A referee's ruling at a table of which no box told anything."""

    at: GameAt
    seat: str
    player: int
    ruling: str
    tiles: int | None
    seen: str
    mark: Mark


@dataclass(frozen=True, slots=True)
class Round:
    """A round as far as it has come. `results` of its games by table and game."""

    key: RoundKey
    stage: Stage
    seating: Seating | None = None
    absent: frozenset[int] = frozenset()
    results: Mapping[GameAt, Result] = field(default_factory=dict)
    clock: RoundClock | None = None
    closed: Mark | None = None
    rulings: tuple[TableRuling, ...] = ()
    given: Mark | None = None  # to the halls, since then
    returns: frozenset[str] = frozenset()  # halls that may still decide about it
    here: frozenset[int] | None = None  # tables that are decided about in this file; None: all

    def tables(self) -> list[int]:
        """Those that are decided about in this file, by number; empty for a round that is not seated."""
        seated = () if self.seating is None else self.seating.tables
        return [one.table for one in seated if self.here is None or one.table in self.here]

    def entered(self) -> list[GameAt]:
        """Games with a result that are decided about in this file, also of a table that has lost its seats."""
        return [at for at in self.results if self.here is None or at.table in self.here]

    def missing(self) -> list[GameAt]:
        """Games of its tables without a result yet, by table and game."""
        games = (GameAt(table, game) for table in self.tables() for game in range(1, self.stage.games + 1))
        return [at for at in games if at not in self.results]

    def corrected(self) -> list[GameAt]:
        """Games whose result was entered, or replaced, after the round was closed; empty for one that is open."""
        if self.closed is None:
            return []
        return sorted(at for at, result in self.results.items() if result.mark.cursor > self.closed.cursor)


@dataclass(frozen=True, slots=True)
class Tournament:
    """Everything decided so far. `ruleset` already holds the event's options; `plan` the stages for so many players.

    `rounds`: those that were seated, decided on or are next, in order of play; `entrants`: who plays in a stage, best
    first (of the first stage: everybody who signed up and does not wait for a place). `cursor`: of the last decision
    folded.
    """

    name: str
    town: str
    date: str
    closed: bool
    ruleset: Ruleset
    options: Mapping[str, object]
    plan: tuple[Stage, ...]
    players: Mapping[int, Player]
    entrants: Mapping[str, tuple[int, ...]]
    rounds: Mapping[RoundKey, Round]
    ties: Mapping[str, tuple[Tie, ...]]
    cursor: int
    latest: Mapping[str, int]  # cursor of the last decision on each subject, revoked or not: what a next one `expects`
    dates: Mapping[RoundKey, str] = field(default_factory=dict)  # of rounds that have one of their own
    halls: Mapping[str, frozenset[int]] = field(default_factory=dict)  # their tables; empty: it is played in one
    home: str = ""  # the hall whose file this is; "": the centre's, or there are no halls
    changed: int = 0  # cursor of the last decision by which it may be another; later ones are of boxes' tables alone
    folded: object = field(default=None, repr=False, compare=False)  # what it was made of, for who makes a later state

    def hall_of(self, table: int) -> str:
        """Where that table stands; "": in no hall that has a file of its own."""
        return next((hall for hall, tables in self.halls.items() if table in tables), "")

    @property
    def current(self) -> Round | None:
        """The round to work on: the first in order of play that is not closed; None when the next stage must be
        entered (`advance`) or everything is over.
        """
        return next((one for one in self.rounds.values() if one.closed is None), None)

    @property
    def over(self) -> bool:
        """Whether the last round of the last stage is closed."""
        last = self.plan[-1]
        done = self.rounds.get(RoundKey(last.id, last.rounds))
        return done is not None and done.closed is not None
