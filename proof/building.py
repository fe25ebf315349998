"""What an evening has besides a laptop and its boxes: computers in other rooms that lend the desk their Bluetooth, and
a centre that is told what is in the event file. Each of them fails as it likes.

- A gateway's program is killed: its links look alive to the boxes, and nobody is behind them. The desk notices after a
  while, and when the program is there again it ends what it has left. Or the network is cut: both ends give up.
- A box is carried into another room, whose gateway is the only one that hears it.
- A request to the centre is lost, or its answer is, or it comes twice, or after a later one; hall and centre crash.
"""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from random import Random
from typing import Final

from aiohttp import ServerDisconnectedError

from dalej.centre import forward
from dalej.centre.serving import CentreServer
from dalej.centre.stream import line_of
from dalej.centre.talk import HallKey
from dalej.event.ledger import Ledger
from dalej.link.serving import LinkPort
from dalej.simulator.box import Faults, SimBox, SimRadio
from dalej.simulator.world import World
from tests.centre.unwired import (
    KEY,
    NORTH,
    Answer,
    Crash,
    Instant,
    Request,
    Settled,
    Tells,
    WatchedMirror,
    answered,
    tells_nobody,
)

ROOMS: Final = 3
"""The first one is that of the desk, whose own adapter hears its boxes."""
AWAY_S: Final = 600  # between two times that a gateway fails, about
NOTICED_MS: Final = (3_000, 9_000)  # after which a desk gives a silent gateway up
BACK_MS: Final = (1_000, 90_000)
LATE_MS: Final = 6_000  # within which a desk hears that a box has gone: a supervision time-out, and a network
READ_AT_ONCE: Final = 5_000
REQUESTS_MOST: Final = 500  # of one telling, which has a few


# --- gateways -----


class _Room:
    """Of a desk's port what concerns the boxes of one room: `LinkPort`."""

    def __init__(self, building: Building, number: int) -> None:
        self.linked: set[bytes] = set()
        self._building = building
        self._port = building.port
        self._number = number

    def connected(self, uid: bytes, now_ms: int) -> None:
        self.linked.add(uid)
        self._port.connected(uid, now_ms)

    def disconnected(self, uid: bytes, now_ms: int) -> None:
        if uid in self.linked:
            self.linked.remove(uid)
            self._port.disconnected(uid, now_ms)
            self._port.frames(uid)  # what was to be said on it

    def receive(self, uid: bytes, frame: bytes, now_ms: int) -> None:
        if uid in self.linked:
            self._port.receive(uid, frame, now_ms)

    def waiting(self) -> list[bytes]:
        return [uid for uid in self._port.waiting() if uid in self.linked]

    def frames(self, uid: bytes) -> list[bytes]:
        return self._port.frames(uid)

    def wants_to_leave(self, uid: bytes) -> bool:
        return self._port.wants_to_leave(uid)

    def next_timer(self) -> int | None:
        return self._port.next_timer() if not self._number else None

    def handle_timer(self, now_ms: int) -> None:
        self._port.handle_timer(now_ms)


class _Radio(SimRadio):
    """Of one room. What the desk has to say after one box was heard may concern a box of another room."""

    def __init__(self, building: Building, number: int) -> None:
        self.room = _Room(building, number)
        super().__init__(building.world, self.room, Random(building.lot.random()), building.faults)
        self._building = building

    def serve(self) -> None:
        for radio in self._building.radios:
            SimRadio.serve(radio)

    def may_hear(self, box: SimBox) -> None:
        """Once it comes in reach."""
        self.boxes[box.uid] = box
        box.radios.append(self)
        self.set_reach(box.uid, False)

    def lost(self, box: SimBox, *, left: bool) -> None:
        """The box knows it at once, the desk after a while, in which it seeks no other link to the box."""
        late_ms = 0 if left or self._abandoned else self._building.lot.randint(0, LATE_MS)
        self._world.after(late_ms, lambda: SimRadio.lost(self, box, left=left))

    def _connect(self, box: SimBox) -> None:
        if not self._building.believes_in(box.uid):
            super()._connect(box)
            return
        self._sought.discard(box.uid)
        if self.in_reach(box.uid) and not self.connected(box.uid) and not self._abandoned:
            self.seek(box)

    def is_up(self, uid: bytes) -> bool:
        """Whether frames get through to the box."""
        link = self._links.get(uid)
        return link is not None and link.up

    def end_all(self) -> None:
        """Each of its links, as somebody who finds them does it."""
        for link in [*self._links.values()]:
            self._world.after(0, link.cut)


@dataclass(slots=True)
class Whereabouts:
    """Where things stand, whichever desk there is: `rooms` of boxes; boxes that are `away`; rooms that are `silent`."""

    rooms: dict[bytes, int]
    away: set[bytes] = field(default_factory=set)
    silent: set[int] = field(default_factory=set)


