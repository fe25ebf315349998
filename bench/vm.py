"""A Box in MicroPython's virtual machine: its heap, what an input costs, and how much of that is HMAC.

What a whole box with its hardware takes of the heap, says `bench.whole`.

Heap is what `gc.mem_alloc` counts after a collection, in the machine's 32-bit objects: everything since before the
first import, less the bench's own table, desk and flash, which are there and counted before the Box. What the journal
keeps lies in files of the machine, outside the heap. A board holds the modules as `dalej.boxes.firmware` makes them,
compiled and without the names of constants; as sources they weigh more. The Box has a link with a desk.

Times are this machine's: what counts is their ratio to a call that does nothing, which a board shares. They are taken
with a flash that costs nothing, each the fastest of several goes of some hundred milliseconds, as the machine's clock
counts whole ones. A link's desk plays in the same machine, and its part is taken out.
"""

from __future__ import annotations

import tempfile
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from bench import whole
from bench.row import NONE, Row
from dalej.boxes.firmware.compiling import compile_firmware, modules
from dalej.boxes.firmware.constants import inlined
from tests.vm import machine
from tools.firmware import FIRMWARE

MOVES: Final = 10_000
EARLY_MOVES: Final = 1_000
STEP_MOVES: Final = 100  # garbage goes between steps
GAME: Final = 200
LAST_STEPS: Final = 4  # in the first ones caches fill
TABLE: Final = Path(__file__).parent / "vm_table.py"
FOLDER: Final = machine.ROOT / "run"  # the machine sees files of the repository
SECONDS: Final = 600
WARMING: Final = 6  # the machine compiles what runs often, while it runs
GOES: Final = 6
FEW: Final = 20
CUT: Final = "warm"
COUNTS: Final = {  # which table does what, how often in a go
    "call": ("alone", "calls", 100_000),
    "edge": ("alone", "edges", 8_000),
    "turn": ("alone", "turns", 400),
    "press": ("alone", "clicks", 100),
    "linked": ("linked", "clicks", 100),
    "hmac": ("linked", "digests", 1_000),
}
INPUTS: Final = {
    "edge": "an edge",
    "turn": "an idle turn of the pump",
    "press": "a press (2 edges, 4 turns)",
    "linked": "a press with one link (3 frames)",
}
NO_LINES: Final = "-O3"
MARK: Final = "marks.append(gc.mem_alloc())"
LOW: Final = "low = min(low, gc.mem_alloc())"  # a number takes no heap, a longer list would


@dataclass(frozen=True, slots=True)
class Heap:
    """Bytes: the modules, all with the Box after some moves, and after all of them."""

    modules: int
    early: int
    late: int


