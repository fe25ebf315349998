"""What of a page is live: drawn once for all, sent as far as it differs, to nobody whose session is over."""

from __future__ import annotations

import asyncio
import socket
from collections.abc import Mapping
from contextlib import AsyncExitStack, suppress
from dataclasses import dataclass, field
from http import HTTPStatus
from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

import pytest
from aiohttp import ClientPayloadError, ClientSession, ClientTimeout, TCPConnector, web

from dalej.clock import ManualClock
from dalej.domain.tournament.tournament import EVENT, OPTION
from dalej.event.ledger import Report
from dalej.office.acts.roles import Actor
from dalej.web import live, server, watch
from dalej.web.hallpage import HallPage
from dalej.web.live import Part, Picture, Pictures
from dalej.web.sessions import Session
from dalej.web.watch import Watch
from tests.domain.begun import lay
from tests.domain.tables import D
from tests.web.halls import QUIET, hall, quiet
from tests.web.rig import DEADLINE_S, Live, Rig, logged_out, play
from tests.world import NOON, an_event, late_again
from tools.pictures import NOON_MS, evening

DRAWN_MOST = 1 << 20


# --- a picture -----


@dataclass
class Beats:
    """A watch that is told when something may look different."""

    beat: int = 0
    feed: Any = field(default_factory=lambda: SimpleNamespace(
        live=False, speed=1.0, now_ms=lambda: 7, wall_ms=lambda: 8
    ))  # fmt: skip
    _changed: asyncio.Event = field(default_factory=asyncio.Event)

    async def changed(self, beat: int) -> int:
        while self.beat == beat:
            await self._changed.wait()
        return self.beat

    def stir(self) -> None:
        self.beat += 1
        self._changed.set()
        self._changed = asyncio.Event()


@dataclass
class Page:
    """Two parts; how often they were asked for, and each was drawn."""

    keys: dict[str, str] = field(default_factory=lambda: {"bar": "1", "t-3": "1"})
    asked: int = 0
    drawn: list[str] = field(default_factory=list)
    weight: int = 1

    def parts(self) -> Mapping[str, Part]:
        self.asked += 1
        return {name: Part(key, lambda name=name, key=key: self._draw(name, key)) for name, key in self.keys.items()}  # type: ignore[misc]  # mypy infers no such lambda

    def _draw(self, name: str, key: str) -> str:
        self.drawn.append(name)
        return f"{name} {key}" + "x" * (self.weight - 1)


def test_a_picture_is_drawn_once_a_beat_and_only_as_far_as_it_differs() -> None:
    page = Page()
    picture = Picture(page.parts, "en")
    for _ in range(9):
        picture.refresh(1)
    assert (page.asked, page.drawn) == (1, ["bar", "t-3"])

    picture.refresh(2)
    assert (page.asked, page.drawn, picture.version) == (2, ["bar", "t-3"], 1)

    page.keys["t-3"] = "2"
    picture.refresh(3)
    assert page.drawn == ["bar", "t-3", "t-3"]
    assert picture.since(1) == {"t-3": "t-3 2"}
    assert picture.since(0) == {"bar": "bar 1", "t-3": "t-3 2"}
    assert picture.since(2) == {}


def test_pictures_that_nobody_looks_at_any_more_are_forgotten() -> None:
    pictures = Pictures(cast("Watch", Beats()))
    for number in range(live.PICTURES_MOST + 50):
        pictures.of(f"table {number}", "en", Page().parts)

    assert len(pictures._of) == live.PICTURES_MOST


async def streaming(beats: Beats, page: Page, session: Session, stack: AsyncExitStack) -> int:
    """A server that answers everything with that picture; its port."""
    pictures = Pictures(cast("Watch", beats))
    app = web.Application()

    async def stream(request: web.Request) -> web.StreamResponse:
        return await pictures.stream(request, session, "hall", page.parts, Picture(dict, "en"))

    app.add_routes([web.get("/", stream)])
    runner = web.AppRunner(app, shutdown_timeout=1)
    await runner.setup()
    stack.push_async_callback(runner.cleanup)
    site = web.TCPSite(runner, "127.0.0.1", 0)
    await site.start()
    return int(runner.addresses[0][1])


def a_session() -> Session:
    return Session("key", Actor("Sowa", "referee", served=True), "127.0.0.1", "en", "", 0, 0, "form")


VIEWERS = 200


