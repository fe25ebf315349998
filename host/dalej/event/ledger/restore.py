"""A copy of an event in the place of its file: the copy is checked first, what lay there before is kept beside it, and
whatever fails leaves everything as it was.
"""

from __future__ import annotations

import os
import shutil
from contextlib import closing, suppress
from itertools import count
from pathlib import Path

from dalej import drafts
from dalej.errors import Damaged, Refused, Unreachable, WrongInput
from dalej.event.ledger import backup, personal
from dalej.event.ledger.elsewhere import is_elsewhere
from dalej.event.ledger.sqlitefile import (
    JOURNALS,
    SqliteStore,
    all_beside,
    alone,
    beside,
    drop_beside,
    expect_event_file,
)  # fmt: skip
from dalej.words import N_, cause


def put_back(copy: Path, event: Path) -> Path | None:
    """Where the event of before lies now, None if there was none.

    Damaged if the copy is not whole; Refused if the event is in use, or is another one than the copy.
    """
    expect_event_file(copy)
    _expect_place(copy, event)
    try:
        with drafts.draft_of(event) as draft:
            try:
                backup.copy(copy, draft.path, event, with_personal=True)
                with closing(SqliteStore.open(draft.path)) as store:
                    backup.expect_whole(store, named=copy)
            finally:
                drop_beside(draft.path)
            if not os.path.lexists(event):
                draft.put(replace=False)
                return None
            with suppress(Damaged, Unreachable), alone(event):  # of a file that cannot be read nothing is asked
                pass  # what its journal held is in it now
            kept = _kept(event)
            journals = all_beside(event)
            try:
                for journal in journals:  # of an event that cannot be read; it would be replayed onto the copy
                    journal.unlink()
                draft.put()
            except OSError:
                if not journals:  # else only what is kept is all of it
                    _drop(kept)
                raise
            return kept
    except OSError as error:
        raise Unreachable(N_("{file} cannot be written: {reason}"), file=str(event), reason=cause(error)) from error


def _expect_place(copy: Path, event: Path) -> None:
    if event.is_dir() or not event.parent.is_dir():
        raise WrongInput(N_("{file} cannot be an event: expected a file name in an existing folder"), file=str(event))
    if not event.exists():
        for suffix in JOURNALS:
            if beside(event, suffix).exists():
                raise Refused(
                    N_("{file} is gone, but its {beside} is still there: expected a name that is free"),
                    file=str(event), beside=beside(event, suffix).name,
                )  # fmt: skip
        return
    if is_elsewhere(event):
        raise Refused(
            N_("{event} is kept on PostgreSQL, where others may use it: expected a name that is free"), event=str(event)
        )
    if event.samefile(copy):
        raise WrongInput(N_("{file} is the event itself: expected a copy of it"), file=str(copy))
    there, theirs = personal.first_decision(event), personal.first_decision(copy)
    if there and theirs and there != theirs:
        raise Refused(
            N_("{event} is another event than {copy}: expected the one that was copied, or a name that is free"),
            event=str(event), copy=str(copy),
        )  # fmt: skip


def _kept(event: Path) -> Path:
    """A copy of what lies there, whatever it is, under a name that was free."""
    kept = free_name(event)
    try:
        for suffix in ("", *JOURNALS):
            if beside(event, suffix).exists():
                with drafts.draft_of(beside(kept, suffix)) as draft:
                    shutil.copyfile(beside(event, suffix), draft.path)
                    draft.put(replace=False)
    except OSError:
        _drop(kept)
        raise
    return kept


def free_name(event: Path) -> Path:
    """Where what is replaced can lie."""
    names = (event.with_name(f"{event.stem}.replaced-{number}.backup{event.suffix}") for number in count(1))
    return next(name for name in names if not os.path.lexists(name))


def _drop(kept: Path) -> None:
    for suffix in ("", *JOURNALS):
        beside(kept, suffix).unlink(missing_ok=True)
