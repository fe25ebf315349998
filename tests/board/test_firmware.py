"""The unchanged firmware on a virtual board: it starts, a game is played with fingers alone, faults happen to it."""

from __future__ import annotations

import errno
import itertools
from collections.abc import Awaitable, Callable
from functools import partial
from pathlib import Path

import pytest

from moveclock import advert, identity, secure
from moveclock import facts as k
from moveclock.settings import Settings
from tests.board.board import Machine, NoRadio, VirtualBoard, install
from tests.board.journal import facts
from tests.board.rig import play

JUZ = (32, 25, 27, 13)
DALEJ = (33, 26, 14, 23)
SEDZIA, KOSTKA = 19, 34
RING = 18
DISPLAYS = (0x70, 0x71, 0x72, 0x73)
SECRET = bytes(range(32))
DARK = "8.8.:8.8."  # every segment, for the self-test

Scenario = Callable[[VirtualBoard], Awaitable[None]]


def board_with(folder: Path, firmware: Path, scenario: Scenario, **options: object) -> VirtualBoard:
    """Have a scenario happen to a board with firmware and an identity, in simulated time unless told otherwise."""

    async def whole(board: VirtualBoard) -> None:
        install(board.flash, firmware)
        known = identity.Identity(identity.KOSTKA, bytes(board.machine.uid), SECRET)
        (board.flash / identity.FILE).write_bytes(known.pack())
        await scenario(board)

    return play(folder, whole, **{"simulated": True, **options})


async def tap(board: VirtualBoard, pin: int, milliseconds: int = 80, rest: int = 500) -> None:
    await board.press(pin, milliseconds)
    await board.run(rest)


async def ready(board: VirtualBoard) -> None:
    """Power on with seat A's two buttons held, take the rules as they are, and play."""
    board.edge(JUZ[0], 0)
    board.edge(DALEJ[0], 0)
    await board.power_on()
    await board.until(lambda: board.digits(0x70).startswith("L"), 20_000)
    board.edge(JUZ[0], 1)
    board.edge(DALEJ[0], 1)
    await board.run(300)
    await tap(board, SEDZIA, rest=2000)


async def started(board: VirtualBoard) -> None:
    """Seat A's move runs."""
    await ready(board)
    await tap(board, JUZ[0])
    await tap(board, JUZ[0])


def found(board: VirtualBoard) -> list[tuple[int, ...]]:
    return facts(board.flash, board.machine.uid, board.folder / "read")


def kinds(board: VirtualBoard) -> list[int]:
    return [fact[0] for fact in found(board)]


def faults(board: VirtualBoard) -> list[int]:
    return [fact[5] for fact in found(board) if fact[0] == k.FAULT]


def command_handle(board: VirtualBoard) -> int:
    """Where a desk writes."""
    services = next(line[2] for line in board.lines if line[1] == "register")
    return next(int(handle) for _, values in services for _, flags, handle in values if flags & 8)


def _lit(board: VirtualBoard, address: int) -> bool:
    return board.digits(address) == DARK


@pytest.mark.parametrize("from_source", [True, False])
def test_it_starts_shows_that_everything_works_and_advertises(
    tmp_path: Path, compiled: Path, from_source: bool
) -> None:
    seen = []

    async def watch(board: VirtualBoard) -> None:
        if from_source:
            install(board.flash)
        radio = board.radio
        assert isinstance(radio, NoRadio)
        await board.power_on()
        for address in DISPLAYS:  # one after the other
            await board.until(partial(_lit, board, address), 5_000)
            assert any(any(pixel) for pixel in board.pixels(RING))
        await board.until(lambda: radio.advertised is not None)
        seen.append(radio.advertised or b"")
        await board.run(1000)
        assert DARK not in [board.digits(address) for address in DISPLAYS]

    board = board_with(tmp_path, compiled, watch)

    key = secure.advert_key(SECRET, bytes(board.machine.uid))
    assert seen[0][:3] == b"\x02\x01\x06"
    assert advert.unpack(key, seen[0][3:])[0] == bytes(board.machine.uid)[3:]
    assert kinds(board)[0] == k.BOOTED
    assert k.FAULT not in kinds(board), [fact for fact in found(board) if fact[0] == k.FAULT]


def test_a_game_played_with_fingers_alone_is_in_the_journal_to_the_millisecond(tmp_path: Path, compiled: Path) -> None:
    lasted = (2_000, 3_500, 1_250, 2_750)

    async def game(board: VirtualBoard) -> None:
        await started(board)
        began = board.time - 580_000  # the down edge of the tap that started
        for turn, milliseconds in enumerate(lasted):
            began += milliseconds * 1000
            pin = (DALEJ if turn % 2 else JUZ)[turn]
            board.edge(pin, 0, at=began)
            board.edge(pin, 1, at=began + 60_000)
        await board.run(sum(lasted) + 500)
        await tap(board, JUZ[0], 1_400)
        await board.run(1_000)

    board = board_with(tmp_path, compiled, game)

    moves = [fact for fact in found(board) if fact[0] == k.MOVE_ENDED]
    assert [(fact[4], fact[5]) for fact in moves] == [
        (0, k.BY_JUZ), (1, k.BY_DALEJ), (2, k.BY_JUZ), (3, k.BY_DALEJ), (0, k.BY_EMPTY_RACK),
    ]  # fmt: skip
    assert [fact[6] for fact in moves[:4]] == list(lasted)
    ends = [fact for fact in found(board) if fact[0] == k.GAME_ENDED]
    assert [(fact[4], fact[5]) for fact in ends] == [(0, k.WENT_OUT)]
    assert k.FAULT not in kinds(board)


