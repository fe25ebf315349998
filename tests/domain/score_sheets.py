"""Score sheets for tests: short to write down, and any that a real game could end with."""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from typing import Any

from hypothesis import strategies as st

from dalej.domain.rules.rulesets import Ruleset
from dalej.domain.scoring.points import Ended, Rack, SeatScore, Sheet, score
from dalej.rulesets import rulebook

EVERY = ("it-classic", "pl-championship", "pl-eliminations", "school-league", "wejherowo-championship")
POLISH = tuple(name for name in EVERY if name != "it-classic")
FOUR_TWO_ONE = ("pl-championship", "wejherowo-championship")

OUT = {"points": 0}


@cache
def _shipped(name: str) -> Ruleset:
    return rulebook.load(name)


def regulation(name: str = "school-league", **options: Any) -> Ruleset:
    """A shipped ruleset with an organiser's options."""
    return replace(_shipped(name), **options)


def sheet(ended: Ended, *racks: dict[str, Any], started: int = 0, ruling: str = "") -> Sheet:
    """Racks at seats A, B, C, …"""
    seated = tuple(Rack(**({"seat": seat} | rack)) for seat, rack in zip("ABCDE", racks, strict=False))
    return Sheet(ended, seated, started, ruling)


def small(of: Sheet, ruleset: Ruleset) -> list[int]:
    return [one.small for one in score(of, ruleset)]


def big(of: Sheet, ruleset: Ruleset) -> list[int | None]:
    return [one.big for one in score(of, ruleset)]


def places(of: Sheet, ruleset: Ruleset) -> list[int]:
    return [one.place for one in score(of, ruleset)]


def clauses(one: SeatScore) -> set[str]:
    return {reason.clause for reason in one.reasons}


def rulesets() -> st.SearchStrategy[Ruleset]:
    return st.sampled_from(EVERY).map(regulation)


@st.composite
def sheets(draw: st.DrawFn, *endings: Ended) -> Sheet:
    """Any game that can end so: two to four seats, some of which left, tiles as one set holds them."""
    ended = draw(st.sampled_from(endings or ("went_out", "bank_empty", "round_time", "last_seat")))
    seats = draw(st.integers(2, 4))
    stays = draw(st.integers(0, seats - 1))
    joker_at = draw(st.lists(st.integers(0, seats - 1), max_size=2))
    racks = []
    for place in range(seats):
        once, again = draw(st.sets(st.integers(1, 13), min_size=1)), draw(st.sets(st.integers(1, 13)))
        opened = draw(st.booleans())
        rack = Rack(
            seat="ABCD"[place],
            tiles=tuple(sorted([*once, *again])),
            jokers=joker_at.count(place),
            opened=opened,
            could_have_opened=not opened and draw(st.booleans()),
            announced=draw(st.booleans()),
            withdrawn=place != stays and (ended == "last_seat" or draw(st.integers(0, 3)) == 0),
        )
        if place == stays and ended == "went_out":
            rack = replace(rack, tiles=(), jokers=0, opened=True, could_have_opened=False)
        racks.append(rack)
    return Sheet(ended, tuple(racks), draw(st.sampled_from([0, *range(seats, 5)])))
