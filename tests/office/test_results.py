"""Results: a rack as it is typed, entered once, corrected with a reason, confirmed by somebody else, taken back."""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dalej.domain.game.games import BoxGame
from dalej.domain.game.sentences import word
from dalej.domain.scoring.sheets import ENDINGS, Rack
from dalej.domain.tournament.tournament import NOT_PLAYED, GameAt, RoundKey
from dalej.errors import Refused, WrongInput
from dalej.event.event import Event
from dalej.event.ledger import Json
from dalej.office import attendance, results, rounds
from dalej.office.acts.results import CorrectResult, EnterResult
from dalej.office.notation import Entry, controls, ended_by, ending, rack, seats_in, with_box, written
from dalej.office.results import WHOLE, Correction
from dalej.office.seating import Draw, draw
from dalej.words import LANGUAGES, advised, said, speak
from tests import world
from tests.domain.tables import a_game
from tests.office.conftest import Desk

FIRST = RoundKey("league", 1)
AT = GameAt(1, 1)


def entry(*told: str, ended: str | None = "went_out", ruling: str = "") -> Entry:
    return Entry(ended, tuple(rack(seat, text) for seat, text in seats_in(told).items()), ruling)


OUT = entry("A=0", "B=23", "C=45+j", "D=-")


@pytest.fixture
def office(desk: Desk) -> Event:
    """Sowa's desk; eight are seated at two tables."""
    held = desk("Sowa")
    held.change(lambda state: draw(state, Draw(seed=1, anyway="few of us")))
    return held


def enter(held: Event, what: Entry = OUT, at: GameAt = AT, why: str = "") -> None:
    held.change(lambda state: results.enter(state, FIRST, {at: what}, Correction(why) if why else None))


def small(held: Event, at: GameAt = AT) -> dict[str, int]:
    return {one.seat: one.small for one in held.state().rounds[FIRST].results[at].scores}


# --- what is typed --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("0", Rack(seat="A", points=0)), ("out", Rack(seat="A", points=0)), ("23", Rack(seat="A", points=23)),
        ("23+j", Rack(seat="A", points=23, jokers=1)), ("23 + 2j", Rack(seat="A", points=23, jokers=2)),
        ("2J", Rack(seat="A", points=0, jokers=2)), ("j", Rack(seat="A", points=0, jokers=1)),
        ("12,7,j", Rack(seat="A", points=19, jokers=1, tiles=(12, 7))), ("5,", Rack(seat="A", points=5, tiles=(5,))),
        ("-", Rack(seat="A", opened=False)), ("!", Rack(seat="A", opened=False, could_have_opened=True)),
        ("x", Rack(seat="A", opened=False, could_have_opened=True)),
        ("!a", Rack(seat="A", opened=False, could_have_opened=True, announced=True)),
        ("-:40+j", Rack(seat="A", points=40, jokers=1, opened=False)),
        ("-w", Rack(seat="A", opened=False, withdrawn=True)),
        ("45w", Rack(seat="A", points=45, withdrawn=True)),
    ],
)  # fmt: skip
def test_a_rack_as_it_is_typed(text: str, expected: Rack) -> None:
    assert rack("A", text) == expected
    assert rack("A", written(expected)) == expected


@pytest.mark.parametrize("text", ["", "-23", "23j", "abc", "1000", "14,1", "!b", "+", "12,,k", "٣", "-:"])
def test_what_is_no_rack_is_refused_with_its_seat(text: str) -> None:
    with pytest.raises(WrongInput) as refused:
        rack("C", text)
    assert "seat C" in said(refused.value)


@given(st.text(max_size=12))
def test_whatever_is_typed_it_is_a_rack_or_refused(text: str) -> None:
    with suppress(WrongInput):
        found = rack("B", text)
        assert rack("B", written(found)) == found


def test_a_seat_told_twice_and_a_word_that_is_no_seat() -> None:
    for words in (["A=1", "a=2"], ["E=1"], ["23"]):
        with pytest.raises(WrongInput):
            seats_in(words)
    assert controls(["A=+68 B=−23"]) == {"A": 68, "B": -23}


