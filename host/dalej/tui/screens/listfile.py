"""A list read on the screen that it is for: the files of the event's folder are shown, one is picked and read; what is
wrong with it is said all at once.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Final, TypeVar

from textual.content import Content

from dalej.domain.game.sentences import instant
from dalej.errors import DalejError
from dalej.office.listfiles import lists_in
from dalej.office.spreadsheets import Table, load
from dalej.tui.ask.dialog import CHOSEN, chooser
from dalej.tui.ask.pages import Reading
from dalej.tui.screens.office import DeskWork
from dalej.tui.typedahead import drop
from dalej.words import _, readable, said

SHOWN_MOST: Final = 20  # files
Found = TypeVar("Found")


def any_in(folder: Path) -> bool:
    """Whether there is a file that can be a list."""
    try:
        return bool(lists_in(folder))
    except DalejError:
        return False


async def pick(screen: DeskWork, title: str, folder: Path, beside: Sequence[str] = ()) -> Path | int | None:
    """Which file of that folder, or which of the choices `beside` them; None: none, and said if there is none."""
    try:
        files = lists_in(folder)[:SHOWN_MOST]
    except DalejError as problem:
        screen.outcome.refuse(said(problem))
        return None
    if not files:
        screen.outcome.warn(
            _("In {folder} there is no list: put a file there that ends in .xlsx, .ods or .csv.").format(
                folder=readable(str(folder))
            )
        )
        return None
    words = _("Files in {folder}, the newest first:").format(folder=readable(str(folder)))
    names = [f"{readable(one.name)} · {instant(int(one.stat().st_mtime * 1000))}" for one in files]
    answers = await screen.asks(chooser(title, words, [*names, *beside], _("read it"), asks_first=True))
    if answers is None:
        return None
    place = int(str(answers[CHOSEN]))
    return files[place] if place < len(files) else place - len(files)


async def read(screen: DeskWork, file: Path, reads: Callable[[bytes, str], Found]) -> Found | None:
    """What the file holds; None, and every wrong row on a page, if anything in it is not certain."""
    try:
        return await asyncio.to_thread(lambda: reads(load(str(file)), file.name))
    except DalejError as problem:
        drop(screen.app)
        lines = [Content(said(problem)), Content(), Content(
            _("Nothing was done. Correct it in the file, save it and read it once more.")
        )]  # fmt: skip
        screen.app.push_screen(Reading(readable(file.name), Content("\n").join(lines)))
        return None


def told(table: Table, unread: Sequence[str]) -> list[str]:
    """How it was read: which sheet and columns were not, what stands above the headings, in which encoding."""
    lines = []
    if unread:
        columns = ", ".join(map(readable, unread))
        lines.append(_("not read, and not kept: {columns}").format(columns=columns))
    if table.others:
        lines.append(_("read: the sheet “{sheet}”").format(sheet=readable(table.sheet)))
    if table.above:
        above = " / ".join(map(readable, table.above))
        lines.append(_("headings: line {line}; above them, and not read: {above}").format(line=table.line, above=above))
    if table.encoding and not table.encoding.startswith("utf"):
        lines.append(_("read as {encoding}; look whether the names are right").format(encoding=table.encoding))
    return lines
