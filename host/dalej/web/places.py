"""How many screens there can be: each is a process of its own on the hall's laptop.

Measured with twelve tables at play: 40 to 50 MB and a fifteenth of a processor each. Some places are kept free for
referees and organisers, so that the public cannot crowd them out.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final

from dalej.errors import Refused
from dalej.web.sessions import Session
from dalej.words import N_

SCREENS: Final = 24  # a live desk serves 32, and there are terminals besides
KEPT: Final = 8
OF_ONE_SESSION: Final = 4


class Places:
    """`most`: screens at once; of these up to `kept` are for referees and organisers alone."""

    def __init__(self, most: int = SCREENS, kept: int = KEPT) -> None:
        self.most = most
        self._public_most = max(most - kept, (most + 1) // 2)
        self._taken = 0
        self._public = 0

    @contextmanager
    def taken(self, session: Session) -> Iterator[None]:
        """A place while the block lasts; Refused, in words, if there is none."""
        public = session.actor.role == "public"
        if session.screens >= OF_ONE_SESSION:
            raise Refused(N_("you have {most} screens open already: close one of them first"), most=OF_ONE_SESSION)
        if self._taken >= self.most:
            raise Refused(N_("{most} screens are open, this computer shows no more: close one first"), most=self.most)
        if public and self._public >= self._public_most:
            raise Refused(
                N_("{most} public screens are open, this computer shows no more: close one first"),
                most=self._public_most,
            )
        self._taken += 1
        self._public += public
        session.screens += 1
        try:
            yield
        finally:
            session.screens -= 1
            self._public -= public
            self._taken -= 1
