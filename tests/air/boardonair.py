"""The unchanged firmware in the air: MicroPython's own virtual machine with stand-ins for hardware, behind Bumble."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Final

from moveclock import facts as k
from moveclock import identity
from tests.air.air import Air
from tests.air.onair import OnAir
from tests.air.peripheral import INTERVAL_MS, Heard, Service
from tests.board.board import Machine, VirtualBoard, install

PINS: Final = {
    **dict(enumerate((32, 33, 25, 26, 27, 14, 13, 23))), k.SEDZIA: 19, k.KOSTKA: 34,
}  # fmt: skip
MTU: Final = 247  # what the firmware prefers
CENTRAL: Final = bytes.fromhex("c0f0f0f00001")


class OnBoard(OnAir):
    """A box that is a board with the firmware. Its time is the real one."""

    tap_s = 0.15  # on a busy computer the edges of a shorter one come together
    board: VirtualBoard

    @property
    def machine(self) -> Machine:
        """A Kostka contact is at a bare pin, which its resistor holds at 1."""
        return Machine(uid=tuple(self.uid), levels={str(PINS[k.KOSTKA]): 1})

    def write_flash(self) -> None:
        """The firmware, and which box it is."""
        install(self.board.flash)
        known = identity.Identity(identity.KOSTKA, self.uid, self.secret)
        (self.board.flash / identity.FILE).write_bytes(known.pack())

    @property
    def skips(self) -> bool:
        return False

    @property
    def is_on(self) -> bool:
        return self.board.on

    @property
    def settled(self) -> bool:
        return True  # what is on flash it advertises, what is not nobody can know

    def edge(self, contact: int, down: bool) -> None:
        self.board.edge(PINS[contact], 0 if down else 1)

    def skipped(self, ms: int) -> None:
        raise NotImplementedError


class BoardOnAir(OnBoard):
    """To its board it is the `tests.board.board.Radio`."""

    def __init__(self, air: Air, folder: Path, number: int, *, mtu: int = MTU, interval_ms: int = INTERVAL_MS) -> None:
        super().__init__(air, number, mtu=mtu, interval_ms=interval_ms)
        self.board = VirtualBoard(folder / f"board{number}", self.machine, radio=self)
        self._theirs: dict[int, int] = {}  # the board's handle -> Bumble's
        self._ours: dict[int, int] = {}
        self._wanted: Sequence[Service] = []  # what is registered, and its handles
        self._made: list[list[int]] = []
        self.write_flash()

    async def power_on(self) -> None:
        await self.peripheral.start()
        self._wanted, self._made = [], []
        self.peripheral.heard = Heard(
            lambda conn: self.board.connected(conn, CENTRAL), self.board.disconnected, self.board.mtu, self._written
        )
        await self.board.power_on()
        await self.board.until(lambda: self.controller.le_legacy_advertiser.enabled, 20_000)

    async def power_off(self) -> None:
        self.peripheral.heard = None
        await self.board.power_off()
        self.peripheral.stop()
        self.board.check()

    def _written(self, conn: int, handle: int, data: bytes) -> None:
        self.board.written(conn, self._ours[handle], data)

    # --- what the board does -----

    def register(self, services: list[tuple[str, list[tuple[str, int, int]]]]) -> None:
        wanted: Sequence[Service] = [(uuid, [(one, flags) for one, flags, _ in each]) for uuid, each in services]
        made = self._made if wanted == self._wanted else self.peripheral.register(wanted)
        self._wanted, self._made = wanted, made
        for (_, each), handles in zip(services, made, strict=True):
            for (_, _, theirs), handle in zip(each, handles, strict=True):
                self._theirs[theirs], self._ours[handle] = handle, theirs

    def advertise(self, adv: bytes | None, resp: bytes, connectable: bool, interval_us: int) -> None:
        self.peripheral.advertise(adv, resp, connectable=connectable)

    def notify(self, conn: int, handle: int, data: bytes) -> None:
        self.peripheral.notify(conn, self._theirs[handle], data)

    def disconnect(self, conn: int) -> None:
        self.peripheral.disconnect(conn)

    def value(self, handle: int, data: bytes) -> None:
        self.peripheral.put(self._theirs[handle], data)

    def off(self) -> None:
        self.peripheral.silence()
