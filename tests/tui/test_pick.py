"""Lines to pick from whose words are longer than there is room for."""

from __future__ import annotations

import pytest
from textual.app import App, ComposeResult
from textual.geometry import Offset

from dalej.tui.widgets.choices import Choice, Pick
from tests.tui.scenes import as_text

WORDS = ("stands", "valid, but nothing of one's own was laid", "touched")


class OnePick(App[None]):
    """A column as narrow as words are long somewhere."""

    CSS = "Pick { width: 24; }"

    def compose(self) -> ComposeResult:
        yield Pick([Choice(word, word) for word in WORDS])


async def test_a_digit_stays_with_the_words_that_it_picks() -> None:
    app = OnePick()
    async with app.run_test(size=(40, 10)) as pilot:
        await pilot.pause()
        lines = [line.rstrip() for line in as_text(app).splitlines()[:5]]

        assert lines == [
            "▸○ 1 stands", " ○ 2 valid, but nothing", "     of one's own was", "     laid", " ○ 3 touched",
        ]  # fmt: skip


@pytest.mark.parametrize(("y", "picked"), [(0, 0), (1, 1), (3, 1), (4, 2)])
async def test_a_click_on_any_of_its_lines_picks_it(y: int, picked: int) -> None:
    app = OnePick()
    async with app.run_test(size=(40, 10)) as pilot:
        await pilot.pause()
        await pilot.click(Pick, offset=Offset(6, y))

        assert app.query_one(Pick).picked == picked
