"""Which box stands on which table, and at which table each of its facts counts: a fold over the ledger's decisions.

`stand` says what people mean: a box goes to a table, away from where it stood and in the place of what stood there; or
no box stands on the table any more. One that is undone is as if nobody had made it. `assign` says from which fact on a
box counts at a table; a desk decides that when it meets a box where it is meant to stand. It moves nothing then; it
does move a box of which nobody ever said where it is meant to stand, as in a simulated hall.

What a box told while it counted at a table stays there, whatever is decided about the box later.
"""

from __future__ import annotations

from typing import Final

from dalej.domain.tournamentbodies import Body
from dalej.ledger import ASSIGN, Baseline, Decision, baseline_of

STAND: Final = (
    "stand"  # kind: {"table", "box" (hex uid), "from": "now" | "all", "goes_on": bool}, subject "stand:TABLE"
)
# "box" is "" where no box stands on the table any more; "name", what is written on the box, may be left out.


class BoxTables:
    """Boxes are uids in lower-case hex, tables numbers from 1. Decisions are taken in by cursor."""

    def __init__(self) -> None:
        self._moves: dict[int, tuple[int, str]] = {}  # by cursor: the table, and its box from then on
        self._assigned: dict[int, Baseline] = {}  # by cursor
        self._of_journal: dict[tuple[str, int], dict[int, Baseline]] = {}  # the same, by box and epoch
        self._names: dict[int, tuple[str, str]] = {}  # by cursor: a box, and what is written on it
        self._meant: dict[str, dict[int, int]] = {}  # box -> where it was ever meant to stand: cursor -> table
        self._revoked: dict[int, int] = {}  # such a decision -> the one by which it was undone
        self._box_of: dict[int, str] = {}
        self._table_of: dict[str, int] = {}
        self._settled = True

    def decide(self, decision: Decision) -> bool:
        """Take in one decision, of whatever kind; whether it is about boxes. Damaged or WrongInput, and nothing
        changed, if it says nothing.
        """
        about = self._take(decision)
        if decision.revoked_by is not None:
            self._revoke(decision.cursor, decision.revoked_by)
        if decision.revokes is not None:
            about = self._revoke(decision.revokes, decision.cursor) or about
        return about

    def _take(self, decision: Decision) -> bool:
        cursor = decision.cursor
        if decision.kind == ASSIGN:
            one = baseline_of(decision)
            self._assigned[cursor] = one
            self._of_journal.setdefault((one.box, one.epoch), {})[cursor] = one
            if one.box not in self._meant:
                self._moves[cursor] = one.table, one.box
        elif decision.kind == STAND:
            body = Body(decision)
            table, box, name = body.number("table"), body.text("box"), body.text("name", "")
            self._moves[cursor] = table, box
            self._meant.setdefault(box, {})[cursor] = table
            if name:
                self._names[cursor] = box, name
        else:
            return False
        self._settled = False
        return True

    def _revoke(self, cursor: int, by: int) -> bool:
        self._revoked[cursor] = by
        move, assigned = self._moves.pop(cursor, None), self._assigned.pop(cursor, None)
        self._names.pop(cursor, None)
        if assigned is not None:
            del self._of_journal[assigned.box, assigned.epoch][cursor]
        if move is None and assigned is None:
            return False
        self._settled = False
        return True

    # --- now -----

    @property
    def on_tables(self) -> dict[int, str]:
        """The box that stands on each table that has one."""
        self._settle()
        return self._box_of

    @property
    def tables(self) -> dict[str, int]:
        """Where each box stands; of one that stands nowhere any more, where it counted last."""
        self._settle()
        return self._table_of

    def is_meant(self, box: str) -> bool:
        """Whether anybody ever said where the box is meant to stand: then nothing else says it."""
        return box in self._meant

    def called(self, box: str) -> str:
        """What is written on the box, as far as a decision that stands says it; "" if none does."""
        return next((name for of, name in reversed(self._names.values()) if of == box), "")

    # --- facts -----

    def boxes(self, table: int) -> list[str]:
        """Every box that stands on the table or counted there."""
        found = {one.box: None for one in self._assigned.values() if one.table == table}
        return list(found | {box: None for on, box in self.on_tables.items() if on == table})

    def counted(self, box: str, epoch: int) -> bool:
        """Whether anybody has decided from where on that journal counts at a table."""
        return bool(self._of_journal.get((box, epoch)))

    def table_of_fact(self, box: str, epoch: int, seq: int) -> int | None:
        """The table at which that fact counts; None if it is from before the journal counted at any."""
        of_journal = self._of_journal.get((box, epoch), {})
        return next((one.table for one in reversed(of_journal.values()) if one.seq < seq), None)

    def counts_by(self, box: str, epoch: int, seq: int) -> int:
        """The cursor of the decision by which that fact counts at its table, 0 if none did. What a table's boxes told
        one after the other stands in the order of these.
        """
        of_journal = self._of_journal.get((box, epoch), {})
        return next((cursor for cursor, one in reversed(of_journal.items()) if one.seq < seq), 0)

    def is_undone(self, box: str, epoch: int, seq: int) -> bool:
        """Whether the fact counts where it does because of a step that has been undone since."""
        of_journal = self._of_journal.get((box, epoch), {})
        cursor, table = next(((at, one.table) for at, one in reversed(of_journal.items()) if one.seq < seq), (0, 0))
        meant = [at for at, on in self._meant.get(box, {}).items() if on == table and at < cursor]
        stood_then = [at for at in meant if self._revoked.get(at, cursor) >= cursor]
        return bool(meant) and (not stood_then or stood_then[-1] in self._revoked)

    def stood_before(self, table: int, cursor: int) -> str:
        """The box that stood on the table last before a decision, as far as that was not undone; "" if none did."""
        before = {at: box for at, (on, box) in self._moves.items() if on == table and box and at < cursor}
        return before[max(before)] if before else ""

    def _settle(self) -> None:
        if self._settled:
            return
        self._settled = True
        on: dict[int, str] = {}
        for _, (table, box) in sorted(self._moves.items()):
            for left in [other for other, stood in on.items() if stood == box]:
                del on[left]
            on[table] = box
        self._box_of = {table: box for table, box in on.items() if box}
        last = {one.box: one.table for _, one in sorted(self._assigned.items())}
        self._table_of = last | {box: table for table, box in self._box_of.items()}
