"""What people decide is appended, never lost, and decided once."""

from __future__ import annotations

import pytest

from dalej.errors import Refused, WrongInput
from dalej.event.ledger import ASSIGN, Baseline, Decision, Draft, Json, Ledger, baseline_of, body_of
from dalej.event.reading import read
from tests.event.ledger import process
from tests.event.ledger.making import BOX, EPOCH, NOON

TIME_OUT = f"time-out {BOX}:{EPOCH}:17"


def rule(ledger: Ledger, who: str, verdict: str, expects: int | None = None, revokes: int | None = None) -> Decision:
    return ledger.decide(
        "ruling", {"verdict": verdict, "tiles": 1},
        who=who, when_ms=NOON, why=f"{who} saw it", subject=TIME_OUT, expects=expects, revokes=revokes,
    )  # fmt: skip


def test_a_decision_is_kept_with_who_when_and_why(ledger: Ledger, second: Ledger) -> None:
    body: dict[str, Json] = {
        "verdict": "undone",
        "tiles": 1,
        "note": "zażółć",
        "seats": ["A", "C"],
        "deep": {"x": None, "y": 1.5},
    }
    made = ledger.decide("ruling", body, who="Anna", when_ms=NOON, why="tile still in hand")
    assert made == Decision(1, "ruling", None, body, "Anna", NOON, "tile still in hand", None, None)
    assert read(second).decisions() == second.since(0) == [made]


@pytest.mark.parametrize(("who", "why"), [("", "because"), ("Anna", " ")])
def test_a_decision_without_a_name_or_a_reason_is_refused(ledger: Ledger, who: str, why: str) -> None:
    with pytest.raises(WrongInput, match="without a name or a reason"):
        ledger.decide("ruling", {}, who=who, when_ms=NOON, why=why)
    assert ledger.head() == 0


def test_of_two_who_saw_the_same_the_first_decides_and_the_second_is_told(ledger: Ledger, second: Ledger) -> None:
    first = rule(ledger, "Anna", "stands")
    with pytest.raises(Refused) as refused:
        rule(second, "Ewa", "undone")
    assert str(refused.value) == "Anna has already decided on this (ruling): Anna saw it"
    assert (refused.value.data["cursor"], refused.value.data["when_ms"]) == (first.cursor, NOON)

    overruled = rule(second, "Ewa", "undone", expects=first.cursor, revokes=first.cursor)
    with pytest.raises(Refused, match="Ewa has already decided"):
        rule(ledger, "Anna", "stands", expects=first.cursor)
    assert [one.cursor for one in read(ledger).decisions(subject=TIME_OUT)] == [first.cursor, overruled.cursor]
    assert read(ledger).decisions("ruling", standing=True) == [overruled]


def test_a_decision_cannot_expect_what_was_never_decided(ledger: Ledger) -> None:
    with pytest.raises(Refused, match="there is no decision 5 on this"):
        rule(ledger, "Anna", "stands", expects=5)


def test_a_revoked_decision_stays_and_names_what_revoked_it(ledger: Ledger) -> None:
    first = rule(ledger, "Anna", "stands")
    revocation = ledger.revoke(first.cursor, who="Ewa", when_ms=NOON + 1, why="wrong table")

    kept, by = read(ledger).decisions(subject=TIME_OUT)
    assert (kept.body, kept.why, kept.revoked_by) == (first.body, "Anna saw it", revocation.cursor)
    assert by == revocation
    assert read(ledger).decisions("ruling", standing=True) == []


def test_whoever_has_not_seen_a_revocation_cannot_build_on_what_it_revoked(ledger: Ledger) -> None:
    first = rule(ledger, "Anna", "stands")
    ledger.revoke(first.cursor, who="Ewa", when_ms=NOON, why="wrong table")
    with pytest.raises(Refused, match=r"Ewa has already decided on this \(revoke\): wrong table"):
        rule(ledger, "Jan", "undone", expects=first.cursor)
    with pytest.raises(Refused, match=r"Ewa has already revoked this \(ruling\): wrong table"):
        ledger.revoke(first.cursor, who="Jan", when_ms=NOON, why="mine")


def test_only_what_was_decided_can_be_revoked(ledger: Ledger) -> None:
    ledger.request(1, "start", who="Anna", at_ms=NOON)
    for nothing in (1, 2):
        with pytest.raises(WrongInput, match=f"there is no decision {nothing} to revoke"):
            ledger.revoke(nothing, who="Anna", when_ms=NOON, why="mistake")


