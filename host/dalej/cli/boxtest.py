"""`dalej box test`: a person presses every button of a box once, and sees which of them arrive."""

from __future__ import annotations

import asyncio
import sys
from collections.abc import AsyncIterator, Iterable, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from typing import Final

import click

from dalej.cli import boxreach
from dalej.cli.boxreach import Reached, box_argument, is_port, reach
from dalej.cli.boxtalk import state_sentence
from dalej.cli.stopping import END, on_key, on_signal
from dalej.cli.terminal import example
from dalej.clock import SystemClock
from dalej.domain.game.facts import Fact, contact_name
from dalej.domain.game.sentences import contact_called, tell
from dalej.errors import DalejError, Refused
from dalej.link.talk import Talk
from dalej.words import N_, _, ngettext, said
from moveclock import facts as k
from moveclock.box import LOW_BATTERY_MV
from moveclock.debounce import STUCK_MS, TAP_AT_MOST_MS
from moveclock.identity import KOSTKA, SHARED

SECONDS: Final = 60  # without a terminal there is no key to end with
_LOOK_MS: Final = 500
_LINK_MS: Final = 1_000  # so much later at most a fact is here
_LOOK_BACK: Final = 120  # facts among which faults since the last start are looked for
_QUIT: Final = ("q", "Q", "\x1b", "\x03", END)
_HARMLESS: Final = (k.E_TORN_RECORD, k.E_NEW_EPOCH, k.E_CLOCK_RESTORED)  # of journals, not of what is soldered
_NEEDS: Final = N_("a test needs box {box} for itself")
_OF_SEDZIA: Final = (k.REFEREE_CALLED, k.DISPUTE_RAISED, k.CALL_WITHDRAWN, k.RESTART_CLAIMED)


def test_command() -> click.Command:
    """`dalej box test`."""
    return click.Command(
        "test", callback=test,
        params=[
            box_argument(),
            click.Option(["--seconds"], type=click.IntRange(1, 3_600), metavar="N",
                         help=_("End after so long (default: until everything was pressed or q; without a terminal "
                                "{seconds} s).").format(seconds=SECONDS)),
        ],
        help=_("Check a box by hand: it blinks, you press each button once, and every press that arrives is told."),
        epilog=example("dalej box test /dev/ttyUSB0", "dalej box test 7 --seconds 120"),
    )  # fmt: skip


def test(box: str, seconds: int | None) -> None:
    """Watch, then give the verdict: Refused says what is wrong."""
    keys = sys.stdin is not None and sys.stdin.isatty()
    if seconds is None and not keys:
        seconds = SECONDS
    if not is_port(box):
        boxreach.expect_none(boxreach.served(box), _NEEDS)
    reach(box, lambda found: _test(found, None if seconds is None else 1_000 * seconds, keys=keys), last=_LOOK_BACK)


async def _test(found: Reached, within_ms: int | None, *, keys: bool) -> None:
    talk = found.talk
    await talk.until_read()
    state = await talk.until_state()
    trusted = await talk.until_trusted()
    if state["state"] in (k.RUNNING, k.EXPIRED):
        raise Refused(
            N_("box {box} is in a game ({state}): test it when no clock runs"),
            box=found.called, state=state_sentence(state),
        )  # fmt: skip
    check = Check(_contacts(found))
    check.faults += [fact for fact in talk.facts if fact.kind == k.FAULT and fact.boot == trusted.boot]
    async with _harmless(talk, state["state"]):
        await talk.command("blink")
        _begin(found.called, check, state["battery"], within_ms, keys=keys)
        await _watch(talk, check, within_ms, keys=keys)
    _conclude(found.called, check, state["battery"])


class Check:
    """Which of `contacts` have been seen, and what faults were heard. `doubtful_ms`: until then the box may
    still say that a contact is stuck which was seen because it is down for so long.
    """

    def __init__(self, contacts: Sequence[int]) -> None:
        self.contacts = contacts
        self.seen: list[int] = []
        self.faults: list[Fact] = []
        self.doubtful_ms = 0

    @property
    def missing(self) -> list[int]:
        return [contact for contact in self.contacts if contact not in self.seen and contact not in self.stuck]

    @property
    def stuck(self) -> list[int]:
        """Those that the box has called stuck since it was switched on."""
        found = {stuck_contact(fact) for fact in self.faults}
        return sorted(contact for contact in found if contact is not None)

    @property
    def grave(self) -> list[Fact]:
        """Other faults that a table would notice."""
        return [fact for fact in self.faults if fact.code not in _HARMLESS and stuck_contact(fact) is None]

    def hear(self, fact: Fact, pressed_ms: int | None, now_ms: int) -> int | None:
        """The contact that this fact, whose press was at `pressed_ms`, shows to work for the first time; a stuck one
        does not any more.
        """
        if fact.kind == k.FAULT:
            self.faults.append(fact)
            self.seen = [contact for contact in self.seen if contact != stuck_contact(fact)]
        contact = contact_of(fact)
        if contact is None or contact in self.seen:
            return None
        if pressed_ms is not None and now_ms - pressed_ms >= TAP_AT_MOST_MS:
            self.doubtful_ms = max(self.doubtful_ms, pressed_ms + STUCK_MS + _LINK_MS)
        self.seen.append(contact)
        return contact


def stuck_contact(fact: Fact) -> int | None:
    """The contact that this fact calls stuck."""
    stuck = fact.kind == k.FAULT and k.E_STUCK <= fact.code < k.E_STUCK + k.CONTACTS
    return fact.code - k.E_STUCK if stuck else None


