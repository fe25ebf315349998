"""How documents name rounds, places and days."""

from __future__ import annotations

from datetime import date, datetime
from typing import Final

from babel import Locale
from babel.dates import format_date, format_datetime

from dalej.domain import stagewords
from dalej.domain.stagewords import stage_name
from dalej.domain.tournament import RoundKey, Tournament
from dalej.words import language, readable

SEATS: Final = "ABCD"
_LEAGUE: Final = "league"
_BY_HAND: Final = "_" * 22


def round_name(state: Tournament, key: RoundKey) -> str:
    """Stage and round; of a stage with one round the stage alone."""
    stage = next((stage for stage in state.plan if stage.id == key.stage), None)
    if stage is not None and stage.rounds == 1:
        return stage_name(key.stage)
    return stagewords.round_name(*key)


def day(iso: str) -> str:
    """A date such as 2026-11-21 in the reader's words; what is no date stays as it is."""
    try:
        return format_date(date.fromisoformat(iso), format="long", locale=Locale(language()))
    except ValueError:
        return readable(iso)


def moment(when: datetime) -> str:
    """Day and minute in the reader's words."""
    return format_datetime(when, format="d MMMM y, HH:mm", tzinfo=when.tzinfo, locale=Locale(language()))


def round_heading(state: Tournament, key: RoundKey) -> dict[str, str]:
    """The same for a document of one round. A league lies on several days, of which the event knows the first: on its
    later rounds the day is left to be written by hand.
    """
    if state.ruleset.shape != _LEAGUE or not state.date or key == RoundKey(state.plan[0].id, 1):
        return heading(state)
    return heading(state) | {"place": ", ".join(part for part in (readable(state.town), _BY_HAND) if part)}


def heading(state: Tournament) -> dict[str, str]:
    """Which event a document is about: its name, where and when."""
    where_and_when = [part for part in (readable(state.town), day(state.date)) if part]
    return {"event": readable(state.name), "place": ", ".join(where_and_when)}
