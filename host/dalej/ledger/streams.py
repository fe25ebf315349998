"""How far each box's journal has come: one row per `(box, epoch)`, moved in the transaction that adds the facts.

The row can be recomputed from baseline, facts and gaps at any time; it exists so that an acknowledgement costs one
look-up.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from dataclasses import dataclass, replace

from dalej.ledger.entries import Gap, Stream


@dataclass(slots=True)
class Progress:
    """A row of `streams` while it is worked on. `lost`: highest seq of any gap."""

    id: int
    box: str
    epoch: int
    baseline: int
    contiguous: int
    top: int
    lost: int

    @property
    def complete(self) -> bool:
        """Nothing beyond `contiguous` is known of."""
        return self.contiguous >= self.top and self.contiguous >= self.lost

    def seen(self) -> Stream:
        """The row as readers get it."""
        return Stream(self.box, self.epoch, self.baseline, self.contiguous, self.top)


def find(db: sqlite3.Connection, box: str, epoch: int) -> Progress | None:
    """The stream's row, None if nothing was ever said about it."""
    row = db.execute("SELECT * FROM streams WHERE box = ? AND epoch = ?", (box, epoch)).fetchone()
    return None if row is None else Progress(*row)


def find_or_add(db: sqlite3.Connection, box: str, epoch: int) -> Progress:
    """The stream's row, added if it is new; for use in a writing transaction."""
    if (known := find(db, box, epoch)) is not None:
        return known
    (highest,) = db.execute("SELECT coalesce(max(id), 0) FROM streams").fetchone()
    row = (highest + 1, box, epoch, 0, 0, 0, 0)
    db.execute("INSERT INTO streams VALUES (?, ?, ?, ?, ?, ?, ?)", row)
    return Progress(*row)


def each(db: sqlite3.Connection, box: str | None = None) -> list[Progress]:
    """All streams, or those of one box, in the order they were first heard of."""
    sql = "SELECT * FROM streams" if box is None else "SELECT * FROM streams WHERE box = ?"
    return [Progress(*row) for row in db.execute(f"{sql} ORDER BY id", () if box is None else (box,))]


def save(db: sqlite3.Connection, progress: Progress) -> None:
    """Writes the row back."""
    db.execute(
        "UPDATE streams SET baseline = ?, contiguous = ?, top = ?, lost = ? WHERE id = ?",
        (progress.baseline, progress.contiguous, progress.top, progress.lost, progress.id),
    )


def advance(db: sqlite3.Connection, progress: Progress) -> None:
    """Moves `contiguous` over every fact and gap that follows it without a hole."""
    while not progress.complete:
        facts = db.execute(
            "SELECT seq FROM facts WHERE stream = ? AND seq > ? ORDER BY seq", (progress.id, progress.contiguous)
        )
        for (seq,) in facts:
            if seq != progress.contiguous + 1:
                break
            progress.contiguous = seq
        facts.close()
        (lost,) = db.execute(
            "SELECT max(last) FROM gaps WHERE stream = ? AND first <= ? AND last > ?",
            (progress.id, progress.contiguous + 1, progress.contiguous),
        ).fetchone()
        if lost is None:
            return
        progress.contiguous = lost


def rebase(db: sqlite3.Connection, progress: Progress, baseline: int) -> None:
    """Counts from another baseline."""
    progress.baseline = progress.contiguous = baseline
    advance(db, progress)
    save(db, progress)


def missing(db: sqlite3.Connection, progress: Progress) -> list[tuple[int, int]]:
    """Ranges `(first, last)` between baseline and the highest seq known of that are neither here nor reported lost."""
    walk, ranges = replace(progress), []
    advance(db, walk)
    while not walk.complete:
        (fact,) = db.execute(
            "SELECT min(seq) FROM facts WHERE stream = ? AND seq > ?", (walk.id, walk.contiguous)
        ).fetchone()
        (gap,) = db.execute(
            "SELECT min(first) FROM gaps WHERE stream = ? AND first > ?", (walk.id, walk.contiguous)
        ).fetchone()
        following = min(seq for seq in (fact, gap) if seq is not None)
        ranges.append((walk.contiguous + 1, following - 1))
        walk.contiguous = following - 1
        advance(db, walk)
    return ranges


def add_gap(db: sqlite3.Connection, cursor: int, box: str, epoch: int, gap: tuple[int, int, str, int]) -> bool:
    """Records `(first, last, why, at_ms)` as entry `cursor`; False if the same range was recorded before."""
    first, last, _, _ = gap
    progress = find_or_add(db, box, epoch)
    known = db.execute(
        "SELECT 1 FROM gaps WHERE stream = ? AND first = ? AND last = ?", (progress.id, first, last)
    ).fetchone()
    if known is not None:
        return False
    db.execute("INSERT INTO gaps VALUES (?, ?, ?, ?, ?, ?)", (cursor, progress.id, *gap))
    progress.lost = max(progress.lost, last)
    advance(db, progress)
    save(db, progress)
    return True


def gaps(db: sqlite3.Connection, after: int, last: int) -> Iterator[Gap]:
    """Gaps among the entries `after < cursor <= last`."""
    rows = db.execute(
        """SELECT g.cursor, s.box, s.epoch, g.first, g.last, g.why, g.at_ms FROM gaps g
        JOIN streams s ON s.id = g.stream WHERE g.cursor > ? AND g.cursor <= ? ORDER BY g.cursor""",
        (after, last),
    )
    return (Gap(*row) for row in rows)
