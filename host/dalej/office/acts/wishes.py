"""What a person wishes, and what came of it: the same object whether the hands are here or at the far end of a socket
(`dalej.web.hands`).

{"act": "give_time", "args": {"table": 3, "ms": 20000}, "why": "the box was passed on late", "seen": 812}
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol

from dalej.domain.game.sentences import choice
from dalej.errors import DalejError, WrongInput
from dalej.event.ledger.entries import Decision, Json
from dalej.office.acts.catalogue import ACTS
from dalej.office.acts.roles import Actor
from dalej.words import N_, _, said

_BACK = N_("taken back"), N_("taken back: {why}")
_AGAIN = N_("done after all"), N_("done after all: {why}")
_SHOWN = 80  # characters of a wrong value that a message repeats
_TABLE = N_("table")
_WITH_IT = N_("what goes with it")  # an argument that no person is asked for


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
    data: Mapping[str, str | int] = field(default_factory=dict)
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
    **data: Any,
) -> Done:
    """What was done; a field may be a sentence or a part of one (a DalejError), which is said in its turn."""
    return Done(template, data, tuple(decisions), tuple(requests), undo)


def cursors(made: Iterable[Decision]) -> list[int]:
    """The numbers of what was decided."""
    return [one.cursor for one in made]


def taken_back(why: str) -> str:
    """The reason of a wish that takes back what was done for this reason, one of `dalej.office.reasons`. What takes a
    taking back back does it after all.
    """
    for plain, because, other, other_because in ((*_BACK, *_AGAIN), (*_AGAIN, *_BACK)):
        if why.strip() in (plain, _(plain)):
            return other
        for begin in (because.partition("{why}")[0], _(because).partition("{why}")[0]):
            if begin and why.startswith(begin):
                return other_because.format(why=why.removeprefix(begin))
    return _BACK[1].format(why=why) if why.strip() else _BACK[0]


class Hands(Protocol):
    """That by which a screen gets anything done."""

    @property
    def actor(self) -> Actor: ...

    async def do(self, wish: Wish) -> Done:
        """Done, or the DalejError that says why not, with nothing changed."""


class Args:
    """Reads a wish's arguments; WrongInput names what is missing or not as expected."""

    def __init__(self, wish: Wish) -> None:
        self._wish = wish

    def number(self, name: str, least: int = 0, most: int = 1 << 31) -> int:
        """A whole number within those."""
        found = self._wish.args.get(name)
        if not isinstance(found, int) or isinstance(found, bool) or not least <= found <= most:
            raise self._wrong(name, DalejError(N_("{least} to {most}"), least=least, most=most), found)
        return found

    def maybe(self, name: str, least: int = 0, most: int = 1 << 31) -> int | None:
        """The same; None if it was left out."""
        return None if self._wish.args.get(name) is None else self.number(name, least, most)

    def asked(self, name: str) -> int | None:
        """The same, within what the act's own field of that name allows."""
        ask = ACTS[self._wish.act].ask(name)
        return self.maybe(name, ask.least, ask.most)

    def given(self, name: str) -> bool:
        """Whether it was not left out."""
        return self._wish.args.get(name) is not None

    def text(self, name: str, default: str | None = None) -> str:
        """A text; `default` if it was left out."""
        found = self._wish.args.get(name, default)
        if not isinstance(found, str) or any("\ud800" <= sign <= "\udfff" for sign in found):
            raise self._wrong(name, DalejError(N_("a text")), found)
        return found

    def one_of(self, name: str, allowed: Sequence[str]) -> str:
        """One of those words."""
        found = self._wish.args.get(name)
        if not isinstance(found, str) or found not in allowed:
            raise self._wrong(name, _one_of([choice(one) for one in allowed]), found)
        return found

    def flag(self, name: str) -> bool:
        """Yes or no; no if it was left out."""
        found = self._wish.args.get(name, False)
        if not isinstance(found, bool):
            raise self._wrong(name, _one_of([DalejError(N_("yes")), DalejError(N_("no"))]), found)
        return found

    def numbers(self, name: str) -> list[int]:
        """Whole numbers, at least one."""
        found = self._wish.args.get(name)
        if not isinstance(found, Sequence) or isinstance(found, str) or not found:
            raise self._wrong(name, DalejError(N_("numbers")), found)
        numbers = [one for one in found if isinstance(one, int) and not isinstance(one, bool) and one >= 0]
        if len(numbers) != len(found):
            raise self._wrong(name, DalejError(N_("numbers")), found)
        return numbers

    def tables(self, name: str) -> list[int]:
        """Tables that were named to the person before; [] if it was left out."""
        return self.numbers(name) if self._wish.args.get(name) else []

    def texts(self, name: str) -> dict[str, str]:
        """Texts by name, {} if it was left out."""
        found = self._wish.args.get(name, {})
        if not isinstance(found, Mapping):
            raise self._wrong(name, DalejError(N_("texts")), found)
        texts = {str(one): value for one, value in found.items() if isinstance(value, str)}
        if len(texts) != len(found):
            raise self._wrong(name, DalejError(N_("texts")), found)
        return texts

    @property
    def table(self) -> int:
        """The table that it is about."""
        return self.number("table", 1, 9_999)

    def _wrong(self, name: str, expected: DalejError, found: object) -> WrongInput:
        """What the person was asked for, as the form calls it."""
        act = ACTS.get(self._wish.act)
        asked = {"table": _TABLE} | ({} if act is None else {ask.name: ask.label for ask in act.asks})
        title = DalejError("{act}", act=self._wish.act) if act is None else DalejError(act.title)
        field = DalejError(asked.get(name, _WITH_IT))
        if found is None:
            return WrongInput(N_("{act}: “{field}” was not given, expected: {expected}"),
                              act=title, field=field, expected=expected)  # fmt: skip
        return WrongInput(N_("{act}: “{field}” cannot be {found}, expected: {expected}"), act=title, field=field,
                          expected=expected, found=str(found)[:_SHOWN])  # fmt: skip


def _one_of(choices: Sequence[DalejError]) -> DalejError:
    """Those words in a sentence."""
    first, *rest = choices
    return DalejError("{first}, {rest}", first=first, rest=_one_of(rest)) if rest else first