def test_two_hundred_who_look_at_the_same_have_it_drawn_once_a_beat() -> None:
    async def run() -> None:
        beats, page = Beats(), Page()
        async with AsyncExitStack() as stack:
            port = await streaming(beats, page, a_session(), stack)
            client = await stack.enter_async_context(
                ClientSession(connector=TCPConnector(limit=0), timeout=ClientTimeout(None))
            )
            lives = [Live(await stack.enter_async_context(client.get(f"http://127.0.0.1:{port}/")))
                     for _ in range(VIEWERS)]  # fmt: skip
            firsts = await asyncio.gather(*(one.parts() for one in lives))
            assert firsts == [{"bar": "bar 1", "t-3": "t-3 1"}] * VIEWERS
            assert (page.asked, page.drawn) == (1, ["bar", "t-3"])
            for number in range(2, 6):
                page.keys["t-3"] = str(number)
                beats.stir()
                assert await asyncio.gather(*(one.parts() for one in lives)) == [{"t-3": f"t-3 {number}"}] * VIEWERS
                assert page.asked == number
            assert page.drawn == ["bar"] + ["t-3"] * 5

    asyncio.run(run())


def test_who_takes_nothing_is_hung_up_on_and_the_others_go_on(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(live, "SLOW_S", 0.3)

    async def run() -> None:
        beats, page, session = Beats(), Page(weight=DRAWN_MOST), a_session()
        async with AsyncExitStack() as stack:
            port = await streaming(beats, page, session, stack)
            slow = socket.create_connection(("127.0.0.1", port))
            stack.callback(slow.close)
            slow.sendall(b"GET / HTTP/1.1\r\nHost: localhost\r\n\r\n")
            client = await stack.enter_async_context(ClientSession(timeout=ClientTimeout(None), read_bufsize=1 << 22))
            quick = Live(await stack.enter_async_context(client.get(f"http://127.0.0.1:{port}/")))
            await quick.parts()
            async with asyncio.timeout(DEADLINE_S):
                while session.screens < 2:  # noqa: ASYNC110 -- nobody tells
                    await asyncio.sleep(0.01)
                number = 1
                while session.screens == 2:
                    number += 1
                    page.keys["bar"] = str(number)
                    beats.stir()
                    assert (await quick.parts())["bar"].startswith(f"bar {number}x")
            page.keys["t-3"] = "at last"
            beats.stir()
            assert "t-3" in await quick.parts()
            assert session.screens == 1

    asyncio.run(run())


def test_a_page_that_cannot_be_drawn_is_hung_up_on_and_the_others_go_on(caplog: pytest.LogCaptureFixture) -> None:
    async def run() -> None:
        beats, page = Beats(), Page()
        broken = Page()
        pictures = Pictures(cast("Watch", beats))

        async def stream(request: web.Request) -> web.StreamResponse:
            draw = broken.parts if request.path == "/broken" else page.parts
            return await pictures.stream(request, a_session(), request.path, draw, Picture(dict, "en"))

        async with AsyncExitStack() as stack:
            runner = web.AppRunner(web.Application(), shutdown_timeout=1)
            runner.app.add_routes([web.get("/{name}", stream)])
            await runner.setup()
            stack.push_async_callback(runner.cleanup)
            await web.TCPSite(runner, "127.0.0.1", 0).start()
            url = f"http://127.0.0.1:{runner.addresses[0][1]}"
            client = await stack.enter_async_context(ClientSession(timeout=ClientTimeout(None)))
            bad, good = [
                Live(await stack.enter_async_context(client.get(f"{url}/{name}"))) for name in ("broken", "hall")
            ]
            for one in (bad, good):
                await one.parts()
            broken.keys = cast("dict[str, str]", None)
            beats.stir()
            with suppress(ClientPayloadError):
                while await bad.said() is not None:
                    pass
            page.keys["t-3"] = "2"
            beats.stir()
            assert await good.parts() == {"t-3": "t-3 2"}

    asyncio.run(run())
    assert "a page cannot be drawn" in caplog.text


# --- the real pages -----


def test_a_fact_in_the_ledger_reaches_all_who_look_as_the_parts_that_it_changes(tmp_path: Path) -> None:
    async def story(rig: Rig) -> None:
        async with AsyncExitStack() as stack:
            lives = []
            for number in range(5):
                browser = await stack.enter_async_context(rig.browser())
                await browser.log_in("referee", f"Sowa {number}")
                lives.append(await stack.enter_async_context(browser.looking("/live/hall")))
            for one in lives:
                assert {"bar", "calls", "tables", "t-1", f"t-{QUIET}"} <= (await one.parts()).keys()
            played = quiet()
            before = len(played.facts)
            lay(played, D)

            rig.ledger.record([Report(fact, NOON, None) for fact in played.facts[before:]])
            for one in lives:
                parts = await one.parts()
                assert parts.keys() == {f"t-{QUIET}"}
                assert "move 5" in parts[f"t-{QUIET}"]

    play(tmp_path, story, event=hall(tmp_path))


def test_whoever_reads_the_standings_reads_them_anew_only_when_the_tournament_is_another(tmp_path: Path) -> None:
    async def story(rig: Rig) -> None:
        async with rig.browser() as browser:
            await browser.log_in("public")
            async with browser.looking("/live/public") as looking:
                assert "stamp" in await looking.parts()
                rig.ledger.decide("call_taken", {"table": 1, "call": "time_out"}, who="Wydra", when_ms=NOON, why="so")
                await rig.watch.read_on()
                made = rig.ledger.decide(
                    OPTION, {"key": "joker_points", "value": 30}, who="Wydra", when_ms=NOON, why="so"
                )
                await rig.watch.read_on()
                assert (await looking.parts())["stamp"] == str(made.cursor)

    with an_event(tmp_path) as event:
        path = event.ledger.path
    play(tmp_path, story, event=path)


def test_the_call_of_a_move_is_open_though_one_of_that_number_was_ruled_on_in_an_earlier_game(tmp_path: Path) -> None:
    async def story(rig: Rig) -> None:
        page = HallPage(rig.watch, rig.server._templates, "referee")
        calls = page.parts()["calls"].html()
        assert "rule" in calls
        assert "presses" not in calls
        assert "ruled" not in calls

    with an_event(tmp_path) as event:
        late_again(event)
        path = event.ledger.path
    play(tmp_path, story, event=path)


def test_nothing_is_sent_for_a_tick(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(watch, "LOOK_S", 0.01)
    clock = ManualClock(NOON_MS)

    async def story(rig: Rig) -> None:
        async with rig.browser() as browser:
            await browser.log_in("referee")
            page = HallPage(rig.watch, rig.server._templates, "referee")
            async with browser.looking("/live/hall") as looking:
                first = await looking.said()
                assert first is not None
                assert first["runs"] == 1.0
                before = {name: part.html() for name, part in page.parts().items()}
                for _ in range(20):
                    clock.time_ms += 100
                    await rig.watch.changed(rig.watch.beat)
                after = {name: part.html() for name, part in page.parts().items()}
                assert after != before, "times are others"
                rig.ledger.decide(EVENT, {"name": "Liga"}, who="Wydra", when_ms=NOON_MS, why="so", subject="event")
                await rig.watch.read_on()
                second = await looking.said()
                assert second is not None
                assert second["parts"].keys() == {"bar"}, "the next that is sent is the next that has changed"
                assert second["now"] == first["now"] + 2_000

    with evening() as now:
        play(tmp_path, story, event=now.ledger.path, desk=now.connect, clock=clock)


def test_a_page_that_is_quiet_hears_that_the_server_is_there(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(live, "PULSE_S", 0.05)

    async def story(rig: Rig) -> None:
        async with rig.browser() as browser:
            await browser.log_in("public")
            async with browser.looking("/live/public") as looking:
                assert await looking.parts()
                for _ in range(3):
                    said = await looking.said()
                    assert said is not None
                    assert said["parts"] == {}

    play(tmp_path, story)


@pytest.mark.parametrize("path", ["/live/hall", "/live/table/1", "/live/public"])
def test_when_the_session_ends_its_page_is_told_and_hung_up_on(tmp_path: Path, path: str) -> None:
    async def story(rig: Rig) -> None:
        async with rig.browser() as browser, rig.browser() as other:
            await browser.log_in("referee")
            await other.log_in("organiser", "Borsuk")
            async with browser.looking(path) as ended, other.looking(path) as stays:
                await ended.parts()
                await stays.parts()
                await browser.post("/logout")
                await ended.over()
                await other.act("set_option", fields={"key": "name", "value": "Liga"}, sure="yes")
                assert await stays.parts()
            assert (await browser.get(path)).status == HTTPStatus.UNAUTHORIZED

    play(tmp_path, story, event=hall(tmp_path))


def test_everybody_is_logged_out_by_an_organiser_and_told_why(tmp_path: Path) -> None:
    async def story(rig: Rig) -> None:
        async with rig.browser() as one, rig.browser() as other:
            await one.log_in("organiser", "Borsuk")
            await other.log_in("referee", "Lis")
            async with one.looking("/live/hall") as mine, other.looking("/live/hall") as theirs:
                await one.act("end_sessions", fields={"role": "everybody"}, sure="yes")
                for looking, browser in ((mine, one), (theirs, other)):
                    await looking.over()
                    answer = await browser.get("/session")
                    assert (answer.status, (await answer.json())["why"]) == (HTTPStatus.UNAUTHORIZED, "ended")
                    assert (await browser.get("/")).headers["Location"] == "/login?over=ended"
        assert [line["why"] for line in rig.lines if line.get("log") == "out"] == ["ended", "ended"]
        assert [line["name"] for line in rig.lines if line.get("act") == "end_sessions"] == ["Borsuk"]

    play(tmp_path, story, event=hall(tmp_path))


def test_one_role_is_logged_out_and_the_other_stays(tmp_path: Path) -> None:
    async def story(rig: Rig) -> None:
        async with rig.browser() as one, rig.browser() as other:
            await one.log_in("organiser", "Borsuk")
            await other.log_in("public")
            await one.act("end_sessions", fields={"role": "public"}, sure="yes")
            await logged_out(other)
            assert (await one.get("/session")).status == HTTPStatus.OK

    play(tmp_path, story)


def test_a_changed_password_ends_that_role_s_pages_alone(tmp_path: Path) -> None:
    async def story(rig: Rig) -> None:
        async with rig.browser() as one, rig.browser() as other:
            await one.log_in("referee")
            await other.log_in("organiser")
            async with one.looking("/live/hall") as looking:
                rig.passwords.set("referee", "cztery lisy w lesie")
                await looking.over()
            assert (await one.get("/")).headers["Location"] == "/login?over=password"
            assert (await other.get("/session")).status == HTTPStatus.OK

    play(tmp_path, story)


def test_a_server_that_stops_tells_whoever_looks(tmp_path: Path) -> None:
    async def story(rig: Rig) -> None:
        async with rig.browser() as browser:
            await browser.log_in("referee")
            async with browser.looking("/live/hall") as looking:
                await looking.parts()
                closing = asyncio.create_task(rig.server.close())
                await looking.over()
                await closing

    play(tmp_path, story, event=hall(tmp_path))


def test_a_page_that_goes_away_is_looked_at_no_more(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(live, "PULSE_S", 0.05)

    async def story(rig: Rig) -> None:
        async with rig.browser() as browser:
            await browser.log_in("referee")
            (session,) = rig.server.sessions._of.values()
            async with browser.looking("/live/hall") as looking:
                await looking.parts()
                assert session.screens == 1
                looking.answer.close()
            async with asyncio.timeout(DEADLINE_S):
                while session.screens:
                    rig.watch.stir()
                    await asyncio.sleep(0.01)
            assert not session.watchers

    play(tmp_path, story, event=hall(tmp_path))


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

    play(tmp_path, story)
    assert "a sweep failed" in caplog.text


# --- languages -----


@pytest.mark.parametrize("again", range(3))
def test_three_who_look_at_the_same_instant_read_it_each_in_their_own_language(tmp_path: Path, again: int) -> None:
    spoken = {"en": "nobody has to wait", "pl": "nikt nie czeka", "it": "nessuno"}
    speaks = {"en": "Tables", "pl": "Stoliki", "it": "Tavoli"}
    order = list(speaks)[again:] + list(speaks)[:again]

    async def story(rig: Rig) -> None:
        async with AsyncExitStack() as stack:
            browsers = {}
            for language in order:
                browsers[language] = await stack.enter_async_context(rig.browser())
                await browsers[language].log_in("referee", "Sowa", lang=language)
            pages = await asyncio.gather(*(browsers[language].page("/hall") for language in order))
            for language, page in zip(order, pages, strict=True):
                assert f'<html lang="{language}"' in page
                assert f"<h2>{speaks[language]}</h2>" in page
                assert [other for other in speaks if f"<h2>{speaks[other]}</h2>" in page] == [language]
            lives = [await stack.enter_async_context(browsers[one].looking("/live/hall")) for one in order]
            said = await asyncio.gather(*(one.parts() for one in lives))
            for language, parts in zip(order, said, strict=True):
                assert [one for one in spoken if spoken[one] in parts["calls"].lower()] == [language], parts["calls"]

    play(tmp_path, story)


def test_who_chooses_another_language_reads_it_and_nobody_else_does(tmp_path: Path) -> None:
    async def story(rig: Rig) -> None:
        async with rig.browser() as one, rig.browser() as other:
            for browser in (one, other):
                await browser.log_in("referee", lang="en")
            await one.send("/manner", {"lang": "it", "look": "contrast", "path": "/hall"}, "/hall")
            page = await one.page("/hall")
            assert '<html lang="it" data-look="contrast">' in page
            assert '<html lang="en">' in await other.page("/hall")

    play(tmp_path, story)


@pytest.mark.parametrize(
    "path", ["/live/public", "/live/hall", "/live/table/3", "/live/phones", "/live/answer/3/time_out"]
)
def test_whoever_asks_only_for_the_head_of_what_is_live_gets_no_body_that_breaks_the_connection(
    tmp_path: Path, path: str
) -> None:
    async def story(rig: Rig) -> None:
        async with rig.browser() as browser:
            await browser.log_in("organiser")

            answer = await browser.ask("HEAD", path, {})

            assert answer.status == HTTPStatus.METHOD_NOT_ALLOWED
            assert (await browser.get("/hall")).status == HTTPStatus.OK

    play(tmp_path, story)
