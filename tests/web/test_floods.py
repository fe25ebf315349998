"""A laptop in the hall's Wi-Fi that has come to spoil the day: connections, bytes and log-ins without end."""

from __future__ import annotations

import asyncio
import os
import sys
import threading
from contextlib import AsyncExitStack
from functools import partial
from http import HTTPStatus
from pathlib import Path

import pytest
from aiohttp import ClientSession, CookieJar, TCPConnector

from dalej.clock import ManualClock
from dalej.domain.tournament.tournament import EVENT
from dalej.office.acts.roles import Role
from dalej.web import application, sentforms, server, sorting
from dalej.web.attempts import FREE, OPEN_FREE
from dalej.web.passwords import Cost, Passwords
from tests.web.certificate import certificate
from tests.web.rig import SECRETS, Browser, Rig, play

DEADLINE_S = 20
HELLO = "Host: localhost\r\n"


async def drip(writer: asyncio.StreamWriter, letter: bytes = b"a") -> None:
    """One letter after the other, for as long as somebody listens."""
    while True:
        writer.write(letter)
        await writer.drain()
        await asyncio.sleep(0.02)


async def answer_to_dripping(rig: Rig, said: str) -> bytes:
    """What the server says to a client that begins so and goes on letter by letter."""
    reader, writer = await asyncio.open_connection("127.0.0.1", rig.server.port)
    writer.write(said.encode())
    dripping = asyncio.create_task(drip(writer))
    try:
        async with asyncio.timeout(DEADLINE_S):
            return await reader.read(200)
    except ConnectionError:
        return b""
    finally:
        dripping.cancel()
        await asyncio.wait((dripping,))
        writer.close()


def test_who_never_ends_a_heading_is_hung_up_on(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(server, "QUIET_S", 0.3)

    async def story(rig: Rig) -> None:
        assert await answer_to_dripping(rig, f"GET /login HTTP/1.1\r\n{HELLO}X-Slow: ") == b""

    play(tmp_path, story)


def test_who_never_ends_a_log_in_is_told_and_hung_up_on(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sentforms, "FORM_WITHIN_S", 0.3)

    async def story(rig: Rig) -> None:
        said = await answer_to_dripping(
            rig,
            f"POST /login HTTP/1.1\r\n{HELLO}Origin: http://localhost\r\nContent-Length: 9000\r\n"
            "Content-Type: application/x-www-form-urlencoded\r\n\r\nname=",
        )
        assert said.startswith(b"HTTP/1.1 408")
        assert rig.lines == []

    play(tmp_path, story)


def test_the_limits_of_a_hall_are_seconds() -> None:
    assert sentforms.FORM_WITHIN_S <= 10
    assert server.QUIET_S <= 20
    assert max(sorting.HANDSHAKE_S, sorting.FIRST_BYTE_MS / 1000) <= 5


def test_who_never_seals_a_connection_is_hung_up_on(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sorting, "FIRST_BYTE_MS", 300)
    cert, key = certificate(tmp_path)

    async def story(rig: Rig) -> None:
        reader, writer = await asyncio.open_connection("127.0.0.1", rig.server.port)
        async with asyncio.timeout(DEADLINE_S):
            assert await reader.read() == b""
        writer.close()

    play(tmp_path, story, cert=cert, key=key)


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="a computer that has all of 127.0.0.0/8")
def test_a_flood_of_connections_leaves_the_referee_s_alone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(server, "thin", partial(server.thin, most=12, of_one=5))

    async def story(rig: Rig) -> None:
        async with rig.browser() as browser, AsyncExitStack() as stack:
            await browser.log_in("referee")
            readers = []
            for number in range(60):
                reader, writer = await asyncio.open_connection(
                    "127.0.0.1", rig.server.port, local_addr=(f"127.0.0.{2 + number % 4}", 0)
                )
                stack.callback(writer.close)
                readers.append(reader)
            async with browser.looking("/live/hall") as live:
                assert "bar" in await live.parts()
                async with asyncio.timeout(DEADLINE_S):
                    while sum(reader.at_eof() or reader.exception() is not None for reader in readers) < 48:  # noqa: ASYNC110 -- 48 of many
                        await asyncio.sleep(0.02)
                assert (await browser.get("/session")).status == HTTPStatus.OK
                rig.ledger.decide(EVENT, {"name": "Liga Borsuka"}, who="Wydra", when_ms=2, why="so", subject="event")
                assert "Liga Borsuka" in (await live.parts())["bar"]

    play(tmp_path, story)


