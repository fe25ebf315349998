"""A phone that has scanned a table's code is its box: in three engines, over a real socket, at a real desk."""

from __future__ import annotations

import asyncio
from importlib.resources import files
from pathlib import Path
from typing import Any, Final

import pytest
from playwright.async_api import Dialog

from dalej.boxes.firmware.tree import compiled, sources
from dalej.boxes.page.onefile import one_file
from dalej.boxes.paired import OwnBoxes
from dalej.domain.tournament.tournament import GameAt
from dalej.event import eventlog
from dalej.event.event import Event
from dalej.event.reading import read
from dalej.office.acts.performer import Performer
from dalej.office.acts.roles import Actor
from dalej.office.acts.wishes import Wish
from dalej.office.publicnames import public_names
from dalej.office.tablewords import READ
from moveclock import facts as k
from tests.phones.desk import PhoneDesk, phone_desk
from tests.waiting import until
from tests.web.boxpages import EVERYTHING, GUARDED_S, JUZ, KILLED_AT, RUNNING, STOPPED, TABLET, records
from tests.web.engines import Driven
from tests.web.person import Person
from tests.web.reading import PHONE, Chromium
from tests.world import FIRST, event_file

READY: Final = "1"
ONE_JUZ: Final = "[data-contact='10']"  # a phone has one pair of buttons
ONE_GUARDED_S: Final = 1.1  # with which a move's first second takes no tap
HELD_S: Final = 1.3
KEPT: Final = EVERYTHING.replace('"dalej-box"', '"dalej-box-desk"')
IS_ON_TOP: Final = """(button) => {
    const { x, y, width, height } = button.getBoundingClientRect();
    return button.contains(document.elementFromPoint(x + width / 2, y + height / 2))
        && x >= 0 && y >= 0 && x + width <= innerWidth + 1 && y + height <= innerHeight + 1;
}"""
SLEEPS: Final = "(now => { Date.now = () => now() + 60000; return 0; })(Date.now)"
STANDS_STILL: Final = "(() => { const end = performance.now() + 6000; while (performance.now() < end); return 0; })()"
LINKED: Final = "document.body.dataset.linked === 'yes' && document.body.dataset.unsent === '0'"


