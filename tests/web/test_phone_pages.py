"""An organiser shows a phone a table's code on a page; it is that table's box, and can be taken off again."""

from __future__ import annotations

from pathlib import Path

import pytest

from dalej.boxes.paired import OwnBoxes
from dalej.boxes.phones import Code
from dalej.event.boxplaces import places
from dalej.event.ledger import Json
from dalej.event.reading import read
from dalej.office.tableracks import AGREES, RACKS
from moveclock import facts as k
from tests.phones.desk import phone_desk
from tests.phones.scripted import ScriptedPhone
from tests.waiting import until
from tests.web.reading import PHONE, WITHIN_MS, Chromium
from tests.web.rig import served
from tests.world import an_event, event_file, stands


@pytest.fixture(autouse=True)
def without_keyring(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PYTHON_KEYRING_BACKEND", "keyring.backends.fail.Keyring")


def test_a_phone_scans_the_code_of_a_page_and_stands_on_its_table(chromium: Chromium, tmp_path: Path) -> None:
    file = event_file(tmp_path, 16)

    async def run() -> None:
        async with (
            phone_desk(tmp_path, file) as desk, served(tmp_path, event=file) as rig, chromium.page(**PHONE) as seen
        ):  # fmt: skip
            with desk.phones.reached_at(desk.url):
                await seen.log_in(rig.url, "organiser", "Borsuk")
                await seen.page.goto(f"{rig.url}/phones")
                await seen.page.fill("#table", "3")
                await seen.page.locator("button.does").tap()
                await seen.page.locator("svg.qr").wait_for(timeout=WITHIN_MS)
                address = await seen.page.locator(".code .hint").inner_text()
                uid, secret = address.partition("#")[2].split(".")
                assert address.startswith(f"{desk.url}/b#")

                box = OwnBoxes(tmp_path / "club").find(uid)
                phone = ScriptedPhone(desk.url, Code(box, bytes.fromhex(secret)))
                await phone.load()
                await until(lambda: phone.state == k.READY, "the phone to be set up for its table")
                await seen.page.get_by_role("link", name="Table 3").wait_for(timeout=WITHIN_MS)
                assert await seen.page.locator("svg.qr").count() == 0
                assert [(one.table, one.called) for one in places(read(desk.ledger))] == [(3, "P3")]
                (put,) = [one for one in read(desk.ledger).decisions() if one.kind == "stand"]
                assert put.who == "Borsuk (organiser)"

                await seen.page.get_by_role("button", name="take P3 off the list").tap()
                await seen.page.get_by_role("link", name="Table 3").wait_for(state="detached", timeout=WITHIN_MS)
                assert not [*OwnBoxes(tmp_path / "club")]
                assert seen.problems == []
                await phone.close()

    chromium.run(run())


@pytest.mark.parametrize(
    ("table", "answers", "says"),
    [
        ("x", True, "“x” is no table: expected a number from 1 on"),
        ("3", False, "no desk on this computer answers phones"),
    ],
)
def test_what_is_wrong_is_said_and_no_code_is_drawn(
    chromium: Chromium, tmp_path: Path, table: str, answers: bool, says: str
) -> None:
    file = event_file(tmp_path, 16)

    async def run() -> None:
        async with phone_desk(tmp_path, file) as desk, served(tmp_path, event=file) as rig, rig.browser() as borsuk:
            await borsuk.log_in("organiser", "Borsuk")
            if answers:
                with desk.phones.reached_at(desk.url):
                    told = await borsuk.send("/phones/code", {"table": table})
            else:
                told = await borsuk.send("/phones/code", {"table": table})
            assert says in await told.text()
            assert not [*OwnBoxes(tmp_path / "club")]

    chromium.run(run())


def test_a_referee_sees_what_a_table_has_written_down_and_who_does_not_agree_yet(
    chromium: Chromium, tmp_path: Path
) -> None:
    with an_event(tmp_path, 4) as event:
        racks: dict[str, Json] = {"A": "0", "B": "23", "C": "5", "D": "-"}
        body: dict[str, Json] = {"stage": "league", "round": 1, "table": 1, "game": 1, "racks": racks}
        made = event.ledger.decide(RACKS, body, who="P1 (table)", when_ms=1, why="counted")
        agreed: dict[str, Json] = {"table": 1, "seat": "B", "of": made.cursor}
        event.ledger.decide(AGREES, agreed, who="P1 (table)", when_ms=2, why="counted")
        stands(event, "020000000001", 1)
        file = event.ledger.path

    async def run() -> None:
        async with served(tmp_path, event=file) as rig, rig.browser() as sowa:
            await sowa.log_in("referee")
            page = await sowa.page("/table/1")
            assert "Written by the table, game 1: A 0, B 23, C 5, D -. Not agreed yet: A, C, D." in page

    chromium.run(run())