def contact_of(fact: Fact) -> int | None:
    """The contact that must have been pressed for this to happen; None if it may have been more than one, or none."""
    if fact.kind == k.STRAY_TAP:
        return fact.code
    if fact.kind in _OF_SEDZIA:
        return k.SEDZIA
    return k.KOSTKA if fact.kind == k.TILE_DRAWN else None


def _contacts(found: Reached) -> list[int]:
    if found.told is not None:
        kostka, shared = found.told.info.kostka, found.told.info.shared
    else:
        assert found.own is not None
        kostka, shared = bool(found.own.build & KOSTKA), bool(found.own.build & SHARED)
    buttons = [k.SHARED_JUZ, k.SHARED_DALEJ] if shared else list(range(k.KOSTKA))
    return [*buttons, k.SEDZIA, *([k.KOSTKA] if kostka else [])]


@asynccontextmanager
async def _harmless(talk: Talk, state: int) -> AsyncIterator[None]:
    """While the block runs, no press changes anything: a table that is ready would begin its game, so it begins and is
    stopped, and its tiles are dealt anew at the end.
    """
    if state != k.READY:
        yield
        return
    await _start(talk)
    await talk.command("stop", {"reason": "referee"})
    try:
        yield
    finally:
        await _deal_anew(talk)


async def _deal_anew(talk: Talk) -> None:
    """Ready as before, even if somebody has let the clock run meanwhile."""
    try:
        await talk.command("redeal")
    except Refused:
        await talk.command("stop", {"reason": "referee"})
        await talk.command("redeal")


async def _start(talk: Talk) -> None:
    """A table that has no starter yet gets the first seat in play, and keeps it."""
    for seat in ("A", "B", "C", "D"):
        try:
            await talk.command("start")
        except Refused as why:
            if why.data.get("code") != "seat":
                raise
        else:
            return
        try:
            await talk.command("set_seat", {"seat": seat})
        except Refused as why:
            if why.data.get("code") != "seat":
                raise
    await talk.command("start")


async def _watch(talk: Talk, check: Check, within_ms: int | None, *, keys: bool) -> None:
    """Until everything was seen, the time is over, or the person has had enough."""
    clock = SystemClock()
    end_ms = None if within_ms is None else clock.now_ms() + within_ms
    enough = asyncio.Event()
    heard = len(talk.facts)
    async with AsyncExitStack() as stack:
        stack.enter_context(on_signal(enough.set))
        if keys:
            await stack.enter_async_context(on_key(lambda key: enough.set() if key in _QUIT else None))
        while not enough.is_set() and (end_ms is None or clock.now_ms() < end_ms):
            if not check.missing and clock.now_ms() >= check.doubtful_ms:
                return
            for fact in await talk.until_more(heard, _LOOK_MS):
                heard += 1
                contact, stuck = check.hear(fact, talk.desk_ms(fact), clock.now_ms()), stuck_contact(fact)
                if contact is not None:
                    _tick(check, contact)
                elif stuck is not None:
                    click.echo(_("  {contact} is stuck: it does not count").format(contact=name_contact(stuck)))
                elif fact.kind == k.FAULT:
                    click.echo(tell(fact))
                sys.stdout.flush()


# --- what is said -----


def name_contact(contact: int) -> str:
    """As it is written on the box: `A Już`, `Sędzia`."""
    return contact_called(contact_name(contact))


def _listed(contacts: Iterable[int]) -> str:
    return ", ".join(map(name_contact, contacts))


def _begin(called: str, check: Check, battery: int, within_ms: int | None, *, keys: bool) -> None:
    click.echo(_("Box {box} blinks now: all its lights should.").format(box=called))
    click.echo(_("Press each once, shortly: {contacts}.").format(contacts=_listed(check.contacts)))
    if keys:
        click.echo(_("q ends the test."))
    elif within_ms is not None:
        click.echo(_("The test ends by itself after {seconds} s.").format(seconds=within_ms // 1_000))
    if battery:
        click.echo(_("Supply: {volts} V").format(volts=f"{battery // 10}.{battery % 10}"))
    for fact in check.faults:
        click.echo(_("Since it was switched on: {fault}").format(fault=tell(fact)))
    sys.stdout.flush()


def _tick(check: Check, contact: int) -> None:
    known = [one for one in check.seen if one in check.contacts]
    sentence = _("  {contact} works ({count} of {all})")
    if contact not in check.contacts:
        sentence = _("  {contact} works too, though this box was built as one without that button")
    click.echo(sentence.format(contact=name_contact(contact), count=len(known), all=len(check.contacts)))
    sys.stdout.flush()


def _conclude(called: str, check: Check, battery: int) -> None:
    problems: list[str] = []
    if check.missing:
        problems.append(said(DalejError(N_("nothing came from {contacts}"), contacts=_listed(check.missing))))
    if check.stuck:
        problems.append(said(DalejError(N_("stuck for five seconds or more: {contacts}"),
                                        contacts=_listed(check.stuck))))  # fmt: skip
    if check.grave:
        count = len(check.grave)
        problems.append(ngettext("{count} fault", "{count} faults", count).format(count=count))
    if 0 < 100 * battery < LOW_BATTERY_MV:
        problems.append(_("its supply is low"))
    if problems:
        raise Refused(N_("box {box} does not pass: {problems}"), box=called, problems="; ".join(problems))
    count = len(check.contacts)
    click.echo(
        ngettext("Box {box} passes: {count} contact works.", "Box {box} passes: all {count} contacts work.", count)
        .format(box=called, count=count)
    )  # fmt: skip
