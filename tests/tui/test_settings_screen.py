"""The organiser's settings: what differs from the regulation is marked, a change says first what it touches."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import NoReturn

import pytest

from dalej.clock import ManualClock
from dalej.domain.rules.options import option_value, with_option
from dalej.domain.rules.rulesets import schema
from dalej.errors import Unreachable
from dalej.event.event import Event
from dalej.event.ledger import APPLIED, NO_LINK, REFUSED, Ledger
from dalej.event.tableplans import seats_in_play, settings_text
from dalej.office.settingnames import LABELS
from dalej.rulesets.rulebook import available, load
from dalej.tui.app import make_app
from dalej.tui.ask.confirm import Confirm
from dalej.tui.feed import FactsRecorded
from dalej.tui.room import Room
from dalej.tui.screens.settings import SettingsScreen
from dalej.tui.widgets.bars import Outcome
from dalej.tui.widgets.grid import PickList
from dalej.views.book import EventBook
from dalej.views.settingwords import GROUPS, choices, full_key, meant
from tests import world
from tests.placing import place
from tests.tui.officescreens import Looking, at_event
from tests.world import play

KEYS = [key for group in GROUPS for key in group.keys]


@pytest.fixture
def league(tmp_path: Path) -> Iterator[Event]:
    with world.an_event(tmp_path, 11) as event:
        yield event


async def choose(desk: Looking, key: str) -> None:
    desk.paged.query_one(PickList).choose_number(KEYS.index(key))
    await desk.settle()


async def write(desk: Looking, key: str, value: str) -> None:
    """Type it into the setting's editor; nothing is set yet."""
    await choose(desk, key)
    await desk.press("enter")
    await desk.type(value)


async def pick(desk: Looking, key: str, digit: str) -> None:
    """Put one of the ready values in; nothing is set yet."""
    await choose(desk, key)
    await desk.press("enter", digit)


def line(desk: Looking, label: str) -> str:
    return next(one for one in desk.text().splitlines() if f" {label} " in one)


def table(desk: Looking, number: int) -> str:
    return next(one for one in desk.text().splitlines() if f" table {number}: " in one)


def test_every_setting_has_a_group_and_words() -> None:
    named = {full_key(key) for key in KEYS}
    assert set(schema()) <= named
    assert set(KEYS) == set(LABELS)
    assert len(KEYS) == len(set(KEYS))


@pytest.mark.parametrize("ruleset", available())
def test_every_ready_value_is_one_that_may_be_set(ruleset: str) -> None:
    rules = load(ruleset)
    for key in KEYS:
        if full_key(key) in schema():
            for text in choices(key, rules):
                option_value(key, text)


async def test_keys_change_the_limit_and_the_mark_says_that_the_regulation_allows_it(path: Path) -> None:
    async with at_event(path, SettingsScreen) as desk:
        assert "= time for a move" in line(desk, "time for a move")
        assert "says so" in line(desk, "time for a move")
        await desk.press("down", "down", "down", "down", "down", "enter")
        await desk.type("2 h")
        assert desk.has("✗ time for a move is 2 h, expected a time from 5 s to 1 h")
        await desk.press("ctrl+u")
        await desk.type("50 s")
        assert desk.has("✓ 40 s → 50 s")
        assert desk.has("Boxes go by it once they are sent it")
        await desk.press("enter")
        assert desk.state.ruleset.limit_ms == 50_000
        assert "◇ time for a move" in line(desk, "time for a move")
        assert "allows it" in line(desk, "time for a move")
        await desk.press("delete")
        assert desk.state.ruleset.limit_ms == 40_000
        await desk.press("z")
        assert desk.has("↶ Taken back: time for a move: 40 s → 50 s")
        await desk.press("z")
        assert desk.has("↶ Taken back: time for a move: 50 s → 40 s")
        assert desk.state.ruleset.limit_ms == 40_000


async def test_the_mouse_alone_changes_it_too(path: Path) -> None:
    async with at_event(path, SettingsScreen) as desk:
        await desk.click_button("time for a move")
        await desk.click_button(" 60 s ")
        await desk.click_button("Enter set it")
        assert desk.state.ruleset.limit_ms == 60_000
        await desk.click_button("as the regulation says")
        assert desk.state.ruleset.limit_ms == 40_000


