"""`dalej box info|log|blink|set`: a talk with one box, over its cable or over the air."""

from __future__ import annotations

import asyncio
import sys
from collections.abc import Mapping
from dataclasses import replace
from typing import Final, TypedDict

import click

from dalej.cli import boxdesk, output
from dalej.cli.boxdesk import Served
from dalej.cli.boxreach import Reached, at_port, box_argument, club_keys, is_port, over_cable, own_box, reach
from dalej.cli.boxtelling import AtDesk, Portrait, State, fact_fields, print_facts, state_name, state_sentence, wall_ms
from dalej.cli.office import json_option, name_commands
from dalej.cli.output import example
from dalej.clock import SystemClock
from dalej.domain.facts import Fact
from dalej.domain.heard import Heard
from dalej.domain.options import value_text
from dalej.domain.rulesets import Ruleset
from dalej.domain.tablesettings import DRAWS, LIMIT_MOST_MS, Choices, settings_for
from dalej.errors import DalejError, Refused
from dalej.link.cable import BoxTold
from dalej.link.talk import Talk
from dalej.office.commands import once_more
from dalej.office.options import against, friendly
from dalej.rulebook import load
from dalej.telling import seconds
from dalej.words import N_, _, ngettext, said
from moveclock import cable
from moveclock import facts as k
from moveclock import settings as rules
from moveclock.identity import KOSTKA, SHARED

SOUNDS: Final = {"silent": rules.SILENT, "soft": rules.SOFT, "loud": rules.LOUD}
DRAW_WORDS: Final = {"off": N_("not watched"), "flag": N_("noted"), "block": N_("Dalej refused")}
SOUND_WORDS: Final = {"silent": N_("no sound"), "soft": N_("soft sound"), "loud": N_("loud sound")}
LAST: Final = 50
_TELL_S: Final = 3.0
_NEEDS_SET: Final = N_("box {box} is set up by its event (dalej event set changes the rules of that)")
_LOOK_BACK: Final = 120  # facts in which the start of a box is looked for over the air


def info_command() -> click.Command:
    """`dalej box info`."""
    return click.Command(
        "info", callback=info, params=[box_argument(), json_option()],
        help=_("What a box is and how it stands: firmware, pairing, journal, state, battery."),
        epilog=example("dalej box info 7", "dalej box info /dev/ttyUSB0", "dalej box info COM3 --json"),
    )  # fmt: skip


def log_command() -> click.Command:
    """`dalej box log`."""
    return click.Command(
        "log", callback=log,
        params=[
            box_argument(),
            click.Option(["--last"], type=click.IntRange(1), default=LAST, show_default=True, metavar="N",
                         help=_("How many facts to show, counted back from the newest.")),
            click.Option(["--all", "everything"], is_flag=True, help=_("All facts that the box still holds.")),
            json_option(),
        ],
        help=_("The box's own journal, fact by fact; reading it changes nothing, and no desk misses anything."),
        epilog=example("dalej box log 7", "dalej box log /dev/ttyUSB0 --all --json"),
    )  # fmt: skip


def blink_command() -> click.Command:
    """`dalej box blink`."""
    return click.Command(
        "blink", callback=blink, params=[box_argument()],
        help=_("Have a box blink for five seconds, so that you see which one it is."),
        epilog=example("dalej box blink 7"),
    )  # fmt: skip


