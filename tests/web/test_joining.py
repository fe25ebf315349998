"""A code that is scanned: it lets one in, once, for a while, with the role and the tables that the organiser named."""

from __future__ import annotations

import re
from http import HTTPStatus
from pathlib import Path

import pytest

from dalej.clock import ManualClock
from dalej.web.invitations import VALID_MS
from tests.web.halls import CLAIMED, LATE, QUIET, hall
from tests.web.rig import SECRETS, Rig, invited, logged_out, play


def test_whoever_scans_a_code_is_in_with_its_role_and_nobody_else_after_them(tmp_path: Path) -> None:
    async def story(rig: Rig) -> None:
        async with rig.browser() as organiser, rig.browser() as sowa, rig.browser() as lis:
            await organiser.log_in("organiser", "Borsuk")
            path = await invited(organiser)
            for _ in range(2):
                assert "referee" in await sowa.page(path), "looking uses nothing up"
            assert (await sowa.post(path, {"name": ""})).status == HTTPStatus.UNPROCESSABLE_ENTITY
            assert (await sowa.post(path, {"name": "Sowa"})).headers["Location"] == "/"
            assert (await sowa.get("/hall")).status == HTTPStatus.OK
            assert (await sowa.get("/people")).status == HTTPStatus.FORBIDDEN
            for answer in (await lis.get(path), await lis.post(path, {"name": "Lis"})):
                assert answer.status == HTTPStatus.GONE
            assert "Sowa" in await organiser.page("/people")

    play(tmp_path, story, event=hall(tmp_path))


def test_an_invitation_counts_no_more_when_it_is_old_withdrawn_or_its_password_is_another(tmp_path: Path) -> None:
    clock = ManualClock()

    async def story(rig: Rig) -> None:
        async with rig.browser() as organiser, rig.browser() as sowa:
            await organiser.log_in("organiser", "Borsuk")
            old, withdrawn, changed = [await invited(organiser) for _ in range(3)]
            keys = re.findall(r'name="key" value="([^"]+)"', await organiser.page("/people"))
            for key in keys[-2:-1]:
                await organiser.send("/people/withdraw", {"key": key}, "/people")
            assert (await sowa.post(withdrawn, {"name": "Sowa"})).status == HTTPStatus.GONE
            rig.passwords.set("referee", "cztery lisy w lesie")
            assert (await sowa.post(changed, {"name": "Sowa"})).status == HTTPStatus.UNPROCESSABLE_ENTITY
            clock.time_ms += VALID_MS
            assert (await sowa.post(old, {"name": "Sowa"})).status == HTTPStatus.GONE
            assert (await sowa.get("/session")).status == HTTPStatus.UNAUTHORIZED

    play(tmp_path, story, clock=clock)


def test_who_is_invited_for_some_tables_decides_on_no_others(tmp_path: Path) -> None:
    async def story(rig: Rig) -> None:
        async with rig.browser() as organiser, rig.browser() as sowa:
            await organiser.log_in("organiser", "Borsuk")
            await sowa.post(await invited(organiser, name="Sowa", tables=f"{LATE}-{CLAIMED}"))
            ruled = {"move": "1", "verdict": "undone"}
            assert (await sowa.act("rule", {"table": LATE, "game": 1}, ruled, why="so")).status == HTTPStatus.SEE_OTHER
            head = rig.ledger.head()
            for act, args, fields in (
                ("stop", {"table": QUIET}, {"reason": "referee"}), ("stop_hall", {}, {"reason": "round_break"}),
                ("revoke", {"number": head}, {}),
            ):  # fmt: skip
                refused = await sowa.act(act, args, fields, why="so", sure="yes")
                assert refused.status == HTTPStatus.UNPROCESSABLE_ENTITY
                assert "these tables alone: 1, 2" in await refused.text()
            assert rig.ledger.head() == head

    play(tmp_path, story, event=hall(tmp_path))


@pytest.mark.parametrize("tables", ["x", "0", "1-", "-", "9" * 5_000, "1-99999", "½"])
def test_tables_that_are_none_are_refused_in_words(tmp_path: Path, tables: str) -> None:
    async def story(rig: Rig) -> None:
        async with rig.browser() as organiser:
            await organiser.log_in("organiser", "Borsuk")
            answer = await organiser.send("/people/invite", {"role": "referee", "tables": tables}, "/people")
            assert answer.status == HTTPStatus.UNPROCESSABLE_ENTITY
            assert "names no tables" in await answer.text()
            assert "/join/" not in await answer.text()

    play(tmp_path, story)


def test_the_list_of_who_is_in_says_on_what_kind_of_device(tmp_path: Path) -> None:
    async def story(rig: Rig) -> None:
        async with rig.browser() as organiser, rig.browser() as sowa:
            await organiser.log_in("organiser", "Borsuk")
            headers = {"Origin": rig.url, "User-Agent": "Mozilla/5.0 (Linux; Android 14; Pixel 8) Chrome/130 Mobile"}
            fields = {"role": "referee", "name": "Sowa", "password": SECRETS["referee"]}
            assert (await sowa.ask("POST", "/login", headers, fields)).status == HTTPStatus.SEE_OTHER
            assert "Android phone · for " in await organiser.page("/people")

    play(tmp_path, story)


def test_one_who_is_in_is_logged_out_by_an_organiser_and_the_others_stay(tmp_path: Path) -> None:
    async def story(rig: Rig) -> None:
        async with rig.browser() as organiser, rig.browser() as sowa, rig.browser() as lis:
            await organiser.log_in("organiser", "Borsuk")
            await sowa.log_in("referee", "Sowa")
            await lis.log_in("referee", "Lis")
            (key,) = [one.key for one in rig.server.sessions.all() if one.actor.name == "Sowa"]
            await organiser.send("/people/end", {"key": key}, "/people")
            await logged_out(sowa)
            assert (await lis.get("/session")).status == HTTPStatus.OK

    play(tmp_path, story)