class Building:
    """A desk's own adapter and what gateways lend it."""

    def __init__(
        self, world: World, port: LinkPort, lot: Random, faults: Faults, whereabouts: Whereabouts, counts: Counter[str]
    ) -> None:
        self.world, self.port, self.lot, self.faults = world, port, lot, faults
        self._whereabouts = there = whereabouts
        self._counts = counts
        self._gone: list[_Radio] = []  # of gateways that failed
        self._over = self._abandoned = False
        self.radios = [_Radio(self, number) for number in range(ROOMS)]
        for number in range(1, ROOMS):
            if number in there.silent:
                self._back_later(number, None)
            else:
                self._plan(number)

    def add(self, box: SimBox) -> None:
        """It is connected at once if it is on."""
        here = self._whereabouts.rooms[box.uid]
        heard = box.uid not in self._whereabouts.away and here not in self._whereabouts.silent
        for number, radio in enumerate(self.radios):
            if number != here or not heard:
                radio.may_hear(box)
        if heard:
            self.radios[here].add(box)

    def set_reach(self, uid: bytes, reachable: bool) -> None:
        """Carry the box out of range, or back into its room."""
        (self._whereabouts.away.discard if reachable else self._whereabouts.away.add)(uid)
        self._hears(uid)

    def carry(self, uid: bytes) -> None:
        """Into another room, from out of reach."""
        rooms = self._whereabouts.rooms
        rooms[uid] = (rooms[uid] + self.lot.randrange(1, ROOMS)) % ROOMS
        self._counts["times carried into another room"] += 1
        self.set_reach(uid, True)

    def connected(self, uid: bytes) -> bool:
        """Whether a link to the box is up, with somebody behind it."""
        return any(radio.is_up(uid) for radio in self.radios)

    def serve(self) -> None:
        """Write what the desk has to say."""
        self.radios[0].serve()

    def abandon(self) -> None:
        """The desk was killed: its own links stay up, and whoever lent it something ends them."""
        self._over = self._abandoned = True
        for number, radio in enumerate(self.radios):
            radio.abandon()
            if number:
                radio.end_all()

    def calm(self) -> None:
        """From now on no gateway fails."""
        self._over = True

    @property
    def lost_frames(self) -> int:
        return sum(radio.lost_frames for radio in (*self.radios, *self._gone))

    def believes_in(self, uid: bytes) -> bool:
        """Whether the desk has heard of a link to the box, and not of its end."""
        return any(uid in radio.room.linked for radio in (*self.radios, *self._gone))

    def _hears(self, uid: bytes) -> None:
        there = self._whereabouts
        here = None if uid in there.away else there.rooms[uid]
        for number, radio in enumerate(self.radios):
            radio.set_reach(uid, number == here and number not in there.silent)
        if here is None:
            for radio in self._gone:
                radio.cut(uid)

    # --- what fails -----

    def _plan(self, number: int) -> None:
        self.world.after(int(self.lot.expovariate(1 / (AWAY_S * 1_000))), lambda: self._fails(number))

    def _fails(self, number: int) -> None:
        if self._over:
            return
        gone, fresh = self.radios[number], _Radio(self, number)
        gone.abandon()
        self._gone.append(gone)
        self._whereabouts.silent.add(number)
        self.radios[number] = fresh
        for box in gone.boxes.values():
            fresh.may_hear(box)
        killed = self.lot.random() < 0.5
        self._counts["gateways killed" if killed else "gateways cut off"] += bool(gone.room.linked)
        if not killed:
            gone.end_all()
        self.world.after(self.lot.randint(*NOTICED_MS), lambda: self._is_noticed(gone))
        self._back_later(number, gone)

    def _back_later(self, number: int, gone: _Radio | None) -> None:
        self.world.after(self.lot.randint(*BACK_MS), lambda: self._comes_back(number, gone))

    def _is_noticed(self, gone: _Radio) -> None:
        for uid in [*gone.room.linked]:
            gone.room.disconnected(uid, self.world.now_ms)
        self.serve()

    def _comes_back(self, number: int, gone: _Radio | None) -> None:
        if gone is not None:
            self._is_noticed(gone)
            gone.end_all()
        if self._abandoned:  # another desk finds it silent, and hears it again in its own time
            return
        self._whereabouts.silent.discard(number)
        for uid in self.radios[number].boxes:
            self._hears(uid)
        self._plan(number)


# --- a centre -----


