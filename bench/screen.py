"""From a fact at a box to the hall screen, what the screen costs, and how long `dalej demo` takes to its first picture.

A simulated hall runs in real time in a process of its own; the screen runs here, without a terminal but painting all
that one would get. A fact is timed from the instant that the box gave it to the end of the refresh that shows it.

Pictures are timed with modules compiled, as every start but the first finds them, whatever the environment says.
"""

from __future__ import annotations

import asyncio
import json
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass, field
from pathlib import Path
from statistics import median
from typing import Final

import psutil

from bench.row import Row
from dalej.clock import SystemClock
from dalej.desk.feed import client
from dalej.errors import DalejError
from dalej.event.eventlog import choose_ruleset, ruleset_of
from dalej.event.ledger import Entry, Ledger, Reported
from dalej.event.reading import read
from dalej.rulesets import rulebook
from dalej.tui.app import HallApp
from dalej.tui.widgets.tablelist import TableList
from dalej.views.feed import Feed
from dalej.views.following import LedgerReader
from dalej.views.hall import HallModel

if sys.platform != "win32":
    import pty

TABLES: Final = 60
FEW: Final = 6
WATCHED_S: Final = 40.0
SETTLING_S: Final = 4.0
LEAST_S: Final = 0.5
SHORT: Final = 0.1  # a look that is shorter only shows that one can look
SIZE: Final = (200, 60)
STARTS: Final = 5
TIMES_TEXTUAL: Final = "≤ 3"  # goal of the first picture
DISK: Final = Path("run")
FIRST_PICTURE: Final = b"Lis"  # who sits at 1A
WITHIN_S: Final = 60


@dataclass(slots=True)
class Watched:
    """`shown`, `arrived`: ms from each fact to the screen and to the desk; `share`: of one core that the screen took.

    `cells`: drawn anew in a second.
    """

    shown: list[float] = field(default_factory=list)
    arrived: list[float] = field(default_factory=list)
    share: float = 0.0
    cells: float = 0.0


