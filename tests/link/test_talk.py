"""A conversation with one box over a cable: what is read, what is commanded, and every way it may end."""

from __future__ import annotations

import asyncio
import os
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import pytest

from dalej.clock import SystemClock
from dalej.errors import DalejError, Refused, Unreachable
from dalej.link.plug import Plug, carry
from dalej.link.serving import Serving
from dalej.link.talk import Talk
from moveclock import facts as k
from moveclock import wire
from moveclock.settings import Settings
from tests.link.cablebox import CableBox, MemoryWire
from tests.link.loop import run
from tests.link.rig import SECRET, UID


@asynccontextmanager
async def talking(
    wire_to: MemoryWire, *, secret: bytes = SECRET, last: int | None = 0, quiet_ms: int = 3_000
) -> AsyncIterator[Talk]:
    clock = SystemClock()
    talk = Talk(UID, secret, clock, os.urandom, called="7", last=last, quiet_ms=quiet_ms)
    serving = Serving(talk, clock)
    talk.on_stir(serving.stir)

    async def link(plug: Plug) -> None:
        try:
            await carry(serving, plug, UID, again_s=0.01)
        except DalejError as why:
            talk.fail(why)

    async with Plug(wire_to, "port", clock) as plug:
        tasks = [asyncio.create_task(serving.run()), asyncio.create_task(link(plug))]
        try:
            yield talk
        finally:
            talk.leave()
            for task in tasks:
                task.cancel()
                await asyncio.gather(task, return_exceptions=True)


def played(taps: int) -> CableBox:
    """A box with that many stray taps in its journal, besides its start and its setting up."""
    box = CableBox()
    box.configure()
    assert box.box is not None
    for tap in range(taps):
        box.box.clock.emit(k.STRAY_TAP, tap, k.KOSTKA, 0)
        box.turn()
    return box


def test_a_box_is_read_without_anything_being_acknowledged() -> None:
    box = played(20)

    async def read() -> list[int]:
        async with talking(MemoryWire(box), last=None) as talk:
            return [fact.seq for fact in await talk.until_read()]

    seqs = run(read)

    assert box.box is not None
    journal = box.box.journal
    assert seqs == list(range(1, journal.head + 1))
    assert journal.acked == 0
    assert journal.backlog == journal.head


def test_only_the_latest_facts_travel_if_only_they_are_wanted() -> None:
    box = played(100)

    async def read() -> tuple[list[int], int]:
        async with talking(MemoryWire(box), last=5) as talk:
            facts = await talk.until_read()
            trusted = await talk.until_trusted()
            return [fact.seq for fact in facts], trusted.head

    seqs, head = run(read)

    assert seqs == list(range(head - 4, head + 1))


def test_the_state_comes_without_a_single_fact() -> None:
    box = played(100)

    async def read() -> tuple[dict[str, int], int]:
        async with talking(MemoryWire(box)) as talk:
            return await talk.until_state(), len(talk.facts)

    state, facts = run(read)

    assert state["state"] == k.READY
    assert facts == 0


def test_a_command_is_answered_and_carried_out_once() -> None:
    box = played(0)

    async def blink() -> str:
        async with talking(MemoryWire(box)) as talk:
            return (await talk.command("blink")).name

    assert run(blink) == "command_applied"
    assert box.box is not None
    assert box.box.commands.blink_until > 0


def test_a_command_that_the_box_refuses_says_why() -> None:
    box = played(0)

    async def stop() -> None:
        async with talking(MemoryWire(box)) as talk:
            await talk.command("stop", {"reason": "referee"})

    with pytest.raises(Refused, match="box 7 refuses: not while its table is in this state"):
        run(stop)


def test_settings_are_sent_and_the_table_is_ready() -> None:
    box = CableBox()
    settings = Settings()
    settings.limit_ms = 40_000

    async def set_up() -> None:
        async with talking(MemoryWire(box)) as talk:
            await talk.command("configure", {"game": 3, "settings": settings.pack().hex()})

    run(set_up)

    assert box.box is not None
    assert (box.box.clock.state, box.box.clock.game, box.box.clock.settings.limit_ms) == (k.READY, 3, 40_000)


