"""What `dalej box info` and `dalej box log` say of a box: fields for programs, lines for people."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from dalej.cli import output
from dalej.clock import Clock
from dalej.domain.facts import STATES, Fact, Value, seat_name
from dalej.errors import DalejError
from dalej.link.talk import Talk
from dalej.telling import local, seconds, tell
from dalej.words import N_, _, readable, said
from moveclock import facts as k

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
    table the box stands on, how the desk hears it (`dalej.domain.heard.Way`), and how long ago it did, None: never;
    `refused`: why the box refuses the desk, None: it does not, as far as that is known.
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
            rows.append((_("battery"), _("{volts} V").format(volts=f"{battery // 10}.{battery % 10}")))
        elif self.at_desk is None:
            rows.append((_("battery"), _("not known")))
        if uptime is not None:
            rows.append((_("running for"), output.clock_time(uptime).partition(".")[0]))
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
            output.clock_time(fact.uptime_ms), str(fact.game or ""), str(fact.move or ""), tell(fact),
        )
        for fact, at_ms in facts
    ]  # fmt: skip
    output.table(headings, rows, numbers=(0, 1, 2, 3, 4, 5), wraps=(6,))
