"""The documents of a tournament, each in its formats: what the command line and the screens print alike."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from typing import Final

from dalej.domain.tournament.fold import standings
from dalej.domain.tournament.stages import round_said
from dalej.domain.tournament.tournament import Round, Seating, TableSeats, Tournament
from dalej.errors import Refused
from dalej.office.finalists import Asked, finalists
from dalej.office.paper.diplomas import PLACES, blank_diploma, diplomas_pdf
from dalej.office.paper.finalform import final_form
from dalej.office.paper.formats import Formats
from dalej.office.paper.prizes import prizes_csv, prizes_pdf, prizes_xlsx
from dalej.office.paper.roundresults import Order, results_csv, results_pdf
from dalej.office.paper.scoresheets import score_sheets
from dalej.office.paper.seatingplan import seating_csv, seating_pdf, wall_pdf
from dalej.office.paper.standings import StandingsOf, standings_csv, standings_pdf, standings_xlsx
from dalej.office.paper.tabletents import tents_pdf
from dalej.words import N_

BEST: Final = 3


def lists(state: Tournament, stage: str | None) -> list[StandingsOf]:
    """The whole event first, then the stages, the latest first; of an event of one stage that one."""
    if stage is not None:
        return [StandingsOf(stage, standings(state, stage))]
    reached = [one.id for one in reversed(state.plan) if one.id in state.entrants]
    whole = [StandingsOf(None, standings(state))] if len(state.plan) > 1 else []
    return whole + [StandingsOf(one, standings(state, one)) for one in reached]


def seated_tables(of: Round, seated: Seating, table: int | None) -> list[TableSeats]:
    """Of the round, all that are decided about here or one; Refused if there is none of that number."""
    here = of.tables()
    tables = [one for one in seated.tables if (one.table in here if table is None else one.table == table)]
    if tables:
        return tables
    if table is None:
        raise Refused(N_("{round}: no table of it is decided about here"), round=round_said(*of.key))
    raise Refused(N_("{round}: there is no table {table}"), table=table, round=round_said(*of.key))


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


def wall(state: Tournament, of: Round, seated: Seating) -> Formats:
    """Who sits where, by name, in letters for a wall."""
    return {".pdf": lambda: wall_pdf(state, of, seated)}


def numbers(state: Tournament, tables: Iterable[int]) -> Formats:
    """Numbers to stand on the tables."""
    return {".pdf": lambda: tents_pdf(state, tables)}


def results(
    state: Tournament, of: Round, seated: Seating, order: Order = "table", delimiter: str | None = None
) -> Formats:  # fmt: skip
    """What a round has brought."""
    return {
        ".pdf": lambda: results_pdf(state, of, seated, order),
        ".csv": lambda: results_csv(state, of, seated, order, delimiter),
    }


def prizes(state: Tournament, best: int = BEST, delimiter: str | None = None) -> Formats:
    """The best of the whole event and of each class, club or town."""
    return {
        ".pdf": lambda: prizes_pdf(state, best),
        ".csv": lambda: prizes_csv(state, best, delimiter),
        ".xlsx": lambda: prizes_xlsx(state, best),
    }


def diplomas(
    state: Tournament, places: Collection[int] = PLACES, *, groups: bool = False, taking_part: bool = False,
    logo: bytes = b"",
) -> Formats:  # fmt: skip
    """Diplomas for these places, also for all who took part."""
    return {".pdf": lambda: diplomas_pdf(state, places, groups=groups, taking_part=taking_part, logo=logo)}


def blank(state: Tournament, logo: bytes = b"") -> Formats:
    """A diploma to be filled in by hand."""
    return {".pdf": lambda: blank_diploma(state, logo)}


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
