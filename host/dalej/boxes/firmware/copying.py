"""mpremote at work: the firmware copied onto a board that runs MicroPython, only what differs.

`main.py` is what makes a board start. While anything else differs it lies there under another name, so a tree that is
half copied never starts; it gets its name back after every checksum was compared on the board, and by one rename.
Files of an older firmware go: MicroPython would take an old `box.py` for the new `box.mpy`. Whatever does not belong
to the firmware, such as the journal, stays.
"""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from dalej.boxes.firmware.micropython import expect_machine, expect_new_enough
from dalej.boxes.firmware.programs import ProgramFailed, lines
from dalej.boxes.firmware.tree import START, BoardFile, Tree
from dalej.errors import DalejError, Damaged, Refused, Unreachable
from dalej.hints import typed
from dalej.words import N_

Progress = Callable[[str, int, int], None]  # path, how many files are there, of how many

ASLEEP: Final = "main.new"  # main.py until everything else is there
MPY: Final = (6, 3)
_SILENT_S: Final = 25
_AT_ONCE: Final = 150  # files a call: a command line on Windows ends at 32 767 characters
_REPORT: Final = "dalej:"
_LOOK: Final = """
import sys, os, hashlib, binascii, machine
def sha(path):
    h = hashlib.sha256()
    b = bytearray(512)
    with open(path, 'rb') as f:
        while True:
            n = f.readinto(b)
            if not n:
                return binascii.hexlify(h.digest()).decode()
            h.update(memoryview(b)[:n])
def walk(folder, deep):
    try:
        entries = list(os.ilistdir(folder) if folder else os.ilistdir())
    except OSError:
        return
    for entry in entries:
        path = folder + '/' + entry[0] if folder else entry[0]
        if entry[1] & 0x4000:
            if deep:
                walk(path, deep)
        else:
            print('dalej:file', sha(path), path)
v = sys.implementation.version
m = getattr(sys.implementation, '_mpy', 0)
print('dalej:chip', getattr(sys.implementation, '_machine', sys.platform))
print('dalej:board', v[0], v[1], m & 0xff, m >> 8 & 3, binascii.hexlify(machine.unique_id()).decode())
"""


@dataclass(frozen=True, slots=True)
class Seen:
    """A board at MicroPython's prompt. `files`: path -> SHA-256 of what lies where firmware lies."""

    uid: bytes
    version: str
    files: Mapping[str, str]


@dataclass(frozen=True, slots=True)
class Copied:
    """What it took: paths copied and removed, in order; both empty if everything was there."""

    copied: Sequence[str]
    removed: Sequence[str]


