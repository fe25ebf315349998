"""Which box is to stand on which table: one box a table, one table a box, and every step can be taken back."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dalej.errors import Damaged, Refused, WrongInput
from dalej.event.boxplaces import ALL, NOW, STAND, BoxPlace, Wish, placed, places
from dalej.event.ledger import Decision, Draft, Ledger
from dalej.event.reading import read
from dalej.office.history import history
from dalej.office.undo import proposed, undo
from tests.domain.deciding import NOON
from tests.office.conftest import Desk
from tests.placing import decided, place, take_away

SEVEN, TWELVE, NINE = "240ac4000007", "240ac4000012", "240ac4000009"


@pytest.fixture
def ledger(tmp_path: Path) -> Iterator[Ledger]:
    with Ledger.create(tmp_path / "e.dalej") as opened:
        yield opened


def give(
    ledger: Ledger, table: int, box: str, since: str = NOW, when_ms: int = NOON, name: str = "", *, goes_on: bool = True
) -> BoxPlace:
    return place(ledger, table, box, since=since, goes_on=goes_on, who="Sowa", when_ms=when_ms, why="so", name=name)


def stand(ledger: Ledger) -> dict[int, str]:
    return {one.table: one.box for one in places(read(ledger))}


def test_nobody_has_given_a_box_to_a_table(ledger: Ledger) -> None:
    assert list(places(read(ledger))) == []


def test_a_place_says_all_that_was_decided(ledger: Ledger) -> None:
    first = give(ledger, 4, TWELVE, ALL, name="12", goes_on=False)
    second = give(ledger, 2, SEVEN)
    assert (first, second) == (BoxPlace(4, TWELVE, ALL, False, 1, "12"), BoxPlace(2, SEVEN, NOW, True, 2))
    assert list(places(read(ledger))) == [second, first]
    assert (first.called, second.called) == ("12", SEVEN)
    assert [one.subject for one in read(ledger).decisions()] == ["stand:4", "stand:2"]


def test_a_box_that_stands_elsewhere_moves(ledger: Ledger) -> None:
    give(ledger, 2, TWELVE)
    give(ledger, 4, TWELVE)
    assert stand(ledger) == {4: TWELVE}


def test_a_spare_box_stands_in_the_place_of_the_one_before(ledger: Ledger) -> None:
    give(ledger, 4, SEVEN)
    give(ledger, 4, TWELVE)
    assert stand(ledger) == {4: TWELVE}
    with pytest.raises(Refused, match=f"box {SEVEN} stands on no table"):
        take_away(ledger, SEVEN, who="Sowa", when_ms=NOON, why="so")


def test_a_table_whose_spare_box_goes_elsewhere_has_none_and_not_the_one_before(ledger: Ledger) -> None:
    give(ledger, 4, SEVEN)
    give(ledger, 4, TWELVE)
    give(ledger, 5, TWELVE)
    assert stand(ledger) == {5: TWELVE}


def test_a_box_that_is_taken_away_stands_nowhere_and_neither_does_the_one_before_it(ledger: Ledger) -> None:
    give(ledger, 4, SEVEN)
    give(ledger, 4, TWELVE)
    take_away(ledger, TWELVE, who="Sowa", when_ms=NOON, why="so")
    assert stand(ledger) == {}
    with pytest.raises(Refused, match="stands on no table"):
        take_away(ledger, TWELVE, who="Sowa", when_ms=NOON, why="so")


def test_the_same_again_decides_nothing_and_something_else_about_it_does(ledger: Ledger) -> None:
    first = give(ledger, 4, TWELVE)
    assert give(ledger, 4, TWELVE) == first
    assert give(ledger, 4, TWELVE, goes_on=False).cursor == 2
    assert give(ledger, 4, TWELVE, ALL).cursor == 3


@pytest.mark.parametrize(("table", "box", "since"), [(0, TWELVE, NOW), (4, "12", NOW), (4, "", NOW), (4, TWELVE, "?")])
def test_what_no_decision_could_say_is_wrong_input(ledger: Ledger, table: int, box: str, since: str) -> None:
    with pytest.raises(WrongInput, match="cannot stand on table"):
        give(ledger, table, box, since)
    assert read(ledger).decisions() == []


def test_one_step_cannot_put_two_boxes_on_a_table(ledger: Ledger) -> None:
    with pytest.raises(WrongInput, match="two boxes at once"):
        decided(ledger, lambda _: [Wish(SEVEN, 4), Wish(NINE, 4)], who="Sowa", when_ms=NOON, why="so")
    assert read(ledger).decisions() == []


def test_two_boxes_change_places_in_one_step(ledger: Ledger) -> None:
    give(ledger, 1, SEVEN)
    give(ledger, 2, NINE)
    moved = decided(ledger, lambda _: [Wish(SEVEN, 2), Wish(NINE, 1)], who="Sowa", when_ms=NOON, why="so")
    assert stand(ledger) == {1: NINE, 2: SEVEN}
    assert [one.box for one in moved.before] == [SEVEN, NINE]
    assert [one.box for one in moved.after] == [NINE, SEVEN]


def test_two_desks_at_once_each_see_what_the_other_has_decided(ledger: Ledger) -> None:
    waited: list[int] = []

    def plan(before: Sequence[BoxPlace]) -> list[Wish]:
        if not before:
            with Ledger.open(ledger.path) as other:
                give(other, 4, SEVEN)
        return [Wish(TWELVE, 4 if not before else 5)]

    decided(ledger, plan, who="Sowa", when_ms=NOON, why="so", pause=waited.append)
    assert (stand(ledger), waited) == ({4: SEVEN, 5: TWELVE}, [1])


@pytest.mark.parametrize(
    "body",
    [{}, {"table": 0, "box": TWELVE, "from": NOW, "goes_on": True}, {"table": 1, "box": "12", "from": NOW,
     "goes_on": True}, {"table": 1, "box": TWELVE, "from": "then", "goes_on": True}],
)  # fmt: skip
def test_a_decision_that_says_nothing_is_damage(ledger: Ledger, body: dict[str, object]) -> None:
    ledger.decide_together([Draft(STAND, body, "stand:1")], who="Sowa", when_ms=NOON, why="so")  # type: ignore[arg-type]
    with pytest.raises(Damaged):
        places(read(ledger))


def test_the_history_tells_it_in_words(desk: Desk) -> None:
    event = desk("Sowa")
    give(event.ledger, 4, SEVEN)
    give(event.ledger, 4, TWELVE, name="12\x1b[2J")
    give(event.ledger, 5, TWELVE, goes_on=False, name="12")
    give(event.ledger, 6, TWELVE, ALL, name="12")
    take_away(event.ledger, TWELVE, who="Sowa", when_ms=NOON, why="so")
    assert [one.what for one in history(read(event.ledger))][-5:] == [
        f"box {SEVEN} goes to table 4", "box 12�[2J goes to table 4", "box 12 goes to table 5, for a new game",
        "box 12 goes to table 6, with everything it holds", "no box stands on table 6",
    ]  # fmt: skip


def test_an_undone_step_leaves_what_stood_there_before(desk: Desk) -> None:
    event = desk("Sowa")
    first = give(event.ledger, 4, SEVEN, when_ms=NOON + 10, name="7")
    give(event.ledger, 2, TWELVE, when_ms=NOON + 11, name="12")
    give(event.ledger, 4, TWELVE, when_ms=NOON + 12, name="12")

    undoing = undo(event, None, "the wrong box")

    assert undoing.effect == ("box 12 stands on table 2", "box 7 stands on table 4")
    assert list(places(read(event.ledger)))[1] == first


def test_an_undone_taking_away_puts_the_box_back(desk: Desk) -> None:
    event = desk("Sowa")
    give(event.ledger, 4, SEVEN, when_ms=NOON + 10, name="7")
    take_away(event.ledger, SEVEN, who="Sowa", when_ms=NOON + 11, why="so")
    assert undo(event, None, "it is still there").effect == ("box 7 stands on table 4",)
    assert stand(event.ledger) == {4: SEVEN}


def test_boxes_given_in_one_step_are_taken_back_in_one(desk: Desk) -> None:
    event = desk("Sowa")
    wishes = [Wish(SEVEN, 1), Wish(NINE, 2)]
    decided(event.ledger, lambda _: wishes, who="Sowa", when_ms=NOON + 10, why="set up")
    assert proposed(event).effect == ("table 1 has no box", "table 2 has no box")
    undo(event, None, "not today")
    assert stand(event.ledger) == {}
    give(event.ledger, 1, NINE, when_ms=NOON + 11)
    assert stand(event.ledger) == {1: NINE}


def test_undoing_a_step_that_others_have_overtaken_changes_nothing(desk: Desk) -> None:
    event = desk("Sowa")
    first = give(event.ledger, 4, SEVEN, when_ms=NOON + 10)
    give(event.ledger, 4, TWELVE, when_ms=NOON + 11)
    assert undo(event, first.cursor, "tidying up").effect == ()
    assert stand(event.ledger) == {4: TWELVE}


said = st.lists(
    st.tuples(st.sampled_from(["", SEVEN, NINE, TWELVE]), st.integers(1, 3), st.sampled_from([None, 99])), max_size=12
)


@given(said=said)
def test_whatever_was_decided_a_box_has_one_table_and_what_is_undone_never_was(
    said: list[tuple[str, int, int | None]],
) -> None:
    decisions = [
        Decision(cursor, STAND, f"stand:{table}", {"table": table, "box": box, "from": NOW, "goes_on": True}, "Sowa",
                 NOON, "so", None, revoked_by)
        for cursor, (box, table, revoked_by) in enumerate(said, start=1)
    ]  # fmt: skip
    found = placed(decisions)
    assert [one.table for one in found] == sorted({one.table for one in found})
    assert len({one.box for one in found}) == len(found)
    assert found == placed(one for one in decisions if one.revoked_by is None)
    for one in found:
        later = [each for each in decisions if each.revoked_by is None and each.cursor > one.cursor]
        assert not [each for each in later if one.box == each.body["box"] or one.table == each.body["table"]]
