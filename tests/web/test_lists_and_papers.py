"""Lists sent from a device, papers opened in it, settings changed where they stand, closed rounds corrected."""

from __future__ import annotations

import io
import re
import time
from http import HTTPStatus
from pathlib import Path

import pytest
from aiohttp import FormData

from dalej.event.event import state_of
from dalej.event.reading import read
from dalej.views.papers import PAPERS, SHEETS
from dalej.web import listpages, paperpage
from tests.web.halls import league
from tests.web.rig import Browser, Rig, form_of, play

LIST = "Name;Class\nKret Zielony;4b\nJeleń Górski;4c\n"


async def send(
    browser: Browser, kind: str, data: bytes, name: str = "list.csv", token: str | None = None
) -> tuple[int, str]:
    """A file, as a browser sends it."""
    form = FormData()
    form.add_field("token", await browser.form(f"/lists/{kind}") if token is None else token)
    form.add_field("file", io.BytesIO(data), filename=name, content_type="text/csv")
    async with browser.client.post(
        f"{browser.url}/lists/{kind}", data=form, headers={"Origin": browser.url}, allow_redirects=False
    ) as answer:
        return answer.status, await answer.text()


def names(rig: Rig) -> list[str]:
    return [one.name for one in state_of(read(rig.ledger)).players.values()]


# --- lists -----


def test_a_list_of_players_is_shown_as_it_was_understood_and_entered_when_it_is_confirmed(tmp_path: Path) -> None:
    async def story(rig: Rig) -> None:
        async with rig.browser() as browser:
            await browser.log_in("organiser", "Borsuk")
            before = names(rig)
            status, page = await send(browser, "players", LIST.encode())
            assert status == HTTPStatus.OK
            assert "Kret Zielony" in page
            assert "2 players would be signed up" in page
            assert names(rig) == before
            answer = await browser.post("/lists/players/enter", {"token": form_of(page)})
            assert answer.headers["Location"] == "/players"
            assert names(rig)[-2:] == ["Kret Zielony", "Jeleń Górski"]
            again = await browser.post("/lists/players/enter", {"token": form_of(page)})
            assert again.status == HTTPStatus.UNPROCESSABLE_ENTITY
            assert len(names(rig)) == len(before) + 2

    play(tmp_path, story, event=league(tmp_path))


@pytest.mark.parametrize(
    ("data", "said"),
    [(b"Name;Class\n;4b\nKret;\n;;\n12;\n", "line 2"), (b"\x00\x01\x02" * 99, "list.csv"), (b"", "list.csv")],
    ids=["rows without a name", "no text", "empty"],
)
def test_a_list_with_anything_wrong_is_refused_in_words_and_nothing_is_done(
    tmp_path: Path, data: bytes, said: str
) -> None:
    async def story(rig: Rig) -> None:
        async with rig.browser() as browser:
            await browser.log_in("organiser", "Borsuk")
            before = names(rig)
            status, page = await send(browser, "players", data)
            assert status == HTTPStatus.UNPROCESSABLE_ENTITY
            assert said in page
            assert "Nothing was done" in page
            assert names(rig) == before

    play(tmp_path, story, event=league(tmp_path))


def test_a_list_that_is_too_large_is_refused(tmp_path: Path) -> None:
    async def story(rig: Rig) -> None:
        async with rig.browser() as browser:
            await browser.log_in("organiser", "Borsuk")
            status, page = await send(browser, "players", b"x" * (listpages.FILE_MOST + 70_000))
            assert status == HTTPStatus.UNPROCESSABLE_ENTITY
            assert "larger than 2 MB" in page

    play(tmp_path, story, event=league(tmp_path))


def test_a_list_is_kept_for_nobody_else(tmp_path: Path) -> None:
    async def story(rig: Rig) -> None:
        async with rig.browser() as browser, rig.browser() as other:
            await browser.log_in("organiser", "Borsuk")
            await other.log_in("organiser", "Lis")
            foreign = await other.form("/acts")
            assert (await send(browser, "players", LIST.encode(), token=foreign))[0] == HTTPStatus.FORBIDDEN
            await send(browser, "players", LIST.encode())
            answer = await other.send("/lists/players/enter", {})
            assert answer.status == HTTPStatus.UNPROCESSABLE_ENTITY

    play(tmp_path, story, event=league(tmp_path))


