"""Score sheets and the seating plan (school-league 2, 3, 5, 11)."""

from __future__ import annotations

import io
from dataclasses import replace

import pytest
from pypdf import PdfReader

from dalej.alphabet import alphabetical
from dalej.domain.tournament import Round, RoundKey, Tournament
from dalej.export.seatingplan import seating_csv, seating_pdf
from dalej.export.sheets import score_sheets
from tests.export.events import LONG, UNBROKEN, Written, current, eliminations, league, names, tables_of
from tests.export.reading import pages, table, without_blanks


def sheets_of(state: Tournament, of: Round, *, filled: bool = False) -> list[str]:
    assert of.seating is not None
    return pages(score_sheets(state, of, of.seating.tables, filled=filled))


def test_school_league_3_a_round_of_six_tables_has_six_pages_with_table_round_and_event() -> None:
    state = league(23).state

    sheets = sheets_of(state, current(state))

    assert len(sheets) == 6
    for number, page in enumerate(sheets, start=1):
        assert f"Table {number}" in page
        assert "League, round 2" in page
        assert "Liga Leśna" in page
        assert page.count("Game ") == 4
        assert "Checked by" in page


def test_school_league_5_every_player_is_on_the_sheet_of_their_table_and_on_no_other() -> None:
    state = league(23).state
    seating = current(state).seating
    assert seating is not None

    sheets = [without_blanks(page) for page in sheets_of(state, current(state))]

    for one, page in zip(seating.tables, sheets, strict=True):
        for player in state.players.values():
            if len(player.name) > 4:
                assert (without_blanks(player.name) in page) == (player.number in one.seated)
    assert without_blanks(LONG) in sheets[-1]
    assert UNBROKEN in sheets[-1]


def test_a_sheet_to_write_on_shows_no_result_and_a_filled_one_all_of_them() -> None:
    state = league(23).state
    first = state.rounds[RoundKey("league", 1)]

    empty, filled = sheets_of(state, first)[0], sheets_of(state, first, filled=True)[0]

    scores = [score for at, result in first.results.items() if at.table == 1 for score in result.scores]
    for small in {score.small for score in scores}:
        shown = f" {small:+d} ".replace("-", "−")
        assert shown in filled
        assert shown not in empty


def test_school_league_6m_6n_6o_6p_the_sheet_tells_how_to_count_with_the_clauses() -> None:
    state = league(23).state

    page = sheets_of(state, current(state))[-1]

    assert "−50. [6m]" in page
    assert "−100; −200 if they could have. [6n]" in page
    assert "at a table of 3: 1 – 0 – 0. [6p]" in page


def test_it_classic_counts_no_big_points_so_the_sheet_has_no_column_for_them() -> None:
    written = Written("it-classic", names(4))
    written.seat("series", 1, tables_of(4))
    state = written.state

    (page, *_) = sheets_of(state, current(state))

    assert "Big points" not in page
    assert "A joker left on the rack: −25." in page


def test_a_name_is_never_markup() -> None:
    written = Written("school-league", ["#panic()", "*Sowa* $x$", "`Jeż` @ref <b>", "Lis // \\ [x]", *names(16)])
    written.seat("league", 1, tables_of(20))
    state = written.state

    page = sheets_of(state, current(state))[0]

    for name in written.names[:4]:
        assert name in page


def test_paper_is_a4_tells_its_language_and_is_the_same_every_time() -> None:
    state = league(23).state
    round_ = current(state)
    assert round_.seating is not None

    first, again = (score_sheets(state, round_, round_.seating.tables) for _ in range(2))

    assert first == again
    read = PdfReader(io.BytesIO(first))
    assert [round(float(side)) for side in (read.pages[0].mediabox.width, read.pages[0].mediabox.height)] == [595, 842]
    assert str(read.root_object["/Lang"]) == "en"


@pytest.mark.parametrize("players", [23, 40, 100])
def test_the_seating_names_everybody_by_table_and_by_name(players: int) -> None:
    state = league(players).state
    seating = current(state).seating
    assert seating is not None

    text = without_blanks("".join(pages(seating_pdf(state, current(state), seating))))

    for player in state.players.values():
        assert text.count(without_blanks(player.name)) >= 2
    for one in seating.tables:
        assert f"Table{one.table}" in text


def test_the_seating_as_csv_has_a_row_for_each_seat_that_is_taken() -> None:
    state = eliminations(over=False).state
    first = state.rounds[RoundKey("preliminaries", 1)]
    assert first.seating is not None

    rows = table(seating_csv(state, first, first.seating, ";"), ";")

    assert [(row["Table"] + row["Seat"], row["Player"]) for row in rows[:5]] == [
        ("1A", "Lis"), ("1B", "Sowa"), ("1C", "Borsuk"), ("1D", "Wydra"), ("2A", "Żuraw"),
    ]  # fmt: skip
    assert len(rows) == 16


def test_names_are_sorted_as_polish_sorts_them() -> None:
    assert sorted(["Żółw", "Zebra", "łoś", "Lis", "Ćma", "Czapla", "Dzik", "Ósmak", "Orzeł"], key=alphabetical) == [
        "Czapla", "Ćma", "Dzik", "Lis", "łoś", "Orzeł", "Ósmak", "Zebra", "Żółw",
    ]  # fmt: skip


def test_names_are_sorted_as_the_language_of_the_event_sorts_them() -> None:
    names_of_three = ["Bocian", "Bóbr", "Bobak"]
    assert sorted(names_of_three, key=lambda name: alphabetical(name, "pl")) == ["Bobak", "Bocian", "Bóbr"]
    assert sorted(names_of_three, key=lambda name: alphabetical(name, "it")) == ["Bobak", "Bóbr", "Bocian"]


@pytest.mark.parametrize(("games", "expected"), [(1, 1), (2, 1), (4, 1), (20, 4)])
def test_a_page_a_table_however_few_games_and_more_only_where_they_do_not_fit(games: int, expected: int) -> None:
    written = Written("school-league", [LONG, UNBROKEN, *names(18)], name=LONG)
    written.seat("league", 1, tables_of(20))
    state = written.state
    of = current(state)
    assert of.seating is not None
    tables = of.seating.tables[:1]

    sheets = pages(score_sheets(state, replace(of, stage=replace(of.stage, games=games)), tables))

    assert len(sheets) <= expected
    assert sum(page.count("Game ") for page in sheets) == games
    assert "How to count" in sheets[-1]
    assert all("Table 1" in page for page in sheets)


def test_the_second_evening_of_a_league_does_not_carry_the_date_of_the_first() -> None:
    state = league(8).state
    first, second = (state.rounds[RoundKey("league", number)] for number in (1, 2))
    for made in (sheets_of, seating_of):
        assert "2026" in without_blanks(made(state, first)[0])
        assert "2026" not in without_blanks(made(state, second)[0])
        assert "_____" in without_blanks(made(state, second)[0])
        dated = replace(state, dates={second.key: "2026-12-04"})
        assert "December4,2026" in without_blanks(made(dated, second)[0])


def seating_of(state: Tournament, of: Round) -> list[str]:
    assert of.seating is not None
    return pages(seating_pdf(state, of, of.seating))
