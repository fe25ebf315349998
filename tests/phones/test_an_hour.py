"""Phones at one desk for an hour, ten times as fast: pages are killed, networks go for a while and one of them for
twenty minutes; in the end every turn is in the log once. `make torture` plays the whole hour, a gate its last minutes.
"""

from __future__ import annotations

import asyncio
from pathlib import Path
from random import Random
from typing import Final

import pytest

from dalej.event import eventlog
from dalej.event.reading import read
from moveclock import facts as k
from tests.phones.desk import PhoneDesk, phone_desk, until
from tests.phones.hurried import HurriedLoop, LoopClock
from tests.phones.playing import begins, goes_on, moves, nothing_unsent
from tests.phones.scripted import ScriptedPhone
from tests.world import event_file

SPEED: Final = 10.0
PHONES: Final = 25
HOUR_S: Final = 3_600.0
SHORT_S: Final = 240.0
APART: Final = 1 / 3  # of the time, the network of the last table is gone
TURN_S: Final = 0.25  # how often a page looks at its clock: often enough for people who move every few seconds


async def plays(desk: PhoneDesk, table: int, lasts_s: float, lot: Random) -> int:
    """Moves that it made."""
    loop = asyncio.get_running_loop()
    phone = ScriptedPhone(desk.url, desk.code(table), turn_s=TURN_S)
    phone.load()
    await until(lambda: phone.state == k.READY, f"table {table} to be set up", within_s=120)
    await begins(phone)
    begun = loop.time()
    back = begun + lasts_s * (0.2 + APART) if table == PHONES else begun
    while loop.time() < begun + lasts_s:
        await asyncio.sleep(lot.uniform(3, 20))
        if table == PHONES:
            phone.cut = begun + lasts_s * 0.2 < loop.time() < back
        elif lot.random() < 0.02:
            phone.cut = not phone.cut
        elif lot.random() < 0.02:
            await phone.close()
            phone.load()
        if phone.state == k.STOPPED:
            await goes_on(phone)
        if phone.state == k.RUNNING:
            await moves(phone, 1)
    phone.cut = False
    await nothing_unsent(phone, within_s=300)
    made = int(phone.said["move"]) - 1
    await phone.close()
    return made


@pytest.mark.long(900)
def test_phones_play_for_an_hour_and_whatever_happens_each_turn_is_in_the_log_once(
    tmp_path: Path, seed: int, monkeypatch: pytest.MonkeyPatch, pytestconfig: pytest.Config
) -> None:
    monkeypatch.setenv("PYTHON_KEYRING_BACKEND", "keyring.backends.fail.Keyring")
    whole = pytestconfig.getoption("--hypothesis-profile") == "torture"
    lasts_s = HOUR_S if whole else SHORT_S
    file = event_file(tmp_path, 4 * PHONES)

    async def run() -> None:
        clock = LoopClock(asyncio.get_running_loop())
        async with asyncio.timeout(3 * lasts_s + 900), phone_desk(tmp_path, file, clock=clock) as desk:
            tables = range(1, PHONES + 1)
            made = await asyncio.gather(*(plays(desk, table, lasts_s, Random(seed * 100 + table)) for table in tables))
            reading = read(desk.ledger)
            assert list(eventlog.problems(reading)) == []
            logged: dict[int, list[int]] = {table: [] for table in tables}
            for one in eventlog.turns(reading):
                if one.turn.how:
                    logged[one.table].append(one.turn.move)
            assert logged == {table: [*range(1, count + 1)] for table, count in zip(tables, made, strict=True)}
            assert min(made) > lasts_s / 60

    with asyncio.Runner(loop_factory=lambda: HurriedLoop(SPEED)) as runner:
        runner.run(run())
