"""A result of a closed round is corrected in one step: by whom, what is said before, what stands, what is copied, and
one step back.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

import pytest

from dalej.domain.tournament.fold import standings
from dalej.domain.tournament.tournament import GameAt, RoundKey
from dalej.errors import Refused
from dalej.event.event import Event
from dalej.event.ledger import Ledger
from dalej.office import results, rounds, rulings
from dalej.office.acts.performer import Performer
from dalej.office.acts.roles import Actor
from dalej.office.acts.wishes import Done, Wish
from dalej.office.corrections import bearing
from dalej.office.nextstep import next_step
from dalej.office.notation import Entry, rack
from dalej.office.rounds import backup_of
from dalej.office.undo import proposed
from tests import world

LIS, SOWA, WYDRA = Actor("Lis", "organiser"), Actor("Sowa", "referee"), Actor("Wydra", "organiser")
FIRST, SECOND = world.FIRST, world.SECOND
AT: Final = GameAt(1, 1)


def wish(act: str, why: str = "the 3 is an 8", **args: Any) -> Wish:
    return Wish(act, {"table": 1, "game": 1, "round": "league/1", **args}, why)


def correction(*points: str) -> Wish:
    return wish("correct_closed", racks=dict(zip("ABCD", points, strict=True)))


def performed(event: Event, actor: Actor, wished: Wish) -> Done:
    return Performer(event.by, lambda _line: None).do(actor, wished)


def entry(*points: str) -> Entry:
    return Entry("went_out", tuple(rack(seat, text) for seat, text in zip("ABCD", points, strict=True)))


def racks(event: Event) -> list[int | None]:
    sheet = event.state().rounds[FIRST].results[AT].sheet
    assert sheet is not None
    return [one.points for one in sheet.racks]


def totals(event: Event) -> dict[int, tuple[int | None, int, int]]:
    return {line.player: (line.big, line.small, line.place) for line in standings(event.state())}


def by_last_seat(event: Event) -> tuple[str, ...]:
    """Racks by which another seat than now has gone out."""
    now = racks(event)
    return ("90", "80", "70", "0") if now[3] != 0 else ("0", "80", "70", "90")


@pytest.fixture
def event(tmp_path: Path) -> Iterator[Event]:
    """The first round is closed and the second seated by it."""
    with world.an_event(tmp_path, closed=1, games="2") as found:
        yield found


@pytest.mark.parametrize("role", ["referee", "public"])
def test_only_an_organiser_corrects_what_an_organiser_has_closed(event: Event, role: Any) -> None:
    before = event.ledger.head()
    for act in ("correct_closed", "correct_result"):
        with pytest.raises(Refused):
            performed(event, Actor("Sowa", role), wish(act, racks={"A": "0", "B": "1", "C": "2", "D": "3"}))
    assert event.ledger.head() == before


def test_in_a_closed_round_the_plain_correction_is_refused_whoever_wishes_it(event: Event) -> None:
    with pytest.raises(Refused, match="League, round 1 is closed: an organiser corrects it, in one step"):
        performed(event, LIS, wish("correct_result", racks={"A": "0", "B": "1", "C": "2", "D": "3"}))


def test_in_an_open_round_there_is_nothing_to_correct_in_one_step(event: Event) -> None:
    world.play(event, random.Random(2), [AT])
    with pytest.raises(Refused, match="League, round 2 is not closed"):
        performed(event, LIS, wish("correct_closed", round="league/2", racks={"A": "0", "B": "1", "C": "2", "D": "3"}))


def test_another_winner_counts_at_once_the_round_stays_closed_and_one_step_takes_it_back(event: Event) -> None:
    before, old, closed = totals(event), racks(event), event.state().rounds[FIRST].closed
    head = event.ledger.head()

    done = performed(event, LIS, correction(*by_last_seat(event)))

    assert event.ledger.head() == head + 1, "one decision"
    one = event.state().rounds[FIRST]
    assert (one.closed, one.corrected(), one.results[AT].mark.who) == (closed, [AT], "Lis")
    assert one.results[AT].mark.why == "the 3 is an 8"
    assert totals(event) != before
    assert "the seating of League, round 2 (number" in str(done)

    assert done.undo is not None
    performed(event, WYDRA, done.undo)
    assert (racks(event), totals(event), event.state().rounds[FIRST].corrected()) == (old, before, [])
    assert len([one for one in event.read().decisions() if one.kind == "result" and one.revoked_by]) == 1


def test_a_correction_is_corrected_and_each_goes_back_on_its_own(event: Event) -> None:
    before, old = totals(event), racks(event)
    first = performed(event, LIS, correction("0", "5", "6", "7"))
    between = totals(event)
    second = performed(event, WYDRA, correction("9", "0", "6", "7"))
    assert racks(event) == [9, 0, 6, 7]

    assert first.undo is not None
    assert second.undo is not None
    performed(event, WYDRA, second.undo)
    assert (racks(event), totals(event)) == ([0, 5, 6, 7], between)
    performed(event, LIS, first.undo)
    assert (racks(event), totals(event)) == (old, before)


def test_what_it_changes_is_known_before_and_nothing_is_decided_by_asking(event: Event) -> None:
    head = event.ledger.head()
    wanted = by_last_seat(event)

    found = bearing(event.seen(), FIRST, AT, entry(*wanted))

    assert event.ledger.head() == head
    assert any("points" in line for line in found.changes)
    assert [str(one.what).partition(" (")[0] for one in found.stands] == ["the seating of League, round 2"]
    old = totals(event)
    performed(event, LIS, correction(*wanted))
    new = totals(event)
    names = event.state().players
    assert {number for number in old if old[number] != new[number]} == {
        number for number in old if any(names[number].name + " (" in line for line in found.changes)
    }


def test_a_sheet_with_the_same_numbers_moves_nobody_and_says_so(event: Event) -> None:
    now = event.state().rounds[FIRST].results[AT].sheet
    assert now is not None
    same = bearing(event.seen(), FIRST, AT, Entry(now.ended, now.racks))
    assert same.changes[0] == "nobody's place or points change"


def test_the_copies_that_closing_left_hold_the_correction_and_its_undo(tmp_path: Path) -> None:
    with world.an_event(tmp_path, seated=False, games="2") as event:
        for _round in range(2):
            world.draw(event)
            world.play(event, random.Random(1))
            performed(event, LIS, Wish("close_round", {}))
        done = performed(event, LIS, correction("0", "5", "6", "7"))

        def copied() -> list[list[int | None]]:
            found = []
            for key in (FIRST, SECOND):
                with Ledger.open(backup_of(event.ledger.path, key)) as copy:
                    found.append(racks(Event(copy, who="", wall_ms=world.at_noon)))
            return found

        assert copied() == [[0, 5, 6, 7]] * 2
        assert done.undo is not None
        performed(event, LIS, done.undo)
        assert copied() == [racks(event)] * 2


def test_a_copy_that_cannot_be_made_is_said_and_the_correction_stands(
    event: Event, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(*_where: object, **_how: object) -> None:
        raise Refused("the disk is full")

    monkeypatch.setattr(Ledger, "backup", full)
    done = performed(event, LIS, correction("0", "5", "6", "7"))
    assert "no copy was made: the disk is full" in str(done)
    assert racks(event) == [0, 5, 6, 7]


def test_a_seating_drawn_from_a_correction_that_is_taken_back_is_named(tmp_path: Path) -> None:
    with world.an_event(tmp_path, closed=1, seated=False, games="2") as event:
        done = performed(event, LIS, correction(*by_last_seat(event)))
        world.draw(event)
        assert done.undo is not None
        told = proposed(event, int(str(done.undo.args["number"]))).effect
        assert any("the seating of League, round 2" in line and "stands" in line for line in told)


def test_the_head_referee_s_order_of_who_is_level_no_more_is_named(tmp_path: Path) -> None:
    with world.an_event(tmp_path, games="1", rounds="1") as event:
        level = entry("0", "10", "10", "20")
        event.change(lambda state: results.enter(state, FIRST, {GameAt(1, 1): level, GameAt(2, 1): level}))
        world.close(event)
        lines = standings(event.state(), "league")
        order = [event.state().players[one.player] for one in lines if one.small == -10]
        event.change(lambda state: rulings.tie(state, "league", order, "by the longest name"))

        found = bearing(event.seen(), FIRST, AT, entry("0", "11", "10", "20"))

        assert any(line.startswith("the head referee's order of ") for line in found.changes), found.changes


def test_who_withdrew_by_a_correction_and_played_on_all_the_same_is_named(event: Event) -> None:
    done = performed(event, LIS, correction("0", "5w", "6", "7"))
    assert "seat B: " in str(done)
    assert "withdrew in game 1, and has a rack in game 2: correct that one too" in str(done)


# --- where a second person must look --------------------------------------------------------------------------------


def test_where_results_must_be_confirmed_nothing_goes_on_before_a_correction_is(tmp_path: Path) -> None:
    with world.an_event(tmp_path, seated=False, games="1", check_results="required") as event:
        world.draw(event)
        world.play(event, random.Random(1))
        for table in (1, 2):
            performed(event, SOWA, Wish("confirm_result", {"table": table}))
        performed(event, LIS, Wish("close_round", {}))

        told = bearing(event.seen(), FIRST, AT, entry("0", "5", "6", "7")).changes
        assert "nothing goes on before a second person has confirmed table 1 again" in told[-1]
        performed(event, LIS, correction("0", "5", "6", "7"))

        with pytest.raises(Refused, match="a second person must confirm tables 1"):
            performed(event, LIS, Wish("draw_seating", {}))
        with pytest.raises(Refused, match="somebody else must confirm it"):
            performed(event, LIS, Wish("confirm_result", {"table": 1, "round": "league/1"}))
        assert next_step(event.state(), "e.dalej").command[:2] == ("results", "confirm")
        performed(event, SOWA, Wish("confirm_result", {"table": 1, "round": "league/1"}))
        assert all(one.confirmed for one in event.state().rounds[FIRST].results.values())
        performed(event, LIS, Wish("draw_seating", {}))


def test_nobody_goes_on_by_a_correction_that_a_second_person_must_still_see(tmp_path: Path) -> None:
    more: dict[str, Any] = {"ruleset": "pl-eliminations", "check_results": "required"}
    with world.an_event(tmp_path, 16, seated=False, **more) as event:
        for _round in range(2):
            world.draw(event)
            world.play(event, random.Random(1))
            event.change(lambda state: rounds.close(state, "nobody else is there"))
        performed(
            event, LIS, wish("correct_closed", round="preliminaries/1", racks=dict(zip("ABCD", "0567", strict=True)))
        )
        with pytest.raises(Refused, match="was corrected after it was closed"):
            performed(event, LIS, Wish("advance", {}))
        performed(event, LIS, Wish("advance", {"anyway": "both organisers have seen it"}))
        assert "semifinal" in event.state().entrants


def test_who_went_on_stays_and_is_named_with_who_would_go_now(tmp_path: Path) -> None:
    with world.an_event(tmp_path, 16, ruleset="pl-eliminations", closed=2, seated=False) as event:
        world.advance(event)
        on = event.state().entrants["semifinal"]
        last = standings(event.state(), "preliminaries")[-1].player
        seating = rounds.seating_of(event.state().rounds[RoundKey("preliminaries", 2)])
        place = seating.place_of(last)
        assert place is not None
        points = ["0" if seat == place[1] else str(90 + seat) for seat in range(4)]
        told = bearing(event.seen(), RoundKey("preliminaries", 2), GameAt(place[0], 1), entry(*points)).changes
        there = [player for player in seating.tables[place[0] - 1].seated if player in on]
        assert there, "somebody of that table plays in the semifinal, where everybody begins at zero"
        names = event.state().players
        assert all(any(line.startswith(f"{names[one].name} ({one}): ") for line in told) for one in there)
        for game in (1, 2):
            at: dict[str, Any] = {"table": place[0], "game": game, "round": "preliminaries/2"}
            done = performed(event, LIS, wish("correct_closed", racks=dict(zip("ABCD", points, strict=True)), **at))
        assert "would play in place of" in str(done)
        assert done.undo is not None
        back = proposed(event, int(str(done.undo.args["number"]))).effect
        assert all(any(line.startswith(f"{names[one].name} ({one}): ") for line in back) for one in there)
        assert event.state().entrants["semifinal"] == on


def test_the_last_round_of_an_event_that_is_over_is_corrected_too(tmp_path: Path) -> None:
    with world.an_event(tmp_path, games="1", rounds="1") as event:
        world.play(event, random.Random(1))
        world.close(event)
        assert event.state().over
        performed(event, LIS, correction("0", "5", "6", "7"))
        assert (racks(event), event.state().over) == ([0, 5, 6, 7], True)
