"""A radio that is waited for without an end: people see a light, then a number, and the table plays without it."""

from __future__ import annotations

from pathlib import Path

from moveclock import cable
from moveclock import facts as k
from tests.board.board import VirtualBoard
from tests.firmware.air import Air
from tests.firmware.edge import BOOT_MS, DISPLAY, PINS, facts, faults, machine, on_board, pressed, tap

PATIENCE_MS = 10_000
HANGS = f"E{k.E_RADIO_HUNG:3d}"


def answers(board: VirtualBoard) -> list[int]:
    """Kinds of packets that answered over the cable."""
    return [kind for kind, _ in cable.Packets().feed(b"\0" + board.output) if kind != cable.CLOSED]


def test_a_radio_that_hangs_leaves_a_light_then_a_code_a_table_that_plays_and_the_cable(tmp_path: Path) -> None:
    air = Air()

    async def play(board: VirtualBoard) -> None:
        await board.run(1000)
        assert any(any(pixel) for pixel in board.pixels(PINS.lamps)), "a sign that there is power"
        await board.run(PATIENCE_MS)
        assert board.resets == ["watchdog"]
        await board.until(lambda: board.digits(DISPLAY) == HANGS, 2000)
        board.serial(b"\0" + cable.pack(cable.ASK))
        await board.run(6000)
        assert answers(board) == [cable.TOLD]
        await tap(board, PINS.sedzia)
        assert board.digits(DISPLAY) == " -- "
        await board.run(60_000)
        assert board.resets == ["watchdog"], "once is enough"

    board = on_board(tmp_path, play, given=machine(radio_hangs=True), radio=air)

    assert air.adverts == []
    assert faults(board.flash) == [k.E_RADIO_HUNG]
    assert k.STRAY_TAP in [fact[0] for fact in facts(board.flash)]


def test_a_radio_that_hung_is_tried_again_when_the_power_comes_back(tmp_path: Path) -> None:
    """Given a box that hung once, any reset leaves its radio off, and the main switch tries it anew."""
    air = Air()

    async def play(board: VirtualBoard) -> None:
        await board.run(PATIENCE_MS + 3000)
        assert board.resets == ["watchdog"]
        board.tell("hang")
        await board.run(10_000)
        assert board.resets == ["watchdog"] * 2, "no third one: the radio was left alone"
        object.__setattr__(board.machine, "radio_hangs", False)
        await board.power_off()
        await board.power_on()
        await board.run(BOOT_MS)
        assert air.adverts

    board = on_board(tmp_path, play, given=machine(radio_hangs=True), radio=air)

    assert faults(board.flash) == [k.E_RADIO_HUNG] * 2


def test_set_up_mode_does_not_wait_for_a_radio_that_hangs(tmp_path: Path) -> None:
    """Given two buttons held at power-on, the way in by cable is open, and no watchdog ends it."""

    async def play(board: VirtualBoard) -> None:
        await board.run(300)
        for contact in (0, 1):
            board.edge(PINS.buttons[contact], 1)
        await board.run(75_000)
        assert board.resets == []
        board.serial(b"\0" + cable.pack(cable.ASK))
        await board.run(200)
        assert answers(board) == [cable.TOLD]
        board.serial(b"\0" + cable.pack(cable.TO_PYTHON))
        await board.until(lambda: board.ended)
        board.serial(b"\r")
        await board.run(700_000)
        assert board.resets == [], "no watchdog at the prompt"

    on_board(tmp_path, play, given=machine(radio_hangs=True, held=pressed(0, 1)))


def test_a_radio_that_hangs_after_set_up_mode_is_given_up_as_well(tmp_path: Path) -> None:
    async def play(board: VirtualBoard) -> None:
        await board.run(300)
        for contact in (0, 1):
            board.edge(PINS.buttons[contact], 1)
        await board.run(200)
        board.serial(b"\0" + cable.pack(cable.RESTART))
        await board.run(PATIENCE_MS + 1000)
        assert board.resets == ["watchdog"]
        await board.run(8000)
        await tap(board, PINS.sedzia)
        assert board.digits(DISPLAY) == " -- "

    board = on_board(tmp_path, play, given=machine(radio_hangs=True, held=pressed(0, 1)))

    assert k.STRAY_TAP in [fact[0] for fact in facts(board.flash)]


def test_a_radio_that_hangs_in_a_game_is_named_after_the_restart_and_back_on_the_air(tmp_path: Path) -> None:
    """Given a controller that died in a game, switching it off and on hangs: the restart mends it and says why."""
    air = Air()

    async def play(board: VirtualBoard) -> None:
        await board.run(BOOT_MS)
        board.tell("deaf", True)
        board.tell("radio_hangs")
        await board.until(lambda: board.resets, 900_000)
        assert board.resets == ["watchdog"]
        air.adverts.clear()
        await board.until(lambda: board.digits(DISPLAY) == HANGS, 3000)
        await board.run(3000)
        assert air.adverts
        await board.run(60_000)
        assert board.resets == ["watchdog"]

    board = on_board(tmp_path, play, radio=air)

    assert k.E_RADIO_HUNG in faults(board.flash)


def test_a_watchdog_that_bites_elsewhere_says_nothing_of_the_radio(tmp_path: Path) -> None:
    air = Air()

    async def play(board: VirtualBoard) -> None:
        await board.run(BOOT_MS)
        board.tell("hang")
        await board.until(lambda: board.resets, 20_000)
        air.adverts.clear()
        await board.run(BOOT_MS)
        assert air.adverts

    board = on_board(tmp_path, play, radio=air)

    assert faults(board.flash) == []
