"""What a time-out costs: a fold over facts and the referee's decisions, stored nowhere, so neither lost nor doubled.

For one table it is folded from the journals of all its boxes: a time-out that a spare box took over is one case.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Final, Literal, Protocol, get_args

from dalej.domain.game.commands import told_by
from dalej.domain.game.facts import Fact, seat_name
from dalej.domain.game.games import (
    Deal,
    DealKey,
    GameFacts,
    GameKey,
    OfDeals,
    Part,
    TableGame,
    deal_key,
    part_of,
    table_games,
)
from dalej.domain.rules.rulesets import Ruleset, RulingName
from dalej.errors import Damaged
from dalej.words import N_
from moveclock import facts as k

FactKey = tuple[str, int, int]  # box, epoch, seq
Stream = tuple[str, int]  # box, epoch
Standing = Literal["current", "replaced", "revoked", "overtaken", "lapsed", "void"]
Ahead = Literal["waits", "holds", "overtaken", "astray"]

# Kind of a decision; body {"of": [box, epoch, seq], "ruling": …, "tiles": number or null} and, where the ruling follows
# from what was seen, "seen": "touched" or "nothing_laid". With "open": true `of` is no time-out's fact but the last one
# that the box was known to have while the time-out was open; "usual": nobody has said how many tiles, they are as many
# as the ruleset says; "table": where.
RULING: Final = "ruling"

_KINDS: Final = (
    k.MOVE_ENDED,
    k.TIME_RAN_OUT,
    k.TABLE_RESTORED,
    k.MOVE_RESTARTED,
    k.TIME_CORRECTED,
    k.EXTRA_TIME_GIVEN,
    k.GAME_REOPENED,
    k.GAME_STARTED,
    k.MOVE_STARTED,
    k.GAME_ENDED,
)


class Decision(Protocol):
    """What the fold needs of a decision in the ledger. `revokes`: the cursor of an earlier one that holds no longer."""

    @property
    def cursor(self) -> int: ...
    @property
    def kind(self) -> str: ...
    @property
    def when_ms(self) -> int: ...
    @property
    def body(self) -> Mapping[str, object]: ...
    @property
    def revokes(self) -> int | None: ...
    @property
    def revoked_by(self) -> int | None: ...


@dataclass(frozen=True, slots=True)
class Ruling:
    """One ruling on one time-out.

    `of` is the key of the fact it rules on; `tiles` what it costs, None while nobody has counted; `decision` the cursor
    of the referee's decision. Anything but `standing == "current"` is history. `known_as`: all facts that tell of it,
    `of` among them.
    """

    ruling: RulingName
    of: FactKey
    game: int
    move: int
    seat: int
    tiles: int | None
    provisional: bool
    clause: str
    by: Literal["default", "table", "referee"]
    decision: int | None = None
    standing: Standing = "current"
    known_as: tuple[FactKey, ...] = field(default=(), compare=False)

    def fields(self) -> dict[str, int | str | bool | None]:
        """The ruling under its JSON names."""
        return {
            "ruling": self.ruling,
            "of_seq": self.of[2],
            "game": self.game,
            "move": self.move,
            "seat": seat_name(self.seat),
            "tiles": self.tiles,
            "provisional": self.provisional,
            "clause": self.clause,
            "by": self.by,
        }


def by_fact(rulings: Iterable[Ruling]) -> dict[FactKey, Ruling]:
    """Each ruling under every fact that tells of its time-out."""
    return {key: ruling for ruling in rulings for key in (ruling.of, *ruling.known_as)}


def rulings(facts: Iterable[Fact], ruleset: Ruleset, decisions: Iterable[Decision] = ()) -> list[Ruling]:
    """The current ruling of every time-out, in the order of boxes, epochs and sequence numbers."""
    fold = Rulings(ruleset)
    for fact in facts:
        fold.add(fact)
    for decision in decisions:
        fold.decide(decision)
    return fold.current()


class Rulings:
    """The same fold one fact at a time. Facts may come in any order and repeatedly, decisions in the ledger's order."""

    def __init__(self, ruleset: Ruleset) -> None:
        self.ruleset = ruleset
        self._facts = GameFacts(_KINDS)
        self._cases: dict[GameKey, list[Case]] = {}
        self._parts: dict[GameKey, list[Part]] = {}
        self._of_deals = OfDeals(self._facts, part_of)
        self._current: dict[GameKey, dict[FactKey, Ruling]] = {}
        self._reopened: set[GameKey] = set()
        self._game_of: dict[FactKey, GameKey] = {}
        self._decisions: dict[FactKey, list[Decision]] = {}
        self._decided: dict[int, FactKey] = {}
        self._revoked: set[int] = set()
        self._top: dict[Stream, int] = {}
        self._open: dict[Stream, dict[int, FactKey]] = {}  # rulings that came before their facts, by their number
        self._spoken_ms: dict[FactKey, int] = {}

    def add(self, fact: Fact, wall_ms: int | None = None) -> list[Ruling]:
        """Take in one fact; the rulings that became current by it, usually none. `wall_ms`: when it happened, Unix
        time, if anybody knows.
        """
        stream = fact.box, fact.epoch
        if fact.seq > self._top.get(stream, 0):
            self._top[stream] = fact.seq
        if fact.kind == k.TABLE_RESTORED and wall_ms is not None:
            self._spoken_ms[fact.box, fact.epoch, fact.seq] = wall_ms
        settled = self._take(fact)
        return settled + self._tie(stream) if stream in self._open else settled

    def _take(self, fact: Fact) -> list[Ruling]:
        key = self._facts.add(fact)
        if key is None:
            return []
        self._parts.pop(key, None)
        if fact.kind in (k.GAME_STARTED, k.GAME_ENDED) or (fact.kind == k.MOVE_STARTED and not _is_late(fact)):
            return []  # that makes no case
        if fact.kind == k.GAME_REOPENED:
            self._reopened.add(key)
        elif fact.kind == k.MOVE_ENDED and key not in self._reopened:
            return []  # only for a reopened game does it matter how a move ended
        self._cases[key] = [case for deal in self._facts.deals(key) for case in self._cases_of(key, deal)]
        self._game_of |= {of: key for case in self._cases[key] for of in case.known_as}
        return self._settle(key)

    def decide(self, decision: Decision) -> list[Ruling]:
        """Take in one decision, of whatever kind; the rulings that became current by it. Damaged if it says nothing."""
        touched: set[FactKey] = set()
        tied: list[Ruling] = []
        if decision.kind == RULING and decision.cursor not in self._decided:
            of, _, _ = _ruled(decision)
            self._decided[decision.cursor] = of
            self._decisions.setdefault(of, []).append(decision)
            if is_open(decision):
                self._open.setdefault(of[:2], {})[decision.cursor] = of
                tied = self._tie(of[:2])
            touched.add(of)
        revoked = {decision.revokes} if decision.revokes is not None else set()
        if decision.revoked_by is not None:
            revoked.add(decision.cursor)
        self._revoked |= revoked
        touched |= {self._decided[cursor] for cursor in revoked if cursor in self._decided}
        games = sorted({self._game_of[of] for of in touched if of in self._game_of})
        return tied + [ruling for key in games for ruling in self._settle(key)]

    def ahead(self, cursor: int) -> Ahead:
        """What has become of a ruling that was made before its facts were known. "waits": for them; "holds": it was
        tied to its time-out, whatever was ruled later; "overtaken": the table had settled it; "astray": no time-out was
        open there.
        """
        of = self._decided[cursor]
        if self._top.get(of[:2], 0) < of[2]:
            return "waits"
        case = self._open_at(of)
        if case is None:
            return "astray"
        made = next(ruling for ruling in self.entries(case) if ruling.decision == cursor)
        return "overtaken" if made.standing == "overtaken" else "holds"

    def _tie(self, stream: Stream) -> list[Ruling]:
        """What was ruled before its facts were known belongs to the time-out that was open then."""
        touched: set[GameKey] = set()
        for of in self._open[stream].values():
            case = self._open_at(of) if self._top.get(stream, 0) >= of[2] else None
            was = self._game_of.get(of)
            now = None if case is None else GameKey(*case.deal[:3])
            if case is not None and now is not None and of not in case.known_as:
                case.known_as.append(of)
                self._game_of[of] = now
                touched.add(now)
            for other in () if was is None else self._cases[was]:
                if other is not case and of in other.known_as and of != other.of:
                    other.known_as.remove(of)  # facts between came late
                    touched.add(GameKey(*other.deal[:3]))
        return [ruling for key in sorted(touched) for ruling in self._settle(key)]

    def _open_at(self, of: FactKey) -> Case | None:
        """The time-out that was open when its box had told of no more than that fact; None: none was."""
        box, epoch, head = of
        found = [
            case
            for key, cases in self._cases.items()
            if key[:2] == (box, epoch)
            for case in cases
            if case.of[2] <= head
        ]
        case = max(found, key=lambda one: one.of[2], default=None)
        if case is None or case.first.by == "table":
            return None
        facts = (fact for deal in self._facts.deals(GameKey(*case.deal[:3])) for fact in deal.facts)
        return None if any(case.of[2] < fact.seq <= head and _closes(fact) for fact in facts) else case

    def current(self) -> list[Ruling]:
        """The current ruling of every time-out that has one, in the order of boxes, epochs and sequence numbers."""
        found = (ruling for held in self._current.values() for ruling in held.values())
        return sorted(found, key=lambda ruling: ruling.of)

    def history(self, of: FactKey | None = None) -> list[Ruling]:
        """All rulings there ever were, of one time-out or of all; for each time-out in the order they were made."""
        if of is not None:
            keys = [self._game_of[of]] if of in self._game_of else []
        else:
            keys = list(self._cases)
        found = [case for key in keys for case in self._cases[key] if of is None or of in case.known_as]
        return [ruling for case in sorted(found, key=lambda case: case.of) for ruling in self.entries(case)]

    def parts(self) -> list[Part]:
        """Every deal in which somebody moved, in the order of boxes, epochs and deals."""
        found: list[Part] = []
        for key in self._facts.games():
            if key not in self._parts:
                self._parts[key] = [part for part in self._of_deals.of(key) if part is not None]
            found += self._parts[key]
        return sorted(found, key=lambda part: (part.deal.box, part.deal.epoch, part.begun))

    def cases(self, deal: DealKey) -> list[Case]:
        """The time-outs of a deal, in their order; to be done with as one likes."""
        found = self._cases.get(GameKey(*deal[:3]), ())
        return [case.copy() for case in found if case.deal == deal]

    def _settle(self, key: GameKey) -> list[Ruling]:
        """What stands in this game now; returns what did not stand before."""
        before = self._current.get(key, {})
        entries = (ruling for case in self._cases[key] for ruling in self.entries(case))
        self._current[key] = {ruling.of: ruling for ruling in entries if ruling.standing == "current"}
        return [ruling for of, ruling in self._current[key].items() if before.get(of) != ruling]

    def _cases_of(self, key: GameKey, deal: Deal) -> list[Case]:
        of_deal = deal_key(key, deal)
        cases: list[Case] = []
        live: dict[int, Case] = {}
        ends: dict[int, Fact] = {}
        for fact in deal.facts:
            case = live.get(fact.move)
            if fact.kind == k.MOVE_ENDED:
                ends[fact.move] = fact
            elif _goes_on(fact):
                if case is not None:
                    case.ended = "lapsed"
                    del live[fact.move]
            elif fact.kind == k.TIME_RAN_OUT or _is_late(fact) or (_shown_wrongly(fact) and case is None):
                live[fact.move] = Case(of_deal, self._default(fact, ends.get(fact.move)), fact.c)
                cases.append(live[fact.move])
            elif fact.kind == k.TABLE_RESTORED:
                verdict = self._verdict(fact)
                if case is None:  # its time-out is not known: lost, or before the box was given to this table
                    live[fact.move] = Case(of_deal, verdict)
                    cases.append(live[fact.move])
                else:
                    case.known_as.append(verdict.of)
                    case.verdict, case.spoken_ms = replace(verdict, of=case.of), self._spoken_ms.get(verdict.of)
        if deal.void:
            for case in cases:
                case.ended = "void"
        return cases

    def _default(self, fact: Fact, end: Fact | None) -> Ruling:
        if fact.kind != k.GAME_REOPENED:
            before = told_by(fact)  # of a time-out at the box before: a tile taken since then is not in the bank
            drawn = before.drawn if fact.kind == k.MOVE_STARTED else fact.b == 1
            bank = fact.c + before.penalty
            key = "default_ruling_drawn" if drawn else "default_ruling"
            name = self.ruleset.default_ruling_drawn if drawn else self.ruleset.default_ruling
        else:
            drawn, bank = end is not None and end.b == 1, end.c if end is not None else k.NOBODY
            key, name = "default_ruling", self.ruleset.default_ruling
        tiles = self.ruleset.tiles_of(name)
        if name == "undone" and tiles is not None:  # one draw a move, and only what there is to draw
            tiles = 0 if drawn else min(tiles, bank)
        return Ruling(
            name, (fact.box, fact.epoch, fact.seq), fact.game, fact.move, fact.seat, tiles, True,
            self.ruleset.clause(key), "default",
        )  # fmt: skip

    def _verdict(self, fact: Fact) -> Ruling:
        name: RulingName = "stands" if fact.code == k.STANDS else "undone"
        return Ruling(
            name, (fact.box, fact.epoch, fact.seq), fact.game, fact.move, fact.seat, fact.b, False,
            self.ruleset.clause_of(name), "table",
        )  # fmt: skip

    def entries(self, case: Case) -> list[Ruling]:
        """All rulings of one time-out in the order they were made, the last that holds marked current."""
        made = [case.first] if case.verdict is None else [case.first, case.verdict]
        decisions = [decision for of in case.known_as for decision in self._decisions.get(of, ())]
        overtaken: set[int | None] = set()
        for decision in sorted(decisions, key=lambda decision: decision.cursor):
            _, name, tiles = _ruled(decision)
            if is_open(decision):
                if case.verdict is not None and case.verdict.ruling != name and not case.spoke_after(decision.when_ms):
                    overtaken.add(decision.cursor)
                if decision.body.get("usual") and name == "undone" and tiles is not None and case.bank is not None:
                    tiles = min(tiles, case.bank)
            clause = self.ruleset.clause_of(name, str(decision.body.get("seen", "")))
            decided = replace(case.first, ruling=name, tiles=tiles, provisional=False, clause=clause, by="referee")
            made.append(replace(decided, decision=decision.cursor))
        standings: list[Standing] = ["overtaken" if one.decision in overtaken else "replaced" for one in made]
        for place, one in enumerate(made):
            if one.decision in self._revoked:
                standings[place] = "revoked"
        holding = max(place for place, standing in enumerate(standings) if standing == "replaced")
        standings[holding] = case.ended or "current"
        known = tuple(case.known_as)
        return [
            replace(ruling, standing=standing, known_as=known) for ruling, standing in zip(made, standings, strict=True)
        ]


