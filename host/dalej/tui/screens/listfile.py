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
from dalej.errors import Command, DalejError
from dalej.office.listfiles import lists_in
from dalej.office.spreadsheets import load
from dalej.tui.ask.dialog import CHOSEN, chooser
from dalej.tui.ask.pages import Reading
from dalej.tui.screens.office import DeskWork
from dalej.tui.typedahead import drop
from dalej.views.papers import Paper
from dalej.words import _, readable, said

SHOWN_MOST: Final = 20  # files
Found = TypeVar("Found")


def any_in(folder: Path) -> bool:
    """Whether there is a file that can be a list."""
    try:
        return bool(lists_in(folder))
    except DalejError:
        return False


async def pick(
    screen: DeskWork, title: str, folder: Path, blank: Paper | None, beside: Sequence[str] = ()
) -> Path | int | None:
    """Which file of that folder, or which of the choices `beside` them; None: none, and said if there is none, or that
    `blank`, a list to be filled in, is written instead.
    """
    choices = list(beside)
    if blank is not None and screen.may("print"):
        choices.append(_("write: {paper}").format(paper=_(blank.words)))
    try:
        files = lists_in(folder)[:SHOWN_MOST]
    except DalejError as problem:
        screen.outcome.refuse(said(problem))
        return None
    if not files and not choices:
        screen.outcome.warn(
            _("In {folder} there is no list: put a file there that ends in .xlsx, .ods or .csv.").format(
                folder=readable(str(folder))
            )
        )
        return None
    words = _("Files in {folder}, the newest first:") if files else _("In {folder} there is no list yet.")
    words = words.format(folder=readable(str(folder)))
    names = [f"{readable(one.name)} · {instant(int(one.stat().st_mtime * 1000))}" for one in files]
    answers = await screen.asks(
        chooser(title, words, [*names, *choices], _("do it") if choices else _("read it"), asks_first=True)
    )
    if answers is None:
        return None
    place = int(str(answers[CHOSEN]))
    if place < len(files):
        return files[place]
    if blank is None or place - len(files) < len(beside):
        return place - len(files)
    screen.write_paper(blank.args)
    return None


async def read(screen: DeskWork, file: Path, reads: Callable[[bytes, str], Found]) -> Found | None:
    """What the file holds; None, and every wrong row on a page, if anything in it is not certain."""
    try:
        return await asyncio.to_thread(lambda: reads(load(str(file)), file.name))
    except DalejError as problem:
        drop(screen.app)
        words = _("Nothing was done. Correct it in the file, save it and read it once more.")
        if problem.hint is not None and _reads_players(problem.hint.data.get("command")):
            words = _("Nothing was done. On the screen of the players, l reads it.")
        lines = [Content(said(problem)), Content(), Content(words)]
        screen.app.push_screen(Reading(readable(file.name), Content("\n").join(lines)))
        return None


def _reads_players(command: object) -> bool:
    return isinstance(command, Command) and command.words[:2] == ("players", "import")
