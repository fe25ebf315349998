"""Taking back what one did: one thing at a time, on every screen by the same keys, and never anything unnamed."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dalej.clock import ManualClock
from dalej.errors import DalejError, Refused, Unreachable
from dalej.office import rounds
from dalej.office.acts.wishes import Done, Wish
from dalej.tui.ask.confirm import Confirm
from dalej.tui.screens.entry import EntryScreen
from dalej.tui.screens.hall import HallScreen
from dalej.tui.screens.people import PeopleScreen
from dalej.tui.screens.results import ResultsScreen
from dalej.tui.screens.seating import SeatingScreen
from dalej.views.deeds import HALL, SHOWN_MS, TABLE, Deed, History, LastAct, Place
from dalej.views.rows import Row
from dalej.words import N_
from tests.tui.calling import stands
from tests.tui.gallery import Stage, staged
from tests.tui.hands import Handling, PaperHands, click, handling, words
from tests.tui.officescreens import SMALL, Office, an_office, looking, names_at
from tests.tui.paper import PaperHall, a_row
from tests.tui.scenes import as_text
from tests.tui.sheets import enter

NINE = ("a", "t", "9", "enter", "1", "enter")  # nine seconds for whoever's move it is


def to(ms: int, table: int = 3) -> Wish:
    return Wish("set_time", {"table": table, "ms": ms}, "taken back")


async def does(there: Handling, *answers: Done | DalejError) -> None:
    """Corrects the clock of the chosen table as often as there are answers."""
    there.hands.answers += answers
    for _answer in answers:
        await there.types(*NINE)


def told(there: Handling) -> list[object]:
    """What the clocks were set to, one after the other."""
    return [wish.args.get("ms", wish.act) for wish in there.hands.wishes]


def plain(text: str) -> str:
    """Without what a box is drawn with."""
    return " ".join("".join(sign for sign in text if sign not in "┃│╭╮╰╯─━┏┓┗┛").split())


# --- one thing at a time -----


@pytest.mark.parametrize("by", ["keys", "mouse"])
async def test_each_press_takes_one_thing_more_back_and_says_what_comes_next(by: str) -> None:
    async with handling([stands()]) as there:
        await does(there, *(Done(f"Act {each}.", undo=to(each)) for each in (1, 2, 3)))
        there.hands.answers = [Done("Back.")] * 3
        for line in ("z take it back", "z take back what was before it: Act 2.", "before it: Act 1."):
            assert line in words(there)
            await (there.types("z") if by == "keys" else click(there, line))

        assert told(there)[3:] == [3, 2, 1]
        assert "take back" not in words(there)


@pytest.mark.parametrize("by", ["keys", "mouse"])
async def test_what_was_taken_back_is_done_after_all_by_the_other_key(by: str) -> None:
    async with handling([stands()]) as there:
        await does(there, Done("Nine.", undo=to(1)), Done("Nine again.", undo=to(2)))
        after_all = Done("Nine after all.", undo=to(3))
        there.hands.answers = [Done("Back."), Done("Back."), after_all, after_all, Done("Back.")]
        await there.types("z", "z")
        for _each in range(2):
            await (there.types("Z") if by == "keys" else click(there, "Z do it after all"))
        assert "Nine after all." in there.text()
        assert "Taken back" not in there.text()
        await there.types("z")

        assert told(there) == [9_000, 9_000, 2, 1, 9_000, 9_000, 3]
        assert [wish.why for wish in there.hands.wishes[4:6]] == ["the box was passed on late"] * 2


async def test_what_the_desk_offers_for_it_does_it_after_all() -> None:
    async with handling([stands()]) as there:
        await does(there, Done("Nine.", undo=to(20_000)))
        there.hands.answers = [Done("Twenty.", undo=to(9_000)), Done("Nine.")]
        await there.types("z")
        assert "↶ Taken back: Twenty." in there.text()
        await there.types("Z")

        assert told(there) == [9_000, 20_000, 9_000]


async def test_something_new_leaves_what_was_taken_back_as_it_is() -> None:
    async with handling([stands()]) as there:
        await does(there, Done("Nine.", undo=to(1)))
        there.hands.answers = [Done("Back."), Done("Nine again.", undo=to(2))]
        await there.types("z", *NINE, "Z")

        assert told(there) == [9_000, 1, 9_000]
        assert "do it after all" not in there.text()


async def test_keys_pressed_without_looking_take_back_one_after_the_other() -> None:
    async with handling([stands()]) as there:
        await does(there, *(Done(f"Act {each}.", undo=to(each)) for each in (1, 2, 3)))
        there.hands.answers = [Done("Back.")] * 2
        await there.types("z", "z")

        assert told(there)[3:] == [3, 2]


async def test_a_key_that_came_to_nothing_does_not_keep_from_taking_back_what_was_done() -> None:
    async with handling([stands()]) as there:
        await does(there, Done("Nine.", undo=to(20_000)))
        there.hands.answers = [Refused(N_("no")), Done("Back.")]
        await there.types("r")
        assert "✗ no" in there.text()
        await there.types("z")

        assert told(there) == [9_000, "resume", 20_000]


async def test_what_the_desk_refuses_to_take_back_does_not_stand_in_the_way_of_what_was_before_it() -> None:
    async with handling([stands()]) as there:
        await does(there, Done("Act 1.", undo=to(1)), Done("Act 2.", undo=to(2)))
        there.hands.answers = [Refused(N_("the table has played on")), Done("Back.")]
        await there.types("z")
        assert "✗ the table has played on" in words(there)
        assert "before it: Act 1." in words(there)
        await there.types("z")

        assert told(there)[2:] == [2, 1]


async def test_a_desk_that_does_not_answer_is_asked_again_by_the_next_press() -> None:
    async with handling([stands()]) as there:
        await does(there, Done("Act 1.", undo=to(1)))
        there.hands.answers = [Unreachable(N_("the desk does not answer")), Done("Back.")]
        await there.types("z")
        await there.types("z")

        assert told(there)[1:] == [1, 1]


def test_that_it_is_taken_back_is_said_once() -> None:
    done = Done("Taken back: {decision} (number {number}).", {"decision": "Ryś is warned", "number": 7})

    assert LastAct(0, done, back=True).words([]) == "↶ Taken back: Ryś is warned (number 7)."


# --- named before it is taken back -----


@pytest.mark.parametrize("by", ["keys", "mouse"])
async def test_what_was_done_at_another_table_is_named_before_it_is_taken_back(by: str) -> None:
    async with handling([stands(), a_row(5)]) as there:
        await does(there, Done("Nine seconds.", undo=to(20_000)))
        await there.types("down", "enter")
        for answer in ("escape", "y"):
            await (there.types("z") if by == "keys" else click(there, "z take back"))
            assert isinstance(there.app.screen, Confirm)
            assert "Table 3 · Nine seconds." in there.text()
            assert told(there) == [9_000]
            if by == "keys":
                await there.types(answer)
            else:
                await click(there, {"escape": "no, go back", "y": "y  take back"}[answer])

        assert told(there) == [9_000, 20_000]


async def test_the_hall_takes_back_at_once_what_its_line_says_and_later_asks() -> None:
    async with handling([stands(), a_row(5)]) as there:
        await does(there, Done("Act 1.", undo=to(1)), Done("Act 2.", undo=to(2)))
        await there.types("z")
        assert told(there)[2:] == [2]

        clock = there.app.feed._clock
        assert isinstance(clock, ManualClock)
        clock.time_ms += SHOWN_MS
        there.app.look_again()
        await there.types("z")
        assert "Table 3 · Act 1." in there.text()
        await there.types("y")
        assert told(there)[3:] == [1]


async def test_before_what_nothing_takes_back_is_left_alone_unless_somebody_says_yes() -> None:
    async with handling([stands()]) as there:
        await does(there, Done("Nine seconds.", undo=to(20_000)), Done("The game is started."))
        assert "take it back" not in words(there)
        await there.types("z")

        assert "Nothing takes this back: The game is started." in plain(there.text())
        assert "Before it you did this: Table 3 · Nine seconds." in plain(there.text())
        await there.types("escape")
        assert told(there) == [9_000, 9_000]


# --- on all screens -----


@asynccontextmanager
async def desk(office: Office, rows: list[Row]) -> AsyncIterator[Stage]:
    """The whole app on a real event, with its hall on paper."""
    hands = office.hands("Sowa")
    book = office.room(hands).book
    await book.turn()
    async with staged(SMALL, PaperHall(rows), hands=hands, book=book) as stage:
        yield stage


def line(stage: Stage) -> str:
    return plain(as_text(stage.app))


@pytest.mark.parametrize("key", ["z", "ctrl+z"])
async def test_what_was_done_in_the_office_is_taken_back_from_the_hall_by_name(tmp_path: Path, key: str) -> None:
    with an_office(tmp_path) as office:
        async with desk(office, [a_row(1)]) as stage:
            await stage.press("p", "w", "2", "enter", "escape")
            assert isinstance(stage.app.screen, HallScreen)
            assert [one.warnings for one in office.event.state().players.values() if one.warnings]
            await stage.press(key)
            assert "This would be taken back: players · " in line(stage)
            await stage.press("y")
            assert not [one.warnings for one in office.event.state().players.values() if one.warnings]
            await stage.press("Z", "y")
            assert [one.warnings for one in office.event.state().players.values() if one.warnings]


async def test_a_screen_of_the_office_names_what_was_done_on_another_one(tmp_path: Path) -> None:
    with an_office(tmp_path) as office:
        async with desk(office, [a_row(1)]) as stage:
            await stage.press("p", "w", "2", "enter", "escape", "d")
            assert isinstance(stage.app.screen, SeatingScreen)
            assert "z take back" in line(stage)
            await stage.press("l", "z")
            one = office.event.state().current
            assert one is not None
            assert one.seating is not None
            assert one.seating.locked is None, "its own at once"
            await stage.press("z")
            assert isinstance(stage.app.screen, Confirm)
            assert [each for each in office.event.state().players.values() if each.warnings]


async def test_the_line_of_a_screen_that_one_comes_back_to_names_what_the_key_takes_back(tmp_path: Path) -> None:
    with an_office(tmp_path) as office:
        async with desk(office, [a_row(1)]) as stage:
            await stage.press("p", "w", "2", "enter")
            assert "is warned" in line(stage)
            await stage.app.run_action("app.show('seating')")
            await stage.press("l", "escape")
            assert isinstance(stage.app.screen, PeopleScreen)
            assert "is warned" not in line(stage)
            last = stage.app.room.history.to_take_back
            assert last is not None
            assert str(last) in line(stage)
            await stage.press("z")
            assert isinstance(stage.app.screen, Confirm)
            assert str(last) in line(stage)


async def test_what_stands_is_said_where_there_is_nothing_to_do_after_all(tmp_path: Path) -> None:
    with an_office(tmp_path) as office:
        async with looking(office, PeopleScreen) as look:
            await look.press("Z")
            assert look.told() == "There is nothing to do after all: nothing is taken back."
            await look.press("w", "2", "enter", "z", "Z", "Z")
            assert "There is nothing to do after all: nothing is taken back. Done last: " in look.told()
            assert "is warned" in look.told()


async def test_the_palette_takes_back_too() -> None:
    async with handling([stands()]) as there:
        await does(there, Done("Nine seconds.", undo=to(20_000)))
        await there.types("colon")
        await there.until("take back · Nine seconds.")
        await click(there, "take back · Nine seconds.")

        assert told(there) == [9_000, 20_000]


async def test_a_sheet_takes_back_with_control_for_letters_are_typed_there(tmp_path: Path) -> None:
    with an_office(tmp_path, 4) as office:
        async with looking(office, lambda room: EntryScreen(room, 1, 1)) as look:
            await look.type("0")
            for rack in ("10", "20", "30"):
                await look.press("enter")
                await look.type(rack)
            await look.press("enter", "enter")
            assert "↶ Ctrl+Z take it back" in look.text()
            await look.press("ctrl+z")
            assert "↷ Ctrl+Y do it after all" in look.text()
            one = look.state.current
            assert one is not None
            assert not one.results
            await look.press("ctrl+y")
            one = look.state.current
            assert one is not None
            assert len(one.results) == 1


async def test_by_mouse_on_a_screen_of_the_office(tmp_path: Path) -> None:
    with an_office(tmp_path) as office:
        async with looking(office, PeopleScreen) as look:
            await look.press("w", "2", "enter")
            warned = []
            for words_there in ("z take it back", "Z do it after all", "z take back"):
                await look.click_word(words_there)
                warned.append(any(one.warnings for one in look.state.players.values()))

            assert warned == [False, True, False]


async def test_a_lot_that_has_fallen_is_not_drawn_anew(tmp_path: Path) -> None:
    with an_office(tmp_path, seated=False) as office:
        async with looking(office, SeatingScreen) as look:
            await look.press("d", "enter")
            await look.type("few")
            await look.press("enter")
            seats = [names_at(look.state, table) for table in (1, 2, 3)]
            await look.press("z")
            assert look.state.current is None or look.state.current.seating is None
            await look.press("Z")

            assert [names_at(look.state, table) for table in (1, 2, 3)] == seats


async def test_who_confirmed_under_their_own_name_takes_it_back_under_it(tmp_path: Path) -> None:
    with an_office(tmp_path) as office:
        enter(office, 4)
        async with looking(office, ResultsScreen, who="Gęś") as look:
            await look.press("v")
            await look.type("Borsuk")
            await look.press("enter", "y")
            assert "4 confirmed" in look.text()
            await look.press("z")
            assert "0 confirmed" in look.text()
            await look.press("Z")
            assert "✔ Borsuk" in look.text()


async def test_the_clock_of_a_round_that_was_started_by_mistake_is_taken_back(tmp_path: Path) -> None:
    with an_office(tmp_path) as office:
        office.event.change(lambda state: rounds.start(state, 75))
        async with looking(office, SeatingScreen) as look:
            await look.press("z")
            assert "Nothing was done yet" in look.told(), "somebody else's is not one's own"


# --- the history itself -----


@given(st.lists(st.sampled_from(["do", "stays", "fails", "back", "again"]), max_size=40))
def test_whatever_is_done_each_press_goes_one_back_and_the_other_one_forth(steps: list[str]) -> None:
    history = History()
    done: list[int] = []
    back: list[int] = []
    for number, step in enumerate(steps):
        wish = Wish("set_time", {"table": 1, "ms": number})
        match step:
            case "do" | "stays":
                undo = wish if step == "do" else None
                history.was_done(Deed(wish, Done("Done.", undo=undo), PaperHands(), Place(TABLE, 1)), number)
                back = []
                done += [number] if step == "do" else []
            case "fails":
                history.came_to_nothing("no", number)
            case "back" if (deed := history.to_take_back) is not None:
                assert deed.wish.args["ms"] == done[-1]
                history.was_taken_back(deed, Done("Back."), number)
                back.append(done.pop())
            case "again" if (deed := history.to_do_again) is not None:
                assert deed.again(7) == Wish("set_time", {"table": 1, "ms": back[-1]}, seen=7)
                history.was_done_again(deed, Done("Done.", undo=wish), number)
                done.append(back.pop())
        assert (history.to_take_back is None) == (not done)
        assert (history.to_do_again is None) == (not back)


def test_the_hall_shows_its_tables_and_a_table_shows_itself() -> None:
    hall, three = Place(HALL), Place(TABLE, 3)

    assert hall.shows(three)
    assert three.shows(three)
    assert not three.shows(hall)
    assert not three.shows(Place(TABLE, 5))
    assert not hall.shows(Place("people"))
