"""What axe-core finds in a page, by its rules of WCAG 2.2, levels A and AA."""

from __future__ import annotations

from pathlib import Path
from typing import Any, Final

from tests.web.reading import Seen

AXE: Final = Path(__file__).parents[1] / "vm" / "node_modules" / "axe-core" / "axe.min.js"
TAGS: Final = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22a", "wcag22aa"]
PHONE: Final = {"width": 390, "height": 844}


async def violations(seen: Seen, where: str) -> list[str]:
    """Each with what it is about."""
    assert await seen.page.locator("body").count()
    await seen.page.evaluate(AXE.read_text(encoding="utf-8"))
    found: dict[str, Any] = await seen.page.evaluate(
        "tags => axe.run(document, {runOnly: {type: 'tag', values: tags}})", TAGS
    )
    assert len(found["passes"]) > 5, where
    return [
        f"{where}: {one['id']}, {one['help']}: {node['html'][:160]} {node.get('failureSummary', '')[:300]}"
        for one in found["violations"] for node in one["nodes"][:3]
    ]  # fmt: skip