def test_an_empty_rack_tells_how_the_game_ended() -> None:
    assert ended_by(OUT.racks) == "went_out"
    assert ended_by(entry("A=3w", "B=5w", "C=1").racks) == "last_seat"
    assert ended_by(entry("A=3", "B=5").racks) is None
    with pytest.raises(WrongInput, match="must be said"):
        with_box(entry("A=3", "B=5", ended=None), None, "AB")


# --- what the box knows ---------------------------------------------------------------------------------------------


def told_by_box(**more: object) -> BoxGame:
    """A went out; everybody has moved."""
    return a_game(**{"ended": "went_out", "winner": "A", "bank": 20, "moved": frozenset("ABCD")} | more)


def test_6q_who_went_out_by_the_box_needs_not_be_typed() -> None:
    filled, remarks = with_box(entry("B=23", "C=4", "D=-", ended=None), told_by_box(), "ABCD")
    assert (filled.ended, filled.racks[0]) == ("went_out", Rack(seat="A", points=0))
    assert [said(one) for one in remarks] == ["seat A: went out, says the box"]


def test_6n_the_announcement_the_box_heard_in_time_is_filled_in() -> None:
    told = told_by_box(announced={"D": (9,)}, in_time=frozenset("D"))
    filled, _ = with_box(entry("A=0", "B=2", "C=4", "D=!"), told, "ABCD")
    assert filled.racks[3].announced
    early, remarks = with_box(entry("A=0", "B=2", "C=4", "D=!"), told_by_box(announced={"D": (2,)}), "ABCD")
    assert not early.racks[3].announced
    assert remarks == []


def test_15_who_withdrew_by_the_box_is_filled_in() -> None:
    filled, _ = with_box(entry("A=0", "B=2", "C=4", "D=9"), told_by_box(withdrawn=("D",)), "ABCD")
    assert filled.racks[3].withdrawn


def test_where_box_and_paper_say_two_things_it_is_said_and_not_refused() -> None:
    filled, remarks = with_box(entry("A=5", "B=0", "C=4w", "D=!a"), told_by_box(), "ABCD")
    assert [one.empty for one in filled.racks] == [False, True, False, False]
    assert [said(one) for one in remarks] == [
        "seat A: went out, says the box, but the rack is not empty",
        "seat B: the rack is empty, but the box says that A went out",
        "seat C: withdrew, but the box knows nothing of it",
        "seat D: announced, but the box heard nothing",
    ]
    _, remarks = with_box(entry("A=0", "B=1", "C=4", "D=9"), told_by_box(ended="bank_empty", winner=None), "ABCD")
    assert "bank empty" in said(remarks[0])
    _, remarks = with_box(Entry(NOT_PLAYED, ()), told_by_box(), "ABCD")
    assert len(remarks) == 1


# --- entered --------------------------------------------------------------------------------------------------------


def test_6q_a_result_is_scored_and_what_is_missing_is_known(office: Event) -> None:
    enter(office)
    assert small(office) == {"A": 218, "B": -23, "C": -95, "D": -100}
    assert results.missing_at(office.state().rounds[FIRST], 1) == [2, 3, 4]


def test_a_second_result_of_a_game_is_refused_with_who_entered_the_first(office: Event) -> None:
    enter(office)
    with pytest.raises(Refused, match="Sowa has entered game 1 of table 1"):
        enter(office)


def test_a_correction_takes_the_place_of_the_result_and_says_why(office: Event) -> None:
    enter(office)
    enter(office, entry("A=12", "B=0", "C=9", "D=x"), why="B went out")
    assert small(office) == {"A": -12, "B": 221, "C": -9, "D": -200}
    assert office.state().rounds[FIRST].results[AT].mark.why == "B went out"
    with pytest.raises(Refused, match="no result to correct"):
        enter(office, at=GameAt(2, 1), why="nothing there")


