"""A simulated adapter as real ones are: it hears advertisements, holds few links, and connects one box at a time.

A box whose advertisement changes is heard within an advertising interval or a few, because a scanner misses some; one
that stays the same is reported every two seconds, as scanners do that are asked for duplicates.
"""

from __future__ import annotations

from random import Random
from typing import Final

from dalej.link.serving import ScanningPort
from dalej.simulator.box import MTU, Faults, SimBox, SimRadio
from dalej.simulator.world import World

INTERVAL_MS: Final = 250
MISSED: Final = 0.2  # chance of one advertisement
REPEAT_MS: Final = 2_000
SLICES: Final = 10  # the boxes are reported a tenth at a time
CONNECT_MS: Final = 2_000
NO_ANSWER_MS: Final = 5_000


class SimAdapter(SimRadio):
    """A desk's adapter with room for so many `links`; its port says whom to connect to. `connects`: how many came."""

    def __init__(
        self,
        world: World,
        port: ScanningPort,
        random: Random,
        faults: Faults | None = None,
        *,
        links: int,
        mtu: int = MTU,
        connect_ms: int = CONNECT_MS,
    ) -> None:
        super().__init__(world, port, random, faults, mtu=mtu)
        self.connects = 0
        self._scanning = port
        self._slots = links
        self._connect_ms = connect_ms
        self._connecting: object | None = None  # the attempt under way
        self._wanted = b""  # its box
        self._reported: dict[bytes, bytes] = {}
        self._coming: set[bytes] = set()  # boxes whose changed advertisement will be heard soon
        self._slice = 0
        world.after(REPEAT_MS // SLICES, self._repeat)

    def add(self, box: SimBox) -> None:
        """A box within reach; it advertises while it is on."""
        self.boxes[box.uid] = box
        box.radios.append(self)
        box.watchers.append(self.seek)
        self.seek(box)

    def seek(self, box: SimBox) -> None:
        """If the box advertises something new, that is heard soon."""
        uid = box.uid
        if box.box is None or uid in self._coming or box.box.advertisement() == self._reported.get(uid):
            return
        self._coming.add(uid)
        delay = self._random.randint(1, INTERVAL_MS)
        while self._random.random() < MISSED:
            delay += INTERVAL_MS
        self._world.after(delay, lambda: self._hear_new(box))

    def serve(self) -> None:
        """Connect as the desk says, then as any radio; a connect that is under way ends when another is asked for."""
        if not self._abandoned:
            for uid in self._scanning.to_connect(self._world.now_ms):
                if self._connecting is not None:
                    self._connecting = None
                    self._scanning.failed(self._wanted, self._world.now_ms)
                self._begin(self.boxes[uid])
        super().serve()

    def lost(self, box: SimBox, *, left: bool) -> None:
        """A link is gone, and its place is free."""
        super().lost(box, left=left)
        self.serve()

    def _hear_new(self, box: SimBox) -> None:
        self._coming.discard(box.uid)
        if not self._abandoned and self._hear(box):
            self.serve()

    def _repeat(self) -> None:
        """What is on the air, from a tenth of the boxes."""
        if self._abandoned:
            return
        self._world.after(REPEAT_MS // SLICES, self._repeat)
        heard = [self._hear(box) for box in list(self.boxes.values())[self._slice :: SLICES]]
        self._slice = (self._slice + 1) % SLICES
        if any(heard):
            self.serve()

    def _hear(self, box: SimBox) -> bool:
        if box.box is None or box.uid in self._out_of_reach:
            return False
        data = self._reported[box.uid] = box.box.advertisement()
        self._scanning.advertised(data, self._world.now_ms)
        return True

    def _begin(self, box: SimBox) -> None:
        attempt = self._connecting = object()
        self._wanted = box.uid
        answers = box.box is not None and box.uid not in self._out_of_reach and len(self._links) < self._slots
        self._world.after(
            self._connect_ms if answers else NO_ANSWER_MS, lambda: self._end(box, attempt, answers=answers)
        )

    def _end(self, box: SimBox, attempt: object, *, answers: bool) -> None:
        """A connect has come to its end, one way or the other."""
        if self._abandoned or self._connecting is not attempt:
            return
        self._connecting = None
        if answers and len(self._links) < self._slots:
            self._connect(box)
        if box.uid in self._links:
            self.connects += 1
        else:
            self._scanning.failed(box.uid, self._world.now_ms)
            self.serve()
