"""Copies of a centre whole: PostgreSQL's own programs make them and put them back."""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path
from typing import TYPE_CHECKING, Final

from dalej import drafts
from dalej.errors import DalejError, Refused, Unreachable, WrongInput
from dalej.event.ledger.postgres import in_environment
from dalej.words import N_, cause

if TYPE_CHECKING:
    from dalej.centre.mirror import Mirror

_DUMP: Final = "pg_dump"
_RESTORE: Final = "pg_restore"
_BEGINS: Final = b"PGDMP"


def back_up(database: str, file: Path) -> None:
    """All that is in the database, in one file that is there whole or not at all; Refused if its name is taken."""
    if file.exists():
        raise Refused(N_("{file} already exists: expected a name that is free"), file=str(file))
    try:
        with drafts.draft_of(file) as draft:
            _run(database, _DUMP, "--format=custom", f"--file={draft.path}")
            draft.put(replace=False)
    except OSError as error:
        raise Unreachable(N_("{file} cannot be written: {reason}"), file=str(file), reason=cause(error)) from error


def put_back(database: str, mirror: Mirror, file: Path) -> None:
    """What that file holds into an empty database, all of it or nothing; Refused if it is not empty."""
    if not file.is_file():
        raise WrongInput(N_("{file} does not exist: expected a copy of a centre"), file=str(file))
    with file.open("rb") as opened:
        if opened.read(len(_BEGINS)) != _BEGINS:
            raise WrongInput(N_("{file} is no copy of a centre: expected one that pg_dump made"), file=str(file))
    mirror.expect_empty()
    name = in_environment(database).get("PGDATABASE", "")
    _run(database, _RESTORE, "--exit-on-error", "--single-transaction", "--no-owner", f"--dbname={name}", str(file))


def _run(database: str, program: str, *args: str) -> None:
    """With the address in its environment: what is typed others can read, and there may be a password in it."""
    found = shutil.which(program)
    if found is None:
        raise WrongInput(N_("{program} is not there: it comes with PostgreSQL"), program=program)
    done = subprocess.run(
        [found, "--no-password", *args], env={**os.environ, **in_environment(database)}, stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, check=False,
    )  # fmt: skip
    if done.returncode:
        lines = done.stderr.decode(errors="replace").strip().splitlines() or [str(done.returncode)]
        said = DalejError("{line}", line=lines[0][:200])
        raise Unreachable(N_("{program} could not do it: {reason}"), program=program, reason=said)
