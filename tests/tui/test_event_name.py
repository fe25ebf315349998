"""What the event is called stands on every screen: when it is changed, on those that are open too."""

from __future__ import annotations

from pathlib import Path

from dalej.clock import ManualClock
from dalej.office import settings
from dalej.tui.feed import FactsRecorded
from dalej.tui.screens.hall import HallScreen
from dalej.tui.screens.results import ResultsScreen
from dalej.tui.widgets.bars import HallBar, Headline
from dalej.views.feed import Feed
from tests.tui.fingers import at_the_app
from tests.tui.officescreens import LARGE, an_office
from tests.tui.paper import PaperHall


async def test_it_follows_the_settings_on_screens_that_are_open(tmp_path: Path) -> None:
    with an_office(tmp_path, 4) as office:
        async with at_the_app(office, "Sowa", ResultsScreen) as sowa:
            await sowa.pilot.resize_terminal(*LARGE)
            line = sowa.screen.query_one(Headline)
            assert "jesień" in str(line.content)
            office.event.change_seen(lambda seen: settings.setting(seen, "name", "zima").change)
            sowa.app._post(FactsRecorded(frozenset()))
            while sowa.app.title == "jesień":
                await sowa.pilot.pause(0.01)
            await sowa.rests()
            assert "· zima" in str(line.content)
            assert "jesień" not in str(line.content)
            await sowa.pilot.press("escape")
            await sowa.rests()
            assert isinstance(sowa.screen, HallScreen)
            assert "zima ·" in str(sowa.screen.query_one(HallBar).content)


def test_until_the_book_is_read_it_is_called_as_it_was() -> None:
    feed = Feed(PaperHall([]), ManualClock(), event_name="wiosna", ruleset="Liga")
    assert feed.event_name == "wiosna"
    feed.called = lambda: "lato"
    assert feed.event_name == "lato"
