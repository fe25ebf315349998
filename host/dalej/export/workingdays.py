"""Working days: Monday to Friday, without the public holidays of the country whose regulation asks for them."""

from __future__ import annotations

from datetime import date, timedelta
from typing import Final

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
    for _ in range(days):
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
