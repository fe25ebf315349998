"""`dalej event`, as an organiser runs it."""

from __future__ import annotations

import io
import random
import re
import shlex
from datetime import date
from pathlib import Path

import pytest

from dalej.cli.start import found
from dalej.domain.tournament.tournament import GameAt
from dalej.event.ledger import Ledger
from dalej.office.settingnames import LABELS, key_meant, label
from dalej.words import LANGUAGES, speak
from tests import world
from tests.cli.conftest import Program

EXAMPLES = Path(__file__).parents[2] / "examples"
LEAGUE = str(EXAMPLES / "league-players.csv")


@pytest.fixture
def league(dalej: Program) -> str:
    """A league of 23 that has not begun."""
    assert dalej("event", "new", "league.dalej", "--ruleset", "school-league", "--name", "Liga SP 3").code == 0
    assert dalej("players", "import", "league.dalej", LEAGUE).code == 0
    return "league.dalej"


def test_a_new_event_is_one_file_and_says_what_comes_next(dalej: Program) -> None:
    done = dalej("event", "new", "league.dalej", "--ruleset", "school-league")
    assert done.code == 0
    assert "league.dalej holds the event Szkolna Liga Rummikub" in done.out
    assert "players import league.dalej" in done.out
    assert [path.name for path in Path().iterdir()] == ["league.dalej"]


@pytest.mark.parametrize("wrong", [["--ruleset", "chess"], ["--ruleset", "school-league", "--date", "tomorrow"]])
def test_a_new_event_that_cannot_be_leaves_nothing(dalej: Program, wrong: list[str]) -> None:
    done = dalej("event", "new", "league.dalej", *wrong)
    assert (done.code, done.out, done.err.count("\n")) == (1, "", 1)
    assert not list(Path().iterdir())


def test_a_new_event_does_not_touch_a_file_that_is_there(dalej: Program, league: str) -> None:
    before = Path(league).read_bytes()
    done = dalej("event", "new", league, "--ruleset", "school-league")
    assert done.code == 1
    assert "already exists" in done.err
    assert Path(league).read_bytes() == before


def test_show_fits_eighty_columns_and_says_what_to_do_next(dalej: Program, league: str) -> None:
    dalej("event", "set", league, "limit", "45 s")
    shown = dalej("event", "show", league).out
    assert max(len(line) for line in shown.splitlines()) <= 80
    assert "time for a move is 45 s instead of 40 s [6h]" in shown
    assert "League: 6 rounds, 4 games at a table, for everybody" in shown
    assert "23 take part, there are 32 places" in shown
    assert shown.splitlines()[-1] == "  dalej seat draw league.dalej"


def test_the_command_that_is_next_works_when_pasted(dalej: Program, league: str) -> None:
    next_command = shlex.split(dalej("event", "show", league).out.splitlines()[-1])
    assert dalej(*next_command[1:]).code == 0
    (shown,) = dalej("event", "show", league, "--json").objects
    assert shown["current"]["tables"] == 6
    assert shown["next"] == ["round", "start", league, "--minutes", "90"], "as the screen says"
    assert dalej(*shown["next"]).code == 0
    (shown,) = dalej("event", "show", league, "--json").objects
    assert shown["next"] == ["results", "enter", league, "1"]


def test_school_league_1_too_few_players_are_remarked_with_the_clause(dalej: Program) -> None:
    dalej("event", "new", "small.dalej", "--ruleset", "school-league")
    assert "minimum 20 uczniów" in " ".join(dalej("event", "show", "small.dalej").out.split())
    (shown,) = dalej("event", "show", "small.dalej", "--json").objects
    assert shown["remarks"]
    assert shown["next"] == ["players", "import", "small.dalej", "sign-ups.csv"]


def test_set_shows_old_and_new_and_quotes_the_clause(dalej: Program, league: str) -> None:
    done = dalej("event", "set", league, "limit", "45 s", "--why", "small children")
    assert "time for a move: 40 s → 45 s" in done.out
    assert "[6h: „Obowiązuje limit czasu" in done.out
    assert "time for a move is 45 s already" in dalej("event", "set", league, "limit", "45 s").out


