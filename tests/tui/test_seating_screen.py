"""Seating a round at the screen: by keys alone, by mouse alone, refused drops, two organisers, the way to the next."""

from __future__ import annotations

import random
from collections.abc import Iterator
from pathlib import Path

import pytest
from textual.geometry import Offset

from dalej.event.event import Event
from dalej.office import rounds, signups
from dalej.office.signups import SignUp
from dalej.tui.ask.confirm import Confirm
from dalej.tui.ask.dialog import Question
from dalej.tui.feed import FactsRecorded
from dalej.tui.screens.seating import SeatingScreen
from dalej.tui.widgets.seatingplan import Bench, SeatingPlan, Spot
from tests import world
from tests.tui.officescreens import Looking, at_event, names_at
from tests.world import draw, play


@pytest.fixture
def league(tmp_path: Path) -> Iterator[Event]:
    """Eleven players, round 1 played and closed, round 2 not seated."""
    with world.an_event(tmp_path, 11, closed=1, seated=False) as event:
        yield event


def chair(desk: Looking, table: int, seat: int) -> Offset:
    plan = desk.paged.query_one(SeatingPlan)
    at = plan.place_of(Spot(table, seat))
    assert at is not None
    return desk.inside(plan, at)


def on_bench(desk: Looking, words: str) -> Offset:
    bench = desk.paged.query_one(Bench)
    for y, line in enumerate(desk.text().splitlines()):
        place = line.find(words, bench.region.x)
        if place >= 0:
            return Offset(place + 1, y)
    raise AssertionError(f"{words} is not on the bench:\n{desk.text()}")


async def test_the_next_step_leads_from_a_closed_round_to_the_next_one_seated_and_started(path: Path) -> None:
    async with at_event(path, SeatingScreen) as desk:
        assert desk.has("Next: seat League, round 2")
        await desk.press("N")
        assert desk.said.startswith("✓ League, round 2 is seated at 3 tables")
        assert desk.has("Next: print the score sheets, then start the clock of League, round 2")
        await desk.press("N")
        await desk.type("45")
        await desk.press("enter", "1", "enter")
        one = desk.state.current
    assert one is not None
    assert one.clock is not None
    assert one.clock.length_ms == 45 * 60_000


async def test_the_step_that_starts_the_clock_writes_the_score_sheets_first_if_that_is_chosen(path: Path) -> None:
    async with at_event(path, SeatingScreen) as desk:
        await desk.press("N", "N")
        assert desk.has("such as 90")
        await desk.type("45")
        await desk.press("tab", "2", "enter")
        await desk.settle()
        one = desk.state.current
    assert one is not None
    assert one.clock is not None
    assert [file.suffix for file in path.parent.glob("*sheets*")] == [".pdf"]


async def test_the_same_way_by_mouse_alone(path: Path, league: Event) -> None:
    async with at_event(path, SeatingScreen) as desk:
        await desk.click_button("does it")
        assert desk.state.current is not None
        assert desk.state.current.seating is not None
        play(league, random.Random(2))
        desk.paged.post_message(FactsRecorded(frozenset()))
        await desk.settle()
        assert desk.has("Next: close League, round 2")
        await desk.click_button("does it")
        assert isinstance(desk.screen, Confirm)
        await desk.click_button("close the round")
        assert desk.has("Next: seat League, round 3")


async def test_a_round_is_not_closed_by_pressing_enter(path: Path, league: Event) -> None:
    draw(league)
    play(league, random.Random(2))
    async with at_event(path, SeatingScreen) as desk:
        await desk.press("N", "enter")
        assert isinstance(desk.screen, Confirm)
        await desk.press("escape")
        assert desk.state.current is not None
        assert desk.state.current.key.round == 2
        await desk.press("N", "y")
        assert desk.state.current.key.round == 3


