"""Pages in a real browser, headless: a phone, touches, keys, no scripts, a server that comes back, what is loaded.

Skipped where there is no Chromium; Debian has it in the package chromium.
"""

from __future__ import annotations

import asyncio
import re
from pathlib import Path
from typing import Final

import pytest

from dalej.domain.game.calls import TAKEN
from dalej.domain.tournament.tournament import GameAt
from dalej.event.event import state_of
from dalej.event.ledger import Report
from dalej.event.reading import read
from moveclock import facts as k
from tests.domain.begun import NEXT_DALEJ_OF_B
from tests.web.halls import CLAIMED, DISPUTED, LATE, claimed, decided_on, hall, late, league
from tests.web.reading import PHONE, WITHIN_MS, Chromium, Seen, decided, looked_at, play
from tests.web.rig import DEADLINE_S, Rig, held_port, served
from tests.world import NOON

HEAVIEST: Final = 150 * 1024  # bytes, headings and all, of a page that a phone has never seen
TERMINAL_KEYS: Final = 13  # that the same game takes in the terminal: its racks, an Enter behind each, F8


def is_clean(seen: Seen, rig: Rig) -> None:
    """Nothing has failed or was forbidden, and nobody else was asked for anything."""
    assert seen.problems == []
    assert [one for one in seen.addresses if not one.startswith((f"{rig.url}/", "data:"))] == []


# --- a referee's phone -----


@pytest.mark.parametrize("scripts", [True, False], ids=["with scripts", "without scripts"])
@pytest.mark.parametrize(
    ("table", "kind", "touched", "of"),
    [
        (LATE, "time_out", ["button:has-text('late or not valid → undone, draws 1')"], "ruling"),
        (CLAIMED, "early_click", ["button:has-text('yes → ')"], "claim"),
        (DISPUTED, "dispute", ["button:has-text('stop the clock')"], ""),
    ],
    ids=["time-out", "claim", "dispute"],
)  # fmt: skip
def test_a_referee_answers_a_call_in_at_most_three_touches(
    chromium: Chromium, tmp_path: Path, table: int, kind: str, touched: list[str], of: str, scripts: bool
) -> None:
    async def story(rig: Rig) -> None:
        async with chromium.page(**PHONE, java_script_enabled=scripts) as seen:
            await seen.log_in(rig.url, "referee", "Sowa")
            await seen.touch(seen.page.locator(f"[data-call='{table} {kind}'] a.card"))
            for selector in touched:
                await seen.touch(seen.page.locator(selector))
            await seen.page.wait_for_url(f"{rig.url}/hall", timeout=WITHIN_MS)
            await seen.page.locator(".done:not(.trouble)").wait_for(timeout=WITHIN_MS)
            assert seen.touches <= 3
            if of:
                assert decided(rig.ledger, of) == ["Sowa (referee)"]
            else:
                (asked,) = rig.ledger.open_requests()
                assert (asked.command, asked.table, asked.who) == ("stop", table, "Sowa (referee)")
            if scripts:
                assert await seen.page.evaluate("document.documentElement.scrollWidth") <= 390
            is_clean(seen, rig)

    play(chromium, tmp_path, story, event=hall(tmp_path))


@pytest.mark.parametrize(
    ("table", "kind", "answer", "of", "why"),
    [
        (LATE, "time_out", "valid in time → it stands", "ruling", "seen by the referee"),
        (LATE, "time_out", "late or not valid → undone, draws 1", "ruling", "seen by the referee"),
        (CLAIMED, "early_click", "yes → fresh move: Jeż (B)", "claim", "the tile was drawn late"),
        (CLAIMED, "early_click", "no → Jeż (B) plays on: 0:38", "claim", "the tile was drawn first"),
    ],
)
def test_a_call_is_answered_where_it_stands_in_two_touches_and_the_page_stays(
    chromium: Chromium, tmp_path: Path, table: int, kind: str, answer: str, of: str, why: str
) -> None:
    async def story(rig: Rig) -> None:
        async with chromium.page(**PHONE) as seen:
            await seen.log_in(rig.url, "referee", "Sowa")
            call = seen.page.locator(f"[data-call='{table} {kind}']")
            await seen.touch(call.locator("summary"))
            await looked_at(rig)
            rig.ledger.decide("warning", {"player": 9, "kind": "warning"}, who="Lis", when_ms=NOON, why="noise")
            await seen.page.wait_for_timeout(700)  # what comes meanwhile closes nothing
            await seen.touch(call.get_by_text(answer))
            await seen.page.locator(".done:not(.trouble)").wait_for(timeout=WITHIN_MS)
            assert (seen.touches, seen.page.url) == (2, f"{rig.url}/hall")
            (made,) = [one for one in read(rig.ledger).decisions() if one.kind == of]
            assert (made.who, made.why) == ("Sowa (referee)", why)
            is_clean(seen, rig)

    play(chromium, tmp_path, story, event=hall(tmp_path))


