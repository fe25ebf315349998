"""Long evenings at one table: hundreds of presses, orders, stops and power cuts, chosen by a number.

Other than drawn examples these reach what takes many steps: laps within laps, reopened games, a table that shrinks.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from typing import Final

from moveclock import facts as k
from moveclock import settings as rules
from tests.domain.tables import A, PlayedTable, do

GAPS: Final = (0, 299, 300, 1_000, 2_500, 2_999, 5_000, 9_000, 19_999, 31_000, 41_000)
DOINGS: Final = {
    k.IDLE: ("next_game", "take_over"),
    k.READY: ("juz", "juz", "juz", "juz", "dalej", "set_seat", "redeal", "sedzia", "cut_power", "take_over", "other"),
    k.RUNNING: (
        *["juz", "dalej", "kostka"] * 4, "announce", "empty_rack", *["sedzia", "stop"] * 3, "hold_sedzia", "final_lap",
        "end_game", "cut_power", "next_juz",
    ),
    k.EXPIRED: (
        *["next_juz", "next_dalej", "stop"] * 3, "kostka", "sedzia", "final_lap", "end_game", "cut_power",
    ),
    k.STOPPED: (
        *["resume"] * 6, *["hold_sedzia", "sedzia", "kostka"] * 2, "restart", *["set_remaining", "give_time"] * 2,
        "set_seat", "set_bank", "withdraw", "deny", "stop", "final_lap", "redeal", "end_game", "cut_power",
    ),
    k.OVER: (*["reopen", "next_game"] * 3, "hold_sedzia", "sedzia", "cut_power", "take_over"),
}  # fmt: skip


def evening(which: int, steps: int = 400) -> Iterator[PlayedTable]:
    """The table after each thing that somebody does there; it is always the same one."""
    chance = random.Random(which)
    table = PlayedTable(_settings(chance), kostka=chance.random() < 0.6, shared=chance.random() < 0.3)
    yield table
    doing = ""
    for _ in range(steps):
        clock = table.clock
        calls = doing in ("dalej", "sedzia") and chance.random() < 0.3
        table.wait(chance.choice((500, 2_500)) if calls else chance.choice(GAPS))
        yield table
        if calls:
            doing = "sedzia"
        elif clock.claim and chance.random() < 0.3:
            doing = "deny"
        else:
            doing = chance.choice(DOINGS[clock.state])
        number = chance.randrange(8)
        if rules.count(clock.settings.seats & ~clock.out) < 2 and clock.state in (k.READY, k.OVER):
            table.order(k.C_CONFIGURE, clock.game + 1, _settings(chance), k.DESK)
        elif doing == "take_over":
            _take_over(table, chance)
        else:
            do(table, doing, number)
        yield table


def _settings(chance: random.Random) -> rules.Settings:
    new = rules.Settings()
    new.limit_ms, new.seats = 40_000, chance.choice((0b1111, 0b1111, 0b0111, 0b1101, 0b1010))
    new.first = chance.choice([k.NOBODY, *(seat for seat in range(A, 4) if new.seats >> seat & 1)])
    new.draw = chance.choice((rules.DRAW_OFF, rules.DRAW_FLAG, rules.DRAW_FLAG, rules.DRAW_BLOCK))
    new.on_expiry = chance.choice((rules.HOLD_TABLE, rules.HOLD_TABLE, rules.HOLD_TABLE, rules.ADVANCE))
    new.on_bank_empty = chance.choice((rules.FINAL_LAP, rules.FINAL_LAP, rules.PLAY_ON, rules.END_WITH_MOVE))
    new.tiles = chance.choice((106, 14 * rules.count(new.seats) + chance.randrange(6)))
    return new


def _take_over(table: PlayedTable, chance: random.Random) -> None:
    """The box goes on with a game of another one, in whatever way that stood there."""
    clock = table.clock
    seats = [seat for seat in range(4) if clock.settings.seats >> seat & 1]
    out = chance.choice((0, 0, 1, 2, 4, 8))
    lap = chance.choice((0, 0, k.BANK_EMPTY, k.ROUND_TIME))
    more = chance.choice((0, 1 << 9, 1 << 11, 1 << 11 | 1 << 9, 1 << 11 | 1 << 10))
    if lap:
        more |= lap << 4 | chance.choice((0, 1 << 8)) | chance.randrange(1, 16) & clock.settings.seats & ~out
    left, bank = chance.choice((1, 9_000, 40_000)), chance.randrange(5)
    table.order(k.C_TAKE_OVER, clock.game + 1, chance.randrange(1, 30), chance.choice(seats), left, bank, out, more)