async def test_keys_pick_a_player_up_and_drop_them_on_another_chair_and_z_takes_it_back(
    path: Path, league: Event
) -> None:
    draw(league)
    one, two = names_at(league.state(), 1), names_at(league.state(), 2)
    async with at_event(path, SeatingScreen) as desk:
        await desk.press("space", "right", "down")
        assert desk.has(f"» {one[0]} is picked up")
        assert desk.has(f"{one[0]}: 1A → 2B")
        assert desk.has(f"{two[1]}: 2B → 1A")
        await desk.press("space")
        assert names_at(desk.state, 1)[0] == two[1]
        assert names_at(desk.state, 2)[1] == one[0]
        assert desk.said.startswith(f"✓ {one[0]} sits at 2B now")
        assert "printed already show the old seats: print them anew" in desk.said
        await desk.press("z")
        assert (names_at(desk.state, 1), names_at(desk.state, 2)) == (one, two)


async def test_the_mouse_drags_a_player_to_another_chair_which_is_marked_under_the_pointer(
    path: Path, league: Event
) -> None:
    draw(league)
    one, two = names_at(league.state(), 1), names_at(league.state(), 2)
    async with at_event(path, SeatingScreen) as desk:
        there = chair(desk, 2, 3)
        await desk.pilot.mouse_down(offset=chair(desk, 1, 2))
        await desk.pilot.hover(offset=there)
        await desk.settle()
        assert f"◉D {two[3]}" in desk.text()
        assert names_at(desk.state, 1) == one, "nothing has happened yet"
        await desk.pilot.mouse_up(offset=there)
        await desk.settle()
        assert names_at(desk.state, 2)[3] == one[2]
        await desk.click_word("take it back")
        assert names_at(desk.state, 1) == one


async def test_pulling_to_the_lower_edge_brings_the_tables_into_sight_that_are_scrolled_away(tmp_path: Path) -> None:
    with world.an_event(tmp_path, 32) as event:
        moved = names_at(event.state(), 1)[0]
        async with at_event(tmp_path / "event.dalej", SeatingScreen) as desk:
            plan = desk.paged.query_one(SeatingPlan)
            await desk.pilot.mouse_down(offset=chair(desk, 1, 0))
            while plan.place_of(Spot(8, 3)) is None:
                edge = Offset(plan.content_region.x + 5, plan.content_region.bottom - 1)
                await desk.pilot.hover(offset=edge)
                await desk.pilot.hover(offset=edge - Offset(1, 0))
            there = chair(desk, 8, 1)
            await desk.pilot.hover(offset=there)
            await desk.pilot.mouse_up(offset=there)
            await desk.settle()
            assert names_at(desk.state, 8)[1] == moved


async def test_a_click_that_does_not_move_picks_nobody_up(path: Path, league: Event) -> None:
    draw(league)
    async with at_event(path, SeatingScreen) as desk:
        await desk.pilot.click(offset=chair(desk, 2, 1))
        await desk.settle()
        assert desk.paged.query_one(SeatingPlan).spot == Spot(2, 1)
        assert not desk.lines


async def test_a_drop_over_nothing_changes_nothing(path: Path, league: Event) -> None:
    draw(league)
    before = names_at(league.state(), 1)
    async with at_event(path, SeatingScreen) as desk:
        await desk.drag(chair(desk, 1, 0), Offset(3, 0))
        assert names_at(desk.state, 1) == before
        assert not desk.lines
        assert not desk.has("picked up")


async def test_escape_lets_go(path: Path, league: Event) -> None:
    draw(league)
    async with at_event(path, SeatingScreen) as desk:
        await desk.press("space", "right", "escape", "space")
        assert desk.has("is picked up")
        assert not desk.lines


async def test_a_refused_drop_says_why_before_and_after_it(path: Path, league: Event) -> None:
    draw(league)  # tables of 4, 4 and 3
    async with at_event(path, SeatingScreen) as desk:
        seated = names_at(desk.state, 3)
        full = seated.index("") == 3
        assert full
        await desk.pilot.mouse_down(offset=chair(desk, 1, 0))
        await desk.pilot.hover(offset=on_bench(desk, "NO CHAIR"))
        await desk.settle()
        assert desk.has("✗ Who plays needs a chair")
        await desk.pilot.mouse_up(offset=on_bench(desk, "NO CHAIR"))
        await desk.settle()
        assert desk.said.startswith("✗ Who plays needs a chair")
        assert not desk.lines