class Case:
    """One time-out: what facts alone make of it. `bank`: tiles that were left then; `spoken_ms`: when the table spoke,
    Unix time; None: not known.
    """

    def __init__(self, deal: DealKey, first: Ruling, bank: int | None = None) -> None:
        self.deal = deal
        self.first = first
        self.bank = bank
        self.spoken_ms: int | None = None
        self.of = first.of
        self.known_as = [first.of]  # by its verdict too: that may be all that is known of it for a while
        self.verdict: Ruling | None = None
        self.ended: Literal["lapsed", "void"] | None = None

    @property
    def move(self) -> int:
        """The move whose time was over."""
        return self.first.move

    def copy(self) -> Case:
        """The same case, to be told on."""
        other = Case(self.deal, self.first, self.bank)
        other.known_as, other.verdict, other.ended = list(self.known_as), self.verdict, self.ended
        other.spoken_ms = self.spoken_ms
        return other

    def spoke_after(self, when_ms: int) -> bool:
        """Whether it is known that the table spoke later than that."""
        return self.spoken_ms is not None and self.spoken_ms >= when_ms

    def goes_on_as(self, other: Case) -> None:
        """What the next box tells of the same time-out."""
        self.known_as += other.known_as
        said = other.verdict or (other.first if other.first.by == "table" else None)
        if said is not None:
            self.verdict, self.spoken_ms = replace(said, of=self.of), other.spoken_ms
        self.ended = other.ended


