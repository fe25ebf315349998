"""Dalej for a Windows laptop as one zip, to be unpacked and double-clicked: `python -m tools.windows --python FILE
--sha256 HEX`.

FILE is the embeddable package of Python for 64-bit Windows, from python.org; without `--python` it is downloaded from
there. Nobody here knows its SHA-256 beforehand: whoever builds compares the file with what python.org says of it. All
that Dalej needs comes in the versions and with the hashes of windows/requirements.lock. Nothing of Windows is run.
"""

from __future__ import annotations

import argparse
import hashlib
import re
import shutil
import struct
import subprocess
import sys
import tempfile
import urllib.request
from collections.abc import Iterator, Sequence
from pathlib import Path, PurePosixPath
from typing import Final
from zipfile import ZIP_DEFLATED, BadZipFile, ZipFile, ZipInfo

ROOT: Final = Path(__file__).parents[1]
SOURCES: Final = ROOT / "windows"
LOCK: Final = SOURCES / "requirements.lock"
TARGET: Final = ROOT / "dist" / "dalej-windows.zip"

PYTHON: Final = "3.13"  # whose wheels the lock holds
RELEASE: Final = "3.13.9"  # that is downloaded where no file is given
ADDRESS: Final = f"https://www.python.org/ftp/python/{RELEASE}/python-{RELEASE}-embed-amd64.zip"
WITHIN_S: Final = 60.0

SOURCES_ALONE: Final = ("esptool",)  # published without a wheel; its own is pure
FOLDER: Final = "Dalej"
PATHS: Final = "python313._pth"  # instead of every variable and every other place: where Python looks for modules
LOOKED_IN: Final = ("python313.zip", ".", r"Lib\site-packages")
PACKAGES: Final = f"{FOLDER}/python/Lib/site-packages"
TAGS: Final = re.compile(r"-(?:py3|py2\.py3|cp3\d+|cp313)-(?:none-any|(?:none|abi3|cp313)-win_amd64)\.whl")
AMD64: Final = 0x8664
AS_ON_WINDOWS: Final = (".cmd", ".txt")  # lines end with CR LF
LONGEST: Final = 150  # characters of a path in the zip: Windows has room for 260 with all that stands before it
DAY: Final = (1980, 1, 1, 0, 0, 0)  # the same sources give the same zip


class Wrong(Exception):
    """What was given cannot make the zip."""


def main(arguments: Sequence[str]) -> int:
    """Build it; 1 if what was given is not what it should be."""
    parser = argparse.ArgumentParser(prog="python -m tools.windows", description=__doc__)
    parser.add_argument("--python", type=Path, metavar="FILE", help=f"default: {ADDRESS}")
    parser.add_argument("--sha256", required=True, metavar="HEX", help="of that file, as python.org says")
    parser.add_argument("--output", type=Path, default=TARGET, metavar="ZIP")
    given = parser.parse_args(arguments)
    try:
        with tempfile.TemporaryDirectory(prefix="dalej-windows-") as name:
            folder = Path(name)
            python = checked(given.python or downloaded(folder), given.sha256)
            wheels = [*fetched(folder), own_wheel(folder)]
            given.output.parent.mkdir(parents=True, exist_ok=True)
            write(given.output, python, wheels)
    except Wrong as problem:
        print(problem, file=sys.stderr)
        return 1
    print(f"{given.output} is written: {given.output.stat().st_size // 1_000_000} MB, Python and {len(wheels)} wheels")
    return 0


def downloaded(folder: Path) -> Path:
    """The embeddable Python, where the network is there."""
    file = folder / ADDRESS.rpartition("/")[2]
    try:
        with urllib.request.urlopen(ADDRESS, timeout=WITHIN_S) as answer, file.open("wb") as written:
            shutil.copyfileobj(answer, written)
    except OSError as error:
        raise Wrong(f"{ADDRESS} cannot be had ({error}): fetch it yourself and give it with --python FILE") from error
    return file


def checked(python: Path, sha256: str) -> Path:
    """The file, if it has that hash and is what it should be."""
    try:
        found = hashlib.sha256(python.read_bytes()).hexdigest()
    except OSError as error:
        raise Wrong(f"{python} cannot be read: {error.strerror}") from error
    if found != sha256.strip().lower():
        raise Wrong(f"{python} has the SHA-256 {found}, not {sha256}: it is not the file that was meant")
    try:
        with ZipFile(python) as packed:
            names = packed.namelist()
            program = packed.read("python.exe")
    except (BadZipFile, KeyError):
        names, program = [], b""
    if PATHS not in names or machine(program) != AMD64:
        raise Wrong(f"{python} is not the embeddable package of Python {PYTHON} for 64-bit Windows (embed-amd64)")
    return python


