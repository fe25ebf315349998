"""A game at a simulated table, played from the keyboard: what a visitor presses, sees, and is told to do next."""

from __future__ import annotations

from pathlib import Path

from textual.widgets import Static

from dalej.tui.feed import TableChosen
from dalej.tui.screens.table import TableScreen
from tests.tui.visitor import a_visitor


async def test_a_game_from_the_first_move_to_the_empty_rack(tmp_path: Path) -> None:
    async with a_visitor(tmp_path / "hall.dalej") as visitor:
        await visitor.reads("Lis (A) begins: j starts the clock.")
        await visitor.after(500, "j")
        await visitor.reads("Lis (A) to move.")

        await visitor.after(5_000, "j")
        await visitor.reads("Sowa (B) to move.")
        await visitor.after(5_000, "k")
        await visitor.after(1_000, "d")
        await visitor.reads("Borsuk (C) to move.")
        await visitor.finds("Dalej +1")

        await visitor.after(5_000, "d")
        await visitor.reads("Dalej came before the tile: Wydra (D) may press s within")
        await visitor.sees("The hall sees: △ early click")
        await visitor.after(1_000, "s")
        await visitor.reads("Wydra (D) claims a fresh move: Borsuk (C) pressed Dalej before taking the tile.")
        await visitor.sees("The hall sees: ▲ early click", "the clock stands · Wydra (D)")
        await visitor.after(1_000, "k")
        await visitor.finds("Borsuk 5.1 Dalej +1 clicked before drawing, tile drawn late")
        await visitor.after(1_000, "S")
        await visitor.reads("the clock runs again in 3")
        await visitor.after(3_000)
        await visitor.reads("Wydra (D) to move.")

        await visitor.after(40_500)
        await visitor.reads("Time is over for Wydra (D). Lis (A) speaks for the table")
        await visitor.sees("The hall sees: △ time is over", "s · Wydra (D)")
        await visitor.after(20_000)
        await visitor.sees("▲ time is over")
        await visitor.finds("time-out … until somebody decides: undone, +1 tile (rule 6h)")
        await visitor.after(100, "d")
        await visitor.reads("Lis (A) to move.")
        await visitor.finds("time-out → undone, +1 tile (rule 6h), the table")

        await visitor.after(1_000, "s")
        await visitor.reads("Dispute about the move of Wydra (D): the clock stands, nobody touches the tiles.")
        await visitor.sees("▲ dispute")
        await visitor.after(4_000, "S")
        await visitor.reads("the clock runs again in")
        await visitor.after(5_000)
        await visitor.reads("Lis (A) to move.")

        await visitor.after(2_000, "J")
        await visitor.after(1_500)
        await visitor.reads("The game is over: Lis (A) has no tiles left.")
        assert visitor.life.names(1).count("game_ended") == 1
        await visitor.finds("empty rack")


async def test_a_power_cut_and_a_walk_out_of_reach_are_seen_and_ended_from_the_keyboard(tmp_path: Path) -> None:
    async with a_visitor(tmp_path / "hall.dalej") as visitor:
        await visitor.after(500, "j")
        await visitor.reads("Lis (A) to move.")

        await visitor.after(8_000, "l")
        await visitor.sees("OUT OF REACH")
        await visitor.after(16_000)
        await visitor.sees("△ box silent")
        await visitor.after(100, "j")
        await visitor.reads("Sowa (B) to move.")
        await visitor.after(100, "l")
        await visitor.sees("The hall sees: playing · Sowa (B)")

        await visitor.after(8_000, "p")
        await visitor.sees("NO POWER")
        await visitor.reads("The box has no power. p gives it back")
        await visitor.after(1_000, "p")
        await visitor.reads("The box was without power: the clock stands at what was left for Sowa (B).")
        await visitor.after(1_000, "S")
        await visitor.reads("the clock runs again in")
        await visitor.after(5_000)
        await visitor.reads("Sowa (B) to move.")


async def test_what_keys_did_is_answered_out_of_reach_too(tmp_path: Path) -> None:
    async with a_visitor(tmp_path / "hall.dalej") as visitor:
        await visitor.reads("Lis (A) begins: j starts the clock.")
        await visitor.after(100, "l")
        await visitor.after(500, "j")
        await visitor.reads("Lis (A) to move.")
        await visitor.after(1_000, "3", "j")
        await visitor.reads("✗ It is the move of Lis (A), not of Borsuk (C).")
        await visitor.after(1_000, "k")
        await visitor.reads("A tile is taken: d = pass (Dalej).")
        await visitor.after(1_000, "1", "escape", "k")  # without others in between it would be a key that repeats
        await visitor.reads("One tile a move is enough: the referee sees more.")
        await visitor.after(1_000, "d")
        await visitor.reads("Sowa (B) to move.")
        await visitor.after(1_000, "D")
        await visitor.reads("▼ hold Dalej")
        await visitor.reads("Sowa (B) announced: „Wyłożę się w następnej rundzie”.")
        await visitor.after(6_000, "s")
        await visitor.reads("A dispute: the clock stops when this move ends. s again within")


async def test_a_table_that_is_left_stays_in_the_visitors_hands(tmp_path: Path) -> None:
    async with a_visitor(tmp_path / "hall.dalej") as visitor:
        await visitor.after(500, "j")
        await visitor.reads("Lis (A) to move.")
        await visitor.after(100, "escape")
        while isinstance(visitor.pilot.app.screen, TableScreen):
            await visitor.pilot.pause(0.01)
        await visitor.after(60_000)
        visitor.pilot.app.post_message(TableChosen(1))
        while not isinstance(visitor.pilot.app.screen, TableScreen):
            await visitor.pilot.pause(0.01)

        await visitor.reads("Time is over for Lis (A). Sowa (B) speaks for the table: j = the move stands")
        assert "YOU PLAY" in str(visitor.screen.query_one("#title", Static).content)


async def test_a_table_that_is_given_back_is_played_on_by_its_people(tmp_path: Path) -> None:
    async with a_visitor(tmp_path / "hall.dalej") as visitor:
        await visitor.reads("Lis (A) begins: j starts the clock.")
        await visitor.after(60_000)
        assert visitor.life.names(1) == []

        await visitor.after(100, "t")
        await visitor.reads("t = you play this table")
        await visitor.after(60_000)
        await visitor.finds("Już")

        assert "move_ended" in visitor.life.names(1)
