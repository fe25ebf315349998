"""The route of somebody at a screen: the dialog of an act, filled by keys alone, with hands that do it on the event."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import closing
from itertools import count
from pathlib import Path
from typing import Any, Final

from textual.widget import Widget

from dalej.event.event import Event
from dalej.event.ledger import Ledger
from dalej.office.acts.act import Act
from dalej.office.acts.catalogue import ACTS
from dalej.office.acts.roles import Role
from dalej.office.acts.wishes import Wish
from dalej.tui.ask.actdialog import ActDialog
from dalej.tui.ask.confirm import Confirm
from dalej.tui.ask.fields import Field, PickField, ReasonField
from dalej.tui.widgets.choices import Pick
from dalej.views.asking import RACKS
from tests.office.acts.routes import Wished, beside, entries
from tests.tui.officescreens import LARGE, Office, OneScreen
from tests.tui.scenes import as_text

FIELDS_MOST: Final = 20  # of a dialog, each of them passed by Tab
ROUNDS_MOST: Final = 2_000  # of the event loop


class AtDialog:
    """A person at the dialog of one act. `said`: what the dialog said last."""

    def __init__(self, app: OneScreen, pilot: Any) -> None:
        self.app = app
        self.pilot = pilot

    @property
    def dialog(self) -> ActDialog | None:
        """It, as long as it is open."""
        return next((one for one in self.app.screen_stack if isinstance(one, ActDialog)), None)

    async def press(self, *keys: str) -> None:
        await self.pilot.press(*keys)
        for _ in range(ROUNDS_MOST):
            await self.pilot.pause()
            if all(worker.is_finished for worker in self.app.workers):
                return

    async def goes_to(self, wanted: Widget) -> bool:
        """By Tab; whether that is possible."""
        for _field in range(FIELDS_MOST):
            if self.app.focused is wanted:
                return True
            await self.press("tab")
        return False

    async def fills(self, wish: Wish) -> None:
        """Every field that the wish says something for, then its reason, and does it."""
        names = sorted(
            [field.name or "" for field in self.app.screen.query(Field)],
            key=lambda name: isinstance(self.field(name), PickField),  # what is picked last does it
        )
        filled = set()
        for name in (*names, *names):  # some are to be seen only when others are answered
            value = value_of(wish.args, name)
            if value is not None and name not in filled and self.dialog is not None and self.field(name).display:
                filled.add(name)
                await self.fills_in(self.field(name), value)
        if self.dialog is None:
            return
        for reason in self.app.screen.query(ReasonField):
            if wish.why and reason.display and await self.goes_to(reason.target):
                await self.press(*wish.why)
        if isinstance(self.app.screen, ActDialog):
            await self.press("ctrl+s")
        if isinstance(self.app.screen, Confirm):
            await self.press("y")

    def field(self, name: str) -> Field:
        return next(field for field in self.app.screen.query(Field) if field.name == name)

    async def fills_in(self, field: Field, value: object) -> None:
        assert await self.goes_to(field.target), field.name
        if isinstance(field, PickField):
            choices = field.query_one(Pick).choices
            await self.press(str([one.value for one in choices].index(value) + 1))
        else:
            await self.press(*written(field, value))


def value_of(args: Mapping[str, Any], name: str) -> Any:
    """What the wish says of a field."""
    return args.get("racks", {}).get(name.removeprefix(RACKS)) if name.startswith(RACKS) else args.get(name)


def written(field: Field, value: object) -> str:
    """As a person types it."""
    if field.name == "ms" and isinstance(value, int):
        return str(value // 1_000)
    return ",".join(map(str, value)) if isinstance(value, list) else str(value)


def known(act: type[Act], wish: Wish) -> dict[str, object]:
    """What the screen under the dialog knows already: at which table, in which round."""
    asked = {ask.name for ask in act.asks()}
    where = {"table"} if act.about in ("table", "game") else set()
    return {name: value for name, value in wish.args.items() if name not in asked or name in where}


async def keys(path: Path, now_ms: int, role: Role, wish: Wish) -> tuple[Wished, str]:
    """What came of it, and what stands on the screen then."""
    act = ACTS[wish.act]
    ledger = Ledger.open(path)
    with closing(Office(Event(ledger, who="", wall_ms=count(now_ms, 1_000).__next__))) as office:
        head, files = ledger.head(), beside(path)
        hands = office.hands("Lis", role)
        room = office.room(hands)
        await room.book.turn()
        app = OneScreen(lambda: ActDialog(act, known(act, wish), room, hands))
        async with app.run_test(size=LARGE) as pilot:
            person = AtDialog(app, pilot)
            await person.press()
            await person.fills(wish)
            said = as_text(app)
            refused = [line.refusal for line in office.lines if line.refusal is not None]
            done = [line.done.undo for line in office.lines if line.done is not None]
        error = refused[-1] if refused else None
        return Wished(entries(ledger, head), sorted(beside(path) - files), error, done[0] if done else None), said
