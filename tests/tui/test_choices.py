"""A row of choices on a narrow screen."""

from __future__ import annotations

import pytest
from textual.app import App, ComposeResult
from textual.geometry import Offset

from dalej.tui.widgets.choices import Choices
from tests.tui.scenes import as_text

ENDS = ("went out", "bank empty", "round time", "one seat left", "not played")


class OneRow(App[None]):
    """As wide as its screen."""

    def __init__(self) -> None:
        super().__init__()
        self.taken: list[int] = []

    def compose(self) -> ComposeResult:
        row = Choices("It ended:", id="row")
        row.show(ENDS, 1)
        yield row

    def on_choices_chosen(self, chosen: Choices.Chosen) -> None:
        self.taken.append(chosen.index)


@pytest.mark.parametrize("width", range(24, 100, 3))
async def test_a_digit_is_never_parted_from_its_word(width: int) -> None:
    app = OneRow()
    async with app.run_test(size=(width, 12)) as pilot:
        await pilot.pause()
        await pilot.pause()
        text = as_text(app)

        for number, word in enumerate(ENDS, 1):
            assert f"{number} {word}" in text


async def test_a_click_on_a_line_below_chooses_what_stands_there() -> None:
    app = OneRow()
    async with app.run_test(size=(40, 12)) as pilot:
        await pilot.pause()
        await pilot.pause()
        lines = as_text(app).splitlines()
        y = next(at for at, line in enumerate(lines) if "5 not played" in line)
        await pilot.click(offset=Offset(lines[y].index("not played"), y))

        assert y > 0
        assert app.taken == [4]
