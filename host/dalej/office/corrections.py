"""Results of a round that is closed, corrected in one step: the round stays closed, and what its closing had checked is
checked again. What such a step changes is known before it is done: places, whose order was the head referee's, what a
second person must look at again, and what stands as the old numbers had it.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from dalej.domain.tournament.fold import standings
from dalej.domain.tournament.tournament import GameAt, RoundKey, Tournament
from dalej.event.event import Seen, imagined
from dalej.office.effect import counted_apart, places
from dalej.office.grounds import Stands, decided_from
from dalej.office.notation import Entry
from dalej.office.players import listed
from dalej.office.results import Correction, enter
from dalej.office.rounds import REQUIRED
from dalej.words import _, readable, who_said


@dataclass(frozen=True, slots=True)
class Bearing:
    """What a correction changes, in sentences without their stops, and what stands as it was decided before it."""

    changes: tuple[str, ...]
    stands: tuple[Stands, ...]


def bearing(seen: Seen, key: RoundKey, at: GameAt, entry: Entry) -> Bearing:
    """Of that sheet in the place of the one that is there, or of a lost one; errors as of `results.enter`."""
    before = seen.state
    after = imagined(seen, enter(before, key, {at: entry}, Correction("")).drafts)
    moved = [*places(before, after, counted_apart(before, key))] or [_("nobody's place or points change")]
    changes = (*moved, *_orders_lost(before, after, key.stage), *_unconfirmed(before, after, key, at))
    return Bearing(changes, tuple(decided_from(Seen(seen.decisions, after, seen.head), key)))


def _orders_lost(before: Tournament, after: Tournament, stage: str) -> Iterator[str]:
    """Orders by the head referee that do not count as they did, because somebody's points are others."""
    was, now = ({line.player: (line.big, line.small) for line in standings(one, stage)} for one in (before, after))
    for tie in before.ties.get(stage, ()):
        level = [player for player in tie.order if was.get(player) == tie.points]
        if tie.points is not None and len(level) > 1 and any(now.get(player) != tie.points for player in level):
            yield _("the head referee's order of {players} counts only for those who are still level").format(
                players=readable(listed(after.players[player] for player in level))
            )


def _unconfirmed(before: Tournament, after: Tournament, key: RoundKey, at: GameAt) -> Iterator[str]:
    if after.ruleset.check_results == REQUIRED:
        yield _("nothing goes on before a second person has confirmed table {table} again ({clause})").format(
            table=at.table, clause=readable(after.ruleset.clause("check_results"))
        )
        return
    there = before.rounds[key].results.get(at)
    if there is not None and there.confirmed is not None:
        yield _("{who} has confirmed the old result of table {table}, and nobody the new one").format(
            who=who_said(there.confirmed.who), table=at.table
        )
