"""`dalej box image`: the flash of a box without a board."""

from __future__ import annotations

import hashlib
import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from dalej.boxes.firmware.compiling import BOARDS
from dalej.boxes.paired import OwnBox, OwnBoxes
from dalej.boxes.secret import ClubKeys
from moveclock.identity import INVERTED, KOSTKA, SCREEN, SHARED, TWO_PORTS, unpack
from tests.boxes.firmware import esp
from tests.boxes.firmware.littlefs_image import contents
from tests.boxes.firmware.made import COMPILED, firmware
from tests.cli.conftest import Program

FILES_AT = 0x200000
DIFFERENT = {
    f"devices/{name}.mpy"
    for name in ("alight", "controller", "failing", "inversion", "parts", "screen", "touch", "waking")
} | {"board.mpy"}


@pytest.fixture
def compiled_before(monkeypatch: pytest.MonkeyPatch) -> None:
    """For what is not asked of the compiler: the firmware is compiled once."""
    monkeypatch.setattr(COMPILED, lambda _, board=0: firmware(board))


def test_without_a_micropython_it_is_the_files_alone_and_says_where_they_belong(dalej: Program, tmp_path: Path) -> None:
    done = dalej("box", "image", "files.img")

    data = (tmp_path / "files.img").read_bytes()
    held = {file.path: file.data for file in firmware().files}
    found = contents(data)
    assert done.code == 0, done.err
    assert {path: found[path] for path in held} == held
    assert unpack(found["identity"]).uid == b""
    assert unpack(found["identity"]).build == KOSTKA
    assert f"0x200000  files.img  2097152  {hashlib.sha256(data).hexdigest()}" in done.out
    assert "esptool write-flash 0x200000 files.img" in done.out


@pytest.mark.usefixtures("compiled_before")
def test_with_a_micropython_it_is_the_whole_flash(dalej: Program, tmp_path: Path) -> None:
    (tmp_path / "m.bin").write_bytes(esp.micropython(9))

    done = dalej("box", "image", "box.img", "--micropython", "m.bin", "--flash-size", "8mb", "--no-kostka")

    data = (tmp_path / "box.img").read_bytes()
    assert done.code == 0, done.err
    assert len(data) == 8 << 20
    assert data.startswith(esp.micropython(9))
    assert unpack(contents(data[FILES_AT:])["identity"]).build == 0
    assert "MicroPython 1.27.0 for esp32s3" in done.out
    assert "esptool write-flash 0x0 box.img" in done.out


@pytest.mark.usefixtures("compiled_before")
@pytest.mark.parametrize(
    ("board", "more", "build"),
    [
        ("cyd", (), SHARED | SCREEN),
        ("cyd2usb", ("--kostka",), SHARED | SCREEN | TWO_PORTS | KOSTKA),
        ("cyd-inverted", (), SHARED | SCREEN | INVERTED),
    ],
)
def test_for_an_evening_box_it_holds_what_draws_on_its_screen_and_one_pair_of_buttons(
    dalej: Program, tmp_path: Path, board: str, more: tuple[str, ...], build: int
) -> None:
    done = dalej("box", "image", "box.img", "--board", board, *more)

    found = contents((tmp_path / "box.img").read_bytes())
    assert done.code == 0, done.err
    assert unpack(found["identity"]).build == build
    assert {path: found[path] for path in found if path in DIFFERENT} == {
        file.path: file.data for file in firmware(BOARDS[board]).files if file.path in DIFFERENT
    }


@pytest.mark.usefixtures("compiled_before")
def test_a_box_stays_what_it_was_installed_as_unless_another_board_is_named(
    dalej: Program, home: Path, tmp_path: Path
) -> None:
    uid = "240ac4001207"
    for name, more, build in (
        ("first", ("--board", "cyd2usb"), SHARED | SCREEN | TWO_PORTS),
        ("again", (), SHARED | SCREEN | TWO_PORTS),
        ("with Kostka", ("--kostka",), SHARED | SCREEN | TWO_PORTS | KOSTKA),
        ("other", ("--board", "four-sided"), KOSTKA),
    ):
        assert dalej("box", "image", f"{name}.img", "--uid", uid, *more).code == 0
        built = unpack(contents((tmp_path / f"{name}.img").read_bytes())["identity"]).build
        assert built == build
        OwnBoxes(home).keep(OwnBox(uid, "7", built, 1))
        shown = dalej("box", "list").out
        assert ("evening box" in shown) == bool(build & SCREEN)
    assert unpack(contents((tmp_path / "other.img").read_bytes())["identity"]).build == KOSTKA


