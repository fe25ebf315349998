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
    assert kept.out == "Lis: kept for the final form: first name, surname, town, date of birth, e-mail, phone\n"
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
    shown = dalej("form", "show", cup, "--json").objects[1]
    assert (shown["town"], shown["phone"]) == ("Puck", None)  # what was right is kept


@pytest.fixture
def before_the_final(tmp_path: Path) -> str:
    return write(tmp_path / "soon.dalej", eliminations(over=False)).name


def test_organizacja_10_before_the_final_nobody_has_won_and_is_asked_for_a_phone(
    dalej: Program, before_the_final: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    refused = dalej("form", "set", before_the_final, "Lis", *LIS)
    monkeypatch.setattr("sys.stdin", io.StringIO("Lis\n\nRumia\n\n\n"))
    asked = dalej("form", "set", before_the_final, "Lis")

    assert refused.code == 1
    assert refused.err == (
        "a phone number is only asked of the winner, and the final is not over: Lis may not have won\n"
    )
    assert asked.out == "Lis: kept for the final form: first name, surname, town, date of birth, e-mail\n"
    assert dalej("form", "show", before_the_final, "--json").objects[0]["town"] == "Rumia"
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
    "wrong", ["born=May 2013", "born=3013-05-04", "email=lis at example.org", "phone=ask at home", "Rudokitski-Reda"]
)
def test_what_is_wrong_is_told_without_the_value(dalej: Program, cup: str, wrong: str) -> None:
    refused = dalej("form", "set", cup, "Lis", "surname=Rudokitski", wrong)

    assert refused.code == 1
    for secret in (*SECRETS, wrong.partition("=")[2] or wrong):
        assert secret not in refused.err + refused.out
    assert dalej("form", "show", cup, "--json").objects[0]["surname"] == "Rudokitski"  # what was right is kept