async def test_limit_czasu_eliminations_are_shortened_to_40_s_by_the_sentence_that_says_so_and_not_lengthened(
    tmp_path: Path,
) -> None:
    path = world.event_file(tmp_path, 16, ruleset="pl-eliminations")
    grant = "„Organizator eliminacji może"
    async with at_event(path, SettingsScreen) as desk:
        await write(desk, "limit", "70")
        assert desk.has("✗ The regulation says otherwise")
        await desk.press("enter")
        assert isinstance(desk.screen, Confirm)
        assert desk.has("The regulation permits as well: 40 s, LIMIT CZASU")
        await desk.press("escape", "escape")
        assert desk.state.ruleset.limit_ms == 60_000

        await write(desk, "limit", "40")
        assert desk.has("◇ The regulation allows it.")
        await desk.press("enter")
        assert desk.state.ruleset.limit_ms == 40_000
        assert desk.has(grant)


async def test_what_the_regulation_forbids_is_asked_about_with_its_own_words_and_marked(path: Path) -> None:
    async with at_event(path, SettingsScreen) as desk:
        await pick(desk, "draw", "3")
        assert desk.has("✗ The regulation says otherwise")
        await desk.press("enter")
        assert isinstance(desk.screen, Confirm)
        assert desk.has("kolejny gracz ma prawo")
        await desk.press("enter")
        assert isinstance(desk.screen, Confirm), "Enter confirms nothing by accident"
        await desk.press("y")
        assert desk.state.ruleset.draw == "block"
        assert "SAYS OTHERWISE" in line(desk, "draw before the click")
        assert desk.has("not as the regulation says: 1")
        await desk.press("f")
        assert desk.has("draw before the click")
        assert not desk.has("time of a round")


async def test_a_change_that_results_depend_on_says_which_before_it_is_made(tmp_path: Path) -> None:
    with world.an_event(tmp_path, 11) as event:
        play(event, random.Random(5))
        async with at_event(tmp_path / "event.dalej", SettingsScreen) as desk:
            await write(desk, "joker_points", "30")
            assert desk.has("! Results that are in depend on it.")
            await desk.press("enter")
            assert isinstance(desk.screen, Confirm)
            await desk.press("escape")
            assert desk.state.ruleset.joker_points == 50


@pytest.mark.parametrize(
    ("key", "text", "becomes"),
    [("limit", "60", "60 s"), ("round_time", "60", "60 min"), ("guard", "250", "250 ms"), ("guard", "0.2", "0.2 s"),
     ("limit", "1 min", "1 min"), ("draw", "The click is refused", "block"), ("joker_points", "30", "30")],
)  # fmt: skip
def test_a_number_alone_has_the_unit_of_its_setting_and_words_are_typed_as_they_read(
    key: str, text: str, becomes: str
) -> None:
    assert meant(key, text, choices(key, load("school-league"))) == becomes


async def test_60_for_the_limit_is_60_seconds(path: Path) -> None:
    async with at_event(path, SettingsScreen) as desk:
        await write(desk, "limit", "60")
        assert desk.has("✓ 40 s → 60 s")
        await desk.press("enter")
        assert desk.state.ruleset.limit_ms == 60_000
        assert desk.said.startswith("✓ time for a move: 40 s → 60 s")


async def test_what_is_wrong_is_said_once_in_the_screens_own_words_and_not_in_the_next_editor(path: Path) -> None:
    async with at_event(path, SettingsScreen) as desk:
        await write(desk, "limit", "2")
        await desk.press("enter")
        assert desk.text().count("expected a time from 5 s") == 1
        assert desk.has("time for a move is 2 s, expected")
        await desk.press("escape")
        await choose(desk, "draw")
        await desk.press("delete")
        await desk.press("enter")
        await desk.type("never")
        assert desk.has('✗ draw before the click is "never", expected one of off / noted, the next')
        await desk.press("escape")
        await choose(desk, "sound")
        await desk.press("enter")
        assert not desk.has("✗")
        assert not desk.has("expected")


async def test_an_error_said_outside_an_editor_is_gone_in_the_next_one(tmp_path: Path) -> None:
    path = world.event_file(tmp_path, 11)
    async with at_event(path, SettingsScreen) as desk:
        desk.paged.query_one(Outcome).refuse("that was wrong")
        await choose(desk, "sound")
        await desk.press("enter")
        assert not desk.has("that was wrong")


async def test_no_line_shows_a_files_own_word_and_every_value_is_whole(path: Path) -> None:
    async with at_event(path, SettingsScreen) as desk:
        shown = ""
        for key in KEYS[::6]:
            desk.paged.query_one(PickList).choose_number(KEYS.index(key))
            await desk.pilot.pause()
            shown += desk.text()
        assert "…" not in shown
        assert "lot/rank" not in shown
        assert not {f"{key}_" for key in KEYS} & set(shown.split())
        assert "League 6×4" in shown or "League" in shown
        assert "the table waits for a verdict" in shown