def measure(size: float = 1) -> list[Row]:
    """Latency with 60 tables, processor shares, start to first picture."""
    tables = max(FEW, int(TABLES * size))
    few, many, hurried = (watch(number, size, limit) for number, limit in ((FEW, 40), (tables, 40), (tables, 10)))
    shown, arrived = sorted(many.shown), sorted(many.arrived)
    rows = [
        _row(f"fact to screen, {tables} tables, {len(shown)} facts: median", median(shown), median(arrived)),
        _row("... 99 %", shown[len(shown) * 99 // 100], arrived[len(arrived) * 99 // 100]),
        _share(f"screen with {tables} tables", many, few),
        _share(f"... all of them in their last ten seconds ({hurried.cells:.0f} cells a second)", hurried, few),
    ]
    if sys.platform != "win32":  # a pseudo-terminal is needed
        rows += _starts(max(1, int(STARTS * size)))
    return rows


def _row(what: str, shown: float, arrived: float) -> Row:
    return Row(what, f"{shown:.0f} ms", f"fact to desk {arrived:.0f} ms", f"{shown / max(1, arrived):.1f}")


def _share(what: str, watched: Watched, base: Watched) -> Row:
    return Row(
        f"{what}: of one core", f"{watched.share:.1%}", f"with {FEW} tables {base.share:.1%}",
        f"{watched.share / base.share:.1f}",
    )  # fmt: skip


# --- a hall, and a screen that looks at it -----


@contextmanager
def _hall(tables: int, limit_s: int) -> Iterator[Path]:
    """A hall of its own process; its event."""
    DISK.mkdir(exist_ok=True)
    with tempfile.TemporaryDirectory(prefix="bench-", dir=DISK) as folder:
        rules, event = Path(folder) / "rules.toml", Path(folder) / "hall.dalej"
        rules.write_text(_ruleset(limit_s), encoding="utf-8")
        command = [
            sys.executable, "-m", "dalej", "demo", "--no-screen", "--until-eof", "--tables", str(tables),
            "--links", str(tables), "--ruleset", str(rules), "--event", str(event),
        ]  # fmt: skip
        with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as hall:
            assert hall.stdout is not None
            hall.stdout.readline()
            yield event


def _ruleset(limit_s: int) -> str:
    """School-league with another limit."""
    text, _name = rulebook.source("school-league")
    start = text.index("[clock.limit_ms]")
    value = text.index("value", start)
    return text[:value] + f"value = {limit_s * 1_000}" + text[text.index("\n", value) :]


def watch(tables: int, size: float, limit_s: int) -> Watched:
    """Look at a hall for a while; every table has a link."""
    settling_s = SETTLING_S if size >= SHORT else LEAST_S
    with _hall(tables, limit_s) as event, Ledger.open(event) as ledger:
        return asyncio.run(_screen(ledger, settling_s, max(LEAST_S, WATCHED_S * size)))


async def _screen(ledger: Ledger, settling_s: float, watched_s: float) -> Watched:
    watched = Watched()
    ruleset = ruleset_of(read(ledger))
    model = HallModel(ruleset)
    feed = Feed(model, SystemClock(), event_name="bench", ruleset=ruleset.id)
    reader = _Noting(ledger, model)
    app = HallApp(feed, reader, lambda: client.connect(ledger.path))
    reader.app = app
    async with app.run_test(size=SIZE):
        await asyncio.sleep(settling_s)
        reader.watched = watched
        cells = _drawn(app)
        began, used = time.monotonic(), time.process_time()
        await asyncio.sleep(watched_s)
        await reader.painted.wait()  # there is something to tell, however short the look
        took = time.monotonic() - began
        watched.share = (time.process_time() - used) / took
        watched.cells = (_drawn(app) - cells) / took
        reader.watched = None
    return watched


def _drawn(app: HallApp) -> int:
    return app.screen.query_one(TableList).drawn


class _Noting:
    """A reader that notes when the facts it has read are on the screen."""

    def __init__(self, ledger: Ledger, model: HallModel) -> None:
        self.app: HallApp | None = None
        self.watched: Watched | None = None
        self.painted = asyncio.Event()
        self._ledger = ledger
        self._read: list[Entry] = []
        self._reader = LedgerReader(self, model)

    def since(self, cursor: int, limit: int) -> list[Entry]:
        self._read = self._ledger.since(cursor, limit)
        return self._read

    async def read_on(self) -> set[int] | None:
        tables = await self._reader.read_on()
        live = [entry for entry in self._read if isinstance(entry, Reported) and not entry.old]
        if tables is not None and live and self.app is not None and self.watched is not None:
            asyncio.get_running_loop().call_soon(self.app.screen.call_after_refresh, self._painted, live)
        return tables

    async def hint(self) -> None:
        await self._reader.hint()

    def new_troubles(self) -> list[DalejError]:
        return self._reader.new_troubles()

    def _painted(self, facts: list[Reported]) -> None:
        now_ms = time.time() * 1_000
        if self.watched is not None:
            known = [(fact.wall_ms, fact.received_ms) for fact in facts if fact.wall_ms is not None]
            self.watched.shown += [now_ms - made for made, _received in known]
            self.watched.arrived += [received - made for made, received in known]
            if known:
                self.painted.set()


# --- the first picture -----


_BARE: Final = """
from textual.app import App
from textual.widgets import Static

class Bare(App):
    BINDINGS = [("q", "quit", "quit")]

    def compose(self):
        yield Static("Bare")

Bare().run()
"""


def _starts(times: int) -> list[Row]:
    """Each is started once before it counts: that compiles it."""
    with tempfile.TemporaryDirectory(prefix="bench-", dir=DISK) as made:
        folder = Path(made)
        environment = {
            **os.environ, "TERM": "xterm-256color", "COLUMNS": "80", "LINES": "24", "LANGUAGE": "en",
        }  # fmt: skip
        environment.setdefault("PYTHONPYCACHEPREFIX", str((folder / "compiled").absolute()))
        environment.pop("PYTHONDONTWRITEBYTECODE", None)
        event = folder / "empty.dalej"
        with Ledger.create(event) as ledger:
            choose_ruleset(ledger, "school-league", who="bench", when_ms=SystemClock().wall_ms())
        program = [sys.executable, "-m", "dalej"]
        bare = _pictures([[sys.executable, "-c", _BARE]] * (times + 1), b"Bare", environment)
        screen = _pictures([[*program, "screen", str(event)]] * (times + 1), b"Enter", environment)
        demos = [[*program, "demo", "--event", str(folder / f"demo-{number}.dalej")] for number in range(times + 1)]
        demo = _pictures(demos, FIRST_PICTURE, environment)
    base = f"Textual alone {bare:.2f} s"
    return [
        Row(f"`dalej screen` on an empty event to its first picture, median of {times}", f"{screen:.2f} s", base,
            f"{screen / bare:.1f}", TIMES_TEXTUAL),
        Row(f"`dalej demo` to its first player, median of {times}", f"{demo:.2f} s", base, f"{demo / bare:.1f}"),
    ]  # fmt: skip


def _pictures(commands: list[list[str]], picture: bytes, environment: dict[str, str]) -> float:
    """Median of all but the first, in seconds."""
    return median([_first_picture(command, picture, environment) for command in commands][1:])


def _first_picture(command: list[str], picture: bytes, environment: dict[str, str]) -> float:
    """Seconds from the command to these words on a terminal."""
    outer, inner = pty.openpty()
    began = time.monotonic()
    with subprocess.Popen(command, stdin=inner, stdout=inner, stderr=inner, env=environment) as program:
        os.close(inner)
        seen = b""
        while picture not in seen and time.monotonic() - began < WITHIN_S:
            seen += os.read(outer, 65_536)
        took = time.monotonic() - began
        os.write(outer, b"q")
        while program.poll() is None and _drain(outer):
            pass
    os.close(outer)
    return took


def _drain(outer: int) -> bool:
    """Read on; False when the program has closed its terminal."""
    try:
        return bool(os.read(outer, 65_536))
    except OSError:
        return False


# --- a screen for others to compare with: `python -m bench.screen EVENT SECONDS` -----


def own_memory(process: psutil.Process) -> int:
    """Bytes that no file holds: what does, the system takes away and brings back as it likes."""
    memory = process.memory_info()
    return int(memory.rss - getattr(memory, "shared", 0))


def _look_along() -> None:
    """A line when it begins; after so long what was `Watched` and its bytes of `memory`, in JSON."""
    print("looking", flush=True)
    with Ledger.open(Path(sys.argv[1])) as ledger:
        watched = asyncio.run(_screen(ledger, SETTLING_S, float(sys.argv[2])))
    print(json.dumps({**asdict(watched), "memory": own_memory(psutil.Process())}), flush=True)


if __name__ == "__main__":
    _look_along()