class Centre:
    """It listens to one hall, over a network that loses, doubles and delays what passes, and both ends crash: it does
    before it is compared with a file, too. `counts`: what is counted of it.
    """

    def __init__(self, database: str, lot: Random, counts: Counter[str]) -> None:
        self.mirror = WatchedMirror(database)
        self.mirror.init()
        self.mirror.add_hall(NORTH, KEY, 1)
        self._loop = Instant()
        self._left = 0
        self._lot = lot
        self._counts = counts
        self._earlier: list[Request] = []
        self._told: dict[int, list[str]] = {}  # by epoch, what it had when somebody had told everything
        self._server = self._started()

    def close(self) -> None:
        self.mirror.close()
        self._loop.close()

    def hears(self, file: Path, desk: str) -> None:
        """All that is in the file by now, from that desk; AssertionError if something else is at the centre then."""
        self._counts["times that a hall told its centre"] += 1
        self._left = REQUESTS_MOST
        with Ledger.open(file, read_only=True) as ledger:
            while True:
                forwarder = Tells(ledger, HallKey(NORTH, "http://127.0.0.1", KEY), desk, tells_nobody)
                forwarder.carry = partial(self._carried, forwarder, ledger.head())
                try:
                    self._loop.run_until_complete(forwarder.run())
                except Crash:
                    continue
                except Settled:
                    self._expect([line_of(entry) for entry in ledger.since(0, ledger.head())])
                    return

    def expect(self, file: Path, put_back: int) -> None:
        """AssertionError unless it has what is in the file, line by line, and what was told of files that were given up
        since another one was put back, apart from it.
        """
        with Ledger.open(file, read_only=True) as ledger:
            self._expect([line_of(entry) for entry in ledger.since(0, ledger.head())])
        epochs = self.mirror.epochs(NORTH)
        assert len(epochs) <= 1 + put_back, f"{len(epochs)} epochs, and {put_back} files were put back"
        for epoch, told in self._told.items():
            found = self._lines(epoch)
            assert found[: len(told)] == told, f"what was told in epoch {epoch} is another"
        self._counts["entries at the centre"] += epochs[max(epochs)]
        self._counts["entries kept apart there, of files that an old copy replaced"] += (
            sum(epochs.values()) - epochs[max(epochs)]
        )

    def _expect(self, true: Sequence[str]) -> None:
        self._crash()
        epoch = max(self.mirror.epochs(NORTH))
        told = self._told[epoch] = self._lines(epoch)
        assert told == true, f"the centre has {len(told)} entries, the file {len(true)}, or they say something else"

    def _lines(self, epoch: int) -> list[str]:
        told: list[str] = []
        while lines := self.mirror.lines(NORTH, len(told), READ_AT_ONCE, epoch):
            told += lines
        return told

    def _started(self) -> CentreServer:
        return CentreServer(self.mirror, self._loop, "", 0, None, tells_nobody, [])

    async def _carried(self, forwarder: Tells, head: int, request: Request) -> Answer:
        assert not self._loop.faults, self._loop.faults
        if forwarder.heard and forwarder.through == head:
            raise Settled
        self._left -= 1
        assert self._left, f"after {REQUESTS_MOST} requests the centre has not heard everything"
        fate = self._lot.choices(FATES, _CHANCES)[0]
        self._counts["requests to the centre"] += 1
        if fate and fate not in (WITHIN, AFTER):
            self._counts[f"requests to the centre, {fate}"] += 1
        earlier, self._earlier = self._earlier, [request] if fate in ("overtaken", "once more later") else []
        answer = None
        self.mirror.commits = self._dies if fate == WITHIN else bool
        self.mirror.committed = self._dies if fate == AFTER else bool
        try:
            for one in {"lost": (), "overtaken": (), "twice": (request, request)}.get(fate, (request,)):
                answer = await answered(self._server, one)
            for one in earlier:
                await answered(self._server, one)
        except Crash:  # only a request that tells something new has come so far
            self._counts[f"requests to the centre, {fate}"] += 1
            raise ServerDisconnectedError from None
        if fate == "after which the hall crashed":
            raise Crash
        if fate == ANSWERED:
            self._crash()
        if fate == "whose answer was lost" or answer is None:
            await asyncio.sleep(forward.WITHIN_S)
            raise TimeoutError
        return answer

    def _crash(self) -> None:
        """The database finds out what becomes of what it was doing."""
        self.mirror.close()
        self._server = self._started()

    def _dies(self) -> None:
        """Nobody hears of what it took."""
        self._crash()
        raise Crash


WITHIN: Final = "during which it crashed"
AFTER: Final = "after which it crashed"
ANSWERED: Final = "after whose answer it crashed"
FATES: Final = (
    "", "lost", "whose answer was lost", "twice", "once more later", "overtaken", "after which the hall crashed",
    WITHIN, AFTER, ANSWERED,
)  # fmt: skip
_CHANCES: Final = (50, 12, 12, 6, 6, 6, 4, 6, 6, 6)
