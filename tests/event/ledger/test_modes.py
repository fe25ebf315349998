"""Who may read an event's files: its owner. They hold the names of children, and some more than that."""

from __future__ import annotations

import os
import stat
from pathlib import Path

import pytest

from dalej.event.ledger import Ledger
from tests.event.ledger.keeping import IN_A_FILE

PLACES = (IN_A_FILE,)

pytestmark = pytest.mark.skipif(os.name == "nt", reason="Windows keeps files apart in other ways")


@pytest.mark.parametrize("with_personal", [False, True])
def test_an_event_its_side_files_and_its_copies_are_for_their_owner_alone(tmp_path: Path, with_personal: bool) -> None:
    before = os.umask(0o022)
    try:
        with Ledger.create(tmp_path / "cup.dalej") as ledger:
            ledger.backup(tmp_path / "copy.dalej", with_personal=with_personal)
            found = {file.name: stat.S_IMODE(file.stat().st_mode) for file in tmp_path.iterdir()}
    finally:
        os.umask(before)
    assert found.keys() >= {"cup.dalej", "copy.dalej"}
    assert set(found.values()) == {0o600}


def test_an_event_that_was_there_keeps_its_mode_and_its_copy_is_for_its_owner_alone(tmp_path: Path) -> None:
    file, copy = tmp_path / "cup.dalej", tmp_path / "copy.dalej"
    Ledger.create(file).close()
    file.chmod(0o644)

    with Ledger.open(file) as ledger:
        ledger.backup(copy)

    assert [stat.S_IMODE(one.stat().st_mode) for one in (file, copy)] == [0o644, 0o600]
