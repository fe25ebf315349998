"""A screen's hands over the loopback socket: who acts is who logged in, whatever is said there."""

from __future__ import annotations

import asyncio
import json
import os
from collections.abc import Callable, Coroutine
from contextlib import suppress
from threading import Event as Flag
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dalej.desk.feed.loopback import STRANGERS_MOST
from dalej.desk.feed.messages import LONGEST, PROTOCOL, Open
from dalej.errors import DalejError, Refused, Unreachable, WrongInput
from dalej.office.acts.roles import Actor
from dalej.office.acts.wishes import Done, Wish
from dalej.typedjson import line_of
from dalej.web.hands import TO_SCREEN, Failed, Handed, Handing, Performed, RemoteHands, answer, join, outcome
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
    writer.write(line_of(Open(token, PROTOCOL)))
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


WISH: dict[str, object] = {"act": "set_option", "args": {"role": "organiser"}, "why": "", "seen": 0}
ASKED: dict[str, object] = {"say": "wish", "id": 1, "wish": WISH}


@pytest.mark.parametrize(
    ("asked", "acted"),
    [
        (ASKED, [SOWA]), ({**ASKED, "role": "organiser"}, []), ({**ASKED, "wish": {**WISH, "role": "organiser"}}, []),
        ({**ASKED, "actor": {"name": "Lis", "role": "organiser"}}, []), ({**ASKED, "name": "Lis"}, []),
    ],
    ids=["as argument", "role", "role in the wish", "actor", "name"],
)  # fmt: skip
def test_who_acts_is_who_logged_in_whatever_the_process_says(asked: dict[str, object], acted: list[Actor]) -> None:
    async def story(desk: Desk, handing: Handing) -> None:
        await answers(handing.hand(SOWA), line_of(asked))
        assert [actor for actor, _ in desk.asked] == acted

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
    with pytest.raises(WrongInput, match="not started by the server of an event"):
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


STRANGE = [
    b"", b"\n", b"{}\n", b'{"say": "open", "token": 7, "protocol": 3}\n', b'{"say": "open", "token": "\xff"}\n',
    b"x" * 200_000, b"[" * 9_000 + b"\n", line_of(Open("", PROTOCOL)), line_of(Open("ab" * 32, PROTOCOL)),
    line_of(ASKED),
]  # fmt: skip


@pytest.mark.parametrize("opening", STRANGE, ids=lambda opening: repr(opening[:30]))
def test_who_does_not_show_a_token_is_told_no_more_than_that_and_hung_up_on(opening: bytes) -> None:
    async def story(desk: Desk, handing: Handing) -> None:
        host, port, _ = handing.hand(SOWA).address.split(":")
        reader, writer = await asyncio.open_connection(host, int(port))
        writer.write(opening)
        writer.write_eof()
        try:
            heard = await asyncio.wait_for(reader.read(), DEADLINE_S)
        except ConnectionError:
            heard = b""
        writer.close()
        assert [json.loads(line)["say"] for line in heard.splitlines()] in ([], ["refusal"])
        assert desk.asked == []

    play(story)


@pytest.mark.parametrize("protocol", [PROTOCOL - 1, PROTOCOL + 1])
def test_a_screen_of_another_version_is_told_so_and_its_token_still_counts(protocol: int) -> None:
    async def story(desk: Desk, handing: Handing) -> None:
        handed = handing.hand(SOWA)
        host, port, token = handed.address.split(":")
        reader, writer = await asyncio.open_connection(host, int(port))
        writer.write(line_of(Open(token, protocol)))
        refused = json.loads(await asyncio.wait_for(reader.readline(), DEADLINE_S))
        writer.close()

        assert "speaks another version" in refused["template"]
        (await joined(handed)).close()

    play(story)


