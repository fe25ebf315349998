"""The pictures of the README: a simulated hall at one instant, as the screens draw it, with clock and blinking frozen.

`python -m tools.pictures` says which of docs/pictures, and of the plain texts that the tests compare, are not what the
code draws now; `--update` writes them; `--all FOLDER` writes every scene of tests/tui/gallery.py in every size there as
SVG, to look at; names of scenes after it, those. The pictures of a browser are made by `python -m tools.browser`.
"""

from __future__ import annotations

import asyncio
import sys
import tempfile
from collections.abc import AsyncIterator, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC
from pathlib import Path
from typing import Final

from dalej.clock import ManualClock
from dalej.desk.feed.messages import PROTOCOL, FromScreen, Look, Pulse, TableHeard, Take, ToScreen, Welcome
from dalej.event import eventlog
from dalej.event.ledger import Ledger
from dalej.rulesets.rulebook import load
from dalej.simulator.hall import Hall
from dalej.simulator.living import LIVELY, Living
from dalej.simulator.roundplayed import hall_of_round, round_of
from dalej.tui.app import HallApp, make_app
from dalej.tui.feed import TableChosen
from dalej.words import speak
from tests.tui import gallery, storing
from tests.world import event_file
from tools.svg import plain_svg

PICTURES: Final = Path(__file__).parents[1] / "docs" / "pictures"
RULESET: Final = "school-league"
SEED: Final = 6
TABLES: Final = 6
NOON_MS: Final = 1_795_262_400_000  # of the evening, by the clock on the wall
FROM_MS, UNTIL_MS, STEP_MS = 240_000, 1_800_000, 250  # where in the evening to look for an instant worth a picture
KINDS: Final = 3  # different things that wait at once
DEADLINE_S: Final = 30
BROWSERS: Final = ".png"  # what tools.browser writes: no two browsers paint letters alike, so nothing compares them
SIZES: Final = {"hall": (80, 24), "hall-wide": (200, 60), "table": (80, 24), "table-wide": (200, 60)}


@dataclass(frozen=True, slots=True)
class Evening:
    """A simulated hall that stands still at an instant, and what is needed to look at it."""

    ledger: Ledger
    hall: Hall
    living: Living
    clock: ManualClock

    def app(self) -> HallApp:
        """A screen on it."""
        return make_app(
            self.ledger, load(RULESET), self.connect, ManualClock(NOON_MS), event_name="demo", frozen=True, zone=UTC
        )  # fmt: skip

    async def connect(self) -> _Listener:
        """As to a live desk."""
        return _Listener(self)


class _Listener:
    """What the desk says at that instant, once."""

    def __init__(self, evening: Evening) -> None:
        self._evening = evening
        self._wishes: asyncio.Queue[FromScreen] = asyncio.Queue()

    async def messages(self) -> AsyncIterator[ToScreen]:
        evening = self._evening
        now_ms = evening.clock.now_ms()
        yield Welcome(PROTOCOL, "demo", simulated=True)
        for heard in evening.hall.desk.heard_since(0):
            yield TableHeard(heard)
        yield Pulse(now_ms, evening.clock.wall_ms(), 1.0, evening.ledger.head())
        while True:
            wish = await self._wishes.get()
            if isinstance(wish, Take):
                evening.living.wish(1, wish)
            if isinstance(wish, Look | Take) and wish.table:
                yield evening.living.face(1, wish.table)

    async def send(self, message: FromScreen) -> None:
        self._wishes.put_nowait(message)

    async def close(self) -> None:
        """Nothing to hang up."""


