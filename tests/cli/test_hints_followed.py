"""More hints typed as they are said, those of refusals that few people meet; and that no hint is followed by nobody."""

from __future__ import annotations

import io
import random
from collections.abc import Callable
from pathlib import Path
from typing import Final

import pytest

from dalej.domain.tournament.fold import standings
from dalej.domain.tournament.tournament import GameAt
from dalej.event.event import Event
from dalej.office import attendance, results, rounds, seating
from dalej.office.notation import Entry, rack
from tests import world
from tests.cli.club import at_home, club
from tests.cli.following import Typist, follows, places_followed, places_of_hints

EVENT: Final = "event.dalej"
RESULT: Final = ("A=0", "B=5", "C=6", "D=7")
ROOT: Final = Path(__file__).parents[2]

# Made where this file's typist does not come, and a test that has the words of the hint.
ELSEWHERE: Final = {
    "boxes/phones.py address": ("tests/cli/test_box_phone.py", "--phones 0.0.0.0 begins one"),
    "cli/boxphone.py _wait": ("tests/cli/test_box_phone.py", " shows another code"),
    "boxes/paired.py _found": ("tests/boxes/test_boxes.py", "dalej box pair PORT puts a box on it"),
    "centre/copying.py copy_hall": ("tests/centre/test_commands.py", " --epoch 1 names it"),
    "centre/mirror.py _expect_version": ("tests/centre/test_commands.py", "upgrade brings an older one up to date"),
    "cli/demo.py _expect_agreed": ("tests/cli/test_demo_round.py", "asks for it"),
    "desk/evening/owngames.py hint": ("tests/desk/evening/test_telling.py", "--all-facts counts what it holds"),
    "event/ledger/sqlitefile.py expect_event_file": (
        "tests/centre/test_commands.py", "dalej event backup cup.dalej copy.dalej makes one of it",
    ),
    "simulator/roundplayed.py expect_no_results_of_people": ("tests/cli/test_demo_round.py", " makes one"),
    "web/server.py _expect_sealed": ("tests/web/test_serve_command.py", "198.51.100.7 --tls, or dalej serve"),
    "web/passwords.py _read": ("tests/web/test_passwords.py", "--set-password"),
    # wished over the web alone: the command does the same in another way
    "office/acts/act.py expect_reason": ("tests/cli/test_undo.py", "--why REASON"),
    "office/acts/performer.py _do": ("tests/office/acts/test_roles.py", "only over the web"),
    "office/acts/settings.py do": ("tests/office/acts/test_office.py", "FILE chooses one in a file"),
    "office/settings.py plan": ("tests/cli/test_event.py", "--yes changes it knowingly"),
}  # fmt: skip

# A board, a radio that refuses or a computer's keyring stands behind these: nobody types them in a test.
WITH_HARDWARE: Final = frozenset({
    "boxes/firmware/copying.py _why", "boxes/secret.py _found", "link/ble.py _learn",
    "link/talk.py _heed", "link/usb.py _known",
})  # fmt: skip


def entry(*points: str) -> Entry:
    return Entry("went_out", tuple(rack(seat, text) for seat, text in zip("ABCD", points, strict=True)))


def in_seat(event: Event, table: int, seat: int) -> int:
    found = rounds.seating_of(rounds.seated(event.state())).at(table)
    assert found is not None
    return found.players[seat]


# --- results --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("over", [False, True])
@follows("office/results.py to_enter")
def test_who_enters_into_a_round_that_was_just_closed_is_told_how_it_is_corrected(
    tmp_path: Path, typist: Typist, over: bool
) -> None:
    with world.an_event(tmp_path, closed=1, seated=False, games="2", rounds="1" if over else "6") as event:
        *_draws, command = typist.refused("results", "enter", EVENT, "1", "1", *RESULT)
        typist.types(command)
        assert event.state().rounds[world.FIRST].corrected() == [GameAt(1, 1)]


@follows("office/resultfile.py _expect_no_sign_ups")
def test_who_reads_a_list_of_players_for_one_of_results_is_told_what_reads_it(tmp_path: Path, typist: Typist) -> None:
    with world.an_event(tmp_path) as event:
        (tmp_path / "class.csv").write_text("name;class\nTrzmiel;4a\n", encoding="utf-8")
        [command] = typist.refused("results", "import", EVENT, "class.csv")
        typist.types(command)
        assert "Trzmiel" in {one.name for one in event.state().players.values()}


