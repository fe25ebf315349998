"""A hall that lives in real time, and what a screen may do with its tables."""

from __future__ import annotations

import asyncio
from contextlib import suppress
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dalej.desk.feed.messages import Finger, Power, Reach, Speed, Take, Tap
from dalej.desk.feed.server import Wish
from dalej.errors import Refused
from dalej.simulator.hall import Hall
from dalej.simulator.living import CATCH_UP_MS, HOLD_SEDZIA_MS, Living
from moveclock import facts as k
from tests.desk.feed.living import A_JUZ, ME, SET_UP_MS, SOMEBODY, lively, taken

A_WHILE_MS = 200_000


# --- time -----


@pytest.mark.parametrize("speed", [0.1, 1.0, 7.5, 100.0])
def test_the_halls_time_passes_so_many_times_as_fast(event: Path, speed: float) -> None:
    with lively(event, speed=speed) as life:
        life.passes(3_000)

        assert life.hall.world.now_ms == pytest.approx(3_000 * speed, abs=1)


def test_a_laptop_that_slept_is_not_caught_up_with(event: Path) -> None:
    with lively(event, speed=2.0) as life:
        life.clock.time_ms += 3_600_000
        for _ in range(20):
            life.living.wish(ME, Speed(2.0))

        assert life.hall.world.now_ms == CATCH_UP_MS * 2


def test_a_change_of_speed_counts_from_now_on(event: Path) -> None:
    with lively(event) as life:
        life.passes(1_000)
        life.living.wish(ME, Speed(10))
        life.passes(1_000)

        assert life.hall.world.now_ms == 11_000


@pytest.mark.parametrize("times", [0.0, 0.09, -1.0, 100.5])
def test_a_speed_out_of_bounds_is_refused(event: Path, times: float) -> None:
    with lively(event) as life, pytest.raises(Refused, match=r"0\.1 to 100"):
        life.living.wish(ME, Speed(times))


def test_the_hall_lives_by_itself(event: Path) -> None:
    class Impatient:
        """Each look at the clock takes 50 ms."""

        def __init__(self) -> None:
            self.time_ms = 0

        def now_ms(self) -> int:
            self.time_ms += 50
            return self.time_ms

        def wall_ms(self) -> int:
            return self.time_ms

    async def live(hall: Hall) -> None:
        running = asyncio.create_task(Living(hall, Impatient(), speed=100).run())
        arrived = asyncio.Event()
        hall.world.at(60_000, arrived.set)
        async with asyncio.timeout(5):
            await arrived.wait()
        running.cancel()

    with lively(event) as life:
        asyncio.run(live(life.hall))

        assert "move_started" in life.names(1)


# --- hands -----


def test_nobody_plays_a_table_that_is_taken(event: Path) -> None:
    with lively(event, tables=2) as life:
        taken(life)
        life.passes(A_WHILE_MS)

        assert life.names(1) == []
        assert life.names(2).count("move_started") > 5


def test_a_plan_made_before_the_table_was_taken_dies(event: Path) -> None:
    with lively(event) as life:
        while "move_started" not in life.names(1):
            life.passes(100)
        life.living.wish(ME, Take(1, True))
        life.passes(A_WHILE_MS)

        assert life.names(1)[:2] == ["game_started", "move_started"]
        assert life.names(1)[2:] == ["time_ran_out", "move_ended"]


def test_the_players_go_on_where_the_table_stands_when_it_is_given_back(event: Path) -> None:
    with lively(event) as life:
        taken(life)
        life.living.wish(ME, Tap(1, A_JUZ, False))
        life.passes(3_000)
        life.living.wish(ME, Take(1, False))
        life.passes(A_WHILE_MS)

        assert life.names(1).count("move_started") > 5


def test_a_screen_that_goes_away_leaves_no_finger_on_the_box(event: Path) -> None:
    with lively(event) as life:
        taken(life)
        life.living.wish(ME, Finger(1, k.SEDZIA, True))
        assert life.living.face(ME, 1).down == 1 << k.SEDZIA

        life.living.gone(ME)

        assert life.living.face(ME, 1).down == 0
        assert not life.living.face(SOMEBODY, 1).taken
        life.passes(A_WHILE_MS)
        assert life.names(1).count("move_started") > 5


def test_a_table_that_is_given_back_has_power_and_is_in_reach(event: Path) -> None:
    with lively(event) as life:
        taken(life)
        life.living.wish(ME, Tap(1, A_JUZ, False))
        life.passes(3_000)
        life.living.wish(ME, Reach(1, False))
        life.living.wish(ME, Power(1, False))
        life.living.wish(ME, Take(1, False))

        face = life.living.face(ME, 1)
        assert (face.powered, face.in_reach) == (True, True)
        life.passes(A_WHILE_MS)
        assert life.names(1).count("move_started") > 3