@pytest.mark.parametrize(
    ("told", "at", "sentence"),
    [
        (entry("A=0", "B=3", "C=4"), AT, "seat D"),
        (entry("A=0", "B=0", "C=4", "D=5"), AT, "A, B"),
        (OUT, GameAt(7, 1), "no table 7"),
        (OUT, GameAt(1, 5), "no game 5"),
    ],
)
def test_what_cannot_be_right_is_refused_and_nothing_is_written(
    office: Event, told: Entry, at: GameAt, sentence: str
) -> None:
    head = office.ledger.head()
    with pytest.raises(WrongInput, match=sentence):
        enter(office, told, at)
    with pytest.raises(WrongInput, match=sentence):
        office.change(lambda state: results.enter(state, FIRST, {GameAt(2, 2): OUT, at: told}))
    assert office.ledger.head() == head


def test_6s_what_contradicts_itself_stands_if_a_referee_rules_so(office: Event) -> None:
    enter(office, entry("A=0", "B=1", "C=4+3j", "D=5", ruling="a joker of another set"))
    assert office.state().rounds[FIRST].results[AT].sheet is not None


def test_a_game_not_played_scores_nothing(office: Event) -> None:
    enter(office, Entry(NOT_PLAYED, (), why="the time was over"))
    assert small(office) == {}
    assert results.missing_at(office.state().rounds[FIRST], 1) == [2, 3, 4]


def test_a_game_that_was_not_played_has_no_racks_and_a_reason_by_whatever_way_it_comes(office: Event) -> None:
    with pytest.raises(WrongInput, match="it was not played, and seat A has a rack: expected none"):
        enter(office, Entry(NOT_PLAYED, (Rack(seat="A", points=0),), why="late"))
    with pytest.raises(Refused, match="it takes a reason why the game was not played"):
        enter(office, Entry(NOT_PLAYED, (), why=" "))


def test_15_who_has_left_the_event_may_be_missing_and_the_scale_stays(office: Event) -> None:
    seated = office.state().rounds[FIRST].seating
    assert seated is not None
    gone = seated.tables[0].players[3]
    office.ledger.decide(
        "gone", {"player": gone, "how": "withdrawn"}, who="x", when_ms=1, why="x", subject=f"gone:{gone}"
    )
    enter(office, entry("A=0", "B=3", "C=4"))
    sheet = office.state().rounds[FIRST].results[AT].sheet
    assert sheet is not None
    assert (sheet.started, len(sheet.racks)) == (4, 3)


def leaves(office: Event, seat: int) -> None:
    seated = office.state().rounds[FIRST].seating
    assert seated is not None
    gone = seated.tables[0].players[seat]
    office.change(lambda state: attendance.withdraw(state.players[gone]))


def test_who_played_a_game_stays_in_it_when_it_is_corrected_after_they_left(office: Event) -> None:
    enter(office)
    leaves(office, 3)
    with pytest.raises(WrongInput, match=r"seat D .* is missing"):
        enter(office, entry("A=0", "B=3", "C=4"), why="B had 3")
    enter(office, entry("A=0", "B=3", "C=4", "D=-"), why="B had 3")
    assert small(office) == {"A": 107, "B": -3, "C": -4, "D": -100}


def test_a_result_is_corrected_to_not_played_and_back(office: Event) -> None:
    enter(office)
    enter(office, Entry(NOT_PLAYED, ()), why="another table's sheet")
    enter(office, OUT, why="it was this table's")
    assert small(office)["A"] == 218


def test_15_seats_that_are_left_out_because_their_player_has_left_are_said(office: Event) -> None:
    leaves(office, 3)
    state = office.state()
    one = state.rounds[FIRST]
    (left,) = results.left_out(state, one, AT, entry("A=0", "B=3", "C=4"))
    name = state.players[results.seats_of(results.table_of(one, 1))["D"]].name
    assert said(left) == f"seat D ({name}) has left and has no rack here: they score nothing in this game"
    assert results.left_out(state, one, AT, OUT) == []
    assert results.left_out(state, one, AT, Entry(NOT_PLAYED, ())) == []


def test_a_round_of_results_keeps_one_short_reason(office: Event) -> None:
    whole = {GameAt(table, game): OUT for table in (1, 2) for game in (1, 2, 3, 4)}
    made = office.change(lambda state: results.enter(state, FIRST, whole))
    assert {one.why for one in made} == {"from the score sheet"}