async def test_a_name_is_changed_from_what_it_is(path: Path) -> None:
    async with at_event(path, SettingsScreen) as desk:
        await choose(desk, "name")
        await desk.press("enter", "end")
        await desk.type(" 2")
        await desk.press("enter")
        assert desk.state.name.endswith(" 2")
        assert len(desk.state.name) > 2


async def test_a_change_that_comes_too_late_says_so_while_typing(tmp_path: Path) -> None:
    path = world.event_file(tmp_path, 11, closed=1, seated=False)
    async with at_event(path, SettingsScreen) as desk:
        await write(desk, "joker_points", "30")
        assert desk.has("is closed and scored by it")
        await desk.press("enter")
        assert not desk.lines


async def test_two_organisers_the_second_is_told_what_the_first_has_set(path: Path) -> None:
    async with at_event(path, SettingsScreen, who="Gęś") as first, at_event(path, SettingsScreen, who="Lis") as second:
        for desk, value in ((first, "45 s"), (second, "50 s")):
            await write(desk, "limit", value)
        await first.press("enter")
        await second.press("enter")
        assert "Gęś has decided on this in the meantime" in second.said
        assert second.state.ruleset.limit_ms == 45_000


async def test_the_screen_speaks_another_language_at_once(path: Path) -> None:
    async with at_event(path, SettingsScreen) as desk:
        await pick(desk, "language", "3")
        assert desk.has("italiano")
        await desk.press("enter")
        await desk.click_button("2 English")
        assert desk.has("The screen speaks English now.")


async def test_a_referee_sees_everything_and_changes_nothing(path: Path) -> None:
    async with at_event(path, SettingsScreen, role="referee") as desk:
        await choose(desk, "limit")
        await desk.press("enter")
        assert "the organiser changes settings" in desk.said
        await desk.press("delete")
        assert not desk.lines


async def test_a_ledger_that_cannot_be_read_is_said_across_the_screen_and_nothing_is_wished(path: Path) -> None:
    async with at_event(path, SettingsScreen) as desk:
        desk.book._page = replace(desk.book.page, problem=Unreachable("the event file is gone"))
        desk.paged.refresh_page()
        await desk.settle()
        assert desk.has("░░░ THIS IS OLD: the event file cannot be read. the event file is gone ░░░")
        await choose(desk, "limit")
        await desk.press("delete")
        await desk.press("enter")
        await desk.type("50 s")
        await desk.press("enter")
        assert not desk.lines
        assert desk.said == "✗ the event file is gone"


@pytest.mark.parametrize("by", ["keys", "mouse"])
async def test_a_limit_of_a_minute_reads_as_the_regulations_write_it(path: Path, by: str) -> None:
    async with at_event(path, SettingsScreen) as desk:
        if by == "keys":
            await write(desk, "limit", "1 min")
            await desk.press("enter")
        else:
            await desk.click_button("time for a move")
            await desk.click_button(" 60 s ")
            await desk.click_button("Enter set it")
        assert desk.state.ruleset.limit_ms == 60_000
        assert "60 s" in line(desk, "time for a move")
        assert desk.said.startswith("✓ time for a move: 40 s → 60 s")
        assert not desk.has("1 min")


async def test_a_simulated_hall_without_a_round_refuses_what_no_box_would_get(tmp_path: Path) -> None:
    path = world.event_file(tmp_path, 12, seated=False)
    async with at_event(path, SettingsScreen) as desk:
        await write(desk, "limit", "50 s")
        assert desk.has("Boxes go by it once a round is seated.")
        desk.room.feed.simulated = True
        await desk.press("enter")
        assert desk.said.startswith("✗ No box would go by it: this hall is simulated")
        assert desk.state.ruleset.limit_ms == 40_000
        await desk.press("escape")
        await write(desk, "check_results", "advised")
        await desk.press("enter")
        assert desk.state.ruleset.check_results == "advised", "what no box needs to know is no box's business"


# --- boxes -----


def stand_boxes(event: Event, *tables: int) -> None:
    for table in tables:
        place(event.ledger, table, f"{table:012x}", since="now", goes_on=False, who="Gęś", when_ms=1, why="here")


def was_sent(event: Event, table: int, result: str, *, limit_ms: int = 0, reason: str = "") -> None:
    """The box of that table was configured by the rules as they are, or with another limit; `result` "": no answer."""
    state = event.state()
    rules = with_option(state.ruleset, "limit_ms", limit_ms) if limit_ms else state.ruleset
    assert state.current is not None
    assert state.current.seating is not None
    at = state.current.seating.at(table)
    assert at is not None
    text = settings_text(rules, seats_in_play(state, at), 1)
    asked = event.ledger.request(
        table, "configure", {"game": 1, "settings": text}, who="desk", at_ms=2, box=f"{table:012x}"
    )
    if result:
        token = event.ledger.lease.acquire("desk", event.wall_ms(), 1).token
        event.ledger.outcome(asked.id, result, at_ms=3, token=token, reason=reason)


