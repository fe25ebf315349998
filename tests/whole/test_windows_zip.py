"""The zip for Windows, as far as it can be tried without Windows: what lies where, for which computer it is, and that
the program starts from the packages in it, with nothing else on the path.
"""

from __future__ import annotations

import hashlib
import os
import re
import shutil
import struct
import subprocess
import sys
import sysconfig
from collections import Counter
from contextlib import suppress
from email import message_from_string
from pathlib import Path
from typing import Final
from zipfile import ZipFile

import pytest

from dalej.event.ledger import Ledger
from tests.processes import bounded
from tests.wheels import LIBRARIES, ROOT
from tools import windows

pytestmark = pytest.mark.long(400)  # the first of them fetches sixty megabytes
FETCHED_WITHIN_S: Final = 300
OUT_OF_REACH: Final = ("No matching distribution", "Temporary failure", "NewConnectionError", "Connection refused")
COMPILED: Final = (".pyd", ".dll", ".exe")
# As python313._pth does it: no variable counts, nothing beside the program, no .pth file.
ISOLATED: Final = ("-I", "-S", "-X", "utf8")
ALONE: Final = f"""
import sys
sys.path[:] = [{sysconfig.get_paths()["stdlib"]!r}, {sysconfig.get_config_var("DESTSHARED")!r}, sys.argv.pop(1)]
from runpy import run_path
"""


def program(machine: int = windows.AMD64) -> bytes:
    """The beginning of a program for Windows."""
    return b"MZ" + bytes(0x3A) + struct.pack("<I", 0x40) + b"PE\0\0" + struct.pack("<H", machine)


def embeddable(folder: Path, machine: int = windows.AMD64, paths: str = windows.PATHS) -> Path:
    """A file that is laid out as python.org's."""
    file = folder / "python-embed-amd64.zip"
    with ZipFile(file, "w") as packed:
        packed.writestr("python.exe", program(machine))
        packed.writestr("python313.dll", b"MZ")
        packed.writestr("python313.zip", b"PK")
        packed.writestr(paths, "python313.zip\n.\n# import site\n")
    return file


def sha256(file: Path) -> str:
    return hashlib.sha256(file.read_bytes()).hexdigest()


@pytest.fixture(scope="module")
def packed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The zip, made by its one command."""
    folder = tmp_path_factory.mktemp("windows")
    python = embeddable(folder)
    command = ["-m", "tools.windows", "--python", python, "--sha256", sha256(python), "--output", folder / "made.zip"]
    done = subprocess.run(
        [sys.executable, *map(str, command)],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
        timeout=FETCHED_WITHIN_S,
    )
    if any(word in done.stderr for word in OUT_OF_REACH):
        pytest.skip(f"the registry that has the wheels is out of reach: {done.stderr[-200:]}")
    assert done.returncode == 0, done.stderr
    return folder / "made.zip"


@pytest.fixture(scope="module")
def unpacked(packed: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder that somebody finds after unpacking; a blank and letters of ours are in its path."""
    folder = tmp_path_factory.mktemp("Zażółć gęś")
    with ZipFile(packed) as opened:
        opened.extractall(folder)
    return folder / windows.FOLDER


