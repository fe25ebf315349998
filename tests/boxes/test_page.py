"""The edge of a box that is a page, and the one file that it is made of; in browsers: tests/web/test_box_page.py."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from dalej.boxes.page import glass
from moveclock import facts as k
from tests.vm.machine import run

UID, SECRET, SEED = "020000000001", "11" * 32, "22" * 32
MACHINE = Path(glass.__file__).parent / "machine"
PINNED = Path(__file__).parents[1] / "vm" / "node_modules" / "@micropython" / "micropython-webassembly-pyscript"
HALF_A_MINUTE, FOUR = 30_000, 15


class Page:
    """A script without a browser. `files`: what it has written down."""

    def __init__(self, files: dict[str, str] | None = None) -> None:
        self.files = {} if files is None else files
        self.now = 0
        self.glass = glass.Glass(UID, SECRET, json.dumps(self.files), SEED, 0, False, False)
        self.said = self.turn()

    def turn(self) -> dict[str, Any]:
        said: dict[str, Any] = json.loads(self.glass.turn(self.now))
        for path, data in said["changed"].items():
            if data is None:
                self.files.pop(path)
            else:
                self.files[path] = data
        return said

    def wait(self, ms: int) -> None:
        for _ in range(0, ms, 50):
            self.now += 50
            self.said = self.turn()

    def tap(self, contact: int) -> None:
        self.glass.edge(contact, True, self.now)
        self.wait(50)
        self.glass.edge(contact, False, self.now)
        self.wait(500)

    def set_up(self, limit_ms: int = HALF_A_MINUTE, seats: int = FOUR) -> str:
        problem = self.glass.set_up(limit_ms, seats, 0, 0, False, False, self.now)
        self.wait(50)
        return str(problem)


def playing() -> Page:
    """Seat B is to move."""
    page = Page()
    assert page.set_up() == ""
    for _ in range(3):
        page.tap(0)
    assert (page.said["state"], page.said["seat"]) == (k.RUNNING, k.SEAT_B)
    return page


def test_a_page_that_comes_back_stands_where_it_was_and_gives_no_number_again() -> None:
    page = playing()
    head = page.glass.box.journal.head
    page.wait(6_000)  # a checkpoint

    again = Page(dict(page.files))

    assert (again.said["state"], again.said["seat"], again.said["reason"]) == (k.STOPPED, k.SEAT_B, k.BOX_LOST_POWER)
    assert again.glass.box.journal.epoch == page.glass.box.journal.epoch
    assert again.glass.box.journal.head > head


def test_a_page_that_slept_has_lost_its_power_and_no_time() -> None:
    page = playing()

    page.glass.cut(page.now)
    page.wait(50)

    assert (page.said["state"], page.said["reason"]) == (k.STOPPED, k.BOX_LOST_POWER)
    assert page.said["displays"][0].strip() == "0:30", "within the five seconds of a checkpoint"


def test_rules_that_no_table_can_play_by_are_refused_in_a_sentence_and_change_nothing() -> None:
    page = playing()

    assert page.set_up(limit_ms=500) == "limit_ms is 500, allowed are 1000 to 3600000"
    assert page.said["state"] == k.RUNNING


def test_a_new_game_by_other_rules_follows_the_one_that_it_ends() -> None:
    page = playing()

    assert page.set_up(limit_ms=40_000, seats=7) == ""

    assert (page.said["state"], page.said["game"]) == (k.READY, 2)
    assert [text.strip() for text in page.said["displays"]] == ["0:40", "0:40", "0:40", ""]


def test_the_same_on_micropython() -> None:
    here = Path(glass.__file__)
    said = run(
        f"""
import json
from glass import Glass
page = Glass({UID!r}, {SECRET!r}, "{{}}", {SEED!r}, 0, False, False)
print(page.set_up(30000, 15, 0, 0, False, False, 10) == "")
files, now = {{}}, 10
def turn():
    said = json.loads(page.turn(now))
    for path in said["changed"]:
        files[path] = said["changed"][path]
    return said
for _ in range(3):
    page.edge(0, True, now)
    now += 50
    turn()
    page.edge(0, False, now)
    now += 500
    said = turn()
print(said["state"], said["seat"])
again = json.loads(Glass({UID!r}, {SECRET!r}, json.dumps(files), {SEED!r}, 0, False, False).turn(1))
print(again["state"], again["seat"])
""",
        [here],
        path=[here.parent],
    )

    assert said.split() == ["True", str(k.RUNNING), "1", str(k.STOPPED), "1"]


@pytest.mark.parametrize("name", ["micropython.mjs", "micropython.wasm"])
def test_the_machine_in_the_page_is_the_one_that_the_tests_pin(name: str) -> None:
    assert (MACHINE / name).read_bytes() == (PINNED / name).read_bytes()