def test_a_program_that_comes_in_as_the_public_for_ever_is_slowed_and_keeps_no_referee_out(tmp_path: Path) -> None:
    async def story(rig: Rig) -> None:
        async with rig.browser() as browser, rig.browser() as referee:
            answers = [await browser.log_in("public", "", "") for _ in range(OPEN_FREE + 3)]
            assert {answer.status for answer in answers[:OPEN_FREE]} == {HTTPStatus.SEE_OTHER}
            assert answers[-1].status == HTTPStatus.TOO_MANY_REQUESTS
            assert "Too many log-ins from there: try again in 1 s." in await answers[-1].text()
            assert (await referee.log_in("referee")).status == HTTPStatus.SEE_OTHER

    play(tmp_path, story, clock=ManualClock(), public_open=True)


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="a computer that has all of 127.0.0.0/8")
def test_many_devices_that_log_in_at_once_take_the_memory_of_two(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each hash takes 19 MiB; whoever comes meanwhile waits for his turn, and gets in."""
    inside, most, counting = 0, 0, threading.Lock()
    check = Passwords.check

    def counted(self: Passwords, role: Role, password: str) -> bool:
        nonlocal inside, most
        with counting:
            inside += 1
            most = max(most, inside)
        try:
            return check(self, role, password)
        finally:
            with counting:
                inside -= 1

    monkeypatch.setattr(Passwords, "check", counted)
    monkeypatch.setattr("tests.web.rig.CHEAP", Cost())

    async def log_in(rig: Rig, number: int) -> int:
        device = TCPConnector(local_addr=(f"127.0.0.{number}", 0))
        async with ClientSession(connector=device, cookie_jar=CookieJar(unsafe=True)) as client:
            return (await Browser(client, rig.url).log_in("referee")).status

    async def story(rig: Rig) -> None:
        answers = await asyncio.gather(*(log_in(rig, number) for number in range(2, 22)))
        assert set(answers) == {HTTPStatus.SEE_OTHER}

    play(tmp_path, story)
    assert most == application.HASHES_AT_ONCE == 2


def test_who_says_that_he_is_somewhere_else_is_slowed_all_the_same(tmp_path: Path) -> None:
    async def story(rig: Rig) -> None:
        async with rig.browser() as browser:
            answers = []
            for number in range(FREE + 2):
                elsewhere = dict.fromkeys(
                    ("X-Forwarded-For", "X-Real-IP", "Forwarded", "Client-IP"), f"10.0.0.{number}"
                )
                fields = {"role": "referee", "name": "Lis", "password": f"guess {number} guess"}
                answer = await browser.ask("POST", "/login", {"Origin": rig.url, **elsewhere}, fields)
                answers.append(answer.status)
            assert answers == [HTTPStatus.FORBIDDEN] * FREE + [HTTPStatus.TOO_MANY_REQUESTS] * 2
            assert {line["address"] for line in rig.lines} == {"127.0.0.1"}

    play(tmp_path, story, clock=ManualClock())


# --- who is who -----


@pytest.mark.parametrize("order", [("referee", "organiser"), ("organiser", "referee")])
def test_two_roles_in_one_log_in_are_the_one_whose_password_was_given(tmp_path: Path, order: tuple[str, str]) -> None:
    async def story(rig: Rig) -> None:
        async with rig.browser() as browser, browser.client.post(
            rig.url + "/login", headers={"Origin": rig.url}, allow_redirects=False,
            data=[*(("role", role) for role in order), ("name", "Sowa"), ("password", SECRETS["referee"])],
        ) as answer:  # fmt: skip
            roles = [line["role"] for line in rig.lines if line["log"] == "in"]
            assert (answer.status, roles) in [(HTTPStatus.SEE_OTHER, ["referee"]), (HTTPStatus.FORBIDDEN, [])]

    play(tmp_path, story)


FORGED = [
    'Sowa\n{"log":"in","name":"Borsuk","role":"organiser"}', 'Sowa","role":"organiser', "Sowa\x1b[2J", "Sowa\r\nX: y",
    "Sowa\u2028Borsuk", "Sowa (organiser)", "Sowa\x00", "\u202eawoS",
]  # fmt: skip


@pytest.mark.parametrize("name", FORGED, ids=ascii)
@pytest.mark.parametrize("password", [SECRETS["referee"], "not that one"], ids=["right", "wrong"])
def test_a_name_writes_no_line_of_its_own(tmp_path: Path, name: str, password: str) -> None:
    async def story(rig: Rig) -> None:
        async with rig.browser() as browser:
            await browser.log_in("referee", name, password)
        for line in rig.lines:
            assert (line["role"], line["name"].split()) == ("referee", line["name"].split(" "))
            assert line["name"].isprintable()
            assert "(" not in line["name"]

    play(tmp_path, story)


@pytest.mark.skipif(os.name == "nt", reason="Windows has no such links for everybody")
def test_an_audit_that_leads_elsewhere_is_not_followed_and_that_is_said(tmp_path: Path) -> None:
    victim = tmp_path / "precious"
    victim.write_text("mine\n")
    (tmp_path / "cup.dalej.audit.jsonl").symlink_to(victim)

    async def story(rig: Rig) -> None:
        async with rig.browser() as browser:
            assert (await browser.log_in("referee")).status == HTTPStatus.SEE_OTHER
        assert len(rig.complaints) == 1

    play(tmp_path, story)
    assert victim.read_text() == "mine\n"


# --- files -----


@pytest.mark.parametrize("path", ["/assets/nothing.js", "/assets", "/assets/", "/assets/dalej.py"])
def test_a_file_that_there_is_not_is_said_in_words(tmp_path: Path, path: str) -> None:
    async def story(rig: Rig) -> None:
        async with rig.browser() as browser:
            answer = await browser.ask("GET", path, {"Accept": "text/html", "Accept-Language": "en"})
            assert answer.status == HTTPStatus.NOT_FOUND
            assert "There is no such page here." in await answer.text()

    play(tmp_path, story)


NO_HTTP = [
    b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03\r\n\r\n", b"GET / HTTP/9\r\n\r\n", b"GET\r\n\r\n",
    b"GET / HTTP/1.1\r\nno header\r\n\r\n", b"GET / HTTP/1.1\r\nHost: localhost\r\nContent-Length: -5\r\n\r\n",
]  # fmt: skip


def test_requests_that_are_no_http_are_one_counted_line(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    async def story(rig: Rig) -> None:
        for number in range(55):
            reader, writer = await asyncio.open_connection("127.0.0.1", rig.server.port)
            writer.write(NO_HTTP[number % len(NO_HTTP)])
            async with asyncio.timeout(DEADLINE_S):
                assert (await reader.read()).startswith(b"HTTP/1.0 400")
            writer.close()

    play(tmp_path, story)
    assert [record.getMessage() for record in caplog.records] == ["55 requests were refused that no browser makes."]
    assert not any(record.exc_info for record in caplog.records)


FORM = (
    b"POST /login HTTP/1.1\r\nHost: localhost\r\nOrigin: http://localhost\r\nConnection: close\r\n"
    b"Content-Type: application/x-www-form-urlencoded\r\n"
)
NO_FORM = [
    FORM + b"Content-Encoding: gzip\r\nContent-Length: 4\r\n\r\nabcd",
    FORM + b"Transfer-Encoding: chunked\r\n\r\nzz\r\n\r\n",
    FORM + b"Content-Length: 50\r\n\r\nname=",
    FORM + b"Content-Length: 7\r\n\r\nname=\xff\xfe",
]


def test_log_ins_that_nobody_can_read_are_a_line_and_no_tracebacks(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    async def story(rig: Rig) -> None:
        for number in range(20):
            reader, writer = await asyncio.open_connection("127.0.0.1", rig.server.port)
            writer.write(NO_FORM[number % len(NO_FORM)])
            if number % len(NO_FORM) == 2:
                await asyncio.sleep(0.05)
                writer.write_eof()  # in the middle
            async with asyncio.timeout(DEADLINE_S):
                assert b" 500 " not in (await reader.read())[:20]
            writer.close()

    play(tmp_path, story)
    assert not [record.getMessage() for record in caplog.records if record.exc_info]
