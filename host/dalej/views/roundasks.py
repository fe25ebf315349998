"""What somebody should know before the clock of a round starts or the round is closed: boxes that still play, tables
that nobody has confirmed. Pure.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable
from typing import Final

from dalej.domain.tournament.stages import round_name
from dalej.domain.tournament.tournament import Round, Tournament
from dalej.office.rounds import unconfirmed
from dalej.views.book import Page
from dalej.views.rows import Row
from dalej.words import _, ngettext

_PLAYS: Final = ("running", "expired", "stopped")
_NAMED: Final = 12  # tables that are named one by one


def still_play(page: Page, rows: Iterable[Row]) -> tuple[list[int], list[int]]:
    """Tables at which a game of the round at work goes on, and those where one does that began before it was seated."""
    play = sorted(row.table for row in rows if row.state in _PLAYS and row.move)
    here = {at.table for at, box in page.boxes.items() if box.ended is None}
    return [table for table in play if table in here], [table for table in play if table not in here]


def before_start(state: Tournament, one: Round, earlier: Collection[int]) -> list[str]:
    """`earlier`: tables where a game goes on that began before the round was seated."""
    lines = []
    if one.clock is not None:
        lines.append(_("The clock of this round runs already; it would begin anew."))
    if earlier:
        before = [other for other in state.rounds.values() if other.closed is not None]
        if before:
            said = ngettext("{count} box still plays {round}: table {tables}.",
                            "{count} boxes still play {round}: tables {tables}.", len(earlier))  # fmt: skip
            lines.append(
                said.format(count=len(earlier), round=round_name(*before[-1].key), tables=tables_words(earlier))
            )
        else:
            said = ngettext("{count} box still plays a game from before this round: table {tables}.",
                            "{count} boxes still play games from before this round: tables {tables}.",
                            len(earlier))  # fmt: skip
            lines.append(said.format(count=len(earlier), tables=tables_words(earlier)))
    return lines


def usual_minutes(state: Tournament) -> str:
    """How long the round is: as the ruleset says, else as long as the last one that had a clock; "" if nobody knows."""
    length_ms = state.ruleset.round_time_ms
    if length_ms is None:
        clocks = [one.clock for one in state.rounds.values() if one.clock is not None]
        length_ms = max(clocks, key=lambda clock: clock.starts_ms).length_ms if clocks else None
    return "" if length_ms is None else str(length_ms // 60_000)


def before_closing(one: Round, playing: Collection[int]) -> list[str]:
    """`playing`: tables where a game of the round goes on."""
    lines = []
    if playing:
        said = ngettext("{count} box still plays this round: table {tables}.",
                        "{count} boxes still play this round: tables {tables}.", len(playing))  # fmt: skip
        lines.append(said.format(count=len(playing), tables=tables_words(playing)))
    if open_ones := unconfirmed(one):
        said = ngettext("No second person has confirmed the results of {count} table: {tables}.",
                        "No second person has confirmed the results of {count} tables: {tables}.",
                        len(open_ones))  # fmt: skip
        lines.append(said.format(count=len(open_ones), tables=tables_words(open_ones)))
    return lines


def tables_words(tables: Collection[int]) -> str:
    """`1, 2, 5`; of very many the first ones."""
    first = ", ".join(map(str, sorted(tables)[:_NAMED]))
    return first if len(tables) <= _NAMED else f"{first}, …"
