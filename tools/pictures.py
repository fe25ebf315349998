"""The pictures of the README: a simulated hall at one instant, as the screens draw it, with clock and blinking frozen.

`python -m tools.pictures` says which of docs/pictures, and of the plain texts that the tests compare, are not what the
code draws now; `--update` writes them.
"""

from __future__ import annotations

import asyncio
import html
import re
import sys
import tempfile
from collections.abc import AsyncIterator, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC
from pathlib import Path
from typing import Final

from rich.cells import cell_len

from dalej import eventlog
from dalej.clock import ManualClock
from dalej.ledger import Ledger
from dalej.live.messages import PROTOCOL, FromScreen, Look, Pulse, TableHeard, Take, ToScreen, Welcome
from dalej.rulebook import load
from dalej.simulated.hall import Hall
from dalej.simulated.living import LIVELY, Living
from dalej.tui.app import HallApp, make_app
from dalej.tui.messages import TableChosen
from dalej.words import speak
from tests.tui import scenes

PICTURES: Final = Path(__file__).parents[1] / "docs" / "pictures"
RULESET: Final = "school-league"
SEED: Final = 6
TABLES: Final = 6
NOON_MS: Final = 1_795_262_400_000  # of the evening, by the clock on the wall
FROM_MS, UNTIL_MS, STEP_MS = 240_000, 1_800_000, 250  # where in the evening to look for an instant worth a picture
KINDS: Final = 3  # different things that wait at once
DEADLINE_S: Final = 30
SIZES: Final = {"hall": (80, 24), "hall-wide": (200, 60), "table": (80, 24), "table-wide": (200, 60)}
_BLANK: Final = "&#160;"
_FAMILY: Final = "DejaVu Sans Mono, Menlo, Consolas, monospace"
_FONT: Final = re.compile(r"@font-face \{.*?\}\s*|<!--.*?-->\s*", re.DOTALL)
_RECT: Final = re.compile(r'<rect fill="([^"]*)" x="([^"]*)" y="([^"]*)" width="([^"]*)" height="([^"]*)" ([^>]*)/>')
_RECTS: Final = re.compile(rf"(?:{_RECT.pattern})+")
_TEXT: Final = re.compile(r'<text class="([^"]*)" x="([^"]*)" y="([^"]*)" textLength="([^"]*)" ([^>]*)>([^<]*)</text>')


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
def evening() -> Iterator[Evening]:
    """The first instant of the evening at which enough waits for a person, and a time is running out."""
    with tempfile.TemporaryDirectory() as folder, Ledger.create(Path(folder) / "demo.dalej") as ledger:
        eventlog.choose_ruleset(ledger, RULESET, who="demo", when_ms=NOON_MS)
        clock = ManualClock(NOON_MS)
        hall = Hall(ledger, load(RULESET), clock, tables=TABLES, moves=None, seed=SEED, habits=LIVELY)
        living = Living(hall, ManualClock())
        hall.world.run_until(FROM_MS)
        while hall.world.now_ms < UNTIL_MS and len(_alarms(hall)) < KINDS:
            hall.world.run_until(hall.world.now_ms + STEP_MS)
        yield Evening(ledger, hall, living, clock)
        hall.desk.close()


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


def plain_svg(svg: str) -> str:
    """Without fonts from elsewhere, and without blanks at the ends of texts, which not every program keeps.

    How a line was cut into pieces, and a name made of that, depends on what was drawn before: both are made alike.
    """
    svg = _TEXT.sub(_trimmed, _RECTS.sub(_joined, _FONT.sub("", svg)))
    return re.sub(r"terminal-\d+", "hall", svg).replace("Fira Code, monospace", _FAMILY)


def _joined(rects: re.Match[str]) -> str:
    """Neighbours of one colour as one."""
    joined: list[list[str]] = []
    for fill, x, y, width, height, rest in _RECT.findall(rects.group()):
        if joined and (fill, y) == (joined[-1][0], joined[-1][2]):
            joined[-1][3] = f"{float(x) + float(width) - float(joined[-1][1]):g}"
        else:
            joined.append([fill, x, y, width, height, rest])
    return "\n".join(
        f'<rect fill="{fill}" x="{x}" y="{y}" width="{width}" height="{height}" {rest}/>'
        for fill, x, y, width, height, rest in joined
    )


def _trimmed(text: re.Match[str]) -> str:
    look, x, y, length, rest, said = text.groups()
    letters = html.unescape(said).replace("\n", "")
    if not letters.strip():
        return ""
    cell = float(length) / cell_len(letters)
    left = float(x) + cell * (len(letters) - len(letters.lstrip()))
    while said.startswith(_BLANK):
        said = said.removeprefix(_BLANK)
    while said.endswith(_BLANK):
        said = said.removesuffix(_BLANK)
    width = cell * cell_len(letters.strip())
    return f'<text class="{look}" x="{left:g}" y="{y}" textLength="{width:g}" {rest}>{said}</text>'


def pictures() -> dict[Path, str]:
    """Every picture of the README under its file."""
    with evening() as now:
        table = next(iter(now.hall.tables))
        return {
            PICTURES / f"{name}.svg": asyncio.run(drawn(now.app(), size, table if name.startswith("table") else 0))
            for name, size in SIZES.items()
        }


def main(update: bool) -> int:
    """Compare, or write; exit code 1 if a picture is not what the code draws."""
    speak("en")
    different = 0
    for file, picture in {**pictures(), **scenes.texts()}.items():
        if file.exists() and file.read_text(encoding="utf-8") == picture:
            continue
        different += 1
        if update:
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(picture, encoding="utf-8", newline="\n")
        print(f"{file.name} {'is written' if update else 'is not what the code draws'}")
    if different and not update:
        print("python -m tools.pictures --update writes them; look at them before you commit them")
    return 1 if different and not update else 0


if __name__ == "__main__":
    sys.exit(main("--update" in sys.argv[1:]))
