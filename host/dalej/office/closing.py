"""A round closed with a copy of the event beside it, and opened again knowingly."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from dalej.domain.tournament import RoundKey
from dalej.errors import DalejError
from dalej.ledger import Decision
from dalej.office import rounds
from dalej.office.event import Event


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


def reopen(event: Event, at: RoundKey, why: str) -> list[Decision]:
    """Opens it again; Refused as `rounds.reopen` says."""
    return event.change_seen(lambda seen: rounds.reopen(seen, at, why))
