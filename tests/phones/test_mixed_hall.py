"""Boxes on the air, phones in a network, tables on paper: one hall, one desk, one right result for each game."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Final

import pytest

from dalej.domain.scoring.sheets import Rack
from dalej.domain.tournament.tournament import GameAt
from dalej.event import eventlog
from dalej.event.event import Event
from dalej.event.reading import read
from dalej.event.roundgames import games_of_round
from dalej.link.ble import BleAir
from dalej.office import results
from dalej.office.notation import Entry
from moveclock import facts as k
from tests import placing
from tests.air.bumble_backend import Program
from tests.air.hall import Hall, play
from tests.air.onair import OnAir
from tests.phones.desk import phone_desk
from tests.phones.playing import GUARDED_S, JUZ, begins, moves
from tests.phones.scripted import ScriptedPhone
from tests.waiting import until
from tests.world import FIRST, close, event_file

BOXES, PHONES, PAPER = (1, 2), (3, 4, 5), (6, 7)
HELD_MS: Final = 1_300  # Już, held: the rack is empty
WINNER: Final = "C"  # who moves third


async def box_plays(hall: Hall, box: OnAir) -> None:
    await hall.moves(box, 2)
    await asyncio.sleep(GUARDED_S)
    box.edge(2 * k.SEAT_C, True)
    await asyncio.sleep(HELD_MS / 1_000)
    box.edge(2 * k.SEAT_C, False)
    await until(lambda: box.face.state == k.OVER, "the game at a box to be over")


async def phone_plays(phone: ScriptedPhone) -> None:
    await begins(phone)
    await moves(phone, 2)
    await asyncio.sleep(GUARDED_S)
    await phone.hold(JUZ, HELD_MS)
    await until(lambda: phone.state == k.OVER and phone.linked and not phone.said["backlog"], "the game at a phone")


def entered(event: Event, tables: tuple[int, ...], winner: str) -> None:
    """From each table's sheet: who went out, and what the others hold."""
    racks = tuple(Rack(seat=seat, points=0 if seat == winner else 10 * ord(seat) % 37 + 1) for seat in "ABCD")
    sheets = {GameAt(table, 1): Entry("went_out", racks) for table in tables}
    event.change(lambda state: results.enter(state, FIRST, sheets))


def test_a_hall_of_two_boxes_three_phones_and_two_tables_on_paper_closes_its_round(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PYTHON_KEYRING_BACKEND", "keyring.backends.fail.Keyring")

    async def scenario(hall: Hall) -> None:
        file = event_file(tmp_path, 28, games="1", wall_ms=hall.clock.wall_ms)
        boxes = [await hall.box() for _ in BOXES]
        computer = await hall.computer(links=7)
        air = BleAir(hall.clock, links=7, adapters=tuple(computer.adapters), backend=Program(computer).backend,
                     again_ms=100, connect_ms=3_000)  # fmt: skip
        secrets = {box.uid: box.secret for box in boxes}
        async with phone_desk(tmp_path, file, clock=hall.clock, air=air, secrets=secrets) as desk:
            for table, box in zip(BOXES, boxes, strict=True):
                placing.place(desk.ledger, table, box.uid.hex(), since=placing.NOW, goes_on=False, who="Gęś",
                              when_ms=hall.clock.wall_ms(), why="as we stand", name=str(table))  # fmt: skip
            phones = [ScriptedPhone(desk.url, desk.code(table)) for table in PHONES]
            for phone in phones:
                await phone.load()
            await until(lambda: all(box.face.state == k.READY for box in boxes), "the boxes to be set up")
            await until(lambda: all(phone.state == k.READY for phone in phones), "the phones to be set up")
            await asyncio.gather(*(box_plays(hall, box) for box in boxes), *map(phone_plays, phones))
            await until(lambda: all(desk.told(phone.code) for phone in phones), "what the phones told")

            event, state = desk.event(), desk.event().state()
            told = games_of_round(read(desk.ledger), state, FIRST)
            assert {at.table: game.ended for at, game in told.items()} == dict.fromkeys((*BOXES, *PHONES), "went_out")
            entered(event, (*BOXES, *PHONES, *PAPER), WINNER)
            close(event)

            one = event.state().rounds[FIRST]
            assert one.closed
            assert sorted(one.results) == [GameAt(table, 1) for table in (*BOXES, *PHONES, *PAPER)]
            turns = [(seen.table, seen.turn.move) for seen in eventlog.turns(read(desk.ledger)) if seen.turn.how]
            assert sorted(turns) == [(table, move) for table in (*BOXES, *PHONES) for move in (1, 2, 3)]
            assert list(eventlog.problems(read(desk.ledger))) == []
            await asyncio.gather(*(phone.close() for phone in phones))

    play(tmp_path, scenario)