def test_without_fields_it_asks_for_each_and_a_phone_of_the_winner_alone(
    dalej: Program, cup: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("sys.stdin", io.StringIO("Sowa\nPuchata\nPuck\n\nsowa@example.org\nno\n"))

    done = dalej("form", "set", cup, "Sowa")

    assert done.out.splitlines() == [
        "Sowa: kept for the final form: first name, surname, town, e-mail",
        "A parent's consent is still missing, the form may not be sent yet: Sowa",
        "When the papers have come: dalej players consent cup.dalej 2",
    ]


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

    assert dalej("--lang", "pl", "paper", "form", cup).code == 0
    dalej("--lang", "en", "form", "show", cup)

    monkeypatch.setattr("sys.stdin", io.StringIO("n\n"))
    assert dalej("form", "erase", cup).code == 1
    assert dalej("form", "show", cup, "--json").objects[0]["surname"] == "Rudokitski"
    erased = dalej("form", "erase", cup, "--yes")

    assert erased.out.splitlines() == [
        "Personal data of 1 player are erased from cup.dalej; results and standings stay.",
        "Copies of the file and printed forms, wherever they are, still hold theirs: delete them too.",
        "  beside it: cup.1.backup.dalej",
        "  beside it: cup-form.pdf",
        "  beside it: cup-formularz.pdf",
    ]
    held = b"".join(path.read_bytes() for path in tmp_path.glob("cup.dalej*"))
    assert not [secret for secret in SECRETS if secret.encode() in held]
    dalej("paper", "standings", cup, "-o", "after.csv")
    assert (tmp_path / "after.csv").read_bytes() == (tmp_path / "before.csv").read_bytes()
    assert dalej("form", "show", cup, "--json").objects[0]["surname"] is None


def signed_up(path: Path, name: str) -> str:
    """The same event, with player 2 as from a sign-up list that has a column for the surname and one for the town."""
    written = eliminations()
    body = next(body for _kind, body, subject in written.drafts if subject == "player:2")
    body |= {"name": name, "group": "Reda", "surname": "Nowak", "town": "Reda"}
    return write(path, written).name


@pytest.mark.parametrize("name", ["Jan Nowak", "Nowak Jan"])
def test_what_the_sign_up_list_said_is_not_asked_again(
    dalej: Program, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    cup = signed_up(tmp_path / "list.dalej", name)
    monkeypatch.setenv("LANGUAGE", "pl")
    monkeypatch.setattr("sys.stdin", io.StringIO("4 maja 2013\njan.example.org\njan@example.org\nnie\n"))

    done = dalej("form", "set", cup, "Nowak Jan")
    shown = dalej("form", "show", cup, "--json").objects[1]

    assert "Imię: Jan" in done.err
    assert "e-mail: ma to być adres taki jak name@example.org" in done.err  # and only that is asked again
    assert (shown["first_name"], shown["surname"], shown["town"]) == ("Jan", "Nowak", "Reda")
    assert (shown["born"], shown["email"]) == ("2013-05-04", "jan@example.org")
    with Ledger.open(cup) as ledger:
        assert ledger.personal() == {2: {"born": "2013-05-04", "email": "jan@example.org"}}


def test_fields_have_polish_names_and_all_that_is_wrong_is_named_at_once(
    dalej: Program, cup: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("LANGUAGE", "pl")

    refused = dalej(
        "form", "set", cup, "Lis", "Imię=Lis", "nazwisko=Rudokitski", "Data urodzenia=31.02.2013", "E-mail=lis@reda",
        "Telefon=600-000-001", "zgoda=moze", "pesel=1",
    )  # fmt: skip

    assert refused.code == 1
    assert refused.out == "Lis, zapisane do formularza finałowego: imię, nazwisko, telefon\n"
    assert refused.err.splitlines()[0] == "4 błędy:"
    for field in ("argument 7: ", "data urodzenia: ", "e-mail: ", "zgoda rodzica: "):
        assert field in refused.err
    assert not [value for value in ("31.02", "lis@reda", "moze", "pesel") if value in refused.err]


def test_whoever_breaks_off_keeps_what_was_answered(dalej: Program, cup: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.stdin", io.StringIO("Sowa\nPuchata\n"))

    assert dalej("form", "set", cup, "Sowa").code == 1
    assert dalej("form", "show", cup, "--json").objects[1]["surname"] == "Puchata"


def test_consent_is_ticked_later_for_all_whose_papers_have_come(dalej: Program, cup: str) -> None:
    kept = dalej("form", "set", cup, "Sowa", "surname=Puchata")
    printed = dalej("paper", "form", cup)
    ticked = dalej("players", "consent", cup, "Sowa", "Jeż")
    again = dalej("paper", "form", cup, "--overwrite")

    missing = "A parent's consent is still missing, the form may not be sent yet: {}"
    assert missing.format("Sowa") in kept.out
    assert missing.format("Sowa, Jeż") in printed.out
    assert ticked.out == "A parent's consent is on file: Sowa, Jeż.\n"
    assert again.out == "cup-form.pdf is written\n"
    assert [one["consent"] for one in dalej("form", "show", cup, "--json").objects] == [True] * 4


@pytest.mark.parametrize("file", ["list.xlsx", "list.csv"])
@pytest.mark.parametrize("language", ["pl", "en", "it"])
def test_the_list_to_fill_in_is_read_back_and_one_wrong_cell_loses_no_other(
    dalej: Program, cup: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, language: str, file: str
) -> None:
    monkeypatch.setenv("LANGUAGE", language)
    dalej("form", "set", cup, "Lis", *LIS)
    assert dalej("form", "template", cup, file).code == 0
    assert (tmp_path / file).stat().st_mode & 0o77 == 0
    before = dalej("form", "show", cup, "--json").objects
    dalej("form", "erase", cup, "--yes")

    done = dalej("form", "import", cup, file)

    assert done.code == 0, done.err
    assert dalej("form", "show", cup, "--json").objects == before


def test_a_list_made_before_a_consent_came_does_not_take_it_back(dalej: Program, cup: str) -> None:
    dalej("form", "template", cup)
    dalej("players", "consent", cup, "Sowa")

    assert dalej("form", "import", cup, "cup-form.xlsx").code == 0
    assert dalej("form", "show", cup, "--json").objects[1]["consent"] is True


def test_a_list_names_every_wrong_cell_and_keeps_the_others(
    dalej: Program, cup: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("LANGUAGE", "pl")
    (tmp_path / "lista.csv").write_text(
        "Gracz;Nazwisko;Data urodzenia;E-mail;Zgoda rodzica\nLis;Rudokitski;wczoraj;lis@example.org;\n"
        "Sowa;Puchata;4.05.2013;zapytać;tak\nBorsuk;Bury;;;\nKtoś;;;;tak\n",
        encoding="utf-8",
    )

    done = dalej("form", "import", cup, "lista.csv")
    lis, sowa = dalej("form", "show", cup, "--json").objects[:2]

    assert done.code == 1
    assert done.err.splitlines()[0] == "4 błędy:"
    for place in ("wiersz 2, pod nagłówkiem Data urodzenia", "wiersz 3, pod nagłówkiem E-mail", "wiersz 4", "wiersz 5"):
        assert place in done.err
    assert "wczoraj" not in done.err
    assert (lis["surname"], lis["email"], lis["born"]) == ("Rudokitski", "lis@example.org", None)
    assert (sowa["surname"], sowa["born"], sowa["consent"]) == ("Puchata", "2013-05-04", True)


def test_after_erasing_no_byte_history_undo_or_list_of_files_holds_what_was_told(
    dalej: Program, cup: str, tmp_path: Path
) -> None:
    dalej("form", "set", cup, "Lis", *LIS, "consent=no")
    dalej("form", "template", cup)
    dalej("paper", "form", cup)
    dalej("players", "consent", cup, "Lis")
    said = [
        dalej("event", "history", cup), dalej("undo", cup, "--why", "too early", "--yes"),
        dalej("event", "history", cup, "--json"), dalej("event", "show", cup), dalej("players", "list", cup),
    ]  # fmt: skip

    def held() -> set[str]:
        there = b"".join(path.read_bytes() for path in tmp_path.iterdir() if path.is_file())
        return {secret for secret in SECRETS if secret.encode() in there}

    assert held() == {*SECRETS}
    erased = dalej("form", "erase", cup, "--yes")

    for name in ("cup-form.pdf", "cup-form.xlsx"):
        assert f"  beside it: {name}" in erased.out
        (tmp_path / name).unlink()
    assert held() == set()
    assert not [secret for secret in SECRETS for done in (*said, erased) if secret in done.out + done.err]
    assert dalej("form", "show", cup, "--json").objects[0]["surname"] is None
