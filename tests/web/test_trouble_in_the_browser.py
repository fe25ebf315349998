"""What a hall's pages do when something goes wrong: two answer one call, a server dies amid an act, a tablet sleeps, a
link is bad. In Chromium, whose link and sleep can be commanded.
"""

from __future__ import annotations

import asyncio
import os
import signal
import subprocess
import sys
import time
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import pytest

from dalej.clock import SystemClock
from dalej.domain.game.calls import TAKEN
from dalej.domain.tournament.tournament import CLAIM
from dalej.event.event import Event
from dalej.event.ledger import Ledger
from dalej.event.reading import read
from dalej.office import rounds
from tests.processes import bounded
from tests.web.halls import CLAIMED, LATE, denied, hall, league
from tests.web.reading import PHONE, WITHIN_MS, Chromium, Seen, decided, looked_at, play
from tests.web.rig import DEADLINE_S, SECRETS, Rig, environment, held_port, passwords

TABLET: Final[dict[str, Any]] = {"viewport": {"width": 1024, "height": 768}, "has_touch": True}
SLEEPS_S: Final = 3.0
LATE_BY_S: Final = 1.0  # each way: two seconds until anything is answered
LOST: Final = "NO CONNECTION to the server"


@dataclass
class Link:
    """What the page is reached by: late each way by `late_s`, and silent, without a word, while it is `broken`; what is
    said comes to the server and no answer comes back while it is `silent`.
    """

    late_s: float = 0.0
    broken: bool = False
    silent: bool = False

    @asynccontextmanager
    async def to(self, url: str, at: int = 0) -> AsyncIterator[str]:
        """The address at this end; `at`: its port, 0: any."""
        port, ways, ends = int(url.rpartition(":")[2]), set[asyncio.Task[None]](), set[asyncio.StreamWriter]()

        async def carry(reader: asyncio.StreamReader, writer: asyncio.StreamWriter, *, back: bool) -> None:
            try:
                while data := await reader.read(1 << 16):
                    await asyncio.sleep(self.late_s)
                    while self.broken or (back and self.silent):  # noqa: ASYNC110 -- nobody is told that it has ended
                        await asyncio.sleep(0.05)
                    writer.write(data)
                    await writer.drain()
            except OSError:
                pass
            finally:
                writer.close()

        async def come(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
            ends.add(writer)
            coming = asyncio.current_task()
            assert coming is not None
            ways.add(coming)  # it may still be on its way to the server when all is over
            there, back = await asyncio.open_connection("127.0.0.1", port)
            ends.add(back)
            ways.add(asyncio.create_task(carry(reader, back, back=False)))
            ways.add(asyncio.create_task(carry(there, writer, back=True)))

        async with await asyncio.start_server(come, "127.0.0.1", at) as listening:
            try:
                yield f"http://127.0.0.1:{listening.sockets[0].getsockname()[1]}"
            finally:
                listening.close()  # nobody comes in while the others are seen out
                for way in ways:
                    way.cancel()
                await asyncio.gather(*ways, return_exceptions=True)
                for end in ends:
                    end.close()
                await asyncio.gather(*(end.wait_closed() for end in ends), return_exceptions=True)


ANSWER: Final = "button:has-text('late or not valid → undone')"


async def asks(seen: Seen) -> None:
    """The answer to the time-out, up to the last touch."""
    await seen.touch(seen.page.locator(f"[data-call='{LATE} time_out'] a.card"))
    await seen.page.locator(ANSWER).wait_for(timeout=WITHIN_MS)


async def answers(seen: Seen) -> None:
    await seen.touch(seen.page.locator(ANSWER))


def test_of_two_referees_who_answer_one_call_one_decides_and_the_other_is_told_that_it_was_done(
    chromium: Chromium, tmp_path: Path
) -> None:
    async def story(rig: Rig) -> None:
        async with chromium.page(**PHONE) as sowa, chromium.page(**PHONE) as lis:
            for seen, name in ((sowa, "Sowa"), (lis, "Lis")):
                await seen.log_in(rig.url, "referee", name)
                await asks(seen)
            await asyncio.gather(answers(sowa), answers(lis))
            for seen in (sowa, lis):
                await seen.page.locator(".done, .problem, .question").first.wait_for(timeout=WITHIN_MS)
            said = [await seen.page.locator("#main").inner_text() for seen in (sowa, lis)]
            assert len(decided(rig.ledger, "ruling")) == 1, said
            (winner,) = decided(rig.ledger, "ruling")
            told = said[1] if winner.startswith("Sowa") else said[0]
            assert winner.removesuffix(" (referee)") in told, "who was quicker"

    play(chromium, tmp_path, story, event=hall(tmp_path))


@contextmanager
def serving(folder: Path, event: Path, port: int) -> Iterator[subprocess.Popen[str]]:
    """`dalej serve`, a process of its own, that can be killed."""
    with subprocess.Popen(
        [sys.executable, "-m", "dalej", "serve", str(event), "--port", str(port)], stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT, text=True, encoding="utf-8", env=environment(folder),
    ) as process:  # fmt: skip
        try:
            assert process.stdout is not None
            with bounded(process):
                assert any(line.startswith("http") for line in process.stdout)
            yield process
        finally:
            process.kill()


def rulings(event: Path) -> list[str]:
    with Ledger.open(event, read_only=True) as ledger:
        return decided(ledger, "ruling")


UNANSWERED: Final = "it is not known whether this was done"


@pytest.mark.skipif(os.name != "posix", reason="Windows has no such signals")
def test_a_server_killed_before_an_act_is_written_is_told_of_in_words_and_the_act_is_neither_lost_nor_doubled(
    chromium: Chromium, tmp_path: Path
) -> None:
    event = hall(tmp_path)
    passwords(tmp_path).set("referee", SECRETS["referee"])

    async def run(port: int) -> None:
        url = f"http://127.0.0.1:{port}"
        async with chromium.page(**PHONE) as acting, chromium.page(**PHONE) as looking:
            with serving(tmp_path, event, port) as process:
                await acting.log_in(url, "referee", "Sowa")
                await looking.log_in(url, "referee", "Lis")
                await asks(acting)
                process.send_signal(signal.SIGSTOP)  # it hears nothing any more, and then it is gone
                await acting.page.locator(ANSWER).tap(no_wait_after=True)
            await acting.reads(UNANSWERED)
            assert await acting.page.locator(ANSWER).is_enabled()
            await answers(acting)  # still nobody there
            await acting.reads(UNANSWERED)
            await looking.reads(LOST)
            assert rulings(event) == []
            with serving(tmp_path, event, port):
                await looking.page.wait_for_url("**/login?over=over", timeout=WITHIN_MS)
                await looking.reads("This session is over; log in again.")
                await answers(acting)  # a server that knows nobody takes nothing from anybody
                await acting.page.wait_for_url("**/login?over=over", timeout=WITHIN_MS)
                assert rulings(event) == []
                await acting.log_in(url, "referee", "Sowa")
                await asks(acting)
                await answers(acting)
                await acting.page.locator(".done:not(.trouble)").wait_for(timeout=WITHIN_MS)
                assert rulings(event) == ["Sowa (referee)"]

    with held_port() as port:
        chromium.run(run(port))


@pytest.mark.skipif(os.name != "posix", reason="Windows has no such signals")
def test_a_server_killed_once_an_act_is_written_and_before_it_answers_has_done_it_once(
    chromium: Chromium, tmp_path: Path
) -> None:
    event = hall(tmp_path)
    passwords(tmp_path).set("referee", SECRETS["referee"])

    async def run(port: int) -> None:
        link = Link()
        async with chromium.page(**PHONE) as acting:
            with serving(tmp_path, event, port) as process:
                async with link.to(f"http://127.0.0.1:{port}") as url:
                    await acting.log_in(url, "referee", "Sowa")
                    await asks(acting)
                    link.silent = True
                    await acting.page.locator(ANSWER).tap(no_wait_after=True)
                    async with asyncio.timeout(DEADLINE_S):
                        while not rulings(event):  # noqa: ASYNC110 -- nobody tells
                            await asyncio.sleep(0.05)
                    process.kill()
            await acting.reads(UNANSWERED)
            with serving(tmp_path, event, port):
                await acting.log_in(f"http://127.0.0.1:{port}", "referee", "Sowa")
                assert rulings(event) == ["Sowa (referee)"]

    with held_port() as port:
        chromium.run(run(port))


def test_what_is_sent_once_more_because_its_answer_was_lost_is_done_once_and_the_page_goes_on(
    chromium: Chromium, tmp_path: Path
) -> None:
    async def story(rig: Rig) -> None:
        link = Link()
        async with chromium.page(**PHONE) as seen:
            async with link.to(rig.url) as url:
                port = int(url.rpartition(":")[2])
                await seen.log_in(url, "referee", "Sowa")
                await asks(seen)
                link.silent = True
                await seen.page.locator(ANSWER).tap(no_wait_after=True)
                async with asyncio.timeout(DEADLINE_S):
                    while not decided(rig.ledger, "ruling"):  # noqa: ASYNC110 -- nobody tells
                        await asyncio.sleep(0.05)
            await seen.reads(UNANSWERED)
            async with Link().to(rig.url, port):
                await answers(seen)
                await seen.page.locator(".done:not(.trouble)").wait_for(timeout=WITHIN_MS)
                assert decided(rig.ledger, "ruling") == ["Sowa (referee)"]

    play(chromium, tmp_path, story, event=hall(tmp_path))


def test_a_seat_whose_answer_was_lost_is_taken_once_when_it_is_tried_again(chromium: Chromium, tmp_path: Path) -> None:
    async def story(rig: Rig) -> None:
        link = Link()
        async with link.to(rig.url) as url, chromium.page(**PHONE) as seen:
            await seen.log_in(url, "organiser", "Borsuk")
            await seen.page.goto(f"{url}/seating")
            head = rig.ledger.head()
            link.silent = True
            await swap(seen)
            await seen.reads(UNANSWERED)
            link.silent = False
            await swap(seen)
            await seen.page.locator("#done .done").wait_for(timeout=WITHIN_MS)
            assert rig.ledger.head() - head == 1

    play(chromium, tmp_path, story, event=league(tmp_path))


async def swap(seen: Seen) -> None:
    """The players of the first two tables' first seats."""
    for table in (1, 2):
        await seen.page.locator(f"[data-table='{table}'][data-seat=A] a").tap()


def test_whoever_is_refused_by_keys_has_the_caret_where_it_is_wrong(chromium: Chromium, tmp_path: Path) -> None:
    async def story(rig: Rig) -> None:
        async with chromium.page() as seen:
            await seen.log_in(rig.url, "organiser", "Borsuk")
            await seen.page.goto(f"{rig.url}/act/date_round")
            await seen.page.locator("[name=date]").fill("jutro")
            await seen.page.keyboard.press("Enter")
            await seen.reads("expected a day")
            assert await seen.page.evaluate("document.activeElement.className") == "problem"
            await seen.page.goto(f'{rig.url}/act/rule?args={{"table":9}}')
            for name, typed in {"game": "1", "move": "7777777"}.items():
                await seen.page.locator(f"[name={name}]").fill(typed)
            await seen.page.locator("label:has([name=seat][value=B])").click()
            await seen.page.locator("label:has([value=undone])").click()
            await seen.page.locator("button:text-is('seen by the referee')").press("Enter")
            await seen.reads("move: expected")
            assert await seen.page.evaluate("document.activeElement.name") == "move"

    play(chromium, tmp_path, story, event=league(tmp_path))


def test_i_am_going_stays_on_its_page_when_nobody_answers_and_can_be_pressed_again(
    chromium: Chromium, tmp_path: Path
) -> None:
    async def story(rig: Rig) -> None:
        going = f"[data-call='{CLAIMED} early_click'] a[data-act=take_call]"
        async with chromium.page(**PHONE) as seen:
            async with Link().to(rig.url) as url:
                port = int(url.rpartition(":")[2])
                await seen.log_in(url, "referee", "Sowa")
                await looked_at(rig)
            await seen.page.locator(going).tap(no_wait_after=True)
            await seen.reads(UNANSWERED)
            assert seen.page.url.endswith("/hall")
            async with Link().to(rig.url, port):
                await seen.touch(seen.page.locator(going))
                await seen.reads("Sowa (referee) is on the way")
                assert decided(rig.ledger, TAKEN) == ["Sowa (referee)"]

    play(chromium, tmp_path, story, event=hall(tmp_path))


TOUCHES: Final = """() => new Promise((heard) => {
  let went;
  document.querySelector("main").addEventListener("click", (event) => {
    went = Boolean(event.target.closest("a.card"));
    event.preventDefault(); // the page stays
  });
  const put = () => {
    went = false;
    const card = document.querySelector("#calls li:last-child a.card").getBoundingClientRect();
    const there = document.elementFromPoint(card.left + card.width / 2, card.top + card.height / 2);
    there.dispatchEvent(new MouseEvent("click", { bubbles: true, cancelable: true }));
    return went ? "a call" : "nothing";
  };
  new MutationObserver((_, watching) => {
    if (!document.querySelector("#calls .taken")) return; // times are counted there
    watching.disconnect();
    setTimeout(() => { const before = put(); setTimeout(() => heard([before, put()]), 600); });
  }).observe(document.getElementById("calls"), { childList: true, subtree: true });
})"""


def test_a_finger_that_comes_down_on_a_call_as_it_moves_up_touches_nothing(chromium: Chromium, tmp_path: Path) -> None:
    async def story(rig: Rig) -> None:
        async with chromium.page(**PHONE) as sowa, rig.browser() as lis:
            await sowa.log_in(rig.url, "referee", "Sowa")
            await lis.log_in("referee", "Lis")
            await looked_at(rig)
            touched = asyncio.create_task(sowa.page.evaluate(TOUCHES))
            await asyncio.sleep(0.3)
            await lis.act("rule", {"table": LATE}, {"verdict": "stands"}, why="the players agree")
            async with asyncio.timeout(DEADLINE_S):
                assert await touched == ["nothing", "a call"]

    play(chromium, tmp_path, story, event=hall(tmp_path))


def test_a_claim_that_was_denied_is_urgent_no_more_and_its_clock_goes_on_with_one_touch(
    chromium: Chromium, tmp_path: Path
) -> None:
    async def story(rig: Rig) -> None:
        async with chromium.page(**PHONE) as seen:
            await seen.log_in(rig.url, "referee", "Sowa")
            await seen.touch(seen.page.locator(f"[data-call='{CLAIMED} early_click'].patient a.take"))
            await seen.reads("is asked to let the clock go on")
            assert seen.page.url.endswith("/hall")
            assert [one.request.command for one in read(rig.ledger).asked()] == ["resume"]

    play(chromium, tmp_path, story, event=denied(tmp_path))


def test_who_answers_a_claim_is_not_asked_for_its_move(chromium: Chromium, tmp_path: Path) -> None:
    async def story(rig: Rig) -> None:
        async with chromium.page(**PHONE) as seen:
            await seen.log_in(rig.url, "referee", "Sowa")
            await seen.touch(seen.page.locator(f"[data-call='{CLAIMED} early_click'] a.card"))
            assert await seen.page.locator("[name=move]").count() == 0
            await seen.touch(seen.page.locator("button:has-text('no → ')"))
            await seen.reads("the claim is denied")
            assert decided(rig.ledger, CLAIM) == ["Sowa (referee)"]

    play(chromium, tmp_path, story, event=hall(tmp_path))


async def round_clock(seen: Seen) -> int:
    """Seconds that it shows."""
    shown = await seen.page.locator(".roundclock").first.inner_text()
    return sum(int(part) * 60**place for place, part in enumerate(reversed(shown.split(":"))))


def in_its_round(folder: Path) -> Path:
    """A hall whose round has begun a minute ago."""
    event = hall(folder)
    with Ledger.open(event) as ledger:
        began_ms = SystemClock().wall_ms() - 60_000
        Event(ledger, who="Borsuk", wall_ms=lambda: began_ms).change(lambda state: rounds.start(state, 90))
    return event


def test_a_tablet_whose_page_was_frozen_shows_the_right_time_at_once(chromium: Chromium, tmp_path: Path) -> None:
    async def story(rig: Rig) -> None:
        async with chromium.page(**TABLET) as seen:
            await seen.log_in(rig.url, "referee", "Sowa")
            await looked_at(rig)
            session = await seen.page.context.new_cdp_session(seen.page)
            before, asleep = await round_clock(seen), time.monotonic()
            await session.send("Page.setWebLifecycleState", {"state": "frozen"})
            await asyncio.sleep(SLEEPS_S)
            await session.send("Page.setWebLifecycleState", {"state": "active"})
            await seen.page.wait_for_timeout(300)
            assert abs(before - (time.monotonic() - asleep) - await round_clock(seen)) <= 1.5

    play(chromium, tmp_path, story, event=in_its_round(tmp_path))


def test_a_tablet_that_slept_with_its_clocks_shows_the_right_time_at_once_and_says_that_it_hears_nothing(
    chromium: Chromium, tmp_path: Path
) -> None:
    async def story(rig: Rig) -> None:
        link = Link()
        async with chromium.page(**TABLET) as seen, link.to(rig.url) as url:
            # as where `performance.now()` stands while a device sleeps
            await seen.page.add_init_script("const now = Date.now; Date.now = () => now() + (window.slept || 0);")
            await seen.log_in(url, "referee", "Sowa")
            await looked_at(rig)
            before = await round_clock(seen)
            link.broken = True
            await seen.page.evaluate("window.slept = 600000")
            await seen.page.locator("p.lost").wait_for(timeout=2_000)
            assert abs(before - 600 - await round_clock(seen)) <= 3

    play(chromium, tmp_path, story, event=in_its_round(tmp_path))


def test_over_a_bad_link_a_call_is_answered_and_a_link_that_breaks_is_told_of_and_found_again(
    chromium: Chromium, tmp_path: Path
) -> None:
    async def story(rig: Rig) -> None:
        link = Link(LATE_BY_S)
        async with chromium.page(**PHONE) as seen, rig.browser() as other, link.to(rig.url) as url:
            await seen.log_in(url, "referee", "Sowa")
            await asks(seen)
            await answers(seen)
            await seen.page.locator(".done:not(.trouble)").wait_for(timeout=WITHIN_MS)
            assert decided(rig.ledger, "ruling") == ["Sowa (referee)"]
            await seen.page.goto(f"{url}/hall")
            await looked_at(rig)
            link.broken = True
            await seen.page.locator("p.lost").wait_for(timeout=WITHIN_MS)
            await seen.reads(LOST)
            await other.log_in("referee", "Lis")
            await other.act("take_call", {"table": CLAIMED, "call": "early_click"})
            link.broken = False
            await seen.page.locator("p.lost").wait_for(state="hidden", timeout=WITHIN_MS)
            await seen.reads("Lis (referee) is on the way")

    play(chromium, tmp_path, story, event=hall(tmp_path))
