"""`dalej box measure` at the port of a virtual board: the firmware as it is on a box, its own chip's pulses over a wire
that does what a test says, and what the command makes of it.
"""

from __future__ import annotations

import os
import signal
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from threading import Thread

import pytest

from dalej.boxes import measuring
from dalej.boxes.secret import NO_KEYRING
from moveclock import facts as k
from moveclock.identity import FILE, unpack
from tests.board.board import Machine, NoRadio, VirtualBoard, install
from tests.board.cable import BoardInAThread, plugged_in
from tests.board.parts import Wire
from tests.cli.conftest import Done, Program
from tests.firmware.edge import (
    BOARD,
    DISPLAY,
    ESP32_S3,
    GOOD_MV,
    PINS,
    SECRET,
    UID,
    facts,
    machine,
    pair,
    pressed,
)  # fmt: skip
from tests.waiting import until

pytestmark = pytest.mark.skipif(os.name == "nt", reason="Windows has no pseudo-terminals to put a box behind")

JUZ, DALEJ = PINS.buttons[:2]
MOVES = 30
TIMES = 2
"""As fast as life: a box drops a link of which it hears nothing for 12 s of its time, and the desk speaks every 2 s."""


@pytest.fixture(autouse=True)
def club(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    variable, _, value = NO_KEYRING.partition("=")
    monkeypatch.setenv(variable, value)
    monkeypatch.setenv("DALEJ_HOME", str(tmp_path / "club"))
    monkeypatch.setattr(measuring, "SETTLE_MS", 2_000)


def wire(**faults: int) -> Wire:
    """From Dalej's contact to that of Już."""
    return Wire(start=DALEJ, end=JUZ, **faults)


@contextmanager
def plugged(folder: Path, given: Machine) -> Iterator[tuple[str, BoardInAThread]]:
    """A paired box with the firmware as it is installed."""
    folder.mkdir()
    install(folder / "flash", compiled=True)
    pair(folder / "flash")
    with plugged_in(folder, given, times=TIMES) as (port, board):
        yield port, board


@contextmanager
def in_set_up_mode(
    folder: Path, given: Machine, held: Sequence[int] = (JUZ, DALEJ)
) -> Iterator[tuple[str, BoardInAThread]]:
    """One that was plugged in with both buttons held, which are let go now."""
    with plugged(folder, given) as (port, board):

        async def let_go(there: VirtualBoard) -> None:
            await there.until(lambda: there.digits(DISPLAY).startswith("L"), 20_000)
            for pin in held:
                there.edge(pin, 1)

        board.call(let_go)
        yield port, board


def plays(board: VirtualBoard) -> bool:
    """Whether the firmware is on the air."""
    return isinstance(board.radio, NoRadio) and board.radio.advertised is not None


def shows(board: VirtualBoard, text: str) -> bool:
    return board.digits(DISPLAY) == text


def measured_on(dalej: Program, folder: Path, given: Machine, held: Sequence[int], *options: str) -> Done:
    with in_set_up_mode(folder, given, held) as (port, _board):
        return dalej("box", "measure", port, "--moves", str(MOVES), *options)


def measured(dalej: Program, folder: Path, joined: Wire, *options: str, flash_us: int = 0) -> Done:
    given = machine(held=pressed(0, 1), wire=joined, flash_us=flash_us)
    return measured_on(dalej, folder, given, (JUZ, DALEJ), *options)


def test_presses_that_come_when_they_should_are_recorded_to_the_millisecond(dalej: Program, tmp_path: Path) -> None:
    done = measured(dalej, tmp_path / "board", wire())

    assert (done.code, done.err) == (0, "")
    assert done.out.splitlines() == [
        f"Box {UID.hex()} is measured for 30 moves; that takes about 2 min.",
        "IO33 (Dalej) presses IO32 (Już) over the wire between them: leave all buttons alone.",
        "30 moves: 0 ms off at the median, 99 % at most 0 ms, 0 ms at worst.",
        "The goal, 10 ms at worst, is reached.",
        "Presses lost: 0; presses that nobody made: 0.",
        "The crystal's own error is not in it: what presses and what counts have the same one.",
    ]


def test_a_press_that_comes_late_makes_one_move_longer_and_the_next_one_shorter_by_just_that(
    dalej: Program, tmp_path: Path
) -> None:
    done = measured(dalej, tmp_path / "board", wire(late_every=10, late_us=7_000), "--json")

    (told,) = done.objects
    off = [place for place, error in enumerate(told["errors_ms"]) if error]
    assert done.code == 0
    assert (told["moves"], told["median_ms"], told["worst_ms"]) == (MOVES, 0, 7)
    assert [told["errors_ms"][place] for place in off if place and place < MOVES - 1][:2] in ([7, -7], [-7, 7])
    assert {abs(told["errors_ms"][place]) for place in off} == {7}
    assert 4 <= len(off) <= 7
    assert (told["lost"], told["doubled"], told["faults"]) == (0, 0, [])


def test_presses_that_come_while_a_checkpoint_is_written_are_among_those_that_are_measured(
    dalej: Program, tmp_path: Path
) -> None:
    """The flash keeps interrupts for 30 ms: the firmware dates what came meanwhile to its begin, on nobody's cost."""
    done = measured(dalej, tmp_path / "board", wire(), "--json", flash_us=30_000)

    (told,) = done.objects
    off = [error for error in told["errors_ms"] if error]
    assert (done.code, told["median_ms"]) == (0, 0)
    assert len(off) >= MOVES // len(measuring.PERIODS_MS)
    assert all(-11 <= early <= -9 and later == -early for early, later in zip(off[::2], off[1::2], strict=False))


def test_a_flat_box_is_measured_by_its_side_a_in_games_that_are_no_longer_than_real_ones(
    dalej: Program, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(measuring, "GAME_MOVES", 12)
    pins = BOARD["pins"](ESP32_S3)
    juz, dalej_pin = pins.buttons[:2]
    flat = machine(
        chip="esp32s3", held={str(pins.kostka): 1, str(juz): 0, str(dalej_pin): 0},
        millivolts={str(pins.battery): GOOD_MV}, wire=Wire(start=dalej_pin, end=juz),
    )  # fmt: skip

    done = measured_on(dalej, tmp_path / "board", flat, (juz, dalej_pin))

    assert (done.code, done.err) == (0, "")
    assert f"IO{dalej_pin} (Dalej) presses IO{juz} (Już)" in done.out
    assert "30 moves: 0 ms off at the median, 99 % at most 0 ms, 0 ms at worst." in done.out


def test_a_goal_that_is_not_reached_is_told_and_no_failure(dalej: Program, tmp_path: Path) -> None:
    done = measured(dalej, tmp_path / "board", wire(late_every=10, late_us=17_000))

    assert done.code == 0
    assert "30 moves: 0 ms off at the median, 99 % at most 17 ms, 17 ms at worst." in done.out
    assert "The goal, 10 ms at worst, is not reached." in done.out


def test_a_press_that_is_lost_is_counted_and_the_moves_beside_it_are_no_errors(dalej: Program, tmp_path: Path) -> None:
    done = measured(dalej, tmp_path / "board", wire(lost_every=12), "--json")

    (told,) = done.objects
    assert done.code == 1
    assert told["lost"] in (2, 3)
    assert (told["moves"], told["worst_ms"], told["doubled"]) == (MOVES - told["lost"], 0, 0)


def test_a_press_that_nobody_made_is_counted_though_the_guard_time_keeps_it_from_the_game(
    dalej: Program, tmp_path: Path
) -> None:
    done = measured(dalej, tmp_path / "board", wire(twice_every=12), "--json")

    (told,) = done.objects
    assert done.code == 1
    assert told["doubled"] in (2, 3)
    assert (told["moves"], told["worst_ms"], told["lost"]) == (MOVES, 0, 0)


def test_without_a_wire_it_says_where_nothing_came_and_the_box_plays_as_before(dalej: Program, tmp_path: Path) -> None:
    with in_set_up_mode(tmp_path / "board", machine(held=pressed(0, 1))) as (port, board):
        done = dalej("box", "measure", port)
        board.until(lambda there: there.resets == ["soft", "soft", "hard"] and plays(there), 30_000)

    assert done.code == 1
    assert done.err == (
        "nothing came over the wire between IO33 and IO32: does it join the contacts of Dalej and Już?\n"
    )
    flash = tmp_path / "board" / "flash"
    assert not (flash / "measure").exists()
    assert [fact[0] for fact in facts(flash)] in ([], [k.BOOTED])
    assert unpack((flash / FILE).read_bytes()).secret == SECRET


def test_a_wire_that_comes_loose_is_told_with_what_there_was_until_then(dalej: Program, tmp_path: Path) -> None:
    done = measured(dalej, tmp_path / "board", wire(cut_after=20))

    assert done.code == 1
    assert done.err.startswith("nothing more came over the wire between IO33 and IO32 (moves before that: ")


def test_a_button_that_somebody_presses_meanwhile_ends_it(dalej: Program, tmp_path: Path) -> None:
    async def press(there: VirtualBoard) -> None:
        await until(partial(shows, there, " 0:57"), "a move that lasts three seconds")
        there.edge(PINS.sedzia, 0)

    with in_set_up_mode(tmp_path / "board", machine(held=pressed(0, 1), wire=wire())) as (port, board):
        hand = Thread(target=board.call, args=(press,))
        hand.start()
        done = dalej("box", "measure", port, "--moves", str(MOVES))
        hand.join()

    assert done.code == 1
    assert done.err.startswith(f"box {UID.hex()} was disturbed: ")


def test_whoever_stops_it_gets_what_was_measured_until_then(dalej: Program, tmp_path: Path) -> None:
    async def stop(there: VirtualBoard) -> None:
        for shown in (" 0:57", " 1:00", " 0:57"):
            await until(partial(shows, there, shown), "the long move of a loop, and of the next one")
        os.kill(os.getpid(), signal.SIGINT)

    with in_set_up_mode(tmp_path / "board", machine(held=pressed(0, 1), wire=wire())) as (port, board):
        hand = Thread(target=board.call, args=(stop,))
        hand.start()
        done = dalej("box", "measure", port)
        hand.join()

    assert (done.code, done.err) == (1, "")
    assert done.out.splitlines()[2] == "Stopped before the end:"
    assert " moves: 0 ms off at the median, 99 % at most 0 ms, 0 ms at worst." in done.out.splitlines()[3]


def test_a_box_that_plays_is_not_measured(dalej: Program, tmp_path: Path) -> None:
    with plugged(tmp_path / "board", machine(wire=wire())) as (port, board):
        done = dalej("box", "measure", port)
        board.until(plays)
        assert board.board.resets == []

    assert done.code == 1
    assert done.err == (
        f"box {UID.hex()} at {port} plays, and may be in a game: when none is on, unplug it, join the contacts of Już "
        "and Dalej (of seat A, if each seat has its own) by one wire, hold one of the two while you plug it in, and "
        "try again\n"
    )
