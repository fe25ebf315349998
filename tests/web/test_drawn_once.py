"""What hundreds ask for at once is drawn for the first of them, and what never changes travels packed."""

from __future__ import annotations

import random
from http import HTTPStatus
from pathlib import Path
from typing import Any

import pytest

from dalej.domain.tournament.tournament import GameAt
from dalej.event.event import Event
from dalej.views import publicpeople
from dalej.web import publicpage
from tests import world
from tests.web.halls import league
from tests.web.rig import Browser, Rig, play

HERE = {"Dalej-Here": "1", "Accept": "text/html"}


async def read_anew(browser: Browser, path: str) -> str:
    answer = await browser.ask("GET", path, HERE)
    assert answer.status == HTTPStatus.OK
    return await answer.text()


async def enter(rig: Rig, game: int) -> None:
    """The result of that game at table 1."""
    event = Event(rig.ledger, who="Wydra", wall_ms=world.at_noon)
    world.play(event, random.Random(game), [GameAt(1, game)])
    await rig.watch.read_on()


@pytest.mark.parametrize("path", ["/find", "/find?q=lis", "/me/1", "/standings", "/wall"])
def test_a_page_that_is_read_anew_is_what_stands_in_the_whole_page(tmp_path: Path, path: str) -> None:
    async def story(rig: Rig) -> None:
        await enter(rig, 1)
        async with rig.browser() as browser:
            await browser.log_in("public")
            here = await read_anew(browser, path)
            page = await browser.page(path)
        assert "<html" not in here
        assert here.strip()
        assert f'<div id="here">{here}</div>' in page

    play(tmp_path, story, event=league(tmp_path))


def test_what_many_read_anew_is_drawn_once_for_each_language_until_it_is_another(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    drawn: list[Any] = []
    rankings_of = publicpeople.rankings_of

    def noting(state: Any) -> Any:
        drawn.append(state)
        return rankings_of(state)

    monkeypatch.setattr(publicpage, "rankings_of", noting)

    async def story(rig: Rig) -> None:
        async with rig.browser() as one, rig.browser() as other, rig.browser() as italian:
            await one.log_in("public", lang="en")
            await other.log_in("public", lang="en")
            await italian.log_in("public", lang="it")
            before = [await read_anew(browser, "/standings") for browser in (one, other, italian)]
            assert before[0] == before[1]
            assert "No results yet." in before[0]
            assert "No results yet." not in before[2]
            assert len(drawn) == 2
            await enter(rig, 1)
            after = [await read_anew(browser, "/standings") for browser in (one, other)]
            assert after[0] == after[1] != before[0]
            assert len(drawn) == 3

    play(tmp_path, story, event=league(tmp_path))


def test_what_is_read_anew_is_for_those_alone_who_are_logged_in(tmp_path: Path) -> None:
    async def story(rig: Rig) -> None:
        async with rig.browser() as browser, rig.browser() as stranger:
            await browser.log_in("public")
            await read_anew(browser, "/standings")
            assert (await stranger.ask("GET", "/standings", HERE)).status == HTTPStatus.SEE_OTHER
            assert (await browser.ask("GET", "/me/999", HERE)).status == HTTPStatus.NOT_FOUND

    play(tmp_path, story, event=league(tmp_path))


@pytest.mark.parametrize(
    ("file", "kind"),
    [("dalej.css", "text/css"), ("live.js", "text/javascript"), ("icon.svg", "image/svg+xml")],
)
def test_a_file_of_the_pages_travels_packed_where_a_browser_takes_it_so_and_once(
    tmp_path: Path, file: str, kind: str
) -> None:
    async def story(rig: Rig) -> None:
        async with rig.browser() as browser:
            packed = await browser.ask("GET", f"/assets/{file}", {"Accept-Encoding": "gzip"})
            plain = await browser.ask("GET", f"/assets/{file}", {"Accept-Encoding": "identity"})
            again = await browser.ask("GET", f"/assets/{file}", {"If-None-Match": plain.headers["ETag"]})
        assert await packed.text() == await plain.text()
        assert int(packed.headers["Content-Length"]) < int(plain.headers["Content-Length"])
        assert (packed.headers["Content-Encoding"], plain.headers.get("Content-Encoding")) == ("gzip", None)
        assert packed.content_type == plain.content_type == kind
        assert again.status == HTTPStatus.NOT_MODIFIED

    play(tmp_path, story)


def test_a_page_which_holds_the_token_of_its_forms_never_travels_packed(tmp_path: Path) -> None:
    async def story(rig: Rig) -> None:
        async with rig.browser() as browser:
            await browser.log_in("public")
            answer = await browser.ask("GET", "/standings", {"Accept-Encoding": "gzip", "Accept": "text/html"})
        assert "Content-Encoding" not in answer.headers

    play(tmp_path, story, event=league(tmp_path))
