"""The one reading of an event: each entry once, whatever is asked; what was undone is unread."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import NoReturn

import pytest

from dalej.errors import Refused
from dalej.event.event import Event
from dalej.event.ledger import Decision, Entry, Ledger
from dalej.event.reading import Reading, read


class Counting(Ledger):
    """A ledger that counts how often each entry was read."""

    def __init__(self, *args: object) -> None:
        super().__init__(*args)  # type: ignore[arg-type]  # as its factories call it
        self.read: Counter[int] = Counter()

    def decisions_between(self, after: int, last: int) -> list[Decision]:
        found = super().decisions_between(after, last)
        self.read.update(one.cursor for one in found)
        return found

    def others_between(self, after: int, last: int) -> list[Entry]:
        found = super().others_between(after, last)
        self.read.update(one.cursor for one in found)
        return found


@pytest.fixture
def ledger(tmp_path: Path) -> Iterator[Counting]:
    with Counting.create(tmp_path / "e.dalej") as made:
        assert isinstance(made, Counting)
        yield made


def note(ledger: Ledger, what: str, revokes: int | None = None) -> int:
    kind = "note" if revokes is None else "revoke"
    return ledger.decide(kind, {"what": what}, who="Lis", when_ms=1, why="so", revokes=revokes).cursor


def test_what_is_new_is_read_and_nothing_else(ledger: Counting) -> None:
    reading = Reading(ledger)
    first = note(ledger, "one")
    assert [one.cursor for one in reading.on().decisions()] == [first]
    second = note(ledger, "two")
    assert [one.cursor for one in reading.on().decisions()] == [first, second]
    reading.on()
    assert set(ledger.read.values()) == {1}


def test_a_revocation_is_known_of_the_decision_that_was_read_before_it(ledger: Counting) -> None:
    reading = Reading(ledger)
    first = note(ledger, "one")
    reading.on()
    back = note(ledger, "", revokes=first)
    reading.on()
    assert [(one.cursor, one.revoked_by) for one in reading.decisions()] == [(first, back), (back, None)]
    assert [one.cursor for one in reading.decisions(standing=True)] == [back]
    assert reading.decisions() == read(ledger).decisions()


def test_decisions_of_some_kinds_are_those_of_all_that_are_of_them_in_their_order(ledger: Counting) -> None:
    first = note(ledger, "one")
    note(ledger, "two")
    ledger.decide("rule", {}, who="Lis", when_ms=1, why="so")
    note(ledger, "", revokes=first)
    reading = read(ledger)
    for kinds in (["note"], ["rule"], ["rule", "note"], ["revoke", "note"], ["none"]):
        for standing in (False, True):
            assert reading.decisions(*kinds, standing=standing) == [
                one for one in reading.decisions(standing=standing) if one.kind in kinds
            ]


class Untouched(dict[int, Decision]):
    """Decisions of the whole day."""

    def values(self) -> NoReturn:
        pytest.fail("all decisions were gone through")


def test_who_asks_for_some_kinds_goes_through_no_others(ledger: Counting) -> None:
    note(ledger, "one")
    reading = read(ledger)
    reading._decisions = Untouched(reading._decisions)

    assert [one.kind for one in reading.decisions("note", "none", "note")] == ["note"]
    with pytest.raises(pytest.fail.Exception, match="all decisions"):
        reading.decisions()


class Notes:
    """A fold that does not understand everything."""

    def __init__(self) -> None:
        self.taken: list[int] = []

    def take(self, entry: Entry) -> None:
        if getattr(entry, "body", {}).get("what") == "nonsense":
            raise Refused("nonsense")
        self.taken.append(entry.cursor)


def test_a_fold_is_one_whoever_asks_and_takes_each_entry_once(ledger: Counting) -> None:
    first, reading = note(ledger, "one"), read(ledger)
    notes = reading.fold(Notes)
    second = note(ledger, "two")
    assert reading.on().fold(Notes) is notes
    assert notes.taken == [first, second]


def test_a_fold_that_fails_at_an_entry_fails_there_again_and_takes_nothing_twice(ledger: Counting) -> None:
    first, reading = note(ledger, "one"), Reading(ledger)
    note(ledger, "nonsense")
    reading.on()
    for _ in range(2):
        with pytest.raises(Refused, match="nonsense"):
            reading.fold(Notes)
    assert [fold.taken for fold, _ in reading._folds.values() if isinstance(fold, Notes)] == [[first]]


def test_what_was_read_within_a_step_that_failed_is_unread(ledger: Counting) -> None:
    event = Event(ledger, who="Lis", wall_ms=lambda: 1)
    first = note(ledger, "one")

    def step() -> None:
        with event.together():
            note(ledger, "never", revokes=first)
            assert len(event.read().decisions(standing=True)) == 1
            raise Refused("not so")

    with pytest.raises(Refused, match="not so"):
        step()
    second = note(ledger, "two")
    assert [(one.cursor, one.revoked_by) for one in event.read().decisions()] == [(first, None), (second, None)]
    assert second == first + 1, "its place in the ledger is free again"


def test_a_file_that_is_older_than_what_was_read_is_read_anew(ledger: Counting, tmp_path: Path) -> None:
    note(ledger, "one")
    reading = read(ledger)
    decided = reading.decided
    with Ledger.create(tmp_path / "older.dalej") as older:
        reading._ledger = older
        assert reading.on().decisions() == []
    assert reading.decided != decided, "whoever has drawn a conclusion from what was decided draws it anew"
