"""A flash that takes the power with it at its n-th change, and a game that is played around that."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Final

from dalej.domain.game.facts import Fact
from dalej.simulator.box import MemoryFlash
from moveclock import facts as k
from moveclock.settings import Settings
from tests.link.rig import Rig

UNDONE: Final = 0  # nothing of the change is on flash
DONE: Final = 1  # all of it is
TORN: Final = 2  # half of an append is, or a new file without its bytes; anything else at once or not at all: here not
LIMIT_MS: Final = 20_000


class PowerCut(BaseException):
    """Not an error that firmware could catch: it is simply no longer running. `flash`: of the box that has lost it."""

    def __init__(self, flash: DyingFlash) -> None:
        super().__init__()
        self.flash = flash


class DyingFlash(MemoryFlash):
    """Counts changes; at number `dies_at` the power is gone, with the effect `how`."""

    def __init__(self, dies_at: int = 0, how: int = UNDONE) -> None:
        super().__init__()
        self.changes = 0
        self.dies_at = dies_at
        self.how = how

    def write(self, path: str, data: bytes) -> None:
        write = partial(super().write, path)
        new = path not in self.files
        self._change(partial(write, data), (lambda: write(data[: self.torn(0)])) if new else None)

    def append(self, path: str, data: bytes) -> None:
        append = partial(super().append, path)
        self._change(partial(append, data), lambda: append(data[: self.torn(len(data))]))

    def remove(self, path: str) -> None:
        self._change(partial(super().remove, path))

    def make(self, folder: str) -> None:
        self._change(partial(super().make, folder))

    def remove_folder(self, folder: str) -> None:
        self._change(partial(super().remove_folder, folder))

    def torn(self, size: int) -> int:
        """How many of so many bytes that may be torn are on flash."""
        return size // 2

    def dies(self) -> None:
        """The power goes."""
        raise PowerCut(self)

    def _change(self, whole: Callable[[], None], part: Callable[[], None] | None = None) -> None:
        self.changes += 1
        dies = self.changes == self.dies_at
        if not dies or self.how == DONE:
            whole()
        elif self.how == TORN and part is not None:
            part()
        if dies:
            self.dies()


class Evening:
    """Two short games: moves, a time-out, a dispute, an empty rack. The power may go in between; `cut` tells when."""

    def __init__(self, flash: DyingFlash) -> None:
        self.cut = False
        self.flash = flash
        self.truth: dict[tuple[int, int], int] = {}  # (game, move) -> ms played when the power went
        self.state = k.IDLE
        self._rig: Rig | None = None
        try:
            self._rig = Rig(flash=flash)
        except PowerCut:  # at its very first start
            self._rig = Rig(flash=flash)
            self.cut = True
        self._configure()
        self.play()

    @property
    def rig(self) -> Rig:
        assert self._rig is not None
        return self._rig

    def play(self) -> None:
        for moves in (7, 3):
            self.tap(2 * k.SEAT_A)
            for move in range(moves):
                seat = move % 4
                if move == 4:
                    self.run(LIMIT_MS + 6000)  # time runs out; the next seat says that the move stands
                    self.tap(2 * (seat + 1) % 8)
                    continue
                self.run(3000 + 1500 * move)
                if move % 2:
                    self.tap(k.KOSTKA)
                self.tap(2 * seat + move % 2)
                if move == 5:
                    self.tap(k.SEDZIA)
                    self.run(4000)
                    self.tap(k.SEDZIA, 2200)
                    self.run(4000)
            self.run(7000)
            self.tap(2 * k.SEAT_D, 1300)
            self.tap(k.SEDZIA, 2500)
        self.rig.settle()

    def tap(self, contact: int, for_ms: int = 80) -> None:
        self._guarded(lambda rig: rig.sim.edge(contact, True))
        self.run(for_ms)
        self._guarded(lambda rig: rig.sim.edge(contact, False))
        self.run(120)

    def run(self, ms: int) -> None:
        end = self.rig.world.now_ms + ms
        self._guarded(lambda rig: rig.world.run_until(end))
        self._guarded(lambda rig: rig.world.run_until(end))

    def _configure(self) -> None:
        settings = Settings()
        settings.first = k.SEAT_A
        settings.limit_ms = LIMIT_MS
        rig = self.rig
        rig.shelf.command(1, k.C_CONFIGURE, bytes([1, 0]) + settings.pack(), now_ms=rig.world.now_ms)
        rig.radio.serve()
        self.run(3000)
        self.run(3000)

    def _guarded(self, action: object) -> None:
        assert callable(action)
        try:
            action(self.rig)
        except PowerCut:
            self._power_went()

    def _power_went(self) -> None:
        """Half a second without power, then the box is back and somebody resumes the table."""
        rig = self.rig
        assert not self.cut
        self.cut = True
        box = rig.sim.box
        if box is not None:
            clock = box.clock
            self.state = clock.state
            for fact in clock.facts:
                if fact[0] == k.MOVE_ENDED:
                    self.truth[fact[2], fact[3]] = fact[6]
            if clock.state in (k.RUNNING, k.STOPPED):
                self.truth[clock.game, clock.move] = clock.watch.elapsed(box.uptime.now)
        known = dict(rig.shelf.facts)
        rig.sim.power_off()
        rig.run(500)
        rig.sim.power_on()
        self.expect_nothing_shown_is_gone(known)
        rig.run(1500)
        rig.tap(k.SEDZIA, 2500)
        rig.run(3500)

    def expect_nothing_shown_is_gone(self, known: dict[tuple[int, int], Fact]) -> None:
        """Whatever the desk has seen is on flash, word for word: a press was never shown before it was durable."""
        held = {(fact.epoch, fact.seq): fact for fact in self.rig.journal()}
        for key, fact in known.items():
            assert held[key] == fact
