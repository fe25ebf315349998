"""What was played and ruled at every table, whichever boxes tell of it: the one fold over an event's ledger from which
screens, paper and the office take it.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator
from typing import NamedTuple

from dalej.domain.game.games import DealKey, Part
from dalej.domain.game.rulings import (
    RULING,
    Ahead,
    FactKey,
    GameRulings,
    Ruling,
    Told,
    broken_off,
    games_ruled,
    is_open,
    ruled_on,
)
from dalej.domain.game.turns import Turn, whole
from dalej.domain.rules.options import with_options
from dalej.domain.rules.rulesets import Ruleset
from dalej.domain.rules.ruletext import parse
from dalej.domain.tournament.bodies import Body
from dalej.domain.tournament.tournament import OPTION, RULESET
from dalej.errors import DalejError
from dalej.event.boxplaces import BoxTables, Stay
from dalej.event.journal import Journal
from dalej.event.ledger import ASSIGN, Conflict, Decision, Entry, Gap, Reported, baseline_of
from dalej.event.people import People


class PlayedBy:
    """By which rules an event is played, as what stands of its decisions says; `first`: until one names others. What is
    decided, and what was taken back since, is looked at when somebody asks, so only rules that hold now need be right.
    """

    def __init__(self, first: Ruleset | None = None) -> None:
        self._first = first
        self._standing: dict[int, Decision] = {}  # by cursor
        self._known: tuple[Ruleset | None, DalejError | None] | None = (first, None)
        self._before = first  # the last rules that could be read

    def take(self, entry: Entry) -> None:
        """The next entry of a ledger, of whatever kind."""
        if isinstance(entry, Decision):
            self.decide(entry)

    def decide(self, decision: Decision) -> bool:
        """Take in one decision, of whatever kind; whether other rules may hold now."""
        before = dict(self._standing)
        if decision.kind in (RULESET, OPTION):
            self._standing[decision.cursor] = decision
        for revoked in (decision.revokes, decision.cursor if decision.revoked_by is not None else None):
            if revoked is not None:
                self._standing.pop(revoked, None)
        if self._standing == before:
            return False
        if self._known is not None:
            self._before = self._known[0]
        self._known = None
        return True

    @property
    def ruleset(self) -> Ruleset | None:
        """The rules that count now; where they cannot be read, the last ones that could. None: nobody has said."""
        return self._look()[0]

    @property
    def problem(self) -> DalejError | None:
        """Why they cannot be read."""
        return self._look()[1]

    def _look(self) -> tuple[Ruleset | None, DalejError | None]:
        if self._known is None:
            try:
                self._known = self._read(), None
            except DalejError as problem:
                self._known = self._before, problem
        return self._known

    def _read(self) -> Ruleset | None:
        chosen = [one for one in self._standing.values() if one.kind == RULESET]
        ruleset = self._first
        if chosen:
            body = chosen[-1].body
            ruleset = parse(str(body.get("text", "")), f"{body.get('id')}.toml")
        options = (Body(one) for one in self._standing.values() if one.kind == OPTION)
        values = {option.text("key"): option.anything("value") for option in options}
        return None if ruleset is None else with_options(ruleset, values)


class Tables:
    """Entries are taken in by cursor; a fact that is told twice counts once. `boxes`: which of them stands where,
    `people`: who sits where; `troubles`: decisions on people and rulings that say nothing, and were passed over.

    A ruleset is needed where something was ruled: `first` until the ledger names another.
    """

    def __init__(self, first: Ruleset | None = None) -> None:
        self.boxes = BoxTables()
        self.people = People()
        self.troubles: list[DalejError] = []
        self._played_by = PlayedBy(first)
        self._journals: dict[str, dict[int, Journal]] = {}  # box -> epoch -> its facts, in the order they were met
        self._met: dict[tuple[str, int], int] = {}  # every journal that is mentioned -> how many were before it
        self._ruled: list[Decision] = []
        self._open: dict[int, Decision] = {}  # of these, by cursor
        self._who: dict[int, str] = {}
        self._counted = _Counted(self.boxes, self.people)

    # --- what comes in -----

    def take(self, entry: Entry) -> set[int] | None:
        """The next entry, of whatever kind; the tables that it concerns, None: it may be any. DalejError, and nothing
        changed, if it says nothing.
        """
        match entry:
            case Reported():
                return self._report(entry)
            case Decision():
                return self._decide(entry)
            case Conflict():
                return self._at(self.boxes.tables.get(entry.stored.box))
            case Gap():
                self._meet(entry.box, entry.epoch)
                return None if self.boxes.met(entry.box) else self._at(self.boxes.tables.get(entry.box))
        return set()

    def _report(self, entry: Reported) -> set[int] | None:
        fact = entry.fact
        journals = self._journals.setdefault(fact.box, {})
        journal = journals.get(fact.epoch)
        news = False
        if journal is None:
            rules = self._played_by  # not this fold, which would hold itself: it goes as soon as nobody reads it
            journal = journals[fact.epoch] = Journal(fact.box, fact.epoch, lambda: rules.ruleset, self._ruled)
            self._meet(fact.box, fact.epoch)
            news = self.boxes.met(fact.box)
        if not journal.add(entry):
            return set()
        if news:
            return None
        counted_at = filter(self.has, self.boxes.counted_at(fact.box, fact.epoch))
        return self._at(self.boxes.tables.get(fact.box), *counted_at)  # a move that began there may end now

    def _decide(self, decision: Decision) -> set[int] | None:
        moved = self.boxes.decide(decision)
        other_rules = self._played_by.decide(decision)
        touched: set[int] | None = set()
        rules = decision.kind == RULING
        try:
            touched = self.people.decide(decision)
            if rules:
                ruled_on(decision)
        except DalejError as trouble:
            rules = False
            self.troubles.append(trouble)
        if decision.kind == ASSIGN:
            baseline = baseline_of(decision)
            self._meet(baseline.box, baseline.epoch)
        if rules or decision.revokes is not None:
            self._ruled.append(decision)
            for journal in self.journals():
                journal.decide(decision)
        if rules:
            self._who[decision.cursor] = decision.who
            if is_open(decision):
                self._open[decision.cursor] = decision
        if other_rules:
            for journal in self.journals():
                journal.rule_anew()
        any_table = other_rules or moved or rules or decision.revokes is not None
        return None if any_table else touched

    def _meet(self, box: str, epoch: int) -> None:
        self._met.setdefault((box, epoch), len(self._met))

    def _at(self, *tables: int | None) -> set[int]:
        return {table for table in tables if table is not None}

    # --- rules, tables, journals -----

    @property
    def ruleset(self) -> Ruleset | None:
        """The rules that count now, or the last ones that could be read; None: nobody has said which."""
        return self._played_by.ruleset

    @property
    def rules_problem(self) -> DalejError | None:
        """Why the rules that count now cannot be read."""
        return self._played_by.problem

    def tables(self) -> list[int]:
        """Every table with a box, or with people."""
        return sorted(self.boxes.box_of.keys() | self.people.tables)

    def has(self, table: int) -> bool:
        """Whether there is such a table."""
        return table in self.boxes.box_of or table in self.people.tables

    def played_at(self) -> list[int]:
        """Every table of which any box may tell, by number."""
        found = set(self.boxes.tables.values())
        for box, epoch in self._met:
            found |= self.boxes.counted_at(box, epoch)
        return sorted(found)

    def journals(self, box: str | None = None) -> Iterator[Journal]:
        """All that tell anything, or those of one box, in the order in which they were met; a box that was reformatted
        has several.
        """
        of_boxes = self._journals.values() if box is None else [self._journals.get(box, {})]
        return (journal for of_box in of_boxes for journal in of_box.values())

    def journal(self, box: str, epoch: int) -> Journal | None:
        """That one; None if it has told nothing."""
        return self._journals.get(box, {}).get(epoch)

    def latest(self, box: str) -> Journal | None:
        """The last journal of the box that was met; None if it has told nothing."""
        return next(reversed(self._journals.get(box, {}).values()), None)

    def met(self) -> list[tuple[str, int]]:
        """Box and epoch of every journal that is mentioned, in the order in which they were."""
        return list(self._met)

    def reported(self, fact: FactKey) -> Reported | None:
        """The fact as it is in the ledger; None if it is not."""
        journal = self.journal(*fact[:2])
        return None if journal is None else journal.reported(fact[2])

    def journals_of(self, table: int) -> list[Journal]:
        """Those of every box that stands on the table or counted there."""
        return [journal for box in self.boxes.boxes(table) for journal in self.journals(box)]

    def stay(self, table: int, box: str, epoch: int | None, dealt: int) -> Stay | None:
        """What the box on the table tells of it in that journal, or in the one it was met with last (None); None:
        nothing so far. `dealt` as in `BoxTables.stay`.
        """
        if epoch is None:
            epoch = self.boxes.last_met(box)
        return None if epoch is None else self.boxes.stay(table, box, epoch, dealt)

    # --- games -----

    def games(self, table: int, game: int | None = None) -> list[GameRulings]:
        """The games of the table with what was ruled in them, whichever boxes tell of them, in the order in which they
        were played; with a `game` only the last ones, if they are of that number. One that its box brought along is
        among those of both tables.
        """
        found: list[tuple[tuple[int, int, int], Told]] = []
        for journal in self.journals_of(table):
            met = self._met[journal.box, journal.epoch]
            for part in journal.ruled.parts():
                at = self._counted.at(journal, part)
                if table in at.tables and not (part.move and part.idle and at.undone):
                    found.append(((at.counts_by, met, part.begun), Told(at.round, part, journal.ruled)))
        found.sort(key=lambda one: one[0])
        in_order = [one for _, one in found]
        if game is not None:
            in_order = in_order[_last_ones(in_order, game) :]
        return games_ruled(in_order)

    def game_on(self, table: int, journal: Journal) -> GameRulings | None:
        """What the box of the journal plays at the table, or has played last and not dealt since; None: it has dealt
        and nobody has moved, or nothing is known. At another box the game may have begun.
        """
        found = self.games(table, journal.position.game)
        if not found:
            return None
        part = found[-1].game.parts[-1]
        of_journal = part.deal[:2] == (journal.box, journal.epoch)
        return found[-1] if of_journal and journal.position.dealt_seq <= part.begun else None

    def begun(self, game: GameRulings) -> Reported | None:
        """The fact that began the game, at whichever box; None if no journal tells it."""
        first = game.game.parts[0]
        return self.reported((*first.deal[:2], first.begun))

    def turns(self, table: int, games: Iterable[GameRulings], *, of_these: bool = False) -> list[Turn]:
        """Every turn that was made at the table, in the order in which they were, each once, whichever boxes tell of
        it. `games` are those of the table: what was ruled there counts, wherever the box was when a time was over.
        What a box did before it counted at any table is not among them. `of_these`: the turns of these games alone.
        """
        games = list(games)
        deals = {part.deal for game in games for part in game.game.parts} if of_these else None
        ruled = [ruling for game in games for ruling in game.current()] + self._ruled_elsewhere(table)
        found: list[tuple[tuple[int, int, int], Turn]] = []
        for journal in self.journals_of(table):
            box, epoch = journal.box, journal.epoch
            met = self._met[box, epoch]
            for turn in journal.turns(ruled, deals):
                here = self.boxes.table_of_fact(box, epoch, turn.seq) == table
                if here and not self._was_taken_back(turn):
                    found.append(((self.boxes.counts_by(box, epoch, turn.seq), met, turn.seq), turn))
        found.sort(key=lambda one: one[0])
        return whole((turn for _, turn in found), broken_off(games))

    def _ruled_elsewhere(self, table: int) -> list[Ruling]:
        """On deals that are of another table alone: their box stood at this one in between."""
        deals: defaultdict[int, set[DealKey]] = defaultdict(set)
        for journal in self.journals_of(table):
            for part in journal.ruled.parts():
                tables = [one for one in self._counted.at(journal, part).tables if one is not None]
                if len(tables) == 1 and tables[0] != table:
                    deals[tables[0]].add(part.deal)
        found: list[Ruling] = []
        for other, of in deals.items():
            for game in self.games(other):
                parts = ((game.game.part_of(ruling.of), ruling) for ruling in game.current())
                found += [ruling for told, ruling in parts if told is not None and told.deal in of]
        return found

    def _was_taken_back(self, turn: Turn) -> bool:
        """A box was to go on with that move, and was given elsewhere before it did."""
        untouched = turn.takes_over and turn.elapsed_ms is None and turn.overrun_ms is None
        return untouched and self.boxes.is_undone(turn.box, turn.epoch, turn.seq)

    # --- rulings -----

    def who(self, ruling: int) -> str:
        """Who made that ruling, a decision's cursor."""
        return self._who[ruling]

    def open_ruling(self, cursor: int) -> Decision | None:
        """That decision, if it is a ruling that came before the facts of its time-out; revoked or not."""
        return self._open.get(cursor)

    def ahead(self, decision: Decision) -> Ahead:
        """What has become of such a ruling."""
        box, epoch, _ = ruled_on(decision)
        journal = self.journal(box, epoch)
        return "waits" if journal is None else journal.ruled.ahead(decision.cursor)


