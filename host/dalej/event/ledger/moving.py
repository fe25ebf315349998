"""An event that has outgrown its file is kept on PostgreSQL from now on; `backup` makes a file of it again."""

from __future__ import annotations

import os
from collections.abc import Collection
from contextlib import ExitStack, closing, suppress
from pathlib import Path

from dalej import drafts
from dalej.errors import DalejError, Refused, Unreachable
from dalej.event.ledger import backup, postgres, restore
from dalej.event.ledger.elsewhere import elsewhere_text, is_elsewhere
from dalej.event.ledger.sqlitefile import SqliteStore, alone, drop_beside
from dalej.event.ledger.store import BUSY_MS, Connection, head
from dalej.event.ledger.tables import ENTRY_TABLES
from dalej.words import N_, cause


def move_in(event: Path, database: str, name: str, fields: Collection[str]) -> Path:
    """Keep the event on PostgreSQL from now on, under that name; of personal data only `fields` go there. Its file says
    where it is then; where it lies as it was, whole, is told. Refused, and nothing done, if anybody has it open, there
    is another one of that name, or the file has more names than one.

    Somebody may have been killed when everything was there, and only the file was not put yet: that is done then.
    """
    if event.is_symlink():
        event = event.resolve()
    with closing(SqliteStore.open(event)) as whole:
        backup.expect_whole(whole)
    try:
        if event.stat().st_nlink > 1:
            raise Refused(N_("{event} has another name as well, under which it would stay as it is"), event=str(event))
        with drafts.draft_of(event) as draft, ExitStack() as held:
            rows = held.enter_context(alone(event))
            there, _count = postgres.events_at(database).get(name, ("", 0))
            made = "" if there and _holds_the_same(rows, event, database, there) else os.urandom(6).hex()
            draft.path.write_bytes(elsewhere_text(made or there, postgres.hushed(database)))
            kept = restore.free_name(event)
            with drafts.draft_of(kept) as copy:
                copy.path.write_bytes(rows.serialize())
                copy.put(replace=False)
            try:
                if made:
                    postgres.create(database, made, name, lambda target: backup.copy_rows(rows, target, fields))
                try:
                    with closing(_opened(event, made or there, database)) as store:
                        backup.expect_whole(store)
                    if os.name == "nt":  # nothing is put in the place of what is open
                        held.close()
                    draft.put()
                except BaseException:
                    if made and not is_elsewhere(event):
                        with suppress(DalejError):
                            postgres.drop(database, made)
                    raise
            except BaseException:
                if not is_elsewhere(event):  # else somebody broke it off when all was done
                    kept.unlink(missing_ok=True)
                raise
    except OSError as error:
        raise Unreachable(N_("{file} cannot be written: {reason}"), file=str(event), reason=cause(error)) from error
    drop_beside(event)
    return kept


def _opened(event: Path, event_id: str, database: str) -> postgres.PostgresStore:
    return postgres.PostgresStore(event, event_id, database, BUSY_MS, read_only=True)


def _holds_the_same(rows: Connection, event: Path, database: str, event_id: str) -> bool:
    """Whether that event has the same entries, and no more."""
    with closing(_opened(event, event_id, database)) as store, store.reading() as there:
        return head(rows) == head(there) and all(
            [*rows.execute(f"SELECT * FROM {table} ORDER BY cursor")]
            == [*there.execute(f"SELECT * FROM {table} ORDER BY cursor")]
            for table in ENTRY_TABLES
        )