def set_command() -> click.Command:
    """`dalej box set`."""
    return click.Command(
        "set", callback=set_,
        params=[
            box_argument(),
            click.Option(["--ruleset"], metavar="ID",
                         help=_("A ruleset's id, or a file of your own (default: the box's own rules, 60 s a move).")),
            click.Option(["--limit"], type=click.IntRange(1, LIMIT_MOST_MS // 1_000), metavar=_("SECONDS"),
                         help=_("Time for a move.")),
            click.Option(["--seats"], help=_("Seats in play, such as ABC (default: ABCD).")),
            click.Option(["--first"], metavar=_("SEAT"), help=_("Who starts (default: whoever taps first).")),
            click.Option(["--draw"], type=click.Choice(list(DRAWS)),
                         help=_("A tile before the click: do not watch, note it, refuse Dalej.")),
            click.Option(["--sound"], type=click.Choice(list(SOUNDS)), help=_("How loud it is (default: “loud”).")),
            click.Option(["--taps-only/--no-taps-only"], default=None,
                         help=_("Holding Już or Dalej means no more than a tap.")),
            click.Option(["--yes"], is_flag=True, help=_("Though the ruleset says otherwise.")),
        ],
        help=_("Set up a box's table without an event, between games; what is not named is as the rules say."),
        epilog=example("dalej box set 7 --limit 40 --seats ABC", "dalej box set COM3 --ruleset school-league"),
    )  # fmt: skip


# --- info -----


def info(box: str, as_json: bool) -> None:
    """Whatever can be found out; over the cable that is something even of another club's box."""
    portrait, why = asyncio.run(_at_port(box)) if is_port(box) else (_by_name(box), None)
    if as_json:
        output.json_line(portrait.fields)
    else:
        click.echo(_("box {box}").format(box=portrait.uid if portrait.name is None else portrait.name))
        width = max(len(label) for label, _value in portrait.rows)
        for label, value in portrait.rows:
            click.echo(f"  {label.ljust(width)}  {value}")
    if why is not None:
        click.echo(said(why), err=True)


async def _at_port(port: str) -> tuple[Portrait, DalejError | None]:
    async with at_port(port) as (plug, told):
        try:
            async with over_cable(plug, told) as found:
                await found.talk.until_state()
                return _portrait(told, found), None
        except DalejError as why:
            return _portrait(told, None), None if told.setup or not told.paired else why


def _by_name(box: str) -> Portrait:
    """From the desk that serves it here, which has its link; else from the box itself."""
    found = boxdesk.served(box)
    return reach(box, _over_air, last=_LOOK_BACK) if found is None else _at_desk(found)


def _at_desk(found: Served) -> Portrait:
    """No box is asked: what the desk knows, and what its event has recorded."""
    own, heard, kept = found.own, found.heard, boxdesk.kept(found)
    told, stream = heard.told, kept.stream
    starts = [one.fact for one in kept.facts if one.fact.kind == k.BOOTED]
    here = None if stream is None or stream.contiguous <= stream.baseline else (stream.baseline + 1, stream.contiguous)
    return Portrait(
        uid=own.uid, name=own.name, way="desk", setup=False, paired=found.shares_secret or None,
        club=found.shares_secret,
        firmware=starts[-1].a if starts else None, kostka=bool(own.build & KOSTKA), shared=bool(own.build & SHARED),
        backlog=None if told is None else told.backlog, epoch=None if stream is None else stream.epoch,
        boot=None if told is None else told.boot, state=_state(heard), here=here,
        at_desk=AtDesk(found.shown, found.desk, heard.table, heard.way, found.age_ms, found.refused),
    )  # fmt: skip


def _state(heard: Heard) -> State | None:
    """As the box stood when the desk heard it last; its time went on since it told of it."""
    told = heard.told
    if told is None:
        return None
    passed = max(0, (heard.seen_ms or told.at_ms) - told.at_ms)
    left, uptime = told.left_ms, told.uptime_ms
    if left is not None and told.state == k.RUNNING:
        left = max(0, left - passed)
    elif left is not None and told.state == k.EXPIRED:
        left += passed
    return {
        "head": told.head, "state": told.state, "game": told.game, "move": told.move, "seat": told.seat,
        "bank": told.bank, "left": left, "alarm": told.alarm, "uptime": None if uptime is None else uptime + passed,
    }  # fmt: skip


def _portrait(told: BoxTold, found: Reached | None) -> Portrait:
    about = told.info
    keys = club_keys()
    club = None
    if told.paired and keys.exist():
        club = told.fingerprint == cable.fingerprint(keys.of_box(about.uid))
    own = own_box(about.uid)
    return Portrait(
        uid=about.uid.hex(), name=None if own is None else own.name, way="cable", setup=told.setup, paired=told.paired,
        club=club, firmware=about.firmware, kostka=about.kostka, shared=about.shared,
        fingerprint=told.fingerprint.hex() or None, mtu=cable.MTU, backlog=told.backlog, free=told.free,
        chip=told.chip, **_heard(None if found is None else found.talk),
    )  # fmt: skip


class _Heard(TypedDict, total=False):
    """What a talk adds to a portrait."""

    epoch: int
    boot: int
    oldest: int
    state: State | None


def _heard(talk: Talk | None) -> _Heard:
    if talk is None or talk.trusted is None:
        return {}
    trusted = talk.trusted
    return {"epoch": trusted.epoch, "boot": trusted.boot, "oldest": trusted.oldest, "state": talk.state}


async def _over_air(found: Reached) -> Portrait:
    own, talk = found.own, found.talk
    assert own is not None
    await talk.until_read()
    await talk.until_state()
    trusted = await talk.until_trusted()
    starts = [fact for fact in talk.facts if fact.kind == k.BOOTED and fact.boot == trusted.boot]
    return Portrait(
        uid=own.uid, name=own.name, way="air", setup=False, paired=True, club=True,
        firmware=starts[-1].a if starts else None, kostka=bool(own.build & KOSTKA), shared=bool(own.build & SHARED),
        mtu=found.mtu(), backlog=talk.backlog, **_heard(talk),
    )  # fmt: skip


# --- log -----


def log(box: str, last: int, everything: bool, as_json: bool) -> None:
    """Read and print."""
    found = None if is_port(box) else boxdesk.served(box)
    if found is None:
        facts = reach(box, _read, last=None if everything else last)
    else:
        facts = _recorded(found)
    if not everything:
        facts = facts[-last:]  # some may have happened meanwhile
    if as_json:
        for fact, at_ms in facts:
            output.json_line(fact_fields(fact, at_ms))
    else:
        print_facts(facts)


def _recorded(found: Served) -> list[tuple[Fact, int | None]]:
    """What the event has of the box's journal; said so, since the box may hold more."""
    kept = boxdesk.kept(found)
    told = found.heard.told
    more = 0 if told is None else max(0, told.head - len(kept.facts))
    click.echo(
        ngettext(
            "From {event}, which dalej run serves here; {count} fact is on box {box} alone.",
            "From {event}, which dalej run serves here; {count} facts are on box {box} alone.", more,
        ).format(event=found.shown, count=more, box=found.called)
        if more else _("From {event}, which dalej run serves here.").format(event=found.shown), err=True,
    )  # fmt: skip
    return [(one.fact, one.wall_ms) for one in kept.facts]


async def _read(found: Reached) -> list[tuple[Fact, int | None]]:
    clock = SystemClock()
    telling = asyncio.create_task(_tell_progress(found.talk))
    try:
        await found.talk.until_read()
    finally:
        telling.cancel()
    await found.talk.until_state()  # it follows the facts; by then the box's uptime is measured
    return [(fact, wall_ms(found.talk, fact, clock)) for fact in found.talk.facts]


async def _tell_progress(talk: Talk) -> None:
    """A whole journal takes half a minute; only a person at a terminal wants to know."""
    while sys.stderr is not None and sys.stderr.isatty():
        await asyncio.sleep(_TELL_S)
        if talk.trusted is not None:
            count, whole = len(talk.facts), talk.trusted.head - talk.trusted.oldest + 1
            click.echo(_("Facts read so far: {count} of {whole}").format(count=count, whole=whole), err=True)


# --- blink -----


def blink(box: str) -> None:
    """Carry it out."""
    found = None if is_port(box) else boxdesk.served(box)
    if found is None:
        click.echo(_("Box {box} blinks for five seconds.").format(box=reach(box, _blink)))
        return
    boxdesk.ask(found, "blink")
    click.echo(_("Box {box} blinks for five seconds: dalej run on {event} makes it blink.").format(
        box=found.called, event=found.shown
    ))  # fmt: skip


async def _blink(found: Reached) -> str:
    await found.talk.command("blink")
    return found.called


# --- set -----


def set_(
    box: str,
    ruleset: str | None,
    limit: int | None,
    seats: str | None,
    first: str | None,
    draw: str | None,
    sound: str | None,
    taps_only: bool | None,
    yes: bool,
) -> None:
    """Check everything, then send it."""
    if all(one is None for one in (ruleset, limit, seats, first, draw, sound, taps_only)):
        raise click.UsageError(_("expected something to set, such as --limit 60"))
    choices = Choices(
        seats="ABCD" if seats is None else seats.upper(), first=first, draw=draw, taps_only=taps_only,
        limit_ms=None if limit is None else 1_000 * limit,
    )  # fmt: skip
    new = _own_rules(choices) if ruleset is None else settings_for(_permitting(load(ruleset), choices, yes), choices)
    if sound is not None:
        new.sound = SOUNDS[sound]
    if not is_port(box):
        boxdesk.expect_none(boxdesk.served(box), _NEEDS_SET)
    called, game = reach(box, lambda found: _set(found, new))
    click.echo(_("Box {box} is ready for game {game}: {settings}.").format(
        box=called, game=game, settings=_in_words(new, choices.seats)
    ))  # fmt: skip


def _permitting(ruleset: Ruleset, choices: Choices, yes: bool) -> Ruleset:
    """The ruleset; Refused if its text does not permit what is chosen, unless it was said that it is meant."""
    chosen: dict[str, int | str | None] = {"limit_ms": choices.limit_ms, "draw": choices.draw}
    for key, value in chosen.items():
        own = ruleset.rule(key)
        if yes or value in (None, own.value):
            continue
        rule = replace(own, value=value, organiser=True, original=own.value)
        if not rule.permitted:
            old, new = value_text(key, own.value), value_text(key, value)
            refused = against(rule, friendly(key), old, new, ruleset.language)
            raise name_commands(refused.hinted(N_("{command} changes it knowingly"), command=once_more("--yes")))
    return ruleset


def _own_rules(choices: Choices) -> rules.Settings:
    """Those of a table that was set up without any desk, with these choices."""
    own = rules.Settings()
    checked = settings_for(load("school-league"), choices)  # for what is chosen any ruleset checks the same
    own.seats, own.first, own.taps_only = checked.seats, checked.first, checked.taps_only
    if choices.limit_ms is not None:
        own.limit_ms = choices.limit_ms
    if choices.draw is not None:
        own.draw = DRAWS[choices.draw]
    return own


async def _set(found: Reached, new: rules.Settings) -> tuple[str, int]:
    state = await found.talk.until_state()
    if state["state"] not in (k.IDLE, k.READY, k.OVER):
        raise Refused(
            N_("box {box} is in a game ({state}): set it up before it starts or when it is over"),
            box=found.called, state=state_sentence(state),
        )  # fmt: skip
    game = max(1, state["game"] + (1 if state_name(state) == "over" else 0))
    await found.talk.command("configure", {"game": game, "settings": new.pack().hex()})
    return found.called, game


def _in_words(new: rules.Settings, seats: str) -> str:
    parts = [
        _("{limit} s a move").format(limit=seconds(new.limit_ms)),
        _("seats {seats}").format(seats=seats),
        _("a tile before the click: {draw}").format(draw=_(_by_number(DRAWS, DRAW_WORDS, new.draw))),
        _(_by_number(SOUNDS, SOUND_WORDS, new.sound)),
    ]
    if new.taps_only:
        parts.append(_("taps only"))
    return ", ".join(parts)


def _by_number(names: Mapping[str, int], words: Mapping[str, str], number: int) -> str:
    return next(words[name] for name, known in names.items() if known == number)
