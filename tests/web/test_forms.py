"""What a form does: whose it is, what is wrong with it, what it asks first, and how what was done is taken back."""

from __future__ import annotations

import asyncio
import json
import random
import re
import threading
from html import unescape
from http import HTTPStatus
from pathlib import Path
from typing import Any

import pytest

from dalej.domain.tournament.tournament import GameAt
from dalej.event.event import Event, state_of
from dalej.event.ledger import Ledger
from dalej.event.reading import read
from dalej.office.acts.performer import Performer
from dalej.office.acts.roles import Actor
from dalej.office.acts.wishes import Done, Wish
from dalej.office.notation import written
from tests import world
from tests.office.acts.forms import PROBLEM
from tests.web.halls import CLAIMED, DISPUTED, LATE, QUIET, hall, league
from tests.web.rig import Browser, Live, Rig, form_of, invited, play

POSTS = (
    "/act/sign_up", "/back", "/manner", "/people/invite", "/people/end", "/people/withdraw", "/phones/code",
    "/phones/forget", "/settings",
    "/lists/players", "/lists/results", "/lists/players/enter",
)  # fmt: skip
NAME = {"name": "Kret"}
FIRST = GameAt(1, 1)
RACKS = {"racks:A": "0", "racks:B": "10", "racks:C": "20", "racks:D": "30"}
RULED = {"verdict": "undone", "move": "1", "tiles": ""}


def problems(page: str) -> list[str]:
    return [unescape(one) for one in PROBLEM.findall(page)]


def results(rig: Rig) -> set[GameAt]:
    state = state_of(read(rig.ledger))
    assert state.current is not None
    return set(state.current.results)


# --- whose it is -----


@pytest.mark.parametrize("path", POSTS)
@pytest.mark.parametrize("token", [None, "", "0" * 64, "another's"])
def test_a_form_without_the_token_of_its_session_does_nothing(tmp_path: Path, path: str, token: str | None) -> None:
    async def story(rig: Rig) -> None:
        head = rig.ledger.head()
        async with rig.browser() as browser, rig.browser() as other:
            await browser.log_in("organiser", "Borsuk")
            await other.log_in("organiser", "Lis")
            given = await other.form("/acts") if token == "another's" else token
            fields = {**NAME, "lang": "pl", **({} if given is None else {"token": given})}
            assert (await browser.post(path, fields)).status == HTTPStatus.FORBIDDEN
            assert '<html lang="en"' in await browser.page("/hall")
        assert rig.ledger.head() == head

    play(tmp_path, story, event=league(tmp_path))


@pytest.mark.parametrize("path", [*POSTS, "/logout"])
@pytest.mark.parametrize("origin", [None, "null", "http://evil.example", "http://127.0.0.1:1"])
def test_a_form_of_another_page_does_nothing_though_it_knows_the_token(
    tmp_path: Path, path: str, origin: str | None
) -> None:
    async def story(rig: Rig) -> None:
        head = rig.ledger.head()
        async with rig.browser() as browser:
            await browser.log_in("organiser", "Borsuk")
            headers = {} if origin is None else {"Origin": origin}
            fields = {**NAME, "token": await browser.form("/acts")}
            assert (await browser.ask("POST", path, headers, fields)).status == HTTPStatus.FORBIDDEN
            assert (await browser.get("/session")).status == HTTPStatus.OK
        assert rig.ledger.head() == head

    play(tmp_path, story, event=league(tmp_path))


def test_the_token_stands_in_no_address_and_is_another_after_the_next_log_in(tmp_path: Path) -> None:
    async def story(rig: Rig) -> None:
        async with rig.browser() as browser:
            await browser.log_in("organiser", "Borsuk")
            page = await browser.page("/hall")
            before = form_of(page)
            assert before not in "".join(re.findall(r'(?:href|src|action)="[^"]*"', page))
            await browser.log_in("organiser", "Borsuk")
            assert await browser.form("/hall") != before
            answer = await browser.post("/act/sign_up", {**NAME, "token": before})
            assert answer.status == HTTPStatus.FORBIDDEN

    play(tmp_path, story, event=league(tmp_path))