def test_a_disputed_move_begins_anew_in_three_touches_as_what_it_changes_stands_beside_it(
    chromium: Chromium, tmp_path: Path
) -> None:
    event, _at = decided_on(tmp_path)

    async def story(rig: Rig) -> None:
        async with chromium.page(**PHONE) as seen:
            await seen.log_in(rig.url, "referee", "Sowa")
            await seen.touch(seen.page.locator(f"[data-call='{DISPUTED} dispute'] summary"))
            await seen.reads("plays on:")
            await seen.touch(seen.page.locator(f"[data-call='{DISPUTED} dispute'] a.else"))
            await seen.reads("what was played of it does not count")
            anew = seen.page.locator("section", has_text="restart the move")
            await seen.touch(anew.locator("button:text-is('technical fault')"))
            await seen.page.wait_for_url(f"{rig.url}/hall", timeout=WITHIN_MS)
            assert seen.touches == 3
            asked = [(one.command, one.why) for one in rig.ledger.open_requests()]
            assert asked == [("restart_move", "technical fault"), ("resume", "technical fault")]
            await seen.page.goto(f"{rig.url}/table/{DISPUTED}")
            await seen.reads("asked of the box, which has not answered yet: start the move again (Sowa")
            await seen.page.locator(".done button").wait_for(timeout=WITHIN_MS)
            is_clean(seen, rig)

    play(chromium, tmp_path, story, event=event)


@pytest.mark.parametrize(
    ("ways", "seat", "why"),
    [
        (["button:has-text('mistaken click → ')"], "B", "a click by mistake"),
        (["summary:has-text('something else')", ".sends button[value=D]"], "D", "the wrong player clicked"),
    ],
    ids=["to whom it was", "to another"],
)
def test_a_disputed_turn_is_given_back_in_at_most_three_touches(
    chromium: Chromium, tmp_path: Path, ways: list[str], seat: str, why: str
) -> None:
    event, _at = decided_on(tmp_path)

    async def story(rig: Rig) -> None:
        async with chromium.page(**PHONE) as seen:
            await seen.log_in(rig.url, "referee", "Sowa")
            await seen.touch(seen.page.locator(f"[data-call='{DISPUTED} dispute'] a.card"))
            for way in ways:
                await seen.touch(seen.page.locator(way))
            await seen.page.wait_for_url(f"{rig.url}/hall", timeout=WITHIN_MS)
            assert seen.touches == 1 + len(ways)
            asked = [(one.command, one.args.get("seat"), one.why) for one in rig.ledger.open_requests()]
            assert asked == [("set_seat", seat, why), ("resume", None, why)]
            is_clean(seen, rig)

    play(chromium, tmp_path, story, event=event)


@pytest.mark.parametrize("counted", ["3", ""])
def test_6h_tiles_that_are_in_no_valid_set_are_counted_beside_the_touch_that_rules_so(
    chromium: Chromium, tmp_path: Path, counted: str
) -> None:
    async def story(rig: Rig) -> None:
        async with chromium.page(**PHONE) as seen:
            await seen.log_in(rig.url, "referee", "Sowa")
            await seen.page.goto(f"{rig.url}/answer/{LATE}/time_out")
            await seen.touch(seen.page.get_by_text("something else"))
            await seen.page.locator(".counting input[name=tiles]").fill(counted)
            await seen.touch(seen.page.locator(".counting button[value=takes_invalid]"))
            await seen.page.wait_for_url(f"{rig.url}/hall", timeout=WITHIN_MS)
            is_clean(seen, rig)
        (ruled,) = [one for one in read(rig.ledger).decisions() if one.kind == "ruling"]
        assert ruled.body["tiles"] == (int(counted) if counted else None)

    play(chromium, tmp_path, story, event=hall(tmp_path))


