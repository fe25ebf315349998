"""The firmware's radio on a virtual board: what it advertises, whom it serves, and what it does when the air fails."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from moveclock import advert, secure, wire
from moveclock import facts as k
from tests.board.board import VirtualBoard
from tests.firmware.air import ADDRESS, NONCE, Air, Desk, a_desk_is_let_in, four_connect
from tests.firmware.edge import BOOT_MS, DISPLAY, PINS, SECRET, UID, facts, machine, on_board, pressed, set_up, tap


def unpacked(adv: bytes) -> tuple[Any, ...]:
    return advert.unpack(secure.advert_key(SECRET, UID), adv[3:])


def test_the_advertisement_fits_is_tagged_and_names_service_and_box(tmp_path: Path) -> None:
    air = Air()

    async def play(board: VirtualBoard) -> None:
        await board.run(BOOT_MS)

    on_board(tmp_path, play, radio=air)

    adv, resp, connectable = air.adverts[-1]
    assert len(adv) == 31
    assert len(resp) <= 31
    assert connectable
    assert adv[:3] == b"\x02\x01\x06"
    assert unpacked(adv)[0] == UID[3:]
    assert resp[:2] == b"\x11\x07"
    assert resp[2:18] == bytes.fromhex(wire.SERVICE_UUID.replace("-", ""))[::-1]
    assert resp[18:].endswith(b"\x09Dalej cd01")
    assert air.values[air.handles[wire.INFO_UUID]][:7] == bytes([wire.PROTOCOL]) + UID


def test_a_box_is_on_the_air_while_links_come_and_go_and_takes_no_fifth(tmp_path: Path) -> None:
    air = Air()

    async def play(board: VirtualBoard) -> None:
        await board.run(BOOT_MS)
        for link in range(4):
            board.connected(link, ADDRESS)
            await board.run(50)
            assert air.on_air is not None, link
            assert air.on_air[2] is (link < 3)
        board.disconnected(2)
        await board.run(50)
        assert air.on_air is not None
        assert air.on_air[2]

    on_board(tmp_path, play, radio=air)


def test_a_desk_is_let_in_and_hears_every_fact(tmp_path: Path) -> None:
    air = Air()
    seqs: list[int] = []

    async def play(board: VirtualBoard) -> None:
        await board.run(BOOT_MS)
        desk = Desk(board, air, 1)
        await desk.connect()
        frames = await desk.enter()
        await tap(board, PINS.sedzia)
        frames += (await desk.ask(bytes([wire.SEALED]) + desk.seal.seal(b"\x12\0\0\0\0")))[0:]
        heard = air.heard[1]
        assert heard[1][0] == wire.ACCEPTED
        for frame in heard[2:]:
            body = desk.opener.open(frame[1:])
            if body[0] == wire.RECORDS:
                seqs.extend(wire.unpack_record(body[at : at + 32])[0] for at in range(1, len(body), 32))

    on_board(tmp_path, play, radio=air)

    assert seqs[:2] == [1, 2]


def test_a_link_with_a_small_mtu_is_refused_in_words(tmp_path: Path) -> None:
    air = Air()

    async def play(board: VirtualBoard) -> None:
        await board.run(BOOT_MS)
        desk = Desk(board, air, 1)
        await desk.connect(mtu=64)
        assert await desk.ask(wire.pack_hello(NONCE, 5, 0, 0, "desk")) == [
            wire.pack_refusal(wire.NO_MTU, wire.UNPROVED, b"")
        ]

    on_board(tmp_path, play, radio=air)


def test_a_stranger_who_says_no_hello_is_thrown_out_and_can_write_what_it_likes(tmp_path: Path) -> None:
    air = Air()

    async def play(board: VirtualBoard) -> None:
        await board.run(BOOT_MS)
        stranger = Desk(board, air, 0)
        await stranger.connect()
        for garbage in (b"", b"\0", b"\xff" * 244, b"\x01" * 400, bytes(256)):
            assert await stranger.ask(garbage) == []
        for _ in range(40):
            board.written(0, air.handles[wire.COMMANDS_UUID], b"\x63" * 20)
        await board.run(8500)
        assert air.closed == [0]
        await a_desk_is_let_in(board, air)

    on_board(tmp_path, play, radio=air)


def test_frames_wait_while_the_radio_has_no_room_and_none_is_lost(tmp_path: Path) -> None:
    air = Air()

    async def play(board: VirtualBoard) -> None:
        await board.run(BOOT_MS)
        desk = Desk(board, air, 1)
        await desk.connect()
        await desk.enter()
        board.held = True
        for stamp in range(20):
            board.written(1, air.handles[wire.COMMANDS_UUID], _ping(desk, stamp))
            await board.run(60)
        stuck = len(air.heard[1])
        board.held = False
        board.sent(12)
        await board.run(1500)
        assert len(air.heard[1]) > stuck
        for frame in air.heard[1][2:]:
            desk.opener.open(frame[1:])

    on_board(tmp_path, play, radio=air)


def test_advertising_is_begun_anew_every_half_minute_though_nothing_has_changed(tmp_path: Path) -> None:
    air = Air()

    async def play(board: VirtualBoard) -> None:
        await board.run(BOOT_MS)
        before = len(air.adverts)
        await board.run(31000)
        assert len(air.adverts) - before == 1

    on_board(tmp_path, play, radio=air)


def test_links_that_the_radio_has_lost_without_a_word_are_forgotten_and_make_room(tmp_path: Path) -> None:
    air = Air()

    async def play(board: VirtualBoard) -> None:
        await board.run(BOOT_MS)
        await four_connect(board)
        for link in range(4):
            board.tell("forgotten", link)
        assert air.on_air is not None
        assert not air.on_air[2], "four are connected, as far as the box knows"
        await board.run(10000)
        assert air.on_air[2]
        await a_desk_is_let_in(board, air)

    on_board(tmp_path, play, radio=air)


def test_a_link_that_is_being_closed_is_kept_until_it_is_gone(tmp_path: Path) -> None:
    air = Air()

    async def play(board: VirtualBoard) -> None:
        await board.run(BOOT_MS)
        await four_connect(board)
        await board.run(15000)  # asked to, the first three stay as they are
        assert set(air.closed) == {0, 1, 2, 3}
        assert air.on_air is not None
        assert not air.on_air[2], "there would be no room for a fifth"

    on_board(tmp_path, play, radio=air)


@pytest.mark.torture
def test_a_controller_that_does_not_answer_costs_the_game_a_tenth_of_its_time_and_no_reset(tmp_path: Path) -> None:
    air = Air()
    still = 0

    async def play(board: VirtualBoard) -> None:
        nonlocal still
        await set_up(board, PINS.buttons[0])
        await tap(board, PINS.buttons[0], 2)
        board.connected(0, ADDRESS)
        await board.run(50)
        board.tell("deaf", True)
        for move in range(20):
            for _ in range(10):
                before = board.digits(DISPLAY)
                await board.run(1000)
                still += board.digits(DISPLAY) == before
            await tap(board, PINS.buttons[2 * (move % 4)])
        assert board.resets == []
        assert air.on_air is None
        board.tell("deaf", False)
        await board.until(lambda: air.on_air is not None, 100_000)

    board = on_board(tmp_path, play, given=machine(held=pressed(0, 1)), radio=air)

    moves = [fact for fact in facts(board.flash) if fact[0] == k.MOVE_ENDED]
    assert [(fact[4], fact[5]) for fact in moves] == [(move % 4, k.BY_JUZ) for move in range(20)]
    assert still <= 40, "of 200 seconds"


def _ping(desk: Desk, stamp: int) -> bytes:
    return bytes([wire.SEALED]) + desk.seal.seal(bytes([wire.PING]) + stamp.to_bytes(4, "little"))