def test_what_the_regulation_says_otherwise_is_refused_until_it_is_meant(dalej: Program, league: str) -> None:
    refused = dalej("event", "set", league, "joker_points", "30")
    assert refused.code == 1
    assert refused.err.startswith("a joker on the rack stays 50: the regulation says otherwise than 30 [6m: „")
    assert refused.err.endswith("--yes changes it knowingly\n")
    assert dalej("event", "set", league, "joker_points", "30", "--yes").code == 0


@pytest.fixture
def eliminations(dalej: Program) -> str:
    dalej("event", "new", "cup.dalej", "--ruleset", "pl-eliminations")
    return "cup.dalej"


GRANT = "[LIMIT CZASU: „Organizator eliminacji może zmniejszyć czas do 40 sekund”]"


def test_limit_czasu_40_s_is_granted_by_the_sentence_that_says_so(dalej: Program, eliminations: str) -> None:
    done = dalej("event", "set", eliminations, "limit", "40 s")
    assert done.code == 0
    assert f"The regulation lets the organiser choose {GRANT}" in " ".join(done.out.split())
    assert "time for a move is 40 s instead of 60 s [LIMIT CZASU]" in dalej("event", "show", eliminations).out


@pytest.mark.parametrize("limit", ["70 s", "30 s", "61 s"])
def test_limit_czasu_the_limit_of_eliminations_is_lowered_to_40_s_and_not_raised(
    dalej: Program, eliminations: str, limit: str
) -> None:
    refused = dalej("event", "set", eliminations, "limit", limit)
    assert (refused.code, refused.out) == (1, "")
    assert refused.err.startswith(
        f"time for a move stays 60 s: the regulation says otherwise than {limit} [LIMIT CZASU: „Obowi"
    )
    assert f"and permits 40 s besides {GRANT}" in refused.err
    knowingly = dalej("event", "set", eliminations, "limit", limit, "--yes")
    assert knowingly.code == 0
    assert "The regulation says otherwise [LIMIT CZASU: „Obowiązuje" in " ".join(knowingly.out.split())


