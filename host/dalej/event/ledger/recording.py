"""What boxes reported: adding facts exactly once, keeping what contradicts them, reading them back.

How far each box's journal has come is one row per `(box, epoch)`, moved in the transaction that adds the facts.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from typing import Any, Final

from dalej.domain.game.facts import Fact
from dalej.errors import WrongInput
from dalej.event.ledger import lease
from dalej.event.ledger.entries import Conflict, Gap, Recorded, Report, Reported, Stream
from dalej.event.ledger.store import Connection, Store, head, move_head, pass_over
from dalej.event.ledger.tables import PAYLOAD
from dalej.words import N_
from moveclock.facts import COMMAND_APPLIED, COMMAND_REFUSED


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


def find(db: Connection, box: str, epoch: int) -> Progress | None:
    """The stream's row, None if nothing was ever said about it."""
    row = db.execute("SELECT * FROM streams WHERE box = ? AND epoch = ?", (box, epoch)).fetchone()
    return None if row is None else Progress(*row)


def find_or_add(db: Connection, box: str, epoch: int) -> Progress:
    """The stream's row, added if it is new; for use in a writing transaction."""
    if (known := find(db, box, epoch)) is not None:
        return known
    (highest,) = db.execute("SELECT coalesce(max(id), 0) FROM streams").fetchone()
    row = (highest + 1, box, epoch, 0, 0, 0, 0)
    db.execute("INSERT INTO streams VALUES (?, ?, ?, ?, ?, ?, ?)", row)
    return Progress(*row)


def each(db: Connection, box: str | None = None) -> list[Progress]:
    """All streams, or those of one box, in the order they were first heard of."""
    sql = "SELECT * FROM streams" if box is None else "SELECT * FROM streams WHERE box = ?"
    return [Progress(*row) for row in db.execute(f"{sql} ORDER BY id", () if box is None else (box,))]


def save(db: Connection, progress: Progress) -> None:
    """Writes the row back."""
    db.execute(
        "UPDATE streams SET baseline = ?, contiguous = ?, top = ?, lost = ? WHERE id = ?",
        (progress.baseline, progress.contiguous, progress.top, progress.lost, progress.id),
    )


def advance(db: Connection, progress: Progress) -> None:
    """Moves `contiguous` over every fact and gap that follows it without a hole."""
    while not progress.complete:
        facts = db.execute(
            "SELECT seq FROM facts WHERE stream = ? AND seq > ? ORDER BY seq LIMIT ?",
            (progress.id, progress.contiguous, _AT_ONCE),
        ).fetchall()
        for (seq,) in facts:
            if seq != progress.contiguous + 1:
                break
            progress.contiguous = seq
        else:
            if len(facts) == _AT_ONCE:
                continue
        (lost,) = db.execute(
            "SELECT max(last) FROM gaps WHERE stream = ? AND first <= ? AND last > ?",
            (progress.id, progress.contiguous + 1, progress.contiguous),
        ).fetchone()
        if lost is None:
            return
        progress.contiguous = lost


def rebase(db: Connection, progress: Progress, baseline: int) -> None:
    """Counts from another baseline."""
    progress.baseline = progress.contiguous = baseline
    advance(db, progress)
    save(db, progress)


def missing(db: Connection, progress: Progress) -> list[tuple[int, int]]:
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


def add_gap(db: Connection, cursor: int, box: str, epoch: int, gap: tuple[int, int, str, int]) -> bool:
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


def gaps(db: Connection, after: int, last: int) -> Iterator[Gap]:
    """Gaps among the entries `after < cursor <= last`."""
    rows = db.execute(
        """SELECT g.cursor, s.box, s.epoch, g.first, g.last, g.why, g.at_ms FROM gaps g
        JOIN streams s ON s.id = g.stream WHERE g.cursor > ? AND g.cursor <= ? ORDER BY g.cursor""",
        (after, last),
    )
    return (Gap(*row) for row in rows)


_AT_ONCE: Final = 64  # facts that are looked through: behind a hole there may be a whole evening
_ANSWERS: Final = (COMMAND_APPLIED, COMMAND_REFUSED)
_PAYLOAD_OF_F: Final = ", ".join(f"f.{column}" for column in PAYLOAD)
_PAYLOAD_OF_C: Final = ", ".join(f"c.{column}" for column in PAYLOAD)

_ADD_FACT: Final = "INSERT INTO facts VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"
_ADD_CONFLICT: Final = "INSERT INTO conflicts VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"
_FACTS: Final = f"""SELECT f.cursor, s.box, s.epoch, f.seq, {_PAYLOAD_OF_F}, f.received_ms, f.wall_ms, f.old
    FROM facts f JOIN streams s ON s.id = f.stream"""
_CONFLICTS: Final = f"""SELECT c.cursor, s.box, s.epoch, f.seq, {_PAYLOAD_OF_F},
    s.box, s.epoch, f.seq, {_PAYLOAD_OF_C}, c.received_ms, c.wall_ms, c.old
    FROM conflicts c JOIN facts f ON f.cursor = c.stored JOIN streams s ON s.id = f.stream"""

_Row = tuple[Any, ...]  # what SQL gives back