def test_the_move_that_runs_out_is_expired_at_the_limit_exactly(tmp_path: Path, compiled: Path) -> None:
    async def wait(board: VirtualBoard) -> None:
        rules = Settings()
        rules.limit_ms = 15_000
        (board.flash / "settings").write_bytes(rules.pack())
        await started(board)
        await board.run(16_000)

    board = board_with(tmp_path, compiled, wait)

    late = [fact for fact in found(board) if fact[0] == k.TIME_RAN_OUT]
    assert [(fact[4], fact[6]) for fact in late] == [(0, 15_000)]


def test_the_power_goes_in_a_move_and_the_box_comes_back_stopped_with_the_time_that_was_left(
    tmp_path: Path, compiled: Path
) -> None:
    async def cut(board: VirtualBoard) -> None:
        await started(board)
        await board.run(12_000)
        await board.power_off()
        await board.power_on()
        await board.run(3_000)

    board = board_with(tmp_path, compiled, cut)

    stops = [fact for fact in found(board) if fact[0] == k.CLOCK_STOPPED]
    assert [fact[5] for fact in stops] == [k.BOX_LOST_POWER]
    assert abs(stops[0][6] - 48_000) <= 5_500


@pytest.mark.parametrize("after", [0, 1, 2, 5])
def test_the_power_goes_during_any_write_and_what_was_written_before_is_there(
    tmp_path: Path, compiled: Path, after: int
) -> None:
    async def cut(board: VirtualBoard) -> None:
        await started(board)
        known = kinds(board)
        board.cut_power_at_write(after)
        for seat in itertools.cycle(range(1, 5)):
            if not board.on:
                break
            await board.press(JUZ[(seat - 1) % 4], 60)
            await board.run(700)
        await board.power_on()
        await board.run(3_000)
        again = kinds(board)
        assert again[: len(known)] == known
        assert again.count(k.BOOTED) == known.count(k.BOOTED) + 1

    board_with(tmp_path, compiled, cut)


def test_a_reset_by_the_watchdog_is_told_and_the_table_stopped(tmp_path: Path, compiled: Path) -> None:
    async def hang(board: VirtualBoard) -> None:
        await started(board)
        await board.run(2_000)
        board.tell("hang")
        await board.until(lambda: bool(board.resets), 30_000)
        await board.run(4_000)

    board = board_with(tmp_path, compiled, hang)

    assert board.resets == ["watchdog"]
    assert [fact[5] for fact in found(board) if fact[0] == k.BOOTED][-1] == k.WATCHDOG
    assert [fact[5] for fact in found(board) if fact[0] == k.CLOCK_STOPPED] == [k.BOX_LOST_POWER]


def test_a_flash_that_fails_for_a_while_costs_a_fault_and_no_fact(tmp_path: Path, compiled: Path) -> None:
    async def fail(board: VirtualBoard) -> None:
        await started(board)
        board.break_flash(errno.EIO)
        await tap(board, JUZ[0])
        await tap(board, JUZ[1])
        board.break_flash(0)
        await board.run(10_000)
        await tap(board, JUZ[2])
        await board.run(2_000)

    board = board_with(tmp_path, compiled, fail)

    assert [fact[4] for fact in found(board) if fact[0] == k.MOVE_ENDED] == [0, 1, 2]
    assert k.E_FLASH_WRITE in faults(board)


def test_a_display_that_is_not_there_is_an_error_code_and_the_others_go_on(tmp_path: Path, compiled: Path) -> None:
    async def watch(board: VirtualBoard) -> None:
        await board.power_on()
        await board.run(3_000)
        assert board.digits(0x71) == ""
        assert board.digits(0x70) != ""

    board = board_with(tmp_path, compiled, watch, machine=Machine(i2c=(0x70, 0x72, 0x73)))

    assert k.E_DISPLAY + 1 in faults(board)


def test_a_radio_that_does_not_start_leaves_a_box_that_plays(tmp_path: Path, compiled: Path) -> None:
    async def game(board: VirtualBoard) -> None:
        await started(board)
        await tap(board, JUZ[0])

    board = board_with(tmp_path, compiled, game, machine=Machine(radio_fails=100))

    assert k.MOVE_ENDED in kinds(board)
    assert k.E_RADIO in faults(board)