def test_decisions_without_a_subject_do_not_compete(ledger: Ledger, second: Ledger) -> None:
    for one in (ledger, second, ledger):
        one.decide("note", {"text": "cold tea"}, who="Anna", when_ms=NOON, why="for the record")
    assert len(read(ledger).decisions("note")) == 3
    assert read(ledger).decisions("ruling") == []


def test_an_assignment_says_where_a_spare_box_takes_over(ledger: Ledger) -> None:
    takeover = Baseline(7, BOX, EPOCH, 412, game=2, move=31, seat=0, remaining_ms=41_250, bank=0)
    made = ledger.assign(takeover, who="Anna", when_ms=NOON, why="battery", subject="table 7")
    assert made.kind == "assign"
    assert baseline_of(made) == takeover
    assert ledger.contiguous(BOX, EPOCH) == 412


@pytest.mark.parametrize(
    "body",
    [
        {},
        {"table": 1, "box": BOX, "epoch": EPOCH},
        {"table": 1, "box": 5, "epoch": EPOCH, "seq": 0},
        {"table": 1, "box": BOX, "epoch": EPOCH, "seq": -1},
        {"table": 1, "box": BOX, "epoch": EPOCH, "seq": 0, "hall": 2},
    ],
)
def test_an_assignment_that_does_not_say_where_is_refused(ledger: Ledger, body: dict[str, str | int]) -> None:
    with pytest.raises(WrongInput, match="expected table, box, epoch and sequence number"):
        ledger.decide("assign", body, who="Anna", when_ms=NOON, why="drawn")
    assert ledger.head() == 0


def test_two_processes_one_decision(ledger: Ledger) -> None:
    subjects = 40
    names = ("Anna", "Ewa")
    deciders = [process.start("decide", ledger.path, name, subjects) for name in names]
    for _ in range(subjects):
        for decider in deciders:
            assert decider.stdin is not None
            decider.stdin.write("\n")
            decider.stdin.flush()
    told = [decider.communicate(timeout=60)[0].split() for decider in deciders]

    decided = [one.who for one in read(ledger).decisions("ruling")]
    assert len(decided) == subjects
    assert sorted({one.subject or "" for one in read(ledger).decisions("ruling")}) == sorted(
        f"time-out {number}" for number in range(subjects)
    )
    in_order = sorted(read(ledger).decisions("ruling"), key=lambda one: int((one.subject or "").split()[1]))
    assert told[0] == told[1] == [one.who for one in in_order]


def test_decisions_made_together_are_all_there_and_move_their_streams(ledger: Ledger, second: Ledger) -> None:
    baseline = Baseline(table=3, box=BOX, epoch=EPOCH, seq=7)
    drafts = [Draft("seated", {"table": 3, "names": {"A": "Łoś"}}, "seated:3"), Draft(ASSIGN, body_of(baseline))]

    made = ledger.decide_together(drafts, who="Sowa", when_ms=NOON, why="the draw")

    assert [decision.cursor for decision in made] == [1, 2]
    assert read(second).decisions() == made
    assert baseline_of(made[1]) == baseline
    assert ledger.contiguous(BOX, EPOCH) == 7
    assert [stream.baseline for stream in ledger.boxes(BOX)] == [7]
    assert ledger.boxes("another") == []


def test_of_decisions_made_together_none_is_made_if_one_is_too_late(ledger: Ledger) -> None:
    ledger.decide("seated", {"table": 2}, who="Borsuk", when_ms=NOON, why="the draw", subject="seated:2")
    drafts = [Draft("seated", {"table": number}, f"seated:{number}") for number in (1, 2, 3)]

    with pytest.raises(Refused, match="Borsuk has already decided"):
        ledger.decide_together(drafts, who="Sowa", when_ms=NOON, why="the draw")

    assert ledger.head() == 1


def test_a_wrong_assignment_among_decisions_made_together_undoes_them_all(ledger: Ledger) -> None:
    drafts = [Draft("seated", {"table": 1}), Draft(ASSIGN, {"table": 1})]

    with pytest.raises(WrongInput, match="without its place"):
        ledger.decide_together(drafts, who="Sowa", when_ms=NOON, why="the draw")

    assert ledger.head() == 0
