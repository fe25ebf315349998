"""What a screen shows of the tournament and of the tables, as what an act is asked about beforehand. Pure."""

from __future__ import annotations

from collections.abc import Iterable

from dalej.domain.game.facts import STATES
from dalej.office.acts.sight import Sight, TableSight
from dalej.views.book import Page
from dalej.views.phrases import seat_words
from dalej.views.rows import PLAYS, Row


def sight_of(page: Page, rows: Iterable[Row], row: Row | None = None) -> Sight:
    """`row`: the table that the act is about."""
    plays = {one.table: STATES.index(one.state) for one in rows if one.state in PLAYS and one.move}
    table = None if row is None else TableSight(
        table=row.table, game=row.game, move=row.move, whose=seat_words(row.seat, row.name), limit_ms=row.limit_ms
    )  # fmt: skip
    here = {at.table for at, box in page.boxes.items() if box.ended is None}
    return Sight(state=page.state, decisions=page.decisions, plays=dict(sorted(plays.items())), here=here, table=table)
