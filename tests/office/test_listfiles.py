"""Lists that lie in a folder."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from dalej.errors import WrongInput
from dalej.office.listfiles import lists_in


def test_what_can_be_a_list_is_found_the_newest_first_and_nothing_that_is_only_open(tmp_path: Path) -> None:
    for age, name in enumerate(("old.csv", "klasa.XLSX", "new.ods", "league.dalej", "~$klasa.XLSX", ".hidden.csv")):
        (tmp_path / name).write_bytes(b"name\n")
        os.utime(tmp_path / name, (1_000_000 + age, 1_000_000 + age))
    (tmp_path / "folder.csv").mkdir()

    assert [one.name for one in lists_in(tmp_path)] == ["new.ods", "klasa.XLSX", "old.csv"]


def test_a_folder_that_is_gone_is_named(tmp_path: Path) -> None:
    with pytest.raises(WrongInput, match="gone cannot be read"):
        lists_in(tmp_path / "gone")
