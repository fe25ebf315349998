"""A round closed with a copy of the event beside it, and opened again knowingly."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from dalej.domain.stagewords import round_said
from dalej.domain.tournament import CLOSED, RoundKey
from dalej.errors import DalejError, Refused
from dalej.ledger import Decision
from dalej.office import rounds
from dalej.office.event import Change, Event, Seen
from dalej.words import N_


@dataclass(frozen=True, slots=True)
class Closing:
    """`copy`: of the event; `problem`: why there is none. The round stays closed if the copy cannot be made."""

    key: RoundKey
    made: Sequence[Decision]
    copy: Path
    problem: DalejError | None


def close(event: Event, anyway: str = "") -> Closing:
    """Closes the round at work; Refused as `rounds.close` says."""
    key = rounds.seated(event.state()).key
    made = event.change(lambda state: rounds.close(state, anyway))
    copy = backup_of(event.ledger.path, key)
    try:
        event.ledger.backup(copy, overwrite=True)
    except DalejError as problem:
        return Closing(key, made, copy, problem)
    return Closing(key, made, copy, None)


def backup_of(event: Path, key: RoundKey) -> Path:
    """Where the copy of a closed round lies."""
    return event.with_name(f"{event.stem}.{key.stage}-{key.round}.backup.dalej")


def falling(seen: Seen, at: RoundKey, why: str) -> list[Decision]:
    """What a reopening takes back besides the closing itself, as far as it counted."""
    revoked = {draft.revokes for draft in rounds.reopen(seen, at, why).drafts}
    latest = {one.subject: one for one in seen.decisions if one.cursor in revoked}
    return [one for one in latest.values() if one.kind != CLOSED]


def reopen(event: Event, at: RoundKey, why: str, expected: Sequence[Decision]) -> list[Decision]:
    """Opens it again; Refused if other decisions would fall with it than the `expected` ones."""

    def plan(now: Seen) -> Change:
        if falling(now, at, why) != list(expected):
            raise Refused(N_("{round}: somebody has decided something after it in the meantime: look at it again"),
                          round=round_said(*at))  # fmt: skip
        return rounds.reopen(now, at, why)

    return event.change_seen(plan)
