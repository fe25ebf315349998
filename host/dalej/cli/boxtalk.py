"""`dalej box info|log|blink|set`: a talk with one box, over its cable or over the air: fields for programs, lines for
people.
"""

from __future__ import annotations

import asyncio
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final, TypedDict

import click

from dalej.cli import boxreach, terminal
from dalej.cli.boxreach import Reached, Served, at_port, box_argument, club_keys, is_port, over_cable, own_box, reach
from dalej.cli.decision import json_option
from dalej.cli.terminal import example
from dalej.clock import Clock, SystemClock
from dalej.domain.game.facts import STATES, Fact, Value, seat_name
from dalej.domain.game.heard import Heard
from dalej.domain.game.sentences import local, seconds, tell
from dalej.domain.game.tablesettings import DRAWS, LIMIT_MOST_MS, Choices, settings_for
from dalej.domain.rules.options import value_text
from dalej.domain.rules.rulesets import Ruleset
from dalej.errors import DalejError, Refused
from dalej.hints import once_more
from dalej.link.cable import BoxTold
from dalej.link.talk import Talk
from dalej.office.settings import against, friendly
from dalej.rulesets.rulebook import load
from dalej.views.settingwords import in_words
from dalej.words import N_, _, advised, ngettext, readable, said
from moveclock import cable
from moveclock import facts as k
from moveclock import settings as rules
from moveclock.identity import KOSTKA, SHARED

STATE_WORDS: Final[Mapping[str, str]] = {
    "idle": N_("not set up"), "ready": N_("ready to start"), "running": N_("playing"), "expired": N_("time is over"),
    "stopped": N_("the clock stands"), "over": N_("game over"),
}  # fmt: skip
_BACKLOG_MOST: Final = 255  # an advertisement counts no further
_WAYS: Final[Mapping[str, str]] = {
    "link": N_("{seconds} s ago, on its link"), "advert": N_("{seconds} s ago, from what it sends to everybody"),
    "none": N_("not any more; the last time {seconds} s ago"),
}  # fmt: skip

State = Mapping[str, int | None]


@dataclass(frozen=True, slots=True)
class AtDesk:
    """Where a portrait is from that no box was asked for: the event of a desk on this computer, the desk's name, the
    table the box stands on, how the desk hears it (`dalej.domain.game.heard.Way`), and how long ago it did, None:
    never; `refused`: why the box refuses the desk, None: it does not, as far as that is known.
    """

    event: str
    desk: str
    table: int
    way: str
    age_ms: int | None
    refused: DalejError | None = None


