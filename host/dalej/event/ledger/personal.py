"""What the final form asks about people: kept apart from the entries, so that it can be erased and they stay.

The only part of an event file that is ever changed or deleted. Nobody may quote a value in an error or a log: what is
wrong is told by the name of its field. Data of somebody whose sign-up was taken back are nobody's: they count no more,
and whoever comes across them deletes them.
"""

from __future__ import annotations

import re
import sqlite3
from collections.abc import Mapping
from contextlib import closing
from datetime import date
from pathlib import Path
from typing import Final

from dalej.domain.tournament.tournament import PLAYER
from dalej.errors import DalejError, Refused, Unreachable, WrongInput
from dalej.event.ledger.sqlitefile import APPLICATION_ID, uri
from dalej.event.ledger.store import Store
from dalej.words import N_, dated

FIELDS: Final = ("first_name", "surname", "town", "born", "email", "phone")
TITLES: Final = {
    "first_name": N_("first name"), "surname": N_("surname"), "town": N_("town"), "born": N_("date of birth"),
    "email": N_("e-mail"), "phone": N_("phone"),
}  # fmt: skip
LONGEST: Final = 200  # characters

_EMAIL: Final = re.compile(r"[^@\s]+@[^@\s]+\.[^@\s.]+")
_PHONE: Final = re.compile(r"[+(]{0,2}[0-9][0-9 ()./-]{4,28}")
_DIGITS_MOST: Final = 15  # of a phone number anywhere (ITU-T E.164), and its 00 in place of a +

# Players with data of whose sign-ups (another name is one, too) none stands.
_TAKEN_BACK: Final = f"""SELECT p.player FROM personal p
    JOIN decisions d ON d.kind = '{PLAYER}' AND d.subject = '{PLAYER}:' || p.player
    LEFT JOIN decisions r ON r.revokes = d.cursor
    GROUP BY p.player HAVING count(r.cursor) = count(*)"""
_HOLDS_DATA: Final = "SELECT 1 FROM personal LIMIT 1"
_FIRST_DECISION: Final = "SELECT cursor, kind, body, who, when_ms FROM decisions ORDER BY cursor LIMIT 1"
_PATIENCE_S: Final = 0.25  # with somebody who is writing a copy
_DELETE_NOBODYS: Final = f"DELETE FROM personal WHERE player IN ({_TAKEN_BACK})"


def checked(field: str, value: str, today: date) -> str:
    """The value as it is kept; WrongInput, naming the field and never the value, if it cannot be right."""
    text = " ".join(value.split())
    if field not in FIELDS:
        raise WrongInput(
            N_("there is no field {field}: expected one of {fields}"), field=field, fields=", ".join(FIELDS)
        )
    title = DalejError(TITLES[field])
    if len(text) > LONGEST or not text.isprintable():
        raise WrongInput(N_("{field}: expected one line of at most {longest} letters"), field=title, longest=LONGEST)
    if field == "born":
        text = dated(text)
    if text and field == "born" and not _is_day(text):
        raise WrongInput(N_("{field}: expected a date such as 4.05.2013 or 2013-05-04"), field=title)
    if text and field == "born" and date.fromisoformat(text) > today:
        raise WrongInput(
            N_("{field}: that day is still to come, expected a date of birth such as 4.05.2013"), field=title
        )
    if text and field == "email" and not _EMAIL.fullmatch(text):
        raise WrongInput(N_("{field}: expected an address such as name@example.org"), field=title)
    if (
        text
        and field == "phone"
        and not (_PHONE.fullmatch(text) and sum(sign.isdecimal() for sign in text.removeprefix("00")) <= _DIGITS_MOST)
    ):
        raise WrongInput(N_("{field}: expected a number such as +48 600 000 000"), field=title)
    return text


