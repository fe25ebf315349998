"""The whole firmware on a virtual board: a game by its buttons, set-up mode, the self-test's codes."""

from __future__ import annotations

from pathlib import Path

import pytest

from moveclock import facts as k
from moveclock import identity
from moveclock import settings as rules
from tests.board.board import VirtualBoard
from tests.firmware.edge import (
    BOOT_MS,
    DISPLAY,
    PINS,
    UID,
    facts,
    faults,
    machine,
    on_board,
    pair,
    pressed,
    set_up,
    tap,
)

JUZ_A, DALEJ_A, JUZ_B = PINS.buttons[:3]
SETUP = pressed(0, 1)


def kinds(flash: Path) -> list[int]:
    return [fact[0] for fact in facts(flash)]


def test_a_table_without_any_desk_sets_itself_up_and_plays(tmp_path: Path) -> None:
    async def play(board: VirtualBoard) -> None:
        await set_up(board, JUZ_A)  # from 60 to 120 s
        assert board.digits(DISPLAY) == " 2:00"
        await tap(board, JUZ_A)
        await tap(board, JUZ_A)  # with no starter set, the second tap starts
        await board.run(1500)
        assert board.digits(DISPLAY) in (" 1:59", " 1:58")
        await tap(board, DALEJ_A)
        await board.run(500)
        await tap(board, JUZ_B)
        await board.run(500)

    board = on_board(tmp_path, play, given=machine(held=SETUP))

    assert rules.unpack((board.flash / "settings").read_bytes()).limit_ms == 120000
    assert kinds(board.flash)[:5] == [k.BOOTED, k.CONFIGURED, k.SEAT_CHANGED, k.GAME_STARTED, k.MOVE_STARTED]
    ends = [fact for fact in facts(board.flash) if fact[0] == k.MOVE_ENDED]
    assert [(fact[4], fact[5]) for fact in ends] == [(k.SEAT_A, k.BY_DALEJ), (k.SEAT_B, k.BY_JUZ)]
    assert k.FAULT not in kinds(board.flash)


def test_a_power_cut_in_a_game_leaves_it_stopped_with_its_seat_and_time(tmp_path: Path) -> None:
    async def play(board: VirtualBoard) -> None:
        await set_up(board)
        await tap(board, JUZ_A, 2)
        await board.run(20000)
        await board.reset_button()
        await board.run(BOOT_MS)
        left = board.digits(DISPLAY)
        await board.run(3000)
        assert left == board.digits(DISPLAY)
        assert " 0:40" <= left <= " 0:46"

    board = on_board(tmp_path, play, given=machine(held=SETUP))

    stopped = [fact for fact in facts(board.flash) if fact[0] == k.CLOCK_STOPPED]
    assert [(fact[4], fact[5]) for fact in stopped] == [(k.SEAT_A, k.BOX_LOST_POWER)]


def test_saving_in_set_up_mode_ends_the_game_under_way_and_begins_the_next(tmp_path: Path) -> None:
    async def play(board: VirtualBoard) -> None:
        await set_up(board)
        await tap(board, JUZ_A, 2)
        await board.run(1000)
        board.edge(JUZ_A, 0)
        board.edge(DALEJ_A, 0)
        await board.reset_button()
        await set_up(board)

    board = on_board(tmp_path, play, given=machine(held=SETUP))

    ended = [fact for fact in facts(board.flash) if fact[0] in (k.GAME_ENDED, k.CONFIGURED)]
    assert [(fact[0], fact[2]) for fact in ended] == [(k.CONFIGURED, 1), (k.GAME_ENDED, 1), (k.CONFIGURED, 2)]


def test_the_small_build_sets_up_and_plays_with_its_two_buttons(tmp_path: Path) -> None:
    async def play(board: VirtualBoard) -> None:
        pair(board.flash, build=identity.SHARED)
        await board.reset_button()
        await set_up(board, DALEJ_A)
        assert board.digits(DISPLAY) == " 1:00"

    board = on_board(tmp_path, play, given=machine(held=SETUP))

    assert k.CONFIGURED in kinds(board.flash)


