"""When other rules come too late: what was scored, seated or entered by the ones before them stays as it is."""

from __future__ import annotations

from typing import Final

from dalej.domain.options import format_value
from dalej.domain.rulesets import schema
from dalej.domain.stagewords import round_said, stage_said
from dalej.domain.tournament import Round, Tournament
from dalej.errors import Refused
from dalej.words import N_

# Besides what is in the section "scoring", results of closed rounds depend on these.
_SCORES: Final = ("jokers", "ranking", "stage_points", "absent_points")
_SCORING: Final = "scoring"
_FORMAT: Final = "format"
_STAGES: Final = "stages"


def touches_results(key: str) -> bool:
    """Whether scores or stages depend on that value of a ruleset."""
    return _scores(key) or schema()[key].section == _FORMAT


def expect_in_time(before: Tournament, after: Tournament) -> None:
    """Refused if the rules of `after` contradict what was played by those of `before`."""
    if before.ruleset == after.ruleset:
        return
    if before.ruleset.id != after.ruleset.id:
        expect_nothing_played(before)
    changed = [rule.key for rule in before.ruleset.rules if rule.value != after.ruleset.rule(rule.key).value]
    _expect_scored_alike(before, changed)
    key = next((one for one in changed if schema()[one].section == _FORMAT), _STAGES)
    for one in before.rounds.values():
        if one.seating is not None or one.results or one.closed is not None:
            _expect_same_shape(before, after, one, key)
    planned, takes = ({stage.id: stage.takes for stage in state.plan} for state in (before, after))
    for stage in [*before.entrants][1:]:
        if stage not in after.entrants or planned[stage] != takes[stage]:
            raise _decided(before, key, stage)


def expect_nothing_played(state: Tournament) -> None:
    """Refused, with the round, if there are results already: they were played by this ruleset."""
    begun = next((one for one in state.rounds.values() if one.results or one.closed), None)
    if begun is not None:
        raise Refused(
            N_("the event stays with {ruleset}: {round} has results already"),
            ruleset=state.ruleset.id, round=round_said(*begun.key),
        )  # fmt: skip


def _scores(key: str) -> bool:
    return key in _SCORES or schema()[key].section == _SCORING


def _expect_scored_alike(before: Tournament, changed: list[str]) -> None:
    closed = next((one for one in before.rounds.values() if one.closed), None)
    key = next((one for one in changed if _scores(one)), None)
    if closed is not None and key is not None:
        raise Refused(
            N_("{key} stays {old}: {round} is closed and scored by it"),
            key=key, old=_old(before, key), round=round_said(*closed.key),
        )  # fmt: skip


def _expect_same_shape(before: Tournament, after: Tournament, one: Round, key: str) -> None:
    """The round as it was played is still a round of its stage, and who went on from there would have gone on."""
    stage = next((stage for stage in after.plan if stage.id == one.key.stage), None)
    games = max((at.game for at in one.results), default=0)
    if stage is None or stage.rounds < one.key.round or stage.games < games:
        raise Refused(
            N_("{key} stays {old}: {round} is seated already, games entered: {games}"),
            key=key, old=_old(before, key), round=round_said(*one.key), games=games,
        )  # fmt: skip
    entered = _stage_after(before, one.key.stage) in before.entrants
    if one.stage.takes != stage.takes or (entered and one.stage.rounds != stage.rounds):
        raise _decided(before, key, one.key.stage)


def _decided(before: Tournament, key: str, stage: str) -> Refused:
    return Refused(
        N_("{key} stays {old}: who plays in {stage}, or after it, is decided already"),
        key=key, old=_old(before, key), stage=stage_said(stage),
    )  # fmt: skip


def _old(before: Tournament, key: str) -> str:
    return format_value(before.ruleset.rule(key))


def _stage_after(state: Tournament, stage: str) -> str:
    """The id of the stage after that one, "" after the last."""
    ids = [*(each.id for each in state.plan), ""]
    return ids[ids.index(stage) + 1]
