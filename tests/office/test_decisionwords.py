"""What was decided on settings is told in words, not by the keys that files and programs use."""

from __future__ import annotations

import pytest

from dalej.domain.rules.rulesets import schema
from dalej.domain.tournament.tournament import OPTION
from dalej.event.ledger import Decision
from dalej.event.ledger.entries import Json
from dalej.office.decisionwords import tell
from dalej.office.settingnames import in_seconds, label


def told(key: str, value: Json) -> str:
    return tell(Decision(4, OPTION, f"option:{key}", {"key": key, "value": value}, "Sowa", 0, "", None, None), {})


@pytest.mark.parametrize(
    ("key", "value", "said"),
    [
        ("limit_ms", 60_000, "time for a move is 60 s"), ("limit_ms", None, "time for a move as the ruleset says"),
        ("round_time_ms", 5_400_000, "time of a round is 1 h 30 min"), ("jokers", 3, "jokers in the set is 3"),
        ("of_a_later_version", 7, "of_a_later_version is 7"),
    ],
)  # fmt: skip
def test_a_setting_is_called_by_what_it_does(key: str, value: Json, said: str) -> None:
    assert told(key, value) == said


def test_every_option_of_a_ruleset_has_a_name() -> None:
    assert not [key for key in schema() if label(key) == key and key != "stages"]


@pytest.mark.parametrize(
    ("typed", "read"),
    [
        ("1 min", "60 s"),
        ("1 min 30 s", "90 s"),
        ("40 s", "40 s"),
        ("10 min", "10 min"),
        ("1500 ms", "1500 ms"),
        ("x", "x"),
    ],
)
def test_a_limit_is_read_as_regulations_write_it(typed: str, read: str) -> None:
    assert in_seconds(typed) == read
