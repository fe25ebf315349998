"""The other end of a board's radio, and a desk written by hand."""

from __future__ import annotations

from moveclock import secure, wire
from tests.board.board import VirtualBoard
from tests.firmware.edge import SECRET, UID

NONCE = b"desk nonce 12345"
ADDRESS = b"\x01\x02\x03\x04\x05\x06"
MTU = 247


class Air:
    """The other end of a board's radio, and one hand-written desk."""

    def __init__(self) -> None:
        self.board: VirtualBoard | None = None
        self.handles: dict[str, int] = {}
        self.values: dict[int, bytes] = {}
        self.adverts: list[tuple[bytes, bytes, bool]] = []
        self.on_air: tuple[bytes, bytes, bool] | None = None
        self.heard: dict[int, list[bytes]] = {}
        self.closed: list[int] = []

    def register(self, services: list[tuple[str, list[tuple[str, int, int]]]]) -> None:
        ((uuid, values),) = services
        assert uuid == wire.SERVICE_UUID
        assert [flags for _, flags, _ in values] == [2, 16, 8], "read, notify, write; nothing asks for pairing"
        self.handles = {uuid: handle for uuid, _, handle in values}

    def advertise(self, adv: bytes | None, resp: bytes, connectable: bool, interval_us: int) -> None:
        self.on_air = None if adv is None else (adv, resp, connectable)
        if self.on_air is not None:
            self.adverts.append(self.on_air)

    def notify(self, conn: int, handle: int, data: bytes) -> None:
        assert handle == self.handles[wire.EVENTS_UUID]
        self.heard.setdefault(conn, []).append(data)

    def disconnect(self, conn: int) -> None:
        self.closed.append(conn)
        if self.board is not None:
            self.board.disconnected(conn)

    def value(self, handle: int, data: bytes) -> None:
        self.values[handle] = data

    def off(self) -> None:
        self.on_air = None


class Desk:
    """One link of a desk that knows the protocol and does no more than it is told."""

    def __init__(self, board: VirtualBoard, air: Air, link: int) -> None:
        self.board, self.air, self.link = board, air, link
        air.board = board

    async def connect(self, mtu: int = MTU) -> None:
        self.board.connected(self.link, ADDRESS)
        self.board.mtu(self.link, mtu)
        await self.board.run(50)

    async def ask(self, frame: bytes) -> list[bytes]:
        before = len(self.air.heard.get(self.link, []))
        self.board.written(self.link, self.air.handles[wire.COMMANDS_UUID], frame)
        await self.board.run(200)
        return self.air.heard.get(self.link, [])[before:]

    async def enter(self) -> list[bytes]:
        hello = wire.pack_hello(NONCE, 5, 0, 0, "desk")
        (welcome,) = await self.ask(hello)
        fields = wire.unpack_welcome(welcome)
        keys = secure.session_keys(SECRET, UID, fields[2], NONCE, fields[7])
        self.seal, self.opener = secure.Seal(keys[0]), secure.Seal(keys[1])
        proof = secure.handshake_tag(SECRET, secure.DESK, hello + welcome)
        return await self.ask(bytes([wire.AUTH]) + proof)


async def four_connect(board: VirtualBoard) -> None:
    """As many as the box has room for, and none of them says who it is."""
    for link in range(4):
        board.connected(link, ADDRESS)
        await board.run(50)


async def a_desk_is_let_in(board: VirtualBoard, air: Air) -> None:
    desk = Desk(board, air, 1)
    await desk.connect()
    assert (await desk.enter())[0][0] == wire.ACCEPTED
