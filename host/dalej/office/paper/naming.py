"""How documents name rounds, places and days."""

from __future__ import annotations

from datetime import date, datetime
from typing import Final

from babel import Locale
from babel.dates import format_date, format_datetime

from dalej.domain.game.sentences import local
from dalej.domain.tournament import stages
from dalej.domain.tournament.stages import stage_name
from dalej.domain.tournament.tournament import RoundKey, Tournament
from dalej.words import language, readable

SEATS: Final = "ABCD"
_LEAGUE: Final = "league"
_BY_HAND: Final = "_" * 22
_POLISH, _ITALIAN = "pl", "it"
_ROMAN: Final = ("I", "II", "III", "IV", "V", "VI", "VII", "VIII", "IX", "X")
_TEENS: Final = (11, 12, 13)
_ENDINGS: Final = {1: "st", 2: "nd", 3: "rd"}


def round_name(state: Tournament, key: RoundKey) -> str:
    """Stage and round; of a stage with one round the stage alone."""
    stage = next((stage for stage in state.plan if stage.id == key.stage), None)
    if stage is not None and stage.rounds == 1:
        return stage_name(key.stage)
    return stages.round_name(*key)


def round_in_file_name(state: Tournament, key: RoundKey) -> str:
    """By which the files of a round differ from those of another: 2; where there are several stages, final-1."""
    return str(key.round) if len(state.plan) == 1 else f"{key.stage}-{key.round}"


def day(iso: str) -> str:
    """A date such as 2026-11-21 in the reader's words; what is no date stays as it is."""
    try:
        return format_date(date.fromisoformat(iso), format="long", locale=Locale(language()))
    except ValueError:
        return readable(iso)


def day_in_digits(iso: str) -> str:
    """The same in digits, as people write it who read this language: 4.05.2013, but in English 2013-05-04."""
    try:
        return iso if language() == "en" else format_date(date.fromisoformat(iso), "d.MM.y", Locale(language()))
    except ValueError:
        return readable(iso)


def moment(when: datetime) -> str:
    """Day and minute in the reader's words."""
    return format_datetime(when, format="d MMMM y, HH:mm", tzinfo=when.tzinfo, locale=Locale(language()))


def round_heading(state: Tournament, key: RoundKey) -> dict[str, str]:
    """The same for a document of one round, with its own day; where nobody knows that of a league's round, it is left
    to be written by hand.
    """
    when = day(round_day(state, key))
    if not when and not state.date:
        return heading(state)
    return _headed(state, when or _BY_HAND)


def latest_heading(state: Tournament) -> dict[str, str]:
    """The same for a document of everything so far, with the day of the last round that has a result."""
    return _headed(state, day(latest_day(state)))


def dated_by_hand(state: Tournament) -> dict[str, str]:
    """The same with room to write the day by hand where nobody knows it."""
    found = latest_heading(state)
    return found if latest_day(state) else _headed(state, _BY_HAND)


def latest_day(state: Tournament) -> str:
    """The day of the last round that has a result, else the event's; "" if nobody knows."""
    played = [key for key, one in state.rounds.items() if one.results]
    return round_day(state, played[-1]) if played else state.date


def round_day(state: Tournament, key: RoundKey) -> str:
    """The day of a round, such as 2026-12-04: its own; else the day on which its clock was started; else the event's,
    which of a league is that of its first round alone. "" if nobody knows.
    """
    one = state.rounds.get(key)
    if key in state.dates:
        return state.dates[key]
    if state.ruleset.shape != _LEAGUE or key == RoundKey(state.plan[0].id, 1):
        return state.date
    return "" if one is None or one.clock is None else local(one.clock.starts_ms).date().isoformat()


def heading(state: Tournament) -> dict[str, str]:
    """Which event a document is about: its name, where and when."""
    return _headed(state, day(state.date))


def ordinal(place: int) -> str:
    """A place as it is written within a sentence: 3rd, III, 3º. Polish has Roman numbers as far as people read them."""
    if language() == _POLISH:
        return _ROMAN[place - 1] if place <= len(_ROMAN) else f"{place}."
    if language() == _ITALIAN:
        return f"{place}º"
    ending = "th" if place % 100 in _TEENS else _ENDINGS.get(place % 10, "th")
    return f"{place}{ending}"


def _headed(state: Tournament, when: str) -> dict[str, str]:
    where_and_when = [part for part in (readable(state.town), when) if part]
    return {"event": readable(state.name), "place": ", ".join(where_and_when)}
