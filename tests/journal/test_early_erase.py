"""A press never meets an erase: over long games on littlefs, each is in a commit or within half a second of a press.

The box runs on the real littlefs; its pump says how long each call of the flash took, by what the chip did in it.
"""

from __future__ import annotations

from random import Random

import pytest

from bench.chip import ERASE_US, PROGRAM_US, READ_US, Metered
from dalej.simulator.box import SimBoard
from moveclock import facts as k
from moveclock import settings as rules
from moveclock.box import Box
from tests.journal.little_flash import BLOCK, Chip, LittleFlash

BLOCKS = 512
SOON_MS = 500  # after the press that begins a move: in its guard time no press counts, and nobody is as quick as this
GAME = 150  # moves
REST_MS = 60_000  # before each game, the first too: people sit down
FIRST_MOVES = 20  # of a power-on: two erases must have been noticed until the box knows how much a block takes


class Hall:
    """One box at a table of people who think for up to a minute, and everything its chip did meanwhile."""

    def __init__(self, image: bytes, seed: int, *, blank: bool, tells: bool = True) -> None:
        self.chip = Chip(image)
        self.checkpoint_erases: list[int] = []  # in which move
        self.late_erases: list[int] = []  # ms after the press, where only heads were written
        self.early_erases = 0
        self.mid_move_erases: list[int] = []  # ms after the move's begin, where facts were written
        self.head_writes: list[int] = []  # without a fact; a move each
        self._random = Random(seed)
        self._tells = tells
        self._now = 0
        self._on = False
        self._pressed = 0  # when the button last went down that ended a move
        self._counted = 0  # of the chip's microseconds
        flash = Metered(LittleFlash(self.chip, blank=blank), self._meter)
        self.box = Box(b"uid uid", bytes(32), flash, SimBoard(self._random), 0)
        self._on = True
        settings = rules.Settings()
        settings.limit_ms = 60_000
        settings.on_bank_empty = rules.PLAY_ON
        self.box.clock.settings = settings
        self.box.clock.prepare(0, 1, k.SEAT_A, k.DESK)

    def play(self, moves: int) -> None:
        clock = self.box.clock
        for number in range(moves):
            if clock.state == k.READY:
                self._run(self._now + REST_MS, number)
                self._tap(2 * clock.starter, number)
            assert clock.state == k.RUNNING
            before = self.head_writes
            self.head_writes = [*before, 0]
            self._run(self._now + self._random.choice((700, 3_000, 9_000, 9_000, 20_000, 55_000)), number)
            if self._random.random() < 0.3:
                self._tap(k.KOSTKA, number)
                self._run(self._now + 1_500, number)
            self._tap(2 * clock.seat, number)
            if number % GAME == GAME - 1:
                self.box.journal.acknowledge(self.box.journal.head)
                self._run(self._now + 2_000, number)
                self._tap(2 * clock.seat, number, 1200)
                self._run(self._now + 2_000, number)
                self._tap(k.SEDZIA, number, 2200)

    def _tap(self, contact: int, number: int = 0, length: int = 0) -> None:
        self._pressed = self._pressed if contact == k.KOSTKA else self._now
        self.box.edge(contact, True, self._now)
        self._run(self._now + (length or self._random.randint(60, 220)), number)
        self.box.edge(contact, False, self._now)
        self._run(self._now + 60, number)

    def _run(self, until: int, number: int) -> None:
        while (at := max(self._now, self.box.wake_at())) <= until:
            self._turn(at, number)
        self._turn(max(self._now, until), number)

    def _turn(self, at: int, number: int) -> None:
        box, chip = self.box, self.chip
        box.tick(at)
        commits = bool(box.clock.facts)
        saved = box.journal.snapshot
        chip.forget()
        self._counted, self._now = 0, at
        running = box.clock.state == k.RUNNING
        box.work(at)
        self._now = max(self._now, at + 1)
        if commits and running and chip.erases and at - box.clock.began_at >= 500:
            self.mid_move_erases.append(at - box.clock.began_at)
        if not commits and running and chip.programs:
            self.head_writes[-1:] = [count + chip.programs for count in self.head_writes[-1:]]
            since = at - self._pressed
            if not chip.erases:
                pass
            elif box.journal.snapshot != saved:
                self.checkpoint_erases.append(number)
            elif since > SOON_MS:
                self.late_erases.append(since)
            else:
                self.early_erases += 1

    def _meter(self, call: str, path: str, size: int) -> None:
        chip = self.chip
        us = chip.erases * ERASE_US + chip.programs * PROGRAM_US + chip.reads * READ_US
        took, self._counted = (us - self._counted) // 1000, us
        begun, self._now = self._now, self._now + took
        if self._on and self._tells:
            self.box.stalled(begun, self._now)


@pytest.mark.parametrize("chance", [1, 2])
def test_no_erase_falls_into_a_checkpoint_once_the_box_knows_its_flash(chance: int) -> None:
    image = bytes(b"\xff" * (BLOCKS * BLOCK))
    for power_on in range(2):
        hall = Hall(image, chance, blank=power_on == 0)
        hall.play(600)
        assert hall.early_erases > 80
        assert [number for number in hall.checkpoint_erases if number > FIRST_MOVES] == []
        assert hall.late_erases == []
        assert hall.mid_move_erases == []
        image = bytes(hall.chip.buffer)


def test_a_box_that_is_not_told_how_long_writing_takes_writes_no_more_than_it_must() -> None:
    told, untold = (Hall(b"\xff" * (BLOCKS * BLOCK), 3, blank=True, tells=tells) for tells in (True, False))
    told.play(400)
    untold.play(400)
    assert len(untold.checkpoint_erases) > 5
    assert untold.early_erases == 0
    assert sum(told.head_writes) - sum(untold.head_writes) < 3 * 400
    assert max(told.head_writes) <= 40 + max(untold.head_writes)
