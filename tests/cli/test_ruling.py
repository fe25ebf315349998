"""`dalej ruling` as a referee uses it."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator
from dataclasses import replace
from functools import partial
from pathlib import Path

import pytest

from dalej.domain.tournament.tournament import Tournament
from dalej.event import cases
from dalej.event.event import Change, Event
from dalej.event.ledger import APPLIED, FETCH, Ledger, Report
from dalej.event.reading import read
from dalej.office import rulings
from dalej.office.rulings import Heard
from tests.cli.conftest import Program
from tests.domain.begun import claimed, table
from tests.domain.deciding import NOON
from tests.domain.tables import PlayedTable
from tests.world import FIRST, an_event, at_noon, late_in_the_first_move, tell

WHY = ("--why", "seen from close by", "--who", "Puchacz")


@pytest.fixture
def held(tmp_path: Path) -> Iterator[Event]:
    """Eight are seated; at table 1 seat A was late and the table ruled that it is undone."""
    with late_in_the_first_move(tmp_path) as event:
        yield event


def decide(dalej: Program, *words: str) -> int:
    """The number under which the ruling can be taken back."""
    done = dalej("ruling", "decide", "event.dalej", *words, *WHY)
    assert (done.code, done.err) == (0, "")
    return int(done.out.rpartition("number is ")[2].split(".")[0])


@pytest.mark.usefixtures("held")
def test_6s_a_referee_overrules_and_takes_it_back_and_everything_stays_listed(dalej: Program) -> None:
    number = decide(dalej, "1", "1", "1", "stands")
    (listed,) = dalej("ruling", "list", "event.dalej", "--json").objects
    assert [(one["ruling"], one["by"], one["standing"]) for one in listed["rulings"]] == [
        ("undone", "default", "replaced"), ("undone", "table", "replaced"), ("stands", "referee", "current")
    ]  # fmt: skip
    assert (listed["rulings"][2]["who"], listed["rulings"][2]["why"]) == ("Puchacz", "seen from close by")
    (turn, *_) = dalej("log", "show", "event.dalej", "--json").objects
    assert (turn["ruling"], turn["tiles"], turn["bank"], turn["bank_on_box"]) == ("stands", 0, 50, 49)
    assert "50 tiles in the bank by the rulings, 49 on the box" in dalej("ruling", "list", "event.dalej").out
    assert "the box counts 49 in the bank" in dalej("log", "show", "event.dalej").out

    done = dalej("ruling", "revoke", "event.dalej", str(number), *WHY)
    assert (done.code, "Taken back: table 1, move 1" in done.out) == (0, True)
    (turn, *_) = dalej("log", "show", "event.dalej", "--json").objects
    assert (turn["ruling"], turn["tiles"], turn["bank"], turn["bank_on_box"]) == ("undone", 1, 49, 49)
    assert "taken back" in dalej("ruling", "list", "event.dalej").out


@pytest.mark.usefixtures("held")
def test_6h_what_is_in_no_valid_set_is_unknown_until_it_is_counted(dalej: Program) -> None:
    done = dalej("ruling", "decide", "event.dalej", "1", "1", "1", "takes_invalid", *WHY)
    assert "tiles not counted yet" in done.out
    decide(dalej, "1", "1", "1", "takes_invalid", "--tiles", "5")
    assert dalej("log", "show", "event.dalej", "--json").objects[0]["tiles"] == 5


@pytest.mark.usefixtures("held")
def test_where_no_box_counts_a_seat_is_ruled_on_and_where_one_does_the_move(dalej: Program) -> None:
    number = decide(dalej, "2", "3", "b", "undone")
    hand = dalej("ruling", "list", "event.dalej", "--table", "2", "--json").objects
    assert [(one["kind"], one["seat"], one["tiles"], one["number"]) for one in hand] == [
        ("table_ruling", "B", 1, number)
    ]  # fmt: skip
    done = dalej("ruling", "decide", "event.dalej", "1", "1", "A", "undone", *WHY)
    assert (done.code, "those of that seat: 1" in done.err) == (1, True)


@pytest.mark.usefixtures("held")
@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (("decide", "event.dalej", "1", "1", "2", "stands"), "no time-out in move 2"),
        (("decide", "event.dalej", "1", "1", "x", "stands"), "is no move"),
        (("decide", "event.dalej", "2", "9", "A", "stands"), "no game 9"),
        (("claim", "event.dalej", "1", "1", "2", "denied"), "no claim in move 2"),
        (("revoke", "event.dalej", "1"), "no referee's decision"),
        (("revoke", "event.dalej", "123456"), "no referee's decision"),  # boxes fill a ledger
        (("tie", "event.dalej", "Lis"), "at least two players"),
        (("tie", "event.dalej", "Lis", "Nobody"), "no player “Nobody”"),
    ],
)
def test_what_cannot_be_ruled_is_refused_in_a_sentence(dalej: Program, words: tuple[str, ...], sentence: str) -> None:
    done = dalej("ruling", *words, *WHY)
    assert (done.code, done.out, len(done.err.splitlines())) == (1, "", 1)
    assert sentence in done.err


def test_a_ruling_needs_a_reason(dalej: Program, held: Event) -> None:
    assert dalej("ruling", "decide", str(held.ledger.path), "1", "1", "1", "stands").code == 2


@pytest.mark.parametrize(("answer", "asked"), [("denied", ["deny_claim"]), ("granted", [])])
def test_6h_a_denied_claim_is_told_to_the_box_that_waits_for_it(
    dalej: Program, tmp_path: Path, answer: str, asked: list[str]
) -> None:
    with an_event(tmp_path, wall_ms=at_noon) as office:
        tell(office, claimed())
        assert "nobody has answered it" in dalej("ruling", "list", "event.dalej").out
        done = dalej("ruling", "claim", "event.dalej", "1", "1", "2", answer, *WHY)
        assert (done.code, f"B): the claim is {answer}" in done.out) == (0, True)
        assert [one.command for one in office.ledger.open_requests()] == asked
        assert [(one.game, one.move, one.why) for one in office.ledger.open_requests()] == [(1, 2, WHY[1])] * len(asked)
        assert f"claim {answer}" in dalej("ruling", "list", "event.dalej").out


@pytest.mark.usefixtures("held")
def test_the_order_of_players_who_are_level_is_set(dalej: Program) -> None:
    dalej("results", "enter", "event.dalej", "2", "1", "A=0", "B=9", "C=9", "D=30")
    (game,) = [one for one in dalej("results", "list", "event.dalej", "--json").objects if one["state"] == "entered"]
    a, b, c, _ = (str(one["player"]) for one in game["scores"])
    done = dalej("ruling", "tie", "event.dalej", c, b, *WHY)
    assert (done.code, done.err) == (0, "")
    assert "not level" in dalej("ruling", "tie", "event.dalej", a, b, *WHY).err


def test_of_two_answers_to_one_claim_the_list_says_which_holds_and_which_was_replaced(
    dalej: Program, tmp_path: Path
) -> None:
    with an_event(tmp_path, wall_ms=at_noon) as office:
        tell(office, claimed())
        claim = cases.the_claim(cases.claims(read(office.ledger), office.state()), FIRST, 1, 1, 2)
        for granted in (True, False):
            answer = rulings.answer(claim, FIRST, granted=granted, why="seen")
            office.change(partial(_as_it_is, answer))

    listed = dalej("ruling", "list", "event.dalej").out.splitlines()
    told = [(line.partition("claim ")[2].split()[0], "replaced" in line, "holds" in line) for line in listed[1:3]]
    assert told == [("granted", True, False), ("denied", False, True)]
    (shown,) = dalej("ruling", "list", "event.dalej", "--json").objects
    assert [one["standing"] for one in shown["answers"]] == ["replaced", "current"]
    number = str(shown["answers"][1]["number"])
    assert dalej("ruling", "revoke", "event.dalej", number, *WHY).code == 0
    (shown,) = dalej("ruling", "list", "event.dalej", "--json").objects
    assert [one["standing"] for one in shown["answers"]] == ["current", "revoked"]
    again = dalej("ruling", "claim", "event.dalej", "1", "1", "2", "denied", *WHY)
    assert (again.code, "has granted it" in again.err) == (1, True)


def _as_it_is(change: Change, _state: Tournament) -> Change:
    return change


# --- where facts are still on the box --------------------------------------------------------------------------------


def late_at_a_box(office: Event) -> PlayedTable:
    """Seat A is late in the first move of table 1; nothing of that is in the event yet but that the box is there."""
    at = table()
    office.ledger.record([Report(at.facts[0], NOON)])
    at.wait(43_000)
    return at


def test_a_command_that_comes_before_its_fact_has_it_fetched_by_the_desk(dalej: Program, tmp_path: Path) -> None:
    with an_event(tmp_path, wall_ms=at_noon) as office:
        at = late_at_a_box(office)
        assert dalej("ruling", "decide", "event.dalej", "1", "1", "1", "stands", *WHY).code == 1  # nobody serves it
        done = threading.Event()

        def desk() -> None:
            with Ledger.open(tmp_path / "event.dalej") as served:
                held = served.lease.acquire("desk", int(time.time() * 1_000), 60_000)
                while not done.wait(0.02):
                    for one in served.open_requests():
                        assert (one.command, one.table) == (FETCH, 1)
                        served.record([Report(fact, NOON) for fact in at.facts])
                        served.outcome(one.id, APPLIED, at_ms=NOON, token=held.token)

        serving = threading.Thread(target=desk)
        serving.start()
        try:
            while office.ledger.lease.holder(int(time.time() * 1_000)) is None:
                time.sleep(0.01)
            decide(dalej, "1", "1", "1", "stands")
        finally:
            done.set()
            serving.join(30)
    assert "it stands" in dalej("ruling", "list", "event.dalej").out


def test_a_ruling_that_waits_for_its_fact_is_listed_and_so_is_one_that_rules_nothing(
    dalej: Program, tmp_path: Path
) -> None:
    with an_event(tmp_path, wall_ms=at_noon) as office:
        at = late_at_a_box(office)
        last = at.facts[-1]
        heard = Heard(1, last.box, last.epoch, last.seq)
        rulings.rule_at_ahead(office, heard, "undone", None, "seen from close by")

        listed = dalej("ruling", "list", "event.dalej").out
        assert "as soon as its box has told" in listed
        (told,) = dalej("ruling", "list", "event.dalej", "--json").objects
        assert (told["table"], told["rulings"][0]["standing"]) == (1, "waits")
        assert "table 1, a time-out: undone" in dalej("event", "history", "event.dalej").out

        rulings.rule_at_ahead(office, replace(heard, head=3), "stands", None, "seen from close by")
        tell(office, at)
        out = dalej("ruling", "list", "event.dalej").out
        assert "no: no time-out waited there" in out
        assert "as soon as its box has told" not in out
        (case, astray) = dalej("ruling", "list", "event.dalej", "--json").objects
        assert (case["rulings"][-1]["ruling"], case["rulings"][-1]["standing"]) == ("undone", "current")
        assert astray["rulings"][0]["standing"] == "astray"
