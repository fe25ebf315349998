"""What is written for others to read is there whole or not at all, for its owner alone where it must be."""

from __future__ import annotations

import os
import stat
import threading
from pathlib import Path

import pytest

from dalej import drafts
from dalej.errors import Refused
from dalej.office.paper import formats

POSIX = os.name != "nt"


@pytest.mark.parametrize("mode", [drafts.OWNER, drafts.OPEN])
def test_a_file_is_there_with_what_it_holds_and_nothing_beside_it(tmp_path: Path, mode: int) -> None:
    file = tmp_path / "boxes.json"
    drafts.write(file, b"one\n", mode)
    drafts.write(file, b"two\r\n", mode)

    assert file.read_bytes() == b"two\r\n"
    assert list(tmp_path.iterdir()) == [file]
    if POSIX:
        os.umask(mask := os.umask(0))
        assert stat.S_IMODE(file.stat().st_mode) == mode & ~mask


def test_what_was_open_to_others_is_its_owner_s_alone_once_it_is_replaced(tmp_path: Path) -> None:
    file = tmp_path / "serve.passwords"
    file.touch(0o644)
    drafts.write(file, b"two")

    if POSIX:
        assert stat.S_IMODE(file.stat().st_mode) == 0o600


def test_whoever_reads_meanwhile_reads_the_one_or_the_other(tmp_path: Path) -> None:
    file, over = tmp_path / "page.html", threading.Event()
    each = [letter * 200_000 for letter in (b"a", b"b")]
    drafts.write(file, each[0])
    seen = set()

    def look() -> None:
        while not over.is_set():
            seen.add(file.read_bytes())

    looking = threading.Thread(target=look)
    looking.start()
    for number in range(30):
        drafts.write(file, each[number % 2])
    over.set()
    looking.join()
    assert seen <= set(each)


def test_what_fails_half_way_leaves_what_was_there_and_nothing_beside_it(tmp_path: Path) -> None:
    file = tmp_path / "club.key"
    drafts.write(file, b"one")

    def half() -> None:
        with drafts.draft_of(file) as draft:
            draft.path.write_bytes(b"tw")
            raise OSError("no more")

    with pytest.raises(OSError, match="no more"):
        half()

    assert file.read_bytes() == b"one"
    assert list(tmp_path.iterdir()) == [file]


def test_a_draft_that_nobody_puts_in_its_place_is_gone(tmp_path: Path) -> None:
    with drafts.draft_of(tmp_path / "box.img") as draft:
        draft.path.write_bytes(b"one")

    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("links", [True, False], ids=["a disk", "a stick that knows no links"])
def test_what_somebody_made_meanwhile_is_not_replaced(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, links: bool
) -> None:
    if not links:
        monkeypatch.setattr(Path, "hardlink_to", _none)
    file = tmp_path / "keys.json"
    drafts.write(file, b"mine", replace=False)
    with pytest.raises(FileExistsError):
        drafts.write(file, b"theirs", replace=False)

    assert file.read_bytes() == b"mine"
    assert list(tmp_path.iterdir()) == [file]
    if POSIX:
        assert stat.S_IMODE(file.stat().st_mode) == 0o600


def _none(*_: object) -> None:
    raise OSError("Operation not supported")


def test_paper_that_somebody_else_saved_while_it_was_made_is_not_replaced(tmp_path: Path) -> None:
    file = tmp_path / "league-standings.csv"

    def make() -> bytes:
        file.write_bytes(b"theirs")
        return b"mine"

    with pytest.raises(Refused, match="already exists"):
        formats.save(file, {".csv": make})
    assert file.read_bytes() == b"theirs"


@pytest.mark.skipif(not POSIX, reason="Windows makes such links for few")
def test_a_link_that_leads_nowhere_is_something_that_is_there(tmp_path: Path) -> None:
    (tmp_path / "keys.json").symlink_to(tmp_path / "nowhere")
    with pytest.raises(FileExistsError):
        drafts.write(tmp_path / "keys.json", b"mine", replace=False)
    assert not (tmp_path / "nowhere").exists()
