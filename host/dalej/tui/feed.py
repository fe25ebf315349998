"""What a screen in a terminal is told: the news of the hall's feed as messages of Textual, and what one screen tells
the others.
"""

from __future__ import annotations

from collections.abc import Sequence

from textual.message import Message

from dalej.desk.feed.messages import Face, Refusal
from dalej.views.feed import Declined, Found, HeardOf, Looked, Lost, News, Noticed, Recorded, Unread
from dalej.views.rows import Alert
from dalej.words import said


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


class HearsDesk:
    """A screen that shows what the desk tells, or that there is none."""

    def look_anew(self) -> None:
        """Everything may be otherwise now."""
        raise NotImplementedError

    def on_desk_found(self, _found: DeskFound) -> None:
        """Everything moves again."""
        self.look_anew()

    def on_desk_lost(self, _lost: DeskLost) -> None:
        """Everything stands."""
        self.look_anew()

    def on_ledger_failed(self, _failed: LedgerFailed) -> None:
        """The banner says why."""
        self.look_anew()


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


class MomentCame(Message):
    """The round's time has come to something that a person has to say aloud."""


def in_textual(news: News) -> Message | None:
    """As the screens hear of it; None: they look by themselves."""
    match news:
        case Found():
            return DeskFound()
        case Lost():
            return DeskLost()
        case Recorded(tables):
            return FactsRecorded(tables)
        case Unread():
            return LedgerFailed()
        case Looked(face):
            return FaceSeen(face)
        case Noticed(notice):
            return NoticeRead(said(notice))
        case Declined(refusal):
            return WishRefused(refusal)
        case HeardOf():
            return None
