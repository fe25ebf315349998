"""Every page in light, dark and high contrast by axe-core's rules of WCAG 2.2, levels A and AA; as wide as a phone is
and as a laptop is.

axe-core comes from npm, as `tests/vm/package-lock.json` pins it. What a program can find is a part of what there is to
be found.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any, Final

import pytest

from dalej.clock import SystemClock
from dalej.web.certificates import identity
from dalej.web.trust import SYSTEMS
from tests.web.axe import AXE, PHONE, violations
from tests.web.halls import CLAIMED, DISPUTED, LATE, QUIET, hall
from tests.web.reading import Chromium, Seen
from tests.web.rig import Rig, invited, served

LOOKS: Final = ("light", "dark", "contrast")
LAPTOP: Final = {"width": 1280, "height": 800}
OF_ALL: Final = ("/find", "/me/1", "/standings", "/wall")
OF_ORGANISERS: Final = (
    "/hall", f"/table/{LATE}", f"/table/{QUIET}", f"/answer/{LATE}/time_out", f"/answer/{CLAIMED}/early_click",
    f"/answer/{DISPUTED}/dispute", "/results", "/results/1", "/seating", "/players", "/players/1", "/settings", "/acts",
    "/act/sign_up", "/act/draw_seating", "/act/rule", "/act/print", "/phones", "/people", "/nowhere",
    "/papers", "/lists/players", "/lists/results", *OF_ALL,
)  # fmt: skip
RACKS: Final = {"racks:A": "0", "racks:B": "10", "racks:C": "20", "racks:D": "30"}


@pytest.mark.parametrize("look", LOOKS)
@pytest.mark.parametrize("window", [PHONE, LAPTOP], ids=["phone", "laptop"])
def test_nothing_stands_in_the_way_of_whoever_sees_or_moves_otherwise(
    chromium: Chromium, tmp_path: Path, window: dict[str, int], look: str
) -> None:
    async def story(rig: Rig, public: Seen) -> list[str]:
        await public.page.goto(f"{rig.url}/login")
        found = await violations(public, "/login")
        await public.page.locator("form").last.locator("button").click()
        await choose(public, look)
        return found + await all_of(public, rig, OF_ALL, look)

    plays(chromium, tmp_path, window, look, story)


@pytest.mark.parametrize("look", LOOKS)
@pytest.mark.parametrize("window", [PHONE, LAPTOP], ids=["phone", "laptop"])
def test_nor_in_the_way_of_an_organiser(chromium: Chromium, tmp_path: Path, window: dict[str, int], look: str) -> None:
    async def story(rig: Rig, seen: Seen) -> list[str]:
        await seen.log_in(rig.url, "organiser", "Borsuk")
        await choose(seen, look)
        return await all_of(seen, rig, OF_ORGANISERS, look)

    plays(chromium, tmp_path, window, look, story)


@pytest.mark.parametrize("look", LOOKS)
@pytest.mark.parametrize("window", [PHONE, LAPTOP], ids=["phone", "laptop"])
def test_nor_once_something_has_been_refused_or_done(
    chromium: Chromium, tmp_path: Path, window: dict[str, int], look: str
) -> None:
    async def story(rig: Rig, seen: Seen) -> list[str]:
        await seen.log_in(rig.url, "organiser", "Borsuk")
        await choose(seen, look)
        await seen.page.goto(f"{rig.url}/act/close_round")
        await seen.page.locator("form.act button.does, form.act details.own button").last.click(force=True)
        await seen.page.wait_for_url("**/sent/**")
        found = await violations(seen, "/act/close_round, refused", colours=look != "light")
        await seen.page.goto(f"{rig.url}/results/1")
        for name, rack in RACKS.items():
            await seen.page.locator(f"[name='{name}']").first.fill(rack)
        await seen.page.locator("button.does").first.click()
        await seen.page.locator(".done").wait_for()
        found += await violations(seen, "/results/1, entered", colours=look != "light")
        await seen.page.goto(rig.url + "/standings")
        return found + await violations(seen, "/standings with a result", colours=look != "light")

    plays(chromium, tmp_path, window, look, story)


@pytest.mark.parametrize("look", ["light", "dark"])
@pytest.mark.parametrize("window", [PHONE, LAPTOP], ids=["phone", "laptop"])
def test_nor_on_the_way_in_by_a_code(chromium: Chromium, tmp_path: Path, window: dict[str, int], look: str) -> None:
    async def story(rig: Rig, seen: Seen) -> list[str]:
        async with rig.browser() as organiser:
            await organiser.log_in("organiser", "Borsuk")
            path = await invited(organiser)
        await seen.page.goto(rig.url + path)
        found = await violations(seen, "/join")
        await seen.page.goto(f"{rig.url}/join/{'0' * 32}")
        return found + await violations(seen, "/join, by no code of this server")

    plays(chromium, tmp_path, window, look, story)


@pytest.mark.parametrize("look", ["light", "dark"])
@pytest.mark.parametrize("window", [PHONE, LAPTOP], ids=["phone", "laptop"])
def test_nor_of_who_has_yet_to_trust_this_computer(
    chromium: Chromium, tmp_path: Path, window: dict[str, int], look: str
) -> None:
    made = identity(tmp_path / "tls", ["localhost", "127.0.0.1"], SystemClock().wall_ms())

    async def story(rig: Rig, seen: Seen) -> list[str]:
        url = rig.url.replace("https", "http")  # as whoever does not trust it yet asks
        found: list[str] = []
        for path in ("/trust", *(f"/trust/{system}" for system in SYSTEMS)):
            await seen.page.goto(url + path)
            found += await violations(seen, path)
        return found

    plays(chromium, tmp_path, window, look, story, cert=str(made.file), key=str(made.file), authority=made.authority)


def plays(
    chromium: Chromium, folder: Path, window: dict[str, int], look: str,
    story: Callable[[Rig, Seen], Awaitable[list[str]]], **plan: Any,
) -> None:  # fmt: skip
    """It says what was found, which is nothing."""
    if not AXE.exists():
        pytest.skip("there is no axe-core here: `npm ci` in tests/vm")

    async def run() -> list[str]:
        looks = {"viewport": window, "color_scheme": "dark" if look == "dark" else "light", "bypass_csp": True,
                 "reduced_motion": "reduce"}  # fmt: skip
        async with (
            served(folder, event=hall(folder), public_open=True, **plan) as rig,
            chromium.page(**looks) as seen,
        ):
            return await story(rig, seen)

    found = chromium.run(run())
    assert found == [], "\n".join(found)


async def all_of(seen: Seen, rig: Rig, paths: tuple[str, ...], look: str) -> list[str]:
    """By every rule where it is light: another look changes colours alone."""
    found: list[str] = []
    for path in paths:
        await seen.page.goto(rig.url + path)
        await seen.page.evaluate("for (const one of document.querySelectorAll('details')) one.open = true;")
        found += await violations(seen, path, colours=look != "light")
    return found


async def choose(seen: Seen, look: str) -> None:
    """As a person does, in the page's settings."""
    await seen.page.locator(".me summary").click()
    await seen.page.locator(f"button[name=look][value={look}]").click()
    await seen.page.locator(f"html[data-look={look}]").wait_for()
