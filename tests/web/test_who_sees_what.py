"""Every page by every role: what is answered, and that the public's pages hold nothing to be done."""

from __future__ import annotations

import re
from http import HTTPStatus
from pathlib import Path

import pytest

from dalej.office.acts.catalogue import ACTS, allowed
from dalej.office.acts.roles import ROLES, Role
from dalej.web.pages import NOT_YOURS
from dalej.words import _
from tests.web.halls import CLAIMED, LATE, hall
from tests.web.rig import Rig, play

OK, ELSEWHERE, FORBIDDEN, NONE = (
    HTTPStatus.OK, HTTPStatus.SEE_OTHER, HTTPStatus.FORBIDDEN, HTTPStatus.NOT_FOUND,
)  # fmt: skip
OF_ALL = ("/find", "/find?q=lis", "/me/1", "/standings", "/wall")
OF_HALL = (
    "/hall", f"/table/{LATE}", f"/answer/{LATE}/time_out", f"/answer/{CLAIMED}/early_click", "/results", "/results/1",
    "/seating", "/players", "/players/1", "/papers", "/settings", "/acts",
    "/lists/results",
)  # fmt: skip
OF_ORGANISERS = ("/people", "/phones", "/lists/players")
LIVE = {"/live/hall": False, f"/live/table/{LATE}": False, "/live/public": True}  # whether the public may
NOWHERE = ("/table/99", "/results/99", "/players/99", "/me/99", "/act/nothing")


@pytest.mark.parametrize("role", ROLES)
def test_each_role_has_its_pages_and_no_other(tmp_path: Path, role: Role) -> None:
    async def story(rig: Rig) -> None:
        async with rig.browser() as browser:
            await browser.log_in(role)
            for path in OF_ALL:
                assert (await browser.get(path)).status == OK, path
            for path in OF_HALL:
                answer = await browser.get(path)
                assert answer.status == (FORBIDDEN if role == "public" else OK), path
                assert (_(NOT_YOURS) in await answer.text()) == (role == "public"), path
            for path in OF_ORGANISERS:
                assert (await browser.get(path)).status == (OK if role == "organiser" else FORBIDDEN), path
            for path in NOWHERE:
                hidden = role == "public" and not path.startswith(("/me", "/act"))
                assert (await browser.get(path)).status == (FORBIDDEN if hidden else NONE), path
            for path, public in LIVE.items():
                async with browser.client.get(rig.url + path) as answer:
                    assert answer.status == (OK if public or role != "public" else FORBIDDEN), path
            first = "/find" if role == "public" else "/hall"
            assert (await browser.get("/")).headers["Location"] == first

    play(tmp_path, story, event=hall(tmp_path))


@pytest.mark.parametrize("role", ROLES)
def test_each_role_has_the_forms_of_its_acts_and_no_other(tmp_path: Path, role: Role) -> None:
    async def story(rig: Rig) -> None:
        async with rig.browser() as browser:
            await browser.log_in(role)
            for act in ACTS.values():
                expected = OK if role in act.roles else FORBIDDEN
                assert (await browser.get(f"/act/{act.name}")).status == expected, act.name
            if role != "public":
                named = set(re.findall(r'href="/act/(\w+)', await browser.page("/acts")))
                assert named == {act.name for act in allowed(role) if not act.of_halls}, "it is played in one hall"

    play(tmp_path, story, event=hall(tmp_path))


def test_without_a_log_in_every_page_leads_to_it(tmp_path: Path) -> None:
    async def story(rig: Rig) -> None:
        async with rig.browser() as browser:
            for path in (*OF_ALL, *OF_HALL, *OF_ORGANISERS, *LIVE, "/act/stop"):
                asked = await browser.get(path, Accept="text/html")
                assert (asked.status, asked.headers["Location"]) == (ELSEWHERE, "/login?over=over"), path
                assert (await browser.get(path)).status == HTTPStatus.UNAUTHORIZED, path

    play(tmp_path, story, event=hall(tmp_path))


def test_what_the_public_sees_holds_no_act_and_no_form_but_to_leave_to_choose_and_to_look_for_a_name(
    tmp_path: Path,
) -> None:
    async def story(rig: Rig) -> None:
        async with rig.browser() as browser:
            await browser.log_in("public")
            for path in OF_ALL:
                page = await browser.page(path)
                forms = re.findall(r"<form[^>]*>", page)
                assert {re.sub(r'.*action="([^"]*)".*', r"\1", one) for one in forms if "search" not in one} == {
                    "/manner", "/logout",
                }, path  # fmt: skip
                assert sum("search" in one for one in forms) == path.startswith("/find"), path
                assert not re.search(r"/act/|/answer/|/table/|/back|/players/|/results", page), path

    play(tmp_path, story, event=hall(tmp_path))


def test_whatever_the_public_sends_nothing_is_done(tmp_path: Path) -> None:
    async def story(rig: Rig) -> None:
        head = rig.ledger.head()
        async with rig.browser() as browser:
            await browser.log_in("public")
            fields = {"token": await browser.form("/find"), "args": '{"table": 1}', "sure": "yes", "why": "so"}
            for act in ACTS:
                assert (await browser.post(f"/act/{act}", fields)).status == FORBIDDEN, act
            assert (await browser.send("/back", {"path": "/find"}, "/find")).status == ELSEWHERE
        assert rig.ledger.head() == head

    play(tmp_path, story)
