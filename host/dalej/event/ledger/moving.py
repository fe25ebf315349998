"""An event that has outgrown its file is kept on PostgreSQL from now on; `backup` makes a file of it again."""

from __future__ import annotations

import os
from collections.abc import Collection
from contextlib import ExitStack, closing
from pathlib import Path

from dalej import drafts
from dalej.errors import Unreachable
from dalej.event.ledger import backup, postgres, restore
from dalej.event.ledger.elsewhere import elsewhere_text
from dalej.event.ledger.sqlitefile import SqliteStore
from dalej.words import N_, cause


def move_in(event: Path, database: str, name: str, fields: Collection[str]) -> Path:
    """Keep the event on PostgreSQL from now on, under that name; of personal data only `fields` go there. Its file says
    where it is then; where it lies as it was, whole, is told. Refused if anybody has it open, or there is one of that
    name; nothing is done then.
    """
    restore.expect_unused(event)
    event_id, shown = os.urandom(6).hex(), postgres.hushed(database)
    try:
        with drafts.draft_of(event) as draft:
            draft.path.write_bytes(elsewhere_text(event_id, shown))
            with ExitStack() as held:
                source = held.enter_context(closing(SqliteStore.open(event)))
                rows = held.enter_context(source.alone())
                postgres.create(database, event_id, name, lambda target: backup.copy_rows(rows, target, fields))
                kept = restore.free_name(event)
                with drafts.draft_of(kept) as copy:
                    backup.copy(event, copy.path, kept, with_personal=True)
                    copy.put(replace=False)
                if os.name == "nt":  # nothing is put in the place of what is open
                    held.close()
                draft.put()
            restore.drop_beside(event)
    except OSError as error:
        raise Unreachable(N_("{file} cannot be written: {reason}"), file=str(event), reason=cause(error)) from error
    with closing(postgres.PostgresStore.open(event)) as store:
        backup.expect_whole(store)
    return kept