class Prompt:
    """A board that waits at MicroPython's prompt, by its serial port."""

    def __init__(self, port: str) -> None:
        self._port = port
        self._met = False

    def look(self, tree: Tree) -> Seen:
        """What is on it. Refused if its MicroPython is too old or its chip another, Unreachable if there is none."""
        walks = ["walk('', False)", "walk('lib', False)", *(f"walk({folder!r}, True)" for folder in _owned(tree))]
        board: list[str] = []
        machine = ""
        files = {}
        for line in self._run("exec", "\n".join([_LOOK, *walks])):
            if line.startswith(_REPORT + "board "):
                board = line.split(" ")[1:]
            elif line.startswith(_REPORT + "chip "):
                machine = line.partition(" ")[2]
            elif line.startswith(_REPORT + "file "):
                _, checksum, path = line.split(" ", 2)
                files[path] = checksum
        if len(board) != 5:
            raise Unreachable(N_("the board at {port} does not say who it is"), port=self._port)
        expect_machine(machine, self._port)
        version, mpy = (int(board[0]), int(board[1])), (int(board[2]), int(board[3]))
        shown = f"{version[0]}.{version[1]}"
        expect_new_enough(version, shown)
        if mpy[0] != MPY[0] or mpy[1] < MPY[1]:
            raise Refused(
                N_("MicroPython {version} takes compiled files of version {found}, expected {expected}"),
                version=shown, found=f"{mpy[0]}.{mpy[1]}", expected=f"{MPY[0]}.{MPY[1]}",
            )  # fmt: skip
        return Seen(bytes.fromhex(board[4]), shown, files)

    def install(self, tree: Tree, seen: Seen, identity: BoardFile, progress: Progress) -> Copied:
        """Make the board hold the tree and the identity, and no other firmware; it does not start yet.

        Damaged if a checksum on the board is another one afterwards.
        """
        wanted = {file.path: file for file in (*tree.files, identity)}
        removed = _stale(tree, seen)
        if not removed and all(seen.files.get(path) == file.sha256 for path, file in wanted.items()):
            return Copied([], [])
        start = wanted.pop(START)
        wanted[ASLEEP] = start
        there = dict(seen.files)
        first = [f"os.remove({path!r})" for path in removed]
        if START in there:
            there[ASLEEP] = there.pop(START)
            first.insert(0, f"os.rename({START!r}, {ASLEEP!r})")
        first += map(_made, tree.folders)
        due = [file for path, file in wanted.items() if there.get(path) != file.sha256]
        self._copy(first, [BoardFile(ASLEEP, file.data) if file is start else file for file in due], progress)
        now = self.look(tree).files
        for path, file in wanted.items():
            if now.get(path) != file.sha256:
                raise Damaged(
                    N_("{path} on the board at {port} is not what was copied; run the same command again"),
                    path=START if path == ASLEEP else path, port=self._port,
                )  # fmt: skip
        for _ in self._run(*_exec([f"os.rename({ASLEEP!r}, {START!r})"])):
            pass
        return Copied([file.path for file in due], removed)

    def start(self) -> None:
        """Let the board start as at power-on."""
        for _ in self._run("reset"):
            pass

    def run(self, program: str) -> list[str]:
        """The lines that a program prints until its end."""
        return list(self._run("exec", program))

    def begin(self, program: str) -> None:
        """Leave the board to a program that goes on."""
        for _ in self._run("exec", "--no-follow", program):
            pass

    def _copy(self, first: Sequence[str], files: Sequence[BoardFile], progress: Progress) -> None:
        """The statements, then the files."""
        with tempfile.TemporaryDirectory(prefix="dalej-") as name:
            folder = Path(name)  # nobody else may look into it: the identity is among the files
            commands = [_exec(first)]
            for number, file in enumerate(files):
                (folder / str(number)).write_bytes(file.data)
                commands.append(["fs", "cp", "-f", str(number), f":{file.path}"])
            begun = iter(enumerate(files))
            for at in range(0, len(commands), _AT_ONCE):
                for line in self._run(*_joined(commands[at : at + _AT_ONCE]), folder=folder):
                    if line.startswith("cp "):
                        number, file = next(begun)
                        progress(START if file.path == ASLEEP else file.path, number, len(files))

    def _run(self, *arguments: str, folder: Path | None = None) -> Iterator[str]:
        """One call of mpremote; only the first clears the board's memory."""
        resume = ["resume"] if self._met else []
        try:
            yield from lines(
                "mpremote", ["connect", self._port, *resume, *arguments], folder=folder, silent_s=_SILENT_S
            )
        except ProgramFailed as failed:
            raise self._why(failed) from failed
        self._met = True

    def _why(self, failed: ProgramFailed) -> DalejError:
        if failed.says("failed to access"):
            return Unreachable(N_("there is no {port}, or another program uses it"), port=self._port)
        if not self._met:
            return Unreachable(
                N_("no MicroPython answers at {port}; an empty board needs one first"), port=self._port
            ).hinted(
                N_("{command} puts it there"), command=typed("box", "install", self._port, "--micropython", "FILE")
            )
        if failed.says("ENOSPC") or failed.says("No space left"):
            return Refused(N_("the board at {port} has no room for the firmware"), port=self._port)
        return Unreachable(
            N_("the board at {port} stopped answering ({problem}); plug it in again and run the same command"),
            port=self._port, problem=failed.reason,
        )  # fmt: skip


def _owned(tree: Tree) -> list[str]:
    """The folders in which every file is the firmware's."""
    return sorted({file.path.rpartition("/")[0] for file in tree.files} - {"", "lib"})


def _stale(tree: Tree, seen: Seen) -> list[str]:
    """What an older firmware left: whatever is in the firmware's own folders, and what hides one of its files."""
    wanted = {file.path for file in tree.files}
    owned = tuple(f"{folder}/" for folder in _owned(tree))
    hiding = {path.removesuffix(".mpy") + ".py" for path in wanted if path.endswith(".mpy")}
    return sorted(path for path in seen.files if path not in wanted and (path.startswith(owned) or path in hiding))


def _exec(statements: Sequence[str]) -> list[str]:
    return ["exec", "\n".join(["import os", *statements])]


def _made(folder: str) -> str:
    return f"try:\n    os.mkdir({folder!r})\nexcept OSError:\n    pass"


def _joined(commands: Sequence[Sequence[str]]) -> list[str]:
    """Mpremote's way to give several commands at once."""
    return [word for command in commands for word in (*command, "+")][:-1]