async def test_a_table_with_a_result_is_not_reseated_and_the_clause_of_it_is_said(path: Path, league: Event) -> None:
    draw(league)
    play(league, random.Random(2), league.state().current.missing()[:1])  # type: ignore[union-attr]  # there is one
    async with at_event(path, SeatingScreen) as desk:
        before = names_at(desk.state, 1)
        assert desk.has("has results")
        await desk.drag(chair(desk, 1, 0), chair(desk, 2, 0))
        assert "the seating of table 1 stays" in desk.said
        assert names_at(desk.state, 1) == before


async def test_a_locked_seating_lets_nobody_be_picked_up_until_it_is_unlocked(path: Path, league: Event) -> None:
    draw(league)
    async with at_event(path, SeatingScreen) as desk:
        await desk.press("l")
        assert desk.has("LOCKED by Gęś")
        await desk.press("space")
        assert desk.said == "✗ Gęś has locked the seating: l unlocks it."
        await desk.click_button("unlock")
        await desk.press("space")
        assert desk.has("is picked up")


async def test_dropped_on_absent_a_player_misses_the_round_and_dropped_on_a_chair_is_there_again(
    path: Path, league: Event
) -> None:
    draw(league)
    lost = names_at(league.state(), 1)[1]
    async with at_event(path, SeatingScreen) as desk:
        await desk.drag(chair(desk, 1, 1), on_bench(desk, "ABSENT"))
        assert names_at(desk.state, 1)[1] == ""
        assert len(desk.state.current.absent) == 1  # type: ignore[union-attr]  # it is seated
        await desk.drag(on_bench(desk, lost), chair(desk, 1, 1))
        assert names_at(desk.state, 1)[1] == lost
        assert not desk.state.current.absent  # type: ignore[union-attr]  # it is seated


async def test_the_same_by_keys(path: Path, league: Event) -> None:
    draw(league)
    lost = names_at(league.state(), 2)[0]
    async with at_event(path, SeatingScreen) as desk:
        await desk.press("right", "a")
        assert names_at(desk.state, 2)[0] == ""
        assert desk.has("ABSENT: 1")
        await desk.press("right", "down", "space")  # to the bench, to the player
        assert desk.has(f"» {lost} is picked up")
        await desk.press("left", "space")
        assert names_at(desk.state, 2)[0] == lost


async def test_a_draw_is_repeated_from_its_seed_and_a_wrong_seed_is_said_while_typing(tmp_path: Path) -> None:
    path = world.event_file(tmp_path, 11, seated=False)
    async with at_event(path, SeatingScreen) as desk:
        await desk.press("d")
        await desk.type("12a")
        assert desk.has("expected 0 to 9223372036854775807, found 12a")
        await desk.press("enter", "enter")
        assert isinstance(desk.screen, Question), "nothing is drawn from a wrong seed"
        await desk.press("backspace", "enter")
        await desk.type("few")
        await desk.press("enter")
        assert desk.has("seed 12")
        first = [names_at(desk.state, table) for table in (1, 2, 3)]
        await desk.press("d", "tab")
        await desk.type("few")
        await desk.press("enter")
        await desk.press("d")
        await desk.type("12")
        await desk.press("enter")
        await desk.type("few")
        await desk.press("enter")
        assert [names_at(desk.state, table) for table in (1, 2, 3)] == first


async def test_a_first_round_with_too_few_is_refused_until_a_reason_is_given(tmp_path: Path) -> None:
    path = world.event_file(tmp_path, 11, seated=False)
    async with at_event(path, SeatingScreen) as desk:
        await desk.press("N")
        assert desk.said.startswith("✗ ")
        assert desk.state.current is not None
        assert desk.state.current.seating is None


async def test_two_organisers_at_once_the_second_drop_is_told_what_the_first_has_done(
    path: Path, league: Event
) -> None:
    draw(league)
    one = names_at(league.state(), 1)
    async with at_event(path, SeatingScreen, who="Gęś") as first, at_event(path, SeatingScreen, who="Lis") as second:
        await second.press("space", "right")
        await first.drag(chair(first, 1, 0), chair(first, 2, 2))
        await second.press("space")
        assert "Gęś has decided on this in the meantime" in second.said
        assert names_at(second.state, 2)[2] == one[0], "the first one's move stands"
        await second.press("z")
        assert "Nothing was done yet" in second.said


