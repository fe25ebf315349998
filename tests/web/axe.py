"""What axe-core finds in a page, by its rules of WCAG 2.2, levels A and AA."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any, Final

from tests.web.reading import Seen

AXE: Final = Path(__file__).parents[1] / "vm" / "node_modules" / "axe-core" / "axe.min.js"
TAGS: Final = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22a", "wcag22aa"]
PHONE: Final = {"width": 390, "height": 844}


COLOURS: Final = ["color-contrast", "link-in-text-block"]  # what a look can change
DEADLINE_S: Final = 45.0


async def violations(seen: Seen, where: str, *, colours: bool = False) -> list[str]:
    """Each with what it is about; of its colours alone, if so. TimeoutError names the page that did not answer."""
    assert await seen.page.locator("body").count()
    only = {"type": "rule", "values": COLOURS} if colours else {"type": "tag", "values": TAGS}
    try:
        async with asyncio.timeout(DEADLINE_S):
            await seen.page.evaluate(AXE.read_text(encoding="utf-8"))
            found: dict[str, Any] = await seen.page.evaluate("only => axe.run(document, {runOnly: only})", only)
    except TimeoutError:
        raise TimeoutError(f"{where}: axe has not read it within {DEADLINE_S:g} s") from None
    assert len(found["passes"]) > (0 if colours else 5), where
    return [
        f"{where}: {one['id']}, {one['help']}: {node['html'][:160]} {node.get('failureSummary', '')[:300]}"
        for one in found["violations"] for node in one["nodes"][:3]
    ]  # fmt: skip
