"""What the browser says aloud: its voice is replaced by one that writes down what it was given, for a machine without
loudspeakers has none.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any, Final

from dalej.domain.game.facts import SEATS
from tests.office.acts.desk import ActingDesk
from tests.web.halls import LATE, hall, league
from tests.web.reading import WITHIN_MS, Chromium, Seen
from tests.web.rig import Rig, served

# `window.said`: what was begun, with its language; `window.over()`: the voice has come to the end of it.
VOICE: Final = """(() => {
  window.said = [];
  let now = null;
  const speech = new EventTarget();
  speech.getVoices = () => VOICES.map((lang) => ({ lang, name: lang }));
  speech.speak = (one) => { now = one; window.said.push([one.lang, one.text]); if (one.onstart) one.onstart({}); };
  speech.cancel = () => { const was = now; now = null; if (was && was.onerror) was.onerror({ error: 'canceled' }); };
  window.over = () => { const was = now; now = null; if (was) was.onend({}); };
  Object.defineProperty(window, 'speechSynthesis', { value: speech, configurable: true });
  window.SpeechSynthesisUtterance = class { constructor(text) { this.text = text; } };
})();"""
SWITCH: Final = "[data-aloud=calls]"


async def hears(seen: Seen, count: int) -> list[list[str]]:
    """Until so much was begun."""
    await seen.page.wait_for_function("count => window.said.length >= count", arg=count, timeout=WITHIN_MS)
    found: list[list[str]] = await seen.page.evaluate("window.said")
    return found


async def beats(seen: Seen, rig: Rig) -> None:
    """Until the page has heard of the hall again."""
    await seen.page.evaluate("document.addEventListener('dalej:heard', () => { window.heard = true; }, {once: true})")
    rig.watch.stir()
    await seen.page.wait_for_function("() => window.heard === true", timeout=WITHIN_MS)


def told(
    chromium: Chromium, folder: Path, event: Path, story: Callable[[Rig, Seen], Awaitable[None]],
    voices: str = "['pl-PL', 'en-GB']", **looks: Any,
) -> None:  # fmt: skip
    async def run() -> None:
        async with served(folder, event=event) as rig, chromium.page(**looks) as seen:
            await seen.page.add_init_script(VOICE.replace("VOICES", voices))
            await seen.log_in(rig.url, "organiser", "Borsuk")
            await story(rig, seen)
            assert seen.problems == []

    chromium.run(run())


def test_only_what_is_called_after_it_was_switched_on_is_said_and_once(chromium: Chromium, tmp_path: Path) -> None:
    desk = ActingDesk(tmp_path)

    async def story(rig: Rig, seen: Seen) -> None:
        assert await seen.page.locator(SWITCH).get_attribute("aria-pressed") == "false"
        await seen.page.locator(SWITCH).click()
        assert await seen.page.evaluate("window.said") == []

        desk.setting.moves(2)
        desk.setting.run(70_000)
        [[language, text]] = await hears(seen, 1)
        assert (language, text) == ("en-GB", "table 1, time is over")
        await seen.page.evaluate("over()")
        await beats(seen, rig)
        await seen.page.reload()
        assert await seen.page.locator(SWITCH).get_attribute("aria-pressed") == "true"
        await beats(seen, rig)
        assert await seen.page.evaluate("window.said") == [], "it was said before the page was loaded anew"

    try:
        told(chromium, tmp_path, desk.place.ledger.path, story)
    finally:
        desk.close()


def test_nothing_old_is_said_at_switching_on(chromium: Chromium, tmp_path: Path) -> None:
    async def story(rig: Rig, seen: Seen) -> None:
        await seen.page.locator(f"[data-call='{LATE} time_out']").wait_for(timeout=WITHIN_MS)
        await seen.page.locator(SWITCH).click()
        await beats(seen, rig)
        assert await seen.page.evaluate("window.said") == []

    told(chromium, tmp_path, hall(tmp_path), story)


def test_calls_are_said_one_after_the_other_and_what_was_answered_meanwhile_is_not(
    chromium: Chromium, tmp_path: Path
) -> None:
    call = """([table, what]) => { const one = document.createElement('p'); one.id = 'c' + table;
      one.dataset.call = table + ' x'; one.dataset.say = what; one.dataset.began = 1; document.body.append(one); }"""
    heard = "document.dispatchEvent(new CustomEvent('dalej:heard', {detail: {now: 1}}))"

    async def story(_rig: Rig, seen: Seen) -> None:
        await seen.page.locator(SWITCH).click()
        for table in (7, 8, 9):
            await seen.page.evaluate(call, [table, f"table {table}"])
        await seen.page.evaluate(heard)
        assert await hears(seen, 1) == [["en-GB", "table 7"]]
        await seen.page.evaluate("document.getElementById('c8').remove()")
        await seen.page.evaluate(heard)
        await seen.page.evaluate("over()")
        assert await hears(seen, 2) == [["en-GB", "table 7"], ["en-GB", "table 9"]]

    told(chromium, tmp_path, league(tmp_path), story)


def test_that_there_is_no_voice_for_the_language_is_told_in_words(chromium: Chromium, tmp_path: Path) -> None:
    async def story(_rig: Rig, seen: Seen) -> None:
        await seen.page.locator(SWITCH).click()
        await seen.reads("This device has no voice for this language")

    told(chromium, tmp_path, hall(tmp_path), story, voices="['de-DE']")


def test_the_draw_is_read_table_by_table_with_names_as_the_public_reads_them(
    chromium: Chromium, tmp_path: Path
) -> None:
    async def story(rig: Rig, seen: Seen) -> None:
        await seen.page.goto(f"{rig.url}/seating")
        button = {name: seen.page.locator(f"[data-aloud={name}]") for name in ("read", "pause", "go", "stop")}
        await button["read"].click()
        [[language, first]] = await hears(seen, 1)
        assert language == "en-GB"
        assert first.startswith("Table 1: A ")
        assert all(f"{letter} " in first for letter in SEATS)
        await seen.page.evaluate("over()")
        second = (await hears(seen, 2))[1][1]
        assert second.startswith("Table 2: ")
        assert await seen.page.locator("#table-2.said").count() == 1

        await button["pause"].click()
        await button["go"].click()
        assert (await hears(seen, 3))[2][1] == second, "a table that was cut off is read from its beginning"
        await button["stop"].click()
        await button["read"].wait_for(timeout=WITHIN_MS)
        await asyncio.sleep(0)
        assert len(await seen.page.evaluate("window.said")) == 3

    told(chromium, tmp_path, league(tmp_path), story)