def measure(size: float = 1) -> list[Row]:
    """Heap and growth; time and allocations of an edge, an idle turn and a press; HMAC's share."""
    moves, early = (max(GAME, int(count * size) // GAME * GAME) for count in (MOVES, EARLY_MOVES))
    with _compiled() as crossed, _compiled(NO_LINES) as bare, ThreadPoolExecutor(2) as pool:
        heaps = pool.map(_heap, (crossed, bare, None), (moves, early, early), (early,) * 3)
        full, without_lines, sources = heaps  # nothing in these is timed
        box = whole.measure()
        spent = _spent(crossed, size)
    own = full.late - full.modules
    growth = full.late - full.early
    rows = [
        _kilobytes("heap of a whole box, 3 links, 8 frames in flight", box.heap, box.modules, "≤ 96 KB"),
        _row("allocated by a turn of its pump", box.turn, "bytes", "the worst turn", box.worst),
        _kilobytes(f"heap of a Box after {moves:,} moves, .mpy", full.late, full.modules, "≤ 64 KB"),
        _kilobytes("... .mpy without line numbers", without_lines.late, without_lines.modules),
        _kilobytes("... sources", sources.late, sources.modules),
        _row(f"growth from move {early:,} to {moves:,}", growth, "bytes", "the Box itself", own, "≤ 0 bytes"),
    ]
    call, linked = spent["us_call"], spent["us_linked"]
    rows += [_row(f"time of {what}", spent[f"us_{key}"], "µs", "an empty call", call) for key, what in INPUTS.items()]
    rows.append(_row("HMAC in a press with one link", spent["us_hmac"], "µs", "all of it", linked))
    rows += [
        _row(f"allocated by {what}", spent[f"bytes_{key}"], "bytes", "the Box itself", own)
        for key, what in INPUTS.items()
    ]
    return rows


def _kilobytes(what: str, heap: int, modules: int, goal: str = NONE) -> Row:
    return Row(what, f"{heap / 1024:.1f} KB", f"modules alone {modules / 1024:.1f} KB", f"{heap / modules:.2f}", goal)


def _row(what: str, value: float, unit: str, name: str, baseline: float, goal: str = NONE) -> Row:
    shown = [f"{number:,.2f}" if 0 < abs(number) < 10 else f"{number:,.0f}" for number in (value, baseline)]
    ratio = f"{value / baseline:.2f}" if baseline else NONE
    return Row(what, f"{shown[0]} {unit}", f"{name} {shown[1]} {unit}", ratio, goal)


@contextmanager
def _compiled(*options: str) -> Iterator[Path]:
    """A folder with the modules as a board holds them, and the table that plays on them."""
    FOLDER.mkdir(exist_ok=True)
    with tempfile.TemporaryDirectory(prefix="bench-", dir=FOLDER) as name:
        compile_firmware(FIRMWARE, Path(name), flags=options)
        sources = {**modules(FIRMWARE), TABLE.stem: TABLE.read_text(encoding="utf-8")}
        library = Path(name) / "lib"
        (library / TABLE.name).write_text(inlined(sources)[TABLE.stem], encoding="utf-8")
        yield library


def _heap(modules: Path | None, moves: int, early: int) -> Heap:
    """Play `moves` moves on one link, flash in files."""
    steps = [
        "import gc, os\nmarks = []\nlow = 1 << 29",
        MARK,
        "from moveclock import box, settings",
        MARK,
        "import vm_table\nos.mkdir('/board')\nos.chdir('/board')",
        "parts = vm_table.FileFlash(), vm_table.KeepingBoard(), vm_table.Desk()",
        MARK,
        "table = vm_table.Table(*parts)\ntable.connect()",
        *_played(early),
        "print(low)",
        *(["low = 1 << 29", *_played(moves - early)] if moves > early else []),
        "print(low)",
        "if table.box.links.refused or table.box.journal.backlog: raise ValueError('the link did not hold')",
        "print(*marks)",
    ]
    then, end, start, modules_in, before = (int(mark) for mark in _run(steps, modules).split())
    ours = start + before - modules_in
    return Heap(modules_in - start, then - ours, end - ours)


def _played(moves: int) -> list[str]:
    """Steps that play so many moves and mark the last few: what is under way in a box differs from step to step."""
    steps = moves // STEP_MOVES
    quiet = max(0, steps - LAST_STEPS)
    play = f"table.play({STEP_MOVES})"
    return [play] * quiet + [play, LOW] * (steps - quiet)


def _spent(modules: Path, size: float) -> dict[str, float]:
    """What one of each of `COUNTS` takes: `us_` and `bytes_`; measured in turns, so that all meet the same weather."""
    made = "vm_table.Table(vm_table.NoFlash(), vm_table.KeepingBoard(), vm_table.Desk())"
    steps = ["import gc, time, vm_table", f"alone = {made}\nlinked = {made}\nlinked.connect()"]
    steps += ["alone.play(1)", "linked.play(1)"]
    for _ in range(WARMING):
        steps += _measured("us", "time.ticks_us", size)
    steps.append(f"print({CUT!r})")
    for _ in range(GOES):
        steps += _measured("us", "time.ticks_us", size)
    steps += _measured("bytes", "gc.mem_alloc", 0)
    spent: dict[str, float] = {}
    for line in _run(steps, modules).partition(CUT)[2].split():
        key, _, value = line.partition("=")
        spent[key] = min(spent.get(key, float(value)), float(value))
    return spent


def _measured(unit: str, meter: str, size: float) -> Iterator[str]:
    """Steps that print what one of each costs by this meter. A fresh move runs before each."""
    for key, (table, work, count) in COUNTS.items():
        times = max(FEW, int(count * size))
        yield f"{table}.wait()\n{table}.clicks(1)"
        yield f"print('{unit}_{key}=' + str({table}.measured({meter}, '{work}', {times}) / {times}))"


def _run(steps: Sequence[str], modules: Path | None) -> str:
    if modules is None:
        return machine.run(["", *steps], [TABLE], path=[TABLE.parent], seconds=SECONDS)
    first = f"import sys\nsys.path.insert(0, {machine.inside(modules)!r})"
    return machine.run([first, *steps], [modules], seconds=SECONDS)
