"""The way in over HTTP: who gets a session, who waits, and what no other page can do."""

from __future__ import annotations

import asyncio
import re
from pathlib import Path

import pytest

from dalej.clock import ManualClock
from dalej.web.attempts import FREE
from tests.web.rig import SECRETS, Rig, play


def test_without_a_session_there_is_only_the_log_in(tmp_path: Path) -> None:
    async def story(rig: Rig) -> None:
        async with rig.browser() as browser:
            assert (await browser.get("/")).headers["Location"] == "/login"
            for path in ("/session", "/live/hall", "/live/public"):
                assert (await browser.get(path, Origin=rig.url)).status == 401
            for path in ("/assets/dalej.css", "/assets/live.js", "/assets/idiomorph.min.js", "/assets/icon.svg"):
                assert (await browser.get(path)).status == 200

    play(tmp_path, story)


def test_who_knows_the_password_is_let_in_and_it_is_written_down(tmp_path: Path) -> None:
    async def story(rig: Rig) -> None:
        async with rig.browser() as browser:
            answer = await browser.log_in("organiser", "  Borsuk  2 ")
            assert (answer.status, answer.headers["Location"]) == (303, "/")
            cookie = answer.headers["Set-Cookie"]
            assert re.fullmatch(rf"dalej-{rig.server.port}=[0-9a-f]{{64}}; HttpOnly; Path=/; SameSite=Strict", cookie)
            page = await browser.page("/hall")
            assert "Borsuk 2" in page
            assert re.search("<title>.*cup</title>", page)
        (line,) = rig.lines
        assert (line["log"], line["name"], line["role"], line["address"]) == (
            "in",
            "Borsuk 2",
            "organiser",
            "127.0.0.1",
        )
        assert not any(secret in str(rig.lines) for secret in SECRETS.values())

    play(tmp_path, story)


@pytest.mark.parametrize(
    ("role", "name", "password", "says"),
    [
        ("referee", "Lis", "wrong password", "not the password"),
        ("organiser", "Lis", SECRETS["referee"], "not the password"),
        ("referee", "", SECRETS["referee"], "your name is missing"),
        ("referee", "Lis (organiser)", SECRETS["referee"], "a name is made of"),
        ("king", "Lis", SECRETS["referee"], "is no role"),
        ("referee", "Lis", "x" * 5_000, "not the password"),
        (
            "referee",
            "Lis",
            "\ud800".encode("utf-8", "surrogatepass").decode("utf-8", "replace") * 3,
            "not the password",
        ),
    ],
)
def test_who_does_not_stays_outside(tmp_path: Path, role: str, name: str, password: str, says: str) -> None:
    async def story(rig: Rig) -> None:
        async with rig.browser() as browser:
            answer = await browser.log_in(role, name, password)
            text = await answer.text()
            assert answer.status == 403
            assert says in text
            assert password not in text
            assert "Set-Cookie" not in answer.headers
            assert (await browser.get("/")).status == 303

    play(tmp_path, story)


def test_refused_log_ins_are_written_down_without_what_was_tried(tmp_path: Path) -> None:
    async def story(rig: Rig) -> None:
        async with rig.browser() as browser:
            await browser.log_in("organiser", "Lis", "chcę być szefem")
        (line,) = rig.lines
        assert (line["log"], line["name"], line["role"]) == ("refused", "Lis", "organiser")
        assert "szefem" not in str(line)

    play(tmp_path, story)


def test_guessing_is_slowed_in_words(tmp_path: Path) -> None:
    async def story(rig: Rig) -> None:
        async with rig.browser() as browser:
            tried = await asyncio.gather(*(browser.log_in("referee", "Lis", f"guess {n} guess") for n in range(20)))
            assert sorted(answer.status for answer in tried) == [403] * FREE + [429] * (20 - FREE)
            answer = await browser.log_in("referee")
            assert answer.status == 429
            assert int(answer.headers["Retry-After"]) >= 1
            assert "Too many wrong passwords: try again in" in await answer.text()
        assert len(rig.lines) == FREE

    play(tmp_path, story, clock=ManualClock())


def test_the_public_gets_in_without_a_password_only_if_the_organiser_says_so(tmp_path: Path) -> None:
    async def story(rig: Rig) -> None:
        async with rig.browser() as browser:
            assert (await browser.log_in("public", "", "")).status == (303 if rig.server._plan.public_open else 403)
        async with rig.browser() as browser:
            assert (await browser.log_in("referee", "Lis", "")).status == 403

    (tmp_path / "a").mkdir()
    (tmp_path / "b").mkdir()
    play(tmp_path / "a", story, public_open=True)
    play(tmp_path / "b", story)


def test_logging_in_again_ends_the_session_before(tmp_path: Path) -> None:
    """So that one that somebody put into this browser is not gone on with."""

    async def story(rig: Rig) -> None:
        async with rig.browser() as browser:
            await browser.log_in("referee", "Lis")
            before = browser.token
            await browser.log_in("organiser", "Lis")
            assert browser.token != before
            assert rig.server.sessions.find(before) is None
            assert len(rig.server.sessions) == 1
        assert [line["log"] for line in rig.lines] == ["in", "out", "in"]

    play(tmp_path, story)


