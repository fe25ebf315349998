"""A club on this computer for tests of the commands: a secret and some boxes, in a folder of the test's own."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from dalej.boxes.paired import OwnBox, OwnBoxes
from dalej.boxes.secret import NO_KEYRING, ClubKeys
from moveclock.identity import KOSTKA, SHARED

PAIRED = 1_795_000_000_000


def at_home(folder: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """From now on the club's folder is this one, and there is no keyring."""
    monkeypatch.setenv("DALEJ_HOME", str(folder))
    variable, _, value = NO_KEYRING.partition("=")
    monkeypatch.setenv(variable, value)
    return folder


def own_box(number: int, name: str | None = None, build: int = KOSTKA, paired_ms: int = PAIRED) -> OwnBox:
    """Of the club, with that number at the end of its uid."""
    return OwnBox(f"240ac400{number:04d}", name or str(number), build, paired_ms, f"{number:032x}")


def club(folder: Path) -> OwnBoxes:
    """A secret, boxes 1 to 4, and 12, a small one to spare."""
    ClubKeys(folder, os.urandom).make()
    boxes = OwnBoxes(folder)
    for one in (*map(own_box, (1, 2, 3, 4)), own_box(12, build=SHARED)):
        boxes.keep(one)
    return boxes
