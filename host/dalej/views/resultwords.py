"""How the tables of a round stand: which games are in, who entered them, what the box says, who has to look again.
Pure.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from dalej.domain.game.games import BoxGame
from dalej.domain.game.sentences import word
from dalej.domain.tournament.tournament import GameAt, Result, Round, Tournament
from dalej.office.halls import halls_of
from dalej.office.rounds import REQUIRED
from dalej.views.book import Page
from dalej.words import _, ngettext, readable, who_said

CONFIRMED, ENTERED, MISSING, READY, UNPLAYED = "✔", "●", "○", "◐", "–"


@dataclass(frozen=True, slots=True)
class Standing:
    """How a table stands: games entered and confirmed of so many; `waits`: a game is over and its racks are not in."""

    table: int
    games: int
    entered: int
    confirmed: int
    waits: bool

    @property
    def complete(self) -> bool:
        return self.entered == self.games


def standing(page: Page, one: Round, table: int) -> Standing:
    """Of that table of the round."""
    results = [result for at, result in one.results.items() if at.table == table]
    missing = [at for at in one.missing() if at.table == table]
    waits = any(is_over(page.boxes.get(at)) for at in missing)
    confirmed = sum(result.confirmed is not None for result in results)
    return Standing(table, one.stage.games, len(results), confirmed, waits)


def tables_of(one: Round | None) -> list[int]:
    """In their order."""
    return [] if one is None else one.tables()


def is_in(stands: Standing, *, checked: bool) -> bool:
    """Whether nothing is to be done there any more. `checked`: the ruleset wants a second person."""
    return stands.complete and (not checked or stands.confirmed == stands.games)


def wants_check(state: Tournament | None) -> bool:
    """Whether a second person must confirm results."""
    return state is not None and state.ruleset.check_results == REQUIRED


def progress_words(state: Tournament | None, one: Round | None) -> str:
    """`12 of 15 games in, 9 confirmed`; "" while nobody is seated."""
    entered = entered_words(state, one)
    if one is None or not entered:
        return ""
    confirmed = sum(one.results[at].confirmed is not None for at in one.entered())
    return f"{entered} · " + _("{confirmed} confirmed").format(confirmed=confirmed)


def entered_words(state: Tournament | None, one: Round | None) -> str:
    """`12 of 15 games in`; at the centre of several halls with how each of them stands; "" while nobody is seated."""
    if state is None or one is None or one.seating is None:
        return ""
    entered = [at.table for at in one.entered()]
    missing = [at.table for at in one.missing()]
    total = len(entered) + len(missing)
    games = ngettext("{entered} of {count} game in", "{entered} of {count} games in", total)
    said = [games.format(entered=len(entered), count=total)]
    for hall in halls_of(state, one):
        there = [table for table in entered if table in state.halls[hall]]
        awaited = len(there) + sum(table in state.halls[hall] for table in missing)
        stands = f"{len(there)}/{awaited}"
        if one.given is None and one.returns:
            stands = _("not complete yet") if hall in one.returns else _("complete")
        said.append(f"{readable(hall)}: {stands}")
    return " · ".join(said)


def game_mark(result: Result | None, box: BoxGame | None) -> str:
    """One sign for a game."""
    if result is None:
        return READY if is_over(box) else MISSING
    if result.confirmed is not None:
        return CONFIRMED
    return UNPLAYED if result.sheet is None else ENTERED


def box_words(box: BoxGame | None, names: Mapping[str, str]) -> str:
    """What the box says of a game; "" where there is none."""
    if box is None:
        return ""
    if box.ended is None:
        return _("under way")
    who = names.get(box.winner or "", box.winner or "")
    return f"{word(box.ended)}: {who}" if who else word(box.ended)


def names_at(state: Tournament, one: Round, table: int) -> dict[str, str]:
    """Names by the letters of the seats where somebody sits."""
    seats = None if one.seating is None else one.seating.at(table)
    if seats is None:
        return {}
    return {
        letter: readable(state.players[player].name)
        for letter, player in zip("ABCD", seats.players, strict=True)
        if player
    }


def table_words(page: Page, one: Round, table: int) -> str:
    """Who sits there, and what its box says of the game it has told of last."""
    if page.state is None:
        return ""
    names = names_at(page.state, one, table)
    who = ", ".join(f"{letter} {name}" for letter, name in names.items())
    said = [_("Table {table}").format(table=table) + f" · {who}"]
    if (latest := last_told(page, one, table)) is not None:
        box = _("the box says")
        said.append(f"{box} · {latest.game}: {box_words(page.boxes[latest], names)}")
    return "\n".join(said)


def last_told(page: Page, one: Round, table: int) -> GameAt | None:
    """The last game of that table of which its box has told."""
    ats = (GameAt(table, game) for game in range(one.stage.games, 0, -1))
    return next((at for at in ats if at in page.boxes), None)


def stands_words(page: Page, one: Round, ats: Sequence[GameAt], checked: bool) -> tuple[str, str]:
    """How the table stands in words, and the look of that."""
    over = [str(at.game) for at in ats if at not in one.results and is_over(page.boxes.get(at))]
    if over:
        return _("{game} over, racks missing").format(game=", ".join(over)), "urgent"
    missing = [str(at.game) for at in ats if at not in one.results]
    if missing:
        return _("{game} missing").format(game=", ".join(missing)), "patient"
    marks = [one.results[at].confirmed for at in ats]
    if all(marks) and (last := marks[-1]) is not None:
        return f"{CONFIRMED} {who_said(last.who)}", "runs"
    by = ", ".join(dict.fromkeys(who_said(one.results[at].mark.who) for at in ats))
    if checked:
        return _("to confirm · {who}").format(who=by), "stands"
    return _("in · {who}").format(who=by), ""


def is_over(box: BoxGame | None) -> bool:
    """Whether a box says that its game has ended."""
    return box is not None and box.ended is not None
