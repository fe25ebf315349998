"""A table of a seated round as its box must know it: who plays, which game is next, by which settings; and which
table's box goes by the settings as they are now.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final, Literal

from dalej.domain.game.facts import SEATS
from dalej.domain.game.games import BoxGame
from dalej.domain.game.positions import Position
from dalej.domain.game.tablesettings import Choices, settings_for
from dalej.domain.rules.rulesets import Ruleset
from dalej.domain.tournament.tournament import GameAt, Round, TableSeats, Tournament
from dalej.errors import DalejError
from dalej.event.ledger import APPLIED, NO_LINK, REFUSED
from dalej.event.reading import Asked, Reading
from dalej.event.roundgames import games_of_round
from dalej.event.tables import Tables
from moveclock import facts as k
from moveclock.settings import unpack
from moveclock.wire import WireError

CONFIGURE: Final = "configure"
LEAST: Final = 2  # players at a table that is played
SEAT_A: Final = "seat_a"  # the ruleset's word for: seat A starts the first game
CLOCKWISE: Final = "clockwise"  # ... for: the next seat starts the next one


@dataclass(frozen=True, slots=True)
class TablePlan:
    """A table and who sits at it, by seat. `first_game`: the number it begins with; `games`: how many it plays from
    there on, None: without end.
    """

    number: int
    names: Mapping[str, str]
    first_game: int = 1
    games: int | None = None

    @property
    def seats(self) -> str:
        """The letters of the seats that play."""
        return "".join(seat for seat in SEATS if seat in self.names)

    @property
    def starter(self) -> str:
        """Who starts the first game, if seat A starts game 1 and the next seat every later one."""
        return _starter(self.seats, self.first_game)


def configuration(plan: TablePlan, ruleset: Ruleset) -> dict[str, int | str]:
    """The arguments of the `configure` by which the box of that table begins. WrongInput if they make no table."""
    return configured(ruleset, plan.seats, _first(ruleset, plan.seats, plan.first_game), plan.first_game)


def configured(ruleset: Ruleset, seats: str, first: str | None, game: int) -> dict[str, int | str]:
    """The same for any game: these seats in play, this one starts, None: nobody is named."""
    settings = settings_for(ruleset, Choices(seats=seats, first=first))
    return {"game": game, "settings": settings.pack().hex()}


def renewed(plan: TablePlan, ruleset: Ruleset, at: Position) -> dict[str, int | str]:
    """The same for a box that rests `at` some place of the round: nobody else starts because the settings changed."""
    return configured(ruleset, plan.seats, _starts_there(plan, ruleset, at), plan.first_game)


def settings_text(ruleset: Ruleset, seats: str, game: int) -> str:
    """The settings by which these seats play that game of a round, as a request holds them; WrongInput if they make no
    table.
    """
    return settings_for(ruleset, Choices(seats=seats, first=_first(ruleset, seats, game))).pack().hex()


def same_rules(one: object, other: object, game: int) -> bool:
    """Whether both texts are settings, and the same. Who starts a later game than the first one is the box's own count,
    and no matter of the rules.
    """
    found = [_rules(text, game) for text in (one, other)]
    return found[0] is not None and found[0] == found[1]


def seats_in_play(state: Tournament, at: TableSeats) -> str:
    """The letters of the seats whose players have not left."""
    return "".join(_names(state, at))


def plans_of(reading: Reading, state: Tournament, one: Round) -> list[TablePlan]:
    """What is left to play at each table of a round; [] while nobody sits there. A table where nothing is left, or
    where too few are left, is not among them.
    """
    if one.seating is None:
        return []
    ended = (at.table for at, game in games_of_round(reading, state, one.key).items() if game.ended is not None)
    over = Counter(ended)
    plans = [_plan(state, one, at, over[at.table]) for at in one.seating.tables]
    return [plan for plan in plans if plan.games and len(plan.names) >= LEAST]


def _plan(state: Tournament, one: Round, at: TableSeats, over: int) -> TablePlan:
    return TablePlan(at.table, _names(state, at), first_game=over + 1, games=max(0, one.stage.games - over))


def _names(state: Tournament, at: TableSeats) -> dict[str, str]:
    return {
        seat: state.players[player].name
        for seat, player in zip(SEATS, at.players, strict=True)
        if player and state.players[player].gone is None
    }


def _starter(seats: str, game: int) -> str:
    return seats[(game - 1) % len(seats)]


def _first(ruleset: Ruleset, seats: str, game: int) -> str | None:
    return _starter(seats, game) if seats and ruleset.first_starter == SEAT_A else None


def _starts_there(plan: TablePlan, ruleset: Ruleset, at: Position) -> str | None:
    """Who would start if the box were left alone."""
    if plan.first_game > 1 and (at.state, at.game) == (k.READY, plan.first_game):
        return _in_play(plan, at.starter)
    if plan.first_game > 1 and (at.state, at.game) == (k.OVER, plan.first_game - 1):
        return _in_play(plan, at.starter + 1) if ruleset.next_starter == CLOCKWISE and at.starter <= k.SEAT_D else None
    return _first(ruleset, plan.seats, plan.first_game)


def _in_play(plan: TablePlan, seat: int) -> str | None:
    """That seat, or the next one that plays."""
    if seat > k.SEAT_D + 1:
        return None
    return next(letter for step in range(len(SEATS)) if (letter := SEATS[(seat + step) % len(SEATS)]) in plan.names)


def _rules(text: object, game: int) -> bytes | None:
    try:
        settings = unpack(bytes.fromhex(str(text)))
    except (ValueError, WireError):
        return None
    if game > 1:
        settings.first = k.NOBODY
    return settings.pack()


How = Literal["has", "older", "waits", "unheard", "refused", "never", "no_box", "over"]


@dataclass(frozen=True, slots=True)
class Given:
    """One table. `has`: its box goes by the settings as they are; `older`: by others; `waits`: it was asked and has not
    answered; `unheard`: no link came; `refused`, with the box's `reason`; `never`: it was never set up; `no_box`;
    `over`: nothing is left to play there. `plays`: in a game, in which no box takes other settings. `box`: its uid.
    """

    table: int
    how: How
    reason: str = ""
    plays: bool = False
    box: str = ""

    @property
    def lacks(self) -> bool:
        """Whether it would have to be sent."""
        return self.how in ("older", "unheard", "refused", "never")


def settings_given(reading: Reading, state: Tournament, games: Mapping[GameAt, BoxGame]) -> list[Given]:
    """Every table of the round to work on; [] while nobody sits. `games`: what boxes tell of that round."""
    one = state.current
    if one is None or one.seating is None:
        return []
    stands = reading.fold(Tables).boxes.on_tables
    ended = Counter(at.table for at, game in games.items() if game.ended is not None)
    playing = {at.table for at, game in games.items() if game.ended is None}
    asked = _asked(reading)
    return [
        _given(
            asked, state, at, stands.get(at.table), plays=at.table in playing,
            left=one.stage.games - ended[at.table],
        )
        for at in one.seating.tables
    ]  # fmt: skip


def _asked(reading: Reading) -> Mapping[str, Sequence[Asked]]:
    """By box: every time it was told by what to play."""
    found: dict[str, list[Asked]] = {}
    for one in reading.asked():
        if one.request.command == CONFIGURE and one.request.box is not None:
            found.setdefault(one.request.box, []).append(one)
    return found


def _given(
    of_boxes: Mapping[str, Sequence[Asked]],
    state: Tournament,
    at: TableSeats,
    box: str | None,
    *,
    plays: bool,
    left: int,
) -> Given:
    if box is None:
        return Given(at.table, "no_box")
    seats = seats_in_play(state, at)
    if left < 1 or len(seats) < LEAST:
        return Given(at.table, "over", box=box)
    asked = of_boxes.get(box, [])
    applied = next((one for one in reversed(asked) if one.result == APPLIED), None)
    last = asked[-1] if asked else None
    if last is None:
        return Given(at.table, "never", plays=plays, box=box)
    if applied is not None and (last is applied or last.result in (NO_LINK, REFUSED)) and _same(state, seats, applied):
        return Given(at.table, "has", plays=plays, box=box)
    result = last.result
    if result == REFUSED:
        return Given(at.table, "refused", last.reason, plays=plays, box=box)
    if result == NO_LINK:
        return Given(at.table, "unheard", plays=plays, box=box)
    return Given(at.table, "older" if result == APPLIED else "waits", plays=plays, box=box)


def _same(state: Tournament, seats: str, asked: Asked) -> bool:
    game, given = asked.request.args.get("game"), asked.request.args.get("settings")
    try:
        return isinstance(game, int) and same_rules(given, settings_text(state.ruleset, seats, max(1, game)), game)
    except DalejError:
        return False
