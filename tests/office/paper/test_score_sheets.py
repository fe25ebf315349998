"""Score sheets and the seating plan (school-league 2, 3, 5, 11)."""

from __future__ import annotations

import io
import re
from dataclasses import replace
from typing import Any

import pytest
from pypdf import PdfReader

from dalej.domain.game.sentences import word
from dalej.domain.rules.options import with_options
from dalej.domain.tournament.tournament import NOT_PLAYED, RESULT, Round, RoundKey, Tournament
from dalej.office.paper.scoresheets import ENDS, HEADINGS, columns, score_sheets
from dalej.office.paper.seatingplan import seating_csv, seating_pdf
from dalej.office.players import folded
from dalej.office.resultcolumns import COLUMNS
from dalej.office.resultfile import read
from dalej.rulesets import rulebook
from dalej.words import _, alphabetical, speak
from tests.office.paper.events import LONG, UNBROKEN, Written, current, eliminations, league, names, tables_of
from tests.office.paper.reading import number_of_pages, pages, table, without_blanks


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


OPENINGS = ["never_opened", "could_have_opened", "announced"]


@pytest.mark.parametrize(
    ("ruleset", "there", "not_there"),
    [
        ("school-league", [*OPENINGS, "withdrawn", "big"], []),
        ("pl-championship", [*OPENINGS, "withdrawn", "big"], []),
        ("pl-eliminations", [*OPENINGS, "withdrawn", "big"], []), ("it-classic", ["withdrawn"], [*OPENINGS, "big"]),
    ],
)  # fmt: skip
@pytest.mark.parametrize("seats", [2, 3, 4])
def test_a_sheet_has_room_for_what_its_ruleset_counts_and_for_nothing_else(
    ruleset: str, there: list[str], not_there: list[str], seats: int
) -> None:
    found = columns(rulebook.load(ruleset), seats)

    assert {*there, "points", "jokers", "small"} <= set(found)
    assert not set(not_there) & set(found)


def test_6n_what_does_not_change_the_points_is_not_asked_for() -> None:
    league = rulebook.load("school-league")

    alike = with_options(league, {"could_have_opened_points": 100})
    assert not {"could_have_opened", "announced"} & set(columns(alike, 4))
    assert "announced" not in columns(with_options(league, {"announcement_lifts": False}), 4)


def starters(page: str) -> list[str]:
    return re.findall(r"Starts: ([A-D](?: [A-D])*)", page)


@pytest.mark.parametrize(("tables", "seats"), [([[1, 2, 3, 4]], "ABCD"), ([[1, 2, 3]], "ABCA")])
def test_6f_seat_a_starts_the_first_game_then_b_c_d_and_a_again_at_a_table_of_three(
    tables: list[list[int]], seats: str
) -> None:
    written = Written("school-league", names(4))
    written.seat("league", 1, tables)

    (page,) = sheets_of(written.state, current(written.state))

    assert starters(page) == list(seats)
    assert "Seat A starts the first game. [6f]" in page


@pytest.mark.parametrize(
    ("ruleset", "stage", "says"),
    [
        (
            "pl-championship",
            "preliminaries",
            "Whoever draws the highest tile starts the first game. [PRZYGOTOWANIE GRY]",
        ),
        ("it-classic", "series", "The players decide who starts a game. [Setup]"),
    ],
)
def test_przygotowanie_gry_setup_where_the_players_find_out_who_starts_they_mark_it(
    ruleset: str, stage: str, says: str
) -> None:
    written = Written(ruleset, names(4))
    written.seat(stage, 1, [[1, 2, 3]])
    of = current(written.state)

    (page,) = sheets_of(written.state, of)

    assert starters(page) == ["A B C"] * of.stage.games
    assert says in page


def test_every_way_in_which_a_game_can_end_can_be_ticked() -> None:
    state = league(23).state

    page = sheets_of(state, current(state))[0]

    for words in ("went out", "bank empty", "round time", "one seat left", "not played"):
        assert page.count(words) == 4


def crosses(state: Tournament, of: Round) -> int:
    """How many boxes are ticked on the first table's filled sheet: half of the lines that an empty one has not."""
    assert of.seating is not None
    lines = []
    for filled in (True, False):
        reader = PdfReader(io.BytesIO(score_sheets(state, of, of.seating.tables[:1], filled=filled)))
        contents = reader.pages[0].get_contents()
        assert contents is not None
        lines.append(len(re.findall(rb"\bl\n", contents.get_data())))
    return (lines[0] - lines[1]) // 2


