"""What stages and rounds are called where people read of them. Programs, files and the command line keep the ids.

A stage and its round are two parts that a comma keeps apart, so that no language has to put either into a case.
"""

from __future__ import annotations

from typing import Final

from dalej.domain.tournament import Tournament
from dalej.errors import DalejError
from dalej.words import N_, _, said

_STAGES: Final = {
    "league": N_("League"), "preliminaries": N_("Preliminaries"), "semifinal": N_("Semifinal"), "final": N_("Final"),
    "series": N_("Series"),
}  # fmt: skip


def stage_said(stage: str) -> DalejError:
    """A stage as a part of an error's sentence, which `dalej.words.said` puts into the reader's language."""
    return DalejError(_STAGES[stage]) if stage in _STAGES else DalejError("{stage}", stage=stage)


def round_said(stage: str, number: int) -> DalejError:
    """A round as a part of an error's sentence."""
    return DalejError(N_("{stage}, round {round}"), stage=stage_said(stage), round=number)


def stage_name(stage: str) -> str:
    """A stage as people call it; one that an organiser named keeps its name."""
    return said(stage_said(stage))


def round_name(stage: str, number: int) -> str:
    """Stage and round, both in the reader's words."""
    return said(round_said(stage, number))


def corrections(state: Tournament, stage: str | None) -> list[str]:
    """A sentence for each closed round, of that stage or of any, that counts other numbers than when it was closed."""
    return [
        _("{round} was corrected after it was closed: {games}.").format(
            round=round_name(*one.key),
            games=", ".join(_("table {table}, game {game}").format(table=at.table, game=at.game) for at in games),
        )
        for one in state.rounds.values() if stage in (None, one.key.stage) and (games := one.corrected())
    ]  # fmt: skip
