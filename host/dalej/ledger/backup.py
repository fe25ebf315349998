"""A copy of an event in one file, taken while others go on writing.

Personal data stay out of it unless they are asked for: one command erases them from the event, and a copy that nobody
thinks of would keep them.
"""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Final

from dalej import drafts
from dalej.errors import Damaged, Refused, Unreachable, WrongInput
from dalej.ledger import personal
from dalej.ledger.store import in_words, uri
from dalej.words import N_

_BESIDE: Final = ("-wal", "-journal")


def back_up(source: Path, target: Path, overwrite: bool, with_personal: bool) -> None:
    """Copies the last committed state of `source`. `target` appears complete and checked, or not at all."""
    _expect_free(source, target, overwrite)
    try:
        with drafts.draft_of(target) as draft:
            try:
                _copy(source, draft.path, target, with_personal)
            finally:
                for suffix in (*_BESIDE, "-shm"):
                    _beside(draft.path, suffix).unlink(missing_ok=True)
            _expect_free(source, target, overwrite)  # it took a while
            draft.put()
    except OSError as error:
        raise Unreachable(N_("{file} cannot be written: {reason}"), file=str(target), reason=error.strerror) from error


def _expect_free(source: Path, target: Path, overwrite: bool) -> None:
    if target.is_dir() or not target.parent.is_dir():
        raise WrongInput(N_("{file} cannot be a backup: expected a file name in an existing folder"), file=str(target))
    if target.exists() and (not overwrite or target.samefile(source)):
        raise Refused(N_("{file} already exists: expected a name that is free"), file=str(target))
    for suffix in _BESIDE:
        beside = _beside(target, suffix)
        if beside.exists() and beside.stat().st_size:  # it would be replayed onto the backup
            raise Refused(N_("{file} is in use or was not closed: expected a name that is free"), file=str(target))


def _copy(source: Path, part: Path, target: Path, with_personal: bool) -> None:
    """One step of SQLite's backup API is one read transaction: it neither waits for writers nor holds them up."""
    to_blame = source
    try:
        with closing(sqlite3.connect(uri(source.absolute(), "mode=ro"), uri=True)) as original:
            original.execute("PRAGMA schema_version").fetchone()
            to_blame = target
            with closing(sqlite3.connect(part, isolation_level=None)) as copy:
                original.backup(copy)
                personal.strip(copy, whole=not with_personal)
                to_blame = source
                (finding,) = copy.execute("PRAGMA quick_check(1)").fetchone()
    except sqlite3.Error as error:
        raise in_words(to_blame, error) from error
    if finding != "ok":
        raise Damaged(N_("{file} is damaged: {reason}"), file=str(source), reason=finding)


def _beside(path: Path, suffix: str) -> Path:
    return path.with_name(path.name + suffix)
