"""What the quick card says of sounds, and of the codes of faults: which there are, and what a table does then."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final, NamedTuple

from dalej.domain.facts import FAULTS
from dalej.words import N_
from moveclock import view as v


class Sound(NamedTuple):
    """Its notes as the firmware's buzzer plays them, hertz (0: a rest) and milliseconds, and when they are heard."""

    sound: int
    notes: Sequence[tuple[int, int]]
    words: str


SOUNDS: Final = (
    Sound(v.CLICK, ((3000, 15),), N_("the press has arrived")),
    Sound(v.TURN, ((1500, 60),), N_("the next move begins; the clock goes on")),
    Sound(v.REFUSE, ((300, 90), (0, 40), (300, 90)), N_("that changes nothing now; or: take your tile first")),
    Sound(v.TIME_OVER, ((800, 500), (0, 120), (800, 500)), N_("the time is over")),
    Sound(v.CALL, ((2000, 100), (0, 60), (2000, 100)), N_("the referee is called")),
    Sound(v.END, ((1000, 120), (1500, 120), (2000, 240)), N_("the game is over")),
    Sound(v.ALERT, ((1200, 150), (900, 150), (1200, 150)), N_("the final lap begins; or a fault: look at the display")),
)


class Advice(NamedTuple):
    """What a table does about faults of these names (`dalej.telling.FAULTS`)."""

    words: str
    names: Sequence[str]


ADVICE: Final = (
    Advice(N_("Something lies on the button? Free it; once let go, it counts again."), (
        "contact_stuck", "contact_held_at_start",
    )),
    Advice(N_("Fetch the referee at once. Remember whose move it is and how much time was left."), (
        "journal_full", "flash_write_failed", "tick_handler_failed", "clock_state_unreadable", "flash_test_failed",
        "journal_unreadable", "not_started",
    )),
    Advice(N_("Play on, and tell the referee after the game."), (
        "torn_record_dropped", "new_epoch", "edge_handler_failed", "receive_handler_failed", "link_handler_failed",
        "edges_lost", "frames_lost", "radio_handler_failed", "main_loop_failed", "display_missing",
        "battery_implausible", "radio_not_started", "radio_hung", "no_identity", "foreign_identity",
        "damaged_identity",
    )),
)  # fmt: skip


def codes(name: str) -> list[tuple[int, int]]:
    """The runs of numbers, first and last, under which a fault of this name is shown."""
    found = sorted(code for code, named in FAULTS.items() if named == name)
    return list(_runs(found))


def _runs(numbers: Sequence[int]) -> Iterator[tuple[int, int]]:
    first = 0
    for place, number in enumerate(numbers, 1):
        if place == len(numbers) or numbers[place] != number + 1:
            yield numbers[first], number
            first = place
