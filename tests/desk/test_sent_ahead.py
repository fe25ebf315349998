"""What is sent ahead with an instant: held by the box, nobody needs a link for it until then."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest

from dalej.event.ledger import APPLIED
from moveclock import facts as k
from tests.desk.setting import Place, Setting

SOON_MS = 20_000


@pytest.fixture
def playing(tmp_path: Path) -> Iterator[tuple[Setting, Place, int]]:
    """Two boxes that share one link, in a game; the first was asked for its final lap in two minutes."""
    with Setting(tmp_path, 2) as setting:
        place = setting.desk(links=1)
        setting.run(SOON_MS)
        for number, box in enumerate(setting.boxes):
            setting.configure(place, box)
            setting.run(SOON_MS)
            setting.moves(1, box=number)
        due_ms = setting.clock.wall_ms() + 120_000
        place.desk.ask(setting.box.uid, "final_lap", {"reason": "round_time"}, who="referee", at_wall_ms=due_ms)
        place.radio.serve()
        setting.run(SOON_MS)
        yield setting, place, due_ms


def due(setting: Setting) -> int | None:
    assert setting.box.box is not None
    return setting.box.box.commands.due()


def test_a_box_that_holds_it_needs_no_link_and_is_open_until_it_has_answered(
    playing: tuple[Setting, Place, int],
) -> None:
    setting, place, due_ms = playing
    assert due(setting) is not None
    assert not place.desk.is_asked(setting.box.uid)
    (request,) = place.ledger.open_requests()

    setting.run(due_ms - setting.clock.wall_ms() + 2 * SOON_MS)

    assert place.ledger.outcomes(request.id)[-1].result == APPLIED
    assert not place.said("no_link")


def test_a_box_that_was_out_of_reach_at_the_instant_answers_when_it_is_back(
    playing: tuple[Setting, Place, int],
) -> None:
    setting, place, due_ms = playing
    place.radio.set_reach(setting.box.uid, False)
    setting.run(due_ms - setting.clock.wall_ms() + 4 * SOON_MS)
    place.radio.set_reach(setting.box.uid, True)
    setting.run(2 * SOON_MS)

    assert [fact.kind for fact in place.facts()].count(k.FINAL_LAP_BEGUN) == 1
    assert not place.ledger.open_requests()


def test_a_box_that_started_anew_is_told_again(playing: tuple[Setting, Place, int]) -> None:
    setting, place, _due_ms = playing
    setting.box.power_off()
    setting.run(1_000)
    setting.box.power_on()
    assert due(setting) is None

    setting.run(SOON_MS)

    assert due(setting) is not None
    assert len(place.ledger.open_requests()) == 1


def test_a_link_lost_before_the_box_said_that_it_holds_it_repeats_the_same_instant(
    tmp_path: Path, kept_open: ExitStack
) -> None:
    setting = kept_open.enter_context(Setting(tmp_path, 1))
    place = setting.desk()
    setting.run(SOON_MS)
    setting.configure(place)
    setting.run(SOON_MS)
    setting.moves(1)
    due_ms = setting.clock.wall_ms() + 120_000
    place.desk.ask(setting.box.uid, "final_lap", {"reason": "round_time"}, who="referee", at_wall_ms=due_ms)
    while (first := due(setting)) is None:
        setting.run(1)
    place.radio.set_reach(setting.box.uid, False)
    setting.clock.wall_start_ms += 700  # the laptop's clock is set right meanwhile
    setting.run(SOON_MS // 4)
    place.radio.set_reach(setting.box.uid, True)
    setting.run(SOON_MS)

    assert due(setting) == first
    assert not place.desk.is_asked(setting.box.uid)