@follows("office/results.py _nothing_there")
def test_a_correction_of_the_round_at_work_that_means_the_one_before_is_told_so(tmp_path: Path, typist: Typist) -> None:
    with world.an_event(tmp_path, closed=1, games="2") as event:
        [command] = typist.refused("results", "correct", EVENT, "1", "1", *RESULT, "--why", "misread")
        assert "--round league/1" in command
        typist.types(command)
        assert event.state().rounds[world.FIRST].corrected() == [GameAt(1, 1)]


def test_who_names_no_round_while_nobody_is_seated_corrects_the_one_that_was_closed_last(
    tmp_path: Path, typist: Typist
) -> None:
    with world.an_event(tmp_path, closed=1, seated=False, games="2") as event:
        typist.types(f"dalej results correct {EVENT} 1 1 {' '.join(RESULT)} --why misread")
        assert event.state().rounds[world.FIRST].corrected() == [GameAt(1, 1)]


@follows("cli/results.py _enter_one", "office/rounds.py expect_corrections_confirmed")
def test_a_correction_that_must_be_confirmed_says_how_and_so_does_the_next_draw(tmp_path: Path, typist: Typist) -> None:
    with world.an_event(tmp_path, games="1", check_results="required") as event:
        world.play(event, random.Random(1))
        typist.types(f"dalej results confirm {EVENT} --who Wydra")
        typist.types(f"dalej round close {EVENT}")
        for table in ("1", "2"):
            done = typist.types(f"dalej results correct {EVENT} {table} 1 {' '.join(RESULT)} --why misread --who Sowa")
            if table == "1":
                typist.types(typist.named(done.out.rpartition("confirms table 1: ")[2])[0], NAME="Wydra")
        [confirms] = typist.refused("seat", "draw", EVENT)
        typist.types(confirms, NAME="Wydra")
        typist.types(f"dalej seat draw {EVENT}")


@follows("office/results.py expect_not_played")
def test_a_game_that_was_not_played_gets_its_reason(tmp_path: Path, typist: Typist) -> None:
    with world.an_event(tmp_path, games="1") as event:
        [command] = typist.refused("results", "enter", EVENT, "1", "1", "--ended", "not-played")
        typist.types(command)
        assert event.state().rounds[world.FIRST].results[GameAt(1, 1)].sheet is None


@follows("office/results.py remarks")
def test_who_withdrew_from_a_game_alone_is_taken_off_the_next_ones(
    tmp_path: Path, typist: Typist, dalej: object
) -> None:
    with world.an_event(tmp_path, games="2") as event:
        player = in_seat(event, 1, 3)
        done = typist.types(f"dalej results enter {EVENT} 1 1 A=0 B=5 C=6 D=7w")
        [command] = typist.named(done.err.rpartition("next rounds; ")[2])
        typist.types(command)
        assert event.state().players[player].gone is not None


@follows("office/notation.py seats_in")
def test_a_value_that_is_none_names_the_help(tmp_path: Path, typist: Typist) -> None:
    world.event_file(tmp_path)
    [command] = typist.refused("results", "enter", EVENT, "1", "1", "A0")
    typist.types(command)


@follows("office/results.py _expect_present")
def test_who_is_absent_and_sits_is_there_after_all(tmp_path: Path, typist: Typist) -> None:
    with world.an_event(tmp_path, 7, games="1") as event:
        player = in_seat(event, 2, 0)
        event.change(lambda state: attendance.absent(state, [state.players[player]], away=True))
        there, _anew = typist.refused("results", "enter", EVENT, "2", "1", *RESULT[:3])
        typist.types(there)
        typist.types(f"dalej results enter {EVENT} 2 1 {' '.join(RESULT[:3])}")


@follows("office/spreadsheets.py _in_doubt")
def test_a_list_in_a_doubtful_encoding_is_read_in_the_one_that_is_named(tmp_path: Path, typist: Typist) -> None:
    world.event_file(tmp_path, 0, seated=False)
    (tmp_path / "list.csv").write_bytes("nome\nNiccolò Ghiò\n".encode("cp1252"))
    [command] = typist.refused("players", "import", EVENT, "list.csv")
    typist.types(command, ENCODING="cp1252")


@follows("office/paper/formats.py _taken")
def test_a_file_that_is_there_is_written_over_when_that_is_meant(tmp_path: Path, typist: Typist) -> None:
    world.event_file(tmp_path, closed=1, seated=False)
    (tmp_path / "s.csv").write_text("mine", encoding="utf-8")
    [command] = typist.refused("paper", "standings", EVENT, "-o", "s.csv")
    typist.types(command)


