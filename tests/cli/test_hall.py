"""`dalej hall`: what is done to all tables at once, typed."""

from __future__ import annotations

import io
from pathlib import Path
from typing import Final

import pytest

from dalej.event.ledger import NO_LINK, REFUSED, Ledger
from tests.cli.conftest import Program
from tests.office.acts.cases import Case
from tests.office.acts.ready import prepare
from tests.office.acts.routes import NAME, obeyed
from tests.office.acts.states import WithBox, third_move

PLAYS: Final = Case("stop_hall", "", {"reason": "round_break"}, (third_move,), on=WithBox)


@pytest.fixture
def event(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Table 1 plays; its box is the hall's only one."""
    file = prepare(tmp_path, PLAYS).copy("typed")
    monkeypatch.chdir(file.parent)
    return file


def test_the_hall_is_stopped_and_the_boxes_that_have_done_it_are_counted(dalej: Program, event: Path) -> None:
    with obeyed(event):
        done = dalej("hall", "stop", NAME, "round_break", "--yes")
    assert (done.code, done.err) == (0, "")
    assert done.out == "The box of one table is asked to stop the clock.\nTable 1: its box has done it.\n"


@pytest.mark.parametrize(
    ("result", "reason", "said"),
    [
        (REFUSED, "state", "table 1: its box refuses: "),
        (NO_LINK, "", "table 1: there is no link to its box: switch the box on, or bring it nearer"),
    ],
)
def test_each_table_whose_box_has_not_done_it_is_named_with_the_reason(
    dalej: Program, event: Path, result: str, reason: str, said: str
) -> None:
    with obeyed(event, result, reason):
        done = dalej("hall", "stop", NAME, "round_break", "--yes")
    assert done.code == 1
    assert done.err.startswith(said)
    assert "done it" not in done.out


def test_a_program_is_told_what_each_box_has_made_of_it(dalej: Program, event: Path) -> None:
    with obeyed(event, REFUSED, "state"):
        done = dalej("hall", "stop", NAME, "round_break", "--yes", "--json")
    assert done.code == 1
    (told,) = done.objects
    assert (told["act"], len(told["requests"])) == ("stop_hall", 1)
    assert {name: told["requests"][0][name] for name in ("table", "result", "reason")} == {
        "table": 1, "result": "refused", "reason": "state",
    }  # fmt: skip


def test_whoever_stops_the_hall_is_asked_and_told_how_many_tables_that_are(
    dalej: Program, event: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("sys.stdin", io.StringIO("n\n"))
    with obeyed(event):
        done = dalej("hall", "stop", NAME, "round_break")
    assert done.code == 1
    assert f"The clocks of all 1 tables that play are stopped. Do it in {NAME}?" in done.err
    with Ledger.open(event) as ledger:
        assert ledger.open_requests() == []


def test_without_a_desk_nothing_is_asked_and_the_way_is_said(dalej: Program, event: Path) -> None:
    done = dalej("hall", "stop", NAME, "round_break", "--yes")
    assert (done.code, done.out) == (1, "")
    assert done.err == f"no desk serves {NAME} now, so no box would be told: first dalej run {NAME}\n"
    with Ledger.open(event) as ledger:
        assert ledger.open_requests() == []
