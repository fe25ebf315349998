"""A link may lose, double, swap, delay and break as it likes: the desk ends with the ledger of a perfect link."""

from __future__ import annotations

from functools import cache

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dalej.domain.game.facts import Fact
from dalej.simulator.box import Faults
from moveclock import facts as k
from tests.link.rig import Rig

MOVES = 6
FATES = {
    "arrives": (0,),
    "is lost": (),
    "arrives twice": (0, 0),
    "arrives twice, once late": (0, 350),
    "is overtaken": (45,),
    "is very late": (1500,),
    "breaks the link": None,
}


@cache
def perfect() -> list[Fact]:
    rig = Rig().configured()
    rig.moves(MOVES)
    rig.settle()
    return rig.shelf.log()


@given(st.lists(st.sampled_from(sorted(FATES)), max_size=120))
def test_any_fate_of_any_frame_leads_to_the_same_ledger(fates: list[str]) -> None:
    rig = Rig().configured()

    rig.radio.script = [FATES[fate] for fate in fates]
    rig.moves(MOVES)
    rig.settle()

    assert rig.shelf.log() == perfect()
    assert not rig.shelf.conflicts


@pytest.mark.parametrize(
    "faults",
    [
        Faults(loss=0.3),
        Faults(duplicate=0.5),
        Faults(reorder=0.5),
        Faults(delay_ms=(0, 400)),
        Faults(cut=0.1),
        Faults(full=0.5),
        Faults(loss=0.1, duplicate=0.1, reorder=0.1, cut=0.02, full=0.1, delay_ms=(5, 120)),
    ],
    ids=str,
)
def test_bad_links_of_every_kind_lead_to_the_same_ledger(faults: Faults, seed: int) -> None:
    rig = Rig(seed=seed).configured()

    rig.radio.faults = faults
    rig.moves(MOVES)
    rig.settle()

    assert rig.shelf.log() == perfect()
    assert not rig.shelf.conflicts


def test_every_frame_may_be_the_one_that_breaks_the_link() -> None:
    rig = Rig().configured()
    rig.moves(2)
    frames = rig.radio.carried

    for broken in range(min(frames, 60)):
        rig = Rig().configured()
        rig.radio.script = [*[(0,)] * broken, None]
        rig.moves(MOVES)
        rig.settle()

        assert rig.shelf.log() == perfect(), broken


def test_a_handshake_of_which_every_frame_came_twice_is_one_handshake() -> None:
    rig = Rig()
    rig.radio.faults = Faults(duplicate=1.0)

    rig.radio.cut(rig.sim.uid)
    rig.run(5000)

    assert rig.shelf.live
    assert not rig.shelf.turned_away()


@pytest.mark.parametrize("lost", range(4))
def test_a_lost_frame_of_the_handshake_is_said_again_within_a_second(lost: int) -> None:
    rig = Rig()
    rig.radio.cut(rig.sim.uid)
    rig.radio.script = [*[(0,)] * lost, ()]

    rig.run(500 + 1100)

    assert rig.shelf.live
    assert rig.radio.cuts == 1


def test_nothing_is_acknowledged_before_it_is_stored() -> None:
    rig = Rig().configured()
    box = rig.sim.box
    assert box is not None
    acked = box.journal.acked

    rig.shelf.full = True
    rig.moves(3)
    assert box.journal.acked == acked

    rig.shelf.full = False
    rig.settle()
    assert rig.shelf.log() == rig.journal()


def test_facts_of_before_the_link_are_marked_old_and_facts_of_now_are_not() -> None:
    rig = Rig().configured()
    rig.radio.set_reach(rig.sim.uid, False)
    rig.moves(2)
    before = len(rig.journal())

    rig.radio.set_reach(rig.sim.uid, True)
    rig.settle()
    rig.tap(2 * k.SEAT_C)
    rig.settle()

    epoch = rig.journal()[0].epoch
    assert {seq for stream, seq in rig.shelf.old if stream == epoch} == {1, *range(4, before + 1)}
    assert len(rig.shelf.log()) > before


@pytest.mark.torture
def test_an_evening_on_rough_links(seed: int) -> None:
    rig = Rig(seed=seed).configured()
    rig.world._step_limit = 10_000_000
    rig.radio.faults = Faults(loss=0.1, duplicate=0.1, reorder=0.1, cut=0.01, full=0.1, delay_ms=(5, 300))

    for _ in range(20):
        rig.moves(20)
        rig.tap(2 * k.SEAT_A, 1500)
        rig.tap(k.SEDZIA, 2500)

    rig.settle()
    assert rig.shelf.log() == rig.journal()
    assert not rig.shelf.conflicts
