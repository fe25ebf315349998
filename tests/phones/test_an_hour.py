"""Phones at one desk for an hour: pages are killed, networks go for a while and one of them for twenty minutes; in the
end every turn is in the log once. Scripts play ten times as fast. `make torture` plays the whole hour with twenty-five
phones of each kind, a gate some minutes of it and fewer pages.
"""

from __future__ import annotations

import asyncio
from pathlib import Path
from random import Random
from typing import Final

import pytest

from dalej.clock import Clock, SystemClock
from dalej.event import eventlog
from dalej.event.reading import read
from moveclock import facts as k
from tests.conftest import SEED
from tests.phones.desk import phone_desk
from tests.phones.hurried import HurriedLoop, LoopClock
from tests.phones.playing import Phone, Phones, begins, goes_on, moves, nothing_unsent
from tests.phones.scripted import ScriptedPhones
from tests.waiting import until
from tests.world import event_file

SPEED: Final = 10.0
PHONES: Final = 25
HOUR_S: Final = 3_600.0
SHORT_S: Final = 240.0
FEW_PAGES: Final = 6
FEW_PAGES_S: Final = 75.0
APART: Final = 1 / 3  # of the time, the network of the last table is gone


async def plays(phone: Phone, table: int, begin: asyncio.Barrier, lasts_s: float, lot: Random) -> int:
    """Moves that it made. The network of the last table is the one that is gone for long."""
    loop = asyncio.get_running_loop()
    last = table == begin.parties
    await phone.load()
    await until(lambda: phone.state == k.READY, f"table {table} to be set up", within_s=300)
    await begin.wait()
    await begins(phone)
    begun = loop.time()
    back = begun + lasts_s * (0.2 + APART)
    while loop.time() < begun + lasts_s:
        await asyncio.sleep(lot.uniform(3, 20))
        if last:
            phone.cut = begun + lasts_s * 0.2 < loop.time() < back
        elif lot.random() < 0.02:
            phone.cut = not phone.cut
        elif lot.random() < 0.02:
            await phone.close()
            phone.cut = False  # the page comes over that network, too
            await phone.load()
        if phone.state == k.STOPPED:
            await goes_on(phone)
        if phone.state in (k.RUNNING, k.EXPIRED):
            await moves(phone, 1)
    phone.cut = False
    await nothing_unsent(phone, within_s=300)
    made = int(phone.said["move"]) - 1
    await phone.close()
    return made


@pytest.mark.long(900)
def test_phones_play_for_an_hour_and_whatever_happens_each_turn_is_in_the_log_once(
    tmp_path: Path, seed: int, pytestconfig: pytest.Config
) -> None:
    with asyncio.Runner(loop_factory=lambda: HurriedLoop(SPEED)) as runner:
        clock = LoopClock(runner.get_loop())
        lasts_s = HOUR_S if _whole(pytestconfig) else SHORT_S
        runner.run(an_evening(tmp_path, ScriptedPhones(), clock, PHONES, lasts_s, seed))


@pytest.mark.long(900)
@pytest.mark.parametrize("phones", ["pages"], indirect=True)
def test_pages_in_a_browser_play_for_an_hour_and_each_turn_is_in_the_log_once(
    tmp_path: Path, phones: Phones, pytestconfig: pytest.Config
) -> None:
    count, lasts_s = (PHONES, HOUR_S) if _whole(pytestconfig) else (FEW_PAGES, FEW_PAGES_S)
    phones.run(an_evening(tmp_path, phones, SystemClock(), count, lasts_s, pytestconfig.stash[SEED]))


def _whole(config: pytest.Config) -> bool:
    return bool(config.getoption("--hypothesis-profile") == "torture")


async def an_evening(folder: Path, phones: Phones, clock: Clock, count: int, lasts_s: float, seed: int) -> None:
    file, tables = event_file(folder, 4 * count), range(1, count + 1)
    begin = asyncio.Barrier(count)
    async with asyncio.timeout(3 * lasts_s + 900), phone_desk(folder, file, phones.page, clock=clock) as desk:
        at = {table: phones.phone(desk.url, desk.code(table)) for table in tables}
        made = await asyncio.gather(*(
            plays(phone, table, begin, lasts_s, Random(seed * 100 + table)) for table, phone in at.items()
        ))  # fmt: skip
        reading = read(desk.ledger)
        assert list(eventlog.problems(reading)) == []
        logged: dict[int, list[int]] = {table: [] for table in tables}
        for one in eventlog.turns(reading):
            if one.turn.how:
                logged[one.table].append(one.turn.move)
        assert logged == {table: [*range(1, moved + 1)] for table, moved in zip(tables, made, strict=True)}
        assert min(made) > lasts_s / 60
