"""The people of a day at pages of `dalej serve`, without their screens: referees, who go to whoever calls and answer as
the page lets them, and write down what lies on the racks; an organiser, who seats, starts and closes rounds; viewers,
who look at the public's pages. Each has a session of its own; whoever waits longer than a deadline fails by name.
"""

from __future__ import annotations

import asyncio
import json
import re
from collections import Counter
from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, field
from html.parser import HTMLParser
from http import HTTPStatus
from random import Random
from typing import Final

from aiohttp import (
    ClientConnectionError,
    ClientPayloadError,
    ClientResponse,
    ClientSession,
    ClientTimeout,
    CookieJar,
    TCPConnector,
)

from dalej.domain.game.facts import SEATS
from dalej.simulator.players import Players
from moveclock import facts as k
from proof.daytables import Over
from tests.web.rig import Browser, Live, form_of

WITHIN_S: Final = 60.0  # on the wall, for any answer and for the next that a page is told: else it hangs
# All others are of the day.
QUIET_S: Final = 10.0  # then a page says that it hears nothing
AGAIN_S: Final = 2.0  # a page whose stream is over asks for another one
SPREAD_S: Final = 1.5  # within which a page is read anew, as its own script does
WALK_S: Final = (5.0, 25.0)  # to a table that calls, and what is said there
COUNT_S: Final = (5.0, 20.0)  # to look at a sheet on which players have written what lies on four racks, and to type
BROWSE_S: Final = (60.0, 300.0)  # between two other pages that a viewer looks at
PATIENCE_S: Final = 30.0  # with a table that has been answered, and with a page that does not show it yet
SEE_S: Final = 1.0
AT_RESULTS: Final = 0  # the referee who types sheets first, as somebody does in any hall; the others go to calls first
PILE: Final = 8  # sheets that wait: from then on everybody types, and tables that call wait, which makes no more sheets
KEPT_S: Final = 5.0  # a connection that nothing is asked on: the server hangs up later, not in the middle of a question
AT_ONCE: Final = 4  # that come in
SEEN: Final = re.compile(r"game (\d+), move (\d+)")
CALL: Final = re.compile(r'data-call="(\d+) (\w+)"')
STAMP: Final = re.compile(r"\d+")
SILENT: Final = "silent"  # such a box comes back by itself
ENDED: Final[Mapping[int, str]] = {
    k.BANK_EMPTY: "bank_empty", k.ROUND_TIME: "round_time", k.LAST_SEAT: "last_seat", k.DESK_ENDED: "round_time",
}  # fmt: skip


@dataclass(slots=True)
class Form:
    """As it stands on a page. `fields`: what it brings along; `buttons`: name and value of those that have one."""

    action: str
    kind: str
    fields: dict[str, str] = field(default_factory=dict)
    buttons: list[tuple[str, str]] = field(default_factory=list)


