"""The screen of move times: what it says of whom, by keys alone and by mouse alone."""

from __future__ import annotations

from dataclasses import replace

import pytest

from dalej.domain.game.games import BoxGame
from dalej.domain.tournament.tournament import GameAt
from dalej.tui.feed import DeskLost, FactsRecorded
from dalej.tui.screens.times import TimeList, TimesScreen, sentences
from dalej.views.book import Page
from dalej.views.movetimes import MoveTime, MoveTimes, Whose
from dalej.views.rows import SeenTurn
from tests.domain.tables import a_game
from tests.tui.paper import LARGE, NAMES, SMALL
from tests.tui.public import an_event
from tests.tui.times import Timed, an_evening, times_screen
from tests.views.timed import LIMIT_MS, seen_turns

MIDDLE = (120, 40)


def of_the_round() -> tuple[dict[int, list[SeenTurn]], Page]:
    """Table 1 has played game 1 in the round before, and game 2 in this one."""
    before = seen_turns(1, [(seat, 9_000, "juz") for seat in range(4)], names=NAMES[0])
    now = [replace(seen, turn=replace(seen.turn, game=2, seq=50 + seen.turn.seq)) for seen in before[:2]]
    game: BoxGame = a_game(box=f"{1:012x}", game=2, dealt=50)
    return {1: [*before, *now]}, Page(1, an_event(20, played=True).state, boxes={GameAt(1, 1): game})


async def click(timed: Timed, words: str) -> None:
    """On those words, wherever they stand."""
    for y, line in enumerate(timed.text().splitlines()):
        if words in line:
            await timed.pilot.click(offset=(line.index(words) + 1, y))
            await timed.pilot.pause()
            return
    raise AssertionError(f"{words} is not on the screen")


def test_words_beside_the_picture_say_what_it_shows() -> None:
    moves = tuple(MoveTime(1_000 * second, LIMIT_MS, False) for second in range(3, 42))
    late = (MoveTime(LIMIT_MS, LIMIT_MS, True),) * 2
    times = MoveTimes(Whose("Lis"), moves + late, {"stopped": 3, "void": 12})

    assert sentences(times) == [
        "Lis: 41 moves, limit 40 s",
        "▲ median 23 s   × 2 time-outs",
        "△ slowest tenth 39 s or more",
        "Not counted: the clock stood 3, dealt anew 12",
    ]


def test_without_a_move_nothing_is_made_up() -> None:
    assert sentences(MoveTimes(Whose(table=3, seat=1), (), {"under_way": 1})) == [
        "table 3, B: 0 moves", "Not counted: under way 1",
    ]  # fmt: skip


@pytest.mark.parametrize("size", [SMALL, MIDDLE, LARGE])
async def test_the_slowest_stands_first_and_its_picture_beside(size: tuple[int, int]) -> None:
    async with times_screen(an_evening(), size=size) as timed:
        assert timed.names == ["Sowa", "Wydra", "Borsuk", "Żuraw", "Lis"]
        assert "Sowa: 10 moves, limit 40 s" in timed.said("said")
        assert "× 2 time-outs" in timed.said("said")
        assert "▲" in timed.said("plot")
        assert timed.said("plot").splitlines()[-1].endswith(" 2 ")
        assert "40 s" in timed.said("plot")
        assert timed.said("order").splitlines()[-1].count("×") == 2


async def test_by_keys_alone_another_is_chosen_and_the_list_put_in_another_order() -> None:
    async with times_screen(an_evening()) as timed:
        await timed.press("down")
        assert "Wydra: 10 moves" in timed.said("said")

        await timed.press("o", "o")
        assert "most time-outs first" in timed.text()
        assert timed.names[0] == "Sowa"
        assert "Wydra: 10 moves" in timed.said("said")

        await timed.press("o")
        assert timed.names == ["Borsuk", "Lis", "Sowa", "Wydra", "Żuraw"]
        await timed.press("end")
        assert "Żuraw: 1 move," in timed.said("said")

        await timed.press("p")
        assert timed.names == ["table 1", "table 2"]
        assert "table 1: 40 moves" in timed.said("said")

        await timed.press("escape")
        assert not isinstance(timed.pilot.app.screen, TimesScreen)


async def test_by_mouse_alone_the_same() -> None:
    async with times_screen(an_evening()) as timed:
        await click(timed, "Borsuk")
        assert "Borsuk: 10 moves" in timed.said("said")

        await click(timed, "players or tables")
        assert timed.names == ["table 1", "table 2"]
        await click(timed, "table 2")
        assert "table 2: 1 move, limit 40 s" in timed.said("said")

        await click(timed, "order")
        assert "slowest tenth first" in timed.text()

        await click(timed, "back")
        assert not isinstance(timed.pilot.app.screen, TimesScreen)


async def test_a_round_is_looked_at_alone_and_all_rounds_on_demand() -> None:
    made, page = of_the_round()
    async with times_screen(made, page=page) as timed:
        assert timed.names == ["Lis", "Sowa"]
        assert "League, round 2" in timed.text()

        await timed.press("r")
        assert "all rounds" in timed.text()
        assert sorted(timed.names) == ["Borsuk", "Lis", "Sowa", "Wydra"]
        assert "Lis: 2 moves" in timed.said("said")


async def test_the_cursor_stays_with_its_player_when_moves_come_in() -> None:
    async with times_screen(an_evening()) as timed:
        await timed.press("down", "down")
        assert "Borsuk: 10 moves" in timed.said("said")

        timed.hall.made[1] = seen_turns(1, [(2, 39_000, "juz")] * 90, names=NAMES[0])
        timed.screen.post_message(FactsRecorded(frozenset({1})))
        await timed.pilot.pause()
        timed.screen._look_again()
        await timed.pilot.pause()

        assert timed.names[0] == "Borsuk"
        assert "Borsuk: 90 moves" in timed.said("said")


async def test_where_nothing_was_played_yet_it_says_so() -> None:
    async with times_screen({1: []}) as timed:
        assert "No move has been made yet." in timed.said("said")
        await timed.press("down", "o", "p", "r")
        assert timed.screen.query_one(TimeList).whose is None or timed.names == ["table 1"]


async def test_a_lost_desk_is_said_across_the_screen() -> None:
    async with times_screen(an_evening()) as timed:
        timed.feed.lost()
        timed.screen.post_message(DeskLost())
        await timed.pilot.pause()

        assert "NO LIVE DESK" in timed.text()


async def test_help_says_what_the_picture_shows_and_closes_again() -> None:
    async with times_screen(an_evening()) as timed:
        await timed.press("question_mark")
        text = "\n".join(strip.text for strip in timed.pilot.app.screen._compositor.render_strips())
        assert "Each bar says how many moves took so many seconds" in text

        await timed.press("escape")
        assert timed.pilot.app.screen is timed.screen


async def test_everything_fits_on_the_smallest_screen() -> None:
    names = ("Wiewiórka Zażółcająca Gęślą", "Bóbr", "Ćma", "Źrebię")
    made = {1: seen_turns(1, [(seat, 7_000 + 900 * seat, "juz") for seat in range(4)] * 30, names=names)}
    async with times_screen(made) as timed:
        text = timed.text()

    assert "moves median late slow" in text
    assert "Wiewiórka" in text
    assert "Esc back" in text
    assert "Move by move, the latest on the right:" in text