def test_of_strangers_who_say_nothing_the_first_makes_room_for_a_screen() -> None:
    async def story(desk: Desk, handing: Handing) -> None:
        handed = handing.hand(SOWA)
        host, port, _ = handed.address.split(":")
        met = [await asyncio.open_connection(host, int(port)) for _ in range(STRANGERS_MOST)]
        (await joined(handed)).close()
        for _, writer in met:
            writer.close()

    play(story)


HOSTILE = [
    b"nonsense\n", b"[]\n", b"{}\n", b'{"say": "wish", "id": 1}\n', b'{"say": "wish", "id": 1, "wish": 7}\n',
    line_of({**ASKED, "id": "1"}), line_of({**ASKED, "id": True}), line_of({**ASKED, "wish": {**WISH, "act": 7}}),
    line_of({**ASKED, "wish": {**WISH, "args": []}}), line_of({**ASKED, "wish": {"act": "stop"}}),
    line_of({**ASKED, "say": "open"}), line_of(Open("ab" * 32, PROTOCOL)), b"[" * 9_000 + b"\n", b"\xff\xfe\n",
    b"a" * (2 * LONGEST), b'{"say": "wish", "id": 1, "wish": {"act": "stop", "why": "", "seen": 0, "args": '
    + b'{"a":' * 5_000 + b"0" + b"}" * 5_003 + b"\n",
]  # fmt: skip


@pytest.mark.parametrize("line", HOSTILE, ids=lambda line: repr(line[:50]))
def test_what_no_screen_says_does_nothing_and_harms_nobody_else(line: bytes) -> None:
    async def story(desk: Desk, handing: Handing) -> None:
        other = await joined(handing.hand(SOWA))
        heard = await answers(handing.hand(SOWA), line)
        assert heard[1] == b"" or json.loads(heard[1])["say"] == "refusal"
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
    | st.dictionaries(
        st.sampled_from(["template", "data", "one", "many", "family", "undo", "decisions", "act"]), inner, max_size=4,
    ),
)  # fmt: skip
NUMBERS = st.integers(-(2**63), 2**63 - 1)
LINES = [answer(1, DONE), answer(2, Refused("no {why}", why=DalejError("{n}", n=3)))]


@given(st.sampled_from(LINES), st.data())
def test_whatever_a_server_answers_the_screen_says_something(line: Performed | Failed, data: st.DataObject) -> None:
    said = json.loads(line_of(line))
    said[data.draw(st.sampled_from(sorted(said)))] = data.draw(JSON)
    with suppress(DalejError):
        read = TO_SCREEN.read(json.dumps(said).encode())
        if isinstance(read, Performed | Failed):
            assert str(outcome(read))


def test_an_answer_that_its_words_do_not_fit_is_not_understood() -> None:
    for template in ("{gone}", "{table.__class__}", "{table:999999999}", "{table!r}", "{"):
        with pytest.raises(Unreachable, match="cannot be understood"):
            outcome(Performed(1, template, {"table": 3}, (), (), None))


@given(st.text(), st.dictionaries(st.from_regex(r"[a-z]{1,8}", fullmatch=True), st.text() | NUMBERS, max_size=4))
def test_what_was_done_travels_unchanged(why: str, data: dict[str, str | int]) -> None:
    template = " ".join(f"{{{name}}}" for name in data)
    done = Done(template, data, (1,), (), Wish("stop", dict(data), why, 3))
    assert brought(answer(1, done)) == done
    with pytest.raises(Refused) as back:
        brought(answer(1, Refused(template, **data)))
    assert (back.value.template, back.value.data) == (template, data)


def test_numbers_with_a_sign_are_said_with_it() -> None:
    refused = Refused("seat {seat}: {wrote:+d} is written down", seat="A", wrote=30)
    with pytest.raises(Refused, match=r"seat A: \+30 is written down"):
        brought(answer(1, refused))


def brought(said: Performed | Failed) -> Done:
    read = TO_SCREEN.read(line_of(said))
    assert isinstance(read, Performed | Failed)
    return outcome(read)
