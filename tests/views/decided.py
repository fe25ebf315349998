"""A page of an event in which so much was decided."""

from __future__ import annotations

from dalej.event.ledger import Decision
from dalej.office.rulings import claims_answered
from dalej.views.book import Page


def decided(*made: Decision) -> Page:
    return Page(head=max((one.cursor for one in made), default=0), decisions=made, claims=claims_answered(made))
