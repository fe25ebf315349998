"""The list of turns: the newest on top, each with how it ended, what it cost and by which clause."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

import pytest
from textual.app import App, ComposeResult
from textual.widgets import Static

from dalej.domain.game.facts import HOWS
from dalej.domain.game.turns import FLAGS
from dalej.tui.widgets.turnlist import MOST, TurnList, turn_lines
from dalej.views.phrases import ruling_words
from dalej.views.rows import SeenTurn
from moveclock import facts as k
from tests.tui.turned import late, seen

NARROW: Final = 28
WIDE: Final = 110


def text(turn: SeenTurn, room: int = WIDE) -> str:
    return "\n".join(str(line) for line in turn_lines(turn, room))


def test_a_turn_says_move_player_seconds_and_how_it_ended() -> None:
    assert text(seen()).split() == ["7", "B", "Sowa", "12.3", "s", "Już"]
    assert text(seen(), NARROW) == " 7 Sowa      12.3 Już"


def test_a_turn_under_way_has_no_time_yet() -> None:
    assert "under way" in text(seen(elapsed_ms=None, how=None))


def test_a_drawn_tile_is_counted_but_not_twice_where_a_ruling_counts_it() -> None:
    assert text(seen(how="dalej", drawn=True, tiles=1)).endswith("Dalej +1 tile")
    assert text(seen(how="dalej", drawn=True, tiles=1), NARROW).endswith("Dalej +1")
    assert text(late()).count("+1") == 1


@pytest.mark.parametrize(
    ("turn", "words"),
    [
        (late(), "→ undone, +1 tile (rule 6h), the table"),
        (late(ruled_by="default"), "… until somebody decides: undone, +1 tile (rule 6h)"),
        (late(ruling="stands", tiles=0), "→ it stands, no tile (rule 6h), the table"),
        (
            late(ruling="takes_invalid", tiles=None),
            "→ takes what is in no valid set, tiles to be counted (rule 6h), the table",
        ),
        (late(tiles=3, ruled_by="Sowa"), "→ undone, +3 tiles (rule 6h), Sowa"),
        (late(clause="", ruled_by="Sowa"), "→ undone, +1 tile, Sowa"),
    ],
)
def test_a_ruling_says_its_tiles_who_made_it_and_its_clause(turn: SeenTurn, words: str) -> None:
    assert ruling_words(turn) == words
    assert text(turn).endswith(f" · {words}")
    assert words in " ".join(text(turn, NARROW).split())


def test_flags_are_told_in_words() -> None:
    assert text(seen(flags=("clicked_before_drawing", "claim"))).endswith(" · clicked before drawing, claim")


@pytest.mark.parametrize("room", [NARROW, 40, WIDE])
@pytest.mark.parametrize("how", HOWS[:4])
def test_no_line_is_longer_than_its_room(room: int, how: str) -> None:
    turn = late(how=how, flags=FLAGS, move=99)

    assert all(len(line) <= room for line in text(turn, room).split("\n"))


class Page(App[None]):
    """Nothing but the list."""

    def compose(self) -> ComposeResult:
        yield TurnList()


async def test_the_newest_turn_is_on_top_under_the_name_of_its_game() -> None:
    async with Page().run_test(size=(40, 12)) as pilot:
        turns = pilot.app.query_one(TurnList)
        turns.show(
            [seen(move=1), seen(move=2), seen(move=3, void=True), seen(game=2, move=1, elapsed_ms=None, how=None)]
        )
        await pilot.pause()

        lines = str(turns.query_one(Static).content).split("\n")

        assert [line.split()[:2] for line in lines] == [
            ["game", "2"], ["1", "Sowa"], ["game", "1,"], ["3", "Sowa"], ["game", "1"], ["2", "Sowa"], ["1", "Sowa"],
        ]  # fmt: skip
        assert "void" in lines[2]


async def test_the_newest_turn_stays_in_sight_however_many_there_are() -> None:
    async with Page().run_test(size=(40, 12)) as pilot:
        turns = pilot.app.query_one(TurnList)
        for count in (1, 30, MOST + 5):
            turns.show([seen(move=move) for move in range(1, count + 1)])
            await pilot.pause()

            assert turns.scroll_y == 0
            assert str(turns.query_one(Static).content).split("\n")[1].split()[0] == str(count)
        assert str(turns.query_one(Static).content).count("Sowa") == MOST


async def test_a_move_under_way_whose_beginning_has_not_arrived_is_not_shown_yet() -> None:
    async with Page().run_test(size=(40, 12)) as pilot:
        turns = pilot.app.query_one(TurnList)
        nobody = replace(seen(move=6).turn, seat=k.NOBODY, how=None, elapsed_ms=None, partial=True)
        turns.show([seen(move=5), SeenTurn(nobody, "", "", "")])
        await pilot.pause()

        assert [line.split()[:2] for line in str(turns.query_one(Static).content).split("\n")] == [
            ["game", "1"], ["5", "Sowa"],
        ]  # fmt: skip


async def test_a_table_without_turns_says_so() -> None:
    async with Page().run_test(size=(40, 12)) as pilot:
        await pilot.pause()

        assert str(pilot.app.query_one(TurnList).query_one(Static).content) == "No turn yet."
