"""The live feed over a real socket: who is let in, what they are told, and that nobody can do it harm."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable, Coroutine
from pathlib import Path

import pytest

from dalej.desk.feed import address
from dalej.desk.feed.address import Address
from dalej.desk.feed.client import connect
from dalej.desk.feed.loopback import STRANGERS_MOST
from dalej.desk.feed.messages import (
    LONGEST,
    PROTOCOL,
    Face,
    Finger,
    Look,
    NoticeTold,
    Open,
    Pulse,
    Reach,
    Refusal,
    Speed,
    TableHeard,
    Take,
    Tap,
    Welcome,
    line_of,
    to_screen,
)
from dalej.desk.feed.server import BEHIND_MOST, SCREENS_MOST
from dalej.desk.notices import Notice
from dalej.domain.game.heard import Heard, Told
from dalej.errors import DalejError, Damaged, Unreachable, WrongInput
from tests.desk.feed.rig import NAME, Rig, heard, hung_up, is_closed, live_desk

SILENT = Heard("aa", 1, "none", None, None)
RUNNING = Heard("bb", 2, "link", 70, Told(70, 1, 1, 40, 2, 0, 0, 12_000, 5, 1, 3, 80, 0))


def with_desk(event: Path, play: Callable[[Rig], Coroutine[None, None, None]], open_within_s: float = 3.0) -> None:
    async def run() -> None:
        async with live_desk(event, open_within_s=open_within_s) as rig:
            await play(rig)

    asyncio.run(run())


# --- what a screen is told -----


def test_a_screen_is_told_everything_at_once(event: Path) -> None:
    async def play(rig: Rig) -> None:
        rig.desk.hears(SILENT)
        rig.desk.hears(RUNNING)
        rig.desk.notices.append(Notice("silent", "aa", "box {box} is silent", {"box": "aa", "file": Path("x")}))
        rig.desk.cursor, rig.clock.time_ms = 17, 90

        said = []
        async for message in (await rig.screen()).messages():
            said.append(message)
            if len(said) == 5:
                break

        assert said == [
            Welcome(PROTOCOL, NAME, True),
            Pulse(90, 1_000_090, 1.0, 17),
            TableHeard(SILENT),
            TableHeard(RUNNING),
            NoticeTold("silent", "aa", "box {box} is silent", {"box": "aa", "file": "x"}),
        ]

    with_desk(event, play)


def test_why_a_box_that_was_never_heard_refuses_the_desk_is_told_however_long_ago_it_was_said(event: Path) -> None:
    async def play(rig: Rig) -> None:
        rig.desk.hears(SILENT)
        rig.desk.hears(RUNNING)
        away = [Notice("turned_away", box, "box {box} refuses", {"box": box}) for box in ("aa", "bb", "aa")]
        rig.desk.notices.extend([*away, *[Notice("silent", "bb", "box {box} is silent", {"box": "bb"})] * 30])

        said: list[NoticeTold] = []
        async for message in (await rig.screen()).messages():
            if isinstance(message, NoticeTold):
                said.append(message)
            if len(said) == 21:
                break

        assert [one.box for one in said if one.kind == "turned_away"] == ["aa"]

    with_desk(event, play)


def test_then_it_is_told_what_changes_and_nothing_else(event: Path) -> None:
    async def play(rig: Rig) -> None:
        rig.desk.hears(SILENT)
        rig.desk.hears(RUNNING)
        live = await rig.screen()
        await heard(live, TableHeard)
        await heard(live, TableHeard)
        rig.desk.hears(SILENT)
        told = [await heard(live, TableHeard)]
        rig.desk.notices.append(Notice("lost", "aa", "facts are lost", {}))

        while not isinstance(message := await live.hear(3), NoticeTold):
            assert not isinstance(message, TableHeard)
        assert told == [TableHeard(SILENT)]
        assert message.template == "facts are lost"

    with_desk(event, play)


def test_the_pulse_comes_at_once_when_the_ledger_has_grown(event: Path) -> None:
    async def play(rig: Rig) -> None:
        live = await rig.screen()
        await heard(live, Pulse)
        rig.server._tell()
        rig.server._told.ticks = 0  # the next one of every second is far
        rig.desk.cursor = 3

        assert (await heard(live, Pulse)).cursor == 3
        assert rig.server._told.ticks < 5

    with_desk(event, play)


def test_the_pulse_goes_on_while_the_ledger_cannot_be_read(event: Path) -> None:
    async def play(rig: Rig) -> None:
        rig.desk.cursor = 4
        live = await rig.screen()
        await heard(live, Pulse)
        rig.desk.trouble = Unreachable("the file stays locked")

        assert (await heard(live, Pulse)).now_ms == 0

    with_desk(event, play)


def test_a_box_is_drawn_while_it_is_looked_at(event: Path) -> None:
    async def play(rig: Rig) -> None:
        live = await rig.screen()
        await live.send(Look(3))
        first = await heard(live, Face)
        rig.control.shown = Face(3, True, True, (" 0:39", "", "", ""), (1, 24, 0), 3, 0, 0, 0, False, False)
        second = await heard(live, Face)
        await live.send(Look(0))
        await live.send(Take(12, True))
        await heard(live, Refusal)
        rig.control.shown = first
        rig.server._tell()
        await live.send(Take(12, True))
        last = await live.hear(3)
        while isinstance(last, Pulse):
            last = await live.hear(3)

        assert first.table == 3
        assert second.displays[0] == " 0:39"
        assert isinstance(last, Refusal)

    with_desk(event, play)


# --- what a screen wishes -----


def test_wishes_reach_the_hall_with_the_screens_number(event: Path) -> None:
    async def play(rig: Rig) -> None:
        one, two = await rig.screen(), await rig.screen()
        await one.send(Take(1, True))
        await two.send(Tap(2, 8, False))
        await two.send(Take(10, True))
        refusal = await heard(two, Refusal)
        await one.send(Take(10, True))
        await heard(one, Refusal)

        assert [wish for _, wish in rig.control.wishes] == [Take(1, True), Tap(2, 8, False)]
        assert len({screen for screen, _ in rig.control.wishes}) == 2
        assert refusal == Refusal("there is no table {table}", {"table": 10})

    with_desk(event, play)


@pytest.mark.parametrize("trouble", [Unreachable, Damaged, WrongInput])
def test_a_wish_that_the_hall_cannot_grant_now_is_refused_in_words_and_the_screen_stays(
    event: Path, trouble: type[DalejError]
) -> None:
    async def play(rig: Rig) -> None:
        live = await rig.screen()
        rig.control.trouble = trouble("{file} is locked by another program", file="league.dalej")
        for wish in (Take(1, True), Look(1)):
            await live.send(wish)

            assert (await heard(live, Refusal)).data == {"file": "league.dalej"}
        rig.server._tell()
        rig.control.trouble = None

        assert (await heard(live, Face)).table == 1

    with_desk(event, play)


def test_the_hall_learns_that_a_screen_is_gone(event: Path) -> None:
    async def play(rig: Rig) -> None:
        live = await rig.screen()
        await live.send(Take(1, True))
        await live.close()
        await rig.control.anybody_left.wait()

        assert rig.control.left == [rig.control.wishes[0][0]]

    with_desk(event, play)


def test_real_boxes_are_not_played_from_a_screen(event: Path) -> None:
    async def run() -> None:
        async with live_desk(event, real=True) as rig:
            live = await rig.screen()
            for wish in (Look(1), Take(1, True), Finger(1, 0, True), Tap(1, 0, False), Reach(1, False), Speed(2.0)):
                await live.send(wish)
                refusal = await heard(live, Refusal)

                assert ("not drawn here" if isinstance(wish, Look) else "are real") in refusal.template
            assert not live.welcome.simulated

    asyncio.run(run())


# --- strangers -----


@pytest.mark.parametrize(
    "opening",
    [
        b"GET / HTTP/1.1\r\n\r\n", b"\x00\xff\xfe\n", b"{}\n", line_of(Open("", PROTOCOL)),
        line_of(Open("ab" * 32, PROTOCOL)), line_of(Take(1, True)), b"x" * (4 * LONGEST),
    ],
    ids=lambda opening: repr(opening[:24]),
)  # fmt: skip
def test_a_stranger_is_turned_away_in_words_and_told_nothing(event: Path, opening: bytes) -> None:
    async def play(rig: Rig) -> None:
        rig.desk.hears(RUNNING)
        reader, writer = await rig.stranger()
        writer.write(opening)

        said = await is_closed(reader)

        assert all(isinstance(to_screen(line), Refusal) for line in said.splitlines())
        assert not rig.control.wishes
        await heard(await rig.screen(), TableHeard)

    with_desk(event, play)


@pytest.mark.parametrize(
    "nearly",
    [
        lambda token: ("1" if token[0] == "0" else "0") + token[1:],
        lambda token: token[:-1] + ("1" if token[-1] == "0" else "0"),
        lambda token: token[:-1], lambda token: token[1:], lambda token: token + "0", lambda token: token + "\0",
        lambda token: " " + token,
    ],
    ids=["first", "last", "without the last", "without the first", "longer", "ended", "spaced"],
)  # fmt: skip
def test_a_token_that_is_nearly_right_is_wrong(event: Path, nearly: Callable[[str], str]) -> None:
    async def play(rig: Rig) -> None:
        reader, writer = await rig.stranger()
        writer.write(line_of(Open(nearly(rig.address.token), PROTOCOL)))

        (said,) = (await is_closed(reader)).splitlines()

        assert "does not know this screen" in json.loads(said)["template"]

    with_desk(event, play)


@pytest.mark.parametrize("protocol", [PROTOCOL - 1, PROTOCOL + 1])
def test_a_screen_of_another_version_is_told_so(event: Path, protocol: int) -> None:
    async def play(rig: Rig) -> None:
        reader, writer = await rig.stranger()
        writer.write(line_of(Open(rig.address.token, protocol)))

        (said,) = (await is_closed(reader)).splitlines()

        assert "another version" in json.loads(said)["template"]

    with_desk(event, play)


def test_who_says_nothing_is_closed(event: Path) -> None:
    async def play(rig: Rig) -> None:
        reader, writer = await rig.stranger()
        writer.write(b'{"say"')

        assert await is_closed(reader) == b""

    with_desk(event, play, open_within_s=0.1)


def test_of_strangers_who_come_all_at_once_so_many_are_closed_that_no_more_than_the_most_are_left(event: Path) -> None:
    async def play(rig: Rig) -> None:
        met = await asyncio.gather(*[rig.stranger() for _ in range(2 * STRANGERS_MOST)])
        waiting = {asyncio.create_task(is_closed(reader)) for reader, _ in met}

        assert isinstance((await rig.screen()).welcome, Welcome)  # a stranger itself until it has shown its token
        while len(waiting) >= STRANGERS_MOST:
            _, waiting = await asyncio.wait(waiting, return_when=asyncio.FIRST_COMPLETED)
        assert len(waiting) == len(rig.server._loopback.strangers) == STRANGERS_MOST - 1
        for task in waiting:
            task.cancel()
        await asyncio.wait(waiting)

    with_desk(event, play, open_within_s=60)


def test_a_screen_too_many_is_told_so_and_the_others_stay(event: Path) -> None:
    async def play(rig: Rig) -> None:
        screens = [await rig.screen() for _ in range(SCREENS_MOST)]
        with pytest.raises(Unreachable, match="32 screens are open"):
            await rig.screen()
        await screens[0].close()
        await rig.control.anybody_left.wait()

        assert isinstance((await rig.screen()).welcome, Welcome)

    with_desk(event, play)


def test_a_screen_that_talks_nonsense_loses_its_connection_alone(event: Path) -> None:
    async def play(rig: Rig) -> None:
        good, bad = await rig.screen(), await rig.screen()
        bad._writer.write(b'{"say":"tap","table":"1"}\n')

        said = await hung_up(bad)
        rig.desk.hears(RUNNING)

        assert isinstance(said[-1], Refusal)
        assert rig.control.left == [2]
        assert (await heard(good, TableHeard)).heard == RUNNING

    with_desk(event, play)


def test_who_does_not_read_is_dropped_and_holds_nobody_up(event: Path) -> None:
    async def play(rig: Rig) -> None:
        reader, writer = await rig.stranger()
        writer.write(line_of(Open(rig.address.token, PROTOCOL)))
        await reader.readline()
        writer.transport.pause_reading()  # type: ignore[attr-defined]
        told = 0
        while not rig.control.left:
            rig.desk.notices.append(Notice("long", "", "{text}", {"text": "x" * (LONGEST - 200)}))
            rig.server._tell()
            told += LONGEST
            await asyncio.sleep(0)

        assert told > BEHIND_MOST
        assert rig.server._loopback.strangers == {}
        assert isinstance((await rig.screen()).welcome, Welcome)

    with_desk(event, play)


# --- a desk that is gone -----


def test_whatever_keeps_the_desk_from_telling_is_not_passed_over(event: Path) -> None:
    async def play(rig: Rig) -> None:
        rig.desk.trouble = ZeroDivisionError()

        await rig.server.until_closed()

    with pytest.raises(ZeroDivisionError):
        with_desk(event, play)


def test_without_a_live_desk_a_screen_is_told_so(event: Path) -> None:
    with pytest.raises(Unreachable, match="no desk is live"):
        asyncio.run(connect(event))


def test_a_desk_that_ends_hangs_up_and_takes_its_file_away(event: Path) -> None:
    async def run() -> None:
        async with live_desk(event) as rig:
            live = await rig.screen()
            await rig.server.close()
            with pytest.raises(Unreachable, match="closed the connection"):
                async for _ in live.messages():
                    pass

    asyncio.run(run())
    assert not address.file_of(event).exists()


def test_the_file_of_a_killed_desk_leads_nowhere_and_that_is_said(event: Path) -> None:
    async def run() -> None:
        async with live_desk(event) as rig:
            stale = rig.address
        address.publish(event, stale)
        with pytest.raises(Unreachable, match="is gone: nobody answers"):
            await connect(event)

    asyncio.run(run())


def test_a_desk_that_another_one_has_followed_knows_no_old_token(event: Path) -> None:
    async def play(rig: Rig) -> None:
        address.publish(event, Address(rig.address.host, rig.address.port, "ab" * 32))
        with pytest.raises(Unreachable, match="does not know this screen"):
            await connect(event)

    with_desk(event, play)
