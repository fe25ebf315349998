"""What a correction of a result is held against, as any screen shows it: the sheet that is there, and what changes by
it in a round that is closed.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final

from dalej.domain.tournament.tournament import GameAt, Round, Tournament
from dalej.errors import DalejError, WrongInput
from dalej.event.event import Seen
from dalej.office import results
from dalej.office.acts.results import CorrectClosed, WithRacks
from dalej.office.corrections import Bearing, bearing
from dalej.office.notation import with_box, written
from dalej.views.resultwords import names_at
from dalej.words import _, ngettext, said

CHANGES: Final = 12  # that are told; of more there is a count


@dataclass(frozen=True, slots=True)
class SheetThere:
    """Of one game, by seat: `names` of who sits there, `racks` as they would be typed; `ended` None: not entered."""

    names: Mapping[str, str] = field(default_factory=dict)
    racks: Mapping[str, str] = field(default_factory=dict)
    ended: str | None = None


def sheet_there(state: Tournament | None, args: Mapping[str, object]) -> SheetThere:
    """Of the table and the game that an act's arguments name, in their round; nothing if there is no such table."""
    one, table, game = _round_of(state, args), args.get("table"), args.get("game")
    if state is None or one is None or not isinstance(table, int):
        return SheetThere()
    names = names_at(state, one, table)
    result = one.results.get(GameAt(table, game)) if isinstance(game, int) else None
    if result is None or result.sheet is None:
        return SheetThere(names)
    racks = {rack.seat: written(rack) for rack in result.sheet.racks}
    return SheetThere(names, racks, result.sheet.ended)


def _round_of(state: Tournament | None, args: Mapping[str, object]) -> Round | None:
    if state is None:
        return None
    try:
        return results.which(state, str(args["round"]) if args.get("round") else None)
    except DalejError:
        return None


def changed_by(seen: Seen, act: WithRacks, why: str, *, boxed: bool) -> list[str]:
    """What changes by that correction of a round that is closed, and what stands all the same; nothing for any other
    sheet. WrongInput if it cannot be read. `boxed`: a box may know how the game ended, where the racks do not say it.
    """
    entry, one = act.entry(why), results.which(seen.state, act.round or None)
    try:
        entry, _remarks = with_box(entry, None, [*names_at(seen.state, one, act.table)])
    except WrongInput:
        if boxed:
            return []
        raise
    if not isinstance(act, CorrectClosed):
        return []
    return bearing_lines(bearing(seen, one.key, GameAt(act.table, act.game), entry))


def bearing_lines(found: Bearing, most: int = CHANGES) -> list[str]:
    """Of a round that is closed: that it stays so, what changes (so many are named), what stands all the same."""
    changes = [f"· {line}" for line in found.changes[:most]]
    if (rest := len(found.changes) - most) > 0:
        changes.append("· " + ngettext("… and {count} more", "… and {count} more", rest).format(count=rest))
    return [
        _("The round is closed, and stays closed. What is corrected changes:"), *changes,
        *(f"! {said(each.told)}" for each in found.stands),
        "! " + _("What was printed or published before shows the old numbers."),
    ]  # fmt: skip