def test_a_stranger_that_connects_and_says_nothing_is_dropped_and_it_advertises_on(
    tmp_path: Path, compiled: Path
) -> None:
    async def visit(board: VirtualBoard) -> None:
        radio = board.radio
        assert isinstance(radio, NoRadio)
        await board.power_on()
        await board.until(lambda: radio.advertised is not None)
        board.connected(0, bytes(6))
        await board.run(500)
        assert [line[2] for line in board.lines if line[1] == "advertise"][-1] is not None
        await board.run(9_000)
        assert [line[2] for line in board.lines if line[1] == "disconnect"] == [0]

    board_with(tmp_path, compiled, visit)


def test_garbage_over_the_air_and_the_cable_changes_nothing(tmp_path: Path, compiled: Path) -> None:
    async def visit(board: VirtualBoard) -> None:
        await started(board)
        board.connected(0, bytes(6))
        await board.run(20)
        for number in range(40):
            board.written(0, command_handle(board), bytes([number]) * (number * 7 % 300))
        board.serial(bytes(range(256)) * 4)
        await board.run(6_000)
        await tap(board, JUZ[0])

    board = board_with(tmp_path, compiled, visit)

    assert [fact[4] for fact in found(board) if fact[0] == k.MOVE_ENDED] == [0]


def test_an_exception_in_the_radios_handler_is_a_fault_and_the_next_event_is_heard(
    tmp_path: Path, compiled: Path
) -> None:
    async def visit(board: VirtualBoard) -> None:
        await started(board)
        board.connected(0, bytes(6))
        await board.run(50)
        board.tell("no_memory", 1)
        board.written(0, command_handle(board), b"x")
        await board.run(500)
        board.disconnected(0)
        board.connected(1, bytes(6))
        await board.run(10_000)
        assert [line[2] for line in board.lines if line[1] == "disconnect"] == [1]

    board = board_with(tmp_path, compiled, visit)

    assert k.E_RADIO_HANDLER in faults(board)


def test_a_press_while_the_flash_stalls_counts_from_the_stalls_beginning_at_the_earliest_and_never_late(
    tmp_path: Path, compiled: Path
) -> None:
    """The checkpoint of a running move is written about 5 s after it began: presses come before, in and after it."""
    true = [4_900 + 25 * number for number in range(12)]

    async def game(board: VirtualBoard) -> None:
        await ready(board)
        await tap(board, JUZ[0])
        began = board.time
        await tap(board, JUZ[0])
        for seat, milliseconds in zip(itertools.cycle(range(4)), true, strict=False):
            began += milliseconds * 1000
            board.edge(JUZ[seat], 0, at=began)
            board.edge(JUZ[seat], 1, at=began + 150_000)
        await board.run(sum(true) + 1_000)

    board = board_with(tmp_path, compiled, game, machine=Machine(flash_us=40_000))

    ends = list(itertools.accumulate(fact[6] for fact in found(board) if fact[0] == k.MOVE_ENDED))
    late = [end - right for end, right in zip(ends, itertools.accumulate(true), strict=True)]
    assert all(-90 <= error <= 10 for error in late), late
    assert k.FAULT not in kinds(board)


def test_twenty_edges_at_once_are_one_press(tmp_path: Path, compiled: Path) -> None:
    async def bounce(board: VirtualBoard) -> None:
        await started(board)
        for number in range(20):
            board.edge(JUZ[0], number % 2, at=board.time + 1_000_000 + 700 * number)
        board.edge(JUZ[0], 0, at=board.time + 1_020_000)
        board.edge(JUZ[0], 1, at=board.time + 1_120_000)
        await board.run(3_000)

    board = board_with(tmp_path, compiled, bounce)

    assert [fact[4] for fact in found(board) if fact[0] == k.MOVE_ENDED] == [0]


def test_the_counter_wraps_in_a_move_and_nobody_sees_it(tmp_path: Path, compiled: Path) -> None:
    async def game(board: VirtualBoard) -> None:
        await started(board)
        before = board.time
        board.edge(JUZ[0], 0, at=before + 9_420_000)
        board.edge(JUZ[0], 1, at=before + 9_500_000)
        await board.run(11_000)

    wraps = Machine(ticks=(1 << 30) * 1000 - 10_000_000)
    board = board_with(tmp_path, compiled, game, machine=wraps)

    assert [fact[6] for fact in found(board) if fact[0] == k.MOVE_ENDED] == [10_000]


def test_the_heap_in_use_stays_the_same_over_forty_moves(tmp_path: Path, compiled: Path) -> None:
    async def game(board: VirtualBoard) -> None:
        await started(board)
        for seat in itertools.islice(itertools.cycle(range(4)), 8):
            await tap(board, JUZ[seat])
        before = await board.heap()
        for seat in itertools.islice(itertools.cycle(range(4)), 40):
            await tap(board, JUZ[seat])
        after = await board.heap()
        assert abs(after - before) < 2_000, (before, after)

    board_with(tmp_path, compiled, game)
