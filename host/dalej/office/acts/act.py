"""What an act is: a small record of what is wished, with what people are asked for it, who may, when it is possible,
the passages it rests on, what it touches and what it does. Each is one entry in the file of its subject; of these are
made menus, dialogs, the palette, commands, the wire format, the page of roles and the line of the audit.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import (
    TYPE_CHECKING,
    Annotated,
    Any,
    ClassVar,
    Final,
    Literal,
    TypeVar,
    get_args,
    get_origin,
    get_type_hints,
)

import msgspec
from msgspec import Meta

from dalej.domain.game.facts import Seat as Letter
from dalej.domain.game.sentences import choice, seconds
from dalej.domain.tournament.stages import round_name
from dalej.errors import DalejError, WrongInput
from dalej.hints import REASON, once_more
from dalej.office.acts.roles import ORGANISERS, Role
from dalej.office.acts.sight import Sight
from dalej.office.acts.wishes import WHY_MOST, Done, Wish
from dalej.words import N_, _, readable, said

if TYPE_CHECKING:
    from dalej.domain.tournament.tournament import Tournament
    from dalej.event.event import Event

About = Literal["hall", "table", "player", "game", "round", "event", "decision", "sessions"]
Kind = Literal[
    "seconds", "tiles", "number", "seat", "choice", "player", "players", "table", "text", "racks", "flag", "ruling"
]  # fmt: skip
A = TypeVar("A", bound="Act")

_MOST: Final = 9_999
_UNKNOWN: Final = "…"
_SHOWN: Final = 80  # characters of a wrong value that a message repeats
_WITH_IT: Final = N_("what goes with it")  # an argument that no person is asked for


@dataclass(frozen=True, slots=True)
class Asked:
    """Marks a field of an act that a person is asked for, in its annotation. `least`, `most`: where the form asks for
    less than could be read. `corrects`: what of the table it is instead of, "left_ms" or "bank".
    """

    kind: Kind
    label: str
    least: int | None = None
    most: int | None = None
    corrects: str = ""


@dataclass(frozen=True, slots=True)
class Ask:
    """One field of an act's form. `name`: in the wish's `args` (seconds travel as `ms`); `choices`: English words that
    are shown translated; `least`, `most`: what a number may be; `needed`: it cannot be left out;
    `corrects`: as of `Asked`.
    """

    name: str
    kind: Kind
    label: str
    choices: Sequence[str] = ()
    least: int = 0
    most: int = _MOST
    needed: bool = True
    corrects: str = ""


class _Known(dict[str, object]):
    def __missing__(self, name: str) -> str:
        return _UNKNOWN


class Act(msgspec.Struct, frozen=True, omit_defaults=True):
    """`title`: on a button or in the palette. `confirm`: the question that names what it touches, for an act that
    destroys something; its fields are those of the form and of what it is about. `why`: a reason must be given;
    `keeps_why`: one that need not be is kept all the same; `reasons`: ready to be picked, and where there are some, one
    is asked for. `topics`: of the ruleset's passages (`dalej.domain.rules.rulesets.TOPICS`). `key`: its key where it is
    offered. `offered`: on a menu; else it is only wished to take another act back, or before one is done. `of_halls`:
    only where an event is played in several halls.
    """

    name: ClassVar[str]
    title: ClassVar[str]
    about: ClassVar[About] = "event"
    roles: ClassVar[frozenset[Role]] = ORGANISERS
    confirm: ClassVar[str] = ""
    why: ClassVar[bool] = False
    keeps_why: ClassVar[bool] = False
    topics: ClassVar[Sequence[str]] = ()
    key: ClassVar[str] = ""
    offered: ClassVar[bool] = True
    of_halls: ClassVar[bool] = False
    reasons: ClassVar[Sequence[str]] = ()

    def do(self, event: Event, wish: Wish) -> Done:
        """Done, or the DalejError that says why not, with nothing changed. `wish`: as it came, with reason and `seen`.
        An act without it is done by whoever makes the performer.
        """
        raise NotImplementedError

    def wish(self, why: str = "", seen: int = 0) -> Wish:
        """The wish for it, without what is left out."""
        args = {
            name: [*value] if isinstance(value, tuple) else value for name, value in msgspec.to_builtins(self).items()
        }
        return Wish(self.name, args, why, seen)

    @classmethod
    def states(cls) -> Collection[int]:
        """The states of a table (`moveclock.facts`) in which its box obeys; empty: in any."""
        return ()

    @classmethod
    def means(cls, name: str, args: Mapping[str, object], state: Tournament | None) -> bool:
        """Whether that field of its form (“why”: the reason) means something beside what has been answered."""
        del name, args, state
        return True

    @classmethod
    def known_before(cls, sight: Sight) -> list[str]:
        """What somebody should know before it is done, a sentence each."""
        del sight
        return []

    @classmethod
    def touched(cls, args: Mapping[str, object], sight: Sight) -> Mapping[str, object]:
        """What `confirm` names beyond what every act can, of these arguments, of which some may be missing."""
        del args, sight
        return {}

    @classmethod
    def question(cls, args: Mapping[str, object], sight: Sight) -> str:
        """What it touches with these arguments; "" if it destroys nothing. What nobody knows yet is “…”."""
        known: dict[str, object] = {"count": sum(state in cls.states() for state in sight.plays.values()), **args}
        known |= {ask.name: said(choice(str(args[ask.name]))) for ask in cls.asks()
                  if ask.kind == "choice" and ask.name in args}  # fmt: skip
        if (table := sight.table) is not None:
            limit = _UNKNOWN if table.limit_ms is None else seconds(table.limit_ms)
            known |= {
                "table": table.table,
                "game": table.game,
                "move": table.move,
                "name": table.whose,
                "seconds": limit,
            }
            known |= {name: args[name] for name in ("game", "move") if name in args}
        if (state := sight.state) is not None:
            player = args.get("player")
            if isinstance(player, int) and player in state.players:
                known["name"] = state.players[player].name
            if state.current is not None:
                known["round"] = round_name(*state.current.key)
        known |= cls.touched(args, sight)
        shown = {name: readable(value) if isinstance(value, str) else value for name, value in known.items()}
        return _(cls.confirm).format_map(_Known(shown)) if cls.confirm else ""

    @classmethod
    def asks(cls) -> Sequence[Ask]:
        """The fields of its form, in order."""
        return _asks(cls)

    @classmethod
    def ask(cls, name: str) -> Ask:
        """The field of that name."""
        return next(one for one in _asks(cls) if one.name == name)

    @classmethod
    def destroys(cls) -> bool:
        """Whether it is asked about before it is done."""
        return bool(cls.confirm)


# Fields that several acts have.
Table = Annotated[int, Meta(ge=1, le=_MOST), Asked("table", N_("table"))]
PlayerNumber = Annotated[int, Meta(ge=1), Asked("player", N_("player"))]
GameNumber = Annotated[int, Meta(ge=1), Asked("number", N_("game"))]
Seat = Annotated[Letter, Asked("seat", N_("seat"))]
SeatThere = Annotated[Letter, Asked("seat", N_("seat, where no box counts"))]
Anyway = Annotated[str, Asked("text", N_("nevertheless, because"))]
Count = Annotated[int, Meta(ge=0, le=1 << 31)]
Tables = tuple[Count, ...]
"""Tables that were named to the person before, such as those that play."""


def read(act: type[A], wish: Wish) -> A:
    """What is wished; WrongInput names, as the form does, what is missing or not as expected."""
    for one in msgspec.structs.fields(act):
        if one.required or one.encode_name in wish.args:
            _expect(act, one.encode_name, wish.args.get(one.encode_name))
    known = {name: wish.args[name] for name in act.__struct_encode_fields__ if name in wish.args}
    return msgspec.convert(known, act)


def _expect(act: type[Act], name: str, given: object) -> None:
    hint = _hints(act)[name]
    try:
        msgspec.convert(given, hint)
    except (msgspec.ValidationError, UnicodeError):  # the other: of half a character, which it would repeat
        fits = False
    else:
        fits = not any("\ud800" <= sign <= "\udfff" for text in _texts(given) for sign in text)
    if not fits:
        raise _wrong(act, name, hint, given)


def missing(act: Act, name: str) -> WrongInput:
    """A field that could be left out, but not with what else is wished."""
    return _wrong(type(act), name, _hints(type(act))[name], None)


def _texts(given: object) -> Iterator[str]:
    if isinstance(given, str):
        yield given
    elif isinstance(given, Mapping):
        yield from (text for value in given.values() for text in _texts(value))
    elif isinstance(given, Sequence):
        yield from (text for value in given for text in _texts(value))


def _wrong(act: type[Act], name: str, hint: object, found: object) -> WrongInput:
    """What the person was asked for, as the form calls it."""
    labels = {ask.name: ask.label for ask in act.asks()}
    title, field = DalejError(act.title), DalejError(labels.get(name, _WITH_IT))
    expected = _expected(hint)
    if found is None:
        return WrongInput(N_("{act}: “{field}” was not given, expected: {expected}"),
                          act=title, field=field, expected=expected)  # fmt: skip
    return WrongInput(N_("{act}: “{field}” cannot be {found}, expected: {expected}"), act=title, field=field,
                      expected=expected, found=str(found)[:_SHOWN])  # fmt: skip


def _expected(hint: object) -> DalejError:
    """What a field of that type may be, in words."""
    kind, marks = _taken_apart(hint)
    if get_origin(kind) is Literal:
        return _one_of([choice(str(one)) for one in get_args(kind)])
    if kind is bool:
        return _one_of([DalejError(N_("yes")), DalejError(N_("no"))])
    if kind is int:
        least, most = _limits(marks)
        return DalejError(N_("{least} to {most}"), least=least, most=most)
    if kind is str:
        return DalejError(N_("a text"))
    first, *values = *get_args(kind), object
    parts, _marks = _taken_apart(values[0] if get_origin(kind) is dict else first)
    if parts is str:
        return DalejError(N_("texts"))
    return DalejError(N_("numbers") if parts is int else N_("a list"))


def _one_of(choices: Sequence[DalejError]) -> DalejError:
    """Those words in a sentence."""
    first, *rest = choices
    return DalejError("{first}, {rest}", first=first, rest=_one_of(rest)) if rest else first


@cache
def _asks(act: type[Act]) -> Sequence[Ask]:
    needed = {one.encode_name: one.required for one in msgspec.structs.fields(act)}
    asks: list[Ask] = []
    for name, hint in _hints(act).items():
        kind, marks = _taken_apart(hint)
        asked = next((one for one in marks if isinstance(one, Asked)), None)
        if asked is None:
            continue
        least, most = _limits(marks) if kind is int else (0, _MOST)
        if asked.kind == "seconds":
            least, most = -(-least // 1_000), most // 1_000
        choices = get_args(kind) if asked.kind == "choice" else ()
        asks.append(Ask(
            name, asked.kind, asked.label, choices, least if asked.least is None else asked.least,
            min(most, _MOST) if asked.most is None else asked.most, needed[name], asked.corrects,
        ))  # fmt: skip
    return tuple(asks)


@cache
def _hints(act: type[Act]) -> Mapping[str, object]:
    """The types of its fields by their names in a wish, those of what it is about first."""
    called = dict(zip(act.__struct_fields__, act.__struct_encode_fields__, strict=True))
    hints = get_type_hints(act, include_extras=True)
    return {called[name]: hint for name, hint in hints.items() if name in called}


def _taken_apart(hint: object) -> tuple[object, tuple[object, ...]]:
    """What a field is, None aside, and how it is marked."""
    if get_origin(hint) is Annotated:
        kind, *marks = get_args(hint)
        return kind, tuple(marks)
    there = [one for one in get_args(hint) if one is not type(None)]
    return _taken_apart(there[0]) if type(None) in get_args(hint) else (hint, ())


def _limits(marks: Sequence[Any]) -> tuple[int, int]:
    meta = next((one for one in marks if isinstance(one, Meta)), Meta())
    return int(meta.ge or 0), (1 << 31) if meta.le is None else int(meta.le)


def expect_reason(act: type[Act] | None, why: str) -> None:
    """WrongInput if it is no reason that can be kept (half a character, or a book), or none where the act needs one."""
    if len(why) > WHY_MOST or any("\ud800" <= sign <= "\udfff" for sign in why):
        raise WrongInput(N_("the reason cannot be kept, expected up to {most} readable characters"), most=WHY_MOST)
    if act is not None and act.why and not why.strip():
        raise WrongInput(N_("{act}: say why, it is kept with the decision"), act=DalejError(act.title)).hinted(
            N_("{command} says it"), command=once_more("--why", REASON)
        )
