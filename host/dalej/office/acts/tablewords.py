"""A word from a referee to one table, and the table's touch that says it was read."""

from __future__ import annotations

from typing import Annotated, Final

from msgspec import Meta

from dalej.domain.game.facts import is_phone
from dalej.errors import Refused, WrongInput
from dalej.event.event import Change, Event, Seen
from dalej.event.ledger import Draft
from dalej.office.acts.act import Asked
from dalej.office.acts.attable import AtTable, table_now
from dalej.office.acts.restoring import own_undo
from dalej.office.acts.tableracks import ByTable
from dalej.office.acts.wishes import Done, Wish, cursors, done
from dalej.office.tablewords import READ, WORD, WORDS_MOST, word_at
from dalej.words import N_, readable

_SAID: Final = N_("said to the table")
_READ: Final = N_("read at the table")


class TellTable(AtTable, frozen=True, kw_only=True):
    """The phone that is the table's box shows these words until somebody there touches them."""

    name = "tell_table"
    title = N_("send a word to the table")
    words: Annotated[str, Meta(min_length=1, max_length=WORDS_MOST), Asked("text", N_("words"))]

    def do(self, event: Event, wish: Wish) -> Done:
        now = table_now(event, self.table)
        if not is_phone(now.box):
            raise Refused(N_("table {table}: its box shows no words, only a phone does: somebody goes there"),
                          table=self.table)  # fmt: skip
        words = readable(self.words).strip()
        if not words:
            raise WrongInput(N_("table {table}: there are no words, expected at least one"), table=self.table)
        draft = Draft(WORD, {"table": self.table, "words": words})
        made = event.change_seen(lambda _seen: Change([draft], wish.why or _SAID))
        return done(N_("Table {table} is told: {words}"), table=self.table, words=words, decisions=cursors(made),
                    undo=own_undo(made, wish))  # fmt: skip


class ReadWord(ByTable, frozen=True, kw_only=True):
    """Somebody at the table has touched the word `of`: its phone shows it no longer."""

    name = "read_word"
    title = N_("say that a word was read")
    of: Annotated[int, Meta(ge=1)]

    def do(self, event: Event, wish: Wish) -> Done:
        def plan(seen: Seen) -> Change:
            word = word_at(seen.decisions, self.table, event.wall_ms())
            if word is None or word.number != self.of or word.read:
                raise Refused(N_("table {table}: that word is not shown any more"), table=self.table)
            return Change([Draft(READ, {"table": self.table, "of": self.of})], wish.why or _READ)

        made = event.change_seen(plan)
        return done(N_("Table {table} has read it."), table=self.table, decisions=cursors(made))
