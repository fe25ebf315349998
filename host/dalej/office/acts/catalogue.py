"""Every act by its name, in the order in which they are offered, and what all of them ask of a reason."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from dalej.errors import DalejError, WrongInput
from dalej.office.acts import (
    clocks,
    games,
    players,
    printing,
    restoring,
    results,
    rounds,
    rulings,
    sessions,
    settings,
    undoing,
)
from dalej.office.acts.act import Act
from dalej.office.acts.roles import Role
from dalej.words import N_

_ALL: Final[tuple[type[Act], ...]] = (
    # the clock of a table
    clocks.Stop, clocks.Resume, clocks.SetTime, clocks.GiveTime, clocks.RestartMove, clocks.SetSeat, clocks.SetBank,
    clocks.Blink, clocks.Fetch,
    # its games
    games.Start, games.FinalLap, games.EndGame, games.ReopenGame, games.Redeal, games.NextGame,
    # rulings
    rulings.Rule, rulings.GrantClaim, rulings.DenyClaim, rulings.Revoke, rulings.Tie,
    # people
    players.Warn, players.Exclude, players.Withdraw, players.Back, players.SignUpOne, players.SignUpList,
    players.ChangePlayer,
    # results
    results.EnterResult, results.EnterResults, results.CorrectResult, results.ConfirmResult, results.ReopenResult,
    # the hall and its rounds
    clocks.StopHall, clocks.ResumeHall, rounds.DrawSeating, rounds.MovePlayer, rounds.LockSeating, rounds.Absent,
    rounds.Present, players.Unseat, players.OpenTable, rounds.DateRound, rounds.StartRound, rounds.CloseRound,
    rounds.ReopenRound, rounds.Advance, printing.Print,
    # settings, and what was decided
    settings.SetOption, clocks.SendSettings, undoing.Undo, restoring.Restore, sessions.EndSessions,
)  # fmt: skip

ACTS: Final[Mapping[str, type[Act]]] = {act.name: act for act in _ALL}
WHY_MOST: Final = 500


def allowed(role: Role) -> list[type[Act]]:
    """What that role may be offered, in the order of the catalogue."""
    return [act for act in ACTS.values() if act.offered and role in act.roles]


def expect_reason(act: type[Act] | None, why: str) -> None:
    """WrongInput if it is no reason that can be kept (half a character, or a book), or none where the act needs one."""
    if len(why) > WHY_MOST or any("\ud800" <= sign <= "\udfff" for sign in why):
        raise WrongInput(N_("the reason cannot be kept, expected up to {most} readable characters"), most=WHY_MOST)
    if act is not None and act.why and not why.strip():
        raise WrongInput(N_("{act}: say why, it is kept with the decision"), act=DalejError(act.title))
