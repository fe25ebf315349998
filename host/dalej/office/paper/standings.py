"""Standings on paper and as files that sort (PDF, CSV, XLSX), and for the public: one HTML file that needs nothing
else.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from importlib.resources import files

from jinja2 import Environment, StrictUndefined

from dalej.domain.scoring.points import total
from dalej.domain.tournament.stages import corrections, stage_name
from dalej.domain.tournament.standings import Line
from dalej.domain.tournament.tournament import RoundKey, Tournament
from dalej.office.paper.formats import Cell, Sheet, csv_bytes, pdf, xlsx_bytes
from dalej.office.paper.naming import day, latest_heading, moment, round_day, round_name
from dalej.words import _, language, readable


@dataclass(frozen=True, slots=True)
class StandingsOf:
    """Lines, best first, of one stage; `stage` None: of the whole event, where a line's points are of its own stage."""

    stage: str | None
    lines: Sequence[Line]

    @property
    def title(self) -> str:
        """What the list is called."""
        return _("Standings") if self.stage is None else stage_name(self.stage)

    def heading(self, state: Tournament) -> str:
        """What stands above it on paper: which standings they are, where the event has several."""
        if self.stage is None or len(state.plan) == 1:
            return _("Standings")
        return _("Standings: {stage}").format(stage=stage_name(self.stage))


@dataclass(frozen=True, slots=True)
class Column:
    """A column of the list; `wide`: names; the others are numbers or words. A small screen does without `minor`."""

    heading: str
    cells: list[Cell]
    wide: bool = False
    minor: bool = False


def columns(
    state: Tournament, of: StandingsOf, *, groups: bool = False, names: Mapping[int, str] | None = None
) -> list[Column]:  # fmt: skip
    """The list as columns, as all its documents show it. Big points only where the ruleset has them. `names`: how
    players are called there, by their numbers; None: in full.
    """
    lines = of.lines
    called = [state.players[line.player].name if names is None else names[line.player] for line in lines]
    shown = [Column(_("Place"), [line.place for line in lines]), Column(_("Player"), list(called), wide=True)]
    if groups:
        shown.append(Column(_("Group"), [state.players[line.player].group for line in lines], wide=True))
    if of.stage is None and len(state.plan) > 1:
        shown.append(Column(_("Stage reached"), [stage_name(line.stage) for line in lines]))
    if any(line.big is not None for line in lines):
        shown.append(Column(_("Big points"), [line.big for line in lines]))
    shown.append(Column(_("Small points"), [line.small for line in lines]))
    shown.append(Column(_("Games"), [line.games for line in lines], minor=True))
    notes: list[Cell] = [_note(state, line) for line in lines]
    if any(notes):
        shown.append(Column(_("Note"), notes))
    return shown


def standings_pdf(state: Tournament, lists: Sequence[StandingsOf], *, groups: bool = False) -> bytes:
    """Each list on pages of its own, with its heading on each of them."""
    return pdf(
        "standings", _("Standings"), {**latest_heading(state), "lists": [_printed(state, of, groups) for of in lists]}
    )


def standings_csv(state: Tournament, of: StandingsOf, *, groups: bool = False, delimiter: str | None = None) -> bytes:
    """One list; points are plain whole numbers with an ASCII minus."""
    shown = columns(state, of, groups=groups)
    rows = zip(*(column.cells for column in shown), strict=True)
    return csv_bytes([column.heading for column in shown], rows, delimiter)


def standings_xlsx(state: Tournament, lists: Sequence[StandingsOf], *, groups: bool = False) -> bytes:
    """A sheet for each list."""
    sheets = []
    for of in lists:
        shown = columns(state, of, groups=groups)
        rows = list(zip(*(column.cells for column in shown), strict=True))
        sheets.append(Sheet(of.title, [column.heading for column in shown], rows))
    return xlsx_bytes(state.name, sheets)


def shown_text(cell: Cell) -> str:
    """A cell as people read it."""
    if isinstance(cell, int):
        return total(cell)
    return "" if cell is None else readable(cell)


def _printed(state: Tournament, of: StandingsOf, groups: bool) -> dict[str, object]:
    shown = columns(state, of, groups=groups)
    return {
        "title": of.heading(state),
        "after": played_through(state, of),
        "corrections": corrections(state, of.stage),
        "columns": [{"heading": column.heading, "wide": column.wide} for column in shown],
        "rows": [[shown_text(cell) for cell in row] for row in zip(*(column.cells for column in shown), strict=True)],
    }


def played_through(state: Tournament, of: StandingsOf) -> str:
    """After which round the list stands so, "" before any result."""
    played = [one for one in state.rounds.values() if one.results and of.stage in (None, one.key.stage)]
    if not played:
        return ""
    latest = played[-1]
    if of.stage is not None or len(state.plan) == 1:
        template = _("during round {round}") if latest.closed is None else _("after round {round}")
        return template.format(round=latest.key.round)
    template = _("during {round}") if latest.closed is None else _("after {round}")
    return template.format(round=round_name(state, latest.key))


def _note(state: Tournament, line: Line) -> str:
    """That somebody left, without saying how; that a tie is open."""
    if state.players[line.player].gone is not None:
        return _("left the event")
    return _("level") if line.level else ""


def standings_page(
    state: Tournament, lists: Sequence[StandingsOf], names: Mapping[int, str], *, when: datetime, groups: bool = False
) -> bytes:  # fmt: skip
    """The page in UTF-8; `names`: how players are called in public, by their numbers; `when` (with its time zone) is
    what it says it was made.
    """
    source = (files("dalej.office.paper") / "templates" / "page.html").read_text(encoding="utf-8")
    template = Environment(
        autoescape=True, undefined=StrictUndefined, trim_blocks=True, lstrip_blocks=True
    ).from_string(source)
    text = template.render(
        language=language(),
        **latest_heading(state),
        schedule=_schedule(state),
        standings=_("Standings"),
        lists=[_shown(state, of, names, groups) for of in lists],
        nothing=_("No results yet."),
        as_of=_("As of {time}").format(time=moment(when)),
    )
    return text.encode("utf-8", errors="replace")


def _schedule(state: Tournament) -> list[str]:
    """The rounds whose day is known, where they lie on several; a league announces them when its list is closed."""
    keys = [RoundKey(stage.id, number) for stage in state.plan for number in range(1, stage.rounds + 1)]
    days = {key: found for key in keys if (found := round_day(state, key))}
    if len(set(days.values())) < 2:
        return []
    return [_("{round}: {date}").format(round=round_name(state, key), date=day(found)) for key, found in days.items()]


def _shown(state: Tournament, of: StandingsOf, names: Mapping[int, str], groups: bool) -> dict[str, object]:
    shown = columns(state, of, groups=groups, names=names)
    rows = zip(*(column.cells for column in shown), strict=True)
    return {
        "id": "all" if of.stage is None else f"stage-{_number(state, of.stage)}",
        "title": of.title,
        "heading": of.heading(state),
        "corrections": corrections(state, of.stage),
        "columns": shown,
        "rows": [[shown_text(cell) for cell in row] for row in rows],
    }


def _number(state: Tournament, stage: str) -> int:
    """The number of a stage in the order of play, from 1."""
    return [one.id for one in state.plan].index(stage) + 1
