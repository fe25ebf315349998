"""The world that a test begins in: an event in a folder, with players, rounds and games, and boxes that told of some.

Real ledger, the office's own plans. `new_event` is open until its test closes it, the others close it.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import Any, Final

from dalej.domain.scoring.sheets import Rack
from dalej.domain.tournament.tournament import GameAt, Round, RoundKey, TableSeats, Tournament
from dalej.event.event import Change, Event, Seen
from dalej.event.ledger import Baseline, Ledger, Report
from dalej.event.roundgames import games_of_round
from dalej.office import advancing, results, rounds, rulings, seating, settings, signups
from dalej.office.notation import Entry
from dalej.office.opening import Opening, open_event
from dalej.office.results import seats_of
from dalej.office.seating import Draw
from dalej.office.signups import SignUp
from moveclock import facts as k
from tests.domain.begun import go_out, lay, table, undone
from tests.domain.deciding import ANIMALS, NOON
from tests.domain.tables import BOX, EPOCH, A, B, C, PlayedTable

__all__ = ["ANIMALS", "NOON"]  # who and when they are is settled where decisions are written without a file

FIRST: Final = RoundKey("league", 1)
SECOND: Final = RoundKey("league", 2)
DOZEN: Final = 12  # animals, then they begin again


def at_noon() -> int:
    """Unix time that stands."""
    return NOON


class Ticking:
    """Unix time that grows by a second each time somebody looks."""

    def __init__(self) -> None:
        self.now_ms = NOON

    def __call__(self) -> int:
        self.now_ms += 1_000
        return self.now_ms


def name_of(number: int) -> str:
    """Lis, Sowa, …, Bocian, Lis 2, …"""
    again, animal = divmod(number - 1, DOZEN)
    return f"{ANIMALS[animal]} {again + 1}" if again else ANIMALS[animal]


def new_event(
    folder: Path,
    ruleset: str,
    players: int,
    *,
    who: str = "Gęś",
    name: str = "",
    file: str = "event.dalej",
    wall_ms: Callable[[], int] | None = None,
    **options_set: str,
) -> Event:
    """An event with so many players signed up. `name` "": its ruleset's title; `wall_ms` None: a clock that ticks."""
    path, wall = folder / file, Ticking() if wall_ms is None else wall_ms
    open_event(str(path), Opening(ruleset=ruleset, name=name), who=who, wall_ms=wall)
    event = Event(Ledger.open(path), who=who, wall_ms=wall)
    for key, value in options_set.items():
        event.change_seen(partial(_set, key, value))
    sign_up(event, range(1, players + 1))
    return event


@contextmanager
def an_event(
    folder: Path, players: int = 8, *, ruleset: str = "school-league", closed: int = 0, seated: bool = True, **more: Any
) -> Iterator[Event]:
    """So many have signed up, so many rounds are closed, the next is seated. `more` as `new_event` has it."""
    event = new_event(folder, ruleset, players, **more)
    with event.ledger:
        for number in range(closed):
            play_round(event, random.Random(number), number + 1)
        if seated:
            draw(event)
        yield event


def event_file(folder: Path, players: int = 8, **more: Any) -> Path:
    """The same, which nobody has open."""
    with an_event(folder, players, **more) as event:
        return event.ledger.path


@contextmanager
def signed_up(folder: Path, *names: str, ruleset: str = "school-league") -> Iterator[Event]:
    """These have signed up, one after the other, without names the first eight animals; who is too many waits."""
    with an_event(folder, 0, ruleset=ruleset, seated=False, who="Sowa") as event:
        wanted = [SignUp(0, name) for name in names or ANIMALS[:8]]
        event.change(lambda state: signups.enter(state, wanted))
        yield event


def _set(key: str, value: str, seen: Seen) -> Change:
    return settings.setting(seen, key, value).change


def sign_up(event: Event, numbers: Iterable[int]) -> None:
    wanted = [SignUp(place, name_of(number)) for place, number in enumerate(numbers, start=1)]
    event.change(lambda state: signups.enter(state, wanted, anyway="everybody plays"))


def draw(event: Event, seed: int = 1, *, anyway: str = "we play all the same", again: bool = False) -> None:
    event.change(lambda state: seating.draw(state, Draw(seed=seed, anyway=anyway, again=again)))


def drawn_at(event: Event, when_ms: int, seed: int = 1, *, again: bool = False) -> Event:
    """The next round is drawn at that instant, where the clock on the wall then stands."""
    then = Event(event.ledger, who=event.who, wall_ms=lambda: when_ms)
    draw(then, seed, again=again)
    return then


