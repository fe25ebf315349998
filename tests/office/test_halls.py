"""A tournament in several halls, as its centre and its halls read it: what comes next, and how far a round is."""

from __future__ import annotations

from typing import Final

import pytest

from dalej.domain.tournament import tournament as kinds
from dalej.domain.tournament.tournament import RoundKey, Tournament
from dalej.errors import Refused
from dalej.event.ledger import Json
from dalej.office import halls
from dalej.office.nextstep import next_step
from dalej.office.paper.documents import seated_tables
from dalej.views.resultwords import entered_words
from dalej.words import said
from tests.domain.deciding import LEAGUE, Decided

TABLES: Final = ((1, 2, 3, 4), (5, 6, 7, 8), (9, 10, 11, 12))
KEY: Final = RoundKey(LEAGUE, 1)
RACKS: Final = (0, 10, 20, 30)


class Cup(Decided):
    """Three tables, of which one stands in North and one in South."""

    def __init__(self, home: str = "") -> None:
        super().__init__(players=12)
        if home:
            self.decide(kinds.HOME, {"hall": home}, kinds.HOME)
        for table, hall in enumerate(("North", "South"), start=1):
            self.decide(kinds.HALL, {"hall": hall, "tables": [table]}, f"hall:{hall}")
        self.seat(1, *TABLES)

    def given(self, given: bool) -> int:
        body: dict[str, Json] = {"stage": LEAGUE, "round": 1, "given": given, "halls": ["North", "South"]}
        return self.decide(kinds.GIVEN, body, f"given:{LEAGUE}:1")

    def complete(self, hall: str, of: int) -> None:
        self.decide(kinds.COMPLETE, {"stage": LEAGUE, "round": 1, "hall": hall, "of": of})

    def plays(self, table: int, games: int = 4) -> None:
        for game in range(1, games + 1):
            self.result(1, table, game, TABLES[table - 1], RACKS)

    def step(self) -> str:
        return said(next_step(self.state(), "cup.dalej").said)

    def words(self) -> str:
        state: Tournament = self.state()
        return entered_words(state, state.rounds[KEY])


def test_the_centre_gives_a_round_waits_takes_it_back_waits_for_each_hall_and_closes_it() -> None:
    cup = Cup()
    assert cup.step() == "give League, round 1 to the halls"
    cup.given(True)
    cup.plays(1, 3)
    assert cup.step() == "wait: League, round 1 is played in the halls North, South"
    assert cup.words() == "3 of 12 games in · North: 3/4 · South: 0/4"
    cup.plays(1)
    cup.plays(2)
    assert cup.step() == "enter the results of table 3", "which stands at the centre itself"
    cup.plays(3)
    assert cup.step() == "take League, round 1 back from the halls"
    taken_back = cup.given(False)
    assert cup.step() == "wait: League, round 1 is not complete yet from the halls North, South"
    cup.complete("North", taken_back)
    assert cup.words() == "12 of 12 games in · North: complete · South: not complete yet"
    cup.complete("South", taken_back - 10)
    assert cup.state().rounds[KEY].returns == {"South"}, "that was said of an earlier time"
    cup.complete("South", taken_back)
    assert cup.step() == "close League, round 1"
    cup.given(True)
    assert cup.state().rounds[KEY].returns == {"North", "South"}, "given anew, to be corrected"


def test_a_hall_enters_the_results_of_its_tables_and_waits_for_the_centre_otherwise() -> None:
    cup = Cup("North")
    assert cup.step() == "wait: the centre has not given League, round 1 to the halls yet"
    cup.given(True)
    assert cup.step() == "enter the results of table 1", "the clock is the centre's"
    cup.plays(2, 1)  # in another hall
    cup.plays(1, 1)
    assert cup.step() == "enter the results of table 1"
    assert cup.words() == "1 of 4 games in"
    assert cup.state().rounds[KEY].tables() == [1]
    cup.plays(1)
    assert cup.step() == "wait: every result of League, round 1 is in here; the centre takes it back"
    cup.given(False)
    assert cup.step() == "wait: the centre has taken League, round 1 back"
    cup.close(1)
    assert cup.step() == "wait: the centre decides what is played next"


def test_no_sheets_are_printed_in_a_hall_that_has_no_table_in_the_round() -> None:
    cup = Cup("West")
    cup.decide(kinds.HALL, {"hall": "West", "tables": [9]}, "hall:West")
    one = cup.state().rounds[KEY]
    assert one.seating is not None

    with pytest.raises(Refused, match=r"^League, round 1: no table of it is decided about here$"):
        seated_tables(one, one.seating, None)


def test_a_round_is_given_to_the_halls_that_have_a_table_in_it_and_to_no_later_one() -> None:
    cup = Cup()
    cup.decide(kinds.HALL, {"hall": "West", "tables": [9]}, "hall:West")
    (draft,) = halls.give(cup.state()).drafts
    assert draft.body["halls"] == ["North", "South"]
    taken_back = (cup.given(True), cup.given(False))[1]
    cup.decide(kinds.HALL, {"hall": "East", "tables": [3]}, "hall:East")
    assert cup.state().rounds[KEY].returns == {"North", "South"}
    for hall in ("North", "South"):
        cup.complete(hall, taken_back)
    cup.close(1)
    assert not cup.state().rounds[KEY].returns, "a round that is closed is nobody's but the centre's"
