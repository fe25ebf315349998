"""The documents of a tournament, each in its formats: what the command line and the screens print alike."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime

from dalej.domain.tournament.fold import standings
from dalej.domain.tournament.stages import round_said
from dalej.domain.tournament.tournament import Round, Seating, TableSeats, Tournament
from dalej.errors import Refused
from dalej.office.finalists import Asked, finalists
from dalej.office.paper.finalform import final_form
from dalej.office.paper.formats import Formats
from dalej.office.paper.scoresheets import score_sheets
from dalej.office.paper.seatingplan import seating_csv, seating_pdf
from dalej.office.paper.standings import StandingsOf, standings_csv, standings_page, standings_pdf, standings_xlsx
from dalej.words import N_


def lists(state: Tournament, stage: str | None) -> list[StandingsOf]:
    """The whole event first, then the stages, the latest first; of an event of one stage that one."""
    if stage is not None:
        return [StandingsOf(stage, standings(state, stage))]
    reached = [one.id for one in reversed(state.plan) if one.id in state.entrants]
    whole = [StandingsOf(None, standings(state))] if len(state.plan) > 1 else []
    return whole + [StandingsOf(one, standings(state, one)) for one in reached]


def seated_tables(of: Round, seated: Seating, table: int | None) -> list[TableSeats]:
    """Of the round, all or one; Refused if there is none of that number."""
    tables = [one for one in seated.tables if table in (None, one.table)]
    if not tables:
        raise Refused(N_("{round}: there is no table {table}"), table=table, round=round_said(*of.key))
    return tables


def sheets(state: Tournament, of: Round, seated: Seating, table: int | None = None, *, filled: bool = False) -> Formats:
    """Score sheets of a round, a page for each table."""
    tables = seated_tables(of, seated, table)
    return {".pdf": lambda: score_sheets(state, of, tables, filled=filled)}


def seating(state: Tournament, of: Round, seated: Seating, delimiter: str | None = None) -> Formats:
    """Who sits where."""
    return {
        ".pdf": lambda: seating_pdf(state, of, seated),
        ".csv": lambda: seating_csv(state, of, seated, delimiter),
    }


def standings_of(
    state: Tournament, stage: str | None = None, *, groups: bool = False, delimiter: str | None = None
) -> Formats:  # fmt: skip
    """Standings of the whole event and of every stage, or of one."""
    shown = lists(state, stage)
    return {
        ".pdf": lambda: standings_pdf(state, shown, groups=groups),
        ".csv": lambda: standings_csv(state, shown[0], groups=groups, delimiter=delimiter),
        ".xlsx": lambda: standings_xlsx(state, shown, groups=groups),
    }


def form(state: Tournament, asked: Mapping[int, Asked]) -> Formats:
    """The final form; it holds personal data: only its owner may read the file."""
    people = finalists(state, standings(state))
    return {".pdf": lambda: final_form(state, people, asked)}


def page(state: Tournament, when: datetime, *, groups: bool = False) -> Formats:
    """The public page."""
    shown = lists(state, None)
    return {".html": lambda: standings_page(state, shown, when=when, groups=groups)}
