"""The two workers: one stays with the desk, one with the ledger, whatever happens to either."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable, Coroutine
from contextlib import asynccontextmanager, suppress
from datetime import UTC

import pytest

from dalej.clock import ManualClock
from dalej.desk.feed.messages import Face, FromScreen, Look, NoticeTold, Refusal, Take
from dalej.errors import DalejError, Damaged, Unreachable
from dalej.views import feed as workers
from dalej.views.feed import Declined, Feed, Found, HeardOf, Looked, Lost, News, Noticed, Recorded, Unread
from dalej.words import said
from tests.tui.paper import NOON_MS, NoEntries, PaperDesk, PaperHall, a_row, live

FACE = Face(3, True, True, (" 0:40",) * 4, (1, 12, 0), 0, 0, 0, 0, False, False)


async def a_turn(times: int = 1) -> None:
    """Whoever is ready goes on."""
    for _again in range(times):
        await asyncio.sleep(0)


class Post:
    """What workers have told."""

    def __init__(self) -> None:
        self.told: list[News] = []

    def __call__(self, message: News) -> None:
        if not isinstance(message, HeardOf):
            self.told.append(message)

    def kinds(self) -> list[type[News]]:
        return [type(message) for message in self.told]

    async def until(self, enough: Callable[[], bool]) -> None:
        while not enough():
            await a_turn()


class PaperLedger(NoEntries):
    """`slices`: what the next readings find, an error or tables; then there is nothing new."""

    def __init__(self, *slices: set[int] | DalejError) -> None:
        self.slices = list(slices)
        self.troubles: list[DalejError] = []

    async def read_on(self) -> set[int] | None:
        found = self.slices.pop(0) if self.slices else None
        if isinstance(found, DalejError):
            raise found
        return found

    def new_troubles(self) -> list[DalejError]:
        troubles, self.troubles = self.troubles, []
        return troubles


@pytest.fixture
def clock() -> ManualClock:
    return ManualClock(NOON_MS)


@pytest.fixture
def feed(clock: ManualClock) -> Feed:
    return Feed(PaperHall([a_row(3)]), clock, event_name="jesień", ruleset="school-league", zone=UTC)


@pytest.fixture(autouse=True)
def _hurry(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(workers, "AGAIN_S", 0.0)
    monkeypatch.setattr(workers, "LOOK_S", 0.0)


@asynccontextmanager
async def working(work: Coroutine[object, object, None]) -> AsyncIterator[None]:
    task = asyncio.ensure_future(work)
    try:
        yield
    finally:
        task.cancel()
        with suppress(asyncio.CancelledError):
            await task


async def test_a_desk_is_looked_for_until_there_is_one_and_again_when_it_is_gone(feed: Feed) -> None:
    desk, post = PaperDesk(*live()), Post()
    desk.there = False
    async with working(workers.listen(feed, desk.connect, post)):
        await a_turn(20)
        assert not post.told

        desk.there = True
        await post.until(lambda: feed.live)
        desk.vanish()
        await post.until(lambda: not feed.live)
        for message in live():
            desk.to_say.put_nowait(message)
        desk.there = True
        await post.until(lambda: feed.live)

    assert post.kinds()[:3] == [Found, Lost, Found]


async def test_wishes_arrive_in_their_order(feed: Feed) -> None:
    desk, post = PaperDesk(*live()), Post()
    async with working(workers.listen(feed, desk.connect, post)):
        await post.until(lambda: feed.live)
        wishes: list[FromScreen] = [Look(3), Take(3, on=True), Take(3, on=False), Look(0)]
        for wish in wishes:
            feed.say(wish)
        await post.until(lambda: len(desk.wishes) == len(wishes))

    assert desk.wishes == wishes


async def test_faces_refusals_and_news_are_told_and_old_news_is_not(feed: Feed, clock: ManualClock) -> None:
    desk, post = PaperDesk(*live()), Post()
    notice = NoticeTold("lost", "", "table {table}: it rains", {"table": 3})
    async with working(workers.listen(feed, desk.connect, post)):
        desk.to_say.put_nowait(notice)
        desk.to_say.put_nowait(FACE)
        await post.until(lambda: feed.face == FACE)
        clock.time_ms += 10_000
        desk.to_say.put_nowait(notice)
        desk.to_say.put_nowait(Refusal("no", {}))
        await post.until(lambda: Declined in post.kinds())

    assert post.kinds()[:4] == [Found, Looked, Noticed, Declined]
    assert isinstance(post.told[2], Noticed)
    assert said(post.told[2].notice) == "table 3: it rains"


async def test_only_notices_somebody_has_to_act_on_are_shown(feed: Feed, clock: ManualClock) -> None:
    desk, post = PaperDesk(*live()), Post()
    kinds = ("waits", "silent", "no_link", "new_epoch", "lost", "conflict", "turned_away", "not_recorded",
             "recorded_again", "lease_lost", "offer")  # fmt: skip
    async with working(workers.listen(feed, desk.connect, post)):
        await post.until(lambda: feed.live)
        clock.time_ms += 10_000
        for kind in kinds:
            desk.to_say.put_nowait(NoticeTold(kind, "", kind, {}))
        desk.to_say.put_nowait(FACE)
        await post.until(lambda: Looked in post.kinds())

    assert [said(message.notice) for message in post.told if isinstance(message, Noticed)] == list(kinds[3:])


async def test_a_ledger_is_read_to_its_end_and_again_when_the_desk_says_that_it_has_grown(feed: Feed) -> None:
    ledger, post = PaperLedger({1, 2}, set()), Post()
    feed.welcomed(live()[0])
    async with working(workers.follow(feed, ledger, post)):
        await feed.caught_up.wait()
        assert [message.tables for message in post.told if isinstance(message, Recorded)] == [{1, 2}, set()]

        ledger.slices.append({3})
        await a_turn(20)
        assert ledger.slices  # a live desk says when there is more

        feed.pulsed(live(cursor=9)[1])
        await post.until(lambda: not ledger.slices and feed.caught_up.is_set())
        assert isinstance(post.told[-1], Recorded)
        assert post.told[-1].tables == {3}


async def test_without_a_desk_the_ledger_is_looked_at_again_and_again(feed: Feed) -> None:
    ledger, post = PaperLedger(), Post()
    async with working(workers.follow(feed, ledger, post)):
        await feed.caught_up.wait()
        ledger.slices.append({3})
        await post.until(lambda: Recorded in post.kinds())


async def test_a_ledger_that_cannot_be_read_is_said_and_tried_again(feed: Feed) -> None:
    ledger, post = PaperLedger(Unreachable("the file is locked"), Unreachable("the file is locked"), {3}), Post()
    async with working(workers.follow(feed, ledger, post)):
        await post.until(lambda: Unread in post.kinds())
        assert feed.trouble == "the file is locked"
        await post.until(lambda: Recorded in post.kinds())
        await post.until(lambda: not feed.trouble)

    assert post.kinds().count(Unread) == 1


async def test_what_is_recorded_after_the_desk_is_gone_is_read_too(feed: Feed) -> None:
    desk, ledger, post = PaperDesk(*live()), PaperLedger(), Post()
    async with working(workers.listen(feed, desk.connect, post)), working(workers.follow(feed, ledger, post)):
        await post.until(lambda: feed.live)
        await feed.caught_up.wait()
        desk.vanish()
        await post.until(lambda: not feed.live)
        ledger.slices.append({3})
        await post.until(lambda: Recorded in post.kinds())


async def test_an_entry_that_cannot_be_read_is_told_and_passed_over(feed: Feed) -> None:
    ledger, post = PaperLedger({3}), Post()
    ledger.troubles.append(Damaged("entry 7 cannot be read"))
    async with working(workers.follow(feed, ledger, post)):
        await feed.caught_up.wait()

    assert [said(message.notice) for message in post.told if isinstance(message, Noticed)] == ["entry 7 cannot be read"]


async def test_news_of_a_box_call_it_by_what_is_written_on_it(feed: Feed, clock: ManualClock) -> None:
    desk, post = PaperDesk(*live()), Post()
    feed.hall = PaperHall([a_row(3, box="240ac4000007", called="7")])
    async with working(workers.listen(feed, desk.connect, post)):
        await post.until(lambda: feed.live)
        clock.time_ms += 10_000
        notice = NoticeTold("lost", "240ac4000007", "box {box} is gone", {"box": "240ac4000007"})
        desk.to_say.put_nowait(notice)
        await post.until(lambda: Noticed in post.kinds())

    assert [said(message.notice) for message in post.told if isinstance(message, Noticed)] == ["box 7 is gone"]
