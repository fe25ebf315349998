"""Every page in light, dark and high contrast by axe-core's rules of WCAG 2.2, levels A and AA; as wide as a phone is
and as a laptop is.

axe-core comes from npm, as `tests/vm/package-lock.json` pins it. What a program can find is a part of what there is to
be found.
"""

from __future__ import annotations

from pathlib import Path
from typing import Final

import pytest

from tests.web.axe import AXE, PHONE, violations
from tests.web.halls import CLAIMED, DISPUTED, LATE, QUIET, hall
from tests.web.reading import Chromium, Seen
from tests.web.rig import served

LOOKS: Final = ("light", "dark", "contrast")
LAPTOP: Final = {"width": 1280, "height": 800}
OF_ALL: Final = ("/find", "/me/1", "/standings", "/wall")
OF_ORGANISERS: Final = (
    "/hall", f"/table/{LATE}", f"/table/{QUIET}", f"/answer/{LATE}/time_out", f"/answer/{CLAIMED}/early_click",
    f"/answer/{DISPUTED}/dispute", "/results", "/results/1", "/seating", "/players", "/players/1", "/settings", "/acts",
    "/act/sign_up", "/act/draw_seating", "/act/rule", "/act/print", "/people", "/nowhere",
    "/papers", "/lists/players", "/lists/results", *OF_ALL,
)  # fmt: skip
RACKS: Final = {"racks:A": "0", "racks:B": "10", "racks:C": "20", "racks:D": "30"}


@pytest.mark.parametrize("look", LOOKS)
@pytest.mark.parametrize("window", [PHONE, LAPTOP], ids=["phone", "laptop"])
def test_nothing_stands_in_the_way_of_whoever_sees_or_moves_otherwise(
    chromium: Chromium, tmp_path: Path, window: dict[str, int], look: str
) -> None:
    if not AXE.exists():
        pytest.skip("there is no axe-core here: `npm ci` in tests/vm")

    async def run() -> None:
        found: list[str] = []
        async with served(tmp_path, event=hall(tmp_path), public_open=True) as rig:
            looks = {"viewport": window, "color_scheme": "dark" if look == "dark" else "light", "bypass_csp": True,
                     "reduced_motion": "reduce"}  # fmt: skip
            async with chromium.page(**looks) as public, chromium.page(**looks) as seen:
                await public.page.goto(f"{rig.url}/login")
                found += await violations(public, "/login")
                await public.page.locator("form").last.locator("button").click()
                await seen.log_in(rig.url, "organiser", "Borsuk")
                for one in (public, seen):
                    await choose(one, look)
                for path in OF_ALL:
                    await public.page.goto(rig.url + path)
                    found += await violations(public, f"{path} of the public")
                for path in OF_ORGANISERS:
                    await seen.page.goto(rig.url + path)
                    await seen.page.evaluate("for (const one of document.querySelectorAll('details')) one.open = true;")
                    found += await violations(seen, path)
                await seen.page.goto(f"{rig.url}/act/close_round")
                await seen.page.locator("form.act button.does, form.act details.own button").last.click(force=True)
                await seen.page.wait_for_url("**/sent/**")
                found += await violations(seen, "/act/close_round, refused")
                await seen.page.goto(f"{rig.url}/results/1")
                for name, rack in RACKS.items():
                    await seen.page.locator(f"[name='{name}']").first.fill(rack)
                await seen.page.locator("button.does").first.click()
                await seen.page.locator(".done").wait_for()
                found += await violations(seen, "/results/1, entered")
                await seen.page.goto(rig.url + "/standings")
                found += await violations(seen, "/standings with a result")
        assert found == [], "\n".join(found)

    chromium.run(run())


async def choose(seen: Seen, look: str) -> None:
    """As a person does, in the page's settings."""
    await seen.page.locator(".me summary").click()
    await seen.page.locator(f"button[name=look][value={look}]").click()
    await seen.page.locator(f"html[data-look={look}]").wait_for()
