"""The people at table 1: what they press on the box before them, one press after another reaching the event's file."""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path
from typing import Final

from dalej.event.ledger import Ledger
from dalej.event.reading import read
from moveclock import facts as k
from tests.board.board import VirtualBoard
from tests.board.cable import BoardInAThread

A, B, C, D = range(4)
PINS: Final = ((32, 33), (25, 26), (27, 14), (13, 23))  # of an ESP32: Już and Dalej, by seat
SEDZIA: Final = 19
KOSTKA: Final = 34
DISPLAY: Final = 0x70
TAP_MS: Final = 150
HOLD_MS: Final = 1_200
LONG_MS: Final = 2_300
THINK_MS: Final = 400  # longer than the guard time
SOON_S: Final = 30.0


class AtTable:
    """`board`: which box stands there; put another in its place when it has died."""

    def __init__(self, event: Path, board: BoardInAThread) -> None:
        self.event = event
        self.board = board

    def starts(self, seat: int) -> None:
        self._presses(PINS[seat][0], k.MOVE_STARTED)

    def juz(self, seat: int) -> None:
        self._presses(PINS[seat][0], k.MOVE_ENDED)

    def draws_and_passes(self, seat: int) -> None:
        self._presses(KOSTKA, k.TILE_DRAWN)
        self._presses(PINS[seat][1], k.MOVE_ENDED)

    def shows_an_empty_rack(self, seat: int) -> None:
        self._presses(PINS[seat][0], k.GAME_ENDED, HOLD_MS)

    def begins_the_next_game(self) -> None:
        self._presses(SEDZIA, k.CONFIGURED, LONG_MS)

    def goes_on(self) -> None:
        """By the table itself: 3, 2, 1."""
        self._presses(SEDZIA, k.CLOCK_RESUMED, LONG_MS)

    def sees(self, digits: str) -> None:
        self.board.until(lambda board: board.digits(DISPLAY).strip() == digits, round(SOON_S * 1_000))

    def loses_its_power_for_a_moment(self) -> None:
        self._expect(k.BOOTED, lambda: self.board.call(VirtualBoard.reset_button))

    def finds_its_box_dead(self) -> None:
        self.board.call(VirtualBoard.power_off)

    def _presses(self, pin: int, kind: int, for_ms: int = TAP_MS) -> None:
        async def think_and_press(board: VirtualBoard) -> None:
            await board.run(THINK_MS)
            await board.press(pin, for_ms)

        self._expect(kind, lambda: self.board.call(think_and_press))

    def _expect(self, kind: int, happens: Callable[[], None]) -> None:
        """Have something happen; it is over when the event's file has one more fact of that kind."""
        before = self._facts(kind)
        happens()
        soon(lambda: self._facts(kind) > before, f"fact {kind} in the event's file")

    def _facts(self, kind: int) -> int:
        with Ledger.open(self.event) as ledger:
            return sum(told.fact.kind == kind for told in read(ledger).facts())


def soon(true: Callable[[], object], what: str, within_s: float = SOON_S) -> None:
    """Wait for something that another process does; AssertionError names it if it does not come."""
    deadline = time.monotonic() + within_s
    while not true():
        assert time.monotonic() < deadline, f"waited {within_s} s in vain for {what}"
        time.sleep(0.05)