class Forms(HTMLParser):
    """All of a page, in their order."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.all: list[Form] = []
        self.feed(page)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        told = {name: value or "" for name, value in attrs}
        if tag == "form":
            self.all.append(Form(told.get("action", ""), told.get("class", "")))
        elif self.all and tag == "input" and told.get("type") == "hidden":
            self.all[-1].fields[told["name"]] = told.get("value", "")
        elif self.all and tag == "button" and "name" in told:
            self.all[-1].buttons.append((told["name"], told["value"]))


@dataclass(slots=True)
class Hall:
    """What all people of a day have in common. `of_move(referee, table, game, move)` hears when a referee's page says
    so, `of_decision(before, cursor)` when a viewer's page is told that the entry `cursor` is decided, after `before`.
    `speed`: of the day; `at`: who plays at a table; `taken`: calls to which somebody goes; `answered`: those whose
    tables have to go on now, and since when; `racks`: games that wait for somebody to count; `entered`: table and game
    of the round's results.
    """

    url: str
    speed: float
    lot: Random
    counts: Counter[str]
    of_move: Callable[[int, int, int, int], None]
    of_decision: Callable[[int, int], None]
    at: Mapping[int, Players]
    taken: set[tuple[int, str]] = field(default_factory=set)
    answered: dict[tuple[int, str], float] = field(default_factory=dict)
    racks: asyncio.Queue[Over] = field(default_factory=asyncio.Queue)
    entered: set[tuple[int, int]] = field(default_factory=set)
    door: asyncio.Semaphore = field(default_factory=lambda: asyncio.Semaphore(AT_ONCE))

    @asynccontextmanager
    async def browser(self, role: str, name: str) -> AsyncIterator[Browser]:
        """Somebody who has logged in."""
        patient = ClientTimeout(WITHIN_S * self.speed)
        kept = TCPConnector(keepalive_timeout=KEPT_S)
        async with ClientSession(connector=kept, cookie_jar=CookieJar(unsafe=True), timeout=patient) as client:
            browser = Browser(client, self.url)
            async with self.door:
                answer = await browser.log_in(role, name)
            assert answer.status == HTTPStatus.SEE_OTHER, f"{name} could not log in as {role}: {answer.status}"
            yield browser

    async def follow(self, browser: Browser, path: str, live: str, hear: Callable[[Mapping[str, str]], None]) -> None:
        """That page's live parts, until cancelled."""
        while True:
            try:
                await browser.page(path)
                async with browser.looking(live, WITHIN_S * self.speed) as stream:
                    while parts := await self.told(stream, live):
                        self.counts["parts of pages told"] += len(parts[0])
                        hear(parts[0])
            except TimeoutError as late:  # aiohttp's are connection errors, too
                raise AssertionError(f"{path} is not answered within {WITHIN_S:g} s, or {live} is not") from late
            except (ClientConnectionError, ClientPayloadError):
                pass  # the server has hung up
            self.counts["streams begun again"] += 1
            await asyncio.sleep(AGAIN_S)

    async def told(self, stream: Live, live: str) -> tuple[Mapping[str, str]] | None:
        """The next parts; None once the server has hung up."""
        loop = asyncio.get_running_loop()
        before = loop.time()
        try:
            async with asyncio.timeout(WITHIN_S * self.speed):
                while (line := await stream.answer.content.readline()) and not line.startswith(b"data:"):
                    pass
        except TimeoutError:
            raise AssertionError(f"{live} says nothing for {WITHIN_S:g} s: the page hangs") from None
        self.counts["times that a page heard nothing for ten seconds"] += loop.time() - before > QUIET_S
        return (json.loads(line[5:]).get("parts", {}),) if line else None

    def between(self, least_most: tuple[float, float]) -> float:
        return self.lot.uniform(*least_most)


class Referee:
    """One of them, by number."""

    def __init__(self, hall: Hall, number: int) -> None:
        self._hall = hall
        self._number = number
        self._calls: list[tuple[int, str]] = []

    async def work(self) -> None:
        """Until cancelled."""
        hall, name = self._hall, f"Sowa {self._number}"
        async with hall.browser("referee", name) as browser, asyncio.TaskGroup() as both:
            both.create_task(hall.follow(browser, "/hall", "/live/hall", self._hear))
            both.create_task(self._go_round(browser))

    def _hear(self, parts: Mapping[str, str]) -> None:
        if "calls" in parts:
            self._calls = [(int(table), kind) for table, kind in CALL.findall(parts["calls"]) if kind != SILENT]
            for gone in self._hall.answered.keys() - {*self._calls}:
                del self._hall.answered[gone]
        for name, html in parts.items():
            if name.startswith("t-") and (seen := SEEN.search(html)):
                self._hall.of_move(self._number, int(name[2:]), int(seen[1]), int(seen[2]))

    async def _go_round(self, browser: Browser) -> None:
        hall = self._hall
        while True:
            free = [call for call in self._calls if call not in hall.taken and self._waits(call)]
            if hall.racks.qsize() > (0 if self._number == AT_RESULTS else PILE):
                await self._count_racks(browser, hall.racks.get_nowait())
            elif free:
                call = hall.lot.choice(free)
                hall.taken.add(call)
                try:
                    await self._answer(browser, *call)
                finally:
                    hall.taken.discard(call)
            elif not hall.racks.empty():
                await self._count_racks(browser, hall.racks.get_nowait())
            else:
                await asyncio.sleep(SEE_S)

    def _waits(self, call: tuple[int, str]) -> bool:
        at_s = self._hall.answered.get(call)
        return at_s is None or asyncio.get_running_loop().time() > at_s + PATIENCE_S

    async def _stay(self, table: int, seconds: float) -> None:
        """The table waits for whoever comes."""
        left = seconds
        while left > 0:
            self._hall.at[table].be_watched()
            await asyncio.sleep(min(left, SEE_S))
            left -= SEE_S

    async def _answer(self, browser: Browser, table: int, kind: str) -> None:
        """As the page offers it: one touch, if there is such an answer."""
        hall = self._hall
        await self._stay(table, hall.between(WALK_S))
        answer = await browser.get(f"/answer/{table}/{kind}", Accept="text/html")
        forms = [] if answer.status != HTTPStatus.OK else Forms(await answer.text()).all
        offered = [one for one in forms if one.action.startswith("/act/") and "alone" in one.kind]
        if (table, kind) not in hall.answered:
            offered = offered or [one for one in forms if one.action.startswith("/act/") and not one.kind]
        hall.answered[table, kind] = asyncio.get_running_loop().time()
        if not offered:
            hall.counts["calls that the table settled by itself"] += 1
            return
        form = hall.lot.choice(offered)
        fields = {**form.fields, **dict(form.buttons[:1])}
        answer = await browser.post(form.action, fields)
        if answer.status == HTTPStatus.OK:  # it asks whether that is meant
            answer = await browser.post(form.action, {**fields, "sure": "yes"})
        if answer.status == HTTPStatus.SEE_OTHER:
            hall.counts["calls answered"] += 1
            hall.counts[f"... {kind.replace('_', ' ')}"] += 1
        else:
            hall.counts["answers that came too late"] += 1

    async def _count_racks(self, browser: Browser, over: Over) -> None:
        hall = self._hall
        await asyncio.sleep(hall.between(COUNT_S))
        page = await browser.page(f"/results/{over.table}")
        racks = dict(zip(SEATS, map(str, hall.lot.sample(range(5, 90), len(SEATS))), strict=True))
        more = {"ended": ENDED[over.ended]} if over.ended in ENDED else {}
        if over.ended not in ENDED:
            racks[SEATS[over.winner]] = "0"
        fields = {
            "token": form_of(page), "args": json.dumps({"table": over.table, "game": over.game}), "seen": "0",
            "sure": "yes", "path": f"/results/{over.table}", **{f"racks:{seat}": rack for seat, rack in racks.items()},
            **more,
        }  # fmt: skip
        answer = await browser.post("/act/enter_result", fields)
        assert answer.status == HTTPStatus.SEE_OTHER, f"table {over.table}, game {over.game}: {await _problem(answer)}"
        hall.counts["results entered"] += 1
        hall.entered.add((over.table, over.game))


