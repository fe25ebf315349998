"""What boxes report arrives exactly once, whatever the links do to it."""

from __future__ import annotations

import tempfile
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dalej.errors import WrongInput
from dalej.event.ledger import Baseline, Ledger, Report, Stream
from dalej.event.reading import read
from tests.event.ledger.keeping import Keeping
from tests.event.ledger.making import BOX, EPOCH, NOON, OTHER, fact, report, reports, seqs
from tests.told import facts_of


def assign(ledger: Ledger, seq: int, *, table: int = 1) -> int:
    baseline = Baseline(table, BOX, EPOCH, seq)
    return ledger.assign(baseline, who="Anna", when_ms=NOON, why="drawn").cursor


def test_a_fact_comes_back_as_it_was_reported(ledger: Ledger) -> None:
    live = report(1)
    replayed = Report(fact(2), NOON, wall_ms=None, old=True)
    recorded = ledger.record([live, replayed])

    assert recorded.new == [live.fact, replayed.fact]
    assert recorded.contiguous == {(BOX, EPOCH): 2}
    assert recorded.cursor == ledger.head() == 2
    stored = list(read(ledger).facts())
    assert [(one.fact, one.received_ms, one.wall_ms, one.old) for one in stored] == [live, replayed]
    assert [one.cursor for one in stored] == [1, 2]


def test_the_same_again_leaves_no_trace(ledger: Ledger, second: Ledger) -> None:
    ledger.record(reports([1, 2]))
    later = [one._replace(received_ms=NOON + 60_000, wall_ms=None, old=True) for one in reports([1, 2, 2])]
    again = second.record(later)

    assert (again.new, again.duplicate, again.conflicting) == ([], [fact(1), fact(2), fact(2)], [])
    assert again.contiguous == {(BOX, EPOCH): 2}
    assert ledger.head() == 2
    assert [one.old for one in read(ledger).facts()] == [False, False]


def test_a_contradiction_raises_an_alarm_and_both_are_kept(ledger: Ledger) -> None:
    ledger.record(reports([1, 2]))
    recorded = ledger.record([report(2, a=99_999), report(3)])

    (conflict,) = recorded.conflicting
    assert (conflict.stored, conflict.reported) == (fact(2), fact(2, a=99_999))
    assert recorded.new == [fact(3)]
    assert recorded.contiguous == {(BOX, EPOCH): 3}  # the box need not say it again
    assert [one.fact for one in read(ledger).facts()] == [fact(1), fact(2), fact(3)]
    assert read(ledger).conflicts() == [conflict]
    assert conflict in ledger.since(2)


def test_a_contradiction_said_again_is_told_again_and_kept_once(ledger: Ledger) -> None:
    ledger.record([report(1)])
    first = ledger.record([report(1, a=7), report(1, a=7)])
    again = ledger.record([report(1, a=7), report(1, a=8)])
    assert [one.cursor for one in (*first.conflicting, *again.conflicting)] == [2, 2, 2, 3]
    assert [one.reported.a for one in read(ledger).conflicts()] == [7, 8]


def test_a_contradiction_within_one_batch_is_one_too(ledger: Ledger) -> None:
    recorded = ledger.record([report(1), report(2), report(1, a=7), report(2), report(3)])
    assert recorded.new == [fact(1), fact(2), fact(3)]
    assert recorded.duplicate == [fact(2)]
    assert [(one.stored.a, one.reported.a) for one in recorded.conflicting] == [(12_345, 7)]
    ledger.expect_whole()


def test_boxes_and_epochs_are_never_mixed(ledger: Ledger) -> None:
    reflashed = EPOCH + 1
    ledger.record([*reports([1, 2]), *reports([1], box=OTHER), *reports([1], epoch=reflashed)])
    assert ledger.boxes() == [
        Stream(BOX, EPOCH, 0, 2, 2), Stream(OTHER, EPOCH, 0, 1, 1), Stream(BOX, reflashed, 0, 1, 1),
    ]  # fmt: skip
    ledger.record(reports([3]))
    assert [(one.fact.epoch, one.fact.seq) for one in facts_of(ledger, BOX)] == [
        (EPOCH, 1), (EPOCH, 2), (EPOCH, 3), (reflashed, 1),
    ]  # fmt: skip
    assert [one.fact.box for one in read(ledger).facts() if one.cursor > 2] == [OTHER, BOX, BOX]


def test_only_what_is_contiguous_may_be_acknowledged(ledger: Ledger) -> None:
    assert ledger.contiguous(BOX, EPOCH) == 0
    assert ledger.record(reports([3, 4])).contiguous == {(BOX, EPOCH): 0}
    assert ledger.missing(BOX, EPOCH) == [(1, 2)]
    assert ledger.record(reports([1])).contiguous == {(BOX, EPOCH): 1}
    assert ledger.record(reports([2, 7])).contiguous == {(BOX, EPOCH): 4}
    assert ledger.missing(BOX, EPOCH) == [(5, 6)]
    assert ledger.missing(OTHER, EPOCH) == []


def test_what_the_box_no_longer_holds_is_reported_and_no_longer_waited_for(ledger: Ledger) -> None:
    ledger.record(reports([1, 2, 10]))
    assert ledger.lost(BOX, EPOCH, 3, 7, "journal full", NOON)
    assert ledger.contiguous(BOX, EPOCH) == 7
    assert ledger.missing(BOX, EPOCH) == [(8, 9)]
    assert not ledger.lost(BOX, EPOCH, 3, 7, "journal full", NOON + 1)
    assert ledger.record(reports([9, 8])).contiguous == {(BOX, EPOCH): 10}
    ledger.expect_whole()
    with pytest.raises(WrongInput, match="lost facts 5 to 4: expected a range from 1 on"):
        ledger.lost(BOX, EPOCH, 5, 4, "journal full", NOON)


