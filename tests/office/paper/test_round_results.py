"""What hangs in the hall after a round and stands on its tables: points, seating for a wall, numbers."""

from __future__ import annotations

import io
import re
from collections.abc import Collection

import pytest
from pypdf import PdfReader

from dalej.domain.tournament import tournament as kinds
from dalej.domain.tournament.tournament import Round, RoundKey, Tournament
from dalej.office.paper.roundresults import Order, latest, results_csv, results_pdf
from dalej.office.paper.seatingplan import wall_pdf
from dalej.office.paper.tabletents import tents_pdf
from dalej.words import speak
from tests.office.paper.events import LONG, UNBROKEN, Written, current, league, names, tables_of
from tests.office.paper.reading import pages, table, without_blanks


def results_of(state: Tournament, of: Round, order: Order = "table") -> list[str]:
    assert of.seating is not None
    return pages(results_pdf(state, of, of.seating, order))


def wall_of(state: Tournament, of: Round) -> list[str]:
    assert of.seating is not None
    return pages(wall_pdf(state, of, of.seating))


def test_everybody_stands_there_with_table_seat_games_and_both_points() -> None:
    state = league(8).state

    (page,) = results_of(state, state.rounds[RoundKey("league", 1)])

    assert "Results · League, round 1" in page
    assert "1 A Lis +48 −2 −2 −2 42 1" in page
    assert "2 B Jeż −10 +44 −10 −10 14 1" in page
    assert "missing" not in page


def test_by_name_they_stand_as_the_language_of_the_event_sorts_them() -> None:
    state = league(23).state

    (page,) = results_of(state, state.rounds[RoundKey("league", 1)], "name")

    shown = ("Łasica", "Łoś", "Ryś", "Sarna", "Sowa", "Świstak", "Wilk", "Wydra", "Źrebię", "Żółw", "Żuraw")
    at = [page.index(f"{name} ") for name in shown]
    assert at == sorted(at)


def test_what_is_missing_is_said_by_table_and_game() -> None:
    written = Written("school-league", names(12))
    written.seat("league", 1, tables_of(12))
    played = {"stage": "league", "round": 1, "started": 4, "ruling": "", "ended": "not_played", "racks": []}
    for table_, game in ((1, 1), (1, 2), (1, 3), (2, 2), *((3, game) for game in range(1, 5))):
        written.add(kinds.RESULT, {**played, "table": table_, "game": game}, f"result:league:1:{table_}:{game}")

    (page,) = results_of(written.state, current(written.state))

    assert "Still missing: table 1, game 4; table 2, games 1, 3, 4." in page
    assert "1 A Lis – – –" in page


def test_before_any_result_it_says_so_and_can_be_filled_in_by_hand() -> None:
    state = league(8).state

    (page,) = results_of(state, current(state))

    assert "No results yet." in page
    assert "Lis" in page
    assert "+" not in page


def test_the_last_round_with_results_is_the_one_that_is_meant() -> None:
    told = latest(league(8).state)
    assert told is not None
    assert told.key == RoundKey("league", 1)
    assert latest(Written("school-league", names(8)).state) is None


def test_it_classic_has_no_big_points_so_the_sheet_has_no_column_for_them() -> None:
    written = Written("it-classic", names(4))
    written.play("series", 1, tables_of(4), games=3)
    of = written.state.rounds[RoundKey("series", 1)]

    (page,) = results_of(written.state, of)

    assert "Small points" in page
    assert "Big points" not in page


def test_as_csv_a_row_for_each_player_with_plain_numbers() -> None:
    state = league(8).state
    first = state.rounds[RoundKey("league", 1)]
    assert first.seating is not None

    rows = table(results_csv(state, first, first.seating, "table", ";"), ";")

    assert len(rows) == 8
    assert (rows[1]["Table"], rows[1]["Seat"], rows[1]["Player"], rows[1]["Small points"]) == ("1", "B", "Sowa", "14")


@pytest.mark.parametrize("language", ["pl", "en", "it"])
@pytest.mark.parametrize("players", [23, 240])
def test_nobody_is_left_out_or_cut_in_any_language(language: str, players: int) -> None:
    speak(language)
    state = league(players).state
    first = state.rounds[RoundKey("league", 1)]

    for made in (results_of(state, first), results_of(state, first, "name"), wall_of(state, first)):
        text = without_blanks("".join(made))
        for player in state.players.values():
            assert without_blanks(player.name) in text


def sizes(content: bytes, texts: Collection[str]) -> set[float]:
    """In which these are printed, in points."""
    found: set[float] = set()
    for page in PdfReader(io.BytesIO(content)).pages:
        page.extract_text(
            visitor_text=lambda text, _cm, _tm, _font, size: found.add(size) if text.strip() in texts else None
        )
    return found


@pytest.mark.parametrize(("players", "expected"), [(8, 1), (16, 1), (17, 2), (23, 2), (240, 15)])
def test_on_a_wall_every_page_has_its_heading_and_equally_many_names(players: int, expected: int) -> None:
    written = Written("school-league", names(players))
    written.seat("league", 1, tables_of(players))

    made = wall_of(written.state, current(written.state))

    assert len(made) == expected
    for page in made:
        assert "League, round 1" in page
        assert "Player Table Seat" in page
    counts = [len(re.findall(r" [0-9]+ [ABCD]\b", page)) for page in made]
    assert sum(counts) == players
    assert len(set(counts[:-1])) <= 1


def test_on_a_wall_letters_are_read_from_two_metres() -> None:
    """Capitals of 6 mm, as large as 12 minutes of arc at two metres: twice what good eyes need and more."""
    written = Written("school-league", names(240))
    written.seat("league", 1, tables_of(240))
    of = current(written.state)
    assert of.seating is not None

    mm_of_capital = 0.645 * 25.4 / 72
    printed = sizes(wall_pdf(written.state, of, of.seating), set(written.names))
    assert printed
    assert min(printed) * mm_of_capital >= 6


def test_namesakes_have_a_line_each_with_their_own_seat() -> None:
    written = Written("school-league", ["Lis (4b)", "Lis (5a)", "Sowa", "Jeż"])
    written.seat("league", 1, [[1, 2, 3, 4]])

    (page,) = wall_of(written.state, current(written.state))

    assert "Lis (4b) 1 A Lis (5a) 1 B" in page


@pytest.mark.parametrize("language", ["pl", "en", "it"])
def test_a_number_stands_on_its_table_to_be_read_from_both_sides(language: str) -> None:
    speak(language)
    written = Written("school-league", names(8), name=f"{LONG} {UNBROKEN}")

    content = tents_pdf(written.state, [1, 28, 100])
    made = [without_blanks(page) for page in pages(content)]

    assert len(made) == 3
    for page, number in zip(made, ("1", "28", "100"), strict=True):
        assert page.count(number) == 2
        assert page.count(without_blanks(LONG)) == 2
    assert min(sizes(content, {"1", "28", "100"})) > 250


def test_sixty_numbers_are_a_small_file() -> None:
    assert len(tents_pdf(league(8).state, range(1, 61))) < 400_000
