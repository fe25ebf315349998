"""A box that a desk on this computer serves already: who that is, what it knows, what it is asked to have the box do.

A desk holds the links that it has, and a system gives two programs one link to a box. So where `dalej run` lives here
and the box stands on a table of its event, commands turn to it: what it knows it tells on its socket, as it tells
screens, and what is to be done it takes from the event.
"""

from __future__ import annotations

import asyncio
import os
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final

from dalej.cli.boxwait import after_a_moment
from dalej.cli.itself import command_line
from dalej.cli.office import WHO_VARIABLE, login
from dalej.cli.requested import NoDesk, answer
from dalej.clock import SystemClock
from dalej.club import live
from dalej.club.boxes import OwnBox, OwnBoxes
from dalej.club.folder import club_folder
from dalej.domain.heard import Heard
from dalej.errors import DalejError, Refused, Unreachable
from dalej.ledger import APPLIED, REFUSED, Ledger, Reported, Stream
from dalej.live.client import connect
from dalej.live.messages import NoticeTold, Pulse, TableHeard
from dalej.notices import NO_SECRET_OF_OURS, TURNED_AWAY
from dalej.orders import TURN_WITHIN_MS
from dalej.telling import WORDS
from dalej.words import N_, _, readable

WITHIN_MS: Final = TURN_WITHIN_MS + 5_000  # a desk gives up before this


@dataclass(frozen=True, slots=True)
class Served:
    """A box of an event on which a desk is live here. `desk`: its name; `heard`: what it knows, at `now_ms` of its
    clock; `refused`: why a box that it has never heard refuses the desk, None: it does not, as far as that is known.
    """

    own: OwnBox
    event: Path
    desk: str
    heard: Heard
    now_ms: int
    refused: DalejError | None = None

    @property
    def shares_secret(self) -> bool | None:
        """Whether the box has this club's secret, None: nobody knows."""
        if self.heard.seen_ms is not None:
            return True
        return False if self.refused is not None and self.refused.template == NO_SECRET_OF_OURS else None

    @property
    def shown(self) -> str:
        """The event."""
        return shown(self.event)

    @property
    def called(self) -> str:
        """The box."""
        return readable(self.own.name)

    @property
    def age_ms(self) -> int | None:
        """How long ago the desk heard the box, None: never yet."""
        return None if self.heard.seen_ms is None else max(0, self.now_ms - self.heard.seen_ms)


def shown(event: Path) -> str:
    """As whoever types here would name it."""
    here = Path.cwd()
    return readable(str(event.relative_to(here) if event.is_relative_to(here) else event))


def served(box: str) -> Served | None:
    """Who serves the box of that name or uid here, None: no desk does."""
    own = OwnBoxes(club_folder()).find(box)
    for event in live.events(club_folder()):
        found = asyncio.run(_ask(event, own))
        if found is not None:
            return found
    return None


async def live_events() -> Sequence[Path]:
    """The events on which a desk is live here."""
    found = []
    for event in live.events(club_folder()):
        try:
            await (await connect(event)).close()
        except Unreachable:
            continue
        found.append(event)
    return found


async def _ask(event: Path, own: OwnBox) -> Served | None:
    """A desk tells a screen that comes in of every box of its event, and what boxes said of it, before its second
    pulse.
    """
    try:
        desk = await connect(event)
    except Unreachable:
        return None
    pulse: Pulse | None = None
    found: Served | None = None
    refused: DalejError | None = None
    try:
        async for message in desk.messages():
            if isinstance(message, Pulse):
                if pulse is not None:
                    break
                pulse = message
            elif isinstance(message, TableHeard) and message.heard.box == own.uid and pulse is not None:
                found = Served(own, event, desk.welcome.name, message.heard, pulse.now_ms)
                if message.heard.seen_ms is not None:
                    break
            elif isinstance(message, NoticeTold) and (message.kind, message.box) == (TURNED_AWAY, own.uid):
                refused = DalejError(message.template, **{**message.data, "box": readable(own.name)})
    except Unreachable:
        pass
    finally:
        await desk.close()
    return found if found is None else replace(found, refused=refused)