def test_a_call_that_is_settled_leaves_its_place_for_a_moment_so_that_no_other_moves_under_the_finger(
    chromium: Chromium, tmp_path: Path
) -> None:
    at = claimed()
    told = len(at.facts)
    at.order(k.C_DENY_CLAIM)
    at.order(k.C_RESUME)

    async def story(rig: Rig) -> None:
        async with chromium.page(**PHONE) as seen:
            await seen.log_in(rig.url, "referee", "Sowa")
            calls = seen.page.locator(".calls > li[id]")
            order = [str(await one.get_attribute("id")) for one in await calls.all()]
            place = order.index(f"call-{CLAIMED}-early_click")
            assert place < len(order) - 1, "a call stands below it"
            below = seen.page.locator(f"#{order[place + 1]}")
            before = await below.bounding_box()
            rig.ledger.record([Report(fact, NOON, None) for fact in at.facts[told:]])
            gone = seen.page.locator(".calls > .gone")
            await gone.wait_for(timeout=WITHIN_MS)
            assert await gone.inner_text() == f"✓ table {CLAIMED}, early click: settled"
            assert await below.bounding_box() == before
            await asyncio.sleep(1)
            assert await below.bounding_box() == before, "as long as somebody may look at it"
            is_clean(seen, rig)

    play(chromium, tmp_path, story, event=hall(tmp_path))


def test_what_was_done_is_said_and_then_only_its_way_back_is_left(chromium: Chromium, tmp_path: Path) -> None:
    async def story(rig: Rig) -> None:
        async with chromium.page(**PHONE) as seen:
            await seen.log_in(rig.url, "referee", "Sowa")
            await seen.page.goto(f"{rig.url}/answer/{LATE}/time_out")
            await seen.page.locator("button:has-text('late or not valid → undone')").tap()
            said = seen.page.locator("#done .done p")
            await said.wait_for(timeout=WITHIN_MS)
            assert "Table 1, game 1," in await said.inner_text()
            high = await said.evaluate("(one) => one.offsetHeight")
            await seen.page.evaluate("document.getAnimations().forEach((one) => one.finish())")
            assert await said.evaluate("(one) => one.offsetHeight") < high, "one line of it is left"
            await seen.page.locator("#done .done button").tap()
            await (
                seen.page.locator("#done .done").get_by_text("Taken back: table 1, move 1").wait_for(timeout=WITHIN_MS)
            )
            is_clean(seen, rig)

    play(chromium, tmp_path, story, event=hall(tmp_path))


def test_a_call_that_the_table_settles_says_so_on_the_page_that_would_have_answered_it(
    chromium: Chromium, tmp_path: Path
) -> None:
    event, at = decided_on(tmp_path)
    told = len(at.facts)

    async def story(rig: Rig) -> None:
        async with chromium.page(**PHONE) as seen, rig.browser() as other:
            await other.log_in("referee", "Lis")
            await seen.log_in(rig.url, "referee", "Sowa")
            await seen.page.goto(f"{rig.url}/answer/{DISPUTED}/dispute")
            await seen.reads("plays on:")
            at.press(k.SEDZIA, held=True)
            at.wait(4_000)  # 3, 2, 1
            rig.ledger.record([Report(fact, NOON, None) for fact in at.facts[told:]])
            await seen.reads("This is settled: it waits for nobody any more.")
            assert await seen.page.locator("form.act").count() == 0

            refused = await other.act("take_call", {"table": DISPUTED, "call": "dispute"})
            assert f"table {DISPUTED} waits for nobody any more" in await refused.text()
            assert decided(rig.ledger, TAKEN) == []

    play(chromium, tmp_path, story, event=event)


def test_what_was_answered_asks_for_what_is_left_and_says_what_its_touch_does_also_under_the_focus(
    chromium: Chromium, tmp_path: Path
) -> None:
    async def story(rig: Rig) -> None:
        async with chromium.page(**PHONE) as seen, rig.browser() as other:
            await other.log_in("referee", "Lis")
            await seen.log_in(rig.url, "referee", "Sowa")
            take = seen.page.locator(f"[data-call='{CLAIMED} early_click'] a[data-act=take_call]")
            await take.focus()
            await other.act("grant_claim", {"table": CLAIMED}, why="the players agree")
            await other.act("rule", {"table": LATE}, {"verdict": "stands"}, why="the players agree")
            claim = seen.page.locator(f"[data-call='{CLAIMED} early_click'].patient a[data-act=resume]")
            await claim.wait_for(timeout=WITHIN_MS)
            assert await claim.inner_text() == "let the clock go on"
            late_call = seen.page.locator(f"[data-call='{LATE} time_out']")
            await late_call.get_by_text("is next and presses Już; play goes on").wait_for(timeout=WITHIN_MS)
            assert await late_call.locator("a.take").count() == 0
            is_clean(seen, rig)

    play(chromium, tmp_path, story, event=hall(tmp_path))


