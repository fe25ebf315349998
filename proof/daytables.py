"""The tables of a day: boxes that are simulated down to the bytes, people who play at them as time goes by on the wall,
and for each box a WebSocket to the desk, which is another process and takes them for phones. Beside each box stands its
witness (`proof.witness`).
"""

from __future__ import annotations

import asyncio
import os
import sys
from collections import Counter
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from random import Random
from typing import Final, TypeVar

from aiohttp import ClientError, ClientSession, ClientWebSocketResponse, WSMessageTypeError, WSMsgType

from dalej.boxes.phones import Code
from dalej.boxes.phones import proof as proof_of
from dalej.clock import ManualClock
from dalej.desk.latency import OF_A_FINGER
from dalej.link.sockets import DEVICE
from dalej.simulator.box import RECONNECT_MS, SimBox, SimRadio
from dalej.simulator.outages import CUT_EVERY_MS, POWER_CUT_EVERY_MS, Outage
from dalej.simulator.players import Habits, Players
from dalej.simulator.world import World
from moveclock import facts as k
from moveclock.wire import unpack_record
from proof.faster import Tempo
from proof.witness import Place, Witness

STEP_MS: Final = 50  # of the world in one go: meanwhile nothing else is done
LOOK_MS: Final = 20  # the longest sleep: what comes by a socket may bring something forward
NONCE_WITHIN_S: Final = 30.0  # of the day
PEOPLE: Final = Habits(disputes=0.01, withdraws=0.0)
"""Usual ones. Whoever withdraws does so at the desk, and few referees of a day want to rebuild a table."""

Played = TypeVar("Played")
Press = tuple[str, int, int]  # box, epoch and number of the fact that a finger made


@dataclass(slots=True)
class Over:
    """A game that has ended at a table: which of its round it was, how, as a box says it, and who went out."""

    table: int
    game: int
    ended: int
    winner: int


@dataclass(slots=True)
class Table:
    """`begun`: games of this round; `set_up`: its box knows of the round; `runs`: one of them is played."""

    number: int
    box: SimBox
    players: Players
    witness: Witness
    begun: int = 0
    set_up: bool = False
    runs: bool = False


class _Beside(Witness):
    """Tells of each new record, too."""

    def __init__(self, box: SimBox, told: Callable[[SimBox, int, bytes], None]) -> None:
        super().__init__(box)
        self._told = told

    def sees(self, place: Place) -> None:
        self._told(self.box, place[0], self.records[place])


class Desk:
    """`dalej.link.serving.LinkPort`: a desk that is another process, by a WebSocket for each box, as a phone's page has
    it. `broken`: links that were over though no box had gone; `fault`: the first thing that went wrong while a link was
    carried and was none of the link's.
    """

    def __init__(self, url: str, codes: Mapping[bytes, Code], session: ClientSession, now: Callable[[], None]) -> None:
        self.broken = 0
        self.fault: BaseException | None = None
        self._url = url
        self._codes = codes
        self._session = session
        self._devices = {uid: os.urandom(DEVICE) for uid in codes}
        self._now = now
        self._heard: dict[bytes, list[bytes]] = {}
        self._out: dict[bytes, asyncio.Queue[bytes | None]] = {}
        self._calling: dict[bytes, asyncio.Task[None]] = {}

    def connected(self, uid: bytes, now_ms: int) -> None:
        """Its socket is open already."""

    def disconnected(self, uid: bytes, now_ms: int) -> None:  # noqa: ARG002 -- as any port
        self._heard.pop(uid, None)
        self._out.pop(uid).put_nowait(None)

    def receive(self, uid: bytes, frame: bytes, now_ms: int) -> None:  # noqa: ARG002 -- as any port
        self._out[uid].put_nowait(frame)

    def waiting(self) -> list[bytes]:
        return list(self._heard)

    def frames(self, uid: bytes) -> list[bytes]:
        return self._heard.pop(uid, [])

    def wants_to_leave(self, uid: bytes) -> bool:  # noqa: ARG002 -- it closes the socket
        return False

    def next_timer(self) -> int | None:
        return None

    def handle_timer(self, now_ms: int) -> None:
        """The desk has its own."""

    def call(self, network: Network, uid: bytes) -> None:
        """Have a socket, and a link as soon as the desk has been told who comes."""
        if uid not in self._calling:
            self._calling[uid] = carrying = asyncio.create_task(self._carry(network, uid))
            carrying.add_done_callback(self._carried)

    def _carried(self, carrying: asyncio.Task[None]) -> None:
        fault = None if carrying.cancelled() else carrying.exception()
        self.fault = self.fault or fault

    def _of_the_world(self, does: Callable[[], Played]) -> Played:
        """What breaks there breaks the day, whatever it is called, and no link."""
        try:
            return does()
        except Exception as fault:
            self.fault = self.fault or fault
            raise

    async def _carry(self, network: Network, uid: bytes) -> None:
        try:
            with suppress(ClientError, OSError, WSMessageTypeError, TimeoutError):
                async with await asyncio.wait_for(
                    self._session.ws_connect(f"{self._url}/link"), NONCE_WITHIN_S
                ) as socket:
                    nonce = await socket.receive_bytes(timeout=NONCE_WITHIN_S)
                    device = self._devices[uid]
                    await socket.send_bytes(uid + device + proof_of(self._codes[uid].secret, nonce, device))
                    out = self._out[uid] = asyncio.Queue()
                    if self._of_the_world(lambda: network.link(uid)):
                        await self._talk(network, uid, socket, out)
        finally:
            del self._calling[uid]
        if network.connected(uid):
            self.broken += 1
            network.cut(uid)
        else:
            network.seek(network.boxes[uid])

    async def _talk(
        self, network: Network, uid: bytes, socket: ClientWebSocketResponse, out: asyncio.Queue[bytes | None]
    ) -> None:
        sending = asyncio.create_task(_send(socket, out))
        try:
            async for message in socket:
                if message.type is WSMsgType.BINARY and network.connected(uid):
                    self._of_the_world(self._now)
                    self._heard.setdefault(uid, []).append(message.data)
                    self._of_the_world(network.serve)
        finally:
            sending.cancel()


