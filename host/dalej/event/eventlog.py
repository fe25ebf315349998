"""An event read as people want it: its ruleset, which box stands on which table, turns with their rulings, problems.

Everything here is a fold over the ledger's entries; nothing is stored.
"""

from __future__ import annotations

from bisect import bisect
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby

from dalej.domain.game.bank import UNKNOWN, Bank, BanksByMove, banks
from dalej.domain.game.facts import SEATS, Fact
from dalej.domain.game.games import DealKey, GameKey
from dalej.domain.game.rulings import FactKey, GameRulings, Ruling, Rulings, Told, broken_off, games_ruled
from dalej.domain.game.turns import Turn, Turns, whole
from dalej.domain.game.verify import Problem, verify
from dalej.domain.rules.options import with_options
from dalej.domain.rules.rulesets import Ruleset
from dalej.domain.rules.ruletext import parse
from dalej.domain.tournament.bodies import Body
from dalej.domain.tournament.tournament import EVENT, OPTION, SEATING
from dalej.errors import WrongInput
from dalej.event.boxplaces import BoxTables
from dalej.event.ledger import Ledger
from dalej.rulesets import rulebook
from dalej.words import N_

RULESET = "ruleset"  # kind of the decision that says by which rules an event is played: {"id", "text"}
SEATED = "seated"  # who sits at a table: {"table": 3, "names": {"A": "Lis", ...}}, subject "seated:3"


@dataclass(frozen=True, slots=True)
class TableTurn:
    """A turn with the table it was made at; `player` is the seat as the regulations write it, 1A; `bank` after it."""

    table: int
    player: str
    turn: Turn
    bank: Bank = UNKNOWN


def choose_ruleset(ledger: Ledger, id_or_path: str, *, who: str, when_ms: int) -> Ruleset:
    """Decide by which rules the event is played; the text goes into the event, so that it stays readable anywhere."""
    text, name = rulebook.source(id_or_path)
    ruleset = parse(text, name)
    ledger.decide(RULESET, {"id": ruleset.id, "text": text}, who=who, when_ms=when_ms, why=f"played by {ruleset.id}")
    return ruleset


def name_of(ledger: Ledger) -> str:
    """What the event is called; as its file, as long as nobody has named it."""
    named = ledger.decisions(EVENT, standing=True)
    return (Body(named[-1]).text("name", "") if named else "").strip() or ledger.path.stem


def ruleset_of(ledger: Ledger) -> Ruleset:
    """The rules the event is played by, with what the organiser set otherwise; WrongInput if nobody chose any."""
    chosen = ledger.decisions(RULESET, standing=True)
    if not chosen:
        raise WrongInput(N_("{file} does not say by which ruleset it is played"), file=ledger.path)
    body = chosen[-1].body
    ruleset = parse(str(body["text"]), f"{body['id']}.toml")
    options = map(Body, ledger.decisions(OPTION, standing=True))
    return with_options(ruleset, {option.text("key"): option.anything("value") for option in options})


def boxes_and_tables(ledger: Ledger) -> BoxTables:
    """What is decided about boxes and tables so far."""
    found = BoxTables()
    for decision in ledger.decisions():
        found.decide(decision)
    return found


def tables(ledger: Ledger) -> dict[str, int]:
    """Table number of every box (hex uid): where it stands, else where it counted last, else in the order in which
    boxes were first heard of.
    """
    return _numbered(ledger, boxes_and_tables(ledger))


def with_box(ledger: Ledger) -> set[int]:
    """Tables on which a box stands now; a box of which nothing was decided has a table of its own."""
    decided = boxes_and_tables(ledger)
    alone = (table for box, table in _numbered(ledger, decided).items() if _is_alone(decided, box))
    return {*decided.on_tables, *alone}


def _is_alone(decided: BoxTables, box: str) -> bool:
    return box not in decided.tables and not decided.is_meant(box)


def _numbered(ledger: Ledger, decided: BoxTables) -> dict[str, int]:
    found = dict(decided.tables)
    free = max(found.values(), default=0)
    for stream in ledger.boxes():
        if stream.box not in found:
            free += 1
            found[stream.box] = free
    return found


def turns(ledger: Ledger) -> list[TableTurn]:
    """All turns in the order of tables, evenings, games and moves; each at the table where its box stood then, and
    once, whichever boxes tell of it. What a box did before it counted at any table is not among them.
    """
    fold, rulings = Turns(), Rulings(ruleset_of(ledger))
    cursors: dict[FactKey, int] = {}
    for reported in ledger.facts():
        fact = reported.fact
        fold.add(fact)
        rulings.add(fact, reported.wall_ms)
        cursors[fact.box, fact.epoch, fact.seq] = reported.cursor
    for decision in ledger.decisions():
        rulings.decide(decision)
    decided = boxes_and_tables(ledger)
    games = games_of_tables(ledger, rulings, cursors)
    ruled = [ruling for of_table in games.values() for game in of_table for ruling in game.current()]
    now = _numbered(ledger, decided)
    whole_games = [game.game for of_table in games.values() for game in of_table]
    known = BanksByMove(banks((reported.fact for reported in ledger.facts()), ruled, whole_games))
    met = {(stream.box, stream.epoch): place for place, stream in enumerate(ledger.boxes())}
    at: dict[int, list[Turn]] = {}

    def table_of(turn: Turn) -> int | None:
        return decided.table_of_fact(turn.box, turn.epoch, turn.seq, now[turn.box])

    for table, turn in _judged(fold, games, table_of):
        untouched = turn.takes_over and turn.elapsed_ms is None and turn.overrun_ms is None
        taken_back = untouched and decided.is_undone(turn.box, turn.epoch, turn.seq)
        if not taken_back:
            at.setdefault(table, []).append(turn)

    def order(turn: Turn) -> tuple[int, int, int]:
        return decided.counts_by(turn.box, turn.epoch, turn.seq), met[turn.box, turn.epoch], turn.seq

    seen = []
    in_order = [
        (table, turn)
        for table in sorted(at)
        for turn in whole(sorted(at[table], key=order), broken_off(games.get(table, ())))
    ]
    for table, turn in in_order:
        bank = known.after(GameKey(turn.box, turn.epoch, turn.game), turn.move, turn.seq) or UNKNOWN
        seat = SEATS[turn.seat] if turn.seat < len(SEATS) else "?"
        seen.append(TableTurn(table, f"{table}{seat}", turn, bank))
    return seen


