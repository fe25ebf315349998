"""What has happened, as workers tell it. The app gets each, and hands it on to the screen in front.

Rows of the hall are not in here: they are asked of the `Feed` at every tick.
"""

from __future__ import annotations

from collections.abc import Sequence

from textual.message import Message

from dalej.hall.seen import Alert
from dalej.live.messages import Face, Refusal


class DeskFound(Message):
    """A live desk answers (again); `feed.simulated` says of what kind it is."""


class DeskLost(Message):
    """No live desk any more: times stand still at what was heard last."""


class FactsRecorded(Message):
    """The ledger has grown; these tables have something new in it."""

    def __init__(self, tables: frozenset[int]) -> None:
        super().__init__()
        self.tables = tables


class LedgerFailed(Message):
    """The event file cannot be read, `feed.trouble` says why; it is tried again."""


class FaceSeen(Message):
    """A simulated box that is looked at looks different."""

    def __init__(self, face: Face) -> None:
        super().__init__()
        self.face = face


class NoticeRead(Message):
    """Something that a person should read, in words."""

    def __init__(self, words: str) -> None:
        super().__init__()
        self.words = words


class WishRefused(Message):
    """The desk does not grant what this screen asked for."""

    def __init__(self, refusal: Refusal) -> None:
        super().__init__()
        self.refusal = refusal


class TableChosen(Message):
    """Somebody wants to see this table: by key, by a click on its row or on an alert.

    `answers`: because of what waits there, with the act ready that answers it.
    """

    def __init__(self, table: int, *, answers: bool = False) -> None:
        super().__init__()
        self.table = table
        self.answers = answers


class AlertsSeen(Message):
    """Everything that waits for a person now, as a screen has just looked it up."""

    def __init__(self, alerts: Sequence[Alert]) -> None:
        super().__init__()
        self.alerts = alerts
