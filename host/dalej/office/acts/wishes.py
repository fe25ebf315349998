"""What a person wishes, and what came of it: the same object whether a terminal's screen, a form of
`dalej.web.actpage` or a command makes it.

{"act": "give_time", "args": {"table": 3, "ms": 20000}, "why": "the box was passed on late", "seen": 812}
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final, Protocol

from dalej.errors import DalejError, Sayable
from dalej.event.ledger.entries import Decision, Json
from dalej.office.acts.roles import Actor
from dalej.words import N_, _, said

WHY_MOST: Final = 500  # characters of a reason
_BACK = N_("taken back"), N_("taken back: {why}")
_AGAIN = N_("done after all"), N_("done after all: {why}")


@dataclass(frozen=True, slots=True)
class Wish:
    """`act`: a name of the catalogue. `seen`: the ledger's last entry that the person could see, 0: not told; what
    somebody else decided about the same thing since then is not overruled unseen.
    """

    act: str
    args: Mapping[str, Json] = field(default_factory=dict)
    why: str = ""
    seen: int = 0


@dataclass(frozen=True, slots=True)
class Done:
    """What was done, as an English template with its fields. `decisions`: cursors, `requests`: ids of commands whose
    outcome is still to come. `undo`: the wish that takes it back.
    """

    template: str
    data: Mapping[str, Sayable] = field(default_factory=dict)
    decisions: Sequence[int] = ()
    requests: Sequence[int] = ()
    undo: Wish | None = None

    def __str__(self) -> str:
        return said(DalejError(self.template, **self.data))


def done(
    template: str,
    /,
    *,
    decisions: Sequence[int] = (),
    requests: Sequence[int] = (),
    undo: Wish | None = None,
    **data: Sayable,
) -> Done:
    """What was done; a field may be a sentence or a part of one (a DalejError), which is said in its turn."""
    return Done(template, data, tuple(decisions), tuple(requests), undo)


def cursors(made: Iterable[Decision]) -> list[int]:
    """The numbers of what was decided."""
    return [one.cursor for one in made]


def taken_back(why: str) -> str:
    """The reason of a wish that takes back what was done for this reason, one of `dalej.office.reasons`, of a long one
    as much as can be kept. What takes a taking back back does it after all.
    """
    for plain, because, other, other_because in ((*_BACK, *_AGAIN), (*_AGAIN, *_BACK)):
        if why.strip() in (plain, _(plain)):
            return other
        for begin in (because.partition("{why}")[0], _(because).partition("{why}")[0]):
            if begin and why.startswith(begin):
                return other_because.format(why=why.removeprefix(begin))[:WHY_MOST]
    return _BACK[1].format(why=why)[:WHY_MOST] if why.strip() else _BACK[0]


class Hands(Protocol):
    """That by which a screen gets anything done."""

    @property
    def actor(self) -> Actor: ...

    async def do(self, wish: Wish) -> Done:
        """Done, or the DalejError that says why not, with nothing changed."""