def is_open(decision: Decision) -> bool:
    """Whether that ruling was made before the facts of its time-out were known."""
    return decision.kind == RULING and decision.body.get("open") is True


def ruled_on(decision: Decision) -> FactKey:
    """The fact that the ruling names; Damaged if it says nothing."""
    return _ruled(decision)[0]


def _closes(fact: Fact) -> bool:
    """Whether no time-out before it is open any more."""
    settles = (k.TABLE_RESTORED, k.MOVE_STARTED, k.GAME_ENDED, k.GAME_STARTED)
    return fact.kind in settles or _goes_on(fact)


def _goes_on(fact: Fact) -> bool:
    """Whether the referee lets the fact's move go on."""
    if fact.kind == k.GAME_REOPENED:
        return fact.code == k.SAME_SEAT and fact.a > 0
    return fact.kind == k.MOVE_RESTARTED or (fact.kind in (k.TIME_CORRECTED, k.EXTRA_TIME_GIVEN) and fact.a > 0)


def _is_late(fact: Fact) -> bool:
    """Whether the box took the move over after its time was over."""
    return fact.kind == k.MOVE_STARTED and fact.code == 1


def _shown_wrongly(fact: Fact) -> bool:
    return fact.kind == k.GAME_REOPENED and fact.code == k.NEXT_SEAT