def game(state: Tournament, at: TableSeats, lot: random.Random) -> Entry:
    """A sheet that can be right: one went out, or the bank was empty; who has left lies where it was left."""
    taken = {seat: player for seat, player in seats_of(at).items() if state.players[player].gone is None}
    left = {seat: player for seat, player in seats_of(at).items() if seat not in taken}
    order = list(taken)
    lot.shuffle(order)
    counts = lot.sample(range(5, 90), len(order))
    racks = [
        Rack(seat=seat, points=points, opened=lot.random() < 0.9) for seat, points in zip(order, counts, strict=True)
    ]
    racks += [Rack(seat=seat, points=lot.randrange(20, 60), withdrawn=True) for seat in left]
    if lot.random() < 0.8:
        racks[0] = Rack(seat=order[0], points=0)
        return Entry("went_out", tuple(racks))
    return Entry("bank_empty", tuple(Rack(seat=one.seat, points=one.points, withdrawn=one.withdrawn) for one in racks))


def play(event: Event, lot: random.Random, only: Iterable[GameAt] | None = None) -> None:
    """Enters what is missing of the round to work on."""
    state = event.state()
    one = rounds.seated(state)
    wanted = one.missing() if only is None else list(only)
    entries = {at: _entry(state, one, at, lot) for at in wanted}
    event.change(lambda state: results.enter(state, one.key, entries))


def _entry(state: Tournament, one: Round, at: GameAt, lot: random.Random) -> Entry:
    seats_there = rounds.seating_of(one).at(at.table)
    assert seats_there is not None
    if sum(state.players[player].gone is None for player in seats_there.seated) < 2:
        return Entry("not_played", ())
    return game(state, seats_there, lot)


def close(event: Event) -> None:
    event.change(rounds.close)


def advance(event: Event) -> None:
    event.change(advancing.advance)


def play_round(event: Event, lot: random.Random, seed: int = 1) -> None:
    """Seat it, play it, close it."""
    draw(event, seed)
    play(event, lot)
    close(event)


def player_at(state: Tournament, table: int, seat: int) -> int:
    """Who sits there in the round to work on; 0 for an empty chair."""
    at = rounds.seating_of(rounds.seated(state)).at(table)
    assert at is not None
    return at.players[seat]


def stands(event: Event, box: str, table: int, after: int = 0) -> None:
    """What the box tells counts at that table, but for its first facts."""
    at = Baseline(table, box, EPOCH, after)
    event.ledger.assign(at, who=event.who, when_ms=event.wall_ms(), why="it stands there")


def tell(event: Event, played: PlayedTable, after: int = 0, wall_ms: int | None = None) -> int:
    """The desk hears at noon what the box has told since that many facts; how many there are now."""
    event.ledger.record([Report(fact, NOON, wall_ms) for fact in played.facts[after:]])
    return len(played.facts)


def box_plays(event: Event, number: int, *, over: bool = False) -> None:
    """At that table a box tells of the round's first game: A has moved, and if it is over B went out."""
    played = table(box=f"{number:012x}")
    stands(event, played.box, number)
    lay(played, A)
    if over:
        go_out(played, B)
    tell(event, played)


def known(event: Event, key: RoundKey = FIRST) -> dict[tuple[int, int], str | None]:
    """Which games of the round boxes have told of, by table and number, and who went out."""
    games = games_of_round(event.read(), event.state(), key)
    return {(at.table, at.game): game.winner for at, game in games.items()}


@contextmanager
def late_in_the_first_move(folder: Path, **more: Any) -> Iterator[Event]:
    """Eight are seated; at table 1 seat A was late in the first move, and the table ruled that it is undone."""
    with an_event(folder, wall_ms=at_noon, **more) as event:
        tell(event, undone())
        yield event


def late_again(held: Event, box: str = BOX) -> None:
    """At table 1 the second move of the first game runs out of time, and a referee rules that it stands; then the same
    happens in another game that the box counts as its first, as in a later round, and nobody has ruled yet.
    """
    at = table(box=box)
    stands(held, box, 1)
    for ruled in (True, False):
        lay(at, A)
        at.wait(at.clock.settings.limit_ms)
        tell(held, at)
        if ruled:
            rulings.rule_at(held, rulings.Where(1, 1, 2, None), "stands", None, "seen by the referee")
            at.press(2 * C)
            at.order(k.C_END_GAME)
            at.order(k.C_CONFIGURE, 1, at.clock.settings, k.DESK)
            at.order(k.C_SET_SEAT, A)
            at.order(k.C_START)