@pytest.mark.parametrize(
    "path",
    [
        "//evil.example", "/\\evil.example", "https://evil.example", "javascript:alert(1)", "/\t/evil.example",
        "/\n/evil.example", "/\t/[",
    ],
)  # fmt: skip
def test_no_form_leads_to_another_server(tmp_path: Path, path: str) -> None:
    async def story(rig: Rig) -> None:
        async with rig.browser() as browser:
            await browser.log_in("organiser")
            for form, fields in (("/manner", {}), ("/back", {}), ("/act/sign_up", NAME)):
                answer = await browser.send(form, {**fields, "path": path})
                assert answer.headers["Location"] == "/", form

    play(tmp_path, story, event=league(tmp_path))


def test_a_form_that_says_it_stood_at_no_address_is_of_no_page(tmp_path: Path) -> None:
    async def story(rig: Rig) -> None:
        nowhere = {"Referer": "http://["}
        async with rig.browser() as browser:
            await browser.log_in("organiser")
            assert (await browser.get("/act/sign_up", **nowhere)).status == HTTPStatus.OK
            fields = {"token": await browser.form("/acts")}
            answer = await browser.ask("POST", "/back", {"Origin": rig.url, **nowhere}, fields)
            assert answer.headers["Location"] == "/hall"

    play(tmp_path, story, event=league(tmp_path))


def test_a_form_that_says_it_stood_at_a_page_of_no_letters_is_of_no_page(tmp_path: Path) -> None:
    async def story(rig: Rig) -> None:
        async with rig.browser() as browser:
            await browser.log_in("organiser")
            (cookie,) = list(browser.client.cookie_jar)
            reader, writer = await asyncio.open_connection("127.0.0.1", rig.server.port)
            told = f"Host: localhost\r\nCookie: {cookie.key}={cookie.value}\r\nConnection: close\r\n"
            writer.write(
                f"GET /act/sign_up HTTP/1.1\r\n{told}Referer: http://localhost/seating".encode() + b"\xff\r\n\r\n"
            )
            async with asyncio.timeout(20):
                answer = await reader.read()
            writer.close()
        assert answer.startswith(b"HTTP/1.1 200")
        assert b'value="/seating' not in answer

    play(tmp_path, story, event=league(tmp_path))


FIELD = b"--x\r\n%b\r\n\r\nSowa\r\n--x--\r\n"
NAMED = b'Content-Disposition: form-data; name="token"\r\n'


@pytest.mark.parametrize(
    "headers",
    [
        b"Content-Disp\xb9sition: form-data", NAMED + b"Content-Transfer-Encoding: morse",
        NAMED + b"Content-Encoding: morse", NAMED + b"Content-Encoding: deflate",
    ],
)  # fmt: skip
def test_what_is_cut_into_fields_as_no_browser_does_it_is_refused_in_words(tmp_path: Path, headers: bytes) -> None:
    async def story(rig: Rig) -> None:
        told = {"Origin": rig.url, "Content-Type": "multipart/form-data; boundary=x"}
        async with rig.browser() as browser:
            await browser.log_in("organiser")
            for path in ("/login", "/manner", "/lists/players", await invited(browser)):
                sent = FIELD % headers
                async with browser.client.post(rig.url + path, data=sent, headers=told) as answer:
                    assert 400 <= answer.status < 500, path

    play(tmp_path, story, event=league(tmp_path))


@pytest.mark.parametrize(("charset", "half"), [("utf-7", b"+2AA-"), ("unicode_escape", rb"\ud800")])
def test_half_a_character_in_a_form_is_refused_in_words(tmp_path: Path, charset: str, half: bytes) -> None:
    async def story(rig: Rig) -> None:
        told = {"Origin": rig.url, "Content-Type": f"application/x-www-form-urlencoded; charset={charset}"}
        async with rig.browser() as browser:
            await browser.log_in("organiser")
            for path in ("/login", "/manner", "/back", "/act/sign_up", await invited(browser)):
                sent = b"role=referee&token=%b&name=%b" % (half, half)
                async with browser.client.post(rig.url + path, data=sent, headers=told) as answer:
                    assert answer.status == HTTPStatus.BAD_REQUEST, path

    play(tmp_path, story, event=league(tmp_path))


# --- what is wrong with it -----