def test_nobody_scores_in_a_round_that_they_are_absent_from(office: Event) -> None:
    seated = office.state().rounds[FIRST].seating
    assert seated is not None
    missing = seated.tables[0].players[1]
    body: dict[str, Json] = {"player": missing, "stage": "league", "round": 1, "absent": True}
    office.ledger.decide("absent", body, who="Sowa", when_ms=1, why="not there", subject=f"absent:league:1:{missing}")
    with pytest.raises(Refused, match=r"table 1: .* is marked absent"):
        enter(office)
    enter(office, at=GameAt(2, 1))


def test_two_desks_at_one_table_the_second_sees_the_first(office: Event, desk: Desk) -> None:
    other = desk("Wydra")
    state = other.state()
    enter(office)
    with pytest.raises(Refused, match="Sowa"):
        other.change(lambda now: results.enter(now if now.cursor != state.cursor else state, FIRST, {AT: OUT}))


# --- confirmed, taken back ------------------------------------------------------------------------------------------


def test_6q_somebody_else_confirms_a_table(office: Event, desk: Desk) -> None:
    enter(office)
    with pytest.raises(Refused, match="somebody else"):
        office.change(lambda state: results.confirm(state, FIRST, 1, " sOWA "))
    desk("Jeż").change(lambda state: results.confirm(state, FIRST, 1, "Jeż"))
    confirmed = office.state().rounds[FIRST].results[AT].confirmed
    assert confirmed is not None
    assert confirmed.who == "Jeż"
    with pytest.raises(Refused, match="Jeż has confirmed"):
        office.change(lambda state: results.confirm(state, FIRST, 1, "Lis"))
    with pytest.raises(Refused, match="no result yet"):
        office.change(lambda state: results.confirm(state, FIRST, 2, "Lis"))


def test_6q_a_table_is_confirmed_game_by_game_as_they_come_in(office: Event, desk: Desk) -> None:
    enter(office)
    desk("Jeż").change(lambda state: results.confirm(state, FIRST, 1, "Jeż"))
    enter(desk("Jeż"), at=GameAt(1, 2))
    with pytest.raises(Refused, match="Jeż has entered game 2 of table 1: somebody else"):
        office.change(lambda state: results.confirm(state, FIRST, 1, "Jeż"))
    office.change(lambda state: results.confirm(state, FIRST, 1, "Sowa"))
    marks = [result.confirmed for result in office.state().rounds[FIRST].results.values()]
    assert [mark and mark.who for mark in marks] == ["Jeż", "Sowa"]


@pytest.mark.parametrize("who", ["Sowa (organiser)", "sowa (referee)"])
def test_whoever_entered_a_result_does_not_become_somebody_else_by_logging_in(office: Event, who: str) -> None:
    enter(office)
    with pytest.raises(Refused, match="somebody else"):
        office.change(lambda state: results.confirm(state, FIRST, 1, who))
    assert not results.same_person("Sowa (organiser)", "Sowa Mała (organiser)")


def test_a_result_taken_back_is_gone_with_its_corrections_and_the_confirmation(office: Event, desk: Desk) -> None:
    enter(office)
    enter(office, entry("A=12", "B=0", "C=9", "D=x"), why="first correction")
    enter(office, entry("A=12", "B=1", "C=0", "D=x"), why="second correction")
    enter(office, at=GameAt(1, 2))
    desk("Jeż").change(lambda state: results.confirm(state, FIRST, 1, "Jeż"))
    office.change_seen(lambda seen: results.reopen(seen, FIRST, 1, 1, "counted anew"))
    one = office.state().rounds[FIRST]
    assert list(one.results) == [GameAt(1, 2)]
    assert one.results[GameAt(1, 2)].confirmed is not None
    enter(office)
    assert office.state().rounds[FIRST].results[AT].confirmed is None
    assert small(office)["A"] == 218
    office.change_seen(lambda seen: results.reopen(seen, FIRST, 1, WHOLE, "all of it"))
    assert office.state().rounds[FIRST].results == {}
    with pytest.raises(Refused, match="no result to take back"):
        office.change_seen(lambda seen: results.reopen(seen, FIRST, 1, WHOLE, "again"))