# --- rounds and who goes on -----------------------------------------------------------------------------------------


@follows("office/rounds.py at_work")
def test_a_stage_that_is_played_names_what_settles_who_goes_on(tmp_path: Path, typist: Typist) -> None:
    with world.an_event(tmp_path, 16, ruleset="pl-eliminations", closed=2, seated=False) as event:
        [command] = typist.refused("seat", "draw", EVENT)
        typist.types(command)
        assert "semifinal" in event.state().entrants


@follows("office/advancing.py _undecided")
def test_a_tie_at_the_cut_is_ordered_by_what_the_refusal_says(tmp_path: Path, typist: Typist) -> None:
    with world.an_event(tmp_path, 16, ruleset="pl-eliminations", seated=False) as event:
        same = entry("0", "10", "10", "10")
        for _round in range(2):
            world.draw(event)
            one = rounds.seated(event.state())
            sheets = {GameAt(at.table, game): same for at in rounds.seating_of(one).tables for game in (1, 2)}
            event.change(lambda state, one=one, sheets=sheets: results.enter(state, one.key, sheets))  # type: ignore[misc]  # mypy infers no such lambda
            world.close(event)
        [command] = typist.refused("advance", EVENT)
        typist.types(command)
        typist.types(f"dalej advance {EVENT}")
        assert len(standings(event.state(), "semifinal")) == 8


# --- seats ----------------------------------------------------------------------------------------------------------


@follows("office/attendance.py _has_a_seat")
def test_who_is_absent_leaves_the_seat_by_what_the_refusal_says(tmp_path: Path, typist: Typist) -> None:
    with world.an_event(tmp_path) as event:
        player = in_seat(event, 1, 0)
        before = event.state()
        [command] = typist.refused("players", "absent", EVENT, str(player))
        typist.types(command)
        one = rounds.seated(event.state())
        assert (one.absent, rounds.seating_of(one).place_of(player)) == (frozenset({player}), None)
        typist.types(f"dalej undo {EVENT} --yes --why 'is there'")
        after = rounds.seated(event.state())
        assert (after.absent, rounds.seating_of(after).tables) == (
            frozenset(), rounds.seating_of(rounds.seated(before)).tables,
        )  # fmt: skip


@follows("office/seating.py remove", "office/attendance.py _expect_no_result")
def test_who_leaves_after_a_game_is_told_what_is_for_good(tmp_path: Path, typist: Typist) -> None:
    with world.an_event(tmp_path) as event:
        world.play(event, random.Random(1), [GameAt(1, 1)])
        for at, words in enumerate((("players", "absent"), ("seat", "remove"))):
            player = in_seat(event, 1, at)
            [command] = typist.refused(*words, EVENT, str(player))
            typist.types(command)
            assert event.state().players[player].gone is not None


@follows("office/attendance.py back")
def test_an_exclusion_is_taken_back_by_what_the_refusal_says(tmp_path: Path, typist: Typist) -> None:
    with world.an_event(tmp_path) as event:
        typist.types(f"dalej players exclude {EVENT} 1 --without-warning --why bites")
        [command] = typist.refused("players", "back", EVENT, "1")
        typist.types(command, "--yes")
        assert event.state().players[1].gone is None


@follows("office/seating.py _expect_enough")
def test_few_are_seated_knowingly(tmp_path: Path, typist: Typist) -> None:
    with world.an_event(tmp_path, seated=False) as event:
        [command] = typist.refused("seat", "draw", EVENT)
        typist.types(command)
        assert rounds.seated(event.state()).seating is not None


@follows("office/seating.py expect_unlocked")
def test_a_locked_seating_is_unlocked_by_what_the_refusal_says(tmp_path: Path, typist: Typist) -> None:
    with world.an_event(tmp_path) as event:
        event.change(lambda state: seating.lock(state, on=True))
        [command] = typist.refused("seat", "move", EVENT, "1", "2A")
        typist.types(command)
        assert rounds.seating_of(rounds.seated(event.state())).locked is None


@follows("office/seating.py _too_small")
def test_of_a_table_of_three_who_is_absent_keeps_the_chair_until_all_are_drawn_anew(
    tmp_path: Path, typist: Typist
) -> None:
    with world.an_event(tmp_path, 7) as event:
        player = in_seat(event, 2, 0)
        done = typist.types(f"dalej players absent {EVENT} {player}")
        absent, again = typist.named(done.out.partition("seat the others anew; ")[2].splitlines()[0])
        typist.types(absent, PLAYER=str(player))
        typist.types(again, "--anyway", "few of us")
        assert rounds.seating_of(rounds.seated(event.state())).place_of(player) is None


