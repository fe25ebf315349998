"""Commands as people and files write them -> what travels to a box. Names as in `dalej.domain.facts.COMMANDS`."""

from __future__ import annotations

import struct
from collections.abc import Mapping
from typing import Final

from dalej.domain.facts import COMMANDS, END_REASONS, REOPENINGS, SEATS, STOP_REASONS
from dalej.errors import WrongInput
from dalej.words import N_
from moveclock import facts as k
from moveclock import settings as rules

MS_MOST: Final = 3_600_000
DESK_STOPS: Final = STOP_REASONS[: k.BOX_LOST_POWER]
LAP_REASONS: Final = END_REASONS[k.BANK_EMPTY : k.ROUND_TIME + 1]

# What follows the command in a line of text: its name in `args`, and the words that are allowed (None: a number).
ARGUMENT: Final[Mapping[str, tuple[str, tuple[str, ...] | None]]] = {
    "stop": ("reason", DESK_STOPS),
    "set_remaining": ("ms", None),
    "give_time": ("ms", None),
    "set_seat": ("seat", SEATS),
    "set_bank": ("tiles", None),
    "withdraw": ("seat", SEATS),
    "final_lap": ("reason", LAP_REASONS),
    "reopen": ("how", REOPENINGS),
}
OPTIONAL: Final = ("reopen",)
WITHOUT_TEXT: Final = ("", "configure", "take_over", "blink")
SPOKEN: Final = tuple(name for name in COMMANDS if name not in WITHOUT_TEXT)

# Commands that mean a certain game, or a certain move of it: sent with a guard.
GUARDED_BY_GAME: Final = ("start", "final_lap", "reopen", "redeal", "next_game", "end_game")
GUARDED_BY_MOVE: Final = ("restart_move", "set_remaining", "give_time", "set_seat", "deny_claim", "withdraw")


def read(command: str, words: list[str]) -> dict[str, int | str]:
    """The arguments of a command written as text; WrongInput says what was expected."""
    if command not in SPOKEN:
        raise WrongInput(N_("{command} is not a command, expected one of {known}"),
                         command=command, known=", ".join(SPOKEN))  # fmt: skip
    if command not in ARGUMENT:
        if words:
            raise WrongInput(N_("{command} takes no argument, found {found}"), command=command, found=" ".join(words))
        return {}
    name, allowed = ARGUMENT[command]
    if not words and command in OPTIONAL:
        return {}
    if len(words) != 1:
        raise WrongInput(N_("{command} takes one argument ({name}), found {count}"),
                         command=command, name=name, count=len(words))  # fmt: skip
    word = words[0]
    if allowed is None:
        if not word.isascii() or not word.isdigit() or int(word) > MS_MOST:
            raise WrongInput(N_("{command} takes a number from 0 to {most}, found {found}"),
                             command=command, most=MS_MOST, found=word)  # fmt: skip
        return {name: int(word)}
    if word not in allowed:
        raise WrongInput(N_("{command} takes one of {allowed}, found {found}"),
                         command=command, allowed=", ".join(allowed), found=word)  # fmt: skip
    return {name: word}


def encode(command: str, args: Mapping[str, object]) -> tuple[int, bytes]:
    """Number and argument bytes for the wire. `configure` takes `game`, `settings` (hex), `take_over` six numbers, and
    as `more` a seventh (`dalej.domain.midgame`); 0 is left out, which firmware without it understands.
    """
    number = COMMANDS.index(command)
    if command == "configure":
        settings = bytes.fromhex(str(args["settings"]))
        rules.unpack(settings)
        return number, struct.pack("<H", _int(args["game"])) + settings
    if command == "take_over":
        names = ("game", "move", "seat", "remaining_ms", "bank", "out")
        more = (_int(args["more"]),) if args.get("more") else ()
        numbers = (*(_int(args[name]) for name in names), *more)
        return number, struct.pack(f"<{len(numbers)}I", *numbers)
    if command not in ARGUMENT or not args:
        return number, b""
    name, allowed = ARGUMENT[command]
    value = args[name]
    if allowed is None:
        return number, struct.pack("<I", _int(value))
    offset = k.BANK_EMPTY if command == "final_lap" else 0
    return number, struct.pack("<I", allowed.index(str(value)) + offset)


def _int(value: object) -> int:
    if not isinstance(value, int) or isinstance(value, bool):
        raise WrongInput(N_("expected a whole number, found {found}"), found=value)
    return value
