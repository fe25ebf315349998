"""What a page sends by itself is acted on once, however often it is sent, and answered alike."""

from __future__ import annotations

import asyncio
import json
from http import HTTPStatus
from pathlib import Path
from typing import Final

from aiohttp import ClientResponse

from dalej.web.sendings import GO, HEADER, MOST
from tests.web.halls import LATE, hall
from tests.web.reading import decided
from tests.web.rig import Browser, Rig, play

NAME: Final = "0123456789abcdef" * 2
KNOWN: Final = json.dumps({"table": LATE, "call": "time_out"})


async def sends(browser: Browser, act: str, name: str, **fields: str) -> ClientResponse:
    sent = {"token": await browser.form("/acts"), "args": KNOWN, "seen": "0", **fields}
    return await browser.ask("POST", f"/act/{act}", {"Origin": browser.url, "Accept": "text/html", HEADER: name}, sent)


def test_what_is_sent_twice_under_one_name_is_done_once_and_both_are_told_where_to_go(tmp_path: Path) -> None:
    async def story(rig: Rig) -> None:
        async with rig.browser() as sowa:
            await sowa.log_in("referee", "Sowa")
            answers = await asyncio.gather(*(sends(sowa, "rule", NAME, verdict="undone", why="seen by the referee")
                                             for _ in range(3)))  # fmt: skip
        assert [(one.status, one.headers[GO]) for one in answers] == [(HTTPStatus.NO_CONTENT, f"/table/{LATE}")] * 3
        assert decided(rig.ledger, "ruling") == ["Sowa (referee)"]

    play(tmp_path, story, event=hall(tmp_path))


def test_a_refusal_is_read_on_a_page_of_its_own_by_who_has_sent_it_and_by_nobody_else(tmp_path: Path) -> None:
    async def story(rig: Rig) -> None:
        async with rig.browser() as sowa, rig.browser() as lis:
            await sowa.log_in("referee", "Sowa")
            await lis.log_in("referee", "Lis")
            answer = await sends(sowa, "rule", NAME, verdict="nonsense")
            read = await sowa.get(answer.headers[GO], Accept="text/html")
            other = await lis.get(answer.headers[GO], Accept="text/html")
        assert answer.headers[GO] == f"/sent/{NAME}"
        assert read.status == HTTPStatus.UNPROCESSABLE_ENTITY
        assert 'class="problem"' in await read.text()
        assert (other.status, other.headers["Location"]) == (HTTPStatus.SEE_OTHER, "/")

    play(tmp_path, story, event=hall(tmp_path))


def test_of_a_session_the_last_ones_are_kept_and_a_name_that_is_none_is_refused(tmp_path: Path) -> None:
    async def story(rig: Rig) -> None:
        async with rig.browser() as sowa:
            await sowa.log_in("referee", "Sowa")
            first, *_rest, last = [await sends(sowa, "rule", f"{one:032x}") for one in range(MOST + 1)]
            gone, kept = [await sowa.get(one.headers[GO], Accept="text/html") for one in (first, last)]
            assert (await sends(sowa, "rule", "../etc")).status == HTTPStatus.BAD_REQUEST
        assert (gone.status, kept.status) == (HTTPStatus.SEE_OTHER, HTTPStatus.UNPROCESSABLE_ENTITY)

    play(tmp_path, story, event=hall(tmp_path))