def test_a_gap_that_is_told_of_before_its_surroundings_is_jumped_when_they_arrive(ledger: Ledger) -> None:
    ledger.lost(BOX, EPOCH, 4, 6, "compacted", NOON)
    assert ledger.missing(BOX, EPOCH) == [(1, 3)]
    assert ledger.record(reports([1, 2, 3])).contiguous == {(BOX, EPOCH): 6}


def test_an_empty_second_laptop_starts_behind_what_the_box_still_holds(ledger: Ledger) -> None:
    ledger.lost(BOX, EPOCH, 1, 4_000, "compacted", NOON)
    assert ledger.record(reports([4_001])).contiguous == {(BOX, EPOCH): 4_001}


def test_facts_before_the_assignment_are_neither_asked_for_nor_missed(ledger: Ledger) -> None:
    assign(ledger, 500)
    assert ledger.contiguous(BOX, EPOCH) == 500
    assert ledger.missing(BOX, EPOCH) == []
    assert ledger.record(reports([502])).contiguous == {(BOX, EPOCH): 500}
    assert ledger.record(reports([501, 12])).contiguous == {(BOX, EPOCH): 502}
    assert ledger.boxes() == [Stream(BOX, EPOCH, 500, 502, 502)]
    ledger.expect_whole()


def test_the_latest_standing_assignment_rules(ledger: Ledger) -> None:
    ledger.record(reports([1, 2, 3, 9]))
    first = assign(ledger, 2)
    assert ledger.contiguous(BOX, EPOCH) == 3
    moved = assign(ledger, 8, table=7)
    assert ledger.contiguous(BOX, EPOCH) == 9
    ledger.revoke(moved, who="Anna", when_ms=NOON, why="wrong box")
    assert ledger.contiguous(BOX, EPOCH) == 3
    ledger.revoke(first, who="Anna", when_ms=NOON, why="wrong box")
    assert ledger.boxes() == [Stream(BOX, EPOCH, 0, 3, 9)]
    ledger.expect_whole()


@st.composite
def deliveries(draw: st.DrawFn) -> list[list[int]]:
    """Batches in which each of 1..n arrives at least once, in any order, some of them again."""
    count = draw(st.integers(1, 40))
    again = draw(st.lists(st.integers(1, count), max_size=40))
    order = draw(st.permutations([*range(1, count + 1), *again]))
    cuts = sorted(draw(st.lists(st.integers(0, len(order)), max_size=6)))
    return [order[start:end] for start, end in zip([0, *cuts], [*cuts, len(order)], strict=True)]


@given(deliveries())
def test_lost_duplicated_and_reordered_notifications_give_the_same_log(
    keeping: Keeping, batches: list[list[int]]
) -> None:
    everything = {seq for batch in batches for seq in batch}
    with tempfile.TemporaryDirectory() as folder, keeping.create(Path(folder) / "event.dalej") as ledger:
        arrived: set[int] = set()
        for batch in batches:
            recorded = ledger.record(reports(batch))
            assert [one.seq for one in recorded.new] == sorted(set(batch) - arrived, key=batch.index)
            assert len(recorded.new) + len(recorded.duplicate) == len(batch)
            arrived.update(batch)
            holes = {seq for first, last in ledger.missing(BOX, EPOCH) for seq in range(first, last + 1)}
            assert holes == set(range(1, max(arrived, default=0) + 1)) - arrived
            assert ledger.contiguous(BOX, EPOCH) == min(holes, default=max(arrived, default=0) + 1) - 1
        assert seqs(ledger) == sorted(everything)
        assert ledger.contiguous(BOX, EPOCH) == max(everything)
        ledger.expect_whole()


@given(
    st.lists(
        st.one_of(
            st.tuples(st.just("fact"), st.integers(1, 30)),
            st.tuples(st.just("lost"), st.integers(1, 30)),
            st.tuples(st.just("assign"), st.integers(0, 30)),
        ),
        max_size=30,
    )
)
def test_the_acknowledgement_follows_from_facts_gaps_and_baseline_alone(
    keeping: Keeping, steps: list[tuple[str, int]]
) -> None:
    with tempfile.TemporaryDirectory() as folder, keeping.create(Path(folder) / "event.dalej") as ledger:
        here, baseline = set[int](), 0
        for step, seq in steps:
            if step == "fact":
                ledger.record(reports([seq]))
                here.add(seq)
            elif step == "lost":
                ledger.lost(BOX, EPOCH, seq, seq + 2, "compacted", NOON)
                here.update((seq, seq + 1, seq + 2))
            else:
                assign(ledger, seq)
                baseline = seq
            expected = baseline
            while expected + 1 in here:
                expected += 1
            assert ledger.contiguous(BOX, EPOCH) == expected
        ledger.expect_whole()


def test_a_batch_of_many_boxes_is_one_transaction(ledger: Ledger, second: Ledger) -> None:
    boxes = [f"{number:012x}" for number in range(25)]
    batch = [report(seq, box=box) for seq in (1, 2) for box in boxes]
    recorded = ledger.record(batch)
    assert recorded.contiguous == {(box, EPOCH): 2 for box in boxes}
    assert [stream.box for stream in second.boxes()] == boxes
