"""The public standings: one HTML file that needs nothing else, to be put on any web space or sent as it is.

No script and nothing from elsewhere; it reads on a phone, on paper and aloud. Names are escaped. Groups (a child's
class) are only shown when asked for, how somebody left never is.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from importlib.resources import files

from jinja2 import Environment, StrictUndefined

from dalej.domain.stagewords import corrections
from dalej.domain.tournament import RoundKey, Tournament
from dalej.export.naming import day, latest_heading, moment, round_day, round_name
from dalej.export.standingslist import StandingsOf, columns, shown_text
from dalej.words import _, language


def standings_page(state: Tournament, lists: Sequence[StandingsOf], *, when: datetime, groups: bool = False) -> bytes:
    """The page in UTF-8; `when` (with its time zone) is what it says it was made."""
    source = (files("dalej.export") / "templates" / "page.html").read_text(encoding="utf-8")
    template = Environment(
        autoescape=True, undefined=StrictUndefined, trim_blocks=True, lstrip_blocks=True
    ).from_string(source)
    text = template.render(
        language=language(),
        **latest_heading(state),
        schedule=_schedule(state),
        standings=_("Standings"),
        lists=[_shown(state, of, groups) for of in lists],
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


def _shown(state: Tournament, of: StandingsOf, groups: bool) -> dict[str, object]:
    shown = columns(state, of, groups=groups)
    rows = zip(*(column.cells for column in shown), strict=True)
    return {
        "id": "all" if of.stage is None else f"stage-{_number(state, of.stage)}",
        "title": of.title,
        "corrections": corrections(state, of.stage),
        "columns": shown,
        "rows": [[shown_text(cell) for cell in row] for row in rows],
    }


def _number(state: Tournament, stage: str) -> int:
    """The number of a stage in the order of play, from 1."""
    return [one.id for one in state.plan].index(stage) + 1
