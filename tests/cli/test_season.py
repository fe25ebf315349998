"""`dalej season`."""

from __future__ import annotations

import csv
import io
import sqlite3
from contextlib import closing
from pathlib import Path

from dalej.event.ledger import Ledger
from dalej.event.reading import read
from tests import world
from tests.cli.conftest import Program
from tests.event.ledger.making import reports
from tests.office.paper.reading import pages

SEASON = ("autumn.dalej", "winter.dalej")


def two_events(folder: Path) -> None:
    """The same league twice, by two organisers."""
    for name in SEASON:
        with world.an_event(folder, 8, closed=1, seated=False):
            pass
        (folder / "event.dalej").rename(folder / name)
    with sqlite3.connect(folder / SEASON[1]) as db:
        for (trigger,) in db.execute("SELECT name FROM sqlite_master WHERE type = 'trigger'").fetchall():
            db.execute(f"DROP TRIGGER {trigger}")
        db.execute("UPDATE decisions SET who = 'Wydra' WHERE cursor = 1")
    db.close()


def test_a_season_is_its_events_added_up_on_the_terminal_as_json_and_as_files(tmp_path: Path, dalej: Program) -> None:
    two_events(tmp_path)
    once = {one["name"]: one for one in dalej("standings", SEASON[0], "--json").objects}
    lines = dalej("season", *SEASON, "--json").objects

    assert {one["player"] for one in lines} == once.keys()
    for one in lines:
        alone = once[str(one["player"])]
        assert [one[name] for name in ("big", "small", "games")] == [
            2 * int(str(alone[name])) for name in ("big", "small", "games")
        ]
    shown = dalej("season", *SEASON).out.splitlines()
    assert shown[0].endswith("(autumn.dalej)")
    assert len(shown) == len(SEASON) + 3 + len(once)
    assert dalej("season", *SEASON, "--best", "1").out.count("(") == len(SEASON) + len(once)

    assert dalej("season", *SEASON, "-o", "season.csv").out == "season.csv is written\n"
    rows = list(csv.DictReader(io.StringIO((tmp_path / "season.csv").read_text(encoding="utf-8-sig"))))
    assert [row["Player"] for row in rows] == [str(one["player"]) for one in lines]
    for row, one in zip(rows, lines, strict=True):
        parts = [int(cell) for heading, cell in row.items() if ": small points" in heading]
        assert sum(parts) == one["small"]
    assert dalej("season", *SEASON, "-o", "season.csv").code == 1
    assert dalej("season", *SEASON, "-o", "season.pdf").code == 0
    (page,) = pages((tmp_path / "season.pdf").read_bytes())
    assert page.startswith("Standings of the season")
    assert dalej("season", *SEASON, "-o", "season.xlsx", "--overwrite").code == 0


def test_a_season_for_everybody_to_read_has_no_surnames(tmp_path: Path, dalej: Program) -> None:
    with world.an_event(tmp_path, 0, seated=False):
        pass
    for name in ("Anna Leśna", "Jan Polny", "Ewa Wodna", "Ola Górska"):
        assert dalej("players", "add", "event.dalej", name).code == 0
    assert dalej("seat", "draw", "event.dalej", "--seed", "1", "--anyway", "club").code == 0
    assert dalej("results", "enter", "event.dalej", "1", "1", "A=0", "B=12", "C=30", "D=5").code == 0
    assert "Leśna" in dalej("season", "event.dalej").out
    assert "Anna L." in dalej("season", "event.dalej", "--public").out
    assert "Leśna" not in dalej("season", "event.dalej", "--public", "--json").out


def test_a_season_of_what_is_no_event_or_before_any_game_says_so(tmp_path: Path, dalej: Program) -> None:
    world.event_file(tmp_path, seated=False)
    assert dalej("season", "event.dalej").out == "Nobody has played yet.\n"
    assert "nobody has played yet" in dalej("season", "event.dalej", "-o", "season.pdf").err
    assert "are the same event" in dalej("season", "event.dalej", "./event.dalej").err
    assert "does not exist" in dalej("season", "event.dalej", "none.dalej").err
    assert dalej("season").code == 2


def test_the_same_event_is_known_by_its_first_decision_whatever_came_before(tmp_path: Path, dalej: Program) -> None:
    two_events(tmp_path)
    with closing(Ledger.create(tmp_path / "boxes-first.dalej")) as ledger:
        ledger.record(reports([1]))
        with closing(Ledger.open(tmp_path / SEASON[1])) as winter:
            decisions = read(winter).decisions()
        for one in decisions:
            ledger.decide(one.kind, one.body, who=one.who, when_ms=one.when_ms, why=one.why, subject=one.subject)

    assert dalej("season", "boxes-first.dalej", SEASON[0], "--json").objects
    again = dalej("season", SEASON[0], SEASON[1], "boxes-first.dalej")
    assert "winter.dalej and boxes-first.dalej are the same event" in again.err
