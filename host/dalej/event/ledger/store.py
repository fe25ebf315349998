"""Where an event's ledger is kept, as the rest of this package sees it: one transaction at a time, begun, committed or
given up in one place; and the one order of all its entries: who hands out cursors and request ids.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path
from threading import RLock
from typing import Any, Final, Protocol

from dalej.errors import Damaged, Refused, Unreachable
from dalej.words import N_

BUSY_MS: Final = 5_000  # others who write are waited for so long


class Rows(Protocol):
    """What a statement answers."""

    @property
    def rowcount(self) -> int: ...

    def fetchone(self) -> Any: ...

    def fetchall(self) -> list[Any]: ...

    def __iter__(self) -> Iterator[Any]: ...

    def close(self) -> object: ...


class Connection(Protocol):
    """To a database in which the tables of `tables` are; `?` stands for a value. `file`: the event, as sentences about
    it name it.
    """

    file: str

    def execute(self, sql: str, values: Sequence[object] = (), /) -> Rows: ...

    def executemany(self, sql: str, rows: Iterable[Sequence[object]], /) -> object: ...


class Store(ABC):
    """An open event. `path`: its file, which on PostgreSQL says where it is kept. Threads may share it."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._lock = RLock()
        self._depth = 0  # of `writing` within `writing`
        self._reads = False  # within `reading`

    @contextmanager
    def writing(self) -> Iterator[Connection]:
        """One transaction, durable when the block is left, undone when it is left by an exception.

        A block within a block is a step of it: undone alone by an exception, durable with the whole.
        """
        with self._lock, self._in_words():
            assert not self._reads, "whoever reads does not write meanwhile"
            step = f"step{self._depth}" if self._depth else ""
            self._depth += 1
            try:
                if step:
                    self._expect_begun()
                    db = self._connection()
                    db.execute(f"SAVEPOINT {step}")
                else:
                    db = self._begin(writing=True)
                yield db
                self._expect_begun()
                if step:
                    db.execute(f"RELEASE {step}")
                else:
                    self._commit()
            except BaseException:
                self._give_up(f"ROLLBACK TO {step}" if step else "ROLLBACK")
                raise
            finally:
                self._depth -= 1

    @contextmanager
    def reading(self) -> Iterator[Connection]:
        """One state of the event for as long as the block lasts; neither waits for a writer nor holds one up. Within
        `writing` it is what was written so far, within `reading` what that one reads.
        """
        with self._lock, self._in_words():
            if self._depth or self._reads:
                yield self._connection()
                return
            db = self._begin(writing=False)
            self._reads = True
            try:
                yield db
            finally:
                self._reads = False
                self._give_up("ROLLBACK")

    def hinted(self, most_s: float) -> bool | None:  # noqa: ARG002 -- where somebody says so, it is waited for
        """Whether within so long somebody says that there is something new; None, at once: nobody ever says so here.
        It is a hint, and looking is the truth.
        """
        return None

    @abstractmethod
    def expect_sound(self, file: str) -> None:
        """What the database itself can tell of its being whole: Damaged with the first thing found wrong, told of the
        event as `file`.
        """

    @abstractmethod
    def compact(self) -> bool:
        """Nothing is left of what was deleted. False if something is, because another program is reading."""

    @abstractmethod
    def close(self) -> None:
        """Lets go of it. May be called twice."""

    @abstractmethod
    def once_more(self) -> Store:
        """The same, to be read over a connection of its own, and closed."""

    @abstractmethod
    def _connection(self) -> Connection: ...

    def _expect_begun(self) -> None:
        """A database may have given a transaction up by itself, as one does whose disk is full: what is written then is
        no step of it any more.
        """
        if not self._goes_on():
            raise Unreachable(
                N_("{file}: what was begun was given up, and nothing of it is there"), file=str(self.path)
            )

    @abstractmethod
    def _goes_on(self) -> bool:
        """Whether the transaction that was begun is still under way."""

    @abstractmethod
    def _begin(self, *, writing: bool) -> Connection: ...

    @abstractmethod
    def _commit(self) -> None: ...

    @abstractmethod
    def _give_up(self, sql: str) -> None:
        """That statement, if there is still anything to give up."""

    @abstractmethod
    def _in_words(self) -> AbstractContextManager[None]:
        """The database's own errors in Dalej's words."""


LAST_REQUEST: Final = 0xFFFF_FFFF  # ids travel to the box as u32
_BELIEVED_AHEAD: Final = 1_000_000  # an id further ahead than this was never a request of any event


class OlderFile(Damaged):
    """The file has fewer entries than were read from it: it is an older copy, to be read from its start."""


def head(db: Connection) -> int:
    """Cursor of the last entry, 0 for none."""
    (cursor,) = db.execute("SELECT cursor FROM counters").fetchone()
    return int(cursor)


def move_head(db: Connection, cursor: int) -> None:
    """Entries up to `cursor` were added in this transaction."""
    db.execute("UPDATE counters SET cursor = ?", (cursor,))


def next_cursor(db: Connection) -> int:
    """The cursor for one entry that this transaction adds."""
    cursor = head(db) + 1
    move_head(db, cursor)
    return cursor


def next_request(db: Connection) -> int:
    """An id that no request of this event has, nor any command that a box has told of."""
    (used,) = db.execute("SELECT request FROM counters").fetchone()
    if used >= LAST_REQUEST:
        raise Refused(N_("this event has used up its command numbers: expected a new event file"))
    db.execute("UPDATE counters SET request = ?", (used + 1,))
    return int(used) + 1


def skip(db: Connection, count: int) -> None:
    """Leave out the next `count` ids, as long as that leaves plenty."""
    db.execute(
        "UPDATE counters SET request = request + ? WHERE request + ? + ? <= ?",
        (count, count, _BELIEVED_AHEAD, LAST_REQUEST),
    )


def pass_over(db: Connection, request: int) -> None:
    """Ids up to `request` are taken: a box knows them, from this event before it was restored, or from another one."""
    db.execute(
        "UPDATE counters SET request = ? WHERE request < ? AND request + ? >= ?",
        (request, request, _BELIEVED_AHEAD, request),
    )
