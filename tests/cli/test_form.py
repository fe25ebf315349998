"""`dalej form`: data of finalists alone, shown by one command, erased by one command."""

from __future__ import annotations

import io
from datetime import date
from pathlib import Path

import pytest

from dalej.event.ledger import Ledger
from tests.cli.conftest import Program
from tests.cli.paper_events import write
from tests.office.paper.events import eliminations, league

TODAY = date(2026, 11, 22)
SECRETS = ("Rudokitski", "2012-03-09", "lis@example.org", "+48 600 000 001")
LIS = (
    "first_name=Lis", "surname=Rudokitski", "town=Reda", "born=2012-03-09", "email=lis@example.org",
    "phone=+48 600 000 001",
)  # fmt: skip


def test_a_finalists_data_are_kept_and_shown_by_show_alone(dalej: Program, cup: str) -> None:
    kept = dalej("form", "set", cup, "Lis", *LIS)
    shown = dalej("form", "show", cup, "--json")

    assert kept.code == 0
    assert kept.out == "Lis: kept for the final form: first_name, surname, town, born, email, phone\n"
    assert [line["name"] for line in shown.objects] == ["Lis", "Sowa", "Żuraw", "Jeż"]
    assert shown.objects[0] == {
        "place": 1, "player": 1, "name": "Lis", "finalist": True, "consent": True,
        "first_name": "Lis", "surname": "Rudokitski",
        "town": "Reda", "born": "2012-03-09", "email": "lis@example.org", "phone": "+48 600 000 001",
    }  # fmt: skip
    assert shown.objects[1]["born"] is None
    assert "Rudokitski" in dalej("form", "show", cup).out


def test_whoever_is_not_in_the_final_is_not_asked(dalej: Program, cup: str) -> None:
    refused = dalej("form", "set", cup, "Borsuk", "town=Reda")

    assert refused.code == 1
    assert refused.err == "Borsuk is not among the 4 finalists: personal data are asked of nobody else\n"


def test_organizacja_10_only_the_winner_is_asked_for_a_phone(dalej: Program, cup: str) -> None:
    refused = dalej("form", "set", cup, "Sowa", "town=Puck", "phone=600000002")

    assert refused.err == "a phone number is only asked of the winner, Sowa is not first\n"
    assert dalej("form", "show", cup, "--json").objects[1]["town"] is None


@pytest.fixture
def before_the_final(tmp_path: Path) -> str:
    return write(tmp_path / "soon.dalej", eliminations(over=False)).name


