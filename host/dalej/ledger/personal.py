"""What the final form asks about people: kept apart from the entries, so that it can be erased and they stay.

The only part of an event file that is ever changed or deleted. Nobody may quote a value in an error or a log: what is
wrong is told by the name of its field.
"""

from __future__ import annotations

import re
import sqlite3
from collections.abc import Mapping
from contextlib import closing
from datetime import date
from pathlib import Path
from typing import Final

from dalej.errors import Unreachable, WrongInput
from dalej.ledger import schema
from dalej.ledger.store import Store
from dalej.words import N_

FIELDS: Final = ("first_name", "surname", "town", "born", "email", "phone")
LONGEST: Final = 200  # characters

_EMAIL: Final = re.compile(r"[^@\s]+@[^@\s]+\.[^@\s.]+")
_PHONE: Final = re.compile(r"\+?[0-9][0-9 ()./-]{4,23}")


def checked(field: str, value: str) -> str:
    """The value as it is kept; WrongInput, naming the field and never the value, if it cannot be right."""
    text = " ".join(value.split())
    if field not in FIELDS:
        raise WrongInput(
            N_("there is no field {field}: expected one of {fields}"), field=field, fields=", ".join(FIELDS)
        )
    if len(text) > LONGEST or not text.isprintable():
        raise WrongInput(N_("{field}: expected one line of at most {longest} letters"), field=field, longest=LONGEST)
    if text and field == "born" and not _is_day(text):
        raise WrongInput(N_("{field}: expected a date such as 2013-05-04"), field=field)
    if text and field == "email" and not _EMAIL.fullmatch(text):
        raise WrongInput(N_("{field}: expected an address such as name@example.org"), field=field)
    if text and field == "phone" and not _PHONE.fullmatch(text):
        raise WrongInput(N_("{field}: expected a number such as +48 600 000 000"), field=field)
    return text


def keep(store: Store, player: int, values: Mapping[str, str]) -> None:
    """Replaces these fields of a player, all of them or none; an empty value removes its field."""
    kept = {field: checked(field, value) for field, value in values.items()}
    with store.writing() as db:
        for field, value in kept.items():
            db.execute("DELETE FROM personal WHERE player = ? AND field = ?", (player, field))
            if value:
                db.execute("INSERT INTO personal VALUES (?, ?, ?)", (player, field, value))


def kept(store: Store) -> dict[int, dict[str, str]]:
    """Everything that is kept: fields by player, in the order of `FIELDS`."""
    with store.reading() as db:
        rows = db.execute("SELECT player, field, value FROM personal ORDER BY player").fetchall()
    found: dict[int, dict[str, str]] = {}
    for player, field, value in sorted(rows, key=lambda row: (row[0], _order(row[1]))):
        found.setdefault(player, {})[field] = value
    return found


def erase(store: Store) -> int:
    """Removes every field of every player, from the disk too; how many players had any.

    Unreachable if another program is reading at this instant: then nobody sees the data any more, but the file still
    holds their bytes, and erasing again removes them.
    """
    with store.writing() as db:
        (players,) = db.execute("SELECT count(DISTINCT player) FROM personal").fetchone()
        db.execute("DELETE FROM personal")
    if not store.compact():
        raise Unreachable(
            N_("the personal data in {file} are deleted, but another program is reading it: close it and erase again"),
            file=str(store.path),
        )
    return int(players)


def strip(db: sqlite3.Connection) -> None:
    """Takes the data out of a copy that nobody else has open."""
    (left,) = db.execute("SELECT EXISTS (SELECT 1 FROM personal)").fetchone()
    if left:
        db.execute("PRAGMA secure_delete = ON")
        db.execute("DELETE FROM personal")
        db.execute("VACUUM")
        db.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()


def copies_with_data(event: Path) -> list[Path]:
    """Other event files in the event's folder whose names begin like its own and that still hold personal data."""
    beside = (path for path in event.absolute().parent.iterdir() if path.name.lstrip(".").startswith(event.stem))
    return sorted(path for path in beside if path.is_file() and not path.samefile(event) and _holds_data(path))


def _holds_data(path: Path) -> bool:
    """Reads past whoever may have the file open; what is no event file holds none."""
    try:
        with closing(sqlite3.connect(f"{path.absolute().as_uri()}?mode=ro&immutable=1", uri=True)) as db:
            (application,) = db.execute("PRAGMA application_id").fetchone()
            if application != schema.APPLICATION_ID:
                return False
            (found,) = db.execute("SELECT EXISTS (SELECT 1 FROM personal)").fetchone()
    except sqlite3.Error:
        return False
    return bool(found)


def _is_day(text: str) -> bool:
    try:
        return len(text) == len("2013-05-04") and date.fromisoformat(text) is not None
    except ValueError:
        return False


def _order(field: str) -> int:
    return FIELDS.index(field) if field in FIELDS else len(FIELDS)
