"""The two that keep a `Feed` up to date: one listens to the desk, one reads the ledger. They post what has happened."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import suppress
from typing import Final, Protocol

from textual.message import Message

from dalej.errors import DalejError, Unreachable
from dalej.live.messages import (
    Face,
    FromScreen,
    NoticeTold,
    Pulse,
    Refusal,
    TableHeard,
    ToScreen,
    Welcome,
)
from dalej.live.parts import fields
from dalej.tui.feed import Feed
from dalej.tui.messages import DeskFound, DeskLost, FaceSeen, FactsRecorded, LedgerFailed, NoticeRead, WishRefused
from dalej.words import said

# Notices somebody has to act on; alarms say the others better, and what came of a command is its sender's business.
SHOWN: Final = frozenset({
    "new_epoch", "lost", "conflict", "turned_away", "not_recorded", "recorded_again", "lease_lost", "offer",
    "to_take_over", "takes_over", "nothing_known", "not_set_up", "busy", "ends_own_game", "no_secret",
})  # fmt: skip
AGAIN_S: Final = 1.0
SHOW_S: Final = 0.1  # how often what was read is shown, as long as there is more to read at once
LOOK_S: Final = 0.5  # how often the ledger is looked at while no desk says when it has grown


Post = Callable[[Message], object]


class Live(Protocol):
    """A connection to a live desk; `messages` ends, or raises Unreachable, when the desk is gone."""

    def messages(self) -> AsyncIterator[ToScreen]: ...

    async def send(self, message: FromScreen) -> None: ...

    async def close(self) -> None: ...


Connect = Callable[[], Awaitable[Live]]


class Reader(Protocol):
    """Brings the hall's model up to what the ledger holds."""

    async def read_on(self) -> set[int] | None:
        """The tables that the next slice of the ledger is about; None if there is nothing new."""

    def new_troubles(self) -> list[DalejError]:
        """What could not be read and was passed over since this was asked last."""


async def listen(feed: Feed, connect: Connect, post: Post) -> None:
    """Stay connected to the desk; try again every second."""
    while True:
        with suppress(Unreachable):
            live = await connect()
            sending = asyncio.create_task(_send(feed, live))
            try:
                async for message in live.messages():
                    _hear(feed, message, post)
            finally:
                sending.cancel()
                if feed.live:
                    feed.lost()
                    post(DeskLost())
                await live.close()
        await asyncio.sleep(AGAIN_S)


async def _send(feed: Feed, live: Live) -> None:
    with suppress(Unreachable):  # whoever listens finds out too
        while True:
            await live.send(await feed.outbox.get())


def _hear(feed: Feed, message: ToScreen, post: Post) -> None:
    match message:
        case TableHeard(heard):
            feed.heard(heard)
        case Pulse():
            feed.pulsed(message)
        case Face():
            feed.faced(message)
            post(FaceSeen(message))
        case Welcome():
            feed.welcomed(message)
            post(DeskFound())
        case NoticeTold(kind=kind, template=template, data=data):
            if kind in SHOWN and feed.has_settled():
                known = fields(data).items()
                named = {name: feed.hall.called(str(value)) if name == "box" else value for name, value in known}
                post(NoticeRead(said(DalejError(template, **named))))
        case Refusal():
            post(WishRefused(message))


async def _read_on(reader: Reader, post: Post) -> None:
    """Up to where the ledger ends; says what was read even if it cannot be read to its end."""
    loop = asyncio.get_running_loop()
    touched: set[int] = set()
    some, shown = False, -SHOW_S
    try:
        while (tables := await reader.read_on()) is not None:
            touched |= tables
            some = True
            for trouble in reader.new_troubles():
                post(NoticeRead(said(trouble)))
            if loop.time() - shown >= SHOW_S:
                post(FactsRecorded(frozenset(touched)))
                touched, some, shown = set(), False, loop.time()
    finally:
        if some:
            post(FactsRecorded(frozenset(touched)))


async def follow(feed: Feed, reader: Reader, post: Post) -> None:
    """Read on whenever the desk says that there is more, and every half second while there is no desk.

    What comes first is shown at once, and what comes while there is more to read a few times a second: a long event
    would be drawn anew for every slice of it.
    """
    while True:
        feed.grown.clear()
        try:
            await _read_on(reader, post)
            if not feed.grown.is_set():
                feed.caught_up.set()
            if feed.trouble:
                feed.trouble = ""
                post(FactsRecorded(frozenset()))
        except DalejError as error:
            if feed.trouble != said(error):
                feed.trouble = said(error)
                post(LedgerFailed())
        with suppress(TimeoutError):
            async with asyncio.timeout(None if feed.live and not feed.trouble else LOOK_S):
                await feed.grown.wait()