@dataclass(frozen=True, slots=True)
class Portrait:
    """A box as far as it could be asked. `club`: whether its secret is this club's, `paired`: whether it has any, None:
    nobody knows. `epoch`, `boot`, `oldest`: of its journal. `state`: names of `moveclock.wire.STATE_FIELDS`, None: was
    not heard. `free`: bytes free in its heap; `chip`: those that its chip has left, and the largest piece of them.
    `here`: first and last fact of the box that the desk's event has.
    """

    uid: str
    name: str | None
    way: str
    setup: bool
    paired: bool | None
    club: bool | None
    firmware: int | None = None
    kostka: bool | None = None
    shared: bool | None = None
    fingerprint: str | None = None
    mtu: int | None = None
    backlog: int | None = None
    free: int | None = None
    chip: tuple[int, int] | None = None
    epoch: int | None = None
    boot: int | None = None
    oldest: int | None = None
    state: State | None = None
    at_desk: AtDesk | None = None
    here: tuple[int, int] | None = None

    @property
    def fields(self) -> dict[str, object]:
        """Under their JSON names; what is not known is null."""
        said: dict[str, object] = {
            "box": self.uid, "name": self.name, "over": self.way, "firmware": self.firmware, "kostka": self.kostka,
            "shared": self.shared, "setup": self.setup, "paired": self.paired, "this_club": self.club,
            "fingerprint": self.fingerprint, "mtu": self.mtu, "unacknowledged": self.backlog,
            "free_bytes": self.free, "chip_free_bytes": self.chip and self.chip[0],
            "chip_block_bytes": self.chip and self.chip[1],
        }  # fmt: skip
        if self.epoch is not None:
            said |= {"epoch": self.epoch, "boot": self.boot, "oldest": self.oldest}
        if self.state is not None:
            said |= _state_fields(self.state)
        if self.at_desk is not None:
            at = self.at_desk
            said |= {"event": at.event, "desk": at.desk, "table": at.table, "heard_by": at.way, "age_ms": at.age_ms}
        return said

    @property
    def rows(self) -> list[tuple[str, str]]:
        """In the reader's words; what is not known is left out."""
        rows = [(_("uid"), self.uid)]
        if self.firmware is not None:
            rows.append((_("firmware"), str(self.firmware)))
        if self.kostka is not None:
            rows.append((_("built with"), self._built()))
        rows.append((_("paired"), self._paired()))
        rows += self._journal()
        rows += self._table()
        if self.free is not None:
            rows.append((_("free memory"), self._memory(self.free)))
        if self.at_desk is None:
            rows.append((_("link"), self._link()))
        else:
            rows += _from_desk(self.at_desk)
        return rows

    def _built(self) -> str:
        buttons = _("one Już and one Dalej") if self.shared else _("Już and Dalej for each seat")
        return ", ".join((buttons, _("Kostka") if self.kostka else _("no Kostka")))

    def _memory(self, free: int) -> str:
        if self.chip is None:
            return _("{count} KB").format(count=free // 1_024)
        left, block = self.chip
        return _("{count} KB in the heap; the chip has {left} KB left, {block} KB in one piece").format(
            count=free // 1_024, left=left // 1_024, block=block // 1_024
        )

    def _paired(self) -> str:
        if self.paired is None:
            return _("not known: the desk has not heard the box yet") if self.club is None else _("not with this club")
        if not self.paired:
            return _("no")
        if self.club is None:
            return _("yes; this computer has no club secret to compare")
        return _("with this club") if self.club else _("with another club")

    def _journal(self) -> list[tuple[str, str]]:
        rows = []
        if self.here is not None and self.epoch is not None:
            rows.append((_("journal"), _("facts {first} to {last} of epoch {epoch} are in the event").format(
                first=self.here[0], last=self.here[1], epoch=f"{self.epoch:08x}"
            )))  # fmt: skip
        elif self.at_desk is not None:
            rows.append((_("journal"), _("nothing of it is in the event yet")))
        elif self.epoch is not None and self.state is not None:
            rows.append((_("journal"), _("facts {oldest} to {head} of epoch {epoch}").format(
                oldest=self.oldest, head=self.state["head"], epoch=f"{self.epoch:08x}"
            )))  # fmt: skip
        if self.backlog is not None:
            most = self.way != "cable" and self.backlog >= _BACKLOG_MOST
            rows.append((_("not yet at a desk"), _("{count} or more").format(count=self.backlog) if most
                         else str(self.backlog)))  # fmt: skip
        return rows

    def _table(self) -> list[tuple[str, str]]:
        state = self.state
        if state is None:
            return [(_("mode"), _("set-up mode"))] if self.setup else []
        rows = [(_("state"), state_sentence(state))]
        battery, uptime = state.get("battery"), state.get("uptime")
        if battery:
            rows.append((_("supply"), _("{volts} V").format(volts=f"{battery // 10}.{battery % 10}")))
        elif self.at_desk is None:
            rows.append((_("supply"), _("not known")))
        if uptime is not None:
            rows.append((_("running for"), terminal.clock_time(uptime).partition(".")[0]))
        return rows

    def _link(self) -> str:
        way = _("USB cable") if self.way == "cable" else _("Bluetooth")
        if self.mtu is None:
            return way
        return _("{way}, {count} bytes at a time").format(way=way, count=self.mtu)


def _state_fields(state: State) -> dict[str, object]:
    """Under their JSON names. In `expired` nothing is left of the move, and `over_ms` says for how long."""
    left, battery = state["left"], state.get("battery")
    over = left if state["state"] == k.EXPIRED else None
    return {
        "head": state["head"], "state": state_name(state), "game": state["game"], "move": state["move"],
        "seat": seat_name(_seat(state)), "bank": state["bank"], "left_ms": left if over is None else 0, "over_ms": over,
        "alarm": state["alarm"], "battery_mv": 100 * battery if battery else None, "uptime_ms": state["uptime"],
    }  # fmt: skip


def _from_desk(at: AtDesk) -> list[tuple[str, str]]:
    heard = _("not yet") if at.refused is None else said(at.refused)
    if at.age_ms is not None:
        heard = _(_WAYS[at.way]).format(seconds=seconds(at.age_ms))
    return [
        (_("told by"), _("dalej run on {event} ({desk}), table {table}").format(
            event=at.event, desk=readable(at.desk), table=at.table
        )),
        (_("heard"), heard),
    ]  # fmt: skip


def _seat(state: State) -> int:
    seat = state["seat"]
    return k.NOBODY if seat is None else seat


def state_name(state: State) -> str:
    """As programs call it."""
    number = state["state"]
    return STATES[number] if number is not None and number < len(STATES) else f"unknown_{number}"


def state_sentence(state: State) -> str:
    """`playing: game 2, move 17, seat C, 23 in the bank`."""
    name = state_name(state)
    parts = []
    if state["game"]:
        parts.append(_("game {game}").format(game=state["game"]))
    if state["move"]:
        parts.append(_("move {move}").format(move=state["move"]))
    seat = seat_name(_seat(state))
    if seat is not None and name in ("running", "expired", "stopped"):
        parts.append(_("seat {seat}").format(seat=seat))
    if state["game"] and state["bank"] is not None:
        parts.append(_("{bank} in the bank").format(bank=state["bank"]))
    words = _(STATE_WORDS.get(name, name))
    return f"{words}: {', '.join(parts)}" if parts else words


def fact_fields(fact: Fact, at_ms: int | None) -> dict[str, Value]:
    """One line of `dalej box log --json`; `at_ms`: Unix time, None if nobody knows it."""
    return {
        "epoch": fact.epoch, "seq": fact.seq, "boot": fact.boot, "uptime_ms": fact.uptime_ms, "at_ms": at_ms,
        "fact": fact.name, **fact.fields(),
    }  # fmt: skip


def wall_ms(talk: Talk, fact: Fact, clock: Clock) -> int | None:
    """When a fact happened, as Unix time; None if the box was restarted since, so that nobody knows."""
    desk_ms = talk.desk_ms(fact)
    return None if desk_ms is None else clock.wall_ms() - clock.now_ms() + desk_ms


def print_facts(facts: Sequence[tuple[Fact, int | None]]) -> None:
    """A table, oldest first."""
    headings = (
        _("number"), _("clock time"), _("boot"), _("since power-on"), _("game"), _("move"), _("what happened")
    )  # fmt: skip
    rows = [
        (
            str(fact.seq), "?" if at_ms is None else f"{local(at_ms):%H:%M:%S}", str(fact.boot),
            terminal.clock_time(fact.uptime_ms), str(fact.game or ""), str(fact.move or ""), tell(fact),
        )
        for fact, at_ms in facts
    ]  # fmt: skip
    terminal.table(headings, rows, numbers=(0, 1, 2, 3, 4, 5), wraps=(6,))


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
        help=_("What a box is and how it stands: firmware, pairing, journal, state, supply."),
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
        terminal.json_line(portrait.fields)
    else:
        click.echo(_("box {box}").format(box=portrait.uid if portrait.name is None else portrait.name))
        width = max(len(label) for label, _value in portrait.rows)
        for label, value in portrait.rows:
            click.echo(f"  {label.ljust(width)}  {value}")
    if why is not None:
        click.echo(advised(terminal.name_commands(why)), err=True)


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
    found = boxreach.served(box)
    return reach(box, _over_air, last=_LOOK_BACK) if found is None else _at_desk(found)


def _at_desk(found: Served) -> Portrait:
    """No box is asked: what the desk knows, and what its event has recorded."""
    own, heard, kept = found.own, found.heard, boxreach.kept(found)
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
    found = None if is_port(box) else boxreach.served(box)
    if found is None:
        facts = reach(box, _read, last=None if everything else last)
    else:
        facts = _recorded(found)
    if not everything:
        facts = facts[-last:]  # some may have happened meanwhile
    if as_json:
        for fact, at_ms in facts:
            terminal.json_line(fact_fields(fact, at_ms))
    else:
        print_facts(facts)


def _recorded(found: Served) -> list[tuple[Fact, int | None]]:
    """What the event has of the box's journal; said so, since the box may hold more."""
    kept = boxreach.kept(found)
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
    found = None if is_port(box) else boxreach.served(box)
    if found is None:
        click.echo(_("Box {box} blinks for five seconds.").format(box=reach(box, _blink)))
        return
    boxreach.ask(found, "blink")
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
        boxreach.expect_none(boxreach.served(box), _NEEDS_SET)
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
            refused = in_words(against(rule, friendly(key), old, new, ruleset.language))
            raise refused.hinted(N_("{command} changes it knowingly"), command=once_more("--yes"))
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
