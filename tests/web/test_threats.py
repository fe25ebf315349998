"""What somebody in the hall's network might try: sessions that are not theirs, connections that never end."""

from __future__ import annotations

import asyncio
import os
from http import HTTPStatus
from pathlib import Path

import pytest

from dalej.clock import ManualClock
from dalej.office.acts.roles import Actor, Role
from dalej.web import server
from dalej.web.attempts import IN_LINE_MOST, Attempts
from dalej.web.sessions import Session
from tests.web.rig import SECRETS, Browser, Rig, logged_out, play, served

HTML = "text/html,application/xhtml+xml"


# --- sessions -----


@pytest.mark.parametrize("planted", ["0" * 64, "mine"])
def test_a_token_that_was_planted_before_the_log_in_is_not_the_one_after_it(tmp_path: Path, planted: str) -> None:
    async def story(rig: Rig) -> None:
        cookie = {"Cookie": f"dalej-{rig.server.port}={planted}", "Origin": rig.url}
        async with rig.browser() as browser:
            fields = {"role": "referee", "name": "Sowa", "password": SECRETS["referee"]}
            answer = await browser.ask("POST", "/login", cookie, fields)
            assert answer.status == HTTPStatus.SEE_OTHER
            assert planted not in answer.headers["Set-Cookie"]
            browser.client.cookie_jar.clear()
            assert (await browser.ask("GET", "/session", cookie)).status == HTTPStatus.UNAUTHORIZED

    play(tmp_path, story)


def test_a_cookie_of_another_port_is_nobody_s_here(tmp_path: Path) -> None:
    """Cookies go to every port of a computer: two servers must neither take nor overwrite each other's."""

    async def story(rig: Rig) -> None:
        folder = tmp_path / "other"
        folder.mkdir()
        async with served(folder) as other, rig.browser() as browser:
            await browser.log_in("referee", "Sowa")
            token = browser.token
            for name in (f"dalej-{rig.server.port}", f"dalej-{other.server.port}"):
                answer = await browser.ask("GET", "/session", {"Cookie": f"{name}={token}", "Host": "localhost"})
                assert answer.status == HTTPStatus.OK or name != f"dalej-{rig.server.port}"
                elsewhere = await Browser(browser.client, other.url).ask(
                    "GET", "/session", {"Cookie": f"{name}={token}"}
                )
                assert elsewhere.status == HTTPStatus.UNAUTHORIZED

    play(tmp_path, story)


# --- many at once, and slow ones -----


def test_five_right_log_ins_at_once_from_one_address_are_five_sessions(tmp_path: Path) -> None:
    async def story(rig: Rig) -> None:
        async def enter(number: int) -> int:
            async with rig.browser() as browser:
                answer = await browser.log_in("referee", f"Lis {number}")
                return answer.status

        assert await asyncio.gather(*map(enter, range(1, 6))) == [HTTPStatus.SEE_OTHER] * 5
        assert len(rig.server.sessions) == 5

    play(tmp_path, story)


def test_wrong_log_ins_at_once_are_slowed_as_one_after_the_other(tmp_path: Path) -> None:
    async def story(rig: Rig) -> None:
        async def enter(number: int) -> int:
            async with rig.browser() as browser:
                return (await browser.log_in("referee", "Lis", f"trzy lisy {number}")).status

        answers = await asyncio.gather(*map(enter, range(8)))
        assert sorted(answers) == [HTTPStatus.FORBIDDEN] * 3 + [HTTPStatus.TOO_MANY_REQUESTS] * 5

    play(tmp_path, story, clock=ManualClock())


def test_no_more_wait_in_line_than_the_memory_is_there_for() -> None:
    async def run() -> None:
        attempts, leave = Attempts(ManualClock()), asyncio.Event()

        async def one() -> bool:
            async with attempts.turn("10.0.0.1") as first:
                await leave.wait()
                return first

        waiting = [asyncio.create_task(one()) for _ in range(IN_LINE_MOST + 3)]
        await asyncio.sleep(0)
        leave.set()
        assert (await asyncio.gather(*waiting)).count(False) == 3
        assert attempts._lines == {}

    asyncio.run(run())


@pytest.mark.parametrize(
    "said", [b"", b"GET / HTTP/1.1\r\nHost: loc", b"GET /login HTTP/1.1\r\nHost: localhost\r\n\r\n"],
    ids=["nothing", "half a request", "no second one"],
)  # fmt: skip
def test_who_holds_a_connection_open_is_hung_up_on(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, said: bytes
) -> None:
    monkeypatch.setattr(server, "QUIET_S", 0.2)

    async def story(rig: Rig) -> None:
        reader, writer = await asyncio.open_connection("127.0.0.1", rig.server.port)
        writer.write(said)
        async with asyncio.timeout(20):
            await reader.read()
        writer.close()

    play(tmp_path, story)


Known = dict[asyncio.BaseTransport, Session]


