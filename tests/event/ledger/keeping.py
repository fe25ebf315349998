"""Where the events of a test are kept: in files of their own, or on a PostgreSQL."""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from dalej.event.ledger import Ledger, postgres
from dalej.event.ledger.elsewhere import write_elsewhere

IN_A_FILE: Final = "in a file"
ON_POSTGRES: Final = "on PostgreSQL"


@dataclass(frozen=True)
class Keeping:
    """`database`: of the PostgreSQL, None: in files."""

    database: str | None

    def create(self, file: Path) -> Ledger:
        """A new, empty event."""
        if self.database is None:
            return Ledger.create(file)
        event_id = os.urandom(6).hex()
        postgres.create(self.database, event_id, event_id, lambda empty: None)
        write_elsewhere(file, event_id, self.database)
        return Ledger.open(file)
