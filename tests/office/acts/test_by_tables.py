"""What a table does by itself, on a phone that is its box: racks are written down and agreed to, a word is read."""

from __future__ import annotations

from typing import Any, Final

import pytest

from dalej.domain.game.facts import PHONE
from dalej.domain.tournament.tournament import GameAt
from dalej.errors import Refused, WrongInput
from dalej.event.ledger import Baseline
from dalej.event.reading import Reading, read
from dalej.office.acts.roles import Actor
from dalej.office.acts.tableracks import written_now
from dalej.office.acts.wishes import Done
from dalej.office.tableracks import AGREES, RACKS
from dalej.office.tablewords import OF_WORDS, word_at
from tests import world
from tests.domain.begun import go_out, next_game, table
from tests.office.acts.office import Office, box_plays, player_at
from tests.world import NOON

TABLE: Final = Actor("P-1", "table", served=True)
SHEET: Final = {"A": "7", "B": "0", "C": "12+j", "D": "-"}
AT: Final = GameAt(1, 1)


def by_table(office: Office, act: str, **args: Any) -> Done:
    return office.do(act, TABLE, "", table=1, **args)


def agreed(office: Office, *seats: str) -> list[str]:
    """What is said to each in turn who agrees to what is written down."""
    now = written_now(office.event, 1)
    assert now is not None
    assert now[2] is not None
    return [str(by_table(office, "agree_racks", seat=seat, of=now[2].number)) for seat in seats]


def points(office: Office) -> list[int | None] | None:
    current = office.state.current
    assert current is not None
    result = current.results.get(AT)
    return None if result is None or result.sheet is None else [one.points for one in result.sheet.racks]


def test_racks_are_the_result_once_everybody_has_agreed(office: Office) -> None:
    box_plays(office, 1, over=True)

    written = by_table(office, "write_racks", racks={**SHEET, "B": "5", "D": "40"}, ended="round_time")

    assert str(written) == "Table 1, game 1: the racks are written down; each player agrees now."
    assert agreed(office, "A", "B", "D") == [f"Table 1: seat {seat} agrees." for seat in "ABD"]
    assert points(office) is None
    (said,) = agreed(office, "C")
    assert said.startswith("Table 1, game 1")
    assert points(office) == [7, 5, 12, 40]
    made = read(office.event.ledger).decisions(RACKS, AGREES)
    assert [(one.kind, one.why) for one in made] == [(kind, "counted at the table") for kind in (RACKS, *[AGREES] * 4)]


def test_each_who_agrees_to_racks_stands_with_it_in_the_log_of_what_was_done(office: Office) -> None:
    box_plays(office, 1, over=True)
    by_table(office, "write_racks", racks=SHEET)
    agreed(office, *"ABCD")

    made = [one.cursor for one in read(office.event.ledger).decisions(AGREES)]
    told = [line.done.decisions[0] for line in office.lines if line.wish.act == "agree_racks" and line.done is not None]
    assert (told, len(told)) == (made, 4)


def test_who_has_left_need_not_agree(office: Office) -> None:
    box_plays(office, 1, over=True)
    office.do("withdraw", player=player_at(office, 1, 3))
    by_table(office, "write_racks", racks={**SHEET, "D": "w"})

    agreed(office, "A", "B")
    assert points(office) is None
    agreed(office, "C")
    assert points(office) is not None


def test_who_writes_anew_has_to_be_agreed_with_anew(office: Office) -> None:
    box_plays(office, 1, over=True)
    by_table(office, "write_racks", racks=SHEET)
    now = written_now(office.event, 1)
    assert now is not None
    assert now[2] is not None
    agreed(office, "A", "B", "C")
    with pytest.raises(Refused, match="seat B has agreed already"):
        agreed(office, "B")
    by_table(office, "write_racks", racks={**SHEET, "A": "8"})

    with pytest.raises(Refused, match="table 1: other racks are written down by now: look at them"):
        by_table(office, "agree_racks", seat="D", of=now[2].number)
    agreed(office, "D")
    assert points(office) is None
    agreed(office, "A", "B", "C")
    assert points(office) == [8, 0, 12, None]


@pytest.mark.parametrize("act", ["write_racks", "agree_racks"])
def test_what_nobody_has_played_to_its_end_is_not_written_down(office: Office, act: str) -> None:
    box_plays(office, 1)
    assert written_now(office.event, 1) is None
    args: dict[str, Any] = {"racks": SHEET} if act == "write_racks" else {"seat": "A", "of": 1}

    with pytest.raises(Refused, match="table 1: no game is over that has no result yet"):
        by_table(office, act, **args)


def test_a_table_that_writes_racks_down_is_told_who_went_out_and_who_has_to_agree(office: Office) -> None:
    box_plays(office, 1, over=True)
    world.box_plays(office.event, 2, over=True)

    assert written_now(office.event, 1) == (AT, ["A", "B", "C", "D"], None, "")
    assert written_now(office.event, 2) == (GameAt(2, 1), ["A", "B", "C", "D"], None, "B")


def test_racks_that_cannot_be_are_refused_when_they_are_written_down(office: Office) -> None:
    box_plays(office, 1, over=True)

    with pytest.raises(WrongInput, match="only one can go out"):
        by_table(office, "write_racks", racks={**SHEET, "A": "0"})
    assert written_now(office.event, 1) == (AT, ["A", "B", "C", "D"], None, "")


def test_the_second_game_is_written_down_once_the_first_has_its_result(office: Office) -> None:
    """Given a round without games that boxes number anew: the table's first result was entered at the desk."""
    two = table(box=f"{1:012x}")
    go_out(two, two.clock.seat)
    next_game(two)
    go_out(two, two.clock.seat)
    world.stands(office.event, two.box, 1)
    world.tell(office.event, two)
    office.do("enter_result", table=1, game=1, racks=SHEET)
    now = written_now(office.event, 1)
    assert now is not None
    assert now[0] == GameAt(1, 2)
    by_table(office, "write_racks", racks={**dict.fromkeys("ABCD", "7"), now[3]: "0"})

    agreed(office, *"ABCD")

    current = office.state.current
    assert current is not None
    assert sorted(current.results) == [AT, GameAt(1, 2)]


def test_a_look_at_a_table_asks_for_what_tables_have_decided_alone(
    office: Office, monkeypatch: pytest.MonkeyPatch
) -> None:
    box_plays(office, 1, over=True)
    by_table(office, "write_racks", racks=SHEET)
    read_by: list[int] = []
    decisions = Reading.decisions

    def counted(reading: Reading, *kinds: str, **more: Any) -> Any:
        found = decisions(reading, *kinds, **more)
        read_by.append(len(found))
        return found

    monkeypatch.setattr(Reading, "decisions", counted)

    now = written_now(office.event, 1)

    assert now is not None
    assert now[2] is not None
    assert read_by == [1]


def test_a_word_is_read_once_whatever_another_hall_has_told_late(office: Office) -> None:
    at = Baseline(1, PHONE + "00000000d1", 1, 0)
    office.event.ledger.assign(at, who="Lis", when_ms=NOON, why="it stands there")
    office.do("tell_table", table=1, words="come to the desk")
    shown = word_at(read(office.event.ledger).decisions(*OF_WORDS), 1, office.wall.now_ms)
    assert shown is not None
    office.event.ledger.decide("note", {}, who="another hall", when_ms=NOON - 3_600_000, why="told later")

    assert str(by_table(office, "read_word", of=shown.number)) == "Table 1 has read it."

    with pytest.raises(Refused, match="table 1: that word is not shown any more"):
        by_table(office, "read_word", of=shown.number)
