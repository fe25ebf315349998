"""An act that takes several steps is done whole or not at all: a disk that fails in the midst of it leaves nothing."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest

from dalej.errors import DalejError, Unreachable
from dalej.event.event import Event
from dalej.event.ledger import Ledger
from dalej.event.reading import read
from dalej.office.acts.performer import Performer
from dalej.office.acts.wishes import Done, Wish
from moveclock import facts as k
from tests.office.acts.desk import LIS, SOWA, WHY, ActingDesk
from tests.world import player_at

Story = Callable[[ActingDesk], Wish]


def excluded(desk: ActingDesk) -> Wish:
    return Wish("exclude", {"player": player_at(desk.event().state(), 1, k.SEAT_A), "unwarned": True}, WHY)


def withdrawn(desk: ActingDesk) -> Wish:
    return Wish("withdraw", {"player": player_at(desk.event().state(), 1, k.SEAT_C)}, WHY)


def let_back(desk: ActingDesk) -> Wish:
    desk.wish(withdrawn(desk))
    return Wish("back", {"player": player_at(desk.event().state(), 1, k.SEAT_C)}, WHY)


def taken_back(desk: ActingDesk) -> Wish:
    undo = desk.wish(withdrawn(desk)).undo
    assert undo is not None
    return undo


def denied(desk: ActingDesk) -> Wish:
    desk.setting.tap(2 * k.SEAT_C + 1)
    desk.setting.run(1_000)
    desk.setting.tap(k.SEDZIA)
    desk.setting.run(1_000)
    return Wish("deny_claim", {"table": 1, "move": desk.clock.move}, WHY)


def fails_at(ledger: Ledger, request: int) -> None:
    """From now on the disk takes no more request with that id or a later one."""
    with closing(sqlite3.connect(ledger.path)) as db, db:
        db.execute(f"CREATE TRIGGER full BEFORE INSERT ON requests WHEN NEW.id >= {request} "
                   "BEGIN SELECT RAISE(ABORT, 'no room'); END")  # fmt: skip


@pytest.mark.parametrize("story", [excluded, withdrawn, let_back, taken_back, denied])
def test_a_disk_that_fails_at_the_last_step_leaves_no_step_of_the_act(
    desk: ActingDesk, tmp_path: Path, story: Story
) -> None:
    """Given an act that decides and asks a box, when its last request cannot be written, then nothing is decided."""
    wish, ledger = story(desk), desk.place.ledger
    actor = desk.actor_of(wish)
    ledger.backup(tmp_path / "before.dalej")
    requests = desk.performer.do(actor, wish).requests
    assert requests, "the act asks a box"
    head = ledger.head()
    with Ledger.open(tmp_path / "before.dalej") as restored:
        fails_at(restored, requests[-1])
        before = restored.head(), read(restored).decisions(), restored.open_requests()
        assert before[0] < head

        with pytest.raises(DalejError, match="no room"):
            desk.performer_on(restored).do(actor, wish)

        assert (restored.head(), read(restored).decisions(), restored.open_requests()) == before
        restored.expect_whole()


def test_two_who_exclude_one_player_at_once_decide_it_once(desk: ActingDesk) -> None:
    """Given a box that was asked to skip a seat and has not answered, when somebody excludes that player too, then
    nothing is decided beside it.
    """
    seat = player_at(desk.event().state(), 1, k.SEAT_A)
    desk.performer.do(LIS, Wish("withdraw", {"player": seat}, WHY))
    decided = read(desk.place.ledger).decisions()

    with pytest.raises(Unreachable, match="asked for it already"):
        desk.performer.do(SOWA, excluded(desk))

    assert read(desk.place.ledger).decisions() == decided


def test_what_an_act_wrote_before_it_was_refused_is_not_remembered_either(desk: ActingDesk) -> None:
    """Given an event that read its own decision in the midst of a step, when the step is given up, then it reads the
    tournament as if nothing had been.
    """
    event, player = desk.event(), player_at(desk.event().state(), 1, k.SEAT_A)

    class GivenUp(Exception):
        """The step is refused."""

    def step() -> None:
        with event.together():
            desk.performer_on(desk.place.ledger, event).do(LIS, Wish("warn", {"player": player}, WHY))
            assert len(event.state().players[player].warnings) == 1
            raise GivenUp

    with pytest.raises(GivenUp):
        step()

    assert event.state().players[player].warnings == ()
    assert len(desk.event().state().players[player].warnings) == 0


def test_an_act_that_asks_too_much_of_an_iterator_leaves_nobody_waiting(desk: ActingDesk) -> None:
    """Given StopIteration, which asyncio hands on to nobody: whoever wished would wait for ever, and all after him."""

    def fails(event: Event, wish: Wish) -> Done:
        raise StopIteration

    performer = Performer(desk.event, desk.lines.append, {"stop": fails})

    with pytest.raises(RuntimeError, match="stop"):
        performer.do(LIS, Wish("stop", {"table": 1, "reason": "referee"}, WHY))