@pytest.fixture(scope="module")
def packages(unpacked: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The packages of the zip; for what is compiled there, the same for this computer."""
    folder = tmp_path_factory.mktemp("packages")
    for there in sorted((unpacked / "python" / "Lib" / "site-packages").iterdir()):
        compiled = there.suffix in COMPILED or any(file.suffix in COMPILED for file in there.rglob("*"))
        here = LIBRARIES / there.name
        if not compiled:
            (folder / there.name).symlink_to(there)
        elif here.exists():
            (folder / there.name).symlink_to(here)
    for here in LIBRARIES.glob("_cffi_backend*.so"):
        (folder / here.name).symlink_to(here)
    assert not (folder / "dalej").resolve().is_relative_to(ROOT)
    return folder


def command(packages: Path, script: str, *arguments: str) -> list[str]:
    """What `python.exe` is started with, as far as another Python takes it."""
    return [sys.executable, *ISOLATED, "-c", ALONE + script, str(packages), *arguments]


def surroundings(folder: Path) -> dict[str, str]:
    """Some of it should change nothing."""
    return {
        "HOME": str(folder / "home"), "LANGUAGE": "pl", "LC_ALL": "C", "PATH": f"{folder}:{os.environ['PATH']}",
        "PYTHONPATH": str(ROOT / "host"), "XDG_DOCUMENTS_DIR": str(folder / "Dokumenty"), "TERM": "dumb",
        "DBUS_SESSION_BUS_ADDRESS": "",
    }  # fmt: skip


def started(packages: Path, folder: Path, script: str, *arguments: str) -> subprocess.CompletedProcess[str]:
    """That, in the folder."""
    return subprocess.run(
        command(packages, script, *arguments), cwd=folder, env=surroundings(folder), stdin=subprocess.DEVNULL,
        capture_output=True, text=True, encoding="utf-8", check=False, timeout=100,
    )  # fmt: skip


def test_it_unpacks_to_one_folder_with_what_is_double_clicked_first(packed: Path) -> None:
    with ZipFile(packed) as opened:
        names = opened.namelist()
        assert opened.testzip() is None

    ours = {name for name in names if "/site-packages/" not in name}
    assert ours == {
        f"Dalej/{name}"
        for name in (
            "Dalej.cmd", "Terminal.cmd", "commands/dalej.cmd", "start.py", "CZYTAJ.txt", "README.txt", "LEGGIMI.txt",
            "python/python.exe", "python/python313.dll", "python/python313.zip", "python/python313._pth",
        )
    }  # fmt: skip
    assert [name for name, times in Counter(map(str.lower, names)).items() if times > 1] == []  # one file on Windows
    assert max(map(len, names)) <= windows.LONGEST
    assert not [name for name in names if re.search(r'[<>:"|?*\\]|[. ]$|(?i:/(con|nul|aux|prn)[./])', name)]
    assert not [name for name in names if name.endswith((".po", ".pyc", "direct_url.json")) or "/tests/dalej" in name]


def test_python_looks_into_the_zip_alone(unpacked: Path) -> None:
    told = (unpacked / "python" / "python313._pth").read_bytes().decode("ascii").split("\r\n")

    assert told == ["python313.zip", ".", r"Lib\site-packages", ""]
    assert (unpacked / "python" / told[2].replace("\\", "/") / "dalej" / "__main__.py").is_file()


def test_every_package_is_of_the_lock_and_for_this_windows_or_pure(unpacked: Path) -> None:
    packages = unpacked / "python" / "Lib" / "site-packages"
    found = {}
    for wheel in sorted(packages.glob("*.dist-info/WHEEL")):
        tags = message_from_string(wheel.read_text()).get_all("Tag") or []
        assert [tag for tag in tags if re.fullmatch(r".*-(any|win_amd64)", tag)], wheel
        about = message_from_string((wheel.parent / "METADATA").read_text(encoding="utf-8"))
        found[re.sub(r"[-_.]+", "-", about["Name"]).lower()] = about["Version"]
    locked = dict(re.findall(r"^([\w.-]+)==([^\s;]+)", windows.LOCK.read_text(encoding="utf-8"), re.MULTILINE))
    assert {name: version for name, version in found.items() if name != "dalej"} == locked
    assert "dalej" in found

    compiled = [file for file in packages.rglob("*") if file.suffix in COMPILED]
    assert len(compiled) > 20
    others = [file.name for file in compiled if windows.machine(file.read_bytes()) != windows.AMD64]
    assert [name for name in others if not re.search("arm64|32", name)] == []
    assert not list(packages.rglob("*.so"))
    libraries = [file for file in compiled if file.suffix != ".exe"]
    missing = rb"(?i)\b(msvcp\d+|concrt\d+|libgcc[\w-]*|libstdc[+\w-]*)\.dll"  # in no Windows, and not with Python
    assert [file.name for file in libraries if re.search(missing, file.read_bytes())] == []


@pytest.mark.parametrize("name", ["Dalej.cmd", "Terminal.cmd", "commands/dalej.cmd"])
def test_what_is_double_clicked_names_files_that_are_there_by_where_it_lies_itself(unpacked: Path, name: str) -> None:
    script = unpacked / name
    text = script.read_bytes().decode("utf-8")
    assert text.count("\n") == text.count("\r\n")
    assert not text.startswith("\ufeff")  # the first command would begin with it

    named = re.findall(r'"%~dp0([^"%]+)"', text)
    assert r"python\python.exe" in {path.removeprefix("..\\") for path in named}
    assert [path for path in named if not (script.parent / path.replace("\\", "/")).exists()] == []
    assert [
        line for line in text.splitlines() if "python.exe" in line and "exist" not in line and "-X utf8" not in line
    ] == []


def test_the_start_page_is_utf_8_finds_the_command_and_stays_when_something_went_wrong(unpacked: Path) -> None:
    lines = (unpacked / "Dalej.cmd").read_text(encoding="utf-8").splitlines()

    start = next(at for at, line in enumerate(lines) if "start.py" in line)
    terminal = (unpacked / "Terminal.cmd").read_text(encoding="utf-8").splitlines()
    assert [line.removesuffix(" --terminal") for line in terminal[2:]] == lines[3:]  # otherwise they are the same
    assert lines[0] == "@echo off"
    assert "chcp 65001 >nul" in lines[:start]
    assert 'set "PATH=%~dp0commands;%PATH%"' in lines[:start]
    assert lines[start + 1 : start + 3] == ["if %errorlevel% neq 0 pause", "exit /b"]
    assert (unpacked / "commands" / "dalej.cmd").read_text().splitlines()[-1].endswith("%*")


@pytest.mark.parametrize(
    ("name", "says"), [("CZYTAJ.txt", "Rozpakuj"), ("README.txt", "Unzip"), ("LEGGIMI.txt", "Estrai")]
)
def test_a_text_tells_in_each_language_what_to_do(unpacked: Path, name: str, says: str) -> None:
    content = (unpacked / name).read_bytes()

    assert content.startswith("\ufeff".encode())
    assert content.count(b"\n") == content.count(b"\r\n")
    text = content.decode("utf-8-sig")
    assert says in text
    for command in re.findall(r"^ +dalej (\w+ ?\w*)", text, re.MULTILINE):
        assert command.split()[0] in ("run", "serve", "event")
    assert "event restore" in text


@pytest.mark.skipif(os.name == "nt", reason="a terminal of its own is had in another way there")
def test_a_double_click_opens_the_events_of_documents(packages: Path, unpacked: Path, tmp_path: Path) -> None:
    """The first time there is no such folder, the second time an event lies in it."""
    said = []
    for _ in range(2):
        ours, theirs = os.openpty()
        with subprocess.Popen(
            command(packages, begun(unpacked)), cwd=tmp_path, env=surroundings(tmp_path), stdin=theirs, stdout=theirs,
            stderr=theirs,
        ) as page:  # fmt: skip
            os.close(theirs)
            os.write(ours, b"q\n")
            with bounded(page):
                said.append(everything(ours))
        assert page.returncode == 0, said
        if len(said) == 1:
            Ledger.create(tmp_path / "Dokumenty" / "Dalej" / "nowy.dalej").close()

    assert "turnieje" in said[0]
    assert ["nowy.dalej" in one for one in said] == [False, True]


@pytest.mark.skipif(os.name == "nt", reason="what stands in for cmd is a script of a shell")
def test_a_terminal_opens_there_too(packages: Path, unpacked: Path, tmp_path: Path) -> None:
    stand_in = tmp_path / "cmd"
    stand_in.write_text('#!/bin/sh\necho "$PWD: $*"\n')
    stand_in.chmod(0o755)

    done = started(packages, tmp_path, begun(unpacked), "--terminal")

    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout == f"{tmp_path / 'Dokumenty' / 'Dalej'}: /k dalej --help\n"


def everything(terminal: int) -> str:
    """What is shown there until nobody shows any more."""
    said = b""
    with suppress(OSError):  # Linux says so when the last one has gone
        while more := os.read(terminal, 4_096):
            said += more
    os.close(terminal)
    return said.decode("utf-8")


def begun(unpacked: Path) -> str:
    """What a double-click begins with."""
    return f"run_path({str(unpacked / 'start.py')!r}, run_name='__main__')"


def test_a_league_begins_with_the_packages_of_the_zip_alone(packages: Path, unpacked: Path, tmp_path: Path) -> None:
    """By the words that dalej.cmd hands to Python."""
    typed = re.search(r'-c "([^"]+)" %\*', (unpacked / "commands" / "dalej.cmd").read_text())
    assert typed is not None
    (tmp_path / "lista.csv").write_text(
        "Imię i nazwisko\n" + "".join(f"Zając {one}\n" for one in "ABCDEFGHIJKLMNOPRSTU")
    )

    for words in (
        ("--version",),
        ("demo", "--headless", "--tables", "2", "--moves", "40"),
        ("event", "new", "liga.dalej", "--ruleset", "school-league"),
        ("players", "import", "liga.dalej", "lista.csv"),
        ("seat", "draw", "liga.dalej"),
        ("paper", "sheets", "liga.dalej", "-o", "sheets.pdf"),
        ("box", "image", "box.img"),
    ):
        done = started(packages, tmp_path, typed[1], *words)
        assert done.returncode == 0, done.stderr
        assert "-m dalej" not in done.stdout  # what is to be typed next is typed there as `dalej`
    assert (tmp_path / "sheets.pdf").read_bytes().startswith(b"%PDF")


def test_a_python_of_another_hash_or_another_kind_is_refused(tmp_path: Path) -> None:
    python = embeddable(tmp_path)
    with pytest.raises(windows.Wrong, match=r"has the SHA-256 [0-9a-f]{64}, not 00"):
        windows.checked(python, "00")
    assert windows.checked(python, sha256(python).upper()) == python

    for other in (embeddable(tmp_path, machine=0x014C), embeddable(tmp_path, paths="python312._pth")):
        with pytest.raises(windows.Wrong, match=r"is not the embeddable package of Python 3\.13"):
            windows.checked(other, sha256(other))
    python.write_bytes(b"no zip")
    with pytest.raises(windows.Wrong, match="is not the embeddable package"):
        windows.checked(python, sha256(python))


def test_a_wheel_for_another_system_makes_no_zip(tmp_path: Path) -> None:
    python, target = embeddable(tmp_path), tmp_path / "made.zip"
    target.write_bytes(b"the one before")
    for name in ("a-1-cp313-cp313-manylinux_2_17_x86_64.whl", "a-1-cp311-cp311-win_amd64.whl", "a-1.tar.gz"):
        shutil.copy(python, tmp_path / name)
        with pytest.raises(windows.Wrong, match="neither for Python"):
            windows.write(target, python, [tmp_path / name])

    assert target.read_bytes() == b"the one before"
    assert not list(tmp_path.glob(".*"))
