"""What the whole firmware takes of a board's heap, and what its turns leave as garbage; how, says `bench.whole`."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Final

from bench import whole
from moveclock import facts as k
from moveclock.links import LINKS_MOST
from moveclock.peer import WINDOW_FRAMES
from tests.board.board import VirtualBoard, install
from tests.firmware.edge import BOOT_MS, PINS, machine, on_board, pressed

MOST: Final = 96 * 1024
TURN_MOST: Final = 64  # bytes: most turns find nothing to do
WORST_TURN_MOST: Final = 8 * 1024  # with a view, displays and a frame for each link
START_MOST: Final = 88 * 1024  # asked in the middle of a step, this machine counts up to 2.5 KB that are garbage
COUNTED: Final = """
import builtins, gc, sys
loads = builtins.__import__
outside = sys.modules["outside"]
def counts(*what):
    module = loads(*what)
    gc.collect()
    outside.say("live", gc.mem_alloc())
    return module
builtins.__import__ = counts
gc.collect()
outside.say("live", gc.mem_alloc())
"""
measured = cache(whole.measure)


def test_a_box_at_its_fullest_leaves_room_in_the_heap_of_a_board_with_its_radio_on() -> None:
    found = measured()

    assert (found.flight, found.links, found.state) == (WINDOW_FRAMES, LINKS_MOST, k.RUNNING)
    assert found.fault == 0
    assert found.heap <= MOST


def test_turns_leave_little_garbage() -> None:
    found = measured()

    assert found.turn <= TURN_MOST
    assert found.worst <= WORST_TURN_MOST


def test_the_start_holds_no_more_at_once_than_a_box_that_plays(tmp_path: Path) -> None:
    """Given set-up mode first, which loads most: what is over is forgotten before the next is loaded. On an ESP32 the
    heap that is once outgrown takes what the radio needs.
    """
    alive: list[int] = []

    async def play(board: VirtualBoard) -> None:
        await board.power_off()
        for file in board.flash.rglob("*.py"):
            file.unlink()
        install(board.flash, compiled=True)
        main = board.flash / "main.py"
        main.write_text(COUNTED + main.read_text(encoding="utf-8"), encoding="utf-8")
        await board.power_on()
        await board.run(400)
        for contact in (0, 1):
            board.edge(PINS.buttons[contact], 1)
        await board.run(200)
        await board.press(PINS.sedzia)
        await board.run(BOOT_MS + 1000)
        alive.extend(line[2] for line in board.lines if line[1] == "live")

    on_board(tmp_path, play, given=machine(held=pressed(0, 1)))

    assert len(alive) > 40
    assert max(alive) - alive[0] <= START_MOST, max(alive) - alive[0]


def test_garbage_is_collected_early_from_the_first_line_on_and_later_once_it_plays(tmp_path: Path) -> None:
    """What stays must not come to lie between garbage while everything is loaded; a box that plays must not stop for
    the collector 19 times a second.
    """

    async def play(board: VirtualBoard) -> None:
        await board.run(BOOT_MS)
        said = [tuple(line[1:3]) for line in board.lines if line[1] in ("threshold", "radio")]
        assert said == [("threshold", 4096), ("radio", True), ("threshold", 16384)]

    on_board(tmp_path, play)
