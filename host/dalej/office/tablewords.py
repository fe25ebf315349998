"""A word from the desk to one table, whose phone shows it until somebody there has touched it. Pure.

Two kinds of decisions: `WORD` {"table", "words"}, and `READ` {"table", "of": the number of the word}.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from dalej.event.ledger import Decision

WORD: Final = "table_word"
READ: Final = "table_read"
WORDS_MOST: Final = 120  # characters: what is read at a glance beside the clock
KEPT_MS: Final = 900_000  # nobody cares about an older one
OF_WORDS: Final = (WORD, READ)


@dataclass(frozen=True, slots=True)
class Word:
    """`number`: of the decision; `read`: somebody at the table has touched it."""

    number: int
    words: str
    who: str
    read: bool


def word_at(decisions: Sequence[Decision], table: int, now_ms: int) -> Word | None:
    """The last one for that table; None: there is none from the time that counts at Unix time `now_ms`."""
    read: set[object] = set()
    for one in reversed(decisions):
        if one.kind not in OF_WORDS or one.revoked_by is not None or one.body.get("table") != table:
            continue
        if one.when_ms < now_ms - KEPT_MS:
            return None
        if one.kind == READ:
            read.add(one.body.get("of"))
        elif one.kind == WORD:
            return Word(one.cursor, str(one.body.get("words")), one.who, one.cursor in read)
    return None
