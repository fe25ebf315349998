"""Every error Dalej raises on purpose, in families by whose fault it is.

    DalejError
    ├── Counted       no error: a part of a sentence, as which a plain DalejError serves, too
    ├── WrongInput    a script, file, option or value that somebody gave is wrong: says what, where, what was expected
    ├── Refused       the request is well formed but the rules or the state do not allow it
    ├── Damaged       stored data contradicts itself or cannot be read
    └── Unreachable   something needed is not there now: a link, a lease, a disk, a database that stays locked

The message is one English sentence built from a template and named fields, so that `dalej.words.said` can say the same
sentence in the reader's language. Nothing was half done when one of these arrives.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Self, TypeAlias


@dataclass(frozen=True, slots=True)
class Command:
    """What a hint names (`dalej.hints`). `words`: behind the program's name; `EVENT` stands for the event's file.
    `again`: behind the command that has just been refused, as it was typed.
    """

    words: tuple[str, ...]
    again: bool = False

    def __str__(self) -> str:
        return " ".join(("dalej", *(("…",) if self.again else ()), *self.words))


Sayable: TypeAlias = "str | float | Path | Exception | Command | tuple[int, ...] | tuple[Command, ...]"
"""What stands in a sentence. Nothing is no part of one: whoever has nothing to say leaves the sentence out."""


class DalejError(Exception):
    """Root of the tree. `template` is the English sentence with `{named}` fields, `data` their values.

    `hint`: the command or option that helps, None: none does. Only the command line says it, for a screen has keys.
    """

    def __init__(self, template: str, /, **data: Sayable) -> None:
        super().__init__(template.format(**data))
        self.template = template
        self.data = data
        self.hint: DalejError | None = None

    def hinted(self, template: str, /, **data: Sayable) -> Self:
        """The same error with that hint, a part of a sentence."""
        self.hint = DalejError(template, **data)
        return self


class Counted(DalejError):
    """A part of a sentence that counts something: `one` if `count` is 1, else `many`, in as many forms as the reader's
    language has.
    """

    def __init__(self, one: str, many: str, /, *, count: int, **data: Sayable) -> None:
        super().__init__(one if count == 1 else many, count=count, **data)
        self.one, self.many, self.count = one, many, count


class WrongInput(DalejError):
    """Somebody gave something that cannot be right."""


class Refused(DalejError):
    """Well formed, but not allowed now."""


class Damaged(DalejError):
    """What is stored contradicts itself or cannot be read."""


class Unreachable(DalejError):
    """Needed and not there now; trying again later may work."""
