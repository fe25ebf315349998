"""A phone without a screen does what the page's own script does: it looks, hears of news, and reads them."""

from __future__ import annotations

import asyncio
import random
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

import pytest

from bench import crowd
from dalej.domain.tournament.tournament import GameAt
from dalej.event.event import Event
from tests import world
from tests.web.halls import league
from tests.web.rig import DEADLINE_S, SECRETS, Rig, play


async def until(true: Callable[[], object]) -> None:
    async with asyncio.timeout(DEADLINE_S):
        while not true():  # noqa: ASYNC110 -- nobody tells
            await asyncio.sleep(0.02)


def test_a_viewer_hears_of_each_result_once_and_reads_the_page_anew(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(crowd, "SPREAD_S", 0.01)

    async def story(rig: Rig) -> None:
        viewer = crowd.Viewer(rig.url, "127.0.0.1", random.Random(1))
        await viewer.come_in("public", SECRETS["public"])
        looking = asyncio.create_task(viewer.look("/standings", "/live/public"))
        await asyncio.wait_for(viewer.there.wait(), DEADLINE_S)
        assert viewer.told == []
        event = Event(rig.ledger, who="Wydra", wall_ms=world.at_noon)
        for game in (1, 2):
            world.play(event, random.Random(game), [GameAt(1, game)])
            await rig.watch.read_on()
            await until(lambda game=game: len(viewer.read) == game)  # type: ignore[misc]  # mypy infers no such lambda
        assert len(viewer.told) == 2
        assert not viewer.gone
        looking.cancel()
        with suppress(asyncio.CancelledError):
            await looking
        assert viewer.gone

    play(tmp_path, story, event=league(tmp_path))


def test_who_is_not_let_in_says_what_the_server_answered(tmp_path: Path) -> None:
    async def story(rig: Rig) -> None:
        with pytest.raises(ConnectionError, match="403"):
            await crowd.Viewer(rig.url, "127.0.0.1", random.Random(1)).come_in("public", "not that one")

    play(tmp_path, story)
