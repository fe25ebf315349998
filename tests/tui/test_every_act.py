"""Every act that a table's menu offers is done by keys alone, and by mouse alone, from the hall to the wish."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

import pytest
from textual.widget import Widget
from textual.widgets import Button, Input

from dalej.domain.game.facts import PHONE
from dalej.office.acts.catalogue import ACTS, allowed
from dalej.tui.ask.actdialog import ActDialog
from dalej.tui.ask.confirm import Confirm
from dalej.tui.ask.fields import Field, ReasonField, Steps
from dalej.tui.widgets.choices import Pick
from dalej.views.offers import why_not
from dalej.views.rows import Row
from tests.tui.hands import Handling, click, handling
from tests.tui.paper import a_row, an_alert

TABLE_ACTS: Final = [act.name for act in allowed("organiser") if act.about == "table"]
BY_MOUSE: Final = [
    name for name in TABLE_ACTS if not any(ask.kind == "text" for ask in ACTS[name].asks())
]  # else typed
FIELDS_MOST: Final = 8  # of a form
WIDE: Final = (120, 40)


def possible(name: str) -> Row:
    """A table at which it can be done, with what calls for it."""
    claim = an_alert(3, "early_click", 9_000, stopped=True)
    late = an_alert(3, "time_out", 30_000, seat=2)
    rows = (
        a_row(3, state="running"),
        a_row(3, state="stopped", reason="referee", moves_on=False, left_ms=20_000),
        a_row(3, state="expired", left_ms=-30_000, seat=2, alerts=(late,)),
        a_row(3, state="stopped", reason="early_click", moves_on=False, alerts=(claim,)),
        a_row(3, state="ready"),
        a_row(3, state="over"),
        replace(a_row(3, state="running"), box=PHONE + "0000000003"),
    )
    return next(row for row in rows if not why_not(ACTS[name], row, ()))


async def answer_by_keys(there: Handling) -> None:
    """What stands in front: a field with the keys, or a question."""
    if isinstance(there.app.screen, Confirm):
        await there.press("y")
        return
    at = there.app.screen.focused
    if isinstance(at, Pick):
        await there.press("1")
    elif isinstance(at, Input) and any(isinstance(above, ReasonField) for above in at.ancestors):
        await there.press(*(["1", "enter"] if not at.value else ["enter"]))
    elif isinstance(at, Input):
        await there.press(*(["7", "enter"] if not at.value else ["enter"]))
    else:
        await there.press("enter")


async def click_on(there: Handling, widget: Widget, at: tuple[int, int] = (2, 0)) -> None:
    await there.pilot.click(widget, offset=at)
    await there.settles()


async def answer_by_mouse(there: Handling) -> None:
    """The same, by clicks."""
    screen = there.app.screen
    if isinstance(screen, Confirm):
        await click_on(there, screen.query_one("#yes", Button))
        return
    for field in screen.query(Field):
        if field.is_open():
            steps = field.query(Steps)
            target = steps.first() if steps else field.target
            await click_on(there, target, (str(steps.first().content).index("+1") + 1, 0) if steps else (2, 0))
    for reason in screen.query(ReasonField):
        await click_on(there, reason.query_one(Pick))
    if there.app.screen is screen:  # the last pick of a form without a reason does it
        await click_on(there, screen.query_one("#do", Button))


async def carried_out(there: Handling, name: str, by: str) -> None:
    for _field in range(FIELDS_MOST):
        if not isinstance(there.app.screen, ActDialog | Confirm):
            break
        await (answer_by_keys if by == "keys" else answer_by_mouse)(there)

    assert there.acts(), there.text()
    [(act, args, why)] = there.acts()
    assert act == name
    assert args["table"] == 3
    assert bool(why) is ACTS[name].why
    assert {ask.name for ask in ACTS[name].asks() if ask.needed} <= args.keys()
    assert f"Done: {name}." in there.text()


@pytest.mark.parametrize("name", TABLE_ACTS)
async def test_an_act_is_done_by_keys_alone(name: str) -> None:
    async with handling([possible(name)], size=WIDE) as there:
        await there.press("a")
        [key] = [offer.key for offer in there.app.screen.offers if offer.act.name == name]  # type: ignore[attr-defined]  # a menu's
        await there.press(key)

        await carried_out(there, name, "keys")


@pytest.mark.parametrize("name", BY_MOUSE)
async def test_an_act_is_done_by_mouse_alone(name: str) -> None:
    async with handling([possible(name)], size=WIDE) as there:
        await click(there, "a act")
        await click(there, ACTS[name].title)

        await carried_out(there, name, "mouse")
