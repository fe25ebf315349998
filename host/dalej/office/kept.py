"""What no change may lose by the way: a round that is seated, the stage that was entered."""

from __future__ import annotations

from collections.abc import Collection

from dalej.domain.stagewords import round_said, stage_said
from dalej.domain.tournament import ADVANCED, SEATING, Round, Tournament
from dalej.errors import Refused
from dalej.words import N_


def expect_kept(before: Tournament, after: Tournament, taken_back: Collection[str] = ()) -> None:
    """Refused if a round that is seated or a stage that was entered would be no part of the tournament any more,
    unless that very seating or entry is `taken_back` (their subjects).
    """
    for key, one in before.rounds.items():
        if key not in after.rounds and _decided(one) and f"{SEATING}:{key.stage}:{key.round}" not in taken_back:
            raise Refused(N_("{round} would be no part of the event"), round=round_said(*key))
    for stage in [*before.entrants][1:]:
        if stage not in after.entrants and f"{ADVANCED}:{stage}" not in taken_back:
            raise Refused(
                N_("{stage} would be no part of the event, though it is decided who plays in it"),
                stage=stage_said(stage),
            )


def _decided(one: Round) -> bool:
    return bool(one.seating or one.results or one.closed or one.clock)
