"""What a fact costs the flash of a box, and what a start or a look back costs, on littlefs at MicroPython's geometry.

Counted in operations of the chip, not in time: an erase stops the box for tens of milliseconds, a program for less than
one, and it reads a few megabytes a second. The baseline for writing is the plain thing, one growing log flushed after
every move's facts; for reading, what littlefs itself needs.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from littlefs import LittleFS, lfs

from bench.row import NONE, Row
from moveclock.journal import Journal
from tests.journal.little_flash import BLOCK, Chip, LittleFlash

BLOCKS: Final = 512  # 2 MB, what a stock 4 MB board leaves for files
STATE: Final = bytes(34)
UID: Final = b"uid"
MOVES: Final = 1500
GAME: Final = 200  # moves; after each, no clock runs and the journal is tidied
DAY: Final = 4000  # facts
MOST: Final = 8192


def measure(size: float = 1) -> list[Row]:
    """Writing, starting and reading, each against its baseline."""
    moves, day, most = (int(count * size) for count in (MOVES, DAY, MOST))
    return [*_writing(moves, day), *_starting(day, most), *_reading(day)]


def _writing(moves: int, day: int) -> list[Row]:
    journal, chip = _switched_on(_day(day, tidy=True))
    worst_erases, worst_read = _worst(moves, chip, lambda: _move(journal))
    chip.forget()
    for _ in range(moves):
        journal.checkpoint(STATE)
    checkpoint = chip.erases / moves
    untidied, other = _switched_on(_day(day, tidy=False))
    _, untidied_read = _worst(moves, other, lambda: _move(untidied))
    journal, chip = _switched_on(_day(day, tidy=True))
    _play(journal, day + 2 * moves, tidy=True)
    erases, programmed = chip.erases / moves, chip.programmed / moves
    plain = _plain_log(moves)
    plain_erases, plain_programmed = plain.erases / moves, plain.programmed / moves
    return [
        _row("block erases a move (two facts, tidying)", erases, "one growing log", plain_erases, ".3f", "≤ 0.2"),
        _row("bytes programmed a move", programmed, "one growing log", plain_programmed, ".0f", "≤ 0.4"),
        _row("block erases a checkpoint", checkpoint, "a move", erases, ".3f", "≤ 0.5"),
        _row("kilobytes read in the worst move", worst_read, "never tidied", untidied_read, ".0f", "≤ 0.1"),
        Row("block erases in the worst move", f"{worst_erases}", goal="≤ 5"),
    ]


def _starting(day: int, most: int) -> list[Row]:
    rows = []
    for count, tidy in ((day, True), (most, True), (most, False)):
        again = Chip(_day(count, tidy=tidy).buffer)
        flash = LittleFlash(again)
        littlefs = again.read_bytes / 1024
        again.forget()
        Journal(flash, UID, 1).mount()
        what = f"kilobytes read to start with {count} facts" + ("" if tidy else ", never tidied")
        rows.append(_row(what, again.read_bytes / 1024, "littlefs alone", littlefs, ".0f"))
    rows.append(_row(f"blocks for {most} facts, never tidied", flash.blocks, "of", BLOCKS, ".0f", "≤ 0.75"))
    return rows


def _reading(day: int) -> list[Row]:
    journal, chip = _switched_on(_day(day, tidy=True))
    flash = LittleFlash(chip)
    chip.forget()
    flash.read("journal/head")
    file = chip.read_bytes
    chip.forget()
    journal.record(day // 2)
    one = chip.read_bytes
    chip.forget()
    for seq in range(1, day + 1):
        journal.record(seq)
    each = chip.read_bytes / day
    return [
        _row("bytes read for one old fact", one, "one small file", file, ".0f"),
        _row("bytes read for each, the day in order", each, "one small file", file, ".0f", "≤ 0.3"),
    ]


def _row(what: str, value: float, against: str, baseline: float, form: str, goal: str = NONE) -> Row:
    ratio = f"{value / baseline:.2f}" if baseline else NONE
    return Row(what, f"{value:{form}}", f"{against} {baseline:{form}}", ratio, goal)


def _worst(moves: int, chip: Chip, move: Callable[[], None]) -> tuple[int, float]:
    """The most erases and the most kilobytes read in one of many moves."""
    erases, read = 0, 0
    for _ in range(moves):
        chip.forget()
        move()
        erases, read = max(erases, chip.erases), max(read, chip.read_bytes)
    return erases, read / 1024


def _day(count: int, *, tidy: bool) -> Chip:
    """A chip with a day's facts, none acknowledged; with a time stamp on every file, as MicroPython makes them."""
    chip = Chip(b"\xff" * (BLOCKS * BLOCK))
    journal = Journal(LittleFlash(chip, blank=True, stamped=True), UID, 1)
    journal.mount()
    _play(journal, count, tidy=tidy)
    return chip


def _switched_on(chip: Chip) -> tuple[Journal, Chip]:
    """The box of that chip after its next power-on: littlefs has yet to look for free blocks."""
    again = Chip(chip.buffer)
    journal = Journal(LittleFlash(again), UID, 1)
    journal.mount()
    again.forget()
    return journal, again


def _play(journal: Journal, count: int, *, tidy: bool) -> None:
    while journal.head < count:
        _move(journal)
        if tidy and journal.head // 2 % GAME == 0:
            journal.acknowledge(journal.head - 10)
            while journal.compact(DAY):
                pass


def _move(journal: Journal) -> None:
    """A move ends and the next begins."""
    at = journal.head * 10_000
    ended = (6, at, 1, 5, 0, 0, 41_000, 0, 80)
    journal.commit([ended, (4, at, 1, 6, 1, 0, 60_000, 0, 80)], STATE)


def _plain_log(moves: int) -> Chip:
    """The same facts appended to one open file, flushed once a move; no state."""
    chip = Chip(b"\xff" * (BLOCKS * BLOCK))
    files = LittleFS(
        context=chip, mount=False, block_size=BLOCK, block_count=BLOCKS, read_size=32, prog_size=32, cache_size=128,
        lookahead_size=32, block_cycles=100,
    )  # fmt: skip
    files.format()
    files.mount()
    chip.forget()
    log = lfs.file_open(files.fs, "log", "wb")
    for _ in range(moves):
        lfs.file_write(files.fs, log, bytes(64))
        lfs.file_sync(files.fs, log)
    lfs.file_close(files.fs, log)
    return chip
