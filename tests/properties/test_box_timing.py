"""When the pump comes round is nobody's business: a prompt, a late and a sleepless loop record the same."""

from __future__ import annotations

from random import Random

from box_run import BoxRun, started
from moveclock import facts as k
from moveclock import settings as rules
from moveclock.debounce import WINDOW_MS
from moveclock.ticks import PERIOD

UNTIL = 12_000
EVERYBODY = (0, 1, 2, 3, 4, 5, 6, 7, k.KOSTKA, k.SEDZIA)
WHOEVER_MOVES = (k.SHARED_JUZ, k.SHARED_DALEJ) * 3 + (k.KOSTKA, k.KOSTKA, k.SEDZIA)


def pressed(random: Random, raw: int) -> BoxRun:
    """A table, and hands that press in bursts: short, long, over each other and around limits."""
    contacts = random.choice((EVERYBODY, WHOEVER_MOVES, WHOEVER_MOVES))
    run = started(
        raw,
        shared=contacts is WHOEVER_MOVES,
        shared_guard_ms=300,
        limit_ms=random.choice((1500, 2500, 4000)),
        grace_ms=random.choice((0, 300)),
        countdown_ms=2000,
        draw=random.randrange(3),
        on_expiry=random.choice((rules.HOLD_TABLE, rules.ADVANCE, rules.ADVANCE)),
        tiles=random.choice((57, 58, 106)),
    )
    free = [1200] * k.CONTACTS
    at = 1200
    for _ in range(random.randrange(4, 30)):
        at += random.choice((1, 30, 299, 300, 500, 700, 1100, 1500))
        contact = random.choice(contacts)
        length = random.choice((2, 25, 80, 80, 80, 400, 999, 1000, 1001, 2000, 2100))
        if free[contact] <= at < UNTIL:
            run.touch(contact, at, length)
            free[contact] = at + length + WINDOW_MS
    return run


def recorded(run: BoxRun) -> list[tuple[int, ...]]:
    """Everything that happened at the table since it started."""
    return [fact for fact in run.facts() if fact[1] > 1000]


def test_a_loop_up_to_80_ms_late_records_what_a_prompt_one_does(seed: int) -> None:
    for number in range(seed * 20, seed * 20 + 20):
        prompt, late = (pressed(Random(number), raw) for raw in (0, PERIOD - 5000))
        prompt.run(UNTIL)
        late.run(UNTIL, Random(number).choice((1, 7, 40, 80)))
        for run in (prompt, late):
            run.run(UNTIL + 3000)
        assert recorded(late) == recorded(prompt), number


def test_a_loop_called_only_when_the_box_asks_records_what_a_sleepless_one_does(seed: int) -> None:
    for number in range(seed * 3, seed * 3 + 3):
        asked, sleepless = (pressed(Random(number), raw) for raw in (0, 77))
        asked.run(UNTIL + 3000)
        sleepless.run_every_ms(UNTIL + 3000)
        assert recorded(asked) == recorded(sleepless), number


def test_a_table_records_something_at_all(seed: int) -> None:
    run = pressed(Random(seed), 0)
    run.run(UNTIL + 3000)
    assert len(recorded(run)) >= 4
