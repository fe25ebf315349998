"""The real esptool, as far as it goes without a chip that answers: ports that are not there, and ports in silence."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest

from dalej.boxes.firmware import flashing
from dalej.boxes.firmware.flash import Part
from dalej.boxes.firmware.programs import ProgramFailed
from dalej.errors import Unreachable
from tests.boxes.firmware import esp
from tests.cli.conftest import Program


@pytest.fixture
def silent_port() -> Iterator[str]:
    """A serial port at which nobody answers."""
    if os.name == "nt":
        pytest.skip("this system has no pseudo-terminals: a silent port is tried on Linux and macOS")
    import tty  # not on Windows

    ours, theirs = os.openpty()
    tty.setraw(theirs)
    yield os.ttyname(theirs)
    os.close(ours)
    os.close(theirs)


def test_a_port_that_is_not_there() -> None:
    with pytest.raises(Unreachable, match=r"there is no /dev/ttyNONE, or another program uses it"):
        flashing.look("/dev/ttyNONE")


def test_a_board_that_does_not_go_into_its_loader(silent_port: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ESPTOOL_CONNECT_ATTEMPTS", "1")

    with pytest.raises(Unreachable, match=r"no ESP32 answers at .*; hold its BOOT button while you plug it in"):
        flashing.look(silent_port)


def test_esptool_takes_the_commands_that_are_given_to_it(tmp_path: Path) -> None:
    """It reads its whole command line before it looks for the port, so this is as far as it goes without a board."""
    part = Part("files", 0x200000, b"data")
    (tmp_path / part.what).write_bytes(part.data)

    with pytest.raises(Unreachable, match="there is no /dev/ttyNONE"):
        flashing._verified("/dev/ttyNONE", part, tmp_path)
    with pytest.raises(Unreachable, match="there is no /dev/ttyNONE"):
        list(flashing._written("/dev/ttyNONE", part, tmp_path))


def test_the_command_says_it_in_one_sentence_and_lists_no_box(dalej: Program, home: Path, tmp_path: Path) -> None:
    (tmp_path / "m.bin").write_bytes(esp.micropython())

    done = dalej("box", "install", "/dev/ttyNONE", "--micropython", "m.bin")

    assert done.code == 1
    assert done.err == "there is no port /dev/ttyNONE: plug the box in, or look for its name\n"
    assert not (home / "boxes.json").exists()


@pytest.mark.parametrize("silent", ["hard-reset", "write-flash"])
def test_a_board_that_has_everything_and_does_not_answer_yet_is_no_failed_installation(
    monkeypatch: pytest.MonkeyPatch, silent: str
) -> None:
    """Given a loader that answers but for one command: the word to start comes when all is written and compared."""
    said: list[Sequence[str]] = []

    def esptool(module: str, arguments: Sequence[str], **_: object) -> Iterator[str]:
        said.append(arguments)
        if silent in arguments:
            raise ProgramFailed(["A fatal error occurred: Failed to connect to ESP32: No serial data received."])
        if "verify-flash" in arguments:
            raise ProgramFailed(["A fatal error occurred: Verification failed (digest mismatch)."])
        yield "Wrote 4 bytes: 100%"

    monkeypatch.setattr(flashing, "lines", esptool)
    parts = [Part("micropython", 0x1000, b"boot"), Part("files", 0x200000, b"data")]

    if silent == "hard-reset":
        assert flashing.write("COM3", parts, lambda _what, _percent: None) == parts[::-1]
        assert [word for word in said[-1] if word in ("hard-reset", "flash-id")] == ["hard-reset", "flash-id"]
    else:
        with pytest.raises(Unreachable, match="no ESP32 answers at COM3"):
            flashing.write("COM3", parts, lambda _what, _percent: None)
