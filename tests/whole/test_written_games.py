"""The written games of tests/games, played through debounce, clock, journal, link, session and ledger."""

from __future__ import annotations

import tempfile
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import pytest

from dalej.domain.game import facts as names
from dalej.domain.game.facts import NAMES, STATES, Fact
from dalej.domain.game.rulings import rulings
from dalej.domain.game.verify import verify
from dalej.event import reading
from dalej.event.ledger import Ledger
from moveclock import facts as k
from moveclock.clock import ORDERS, PRESSES, TIMERS, Clock
from tests.games.written import games, read
from tests.memory import MEMORY

Used = tuple[int, str]  # a state of the clock, and the action it took

NOT_AT_A_TABLE = ("battery_low", "records_lost")  # what no line of a script brings about
NOT_IN_A_SCRIPT = ("order_configure", "order_take_over")  # its table is set up once, before it begins
ROWS = [
    *dict.fromkeys((row[0], row[-1]) for row in (*PRESSES, *TIMERS)),
    *((state, row[-1]) for row in ORDERS for state in row[1] if row[-1] not in NOT_IN_A_SCRIPT),
]


@dataclass(frozen=True, slots=True)
class Outcome:
    """What came of a game. `unsent`: lines for the desk that found no link."""

    expected: list[str]
    found: list[str]
    facts: list[Fact]
    unsent: list[int]
    used: frozenset[Used]


@cache
def outcome(path: Path) -> Outcome:
    game = read(path)
    used: set[Used] = set()
    with tempfile.TemporaryDirectory(dir=MEMORY) as folder, Ledger.create(Path(folder) / "game.dalej") as ledger:
        with pytest.MonkeyPatch.context() as patch:
            for action in {row[-1] for row in (*PRESSES, *TIMERS, *ORDERS)}:
                patch.setattr(Clock, action, _noting(used, action))
            played = game.play(ledger)
        facts = [reported.fact for reported in reading.read(ledger).facts()]
    found = game.found(played, facts, rulings(facts, game.ruleset))
    unsent = [unsent.line for unsent in played.unsent]
    return Outcome(game.expected(), found, facts, unsent, frozenset(used))


def _noting(used: set[Used], action: str) -> Callable[..., object]:
    """The clock's own action, which leaves a note when it did something."""
    does = getattr(Clock, action)

    def noted(clock: Clock, *arguments: object) -> object:
        state = clock.state
        answer = does(clock, *arguments)
        if answer is None or bool(answer) != action.startswith("order_"):  # timers; presses say True, orders 0
            used.add((state, action))
        return answer

    return noted


@pytest.mark.parametrize("path", games(), ids=lambda path: path.stem)
def test_game(path: Path) -> None:
    played = outcome(path)

    assert played.found == played.expected
    assert not played.unsent
    assert verify(played.facts, baseline=0) == []


@pytest.mark.parametrize(("state", "action"), ROWS, ids=lambda part: part if isinstance(part, str) else STATES[part])
def test_every_row_of_the_clocks_tables_is_shown(state: int, action: str) -> None:
    assert any((state, action) in outcome(path).used for path in games())


@pytest.mark.parametrize("fact", [name for name in NAMES if name and name not in NOT_AT_A_TABLE])
def test_every_fact_is_shown(fact: str) -> None:
    assert any(fact == found.name for path in games() for found in outcome(path).facts)


@pytest.mark.parametrize(
    ("kind", "codes"),
    [
        (k.MOVE_ENDED, names.HOWS),
        (k.TABLE_RESTORED, names.VERDICTS),
        (k.CLOCK_STOPPED, names.STOP_REASONS),
        (k.GAME_ENDED, names.END_REASONS),
        (k.GAME_REOPENED, names.REOPENINGS),
        (k.CLOCK_RESUMED, names.ACTORS[:2]),
    ],
    ids=lambda value: NAMES[value] if isinstance(value, int) else "",
)
def test_every_reason_is_shown(kind: int, codes: tuple[str, ...]) -> None:
    shown = {fact.code for path in games() for fact in outcome(path).facts if fact.kind == kind}

    assert shown == set(range(len(codes)))