def _ruled(decision: Decision) -> tuple[FactKey, RulingName, int | None]:
    of, name, tiles = (decision.body.get(field) for field in ("of", "ruling", "tiles"))
    if (
        isinstance(of, Sequence)
        and len(of) == 3
        and isinstance(of[0], str)
        and all(isinstance(number, int) for number in of[1:])
        and (tiles is None or (isinstance(tiles, int) and tiles >= 0))
    ):
        for known in get_args(RulingName):
            if name == known:
                return (of[0], of[1], of[2]), known, tiles
    raise Damaged(
        N_("decision {cursor} is not a ruling, expected of, ruling and tiles, found {body}"),
        cursor=decision.cursor,
        body=str(dict(decision.body)),
    )


@dataclass(frozen=True, slots=True)
class Told:
    """One deal at the table; `round`: another number for another round, `rulings`: the fold that has its journal and
    every decision.
    """

    round: int
    part: Part
    rulings: Rulings


@dataclass(frozen=True, slots=True)
class GameRulings:
    """One game of the table; `history`: all rulings on its time-outs, one case after the other."""

    game: TableGame
    history: tuple[Ruling, ...]

    def current(self) -> list[Ruling]:
        """Those that hold, one for each time-out."""
        return [ruling for ruling in self.history if ruling.standing == "current"]