def test_a_list_of_results_is_entered_by_a_referee(tmp_path: Path) -> None:
    async def story(rig: Rig) -> None:
        async with rig.browser() as browser:
            await browser.log_in("referee")
            told = "table;game;seat;points\n" + "".join(
                f"1;1;{seat};{rack}\n" for seat, rack in zip("ABCD", (0, 5, 6, 7), strict=False)
            )
            status, page = await send(browser, "results", told.encode())
            assert status == HTTPStatus.OK, re.sub(r"<[^>]+>", " ", page)[-600:]
            assert "1 game would be entered" in page
            assert (await browser.post("/lists/results/enter", {"token": form_of(page)})).headers[
                "Location"
            ] == "/results"
            current = state_of(read(rig.ledger)).current
            assert current is not None
            assert len(current.results) == 1

    play(tmp_path, story, event=league(tmp_path))


# --- papers -----


def test_each_paper_that_can_be_made_opens_as_pdf_and_the_list_says_once_it_is_old(tmp_path: Path) -> None:
    async def story(rig: Rig) -> None:
        async with rig.browser() as browser:
            await browser.log_in("referee")
            page = await browser.page("/papers")
            paths = re.findall(r'href="(/papers/\d+\.pdf)"', page)
            assert len(paths) >= 8
            for path in paths[:4]:
                answer = await browser.get(path)
                assert answer.status == HTTPStatus.OK, path
                assert answer.headers["Content-Disposition"].startswith("inline")
                assert (await answer.text(encoding="latin-1")).startswith("%PDF")
            assert "up to date" in await browser.page("/papers")
            async with rig.browser() as organiser:
                await organiser.log_in("organiser", "Borsuk")
                await organiser.act("move_player", {"player": 1}, {"table": "2", "seat": "A"})
            assert "out of date" in await browser.page("/papers")

    play(tmp_path, story, event=league(tmp_path))


def test_lists_are_there_for_a_spreadsheet_too_and_nothing_else_is(tmp_path: Path) -> None:
    async def story(rig: Rig) -> None:
        async with rig.browser() as browser:
            await browser.log_in("referee")
            paths = re.findall(r'href="(/papers/\d+\.(?:csv|xlsx))"', await browser.page("/papers"))
            assert {path.rpartition(".")[2] for path in paths} == {"csv", "xlsx"}
            nothing_won = {f"/papers/{at}" for at, one in enumerate(PAPERS) if one.args["what"] == "prizes"}
            for path in paths:
                answer = await browser.get(path)
                if path.partition(".")[0] in nothing_won:
                    assert "nobody has played yet" in await answer.text()
                    continue
                assert answer.status == HTTPStatus.OK, path
                assert answer.headers["Content-Disposition"].startswith("attachment")
                assert (await answer.text(encoding="latin-1")).startswith("PK") == path.endswith("xlsx")
            (sheets,) = [at for at, one in enumerate(PAPERS) if one is SHEETS]
            assert (await browser.get(f"/papers/{sheets}.xlsx")).status == HTTPStatus.NOT_FOUND

    play(tmp_path, story, event=league(tmp_path))


