"""Points as people read them, on a screen and on paper. Programs get plain whole numbers with an ASCII minus."""

from __future__ import annotations

MINUS = "−"


def gained(points: int) -> str:
    """What a game has brought: +34, −12, 0."""
    return signs(f"{points:+d}") if points else "0"


def total(points: int) -> str:
    """A sum of games: 34, −12, 0."""
    return signs(str(points))


def signs(number: str) -> str:
    """A written number with the minus that people write."""
    return number.replace("-", MINUS)


class Points(int):
    """A number that a sentence's template writes as people do, whatever format it asks for."""

    def __format__(self, form: str) -> str:
        return signs(super().__format__(form))
