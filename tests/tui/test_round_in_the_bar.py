"""The time of the round in the line over the hall, down to its final lap."""

from __future__ import annotations

import pytest

from dalej.tui.widgets.boxdrawing import figures
from dalej.views.book import Page
from dalej.views.rows import Row
from tests.office.paper.events import NOON_MS as DECIDED_MS
from tests.tui.gallery import staged
from tests.tui.paper import PaperHall, a_row, an_alert
from tests.tui.public import ROUND_MS, PaperBook, an_event
from tests.tui.scenes import as_text


def a_hall() -> list[Row]:
    """Three tables play, one of them its final lap, and somebody waits at another."""
    late = an_alert(2, "time_out", 7_000, seat=2)
    return [a_row(1, final_lap=True), a_row(2, alerts=(late,)), a_row(3), a_row(4, state="over", reason="went_out")]


async def bar(after_ms: int, width: int) -> str:
    """So long after the round began."""
    book = PaperBook(Page(head=1, state=an_event(started=True).state))
    async with staged((width, 24), PaperHall(a_hall()), book=book, clock_ms=DECIDED_MS + after_ms) as stage:
        return as_text(stage.app).splitlines()[0]


async def test_the_bar_counts_the_round_down() -> None:
    assert "League, round 1: 1:00:00 · 4 tables · 1 table waits" in await bar(ROUND_MS - 3_600_000, 120)


@pytest.mark.parametrize(
    ("width", "said"),
    [(120, "time is over, 3 play, 1 in the final lap"), (80, "final lap at 1 of 3 · 1 table waits")],
)
async def test_the_bar_tells_the_final_lap_and_who_waits(width: int, said: str) -> None:
    line = await bar(ROUND_MS + 1_000, width)

    assert said in line
    assert "1 table waits" in line


@pytest.mark.parametrize(("left_ms", "said"), [(4_981_000, "1:23:01"), (725_000, "12:05"), (5_000, "0:05")])
async def test_the_large_figures_say_what_the_bar_says(left_ms: int, said: str) -> None:
    book = PaperBook(Page(head=1, state=an_event(started=True).state))
    at_ms = DECIDED_MS + ROUND_MS - left_ms
    async with staged((200, 60), PaperHall(a_hall()), book=book, clock_ms=at_ms) as stage:
        lines = as_text(stage.app).splitlines()

    assert f": {said}" in lines[0]
    pairs = figures(said[-5:].rjust(5), 5)
    hours = figures(f"{said[:-6]:>2}:{said[-5:-3]}", 5) if len(said) > 5 else [""] * len(pairs)
    for pair, hour in zip(pairs, hours, strict=True):
        assert any(pair[-15:].rstrip() in line and hour.strip() in line for line in lines)
