"""Two buttons held at power-on: the rules are changed at the box, and the cable may do what it may not otherwise."""

from __future__ import annotations

import shutil
from pathlib import Path

from moveclock import advert, cable, identity, secure, settings
from tests.board.board import NoRadio, VirtualBoard
from tests.board.cable import mpremote, plugged_in
from tests.board.rig import play

A_JUZ, A_DALEJ, SEDZIA = 32, 33, 19
SECRET = bytes(range(100, 132))


class Asked:
    """Packets to and from a board's serial port."""

    def __init__(self, board: VirtualBoard) -> None:
        self._board = board
        self._packets = cable.Packets()
        self.heard: list[tuple[int, bytes]] = []
        board.heard_serial = lambda data: self.heard.extend(self._packets.feed(data))

    async def ask(self, kind: int, payload: bytes = b"") -> tuple[int, bytes]:
        """What it answers."""
        count = len(self.heard)
        self._board.serial(b"\x00" + cable.pack(kind, payload))
        await self._board.until(lambda: len(self.heard) > count)
        return self.heard[-1]


async def hold_two(board: VirtualBoard) -> None:
    board.edge(A_JUZ, 0)
    board.edge(A_DALEJ, 0)
    await board.power_on()
    await board.until(lambda: board.digits(0x70).startswith("L"), 20_000)
    board.edge(A_JUZ, 1)
    board.edge(A_DALEJ, 1)
    await board.run(300)


def test_a_limit_chosen_with_the_buttons_is_stored(tmp_path: Path, compiled: Path) -> None:
    async def choose(board: VirtualBoard) -> None:
        shutil.copytree(compiled, board.flash, dirs_exist_ok=True)
        await hold_two(board)
        assert board.digits(0x70) == "L 60"
        await board.press(A_JUZ)
        await board.run(200)
        assert board.digits(0x73) == "L120"
        await board.press(SEDZIA)
        await board.run(2_000)

    board = play(tmp_path, choose, simulated=True)

    assert settings.unpack((board.flash / "settings").read_bytes()).limit_ms == 120_000


def test_a_secret_comes_over_the_cable_in_set_up_mode_and_is_advertised_with_after_a_restart(
    tmp_path: Path, compiled: Path
) -> None:
    adverts: list[bytes] = []

    async def pair(board: VirtualBoard) -> None:
        shutil.copytree(compiled, board.flash, dirs_exist_ok=True)
        radio = board.radio
        assert isinstance(radio, NoRadio)
        port, uid = Asked(board), bytes(board.machine.uid)
        await hold_two(board)
        assert (await port.ask(cable.ASK))[0] == cable.TOLD
        assert radio.advertised is None
        assert await port.ask(cable.PAIR, bytes(6) + SECRET) == (cable.DONE, bytes([cable.PAIR, cable.OTHER_UID]))
        assert await port.ask(cable.PAIR, uid + SECRET) == (cable.DONE, bytes([cable.PAIR, cable.OK]))
        assert await port.ask(cable.RESTART) == (cable.DONE, bytes([cable.RESTART, cable.OK]))
        await board.until(lambda: radio.advertised is not None)
        adverts.append(radio.advertised or b"")

    board = play(tmp_path, pair, simulated=True)

    uid = bytes(board.machine.uid)
    assert identity.unpack((board.flash / identity.FILE).read_bytes()).secret == SECRET
    assert advert.unpack(secure.advert_key(SECRET, uid), adverts[0][3:])[0] == uid[3:]


def test_outside_of_set_up_mode_the_cable_can_neither_pair_nor_leave_the_firmware(
    tmp_path: Path, compiled: Path
) -> None:
    async def try_it(board: VirtualBoard) -> None:
        shutil.copytree(compiled, board.flash, dirs_exist_ok=True)
        port = Asked(board)
        await board.power_on()
        await board.run(3_000)
        for kind in (cable.PAIR, cable.TO_PYTHON, cable.RESTART):
            refused = await port.ask(kind, bytes(board.machine.uid) + SECRET)
            assert refused == (cable.DONE, bytes([kind, cable.NOT_IN_SETUP]))
        board.serial(b"\x03\x03\x04")
        await board.run(500)
        assert not board.ended
        assert (await port.ask(cable.ASK))[0] == cable.TOLD

    board = play(tmp_path, try_it, simulated=True)

    assert not (board.flash / identity.FILE).exists()


def test_in_set_up_mode_mpremote_gets_the_prompt_for_the_asking(tmp_path: Path, compiled: Path) -> None:
    shutil.copytree(compiled, tmp_path / "flash")
    with plugged_in(tmp_path) as (port, plugged):

        async def leave(board: VirtualBoard) -> None:
            await board.power_off()
            await hold_two(board)
            board.serial(b"\x00" + cable.pack(cable.TO_PYTHON))
            await board.until(lambda: board.ended, 10_000)

        plugged.call(leave)

        assert mpremote(port, "exec", "import os; print('main.py' in os.listdir())").split() == ["True"]