def test_what_a_screen_has_cut_without_playing_comes_back_when_it_is_gone(event: Path) -> None:
    with lively(event) as life:
        life.living.wish(ME, Power(1, False))
        life.living.gone(SOMEBODY)
        assert not life.living.face(ME, 1).powered

        life.living.gone(ME)

        assert life.living.face(ME, 1).powered


def test_what_chance_had_cut_is_there_again_for_who_takes_the_table(event: Path) -> None:
    with lively(event) as life:
        table = life.hall.tables[1]
        table.reach.chance(60_000)
        table.power.chance(60_000)
        life.living.wish(ME, Take(1, True))

        face = life.living.face(ME, 1)
        assert (face.powered, face.in_reach) == (True, True)


def test_a_table_is_played_from_one_screen(event: Path) -> None:
    with lively(event) as life:
        life.living.wish(ME, Take(1, True))

        for wish in (Take(1, True), Tap(1, A_JUZ, False), Power(1, False), Take(1, False)):
            with pytest.raises(Refused, match="from another screen"):
                life.living.wish(SOMEBODY, wish)
        life.living.gone(SOMEBODY)
        assert life.living.face(ME, 1).mine
        assert not life.living.face(SOMEBODY, 1).mine
        assert life.living.face(SOMEBODY, 1).taken


def test_fingers_stay_off_a_table_that_nobody_has_taken(event: Path) -> None:
    with lively(event) as life:
        for wish in (Tap(1, A_JUZ, False), Finger(1, A_JUZ, True)):
            with pytest.raises(Refused, match="take over table 1"):
                life.living.wish(ME, wish)


def test_what_is_not_there_is_refused(event: Path) -> None:
    with lively(event) as life:
        taken(life)
        with pytest.raises(Refused, match="no table 9"):
            life.living.wish(ME, Take(9, True))
        with pytest.raises(Refused, match="no table 0"):
            life.living.face(ME, 0)
        for contact in (-1, k.SEDZIA + 1, 2**40):
            with pytest.raises(Refused, match="no contact"):
                life.living.wish(ME, Tap(1, contact, False))


def test_a_key_that_repeats_taps_once_while_its_finger_is_down(event: Path) -> None:
    with lively(event) as life:
        taken(life)
        for _ in range(5):
            life.living.wish(ME, Tap(1, A_JUZ, False))
            life.passes(10)
        life.passes(3_000)

        assert life.names(1) == ["game_started", "move_started"]


@pytest.mark.parametrize("speed", [0.5, 20.0])
def test_a_hold_is_long_enough_in_the_boxs_time_at_any_speed(event: Path, speed: float) -> None:
    with lively(event, speed=speed) as life:
        life.living.wish(ME, Take(1, True))
        life.passes(int(SET_UP_MS / speed))
        life.living.wish(ME, Tap(1, A_JUZ, False))
        life.passes(int(5_000 / speed))
        life.living.wish(ME, Tap(1, k.SEDZIA, True))
        life.passes(int((HOLD_SEDZIA_MS + 1_000) / speed))
        life.living.wish(ME, Tap(1, k.SEDZIA, True))
        life.passes(int((HOLD_SEDZIA_MS + 2_000) / speed))
        life.living.wish(ME, Tap(1, A_JUZ, True))
        life.passes(int(3_000 / speed))

        assert life.names(1) == [
            "game_started", "move_started", "clock_stopped", "clock_resumed", "move_ended", "game_ended",
        ]  # fmt: skip


TABLES = st.sampled_from([1, 1, 1, 9])
SCREENS = st.sampled_from([ME, SOMEBODY])
CONTACTS = st.integers(0, k.SEDZIA + 1)
WISHES: st.SearchStrategy[Wish] = st.one_of(
    st.builds(Take, TABLES, st.booleans()),
    st.builds(Finger, TABLES, CONTACTS, st.booleans()),
    st.builds(Tap, TABLES, CONTACTS, st.booleans()),
    st.builds(Reach, TABLES, st.booleans()),
    st.builds(Power, TABLES, st.booleans()),
    st.builds(Speed, st.sampled_from([0.1, 1.0, 5.0])),
)


@given(st.lists(st.tuples(SCREENS, WISHES, st.integers(0, 900)), max_size=25))
def test_whatever_screens_do_the_hall_goes_on_when_they_are_gone(told: list[tuple[int, Wish, int]]) -> None:
    with TemporaryDirectory() as folder, lively(Path(folder) / "hall.dalej") as life:
        life.living.wish(ME, Take(1, True))
        life.passes(SET_UP_MS)
        for screen, wish, ms in told:
            with suppress(Refused):
                life.living.wish(screen, wish)
                life.living.face(screen, 1)
            life.passes(ms)
        for screen in (ME, SOMEBODY):
            life.living.gone(screen)
        life.living.wish(ME, Power(1, True))
        life.living.wish(ME, Reach(1, True))
        life.living.wish(ME, Speed(20.0))
        before = life.names(1).count("move_started")
        for _ in range(30):  # ten minutes
            life.passes(1_000)
            if life.names(1).count("move_started") > before:
                return

        pytest.fail("nobody has moved in ten minutes")