class Organiser:
    """Does what begins and ends a round."""

    def __init__(self, hall: Hall, browser: Browser) -> None:
        self._hall = hall
        self._browser = browser

    async def does(self, act: str, **fields: str) -> None:
        answer = await self._browser.act(act, fields=fields, sure="yes")
        assert answer.status == HTTPStatus.SEE_OTHER, f"{act}: {await _problem(answer)}"

    async def not_played(self, table: int, game: int) -> None:
        """A game that was not begun in time."""
        answer = await self._browser.act(
            "enter_result", {"table": table, "game": game}, {"ended": "not_played", "why": "the time was over"},
            sure="yes",
        )  # fmt: skip
        assert answer.status == HTTPStatus.SEE_OTHER, f"table {table}, game {game}: {await _problem(answer)}"
        self._hall.counts["games for which the round had no time left"] += 1


class Viewer:
    """Somebody with a phone: the standings, themselves, the wall."""

    def __init__(self, hall: Hall, number: int, players: int) -> None:
        self._hall = hall
        self._number = number
        self._players = players
        self._stamp = 0

    async def look(self) -> None:
        """Until cancelled."""
        hall = self._hall
        async with hall.browser("public", f"Lis {self._number}") as browser, asyncio.TaskGroup() as all_at_once:

            def hear(parts: Mapping[str, str]) -> None:
                if self._is_told_of_more(parts):
                    again = hall.lot.random() * SPREAD_S
                    all_at_once.create_task(self._read(browser, again, "/standings", Dalej_Here="1"))

            all_at_once.create_task(hall.follow(browser, "/standings", "/live/public", hear))
            while True:
                of_a_player = f"/me/{hall.lot.randint(1, self._players)}"
                await self._read(
                    browser, hall.between(BROWSE_S), hall.lot.choice((of_a_player, "/find?q=lis", "/wall"))
                )

    def _is_told_of_more(self, parts: Mapping[str, str]) -> bool:
        """Than its page shows."""
        stamp = STAMP.match(parts.get("stamp", ""))
        if stamp is None:
            return False
        before, self._stamp = self._stamp, int(stamp[0])
        if before:
            self._hall.of_decision(before, self._stamp)
        return bool(before)

    async def _read(self, browser: Browser, after_s: float, path: str, **headings: str) -> None:
        await asyncio.sleep(after_s)
        with suppress(ClientConnectionError):  # whoever looks touches it once more
            answer = await browser.get(path, Accept="text/html", **headings)
            assert answer.status == HTTPStatus.OK, f"{path}: a viewer is answered {answer.status}"
            self._hall.counts["pages of viewers"] += 1


async def _problem(answer: ClientResponse) -> str:
    """Why a page refuses, in its own words."""
    text = await answer.text()
    told = re.search(r'class="(?:problem|refusal|question)"[^>]*>(.*?)</', text, re.DOTALL)
    return f"{answer.status} {told[1] if told else text[:300]}"
