"""The one way in which anything is done: the role is asked first, then the handler, then a line of JSON is kept of
it, in a file that only its owner can read.
"""

from __future__ import annotations

import errno
import json
import os
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final, Protocol

from dalej.errors import DalejError, Refused, WrongInput
from dalej.event.event import Event
from dalej.hints import EVENT, typed
from dalej.office.acts.act import Act, expect_reason, read
from dalej.office.acts.catalogue import ACTS
from dalej.office.acts.roles import Actor
from dalej.office.acts.waiting import chairs, with_moved_up, with_printed
from dalej.office.acts.wishes import Done, Wish
from dalej.words import N_, ROLE_WORDS, cause, said

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


class Performer:
    """`event_for(who)`: the event as that person decides in it; used from one thread at a time. `more`: what only
    whoever makes it can do, such as ending the sessions of a web server.
    """

    def __init__(
        self, event_for: Callable[[str], Event], audit: Audit, more: Mapping[str, Handler] | None = None
    ) -> None:
        self._event_for = event_for
        self._audit = audit
        self._more = more or {}

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
        act = ACTS.get(wish.act)
        if act is None:
            raise WrongInput(N_("“{act}” is nothing that can be done here"), act=wish.act)
        if actor.role not in act.roles:
            raise Refused(
                N_("{act}: not with the role {role}, only {allowed}"), act=DalejError(act.title),
                role=DalejError(ROLE_WORDS[actor.role]),
                allowed=_in_a_row([DalejError(words) for role, words in ROLE_WORDS.items() if role in act.roles]),
            )  # fmt: skip
        handler = self._more.get(act.name)
        if handler is None and act.do is Act.do:
            raise Refused(N_("{act}: only over the web, where an event is served"), act=DalejError(act.title)).hinted(
                N_("{command} serves it"), command=typed("serve", EVENT)
            )
        expect_reason(act, wish.why)
        before = chairs(event)
        done = read(act, wish).do(event, wish) if handler is None else handler(event, wish)
        return with_printed(event, with_moved_up(event, done), before)


def _in_a_row(parts: Sequence[DalejError]) -> DalejError:
    first, *rest = parts
    for one in rest:
        first = DalejError("{first}, {rest}", first=first, rest=one)
    return first


_FLAGS: Final = os.O_WRONLY | os.O_APPEND | os.O_CREAT | getattr(os, "O_CLOEXEC", 0) | getattr(os, "O_NOFOLLOW", 0)


class AuditFile:
    """Lines of JSON, each whole though others write to the file too. `complain(problem)`: told once when one cannot be
    kept, until one can be again; nothing fails because of it.
    """

    def __init__(self, file: Path, complain: Callable[[str], None]) -> None:
        self._file = file
        self._complain = complain
        self._fails = False

    def add(self, what: Mapping[str, object]) -> None:
        """Append it in one write."""
        line = json.dumps(what, separators=(",", ":"), default=str).encode() + b"\n"
        try:
            number = os.open(self._file, _FLAGS, 0o600)
            try:
                if os.write(number, line) != len(line):
                    raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
            finally:
                os.close(number)
        except OSError as error:
            if not self._fails:
                self._complain(said(cause(error)))
            self._fails = True
        else:
            self._fails = False


class FileAudit:
    """An `Audit`: what was done, or refused, in `file`."""

    def __init__(self, file: AuditFile) -> None:
        self._file = file

    def __call__(self, line: Line) -> None:
        """Append it; the act stays whether it can be kept or not."""
        self._file.add(fields(line))


def fields(line: Line) -> dict[str, object]:
    """The line under its JSON names."""
    done, wish = line.done, line.wish
    return {
        "when_ms": line.when_ms, "name": line.actor.name, "role": line.actor.role, "act": wish.act, "args": wish.args,
        "why": wish.why, "decisions": [] if done is None else list(done.decisions),
        "requests": [] if done is None else list(done.requests),
        "refused": None if line.refusal is None else str(line.refusal),
    }  # fmt: skip