def _judged(
    fold: Turns, games: Mapping[int, Sequence[GameRulings]], table_of: Callable[[Turn], int | None]
) -> Iterator[tuple[int, Turn]]:
    """Every turn that counts at a table, with what was ruled there: of a game that its box brought along each table
    may have another opinion.
    """
    ruled = {table: [ruling for game in there for ruling in game.current()] for table, there in games.items()}
    told_at: defaultdict[DealKey, set[int]] = defaultdict(set)
    for table, there in games.items():
        for game in there:
            for part in game.game.parts:
                told_at[part.deal].add(table)
    at_several = {deal: tables for deal, tables in told_at.items() if len(tables) > 1}
    for turn in fold.turns(ruling for there in ruled.values() for ruling in there):
        at = table_of(turn)
        if at is not None and at not in at_several.get(turn.deal, ()):
            yield at, turn
    for table in set().union(*at_several.values()):
        for turn in fold.turns(ruled[table]):
            if table in at_several.get(turn.deal, ()) and table_of(turn) == table:
                yield table, turn


def games_of_tables(ledger: Ledger, rulings: Rulings, cursors: Mapping[FactKey, int]) -> dict[int, list[GameRulings]]:
    """The games of every table with what was ruled in them, whichever boxes tell of them; one that its box brought
    along is among those of both tables. `rulings` has all facts and all decisions of the ledger; `cursors` are those
    of all facts.
    """
    decided = boxes_and_tables(ledger)
    now = _numbered(ledger, decided)
    met = {(stream.box, stream.epoch): place for place, stream in enumerate(ledger.boxes())}
    seated = sorted(decision.cursor for decision in ledger.decisions(SEATING, standing=True))
    at: dict[int, list[tuple[tuple[int, int, int], Told]]] = {}
    for part in rulings.parts():
        box, epoch = part.deal[:2]
        if part.move and part.idle and decided.is_undone(box, epoch, part.begun):
            continue
        order = decided.counts_by(box, epoch, part.begun), met[box, epoch], part.begun
        told = Told(bisect(seated, cursors[box, epoch, part.begun]), part, rulings)
        for table in {decided.table_of_fact(box, epoch, seq, now[box]) for seq in (part.begun, part.last)}:
            if table is not None:
                at.setdefault(table, []).append((order, told))
    return {
        table: games_ruled(told for _, told in sorted(parts, key=lambda one: one[0])) for table, parts in at.items()
    }


def rulings(facts: Iterable[Fact], ruleset: Ruleset) -> list[Ruling]:
    """The one current ruling of every time-out among the facts."""
    fold = Rulings(ruleset)
    for fact in facts:
        fold.add(fact)
    return fold.current()


def problems(ledger: Ledger) -> Iterator[tuple[int, Problem]]:
    """Everything that is missing or contradictory, with the table it concerns: where the fact counts, and of one from
    before its box counted at any, where the box stands.
    """
    decided = boxes_and_tables(ledger)
    number = _numbered(ledger, decided)

    def table_of(box: str, epoch: int, seq: int) -> int:
        return decided.table_of_fact(box, epoch, seq, number[box]) or number[box]

    lost: dict[tuple[str, int], list[tuple[int, int]]] = {}
    for gap in ledger.gaps():
        lost.setdefault((gap.box, gap.epoch), []).append((gap.first, gap.last))
    for stream in ledger.boxes():
        facts = [reported.fact for reported in ledger.facts(stream.box, stream.epoch)]
        told = verify(
            facts, baseline=stream.baseline, head=stream.top, lost=lost.get((stream.box, stream.epoch), ())
        )  # fmt: skip
        for problem in told:
            yield table_of(stream.box, stream.epoch, problem.seqs[0]), problem
    conflicts = sorted(ledger.conflicts(), key=lambda conflict: (conflict.stored.box, conflict.stored.seq))
    for _, same in groupby(conflicts, key=lambda conflict: (conflict.stored.box, conflict.stored.seq)):
        first = next(same)
        problem = Problem.of(
            first.stored, "conflict", N_("fact {seq} ({fact}) was contradicted by the box; both are kept"), {}
        )
        yield table_of(first.stored.box, first.stored.epoch, first.stored.seq), problem