@contextmanager
def evening(name: str = "") -> Iterator[Evening]:
    """The first instant of the evening at which enough waits for a person, and a time is running out: of invented
    people, with `name` of an event of that name whose round is seated.
    """
    clock = ManualClock(NOON_MS)
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "demo.dalej"
        if name:
            event_file(Path(folder), 4 * TABLES, file=path.name, name=name, wall_ms=clock.wall_ms)
        with Ledger.open(path) if name else Ledger.create(path) as ledger:
            if name:
                hall = hall_of_round(ledger, round_of(ledger), clock, seed=SEED, habits=LIVELY)
            else:
                eventlog.choose_ruleset(ledger, RULESET, who="demo", when_ms=NOON_MS)
                hall = Hall(ledger, load(RULESET), clock, tables=TABLES, moves=None, seed=SEED, habits=LIVELY)
            yield _at_an_instant(ledger, hall, clock)
            hall.desk.close()


def _at_an_instant(ledger: Ledger, hall: Hall, clock: ManualClock) -> Evening:
    living = Living(hall, ManualClock())
    hall.world.run_until(FROM_MS)
    while hall.world.now_ms < UNTIL_MS and len(_alarms(hall)) < KINDS:
        hall.world.run_until(hall.world.now_ms + STEP_MS)
    return Evening(ledger, hall, living, clock)


def _alarms(hall: Hall) -> set[int]:
    told = [heard.told for heard in hall.desk.heard_since(0)]
    return {told.alarm for told in told if told is not None and told.alarm}


async def drawn(app: HallApp, size: tuple[int, int], table: int = 0) -> str:
    """The screen as SVG; with `table`, that table's screen."""
    async with app.run_test(size=size) as pilot, asyncio.timeout(DEADLINE_S):
        while not (app.feed.live and app.feed.caught_up.is_set()):
            await pilot.pause()
        if table:
            app.post_message(TableChosen(table))
            while app.feed.face is None:
                await pilot.pause()
        app.look_again()
        before, picture = "", "-"
        while picture != before:
            await pilot.pause()
            before, picture = picture, plain_svg(app.export_screenshot(simplify=True))
        return picture


def pictures() -> dict[Path, str]:
    """Every picture of the README under its file."""
    with evening() as now:
        table = next(iter(now.hall.tables))
        return {
            PICTURES / f"{name}.svg": asyncio.run(drawn(now.app(), size, table if name.startswith("table") else 0))
            for name, size in SIZES.items()
        }


async def _gallery() -> dict[Path, str]:
    """What is stored of every scene."""
    files: dict[Path, str] = {}
    for name in gallery.GALLERY:
        files |= await storing.drawn(name)
    return files


async def look_at(folder: Path, names: Sequence[str]) -> None:
    """Those scenes, all if none is named, in every size."""
    for name in names or gallery.GALLERY:
        for size in gallery.SIZES:
            async with gallery.GALLERY[name](size) as stage:
                picture = stage.app.export_screenshot(simplify=True)
            (folder / f"{name}-{size[0]}x{size[1]}.svg").write_text(plain_svg(picture), encoding="utf-8")


def main(update: bool) -> int:
    """Compare, or write; exit code 1 if a picture is not what the code draws."""
    different = 0
    drawn_now = {**pictures(), **asyncio.run(_gallery())}
    for file, picture in drawn_now.items():
        if file.exists() and file.read_text(encoding="utf-8") == picture:
            continue
        different += 1
        if update:
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(picture, encoding="utf-8", newline="\n")
        print(f"{file.name} {'is written' if update else 'is not what the code draws'}")
    stored = {*storing.FOLDER.iterdir(), *(one for one in PICTURES.iterdir() if one.suffix != BROWSERS)}
    for file in sorted(stored - drawn_now.keys()):
        different += 1
        if update:
            file.unlink()
        print(f"{file.name} {'is deleted' if update else 'is'}: no scene has it")
    if different and not update:
        print("python -m tools.pictures --update writes them; look at them before you commit them")
    return 1 if different and not update else 0


if __name__ == "__main__":
    speak("en")
    arguments = sys.argv[1:]
    if arguments[:1] == ["--all"] and len(arguments) > 1:
        Path(arguments[1]).mkdir(parents=True, exist_ok=True)
        asyncio.run(look_at(Path(arguments[1]), arguments[2:]))
    else:
        sys.exit(main("--update" in arguments))
