"""How a simulated box looks to a screen, and what it knows of itself."""

from __future__ import annotations

from pathlib import Path

from dalej.desk.feed.messages import Inside, Power, Reach, Tap
from moveclock import facts as k
from moveclock import view
from tests.desk.feed.living import A_JUZ, B_JUZ, ME, Life, lively, taken


def known(life: Life) -> Inside:
    inside = life.living.face(ME, 1).inside
    assert inside is not None
    return inside


def pressed(life: Life, *presses: tuple[int, bool], ms: int = 3_000) -> Inside:
    """What the box knows after these; a face was asked for in between, as by a screen that looks on."""
    for contact, held in presses:
        life.living.wish(ME, Tap(1, contact, held))
        life.passes(ms)
        known(life)
    return known(life)


def test_a_box_tells_what_its_clock_keeps_and_what_only_its_facts_say(event: Path) -> None:
    with lively(event) as life:
        taken(life)
        ready = known(life)
        announced = pressed(life, (A_JUZ, False), (A_JUZ + 1, True))
        drawn = pressed(life, (k.KOSTKA, False))
        further = pressed(life, (k.KOSTKA, False))
        pressed(life, (A_JUZ, False))
        early = pressed(life, (B_JUZ + 1, False), ms=2_500)
        claimed = pressed(life, (k.SEDZIA, False), ms=500)

        assert (ready.state, ready.game, ready.seat, ready.following) == (k.READY, 1, k.NOBODY, k.SEAT_A)
        assert (announced.announced, announced.drawn, announced.seat) == (True, False, k.SEAT_A)
        assert (drawn.announced, drawn.drawn, drawn.further, drawn.bank) == (True, True, False, ready.bank - 1)
        assert (further.further, further.bank) == (True, drawn.bank)
        assert (early.announced, early.drawn, early.clicked, early.about) == (False, False, True, k.SEAT_B)
        assert early.claim_s == 8  # of 10, the last one begun
        assert (claimed.state, claimed.reason, claimed.withdraw_s) == (k.STOPPED, k.EARLY_CLICK, 3)


def test_a_box_tells_why_its_game_is_over_who_won_and_which_press_changed_nothing(event: Path) -> None:
    with lively(event) as life:
        taken(life)
        over = pressed(life, (A_JUZ, False), (A_JUZ, False), (B_JUZ, True))
        stray = pressed(life, (A_JUZ, False)).stray

        assert (over.state, over.reason, over.about, over.stray) == (k.OVER, k.WENT_OUT, k.SEAT_B, (0, k.NOBODY, 0))
        assert stray[0] > 0
        assert stray[1:] == (A_JUZ, k.STRAY_TAP)


def test_what_a_box_knows_does_not_depend_on_what_the_desk_has_heard(event: Path) -> None:
    with lively(event) as life:
        taken(life)
        life.living.wish(ME, Reach(1, False))
        life.passes(3_000)

        stopped = pressed(life, (A_JUZ, False), (k.SEDZIA, False), ms=2_000)

        assert (stopped.state, stopped.reason, stopped.about) == (k.STOPPED, k.DISPUTE, k.SEAT_A)
        assert "clock_stopped" not in life.names(1)


def test_a_hold_under_way_is_told_until_it_is_long_enough(event: Path) -> None:
    with lively(event) as life:
        taken(life)
        pressed(life, (A_JUZ, False))
        life.living.wish(ME, Tap(1, k.SEDZIA, True))
        holds = []
        for _ in range(24):
            holds.append(known(life).holds)
            life.passes(100)
        assert holds == [*((k.SEDZIA, ms, 1_000) for ms in range(0, 1_000, 100)), *[(k.NOBODY, 0, 0)] * 14]
        assert known(life).state == k.STOPPED


def test_a_box_without_power_tells_nothing(event: Path) -> None:
    with lively(event) as life:
        life.living.wish(ME, Power(1, False))

        assert life.living.face(ME, 1).inside is None


def test_a_face_is_what_the_box_itself_shows(event: Path) -> None:
    with lively(event) as life:
        taken(life)
        life.living.face(ME, 1)
        life.living.wish(ME, Tap(1, A_JUZ, False))
        pressed = life.living.face(ME, 1)
        life.passes(1_000)
        face = life.living.face(ME, 1)

        life.hall.tables[1].box.pump()
        box = life.hall.tables[1].box.box
        assert box is not None
        shown = box.view(box.uptime.now)
        assert pressed.down == 1 << A_JUZ
        assert (face.displays, face.ring, face.lit, face.blinking) == (
            shown.displays, shown.ring, shown.lit, shown.blinking,
        )  # fmt: skip
        assert face.displays[0] == " 0:39"
        assert face.down == 0


def test_a_sound_rings_for_a_moment_and_one_that_nobody_heard_is_not_heard_later(event: Path) -> None:
    with lively(event) as life:
        taken(life)
        life.living.wish(ME, Tap(1, A_JUZ, False))
        life.passes(1_000)
        late = life.living.face(ME, 1).sound
        life.living.wish(ME, Tap(1, A_JUZ, False))
        click = life.living.face(ME, 1).sound
        life.passes(200)
        turn = life.living.face(ME, 1).sound
        life.passes(700)

        assert (late, click, turn, life.living.face(ME, 1).sound) == (0, view.CLICK, view.TURN, 0)


def test_power_and_reach_are_taken_and_given_back(event: Path) -> None:
    with lively(event) as life:
        taken(life)
        life.living.wish(ME, Tap(1, A_JUZ, False))
        life.passes(7_000)
        life.living.wish(ME, Reach(1, False))
        life.living.wish(ME, Power(1, False))
        dark = life.living.face(ME, 1)
        life.living.wish(ME, Power(1, False))
        life.passes(2_000)
        life.living.wish(ME, Power(1, True))
        life.living.wish(ME, Power(1, True))
        life.living.wish(ME, Reach(1, True))
        life.passes(5_000)
        light = life.living.face(ME, 1)

        assert (dark.powered, dark.in_reach, dark.lit, set(dark.displays)) == (False, False, 0, {"    "})
        assert (light.powered, light.in_reach) == (True, True)
        assert life.names(1) == ["game_started", "move_started", "clock_stopped"]