async def test_a_player_who_is_held_stays_held_while_somebody_else_moves_others(path: Path, league: Event) -> None:
    draw(league)
    async with at_event(path, SeatingScreen, who="Gęś") as first, at_event(path, SeatingScreen, who="Lis") as second:
        await second.press("space", "right")
        await first.drag(chair(first, 2, 1), chair(first, 3, 1))
        second.paged.post_message(FactsRecorded(frozenset()))
        await second.settle()
        assert second.has("is picked up")
        await second.press("space")
        assert second.said.startswith("✓")


async def test_a_referee_and_whoever_only_looks_move_nobody(path: Path, league: Event) -> None:
    draw(league)
    before = names_at(league.state(), 1)
    async with at_event(path, SeatingScreen, role="referee") as desk:
        await desk.drag(chair(desk, 1, 0), chair(desk, 2, 0))
        assert "the organiser moves players" in desk.said
        assert not desk.has("draw anew")
    async with at_event(path, SeatingScreen, role=None) as desk:
        await desk.press("space")
        assert "the organiser moves players" in desk.said
        assert names_at(desk.state, 1) == before


async def test_the_seating_is_printed_beside_the_event_by_key_and_by_mouse(path: Path, league: Event) -> None:
    draw(league)
    async with at_event(path, SeatingScreen) as desk:
        await desk.press("p", "1")
        assert desk.said == "✓ event-seating-2.pdf is written, beside the event."
        await desk.click_button("p write a PDF")
        await desk.press("1")
        assert desk.said == "✓ event-seating-2-2.pdf is written, beside the event."
    assert path.with_name("event-seating-2.pdf").read_bytes().startswith(b"%PDF")


@pytest.mark.parametrize(("key", "paper"), [("2", "wall-2"), ("3", "numbers"), ("4", "sheets-2")])
async def test_what_hangs_on_the_wall_and_stands_on_the_tables_is_printed_with_the_seating(
    path: Path, league: Event, key: str, paper: str
) -> None:
    draw(league)
    async with at_event(path, SeatingScreen) as desk:
        await desk.press("p", key)
        assert desk.said == f"✓ event-{paper}.pdf is written, beside the event."
    assert path.with_name(f"event-{paper}.pdf").read_bytes().startswith(b"%PDF")


async def test_who_has_met_before_is_marked_and_named(tmp_path: Path) -> None:
    with world.an_event(tmp_path) as event:
        play(event, random.Random(1))
        event.change(rounds.close)
        draw(event, 1)
        async with at_event(tmp_path / "event.dalej", SeatingScreen) as desk:
            assert desk.has("↺ ")
            marked = next(
                spot for spot in (Spot(table, seat) for table in (1, 2) for seat in range(4))
                if desk.paged.query_one(SeatingPlan).shown(spot).mark  # type: ignore[union-attr]  # it is there
            )  # fmt: skip
            await desk.pilot.click(offset=chair(desk, marked.table, marked.seat))
            await desk.settle()
            assert desk.has("↺ has sat with: ")


@pytest.mark.parametrize("size", [(80, 24), (120, 40), (200, 60)])
async def test_sixty_tables_are_reached_by_keys_in_every_size(tmp_path: Path, size: tuple[int, int]) -> None:
    path = world.event_file(tmp_path, 240)
    async with at_event(path, SeatingScreen, size=size) as desk:
        plan = desk.paged.query_one(SeatingPlan)
        await desk.press("end")
        assert plan.spot == Spot(60, 3)
        assert plan.place_of(Spot(60, 3)) is not None
        await desk.press("home")
        assert plan.spot == Spot(1, 0)


async def test_a_namesake_with_the_class_behind_the_name_is_not_given_it_twice(tmp_path: Path) -> None:
    with world.an_event(tmp_path, 5, seated=False) as event:
        twins = [SignUp(0, "Jan Lis", "4b"), SignUp(0, "Jan Lis", "6b"), SignUp(0, "Ola Ryś", "6b")]
        event.change(lambda state: signups.enter(state, twins, file="list.csv"))
        draw(event)
        async with at_event(tmp_path / "event.dalej", SeatingScreen, size=(120, 40)) as desk:
            assert desk.has("Jan Lis (6b)")
            assert not desk.has("(6b) (6b)")
            assert desk.has("Ola Ryś (6b)")
