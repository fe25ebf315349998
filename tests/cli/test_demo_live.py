"""`dalej demo --no-screen`: a hall that lives in a process of its own, and how it ends."""

from __future__ import annotations

import asyncio
import os
import signal
from pathlib import Path

import pytest

from dalej.cli.demo import LINKS, Evening, hall_of
from dalej.clock import ManualClock
from dalej.desk.feed import address
from dalej.desk.feed.client import connect
from dalej.desk.feed.messages import TableHeard, Welcome
from dalej.errors import Unreachable
from dalej.event import eventlog
from dalej.event.ledger import Ledger
from dalej.event.reading import read
from dalej.simulator.living import Living
from tests.cli.conftest import Program
from tests.processes import demo

WITHIN_S = 20


async def boxes_heard(event: Path, count: int) -> set[str]:
    """Connect as a screen does, and hear so many boxes."""
    live = await connect(event)
    try:
        heard = set()
        async with asyncio.timeout(WITHIN_S):
            async for message in live.messages():
                if isinstance(message, Welcome):
                    assert message.simulated
                if isinstance(message, TableHeard) and message.heard.told is not None:
                    heard.add(message.heard.box)
                if len(heard) == count:
                    break
        return heard
    finally:
        await live.close()


def whole(event: Path) -> None:
    """The desk of this event has ended as it should: one file, nothing missing in it."""
    assert [file.name for file in event.parent.iterdir()] == [event.name]
    with Ledger.open(event) as ledger:
        assert {decision.kind for decision in read(ledger).decisions()} == {"ruleset", "assign", "seated"}
        assert len(eventlog.turns(read(ledger))) > 5, "the hall has been under way when it was opened"
        assert not list(eventlog.problems(read(ledger)))


def test_within_two_minutes_of_the_demo_a_visitor_sees_what_can_happen(tmp_path: Path) -> None:
    evening = Evening(tmp_path / "hall.dalej", tables=6, seed=1, ruleset="school-league", links=LINKS, speed=1.0)
    with Ledger.create(evening.event) as ledger:
        hall = hall_of(evening, ledger, ManualClock())
        Living(hall, ManualClock()).warm_up()
        opened = ledger.head()
        hall.world.run_until(hall.world.now_ms + 120_000)
        seen = {reported.fact.name for reported in read(ledger).facts() if reported.cursor > opened}
        hall.desk.close()

    assert {"time_ran_out", "clicked_before_drawing", "restart_claimed", "dispute_raised"} <= seen


@pytest.mark.parametrize("name", ["SIGINT", "SIGTERM"])
@pytest.mark.skipif(os.name == "nt", reason="on Windows a process cannot be sent these by another")
def test_a_hall_that_is_told_to_stop_closes_its_ledger(tmp_path: Path, name: str) -> None:
    event = tmp_path / "hall.dalej"
    with demo(event, "--tables", "2") as process:
        asyncio.run(boxes_heard(event, 2))
        process.send_signal(getattr(signal, name))
        out, err = process.communicate(timeout=WITHIN_S)

    assert (process.returncode, err) == (0, "")
    assert f"The ledger: {event}" in out
    whole(event)


def test_a_hall_whose_screen_is_gone_ends_by_itself(tmp_path: Path) -> None:
    event = tmp_path / "hall.dalej"
    with demo(event, "--tables", "2", "--until-eof", "--speed", "20") as process:
        asyncio.run(boxes_heard(event, 2))
        assert process.stdin is not None
        process.stdin.close()
        assert process.wait(WITHIN_S) == 0

    whole(event)


def test_a_killed_hall_leaves_a_file_that_leads_nowhere(tmp_path: Path) -> None:
    event = tmp_path / "hall.dalej"
    with demo(event, "--tables", "2") as process:
        process.kill()
        process.wait(WITHIN_S)

    assert address.file_of(event).exists()
    with pytest.raises(Unreachable, match="is gone: nobody answers"):
        asyncio.run(connect(event))


def test_a_hall_needs_a_new_file_or_an_event(tmp_path: Path, dalej: Program) -> None:
    (tmp_path / "hall.dalej").write_bytes(b"")

    done = dalej("demo", "--no-screen", "--event", "hall.dalej")

    assert done.code == 1
    assert done.err == "hall.dalej is not an event file: expected one that Dalej made\n"
    assert (tmp_path / "hall.dalej").read_bytes() == b""


@pytest.mark.parametrize("option", [["--headless"], ["--json"], ["--moves", "3"]], ids=" ".join)
def test_a_hall_without_an_end_is_not_summed_up(dalej: Program, option: list[str]) -> None:
    done = dalej("demo", "--no-screen", *option)

    assert done.code == 2
    assert "--no-screen plays without an end" in done.err


@pytest.mark.parametrize("speed", ["0.05", "101", "nan"])
def test_a_speed_out_of_bounds_is_wrong_usage(dalej: Program, speed: str) -> None:
    assert dalej("demo", "--no-screen", "--speed", speed).code == 2
