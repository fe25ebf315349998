"""docs/serve.md tells an organiser numbers: they are the code's."""

from __future__ import annotations

from pathlib import Path

import pytest

from dalej.event.ledger import Ledger
from dalej.web import attempts, invitations, pages, passwords, publicpage, sentforms, sessions
from dalej.web.server import MOST, OF_ONE, OF_STRANGERS, QUIET_S
from dalej.web.sessions import trail_of
from tests.web.rig import event_file

PAGE = (Path(__file__).parents[2] / "docs" / "serve.md").read_text(encoding="utf-8")
TEXT = " ".join(PAGE.split())
HOUR_MS = 3_600_000
FRAME = (Path(pages.__file__).with_name("templates") / "page.html").read_text(encoding="utf-8")
SCRIPT = (Path(pages.__file__).with_name("assets") / "live.js").read_text(encoding="utf-8")


@pytest.mark.parametrize(
    ("says", "so"),
    [
        ("ten characters or more", passwords.SHORTEST == 10),
        ("after two hours without a touch", sessions.IDLE_MS == 2 * HOUR_MS),
        ("or after sixteen hours", sessions.WHOLE_MS == 16 * HOUR_MS),
        ("After three wrong passwords", attempts.FREE == 3),
        ("waits two seconds, then four", attempts.FIRST_MS == 2_000),
        ("then four, up to five minutes", attempts.LONGEST_MS == 300_000),
        ("comes in 256 times at once", attempts.OPEN_FREE == 256),
        ("at once and then four times a second", attempts.OPEN_EVERY_MS == 250),
        ("anything after twenty seconds", QUIET_S == 20),
        ("that takes ten seconds to arrive", sentforms.FORM_WITHIN_S == 10),
        ("at most 24 connections of 4096", (OF_ONE, MOST) == (24, 4_096)),
        ("and an address at most 512", OF_STRANGERS == 512),
        ("Of 1300 people", (sessions.SESSIONS_MOST, sessions.PUBLIC_MOST) == (1_300, 1_200)),
        ("it counts once, for ten minutes", invitations.VALID_MS == 600_000),
        ("says so and tries every few seconds", "connect(); }, 4000);" in SCRIPT),
        ("a page has 48 names", publicpage.LINES_OF_WALL * publicpage.COLUMNS_OF_WALL == 48),
        ("load themselves again every ten seconds", 'http-equiv="refresh" content="10"' in FRAME),
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