@follows("office/seating.py _expect_sizes")
def test_where_nobody_fits_in_any_more_everybody_is_seated_anew(tmp_path: Path, typist: Typist) -> None:
    with world.an_event(tmp_path, 9, seats_min="2", seats_max="3") as event:
        typist.types(f"dalej players add {EVENT} Kret")
        [again] = typist.refused("seat", "move", EVENT, "10", "1D")
        typist.types(again, "--anyway", "few of us")
        assert rounds.seating_of(rounds.seated(event.state())).place_of(10) is not None


# --- taking back ----------------------------------------------------------------------------------------------------


@follows("office/undo.py _expect_decided_last", "office/undo.py _deciding_again")
def test_what_was_taken_back_is_decided_again_by_what_the_refusal_says(tmp_path: Path, typist: Typist) -> None:
    with world.an_event(tmp_path) as event:
        typist.types(f"dalej players withdraw {EVENT} 3")
        typist.types(f"dalej undo {EVENT} --yes --why mistyped")
        again, history = typist.refused("undo", EVENT, "--yes", "--why", "and again")
        typist.types(again)
        assert event.state().players[3].gone is not None
        assert "withdr" in typist.types(history).out


@follows("office/undo.py _expect_undoable")
def test_a_number_that_no_decision_has_names_the_history(tmp_path: Path, typist: Typist) -> None:
    world.event_file(tmp_path)
    [command] = typist.refused("undo", EVENT, "999", "--yes", "--why", "mistyped")
    typist.types(command)


@follows("office/rulings.py rule_at_table")
def test_the_same_ruling_once_more_is_about_another_time_out(tmp_path: Path, typist: Typist) -> None:
    with world.an_event(tmp_path) as event:
        words = ("ruling", "decide", EVENT, "1", "1", "B", "stands", "--why", "all sets are valid")
        typist.types(" ".join(["dalej", *words[:-1], "valid"]))
        [command] = typist.refused(*words[:-1], "valid")
        typist.types(command)
        assert len(rounds.seated(event.state()).rulings) == 2


# --- the club's secret -----------------------------------------------------------------------------------------------


@pytest.fixture
def spoken(monkeypatch: pytest.MonkeyPatch) -> Callable[[], None]:
    """Whoever is asked for a passphrase says it."""
    return lambda: monkeypatch.setattr("sys.stdin", io.StringIO("four words are enough\n"))


@follows("boxes/clubexport.py _file", "boxes/secret.py secret", "boxes/secret.py _expect_none_before")
def test_the_club_s_secret_is_written_carried_and_brought_once_more(
    tmp_path: Path, typist: Typist, monkeypatch: pytest.MonkeyPatch, spoken: Callable[[], None]
) -> None:
    first = at_home(tmp_path / "first", monkeypatch)
    club(first)
    (tmp_path / "no.json").write_text("{}", encoding="utf-8")
    spoken()
    [writes] = typist.refused("box", "keys", "import", "no.json", "--passphrase-stdin")
    spoken()
    typist.types(writes, "--passphrase-stdin", FILE="k.json")

    spare = at_home(tmp_path / "spare", monkeypatch)
    _pairs, brings = typist.refused("box", "keys", "show")
    spoken()
    typist.types(brings, "--passphrase-stdin", FILE="k.json")
    assert (spare / "club.key").exists()

    (spare / "club.key").unlink()
    spoken()
    once_more, _renews = typist.refused("box", "keys", "show")
    spoken()
    typist.types(once_more, "--passphrase-stdin", FILE="k.json")
    assert (spare / "club.key").exists()


# --- all of them ----------------------------------------------------------------------------------------------------


def test_there_is_no_hint_in_the_source_that_no_test_follows() -> None:
    made, followed = places_of_hints(), places_followed()
    assert len(made) > 50
    assert made - followed - ELSEWHERE.keys() - WITH_HARDWARE == set()
    assert (followed | ELSEWHERE.keys() | WITH_HARDWARE) - made == set(), "hints that are gone"
    assert not followed & (ELSEWHERE.keys() | WITH_HARDWARE)
    assert [at for at, words in ELSEWHERE.values() if words not in (ROOT / at).read_text("utf-8")] == []
