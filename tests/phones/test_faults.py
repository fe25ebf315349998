"""The fault table, for phones: whatever dies, fills up or is put back, each turn is in the log once."""

from __future__ import annotations

import asyncio
import os
import signal
import sqlite3
from collections.abc import Callable, Coroutine
from pathlib import Path
from random import Random
from typing import Any, Final

import pytest

from dalej.clock import SystemClock
from dalej.event import eventlog
from dalej.event.ledger import Ledger
from dalej.event.reading import read
from moveclock import facts as k
from tests.phones.desk import PhoneDesk, phone_desk
from tests.phones.playing import Phone, Phones, begins, goes_on, moves, nothing_unsent
from tests.phones.program import DEADLINE_S, codes, environment, program, the_desk
from tests.waiting import until
from tests.world import event_file

Story = Callable[[PhoneDesk, Phone], Coroutine[Any, Any, None]]
KILLS: Final = 2
DAY_MS: Final = 86_400_000


class LaterClock(SystemClock):
    """Of the day after: no desk of the day before holds the links any more."""

    def wall_ms(self) -> int:
        return super().wall_ms() + DAY_MS


def turns(ledger: Ledger) -> list[int]:
    """Moves that are over, as the log has them."""
    return [one.turn.move for one in eventlog.turns(read(ledger)) if one.turn.how]


def plays(folder: Path, phones: Phones, story: Story) -> None:
    file = event_file(folder, 4)

    async def run() -> None:
        async with asyncio.timeout(DEADLINE_S), phone_desk(folder, file, phones.page) as desk:
            phone = phones.phone(desk.url, desk.code(1))
            await phone.load()
            await until(lambda: phone.state == k.READY, "the game")
            await begins(phone)
            await story(desk, phone)
            await phone.close()

    phones.run(run())


@pytest.mark.skipif(not hasattr(signal, "SIGKILL"), reason="Windows ends processes in another way")
def test_a_desk_that_is_killed_at_any_instant_is_told_what_it_had_not_kept(
    tmp_path: Path, phones: Phones, seed: int
) -> None:
    lot, file = Random(seed), event_file(tmp_path, 4, file="evening.dalej")

    async def run() -> None:
        phone: Phone | None = None
        port = 0
        async with asyncio.timeout(DEADLINE_S):
            for kill in range(KILLS + 1):
                async with the_desk(tmp_path, "dalej run evening.dalej --phones 127.0.0.1", port) as desk:
                    port = int(desk.url.rpartition(":")[2])
                    phone = phone or await _scans(tmp_path, phones, desk.url)
                    await until(lambda one=phone: one.linked, "the desk")  # type: ignore[misc]
                    playing = asyncio.create_task(moves(phone, 4))
                    if kill < KILLS:
                        await asyncio.sleep(lot.uniform(0.2, 1.5))
                        os.kill(desk.pid, signal.SIGKILL)
                    await playing
                    if kill == KILLS:
                        await nothing_unsent(phone)
            assert phone is not None
            await phone.close()

    phones.run(run())
    with Ledger.open(file) as ledger:
        assert turns(ledger) == [*range(1, 4 * (KILLS + 1) + 1)]
        assert list(eventlog.problems(read(ledger))) == []


async def _scans(folder: Path, phones: Phones, url: str) -> Phone:
    """The code of table 1, as `dalej box phone` writes it, and its first move has begun."""
    written = await asyncio.create_subprocess_exec(
        *program("dalej box phone evening.dalej 1 --paper codes.pdf"), cwd=folder, env=environment(folder),
        stdout=asyncio.subprocess.DEVNULL,
    )  # fmt: skip
    async with asyncio.timeout(DEADLINE_S):
        assert await written.wait() == 0
    phone = phones.phone(url, codes(folder)[1])
    await phone.load()
    await until(lambda: phone.state == k.READY, "the game")
    await begins(phone)
    return phone


def test_a_file_that_takes_nothing_for_a_while_costs_no_turn(tmp_path: Path, phones: Phones) -> None:
    file = event_file(tmp_path, 4, file="evening.dalej")

    async def run() -> None:
        async with (
            asyncio.timeout(DEADLINE_S),
            the_desk(tmp_path, "dalej run evening.dalej --phones 127.0.0.1") as desk,
        ):
            phone = await _scans(tmp_path, phones, desk.url)
            other = sqlite3.connect(file, isolation_level=None)
            other.execute("BEGIN IMMEDIATE")
            await moves(phone, 3)
            assert phone.said["backlog"] >= 3
            other.close()
            await moves(phone, 1)
            await nothing_unsent(phone)
            await phone.close()

    phones.run(run())
    with Ledger.open(file) as ledger:
        assert turns(ledger) == [1, 2, 3, 4]
        assert list(eventlog.problems(read(ledger))) == []


def test_a_desk_with_an_old_copy_of_the_event_is_told_again_what_that_lacks(tmp_path: Path, phones: Phones) -> None:
    file, copy = event_file(tmp_path, 4), tmp_path / "copy.dalej"

    async def run() -> None:
        async with asyncio.timeout(DEADLINE_S):
            async with phone_desk(tmp_path, file, phones.page) as desk:
                phone, port = phones.phone(desk.url, desk.code(1)), desk.sockets.port
                await phone.load()
                await until(lambda: phone.state == k.READY, "the game")
                await begins(phone)
                await moves(phone, 2)
                await nothing_unsent(phone)
                desk.ledger.backup(copy)
                await moves(phone, 2)
                await nothing_unsent(phone)
                whole = [one.fact for one in read(desk.ledger).facts()]
            async with phone_desk(tmp_path, copy, phones.page, port=port, clock=LaterClock()) as desk:
                assert len([*read(desk.ledger).facts()]) < len(whole)
                await moves(phone, 1)
                await nothing_unsent(phone)
                facts = [one.fact for one in read(desk.ledger).facts()]
                assert facts[: len(whole)] == whole
                assert turns(desk.ledger) == [1, 2, 3, 4, 5]
                assert list(eventlog.problems(read(desk.ledger))) == []
                await phone.close()

    phones.run(run())


def test_a_phone_that_was_copied_with_all_it_keeps_is_an_alarm_and_overwrites_nothing(
    tmp_path: Path, phones: Phones
) -> None:
    async def story(desk: PhoneDesk, phone: Phone) -> None:
        await moves(phone, 2)
        await nothing_unsent(phone)
        twin = await phone.copied()
        await moves(phone, 2)
        await nothing_unsent(phone)
        await phone.close()
        await until(lambda: not desk.linked(phone.code), "the link to be over")
        whole = [one.fact for one in read(desk.ledger).facts()]

        await twin.load()
        await until(lambda: twin.linked, "the copy to be heard")
        await asyncio.sleep(2)

        assert [one.fact for one in read(desk.ledger).facts()][: len(whole)] == whole
        await goes_on(twin)
        await moves(twin, 1)
        await nothing_unsent(twin)
        assert [one.fact for one in read(desk.ledger).facts()][: len(whole)] == whole
        assert turns(desk.ledger)[:4] == [1, 2, 3, 4]
        assert desk.complaints == []
        assert "new_epoch" in [one.kind for one in desk.running.desk.notices], "the log says it in words"
        assert list(eventlog.problems(read(desk.ledger))) == []
        await twin.close()

    plays(tmp_path, phones, story)
