"""`dalej screen` before there is a picture."""

from __future__ import annotations

import io
import os
from collections.abc import Callable
from pathlib import Path

import pytest

from dalej.cli.screen import show
from dalej.clock import ManualClock, SystemClock
from dalej.desk.feed.messages import Pulse, Welcome
from dalej.domain.tournament.tournament import RoundKey
from dalej.event.event import Event
from dalej.office.acts.wishes import Hands, Wish
from dalej.rulesets.rulebook import load
from dalej.views.feed import Feed
from dalej.views.hall import HallModel
from tests import world
from tests.cli.conftest import Program

MINUTE_MS = 60_000


def on_a_terminal(monkeypatch: pytest.MonkeyPatch, kind: str, encoding: str = "utf-8") -> None:
    """A person sits at a terminal of that kind."""
    monkeypatch.setattr("dalej.cli.screen.is_terminal", lambda: True)
    monkeypatch.setattr("dalej.cli.screen.encoding", lambda: encoding)
    monkeypatch.setenv("TERM", kind)


def test_a_screen_needs_a_terminal(dalej: Program, tmp_path: Path) -> None:
    dalej("demo", "--tables", "1", "--moves", "2", "--event", "hall.dalej", "--json")

    done = dalej("screen", "hall.dalej")

    assert done.code == 1
    assert "needs a terminal" in done.err


def test_a_screen_needs_an_event(dalej: Program, monkeypatch: pytest.MonkeyPatch) -> None:
    on_a_terminal(monkeypatch, "xterm")

    done = dalej("screen", "gone.dalej")

    assert done.code == 1
    assert "gone.dalej does not exist" in done.err


def test_a_screen_of_nothing_that_goes_without_saying_is_the_start_page(
    dalej: Program, monkeypatch: pytest.MonkeyPatch
) -> None:
    on_a_terminal(monkeypatch, "xterm")
    monkeypatch.setattr("sys.stdin", io.StringIO("q\n"))

    done = dalej("screen")

    assert (done.code, "the events of this folder" in done.out) == (0, True), done


@pytest.mark.skipif(os.name == "nt", reason="consoles of Windows have no TERM")
@pytest.mark.parametrize("kind", ["", "dumb", "unknown"])
def test_a_terminal_that_cannot_be_painted_on_is_refused_before_anything_is_made(
    dalej: Program, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, kind: str
) -> None:
    on_a_terminal(monkeypatch, kind)

    done = dalej("screen", "gone.dalej")

    assert done.code == 1
    assert "cannot be painted on this terminal" in done.err
    assert len(done.err.splitlines()) == 1
    assert not list(tmp_path.iterdir())


def test_a_terminal_that_has_not_all_letters_is_refused(
    dalej: Program, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    on_a_terminal(monkeypatch, "xterm", "iso8859-2")

    done = dalej("screen", "gone.dalej")

    assert done.code == 1
    assert "speaks UTF-8, this one speaks iso8859-2" in done.err
    assert not list(tmp_path.iterdir())


class UnpaintedApp:
    """A screen on which one thing is wished once `heard` has told its feed of a desk."""

    def __init__(self, hands: Hands, clock: ManualClock, heard: Callable[[Feed], None]) -> None:
        self.feed = Feed(HallModel(load("school-league")), clock, event_name="", ruleset="school-league")
        self._hands = hands
        self._heard = heard

    def exit(self) -> None:
        raise AssertionError("nobody ends it")

    async def run_async(self) -> None:
        self._heard(self.feed)
        await self._hands.do(Wish("start_round", {"minutes": 45}))


@pytest.mark.parametrize("simulated", [True, False], ids=["demo", "desk"])
def test_what_is_decided_on_a_demo_is_decided_in_its_time_and_at_a_desk_in_ours(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, simulated: bool
) -> None:
    own = ManualClock()
    began_ms = SystemClock().wall_ms()

    def heard(feed: Feed) -> None:
        feed.welcomed(Welcome(1, "demo", simulated))
        feed.pulsed(Pulse(0, began_ms, 2.0, 0))
        own.time_ms = 11 * MINUTE_MS

    def make_app(*_: object, hands: Hands, **__: object) -> UnpaintedApp:
        return UnpaintedApp(hands, own, heard)

    monkeypatch.setattr("dalej.tui.app.make_app", make_app)
    with world.new_event(tmp_path, "school-league", 8).ledger as ledger:
        world.draw(Event(ledger, who="Gęś", wall_ms=lambda: began_ms - MINUTE_MS))
        show(ledger, "Sowa")
        started = Event(ledger, who="", wall_ms=own.wall_ms).state().rounds[RoundKey("league", 1)].clock

    assert started is not None
    in_the_hall_ms = began_ms + (2 * 11 * MINUTE_MS if simulated else 0)
    assert 0 <= started.starts_ms - in_the_hall_ms < MINUTE_MS
