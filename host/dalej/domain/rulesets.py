"""A regulation as data: what the box and the desk must do, each value with the clause that says so.

`Ruleset` is the model and its own schema: every annotated field names its section of the file and what is allowed.
`dalej.domain.ruletext` reads one from TOML text, `dalej.rulebook` finds the text.
"""

from __future__ import annotations

from dataclasses import dataclass, fields
from functools import cache
from typing import Annotated, Final, Literal, get_type_hints

from dalej.errors import WrongInput
from dalej.words import N_

NUMBERED_TILES: Final = 104  # 1 to 13 in four colours, everything twice
UNKNOWN: Final = "unknown"  # in a file: a count that nobody knows before it is counted

Value = int | bool | str | None
RulingName = Literal["stands", "undone", "takes_invalid"]


@dataclass(frozen=True, slots=True)
class Whole:
    """A whole number from `low` to `high`; with `or_unknown` also the word "unknown", which reads as None."""

    section: str
    low: int
    high: int
    or_unknown: bool = False


@dataclass(frozen=True, slots=True)
class OneOf:
    """One of these words."""

    section: str
    words: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class YesNo:
    """true or false."""

    section: str


Shape = Whole | OneOf | YesNo

_SEATS = Whole("table", 2, 4)
_PAUSE_MS = Whole("clock", 0, 60_000)
_WHAT_THEN = OneOf("game_end", ("final_lap", "play_on", "end_at_once"))
_RULING = OneOf("time_out", ("stands", "undone", "takes_invalid"))
_TILES = Whole("time_out", 0, NUMBERED_TILES, or_unknown=True)


@dataclass(frozen=True, slots=True)
class Rule:
    """One value of a ruleset and where it comes from.

    `clause` names the passage it belongs to; if that passage leaves the matter open, `ours` is True and `why` is a
    sentence for the organiser. `allows` lists other values the text permits, `modifiable` says that it permits any.
    `quote` is the regulation's own wording, in its own language.
    """

    key: str
    value: Value
    clause: str
    ours: bool = False
    why: str = ""
    quote: str = ""
    allows: tuple[Value, ...] = ()
    modifiable: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Ruleset:
    """One regulation. Durations in integer milliseconds; `rules` holds the citation of every value."""

    id: str
    title: str
    language: str
    source: str
    rules: tuple[Rule, ...]

    seats_min: Annotated[int, _SEATS]
    seats_max: Annotated[int, _SEATS]
    jokers: Annotated[int, Whole("table", 0, 8)]
    hand: Annotated[int, Whole("table", 1, 25)]
    first_starter: Annotated[str, OneOf("table", ("seat_a", "highest_tile", "table"))]
    next_starter: Annotated[str, OneOf("table", ("clockwise", "table"))]
    redeal_allowed: Annotated[bool, YesNo("table")]

    limit_ms: Annotated[int, Whole("clock", 5_000, 3_600_000)]
    on_expiry: Annotated[str, OneOf("clock", ("hold", "advance"))]
    grace_ms: Annotated[int, _PAUSE_MS]
    alert_after_ms: Annotated[int, _PAUSE_MS]
    countdown_ms: Annotated[int, _PAUSE_MS]
    draw: Annotated[str, OneOf("clock", ("off", "flag", "block"))]
    claim_window_ms: Annotated[int, _PAUSE_MS]
    late_tile_window_ms: Annotated[int, _PAUSE_MS]
    dispute_window_ms: Annotated[int, _PAUSE_MS]
    withdraw_window_ms: Annotated[int, _PAUSE_MS]
    guard_ms: Annotated[int, Whole("clock", 0, 5_000)]
    shared_guard_ms: Annotated[int, Whole("clock", 0, 5_000)]

    default_ruling_drawn: Annotated[RulingName, _RULING]
    default_ruling: Annotated[RulingName, _RULING]
    stands_tiles: Annotated[int | None, _TILES]
    undone_tiles: Annotated[int | None, _TILES]
    takes_invalid_tiles: Annotated[int | None, _TILES]

    on_bank_empty: Annotated[str, _WHAT_THEN]
    on_round_time: Annotated[str, _WHAT_THEN]

    def rule(self, key: str) -> Rule:
        """The value named `key` with its citation; KeyError if there is no such value."""
        for rule in self.rules:
            if rule.key == key:
                return rule
        raise KeyError(key)

    def clause(self, key: str) -> str:
        """The clause that the value named `key` cites."""
        return self.rule(key).clause

    @property
    def sentences(self) -> dict[str, str]:
        """For every value the text leaves open: why it is as it is, in one sentence for the organiser."""
        return {rule.key: rule.why for rule in self.rules if rule.ours}

    @property
    def tiles(self) -> int:
        """Tiles in the set, jokers included."""
        return NUMBERED_TILES + self.jokers

    def bank(self, seats: int) -> int:
        """Tiles left in the bank when `seats` players have their hand; WrongInput if so many cannot play."""
        if not self.seats_min <= seats <= self.seats_max:
            raise WrongInput(
                N_("{ruleset} is played by {low} to {high} at a table, not by {seats}"),
                ruleset=self.id,
                low=self.seats_min,
                high=self.seats_max,
                seats=seats,
            )
        return self.tiles - seats * self.hand

    def tiles_of(self, ruling: RulingName) -> int | None:
        """Tiles a time-out ruling costs; None while that is not known before somebody counts."""
        return {"stands": self.stands_tiles, "undone": self.undone_tiles, "takes_invalid": self.takes_invalid_tiles}[
            ruling
        ]

    def clause_of(self, ruling: RulingName) -> str:
        """The clause behind a ruling that somebody made."""
        return self.clause(f"{ruling}_tiles")


@cache
def schema() -> dict[str, Shape]:
    """Every value a ruleset file must hold, in file order, with its section and what is allowed."""
    hints = get_type_hints(Ruleset, include_extras=True)
    shapes = {field.name: getattr(hints[field.name], "__metadata__", ()) for field in fields(Ruleset)}
    return {name: shape[0] for name, shape in shapes.items() if shape}