def expect_none(found: Served | None, needs: str) -> None:
    """Refused, and the ways out, if a desk serves the box; `needs`: template of what was to be done, with {box}."""
    if found is None:
        return
    raise Refused(
        N_("{needs}, and dalej run on {event} serves it at table {table}: end dalej run first, or take the box off its "
           "table with {command}"),
        needs=DalejError(needs, box=found.called), event=found.shown, table=found.heard.table,
        command=command_line("box", "assign", found.shown, found.own.name, "none"),
    )  # fmt: skip


# --- what the event has of it -----


@dataclass(frozen=True, slots=True)
class Kept:
    """A box's present journal as far as the event has it. `stream` None: nothing yet."""

    stream: Stream | None
    facts: Sequence[Reported]


def kept(found: Served) -> Kept:
    """Of the epoch that the desk has heard, else of the latest one."""
    with Ledger.open(found.event) as ledger:
        streams = ledger.boxes(found.own.uid)
        told = found.heard.told
        if told is not None:
            streams = [one for one in streams if one.epoch == told.epoch]
        if not streams:
            return Kept(None, ())
        return Kept(streams[-1], list(ledger.facts(found.own.uid, streams[-1].epoch)))


# --- what is asked of it -----


def ask(found: Served, command: str, *, within_ms: int = WITHIN_MS) -> None:
    """Have the desk have the box carry it out. Refused as by the box; Unreachable if the desk has no link to it."""
    _expect_not_refused(found)
    clock = SystemClock()
    who = os.environ.get(WHO_VARIABLE) or login()
    with Ledger.open(found.event) as ledger:
        request = ledger.request(
            found.heard.table, command, who=who, at_ms=clock.wall_ms(), why="dalej box", box=found.own.uid
        )
        said = _("dalej run on {event} waits for a link to box {box} …").format(event=found.shown, box=found.called)
        with after_a_moment(said):
            _until_answered(found, ledger, request.id, clock, within_ms)


def _expect_not_refused(found: Served) -> None:
    if found.refused is not None:
        raise Unreachable(
            N_("dalej run on {event} has no link to box {box}: {reason}"),
            event=found.shown, box=found.called, reason=found.refused,
        )  # fmt: skip


def _until_answered(found: Served, ledger: Ledger, number: int, clock: SystemClock, within_ms: int) -> None:
    try:
        last = answer(ledger, number, clock, within_ms)
    except NoDesk:
        if asyncio.run(_ask(found.event, found.own)) is not None:  # it lives, and cannot renew its hold on the links
            raise Unreachable(
                N_("dalej run on {event} cannot write its event file now, so box {box} was not told: see what it says, "
                   "such as that the disk is full"),
                event=found.shown, box=found.called,
            ) from None  # fmt: skip
        raise Unreachable(
            N_("dalej run on {event} has ended before box {box} was told: try again"),
            event=found.shown, box=found.called,
        ) from None  # fmt: skip
    if last is None or last.result not in (REFUSED, APPLIED):
        _expect_not_refused(asyncio.run(_ask(found.event, found.own)) or found)  # it may have happened only now
    if last is None:
        raise Unreachable(
            N_("dalej run on {event} got no answer of box {box} within {seconds} s"),
            event=found.shown, box=found.called, seconds=within_ms // 1_000,
        )  # fmt: skip
    if last.result == REFUSED:
        why: object = DalejError(WORDS[last.reason]) if last.reason in WORDS else last.reason
        raise Refused(N_("box {box} refuses: {reason}"), box=found.called, reason=why)
    if last.result != APPLIED:
        raise Unreachable(
            N_("dalej run on {event} has no link to box {box}: switch the box on, or bring it nearer"),
            event=found.shown, box=found.called,
        )  # fmt: skip
