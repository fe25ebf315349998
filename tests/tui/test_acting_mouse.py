"""A referee with a mouse and nothing else: every click is on words that stand on the screen."""

from __future__ import annotations

from tests.tui.calling import stands
from tests.tui.hands import click, handling
from tests.tui.paper import a_row, an_alert


async def test_a_claim_is_granted() -> None:
    claim = an_alert(3, "early_click", 9_000, stopped=True)
    row = a_row(3, state="stopped", reason="early_click", moves_on=False, alerts=(claim,))
    async with handling([row]) as there:
        for words in ("early click", "⏎ answer", "grant the claim", "the players agree", "⏎ grant the claim"):
            await click(there, words)

        assert there.acts() == [
            ("grant_claim", {"table": 3, "game": 1, "move": 12, "goes_on": True}, "the players agree")
        ]


async def test_a_dispute_ends_with_the_clock_going_on() -> None:
    dispute = an_alert(3, "dispute", 9_000, stopped=True)
    row = a_row(3, state="stopped", reason="dispute", moves_on=False, alerts=(dispute,))
    async with handling([row]) as there:
        await click(there, "dispute")
        await click(there, "⏎ answer")
        await click(there, "let the clock go on")

        assert there.acts() == [("resume", {"table": 3}, "")]


async def test_the_hall_is_stopped() -> None:
    async with handling([a_row(1), a_row(2)]) as there:
        for words in ("STOP ALL", "3 ", "yes, do it"):
            await click(there, words)

        assert [act for act, _args, _why in there.acts()] == ["stop_hall"]


async def test_the_menu_is_opened_and_left() -> None:
    async with handling([stands()]) as there:
        await click(there, "a act")
        assert "what is to be done?" in there.text()
        await click(there, "give extra time")
        assert "Table 3 · give extra time" in there.text()
        await click(there, "Esc leave")

        assert not there.acts()
