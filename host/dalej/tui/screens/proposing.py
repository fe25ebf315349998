"""What a move of a player would change, why it may not be, and what there is to know of whoever the cursor is on."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from dalej.domain.tournament import Player, Tournament
from dalej.errors import DalejError
from dalej.office import moves, reseating
from dalej.office.event import Seen
from dalej.office.moves import Chair
from dalej.office.rearranging import off_the_chair
from dalej.office.reseating import Company
from dalej.tui.widgets.bench import Part
from dalej.tui.widgets.seatingplan import Spot
from dalej.words import _, ngettext, readable, said

MET: Final = "↺"
LINES: Final = 3  # for which there is room

Target = Spot | Part | None


def proposal(seen: Seen | None, player: int, target: Target) -> tuple[str, list[str]]:
    """Why not, "" if it may be; and what would change."""
    state = None if seen is None else seen.state
    if seen is None or state is None or target is None:
        return "", []
    moved = state.players[player]
    try:
        if target == "free":
            return _to_free(state, moved)
        if target == "absent":
            off_the_chair(state, moved)
            return "", [_("{player} misses this round").format(player=readable(moved.name))]
        if not isinstance(target, Spot):
            return "", reseating.told(seen, player, Chair(None))
        if sits_at(state, player) == (target.table, target.seat):
            return "", [_("it sits here: let go and nothing changes")]
        return "", reseating.told(seen, player, Chair(target.table, target.seat))
    except DalejError as problem:
        return said(problem), []


def sits_at(state: Tournament, player: int) -> tuple[int, int] | None:
    """Table and seat, None without a chair."""
    one = state.current
    return None if one is None or one.seating is None else one.seating.place_of(player)


def called(state: Tournament | None, player: int) -> str:
    """By name, "" for nobody."""
    known = None if state is None else state.players.get(player)
    return "" if known is None else readable(known.name)


def about(state: Tournament, known: Player, company: Company | None) -> list[str]:
    """Who that is, where they sit, and whom they have met there. `company`: None where that is not known."""
    one = state.current
    at = sits_at(state, known.number)
    parts = [_("{name} (number {number})").format(name=readable(known.name), number=known.number)]
    if known.group:
        parts.append(readable(known.group))
    if at is not None:
        parts.append(moves.chair_name(*at))
    if one is not None and known.number in one.absent:
        parts.append(_("absent"))
    lines = [" · ".join(parts)]
    if company is not None:
        met = [
            ngettext("{player} (once)", "{player} ({count} times)", times).format(
                player=readable(state.players[other].name), count=times
            )
            for other, times in company.met
        ]
        lines.append(
            _("{mark} has sat with: {players}").format(mark=MET, players=", ".join(met)) if met
            else _("has sat with nobody at this table before")
        )  # fmt: skip
    return lines


def in_room(lines: Sequence[str]) -> str:
    """At most three lines; what does not fit stands beside the last."""
    shown = list(lines)
    if len(shown) > LINES:
        shown = [*shown[: LINES - 1], " · ".join(shown[LINES - 1 :])]
    return "\n".join(shown)


def _to_free(state: Tournament, player: Player) -> tuple[str, list[str]]:
    one = state.current
    if one is not None and player.number in one.absent:
        return "", [_("{player} is there after all, without a chair yet").format(player=readable(player.name))]
    if sits_at(state, player.number) is not None:
        return _("Who plays needs a chair: drop {player} on ABSENT to miss the round.").format(
            player=readable(player.name)
        ), []
    return "", [_("it has no chair: let go and nothing changes")]