def test_one_touch_tells_the_others_who_is_on_the_way_and_the_page_stays(chromium: Chromium, tmp_path: Path) -> None:
    async def story(rig: Rig) -> None:
        async with chromium.page(**PHONE) as seen, rig.browser() as other:
            await seen.log_in(rig.url, "referee", "Sowa")
            await other.log_in("referee", "Lis")
            await seen.touch(seen.page.locator(f"[data-call='{CLAIMED} early_click'] a[data-act=take_call]"))
            await seen.page.locator(".done:not(.trouble)").wait_for(timeout=WITHIN_MS)
            assert seen.page.url == f"{rig.url}/hall"
            assert seen.touches == 1
            assert decided(rig.ledger, TAKEN) == ["Sowa (referee)"]
            assert "Sowa" in await other.page("/hall")
            is_clean(seen, rig)

    play(chromium, tmp_path, story, event=hall(tmp_path))


def test_a_reason_that_is_typed_and_sent_with_enter_is_the_one_that_is_kept(chromium: Chromium, tmp_path: Path) -> None:
    async def story(rig: Rig) -> None:
        async with chromium.page(**PHONE) as seen:
            await seen.log_in(rig.url, "referee", "Sowa")
            await seen.page.goto(f"{rig.url}/answer/{LATE}/time_out")
            await seen.page.get_by_text("something else").tap()
            await seen.page.get_by_text("another reason, or another number of tiles").tap()
            await seen.page.locator("label:has([value=undone])").tap()
            await seen.page.get_by_text("another reason", exact=True).tap()
            await seen.page.locator("[name=own]:visible").fill("the owl saw it")
            await seen.page.keyboard.press("Enter")
            await seen.page.wait_for_url(f"{rig.url}/hall", timeout=WITHIN_MS)
        (ruled,) = [one for one in read(rig.ledger).decisions() if one.kind == "ruling"]
        assert ruled.why == "the owl saw it"

    play(chromium, tmp_path, story, event=hall(tmp_path))


def test_everything_that_is_touched_is_large_enough_for_a_finger(chromium: Chromium, tmp_path: Path) -> None:
    async def story(rig: Rig) -> None:
        async with chromium.page(**PHONE) as seen:
            await seen.log_in(rig.url, "organiser", "Borsuk")
            for path in ("/hall", f"/table/{LATE}", f"/answer/{LATE}/time_out", "/results", "/results/1", "/acts"):
                await seen.page.goto(rig.url + path)
                for one in await seen.page.locator("main a:visible, main button:visible, main summary:visible").all():
                    box = await one.bounding_box()
                    assert box is not None
                    assert box["height"] >= 44 or box["x"] < 0, (path, await one.inner_text(), box)
                assert await seen.page.evaluate("document.documentElement.scrollWidth") <= 390, path

    play(chromium, tmp_path, story, event=hall(tmp_path))


# --- everybody's phone -----


def test_whoever_looks_for_a_seat_finds_it_in_two_touches(chromium: Chromium, tmp_path: Path) -> None:
    async def story(rig: Rig) -> None:
        async with chromium.page(**PHONE) as seen:
            await seen.page.goto(rig.url)
            await seen.page.get_by_role("button", name="Look as the public").tap()
            await seen.page.locator("#people").wait_for(timeout=WITHIN_MS)
            await seen.touch(seen.page.locator("#q"))
            await seen.page.keyboard.type("wilk")
            assert await seen.page.locator("#people li:visible").count() == 1
            await seen.touch(seen.page.locator("#people li:visible a"))
            await seen.page.locator(".mine .seat").wait_for(timeout=WITHIN_MS)
            assert re.search(r"table\s*\d", await seen.page.locator(".mine").inner_text())
            assert seen.touches <= 2
            is_clean(seen, rig)

    play(chromium, tmp_path, story, event=league(tmp_path), public_open=True)


