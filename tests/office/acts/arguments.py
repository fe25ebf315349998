"""What the arguments of acts are called, which people never read, and a right value for each."""

from __future__ import annotations

import re
from collections.abc import Collection
from typing import Any, Final

from dalej.domain.rules.options import keys
from dalej.office.acts.act import Ask
from dalej.office.acts.catalogue import ACTS
from dalej.office.acts.roles import Actor

BOSS: Final = Actor("Puchacz", "organiser")
# Of arguments, acts and choices; those that are words of Polish or Italian as well are left out.
HIDDEN: Final = ("table", "epoch", "seq", "head", "numbers", "requests", "playing", "of", "stage", "move", "seat",
                 "game")  # fmt: skip
ARGUMENTS: Final = ({ask.name for act in ACTS.values() for ask in act.asks()} | set(HIDDEN)) - {"form", *keys()}
CHOICES: Final = {choice for act in ACTS.values() for ask in act.asks() for choice in ask.choices if "_" in choice}
NAMES: Final = (ARGUMENTS | CHOICES | {name for name in ACTS if "_" in name}) - {*keys()}  # settings people type


def named_in(sentence: str, names: Collection[str] = NAMES) -> list[str]:
    return [name for name in sorted(names) if re.search(rf"(?<![\w-]){re.escape(name)}(?![\w-])", sentence)]


def right(ask: Ask) -> Any:
    """A value that may be."""
    if ask.choices:
        return ask.choices[0]
    return {
        "seat": "A", "text": "x", "flag": False, "players": [1, 2], "racks": {"A": "0"}, "seconds": 20_000,
    }.get(ask.kind, max(1, ask.least))  # fmt: skip
