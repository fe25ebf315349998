"""Phones at one desk: every turn is recorded exactly once, whatever happens to phones, network and desk."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine
from pathlib import Path
from random import Random
from typing import Any, Final, NoReturn, TypeVar

import pytest

from dalej.boxes.page.glass import Glass
from dalej.errors import Unreachable
from dalej.event import eventlog
from dalej.event.event import Event
from dalej.event.reading import read
from dalej.office.publicnames import public_names
from moveclock import facts as k
from tests.phones.desk import PhoneDesk, phone_desk
from tests.phones.playing import Phone, Phones, begins, goes_on, moves, nothing_unsent
from tests.phones.scripted import ScriptedPhone, ScriptedPhones
from tests.waiting import until
from tests.world import close, draw, event_file, play

DEADLINE_S: Final = 240.0

P = TypeVar("P", bound=Phone)
Story = Callable[[PhoneDesk], Coroutine[Any, Any, None]]


def runs(folder: Path, story: Story, players: int = 4, phones: Phones | None = None) -> None:
    """With scripts, unless other phones are wanted."""
    file = event_file(folder, players)
    phones = phones or ScriptedPhones()

    async def run() -> None:
        async with asyncio.timeout(DEADLINE_S), phone_desk(folder, file, phones.page) as desk:
            await story(desk)
            assert list(eventlog.problems(read(desk.ledger))) == []

    phones.run(run())


async def set_up(phone: P, table: int = 1) -> P:
    """It has claimed its code, and the desk has set its game up."""
    await phone.load()
    await until(lambda: phone.state == k.READY, f"table {table} to be set up", DEADLINE_S)
    return phone


async def a_phone(desk: PhoneDesk, table: int = 1) -> ScriptedPhone:
    return await set_up(ScriptedPhone(desk.url, desk.code(table)), table)


def turns(desk: PhoneDesk, table: int = 1) -> list[int]:
    """Moves that are over, as the log has them."""
    return [one.turn.move for one in eventlog.turns(read(desk.ledger)) if one.table == table and one.turn.how]


@pytest.mark.parametrize(
    ("phones", "count"),
    [("scripts", 25), ("pages", 8)],  # as many pages as two busy processors keep awake; 25 are in `test_an_hour`
    indirect=["phones"],
)
def test_phones_play_at_one_desk_and_each_turn_is_there_once(tmp_path: Path, phones: Phones, count: int) -> None:
    async def story(desk: PhoneDesk) -> None:
        tables = range(1, count + 1)
        made = [phones.phone(desk.url, desk.code(table)) for table in tables]
        await asyncio.gather(*map(set_up, made, tables))
        await asyncio.gather(*map(begins, made))
        await asyncio.gather(*(moves(phone, 6) for phone in made))
        await asyncio.gather(*map(nothing_unsent, made))
        assert {table: turns(desk, table) for table in tables} == {table: [1, 2, 3, 4, 5, 6] for table in tables}
        await asyncio.gather(*(phone.close() for phone in made))

    runs(tmp_path, story, players=4 * count, phones=phones)


def test_a_page_that_is_killed_and_loaded_again_stands_where_it_was_and_goes_on(tmp_path: Path, phones: Phones) -> None:
    async def story(desk: PhoneDesk) -> None:
        phone = await set_up(phones.phone(desk.url, desk.code(1)))
        await begins(phone)
        await moves(phone, 2)
        await phone.close()
        await until(lambda: not desk.linked(phone.code), "the link to be over")

        await phone.load()
        assert (phone.state, phone.said["reason"], phone.said["move"]) == (k.STOPPED, k.BOX_LOST_POWER, 3)
        await goes_on(phone)
        await moves(phone, 1)
        await nothing_unsent(phone)
        assert turns(desk) == [1, 2, 3]
        await phone.close()

    runs(tmp_path, story, phones=phones)


def test_a_network_that_is_cut_costs_nothing_but_time(tmp_path: Path, phones: Phones) -> None:
    async def story(desk: PhoneDesk) -> None:
        phone = await set_up(phones.phone(desk.url, desk.code(1)))
        await begins(phone)
        phone.cut = True
        await moves(phone, 3)
        await until(lambda: not phone.linked, "the phone to notice")
        assert phone.said["backlog"] >= 3
        phone.cut = False
        await nothing_unsent(phone)
        assert turns(desk) == [1, 2, 3]
        await phone.close()

    runs(tmp_path, story, phones=phones)


def test_a_desk_that_is_started_again_is_told_what_it_missed(tmp_path: Path, phones: Phones) -> None:
    file = event_file(tmp_path, 4)

    async def run() -> None:
        async with asyncio.timeout(DEADLINE_S):
            async with phone_desk(tmp_path, file, phones.page) as desk:
                phone, port = await set_up(phones.phone(desk.url, desk.code(1))), desk.sockets.port
                await begins(phone)
                await moves(phone, 1)
            await moves(phone, 2)
            async with phone_desk(tmp_path, file, phones.page, port=port) as desk:
                await nothing_unsent(phone)
                assert turns(desk) == [1, 2, 3]
                await phone.close()

    phones.run(run())


def test_a_second_phone_with_the_same_code_is_turned_away_and_that_is_said_in_words(tmp_path: Path) -> None:
    async def story(desk: PhoneDesk) -> None:
        phone = await a_phone(desk)
        await begins(phone)
        second = ScriptedPhone(desk.url, phone.code)
        await second.load()
        await until(lambda: second.refused, "the second phone to be turned away")
        assert second.refused == 4_001
        assert [one for one in desk.complaints if "P1: another phone has claimed it already" in one]
        await moves(phone, 1)
        await nothing_unsent(phone)
        assert turns(desk) == [1]
        await asyncio.gather(phone.close(), second.close())

    runs(tmp_path, story)


def test_a_phone_that_is_taken_off_the_list_is_turned_away_and_others_play_on(tmp_path: Path) -> None:
    async def story(desk: PhoneDesk) -> None:
        gone, stays = await asyncio.gather(a_phone(desk, 1), a_phone(desk, 2))
        desk.forget(gone.code)
        await gone.close()
        await gone.load()
        await until(lambda: gone.refused, "the phone that was forgotten to be turned away")
        assert gone.refused == 4_002
        await begins(stays)
        await moves(stays, 1)
        await nothing_unsent(stays)
        await asyncio.gather(gone.close(), stays.close())

    runs(tmp_path, story, players=8)


def test_a_stranger_on_the_network_without_the_secret_reaches_nothing(tmp_path: Path) -> None:
    async def story(desk: PhoneDesk) -> None:
        phone = await a_phone(desk)
        await begins(phone)
        await nothing_unsent(phone)
        told = desk.told(phone.code)
        stranger = ScriptedPhone(desk.url, type(phone.code)(phone.code.box, bytes(32)), phone.device)
        await stranger.load()
        await until(lambda: stranger.refused, "the stranger to be turned away")
        assert stranger.refused == 4_002
        assert phone.linked
        assert desk.told(phone.code) == told
        await asyncio.gather(phone.close(), stranger.close())

    runs(tmp_path, story)


def test_a_table_is_told_who_sits_there_and_after_the_round_where_each_goes(tmp_path: Path) -> None:
    async def story(desk: PhoneDesk) -> None:
        phone = await a_phone(desk, 2)
        event, state = desk.event(), desk.event().state()
        assert state.current is not None
        assert state.current.seating is not None
        here = state.current.seating.at(2)
        assert here is not None
        names = [public_names(state)[player] for player in here.players]
        await until(lambda: phone.face, "the names")
        nothing: dict[str, Any] = {"next": [], "sheet": None, "word": None, "recorded": None, "played": False}
        assert phone.face == {"table": 2, "names": names, **nothing}

        play(event, Random(1))
        close(event)
        draw(event, 2)
        state = desk.event().state()
        await until(lambda: phone.face["next"] or phone.face["names"] != names, "the next round's seats")
        assert state.current is not None
        assert state.current.seating is not None
        places = {public_names(state)[player]: state.current.seating.place_of(player) for player in here.players}
        go = {name: place for name, place in places.items() if place is not None and place[0] != 2}
        assert {name: (table, "ABCD".index(seat)) for name, table, seat in phone.face["next"]} == go
        assert not phone.face["played"]
        assert go, "a draw that leaves everybody where they were would show nothing"
        await phone.close()

    runs(tmp_path, story, players=16)


@pytest.mark.parametrize("words", ["", "00", "zz", "00" * 40])
def test_words_that_are_not_the_desks_are_no_words(words: str) -> None:
    glass = Glass("020000000001", "11" * 32, "{}", "22" * 32, 0, False, True)
    glass.prove("00" * 16, "11" * 16)
    assert glass.words(words) == ""


def test_an_event_that_cannot_be_read_for_a_moment_ends_no_desk_and_tells_nobody_anything(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def story(desk: PhoneDesk) -> None:
        phone = await a_phone(desk)
        await until(lambda: phone.face, "the names")
        told = phone.face

        def unreadable(_self: Event) -> NoReturn:
            raise Unreachable("the disk does not answer")

        with monkeypatch.context() as patched:
            patched.setattr(Event, "state", unreadable)
            await asyncio.sleep(1.5)  # it is looked at once a second
        await begins(phone)
        await moves(phone, 1)
        await nothing_unsent(phone)
        assert phone.face == told
        await phone.close()

    runs(tmp_path, story)
