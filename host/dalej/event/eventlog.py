"""An event read as people want it: its ruleset, which box stands on which table, turns with their rulings, problems.

Everything here is asked of a reading; nothing is stored.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import groupby

from dalej.domain.game.bank import UNKNOWN, Bank, BanksByMove, banks
from dalej.domain.game.facts import SEATS, Fact
from dalej.domain.game.games import GameKey
from dalej.domain.game.rulings import Ruling, Rulings
from dalej.domain.game.turns import Turn
from dalej.domain.game.verify import Problem, verify
from dalej.domain.rules.rulesets import Ruleset
from dalej.domain.rules.ruletext import parse
from dalej.domain.tournament.bodies import Body
from dalej.domain.tournament.tournament import EVENT, RULESET
from dalej.errors import WrongInput
from dalej.event.ledger import Ledger
from dalej.event.reading import Reading
from dalej.event.tables import PlayedBy, Tables
from dalej.rulesets import rulebook
from dalej.words import N_


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


def name_of(reading: Reading) -> str:
    """What the event is called; as its file, as long as nobody has named it."""
    named = reading.decisions(EVENT, standing=True)
    return (Body(named[-1]).text("name", "") if named else "").strip() or reading.path.stem


def ruleset_of(reading: Reading) -> Ruleset:
    """The rules the event is played by, with what the organiser set otherwise; WrongInput if nobody chose any."""
    played_by = reading.fold_decisions(PlayedBy)
    if played_by.problem is not None:
        raise played_by.problem
    ruleset = played_by.ruleset
    if ruleset is None:
        raise WrongInput(N_("{file} does not say by which ruleset it is played"), file=reading.path)
    return ruleset


def tables(reading: Reading) -> dict[str, int]:
    """Table number of every box (hex uid): where it stands, else where it counted last, else in the order in which
    boxes were first heard of.
    """
    return dict(reading.fold(Tables).boxes.tables)


def with_box(reading: Reading) -> set[int]:
    """Tables on which a box stands now; a box of which nothing was decided has a table of its own."""
    return set(reading.fold(Tables).boxes.box_of)


def turns(reading: Reading) -> list[TableTurn]:
    """All turns in the order of tables, evenings, games and moves; each at the table where its box stood then, and
    once, whichever boxes tell of it. What a box did before it counted at any table is not among them.
    """
    ruleset_of(reading)
    event = reading.fold(Tables)
    games = {table: event.games(table) for table in event.played_at()}
    ruled = [ruling for of_table in games.values() for game in of_table for ruling in game.current()]
    whole_games = [game.game for of_table in games.values() for game in of_table]
    known = BanksByMove(banks((reported.fact for reported in reading.facts()), ruled, whole_games))
    seen = []
    for table, there in games.items():
        for turn in event.turns(table, there):
            bank = known.after(GameKey(turn.box, turn.epoch, turn.game), turn.move, turn.seq) or UNKNOWN
            seat = SEATS[turn.seat] if turn.seat < len(SEATS) else "?"
            seen.append(TableTurn(table, f"{table}{seat}", turn, bank))
    return seen


def rulings(facts: Iterable[Fact], ruleset: Ruleset) -> list[Ruling]:
    """The one current ruling of every time-out among the facts."""
    fold = Rulings(ruleset)
    for fact in facts:
        fold.add(fact)
    return fold.current()


def problems(reading: Reading) -> Iterator[tuple[int, Problem]]:
    """Everything that is missing or contradictory, with the table it concerns: where the fact counts, and of one from
    before its box counted at any, where the box stands.
    """
    event = reading.fold(Tables)
    boxes = event.boxes

    def table_of(box: str, epoch: int, seq: int) -> int:
        return boxes.table_of_fact(box, epoch, seq) or boxes.tables[box]

    lost: dict[tuple[str, int], list[tuple[int, int]]] = {}
    for gap in reading.gaps():
        lost.setdefault((gap.box, gap.epoch), []).append((gap.first, gap.last))
    for box, epoch in event.met():
        journal = event.journal(box, epoch)
        facts = [] if journal is None else [reported.fact for reported in journal.facts]
        told = verify(
            facts, baseline=boxes.baseline(box, epoch), head=facts[-1].seq if facts else 0,
            lost=lost.get((box, epoch), ()),
        )  # fmt: skip
        for problem in told:
            yield table_of(box, epoch, problem.seqs[0]), problem
    conflicts = sorted(reading.conflicts(), key=lambda conflict: (conflict.stored.box, conflict.stored.seq))
    for _, same in groupby(conflicts, key=lambda conflict: (conflict.stored.box, conflict.stored.seq)):
        first = next(same)
        problem = Problem.of(
            first.stored, "conflict", N_("fact {seq} ({fact}) was contradicted by the box; both are kept"), {}
        )
        yield table_of(first.stored.box, first.stored.epoch, first.stored.seq), problem