def test_made_twice_it_is_the_same_file(dalej: Program, tmp_path: Path) -> None:
    (tmp_path / "m.bin").write_bytes(esp.micropython())
    for name in ("one.img", "two.img"):
        assert dalej("box", "image", name, "--micropython", "m.bin", "--uid", "240ac4001207").code == 0

    assert (
        hashlib.sha256((tmp_path / "one.img").read_bytes()).digest()
        == hashlib.sha256((tmp_path / "two.img").read_bytes()).digest()
    )


@pytest.mark.usefixtures("compiled_before")
def test_for_a_uid_it_holds_the_secret_of_that_box_which_nobody_else_may_read(
    dalej: Program, home: Path, tmp_path: Path
) -> None:
    done = dalej("box", "image", "box.img", "--uid", "24:0A:C4:00:12:07", "--no-kostka")

    who = unpack(contents((tmp_path / "box.img").read_bytes())["identity"])
    assert done.code == 0, done.err
    assert (who.uid.hex(), who.build) == ("240ac4001207", 0)
    assert who.secret == ClubKeys(home, os.urandom).of_box(who.uid), "another secret"
    assert os.name == "nt" or (tmp_path / "box.img").stat().st_mode & 0o777 == 0o600
    assert "The club's secret was made" in done.out
    assert "holds the secret of this box" in done.out
    assert who.secret.hex() not in done.out + done.err


@pytest.mark.usefixtures("compiled_before")
@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        (("--flash-size", "3MB"), "3MB is no size of flash that is known here, expected 4MB, 8MB, 16MB"),
        (("--uid", "240ac4"), "240ac4 is no uid of a box, expected 12 hex digits"),
        (("--uid", "000000000000"), "000000000000 is no uid of a box, expected 12 hex digits"),
        (("--micropython", "none.bin"), "none.bin cannot be read: there is no such file or folder"),
        (("--micropython", "text.bin"), "text.bin is no image for an ESP32, expected MicroPython's .bin"),
        (("--micropython", "s3.bin", "--chip", "esp32"), "s3.bin is a MicroPython for esp32s3, and the board is esp32"),
    ],
)
def test_what_cannot_be_is_one_sentence_and_no_file(
    options: tuple[str, ...], sentence: str, dalej: Program, tmp_path: Path
) -> None:
    (tmp_path / "text.bin").write_text("hello")
    (tmp_path / "s3.bin").write_bytes(esp.micropython(9))

    done = dalej("box", "image", "box.img", *options)

    assert (done.code, done.out) == (1, "")
    assert done.err.startswith(sentence)
    assert done.err.count("\n") == 1
    assert not (tmp_path / "box.img").exists()


@pytest.mark.usefixtures("compiled_before")
def test_a_file_that_is_there_is_not_overwritten(dalej: Program, tmp_path: Path) -> None:
    (tmp_path / "box.img").write_text("mine")

    done = dalej("box", "image", "box.img")

    assert (done.code, done.err) == (1, "box.img is there already, expected a new file\n")
    assert (tmp_path / "box.img").read_text() == "mine"


@pytest.mark.usefixtures("compiled_before")
@pytest.mark.parametrize(
    ("file", "sentence"),
    [
        ("box.img", "box.img is there already, expected a new file\n"),
        ("away/box.img", "away/box.img cannot be written: "),
    ],
)
def test_what_is_refused_founds_no_club(dalej: Program, home: Path, tmp_path: Path, file: str, sentence: str) -> None:
    (tmp_path / "box.img").write_text("mine")

    done = dalej("box", "image", file, "--uid", "240ac4001207")

    assert (done.code, done.out) == (1, "")
    assert done.err.startswith(sentence)
    assert not home.exists()
    assert [one.name for one in tmp_path.iterdir()] == ["box.img"]


@contextmanager
def files_no_longer_than(size: int) -> Iterator[None]:
    """As on a disk that is full then."""
    if sys.platform == "win32":
        pytest.skip("Windows has no such limit")
    import resource

    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, before[1]))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)


@pytest.mark.usefixtures("compiled_before")
def test_on_a_full_disk_nothing_is_left_and_the_next_try_finds_nothing_in_its_way(
    dalej: Program, tmp_path: Path
) -> None:
    with files_no_longer_than(1 << 20):
        done = dalej("box", "image", "box.img")

    assert (done.code, done.out) == (1, "")
    assert done.err.startswith("box.img cannot be written: ")
    assert list(tmp_path.iterdir()) == []
    assert dalej("box", "image", "box.img").code == 0
    assert [one.name for one in tmp_path.iterdir()] == ["box.img"]


@pytest.mark.usefixtures("compiled_before")
def test_a_stick_that_knows_no_links_takes_it_too(
    dalej: Program, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(path: Path, target: Path) -> None:
        raise PermissionError(1, "Operation not permitted")

    monkeypatch.setattr(Path, "hardlink_to", refuse)

    assert dalej("box", "image", "box.img").code == 0
    assert [one.name for one in tmp_path.iterdir()] == ["box.img"]
