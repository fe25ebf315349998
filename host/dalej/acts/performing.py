"""The one way in which anything is done: the role is asked first, then the handler, then the line for the audit.

A handler is handed the event, opened for whoever acts, and reads its arguments itself: a wish may come from anywhere.
It decides or asks a box, and returns what was done. If it raises, nothing was changed: several steps are taken
`Event.together`.

A `Ledger` may be shared by threads: it has each transaction to itself. An `Event` remembers what it read last, and is
used by one thread at a time, with all that were made of it; so is a `Performer` whose `event_for` is `Event.by`, which
spares every act the reading of the whole event. Handlers hold nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Protocol

from dalej.acts import (
    box,
    chairs,
    games,
    hall,
    people,
    printing,
    restoring,
    results,
    rounds,
    rulings,
    sending,
    settings,
    undoing,
)
from dalej.acts.catalogue import ACTS
from dalej.acts.reasons import expect_reason
from dalej.acts.roles import WORDS, Actor
from dalej.acts.wishes import Done, Wish
from dalej.errors import DalejError, Refused, WrongInput
from dalej.office.event import Event
from dalej.words import N_

Handler = Callable[[Event, Wish], Done]


@dataclass(frozen=True, slots=True)
class Line:
    """One line of the audit: who wished what, and what came of it. `refusal` None: it was done."""

    when_ms: int
    actor: Actor
    wish: Wish
    done: Done | None
    refusal: DalejError | None


class Audit(Protocol):
    """Keeps the lines."""

    def __call__(self, line: Line, /) -> None:
        """Keep it; it must not fail the act that was done."""


def handlers() -> Mapping[str, Handler]:
    """What does each act, by its name."""
    parts = (
        box, games, hall, rulings, people, results, rounds, settings, undoing, restoring, chairs, sending, printing,
    )  # fmt: skip
    return {name: handler for part in parts for name, handler in part.HANDLERS.items()}


class Performer:
    """`event_for(who)`: the event as that person decides in it; used from one thread at a time. `more`: what only
    whoever makes it can do, such as ending the sessions of a web server.
    """

    def __init__(
        self, event_for: Callable[[str], Event], audit: Audit, more: Mapping[str, Handler] | None = None
    ) -> None:
        self._event_for = event_for
        self._audit = audit
        self._handlers = {**handlers(), **(more or {})}

    def do(self, actor: Actor, wish: Wish) -> Done:
        """Done; WrongInput if there is no such act, Refused if the role may not do it, or whatever the act says."""
        event = self._event_for(actor.who)
        try:
            done = self._do(event, actor, wish)
        except DalejError as error:
            self._audit(Line(event.wall_ms(), actor, wish, None, error))
            raise
        except StopIteration as error:
            raise RuntimeError(wish.act) from error  # asyncio cannot hand that one on, and whoever waits would for ever
        self._audit(Line(event.wall_ms(), actor, wish, done, None))
        return done

    def _do(self, event: Event, actor: Actor, wish: Wish) -> Done:
        act, handler = ACTS.get(wish.act), self._handlers.get(wish.act)
        if act is None:
            raise WrongInput(N_("“{act}” is nothing that can be done here"), act=wish.act)
        if actor.role not in act.roles:
            raise Refused(
                N_("{act}: not with the role {role}, only {allowed}"), act=DalejError(act.title),
                role=DalejError(WORDS[actor.role]),
                allowed=", ".join(role for role in WORDS if role in act.roles),
            )  # fmt: skip
        if handler is None:
            raise Refused(N_("{act}: only over the web, where dalej serve runs"), act=DalejError(act.title))
        expect_reason(act, wish.why)
        return handler(event, wish)