def test_nothing_is_entered_into_a_closed_round_or_taken_out_of_it(office: Event) -> None:
    enter(office)
    office.change(lambda state: rounds.close(state, "time is over"))
    for plan in (
        lambda: enter(office, at=GameAt(1, 2)),
        lambda: office.change_seen(lambda seen: results.reopen(seen, FIRST, 1, 1, "why")),
    ):
        with pytest.raises(Refused, match="has closed it; what is wrong in it is corrected, with a reason"):
            plan()


def test_a_round_is_named_by_its_number_or_with_its_stage(office: Event) -> None:
    state = office.state()
    assert {results.which(state, text).key for text in (None, "1", "league/1")} == {FIRST}
    for text in ("2", "final/1", "x", "1.5", ""):
        with pytest.raises(WrongInput):
            results.which(state, text)


# --- who withdraws --------------------------------------------------------------------------------------------------


def test_15_who_withdrew_in_game_1_is_out_in_game_2(office: Event) -> None:
    enter(office, entry("A=0", "B=5", "C=20w", "D=30"))
    again = entry("A=0", "B=5", "C=22", "D=30")
    with pytest.raises(Refused, match="withdrew in game 1; in game 2 type w alone"):
        enter(office, again, GameAt(1, 2))
    enter(office, entry("A=0", "B=5", "D=30"), GameAt(1, 2))
    enter(office, entry("A=0", "B=5", "C=22w", "D=30"), GameAt(1, 3))
    result = office.state().rounds[FIRST].results[AT]
    (told,) = results.remarks(office.state(), office.state().rounds[FIRST], result.at)
    assert "that is a withdrawal from this round alone" in said(told)
    assert "dalej players withdraw" in advised(told)


def test_15_who_withdrew_in_game_1_of_a_list_is_out_in_game_2_of_it(office: Event) -> None:
    first, without = entry("A=0", "B=5", "C=20w", "D=30"), entry("A=0", "B=5", "D=30")
    with pytest.raises(Refused, match="withdrew in game 1"):
        office.change(lambda state: results.enter(state, FIRST, {AT: first, GameAt(1, 2): OUT}))
    office.change(lambda state: results.enter(state, FIRST, {AT: first, GameAt(1, 2): without}))
    assert len(office.state().rounds[FIRST].results) == 2


def test_15_a_rack_of_a_player_who_has_withdrawn_is_kept_and_remarked(office: Event) -> None:
    at = rounds.seated(office.state()).seating
    assert at is not None
    gone = at.tables[0].players[2]
    office.change(lambda state: attendance.withdraw(state.players[gone]))
    enter(office)
    (told,) = results.remarks(office.state(), office.state().rounds[FIRST], AT)
    assert "has left the tournament; the rack counts" in said(told)


@pytest.mark.parametrize("language", LANGUAGES)
def test_how_a_game_ended_is_read_as_it_is_said_in_every_language(
    monkeypatch: pytest.MonkeyPatch, language: str
) -> None:
    monkeypatch.setenv("LANGUAGE", "en")
    speak(language)

    for one in (*ENDINGS, NOT_PLAYED):
        assert ending(word(one)) == one
        assert ending(word(one).replace(" ", "-")) == one


def test_15_who_left_before_a_game_that_a_box_dealt_to_them_is_doubted_and_a_silent_rack_is_not_dropped() -> None:
    _filled, remarks = with_box(entry("A=5", "B=0", "C=w", "D=9"), told_by_box(), "ABCD")
    assert any("left before this game, but the box dealt to it" in said(one) for one in remarks)


def test_a_correction_says_what_it_changes_seat_by_seat(tmp_path: Path) -> None:
    with world.an_event(tmp_path, 4) as event:
        first = {"A": "0", "B": "10", "C": "20", "D": "30"}
        enter = EnterResult(table=1, game=1, racks=first)
        enter.do(event, enter.wish())
        for racks, told in (
            ({**first, "C": "21", "D": "20+j"}, "C 20 → 21, D 30 → 20+j"),
            ({**first, "C": "21", "D": "20+j"}, "the racks stay as they were"),
        ):
            act = CorrectResult(table=1, game=1, racks=racks)
            done = str(act.do(event, act.wish(why="read wrongly")))
            assert done.startswith(f"Table 1, game 1: the result is corrected ({told}).")