def test_a_name_is_found_without_scripts_too(chromium: Chromium, tmp_path: Path) -> None:
    async def story(rig: Rig) -> None:
        async with chromium.page(**PHONE, java_script_enabled=False) as seen:
            await seen.page.goto(rig.url)
            await seen.page.get_by_role("button", name="Look as the public").tap()
            await seen.page.locator("#q").fill("wilk")
            await seen.page.get_by_role("button", name="find").tap()
            await seen.page.wait_for_url("**q=wilk", timeout=WITHIN_MS)
            assert await seen.page.locator("#people li").count() == 1
            assert 'http-equiv="refresh"' in await seen.page.content()

    play(chromium, tmp_path, story, event=league(tmp_path), public_open=True)


@pytest.mark.parametrize(("role", "path"), [("referee", "/hall"), ("public", "/find")])
def test_a_page_with_all_that_it_loads_is_light_and_asks_nobody_else(
    chromium: Chromium, tmp_path: Path, role: str, path: str
) -> None:
    async def story(rig: Rig) -> None:
        async with chromium.page(**PHONE) as seen:
            policies = set()

            seen.page.on("response", lambda answer: policies.add(answer.headers.get("content-security-policy")))
            await seen.log_in(rig.url, role, "Sowa")
            await seen.page.wait_for_load_state("load")
            await looked_at(rig)
            async with asyncio.timeout(DEADLINE_S):
                while not all(any(one.endswith(end) for one in seen.weights) for end in (path, ".css", "live.js")):  # noqa: ASYNC110 -- nobody tells
                    await asyncio.sleep(0.02)
            pages = {address: size for address, size in seen.weights.items() if "/login" not in address}
            assert sum(pages.values()) < HEAVIEST
            (policy,) = policies
            assert policy is not None
            assert "unsafe-" not in policy
            is_clean(seen, rig)

    play(chromium, tmp_path, story, event=hall(tmp_path))


# --- keys -----


def test_a_game_of_four_takes_no_more_keys_than_in_the_terminal_and_an_enter(
    chromium: Chromium, tmp_path: Path
) -> None:
    async def story(rig: Rig) -> None:
        async with chromium.page() as seen:
            await seen.log_in(rig.url, "referee", "Sowa")
            await seen.page.goto(f"{rig.url}/results/1")
            await seen.press("0", "Tab", "1", "5", "Tab", "2", "5", "Tab", "3", "5", "Enter")
            await seen.page.locator(".done:not(.trouble)").wait_for(timeout=WITHIN_MS)
            assert seen.keys <= TERMINAL_KEYS + 1
            state = state_of(read(rig.ledger))
            assert state.current is not None
            (score,) = [one.scores for at, one in state.current.results.items() if at == GameAt(1, 1)]
            assert [each.seat for each in score] == ["A", "B", "C", "D"]
            assert await seen.page.evaluate("document.activeElement.name") == "racks:A", "the next game's first"
            assert await seen.page.evaluate("document.activeElement.id") == "r2A"
            is_clean(seen, rig)

    play(chromium, tmp_path, story, event=league(tmp_path))


# --- what is live -----


def test_what_a_box_was_asked_and_has_not_answered_stands_on_its_call_and_is_not_folded_away(
    chromium: Chromium, tmp_path: Path
) -> None:
    event, _at = decided_on(tmp_path)

    async def story(rig: Rig) -> None:
        async with chromium.page(**PHONE) as seen:
            await seen.log_in(rig.url, "referee", "Sowa")
            await seen.page.goto(f"{rig.url}/answer/{DISPUTED}/dispute")
            await seen.page.locator("button:has-text('nothing wrong → ')").tap()
            await seen.page.wait_for_url(f"{rig.url}/hall", timeout=WITHIN_MS)
            call = seen.page.locator(f"[data-call='{DISPUTED} dispute']")
            await call.get_by_text("(Sowa").wait_for(timeout=WITHIN_MS)
            await seen.page.evaluate("document.getAnimations().forEach((one) => one.finish())")
            said = seen.page.locator("#done .done:not(.firm) p")
            assert "waiting for the box" in await said.inner_text()
            assert await said.evaluate("(one) => one.offsetHeight") > 10
            is_clean(seen, rig)

    play(chromium, tmp_path, story, event=event)


