"""What an event's ledger looks like inside, wherever it is kept: SQL that SQLite and PostgreSQL understand
alike, but for the width of a number.
"""

from __future__ import annotations

from typing import Final

VERSION: Final = 3  # of the tables below; a file with a higher one was made by a newer program
OLDEST: Final = 1  # that is brought up to date when it is opened

ENTRY_TABLES: Final = ("facts", "conflicts", "gaps", "decisions", "requests", "outcomes")

PAYLOAD: Final = ("boot", "uptime_ms", "kind", "game", "move", "seat", "code", "a", "b", "c")
_PAYLOAD_SQL: Final = ", ".join(f"{column} INTEGER NOT NULL" for column in PAYLOAD)
_ARRIVAL_SQL: Final = "received_ms INTEGER NOT NULL, wall_ms INTEGER, old INTEGER NOT NULL CHECK (old IN (0, 1))"

# Since version 2. Outside the order: an entry stays for ever, a person's address must not.
PERSONAL: Final = """CREATE TABLE personal (
    player INTEGER NOT NULL, field TEXT NOT NULL, value TEXT NOT NULL, PRIMARY KEY (player, field))"""
# Since version 3. Where decisions come from that were not made here, and how far each such event was listened to.
ORIGINS: Final = (
    """CREATE TABLE origins (
        cursor INTEGER PRIMARY KEY REFERENCES decisions (cursor), name TEXT NOT NULL, epoch INTEGER NOT NULL,
        number INTEGER NOT NULL, UNIQUE (name, epoch, number))""",
    """CREATE TABLE heard (
        name TEXT PRIMARY KEY, epoch INTEGER NOT NULL, through INTEGER NOT NULL, at_ms INTEGER NOT NULL)""",
)

TABLES: Final = (
    "CREATE TABLE counters (cursor INTEGER NOT NULL, request INTEGER NOT NULL)",
    "INSERT INTO counters VALUES (0, 0)",
    """CREATE TABLE streams (
        id INTEGER PRIMARY KEY, box TEXT NOT NULL, epoch INTEGER NOT NULL,
        baseline INTEGER NOT NULL, contiguous INTEGER NOT NULL, top INTEGER NOT NULL, lost INTEGER NOT NULL,
        UNIQUE (box, epoch))""",
    f"""CREATE TABLE facts (
        cursor INTEGER PRIMARY KEY, stream INTEGER NOT NULL REFERENCES streams (id),
        seq INTEGER NOT NULL CHECK (seq > 0), {_PAYLOAD_SQL}, {_ARRIVAL_SQL},
        UNIQUE (stream, seq))""",
    f"""CREATE TABLE conflicts (
        cursor INTEGER PRIMARY KEY, stored INTEGER NOT NULL REFERENCES facts (cursor),
        {_PAYLOAD_SQL}, {_ARRIVAL_SQL})""",
    "CREATE INDEX conflicts_of_fact ON conflicts (stored)",
    """CREATE TABLE gaps (
        cursor INTEGER PRIMARY KEY, stream INTEGER NOT NULL REFERENCES streams (id),
        first INTEGER NOT NULL CHECK (first > 0), last INTEGER NOT NULL CHECK (last >= first),
        why TEXT NOT NULL, at_ms INTEGER NOT NULL,
        UNIQUE (stream, first, last))""",
    """CREATE TABLE decisions (
        cursor INTEGER PRIMARY KEY, kind TEXT NOT NULL, subject TEXT, body TEXT NOT NULL,
        who TEXT NOT NULL, when_ms INTEGER NOT NULL, why TEXT NOT NULL,
        revokes INTEGER UNIQUE REFERENCES decisions (cursor) CHECK (revokes < cursor))""",
    "CREATE INDEX decisions_on_subject ON decisions (subject, cursor)",
    "CREATE INDEX decisions_of_kind ON decisions (kind, cursor)",
    """CREATE TABLE requests (
        cursor INTEGER PRIMARY KEY, id INTEGER NOT NULL UNIQUE, at_table INTEGER NOT NULL, box TEXT,
        command TEXT NOT NULL, args TEXT NOT NULL, who TEXT NOT NULL, at_ms INTEGER NOT NULL, why TEXT NOT NULL,
        game INTEGER, move INTEGER)""",
    """CREATE TABLE outcomes (
        cursor INTEGER PRIMARY KEY, request INTEGER NOT NULL REFERENCES requests (id),
        result TEXT NOT NULL CHECK (result IN ('sent', 'applied', 'refused', 'no_link')),
        reason TEXT NOT NULL, at_ms INTEGER NOT NULL)""",
    "CREATE INDEX outcomes_of_request ON outcomes (request, cursor)",
    "CREATE TABLE lease (token INTEGER NOT NULL, holder TEXT, renewed_ms INTEGER NOT NULL, ttl_ms INTEGER NOT NULL)",
    "INSERT INTO lease VALUES (0, NULL, 0, 0)",
    PERSONAL,
    *ORIGINS,
)
# What makes a file of version N into one of version N + 1.
UPGRADES: Final = {1: (PERSONAL,), 2: ORIGINS}
