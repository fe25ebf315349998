"""A tournament that is made from an earlier state of it is the one that all its decisions make."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from hypothesis import given
from hypothesis import strategies as st

from dalej.domain.tournament import tournament as kinds
from dalej.domain.tournament.fold import standings, tournament
from dalej.domain.tournament.tournament import GameAt, RoundKey, Tournament
from dalej.errors import Damaged
from dalej.event.ledger import Json
from tests.domain.deciding import LEAGUE, Decided

PLAYERS = 8
HALVES = ((1, 2, 3, 4), (5, 6, 7, 8))
Step = Callable[[Decided], object]

rounds, tables, games = st.integers(1, 2), st.integers(1, 2), st.integers(1, 2)
racks = st.permutations((0, 10, 25, 30))


def at_a_game(round_: int, table: int, game: int) -> dict[str, Json]:
    return {"stage": LEAGUE, "round": round_, "table": table, "game": game}


def seats_other_players(round_: int, order: list[int]) -> Step:
    return lambda event: event.seat(round_, order[:4], order[4:])


def enters(round_: int, table: int, game: int, points: list[int]) -> Step:
    return lambda event: event.result(round_, table, game, HALVES[table - 1], points)


def confirms_what_was_entered_last(round_: int, table: int) -> Step:
    def step(event: Decided) -> object:
        results = [one.cursor for one in event.decisions if one.kind == kinds.RESULT][-2:]
        return event.confirm(round_, table, *results)

    return step


def takes_back(which: int) -> Step:
    def step(event: Decided) -> object:
        """Not the ruleset, without which there is no tournament."""
        return event.revoke(event.decisions[1 + which % (len(event.decisions) - 1)].cursor)

    return step


def of_a_round(kind: str, **more: Json) -> Callable[[int], Step]:
    return lambda round_: (
        lambda event: event.decide(kind, {"stage": LEAGUE, "round": round_, **more}, f"{kind}:{LEAGUE}:{round_}")
    )


def hall_is_done(round_: int) -> Step:
    def step(event: Decided) -> object:
        """With what was taken back last, if anything was."""
        given = [one.cursor for one in event.decisions if one.kind == kinds.GIVEN and not one.body["given"]]
        return event.decide(
            kinds.COMPLETE, {"stage": LEAGUE, "round": round_, "hall": "Las", "of": given[-1] if given else 1}
        )

    return step


ON_A_ROUND: st.SearchStrategy[Step] = st.one_of(
    st.builds(seats_other_players, rounds, st.permutations(range(1, PLAYERS + 1))),
    st.builds(enters, rounds, tables, games, racks),
    st.builds(enters, rounds, tables, games, racks),
    st.builds(confirms_what_was_entered_last, rounds, tables),
    rounds.map(lambda round_: lambda event: event.lock(round_)),
    rounds.map(lambda round_: lambda event: event.close(round_)),
    rounds.map(of_a_round(kinds.CLOCK, length_ms=60_000)),
    rounds.map(of_a_round(kinds.ABSENT, player=3, absent=True)),
    rounds.map(of_a_round(kinds.GIVEN, given=True, halls=["Las"])),
    rounds.map(of_a_round(kinds.GIVEN, given=False)),
    rounds.map(hall_is_done),
    st.builds(
        lambda round_, table, game: lambda event: event.decide(
            kinds.TABLE_RULING,
            {**at_a_game(round_, table, game), "seat": "A", "player": 1, "ruling": "draws", "tiles": 3},
        ),
        rounds, tables, games,
    ),
)  # fmt: skip
ON_ANYTHING: st.SearchStrategy[Step] = st.one_of(
    ON_A_ROUND,
    ON_A_ROUND,
    ON_A_ROUND,
    st.integers(1, PLAYERS).map(lambda number: lambda event: event.gone(number)),
    st.integers(1, PLAYERS).map(
        lambda number: (
            lambda event: event.decide(kinds.PLAYER, {"player": number, "name": "Puchacz"}, f"player:{number}")
        )
    ),
    st.sampled_from((20, 30, None)).map(lambda points: lambda event: event.option("joker_points", points)),
    st.just(lambda event: event.decide(kinds.HALL, {"hall": "Las", "tables": [2]}, "hall:Las")),
    st.just(lambda event: event.decide(kinds.HOME, {"hall": "Las"}, "home")),
    st.just(lambda event: event.decide("taken", {"table": 1, "call": "dispute"}, "taken:1")),
    st.integers(0, 1_000).map(takes_back),
)


def made(event: Decided, known: Tournament | None = None) -> Tournament | str:
    """What comes of it, or what is wrong with it."""
    try:
        return tournament(event.decisions, known)
    except Damaged as problem:
        return str(problem)


@given(st.lists(st.tuples(ON_ANYTHING, ON_A_ROUND), max_size=25))
def test_whatever_is_decided_a_state_made_from_an_earlier_one_is_that_of_all_decisions(
    steps: list[tuple[Step, Step]],
) -> None:
    event = Decided(players=PLAYERS)
    event.seat(1, *HALVES)
    known = tournament(event.decisions)
    for step, imagined in steps:
        before, first = tournament(event.decisions), len(event.decisions)
        imagined(event)
        assert made(event, known) == made(event)
        del event.decisions[first:]
        assert made(event, known) == before, "what is only imagined has changed the tournament as it stands"
        step(event)
        later = made(event, known)
        assert later == made(event)
        if isinstance(later, str):
            return
        assert standings(later) == standings(tournament(event.decisions))
        known = later


def test_a_round_on_which_nothing_was_decided_is_not_made_again() -> None:
    event = Decided(players=PLAYERS)
    event.seat(1, *HALVES)
    event.result(1, 1, 1, HALVES[0], (0, 10, 20, 30))
    event.close(1)
    event.seat(2, *HALVES)
    known = event.state()
    event.result(2, 1, 1, HALVES[0], (0, 10, 20, 30))
    event.decide(kinds.CLOCK, {"stage": LEAGUE, "round": 2, "length_ms": 60_000}, f"clock:{LEAGUE}:2")
    later = tournament(event.decisions, known)

    assert later.rounds[RoundKey(LEAGUE, 1)] is known.rounds[RoundKey(LEAGUE, 1)]
    assert GameAt(1, 1) in later.rounds[RoundKey(LEAGUE, 2)].results
    assert GameAt(1, 1) not in known.rounds[RoundKey(LEAGUE, 2)].results


def test_a_state_of_which_somebody_has_replaced_a_part_is_gone_on_with_by_nobody() -> None:
    event = Decided(players=PLAYERS)
    event.seat(1, *HALVES)
    event.close(1)
    event.seat(2, *HALVES)
    known = event.state()
    imagined = {key: replace(one, absent=frozenset({3})) for key, one in known.rounds.items()}
    event.result(2, 1, 1, HALVES[0], (0, 10, 20, 30))

    assert tournament(event.decisions, replace(known, rounds=imagined)) == event.state()


def test_organizacja_7_a_round_of_a_stage_that_takes_fewer_by_now_is_made_again() -> None:
    event = Decided("pl-eliminations", players=25)
    event.advance("semifinal", *range(1, 17))
    event.seat(1, *HALVES, stage="semifinal")
    known = event.state()
    assert known.rounds[RoundKey("semifinal", 1)].stage.takes == 16
    event.seat(2, *(tuple(range(first, first + 4)) for first in range(1, 25, 4)), stage="preliminaries")
    later = tournament(event.decisions, known)

    assert later.rounds[RoundKey("semifinal", 1)].stage.takes == 8
    assert later == event.state()
