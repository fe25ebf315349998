"""What the whole firmware takes of a board's heap, and what its turns leave as garbage; how, says `bench.whole`."""

from __future__ import annotations

from functools import cache
from typing import Final

from bench import whole
from moveclock import facts as k
from moveclock.links import LINKS_MOST
from moveclock.peer import WINDOW_FRAMES

MOST: Final = 96 * 1024
TURN_MOST: Final = 64  # bytes: most turns find nothing to do
WORST_TURN_MOST: Final = 8 * 1024  # with a view, displays and a frame for each link
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
