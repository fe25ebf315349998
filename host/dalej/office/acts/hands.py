"""The hands of a screen on this machine: acts are done in a thread, while the screen goes on."""

from __future__ import annotations

import asyncio
from typing import Protocol

from dalej.event.threads import to_the_end
from dalej.office.acts.roles import Actor
from dalej.office.acts.wishes import Done, Wish


class Performs(Protocol):
    """A `Performer`, or what will be one by the time that something is wished."""

    def do(self, actor: Actor, wish: Wish) -> Done:
        """Done, or the DalejError that says why not."""


class LocalHands:
    """`Hands` over a `Performer`, which does one act at a time: whoever else uses its event has the same lock."""

    def __init__(self, actor: Actor, performer: Performs, one_at_a_time: asyncio.Lock | None = None) -> None:
        self._actor = actor
        self._performer = performer
        self._one_at_a_time = one_at_a_time or asyncio.Lock()

    @property
    def actor(self) -> Actor:
        """Who sits here."""
        return self._actor

    def under(self, name: str) -> LocalHands:
        """Those of somebody else who has stepped up to this screen: nobody logs in at a terminal."""
        return LocalHands(Actor(name, self._actor.role), self._performer, self._one_at_a_time)

    async def do(self, wish: Wish) -> Done:
        """Done, or the DalejError that says why not; an act that was begun is finished even if the screen is left."""
        return await to_the_end(self._do(wish))

    async def _do(self, wish: Wish) -> Done:
        """To its end: nobody else uses the connection before, whether anyone still waits for this or not."""
        async with self._one_at_a_time:
            return await asyncio.to_thread(self._performer.do, self._actor, wish)
