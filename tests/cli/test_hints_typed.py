"""What the command line says to type is typed here, and does what it was said to do."""

from __future__ import annotations

import io
import random
import re
import shlex
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from dalej.domain.tournament.fold import standings
from dalej.domain.tournament.tournament import GameAt, RoundKey, Tournament
from dalej.event.event import Event
from dalej.office import attendance, results, rounds, signups
from dalej.office.seating import lock
from dalej.office.signups import SignUp
from tests import world
from tests.cli.conftest import Done, Program
from tests.cli.following import Typist, follows
from tests.office.acts.office import Office, box_plays, player_at

EVENT = "event.dalej"
FIRST = RoundKey("league", 1)
RESULT = ("A=0", "B=23", "C=45+j", "D=-")


def points(state: Tournament) -> dict[int, tuple[int | None, int]]:
    return {line.player: (line.big, line.small) for line in standings(state)}


@follows("office/results.py _drafts")
def test_a_wrong_digit_in_a_closed_round_is_corrected_though_the_next_one_is_played(
    tmp_path: Path, typist: Typist
) -> None:
    with world.an_event(tmp_path, closed=1, games="2") as event:
        world.play(event, random.Random(5), [GameAt(1, 1)])
        before, seating = points(event.state()), event.state().rounds[RoundKey("league", 2)].seating

        [command] = typist.refused("results", "enter", EVENT, "1", "1", *RESULT, "--round", "league/1")
        assert command == f"dalej results correct {EVENT} 1 1 A=0 B=23 C=45+j D=- --round league/1 --why REASON"
        done = typist.types(command, "--who", "Sowa")

        after = event.state()
        result = after.rounds[FIRST].results[GameAt(1, 1)]
        assert (result.mark.who, result.mark.why, after.rounds[FIRST].closed is not None) == ("Sowa", "REASON", True)
        assert points(after) != before
        assert after.rounds[RoundKey("league", 2)].seating == seating
        assert re.search(
            r"^The seating of League, round 2 \(number \d+\) stands as it was decided from the old",
            done.out,
            re.MULTILINE,
        )
        assert "To decide that anew" not in done.out, "people play by it"
        assert (
            "League, round 1 was corrected after it was closed: table 1, game 1."
            in typist.types(f"dalej standings {EVENT}").out
        )
        assert "was corrected after it was closed" in typist.types(f"dalej paper site {EVENT}", "-o", "site").out + (
            tmp_path / "site" / "standings.html"
        ).read_text(encoding="utf-8")


@follows("office/grounds.py _seats", "office/results.py _drafts")
def test_the_next_round_is_seated_anew_by_a_step_of_its_own(tmp_path: Path, typist: Typist) -> None:
    with world.an_event(tmp_path, closed=1, games="2") as event:
        [command] = typist.refused("results", "enter", EVENT, "1", "1", *RESULT, "--round", "1")
        done = typist.types(command)
        [again] = typist.named(done.out.rpartition("To decide that anew: ")[2])
        drawn = event.state().rounds[RoundKey("league", 2)].seating
        typist.types(again)
        now = event.state().rounds[RoundKey("league", 2)].seating
        assert drawn is not None
        assert now is not None
        assert now.mark.cursor > drawn.mark.cursor
        order = [player for at in now.tables for player in at.seated]
        places = {line.player: line.place for line in standings(event.state(), "league")}
        assert [places[player] for player in order] == sorted(places[player] for player in order)


@follows("office/results.py _drafts")
def test_a_lost_sheet_is_entered_into_its_closed_round(tmp_path: Path, typist: Typist) -> None:
    with world.an_event(tmp_path, games="2") as event:
        world.play(event, random.Random(1), [GameAt(1, 1), GameAt(1, 2), GameAt(2, 1)])
        event.change(lambda state: rounds.close(state, "the sheet is lost"))
        world.draw(event)
        world.play(event, random.Random(2), [GameAt(1, 1)])

        [command] = typist.refused("results", "enter", EVENT, "2", "2", *RESULT, "--round", "league/1")
        typist.types(command)

        assert event.state().rounds[FIRST].missing() == []
        assert event.state().rounds[FIRST].corrected() == [GameAt(2, 2)]
        event.change(lambda state: results.confirm(state, FIRST, 2, "Borsuk"))


