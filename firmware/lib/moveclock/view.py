"""What the box shows for a clock's state: four displays, the ring, the button lamps. Integers and short strings only.

Displays have four characters; a colon or point stands between the second and third where it is lit. All are a pure
function of the clock and the time, so a simulator draws exactly what the firmware sets.
"""

from moveclock import clock as c
from moveclock import facts as k

RING = 24  # pixels

# Colours of the ring.
DARK = 0
GREEN = 1
AMBER = 2
RED = 3
BLUE = 4
WHITE = 5

# Sounds, by what happened. The edge decides how they are made; setting 0 is silence.
CLICK = 1
TURN = 2
REFUSE = 3
TIME_OVER = 4
CALL = 5
END = 6
ALERT = 7

SOUNDS = (
    (k.MOVE_STARTED, TURN),
    (k.DALEJ_REFUSED, REFUSE),
    (k.STRAY_TAP, REFUSE),
    (k.TIME_RAN_OUT, TIME_OVER),
    (k.DISPUTE_RAISED, CALL),
    (k.RESTART_CLAIMED, CALL),
    (k.REFEREE_CALLED, CALL),
    (k.GAME_ENDED, END),
    (k.CLOCK_RESUMED, TURN),
    (k.FINAL_LAP_BEGUN, ALERT),
    (k.FAULT, ALERT),
    (k.RECORDS_LOST, ALERT),
)


class View:
    """One picture. `displays`: four strings for A..D; `ring`: `(colour, pixels lit, seat)`; `lit`, `blinking`: masks.

    Bits of the masks are contacts: seat s has Już at 2 s and Dalej at 2 s + 1, bit 9 is Sędzia. Where the seats share
    one of each, that one shows what any seat's would.
    """

    def __init__(self, displays: tuple, ring: tuple, lit: int, blinking: int) -> None:
        self.displays = displays
        self.ring = ring
        self.lit = lit
        self.blinking = blinking


def sound_of(kind: int) -> int:
    """The sound for a fact of this kind, 0 for none."""
    for known, sound in SOUNDS:
        if known == kind:
            return sound
    return 0


def view(clock: c.Clock, now: int, fault: int = 0, blink: bool = False, resume_at: int | None = None) -> View:
    """What is shown at `now` ms of uptime; `fault`, if not 0, in place of the time; `blink`: to be found.

    `resume_at`: when a stopped clock will run again if the hold of Sędzia under way is long enough.
    """
    called = 1 << k.SEDZIA if clock.alarm(now) > c.TIME_OUT_WAITS else 0
    text = f"E{fault:3d}" if fault else _text(clock, now, resume_at)
    displays = []
    for seat in range(4):
        if clock.in_play(seat) or clock.state == k.IDLE:
            displays.append(text)
        else:
            displays.append("----" if clock.settings.seats >> seat & 1 else "    ")
    ring, lit, blinking = _lights(clock, now)
    return View(tuple(displays), ring, lit, 255 if blink else blinking | called)


def _text(clock: c.Clock, now: int, resume_at: int | None) -> str:
    if clock.state == k.RUNNING:
        return time_text(clock.watch.remaining(now))
    if clock.state == k.EXPIRED:
        return _overrun_text(now - clock.expired_at)
    if clock.state == k.STOPPED:
        if clock.resume_at is not None:
            resume_at = clock.resume_at
        if resume_at is not None:
            return f"{1 + max(0, resume_at - now - 1) // 1000:3d} "
        if clock.late:
            return _overrun_text(clock.stopped_at - clock.expired_at)
        return time_text(clock.watch.remaining(now))
    if clock.state == k.READY:
        return time_text(clock.settings.limit_ms)
    return "End " if clock.state == k.OVER else " -- "


def time_text(ms: int) -> str:
    """Minutes and seconds as `m:ss`; tenths as `s.t` in the last 10 s, rounded up so that 0.0 means over."""
    tenths = (ms + 99) // 100
    if tenths < 100:
        return f"{tenths // 10:2d}.{tenths % 10} "
    seconds = min(5999, (ms + 999) // 1000)
    return f"{seconds // 60:2d}:{seconds % 60:02d}"


def _overrun_text(ms: int) -> str:
    """Whole seconds of a late table."""
    return f"-{min(999, ms // 1000):3d}"


def _lights(clock: c.Clock, now: int) -> tuple:
    state = clock.state
    if state == k.RUNNING:
        left = clock.watch.remaining(now)
        colour = RED if left < 5000 else AMBER if left < 10000 else GREEN
        pixels = (left * RING + clock.watch.allowed - 1) // max(1, clock.watch.allowed)
        return (colour, min(RING, pixels), clock.seat), 3 << 2 * clock.seat, 0
    if state == k.EXPIRED:
        after = clock.next_seat()
        return (RED, RING, clock.seat), 0, 3 << 2 * after
    if state == k.STOPPED:
        return (BLUE, RING, clock.seat), 0, 0
    if state == k.READY:
        seats = 0
        for seat in range(4):
            if clock.in_play(seat) and clock.starter in (seat, k.NOBODY):
                seats |= 3 << 2 * seat
        return (WHITE, RING, clock.starter), 0, seats
    return (DARK, 0, k.NOBODY), 0, 0
