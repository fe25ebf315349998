"""`dalej table`: a referee's commands, carried out by the box of the table while `dalej run` serves the event."""

from __future__ import annotations

import io
import os
from collections.abc import Iterator
from pathlib import Path
from typing import Final

import pytest

from dalej.boxes.paired import OwnBox, OwnBoxes
from dalej.boxes.secret import ClubKeys
from dalej.event.ledger import Ledger, Request
from dalej.office.acts.catalogue import ACTS
from moveclock import facts as k
from moveclock.identity import KOSTKA
from tests import placing, world
from tests.cli.club import at_home
from tests.cli.conftest import Program
from tests.link.cablebox import CableBox, PtyBox
from tests.whole.typed import NO_TERMINALS, Typed

UID: Final = bytes.fromhex("240ac4001207")
WHY: Final = ("--why", "seen by the referee")

needs_terminals = pytest.mark.skipif(NO_TERMINALS, reason="Windows has no pseudo-terminals to put a box behind")


def event_with_box(folder: Path) -> None:
    """A seated league of four, whose only table has box 7."""
    event = world.new_event(folder, "school-league", 4)
    world.draw(event)
    placing.place(
        event.ledger, 1, UID.hex(), since=placing.ALL, goes_on=True, who="Gęś", when_ms=world.NOON, why="set up",
        name="7",
    )  # fmt: skip
    event.ledger.close()


@pytest.fixture
def box(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[PtyBox]:
    """It is set up by `dalej run`, and its game has begun."""
    typed = Typed(tmp_path, at_home(tmp_path / "club", monkeypatch))
    keys = ClubKeys(typed.club, os.urandom)
    keys.make()
    OwnBoxes(typed.club).keep(OwnBox(UID.hex(), "7", KOSTKA, world.NOON))
    event_with_box(tmp_path)
    with (
        PtyBox(CableBox(UID, keys.of_box(UID))) as box,
        typed.begin("run", "event.dalej", "--name", "desk 1", "--no-bluetooth", "--usb", box.device) as begun,
    ):
        begun.until("table 1: box 7 is set up for game 1, seats ABCD")
        yield box


@needs_terminals
def test_a_table_is_started_stopped_corrected_and_ended_by_commands(dalej: Program, box: PtyBox) -> None:
    assert dalej("table", "set-seat", "event.dalej", "1", "b", *WHY).code == 0
    done = dalej("table", "start", "event.dalej", "1")
    assert (done.code, done.err, done.out) == (
        0, "", "Table 1: its box is asked to start game 1.\nTable 1: its box has done it.\n",
    )  # fmt: skip
    refused = dalej("table", "give-time", "event.dalej", "1", "20", *WHY)
    assert (refused.code, refused.err) == (1, "table 1 plays: stop its clock first\n")
    (told,) = dalej("table", "stop", "event.dalej", "1", "dispute", "--json").objects
    assert [one["result"] for one in told["requests"]] == ["applied"]
    assert dalej("table", "set-time", "event.dalej", "1", "12.5", *WHY, "--who", "Lis").code == 0
    with box.at_rest() as one:
        assert one.box is not None
        clock = one.box.clock
        assert (clock.state, clock.reason, clock.seat) == (k.STOPPED, k.DISPUTE, k.SEAT_B)
        assert clock.watch.remaining(0) == 12_500

    left = dalej("players", "withdraw", "event.dalej", "1").out
    assert "has left; the box of table 1 is asked to skip seat " in left
    ended = dalej("table", "end-game", "event.dalej", "1", "--yes", *WHY)

    assert ended.out.endswith("Table 1: its box has done it.\n")
    with Ledger.open("event.dalej") as ledger:
        assert "Lis" in {one.who for one in ledger.since(0) if isinstance(one, Request)}


@needs_terminals
def test_what_destroys_something_names_it_and_asks(
    dalej: Program, box: PtyBox, monkeypatch: pytest.MonkeyPatch
) -> None:
    dalej("table", "set-seat", "event.dalej", "1", "A", *WHY)
    dalej("table", "start", "event.dalej", "1")
    monkeypatch.setattr("sys.stdin", io.StringIO("n\n"))

    asked = dalej("table", "end-game", "event.dalej", "1", *WHY)

    assert asked.code == 1
    assert "Table 1: game 1 ends in move 1. Do it in event.dalej?" in asked.err
    with box.at_rest() as one:
        assert one.box is not None
        assert one.box.clock.state == k.RUNNING


def test_without_a_desk_nothing_is_asked_and_the_way_is_said(dalej: Program, tmp_path: Path) -> None:
    event_with_box(tmp_path)

    done = dalej("table", "stop", "event.dalej", "1")

    assert (done.code, done.out) == (1, "")
    assert done.err == ("no desk serves event.dalej now, so no box would be told: first dalej run event.dalej\n")
    with Ledger.open("event.dalej") as ledger:
        assert ledger.open_requests() == []


@pytest.mark.parametrize("act", [act.name for act in ACTS.values() if act.about == "table" and act.offered])
def test_every_act_about_a_table_has_a_command_with_an_example_or_is_a_ruling(dalej: Program, act: str) -> None:
    name = act.removesuffix("_table").replace("_", "-")
    done = dalej("table", name, "--help")
    if act in ("rule", "grant_claim", "deny_claim"):
        assert done.code == 2
    else:
        assert f"dalej table {name} league.dalej 3" in done.out


def test_a_reason_that_is_needed_is_asked_for_as_usage(dalej: Program) -> None:
    assert dalej("table", "give-time", "league.dalej", "3", "20").code == 2
    assert dalej("table", "give-time", "league.dalej", "3", "-5", *WHY).code == 2


def test_less_than_a_second_is_given_too(dalej: Program, tmp_path: Path) -> None:
    event_with_box(tmp_path)

    assert "no desk serves" in dalej("table", "give-time", "event.dalej", "1", "0.5", "--why", "late").err