@follows("office/grounds.py _with_what_helps", "office/results.py reopen")
def test_what_undo_refuses_of_a_closed_round_it_says_how_to_correct(
    tmp_path: Path, typist: Typist, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("dalej.cli.results.is_terminal", lambda: True)
    with world.an_event(tmp_path, closed=1, games="2") as event:
        entered = event.state().rounds[FIRST].results[GameAt(1, 2)].mark.cursor
        for refused in (
            ("undo", EVENT, str(entered), "--yes", "--why", "a wrong digit"),
            ("results", "reopen", EVENT, "1", "2", "--round", "league/1", "--why", "a wrong digit"),
        ):
            before = event.ledger.head()
            [command] = typist.refused(*refused)
            assert command == f"dalej results correct {EVENT} 1 2 --round league/1 --why REASON"
            monkeypatch.setattr("sys.stdin", io.StringIO("0\n5\n6\n7\n\ny\n"))
            done = typist.types(command)
            assert "The seating of League, round 2" in done.out
            assert event.ledger.head() == before + 1
            corrected_sheet = event.state().rounds[FIRST].results[GameAt(1, 2)].sheet
            assert corrected_sheet is not None
            assert [rack.points for rack in corrected_sheet.racks] == [0, 5, 6, 7]


@follows("office/results.py _drafts")
def test_a_correction_of_a_closed_round_is_taken_back_and_the_old_numbers_count_again(
    tmp_path: Path, typist: Typist
) -> None:
    with world.an_event(tmp_path, closed=1, games="2") as event:
        before = points(event.state())
        [command] = typist.refused("results", "enter", EVENT, "1", "1", *RESULT, "--round", "1")
        typist.types(command)
        typist.types(f"dalej undo {EVENT} --yes --why 'it was right'")
        assert (points(event.state()), event.state().rounds[FIRST].corrected()) == (before, [])


@follows("office/rounds.py reopen")
def test_a_round_stays_closed_once_the_next_is_seated_and_the_one_step_is_said(tmp_path: Path, typist: Typist) -> None:
    with world.an_event(tmp_path, closed=1, games="2") as event:
        seating = event.state().rounds[RoundKey("league", 2)].seating
        [command] = typist.refused("round", "reopen", EVENT, "league/1", "--why", "a wrong digit")
        assert event.state().rounds[RoundKey("league", 2)].seating == seating
        typist.types(command.replace("TABLE GAME", f"1 1 {' '.join(RESULT)}"))
        assert event.state().rounds[FIRST].corrected() == [GameAt(1, 1)]


@follows("office/grounds.py _with_what_helps")
def test_a_closing_on_which_a_seating_rests_is_not_undone_and_a_result_is_corrected(
    tmp_path: Path, typist: Typist
) -> None:
    with world.an_event(tmp_path, closed=1, games="2") as event:
        closed = event.state().rounds[FIRST].closed
        assert closed is not None
        [command] = typist.refused("undo", EVENT, str(closed.cursor), "--yes", "--why", "a wrong digit")
        typist.types(command.replace("TABLE GAME", f"1 1 {' '.join(RESULT)}"))
        assert event.state().rounds[FIRST].corrected() == [GameAt(1, 1)]


# --- who goes on ----------------------------------------------------------------------------------------------------


@contextmanager
def elimination(folder: Path, *, seated: bool) -> Iterator[Event]:
    """Sixteen players, both preliminary rounds closed, eight go on."""
    with world.an_event(folder, 16, ruleset="pl-eliminations", closed=2, seated=False) as event:
        world.advance(event)
        if seated:
            world.draw(event)
        yield event


def corrected(event: Event, typist: Typist) -> Done:
    """The last of the preliminaries gets a hundred points more: somebody else would go on."""
    state = event.state()
    last = standings(state, "preliminaries")[-1].player
    one = state.rounds[RoundKey("preliminaries", 2)]
    seating = rounds.seating_of(one)
    place = seating.place_of(last)
    assert place is not None
    table, seat = place
    done = None
    for game in (1, 2):
        racks = [f"{letter}={'0' if number == seat else 90 + number}" for number, letter in enumerate("ABCD")]
        done = typist.types(
            f"dalej results correct {EVENT} {table} {game} {' '.join(racks)} --round preliminaries/2 --why lost"
        )
    assert done is not None
    return done


@follows("office/grounds.py _steps_back")
def test_pl_eliminations_7_who_went_on_stays_and_is_named_and_is_decided_anew_step_by_step(
    tmp_path: Path, typist: Typist
) -> None:
    with elimination(tmp_path, seated=True) as event:
        on, last = event.state().entrants["semifinal"], standings(event.state(), "preliminaries")[-1].player
        done = corrected(event, typist)
        name = event.state().players[last].name
        assert event.state().entrants["semifinal"] == on
        assert re.search(
            r"^Who plays in Semifinal \(number \d+\) stands as it was decided from the old numbers; by the corrected "
            rf"ones {last} {name}\b.* would play in place of .+\.$",
            done.out,
            re.MULTILINE,
        ), done.out
        assert "The seating of Semifinal, round 1 (number" in done.out

        steps = typist.named(
            next(line for line in done.out.splitlines() if ", then dalej advance" in line).partition(": ")[2]
        )
        for step in steps:
            typist.types(step, *(["--yes"] if " undo " in step else []))
        assert last in event.state().entrants["semifinal"]


def test_pl_eliminations_a_correction_while_the_semifinal_is_played_names_who_plays_and_offers_nothing(
    tmp_path: Path, typist: Typist
) -> None:
    with elimination(tmp_path, seated=True) as event:
        world.play(event, random.Random(3), [GameAt(1, 1)])
        done = corrected(event, typist)
        assert "Who plays in Semifinal (number" in done.out
        assert "To decide that anew" not in done.out


@follows("office/grounds.py _steps_back")
def test_a_round_that_is_opened_again_leaves_who_goes_on_until_it_is_decided_anew(
    tmp_path: Path, typist: Typist
) -> None:
    with elimination(tmp_path, seated=False) as event:
        on = event.state().entrants["semifinal"]
        done = typist.types(f"dalej round reopen {EVENT} preliminaries/2 --why 'a wrong digit'")
        assert event.state().entrants["semifinal"] == on
        assert "Who plays in Semifinal (number" in done.out
        steps = typist.named(done.out.rpartition("To decide that anew: ")[2])
        assert [step.split()[1] for step in steps] == ["undo", "round", "advance"]
        for step in steps:
            typist.types(step, *(["--yes"] if " undo " in step else []))
        assert event.state().entrants["semifinal"] == on


# --- the others -----------------------------------------------------------------------------------------------------


@follows("office/reseating.py _knowingly")
def test_what_somebody_knows_to_play_is_seated_otherwise(tmp_path: Path, typist: Typist) -> None:
    office = Office(tmp_path)
    with office.event.ledger:
        box_plays(office, 2)
        for command in (
            ("seat", "move", EVENT, str(player_at(office, 1)), "2B"), ("undo", EVENT, "--yes", "--why", "so"),
            ("seat", "remove", EVENT, str(player_at(office, 2))),
            ("seat", "draw", EVENT, "--again", "--anyway", "few of us", "--seed", "77"),
        ):  # fmt: skip
            before = office.plain()
            [named] = typist.refused(*command)
            assert named == f"dalej {shlex.join(command)} --playing 2"
            assert office.plain() == before
            typist.types(named)
            assert office.plain() != before


@follows(
    "office/results.py expect_no_result",
    "office/rounds.py seating_of",
    "office/rounds.py start",
    "office/seating.py _expect_asked",
)
def test_hints_of_a_seating_and_of_results_are_whole(tmp_path: Path, typist: Typist) -> None:
    with world.an_event(tmp_path, seated=False, games="2") as event:
        [reason] = typist.refused("seat", "draw", EVENT)
        assert reason == f"dalej seat draw {EVENT} --anyway REASON"
        [seat] = typist.refused("round", "start", EVENT)
        typist.types(seat, "--anyway", "few of us", "--seed", "5")
        [again] = typist.refused("seat", "draw", EVENT, "--seed", "8")
        typist.types(again)
        [minutes] = typist.refused("round", "start", EVENT)
        typist.types(minutes)
        typist.types(f"dalej results enter {EVENT} 1 1 {' '.join(RESULT)}")
        [instead] = typist.refused("results", "enter", EVENT, "1", "1", "A=9", *RESULT[1:3], "D=0")
        typist.types(instead)
        found = event.state().rounds[FIRST].results[GameAt(1, 1)]
        assert found.mark.why == "REASON"


@follows("office/grounds.py _with_what_helps")
def test_what_rests_on_a_decision_is_taken_back_first(tmp_path: Path, typist: Typist) -> None:
    with world.an_event(tmp_path, games="2") as event:
        seating = event.state().rounds[FIRST].seating
        assert seating is not None
        typist.types(f"dalej seat lock {EVENT}")
        [first] = typist.refused("undo", EVENT, str(seating.mark.cursor), "--yes", "--why", "drawn too early")
        typist.types(first, "--yes")
        typist.types(f"dalej undo {EVENT} {seating.mark.cursor} --yes --why 'drawn too early'")
        assert event.state().rounds[FIRST].seating is None


@contextmanager
def full(folder: Path, *, players: int = 8) -> Iterator[Event]:
    """As many players as there are places, who are seated; and one more, who waits."""
    at_most = str(players)
    with world.an_event(folder, players, seated=False, games="2", players_min="4", players_max=at_most) as event:
        event.change(lambda state: signups.enter(state, [SignUp(0, "Sroka")]))
        world.draw(event)
        yield event


def has_a_seat(event: Event, player: int) -> bool:
    seating = event.state().rounds[FIRST].seating
    return seating is not None and seating.place_of(player) is not None


@pytest.mark.parametrize("locked", [False, True])
@follows("office/seating.py _to", "office/seating.py ways_to_a_seat")
def test_school_league_18_who_moves_up_into_a_seated_round_is_told_to_have_no_seat_and_gets_that_of_who_left(
    tmp_path: Path, typist: Typist, *, locked: bool
) -> None:
    with full(tmp_path) as event:
        if locked:
            event.change(lambda state: lock(state, on=True))
        done = typist.types(f"dalej players withdraw {EVENT} 1")
        assert (
            "9 Sroka moves up from the waiting list and has no seat in League, round 1, which is seated; " in done.out
        )
        assert not has_a_seat(event, 9)

        [line] = [line for line in done.out.splitlines() if "moves up" in line]
        for command in typist.named(line):
            typist.types(command)
        assert has_a_seat(event, 9)
        assert not has_a_seat(event, 1)


@follows("office/seating.py _to")
def test_school_league_18_who_moves_up_takes_a_free_chair(tmp_path: Path, typist: Typist) -> None:
    with full(tmp_path, players=7) as event:
        done = typist.types(f"dalej event set {EVENT} players_max 8 --yes")
        [line] = [line for line in done.out.splitlines() if "moves up" in line]
        [command] = typist.named(line)
        typist.types(command)
        assert has_a_seat(event, 8)


def test_school_league_18_no_seat_is_promised_once_every_table_has_a_result(tmp_path: Path, typist: Typist) -> None:
    with full(tmp_path) as event:
        world.play(event, random.Random(1), [GameAt(1, 1), GameAt(2, 1)])
        done = typist.types(f"dalej players withdraw {EVENT} 1")
        assert (
            "9 Sroka moves up from the waiting list and has no seat in League, round 1: no table can take" in done.out
        )


def test_school_league_18_undo_says_who_moves_up_by_it_without_a_seat(tmp_path: Path, typist: Typist) -> None:
    with full(tmp_path) as event:
        late = event.change(lambda state: signups.enter(state, [SignUp(0, "Kuna")], anyway="so"))[0].cursor
        event.change(lambda state: attendance.withdraw(state.players[1]))
        assert event.state().players[9].waits, "ten were in, nine are"

        done = typist.types(f"dalej undo {EVENT} {late} --yes --why so")

        assert "9 Sroka moves up" in done.out.partition("Taken back: ")[2]


@follows("office/results.py confirm")
def test_who_confirms_is_named_once_though_the_command_named_somebody(tmp_path: Path, typist: Typist) -> None:
    with world.an_event(tmp_path, games="2") as event:
        typist.types(f"dalej results enter {EVENT} 1 1 {' '.join(RESULT)} --who Sowa")
        for who in (("--who", "SOWA"), ("--who=SOWA",)):
            [command] = typist.refused("results", "confirm", EVENT, "1", *who)
            assert command == f"dalej results confirm {EVENT} 1 --who NAME"
        typist.types(command, NAME="Wydra")
        [result] = event.state().rounds[FIRST].results.values()
        assert result.confirmed is not None


@follows("office/rounds.py _expect_complete")
def test_a_round_that_lacks_games_is_closed_all_the_same_by_what_its_refusal_says(
    tmp_path: Path, typist: Typist
) -> None:
    with world.an_event(tmp_path, games="2") as event:
        asks, command = typist.refused("round", "close", EVENT)
        assert (asks, command) == (f"dalej results enter {EVENT}", f"dalej round close {EVENT} --anyway REASON")
        typist.types(command)
        assert event.state().rounds[FIRST].closed is not None


@pytest.mark.parametrize("all_of_them", [True, False])
@follows("office/rounds.py _expect_confirmed")
def test_a_round_that_nobody_confirmed_is_confirmed_or_closed_by_what_its_refusal_says(
    tmp_path: Path, typist: Typist, all_of_them: bool
) -> None:
    with world.an_event(tmp_path, games="1", check_results="required") as event:
        world.play(event, random.Random(1))
        settles, anyway = typist.refused("round", "close", EVENT)
        assert settles == f"dalej results confirm {EVENT} --who NAME"
        if all_of_them:
            typist.types(settles, "--yes", NAME="Wydra")
            assert all(one.confirmed for one in event.state().rounds[FIRST].results.values())
            typist.types(f"dalej round close {EVENT}")
        else:
            typist.types(anyway)
        assert event.state().rounds[FIRST].closed is not None


@follows("office/rounds.py _expect_complete")
def test_games_that_lack_are_all_asked_for_by_what_the_refusal_says(
    tmp_path: Path, typist: Typist, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("dalej.cli.results.is_terminal", lambda: True)
    with world.an_event(tmp_path, games="2") as event:
        world.play(event, random.Random(1), [GameAt(1, 1)])
        asks, _anyway = typist.refused("round", "close", EVENT)
        monkeypatch.setattr("sys.stdin", io.StringIO("0\n5\n6\n7\n\n" * 3))
        assert "League, round 1 is complete." in typist.types(asks).out
        assert typist.types(asks).out == "Every result is in.\n"
        assert event.state().rounds[FIRST].missing() == []


def test_who_has_entered_some_confirms_those_of_others_and_is_told_the_rest(tmp_path: Path, dalej: Program) -> None:
    with world.an_event(tmp_path, games="1", who="Gęś") as event:
        world.play(event, random.Random(1), [GameAt(1, 1)])
        world.play(event.by("Lis"), random.Random(1), [GameAt(2, 1)])
        done = dalej("results", "confirm", EVENT, "--who", "Lis")
        assert (done.code, "Table 1 is confirmed by Lis." in done.out) == (1, True)
        assert "Lis has entered game 1 of table 2: somebody else must confirm it" in done.err
        assert done.err.splitlines()[-1] == "Not confirmed: tables 2"
        assert dalej("results", "confirm", EVENT, "--who", "Gęś").code == 0
        assert "no table waits" in dalej("results", "confirm", EVENT, "--who", "Gęś").out


@follows("office/advancing.py _entered")
def test_who_goes_on_is_settled_anew_by_what_the_refusal_says(tmp_path: Path, typist: Typist) -> None:
    with world.an_event(tmp_path, 24, ruleset="pl-eliminations", closed=2, seated=False) as event:
        typist.types(f"dalej advance {EVENT}")
        assert len(event.state().entrants["semifinal"]) == 8

        undo, again = typist.refused("advance", EVENT, "--players", "16")
        assert again == f"dalej advance {EVENT} --players 16"
        typist.types(undo, "--yes")
        typist.types(again)
        assert len(event.state().entrants["semifinal"]) == 16


@follows("office/advancing.py _expect_choice")
def test_another_number_goes_on_for_a_reason_that_the_refusal_asks_for(tmp_path: Path, typist: Typist) -> None:
    with world.an_event(tmp_path, 24, ruleset="pl-eliminations", closed=2, seated=False) as event:
        [command] = typist.refused("advance", EVENT, "--players", "12")
        typist.types(command)
        assert len(event.state().entrants["semifinal"]) == 12


@follows("office/signups.py _taken", "office/signups.py _there", "office/signups.py change_player")
def test_names_that_are_taken_are_signed_up_by_what_the_refusal_says(tmp_path: Path, typist: Typist) -> None:
    with world.an_event(tmp_path, 0, seated=False) as event:
        typist.types(f"dalej players add {EVENT} Lis")
        typist.types(f"dalej players add {EVENT} Sowa")
        [command] = typist.refused("players", "add", EVENT, "Lis")
        typist.types(command, HINT="4b")
        [command] = typist.refused("players", "rename", EVENT, "2", "Lis")
        typist.types(command, NAME="Dzik")
        typist.types(f"dalej players withdraw {EVENT} 1")
        [command] = typist.refused("players", "add", EVENT, "Lis")
        assert command == f"dalej players back {EVENT} 1"
        typist.types(command)

        (tmp_path / "list.csv").write_text("name\nLis\nKuna\n", encoding="utf-8")
        [command] = typist.refused("players", "import", EVENT, "list.csv")
        typist.types(command)
        assert [one.name for one in event.state().players.values()] == ["Lis", "Dzik", "Lis (4b)", "Kuna"]


@follows("cli/event.py _expect_knowingly", "office/settings.py _listed")
def test_a_setting_that_is_none_and_one_against_the_text_name_the_command_that_helps(
    tmp_path: Path, typist: Typist
) -> None:
    with world.an_event(tmp_path, seated=False) as event:
        [command] = typist.refused("event", "set", EVENT, "colour", "red")
        assert "players_max" in typist.types(command).out
        [command] = typist.refused("event", "set", EVENT, "players_max", "40")
        typist.types(command)
        assert event.state().ruleset.players_max == 40


@follows("office/attendance.py exclude")
def test_who_was_not_warned_is_excluded_by_what_the_refusal_says(tmp_path: Path, typist: Typist) -> None:
    with world.an_event(tmp_path, seated=False) as event:
        [command] = typist.refused("players", "exclude", EVENT, "1", "--why", "bites other people")
        typist.types(command)
        assert event.state().players[1].gone is not None


@follows("office/attendance.py expect_no_seat")
def test_18_a_withdrawal_is_taken_back_with_who_moved_up_by_what_the_refusal_says(
    tmp_path: Path, typist: Typist
) -> None:
    with full(tmp_path) as event:
        typist.types(f"dalej players withdraw {EVENT} 1")
        [command] = typist.refused("players", "back", EVENT, "1")
        typist.types(command, "--yes")
        assert [event.state().players[number].takes_part for number in (1, 9)] == [True, False]


def test_what_a_person_fills_in_is_said_in_the_readers_language(
    tmp_path: Path, dalej: Program, monkeypatch: pytest.MonkeyPatch
) -> None:
    world.event_file(tmp_path, games="2")
    monkeypatch.setenv("LANGUAGE", "pl")
    assert f"dalej round close {EVENT} --anyway 'POWÓD'" in dalej("round", "close", EVENT).err


@pytest.mark.parametrize(
    "looks",
    [("seat", "show", EVENT), ("round", "show", EVENT), ("paper", "sheets", EVENT), ("paper", "seating", EVENT)],
)
@follows("office/rounds.py seating_of")
def test_who_looks_at_a_round_before_it_is_seated_is_told_what_seats_it(
    typist: Typist, tmp_path: Path, looks: tuple[str, ...]
) -> None:
    world.event_file(tmp_path, seated=False)

    (seats_it,) = typist.refused(*looks)
    typist.types(seats_it, "--anyway", "few of us")
    typist.types(" ".join(("dalej", *looks)))
