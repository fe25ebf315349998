"""The log of `dalej run` and `dalej serve`: for its owner alone, never large, and never a reason to stop."""

from __future__ import annotations

import logging
import os
import stat
from datetime import datetime
from pathlib import Path
from typing import Final

import pytest

from dalej.cli.logfile import BROWSERS, EARLIER, LINKS, kept
from dalej.clock import ManualClock
from dalej.errors import Unreachable, WrongInput
from dalej.event.ledger import Ledger

EVENING_MS: Final = 1_795_284_000_000
FULL: Final = Path("/dev/full")


@pytest.fixture
def clock() -> ManualClock:
    return ManualClock(EVENING_MS)


def test_every_line_begins_with_the_instant_by_the_clock_that_was_given(tmp_path: Path, clock: ManualClock) -> None:
    file = tmp_path / "log" / "league.log"
    with kept(LINKS, file, clock, pytest.fail) as note:
        note("table 1, box 7: linked, 100 % of them")
        clock.time_ms += 2_500
        note("table 1, box 7: link over")

    lines = [line.split(" dalej.links: ") for line in file.read_text(encoding="utf-8").splitlines()]
    assert [text for _when, text in lines] == ["table 1, box 7: linked, 100 % of them", "table 1, box 7: link over"]
    assert [datetime.fromisoformat(when).timestamp() * 1_000 - EVENING_MS for when, _text in lines] == [0, 2_500]


def test_what_bleak_warns_of_stands_there_and_what_it_chats_of_does_not(
    tmp_path: Path, clock: ManualClock, capsys: pytest.CaptureFixture[str]
) -> None:
    bleak = logging.getLogger("bleak.backends.somewhere")
    with kept(LINKS, tmp_path / "league.log", clock, pytest.fail):
        bleak.warning("the adapter is %s", "odd")
        bleak.info("a device was seen")
    bleak.info("nobody keeps this")

    (line,) = (tmp_path / "league.log").read_text().splitlines()
    assert line.endswith(" bleak.backends.somewhere: the adapter is odd")
    assert capsys.readouterr().err == ""


def test_an_evening_more_goes_behind_the_one_before(tmp_path: Path, clock: ManualClock) -> None:
    for _ in range(2):
        with kept(LINKS, tmp_path / "league.log", clock, pytest.fail) as note:
            note("once")

    assert (tmp_path / "league.log").read_text().count("once") == 2


def test_what_ends_the_desk_stands_at_the_end(tmp_path: Path, clock: ManualClock) -> None:
    with pytest.raises(ZeroDivisionError), kept(LINKS, tmp_path / "league.log", clock, pytest.fail):
        raise ZeroDivisionError("by nobody")

    assert (tmp_path / "league.log").read_text().endswith("ZeroDivisionError: by nobody\n")


def test_nobody_else_can_read_it_nor_those_that_were_filled_before(tmp_path: Path, clock: ManualClock) -> None:
    with kept(LINKS, tmp_path / "log" / "league.log", clock, pytest.fail, size=1_000) as note:
        for number in range(200):
            note(f"line {number}")

    files = sorted((tmp_path / "log").iterdir())
    assert [file.name for file in files] == ["league.log", *(f"league.log.{one + 1}" for one in range(EARLIER))]
    assert all(file.stat().st_size <= 1_000 for file in files)
    assert files[0].read_text().endswith("line 199\n")
    if os.name != "nt":  # where owners are known in other ways
        assert {stat.S_IMODE(file.stat().st_mode) for file in files} == {0o600}
        assert stat.S_IMODE((tmp_path / "log").stat().st_mode) == 0o700


@pytest.mark.skipif(not FULL.exists(), reason="this system has no disk that is always full")
def test_a_full_disk_is_complained_of_once(clock: ManualClock) -> None:
    said: list[str] = []
    with kept(LINKS, FULL, clock, said.append) as note:
        for _ in range(3):
            note("table 1, box 7: linked")

    assert said == ["the disk is full"]


def test_where_no_folder_can_be_made_it_is_complained_of_once_and_what_comes_later_is_kept(
    tmp_path: Path, clock: ManualClock
) -> None:
    folder, said = tmp_path / "log", list[str]()
    folder.write_text("a file is in the way")
    with kept(LINKS, folder / "league.log", clock, said.append) as note:
        note("lost")
        note("lost")
        assert folder.read_text() == "a file is in the way"
        folder.unlink()
        note("kept")

    assert len(said) == 1
    assert (folder / "league.log").read_text().endswith("dalej.links: kept\n")


def test_who_asks_sees_on_stderr_what_is_kept_and_who_does_not_only_what_the_server_warns_of(
    tmp_path: Path, clock: ManualClock, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "league.serve.log"
    web = logging.getLogger("dalej.web")
    for aloud in (True, False):
        with kept(BROWSERS, file, clock, pytest.fail, aloud=aloud) as note:
            note("Kruk logged in as referee, from 192.0.2.7")
            web.error("a screen failed")
        told = capsys.readouterr().err.splitlines()
        assert told == (file.read_text().splitlines() if aloud else ["a screen failed"])

    with kept(LINKS, tmp_path / "league.log", clock, pytest.fail, aloud=True) as note:
        note("table 1, box 7: linked")
    assert capsys.readouterr().err == (tmp_path / "league.log").read_text()


def test_what_was_refused_is_one_line_there_and_not_said_twice(
    tmp_path: Path, clock: ManualClock, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "league.serve.log"
    with pytest.raises(Unreachable), kept(BROWSERS, file, clock, pytest.fail, aloud=True):
        raise Unreachable("the port is taken")

    assert file.read_text().endswith("dalej.web: this ends it: the port is taken\n")
    assert capsys.readouterr().err == ""


def test_an_event_is_no_log_whatever_it_is_called(tmp_path: Path) -> None:
    event = tmp_path / "league.log"
    Ledger.create(event).close()
    before = event.read_bytes()

    for given in (str(event), str(tmp_path)):
        with pytest.raises(WrongInput, match="cannot be a log"):
            LINKS.file(event, given)
    assert event.read_bytes() == before
    assert LINKS.file(event, str(tmp_path / "new.log")) == tmp_path / "new.log"
    assert LINKS.file(event, None) != BROWSERS.file(event, None)  # two programs, two files
