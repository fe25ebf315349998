"""What moving a player to another chair would change, in sentences, before it is done; and who has met whom."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from dalej.domain.tournament import Round, Seating, Tournament
from dalej.errors import Refused
from dalej.office import moves
from dalej.office.event import Seen, imagined
from dalej.office.moves import Chair
from dalej.office.rearranging import others_moved
from dalej.office.seats import met_before
from dalej.words import N_, _, ngettext, readable


@dataclass(frozen=True, slots=True)
class Company:
    """Whom a player has sat with before, of those at one table: numbers, and how often."""

    met: tuple[tuple[int, int], ...]


def told(seen: Seen, player: int, chair: Chair) -> list[str]:
    """What would be if the player sat there, one sentence each; Refused, saying why not."""
    state = seen.state
    moved = state.players[player]
    before = _place(state, player)
    if chair.table is not None and before == (chair.table, chair.seat):
        raise Refused(N_("{player} sits there already"), player=moved.name)
    after = imagined(seen, moves.move(state, moved, chair).drafts)
    now = _place(after, player)
    if now is None:
        return []
    first = _("{player}: {before} → {now}").format(
        player=readable(moved.name), before=_("no seat") if before is None else moves.chair_name(*before),
        now=moves.chair_name(*now),
    )  # fmt: skip
    others = [
        _("{player}: {before} → {now}").format(
            player=readable(state.players[other].name), before=was or _("no seat"), now=is_now or _("no seat")
        )
        for other, was, is_now in others_moved(state, after, player)
    ]
    return [first, *others, *_meetings(state, after, now[0] if before is None else before[0], now[0])]


def company(state: Tournament, one: Round, seating: Seating) -> dict[int, Company]:
    """Of everybody who is seated: whom at their table they have met in the rounds of that stage before."""
    met = met_before(state, one.key)
    return {
        player: Company(tuple(
            (other, times) for other in table.seated
            if other != player and (times := met.get(frozenset((player, other)), 0))
        ))
        for table in seating.tables for player in table.seated
    }  # fmt: skip


def pairs_met(found: dict[int, Company], players: Sequence[int]) -> int:
    """How many pairs of them have met."""
    return sum(len(found[player].met) for player in players if player in found) // 2


def _meetings(before: Tournament, after: Tournament, *tables: int) -> list[str]:
    """How many pairs who have met would sit together at these tables, if that changes."""
    was, becomes = (_met_at(state, set(tables)) for state in (before, after))
    if was == becomes:
        return []
    said = ngettext(
        "{count} pair there has met before; it was {before}", "{count} pairs there have met before; it was {before}",
        becomes,
    )  # fmt: skip
    return [said.format(count=becomes, before=was)]


def _met_at(state: Tournament, tables: set[int]) -> int:
    one = state.current
    if one is None or one.seating is None:
        return 0
    found = company(state, one, one.seating)
    return sum(pairs_met(found, table.seated) for table in one.seating.tables if table.table in tables)


def _place(state: Tournament, player: int) -> tuple[int, int] | None:
    one = state.current
    return None if one is None or one.seating is None else one.seating.place_of(player)
