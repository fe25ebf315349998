"""What an organiser may change about an event, and when it is too late."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from dalej.errors import DalejError, Refused, WrongInput
from dalej.event.event import Change, Event
from dalej.event.ledger import Draft
from dalej.office.opening import Opening, open_event
from dalej.office.settings import keys, setting
from tests import world
from tests.office.deciding import close, seat
from tests.world import signed_up


def change(event: Event, key: str, value: str) -> tuple[str, str]:
    """What was and what is."""
    wanted = setting(event.seen(), key, value)
    event.change_seen(lambda seen: setting(seen, key, value).change)
    return wanted.old, wanted.new


def test_the_events_own_values_are_set_and_checked(tmp_path: Path) -> None:
    with signed_up(tmp_path) as event:
        assert change(event, "name", "Liga  SP 3") == ("Szkolna Liga Rummikub", "Liga SP 3")
        assert change(event, "town", "Łódź") == ("", "Łódź")
        assert change(event, "date", "2026-11-21") == ("", "2026-11-21")
        assert change(event, "closed", "tak") == ("no", "yes")
        state = event.state()
        assert (state.name, state.town, state.date, state.closed) == ("Liga SP 3", "Łódź", "2026-11-21", True)
        for key, value in (("date", "31.11.2026"), ("date", "2026-02-30"), ("closed", "maybe"), ("name", "\x07")):
            with pytest.raises(WrongInput):
                change(event, key, value)


def test_school_league_6h_the_limit_is_set_and_set_back(tmp_path: Path) -> None:
    with signed_up(tmp_path) as event:
        assert change(event, "limit", "45 s") == ("40 s", "45 s")
        assert event.state().ruleset.limit_ms == 45_000
        assert change(event, "limit", "default") == ("45 s", "40 s")
        assert event.state().ruleset.limit_ms == 40_000
        assert setting(event.seen(), "limit", "40 s").change.drafts == []


def test_every_key_can_be_set_back_to_the_rulesets_value(tmp_path: Path) -> None:
    with signed_up(tmp_path) as event:
        seen = event.seen()
        for key in keys():
            if key != "ruleset":
                assert setting(seen, key, "default").new is not None


@pytest.mark.parametrize(("key", "value"), [("limmit", "3"), ("limmit", "default"), ("limit", "soon"), ("rounds", "0")])
def test_what_is_no_key_or_no_value_is_refused(tmp_path: Path, key: str, value: str) -> None:
    with signed_up(tmp_path) as event, pytest.raises(WrongInput):
        change(event, key, value)


def test_fewer_rounds_than_were_drawn_are_refused(tmp_path: Path) -> None:
    with signed_up(tmp_path) as event:
        seat(event, 1, (1, 2, 3, 4), (5, 6, 7, 8))
        close(event, 1)
        seat(event, 2, (1, 2, 3, 4), (5, 6, 7, 8))
        with pytest.raises(Refused, match="League, round 2 is seated"):
            change(event, "rounds", "1")
        assert change(event, "rounds", "2") == ("6", "2")


def test_the_rounds_of_a_stage_stay_once_it_is_decided_who_goes_on(tmp_path: Path) -> None:
    with signed_up(tmp_path, *(f"Lis {letter}" for letter in "abcdefghijklmnop"), ruleset="pl-eliminations") as event:
        change(event, "rounds", "1")
        seat(event, 1, *(tuple(range(first, first + 4)) for first in (1, 5, 9, 13)), stage="preliminaries")
        close(event, 1, stage="preliminaries")
        best: Any = {"stage": "semifinal", "players": [1, 2, 3, 4, 5, 6, 7, 8]}
        event.change(lambda state: Change([Draft("advanced", best, "advanced:semifinal")], "the best"))
        with pytest.raises(Refused, match="who plays in Preliminaries, or after it"):
            change(event, "rounds", "2")


def test_the_stages_stay_between_the_entry_and_the_first_seat_of_the_next(tmp_path: Path) -> None:
    with world.an_event(tmp_path, 16, ruleset="pl-eliminations", closed=2, seated=False) as event:
        best: Any = {"stage": "semifinal", "players": [1, 2, 3, 4, 5, 6, 7, 8]}
        event.change(lambda state: Change([Draft("advanced", best, "advanced:semifinal")], "the best"))
        fewer = "preliminaries 2x2 lot/fresh_lot; final 1x2 rank takes 4"
        for key, value in (("stages", fewer), ("semifinal_small", "4")):
            with pytest.raises(Refused, match="who plays in Semifinal, or after it, is decided already"):
                change(event, key, value)


def test_a_ruleset_without_the_stage_that_is_seated_is_refused(tmp_path: Path) -> None:
    with signed_up(tmp_path) as event:
        seat(event, 1, (1, 2, 3, 4), (5, 6, 7, 8))
        with pytest.raises(Refused, match="League, round 1 would be no part of the event"):
            change(event, "ruleset", "pl-championship")


def test_what_a_closed_round_was_scored_by_stays_until_it_is_reopened(tmp_path: Path) -> None:
    with signed_up(tmp_path) as event:
        seat(event, 1, (1, 2, 3, 4), (5, 6, 7, 8))
        assert change(event, "joker_points", "30") == ("50", "30")
        close(event, 1)
        with pytest.raises(Refused, match=r"joker_points stays 30: League, round 1 is closed and scored by it"):
            change(event, "joker_points", "40")
        assert change(event, "limit", "50 s") == ("40 s", "50 s")


def test_another_ruleset_is_taken_before_the_first_result_only(tmp_path: Path) -> None:
    with signed_up(tmp_path) as event:
        assert change(event, "ruleset", "pl-championship") == ("school-league", "pl-championship")
        assert event.state().ruleset.id == "pl-championship"
        seat(event, 1, (1, 2, 3, 4), (5, 6, 7, 8), stage=event.state().plan[0].id)
        close(event, 1, stage=event.state().plan[0].id)
        with pytest.raises(Refused, match="stays with pl-championship"):
            change(event, "ruleset", "school-league")


@pytest.mark.parametrize(
    "wrong",
    [
        Opening(ruleset="chess"), Opening(ruleset="school-league", date="21 XI"),
        Opening(ruleset="school-league", name="x" * 61), Opening(ruleset="school-league", town="\x00"),
    ],
)  # fmt: skip
def test_nothing_is_left_behind_by_an_event_that_cannot_be(tmp_path: Path, wrong: Opening) -> None:
    with pytest.raises(DalejError):
        open_event(str(tmp_path / "event.dalej"), wrong, who="Sowa", wall_ms=lambda: 0)
    assert not list(tmp_path.iterdir())


def test_nothing_is_left_behind_when_nobody_says_who(tmp_path: Path) -> None:
    with pytest.raises(WrongInput):
        open_event(str(tmp_path / "event.dalej"), Opening(ruleset="school-league"), who=" ", wall_ms=lambda: 0)
    assert not list(tmp_path.iterdir())


def test_a_file_that_is_there_stays_as_it_is(tmp_path: Path) -> None:
    there = tmp_path / "event.dalej"
    there.write_text("mine")
    with pytest.raises(WrongInput, match="already exists"):
        open_event(str(there), Opening(ruleset="school-league"), who="Sowa", wall_ms=lambda: 0)
    assert there.read_text() == "mine"
