"""Reads the repository's documents: their fenced commands and their links."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).parents[1]


def documents() -> list[Path]:
    """Every document that people read: those at the top and those under docs/ and hardware/."""
    return [*sorted(ROOT.glob("*.md")), *sorted(ROOT.glob("docs/**/*.md")), *sorted(ROOT.glob("hardware/**/*.md"))]


def commands(document: Path) -> Iterator[tuple[int, str]]:
    """`(line number, command)` of every line in the document's `sh` fences; comments and empty lines are left out."""
    fence = None
    for number, line in enumerate(document.read_text(encoding="utf-8").splitlines(), 1):
        if line.lstrip().startswith("```"):
            fence = line.strip()[3:].strip() if fence is None else None
        elif fence == "sh" and (command := line.strip()) and not command.startswith("#"):
            yield number, command


def section(document: Path, heading: str) -> range:
    """The line numbers of a section: from its heading (of the second level) to the next one."""
    lines = document.read_text(encoding="utf-8").splitlines()
    first = lines.index(f"## {heading}") + 1
    last = next((number for number in range(first + 1, len(lines) + 1) if lines[number - 1].startswith("## ")), None)
    return range(first, len(lines) + 1 if last is None else last)


def links(document: Path) -> Iterator[tuple[int, str]]:
    """`(line number, target)` of every link and picture that stays in the repository."""
    for number, line in enumerate(document.read_text(encoding="utf-8").splitlines(), 1):
        for target in re.findall(r"\]\(([^)\s]+)[^)]*\)", line):
            if not re.match(r"[a-z][a-z+.-]*:", target):
                yield number, target


def anchors(document: Path) -> set[str]:
    """What `#...` may point at in a document."""
    headings = re.findall(r"^#+\s+(.+?)\s*$", document.read_text(encoding="utf-8"), re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in headings}


def make_targets() -> set[str]:
    """What `make` can be asked for."""
    return set(re.findall(r"^([a-z][\w-]*):", (ROOT / "Makefile").read_text(encoding="utf-8"), re.MULTILINE))
