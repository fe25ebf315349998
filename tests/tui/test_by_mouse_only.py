"""What a referee does with a mouse and nothing else, from the call to the sentence that says it is done."""

from __future__ import annotations

import pytest

from dalej.office.acts.wishes import Done, Wish
from dalej.tui.ask.fields import Steps
from dalej.tui.screens.table import TableScreen
from tests.tui.calling import disputed, stands
from tests.tui.hands import Handling, click, handling


async def step(there: Handling, words: str, times: int = 1) -> None:
    """On a step beside a figure."""
    for _click in range(times):
        steps = there.app.screen.query_one(Steps)
        await there.pilot.click(steps, offset=(str(steps.content).index(words) + 1, 0))
        await there.settles()


async def test_a_clock_is_corrected_from_the_call_to_the_sentence() -> None:
    async with handling([disputed(stopped=True)]) as there:
        there.hands.answers = [Done("Table 3 has 0:31 left.")]
        await click(there, "dispute")
        await click(there, "⏎ answer")
        await click(there, "correct what is left")
        await step(there, "+10")
        await step(there, "+1 ")
        for words in ("○ 1 ", "⏎ correct what is left"):
            await click(there, words)

        act, args, why = there.acts()[0]
        assert (act, args["ms"], bool(why)) == ("set_time", 31_000, True)
        assert "Table 3 has 0:31 left." in there.text()


async def test_a_figure_never_falls_below_nothing() -> None:
    async with handling([disputed(stopped=True)]) as there:
        await click(there, "dispute")
        await click(there, "⏎ answer")
        await click(there, "correct what is left")
        await step(there, "−10", times=3)
        for words in ("○ 1 ", "⏎ correct what is left"):
            await click(there, words)

        assert there.acts()[0][1]["ms"] == 0


async def test_the_hall_goes_on() -> None:
    async with handling([stands()]) as there:
        await click(there, "all go on")
        assert "go on." in there.text()
        await click(there, "yes, do it")

        assert there.acts() == [("resume_hall", {}, "")]


async def test_what_was_done_is_taken_back() -> None:
    async with handling([stands()]) as there:
        there.hands.answers = [Done("Going on.", undo=Wish("stop", {"table": 3, "reason": "referee"}))]
        await there.pilot.click("#tables", offset=(10, 1))
        await there.settles()
        assert isinstance(there.app.screen, TableScreen)
        await click(there, "r go on")
        assert "Going on." in there.text()
        await click(there, "z take back")

        assert [act for act, _args, _why in there.acts()] == ["resume", "stop"]


@pytest.mark.parametrize("size", [(120, 40), (200, 60)])
async def test_the_palette_is_opened_and_an_act_is_chosen(size: tuple[int, int]) -> None:
    async with handling([stands()], size=size) as there:
        await click(there, ": find an act")
        await there.until("stop the clock · table 3")
        await click(there, "give extra time · table 3")
        await there.until("Ctrl+S give extra time")
        await step(there, "+10")
        for words in ("○ 1 ", "⏎ give extra time"):
            await click(there, words)

        assert [(act, args["ms"]) for act, args, _why in there.acts()] == [("give_time", 10_000)]
