"""What goes on at a table beside its game: racks that its players have written down, a word that was sent there."""

from __future__ import annotations

from dalej.domain.tournament.tournament import GameAt
from dalej.office.results import seats_of
from dalej.office.tableracks import written_at
from dalej.office.tablewords import word_at
from dalej.views.book import Page
from dalej.words import _, readable, who_said


def beside_the_game(page: Page, table: int, now_ms: int) -> list[str]:
    """In sentences. `now_ms`: Unix time."""
    return [one for one in (_racks(page, table), _word(page, table, now_ms)) if one]


def _racks(page: Page, table: int) -> str:
    """What its players have written down on their phone, and who of them does not agree yet; "" for nothing."""
    one, state = page.round, page.state
    at_table = None if one is None or one.seating is None else one.seating.at(table)
    if one is None or state is None or at_table is None:
        return ""
    for game in range(1, one.stage.games + 1):
        at = GameAt(table, game)
        written = None if at in one.results else written_at(page.by_tables, one.key, at)
        if written is not None:
            seats = [seat for seat, player in seats_of(at_table).items() if state.players[player].gone is None]
            told = _("Written by the table, game {game}: {racks}.").format(
                game=game, racks=", ".join(f"{seat} {text}" for seat, text in sorted(written.racks.items()))
            )
            lacks = _("Not agreed yet: {seats}.").format(seats=", ".join(written.lacks(seats)))
            return readable(f"{told} {lacks}")
    return ""


def _word(page: Page, table: int, now_ms: int) -> str:
    word = word_at(page.by_tables, table, now_ms)
    if word is None:
        return ""
    template = _("{who} has told the table: {words}. It was read.")
    if not word.read:
        template = _("{who} has told the table: {words}. Nobody there has touched it yet.")
    return readable(template.format(who=who_said(word.who), words=word.words))