def test_a_form_with_something_wrong_names_each_field_and_keeps_what_was_right(tmp_path: Path) -> None:
    async def story(rig: Rig) -> None:
        head = rig.ledger.head()
        async with rig.browser() as browser:
            await browser.log_in("referee")
            answer = await browser.act(
                "rule", {"table": 9}, {"game": "x", "seat": "B", "move": "7777777", "verdict": "undone"}, why="seen"
            )
            page = await answer.text()
            assert answer.status == HTTPStatus.UNPROCESSABLE_ENTITY
            assert len(problems(page)) == 2
            for field in ("game", "move"):
                assert re.search(rf'name="{field}" value="\w+"[^>]* aria-invalid="true"', page), field
                (wrong,) = re.findall(rf'name="{field}"[^>]* aria-describedby="([^"]+)"', page)
                assert f'id="{wrong}"' in page
            assert re.search(r'name="verdict" value="undone" checked', page)
            assert re.search(r'name="seat" value="B" checked', page)
            assert re.search(r'name="own"[^>]* value="seen"', page)
        assert rig.ledger.head() == head

    play(tmp_path, story, event=league(tmp_path))


def test_a_sheet_that_cannot_be_right_says_why_keeps_every_rack_and_goes_back_to_its_table(tmp_path: Path) -> None:
    async def story(rig: Rig) -> None:
        async with rig.browser() as browser:
            await browser.log_in("referee")
            known = {"table": 1, "game": 1}
            wrong = await browser.act("enter_result", known, {**RACKS, "racks:B": "x7"}, path="/results/1")
            page = await wrong.text()
            assert wrong.status == HTTPStatus.UNPROCESSABLE_ENTITY
            assert problems(page)
            for name, rack in {**RACKS, "racks:B": "x7"}.items():
                assert f'name="{name}" value="{rack}"' in page
            assert results(rig) == set()
            path = re.findall(r'name="path" value="(/results/1)"', page)
            right = await browser.act("enter_result", known, RACKS, path=path[0])
            assert (right.status, right.headers["Location"]) == (HTTPStatus.SEE_OTHER, "/results/1")
        assert results(rig) == {FIRST}

    play(tmp_path, story, event=league(tmp_path))


def test_a_rack_that_hardly_ever_happens_is_asked_about_before_it_is_entered(tmp_path: Path) -> None:
    async def story(rig: Rig) -> None:
        async with rig.browser() as browser:
            await browser.log_in("referee")
            known, racks = {"table": 1, "game": 1}, {**RACKS, "racks:B": "600"}
            asked = await browser.act("enter_result", known, racks)
            assert "600 points on one rack, which hardly ever happens" in await asked.text()
            assert results(rig) == set()
            done = await browser.act("enter_result", known, racks, sure="yes")
            assert done.status == HTTPStatus.SEE_OTHER
        assert results(rig) == {FIRST}

    play(tmp_path, story, event=league(tmp_path))


def test_a_sheet_that_is_corrected_comes_with_what_was_entered_and_who_sits_there(tmp_path: Path) -> None:
    async def story(rig: Rig) -> None:
        async with rig.browser() as browser:
            await browser.log_in("referee")
            await browser.act("enter_result", {"table": 1, "game": 1}, RACKS)
            page = unescape(await browser.page('/act/correct_result?args={"table":1,"game":1}'))
            names = re.findall(r">rack of [A-D] ([^<]+)<", page)
            assert len(names) == len(set(names)) == 4
            for field, rack in RACKS.items():
                assert re.search(rf'name="{field}" value="{re.escape(rack)}"', page), field
            for racks in ({**RACKS, "racks:B": "1o"}, {**RACKS, "racks:A": "5"}):
                refused = await browser.act("correct_result", {"table": 1, "game": 1}, racks, why="the 3 is an 8")
                assert refused.status == HTTPStatus.UNPROCESSABLE_ENTITY, "before anybody is asked whether it is so"

    play(tmp_path, story, event=league(tmp_path))