def test_a_long_cell_of_the_history_is_broken_at_words_where_the_terminal_ends(
    dalej: Program, league: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("COLUMNS", raising=False)
    dalej("event", "set", league, "limit", "45 s", "--why", "small children who hold tiles for the very first time")
    whole = dalej("event", "history", league).out
    monkeypatch.setenv("COLUMNS", "80")
    broken = dalej("event", "history", league).out
    assert "small children who hold tiles for the very first time" in whole
    assert max(map(len, broken.splitlines())) <= 80
    assert sorted(broken.split()) == sorted(whole.split())


def test_set_calls_what_is_empty_nothing(dalej: Program, league: str) -> None:
    assert dalej("event", "set", league, "town", "Łódź").out == "town: nothing → Łódź.\n"
    assert dalej("event", "set", league, "town", "").out == "town: Łódź → nothing.\n"


def test_set_without_a_key_lists_them_all(dalej: Program, league: str) -> None:
    listed = dalej("event", "set", league).out
    assert re.search(r"^time for a move +limit +40 s +6h$", listed, re.MULTILINE)
    assert re.search(r"^name of the event +name +Liga SP 3$", listed, re.MULTILINE)


def test_set_with_a_key_alone_is_wrong_usage(dalej: Program, league: str) -> None:
    assert dalej("event", "set", league, "limit").code == 2


def test_history_tells_every_decision_with_who_and_why(dalej: Program, league: str) -> None:
    dalej("event", "set", league, "limit", "45 s", "--why", "small children", "--who", "Sowa")
    last = dalej("event", "history", league, "--json").objects[-1]
    assert (last["who"], last["kind"], last["why"]) == ("Sowa", "option", "small children")
    assert "small children" in dalej("event", "history", league).out.splitlines()[-1]


def test_a_setting_is_known_by_its_key_and_by_what_it_is_called_in_any_language(dalej: Program) -> None:
    assert dalej("event", "new", "league.dalej", "--ruleset", "school-league").code == 0
    for key, value in (
        ("time-for-a-move", "45 s"), ("Czas na ruch", "50 s"), ("tempo per una mossa", "40 s"), ("dzień", "27.11.2026"),
        ("gdy minie czas rundy", "koniec od razu"), ("czas na ruch", "domyślnie"),
    ):  # fmt: skip
        done = dalej("event", "set", "league.dalej", key, value, "--yes")
        assert (done.code, done.err) == (0, ""), key
    listed = dalej("--lang", "pl", "event", "set", "league.dalej").out

    assert re.search(r"^czas na ruch +limit +40 s +6h$", listed, re.MULTILINE)
    assert re.search(r"^dzień +date +27\.11\.2026$", listed, re.MULTILINE)


@pytest.mark.parametrize("language", LANGUAGES)
def test_no_setting_is_called_as_another_one_is(monkeypatch: pytest.MonkeyPatch, language: str) -> None:
    monkeypatch.setenv("LANGUAGE", "en")
    speak(language)

    assert {key: key_meant(label(key)) for key in LABELS} == {key: key for key in LABELS}


def test_a_copy_is_put_back_with_the_command_that_backup_says(dalej: Program, tmp_path: Path) -> None:
    dalej("event", "new", "league.dalej", "--ruleset", "school-league")
    dalej("players", "add", "league.dalej", "Lis")
    copied = dalej("event", "backup", "league.dalej", "copy.dalej")
    typed = copied.out.partition("To put it back: dalej ")[2].splitlines()[0].split()
    dalej("players", "add", "league.dalej", "Sowa")

    done = dalej(*typed)

    assert typed == ["event", "restore", "copy.dalej", "league.dalej"]
    assert done.code == 0, done.err
    assert "league.dalej is as copy.dalej holds it" in done.out
    assert "kept in league.replaced-1.backup.dalej" in done.out
    assert "Next: " in done.out
    assert "Sowa" not in dalej("players", "list", "league.dalej").out
    assert "Sowa" in dalej("players", "list", "league.replaced-1.backup.dalej").out
    assert [one.file for one in found(Path())] == ["league.dalej", "copy.dalej"]  # what was kept is no event to begin


def test_personal_data_that_the_copy_lacks_are_said_to_be_in_what_is_kept(dalej: Program) -> None:
    dalej("event", "new", "league.dalej", "--ruleset", "school-league")
    dalej("players", "add", "league.dalej", "Lis")
    dalej("event", "backup", "league.dalej", "copy.dalej")
    with Ledger.open("league.dalej") as ledger:
        ledger.keep_personal(1, {"town": "Zielony Las"}, today=date(2026, 11, 23))

    assert "The personal data are only in there." in dalej("event", "restore", "copy.dalej", "league.dalej").out


def test_a_change_against_the_regulation_when_results_are_in_is_one_question(
    dalej: Program, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with world.an_event(tmp_path) as event:
        world.play(event, random.Random(1), [GameAt(1, 1)])
    monkeypatch.setattr("sys.stdin", Terminal("y\n"))
    monkeypatch.setattr("sys.stderr.isatty", lambda: True, raising=False)
    done = dalej("event", "set", "event.dalej", "rounds", "2")
    assert done.code == 0, done
    assert done.err.count("?") == 1
    assert "Results are in already too. Change rounds of the first stage to 2 all the same?" in done.err


class Terminal(io.StringIO):
    """Somebody sits there."""

    def isatty(self) -> bool:
        return True


def test_who_misses_the_round_is_named_and_a_day_without_a_place_is_only_a_day(dalej: Program, league: str) -> None:
    assert dalej("players", "absent", league, "Lis").code == 0
    assert dalej("event", "set", league, "date", "2026-11-27").code == 0
    shown = [line.split() for line in dalej("event", "show", league).out.splitlines()]
    assert ["absent", "1", "Lis"] in shown
    assert ["when", "2026-11-27"] in shown


@pytest.mark.parametrize(("account", "who"), [
    ("root", "the organiser"), ("Administrator", "the organiser"), ("Użytkownik", "the organiser"),
    ("asowa", "asowa"), ("Anna Sowa", "Anna Sowa"),
])  # fmt: skip
def test_where_nobody_gave_a_name_the_history_has_the_login_name_if_it_is_somebodys(
    dalej: Program, monkeypatch: pytest.MonkeyPatch, account: str, who: str
) -> None:
    monkeypatch.delenv("DALEJ_WHO", raising=False)
    monkeypatch.setattr("getpass.getuser", lambda: account)
    assert dalej("event", "new", "one.dalej", "--ruleset", "school-league").code == 0

    decided = dalej("event", "history", "one.dalej", "--json").objects

    assert {one["who"] for one in decided} == {who}