def games_ruled(told: Iterable[Told]) -> list[GameRulings]:
    """Every game of one table, from its parts in the order in which they were played."""
    parts = list(told)
    fold_of = {one.part.deal: one.rulings for one in parts}
    return [
        GameRulings(game, tuple(_history(game, fold_of)))
        for game in table_games((one.round, one.part) for one in parts)
    ]


def broken_off(games: Iterable[GameRulings]) -> frozenset[DealKey]:
    """Deals of games that count as little as if they had not been played, though no box was told so."""
    return frozenset(part.deal for one in games if one.game.void for part in one.game.parts)


def _history(game: TableGame, fold_of: dict[DealKey, Rulings]) -> list[Ruling]:
    found: list[Case] = []
    rulings: Rulings | None = None
    for part in game.parts:
        rulings = fold_of[part.deal]
        own = rulings.cases(part.deal)
        before = next((case for case in reversed(found) if case.move == part.move and case.ended is None), None)
        if before is not None and not part.late and part.given_ms:
            before.ended = "lapsed"
        elif before is not None:
            same = next((case for case in own if case.move == part.move), None)
            if same is not None:
                own.remove(same)
                before.goes_on_as(same)
        found += own
    if rulings is None:
        return []
    for case in found if game.void else ():
        case.ended = "void"
    return [ruling for case in found for ruling in rulings.entries(case)]
