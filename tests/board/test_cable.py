"""The real mpremote, and pyserial, on the virtual board's port."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import serial

from tests.board.board import VirtualBoard
from tests.board.cable import BoardInAThread, mpremote, plugged_in

MAIN = "import time\nprint('the program runs')\nwhile True: time.sleep_ms(10)\n"


@contextmanager
def opened(folder: Path, program: str) -> Iterator[tuple[serial.Serial, BoardInAThread]]:
    """A board that is switched on after its port was opened: opening throws away what has come so far."""
    (folder / "flash").mkdir()
    (folder / "flash" / "main.py").write_text(program)
    with plugged_in(folder) as (name, board), serial.Serial(name, timeout=10) as port:
        board.call(VirtualBoard.power_off)
        port.reset_input_buffer()
        board.call(VirtualBoard.power_on)
        yield port, board


def test_mpremote_copies_a_tree_lists_hashes_and_removes_and_a_reset_starts_what_it_left(tmp_path: Path) -> None:
    tree = tmp_path / "tree"
    (tree / "lib" / "deep").mkdir(parents=True)
    (tree / "main.py").write_text(MAIN)
    blob = bytes(range(256)) * 20
    (tree / "lib" / "deep" / "blob").write_bytes(blob)
    with plugged_in(tmp_path) as (port, board):
        assert mpremote(port, "exec", "import sys; print(sys.implementation._machine)").strip() == (
            "Generic ESP32 module with ESP32"
        )
        mpremote(port, "cp", "-r", f"{tree}/lib", f"{tree}/main.py", ":")
        assert (tmp_path / "flash" / "lib" / "deep" / "blob").read_bytes() == blob
        assert "deep" in mpremote(port, "ls", ":lib")
        assert hashlib.sha256(blob).hexdigest() in mpremote(port, "sha256sum", ":lib/deep/blob")
        mpremote(port, "rm", "-r", ":lib")
        assert sorted(path.name for path in (tmp_path / "flash").iterdir()) == ["main.py"]
        mpremote(port, "reset")
        board.until(lambda board: b"the program runs" in board.output)


def test_control_c_breaks_a_program_and_control_d_starts_it_again(tmp_path: Path) -> None:
    with opened(tmp_path, MAIN) as (port, board):
        assert port.read_until(b"the program runs").endswith(b"the program runs")
        port.write(b"\x03")
        assert port.read_until(b">>> ").endswith(b">>> ")
        port.write(b"\x04")
        assert b"soft reboot" in port.read_until(b"the program runs")
        assert board.board.resets == ["soft"]


def test_a_program_may_take_control_c_for_a_byte_and_read_and_write_all_others(tmp_path: Path) -> None:
    program = (
        "import micropython, select, sys, time\nmicropython.kbd_intr(-1)\n"
        "poll = select.poll()\npoll.register(sys.stdin.buffer, select.POLLIN)\n"
        "sys.stdout.buffer.write(b'ready')\n"
        "while True:\n    if poll.poll(0): sys.stdout.buffer.write(sys.stdin.buffer.read(1))\n"
        "    else: time.sleep_ms(5)\n"
    )
    every = bytes(range(256))
    with opened(tmp_path, program) as (port, _):
        assert port.read_until(b"ready").endswith(b"ready")
        port.write(every)
        assert port.read(256) == every


def test_a_power_cut_and_a_power_on_leave_the_port_open(tmp_path: Path) -> None:
    with opened(tmp_path, MAIN) as (port, board):
        assert port.read_until(b"runs").endswith(b"runs")
        board.call(VirtualBoard.power_off)
        board.call(VirtualBoard.power_on)
        assert port.read_until(b"runs").endswith(b"runs")
