"""The page of a box as one file: what a web server, or a phone's own storage, can hold without anything beside it."""

from __future__ import annotations

import base64
import hashlib
import json
from collections.abc import Mapping
from importlib.resources import files
from typing import Final

from jinja2 import Environment, StrictUndefined
from markupsafe import Markup

from dalej.boxes.firmware.tree import Tree
from dalej.words import LANGUAGES, N_, _, speaking

CORE: Final = "lib/moveclock/"
WORDS: Final[Mapping[str, str]] = {
    "what": N_("A clock for one table. It works without a network, and without anything else."),
    "limit": N_("Time for a move"),
    "players": N_("Players"),
    "lies": N_("This device"),
    "four": N_("lies in the middle of the table"),
    "one": N_("lies beside the stack, or is passed round"),
    "tile": N_("Dalej without a tile drawn"),
    "tile_off": N_("counts"),
    "tile_flag": N_("counts, and the next player may claim a fresh move"),
    "tile_block": N_("is refused"),
    "sound": N_("Sound"),
    "silent": N_("no sound"),
    "soft": N_("soft"),
    "loud": N_("loud"),
    "taps": N_("Small children: nothing is held down, taps alone count"),
    "play": N_("Play"),
    "rules": N_("Rules, new game"),
    "ready": N_("Whoever begins presses Już twice: once to be named, once to start."),
    "starts": N_("{player} begins, and presses Już."),
    "expired": N_("Time is over for {late}. {player} speaks for the table: Już = the move stands, Dalej = it was "
                  "undone, a tile is taken."),
    "last_tile": N_("Last tile laid? Hold Już."),
    "draw_first": N_("Nothing to lay? Take a tile, Kostka, then Dalej."),
    "drawn": N_("A tile is taken: now Dalej."),
    "disputed": N_("A dispute: the clock stops when this move ends."),
    "over": N_("The game is over. Holding Sędzia for 2 s starts the next one."),
    "stopped": N_("The clock stands, nobody touches the tiles."),
    "lost": N_("The device was away: the clock stands at what was left for {player}."),
    "claim": N_("A fresh move is claimed, because Dalej came before the tile: it begins anew when the clock goes on."),
    "resume": N_("When all agree, holding Sędzia for 2 s goes on after 3-2-1."),
    "slept": N_("This device slept, or the page stood still. Switch its automatic lock off."),
    "unkept": N_("Nothing can be kept on this device: whoever closes the page loses the game."),
    "idle": N_("This box is ready: the desk sets its game up."),
    "linked": N_("● with the desk"),
    "unlinked": N_("○ no desk for {age}: the game goes on, nothing is lost"),
    "unsent": N_("to be told: {count}"),
    "table": N_("Table {table}"),
    "next": N_("{player} → table {table}, seat {seat}"),
    "read": N_("We have read it"),
    "racks": N_("Racks of game {game}"),
    "count": N_("What is left on each rack: the sum of its numbers, +j for a joker, 0 if it is empty, – if that player "
                "never laid a meld. Then each player looks, and agrees."),
    "ended_how": N_("Nobody laid the last tile? Then how did it end:"),
    "bank_empty": N_("bank empty"),
    "round_time": N_("round time"),
    "last_seat": N_("one seat left"),
    "recorded": N_("Game {game} is recorded: {points}."),
    "all_played": N_("All games of this round are played here."),
    "lacks": N_("Something is missing for {seats}."),
    "write": N_("Written down: now each agrees"),
    "correct": N_("Write it anew"),
    "later": N_("Back to the clock"),
    "agree": N_("{seat} agrees"),
    "agreed": N_("✓ {seat} has agreed"),
    "apart": N_("The desk is not there now: nothing was written down."),
    "apart_now": N_("The desk is not there now."),
    "scan": N_("This page becomes a box of the club: scan the code that the organiser shows, or that lies on the "
               "table."),
    "claimed": N_("Another phone has this table's code already. Ask the organiser for a new one."),
    "unknown": N_("This code is not valid any more. Ask the organiser for a new one."),
    "taken_off": N_("This phone is the box of no table any more: what is played here does not count. A new code makes "
                    "it one."),
    "late": N_("This code was scanned too late. Ask the organiser for a new one."),
    "no_table": N_("This box stands on no table yet: the organiser gives it one."),
    "other": N_("This phone is a box already, and has {count} entries that no desk knows. Make it a new box, and lose "
                "them?"),
    "lay": N_("Four sides, or one pair of buttons"),
    "awake": N_("This page cannot keep the screen on: switch the device's automatic lock off, and plug it in."),
    "twice": N_("This clock is open in another tab or window already: go on there, or close it and load this one."),
    "broken": N_("This browser cannot run the clock:"),
    "scripts": N_("This page is a program: it needs JavaScript."),
}  # fmt: skip
_NAMES: Final = {"en": "English", "pl": "Polski", "it": "Italiano"}


def worker(page: str) -> str:
    """The script by which a browser keeps that page, beside it; from a secure address alone."""
    text = (files("dalej.boxes.page") / "worker.js").read_text(encoding="utf-8")
    return text.replace("{{ version }}", hashlib.sha256(page.encode()).hexdigest()[:16])


def one_file(core: Tree, *, desk: bool = False) -> str:
    """The whole page, with that firmware's core in it: the same bytes that a board gets. `desk`: it is a desk that
    gives it to browsers, and each of them may become one of the club's boxes.
    """
    here = files("dalej.boxes.page")
    machine = here / "machine"
    style, script = ((here / name).read_text(encoding="utf-8") for name in ("box.css", "box.js"))
    script = (machine / "micropython.mjs").read_text(encoding="utf-8") + "\n" + script
    inside = {file.path: _text(file.data) for file in core.files if file.path.startswith(CORE)}
    inside["glass.py"] = _text((here / "glass.py").read_bytes())
    words = {language: _words(language) for language in LANGUAGES}
    made = Environment(autoescape=True, undefined=StrictUndefined, trim_blocks=True, lstrip_blocks=True)
    return made.from_string((here / "page.html").read_text(encoding="utf-8")).render(
        languages=LANGUAGES, names=_NAMES, words=words, desk=desk,
        told=_json({"languages": [*LANGUAGES], "words": words, "desk": desk}),
        core=_json(inside), wasm=_text((machine / "micropython.wasm").read_bytes()),
        script=Markup(script), style=Markup(style), script_source=_source(script), style_source=_source(style),
    )  # fmt: skip


def _words(language: str) -> dict[str, str]:
    with speaking(language):
        return {name: _(words) for name, words in WORDS.items()}


def _text(data: bytes) -> str:
    return base64.b64encode(data).decode()


def _json(value: object) -> Markup:
    """Within a script's element: nothing in it may look like that element's end."""
    return Markup(json.dumps(value, ensure_ascii=False).replace("<", "\\u003c"))


def _source(text: str) -> str:
    """That and nothing else may run, or be applied (Content Security Policy, level 3)."""
    return f"'sha256-{_text(hashlib.sha256(text.encode()).digest())}'"
