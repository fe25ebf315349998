"""What is kept of links: each that comes and goes, with its table and why, and nothing about people."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from dalej.desk.evening.linklog import LinkLog
from dalej.errors import Unreachable
from moveclock import facts as k
from tests.desk.evening.evening import CLUB, SOON_MS, Evening, Process

MINUTE_MS = 60_000


class Reader:
    """Looks into the log of a desk that serves one box, "1" at table 1."""

    def __init__(self, evening: Evening) -> None:
        self.evening = evening
        self.evening.put("1", 1)
        self.desk: Process = self.evening.start()
        self.box = self.evening.boxes["1"]
        self.read = 0
        self.who = f"table 1, box 1 ({self.box.uid.hex()})"

    def after(self, ms: int) -> list[str]:
        """What was noted since the last time."""
        for _ in range(ms // 200):
            self.evening.run(200)
            self.desk.log.look(self.evening.clock.now_ms())
        new, self.read = self.desk.noted[self.read :], len(self.desk.noted)
        return new


@pytest.fixture
def reader(tmp_path: Path) -> Iterator[Reader]:
    with Evening(tmp_path) as evening:
        yield Reader(evening)


def test_a_box_that_is_heard_and_linked_leaves_a_line_each(reader: Reader) -> None:
    heard, linked, *_ = reader.after(SOON_MS)

    assert heard == f"{reader.who}: heard"
    assert re.fullmatch(re.escape(f"{reader.who}: linked over the air, in ") + r"\d\.\d s", linked)


def test_a_box_that_is_switched_off_and_on_leaves_when_and_for_how_long(reader: Reader) -> None:
    reader.after(SOON_MS)
    reader.box.power_off()
    gone = [line.removeprefix(f"{reader.who}: ") for line in reader.after(MINUTE_MS)]
    reader.box.power_on()
    back = [line.removeprefix(f"{reader.who}: ") for line in reader.after(SOON_MS)]

    assert any(line.startswith("link over after ") for line in gone)
    assert any(re.fullmatch(r"not heard for 12\.\d s", line) for line in gone)
    assert re.fullmatch(r"heard again after \d\d\.\d s", back[0])
    assert re.fullmatch(r"linked over the air, in \d\.\d s, \d\d\.\d s after the link before", back[1])


def test_a_link_that_the_desk_ends_is_told_from_one_that_falls(reader: Reader) -> None:
    reader.after(SOON_MS)
    reader.evening.take_away("1")

    (line,) = [line for line in reader.after(5_000) if "link over" in line]
    assert line.startswith("no table, box ")
    assert line.endswith(", this desk ended it")


def test_a_cable_is_named_with_its_port_once(reader: Reader) -> None:
    reader.desk.log.port_of = lambda uid: "/dev/ttyUSB0" if uid == reader.box.uid else None
    now_ms = reader.evening.clock.now_ms()
    for _ in range(2):
        reader.desk.log.plugged(reader.box.uid, now_ms)
    reader.desk.log.connected(reader.box.uid, now_ms)
    reader.desk.log.disconnected(reader.box.uid, now_ms + 2_000)
    for _ in range(2):
        reader.desk.log.unplugged(reader.box.uid, now_ms + 2_000)

    assert reader.desk.noted == [
        f"{reader.who}: on a cable at /dev/ttyUSB0",
        f"{reader.who}: linked by cable at /dev/ttyUSB0",
        f"{reader.who}: link over after 2.0 s, it fell, the box had not proved itself",
        f"{reader.who}: not to be had by cable any more at /dev/ttyUSB0",
    ]


def test_what_a_port_is_complained_of_is_kept_in_one_line_that_does_nothing(reader: Reader) -> None:
    reader.desk.log.complained(Unreachable("{port} is in use:\n\x1b[2J close it", port="/dev/ttyUSB0"))

    assert reader.desk.noted == ["/dev/ttyUSB0 is in use:��[2J close it"]


def test_an_evening_leaves_neither_names_of_players_nor_secrets(reader: Reader) -> None:
    reader.after(SOON_MS)
    reader.evening.tap("1", k.SEDZIA, 3_000)
    reader.after(MINUTE_MS)
    reader.box.power_off()
    reader.after(MINUTE_MS)

    kept = "\n".join(reader.desk.noted)
    names = [word for player in reader.evening.event.state().players.values() for word in player.name.split()]
    assert len(names) >= 4
    assert not [name for name in names if name in kept]
    assert CLUB.hex() not in kept


def test_a_desk_behind_its_log_hears_all_that_it_would_hear_without(reader: Reader) -> None:
    asked = {name for name in vars(LinkLog) if not name.startswith("_")} - {"look", "complained"}

    assert asked <= set(dir(reader.desk.desk))
