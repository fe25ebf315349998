"""The firmware as it goes onto a board."""

from __future__ import annotations

import hashlib
import os
import shlex
import shutil
import sys
from pathlib import Path

import pytest

from dalej.boxes.firmware import programs, tree
from dalej.boxes.firmware.compiling import BOARDS
from dalej.errors import Damaged, Refused
from moveclock.box import FIRMWARE

SCREEN = {f"devices/{name}.mpy" for name in ("controller", "inversion", "screen", "touch")}


@pytest.mark.parametrize("board", BOARDS)
def test_the_tree_holds_every_module_compiled_and_says_what_each_weighs(board: str) -> None:
    sources = tree.sources()

    made = tree.compiled(sources, BOARDS[board])

    files = [file for file in sources.rglob("*.py") if "boards" not in file.parts]
    expected = {
        (file if file.stem == "main" else file.with_suffix(".mpy")).relative_to(sources).as_posix() for file in files
    }
    expected = expected | {"devices/waking.mpy"} if BOARDS[board] else expected - SCREEN
    assert {file.path for file in made.files} == expected
    assert made.manifest() == [
        (file.path, len(file.data), hashlib.sha256(file.data).hexdigest()) for file in made.files
    ]
    assert all(file.data[:2] == b"M\x06" for file in made.files if file.path.endswith(".mpy"))
    assert made.version == FIRMWARE
    assert made.size == sum(size for _, size, _ in made.manifest())


def test_other_times_and_another_place_make_the_same_bytes(tmp_path: Path) -> None:
    shutil.copytree(tree.sources() / "lib", tmp_path / "here" / "lib")
    shutil.copytree(tree.sources() / "lib", tmp_path / "over there" / "lib")
    for file in (tmp_path / "here").rglob("*.py"):
        os.utime(file, (1, 1))

    assert tree.compiled(tmp_path / "here") == tree.compiled(tmp_path / "over there")


def test_folders_come_before_those_inside_them(tmp_path: Path) -> None:
    for name in ("lib/box/inner/deep.py", "devices/lamp.py", "main.py"):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text("A = 1\n")

    assert tree.compiled(tmp_path).folders == ["devices", "lib", "lib/box", "lib/box/inner"]


def test_a_source_that_does_not_compile_is_said_in_a_sentence(
    tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "pins.py").write_text("return 1\n")

    with pytest.raises(Damaged, match="cannot be compiled"):
        tree.compiled(tmp_path)


def test_what_is_not_installed_is_named_with_the_command_that_brings_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(programs.PACKAGES, "no_such_tool", "no-such-tool")

    with pytest.raises(Refused, match=r"this needs no-such-tool, .* -m pip install no-such-tool$") as told:
        programs.expect("littlefs", "no_such_tool")

    command = shlex.split(str(told.value.data["command"]))
    assert command[0] == sys.executable  # and not whoever is called `pip` here
    assert "dalej" not in " ".join(command[1:])  # an index has it from whoever took the name


def test_what_pipx_has_installed_gets_it_from_pipx(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    (tmp_path / "of-the-club").mkdir()
    (tmp_path / "of-the-club" / "pipx_metadata.json").write_text("{}")
    monkeypatch.setattr(sys, "prefix", str(tmp_path / "of-the-club"))
    monkeypatch.setitem(programs.PACKAGES, "no_such_tool", "no-such-tool")

    with pytest.raises(Refused, match=r"this brings it: pipx inject of-the-club no-such-tool$"):
        programs.expect("no_such_tool")
