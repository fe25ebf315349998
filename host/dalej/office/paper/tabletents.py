"""Numbers to stand on the tables: a sheet for each, folded once, to be read from both sides."""

from __future__ import annotations

from collections.abc import Iterable

from dalej.domain.tournament.tournament import Tournament
from dalej.office.paper.formats import pdf
from dalej.office.paper.naming import heading
from dalej.words import _


def tents_pdf(state: Tournament, tables: Iterable[int]) -> bytes:
    """A page for each."""
    data = {**heading(state), "table": _("Table"), "fold": _("fold here"), "tables": [str(table) for table in tables]}
    return pdf("numbers", _("Table numbers"), data)
