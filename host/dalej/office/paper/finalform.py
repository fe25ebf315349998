"""The final form: the finalists' data in block capitals, to be signed and sent to the organiser of the championship,
with the working day by which it is due: Monday to Friday, without the public holidays of the country whose regulation
asks for them.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import date, timedelta
from typing import Final

from dalej.domain.tournament.standings import Line
from dalej.domain.tournament.tournament import Tournament
from dalej.office.finalists import Asked, filled, lacking_consent, lacks_consent, last_day, places
from dalej.office.paper.formats import pdf
from dalej.office.paper.naming import day, day_in_digits, heading
from dalej.words import _, readable

_SATURDAY: Final = 5
# Month and day of those that stay, and the year from which on the young ones are; the others follow Easter.
_FIXED: Final = {
    "pl": ((1, 1), (1, 6), (5, 1), (5, 3), (8, 15), (11, 1), (11, 11), (12, 24), (12, 25), (12, 26)),
    "it": ((1, 1), (1, 6), (4, 25), (5, 1), (6, 2), (8, 15), (10, 4), (11, 1), (12, 8), (12, 25), (12, 26)),
}
_SINCE: Final = {("pl", 12, 24): 2025, ("it", 10, 4): 2026}
_AFTER_EASTER: Final = {"pl": (1, 60), "it": (1,)}  # Easter Monday, Corpus Christi


def after(start: date, days: int, country: str) -> date:
    """The last of `days` working days after `start`; a country that is not known here has only week-ends."""
    found = start
    for _day in range(days):
        found += timedelta(days=1)
        while found.weekday() >= _SATURDAY or is_holiday(found, country):
            found += timedelta(days=1)
    return found


def is_holiday(day: date, country: str) -> bool:
    """Whether it is a public holiday that may fall on a working day."""
    moving = (easter(day.year) + timedelta(days=days) for days in _AFTER_EASTER.get(country, ()))
    fixed = (day.month, day.day) in _FIXED.get(country, ())
    return (fixed and day.year >= _SINCE.get((country, day.month, day.day), 0)) or day in moving


def easter(year: int) -> date:
    """Easter Sunday of the Gregorian calendar: the Sunday after the first full moon of spring, as the church counts."""
    golden, century = year % 19, year // 100
    shift = (century - century // 4 - (8 * century + 13) // 25 + 19 * golden + 15) % 30
    moon = shift - shift // 28 * (1 - shift // 28 * (29 // (shift + 1)) * ((21 - golden) // 11))
    weekday = (year + year // 4 + moon + 2 - century + century // 4) % 7
    sunday = moon - weekday
    month = 3 + (sunday + 40) // 44
    return date(year, month, sunday + 28 - 31 * (month // 4))


SIGNED: Final = 3  # who signs: the first three


def final_form(state: Tournament, people: Sequence[Line], asked: Mapping[int, Asked]) -> bytes:
    """The form; `people` as `finalists` gives them. Places stay blank until everything has been played, and whatever is
    not known is a line to write on.
    """
    place = places(state, people)
    return pdf(
        "form",
        _("Final form"),
        {
            **heading(state), "words": _words(), "due": _due(state), "name": _capitals(state.name),
            "date": _capitals(day(last_day(state))),
            "warning": lacking_consent(state, people, asked),
            "people": [
                _person(state, line.player, place.get(line.player), filled(state, asked, line.player))
                for line in people
            ],
        },
    )  # fmt: skip


def _words() -> dict[str, str]:
    return {
        "form": _("Final form"), "capitals": _("To be filled in with BLOCK CAPITALS."),
        "event": _("Name of the event"), "date": _("Date of the event"), "place": _("Place"),
        "first_name": _("First name"), "surname": _("Surname"), "town": _("Town"), "born": _("Date of birth"),
        "email": _("E-mail address"), "phone": _("Contact phone of the winner"), "signature": _("Signature"),
        "consent": _("Parent’s consent on file"), "yes": _("yes"), "no": _("no"), "missing": _("CONSENT MISSING"),
        "referee": _("Head referee"), "made": _("Town and date"),
    }  # fmt: skip


def _person(state: Tournament, player: int, place: int | None, asked: Asked) -> dict[str, object]:
    return {
        "place": "" if place is None else str(place),
        **{field: _capitals(asked.get(field, "")) for field in ("first_name", "surname", "town", "email")},
        "player": readable(state.players[player].name),
        "born": day_in_digits(asked.get("born", "")),
        "phone": _capitals(asked.get("phone", "")) if place == 1 else "",
        "asks_phone": place == 1,
        "signs": place is None or place <= SIGNED,
        "consent": state.players[player].consent,
        "lacks": lacks_consent(state, player, asked.get("born", "")),
    }


def _due(state: Tournament) -> str:
    """By when it must have been sent, "" where that cannot be said."""
    days = state.ruleset.form_working_days
    try:
        closed = date.fromisoformat(last_day(state))
    except ValueError:
        return ""
    if days is None:
        return ""
    due = after(closed, days, state.ruleset.language)
    return _("To be sent to the organiser by {date} ({clause}).").format(
        date=day(due.isoformat()), clause=state.ruleset.clause("form_working_days")
    )


def _capitals(text: str) -> str:
    return readable(text).upper()