def machine(program: bytes) -> int:
    """For which processors a program of Windows is, 0 if it is none."""
    try:
        (start,) = struct.unpack_from("<I", program, 0x3C)
        signature, found = struct.unpack_from("<4sH", program, start)
    except struct.error:
        return 0
    return int(found) if signature == b"PE\0\0" else 0


def fetched(folder: Path) -> list[Path]:
    """The wheels of the lock; each has one of its hashes, and is for this Python on 64-bit Windows, or pure."""
    wheels = folder / "wheels"
    wheels.mkdir()
    published, others = (folder / name for name in ("published.lock", "others.lock"))
    blocks = re.split(r"(?m)^(?=[a-z])", LOCK.read_text(encoding="utf-8"))
    others.write_text("".join(block for block in blocks if block.partition("==")[0] in SOURCES_ALONE))
    published.write_text("".join(block for block in blocks if block.partition("==")[0] not in SOURCES_ALONE))
    of_windows = ["--platform", "win_amd64", "--python-version", PYTHON, "--implementation", "cp"]
    abis = ["--abi", "cp313", "--abi", "abi3", "--abi", "none"]
    _pip("download", "--only-binary", ":all:", *of_windows, *abis, "--dest", wheels, "-r", published)
    _pip("wheel", "--wheel-dir", wheels, "-r", others)
    return sorted(wheels.iterdir())


def _pip(verb: str, *more: object) -> None:
    quiet = ["-q", "--disable-pip-version-check", "--no-deps", "--require-hashes"]
    _run(sys.executable, "-m", "pip", verb, *quiet, *map(str, more))


def own_wheel(folder: Path) -> Path:
    """Dalej's, of this tree."""
    built = folder / "own"
    _run(sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(built))
    (wheel,) = built.glob("dalej-*.whl")
    return wheel


def _run(*command: str) -> None:
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    if done.returncode:
        raise Wrong(f"{' '.join(command[1:4])} failed:\n{done.stderr or done.stdout}")


def write(target: Path, python: Path, wheels: Sequence[Path]) -> None:
    """The zip, whole or not at all."""
    draft = target.with_name(f".{target.name}.part")
    try:
        with ZipFile(draft, "w", ZIP_DEFLATED, compresslevel=6) as packed:
            for name, content in sorted(contents(python, wheels)):
                if len(name) > LONGEST:
                    raise Wrong(f"{name} has a longer path than Windows likes")
                packed.writestr(ZipInfo(name, DAY), content, ZIP_DEFLATED)
        draft.replace(target)
    finally:
        draft.unlink(missing_ok=True)


def contents(python: Path, wheels: Sequence[Path]) -> Iterator[tuple[str, bytes]]:
    """Every file of the zip: its path there, and what is in it."""
    for source in sorted(SOURCES.rglob("*")):
        if source.is_file() and source != LOCK and "__pycache__" not in source.parts:
            yield f"{FOLDER}/{source.relative_to(SOURCES).as_posix()}", as_read_there(source)
    with ZipFile(python) as packed:
        for name in packed.namelist():
            if name != PATHS and not name.endswith("/"):
                yield f"{FOLDER}/python/{name}", packed.read(name)
    yield f"{FOLDER}/python/{PATHS}", "".join(f"{line}\r\n" for line in LOOKED_IN).encode()
    for wheel in wheels:
        yield from installed(wheel)


def as_read_there(source: Path) -> bytes:
    """A text with the ends of lines, and the mark, by which Windows knows it; what is run has no mark."""
    if source.suffix not in AS_ON_WINDOWS:
        return source.read_bytes()
    text = source.read_text(encoding="utf-8").replace("\n", "\r\n")
    return text.encode("utf-8-sig" if source.suffix == ".txt" else "utf-8")


def installed(wheel: Path) -> Iterator[tuple[str, bytes]]:
    """What an installation would put among the packages; programs are left out, there is `dalej.cmd`."""
    if not TAGS.search(wheel.name):
        raise Wrong(f"{wheel.name} is neither for Python {PYTHON} on 64-bit Windows nor pure")
    with ZipFile(wheel) as packed:
        for name in packed.namelist():
            parts = PurePosixPath(name).parts
            if name.endswith("/") or ".." in parts or PurePosixPath(name).is_absolute():
                continue
            if parts[0].endswith(".data"):
                if parts[1] not in ("purelib", "platlib"):
                    continue
                parts = parts[2:]
            yield f"{PACKAGES}/{'/'.join(parts)}", packed.read(name)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
