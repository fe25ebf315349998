"""A log-in, a screen in a process of its own, and what its keys do; played over real sockets."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path
from typing import Any

import pytest
from aiohttp import WSServerHandshakeError

from dalej.web import server
from tests.web.rig import DEADLINE_S, Rig, closed, gone, logged_out, mute, play, press, shown


def test_an_act_reaches_the_ledger_under_the_name_and_role_that_logged_in(tmp_path: Path) -> None:
    async def story(rig: Rig) -> None:
        async with rig.browser() as browser:
            await browser.log_in("referee", "Sowa")
            screen = await browser.screen()
            await shown(screen, "HALL-Sowa-referee-")
            await press(screen, "s")
            await shown(screen, "DONE-s-1")

        (request,) = rig.ledger.open_requests()
        assert (request.who, request.command, request.table) == ("Sowa (referee)", "blink", 3)
        acted = [line for line in rig.lines if "act" in line]
        assert [(line["name"], line["role"], line["act"], line["refused"]) for line in acted] == [
            ("Sowa", "referee", "blink", None)
        ]

    play(tmp_path, story)


@pytest.mark.parametrize(("role", "key"), [("public", "s"), ("public", "o"), ("referee", "o"), ("referee", "e")])
def test_what_the_role_may_not_do_is_refused_by_the_desk(tmp_path: Path, role: str, key: str) -> None:
    async def story(rig: Rig) -> None:
        head = rig.ledger.head()
        async with rig.browser() as browser:
            screen = await browser.hall(role)
            await press(screen, key)
            await shown(screen, f"NOT-{key}-")

        assert rig.ledger.head() == head
        assert next(line["refused"] for line in rig.lines if "act" in line)

    play(tmp_path, story)


def test_a_screen_cannot_write_the_event_by_itself(tmp_path: Path) -> None:
    async def story(rig: Rig) -> None:
        async with rig.browser() as browser:
            screen = await browser.hall("organiser")
            await press(screen, "w")
            await shown(screen, "KEPT-Unreachable")

        assert rig.ledger.open_requests() == []

    play(tmp_path, story)


def test_a_screen_that_its_person_closes_says_so_and_stays_closed(tmp_path: Path) -> None:
    async def story(rig: Rig) -> None:
        async with rig.browser() as browser:
            screen = await browser.hall("referee")
            await press(screen, "q")
            await closed(screen)
            assert (await (await browser.get("/session")).json())["note"] == "The screen was closed."

    play(tmp_path, story)


def test_a_screen_that_fails_is_told_apart(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    async def story(rig: Rig) -> None:
        async with rig.browser() as browser:
            screen = await browser.hall("referee")
            await press(screen, "x")
            await closed(screen)
            assert "failed" in (await (await browser.get("/session")).json())["note"]

    play(tmp_path, story)
    assert "Sowa (referee)" in caplog.text


def test_everybody_is_logged_out_by_an_organiser(tmp_path: Path) -> None:
    async def story(rig: Rig) -> None:
        async with rig.browser() as one, rig.browser() as other:
            await one.log_in("organiser", "Borsuk")
            await other.log_in("referee", "Lis")
            screens = [await one.screen(), await other.screen()]
            for screen in screens:
                await shown(screen, "HALL-")
            pids = rig.server.screens.pids if rig.server.screens else []
            assert len(pids) == 2

            await press(screens[0], "e")

            for screen, browser in zip(screens, (one, other), strict=True):
                await closed(screen)
                answer = await browser.get("/session")
                assert (answer.status, (await answer.json())["why"]) == (401, "ended")
                assert (await browser.get("/")).headers["Location"] == "/login?over=ended"
            for pid in pids:
                await gone(pid)
        assert [line["why"] for line in rig.lines if line.get("log") == "out"] == ["ended", "ended"]
        assert [line["name"] for line in rig.lines if line.get("act") == "end_sessions"] == ["Borsuk"]

    play(tmp_path, story)


def test_one_role_is_logged_out_and_the_other_stays(tmp_path: Path) -> None:
    async def story(rig: Rig) -> None:
        async with rig.browser() as one, rig.browser() as other:
            await one.log_in("organiser", "Borsuk")
            await other.log_in("public")
            screen = await one.screen()
            await shown(screen, "HALL-")
            await press(screen, "p")
            await shown(screen, "DONE-p-0")

            await logged_out(other)
            assert (await one.get("/session")).status == 200

    play(tmp_path, story)


def test_a_log_out_closes_the_session_s_screens(tmp_path: Path) -> None:
    async def story(rig: Rig) -> None:
        async with rig.browser() as browser:
            screen = await browser.hall("referee")
            (pid,) = rig.server.screens.pids if rig.server.screens else []
            token = browser.token
            answer = await browser.post("/logout")
            assert (answer.status, answer.headers["Location"]) == (303, "/login?over=out")
            await closed(screen)
            await gone(pid)
            browser.client.cookie_jar.update_cookies({f"dalej-{rig.server.port}": token})
            with pytest.raises(WSServerHandshakeError, match="401"):
                await browser.screen()

    play(tmp_path, story)


def test_a_changed_password_ends_that_role_s_sessions_alone(tmp_path: Path) -> None:
    async def story(rig: Rig) -> None:
        async with rig.browser() as one, rig.browser() as other:
            await one.log_in("referee")
            await other.log_in("organiser")
            rig.passwords.set("referee", "cztery lisy w lesie")
            await logged_out(one)
            assert (await one.get("/")).headers["Location"] == "/login?over=password"
            assert (await other.get("/session")).status == 200

    play(tmp_path, story)


@pytest.mark.parametrize("hangs", [False, True])
def test_a_browser_that_goes_away_leaves_no_process(tmp_path: Path, hangs: bool) -> None:
    async def story(rig: Rig) -> None:
        async with rig.browser() as browser:
            screen = await browser.hall("referee")
            (pid,) = rig.server.screens.pids if rig.server.screens else []
            if hangs:
                await press(screen, "z")
        await gone(pid)

    play(tmp_path, story)


def test_the_language_of_the_log_in_is_the_screen_s(tmp_path: Path) -> None:
    async def story(rig: Rig) -> None:
        async with rig.browser() as browser:
            await browser.log_in("referee", lang="it")
            await shown(await browser.screen(), "-it")
            await browser.get("/?lang=pl")
            await shown(await browser.screen(), "-pl")

    play(tmp_path, story)


def test_no_more_screens_than_the_computer_holds_and_some_are_the_referees_own(tmp_path: Path) -> None:
    async def story(rig: Rig) -> None:
        async with rig.browser() as public, rig.browser() as referee:
            await public.log_in("public", "")
            await referee.log_in("referee")
            first = await public.screen()
            await shown(first, "HALL-mute")
            await closed(await public.screen())
            note = (await (await public.get("/session")).json())["note"]
            assert note == "1 public screens are open, this computer shows no more: close one first"
            second = await referee.screen()
            await shown(second, "HALL-mute")
            await closed(await referee.screen())
            assert "2 screens are open" in (await (await referee.get("/session")).json())["note"]

    play(tmp_path, story, screens=2, command=mute)


# --- a hostile browser -----

GARBAGE = [
    "", "{}", "[]", "nonsense", '["stdin"]', '["stdin", 7]', '["resize", {"width": "80"}]', '["resize", [1, 2]]',
    '["run", "rm"]', "[" * 20_000, '["resize", {"width": true, "height": null}]', json.dumps(["stdin", "a" * 70_000]),
]  # fmt: skip


@pytest.mark.parametrize("said", GARBAGE, ids=lambda said: said[:24])
def test_what_no_browser_says_closes_its_screen_and_nothing_else(tmp_path: Path, said: str) -> None:
    async def story(rig: Rig) -> None:
        async with rig.browser() as hostile, rig.browser() as other:
            screen = await hostile.hall("public")
            await screen.send_str(said)
            await closed(screen)
            await other.log_in("referee", "Lis")
            assert (await other.get("/session")).status == 200

    play(tmp_path, story, command=mute)


def test_half_a_character_that_a_keyboard_sends_closes_nothing(tmp_path: Path) -> None:
    async def story(rig: Rig) -> None:
        async with rig.browser() as browser:
            screen = await browser.hall("referee")
            await screen.send_str('["stdin", "\\ud83d"]')
            await press(screen, "s")
            await shown(screen, "DONE-s")

    play(tmp_path, story)


def test_sizes_are_believed_within_reason(tmp_path: Path) -> None:
    async def story(rig: Rig) -> None:
        async with rig.browser() as browser:
            screen = await browser.hall("public")
            for size in ({"width": 10**9, "height": 10**9}, {"width": -5, "height": 0}, {"width": 90, "height": 20}):
                await screen.send_str(json.dumps(["resize", size]))
            await screen.send_str(json.dumps(["ping", "x" * 10_000]))
            await shown(screen, "HALL-")

    play(tmp_path, story, command=mute)


@pytest.mark.parametrize("origin", [None, "null", "http://evil.example", "http://127.0.0.1:1"])
def test_a_page_from_elsewhere_gets_no_screen(tmp_path: Path, origin: str | None) -> None:
    async def story(rig: Rig) -> None:
        async with rig.browser() as browser:
            await browser.log_in("referee")
            headers = {} if origin is None else {"Origin": origin}
            with pytest.raises(WSServerHandshakeError, match="403"):
                await browser.client.ws_connect(rig.url + "/ws", headers=headers)

    play(tmp_path, story)


@pytest.mark.parametrize("token", ["", "0" * 64, "'; --", "ą", "a" * 8_000])
def test_a_forged_cookie_opens_nothing(tmp_path: Path, token: str) -> None:
    async def story(rig: Rig) -> None:
        async with rig.browser() as browser:
            headers = {"Origin": rig.url, "Cookie": f"dalej-{rig.server.port}={token}"}
            with pytest.raises(WSServerHandshakeError):
                await browser.client.ws_connect(rig.url + "/ws", headers=headers)
            for path in ("/", "/session"):
                answer = await browser.ask("GET", path, headers)
                assert answer.status in (303, 400, 401)

    play(tmp_path, story)


def test_a_sweep_that_fails_is_logged_and_the_next_one_ends_what_is_over(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    async def story(rig: Rig) -> None:
        failed = asyncio.Event()

        def failing(*_given: Any, **_more: Any) -> int:
            failed.set()
            raise RuntimeError("a connection of another kind")

        monkeypatch.setattr(server, "thin", failing)
        async with asyncio.timeout(DEADLINE_S), rig.browser() as browser:
            await browser.log_in("referee")
            await failed.wait()
            rig.passwords.set("referee", "cztery lisy w lesie")
            await logged_out(browser)

    play(tmp_path, story, command=mute)
    assert "a sweep failed" in caplog.text