def keep(store: Store, player: int, values: Mapping[str, str], today: date) -> None:
    """Replaces these fields of a player, all of them or none; an empty value removes its field. Refused if the player's
    sign-up was taken back.
    """
    kept = {field: checked(field, value, today) for field, value in values.items()}
    with store.writing() as db:
        for field, value in kept.items():
            db.execute("DELETE FROM personal WHERE player = ? AND field = ?", (player, field))
            if value:
                db.execute("INSERT INTO personal VALUES (?, ?, ?)", (player, field, value))
        if (player,) in db.execute(_TAKEN_BACK).fetchall():
            raise Refused(N_("the sign-up of player {number} was taken back: nothing is kept"), number=player)


def kept(store: Store) -> dict[int, dict[str, str]]:
    """Everything that is kept: fields by player, in the order of `FIELDS`. Deletes what is nobody's."""
    with store.reading() as db:
        rows = db.execute("SELECT player, field, value FROM personal ORDER BY player").fetchall()
        taken_back = {player for (player,) in db.execute(_TAKEN_BACK)}
    if taken_back:
        with store.writing() as db:
            db.execute(_DELETE_NOBODYS)
    found: dict[int, dict[str, str]] = {}
    for player, field, value in sorted(rows, key=lambda row: (row[0], _order(row[1]))):
        if player not in taken_back:
            found.setdefault(player, {})[field] = value
    return found


def erase(store: Store, player: int | None = None) -> int:
    """Removes every field of every player, or of one, from the disk too; how many players had any.

    Unreachable if another program is reading at this instant: then nobody sees the data any more, but the file still
    holds their bytes, and erasing again removes them.
    """
    of = "FROM personal" if player is None else "FROM personal WHERE player = ?"
    whose = () if player is None else (player,)
    with store.writing() as db:
        (players,) = db.execute(f"SELECT count(DISTINCT player) {of}", whose).fetchone()
        db.execute(f"DELETE {of}", whose)
    if not store.compact():
        raise Unreachable(
            N_("the personal data in {file} are deleted, but another program is reading it: close it and erase again"),
            file=str(store.path),
        )
    return int(players)


def strip(db: sqlite3.Connection, *, whole: bool) -> None:
    """Takes the data, the `whole` of them or what is nobody's, out of a copy that nobody else has open."""
    db.execute("PRAGMA secure_delete = ON")
    if db.execute("DELETE FROM personal" if whole else _DELETE_NOBODYS).rowcount:
        db.execute("VACUUM")
        db.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()


def copies_with_data(store: Store) -> list[Path]:
    """Other files in the event's folder that hold the same event, whatever they are called, and still personal data.
    Before anything is decided one event is like another: then those whose names begin like its own.
    """
    event = store.path
    with store.reading() as db:
        begun = db.execute(_FIRST_DECISION).fetchall()
    found = []
    for path in event.absolute().parent.iterdir():
        if not path.is_file() or path.samefile(event) or not _reads(path, _HOLDS_DATA):
            continue
        first = first_decision(path)
        if first == begun if first and begun else path.name.lstrip(".").startswith(event.stem):
            found.append(path)
    return sorted(found)


def first_decision(event: Path) -> list[tuple[object, ...]]:
    """By which copies of one event are known; nothing if the file is no event or cannot be read."""
    return _reads(event, _FIRST_DECISION)


def _reads(path: Path, query: str) -> list[tuple[object, ...]]:
    """What an event file says in its main part and in what has not been moved there yet, past whoever may have it open;
    nothing if it is none.
    """
    unmoved = path.with_name(f"{path.name}-wal")
    found = _read(path, "mode=ro&immutable=1", query)
    if unmoved.exists() and unmoved.stat().st_size:
        found = _read(path, "mode=ro", query) or found
    return found


def _read(path: Path, options: str, query: str) -> list[tuple[object, ...]]:
    try:
        with closing(sqlite3.connect(uri(path.absolute(), options), uri=True, timeout=_PATIENCE_S)) as db:
            (application,) = db.execute("PRAGMA application_id").fetchone()
            return db.execute(query).fetchall() if application == APPLICATION_ID else []
    except (sqlite3.Error, OSError):
        return []


def _is_day(text: str) -> bool:
    try:
        return len(text) == len("2013-05-04") and date.fromisoformat(text) is not None
    except ValueError:
        return False


def _order(field: str) -> int:
    return FIELDS.index(field) if field in FIELDS else len(FIELDS)
