"""Where one thing leads to the next: tables that wait, decisions that the table still has to act on, things taken back
one by one, tables that a second person confirms.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import pytest

from dalej.domain.game.rulings import FactKey
from dalej.event.ledger import Decision
from dalej.event.ledger.entries import Json
from dalej.office import rounds
from dalej.office.acts.catalogue import ACTS
from dalej.office.acts.wishes import Done, Wish
from dalej.office.rounds import usual_minutes
from dalej.office.rulings import claims_answered, claims_granted
from dalej.tui.ask.actdialog import ActDialog
from dalej.tui.screens.results import ResultsScreen
from dalej.tui.screens.table import TableScreen
from dalej.tui.widgets.grid import PickList
from dalej.tui.widgets.tablelines import after_answer, waits_next
from dalej.views.callwords import after_ruling
from dalej.views.deeds import SHOWN_MS, LastAct
from dalej.views.offers import arguments, for_alert
from dalej.views.requests import Answered
from dalej.views.rows import Row, SeenTurn
from moveclock import facts as k
from tests.tui.calling import DISPUTE, claimed, disputed
from tests.tui.gallery import staged
from tests.tui.hands import Handling, PaperHands, click, handling
from tests.tui.officescreens import Looking, OneScreen, an_office, looking
from tests.tui.paper import SMALL, PaperHall, a_row, an_alert
from tests.tui.public import PaperBook
from tests.tui.scenes import as_text
from tests.tui.sheets import enter
from tests.tui.turned import late, seen
from tests.views.decided import decided


def table_in_front(there: Handling) -> int:
    assert isinstance(there.app.screen, TableScreen)
    return there.app.screen.table


@pytest.mark.parametrize("by", ["keys", "mouse"])
async def test_from_a_table_one_goes_on_to_who_waits_longest_without_the_hall_in_between(by: str) -> None:
    async with handling([a_row(1), disputed(2, 9_000), disputed(5, 30_000), disputed(7, 20_000)]) as there:
        await there.types("enter")
        seen = [table_in_front(there)]
        for _step in range(4):
            await (there.types("n") if by == "keys" else click(there, "n next waiting"))
            seen.append(table_in_front(there))

        assert seen == [1, 5, 7, 2, 5]
        assert there.acts() == []


async def test_where_nobody_else_waits_the_key_is_not_offered_and_the_table_stays() -> None:
    async with handling([a_row(1), disputed(2, 9_000)]) as there:
        await there.types("n", "enter", "escape", "n")

        assert table_in_front(there) == 2
        assert "n next waiting" not in there.text()


def test_the_next_to_wait_is_never_the_table_itself() -> None:
    alerts = [an_alert(4, "dispute", 9_000), an_alert(4, "referee", 5_000), an_alert(2, "dispute", 3_000)]

    assert [waits_next(table, alerts) for table in (1, 2, 4)] == [4, 4, 2]
    assert waits_next(4, alerts[:2]) is None


def test_the_clock_goes_on_with_the_answer_to_a_claim_and_keeps_its_place_on_the_menu() -> None:
    row = claimed()
    offers = for_alert("referee", row, row.alerts[0])

    assert [(one.key, one.act.name, one.why_not) for one in offers] == [
        ("1", "grant_claim", ""), ("2", "deny_claim", ""),
        ("3", "resume", "the clock goes on with the answer"),
    ]  # fmt: skip


def test_a_dispute_in_a_move_that_still_runs_can_be_stopped_at_once() -> None:
    offers = for_alert("referee", a_row(3, alerts=(DISPUTE,)), DISPUTE)

    assert [one.act.name for one in offers if not one.why_not][-2:] == ["stop", "warn"]


LATE = a_row(3, state="expired", left_ms=-9_000, seat=k.SEAT_C, move=7, alerts=(an_alert(3, "time_out", 9_000),))


@pytest.mark.parametrize(
    ("turns", "button"),
    [
        ([late(ruled_by="Sowa", ruling="undone")], "Dalej"), ([late(ruled_by="Sowa", ruling="takes_invalid")], "Dalej"),
        ([late(ruled_by="Sowa", ruling="stands")], "Już"), ([late(ruled_by="default")], ""),
        ([late(ruled_by="table")], ""), ([late(ruled_by="Sowa", move=6)], ""),
        ([late(ruled_by="Sowa", void=True)], ""), ([], ""),
    ],
)  # fmt: skip
def test_a_time_out_that_is_ruled_on_says_who_presses_what_now(turns: Sequence[SeenTurn], button: str) -> None:
    said = after_ruling(LATE, turns, k.SEAT_D)

    ruled = f"ruled: {LATE.names[k.SEAT_D]} (D) is next and presses {button}; play goes on"
    assert said == (ruled if button else "")
    assert after_ruling(replace(LATE, state="running"), turns, k.SEAT_D) == ""
    assert after_ruling(LATE, turns, k.NOBODY) == ""


CLAIM = claimed()
OF: FactKey = ("b", 7, 99)


def test_a_claim_that_is_granted_waits_for_the_clock_and_for_no_answer() -> None:
    turn = seen(game=CLAIM.game, move=CLAIM.move, box="b", epoch=7, seq=90)

    assert after_answer(CLAIM, [turn], {OF}) == "granted: r lets the clock go on, with the full time"
    assert after_answer(CLAIM, [turn], set()) == ""
    assert after_answer(CLAIM, [turn], {("b", 7, 80)}) == "", "of a move before"
    assert after_answer(CLAIM, [turn], {("b", 8, 99)}) == "", "of another journal"
    assert after_answer(replace(CLAIM, state="running"), [turn], {OF}) == ""
    assert after_answer(CLAIM, [], {OF}) == ""


def test_only_a_grant_that_stands_counts() -> None:
    def answer(*, granted: bool, revoked_by: int | None = None, of: list[Json] | None = None) -> Decision:
        body: dict[str, Json] = {"of": list(OF) if of is None else of, "granted": granted}
        return Decision(4, "claim", None, body, "Sowa", 0, "", None, revoked_by)

    assert claims_granted(claims_answered([answer(granted=True)])) == {OF}
    assert claims_granted(claims_answered([answer(granted=False), answer(granted=True, revoked_by=9)])) == set()


async def test_the_call_of_a_claim_that_is_granted_asks_for_no_answer() -> None:
    body: dict[str, Json] = {"of": list(OF), "granted": True}
    page = decided(Decision(4, "claim", None, body, "Sowa", 0, "", None, None))
    hall = PaperHall([CLAIM])
    turn = seen(game=CLAIM.game, move=CLAIM.move, box="b", epoch=7, seq=90)
    hall.turns = lambda table: [turn]  # type: ignore[method-assign]  # a turn more
    async with staged(SMALL, hall, hands=PaperHands(), book=PaperBook(page), table=3) as stage:
        assert "granted: r lets the clock go on, with the full time" in as_text(stage.app)
        assert "⏎ answer" not in as_text(stage.app)
        assert "needs a referee" not in as_text(stage.app)


def test_a_claim_that_is_denied_is_offered_the_clock_alone() -> None:
    row = claimed(denied=True)
    offers = for_alert("referee", row, row.alerts[0])

    assert [(one.key, one.act.name) for one in offers if not one.why_not] == [("3", "resume")]
    assert offers[0].why_not == offers[1].why_not == "no claim waits for an answer"


async def test_the_call_of_a_claim_that_is_denied_asks_for_no_answer_until_the_clock_goes_on() -> None:
    async with handling([claimed(denied=True)]) as there:
        await there.types("enter")

        assert "denied: r lets the clock go on" in there.text()
        assert "⏎ answer" not in there.text()
        assert "needs a referee" not in there.text()


async def test_the_call_of_a_time_out_that_is_ruled_on_asks_for_no_answer() -> None:
    async with handling([LATE]) as there:
        there.hall.turns = lambda table: [late(ruled_by="Sowa")]  # type: ignore[method-assign]  # a turn more
        await there.types("enter")

        assert "is next and presses Dalej; play goes on" in there.text()
        assert "⏎ answer" not in there.text()


@pytest.mark.parametrize("row", [LATE, CLAIM], ids=["time out", "claim"])
async def test_a_call_is_not_answered_by_what_was_decided_of_an_earlier_game_of_the_same_number(row: Row) -> None:
    """Given boxes that count their games from one again in each round."""
    body: dict[str, Json] = {"of": list(OF), "granted": True}
    page = decided(Decision(4, "claim", None, body, "Sowa", 0, "", None, None))
    hall = PaperHall([row])
    before = late(ruled_by="Sowa") if row is LATE else seen(game=row.game, move=row.move, box="b", epoch=7, seq=90)
    hall.turns = lambda table: [before]  # type: ignore[method-assign]  # a turn more
    hall.turns_of = lambda table, game: []  # type: ignore[method-assign]  # and none of this game
    async with staged(SMALL, hall, hands=PaperHands(), book=PaperBook(page), table=3) as stage:
        assert "⏎ answer" in as_text(stage.app)
        assert "ruled:" not in as_text(stage.app)
        assert "granted:" not in as_text(stage.app)


def test_a_box_that_was_asked_to_blink_and_is_silent_is_no_news_for_minutes() -> None:
    silent = [Answered(1, 3, "blink", "Sowa", "no_link")]
    blink = LastAct(0, Done("Asked to blink.", requests=(1,)))
    matters = LastAct(0, Done("Asked to stop.", requests=(1,), undo=Wish("resume", {"table": 3})))

    assert not blink.is_shown(SHOWN_MS, silent)
    assert matters.is_shown(SHOWN_MS, silent)


async def test_who_sits_at_the_table_is_warned_by_a_digit(tmp_path: Path) -> None:
    with an_office(tmp_path) as office:
        hands = office.hands("Sowa")
        room = office.room(hands)
        room.feed.hall = PaperHall([a_row(2)])
        await room.book.turn()
        warn = ACTS["warn"]
        app = OneScreen(lambda: ActDialog(warn, arguments(warn, a_row(2)), room, hands))
        async with app.run_test() as pilot:
            await pilot.press("3", "1", "enter")
            while not app.came_back:
                await pilot.pause()

        state = office.event.state()
        assert state.current is not None
        assert state.current.seating is not None
        there = state.current.seating.at(2)
        assert there is not None
        assert [one.number for one in state.players.values() if one.warnings] == [there.seated[2]]


def test_who_is_back_may_have_sat_anywhere() -> None:
    assert "table" not in arguments(ACTS["back"], a_row(2))


async def test_a_second_person_gives_the_name_once_and_goes_from_table_to_table(tmp_path: Path) -> None:
    with an_office(tmp_path) as office:
        enter(office, 8)

        async def confirm(look: Looking) -> None:
            await look.press("v")
            if not look.screen.query("#sheets"):
                await look.type("Borsuk")
                await look.press("enter")
            await look.press("y")

        async with looking(office, ResultsScreen, who="Gęś") as look:
            tables = []
            for _table in range(2):
                tables.append(look.screen.query_one(PickList).number)
                await confirm(look)

            one = office.event.state().current
            assert one is not None
            assert tables == [1, 2]
            assert {at.table for at, result in one.results.items() if result.confirmed is not None} == {1, 2}
            assert {result.confirmed.who for result in one.results.values() if result.confirmed} == {"Borsuk"}


def test_the_clock_of_a_round_proposes_the_time_of_the_last_one(tmp_path: Path) -> None:
    with an_office(tmp_path) as office:
        assert office.event.state().ruleset.round_time_ms is None
        assert usual_minutes(office.event.state()) == ""
        office.event.change(lambda state: rounds.start(state, 75))
        assert usual_minutes(office.event.state()) == "75"


@pytest.mark.parametrize(("granted", "said"), [(True, "granted"), (False, "denied")])
async def test_6h_a_claim_that_is_answered_says_how_and_is_not_answered_again(*, granted: bool, said: str) -> None:
    body: dict[str, Json] = {"of": list(OF), "granted": granted}
    made = Decision(4, "claim", None, body, "Sowa", 0, "", None, None)
    row = replace(CLAIM, alerts=(replace(CLAIM.alerts[0], told=OF),))

    offers = for_alert("referee", row, row.alerts[0], None, decided(made))
    assert (
        offers[0].why_not
        == offers[1].why_not
        == (f"Sowa has {said} it (number 4); only taking that back lets it be answered otherwise")
    )
    assert [one.act.name for one in offers if not one.why_not] == ["resume"]
    for other in ((), (replace(made, revoked_by=9),), (replace(made, body={**body, "of": ["b", 7, 80]}),)):
        offers = for_alert("referee", row, row.alerts[0], None, decided(*other))
        assert [one.why_not for one in offers] == ["", "", "the clock goes on with the answer"]

    book = PaperBook(decided(made))
    async with staged(SMALL, PaperHall([row]), hands=PaperHands(), book=book, table=3) as stage:
        await stage.press("enter", "1")
        assert f"Sowa has {said} it (number 4)" in " ".join(as_text(stage.app).replace("│", " ").split())
