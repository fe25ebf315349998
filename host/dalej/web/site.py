"""The public's pages as files for a web site: the same templates, without what needs the server. Links are relative,
so the folder works wherever it lies, also opened from a disk; there is no script in it.

    index.html   everybody, with table and seat     seating.html    the round by table
    me-7.html    a player's seat and games          standings.html  the event and its stages
"""

from __future__ import annotations

import os
import re
import shutil
from collections.abc import Mapping
from datetime import datetime
from importlib.resources import files
from pathlib import Path
from typing import Final

from dalej.domain.tournament.stages import round_name
from dalej.domain.tournament.tournament import RoundKey, Tournament
from dalej.errors import Refused, WrongInput
from dalej.office.paper.naming import day, moment, round_day
from dalej.office.publicnames import public_names
from dalej.views.publicpeople import Seated, games_of, rankings_of, seats_of, tables_of
from dalej.web.templates import Templates
from dalej.words import N_, _, cause, language, readable

_MADE_BY: Final = b'<meta name="generator" content="Dalej">'
_OURS: Final = re.compile(r"(index|standings|seating|me-[0-9]+)\.html|dalej\.css|icon\.svg")
_ASSETS: Final = ("dalej.css", "icon.svg")


def file_of(path: str) -> str:
    """Where the page of that path lies in the folder."""
    if path.startswith("/assets/"):
        return path.removeprefix("/assets/")
    return "index.html" if path == "/find" else f"{path.strip('/').replace('/', '-')}.html"


def site(state: Tournament, when: datetime) -> Mapping[str, bytes]:
    """Every file by its name. `when` (with its time zone): what the pages say of when they are."""
    templates, seats, names = Templates(file_of), seats_of(state), public_names(state)
    one, rankings = state.current, rankings_of(state)
    called = "" if one is None else round_name(*one.key)
    whole = rankings[0].lines

    def made(template: str, path: str, **fields: object) -> bytes:
        ways = [(way, words, way == path) for way, words in (
            ("/find", _("Find your table")), ("/seating", _("Seating")), ("/standings", _("Standings")),
        )]  # fmt: skip
        text = templates.page(
            template, event=readable(state.name or state.ruleset.title), language=language(), look="", ways=ways,
            round=called,
            written=_("As of {time}").format(time=moment(when)), **fields,
        )  # fmt: skip
        return text.encode("utf-8", errors="replace")

    pages = {
        "/find": made("find.html", "/find", people=seats, days=_days(state)),
        "/standings": made("standings.html", "/standings", rankings=rankings),
        "/seating": made(
            "seating.html", "/seating", tables=tables_of(one, names), links=(), may=(), locked=False, seated=False
        ),
    }
    for me in seats:
        with_me = sorted((other for other in seats if me.table and other.table == me.table), key=lambda each: each.seat)
        line = next((each for each in whole if each.number == me.number), None)
        pages[f"/me/{me.number}"] = made(
            "me.html", "/find", me=me, with_me=with_me, line=line, games=games_of(state, me.number)
        )
    for each in {each.number: each for each in whole}.values():  # who stands there but takes no part any more
        if f"/me/{each.number}" not in pages:
            left = Seated(each.number, each.name)
            pages[f"/me/{each.number}"] = made(
                "me.html", "/find", me=left, with_me=(), line=each, games=games_of(state, each.number)
            )
    assets = {name: (files("dalej.web") / "assets" / name).read_bytes() for name in _ASSETS}
    return {file_of(path): content for path, content in pages.items()} | assets


def write_site(folder: Path, state: Tournament, when: datetime) -> None:
    """The whole folder at once, in the place of an older one of Dalej's; Refused if anything else lies there,
    WrongInput if it cannot be written.
    """
    _expect_ours(folder)
    made = site(state, when)
    folder = folder.absolute()
    new = folder.with_name(f".{folder.name}.{os.urandom(4).hex()}.part")
    try:
        new.mkdir()
        for name, content in made.items():
            (new / name).write_bytes(content)
        _swap(new, folder)
    except OSError as error:
        raise WrongInput(N_("{file} cannot be written: {problem}"), file=str(folder), problem=cause(error)) from error
    finally:
        shutil.rmtree(new, ignore_errors=True)


def _swap(new: Path, folder: Path) -> None:
    """What was there is back if the new one cannot take its place."""
    if not folder.exists():
        new.rename(folder)
        return
    old = new.with_suffix(".old")
    folder.rename(old)
    try:
        new.rename(folder)
    except BaseException:
        old.rename(folder)
        raise
    shutil.rmtree(old, ignore_errors=True)


def _expect_ours(folder: Path) -> None:
    """Nothing there, an empty folder, or one that was written here before."""
    if folder.is_symlink() or (folder.exists() and not folder.is_dir()) or not folder.absolute().parent.is_dir():
        raise WrongInput(N_("{file} cannot be written: expected a new folder in an existing one"), file=str(folder))
    if not folder.exists():
        return
    there = sorted(folder.iterdir())
    stranger = next((one for one in there if not _is_ours(one)), None)
    if stranger is not None:
        raise Refused(
            N_("{folder} holds {file}, which is no page of Dalej's: expected an empty folder, or one of such pages"),
            folder=str(folder), file=readable(stranger.name),
        )  # fmt: skip


def _is_ours(file: Path) -> bool:
    if not file.is_file() or not _OURS.fullmatch(file.name):
        return False
    return file.suffix != ".html" or _MADE_BY in file.read_bytes()[:2_000]


def _days(state: Tournament) -> list[str]:
    """The rounds whose day is known, where they lie on several; a league announces them when its list is closed."""
    keys = [RoundKey(stage.id, number) for stage in state.plan for number in range(1, stage.rounds + 1)]
    days = {key: found for key in keys if (found := round_day(state, key))}
    if len(set(days.values())) < 2:
        return []
    return [_("{round}: {date}").format(round=round_name(*key), date=day(found)) for key, found in days.items()]
