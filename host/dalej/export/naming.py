"""How documents name languages, stages, rounds and days."""

from __future__ import annotations

from datetime import date, datetime
from typing import Final

from babel.dates import format_date, format_datetime

from dalej.domain.tournament import RoundKey, Tournament
from dalej.words import N_, _, readable, reader

SEATS: Final = "ABCD"

_STAGES: Final = {
    "league": N_("League"), "preliminaries": N_("Preliminaries"), "semifinal": N_("Semifinal"), "final": N_("Final"),
    "series": N_("Series"),
}  # fmt: skip


def language() -> str:
    """The language that the words of a document are in: "pl", "en", "it"."""
    return reader().language


def stage_name(stage: str) -> str:
    """A stage as people call it; one that an organiser named keeps its name."""
    return _(_STAGES[stage]) if stage in _STAGES else readable(stage)


def round_name(state: Tournament, key: RoundKey) -> str:
    """Stage and round; of a stage with one round the stage alone."""
    stage = next((stage for stage in state.plan if stage.id == key.stage), None)
    if stage is not None and stage.rounds == 1:
        return stage_name(key.stage)
    return _("{stage}, round {round}").format(stage=stage_name(key.stage), round=key.round)


def day(iso: str) -> str:
    """A date such as 2026-11-21 in the reader's words; what is no date stays as it is."""
    try:
        return format_date(date.fromisoformat(iso), format="long", locale=reader())
    except ValueError:
        return readable(iso)


def moment(when: datetime) -> str:
    """Day and minute in the reader's words."""
    return format_datetime(when, format="d MMMM y, HH:mm", tzinfo=when.tzinfo, locale=reader())


def heading(state: Tournament) -> dict[str, str]:
    """Which event a document is about: its name, where and when."""
    where_and_when = [part for part in (readable(state.town), day(state.date)) if part]
    return {"event": readable(state.name), "place": ", ".join(where_and_when)}