def test_a_call_that_is_settled_goes_from_every_page_and_what_is_typed_stays(
    chromium: Chromium, tmp_path: Path
) -> None:
    async def story(rig: Rig) -> None:
        async with chromium.page() as seen, rig.browser() as other:
            await seen.log_in(rig.url, "referee", "Sowa")
            call = seen.page.locator(f"[data-call='{LATE} time_out']")
            await call.wait_for(timeout=WITHIN_MS)
            settled = late()
            told = len(settled.facts)
            settled.press(NEXT_DALEJ_OF_B)
            rig.ledger.record([Report(fact, NOON, None) for fact in settled.facts[told:]])
            await call.wait_for(state="detached", timeout=WITHIN_MS)
            await other.log_in("referee", "Lis")
            await seen.page.goto(f"{rig.url}/find")
            await looked_at(rig)
            await seen.page.locator("#q").fill("wilk")
            async with seen.page.expect_response("**/find", timeout=WITHIN_MS):  # a page that is read anew
                await other.act("warn", fields={"player": "1"}, why="shouts", sure="yes")
            await seen.page.wait_for_timeout(100)
            assert await seen.page.locator("#q").input_value() == "wilk"
            assert await seen.page.locator("#people li:visible").count() == 1
            is_clean(seen, rig)

    play(chromium, tmp_path, story, event=hall(tmp_path))


def test_a_session_that_is_ended_is_back_at_the_log_in_by_itself_and_says_why(
    chromium: Chromium, tmp_path: Path
) -> None:
    async def story(rig: Rig) -> None:
        async with chromium.page() as referee, chromium.page() as public, rig.browser() as organiser:
            await referee.log_in(rig.url, "referee", "Sowa")
            await public.log_in(rig.url, "public", "")
            await organiser.log_in("organiser", "Borsuk")
            await looked_at(rig, 2)
            await organiser.act("end_sessions", fields={"role": "everybody"}, sure="yes")
            for seen in (referee, public):
                await seen.reads("An organiser has ended the sessions")
                assert await seen.page.get_by_label("Password").is_visible()

    play(chromium, tmp_path, story, event=hall(tmp_path))


def test_whoever_logs_out_is_told_so(chromium: Chromium, tmp_path: Path) -> None:
    async def story(rig: Rig) -> None:
        async with chromium.page(**PHONE) as seen:
            await seen.log_in(rig.url, "referee", "Sowa")
            await looked_at(rig)
            await seen.page.locator(".me summary").tap()
            await seen.page.get_by_role("button", name="Log out").tap()
            await seen.reads("You are logged out.")
            await seen.page.goto(rig.url)
            assert seen.page.url.startswith(f"{rig.url}/login")

    play(chromium, tmp_path, story, event=hall(tmp_path))


def test_the_log_in_works_on_a_phone_and_without_scripts(chromium: Chromium, tmp_path: Path) -> None:
    async def story(rig: Rig) -> None:
        async with chromium.page(**PHONE, java_script_enabled=False) as seen:
            await seen.page.goto(rig.url)
            await seen.page.get_by_role("link", name="Italiano").tap()
            assert await seen.page.locator("html").get_attribute("lang") == "it"
            await seen.page.locator("[name=name]").fill("Lis")
            await seen.page.locator("[name=password]").fill("not that one")
            await seen.page.locator("button.does").tap()
            await seen.page.get_by_role("alert").wait_for(timeout=WITHIN_MS)
            assert await seen.page.locator("[name=name]").input_value() == "Lis"
            assert await seen.page.locator("[name=password]").input_value() == ""

    play(chromium, tmp_path, story)


def test_a_page_says_that_its_server_is_gone_and_is_back_at_the_log_in_of_the_next(
    chromium: Chromium, tmp_path: Path
) -> None:
    first, second = tmp_path / "first", tmp_path / "second"
    first.mkdir()
    second.mkdir()

    async def run(port: int) -> None:
        async with chromium.page() as seen:
            async with served(first, port=port) as rig:
                await seen.log_in(rig.url, "referee", "Sowa")
                await looked_at(rig)
                await seen.page.route("**/login*", lambda route: route.abort())  # what comes of the end
            await seen.page.unroute("**/login*")
            async with served(second, port=port) as rig:
                await seen.page.goto(f"{rig.url}/hall")
                await seen.page.wait_for_url("**/login?over=over", timeout=WITHIN_MS)
                await seen.reads("This session is over; log in again.")
                assert await seen.page.get_by_label("Password").is_visible()

    with held_port() as port:
        chromium.run(run(port))
