"""`dalej box install` as a program beside a board on a cable, from an empty board to a box that runs."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Final

import pytest

from dalej.boxes.paired import OwnBox, OwnBoxes
from dalej.boxes.secret import ClubKeys
from moveclock import cable
from moveclock.identity import KOSTKA, unpack
from tests.board.cable import BoardInAThread
from tests.boxes.firmware import esp
from tests.boxes.firmware.club import environment
from tests.boxes.firmware.made import firmware
from tests.cli.conftest import Program

UID: Final = "246f28abcd01"
JUZ_A, DALEJ_A = 32, 33
SECONDS: Final = 100


def start(home: Path, *arguments: str) -> subprocess.Popen[str]:
    """`dalej …` with its output in one stream, in a process group of its own."""
    return subprocess.Popen(
        [sys.executable, "-m", "dalej", *arguments], env=environment(home), stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, encoding="utf-8", start_new_session=True,
    )  # fmt: skip


def run(home: Path, *arguments: str) -> tuple[int, str]:
    """Exit code and output."""
    with start(home, *arguments) as process:
        printed, _ = process.communicate(timeout=SECONDS)
    return process.returncode, printed


def firmware_on(flash: Path) -> dict[str, bytes]:
    """What lies on a board, its journal left out."""
    paths = [file for file in sorted(flash.rglob("*")) if file.is_file() and "journal" not in file.parts]
    return {file.relative_to(flash).as_posix(): file.read_bytes() for file in paths}


def test_an_empty_board_becomes_a_box_and_in_set_up_mode_nothing_needs_to_be_copied_again(
    board: BoardInAThread, home: Path
) -> None:
    port, flash = board.port.result(), board.board.flash

    first = run(home, "box", "install", port, "--name", "7")

    assert first[0] == 0, first[1]
    assert first[1].endswith(f"Box 7 ({UID}) runs firmware 1 and is paired.\n")
    held = firmware_on(flash)
    who = unpack(held.pop("identity"))
    assert held == {file.path: file.data for file in firmware().files}
    assert (who.uid.hex(), who.build) == (UID, KOSTKA)
    assert who.secret == ClubKeys(home, os.urandom).of_box(who.uid), "another secret"
    assert [(box.uid, box.name, box.build) for box in OwnBoxes(home)] == [(UID, "7", KOSTKA)]

    refused = run(home, "box", "install", port)
    assert refused[0] == 1
    what_to_do = "hold Już and Dalej (of seat A, if each seat has its own) while you plug it in"
    assert f"is not in set-up mode: unplug it, then {what_to_do}" in refused[1]

    async def plug_in_held() -> None:
        for pin in (JUZ_A, DALEJ_A):
            board.board.edge(pin, 0)
        await board.board.reset_button()
        await board.board.until(lambda: board.board.digits(0x70).strip())  # it shows that it has seen them
        for pin in (JUZ_A, DALEJ_A):
            board.board.edge(pin, 1)

    board.call(lambda _: plug_in_held())
    again = run(home, "box", "install", port)
    assert again[0] == 0, again[1]
    assert "Everything was on the board already, and was compared." in again[1]
    assert again[1].endswith(f"Box 7 ({UID}) runs firmware 1 and is paired.\n")
    assert [(box.uid, box.name, box.build) for box in OwnBoxes(home)] == [(UID, "7", KOSTKA)]


def test_killed_in_the_middle_the_board_does_not_start_and_the_same_command_goes_on(
    board: BoardInAThread, home: Path
) -> None:
    port, flash = board.port.result(), board.board.flash
    for file in firmware().files:  # as after an earlier try, so that this one is short
        if file.path.startswith("lib/"):
            (flash / file.path).parent.mkdir(parents=True, exist_ok=True)
            (flash / file.path).write_bytes(file.data)

    with start(home, "box", "install", port) as process:
        board.until(lambda _: (flash / "devices" / "display.mpy").exists(), SECONDS * 1000)
        os.killpg(process.pid, signal.SIGKILL)
    there = firmware_on(flash)
    assert "main.py" not in there
    assert [(box.uid, box.name, box.paired_ms) for box in OwnBoxes(home)] == [(UID, "1", 0)], "to be paired anew"
    board.call(lambda board: board.reset_button())

    code, printed = run(home, "box", "install", port)

    assert code == 0, printed
    everything = len(firmware().files) + 1
    (copied,) = [line for line in printed.splitlines() if line.startswith("Copying")]
    assert int(copied.split()[1]) <= everything - len(there) + 1  # the last one may have been cut short
    assert f"all {everything} were compared" in printed
    assert "is paired" in printed
    assert [box.name for box in OwnBoxes(home) if box.paired_ms] == ["1"]


def test_a_name_that_another_box_has_is_refused_before_anything_is_written(board: BoardInAThread, home: Path) -> None:
    OwnBoxes(home).keep(OwnBox("240ac4001207", "7", KOSTKA, 0))

    code, printed = run(home, "box", "install", board.port.result(), "--name", "7")

    assert code == 1
    assert "box 240ac4001207 is called 7 already: expected a name that no other box has, such as 1" in printed
    assert firmware_on(board.board.flash) == {}
    assert json.loads((home / "boxes.json").read_text())


@contextmanager
def running_box(backlog: int | None) -> Iterator[str]:
    """The port of a box that is paired and says that so many of its facts no desk has acknowledged; None: nothing."""
    if os.name == "nt":
        pytest.skip("this system has no pseudo-terminals: the cable is tried on Linux and macOS")
    import tty  # not on Windows

    ours, theirs = os.openpty()
    tty.setraw(theirs)
    info = bytes([1]) + bytes.fromhex(UID) + bytes([1, 0, 100])
    told = cable.pack(cable.TOLD, cable.pack_told(cable.Told(info, True, backlog is None, b"abcd", backlog)))

    def answer() -> None:
        packets = cable.Packets()
        with suppress(OSError):
            while data := os.read(ours, 256):
                for kind, _ in packets.feed(data):
                    if kind == cable.ASK:
                        os.write(ours, told)

    answering = threading.Thread(target=answer)
    answering.start()
    yield os.ttyname(theirs)
    os.close(theirs)  # ends the read
    answering.join()
    os.close(ours)


@pytest.fixture
def box_with_facts() -> Iterator[str]:
    """The port of a box that runs, and holds three facts that no desk has acknowledged."""
    with running_box(3) as port:
        yield port


def test_facts_that_no_desk_has_recorded_are_not_erased(box_with_facts: str, dalej: Program, tmp_path: Path) -> None:
    (tmp_path / "m.bin").write_bytes(esp.micropython())

    done = dalej("box", "install", box_with_facts, "--micropython", "m.bin")

    assert done.code == 1
    assert done.err == (
        f"the box at {box_with_facts} holds facts that no desk has recorded (how many: 3), and they would be erased: "
        "let a desk hear it first, or give --discard-facts\n"
    )


def test_a_paired_box_that_does_not_tell_of_its_facts_is_not_erased_unasked(dalej: Program, tmp_path: Path) -> None:
    """In set-up mode the journal is not read."""
    (tmp_path / "m.bin").write_bytes(esp.micropython())

    with running_box(None) as port:
        done = dalej("box", "install", port, "--micropython", "m.bin")

    assert done.code == 1
    assert done.err == (
        f"the box at {port} does not tell whether it holds facts that no desk has recorded, and they would be erased: "
        "unplug it and plug it in anew without holding buttons, or give --discard-facts\n"
    )


@pytest.mark.parametrize(
    ("there", "sentence"),
    [
        ([], "no board is plugged in: expected one, with a cable that carries data\n"),
        ([("COM3", "CP210x"), ("COM4", "")], "there are several serial ports, expected PORT: COM3 (CP210x), COM4\n"),
        ([("/dev/ttyNONE", "")], "there is no port /dev/ttyNONE: plug the box in, or look for its name\n"),
    ],
)
def test_without_a_port_the_only_one_is_taken_and_otherwise_they_are_listed(
    there: list[tuple[str, str]], sentence: str, dalej: Program, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("dalej.cli.boxinstall.ports", lambda: there)

    done = dalej("box", "install")

    assert (done.code, done.err) == (1, sentence)


def test_a_board_that_says_nothing_at_all_is_given_up_in_seconds(
    dalej: Program, monkeypatch: pytest.MonkeyPatch
) -> None:
    if os.name == "nt":
        pytest.skip("this system has no pseudo-terminals: the cable is tried on Linux and macOS")
    import tty  # not on Windows

    monkeypatch.setattr("dalej.cli.boxinstall._LOOK_S", 0.3)
    ours, theirs = os.openpty()
    tty.setraw(theirs)
    port = os.ttyname(theirs)

    done = dalej("box", "install", port)

    asked = os.read(ours, 4096)
    os.close(ours)
    os.close(theirs)
    assert done.code == 1
    assert done.err.startswith(f"nothing at {port} says a word: look whether the board has power")
    assert asked.endswith(b"\r\x03\x03\r"), "MicroPython would have said something then"