def test_a_paper_without_typst_and_one_that_takes_too_long_are_told_in_a_sentence(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def missing(*_given: object) -> tuple[bytes, object]:
        raise ImportError("typst")

    def slow(*_given: object) -> tuple[bytes, object]:
        time.sleep(0.5)  # in its thread, as typesetting does
        return b"", None

    async def story(rig: Rig) -> None:
        async with rig.browser() as browser:
            await browser.log_in("referee")
            for make, said in ((missing, "typst"), (slow, "not ready within")):
                monkeypatch.setattr(paperpage, "_make", make)
                monkeypatch.setattr(paperpage, "MADE_WITHIN_S", 0.2)
                answer = await browser.get("/papers/0.pdf", Accept="text/html")
                assert answer.status == HTTPStatus.UNPROCESSABLE_ENTITY
                assert said in await answer.text()

    play(tmp_path, story, event=league(tmp_path))


def test_the_final_form_does_not_travel(tmp_path: Path) -> None:
    number = next(at for at, one in enumerate(PAPERS) if one.final)

    async def story(rig: Rig) -> None:
        async with rig.browser() as browser:
            await browser.log_in("organiser")
            answer = await browser.get(f"/papers/{number}.pdf")
            assert answer.status == HTTPStatus.UNPROCESSABLE_ENTITY
            assert answer.content_type == "text/html"
            assert (await browser.get("/papers/99.pdf")).status == HTTPStatus.NOT_FOUND

    play(tmp_path, story, event=league(tmp_path))


# --- settings -----


def option(rig: Rig, key: str) -> object:
    return getattr(state_of(read(rig.ledger)).ruleset, key)


def test_a_setting_is_changed_where_it_stands_and_what_is_no_value_is_refused_there(tmp_path: Path) -> None:
    async def story(rig: Rig) -> None:
        async with rig.browser() as browser:
            await browser.log_in("organiser", "Borsuk")
            page = await browser.page("/settings")
            assert "time for a move" in page
            assert "limit_ms" not in page
            wrong = await browser.send("/settings", {"key": "limit", "value": "soon"}, "/settings")
            assert wrong.status == HTTPStatus.UNPROCESSABLE_ENTITY
            text = await wrong.text()
            assert re.search(r'<details id="limit" open>.*?class="problem"', text, re.DOTALL)
            assert len(re.findall('class="problem"', text)) == 1
            done = await browser.send("/settings", {"key": "limit", "value": "45"}, "/settings")
            assert done.headers["Location"] == "/settings#limit"
            assert option(rig, "limit_ms") == 45_000
            assert "Take it back" in await browser.page("/settings")
            assert (await browser.send("/settings", {"key": "nothing", "value": "1"})).status == HTTPStatus.NOT_FOUND

    play(tmp_path, story, event=league(tmp_path))


def test_a_setting_against_the_regulation_is_asked_about_first(tmp_path: Path) -> None:
    async def story(rig: Rig) -> None:
        async with rig.browser() as browser:
            await browser.log_in("organiser", "Borsuk")
            asked = await browser.send("/settings", {"key": "opening_points", "value": "20"}, "/settings")
            text = await asked.text()
            assert asked.status == HTTPStatus.OK
            assert 'class="question"' in text
            assert 'name="sure"' in text
            assert option(rig, "opening_points") == 30
            fields = {"token": form_of(text), "key": "opening_points", "value": "20", "sure": "yes", "why": "agreed"}
            assert (await browser.post("/settings", fields)).headers["Location"] == "/settings#opening_points"
            assert option(rig, "opening_points") == 20

    play(tmp_path, story, event=league(tmp_path))


def test_a_referee_reads_settings_and_changes_none(tmp_path: Path) -> None:
    async def story(rig: Rig) -> None:
        async with rig.browser() as browser:
            await browser.log_in("referee")
            assert 'action="/settings' not in await browser.page("/settings")
            answer = await browser.send("/settings", {"key": "limit", "value": "45"})
            assert answer.status == HTTPStatus.FORBIDDEN

    play(tmp_path, story, event=league(tmp_path))


# --- closed rounds -----


def test_a_result_of_a_closed_round_is_corrected_from_its_page(tmp_path: Path) -> None:
    async def story(rig: Rig) -> None:
        async with rig.browser() as browser:
            await browser.log_in("organiser", "Borsuk")
            racks = {f"racks:{seat}": rack for seat, rack in zip("ABCD", ("0", "10", "20", "30"), strict=True)}
            one = state_of(read(rig.ledger)).current
            assert one is not None
            for at in one.missing():
                await browser.act("enter_result", {"table": at.table, "game": at.game}, racks)
            closing = await browser.act("close_round", sure="yes", why="it is late")
            assert closing.status == HTTPStatus.SEE_OTHER
            (path,) = re.findall(r'href="(/rounds/[^"]+)"', await browser.page("/results"))
            assert "/act/correct_closed" in await browser.page(path)
            known = {"round": one.key.text, "table": 1, "game": 1}
            answer = await browser.act("correct_closed", known, {**racks, "racks:B": "11"}, sure="yes", why="mistyped")
            assert answer.headers["Location"] == path
            state = state_of(read(rig.ledger))
            assert len(state.rounds[one.key].corrected()) == 1

    play(tmp_path, story, event=league(tmp_path))
