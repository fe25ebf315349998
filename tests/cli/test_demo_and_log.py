"""`dalej demo`, `dalej log` and `dalej event`."""

from __future__ import annotations

import csv
import io
import shutil
import sqlite3
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pytest

from dalej.cli import demo
from dalej.event.ledger import Ledger, Report
from dalej.event.reading import read
from tests import placing
from tests.cli.conftest import Program


@pytest.fixture(scope="module")
def hall(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An event of three tables, played once for all tests here."""
    from dalej.cli.program import app

    path = tmp_path_factory.mktemp("hall") / "hall.dalej"
    app().main(
        ["demo", "--tables", "3", "--moves", "90", "--seed", "5", "--event", str(path), "--json"], "dalej",
        standalone_mode=False,
    )  # fmt: skip
    return path


def test_a_simulated_hall_ends_with_a_clean_verify(
    dalej: Program, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("DALEJ_HOME", str(tmp_path / "home"))
    done = dalej("demo", "--tables", "2", "--moves", "60", "--json")

    (summary,) = done.objects
    assert done.code == 0
    assert summary["verify"] == "clean"
    assert summary["moves"] >= 60
    assert summary["rulings"] == summary["time_outs"]
    assert summary["event"] == str(tmp_path / "home" / "demo" / "demo-1.dalej")
    another = dalej("demo", "--tables", "1", "--moves", "1", "--json").objects[0]["event"]
    assert another == str(tmp_path / "home" / "demo" / "demo-2.dalej")
    assert [path.name for path in tmp_path.iterdir()] == ["home"]  # and nothing where it was typed


def test_the_same_seed_plays_the_same_evening(dalej: Program) -> None:
    one, other, third = (
        dalej("demo", "--tables", "2", "--moves", "40", "--seed", seed, "--json").objects[0] for seed in "112"
    )

    assert {key: one[key] for key in one if key not in ("event", "took_ms")} == {
        key: other[key] for key in other if key not in ("event", "took_ms")
    }
    assert one["facts"] != third["facts"]


def test_a_hall_that_shares_few_links_ends_with_a_clean_verify(dalej: Program) -> None:
    (summary,) = dalej("demo", "--tables", "5", "--links", "2", "--moves", "50", "--json").objects

    assert (summary["tables"], summary["verify"]) == (5, "clean")
    assert summary["moves"] >= 50


def test_the_summary_names_what_the_issue_of_a_hall_is(dalej: Program) -> None:
    out = dalej("demo", "--headless", "--tables", "2", "--moves", "20").out

    for word in ("moves", "time-outs", "rulings", "facts", "sent again", "links cut", "verify: clean"):
        assert word in out


def test_the_log_shows_one_line_a_turn_and_one_table_on_request(dalej: Program, hall: Path) -> None:
    everything = dalej("log", "show", str(hall)).out.splitlines()
    second = dalej("log", "show", str(hall), "--table", "2", "--json").objects

    assert everything[0].split() == [
        "table",
        "game",
        "move",
        "player",
        "seconds",
        "how",
        "it",
        "ended",
        "tiles",
        "bank",
        "flags",
    ]
    assert len(everything) - 1 == len(dalej("log", "show", str(hall), "--json").objects)
    assert {turn["table"] for turn in second} == {2}
    assert {turn["player"] for turn in second} <= {"2A", "2B", "2C", "2D"}


def test_exports_hold_the_same_turns(dalej: Program, hall: Path, tmp_path: Path) -> None:
    shown = dalej("log", "show", str(hall), "--json").objects
    printed = list(csv.DictReader(io.StringIO(dalej("log", "export", str(hall)).out)))
    lines = dalej("log", "export", str(hall), "--format", "jsonl").objects

    assert lines == shown
    assert [int(row["seq"]) for row in printed] == [turn["seq"] for turn in shown]

    assert dalej("log", "export", str(hall), "-o", "turns.csv").code == 0
    assert (tmp_path / "turns.csv").read_bytes().startswith(b"\xef\xbb\xbftable,")
    assert dalej("log", "export", str(hall), "-o", "turns.csv").code == 1


def test_an_export_opens_in_the_spreadsheet_of_the_readers_language_as_every_other_list_does(
    dalej: Program, hall: Path, tmp_path: Path
) -> None:
    assert dalej("--lang", "pl", "log", "export", str(hall), "-o", "kolejka.csv").code == 0
    assert dalej("--lang", "pl", "paper", "turns", str(hall), "-o", "papier.csv").code == 0
    printed = dalej("--lang", "pl", "log", "export", str(hall)).out
    cut = dalej("--lang", "pl", "log", "export", str(hall), "--delimiter", "tab").out

    written = (tmp_path / "kolejka.csv").read_bytes()
    assert written.startswith(b"\xef\xbb\xbftable;game;")
    assert written == (tmp_path / "papier.csv").read_bytes()
    assert printed.startswith("table;game;")
    assert cut.startswith("table\tgame\t")


def test_verify_names_a_fact_that_is_missing(dalej: Program, hall: Path, tmp_path: Path) -> None:
    torn = tmp_path / "torn.dalej"
    shutil.copy(hall, torn)
    with closing(sqlite3.connect(torn)) as db, db:
        for (trigger,) in db.execute("SELECT name FROM sqlite_master WHERE type = 'trigger'").fetchall():
            db.execute(f"DROP TRIGGER {trigger}")
        db.execute("DELETE FROM facts WHERE stream = 1 AND seq = 9")

    done = dalej("log", "verify", str(torn))

    assert done.code == 1
    assert "9" in done.out + done.err


def test_verify_calls_a_box_by_what_is_written_on_it(dalej: Program, hall: Path, tmp_path: Path) -> None:
    path = tmp_path / "named.dalej"
    shutil.copy(hall, path)
    with Ledger.open(path) as ledger:
        fact = read(ledger).facts()[0].fact
        placing.place(ledger, 1, fact.box, since="now", goes_on=True, who="Sowa", when_ms=0, why="so", name="7")
        ledger.record([Report(replace(fact, a=fact.a + 1), received_ms=0)])

    out = dalej("log", "verify", str(path)).out
    assert "table 3, box 7: " in out  # that is where it told the fact
    assert fact.box not in out


def test_verify_names_a_contradiction(dalej: Program, hall: Path, tmp_path: Path) -> None:
    path = tmp_path / "twice.dalej"
    shutil.copy(hall, path)
    with Ledger.open(path) as ledger:
        fact = read(ledger).facts()[0].fact
        ledger.record([Report(replace(fact, a=fact.a + 1), received_ms=0)])

    done = dalej("log", "verify", str(path), "--json")

    assert done.code == 1
    assert [problem["problem"] for problem in done.objects] == ["conflict"]


def test_a_backup_is_the_same_event(dalej: Program, hall: Path, tmp_path: Path) -> None:
    copy = tmp_path / "copy.dalej"

    assert dalej("event", "backup", str(hall), str(copy)).code == 0
    assert dalej("log", "show", str(copy)).out == dalej("log", "show", str(hall)).out
    assert dalej("event", "backup", str(hall), str(copy)).code == 1
    assert dalej("event", "backup", str(hall), str(copy), "--overwrite").code == 0


@pytest.mark.parametrize("command", [["log", "show"], ["log", "verify"], ["log", "export"]])
def test_a_file_that_is_no_event_is_refused_and_untouched(dalej: Program, tmp_path: Path, command: list[str]) -> None:
    text = tmp_path / "notes.txt"
    text.write_text("not an event")

    for path in (text, tmp_path, tmp_path / "nowhere.dalej"):
        done = dalej(*command, str(path))
        assert done.code == 1
        assert done.err.count("\n") == 1
        assert done.out == ""

    assert text.read_text() == "not an event"
    assert sorted(path.name for path in tmp_path.iterdir()) == ["notes.txt"]


def test_a_demo_that_can_make_no_file_says_so(dalej: Program, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "home").write_text("in the way")
    monkeypatch.setenv("DALEJ_HOME", str(tmp_path / "home"))

    done = dalej("demo", "--headless", "--tables", "1", "--moves", "1")

    assert done.code == 1
    assert done.err.startswith(f"{tmp_path / 'home' / 'demo'} cannot be written: ")
    assert done.err.count("\n") == 1


def test_a_demo_is_played_by_whom_the_variable_names(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DALEJ_WHO", "Sowa")
    assert demo.command().make_context("demo", []).params["who"] == "Sowa"
    assert demo.command().make_context("demo", ["--who", "Lis"]).params["who"] == "Lis"
