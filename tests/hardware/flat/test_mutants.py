"""Every fault of tests/hardware/flat/mutants.py is found, and no picture, no page and no KiCad is asked for it."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.hardware.flat.judging import OF_DATA_SHEETS, Judged, copied, judged
from tests.hardware.flat.mutants import MUTANTS, TOGETHER, Change, Mutant, NotFound, spoil

pytestmark = pytest.mark.long(600)  # two seconds each, but a busy machine is ten times slower


def spoilt(folder: Path, *mutants: Mutant) -> Path:
    copied(folder)
    for mutant in mutants:
        spoil(folder, mutant)
    return folder


def test_what_is_not_spoilt_passes_every_check(tmp_path: Path) -> None:
    """Otherwise a mutant would die of whatever is wrong with the copy."""
    whole = judged(copied(tmp_path / "whole"), to_the_end=True)

    assert whole.failed == ()
    assert whole.status == 0, whole.said


def test_no_picture_and_no_page_is_there_to_be_asked(tmp_path: Path) -> None:
    folder = copied(tmp_path / "whole")
    assert [*folder.rglob("*.svg"), *folder.rglob("*.md")] == []


@pytest.mark.parametrize("mutant", MUTANTS, ids=lambda mutant: mutant.name)
def test_a_mutant_is_found(tmp_path: Path, mutant: Mutant) -> None:
    said: Judged = judged(spoilt(tmp_path / "spoilt", mutant))

    assert said.status, f"{mutant.name}: nothing finds it"
    assert said.status == 1, f"{mutant.name}: it does not run\n{said.said}"
    assert said.failed


def test_ten_that_agree_with_themselves_are_found_together(tmp_path: Path) -> None:
    by_name = {mutant.name: mutant for mutant in MUTANTS}
    folder = spoilt(tmp_path / "spoilt", *(by_name[name] for name in TOGETHER))
    said = judged(folder, checks=OF_DATA_SHEETS, to_the_end=True)

    assert len(TOGETHER) == 10
    assert said.status == 1, said.said
    assert len(set(said.failed)) >= 7, "most have a check of their own"


def test_a_mutant_whose_text_is_gone_or_is_there_twice_is_named(tmp_path: Path) -> None:
    (tmp_path / "one.py").write_text("DIVIDER = 2\n", "utf-8")
    (tmp_path / "two.py").write_text("DIVIDER = 2\nPITCH = 2\n", "utf-8")

    for old, places in (("FUSE = 2", 0), ("DIVIDER = 2", 2)):
        with pytest.raises(NotFound, match=rf"^a wrong number: '{old}' is {places} times in \*\.py\.$"):
            spoil(tmp_path, Mutant("a wrong number", (Change("*.py", old, "X = 3"),)))
    spoil(tmp_path, Mutant("a wrong number", (Change("*.py", "PITCH = 2", "PITCH = 3"),)))
    assert (tmp_path / "two.py").read_text("utf-8") == "DIVIDER = 2\nPITCH = 3\n"


def test_the_mutants_are_more_than_the_audit_had_and_each_is_one_of_its_own() -> None:
    changes = [mutant.changes for mutant in MUTANTS]

    assert len(MUTANTS) >= 100
    assert len({mutant.name for mutant in MUTANTS}) == len(set(changes)) == len(MUTANTS)
    assert [change for each in changes for change in each if change.old == change.new] == []
