"""`dalej box phone`: a code that is claimed makes its phone the table's box, one that is not is taken back."""

from __future__ import annotations

import os
import threading
import time
from pathlib import Path

import pytest

from dalej.boxes.paired import OwnBoxes
from dalej.boxes.phones import Phones, proof
from dalej.boxes.secret import ClubKeys
from dalej.cli import boxphone
from dalej.clock import SystemClock
from tests import world
from tests.cli.club import at_home, club
from tests.cli.conftest import Program
from tests.placing import standing

NONCE, DEVICE = bytes(16), b"d" * 16
WITHIN_S = 20.0


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("DALEJ_WHO", "Sowa")
    return at_home(tmp_path / "club", monkeypatch)


@pytest.fixture
def league(tmp_path: Path) -> str:
    return str(world.event_file(tmp_path, 16))


def claims_what_is_drawn(home: Path) -> threading.Thread:
    """A phone that scans the first code that is shown."""

    def scan() -> None:
        keys = ClubKeys(home, os.urandom)
        phones, until = Phones(home, keys, os.urandom), time.monotonic() + WITHIN_S
        while not (drawn := [box for box in OwnBoxes(home) if box.claim_ms]):
            assert time.monotonic() < until, "no code was drawn"
            time.sleep(0.02)
        uid = drawn[0].uid_bytes
        phones.claim(uid, DEVICE, NONCE, proof(keys.of_box(uid), NONCE, DEVICE), SystemClock().wall_ms())

    made = threading.Thread(target=scan)
    made.start()
    return made


def test_a_code_that_is_claimed_makes_a_phone_its_table_s_box(dalej: Program, home: Path, league: str) -> None:
    scanning = claims_what_is_drawn(home)
    done = dalej("box", "phone", league, "3", "--at", "http://192.168.1.5:8643")
    scanning.join(WITHIN_S)

    assert done.code == 0, done.err
    assert "http://192.168.1.5:8643/b#02" in done.out
    assert "A phone has claimed it: P3 is the box of table 3 now." in done.out
    assert standing(league)[3] == "P3"
    assert "phone or tablet" in dalej("box", "list").out


def test_a_code_that_nobody_claims_is_taken_back_and_the_table_keeps_what_it_had(
    dalej: Program, home: Path, league: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(boxphone, "CLAIM_MS", 10)
    done = dalej("box", "phone", league, "3", "--at", "http://192.168.1.5:8643")

    assert done.code == 1
    assert "nobody has claimed P3 within a minute: it is taken back" in done.err
    assert f"dalej box phone {league} 3 shows another code" in done.err
    assert not [*OwnBoxes(home)]
    assert standing(league) == {}


def test_without_a_desk_that_answers_phones_it_is_said_what_begins_one(dalej: Program, home: Path, league: str) -> None:
    done = dalej("box", "phone", league, "3")

    assert done.code == 1
    assert "no desk on this computer answers phones" in done.err
    assert f"dalej run {league} --phones 0.0.0.0 begins one" in done.err
    assert not [*OwnBoxes(home)]


def test_sheets_are_for_tables_without_a_box_and_for_nobody_elses_eyes(
    dalej: Program, home: Path, league: str, tmp_path: Path
) -> None:
    club(home)
    assert dalej("box", "assign", league, "12", "2").code == 0
    paper, at = tmp_path / "codes.pdf", ("--at", "http://192.168.1.5:8643")

    refused = dalej("box", "phone", league, "1-3", "--paper", str(paper), *at)
    assert refused.code == 1
    assert "table 2 has a box, 12: expected tables without one" in refused.err
    assert not paper.exists()

    done = dalej("box", "phone", league, "1,3", "--paper", str(paper), *at)
    assert done.code == 0, done.err
    assert paper.read_bytes()[:5] == b"%PDF-"
    assert os.name == "nt" or not paper.stat().st_mode & 0o077
    assert standing(league) == {1: "P1", 2: "12", 3: "P3"}


@pytest.mark.parametrize("url", ["192.168.1.5", "http://", "ftp://x:1", "http://x:1/elsewhere"])
def test_an_address_that_is_none_is_said(dalej: Program, home: Path, league: str, url: str) -> None:
    done = dalej("box", "phone", league, "3", "--at", url)

    assert done.code == 1
    assert f"{url} is no address of a desk" in done.err
    assert not [*OwnBoxes(home)]
