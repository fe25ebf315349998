"""A table's screen by mouse: a finger on the contacts of the box."""

from __future__ import annotations

import pytest

from dalej.desk.feed.messages import Finger
from dalej.tui.widgets.boxdrawing import BoxDrawing
from tests.tui.one_table import FREE, OURS, table_screen
from tests.tui.paper import LARGE, SMALL


@pytest.mark.parametrize("size", [SMALL, LARGE])
async def test_a_mouse_button_is_a_finger_on_the_contact(size: tuple[int, int]) -> None:
    async with table_screen(OURS, size=size) as desk:
        box = desk.screen.query_one(BoxDrawing)
        for contact, place in box.plan.contacts.items():
            where = (box.corner.x + place.x + place.width // 2, box.corner.y + place.y + place.height // 2)

            await desk.pilot.mouse_down(box, offset=where)
            await desk.pilot.pause()
            assert desk.wishes == [Finger(3, contact, True)]

            await desk.pilot.mouse_up(box, offset=where)
            await desk.pilot.pause()
            assert desk.wishes == [Finger(3, contact, True), Finger(3, contact, False)]
            desk.paper.wishes.clear()


async def test_a_finger_is_lifted_wherever_the_mouse_is_by_then() -> None:
    async with table_screen(OURS) as desk:
        box = desk.screen.query_one(BoxDrawing)
        place = box.plan.contacts[6]

        await desk.pilot.mouse_down(box, offset=(place.x + 1, place.y + 1))
        await desk.pilot.hover("#hints")
        await desk.pilot.mouse_up("#hints")
        await desk.settles()

        assert desk.wishes == [Finger(3, 6, True), Finger(3, 6, False)]
        assert desk.app.mouse_captured is None


async def test_beside_the_contacts_a_mouse_touches_nothing() -> None:
    async with table_screen(OURS) as desk:
        await desk.pilot.click(BoxDrawing, offset=(0, 0))
        await desk.settles()

        assert desk.wishes == []


async def test_a_mouse_at_a_table_that_is_not_ours_is_told_how_to_take_it() -> None:
    async with table_screen(FREE) as desk:
        box = desk.screen.query_one(BoxDrawing)
        await desk.pilot.click(BoxDrawing, offset=(box.plan.contacts[0].x + 1, box.plan.contacts[0].y + 1))
        await desk.settles()

        assert desk.wishes == []
        assert desk.text("hints").startswith("✗ Press t first: then you play this table.")