async def _send(socket: ClientWebSocketResponse, out: asyncio.Queue[bytes | None]) -> None:
    """Until the box's link is over."""
    with suppress(ClientError, OSError):
        while (frame := await out.get()) is not None:
            await socket.send_bytes(frame)
        await socket.close()


class Network(SimRadio):
    """By which boxes reach the desk: a link is up when the desk has answered, and not before."""

    def __init__(self, world: World, desk: Desk, lot: Random) -> None:
        super().__init__(world, desk, lot)
        self._desk = desk

    def add(self, box: SimBox) -> None:
        self.boxes[box.uid] = box
        box.radios.append(self)
        self.seek(box)

    def seek(self, box: SimBox) -> None:
        if box.uid not in self._sought:
            self._sought.add(box.uid)
            self._world.after(RECONNECT_MS, lambda: self._call(box))

    def _call(self, box: SimBox) -> None:
        self._sought.discard(box.uid)
        if not self.connected(box.uid) and box.box is not None and self.in_reach(box.uid):
            self._desk.call(self, box.uid)

    def link(self, uid: bytes) -> bool:
        """Whether there is one now: the box may have gone meanwhile."""
        self._connect(self.boxes[uid])
        return self.connected(uid)


@dataclass(slots=True)
class Tables:
    """All of them. `told(press, at_ms)` hears of each press that a box has written down, with the instant of the finger
    in the day's ms; `over(game)` of games that are over. `late_ms`: how far behind the wall they were at worst, in the
    day's ms; `late_s`: in how many of the day's seconds by more than one.
    """

    tempo: Tempo
    url: str
    codes: Mapping[int, Code]
    seed: int
    games: int
    told: Callable[[Press, int], None]
    over: Callable[[Over], None]
    counts: Counter[str] = field(default_factory=Counter)
    late_ms: int = 0
    late_s: int = 0
    until_ms: int = 0  # no game begins then any more, in the day's ms
    world: World = field(init=False)
    radio: Network = field(init=False)
    desk: Desk = field(init=False)
    at: dict[int, Table] = field(init=False, default_factory=dict)
    _of: dict[SimBox, Table] = field(init=False, default_factory=dict)
    _begun_ms: int = field(init=False, default=0)
    _looked_s: int = field(init=False, default=0)
    _home: bool = field(init=False, default=False)

    def sit_down(self, session: ClientSession) -> None:
        """Everybody, from this instant on; it is the world's first."""
        lot = Random(self.seed)
        self._begun_ms = self.tempo.now_ms()
        self.world = World(ManualClock(self.tempo.wall_ms()), None)
        boxes = {code.box.uid_bytes: code for code in self.codes.values()}
        self.desk = Desk(self.url, boxes, session, self.catch_up)
        self.radio = Network(self.world, self.desk, lot)
        for number, code in self.codes.items():
            self._add(number, code, Random(lot.random()))

    def _add(self, number: int, code: Code, lot: Random) -> None:
        world = self.world
        box = SimBox(
            world, code.box.uid_bytes, code.secret, lot, ppm=lot.randint(-20, 20), raw_start=lot.randrange(1 << 30)
        )
        players = Players(
            world, box, lot, lambda _command, _args: False, sys.maxsize, PEOPLE, lambda _game: self._may_begin(table)
        )
        table = Table(number, box, players, _Beside(box, self._written))
        self.at[number] = self._of[box] = table
        reach = Outage(world, lambda: self.radio.in_reach(box.uid), lambda on: self.radio.set_reach(box.uid, on))
        power = Outage(world, lambda: box.box is not None, lambda on: box.power_on() if on else box.power_off())
        self._fails(reach, "times out of reach", lot, CUT_EVERY_MS, (1_000, 90_000))
        self._fails(power, "power cuts", lot, POWER_CUT_EVERY_MS, (2_000, 20_000))
        box.power_on()
        self.radio.add(box)
        players.sit_down()

    def _fails(self, what: Outage, name: str, lot: Random, every_ms: int, for_ms: tuple[int, int]) -> None:
        """Now and then, as in `dalej.simulator.hall`."""

        def fail() -> None:
            if not self._home:
                self.counts[name] += what.chance(lot.randint(*for_ms))
                self._fails(what, name, lot, every_ms, for_ms)

        self.world.after(int(lot.expovariate(1 / every_ms)) + 1_000, fail)

    def _may_begin(self, table: Table) -> bool:
        return table.set_up and table.begun < self.games and self.tempo.now_ms() < self.until_ms

    def _written(self, box: SimBox, epoch: int, record: bytes) -> None:
        seq, _boot, (kind, at, _game, _move, seat, code, *_rest) = unpack_record(record)
        table = self._of.get(box)
        if table is None or box.box is None:  # it is being switched on for the first time
            return
        if kind == k.CONFIGURED:
            table.set_up = table.set_up or code == k.DESK
        elif kind == k.GAME_STARTED:
            table.begun += 1
            table.runs = True
        elif kind == k.GAME_ENDED and table.runs:
            table.runs = False
            self.over(Over(table.number, table.begun, code, seat))
        elif kind == k.GAME_REOPENED:
            table.runs = True
            self.counts["games taken up again"] += 1
        if kind in OF_A_FINGER and self.radio.connected(box.uid):
            self.told((box.uid.hex(), epoch, seq), self.tempo.now_ms() - (box.box.uptime.now - at))

    def round_is_seated(self) -> None:
        """It will be, and boxes are told of it then; nobody begins yet."""
        self.until_ms = 0
        for table in self.at.values():
            table.begun, table.set_up, table.runs = 0, False, False

    def round_begins(self, until_ms: int) -> None:
        """Games may begin from now on until that instant of the day."""
        self.until_ms = until_ms
        for table in self.at.values():
            table.players.play_on()

    def begun(self) -> dict[int, int]:
        """Games of this round, by table."""
        return {number: table.begun for number, table in self.at.items()}

    def catch_up(self) -> None:
        """Some of what is due by now."""
        due = self.tempo.now_ms() - self._begun_ms
        self.world.run_until(min(due, self.world.now_ms + STEP_MS))

    async def live(self) -> None:
        """Until cancelled: everything when it is due, and whatever the machine was too slow for as soon as it can."""
        world = self.world
        while True:
            if self.desk.fault is not None:
                raise self.desk.fault
            due = self.tempo.now_ms() - self._begun_ms
            late = due - min(due, world.next_ms() or due)
            self.late_ms = max(self.late_ms, late)
            if due // 1_000 != self._looked_s:
                self._looked_s = due // 1_000
                self.late_s += late > 1_000
            while world.now_ms < due:
                self.catch_up()
                await asyncio.sleep(0)
            waits = LOOK_MS if (following := world.next_ms()) is None else following - due
            await asyncio.sleep(min(max(1, waits), LOOK_MS) / 1_000)

    def go_home(self) -> None:
        """Everybody at once; what was taken out of reach or without power comes back."""
        self._home = True
        for table in self.at.values():
            table.players.lift_hands()
            table.players.gone_home = True
            if table.box.box is None:
                table.box.power_on()
            self.radio.set_reach(table.box.uid, True)

    def untold(self) -> list[int]:
        """Tables whose boxes have more to tell."""
        return [
            number for number, table in self.at.items()
            if not table.box.has_told_all()
        ]  # fmt: skip