def test_organizacja_10_before_the_final_nobody_has_won_and_is_asked_for_a_phone(
    dalej: Program, before_the_final: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    refused = dalej("form", "set", before_the_final, "Lis", *LIS)
    monkeypatch.setattr("sys.stdin", io.StringIO("Lis\n\nReda\n\n\n"))
    asked = dalej("form", "set", before_the_final, "Lis")

    assert refused.code == 1
    assert refused.err == (
        "a phone number is only asked of the winner, and the final is not over: Lis may not have won\n"
    )
    assert asked.out == "Lis: kept for the final form: first_name, town\n"
    assert {line["place"] for line in dalej("form", "show", before_the_final, "--json").objects} == {None}


def test_whoever_is_no_finalist_any_more_is_shown_until_the_data_are_erased(dalej: Program, cup: str) -> None:
    dalej("form", "set", cup, "Lis", *LIS)
    with Ledger.open(cup) as ledger:
        ledger.keep_personal(
            3, {"town": "Puck"}, today=TODAY
        )  # as a desk did before somebody else went on to the final

    shown, read = dalej("form", "show", cup, "--json"), dalej("form", "show", cup)
    erased = dalej("form", "erase", cup, "Borsuk", "--yes")

    assert [(one["name"], one["place"], one["town"]) for one in shown.objects if not one["finalist"]] == [
        ("Borsuk", None, "Puck")
    ]
    assert "Borsuk is not among the finalists: dalej form erase cup.dalej 3 erases these data" in read.out
    assert erased.out.splitlines()[0] == (
        "The personal data of Borsuk are erased from cup.dalej; results and standings stay."
    )
    assert len(dalej("form", "show", cup, "--json").objects) == 4
    assert dalej("form", "show", cup, "--json").objects[0]["surname"] == "Rudokitski"
    assert "cup.dalej holds no personal data of Borsuk." in dalej("form", "erase", cup, "Borsuk", "--yes").out


def test_data_are_shown_also_while_there_is_no_final(dalej: Program, tmp_path: Path) -> None:
    event = write(tmp_path / "back.dalej", league(8, "pl-eliminations")).name
    refused = dalej("form", "show", event)
    with Ledger.open(event) as ledger:
        ledger.keep_personal(1, {"town": "Puck"}, today=TODAY)

    assert refused.code == 1
    assert [line["town"] for line in dalej("form", "show", event, "--json").objects] == ["Puck"]


@pytest.mark.parametrize(
    "wrong", ["born=4 May 2013", "born=3013-05-04", "email=lis at example.org", "phone=ask at home", "Rudokitski-Reda"]
)
def test_what_is_wrong_is_told_without_the_value(dalej: Program, cup: str, wrong: str) -> None:
    refused = dalej("form", "set", cup, "Lis", "surname=Rudokitski", wrong)

    assert refused.code == 1
    for secret in (*SECRETS, wrong.partition("=")[2] or wrong):
        assert secret not in refused.err + refused.out
    assert dalej("form", "show", cup, "--json").objects[0]["surname"] is None


def test_without_fields_it_asks_for_each_and_a_phone_of_the_winner_alone(
    dalej: Program, cup: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("sys.stdin", io.StringIO("Sowa\nPuchata\nPuck\n\nsowa@example.org\n"))

    done = dalej("form", "set", cup, "Sowa")

    assert done.out == "Sowa: kept for the final form: first_name, surname, town, email\n"


def test_a_backup_says_that_personal_data_are_not_in_it_unless_they_are_asked_for(dalej: Program, cup: str) -> None:
    assert dalej("event", "backup", cup, "none.dalej").out.splitlines()[0] == "cup.dalej is copied to none.dalej"
    dalej("form", "set", cup, "Lis", *LIS)

    without, whole = (
        dalej("event", "backup", cup, "1.dalej"),
        dalej("event", "backup", cup, "2.dalej", "--with-personal"),
    )

    assert "The personal data are not in the copy; --with-personal copies them too." in without.out
    assert "personal data" not in whole.out
    surnames = [dalej("form", "show", copy, "--json").objects[0]["surname"] for copy in ("1.dalej", "2.dalej")]
    assert surnames == [None, "Rudokitski"]


def test_erasing_asks_does_it_for_good_and_names_what_still_holds_the_data(
    dalej: Program, cup: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    dalej("form", "set", cup, "Lis", *LIS)
    dalej("paper", "form", cup)
    dalej("paper", "standings", cup, "-o", "before.csv")
    with Ledger.open(cup) as ledger:
        ledger.backup("cup.1.backup.dalej", with_personal=True)
        ledger.backup("cup.2.backup.dalej")

    monkeypatch.setattr("sys.stdin", io.StringIO("n\n"))
    assert dalej("form", "erase", cup).code == 1
    assert dalej("form", "show", cup, "--json").objects[0]["surname"] == "Rudokitski"
    erased = dalej("form", "erase", cup, "--yes")

    assert erased.out.splitlines() == [
        "Personal data of 1 player are erased from cup.dalej; results and standings stay.",
        "Copies of the file and printed forms, wherever they are, still hold theirs: delete them too.",
        "  beside it: cup.1.backup.dalej",
        "  beside it: cup-form.pdf",
    ]
    held = b"".join(path.read_bytes() for path in tmp_path.glob("cup.dalej*"))
    assert not [secret for secret in SECRETS if secret.encode() in held]
    dalej("paper", "standings", cup, "-o", "after.csv")
    assert (tmp_path / "after.csv").read_bytes() == (tmp_path / "before.csv").read_bytes()
    assert dalej("form", "show", cup, "--json").objects[0]["surname"] is None