class _Connection(asyncio.Transport):
    def __init__(self, address: str) -> None:
        super().__init__({"peername": (address, 1)})
        self.aborted = False

    def abort(self) -> None:
        self.aborted = True


def test_one_device_cannot_hold_the_connections_of_all() -> None:
    held = [_Connection("10.0.0.66") for _ in range(8)] + [_Connection(f"10.0.0.{n}") for n in range(1, 5)]

    assert server.thin(held, most=6) == 6
    assert [one.aborted for one in held] == [False] * 2 + [True] * 6 + [False] * 4


def test_a_hall_behind_one_router_stays_and_of_a_browser_that_takes_too_many_the_newest_go() -> None:
    behind = [_Connection("10.0.0.1") for _ in range(30)]
    of: Known = {one: _session("public", f"phone {number}") for number, one in enumerate(behind[:20])}
    of |= dict.fromkeys(behind[20:], _session("public", "greedy"))

    assert server.thin(behind, of, of_one=3, of_strangers=2) == 7
    assert [one.aborted for one in behind] == [False] * 23 + [True] * 7


def test_behind_the_router_that_hides_a_flood_the_referee_is_the_last_to_go_and_strangers_the_first() -> None:
    strangers, public, referee = ([_Connection("10.0.0.1") for _ in range(count)] for count in (9, 3, 2))
    of: Known = {one: _session("public", f"phone {number}") for number, one in enumerate(public)}
    of |= dict.fromkeys(referee, _session("referee", "whistle"))

    assert server.thin([*strangers, *public, *referee], of, most=4) == 10
    assert [one.aborted for one in [*strangers, *public, *referee]] == [True] * 9 + [False] * 2 + [True, False, False]


def test_whose_session_is_over_is_a_stranger() -> None:
    held = [_Connection("10.0.0.1"), _Connection("10.0.0.2")]
    session = _session("referee", "whistle")
    session.ended = True

    assert server.thin(held, {held[1]: session}, most=1) == 1
    assert held[1].aborted


def _session(role: Role, key: str) -> Session:
    return Session(key, Actor("Sowa", role, served=True), "10.0.0.1", "en", "", 0, 0, "form")


# --- what is said to whom -----


@pytest.mark.parametrize(
    ("language", "path", "host", "status", "says"),
    [
        ("en", "/nowhere", "", 404, "There is no such page here."),
        ("en", "/login", "evil.example", 421, "This name does not belong to Dalej here"),
        ("en", "/session/x", "", 404, "There is no such page here."),
        ("en", "/assets/../x", "", 404, "There is no such page here."),
        ("pl", "/login", "evil.example", 421, "Dalej"),
        ("it", "/login", "evil.example", 421, "Dalej"),
    ],
)  # fmt: skip
def test_what_is_not_to_be_had_is_said_in_the_browser_s_language(
    tmp_path: Path, language: str, path: str, host: str, status: int, says: str
) -> None:
    async def story(rig: Rig) -> None:
        async with rig.browser() as browser:
            headers = {"Accept": HTML, "Accept-Language": language, **({"Host": host} if host else {})}
            answer = await browser.ask("GET", path, headers)
            text = await answer.text()
            assert answer.status == status
            assert f'lang="{language}"' in text
            assert says in text
            assert answer.headers["Content-Security-Policy"].startswith("default-src 'none'")
            plain = await browser.ask("GET", path, {**headers, "Accept": "*/*"})
            assert plain.content_type == "text/plain"
            assert ('href="/"' in text) == (status != HTTPStatus.MISDIRECTED_REQUEST)

    play(tmp_path, story)


@pytest.mark.skipif(os.name == "nt", reason="Windows knows no such modes")
def test_passwords_that_others_can_read_are_the_organiser_s_business_alone(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    async def story(rig: Rig) -> None:
        rig.passwords.path.chmod(0o644)
        async with rig.browser() as browser:
            for answer in (await browser.get("/login"), await browser.log_in("referee")):
                assert answer.status == HTTPStatus.INTERNAL_SERVER_ERROR
                assert str(tmp_path) not in await answer.text()

    play(tmp_path, story)
    assert "chmod 600" in caplog.text


def test_a_role_whose_password_is_dropped_is_out_and_stays_out(tmp_path: Path) -> None:
    async def story(rig: Rig) -> None:
        async with rig.browser() as browser, rig.browser() as other:
            await browser.log_in("referee", "Sowa")
            await other.log_in("organiser", "Borsuk")
            rig.passwords.drop("referee")
            await logged_out(browser)
            assert (await (await browser.get("/session")).json())["why"] == "dropped"
            assert "no password any more" in await (await browser.get("/login?over=dropped")).text()
            assert (await browser.log_in("referee", "Sowa")).status == HTTPStatus.FORBIDDEN
            assert (await other.get("/session")).status == HTTPStatus.OK
            rig.passwords.drop("organiser")
            rig.passwords.drop("public")
            assert "nobody can log in." in await (await browser.get("/login")).text()

    play(tmp_path, story)
