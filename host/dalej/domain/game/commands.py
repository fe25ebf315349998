"""Commands as people and files write them -> what travels to a box; names as in `dalej.domain.game.facts.COMMANDS`.

And what a box is told of a game that it takes over from another: all arguments of `take_over`, of which the last one
is made here.
"""

from __future__ import annotations

import struct
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from dalej.domain.game.facts import COMMANDS, END_REASONS, REOPENINGS, SEATS, STOP_REASONS, Fact
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


def read_commands(command: str, words: list[str]) -> dict[str, int | str]:
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
    as `more` a seventh (`dalej.domain.game.commands`); 0 is left out, which firmware without it understands.
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
        raise WrongInput(N_("expected a whole number, found {found}"), found=str(value))
    return value


_SEATS: Final = 15
_REASON: Final = 4  # bits from here on
_WAITS: Final = 1 << 8
_DRAWN: Final = 1 << 9
_PENALTY: Final = 1 << 10
_LATE: Final = 1 << 11


@dataclass(frozen=True, slots=True)
class MidGame:
    """`late`: the time of the move is over, and the table has not said what becomes of it. `drawn`: a tile was taken in
    the move; `penalty`: one was taken after its time. `lap_reason`: why there is a final lap, None: there is none;
    `lap_mask`: seats that still move in it, `lap_waits`: the move does not count in it yet; of a late move both are as
    they were before its time was over.
    """

    late: bool = False
    drawn: bool = False
    penalty: bool = False
    lap_reason: int | None = None
    lap_mask: int = 0
    lap_waits: bool = False

    @property
    def number(self) -> int:
        """The same as it travels; 0 for a move like any other."""
        found = self.late * _LATE | self.drawn * _DRAWN | self.penalty * _PENALTY
        if self.lap_reason is not None:
            found |= self.lap_reason << _REASON | self.lap_mask & _SEATS | self.lap_waits * _WAITS
        return found


def read(number: int) -> MidGame:
    """What the number says."""
    reason = number >> _REASON & _SEATS
    return MidGame(
        late=bool(number & _LATE),
        drawn=bool(number & _DRAWN),
        penalty=bool(number & _PENALTY),
        lap_reason=reason or None,
        lap_mask=number & _SEATS if reason else 0,
        lap_waits=bool(reason and number & _WAITS),
    )


def told_by(fact: Fact) -> MidGame:
    """What the first fact of a move says of it; of one that began at this box nothing."""
    return read(fact.b) if fact.kind == k.MOVE_STARTED else MidGame()


def take_over(
    *, game: int, move: int, seat: int, remaining_ms: int, bank: int, out: int, more: MidGame
) -> dict[str, int | str]:
    """The arguments by which a box goes on there; nothing remains of a move whose time is over."""
    found: dict[str, int | str] = {
        "game": game, "move": move, "seat": seat, "remaining_ms": 0 if more.late else remaining_ms, "bank": bank,
        "out": out,
    }  # fmt: skip
    return {**found, "more": more.number} if more.number else found
