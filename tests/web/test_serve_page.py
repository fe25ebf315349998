"""docs/serve.md tells an organiser numbers: they are the code's."""

from __future__ import annotations

from pathlib import Path

import pytest

from dalej.ledger import Ledger
from dalej.web import application, attempts, crowd, pages, passwords, places, sessions
from dalej.web.trail import trail_of
from tests.web.rig import event_file

TEXT = " ".join((Path(__file__).parents[2] / "docs" / "serve.md").read_text(encoding="utf-8").split())
HOUR_MS = 3_600_000
ASSETS = Path(pages.__file__).with_name("assets")


@pytest.mark.parametrize(
    ("says", "so"),
    [
        ("ten characters or more", passwords.SHORTEST == 10),
        ("after two hours without a key", sessions.IDLE_MS == 2 * HOUR_MS),
        ("or after sixteen hours", sessions.WHOLE_MS == 16 * HOUR_MS),
        ("After three wrong passwords", attempts.FREE == 3),
        ("waits two seconds, then four", attempts.FIRST_MS == 2_000),
        ("then four, up to five minutes", attempts.LONGEST_MS == 300_000),
        ("comes in 32 times at once", attempts.OPEN_FREE == 32),
        ("at once and then once a second", attempts.OPEN_EVERY_MS == 1_000),
        ("anything after twenty seconds", crowd.QUIET_S == 20),
        ("that takes ten seconds to arrive", application.FORM_WITHIN_S == 10),
        ("at most 96 connections of 384", (crowd.OF_ONE, crowd.MOST) == (96, 384)),
        ("there may be (24); eight of them", (places.SCREENS, places.KEPT) == (24, 8)),
        ("One log-in shows up to four", places.OF_ONE_SESSION == 4),
        ("Of 500 people", (sessions.SESSIONS_MOST, sessions.PUBLIC_MOST) == (500, 400)),
        ("some 44 rows fit", pages.ROWS_AFAR == 44),
        ("tries every two seconds", "AGAIN_MS = 2000;" in (ASSETS / "screen.js").read_text(encoding="utf-8")),
    ],
)  # fmt: skip
def test_what_the_page_says_is_so(says: str, so: bool) -> None:
    assert says in TEXT
    assert so


def test_a_backup_has_the_event_and_not_who_came_and_went(tmp_path: Path) -> None:
    event, copy = event_file(tmp_path), tmp_path / "stick" / "copy.dalej"
    copy.parent.mkdir()
    trail_of(event).write_text("{}\n")
    with Ledger.open(event) as ledger:
        ledger.backup(str(copy))

    assert [file.name for file in copy.parent.iterdir()] == ["copy.dalej"]
    assert "copies the event and not this file" in TEXT