def test_facts_that_are_made_meanwhile_come_too() -> None:
    box = played(3)

    async def watch() -> list[str]:
        to_box = MemoryWire(box)
        async with talking(to_box) as talk:
            await talk.until_state()
            box.edge(k.KOSTKA, True)
            to_box.stir()
            await asyncio.sleep(0.06)  # a finger
            box.edge(k.KOSTKA, False)
            to_box.stir()
            return [fact.name for fact in await talk.until_more(0, 5_000)]

    assert run(watch) == ["stray_tap"]


def test_nothing_new_is_no_error() -> None:
    box = played(3)

    async def watch() -> int:
        async with talking(MemoryWire(box)) as talk:
            await talk.until_state()
            return len(await talk.until_more(0, 50))

    assert run(watch) == 0


def test_a_box_of_another_club_says_what_to_do() -> None:
    async def read() -> None:
        async with talking(MemoryWire(played(0)), secret=bytes(32)) as talk:
            await talk.until_trusted()

    with pytest.raises(Refused, match="box 7 does not know this club's secret: pair it"):
        run(read)


def test_a_box_that_another_desk_serves_names_that_desk() -> None:
    box = played(0)
    assert box.box is not None
    desk = served(box)
    assert desk

    async def read() -> None:
        async with talking(MemoryWire(box)) as talk:
            await talk.until_trusted()

    with pytest.raises(Refused, match="box 7 is served by another desk now, first laptop: ask there"):
        run(read)


def served(box: CableBox) -> bool:
    """A desk is on the air with it; whether the box trusts it."""
    from dalej.link.session import Phase, Session
    from dalej.link.uptime import UptimeMap
    from tests.link.cablebox import uptime_ms

    assert box.box is not None
    session = Session(
        uid=UID, secret=SECRET, desk_id=9, desk_name="first laptop", known=[], nonce=bytes(16), uptimes=UptimeMap()
    )
    box.box.opened(1, 247, uptime_ms())
    session.start(0)
    for _ in range(4):
        for frame in session.frames():
            box.box.receive(1, frame, uptime_ms())
        while (said := box.box.send(1, uptime_ms())) is not None:
            session.receive(said, 0)
    return session.phase is Phase.LIVE


def test_a_cable_that_is_pulled_ends_every_wait() -> None:
    async def read() -> None:
        to_box = MemoryWire(played(0))
        async with talking(to_box) as talk:
            await talk.until_state()
            to_box.pull()
            await talk.until_more(0, 10_000)

    with pytest.raises(Unreachable, match="port is gone: plug the cable in again"):
        run(read)


def test_a_box_that_restarts_is_linked_anew_and_no_fact_is_missed_or_doubled() -> None:
    box = played(10)

    async def read() -> list[int]:
        to_box = MemoryWire(box)
        async with talking(to_box, last=None) as talk:
            await talk.until_read()
            before = len(talk.facts)
            box.power_on()
            to_box.stir()
            await talk.command("blink")
            assert len(talk.facts) > before
            return [fact.seq for fact in talk.facts]

    seqs = run(read)

    assert seqs == list(range(1, len(seqs) + 1))


def test_a_box_that_falls_silent_is_given_up_in_words() -> None:
    box = played(0)

    async def read() -> None:
        async with talking(MemoryWire(box), quiet_ms=300) as talk:
            await talk.until_state()
            box.deaf = True
            await talk.command("blink")

    with pytest.raises(Unreachable, match="box 7 did not answer"):
        run(read)


def test_after_a_goodbye_the_box_is_free_at_once() -> None:
    box = played(0)

    async def read() -> None:
        async with talking(MemoryWire(box)) as talk:
            await talk.until_state()

    run(read)

    assert box.box is not None
    assert box.box.links.peers == []
    assert wire.READER == 0


def test_a_real_desk_takes_the_place_of_a_reader() -> None:
    box = played(0)

    async def read() -> bool:
        async with talking(MemoryWire(box)) as talk:
            await talk.until_state()
            return served(box)

    assert run(read)
