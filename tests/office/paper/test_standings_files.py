"""Standings and the turn log as files (school-league 10: sorted by big, then by small points)."""

from __future__ import annotations

import pytest

from dalej.domain.tournament.fold import standings
from dalej.domain.tournament.tournament import Tournament
from dalej.office.paper.standings import StandingsOf, standings_csv, standings_pdf, standings_xlsx
from dalej.office.paper.turnlog import turns_csv, turns_pdf, turns_xlsx
from tests.office.paper.events import Written, eliminations, league, names, tables_of
from tests.office.paper.reading import book, pages, table, without_blanks


def lists(state: Tournament) -> list[StandingsOf]:
    return [StandingsOf(None, standings(state)), *(StandingsOf(one.id, standings(state, one.id)) for one in state.plan)]


@pytest.mark.parametrize("delimiter", [",", ";"])
def test_school_league_10_the_csv_comes_sorted_by_big_then_small_points_and_sorts_again(delimiter: str) -> None:
    state = league(23).state

    content = standings_csv(state, StandingsOf("league", standings(state)), delimiter=delimiter)
    rows = table(content, delimiter)

    assert content.startswith(b"\xef\xbb\xbf")
    points = [(int(row["Big points"]), int(row["Small points"])) for row in rows]
    assert points == sorted(points, reverse=True)
    assert {row["Player"] for row in rows} == {player.name for player in state.players.values()}
    assert "Group" not in rows[0]


def test_school_league_10_the_workbook_has_real_numbers_a_heading_that_stays_and_filters() -> None:
    state = eliminations().state

    made = book(standings_xlsx(state, lists(state)))

    assert made.sheetnames == ["Standings", "Preliminaries", "Semifinal", "Final"]
    for sheet in made.worksheets:
        assert sheet.freeze_panes == "A2"
        assert sheet.auto_filter.ref == sheet.dimensions
        heading, *rows = sheet.iter_rows(values_only=True)
        big, small = heading.index("Big points"), heading.index("Small points")
        assert all(type(row[column]) is int for row in rows for column in (0, big, small))
    final = list(made["Final"].iter_rows(min_row=2, values_only=True))
    assert [row[1] for row in final] == ["Lis", "Sowa", "Żuraw", "Jeż"]


def test_a_name_that_looks_like_a_formula_is_never_calculated() -> None:
    written = Written("school-league", ['=HYPERLINK("x")', "+48", "@lis", "-1", *names(16)])
    written.play("league", 1, tables_of(20), games=4)
    state = written.state
    of = StandingsOf("league", standings(state))

    sheet = book(standings_xlsx(state, [of])).worksheets[0]
    cells = {cell.value: cell.data_type for (cell,) in sheet.iter_rows(min_row=2, min_col=2, max_col=2)}
    assert cells['=HYPERLINK("x")'] == "s"
    assert {row["Player"] for row in table(standings_csv(state, of))} >= {'\'=HYPERLINK("x")', "'+48", "'@lis", "'-1"}


def test_the_printed_standings_name_everybody_in_order() -> None:
    state = league(40).state
    of = StandingsOf("league", standings(state))

    text = without_blanks("".join(pages(standings_pdf(state, [of], groups=True))))

    places = [text.find(without_blanks(state.players[line.player].name)) for line in of.lines]
    assert -1 not in places
    assert "Group" in text


def test_the_printed_standings_tell_after_which_round() -> None:
    state = league(8).state
    (page,) = pages(standings_pdf(state, [StandingsOf("league", standings(state))]))
    assert "Standings(afterround1)" in without_blanks(page)


def test_the_printed_standings_say_that_they_are_and_of_which_stage() -> None:
    state = eliminations().state

    first, preliminaries, semifinal, final = pages(standings_pdf(state, lists(state)))

    assert "Standings (final)" in first
    assert "Standings: Preliminaries (after round 2)" in preliminaries
    assert "Standings: Semifinal (after round 1)" in semifinal
    assert "Standings: Final (final)" in final


def test_whoever_left_is_marked_and_nobody_is_told_how() -> None:
    written = eliminations()
    written.add("gone", {"player": 3, "how": "excluded"}, "gone:3")
    state = written.state

    text = "".join(pages(standings_pdf(state, lists(state))))

    assert "left" in text
    assert "excluded" not in text


def test_the_turn_log_keeps_its_rows_in_every_format() -> None:
    state = eliminations().state
    fields = ("table", "player", "elapsed_ms", "flags", "void")
    rows = [
        {
            "table": 1, "player": f"1{'ABCD'[move % 4]}", "elapsed_ms": 900 + move, "flags": ["claim", "late_tile"],
            "void": False,
        }
        for move in range(100)
    ]  # fmt: skip

    read = table(turns_csv(fields, rows, ";"), ";")
    sheet = book(turns_xlsx(state, fields, rows)).worksheets[0]
    printed = pages(turns_pdf(state, ["table", "player"], [["1", str(row["player"])] for row in rows]))

    assert read[7] == {"table": "1", "player": "1D", "elapsed_ms": "907", "flags": "claim late_tile", "void": "0"}
    assert [cell.value for cell in sheet[9]] == [1, "1D", 907, "claim late_tile", 0]
    assert len(read) == sheet.max_row - 1 == sum(page.count(" 1D") for page in printed) * 4 == 100