class _At(NamedTuple):
    """Where a part counts: `last` its last fact then; `round`: how often everybody had been seated when it began."""

    last: int
    tables: frozenset[int | None]
    undone: bool
    counts_by: int
    round: int


class _Counted:
    """Where the games that boxes tell of count, looked up once until somebody decides otherwise."""

    def __init__(self, boxes: BoxTables, people: People) -> None:
        self._boxes, self._people = boxes, people
        self._version = (-1, -1)
        self._found: dict[tuple[str, int, int], _At] = {}

    def at(self, journal: Journal, part: Part) -> _At:
        """Of a part that the journal tells of."""
        version = self._boxes.version, self._people.version
        if self._version != version:
            self._version = version
            self._found.clear()
        key = (journal.box, journal.epoch, part.begun)
        found = self._found.get(key)
        if found is None or found.last != part.last:
            found = self._found[key] = self._look(journal, part)
        return found

    def _look(self, journal: Journal, part: Part) -> _At:
        boxes, box, epoch = self._boxes, journal.box, journal.epoch
        return _At(
            part.last, frozenset(boxes.table_of_fact(box, epoch, seq) for seq in (part.begun, part.last)),
            boxes.is_undone(box, epoch, part.begun), boxes.counts_by(box, epoch, part.begun),
            self._people.round_at(journal.cursor(part.begun)),
        )  # fmt: skip


def _last_ones(told: list[Told], game: int) -> int:
    """Where the parts of that game begin which no part of another follows."""
    place = len(told)
    while place and told[place - 1].part.deal.game == game:
        place -= 1
    return place
