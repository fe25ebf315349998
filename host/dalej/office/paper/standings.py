"""Standings on paper and as files that sort (PDF, CSV, XLSX)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from dalej.domain.scoring.points import total
from dalej.domain.tournament.stages import corrections, stage_name
from dalej.domain.tournament.standings import Line
from dalej.domain.tournament.tournament import Tournament
from dalej.office.paper.formats import Cell, Sheet, csv_bytes, pdf, xlsx_bytes
from dalej.office.paper.naming import latest_heading, round_name
from dalej.words import _, readable


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
    """A column of the list; `wide`: names; the others are numbers or words."""

    heading: str
    cells: list[Cell]
    wide: bool = False


def columns(state: Tournament, of: StandingsOf, *, groups: bool = False) -> list[Column]:
    """The list as columns, as all its documents show it. Big points only where the ruleset has them."""
    lines = of.lines
    called: list[Cell] = [state.players[line.player].name for line in lines]
    shown = [Column(_("Place"), [line.place for line in lines]), Column(_("Player"), called, wide=True)]
    if groups:
        shown.append(Column(_("Group"), [state.players[line.player].group for line in lines], wide=True))
    if of.stage is None and len(state.plan) > 1:
        shown.append(Column(_("Stage reached"), [stage_name(line.stage) for line in lines]))
    if any(line.big is not None for line in lines):
        shown.append(Column(_("Big points"), [line.big for line in lines]))
    shown.append(Column(_("Small points"), [line.small for line in lines]))
    shown.append(Column(_("Games"), [line.games for line in lines]))
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
    """After which round the list stands so, or that nothing changes it any more; "" before any result."""
    played = [one for one in state.rounds.values() if one.results and of.stage in (None, one.key.stage)]
    if not played:
        return ""
    latest = played[-1]
    if state.over and of.stage in (None, state.plan[-1].id):
        return _("final")
    if of.stage is not None or len(state.plan) == 1:
        template = _("during round {round}") if latest.closed is None else _("after round {round}")
        return template.format(round=latest.key.round)
    template = _("during {round}") if latest.closed is None else _("after {round}")
    return template.format(round=round_name(state, latest.key))


def _note(state: Tournament, line: Line) -> str:
    """That somebody left, without saying how; that a tie is open; that there is no game to the points."""
    if state.players[line.player].gone is not None:
        return _("left the event")
    if line.level:
        return _("level")
    return _("no game played") if line.absent else ""