def test_who_corrects_a_closed_round_reads_first_what_changes_and_then_that_it_is_done(tmp_path: Path) -> None:
    path = league(tmp_path)
    with Ledger.open(path) as ledger:
        event = Event(ledger, who="Borsuk", wall_ms=lambda: 1)
        world.play(event, random.Random(1))
        world.close(event)
        key = next(iter(event.state().rounds))
        result = event.state().rounds[key].results[GameAt(1, 1)]
        assert result.sheet is not None
        racks, ended = {rack.seat: written(rack) for rack in result.sheet.racks}, result.sheet.ended

    async def story(rig: Rig) -> None:
        known = {"round": key.text, "table": 1, "game": 1}
        loser = next(seat for seat, rack in racks.items() if rack != "0")
        fields = {f"racks:{seat}": rack for seat, rack in racks.items()} | {f"racks:{loser}": "7", "ended": ended}
        async with rig.browser() as browser:
            await browser.log_in("organiser")
            asked = await browser.act("correct_closed", known, fields, why="mistyped")
            question = unescape(await asked.text())
            assert "The round is closed, and stays closed. What is corrected changes:" in question, problems(question)
            assert "place" in question or "points" in question
            done = await browser.act("correct_closed", known, fields, why="mistyped", sure="yes")
            assert (done.status, done.headers["Location"]) == (HTTPStatus.SEE_OTHER, f"/rounds/{key.text}")
            assert "/back" in await browser.page(f"/rounds/{key.text}")

    play(tmp_path, story, event=path)


def test_what_is_refused_leaves_nothing_done_and_is_said(tmp_path: Path) -> None:
    async def story(rig: Rig) -> None:
        head = rig.ledger.head()
        async with rig.browser() as browser:
            await browser.log_in("organiser")
            answer = await browser.act("close_round", sure="yes")
            assert answer.status == HTTPStatus.UNPROCESSABLE_ENTITY
            page = unescape(await answer.text())
            (why,) = problems(page)
            assert page.count(why) == 1, "one refusal, said once, where it was asked"
            for path in ("/hall", "/players"):
                assert why not in unescape(await browser.page(path))
                assert "/back" not in await browser.page(path)
        assert rig.ledger.head() == head

    play(tmp_path, story, event=league(tmp_path))


HOSTILE = (
    "[", "[]", "7", '"x"', "[" * 3_000, '{"table": 1e999}', '{"table": NaN}', '{"table": true}', '{"table": -1}',
    '{"table": 99999999999999999999999}', '{"table": "1"}', '{"table": {"table": 1}}', '{"name": "\\ud800"}',
    '{"racks": {"A": {"B": []}}}', '{"player": 1, "seat": "Z"}', '{"nonsense": 1}', '{"numbers": [null]}', "{" * 5,
    '{"table": ' + "9" * 5_000 + "}",
)  # fmt: skip


@pytest.mark.parametrize("args", HOSTILE, ids=lambda args: f"{len(args)}-{args[:30]}")
def test_whatever_stands_in_a_form_is_refused_in_words(
    tmp_path: Path, args: str, caplog: pytest.LogCaptureFixture
) -> None:
    async def story(rig: Rig) -> None:
        head = rig.ledger.head()
        async with rig.browser() as browser:
            await browser.log_in("organiser")
            token = await browser.form("/acts")
            for act in ("sign_up", "stop", "enter_result", "restore", "set_option", "move_player"):
                for more in ({}, {"seen": "9" * 5_000}, {"seen": "²"}, {"name": "\x00", "table": "-", "ms": "9" * 99}):
                    fields = {"token": token, "args": args, "why": "w", "sure": "yes", **more}
                    answer = await browser.post(f"/act/{act}", fields)
                    assert answer.status in (400, 422), (act, more, answer.status)
            assert (await browser.client.get(f"{rig.url}/act/sign_up", params={"args": args})).status in (200, 400)
        assert rig.ledger.head() == head

    play(tmp_path, story, event=league(tmp_path))
    assert [one for one in caplog.records if one.levelname == "ERROR"] == []


# --- reasons -----


def test_a_choice_that_is_called_reason_is_no_reason_that_somebody_gave(tmp_path: Path) -> None:
    async def story(rig: Rig) -> None:
        async with rig.browser() as browser:
            await browser.log_in("referee")
            await browser.act("stop", {"table": QUIET}, {"reason": "round_break"})
            (asked,) = rig.ledger.open_requests()
            assert (asked.command, asked.why) == ("stop", "")

    play(tmp_path, story, event=hall(tmp_path))


