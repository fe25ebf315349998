"""A box on a cable is served beside those in the air, takes no link of the adapter, and comes back to it unplugged."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from dalej.simulator.air import SimAdapter
from dalej.simulator.box import SimBox
from moveclock import facts as k
from tests.desk.setting import Place, Setting, expect_clean


def plug(setting: Setting, place: Place, box: SimBox) -> None:
    """A cable is a link that the adapter neither makes nor has room taken by."""
    place.desk.plugged(box.uid, setting.world.now_ms)
    assert isinstance(place.radio, SimAdapter)
    place.radio.cut(box.uid)  # as `Serving.linked` ends the link that the box had before
    place.radio._slots += 1
    place.radio._connect(box)


def pull(setting: Setting, place: Place, box: SimBox) -> None:
    assert isinstance(place.radio, SimAdapter)
    place.radio.cut(box.uid)
    place.radio._slots -= 1
    place.desk.unplugged(box.uid, setting.world.now_ms)
    place.radio.serve()


def connects(place: Place) -> int:
    """How many connects over the air there were."""
    assert isinstance(place.radio, SimAdapter)
    return place.radio.connects


@pytest.fixture
def setting(tmp_path: Path) -> Iterator[Setting]:
    with Setting(tmp_path, boxes=3) as setting:
        yield setting


def test_a_box_on_a_cable_leaves_its_place_in_the_air_to_another(setting: Setting) -> None:
    place = setting.desk(links=2)
    setting.run(20_000)

    plug(setting, place, setting.boxes[0])
    setting.run(20_000)

    assert all(place.desk.is_live(box.uid) for box in setting.boxes)
    before = connects(place)
    setting.run(400_000)
    assert connects(place) == before  # every box has its link, and keeps it
    assert all(place.desk.is_live(box.uid) for box in setting.boxes)


def test_an_unplugged_box_is_linked_over_the_air_again(setting: Setting) -> None:
    place = setting.desk(links=3)
    plug(setting, place, setting.boxes[0])
    setting.run(20_000)

    pull(setting, place, setting.boxes[0])
    assert not place.desk.is_live(setting.boxes[0].uid)
    setting.run(20_000)

    assert place.desk.is_live(setting.boxes[0].uid)


def test_a_cable_whose_link_is_lost_is_not_made_up_for_over_the_air(setting: Setting) -> None:
    place = setting.desk(links=3)
    plug(setting, place, setting.boxes[0])
    setting.run(20_000)
    before = connects(place)

    place.radio.cut(setting.boxes[0].uid)
    setting.run(60_000)

    assert connects(place) == before
    assert not place.desk.is_live(setting.boxes[0].uid)


def test_what_happens_on_cable_and_air_is_one_log(setting: Setting) -> None:
    place = setting.desk(links=2)
    setting.run(20_000)
    setting.configure(place)
    setting.moves(2)
    plug(setting, place, setting.boxes[0])
    setting.run(5_000)
    setting.moves(2)
    pull(setting, place, setting.boxes[0])
    setting.run(10_000)
    setting.moves(2)
    setting.settle(place)

    assert [fact.kind for fact in place.facts()].count(k.MOVE_ENDED) == 6
    expect_clean(place.ledger)


def test_a_box_of_no_table_gets_no_link(setting: Setting) -> None:
    place = setting.desk(links=3)
    setting.run(20_000)

    place.desk.forget(setting.boxes[1].uid)
    place.radio.serve()
    setting.run(20_000)

    assert not place.radio.connected(setting.boxes[1].uid)
    assert [heard.table for heard in place.desk.heard_since(0)] != []
    assert setting.boxes[1].uid not in place.desk.lines
    place.desk.know(setting.boxes[1].uid, setting.boxes[1].secret, 7)
    setting.run(20_000)
    assert place.desk.is_live(setting.boxes[1].uid)


def test_a_request_to_a_box_that_is_forgotten_ends_without_a_link(setting: Setting) -> None:
    place = setting.desk(links=3)
    setting.run(20_000)
    place.radio.set_reach(setting.boxes[0].uid, False)
    setting.ask(place, "blink")
    place.desk.forget(setting.boxes[0].uid)

    assert not place.ledger.open_requests()
    assert place.said("no_link")


def test_a_command_sent_ahead_takes_effect_at_its_instant_without_a_link(setting: Setting) -> None:
    place = setting.desk(links=3)
    setting.run(20_000)
    setting.configure(place)
    box = setting.boxes[0]
    assert box.box is not None
    due_ms = setting.clock.wall_ms() + 20_000
    place.desk.ask(box.uid, "start", {}, who="referee", at_wall_ms=due_ms)
    place.radio.serve()
    setting.run(1_000)
    place.radio.set_reach(box.uid, False)

    setting.run(due_ms - setting.clock.wall_ms() - 100)
    assert box.box.clock.state == k.READY
    setting.run(200)
    assert box.box.clock.state == k.RUNNING
