"""A table whose first game has begun, and what its players do there."""

from __future__ import annotations

from moveclock import facts as k
from moveclock import settings as rules
from tests.domain.tables import BOX, A, B, PlayedTable

OTHER = "c0c1c2d3e4f5"
NEXT_DALEJ_OF_B = 2 * B + 1


def table(*, kostka: bool = True, box: str = BOX, **choices: int) -> PlayedTable:
    """Four seats, 40 s, seat A has begun; `choices` are settings."""
    settings = rules.Settings()
    settings.limit_ms, settings.first, settings.draw = 40_000, A, rules.DRAW_FLAG
    for name, value in choices.items():
        assert hasattr(settings, name)
        setattr(settings, name, value)
    new = PlayedTable(settings, kostka=kostka, box=box)
    new.wait(1_000)
    new.press(2 * A)
    return new


def lay(at: PlayedTable, *seats: int) -> None:
    """These seats click Już one after the other."""
    for seat in seats:
        at.wait(5_000)
        at.press(2 * seat)


def announce(at: PlayedTable, seat: int) -> None:
    at.wait(5_000)
    at.press(2 * seat + 1, held=True)


def go_out(at: PlayedTable, seat: int) -> None:
    at.wait(5_000)
    at.press(2 * seat, held=True)


def next_game(at: PlayedTable) -> None:
    at.order(k.C_NEXT_GAME)
    at.wait(1_000)
    at.press(2 * at.clock.starter)


def undone() -> PlayedTable:
    """A's first move was late, and B's Dalej has said that it counts as undone."""
    at = table()
    at.wait(43_000)
    at.press(NEXT_DALEJ_OF_B)
    return at


def claimed() -> PlayedTable:
    """A passed without a tile, and B claims that the move is begun anew."""
    at = table()
    at.wait(5_000)
    at.press(2 * A + 1)
    at.wait(2_000)
    at.press(k.SEDZIA)
    return at


def another(before: PlayedTable, move: int, seat: int) -> PlayedTable:
    """Another box, on which the first game has gone on with that seat's move, of which 30 s are left."""
    spare = PlayedTable(before.clock.settings, kostka=False, box=OTHER)
    spare.order(k.C_TAKE_OVER, 1, move, seat, 30_000, 50, 0)
    spare.order(k.C_RESUME)
    return spare
