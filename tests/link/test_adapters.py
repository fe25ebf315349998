"""Which adapter connects a box: one with a link to spare, that has not failed, that hears it best."""

from __future__ import annotations

from pathlib import Path

from hypothesis import given
from hypothesis import strategies as st

from dalej.link.adapters import FRESH_MS, KEPT_MOST, PATIENCE, Adapter, Room, adapters_here, best

BOX = b"box001"
NOW_MS = 1_000_000


def _adapters(*rssi: int) -> list[Adapter[str]]:
    made = [Adapter[str](f"hci{number}", Room(3)) for number in range(len(rssi))]
    for adapter, heard in zip(made, rssi, strict=True):
        adapter.saw(BOX, f"{adapter.name}/box", "aa", heard, NOW_MS)
    return made


def test_the_adapter_that_hears_it_best_connects() -> None:
    weak, strong = _adapters(-80, -50)
    assert best([weak, strong], BOX, NOW_MS) == (strong, strong.sightings[BOX][0])


def test_an_adapter_without_a_link_to_spare_is_passed_over() -> None:
    weak, strong = _adapters(-80, -50)
    strong.links |= {"one box", "another", "a third"}
    chosen = best([weak, strong], BOX, NOW_MS)
    assert chosen is not None
    assert chosen[0] is weak


def test_an_adapter_that_gives_something_up_has_one_link_more_to_spare_and_no_other_has() -> None:
    quiet, full = _adapters(-80, -50)
    for adapter in (quiet, full):
        adapter.links |= {"one box", "another", "under way"}
    assert best([quiet, full], BOX, NOW_MS) is None
    chosen = best([quiet, full], BOX, NOW_MS, [quiet])
    assert chosen is not None
    assert chosen[0] is quiet
    quiet.links.add("a fourth")
    assert best([quiet, full], BOX, NOW_MS, [quiet]) is None


def test_what_has_failed_waits_behind_what_has_not() -> None:
    weak, strong = _adapters(-80, -50)
    strong.sightings[BOX][0].failures = 1
    chosen = best([weak, strong], BOX, NOW_MS)
    assert chosen is not None
    assert chosen[0] is weak


def test_what_was_the_box_before_goes_before_any_louder_address_until_it_has_failed_often() -> None:
    (adapter,) = _adapters(-80)
    box = adapter.sightings[BOX][0]
    adapter.proved(BOX, box)
    for number in range(3):
        adapter.saw(BOX, f"louder {number}", f"louder {number}", -20, NOW_MS)
    box.failures = PATIENCE - 1
    assert best([adapter], BOX, NOW_MS) == (adapter, box)
    box.failures = PATIENCE
    chosen = best([adapter], BOX, NOW_MS)
    assert chosen is not None
    assert chosen[1] is not box


def test_somebody_who_invents_addresses_takes_no_more_than_some_memory_and_crowds_no_box_out() -> None:
    (adapter,) = _adapters(-80)
    adapter.proved(BOX, adapter.sightings[BOX][0])
    later_ms = NOW_MS + FRESH_MS + 1
    for number in range(10 * KEPT_MOST):
        adapter.saw(BOX, f"invented {number}", f"invented {number}", -20, later_ms)
    assert len(adapter.sightings[BOX]) == KEPT_MOST
    adapter.saw(BOX, "hci0/box", "aa", -80, later_ms)
    chosen = best([adapter], BOX, later_ms)
    assert chosen is not None
    assert chosen[1].address == "aa"


def test_what_was_heard_too_long_ago_is_nobody() -> None:
    assert best(_adapters(-50), BOX, NOW_MS + FRESH_MS + 1) is None
    assert best(_adapters(-50), b"box002", NOW_MS) is None


def test_a_box_that_the_system_has_forgotten_waits_until_it_is_heard_again() -> None:
    (adapter,) = _adapters(-50)
    adapter.forget(BOX, adapter.sightings[BOX][0])
    assert best([adapter], BOX, NOW_MS) is None
    adapter.saw(BOX, "anew", "aa", -50, NOW_MS)
    assert best([adapter], BOX, NOW_MS) is not None


@given(st.lists(st.tuples(st.sampled_from("abcdefgh"), st.integers(-90, -30), st.integers(0, 3_000)), min_size=1))
def test_however_many_repeat_a_box_each_is_kept_once_and_only_while_it_is_heard(
    heard: list[tuple[str, int, int]],
) -> None:
    adapter = Adapter[str]("hci0", Room(3))
    now_ms = 0
    for address, rssi, later_ms in heard:
        now_ms += later_ms
        adapter.saw(BOX, address, address, rssi, now_ms)
        kept = adapter.sightings[BOX]
        assert len({seen.address for seen in kept}) == len(kept)
        assert all(now_ms - seen.at_ms <= FRESH_MS for seen in kept)
        assert address in {seen.address for seen in kept}


def test_linux_names_its_adapters_and_other_systems_do_not(tmp_path: Path) -> None:
    for name in ("hci10", "hci2", "hci0", "hci0:64", "rfkill"):
        (tmp_path / name).mkdir()
    assert adapters_here(tmp_path) == ["hci0", "hci2", "hci10"]
    assert adapters_here(tmp_path / "nowhere") == []
