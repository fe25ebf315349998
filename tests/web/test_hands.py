"""A screen's hands over the loopback socket: who acts is who logged in, whatever is said there."""

from __future__ import annotations

import asyncio
import json
import os
import socket
from collections.abc import Callable, Coroutine
from contextlib import suppress
from threading import Event as Flag
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dalej.errors import DalejError, Refused, Unreachable, WrongInput
from dalej.office.acts.roles import Actor
from dalej.office.acts.wishes import Done, Wish
from dalej.web.hands import (
    LONGEST,
    Handed,
    Handing,
    RemoteHands,
    done_from_json,
    done_to_json,
    error_from_json,
    error_to_json,
    join,
    line_of,
)
from tests.web.rig import DEADLINE_S

SOWA = Actor("Sowa", "referee", served=True)
DONE = Done("Table {table}: {act}.", {"table": 3, "act": "so"}, (7,), (8, 9), Wish("resume", {"table": 3}))


class Desk:
    """Notes what it is asked to do, and by whom."""

    def __init__(self) -> None:
        self.asked: list[tuple[Actor, Wish]] = []
        self.answer: Done | Exception = DONE

    async def perform(self, actor: Actor, wish: Wish) -> Done:
        self.asked.append((actor, wish))
        if isinstance(self.answer, Exception):
            raise self.answer
        return self.answer


def play(story: Callable[[Desk, Handing], Coroutine[Any, Any, None]]) -> None:
    async def run() -> None:
        desk = Desk()
        handing = Handing(desk.perform, os.urandom)
        await handing.open()
        try:
            await story(desk, handing)
        finally:
            await handing.close()

    asyncio.run(run())


async def joined(handed: Handed, gone: Callable[[], None] = lambda: None) -> RemoteHands:
    hands = await asyncio.to_thread(join, handed.address)
    hands.attend(gone)
    return hands


async def answers(handed: Handed, *lines: bytes) -> list[bytes]:
    """What the server says to a process without manners, until it hangs up or has answered every line."""
    host, port, token = handed.address.split(":")
    reader, writer = await asyncio.open_connection(host, int(port), limit=1 << 20)
    writer.write(line_of({"token": token}))
    heard = [await reader.readline()]
    for line in lines:
        writer.write(line)
        heard.append(await asyncio.wait_for(reader.readline(), DEADLINE_S))
    writer.close()
    return heard


def test_what_is_done_comes_back_whole() -> None:
    async def story(desk: Desk, handing: Handing) -> None:
        hands = await joined(handing.hand(SOWA))
        assert hands.actor == SOWA
        wish = Wish("stop", {"table": 3, "reason": "referee"}, "why", 12)
        assert await hands.do(wish) == DONE
        assert desk.asked == [(SOWA, wish)]
        hands.close()

    play(story)


def test_a_refusal_comes_back_as_the_same_error_with_what_it_says_inside() -> None:
    async def story(desk: Desk, handing: Handing) -> None:
        hands = await joined(handing.hand(SOWA))
        desk.answer = Refused("{act}: only {allowed}", act=DalejError("stop {n}", n=3), allowed="organiser")
        with pytest.raises(Refused, match="stop 3: only organiser") as refused:
            await hands.do(Wish("stop"))
        assert isinstance(refused.value.data["act"], DalejError)
        hands.close()

    play(story)


def test_many_at_once_are_told_apart() -> None:
    async def story(desk: Desk, handing: Handing) -> None:
        hands = await joined(handing.hand(SOWA))
        assert await asyncio.gather(*(hands.do(Wish("stop", {"table": number})) for number in range(20))) == [DONE] * 20
        assert {wish.args["table"] for _, wish in desk.asked} == set(range(20))
        hands.close()

    play(story)


def test_who_acts_is_who_logged_in_whatever_the_process_says() -> None:
    async def story(desk: Desk, handing: Handing) -> None:
        said = {"id": 1, "role": "organiser", "actor": {"name": "Lis", "role": "organiser"}, "name": "Lis",
                "wish": {"act": "set_option", "args": {}, "why": "", "seen": 0, "role": "organiser"}}  # fmt: skip
        await answers(handing.hand(SOWA), line_of(said))
        assert [actor for actor, _ in desk.asked] == [SOWA]

    play(story)


def test_a_token_counts_once_and_only_for_its_session() -> None:
    async def story(desk: Desk, handing: Handing) -> None:
        handed = handing.hand(SOWA)
        hands = await joined(handed)
        with pytest.raises(Unreachable):
            await asyncio.to_thread(join, handed.address)
        taken = handing.hand(SOWA)
        handing.take(taken)
        with pytest.raises(Unreachable):
            await asyncio.to_thread(join, taken.address)
        hands.close()

    play(story)


def test_when_the_session_ends_nothing_more_is_done_and_the_screen_hears_of_it() -> None:
    async def story(desk: Desk, handing: Handing) -> None:
        flag = Flag()
        handed = handing.hand(SOWA)
        hands = await joined(handed, flag.set)
        handing.take(handed)
        assert await asyncio.to_thread(flag.wait, DEADLINE_S)
        with pytest.raises(Unreachable, match="hung up"):
            await hands.do(Wish("stop"))
        assert desk.asked == []
        hands.close()

    play(story)