def test_a_filled_sheet_ticks_who_never_opened_could_have_had_announced_withdrew_and_what_was_not_played() -> None:
    written = Written("school-league", names(4))
    written.seat("league", 1, [[1, 2, 3, 4]])
    assert crosses(written.state, current(written.state)) == 0
    racks: list[dict[str, Any]] = [
        {"seat": "A", "player": 1, "opened": True, "jokers": 0, "points": 0},
        {"seat": "B", "player": 2, "opened": False, "could_have_opened": True, "announced": True, "jokers": 0},
        {"seat": "C", "player": 3, "opened": False, "jokers": 0},
        {"seat": "D", "player": 4, "opened": True, "withdrawn": True, "jokers": 0, "points": 9},
    ]
    game = {"stage": "league", "round": 1, "table": 1, "started": 4, "ruling": ""}
    written.add(RESULT, {**game, "game": 1, "ended": "went_out", "racks": racks}, "result:league:1:1:1")
    assert crosses(written.state, current(written.state)) == 1 + 3 + 1 + 1, "how it ended; B; C; D"

    written.add(RESULT, {**game, "game": 2, "ended": "not_played", "racks": []}, "result:league:1:1:2")
    assert crosses(written.state, current(written.state)) == 7


@pytest.mark.parametrize("language", ["pl", "en", "it"])
@pytest.mark.parametrize("ruleset", rulebook.available())
@pytest.mark.parametrize("seats", [2, 3, 4])
def test_a_table_of_two_to_four_has_one_page_by_every_ruleset_in_every_language(
    monkeypatch: pytest.MonkeyPatch, language: str, ruleset: str, seats: int
) -> None:
    speak(language)
    written = Written(ruleset, [LONG, UNBROKEN, *names(2)], name=LONG)
    written.seat(rulebook.load(ruleset).stages[0].id, 1, [list(range(1, seats + 1))])
    state, of = written.state, current(written.state)
    assert of.seating is not None

    assert number_of_pages(score_sheets(state, of, of.seating.tables)) == 1


@pytest.mark.parametrize("language", ["pl", "en", "it"])
def test_results_import_reads_a_spreadsheet_headed_as_the_sheet_is(language: str) -> None:
    speak(language)
    known = {folded(heading): name for name, all_ in COLUMNS.items() for heading in (name, *all_)}

    headings = {key: known.get(folded(_(words))) for key, words in HEADINGS.items() if key != "big"}

    assert headings == {key: key for key in headings}
    assert known[folded(_("Player"))] == "player"
    lis = league(8).state.players[1]
    for number, one in enumerate(ENDS):
        text = f"table,game,ended\n1,{number + 1},{word(one)}\n"
        if one != NOT_PLAYED:
            text = f"table,game,ended,seat,{_(HEADINGS['points'])}\n1,{number + 1},{word(one)},A,0\n"
        (game,) = read(text.encode(), "sheet.csv", lambda _table, _seat: lis, lambda _name: lis)[0].values()
        assert game.ended == one


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


DOUBLE = "Konstantynopolitańczykowska-Brzęczyszczykiewicz Anna Maria"
SINGLE = "Wolfeschlegelsteinhausenbergerdorff Jan"


def printed(content: bytes) -> list[tuple[str, float]]:
    """What stands on the first page, line by line, with the size of its letters in points."""
    found: list[tuple[str, float]] = []

    def keep(text: str, matrix: list[float], inner: list[float], _font: object, size: float) -> None:
        if text.strip():
            found.append((text.strip(), round(size * abs(inner[3]) * abs(matrix[3]), 1)))

    PdfReader(io.BytesIO(content)).pages[0].extract_text(visitor_text=keep)
    return found


@pytest.mark.parametrize("language", ["en", "pl", "it"])
def test_a_long_double_surname_breaks_at_its_hyphen_and_a_single_one_by_syllables(
    language: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("LANGUAGE", language)
    speak()
    written = Written("school-league", [DOUBLE, SINGLE, "Lis", "Sowa"])
    written.seat("league", 1, [[1, 2, 3, 4]])
    of = current(written.state)
    assert of.seating is not None

    sheet = score_sheets(written.state, of, of.seating.tables)

    lines = {text for text, _size in printed(sheet)}
    assert "Konstantynopolitańczykowska-" in lines
    assert any(line.lstrip("-").startswith("Brzęczyszczykiewicz") for line in lines)
    assert re.search(r"Wolfe[a-z]+[-\u00ad] ?[a-z]+ Jan", pages(sheet)[0])


def test_whoever_has_a_short_name_is_not_written_small_for_a_long_one_beside_them() -> None:
    written = Written("school-league", [DOUBLE, SINGLE, "Lis", "Sowa"])
    written.seat("league", 1, [[1, 2, 3, 4]])
    of = current(written.state)
    assert of.seating is not None

    sizes = [size for text, size in printed(score_sheets(written.state, of, of.seating.tables)) if text == "Lis"]

    assert sizes
    assert min(sizes) >= 8
