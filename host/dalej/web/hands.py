"""The hands of everybody who is logged in: what they wish is done one after the other, in a thread and on a ledger
connection of its own; and the act that only a server can do.
"""

from __future__ import annotations

import asyncio
from concurrent.futures import ThreadPoolExecutor

from dalej.errors import DalejError
from dalej.event.event import Event
from dalej.office.acts.act import read
from dalej.office.acts.performer import Handler, Performer
from dalej.office.acts.roles import EVERYBODY, Actor, role_of
from dalej.office.acts.sessions import EndSessions
from dalej.office.acts.wishes import Done, Wish, done
from dalej.web.sessions import Sessions
from dalej.words import N_, ROLE_WORDS


class Doing:
    """`performer` is used in this thread alone."""

    def __init__(self, performer: Performer) -> None:
        self._performer = performer
        self._thread = ThreadPoolExecutor(max_workers=1, thread_name_prefix="dalej-acts")

    async def perform(self, actor: Actor, wish: Wish) -> Done:
        """Done, or the DalejError that says why not."""
        return await asyncio.get_running_loop().run_in_executor(self._thread, self._performer.do, actor, wish)

    def close(self) -> None:
        """Wait for what is being done; nothing more is."""
        self._thread.shutdown(cancel_futures=True)


def ending(sessions: Sessions, loop: asyncio.AbstractEventLoop) -> Handler:
    """The act `end_sessions`: of one role, or everybody's, whoever wishes it included."""

    def end_sessions(_event: Event, wish: Wish) -> Done:
        named = read(EndSessions, wish).role
        role = None if named == EVERYBODY else role_of(named)
        loop.call_soon_threadsafe(sessions.end_all, "ended", role)
        if role is None:
            return done(N_("Whoever was logged in over the web has been logged out."))
        return done(N_("Logged out: everybody with the role {role}."), role=DalejError(ROLE_WORDS[role]))

    return end_sessions