@pytest.mark.parametrize(
    ("changes", "code"),
    [
        ({"i2c": (0x70, 0x71, 0x73)}, k.E_DISPLAY + k.SEAT_C),
        ({"millivolts": {}}, k.E_BATTERY),
        ({"radio_fails": 2}, k.E_RADIO),
        ({"uncalibrated": True}, k.E_BATTERY),
        ({"held": {str(PINS.sedzia): 0}}, k.E_HELD + k.SEDZIA),
        ({"held": {str(PINS.kostka): 0}}, k.E_HELD + k.KOSTKA),
    ],
)
def test_what_the_self_test_finds_is_shown_and_recorded_and_the_box_plays_on(
    tmp_path: Path, changes: dict[str, dict[str, int]], code: int
) -> None:
    shown = []

    async def play(board: VirtualBoard) -> None:
        await board.run(BOOT_MS)
        shown.append(board.digits(DISPLAY))
        await board.run(5500)
        shown.append(board.digits(DISPLAY))

    board = on_board(tmp_path, play, given=machine(**changes))

    assert shown == [f"E{code:3d}", " -- "]
    assert faults(board.flash) == [code]


def test_the_self_test_goes_from_side_to_side_and_never_lights_all_at_once(tmp_path: Path) -> None:
    seen: list[int] = []

    async def play(board: VirtualBoard) -> None:
        for _ in range(BOOT_MS // 20):
            await board.run(20)
            lit = [seat for seat in range(4) if any(board.displays.get(DISPLAY + seat, (b"",))[0][:1])]
            ring = [place // 6 for place, pixel in enumerate(board.pixels(PINS.lamps)[:24]) if any(pixel)]
            if len(lit) == 1 and set(ring) == set(lit):
                seen.extend(seat for seat in lit if seat not in seen)
            assert len(set(ring)) <= 1

    on_board(tmp_path, play)

    assert seen == [k.SEAT_A, k.SEAT_B, k.SEAT_C, k.SEAT_D]


def test_several_findings_are_shown_one_after_the_other(tmp_path: Path) -> None:
    shown = set()

    async def play(board: VirtualBoard) -> None:
        for _ in range(22):
            await board.run(1000)
            shown.add(board.digits(DISPLAY))

    board = on_board(tmp_path, play, given=machine(i2c=(0x70,), millivolts={}))

    codes = [k.E_DISPLAY + seat for seat in (1, 2, 3)] + [k.E_BATTERY]
    assert faults(board.flash) == codes
    assert {f"E{code:3d}" for code in codes} <= shown


@pytest.mark.parametrize("kept", ["none", "foreign", "damaged", "unpaired"])
def test_a_box_without_an_identity_of_its_own_says_so_and_is_no_bodys_box(tmp_path: Path, kept: str) -> None:
    code = {"foreign": k.E_FOREIGN_IDENTITY, "damaged": k.E_DAMAGED_IDENTITY}.get(kept, k.E_NO_IDENTITY)
    flash = tmp_path / "flash"
    flash.mkdir()
    if kept == "foreign":
        pair(flash, uid=bytes(reversed(UID)))
    elif kept == "damaged":
        pair(flash)
        (flash / identity.FILE).write_bytes((flash / identity.FILE).read_bytes()[:-3])
    elif kept == "unpaired":
        (flash / identity.FILE).write_bytes(identity.Identity(identity.KOSTKA).pack())

    async def play(board: VirtualBoard) -> None:
        await board.run(BOOT_MS)
        assert board.digits(DISPLAY) == f"E{code:3d}"
        await board.run(1000)

    board = on_board(tmp_path, play, paired=False)

    assert faults(board.flash) == [code]
