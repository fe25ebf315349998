"""A whole game played through the socket leaves the facts that a written game of the same presses leaves."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any, Final

import pytest

from dalej.clock import ManualClock
from dalej.desk.feed.client import Live, connect
from dalej.desk.feed.messages import Face, Finger, Look, Refusal, Speed, Take, Tap
from dalej.desk.feed.server import Server
from dalej.domain.game.facts import Fact, contact_name
from dalej.domain.game.tablesettings import Choices
from dalej.event.ledger import Ledger
from dalej.event.reading import read
from dalej.rulesets.rulebook import load
from dalej.simulator.living import HOLD_MS, HOLD_SEDZIA_MS, TAP_MS
from dalej.simulator.writtengame import Played, parse
from moveclock import facts as k
from tests.desk.feed.living import RULESET, SET_UP, Life, lively
from tests.desk.feed.rig import DEADLINE_S, heard

JUZ: Final = (0, 2, 4, 6)
DALEJ: Final = (1, 3, 5, 7)
# (when in ms, contact, whether it is held)
PRESSES: Final = (
    (3_000, JUZ[0], False),  # A starts
    (9_000, JUZ[0], False),  # A has laid
    (12_000, k.KOSTKA, False),  # B takes a tile,
    (13_000, DALEJ[1], False),  # then passes
    (20_000, DALEJ[2], False),  # C passes before the tile is taken
    (22_000, k.SEDZIA, False),  # D claims that move's restart
    (30_000, k.SEDZIA, True),  # on with it; C's time runs out at 73 s
    (80_000, JUZ[3], False),  # the table agrees that the late move stands
    (85_000, k.SEDZIA, False),  # a dispute about it
    (95_000, k.SEDZIA, True),
    (105_000, JUZ[3], True),  # D shows an empty rack
)
END_MS: Final = 110_000
NO_TABLE: Final = 99
DURATIONS: Final = ("elapsed_ms", "remaining_ms", "overrun_ms", "stopped_ms")
DRIFT_MS: Final = 5  # a simulated crystal runs by up to 20 ppm too fast


@pytest.fixture
def written(tmp_path: Path) -> list[Fact]:
    """The facts of the written game."""
    lines = []
    for at_ms, contact, held in PRESSES:
        for_ms = TAP_MS if not held else HOLD_SEDZIA_MS if contact == k.SEDZIA else HOLD_MS
        lines += [f"{at_ms} {contact_name(contact)} down", f"{at_ms + for_ms} {contact_name(contact)} up"]
    with Ledger.create(tmp_path / "written.dalej") as ledger:
        game = Played(ledger, load(RULESET), Choices(first="A"), ManualClock())
        game.play(parse("\n".join(lines), "written.game"))
        game.desk.close()
        return [reported.fact for reported in read(ledger).facts()]


def test_a_game_played_from_a_screen_leaves_the_facts_of_the_written_game(tmp_path: Path, written: list[Fact]) -> None:
    async def play(life: Life, live: Live) -> None:
        await live.send(Take(1, True))
        for at_ms, contact, held in PRESSES:
            await passes(life, live, at_ms)
            await live.send(Tap(1, contact, held))
        await passes(life, live, END_MS)
        await live.send(Take(1, False))
        await done(live)

    facts = on_a_socket(tmp_path, play)

    assert [said(fact) for fact in facts] == [said(fact) for fact in written if fact.name not in SET_UP]
    for played, expected in zip(facts, (fact for fact in written if fact.name not in SET_UP), strict=True):
        for name in DURATIONS:
            assert played.fields().get(name) == pytest.approx(expected.fields().get(name), abs=DRIFT_MS), played


def test_a_finger_that_goes_down_and_up_is_a_tap_or_a_hold_by_its_own_time(tmp_path: Path) -> None:
    async def play(life: Life, live: Live) -> None:
        await live.send(Take(1, True))
        for at_ms, down in ((3_000, True), (3_100, False), (9_000, True), (10_200, False)):
            await passes(life, live, at_ms)
            await live.send(Finger(1, JUZ[0], down))
        await passes(life, live, 12_000)

    facts = on_a_socket(tmp_path, play)

    assert [fact.name for fact in facts] == ["game_started", "move_started", "move_ended", "game_ended"]
    assert facts[2].fields()["how"] == "empty_rack"


def test_a_screen_that_is_gone_in_the_middle_of_a_hold_leaves_the_table_to_its_players(tmp_path: Path) -> None:
    async def play(life: Life, live: Live) -> None:
        await live.send(Take(1, True))
        await passes(life, live, 3_000)
        await live.send(Tap(1, JUZ[0], False))
        await passes(life, live, 9_000)
        await live.send(Finger(1, JUZ[0], True))
        await done(live)
        await live.close()
        other = await connect(life.ledger.path)
        try:
            await other.send(Look(1))
            while (await heard(other, Face)).taken:
                pass
            await passes(life, other, 100_000)
        finally:
            await other.close()

    names = [fact.name for fact in on_a_socket(tmp_path, play)]

    assert names[:4] == ["game_started", "move_started", "move_ended", "move_started"]
    assert names.count("move_ended") > 2


def on_a_socket(folder: Path, play: Any) -> list[Fact]:
    """The facts of a table that a screen has played; nothing but the screen makes time pass."""

    async def run(life: Life) -> None:
        server = Server(
            life.hall.desk, life.living, life.simulated, name="demo", event=life.ledger.path,
            head=life.ledger.head, random=bytes,
        )  # fmt: skip
        await server.open()
        live = await connect(life.ledger.path)
        try:
            async with asyncio.timeout(2 * DEADLINE_S):
                await play(life, live)
        finally:
            await live.close()
            await server.close()

    with lively(folder / "hall.dalej") as life:
        asyncio.run(run(life))
        return [fact for fact in life.facts(1) if fact.name not in SET_UP]


async def passes(life: Life, live: Live, until_ms: int) -> None:
    """Let real time pass up to this instant."""
    while life.clock.time_ms < until_ms:
        life.clock.time_ms = min(until_ms, life.clock.time_ms + 1_000)
        await live.send(Speed(1.0))
        await done(live)
    assert life.hall.world.now_ms == until_ms


async def done(live: Live) -> None:
    """Wait until everything that was wished has been granted: the refusal of a last wish follows it."""
    await live.send(Take(NO_TABLE, True))
    await heard(live, Refusal)


def said(fact: Fact) -> tuple[object, ...]:
    """A fact without its durations and without the numbers of its box."""
    fields = {name: value for name, value in fact.fields().items() if name not in DURATIONS}
    return fact.name, fact.game, fact.move, fact.seat, fields
