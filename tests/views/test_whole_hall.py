"""A whole simulated hall, looked at again and again: every row agrees with the real box on its table."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from random import Random

import pytest

from dalej.views.rows import SILENT_MS
from tests.views.watching import NEAR_MS, Watched

LOOKS = 250


@pytest.fixture
def watched(tmp_path: Path, seed: int) -> Iterator[Watched]:
    hall = Watched(tmp_path / "e.dalej", seed)
    yield hall
    hall.close()


def test_every_row_agrees_with_its_box_at_every_look(watched: Watched, seed: int) -> None:
    random, held = Random(seed), Counter[str]()

    for _ in range(LOOKS):
        watched.run(random.randint(50, 6_000))
        held += watched.expect_agreement(watched.look())

    assert held["running"] > LOOKS
    assert held["expired"] > 5
    assert held["stopped"] > 5


def test_without_links_advertisements_alone_tell_state_seat_and_time(watched: Watched, seed: int) -> None:
    random, held = Random(seed), Counter[str]()
    watched.run(60_000)
    watched.look()
    for table in watched.hall.tables:
        watched.out_of_reach(table)

    for look in range(LOOKS):
        watched.run(random.randint(50, 2_000))
        for table in watched.hall.tables:
            watched.out_of_reach(table)  # simulated cuts come back by themselves
            watched.advertise(table)
        rows = watched.look()
        held += watched.expect_agreement(rows)
        if look == LOOKS - 1:
            assert all(row.way == "advert" for row in rows if row.age_ms == 0)
            assert any(row.lag > 0 and row.move_at_least for row in rows)

    assert held["running"] > LOOKS
    assert held["expired"] > 0


def test_a_box_out_of_reach_is_stale_within_12_s_its_time_stands_and_it_comes_back(watched: Watched) -> None:
    watched.run(90_000)
    watched.look()
    watched.run_apart(1, SILENT_MS)
    first = watched.look()[0]
    watched.run_apart(1, 5_000)
    second = watched.look()[0]
    watched.out_of_reach(1, away=False)
    watched.run(5_000)
    back = watched.look()[0]

    assert first.stale
    assert not first.moves_on
    assert [alert.kind for alert in first.alerts if alert.kind == "silent"] == ["silent"]
    assert (second.left_ms, second.state, second.seat) == (first.left_ms, first.state, first.seat)
    assert (second.age_ms or 0) - (first.age_ms or 0) == 5_000
    assert not back.stale
    watched.expect_agreement([back])


def test_a_box_without_power_is_stale_within_12_s_and_says_so_when_it_is_back(watched: Watched) -> None:
    watched.run(90_000)
    sim = watched.hall.tables[2].box
    while watched.look()[1].state != "running":
        watched.run(1_000)
    before = watched.look()[1]
    sim.power_off()
    watched.run(SILENT_MS)
    silent = watched.look()[1]
    if sim.box is None:
        sim.power_on()
    watched.run(3_000)
    back = watched.look()[1]

    assert silent.stale
    assert (silent.seat, silent.move) == (before.seat, before.move)
    assert (back.stale, back.state, back.reason) == (False, "stopped", "box_lost_power")
    assert "power_lost" in [alert.kind for alert in back.alerts]
    assert abs((back.left_ms or 0) - (before.left_ms or 0)) <= 5_000 + NEAR_MS


def test_a_screen_that_starts_anew_shows_the_same_hall(watched: Watched, seed: int) -> None:
    random = Random(seed)
    for _ in range(12):
        watched.run(random.randint(1_000, 40_000))
        rows = watched.look()
        turns = {row.table: watched.model.turns(row.table) for row in rows}

        again = watched.told_anew()

        assert again == rows
        assert {row.table: watched.model.turns(row.table) for row in again} == turns


def test_the_hall_without_a_desk_stands_as_the_desk_last_heard_it(watched: Watched) -> None:
    watched.run(100_000)
    rows = watched.look()
    now = watched.now_ms
    watched.model.lost_desk(now)

    later = watched.model.rows(now + 60_000)

    for row, after in zip(rows, later, strict=True):
        assert (after.state, after.seat, after.move, after.left_ms) == (row.state, row.seat, row.move, row.left_ms)
        assert (after.stale, after.moves_on, after.way) == (True, False, "none")
        assert (after.age_ms or 0) - (row.age_ms or 0) == 60_000
        assert [(alert.kind, alert.waiting_ms) for alert in after.alerts] == [
            (alert.kind, alert.waiting_ms) for alert in row.alerts
        ]


def test_alerts_are_those_of_the_boxes_and_the_longest_waiting_comes_first(watched: Watched, seed: int) -> None:
    random, kinds = Random(seed), Counter[str]()
    for _ in range(LOOKS):
        watched.run(random.randint(50, 5_000))
        rows = watched.look()
        alerts = watched.model.alerts(watched.now_ms)
        kinds.update(alert.kind for alert in alerts)

        waits = [alert.waiting_ms for alert in alerts]
        assert waits == sorted(waits, reverse=True)
        assert sorted(map(repr, alerts)) == sorted(repr(alert) for row in rows for alert in row.alerts)
        for row in rows:
            box = watched.known(row)
            if box is not None and not row.stale:
                alarm = box.clock.alarm(box.uptime.date(watched.hall.tables[row.table].box.raw()))
                urgent = {alert.kind for alert in row.alerts if alert.urgent and not alert.denied}
                assert (alarm >= 2) == bool(urgent)

    assert {"time_out", "early_click", "dispute"} <= kinds.keys()


def test_everybody_has_the_name_that_the_ledger_gives(watched: Watched) -> None:
    watched.run(60_000)

    rows = watched.look()

    assert rows[0].names == ("Lis", "Sowa", "Borsuk", "Wydra")
    assert rows[1].names == ("Żuraw", "Jeż", "Wilk", "Sarna")
    assert all(row.name == row.names[row.seat] for row in rows if row.seat < 4)
    turns = watched.model.turns(2)
    assert turns
    assert all(seen.name == rows[1].names[seen.turn.seat] for seen in turns)