@pytest.fixture(autouse=True)
def without_keyring(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PYTHON_KEYRING_BACKEND", "keyring.backends.fail.Keyring")


@pytest.fixture(scope="module")
def page() -> str:
    return one_file(compiled(sources()), desk=True)


def turns(desk: PhoneDesk) -> list[int]:
    return [one.turn.move for one in eventlog.turns(read(desk.ledger)) if one.turn.how]


def test_it_scans_plays_is_loaded_anew_without_its_code_and_is_the_same_box(
    driven: Driven, page: str, tmp_path: Path
) -> None:
    file = event_file(tmp_path, 4)

    async def story() -> None:
        async with phone_desk(tmp_path, file, page) as desk, driven.engine.tab() as tab:
            code = desk.code(1)
            person = Person(tab, desk.url, "touch")
            await person.goto(f"/b{code.fragment}")
            await person.until(f"document.body.dataset.state === '{READY}'", "the game that the desk has set up")
            assert await tab.evaluate("location.hash") == "", "the secret is not left in the address"
            await person.reads("A begins, and presses Już.")
            await person.touch(ONE_JUZ)
            await person.until(f"document.body.dataset.state === '{RUNNING}'", "the first move")
            await asyncio.sleep(ONE_GUARDED_S)
            await person.touch(ONE_JUZ)
            await person.until("document.querySelector('.one .whose').textContent === 'B'", "B's move")
            await person.until(LINKED, "the desk to know it")
            await until(lambda: turns(desk) == [1], "the turn in the log")

            await person.goto("/b")
            await person.until(f"document.body.dataset.state === '{STOPPED}'", "the table, which stands")
            await person.until(LINKED, "the desk again")
            assert turns(desk) == [1]
            assert list(eventlog.problems(read(desk.ledger))) == []
            assert tab.problems == []

    driven.run(story())


@pytest.mark.parametrize("at", range(1, 7))
def test_no_fact_leaves_a_phone_that_is_not_written_down_whichever_transaction_is_the_last(
    chromium: Chromium, page: str, tmp_path: Path, at: int
) -> None:
    file = event_file(tmp_path, 4)

    async def run() -> None:
        async with phone_desk(tmp_path, file, page) as desk, chromium.page(**TABLET) as seen:
            code, tab = desk.code(1), seen.page
            await tab.goto(f"{desk.url}/b{code.fragment}")
            await tab.locator(f"body[data-state='{READY}'][data-unsent='0']").wait_for()
            await tab.evaluate(KILLED_AT, at)
            for move in range(4):
                await tab.locator(JUZ[max(0, move - 1)]).tap()
                await asyncio.sleep(GUARDED_S)
            await asyncio.sleep(1)  # for what would leave all the same
            written = records(await tab.evaluate(KEPT))
            assert desk.told(code) <= max(written)

            await tab.goto("about:blank")
            await tab.goto(f"{desk.url}/b")
            await tab.locator("body[data-linked='yes'][data-unsent='0']").wait_for()
            again = records(await tab.evaluate(KEPT))
            await until(lambda: desk.told(code) == max(again), "the desk to know all that is written")
            assert {seq: again[seq] for seq in written if seq in again} == {
                seq: record for seq, record in written.items() if seq in again
            }
            assert list(eventlog.problems(read(desk.ledger))) == []
            seen.problems.clear()  # what was aborted is told of

    chromium.run(run())


def test_each_side_has_its_players_name_and_a_second_phone_is_turned_away_in_words(
    chromium: Chromium, page: str, tmp_path: Path
) -> None:
    file = event_file(tmp_path, 4)

    async def run() -> None:
        async with (
            phone_desk(tmp_path, file, page) as desk, chromium.page(**TABLET) as first, chromium.page(**TABLET) as other
        ):  # fmt: skip
            address = f"{desk.url}/b{desk.code(1).fragment}"
            await first.page.goto(address)
            await first.page.locator(f"body[data-state='{READY}']").wait_for()
            state = desk.event().state()
            assert state.current is not None
            assert state.current.seating is not None
            names = public_names(state)
            for side, player in zip("0123", state.current.seating.tables[0].players, strict=True):
                await first.page.locator(f"[data-seat='{side}'] .who:text-is('{names[player]}')").wait_for()
            await other.page.goto(address)
            await other.reads("Another phone has this table's code already.")
            assert [one for one in desk.complaints if "another phone has claimed it already" in one]
            await first.page.locator("body[data-linked='yes']").wait_for()

    chromium.run(run())


def test_a_page_without_a_code_says_what_to_scan(chromium: Chromium, page: str, tmp_path: Path) -> None:
    file = event_file(tmp_path, 4)

    async def run() -> None:
        async with phone_desk(tmp_path, file, page) as desk, chromium.page(**TABLET) as seen:
            await seen.page.goto(f"{desk.url}/b")
            await seen.reads("scan the code that the organiser shows")
            assert await seen.page.get_attribute("body", "data-begun") is None

    chromium.run(run())


def test_the_players_write_their_racks_down_on_its_glass_and_each_agrees(
    chromium: Chromium, page: str, tmp_path: Path
) -> None:
    file = event_file(tmp_path, 4)

    async def run() -> None:
        async with phone_desk(tmp_path, file, page) as desk, chromium.page(**TABLET, locale="en-GB") as seen:
            tab = seen.page
            await tab.goto(f"{desk.url}/b{desk.code(1).fragment}")
            await tab.locator(f"body[data-state='{READY}']").wait_for()
            await tab.locator(JUZ[0]).tap()
            await tab.locator(f"body[data-state='{RUNNING}']").wait_for()
            await asyncio.sleep(GUARDED_S)
            middle = await tab.locator(JUZ[0]).bounding_box()
            assert middle is not None
            await tab.mouse.move(middle["x"] + middle["width"] / 2, middle["y"] + middle["height"] / 2)
            await tab.mouse.down()
            await asyncio.sleep(HELD_S)
            await tab.mouse.up()
            await tab.get_by_role("heading", name="Racks of game 1").wait_for()

            assert await tab.locator("#rack-A").input_value() == "0", "who went out, by the box"
            assert not await tab.locator("#ended").is_visible(), "so it is known how it ended"
            for seat, points in (("B", "23"), ("C", "12")):
                await tab.locator(f"#rack-{seat}").fill(points)
            await tab.locator("li", has=tab.locator("#rack-C")).get_by_role("button", name="+j").tap()
            await tab.locator("li", has=tab.locator("#rack-D")).get_by_role("button", name="–").tap()
            assert await tab.locator("#rack-C").input_value() == "12+j"
            await tab.get_by_role("button", name="Written down").tap()
            for seat in "ABCD":
                await tab.get_by_role("button", name=f"{seat} agrees").tap()
            await tab.locator("#sheet").wait_for(state="hidden")
            result = desk.event().state().rounds[FIRST].results[GameAt(1, 1)]
            assert result.sheet is not None
            assert {one.seat: (one.points, one.jokers) for one in result.sheet.racks} == {
                "A": (0, 0), "B": (23, 0), "C": (12, 1), "D": (None, 0),
            }  # fmt: skip
            await seen.reads("Game 1 is recorded: A +")
            assert seen.problems == []

    chromium.run(run())


def test_a_phone_that_was_turned_away_or_taken_off_becomes_a_box_with_a_new_code_on_its_open_page(
    chromium: Chromium, page: str, tmp_path: Path
) -> None:
    file = event_file(tmp_path, 8)

    async def run() -> None:
        async with (
            phone_desk(tmp_path, file, page) as desk, chromium.page(**PHONE, locale="en-GB") as first,
            chromium.page(**PHONE, locale="en-GB") as second,
        ):  # fmt: skip
            code = desk.code(1)
            await first.page.goto(f"{desk.url}/b{code.fragment}")
            await first.page.locator(f"body[data-state='{READY}']").wait_for()
            await second.page.goto(f"{desk.url}/b{code.fragment}")
            await second.page.get_by_text("Another phone has this table's code already").wait_for()
            assert not await second.page.get_by_text("the game goes on, nothing is lost").is_visible()

            await second.page.evaluate("(to) => { location.hash = to; }", desk.code(2).fragment)
            await second.page.locator(f"body[data-state='{READY}'][data-linked='yes']").wait_for()
            assert await second.page.locator("#trouble").is_hidden()
            await second.page.locator("#link").get_by_text("Table 2").wait_for()

            OwnBoxes(desk.club).forget(code.box.uid)
            await first.page.reload()
            await first.page.get_by_text("This phone is the box of no table any more").wait_for()
            asked: list[str] = []
            new = desk.code(1).fragment
            for agrees in (False, True):  # what it has not told may be another desk's: it is not lost unasked

                async def answers(dialog: Dialog, agrees: bool = agrees) -> None:
                    asked.append(dialog.message)
                    await (dialog.accept() if agrees else dialog.dismiss())

                first.page.once("dialog", answers)
                await first.page.evaluate("(to) => { location.hash = to; }", new)
                if not agrees:
                    await first.page.get_by_text("This phone is the box of no table any more").wait_for()
            await first.page.locator(f"body[data-state='{READY}'][data-linked='yes']").wait_for()
            assert len(asked) == 2
            assert all("that no desk knows" in one for one in asked)
            first.problems.clear()
            second.problems.clear()

    chromium.run(run())


def test_a_phone_has_no_room_for_four_sides_and_is_not_asked_for_them(
    chromium: Chromium, page: str, tmp_path: Path
) -> None:
    file = event_file(tmp_path, 4)

    async def run() -> None:
        async with phone_desk(tmp_path, file, page) as desk:
            for glass, has_room in ((PHONE, False), (TABLET, True)):
                async with chromium.page(**glass, locale="en-GB") as seen:
                    await seen.page.goto(f"{desk.url}/b{desk.code(1).fragment}")
                    await seen.page.locator(f"body[data-state='{READY}']").wait_for()
                    assert await seen.page.locator("#again").is_visible() is has_room
                    seen.problems.clear()

    chromium.run(run())


@pytest.mark.parametrize("freezes", [SLEEPS, STANDS_STILL], ids=["sleeps", "stands still"])
def test_a_phone_that_sleeps_or_stands_still_is_as_one_without_power_and_the_desk_knows_it(
    driven: Driven, page: str, tmp_path: Path, freezes: str
) -> None:
    file = event_file(tmp_path, 4)

    async def story() -> None:
        async with phone_desk(tmp_path, file, page) as desk, driven.engine.tab() as tab:
            person = Person(tab, desk.url, "touch")
            await person.goto(f"/b{desk.code(1).fragment}")
            await person.until(f"document.body.dataset.state === '{READY}'", "the game that the desk has set up")
            await person.touch(ONE_JUZ)
            await person.until(f"document.body.dataset.state === '{RUNNING}'", "the first move")
            await tab.evaluate("(now => { Date.now = () => now() - 3600000; return 0; })(Date.now)")
            await asyncio.sleep(ONE_GUARDED_S)
            await person.touch(ONE_JUZ)
            await person.until(
                "document.querySelector('.one .whose').textContent === 'B'", "B's move, as if nothing was"
            )
            await person.until(LINKED, "the desk to know it")

            before = [one.fact.kind for one in read(desk.ledger).facts()].count(k.BOOTED)
            await tab.evaluate(freezes)
            await person.until(f"document.body.dataset.state === '{STOPPED}'", "the clock to stand")
            await person.until(LINKED, "the desk again")
            told = [one.fact for one in read(desk.ledger).facts()]
            assert [one.kind for one in told].count(k.BOOTED) == before + 1
            stopped = [one.code for one in told if one.kind == k.CLOCK_STOPPED]
            assert stopped == [k.BOX_LOST_POWER]
            await person.reads("The device was away: the clock stands at what was left for B.")
            assert turns(desk) == [1]
            assert list(eventlog.problems(read(desk.ledger))) == []

    driven.run(story())


@pytest.mark.parametrize("glass", [TABLET, PHONE], ids=["tablet", "phone"])
def test_a_word_from_a_referee_stands_on_it_in_every_state_and_is_gone_when_somebody_has_touched_it(
    chromium: Chromium, page: str, tmp_path: Path, glass: dict[str, Any]
) -> None:
    file = event_file(tmp_path, 4)

    async def run() -> None:
        async with phone_desk(tmp_path, file, page) as desk, chromium.page(**glass, locale="en-GB") as seen:
            tab = seen.page
            await tab.goto(f"{desk.url}/b{desk.code(1).fragment}")
            await tab.locator(f"body[data-state='{READY}']").wait_for()
            await tab.locator(f"{JUZ[0]}:visible, {ONE_JUZ}:visible").tap()
            await tab.locator(f"body[data-state='{RUNNING}']").wait_for()
            performer = Performer(
                lambda who: Event(desk.ledger, who=who, wall_ms=desk.clock.wall_ms), lambda _line: None
            )
            words = "Zostały dwie minuty; po tym ruchu proszę nie zaczynać następnej gry, tylko policzyć kostki."
            told = Wish("tell_table", {"table": 1, "words": words})
            performer.do(Actor("Sowa", "referee"), told)
            shown = tab.locator("#word")
            await shown.get_by_text(words).wait_for()
            for button in await tab.locator("[data-contact]:visible").all():
                assert await button.evaluate(IS_ON_TOP), "it hides no button"
            await shown.get_by_role("button", name="We have read it").tap()
            await shown.wait_for(state="hidden")
            await until(lambda: [one for one in read(desk.ledger).decisions() if one.kind == READ], "the desk to know")
            assert await tab.locator("body").get_attribute("data-state") == RUNNING
            assert seen.problems == []

    chromium.run(run())


_KEEPS: Final = """(source) => {
    const store = "const store = (db, mode) => db.transaction('files', mode);";
    const { Keeper } = new Function(store + source + "return { Keeper };")();
    const put = [], begun = [], left = [];
    const db = { transaction: () => {
        const one = { objectStore: () => ({ put: (_data, path) => put.push(path), delete() {} }) };
        begun.push(one);
        return one;
    } };
    const keeper = new Keeper(db);
    // What leaves may itself bring something to keep: a socket that is given up ends a link, and that is a turn.
    keeper.keep({ first: "1" }, () => { left.push("first"); keeper.keep({ second: "2" }, () => left.push("second")); });
    keeper.keep({ third: "3" }, () => left.push("third"));
    for (let at = 0; at < begun.length; at += 1) {
        left.push(`${at + 1} transactions`);
        begun[at].oncomplete();
    }
    return { put, left, waits: keeper.waits.length };
}"""


def test_what_is_kept_while_something_leaves_is_written_once_and_nothing_overtakes_it(chromium: Chromium) -> None:
    script = (files("dalej.boxes.page") / "box.js").read_text(encoding="utf-8")
    keeper = script[script.index("class Keeper") : script.index("// Two pages on one journal")]

    async def run() -> None:
        async with chromium.page() as seen:
            told = await seen.page.evaluate(_KEEPS, keeper)
            assert told["put"] == ["first", "third", "second"], "each once, in the order in which it came"
            assert [one for one in told["left"] if not one.endswith("transactions")] == ["first", "third", "second"]
            assert told["waits"] == 0

    chromium.run(run())