def test_a_reason_that_is_typed_is_kept_beside_a_choice_that_is_called_reason(tmp_path: Path) -> None:
    async def story(rig: Rig) -> None:
        async with rig.browser() as browser:
            await browser.log_in("referee")
            fields = {"reason": "round_time", "own": "the hall closes"}
            await browser.act("final_lap", {"table": QUIET}, fields, sure="yes")
            (asked,) = rig.ledger.open_requests()
            assert (asked.command, asked.why) == ("final_lap", "the hall closes")

    play(tmp_path, story, event=hall(tmp_path))


# --- what is asked first -----


def test_what_destroys_something_is_asked_about_first_and_a_yes_does_it(tmp_path: Path) -> None:
    async def story(rig: Rig) -> None:
        async with rig.browser() as browser:
            await browser.log_in("referee")
            await browser.act("enter_result", {"table": 1, "game": 1}, RACKS)
            head = rig.ledger.head()
            asked = await browser.act("reopen_result", {"table": 1, "game": 1}, why="mixed up")
            page = await asked.text()
            assert asked.status == HTTPStatus.OK
            assert 'class="question" role="alert"' in page
            assert 'name="sure" value="yes"' in page
            assert rig.ledger.head() == head
            sent = {name: unescape(value) for name, value in re.findall(
                r'<input type="hidden" name="(token|args|seen|sure|own)" value="([^"]*)"', page
            )}  # fmt: skip
            assert sent["own"] == "mixed up"
            assert (await browser.post("/act/reopen_result", sent)).status == HTTPStatus.SEE_OTHER
        assert results(rig) == set()

    play(tmp_path, story, event=league(tmp_path))


# --- taken back -----


def test_undo_takes_back_what_this_person_did_last_and_says_so(tmp_path: Path) -> None:
    async def story(rig: Rig) -> None:
        async with rig.browser() as lis, rig.browser() as sowa:
            await lis.log_in("referee", "Lis")
            await sowa.log_in("referee", "Sowa")
            await lis.act("enter_result", {"table": 1, "game": 1}, RACKS)
            await sowa.act("enter_result", {"table": 2, "game": 1}, RACKS)
            assert "/back" in await lis.page("/hall")
            answer = await lis.send("/back", {"path": "/results"}, "/hall")
            assert (answer.status, answer.headers["Location"]) == (HTTPStatus.SEE_OTHER, "/results")
            assert results(rig) == {GameAt(2, 1)}
            page = await lis.page("/results")
            assert "Taken back" in page
            assert "/back" not in page
            head = rig.ledger.head()
            await lis.send("/back", {"path": "/results"}, "/hall")
            assert rig.ledger.head() == head

    play(tmp_path, story, event=league(tmp_path))


def test_what_was_done_is_told_of_where_it_is_seen_and_on_no_other_page(tmp_path: Path) -> None:
    async def story(rig: Rig) -> None:
        async with rig.browser() as browser:
            await browser.log_in("referee")
            await browser.act("enter_result", {"table": 1, "game": 1}, RACKS)
            told = {path: "/back" in await browser.page(path) for path in ("/table/1", "/hall", "/table/2", "/players")}
            assert told == {"/table/1": True, "/hall": True, "/table/2": False, "/players": False}
            async with browser.client.get(f"{browser.url}/live/table/2") as live:
                assert "/back" not in (await Live(live).parts())["done"]

    play(tmp_path, story, event=league(tmp_path))


def test_what_somebody_else_has_taken_back_is_not_taken_back_twice_and_that_is_said(tmp_path: Path) -> None:
    async def story(rig: Rig) -> None:
        async with rig.browser() as lis, rig.browser() as sowa:
            await lis.log_in("organiser", "Lis")
            await sowa.log_in("organiser", "Sowa")
            await lis.act("sign_up", fields=NAME)
            await sowa.act("undo", why="twice", sure="yes")
            head = rig.ledger.head()
            await lis.send("/back", {"path": "/results"}, "/hall")
            assert "done trouble" in await lis.page("/results")
            assert "done trouble" not in await lis.page("/hall")
            assert rig.ledger.head() == head

    play(tmp_path, story, event=league(tmp_path))


# --- two at once -----


async def looks_at(browser: Browser, table: int, kind: str) -> dict[str, str]:
    """What the form brings along that answers that call."""
    page = await browser.page(f"/answer/{table}/{kind}")
    found = dict(re.findall(r'<input type="hidden" name="(token|args|seen)" value="([^"]*)"', page))
    return {name: unescape(value) for name, value in found.items()}


