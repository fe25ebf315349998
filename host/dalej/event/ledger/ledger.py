"""`Ledger`: an event's file as the rest of the desk sees it. What each call does is in the module named after it."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from datetime import date
from pathlib import Path
from types import TracebackType
from typing import Self

from dalej.errors import WrongInput
from dalej.event.ledger import backup, decisions, origins, personal, recording, requests, restore
from dalej.event.ledger import backup as audit
from dalej.event.ledger import store as order
from dalej.event.ledger.elsewhere import is_elsewhere
from dalej.event.ledger.entries import (
    Baseline,
    Decision,
    Draft,
    Entry,
    Json,
    Origin,
    Outcome,
    Recorded,
    Report,
    Reported,
    Request,
    Stream,
)
from dalej.event.ledger.lease import Lease
from dalej.event.ledger.origins import Heard
from dalej.event.ledger.sqlitefile import SqliteStore
from dalej.event.ledger.store import BUSY_MS, Store
from dalej.words import N_

_FOLLOWED = (
    recording.facts_between,
    recording.conflicts_between,
    recording.gaps,
    decisions.between,
    requests.requests_between,
    requests.outcomes_between,
)


class Ledger:
    """The append-only ledger of one event. Several processes may have it open; threads of one may share a ledger.
    What it holds is read by its cursor alone, which a `Reading` does once; the rest here is what writers ask.

    When a writing call returns, what it wrote is on the disk; when it raises, nothing of it is. Unreachable: the file
    stays locked for `busy_ms`, the disk is full, the file is gone. Damaged: what is stored cannot be read.
    """

    def __init__(self, store: Store, told: dict[int, Reported] | None = None) -> None:
        self._store = store
        self._told = told  # by cursor
        self.lease = Lease(store)

    @classmethod
    def create(cls, path: str | os.PathLike[str], *, busy_ms: int = BUSY_MS) -> Ledger:
        """A new event file at `path`; WrongInput if anything is there."""
        return cls(SqliteStore.create(Path(path), busy_ms))

    @classmethod
    def open(
        cls, path: str | os.PathLike[str], *, busy_ms: int = BUSY_MS, read_only: bool = False,
        told: dict[int, Reported] | None = None,
    ) -> Ledger:  # fmt: skip
        """An existing event file; WrongInput, and nothing touched, if it is none or of another version. `read_only`:
        whatever would write is Unreachable; another process has it open to write. `told`: empty, and given to each
        ledger of the same event whose readings are kept: a fact that several of them have read is there once.
        """
        file = Path(path)
        if is_elsewhere(file):
            return cls(_elsewhere(file, busy_ms, read_only=read_only), told)
        return cls(SqliteStore.open(file, busy_ms, read_only=read_only), told)

    @property
    def path(self) -> Path:
        """The event file."""
        return self._store.path

    def close(self) -> None:
        """Gathers everything into the one file, so that a copy of it is whole. May be called twice."""
        self._store.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    @contextmanager
    def together(self) -> Iterator[None]:
        """What is written within is one transaction: durable when the block is left, undone when it is left by an
        exception. Others who would write wait for it, so nothing long belongs into it.
        """
        with self._store.writing():
            yield

    # What boxes reported

    def record(self, reports: Iterable[Report], *, token: int | None = None) -> Recorded:
        """Adds what is new, in one transaction. Acknowledge `contiguous` of what it returns, never before it returns.

        `token`: Refused if the lease has passed to another process since.
        """
        return recording.record(self._store, reports, token)

    def lost(self, box: str, epoch: int, first: int, last: int, why: str, at_ms: int) -> bool:
        """The box said that it no longer holds facts `first` to `last`. False if that was known."""
        if not 1 <= first <= last:
            raise WrongInput(
                N_("box {box} lost facts {first} to {last}: expected a range from 1 on"),
                box=box, first=first, last=last,
            )  # fmt: skip
        with self._store.writing() as db:
            cursor = order.head(db) + 1
            added = recording.add_gap(db, cursor, box, epoch, (first, last, why, at_ms))
            if added:
                order.move_head(db, cursor)
        return added

    def contiguous(self, box: str, epoch: int) -> int:
        """The highest seq up to which, from the baseline on, every fact is here or reported lost. 0: none."""
        with self._store.reading() as db:
            found = recording.find(db, box, epoch)
        return 0 if found is None else found.contiguous

    def missing(self, box: str, epoch: int) -> list[tuple[int, int]]:
        """Ranges `(first, last)` after the baseline that are neither here nor reported lost, though later ones are."""
        with self._store.reading() as db:
            found = recording.find(db, box, epoch)
            return [] if found is None else recording.missing(db, found)

    def boxes(self, box: str | None = None) -> list[Stream]:
        """Journals of every box, or of one, in the order they were first heard of; a reformatted box has several."""
        with self._store.reading() as db:
            return [stream.seen() for stream in recording.each(db, box)]

    # What people and the desk decided

    def decide(
        self,
        kind: str,
        body: Mapping[str, Json],
        *,
        who: str,
        when_ms: int,
        why: str,
        subject: str | None = None,
        expects: int | None = None,
        revokes: int | None = None,
    ) -> Decision:
        """Appends a decision.

        With a `subject` it is one of a series: `expects` is the cursor of the last one on that subject that its author
        has seen (None: none yet; of a revocation: the revoked one). If there is a later one, Refused tells who made it.
        `revokes`: cursor of a decision that this one revokes, whose subject it takes over; Refused if that is revoked.
        """
        return decisions.decide(self._store, kind, body, who, when_ms, why, subject, expects, revokes)

    def revoke(self, cursor: int, *, who: str, when_ms: int, why: str) -> Decision:
        """Revokes a decision and puts nothing in its place."""
        return self.decide(decisions.REVOKE, {}, who=who, when_ms=when_ms, why=why, revokes=cursor)

    def assign(
        self,
        baseline: Baseline,
        *,
        who: str,
        when_ms: int,
        why: str,
        subject: str | None = None,
        expects: int | None = None,
        revokes: int | None = None,
    ) -> Decision:
        """Gives a box to a table: its facts count from `baseline.seq + 1` on. Of a stream's assignments the latest
        standing one rules.
        """
        return self.decide(
            decisions.ASSIGN, decisions.body_of(baseline), who=who, when_ms=when_ms, why=why,
            subject=subject, expects=expects, revokes=revokes,
        )  # fmt: skip

    def decide_together(
        self, drafts: Iterable[Draft], *, who: str, when_ms: int, why: str, seen: int | None = None
    ) -> list[Decision]:
        """Appends several decisions in one transaction, or none of them. Refused as by `decide`; Outrun (which is a
        Refused) if there is any decision later than `seen`. An `assign` among them is as `ledger.body_of` writes it.
        """
        return decisions.decide_together(self._store, drafts, who, when_ms, why, seen)

    # What was decided in other events of the same tournament

    def heard(self, name: str) -> Heard | None:
        """How far the event of that name was listened to; None: never."""
        return origins.heard(self._store, name)

    def here(self, name: str, epoch: int) -> Callable[[int], int | None]:
        """Tells the cursor here of a decision's number in that event; None: it was not brought."""
        return origins.here(self._store, name, epoch)

    def last_brought(self, name: str, epoch: int) -> Decision | None:
        """What was brought last of that event; None: nothing."""
        return origins.last_brought(self._store, name, epoch)

    def bring(self, made: Decision, origin: Origin) -> Decision:
        """Appends what was decided there; `revokes` and what its body refers to are cursors of here. It belongs into
        one transaction with `listened`.
        """
        return origins.bring(self._store, made, origin)

    def listened(self, name: str, before: Heard | None, now: Heard) -> None:
        """That event was listened to up to `now`; Refused if another program has listened since `before`."""
        origins.listened(self._store, name, before, now)

    def known_before(self, made: Decision, origin: Origin) -> int | None:
        """Where it is already, from an earlier epoch of that event; it is of this epoch then. None: it is not here."""
        return origins.known_before(self._store, made, origin)

    def adopt(self, cursor: int) -> None:
        """That decision is one of this event from now on, wherever it came from."""
        origins.adopt(self._store, cursor)

    def left_behind(self, name: str, epoch: int) -> list[Decision]:
        """What stands here of earlier epochs of that event, and is unknown to this one."""
        return origins.left_behind(self._store, name, epoch)

    # Commands for the boxes

    def request(
        self,
        table: int,
        command: str,
        args: Mapping[str, Json] | None = None,
        *,
        who: str,
        at_ms: int,
        why: str = "",
        box: str | None = None,
        guard: tuple[int, int] | None = None,
        unless_open_ms: int | None = None,
    ) -> Request:
        """Asks for a command; its `id` (u32) is used once in this event. `guard`: the (game, move) it is meant for.

        With `unless_open_ms` AskedAlready (which is a Refused) if the same command of the same table, whatever its
        arguments, was asked less than that ago and nobody has answered yet.
        """
        return requests.append(self._store, table, command, args or {}, who, at_ms, why, box, guard, unless_open_ms)

    def outcome(self, request: int, result: str, *, at_ms: int, token: int, reason: str = "") -> Outcome:
        """What became of a request, told by the holder of the lease `token`. A box's word is final: Refused if
        another one comes after it.
        """
        return requests.add_outcome(self._store, request, result, at_ms, token, reason)

    def outcomes(self, request: int) -> list[Outcome]:
        """All that became of a request, in order."""
        return requests.outcomes_of(self._store, request)

    def open_requests(self) -> list[Request]:
        """Requests that nobody has answered yet, oldest first; those already `sent` among them."""
        return requests.still_open(self._store)

    def unanswered_requests(self) -> list[Request]:
        """The same, and those that were given up: a box that did get one may answer it yet."""
        return requests.unanswered(self._store)

    def pass_over_requests(self, last: int) -> None:
        """A box knows commands up to id `last`, of another event or of this one before it was restored: use higher."""
        with self._store.writing() as db:
            order.pass_over(db, last)

    def skip_requests(self, count: int) -> None:
        """Leave out so many ids: a box may know them from another event, or from this one before it was restored."""
        with self._store.writing() as db:
            order.skip(db, count)

    # What the final form asks about people

    def keep_personal(self, player: int, values: Mapping[str, str], *, today: date) -> None:
        """Keeps personal data (`personal.FIELDS`) of a player beside the entries; "" removes a field. WrongInput names
        a field that cannot be right, such as a date of birth after `today`, never its value; Refused if the player's
        sign-up was taken back.
        """
        personal.keep(self._store, player, values, today)

    def personal(self) -> dict[int, dict[str, str]]:
        """Personal data by player; never for logs or errors."""
        return personal.kept(self._store)

    def erase_personal(self, player: int | None = None) -> int:
        """Erases all personal data, or one player's, for good and nothing else; of how many players. Unreachable while
        another program reads the file: erase again then.
        """
        return personal.erase(self._store, player)

    def copies_with_personal(self) -> list[Path]:
        """Copies of this event beside it that still hold personal data."""
        return personal.copies_with_data(self._store)

    # The whole

    def hinted(self, most_s: float) -> bool | None:
        """Whether within so long somebody says that there are new entries; None, at once: nobody ever says so here.
        It is a hint: whoever reads on looks without one, too.
        """
        return self._store.hinted(most_s)

    def head(self) -> int:
        """Cursor of the last entry, 0: none."""
        with self._store.reading() as db:
            return order.head(db)

    def since(self, cursor: int, limit: int = 1_000) -> list[Entry]:
        """The next entries after `cursor`, at most `limit`, in the one order; the same for every reader, for ever.

        OlderFile: there never were so many in this file.
        """
        with self._store.reading() as db:
            head = order.head(db)
            if cursor > head:
                raise order.OlderFile(
                    N_("{file} is older than what has been read from it"), file=str(self.path), head=head
                )
            last = min(head, cursor + limit)
            entries = [self._once(entry) for follow in _FOLLOWED for entry in follow(db, cursor, last)]
        return sorted(entries, key=lambda entry: entry.cursor)

    def decisions_between(self, after: int, last: int) -> list[Decision]:
        """Those among the entries `after < cursor <= last`, in their order."""
        with self._store.reading() as db:
            return list(decisions.between(db, after, last))

    def others_between(self, after: int, last: int) -> list[Entry]:
        """All but the decisions among the entries `after < cursor <= last`, in their order."""
        with self._store.reading() as db:
            follow_others = (follow for follow in _FOLLOWED if follow is not decisions.between)
            found = [self._once(entry) for follow in follow_others for entry in follow(db, after, last)]
        return sorted(found, key=lambda entry: entry.cursor)

    def _once(self, entry: Entry) -> Entry:
        """The same that another ledger has read there; another file may have come into its place since."""
        if self._told is None or not isinstance(entry, Reported):
            return entry
        known = self._told.get(entry.cursor)
        if known == entry:
            return known
        self._told[entry.cursor] = entry
        return entry

    def expect_whole(self) -> None:
        """Checks the file and all that is derived from its entries; Damaged with what is wrong. Takes seconds."""
        audit.expect_whole(self._store)

    def backup(self, path: str | os.PathLike[str], *, overwrite: bool = False, with_personal: bool = False) -> None:
        """Copies the event to one file while others write; Refused if `path` exists, unless told to overwrite it.
        Personal data are left out unless `with_personal`.
        """
        backup.back_up(self._store, Path(path), overwrite, with_personal)

    @staticmethod
    def restore(copy: str | os.PathLike[str], event: str | os.PathLike[str]) -> Path | None:
        """Puts a copy, which is checked first, in the place of the event; where what was there before is kept, None if
        nothing was. Refused if the event is in use or another one. All or nothing.
        """
        return restore.put_back(Path(copy), Path(event))


def _elsewhere(file: Path, busy_ms: int, *, read_only: bool) -> Store:
    try:
        from dalej.event.ledger.postgres import PostgresStore  # noqa: PLC0415 -- its library is not there everywhere
    except ImportError:
        raise WrongInput(
            N_("{file} is kept on PostgreSQL, whose library, psycopg, is not installed"), file=str(file)
        ) from None
    return PostgresStore.open(file, busy_ms, read_only=read_only)