@pytest.mark.parametrize("handed", ["", "10.0.0.1:80:x", "127.0.0.1:0:x", "127.0.0.1:x:y", "localhost:80:x"])
def test_a_screen_that_no_server_started_says_so(handed: str) -> None:
    with pytest.raises(WrongInput, match="not started by dalej serve"):
        join(handed)


def test_an_act_that_never_ends_does_not_keep_the_server(caplog: pytest.LogCaptureFixture) -> None:
    async def run() -> None:
        begun = asyncio.Event()

        async def never(_actor: Actor, _wish: Wish) -> Done:
            begun.set()
            await asyncio.Event().wait()
            return DONE

        handing = Handing(never, os.urandom, done_within_s=0.01)
        await handing.open()
        hands = await joined(handing.hand(SOWA))
        doing = asyncio.create_task(hands.do(Wish("stop")))
        async with asyncio.timeout(DEADLINE_S):
            await begun.wait()
            await handing.close()
        with pytest.raises(Unreachable, match="hung up"):
            await doing
        hands.close()

    asyncio.run(run())
    assert "an act does not end" in caplog.text


STRANGE = [b"", b"\n", b"{}\n", b'{"token": 7}\n', b'{"token": "\xff"}\n', b"x" * 200_000, b"[" * 9_000 + b"\n"]


@pytest.mark.parametrize("token", STRANGE, ids=lambda token: repr(token[:20]))
def test_who_does_not_show_a_token_is_hung_up_on(token: bytes) -> None:
    async def story(desk: Desk, handing: Handing) -> None:
        host, port, _ = handing.hand(SOWA).address.split(":")
        with socket.create_connection((host, int(port)), timeout=DEADLINE_S) as stranger:
            stranger.sendall(token)
            stranger.shutdown(socket.SHUT_WR)
            try:
                heard = await asyncio.to_thread(stranger.recv, 100)
            except ConnectionError:
                heard = b""
        assert (heard, desk.asked) == (b"", [])

    play(story)


HOSTILE = [
    b"nonsense\n", b"[]\n", b"{}\n", b'{"id": 1}\n', b'{"id": 1, "wish": 7}\n', b'{"id": "1", "wish": {}}\n',
    b'{"id": 1, "wish": {"act": 7, "args": {}, "why": "", "seen": 0}}\n', b"[" * 9_000 + b"\n",
    b'{"id": true, "wish": {"act": "stop", "args": {}, "why": "", "seen": 0}}\n', b"\xff\xfe\n", b"a" * (2 * LONGEST),
]  # fmt: skip


@pytest.mark.parametrize("line", HOSTILE, ids=lambda line: repr(line[:30]))
def test_what_no_screen_says_does_nothing_and_harms_nobody_else(line: bytes) -> None:
    async def story(desk: Desk, handing: Handing) -> None:
        other = await joined(handing.hand(SOWA))
        heard = await answers(handing.hand(SOWA), line)
        assert heard[1] == b"" or json.loads(heard[1])["error"]["family"] == "wrong_input"
        assert desk.asked == []
        assert await other.do(Wish("stop")) == DONE
        other.close()

    play(story)


def test_a_defect_in_an_act_is_said_and_the_screen_goes_on(caplog: pytest.LogCaptureFixture) -> None:
    async def story(desk: Desk, handing: Handing) -> None:
        hands = await joined(handing.hand(SOWA))
        desk.answer = ZeroDivisionError("oops")
        with pytest.raises(Unreachable, match="failed at that"):
            await hands.do(Wish("stop"))
        desk.answer = DONE
        assert await hands.do(Wish("stop")) == DONE
        hands.close()

    play(story)
    assert "oops" in caplog.text


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=8), lambda inner: st.lists(inner, max_size=3)
    | st.dictionaries(st.sampled_from(["template", "data", "family", "undo", "decisions", "requests", "act"]), inner),
)  # fmt: skip


@given(JSON)
def test_whatever_a_server_answers_the_screen_says_something(said: object) -> None:
    assert isinstance(error_from_json(said), DalejError)
    with suppress(Unreachable):
        assert isinstance(done_from_json(said), Done)


@given(st.text(), st.dictionaries(st.from_regex(r"[a-z]{1,8}", fullmatch=True), st.text() | st.integers(), max_size=4))
def test_what_was_done_travels_unchanged(why: str, data: dict[str, str | int]) -> None:
    template = " ".join(f"{{{name}}}" for name in data)
    done = Done(template, data, (1,), (), Wish("stop", dict(data), why, 3))
    assert done_from_json(json.loads(line_of(done_to_json(done)))) == done
    error = Refused(template, **data)
    back = error_from_json(json.loads(line_of(error_to_json(error))))
    assert (type(back), back.template, back.data) == (Refused, template, data)
