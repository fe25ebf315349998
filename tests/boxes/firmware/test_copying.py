"""The real mpremote copies firmware onto the real MicroPython, on a cable that is a pty."""

from __future__ import annotations

from pathlib import Path
from typing import Final

import pytest

from dalej.boxes.firmware import copying
from dalej.boxes.firmware.copying import ASLEEP, Copied, Prompt
from dalej.boxes.firmware.tree import START, BoardFile, Tree
from dalej.errors import Damaged, Refused, Unreachable
from tests.board.cable import BoardInAThread

WHO: Final = BoardFile("identity", bytes(range(46)))
STARTED: Final = b"started: 42"


def module(name: str, answer: int) -> BoardFile:
    return BoardFile(name, f"ANSWER = {answer}\n".encode())


def tree(*more: BoardFile, answer: int = 42) -> Tree:
    """A firmware that says its answer when it starts; its modules are sources, which a board takes as well."""
    start = BoardFile(START, b"from inner.told import ANSWER\nprint('started:', ANSWER)\n")
    files = [module("devices/lamp.py", 1), module("lib/inner/told.py", answer), start, *more]
    return Tree(1, sorted(files, key=lambda file: file.path))


TREE: Final = tree()


@pytest.fixture
def port(board: BoardInAThread) -> str:
    return board.port.result()


@pytest.fixture
def flash(board: BoardInAThread) -> Path:
    return board.board.flash


def nothing(path: str, done: int, of: int) -> None:
    """Nobody watches."""


def on(flash: Path) -> dict[str, bytes]:
    """What lies on a board."""
    return {
        file.relative_to(flash).as_posix(): file.read_bytes() for file in sorted(flash.rglob("*")) if file.is_file()
    }


def expected(firmware: Tree) -> dict[str, bytes]:
    return {file.path: file.data for file in (*firmware.files, WHO)}


def install(port: str, firmware: Tree) -> Copied:
    prompt = Prompt(port)
    return prompt.install(firmware, prompt.look(firmware), WHO, nothing)


def test_an_empty_board_gets_everything_and_starts_it(board: BoardInAThread, port: str, flash: Path) -> None:
    prompt = Prompt(port)
    seen = prompt.look(TREE)
    told: list[tuple[str, int, int]] = []

    done = prompt.install(TREE, seen, WHO, lambda *step: told.append(step))
    prompt.start()

    assert (seen.uid, dict(seen.files)) == (bytes(board.board.machine.uid), {})
    assert on(flash) == expected(TREE)
    assert done.removed == []
    assert told == [(path, number, 4) for number, path in enumerate(done.copied)]
    board.until(lambda board: STARTED in board.output)


def test_a_board_that_has_everything_is_compared_and_nothing_is_copied(port: str, flash: Path) -> None:
    install(port, TREE)
    times = {file: file.stat().st_mtime_ns for file in flash.rglob("*")}

    assert install(port, TREE) == Copied([], [])
    assert {file: file.stat().st_mtime_ns for file in flash.rglob("*")} == times


def test_another_version_replaces_what_differs_and_takes_away_what_it_lacks(
    board: BoardInAThread, port: str, flash: Path
) -> None:
    install(port, tree(module("devices/old.py", 0), answer=41))
    (flash / "lib/inner/told.mpy").write_bytes(b"of an older firmware")
    (flash / "journal").mkdir()
    for name in ("journal/head", "lib/others.py", "boot.py"):
        (flash / name).write_bytes(b"# mine\n")

    done = install(port, TREE)

    assert done.copied == ["lib/inner/told.py"]
    assert done.removed == ["devices/old.py", "lib/inner/told.mpy"]
    assert on(flash) == {**expected(TREE), **dict.fromkeys(("journal/head", "lib/others.py", "boot.py"), b"# mine\n")}


def test_a_source_that_would_hide_a_compiled_module_is_taken_away(port: str, flash: Path) -> None:
    (flash / "pins.py").write_bytes(b"LAMP = 1\n")
    (flash / "notes.py").write_bytes(b"# mine\n")

    assert install(port, tree(BoardFile("pins.mpy", b"M\x06"))).removed == ["pins.py"]
    assert (flash / "notes.py").exists()


def test_a_board_that_loses_power_in_the_middle_does_not_start_and_the_next_run_goes_on(
    board: BoardInAThread, port: str, flash: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    install(port, tree(answer=41))
    prompt = Prompt(port)
    newer = tree(BoardFile("devices/more.py", bytes(3000)), BoardFile("devices/rest.py", bytes(3000)))
    seen = prompt.look(newer)
    monkeypatch.setattr(copying, "_SILENT_S", 3)

    def cut(path: str, done: int, of: int) -> None:
        if path == "devices/rest.py":
            board.call(lambda board: board.power_off())

    with pytest.raises(Unreachable, match=r"stopped answering .*; plug it in again and run the same command"):
        prompt.install(newer, seen, WHO, cut)
    board.call(lambda board: board.power_on())
    board.until(lambda board: board.ended)  # at the prompt, with nothing to start

    assert START not in on(flash)
    assert STARTED not in board.board.output
    monkeypatch.undo()
    assert "devices/more.py" not in install(port, newer).copied
    assert on(flash) == expected(newer)


def test_a_file_that_is_not_what_was_copied_is_noticed_and_the_board_does_not_start(port: str, flash: Path) -> None:
    prompt = Prompt(port)

    def spoil(path: str, done: int, of: int) -> None:
        if done == 2:
            (flash / "devices/lamp.py").write_bytes(b"ANSWER = 2\n")

    with pytest.raises(Damaged, match=r"devices/lamp\.py on the board at .* is not what was copied"):
        prompt.install(TREE, prompt.look(TREE), WHO, spoil)
    assert START not in on(flash)

    assert install(port, TREE).copied == ["devices/lamp.py"]
    assert on(flash) == expected(TREE)


def test_when_only_the_identity_differs_only_that_is_copied(port: str, flash: Path) -> None:
    install(port, TREE)
    (flash / "identity").write_bytes(b"another club's")

    assert install(port, TREE).copied == ["identity"]
    assert ASLEEP not in on(flash)


def test_a_full_flash_is_said(board: BoardInAThread, port: str) -> None:
    prompt = Prompt(port)
    seen = prompt.look(TREE)

    async def full() -> None:
        board.board.break_flash(28, 3)

    board.call(lambda _: full())
    with pytest.raises(Refused, match=r"the board at .* has no room for the firmware"):
        prompt.install(TREE, seen, WHO, nothing)


def test_where_there_is_no_port_and_where_nobody_answers(
    board: BoardInAThread, port: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    with pytest.raises(Unreachable, match="there is no /dev/ttyNONE, or another program uses it"):
        Prompt("/dev/ttyNONE").look(TREE)

    board.call(lambda board: board.power_off())
    monkeypatch.setattr(copying, "_SILENT_S", 2)
    with pytest.raises(Unreachable, match=f"no MicroPython answers at {port}; an empty board needs one first"):
        Prompt(port).look(TREE)


def test_a_chip_without_a_pin_map_is_refused_before_anything_is_copied(
    port: str, flash: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The virtual board is one of the two chips: it is made to call itself another."""
    asked = "getattr(sys.implementation, '_machine', sys.platform)"
    assert asked in copying._LOOK
    monkeypatch.setattr(copying, "_LOOK", copying._LOOK.replace(asked, "'Generic ESP32C3 module with ESP32C3'"))

    with pytest.raises(Refused, match=r"is ESP32C3, for which there is no pin map: expected esp32, esp32s3"):
        Prompt(port).look(TREE)
    assert on(flash) == {}