def record(store: Store, reports: Iterable[Report], token: int | None) -> Recorded:
    """Adds the reports in one transaction; returns after its commit. `token`: of the lease they came in under."""
    with store.writing() as db:
        if token is not None:
            lease.expect_token(db, token)
        batch = _Batch(db)
        batch.take(reports)
        return batch.finish()


class _Batch:
    """The reports of one transaction, sorted into new, duplicate and conflicting as they come."""

    def __init__(self, db: Connection) -> None:
        self._db = db
        self._cursor = self._first = head(db)
        self._streams: dict[tuple[str, int], Progress] = {}
        self._rows: list[_Row] = []
        self._new: list[Fact] = []
        self._duplicate: list[Fact] = []
        self._conflicting: list[Conflict] = []
        self._request = 0

    def take(self, reports: Iterable[Report]) -> None:
        """A seq above all that were seen needs no look-up: the normal case costs little more than its insertion."""
        known, rows, new = self._streams, self._rows, self._new
        for report in reports:
            fact, received_ms, wall_ms, old = report
            seq = fact.seq
            stream = known.get((fact.box, fact.epoch)) or self._stream_of(fact)
            if seq > stream.top:
                stream.top = seq
            elif self._known(stream, report):
                continue
            if seq == stream.contiguous + 1:
                stream.contiguous = seq
            if fact.kind in _ANSWERS:
                self._request = max(self._request, fact.a)
            self._cursor += 1
            rows.append(
                (self._cursor, stream.id, seq, fact.boot, fact.uptime_ms, fact.kind, fact.game, fact.move, fact.seat,
                 fact.code, fact.a, fact.b, fact.c, received_ms, wall_ms, int(old))
            )  # fmt: skip
            new.append(fact)

    def finish(self) -> Recorded:
        """Writes what is new and moves the streams on."""
        self._flush()
        if self._cursor > self._first:
            for stream in self._streams.values():
                advance(self._db, stream)
                save(self._db, stream)
            move_head(self._db, self._cursor)
            if self._request:
                pass_over(self._db, self._request)
        heads = {key: stream.contiguous for key, stream in self._streams.items()}
        return Recorded(self._cursor, self._new, self._duplicate, self._conflicting, heads)

    def _stream_of(self, fact: Fact) -> Progress:
        stream = find_or_add(self._db, fact.box, fact.epoch)
        self._streams[fact.box, fact.epoch] = stream
        return stream

    def _flush(self) -> None:
        if self._rows:
            self._db.executemany(_ADD_FACT, self._rows)
        self._rows.clear()

    def _known(self, stream: Progress, report: Report) -> bool:
        """Whether the key is taken; sorts the report if it is."""
        fact = report.fact
        if fact.seq < 1:
            raise WrongInput(
                N_("box {box} sent a fact numbered {seq}: expected numbers from 1"), box=fact.box, seq=fact.seq
            )
        self._flush()
        row = self._db.execute(f"{_FACTS} WHERE f.stream = ? AND f.seq = ?", (stream.id, fact.seq)).fetchone()
        if row is None:
            return False
        stored = _reported(row)
        if stored.fact == fact:
            self._duplicate.append(fact)
        else:
            self._conflicting.append(self._conflict(stored, report))
        return True

    def _conflict(self, stored: Reported, report: Report) -> Conflict:
        """The contradiction as an entry; one that is said again and again is kept once."""
        for row in self._db.execute(f"{_CONFLICTS} WHERE c.stored = ? ORDER BY c.cursor", (stored.cursor,)).fetchall():
            if (known := _conflicting(row)).reported == report.fact:
                return known
        self._cursor += 1
        arrival = (report.received_ms, report.wall_ms, int(report.old))
        self._db.execute(_ADD_CONFLICT, (self._cursor, stored.cursor, *_said(report.fact), *arrival))
        return Conflict(self._cursor, stored.fact, report.fact, report.received_ms, report.wall_ms, report.old)


def facts_between(db: Connection, after: int, last: int) -> Iterator[Reported]:
    """Facts among the entries `after < cursor <= last`."""
    return map(_reported, db.execute(f"{_FACTS} WHERE f.cursor > ? AND f.cursor <= ? ORDER BY f.cursor", (after, last)))


def conflicts_between(db: Connection, after: int, last: int) -> Iterator[Conflict]:
    """Conflicts among the entries `after < cursor <= last`."""
    sql = f"{_CONFLICTS} WHERE c.cursor > ? AND c.cursor <= ? ORDER BY c.cursor"
    return map(_conflicting, db.execute(sql, (after, last)))


def _said(fact: Fact) -> tuple[int, ...]:
    """The fact's payload in the order of `store.PAYLOAD`."""
    return (
        fact.boot, fact.uptime_ms, fact.kind, fact.game, fact.move, fact.seat, fact.code, fact.a, fact.b, fact.c,
    )  # fmt: skip


def _reported(row: _Row) -> Reported:
    return Reported(row[0], Fact(*row[1:14]), row[14], row[15], bool(row[16]))


def _conflicting(row: _Row) -> Conflict:
    return Conflict(row[0], Fact(*row[1:14]), Fact(*row[14:27]), row[27], row[28], bool(row[29]))
