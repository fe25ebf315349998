"""A box answers the frames of the pinned session with the frames that are pinned, on every interpreter."""

from box_run import BoxRun
from moveclock import facts as k
from vectors import in_hex, load, of_hex

LINK = 1
MTU = 247


def test_the_box_says_what_desks_in_the_field_expect() -> None:
    run = BoxRun()
    run.box.opened(LINK, MTU, run.raw(0))
    run.touch(2 * k.SEAT_A, 500)
    for at, who, frame in load("session.json")["said"]:
        while run.now < at:
            run.pump(run.now + 1)
        if who == "desk":
            run.box.receive(LINK, of_hex(frame), run.raw(run.now))
            run.pump(run.now)
        else:
            said = run.box.send(LINK, run.raw(run.now))
            assert said is not None, at
            assert in_hex(said) == frame, at
