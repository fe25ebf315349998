"""`dalej run` as a process: it goes on without Bluetooth, says so, and ends in good order."""

from __future__ import annotations

import asyncio
import signal
import subprocess
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from threading import Timer
from typing import IO, Final

import pytest

from dalej.cli import capacity, latency
from dalej.clock import SystemClock
from dalej.desk.feed.client import connect
from dalej.desk.latency import Press
from dalej.errors import Unreachable
from dalej.event.ledger import Ledger
from dalej.link.capacity import Found, Survey
from tests import placing, world
from tests.cli.club import at_home, club
from tests.cli.conftest import Program
from tests.cli.deskprocess import SOON_S, arguments, running, surroundings

UID: Final = "240ac4001207"


@pytest.fixture
def event(tmp_path: Path) -> Path:
    """A seated event that no box belongs to."""
    return world.event_file(tmp_path, 4)


def refused(event: Path, *options: str) -> tuple[int, str]:
    done = subprocess.run(
        arguments("run", str(event), *options), capture_output=True, text=True, encoding="utf-8", timeout=60,
        env=surroundings(event.parent), check=False,
    )  # fmt: skip
    return done.returncode, done.stderr.strip()


def test_without_bluetooth_it_says_why_goes_on_and_ends_in_good_order(event: Path) -> None:
    with running(event, "--name", "desk 1") as desk:
        assert "dalej screen" in desk.until("desk 1 serves")
        log = Path(desk.until("is kept in ").rpartition("is kept in ")[2].removesuffix("."))
        assert log.parent == event.parent / "home" / "log"
        assert "dalej box assign" in desk.until("No box stands on a table")
        assert desk.until("no box is heard over the air: ")
        with Ledger.open(event) as ledger:
            held = ledger.lease.holder(SystemClock().wall_ms())
            assert held is not None
            assert held.holder == "desk 1"
        code, said = refused(event, "--no-usb", "--name", "desk 2")
        assert code == 1
        assert "desk 1 is live on" in said
        desk.process.send_signal(signal.SIGINT)
        desk.until("The desk has left its boxes")
        assert desk.process.wait(SOON_S) == 0
    with Ledger.open(event) as ledger:
        assert ledger.lease.holder(SystemClock().wall_ms()) is None
    begins, *_, ends = log.read_text(encoding="utf-8").splitlines()
    assert f"desk “desk 1” begins with {event}; Bluetooth (the system chooses, 3 links each); dalej " in begins
    assert "does not scan: the Bluetooth service of this computer does not run" in log.read_text(encoding="utf-8")
    assert ends.endswith("desk “desk 1” ends")


def test_a_log_that_cannot_be_kept_is_said_and_the_desk_serves(event: Path) -> None:
    home = event.parent / "home"
    home.mkdir()
    (home / "log").write_text("in the way")
    with running(event, "--name", "desk 1") as desk:
        assert desk.until("What becomes of links cannot be written down (")
        asyncio.run(until_it_serves(event))


def test_a_desk_whose_people_are_not_seated_names_the_round_and_the_command(tmp_path: Path) -> None:
    event = world.event_file(tmp_path, 4, seated=False)

    with running(event) as desk:
        assert desk.until("Nobody is seated").endswith(f"seat draw {event}")


def test_a_killed_desk_is_followed_by_another_within_seconds(event: Path) -> None:
    with running(event, "--name", "desk 1") as first:
        first.until("No box stands")
        first.process.kill()
        first.process.wait(SOON_S)
    with running(event, "--name", "desk 1") as second:
        second.until("waiting up to 10 s")
        second.until("desk 1 serves")


def test_a_club_that_has_lost_its_secret_is_told_before_anything_begins(event: Path) -> None:
    with Ledger.open(event) as ledger:
        placing.place(ledger, 1, UID, since=placing.NOW, goes_on=False, who="Gęś", when_ms=0, why="so")

    code, said = refused(event, "--no-usb")

    assert code == 1
    assert "no club secret" in said


@pytest.mark.parametrize(
    "options", [("--no-usb", "--no-bluetooth"), ("--no-usb", "--usb", "COM3"), ("--no-bluetooth", "--adapter", "hci0")]
)
def test_options_that_contradict_each_other_are_wrong_usage(event: Path, options: Sequence[str]) -> None:
    assert refused(event, *options)[0] == 2


FULL: Final = Path("/dev/full")


async def until_it_serves(event: Path) -> None:
    """A screen can join."""
    async with asyncio.timeout(SOON_S):
        while True:
            with suppress(Unreachable):
                await (await connect(event)).close()
                return
            await asyncio.sleep(0.05)


def holder(event: Path) -> str | None:
    with Ledger.open(event) as ledger:
        held = ledger.lease.holder(SystemClock().wall_ms())
    return None if held is None else held.holder


@contextmanager
def told_to_nobody(event: Path, stdout: IO[bytes] | int, unbuffered: str) -> Iterator[subprocess.Popen[bytes]]:
    with subprocess.Popen(
        arguments("run", str(event), "--no-usb", "--name", "desk 1"), stdout=stdout, stderr=subprocess.PIPE,
        env={**surroundings(event.parent), "PYTHONUNBUFFERED": unbuffered},
    ) as process:  # fmt: skip
        deadline = Timer(4 * SOON_S, process.kill)  # nothing is waited for without an end
        deadline.start()
        try:
            yield process
        finally:
            deadline.cancel()
            process.kill()


