"""Hall, screen and ledger as processes of their own: each may be killed, and what is shown is what the ledger holds."""

from __future__ import annotations

import asyncio
import json
import os
import re
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

import pytest

from dalej.desk.feed.client import connect
from dalej.desk.feed.messages import Take, Tap
from dalej.domain.game.facts import SEATS
from dalej.event.eventlog import tables
from dalej.event.ledger import Ledger
from dalej.event.reading import read
from moveclock import facts as k
from tests.processes import WITHIN_S, bounded

ROOT: Final = Path(__file__).parents[2]
LOOKS: Final = 400  # each takes 50 ms or a little more
TABLES: Final = 4
ROW: Final = re.compile(r"\W*(\d+) ([ABCD]) ")
BEGINS: Final = ("game_started", "move_started", "move_restarted")
Picture = list[str]


class Screen:
    """A hall screen in a process."""

    def __init__(self, process: subprocess.Popen[str]) -> None:
        self.process = process

    def look(self) -> Picture:
        """What it shows now."""
        assert self.process.stdin is not None
        assert self.process.stdout is not None
        self.process.stdin.write("\n")
        self.process.stdin.flush()
        with bounded(self.process):
            picture: Picture = json.loads(self.process.stdout.readline())
        return picture

    def shows(self, what: Callable[[Picture], bool]) -> Picture:
        """Look until it shows that."""
        for _ in range(LOOKS):
            picture = self.look()
            if what(picture):
                return picture
        raise AssertionError("\n".join(picture))


@contextmanager
def process(*arguments: str) -> Iterator[subprocess.Popen[str]]:
    environment = {**os.environ, "LANGUAGE": "en", "PYTHONIOENCODING": "utf-8"}
    with subprocess.Popen(
        [sys.executable, "-m", *arguments], cwd=ROOT, env=environment, text=True, encoding="utf-8",
        stdin=subprocess.PIPE, stdout=subprocess.PIPE,
    ) as started:  # fmt: skip
        try:
            yield started
        finally:
            started.kill()


@contextmanager
def screen(event: Path) -> Iterator[Screen]:
    with process("tests.whole.screen_process", str(event)) as started:
        yield Screen(started)


@contextmanager
def hall(event: Path) -> Iterator[subprocess.Popen[str]]:
    """A hall that keeps a link to every table."""
    count = str(TABLES)
    with process(
        "dalej", "demo", "--no-screen", "--tables", count, "--links", count, "--event", str(event)
    ) as started:  # fmt: skip
        assert started.stdout is not None
        with bounded(started):
            assert started.stdout.readline()
        yield started


def shown(picture: Picture) -> dict[int, tuple[str, int]]:
    """Table -> whose move it is and its number, as the picture says; without tables whose log is known to lag."""
    heading = next((line for line in picture if "player" in line), "")
    end = heading.find("move") + len("move")
    found = {}
    for line in picture:
        row, move = ROW.match(line), line[:end].split()[-1:]
        if row is not None and move and move[0].isdigit():
            found[int(row[1])] = row[2], int(move[0])
    return found


def recorded(event: Path) -> dict[int, tuple[str, int]]:
    """The same, as the ledger says."""
    stands: dict[int, tuple[str, int]] = {}
    with Ledger.open(event) as ledger:
        number = tables(read(ledger))
        for reported in read(ledger).facts():
            fact = reported.fact
            if fact.name in BEGINS:
                stands[number[fact.box]] = (SEATS[fact.seat], fact.move)
    return stands


def agrees(picture: Picture, event: Path) -> bool:
    """Whether the picture shows all tables, but for one that may be out of reach just now, as the ledger has them."""
    rows, truth = shown(picture), recorded(event)
    return len(rows) >= TABLES - 1 and all(truth[table] == row for table, row in rows.items())


def is_live(picture: Picture) -> bool:
    return any("● live" in line for line in picture)


@pytest.fixture(scope="module")
def event(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """An event whose hall is live."""
    path = tmp_path_factory.mktemp("hall") / "hall.dalej"
    with hall(path) as running:
        yield path
        assert running.poll() is None


def test_a_screen_that_was_killed_and_started_again_shows_the_same_hall(event: Path) -> None:
    with screen(event) as first:
        first.shows(lambda picture: is_live(picture) and agrees(picture, event))
        first.process.kill()
        first.process.wait(WITHIN_S)
    with screen(event) as second:
        second.shows(lambda picture: is_live(picture) and agrees(picture, event))


def test_a_screen_whose_hall_was_killed_says_so_and_keeps_what_is_recorded(tmp_path: Path) -> None:
    event = tmp_path / "hall.dalej"
    with hall(event) as running, screen(event) as one:
        one.shows(is_live)
        running.kill()
        running.wait(WITHIN_S)

        last = one.shows(lambda picture: any("NO LIVE DESK" in line for line in picture))

        assert not is_live(last)
        one.shows(lambda picture: agrees(picture, event))
        with screen(event) as other:
            other.shows(lambda picture: agrees(picture, event))
            assert not is_live(other.look())


def test_what_one_screen_plays_another_one_shows(event: Path) -> None:
    def is_called(picture: Picture) -> bool:
        return any("table 3" in line and "referee called" in line for line in picture)

    async def call_a_referee() -> None:
        live = await connect(event)
        try:
            await live.send(Take(3, True))
            await live.send(Tap(3, k.SEDZIA, True))
            await asyncio.to_thread(one.shows, is_called)
        finally:
            await live.close()

    with screen(event) as one:
        one.shows(is_live)
        asyncio.run(call_a_referee())