@pytest.mark.parametrize("language", ["pl", "en", "it"])
def test_the_page_speaks_the_browser_s_language_or_the_one_that_is_chosen(tmp_path: Path, language: str) -> None:
    async def story(rig: Rig) -> None:
        async with rig.browser() as browser:
            asked = await browser.get("/login", Accept_Language=f"de,{language};q=0.7")
            chosen = await browser.get(f"/login?lang={language}")
            assert f'<html lang="{language}">' in await asked.text()
            assert f'<html lang="{language}">' in await chosen.text()

    play(tmp_path, story)


def test_what_was_typed_is_shown_as_text(tmp_path: Path) -> None:
    async def story(rig: Rig) -> None:
        async with rig.browser() as browser:
            text = await (await browser.log_in("referee", '"><script>alert(1)</script>')).text()
            assert "<script>alert" not in text
            odd = await browser.get("/login?over=<script>&lang=<script>")
            assert "<script>" not in await odd.text()

    play(tmp_path, story)


# --- other pages, other names -----


@pytest.mark.parametrize("origin", [None, "null", "http://evil.example", "https://127.0.0.1", "http://127.0.0.1:1"])
@pytest.mark.parametrize("path", ["/login", "/logout"])
def test_another_page_cannot_log_anybody_in_or_out(tmp_path: Path, path: str, origin: str | None) -> None:
    async def story(rig: Rig) -> None:
        async with rig.browser() as browser:
            await browser.log_in("referee")
            headers = {} if origin is None else {"Origin": origin}
            fields = {"role": "referee", "name": "Lis", "password": SECRETS["referee"]}
            answer = await browser.ask("POST", path, headers, fields)
            assert answer.status == 403
            assert (await browser.get("/session")).status == 200
            assert len(rig.server.sessions) == 1

    play(tmp_path, story)


@pytest.mark.parametrize(
    "host", ["evil.example", "127.0.0.1.evil.example", "localhost:x", "[::1", "", "a b", "2130706433x"]
)
def test_a_name_that_is_not_ours_is_somebody_s_trick(tmp_path: Path, host: str) -> None:
    async def story(rig: Rig) -> None:
        async with rig.browser() as browser:
            answer = await browser.get("/login", Host=host)
            assert answer.status in (400, 421)

    play(tmp_path, story)


@pytest.mark.parametrize(
    "host", ["localhost", "localhost:9", "LOCALHOST.", "127.0.0.1", "[::1]:80", "hall", "10.1.2.3"]
)
def test_our_names_and_numbers_are_ours(tmp_path: Path, host: str) -> None:
    async def story(rig: Rig) -> None:
        async with rig.browser() as browser:
            assert (await browser.get("/login", Host=host)).status == 200

    play(tmp_path, story, names=["hall"])


def test_every_answer_says_what_a_browser_may_do_with_it(tmp_path: Path) -> None:
    async def story(rig: Rig) -> None:
        async with rig.browser() as browser:
            for path in ("/", "/login", "/session", "/nowhere", "/assets/live.js"):
                headers = (await browser.get(path)).headers
                policy = headers["Content-Security-Policy"]
                assert "default-src 'none'; script-src 'self'; style-src 'self';" in policy
                assert "frame-ancestors 'none'" in policy
                assert "unsafe-" not in policy
                assert headers["X-Content-Type-Options"] == "nosniff"
                assert headers["Referrer-Policy"] == "same-origin"
                assert ("no-store" in headers["Cache-Control"]) == (not path.startswith("/assets"))
                assert "aiohttp" not in headers["Server"].lower()

    play(tmp_path, story)


@pytest.mark.parametrize(
    "path",
    [
        "/assets/../server.py", "/assets/%2e%2e/server.py", "/assets/..%2fserver.py", "/assets/../../club/keys.py",
        "/assets/%2e%2e/passwords.py", "/assets//etc/passwd", "/assets/..\\passwords.py", "/assets/",
        "/assets/%00", "/templates/base.html", "/../../x",
    ],
)  # fmt: skip
def test_no_path_leads_out_of_the_page_s_files(tmp_path: Path, path: str) -> None:
    async def story(rig: Rig) -> None:
        reader, writer = await asyncio.open_connection("127.0.0.1", rig.server.port)
        writer.write(f"GET {path} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n".encode())
        status = int((await reader.readline()).split()[1])
        assert status in (400, 401, 403, 404), status
        writer.close()

    play(tmp_path, story)


def test_a_giant_log_in_is_not_read(tmp_path: Path) -> None:
    async def story(rig: Rig) -> None:
        async with rig.browser() as browser:
            assert (await browser.log_in("referee", "L" * 200_000)).status == 413

    play(tmp_path, story)


def test_raw_rubbish_leaves_the_server_up(tmp_path: Path) -> None:
    async def story(rig: Rig) -> None:
        for rubbish in (
            b"\x16\x03\x01\x02\x00",
            b"GET / HTTP/9.9\r\n\r\n",
            b"\r\n" * 500,
            b"A" * 100_000,
            b"GET /" + b"a" * 20_000,
        ):
            _, writer = await asyncio.open_connection("127.0.0.1", rig.server.port)
            writer.write(rubbish)
            writer.close()
        async with rig.browser() as browser:
            assert (await browser.log_in("referee")).status == 303

    play(tmp_path, story)
