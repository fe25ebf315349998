"""The firmware's cable on a virtual board: a link while it plays, pairing and Python's prompt in set-up mode alone."""

from __future__ import annotations

from pathlib import Path

from moveclock import cable, identity, secure, wire
from tests.board.board import VirtualBoard
from tests.firmware.edge import BOOT_MS, PINS, SECRET, UID, machine, on_board, pressed

SETUP = machine(held=pressed(0, 1))
NEW_SECRET = bytes(reversed(range(32)))


async def asked(board: VirtualBoard, kind: int, payload: bytes = b"") -> list[tuple[int, bytes]]:
    """What comes back over the cable; noise before it is none of its business."""
    before = len(board.output)
    board.serial(b"noise\0" + cable.pack(kind, payload))
    await board.run(150)
    return list(cable.Packets().feed(b"\0" + board.output[before:]))


def test_a_box_says_who_it_is_and_never_its_secret(tmp_path: Path) -> None:
    async def play(board: VirtualBoard) -> None:
        await board.run(BOOT_MS)
        ((kind, payload),) = await asked(board, cable.ASK)
        assert kind == cable.TOLD
        told = cable.unpack_told(payload)
        assert (told.info[1:7], told.paired, told.setup) == (UID, True, False)
        assert told.fingerprint == cable.fingerprint(SECRET)
        assert told.backlog, "that it started no desk has heard yet"
        assert told.free == 20_000, "free in the heap, and not what it may still grow by"
        assert told.chip == (110_000, 65_536)

    board = on_board(tmp_path, play)

    assert SECRET not in board.output


def test_a_box_that_starts_tells_a_desk_that_its_link_is_over(tmp_path: Path) -> None:
    async def play(board: VirtualBoard) -> None:
        await board.run(BOOT_MS)
        assert cable.Packets().feed(b"\0" + board.output) == [(cable.CLOSED, b"")]

    on_board(tmp_path, play)


def test_the_cable_is_a_link_like_any_other(tmp_path: Path) -> None:
    hello = wire.pack_hello(bytes(16), 5, 0, 0, "desk")

    async def play(board: VirtualBoard) -> None:
        await board.run(BOOT_MS)
        assert await asked(board, cable.FRAME, hello) == [(cable.CLOSED, b"")]
        assert await asked(board, cable.OPEN) == [(cable.OPENED, b"")]
        ((kind, welcome),) = await asked(board, cable.FRAME, hello)
        assert (kind, welcome[0]) == (cable.FRAME, wire.WELCOME)
        proof = bytes([wire.AUTH]) + secure.handshake_tag(SECRET, secure.DESK, hello + welcome)
        packets = await asked(board, cable.FRAME, proof)
        assert [payload[0] for _, payload in packets] == [wire.ACCEPTED, wire.SEALED, wire.SEALED]
        await board.run(12500)
        assert cable.Packets().feed(b"\0" + board.output)[-1] == (cable.CLOSED, b""), "a silent desk is dropped"

    on_board(tmp_path, play)


def test_a_box_that_plays_takes_no_secret_and_does_not_stop(tmp_path: Path) -> None:
    async def play(board: VirtualBoard) -> None:
        await board.run(BOOT_MS)
        for kind in (cable.PAIR, cable.TO_PYTHON, cable.RESTART):
            answer = await asked(board, kind, UID + NEW_SECRET)
            assert answer == [(cable.DONE, bytes([kind, cable.NOT_IN_SETUP]))]
        assert await asked(board, 17) == [(cable.DONE, bytes([17, cable.UNKNOWN]))]
        board.serial(b"\x03")
        await board.run(100)
        assert not board.ended, "Ctrl-C is a byte like any other"

    board = on_board(tmp_path, play)

    assert identity.unpack((board.flash / identity.FILE).read_bytes()).secret == SECRET


def test_in_set_up_mode_a_box_is_paired_over_the_cable_and_plays_with_its_new_secret(tmp_path: Path) -> None:
    async def play(board: VirtualBoard) -> None:
        await board.run(200)
        for contact in (0, 1):
            board.edge(PINS.buttons[contact], 1)
        ((_, payload),) = await asked(board, cable.ASK)
        told = cable.unpack_told(payload)
        assert (told.paired, told.setup, told.fingerprint) == (False, True, b"")
        foreign = await asked(board, cable.PAIR, bytes(6) + NEW_SECRET)
        assert foreign == [(cable.DONE, bytes([cable.PAIR, cable.OTHER_UID]))]
        for unfit in (UID, UID + bytes(32), UID + NEW_SECRET + b"\1"):
            assert (await asked(board, cable.PAIR, unfit))[0][1][1] != cable.OK
        assert await asked(board, cable.OPEN) == [(cable.CLOSED, b"")]
        assert await asked(board, cable.PAIR, UID + NEW_SECRET) == [(cable.DONE, bytes([cable.PAIR, cable.OK]))]
        assert await asked(board, cable.RESTART) == [(cable.DONE, bytes([cable.RESTART, cable.OK]))]
        await board.run(BOOT_MS)
        ((_, payload),) = await asked(board, cable.ASK)
        told = cable.unpack_told(payload)
        assert (told.setup, told.fingerprint) == (False, cable.fingerprint(NEW_SECRET))

    board = on_board(tmp_path, play, given=SETUP, paired=False)

    kept = identity.unpack((board.flash / identity.FILE).read_bytes())
    assert (kept.uid, kept.secret) == (UID, NEW_SECRET)


def test_in_set_up_mode_micropythons_prompt_can_be_had_and_no_watchdog_takes_it_away(tmp_path: Path) -> None:
    async def play(board: VirtualBoard) -> None:
        await board.run(200)
        assert await asked(board, cable.TO_PYTHON) == [(cable.DONE, bytes([cable.TO_PYTHON, cable.OK]))]
        await board.until(lambda: board.ended)
        await board.run(20000)
        assert board.resets == []

    on_board(tmp_path, play, given=SETUP)


def test_in_set_up_mode_nothing_is_advertised(tmp_path: Path) -> None:
    async def play(board: VirtualBoard) -> None:
        await board.run(2000)
        assert not [line for line in board.lines if line[1] == "advertise"]

    on_board(tmp_path, play, given=SETUP)