@pytest.mark.parametrize(
    ("table", "kind", "first", "second"),
    [
        (LATE, "time_out", ("rule", RULED), ("rule", {**RULED, "verdict": "stands"})),
        (CLAIMED, "early_click", ("grant_claim", {"move": "2"}), ("deny_claim", {"move": "2"})),
    ],
)  # fmt: skip
def test_of_two_referees_at_one_call_the_second_is_told_what_the_first_has_decided(
    tmp_path: Path, table: int, kind: str, first: tuple[str, dict[str, str]], second: tuple[str, dict[str, str]]
) -> None:
    async def story(rig: Rig) -> None:
        async with rig.browser() as sowa, rig.browser() as lis:
            await sowa.log_in("referee", "Sowa")
            await lis.log_in("referee", "Lis")
            forms = [await looks_at(one, table, kind) for one in (sowa, lis)]
            act, fields = first
            done = await sowa.post(f"/act/{act}", {**forms[0], **fields, "why": "seen by the referee"})
            assert done.status == HTTPStatus.SEE_OTHER
            head = rig.ledger.head()
            act, fields = second
            late = await lis.post(f"/act/{act}", {**forms[1], **fields, "why": "nobody saw it"})
            assert late.status == HTTPStatus.UNPROCESSABLE_ENTITY
            assert any("Sowa" in one for one in problems(await late.text()))
            assert rig.ledger.head() == head

    play(tmp_path, story, event=hall(tmp_path))


def test_a_call_that_somebody_has_answered_leads_to_its_table(tmp_path: Path) -> None:
    async def story(rig: Rig) -> None:
        async with rig.browser() as sowa:
            await sowa.log_in("referee", "Sowa")
            assert (await sowa.get(f"/answer/{DISPUTED}/time_out")).headers["Location"] == f"/table/{DISPUTED}"

    play(tmp_path, story, event=hall(tmp_path))


# --- the server ends meanwhile -----


def test_an_act_that_has_begun_is_done_whole_when_the_server_stops(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    begun, go_on = threading.Event(), threading.Event()
    do = Performer.do

    def slowly(self: Performer, actor: Actor, wish: Wish) -> Done:
        begun.set()
        assert go_on.wait(20)
        return do(self, actor, wish)

    async def story(rig: Rig) -> None:
        async with rig.browser() as browser, rig.browser() as other:
            await browser.log_in("organiser")
            await other.log_in("organiser")
            forms = [await one.form("/acts") for one in (browser, other)]
            monkeypatch.setattr(Performer, "do", slowly)
            named = zip((browser, other), forms, ("Kret", "Borsuk 9"), strict=True)
            sends = [asyncio.create_task(sent(*one)) for one in named]
            assert await asyncio.to_thread(begun.wait, 20)
            closing = asyncio.create_task(rig.server.close())
            await asyncio.sleep(0)
            go_on.set()
            await closing
            statuses = await asyncio.gather(*sends)
            kept = [player.name for player in state_of(read(rig.ledger)).players.values()]
            assert "Kret" in kept
            assert ("Borsuk 9" in kept) == (statuses[1] == HTTPStatus.SEE_OTHER)
            assert statuses[0] == HTTPStatus.SEE_OTHER

    async def sent(browser: Browser, form: str, name: str) -> Any:
        try:
            return (await browser.post("/act/sign_up", {"token": form, "name": name})).status
        except ConnectionError:
            return None

    play(tmp_path, story, event=league(tmp_path))


def test_what_is_known_of_an_act_comes_back_as_it_was_sent(tmp_path: Path) -> None:
    async def story(rig: Rig) -> None:
        async with rig.browser() as browser:
            await browser.log_in("organiser")
            known = {"name": '"><script>alert(1)</script>', "group": "ą'\"&amp;"}
            page = await (await browser.client.get(f"{rig.url}/act/sign_up", params={"args": json.dumps(known)})).text()
            (args,) = set(re.findall(r'name="args" value="([^"]*)"', page))
            assert json.loads(unescape(args)) == known
            assert "<script>alert" not in page

    play(tmp_path, story, event=league(tmp_path))
