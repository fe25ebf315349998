"""docs/phones.md, line by line: the real program, seven phones, an evening of a league."""

from __future__ import annotations

import asyncio
import subprocess
from pathlib import Path
from typing import Final

import pytest

from dalej.event import eventlog
from dalej.event.ledger import Ledger
from dalej.event.reading import read
from moveclock import facts as k
from tests.documents import ROOT, commands
from tests.phones.playing import begins, moves, nothing_unsent
from tests.phones.program import DEADLINE_S, NO_KEYRING, codes, environment, program, the_desk
from tests.phones.scripted import ScriptedPhone
from tests.waiting import until
from tests.world import event_file

TABLES: Final = range(1, 8)
MOVES: Final = 4
PAGES: Final = (ROOT / "docs" / "phones.md", ROOT / "docs" / "pl" / "phones.md")


@pytest.mark.parametrize("page", PAGES, ids=["en", "pl"])
def test_an_evening_of_a_league_is_played_on_seven_phones_as_the_page_says(page: Path, tmp_path: Path) -> None:
    (_, run), (_, sheets), _clock = commands(page)
    event_file(tmp_path, 4 * len(TABLES), file="evening.dalej")

    async def evening() -> None:
        async with asyncio.timeout(DEADLINE_S), the_desk(tmp_path, run) as desk:
            done = await asyncio.to_thread(
                subprocess.run, program(sheets), cwd=tmp_path, env=environment(tmp_path), check=True,
                capture_output=True, timeout=DEADLINE_S,
            )  # fmt: skip
            assert b"codes.pdf is written" in done.stdout
            assert (tmp_path / "codes.pdf").read_bytes()[:5] == b"%PDF-"

            drawn = codes(tmp_path)
            assert sorted(drawn) == [*TABLES]
            phones = [ScriptedPhone(desk.url, code) for code in drawn.values()]
            for phone in phones:
                await phone.load()
            for phone in phones:
                await until(lambda each=phone: each.state == k.READY, "a game to be set up")  # type: ignore[misc]
            await asyncio.gather(*map(begins, phones))
            await asyncio.gather(*(moves(phone, MOVES) for phone in phones))
            await asyncio.gather(*map(nothing_unsent, phones))
            await asyncio.gather(*(phone.close() for phone in phones))

    with pytest.MonkeyPatch.context() as patched:
        for name, value in NO_KEYRING.items():
            patched.setenv(name, value)
        asyncio.run(evening())
    with Ledger.open(tmp_path / "evening.dalej") as ledger:
        reading = read(ledger)
        told = [(one.table, one.turn.move) for one in eventlog.turns(reading) if one.turn.how]
        assert sorted(told) == [(table, move) for table in TABLES for move in range(1, MOVES + 1)]
        assert list(eventlog.problems(reading)) == []