def sent_from(ledger: Ledger) -> EventBook:
    return EventBook(Event(ledger, who="", wall_ms=lambda: 0))


@pytest.fixture
def with_boxes(path: Path) -> Iterator[Callable[[Room], SettingsScreen]]:
    with Ledger.open(path) as ledger:
        yield lambda room: SettingsScreen(room, sent_from(ledger))


async def test_each_table_says_whether_its_box_has_the_settings(
    path: Path, league: Event, with_boxes: Callable[[Room], SettingsScreen]
) -> None:
    stand_boxes(league, 1, 2)
    was_sent(league, 1, APPLIED)
    was_sent(league, 2, NO_LINK)
    async with at_event(path, with_boxes) as desk:
        await desk.press("b")
        assert desk.has("Boxes ━━━━━····· 1 of 2 have them · ○ box not heard: 2")
        assert "● table 1: " in table(desk, 1)
        assert "has the settings" in table(desk, 1)
        assert "box not heard" in table(desk, 2)
        assert "no box" in table(desk, 3)


async def test_a_changed_limit_is_sent_to_boxes_that_rest_and_each_answer_is_shown(
    path: Path, league: Event, with_boxes: Callable[[Room], SettingsScreen]
) -> None:
    stand_boxes(league, 1, 2, 3)
    for number in (1, 2, 3):
        was_sent(league, number, APPLIED)
    async with at_event(path, with_boxes) as desk:
        assert not desk.has("send to the boxes")
        await write(desk, "limit", "60 s")
        await desk.press("enter", "b")
        assert "goes by older settings" in table(desk, 1)
        await desk.click_button("send to the boxes")
        assert desk.said == "✓ Asked to take the settings: the boxes of tables 1, 2, 3."
        assert "sent, no answer yet" in table(desk, 2)
        token = league.ledger.lease.acquire("desk", league.wall_ms(), 1).token
        for asked, result, reason in zip(
            league.ledger.open_requests(), (APPLIED, REFUSED, NO_LINK), ("", "state", ""), strict=True
        ):
            league.ledger.outcome(asked.id, result, at_ms=9, token=token, reason=reason)
        desk.paged.post_message(FactsRecorded(frozenset()))
        await desk.settle()
        assert "has the settings" in table(desk, 1)
        assert "box refused them" in table(desk, 2)
        assert "box not heard" in table(desk, 3)
        await desk.press("S")
        assert desk.said == "✓ Asked to take the settings: the boxes of tables 2, 3."


async def test_how_many_boxes_have_them_stands_below_the_list_wherever_one_is_and_grows_with_each_answer(
    path: Path, league: Event
) -> None:
    stand_boxes(league, 1, 2)
    with Ledger.open(path) as ledger:

        def of_the_room(room: Room) -> SettingsScreen:
            return SettingsScreen(replace(room, sent=sent_from(ledger)))

        async with at_event(path, of_the_room) as desk:
            assert desk.has("Boxes ·········· 0 of 2 have them · ○ not set up yet: 1, 2")
            await desk.press("S")
            assert desk.has("0 of 2 have them · … sent, no answer yet: 1, 2")
            token = league.ledger.lease.acquire("desk", league.wall_ms(), 1).token
            for has, asked in enumerate(league.ledger.open_requests(), 1):
                league.ledger.outcome(asked.id, APPLIED, at_ms=9, token=token)
                desk.paged.post_message(FactsRecorded(frozenset()))
                await desk.settle()
                assert desk.has(f"{has} of 2 have them")


async def test_scoring_is_no_matter_of_the_boxes(
    path: Path, league: Event, with_boxes: Callable[[Room], SettingsScreen]
) -> None:
    stand_boxes(league, 1)
    was_sent(league, 1, APPLIED)
    async with at_event(path, with_boxes) as desk:
        await write(desk, "joker_points", "30")
        assert not desk.has("Boxes go by it")
        await desk.press("enter", "y", "b")
        assert "has the settings" in table(desk, 1)


def test_the_app_hands_the_screen_what_tells_which_boxes_have_them(path: Path) -> None:
    with Ledger.open(path) as ledger:
        sent = sent_from(ledger)
        app = make_app(ledger, load("school-league"), never, ManualClock(0), event_name="jesień", sent=sent)
        assert SettingsScreen(app.room)._sent is sent


async def never() -> NoReturn:
    """A desk that is not there."""
    raise Unreachable("no desk")
