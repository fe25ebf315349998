"""A regulation as data: what the box and the desk must do, each value with the clause that says so.

Below: what a value may be (each annotated field of `Ruleset` names one of these shapes), and the stages of a
tournament as a ruleset or an organiser writes them.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from functools import cache
from typing import Annotated, Final, Literal, get_type_hints

from dalej.errors import WrongInput
from dalej.words import N_

Method = Literal["lot", "fresh_lot", "rank", "snake", "table"]
By = Literal["rank", "table"]

METHODS: Final = ("lot", "fresh_lot", "rank", "snake", "table")
BY: Final = ("rank", "table")
STAGES_MOST: Final = 9
ROUNDS_MOST: Final = 50
GAMES_MOST: Final = 20
PLAYERS_MOST: Final = 5_000


@dataclass(frozen=True, slots=True, kw_only=True)
class Stage:
    """One stage. `id` as files and commands name it: league, preliminaries, semifinal, final, series, stage-2, …

    `games`: per round at each table. `first`, `later`: how its first and its later rounds are seated ("table": the
    players decide; "snake": tables of equal strength). `takes`: how many players come in, None: everybody, in a
    semifinal as many as the ruleset's `semifinal_…` say; `by`: the best of the whole stage before ("rank"), or equally
    many of each table of its last round ("table").
    """

    id: str
    rounds: int = 1
    games: int = 2
    first: Method = "lot"
    later: Method = "rank"
    takes: int | None = None
    by: By = "rank"


@dataclass(frozen=True, slots=True)
class Whole:
    """A whole number from `low` to `high`; with a `word`, such as "unknown", also that word, which reads as None."""

    section: str
    low: int
    high: int
    word: str = ""


@dataclass(frozen=True, slots=True)
class OneOf:
    """One of these words."""

    section: str
    words: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class YesNo:
    """true or false."""

    section: str


@dataclass(frozen=True, slots=True)
class Scale:
    """Big points of a table of `seats`: so many whole numbers, best first; or the word "none", which is None."""

    section: str
    seats: int
    high: int


@dataclass(frozen=True, slots=True)
class Stages:
    """A list of tables, one a stage, with the names of `dalej.domain.rules.rulesets.Stage`."""

    section: str


Shape = Whole | OneOf | YesNo | Scale | Stages


NUMBERED_TILES: Final = 104  # 1 to 13 in four colours, everything twice
UNKNOWN: Final = "unknown"  # in a file: a count that nobody knows before it is counted
NONE: Final = "none"  # in a file: the ruleset knows no such thing

# What a passage for the referee may be about.
TOPICS: Final = (
    "deal", "redeal", "starting", "opening", "opening_move", "manipulation", "joker", "time_limit", "time_out", "gaps",
    "drawing", "click", "touching", "stack", "direction", "spectators", "dispute", "rack_count", "announcement",
    "never_opened", "end", "bank_empty", "scoring", "ties", "seating", "stages", "withdrawal", "conduct", "form",
)  # fmt: skip

# What a referee may have seen, and the value that says what follows.
TOUCHED: Final = "touched"  # tiles, after the time was over
NOTHING_LAID: Final = "nothing_laid"  # the sets are valid, but no own tile is among them
SEEN_BY: Final[dict[str, str]] = {TOUCHED: "touched_ruling", NOTHING_LAID: "nothing_laid_tiles"}

Value = int | bool | str | tuple[int, ...] | tuple[Stage, ...] | None
RulingName = Literal["stands", "undone", "takes_invalid"]


_SEATS = Whole("table", 2, 4)
_PAUSE_MS = Whole("clock", 0, 60_000)
_WHAT_THEN = OneOf("game_end", ("final_lap", "play_on", "end_at_once"))
_RULING = OneOf("time_out", ("stands", "undone", "takes_invalid"))
_TILES = Whole("time_out", 0, NUMBERED_TILES, UNKNOWN)
_PENALTY = Whole("scoring", 0, 1_000, "rack")
_PLAYERS = Whole("format", 2, 5_000, NONE)
_SEMIFINAL = Whole("format", 4, 64, NONE)


@dataclass(frozen=True, slots=True)
class Rule:
    """One value of a ruleset and where it comes from.

    `clause` names the passage it belongs to; if that passage leaves the matter open, `ours` is True and `why` is a
    sentence for the organiser. `quote` is the regulation's own wording, in its own language. `allows` lists other
    values the text permits, `modifiable` says that it permits any; where another sentence does, it is `allows_quote`,
    in `allows_clause`. `organiser`: an option of the event put `value` in the place of `original`, the file's.
    """

    key: str
    value: Value
    clause: str
    ours: bool = False
    why: str = ""
    quote: str = ""
    allows: tuple[Value, ...] = ()
    modifiable: bool = False
    allows_clause: str = ""
    allows_quote: str = ""
    organiser: bool = False
    original: Value = None

    @property
    def permitted(self) -> bool:
        """Whether the text leaves room for the value that counts now: where it names several, for these alone."""
        return not self.organiser or self.granted or (self.ours and not self.allows)

    @property
    def granted(self) -> bool:
        """Whether an organiser has put there what the text permits in so many words."""
        return self.organiser and (self.modifiable or self.value in self.allows)

    @property
    def granting(self) -> tuple[str, str]:
        """Clause and words of the sentence that permits other values; no words where the file does not tell them, since
        its own speak of another value.
        """
        return self.allows_clause or self.clause, self.allows_quote or (self.quote if self.modifiable else "")

    @property
    def citation(self) -> tuple[str, str]:
        """Clause and words that the value rests on as it is now: of the sentence that permits it, or of its own."""
        return self.granting if self.granted else (self.clause, self.quote)


@dataclass(frozen=True, slots=True)
class Later:
    """A value that files did not hold at first, which an organiser's own or an event's may not hold still: what counts
    then, why, and the value whose clause it cites.
    """

    value: Value
    why: str
    beside: str
    of_shape: Mapping[str, tuple[Value, str]] = field(
        default_factory=dict
    )  # value and why where the format's shape is such


# The shipped files hold them all; where their text says something of it, in its own words.
LATER: Final[dict[str, Later]] = {
    "sound": Later(
        "loud", N_("The text says nothing of sounds, and in a hall only loud ones are heard."), "shared_guard_ms"
    ),
    "taps_only": Later(
        False,
        N_("The text knows no boxes; a table whose players cannot hold a button for a second plays with taps alone."),
        "shared_guard_ms",
    ),
    "players_counted": Later(
        "present", N_("Who is not there when it begins does not take part."), "players_min",
        {"league": ("signed_up", N_("The league is played over weeks, and who has signed up takes part in it, also on "
                                    "an evening that one of them misses."))},
    ),
    "tables_max": Later(
        None, N_("The text sets no greatest number of tables."), "players_max",
        {"series": (1, N_("The game is a series at one table, which seats as many as there are racks; several tables "
                          "are compared only if the organiser says so."))},
    ),
    "not_played_stands": Later(
        "last",
        N_("A place compares games that were played: nought points without a game would stand above points lost in "
           "one."),
        "absent_points",
    ),
    "not_played_advances": Later(
        "last",
        N_("Whoever has not played in a stage goes on only after everybody who has, whatever the points."),
        "absent_points",
    ),
    "tiles": Later(106, N_("The text gives no number; stacks of 7 and one of 8 make 106, jokers included."), "jokers"),
    "opening_joker_points": Later(
        None, N_("The text does not say what a joker counts there, so it counts as the tile it stands for."),
        "opening_points",
    ),
    "odd_points": Later(
        "first_seat",
        N_("Where winners share what does not divide, a point left over goes to the one whose seat comes first."),
        "several_lowest",
    ),
    "exclusion": Later(
        "after_warning",
        N_("The file is older than this value, so a warning comes before an exclusion as it did then."),
        "check_results",
    ),
    "public_names": Later(
        "in_full", N_("The text says nothing of names in public; whoever has consented to it stands there in full."),
        "check_results",
        {"league": ("short", N_("The text says nothing of names in public, and of pupils first name and initial are "
                                "enough."))},
    ),
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Text:
    """A passage that a referee may need to quote: its clause, what it is about (one of `TOPICS`), its own words."""

    clause: str
    topic: str
    quote: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Ruleset:
    """One regulation. Durations in integer milliseconds; `rules` holds the citation of every value."""

    id: str
    title: str
    language: str
    source: str
    # In a report of what went wrong these would hide it.
    rules: tuple[Rule, ...] = field(repr=False)
    texts: tuple[Text, ...] = field(repr=False)  # what a referee may need to quote, by clause

    seats_min: Annotated[int, _SEATS]
    seats_max: Annotated[int, _SEATS]
    jokers: Annotated[int, Whole("table", 0, 8)]
    tiles: Annotated[int, Whole("table", 100, 120)]  # in the set, jokers included
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

    sound: Annotated[str, OneOf("box", ("silent", "soft", "loud"))]
    taps_only: Annotated[bool, YesNo("box")]

    default_ruling_drawn: Annotated[RulingName, _RULING]
    default_ruling: Annotated[RulingName, _RULING]
    stands_tiles: Annotated[int | None, _TILES]
    undone_tiles: Annotated[int | None, _TILES]
    takes_invalid_tiles: Annotated[int | None, _TILES]
    nothing_laid_tiles: Annotated[int, Whole("time_out", 0, NUMBERED_TILES)]
    touched_ruling: Annotated[RulingName, _RULING]

    on_bank_empty: Annotated[str, _WHAT_THEN]
    on_round_time: Annotated[str, _WHAT_THEN]

    opening_points: Annotated[int, Whole("scoring", 0, 200)]
    opening_joker_points: Annotated[int | None, Whole("scoring", 0, 200, "tile")]  # None: as the tile it stands for
    joker_points: Annotated[int, Whole("scoring", 0, 200)]
    never_opened_points: Annotated[int | None, _PENALTY]
    could_have_opened_points: Annotated[int | None, _PENALTY]
    never_opened_counts: Annotated[str, OneOf("scoring", ("instead", "on_top"))]
    announcement_lifts: Annotated[bool, YesNo("scoring")]
    winner_takes_penalties: Annotated[bool, YesNo("scoring")]
    penalties_without_winner: Annotated[bool, YesNo("scoring")]
    several_lowest: Annotated[str, OneOf("scoring", ("full", "split"))]
    odd_points: Annotated[str, OneOf("scoring", ("first_seat", "last_seat"))]
    level_big_points: Annotated[str, OneOf("scoring", ("higher", "lower"))]
    withdrawn_ranks: Annotated[str, OneOf("scoring", ("last", "by_points"))]
    big_points_4: Annotated[tuple[int, ...] | None, Scale("scoring", 4, 100)]
    big_points_3: Annotated[tuple[int, ...] | None, Scale("scoring", 3, 100)]
    big_points_2: Annotated[tuple[int, ...] | None, Scale("scoring", 2, 100)]

    shape: Annotated[str, OneOf("format", ("league", "eliminations", "championship", "series"))]
    stages: Annotated[tuple[Stage, ...], Stages("format")]
    players_min: Annotated[int | None, _PLAYERS]
    closed_players_min: Annotated[int | None, _PLAYERS]
    players_max: Annotated[int | None, _PLAYERS]
    players_counted: Annotated[str, OneOf("format", ("signed_up", "present"))]
    tables_max: Annotated[int | None, Whole("format", 1, 1_000, NONE)]
    semifinal_small: Annotated[int | None, _SEMIFINAL]
    semifinal_large: Annotated[int | None, _SEMIFINAL]
    semifinal_small_up_to: Annotated[int | None, _PLAYERS]
    ranking: Annotated[str, OneOf("format", ("big_then_small", "small"))]
    stage_points: Annotated[str, OneOf("format", ("fresh", "carried"))]
    level_seating: Annotated[str, OneOf("format", ("lot", "sign_up"))]
    absent_points: Annotated[int, Whole("format", -1_000, 0)]
    not_played_stands: Annotated[str, OneOf("format", ("by_points", "last"))]
    not_played_advances: Annotated[str, OneOf("format", ("last", "by_points"))]
    round_time_ms: Annotated[int | None, Whole("format", 60_000, 36_000_000, NONE)]
    no_new_game_ms: Annotated[int, Whole("format", 0, 3_600_000)]

    check_results: Annotated[str, OneOf("paper", ("advised", "required"))]
    form_players: Annotated[int | None, Whole("paper", 1, 64, NONE)]
    form_working_days: Annotated[int | None, Whole("paper", 1, 60, NONE)]
    public_names: Annotated[str, OneOf("paper", ("short", "in_full"))]

    exclusion: Annotated[str, OneOf("conduct", ("after_warning", "outright"))]

    def rule(self, key: str) -> Rule:
        """The value named `key` with its citation; KeyError if there is no such value."""
        for rule in self.rules:
            if rule.key == key:
                return rule
        raise KeyError(key)

    def clause(self, key: str) -> str:
        """The clause that the value named `key` cites."""
        return self.rule(key).citation[0]

    @property
    def sentences(self) -> dict[str, str]:
        """For every value the text leaves open: why it is as it is, in one sentence for the organiser."""
        return {rule.key: rule.why for rule in self.rules if rule.ours}

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

    def clause_of(self, ruling: str, seen: str = "") -> str:
        """The clause behind a ruling that somebody made; `seen`: what it followed from (`SEEN_BY`), if it did."""
        return self.clause(SEEN_BY.get(seen, f"{ruling}_tiles"))


@cache
def schema() -> dict[str, Shape]:
    """Every value a ruleset file must hold, in file order, with its section and what is allowed."""
    hints = get_type_hints(Ruleset, include_extras=True)
    shapes = {field.name: getattr(hints[field.name], "__metadata__", ()) for field in fields(Ruleset)}
    return {name: shape[0] for name, shape in shapes.items() if shape}
