"""What `dalej run` prints: each thing once, boxes by their names, and how the hall stands now and then."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest

from dalej.desk.evening.evening import CHANGED_MS, EVERY_MS, SAID_AGAIN_MS, SAME_MS, Telling
from dalej.errors import DalejError, Unreachable
from dalej.words import advised
from tests.desk.evening.evening import Evening, Process


class Listener:
    """Somebody who reads along."""

    def __init__(self, evening: Evening) -> None:
        self.evening = evening
        self.evening.put("1", 1)
        self.trouble: DalejError | None = None
        self.desk: Process = self.evening.start()
        self.telling = Telling(self.desk.running, self.evening.clock, lambda: self.trouble)

    def read(self, ms: int, every_ms: int = 200) -> list[str]:
        lines: list[str] = []
        for _ in range(ms // every_ms):
            self.evening.run(every_ms)
            lines += self.telling.lines()
        return lines


@pytest.fixture
def listener(tmp_path: Path) -> Iterator[Listener]:
    with Evening(tmp_path) as evening:
        yield Listener(evening)


def test_boxes_are_called_by_what_is_written_on_them(listener: Listener) -> None:
    assert "table 1: box 1 is set up for game 1, seats ABCD" in listener.read(15_000)


def test_a_box_that_stands_here_no_more_keeps_its_name(listener: Listener) -> None:
    listener.read(15_000)
    listener.evening.take_away("1")

    assert "table 1: box 1 does not stand here any more" in listener.read(2_000)


def test_a_box_of_the_club_that_stands_nowhere_is_called_by_its_name_too(tmp_path: Path, kept_open: ExitStack) -> None:
    evening = kept_open.enter_context(Evening(tmp_path))
    telling = Telling(evening.start().running, evening.clock, lambda: None, lambda: {"246f28abcd02": "12"})
    telling.hear(Unreachable("box {box} at {port} is none of this event's", box="246f28abcd02", port="COM3"))

    assert telling.lines() == ["box 12 at COM3 is none of this event's"]


def test_a_box_that_was_renamed_is_called_as_the_clubs_list_has_it_now(tmp_path: Path, kept_open: ExitStack) -> None:
    evening = kept_open.enter_context(Evening(tmp_path, boxes=2))
    evening.put("1", 1)
    one, two = (evening.boxes[name].uid.hex() for name in "12")
    desk = evening.start()
    telling = Telling(desk.running, evening.clock, lambda: None, lambda: {one: "lis", two: "1"})
    evening.run()
    lines = telling.lines()
    telling.hear(Unreachable("box {box}, {other}, {by} and {port}", box=one, other="1", by="x", port="1"))

    assert any(line.startswith("table 1: box lis is set up") for line in lines)
    assert telling.lines() == ["box lis, lis, x and 1"]


def test_what_helps_names_boxes_as_the_clubs_list_does(tmp_path: Path, kept_open: ExitStack) -> None:
    evening = kept_open.enter_context(Evening(tmp_path))
    evening.play_at_a_club("1")
    evening.put("1", 1)
    names = {evening.boxes["1"].uid.hex(): "lis"}
    telling = Telling(evening.start().running, evening.clock, lambda: None, lambda: names, advised)
    evening.run()

    (line,) = [line for line in telling.lines() if "did not begin here" in line]
    assert line.endswith(
        "; dalej box assign EVENT lis 1 --all-facts counts what it holds, "
        "dalej box assign EVENT lis 1 --fresh begins a new game"
    )


def test_how_the_hall_stands_is_said_each_minute_and_when_another_number_is_heard(listener: Listener) -> None:
    stands = "1 box stands on a table: 1 heard, 1 linked, 0 facts wait"
    first = listener.read(EVERY_MS)
    assert first.count(stands) == 1
    assert listener.read(2 * EVERY_MS).count(stands) == 2

    listener.evening.boxes["1"].power_off()
    assert "1 box stands on a table: 0 heard, 0 linked, 0 facts wait" in listener.read(15_000 + CHANGED_MS)


def test_why_nothing_is_heard_is_said_once_and_that_it_is_mended_too(listener: Listener) -> None:
    listener.trouble = Unreachable("Bluetooth is switched off: switch it on")
    said = "no box is heard over the air: Bluetooth is switched off: switch it on"
    assert [line for line in listener.read(SAID_AGAIN_MS - 1_000) if "Bluetooth" in line] == [said]

    listener.trouble = None
    assert [line for line in listener.read(2_000) if "Bluetooth" in line] == ["Bluetooth works"]


def test_what_a_cable_complains_of_names_the_box(listener: Listener) -> None:
    listener.read(15_000)
    uid = listener.evening.boxes["1"].uid.hex()
    listener.telling.hear(Unreachable("box {box} at {port} is not paired", box=uid, port="COM3"))

    assert listener.read(200) == ["box 1 at COM3 is not paired"]


def test_a_cable_that_is_pulled_is_one_event_and_one_sentence(listener: Listener) -> None:
    listener.telling.hear(Unreachable("{port} is gone: plug the cable in again", port="COM3"))
    lines = listener.read(2_000)
    listener.telling.hear(Unreachable("there is no port {port}: plug the box in, or look for its name", port="COM3"))
    listener.telling.hear(Unreachable("there is no port {port}: plug the box in, or look for its name", port="COM4"))
    listener.telling.hear(Unreachable("box {box} at {port} is not paired", box="246f28abcd02", port="COM3"))
    lines += listener.read(2_000)

    assert [line for line in lines if "COM" in line] == [
        "COM3 is gone: plug the cable in again",
        "there is no port COM4: plug the box in, or look for its name",
        "box 246f28abcd02 at COM3 is not paired",
    ]


def test_a_port_that_fails_later_for_another_reason_says_so(listener: Listener) -> None:
    listener.telling.hear(Unreachable("{port} is gone: plug the cable in again", port="COM3"))
    listener.read(SAME_MS + 1_000)
    listener.telling.hear(Unreachable("{port} is in use by another program: close it and try again", port="COM3"))

    assert "COM3 is in use by another program: close it and try again" in listener.read(200)