@pytest.mark.skipif(not FULL.exists(), reason="this system has no disk that is always full")
@pytest.mark.parametrize("unbuffered", ["", "1"])
def test_a_full_disk_does_not_take_the_desk_from_the_hall(event: Path, unbuffered: str) -> None:
    with FULL.open("wb") as full, told_to_nobody(event, full, unbuffered) as process:
        assert process.stderr is not None
        said = process.stderr.readline().decode()
        asyncio.run(until_it_serves(event))
        assert holder(event) == "desk 1"
        process.send_signal(signal.SIGINT)
        more = process.stderr.read().decode()
        assert process.wait(SOON_S) == 1
    assert said.startswith("What the desk says cannot be written (the disk is full); it serves the boxes all the same.")
    assert more == "the output cannot be written: the disk is full\n"
    assert holder(event) is None


@pytest.mark.parametrize("unbuffered", ["", "1"])
def test_a_reader_who_has_gone_does_not_take_the_desk_from_the_hall(event: Path, unbuffered: str) -> None:
    with told_to_nobody(event, subprocess.PIPE, unbuffered) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        assert process.stdout.readline().startswith(b"desk 1 serves")
        process.stdout.close()
        said = process.stderr.readline().decode()
        asyncio.run(until_it_serves(event))
        assert holder(event) == "desk 1"
        process.send_signal(signal.SIGINT)
        more = process.stderr.read()
        assert process.wait(SOON_S) == 0
    assert said.startswith("What the desk says cannot be written (")
    assert more == b""
    assert holder(event) is None


def test_a_name_that_the_output_cannot_encode_is_escaped(event: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PYTHONIOENCODING", "cp1250")
    with running(event, "--name", "🦊") as desk:
        desk.until("\\U0001f98a serves")
        asyncio.run(until_it_serves(event))


class StoppedAir:
    """A Bluetooth that hears nothing before somebody types Ctrl-C."""

    trouble = None
    links = 1

    def __init__(self, *_given: object, **_more: object) -> None:
        pass

    async def run(self, _serving: object) -> None:
        signal.raise_signal(signal.SIGINT)
        await asyncio.Event().wait()

    async def connect(self, _uid: bytes) -> None:
        raise AssertionError("there is nothing to connect to")


@pytest.fixture
def measuring(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    club(at_home(tmp_path / "home", monkeypatch))
    monkeypatch.setattr("dalej.link.ble.BleAir", StoppedAir)


@pytest.mark.usefixtures("measuring")
@pytest.mark.parametrize("command", [("capacity",), ("latency", "1")])
def test_what_is_stopped_before_anything_was_measured_gives_no_verdict(
    dalej: Program, command: tuple[str, ...]
) -> None:
    done = dalej(*command)
    assert (done.code, done.err) == (1, "Stopped; nothing was measured.\n")
    assert "Bluetooth" not in done.out
    assert (dalej(*command, "--json").code, dalej(*command, "--json").out) == (1, "")


@pytest.mark.usefixtures("measuring")
def test_a_capacity_that_is_stopped_halfway_is_no_result(dalej: Program, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Survey, "found", lambda _: found())

    done = dalej("capacity")

    assert (done.code, done.err) == (1, "")
    assert done.out.splitlines()[1:] == [
        "4 boxes linked", "Stopped before the end, so this is no result; so far:",
        "Boxes heard: 11 of the club's 12.",
        "What was heard last is 1.5 s old at the median, 19 of 20 times at most 2.9 s.", "4 boxes linked",
    ]  # fmt: skip
    (said,) = dalej("capacity", "--json").objects
    assert (said["stopped"], said["linked_most"]) == (True, 4)


@pytest.mark.usefixtures("measuring")
def test_a_latency_that_is_stopped_says_of_how_many_presses_it_speaks(
    dalej: Program, monkeypatch: pytest.MonkeyPatch
) -> None:
    class Looking(StoppedAir):
        async def run(self, _serving: object) -> None:
            await asyncio.Event().wait()

    def pressed_once(*_given: object) -> list[Press]:
        signal.raise_signal(signal.SIGINT)
        return [Press(120, 4)]

    monkeypatch.setattr("dalej.link.ble.BleAir", Looking)
    monkeypatch.setattr(latency, "presses", pressed_once)

    done = dalej("latency", "1")

    assert (done.code, done.err) == (1, "")
    assert done.out.splitlines() == [
        "1: 120 ms", "Stopped before the end, with 1 of 10 presses:",
        "1 press from the finger to the disk: 120 ms at the median, 120 ms at worst (good to 4 ms).",
        "A screen shows a press before anybody looks up.",
    ]  # fmt: skip
    assert (dalej("latency", "1", "--json").objects[0]["stopped"], dalej("latency", "1", "--presses", "1").code) == (
        True, 0,
    )  # fmt: skip


def found(**changed: object) -> Found:
    return Found(**{
        "boxes": 12, "heard": 11, "most": 4, "held": 4, "full": True, "connects_ms": (1_800, 2_000, 2_600),
        "ages_ms": (200, 900, 1_500, 2_900), "busy": (), **changed,
    })  # type: ignore[arg-type]  # fmt: skip


def test_capacity_says_what_a_hall_of_25_tables_may_expect_and_what_to_type() -> None:
    said = "\n".join(capacity.in_words(found()))

    assert "4 boxes at once, a connect takes 2.0 s." in said
    assert "With 25 tables every table is read at least every 63 s; an alarm is on the screen in about 3 s." in said
    assert "--links 4" in said


def test_capacity_says_where_there_may_be_more_where_a_link_did_not_last_and_who_is_in_the_way() -> None:
    said = "\n".join(capacity.in_words(found(full=False, most=6, busy=("desk 1",))))

    assert "It may hold more" in said
    assert "2 links did not last." in said
    assert "served by desk 1" in said
    assert "No box could be held" in "\n".join(capacity.in_words(found(held=0)))
