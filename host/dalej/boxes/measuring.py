"""The error of a box's times: its own chip presses a button with periods that are known, and what the box recorded of
it is compared with them.

The chip's RMT does it by itself, in a loop, once it is told: neither an erase of the flash nor a collection shifts it.
It and the box's clock count the same crystal, so that the crystal's own error cancels, and is not measured. (PWM would
not do: an ESP32-S3 makes no period of a second from its crystal, only from an oscillator that nobody has trimmed.)

The firmware is the one that is on the board, and knows nothing of this: a program that is sent to MicroPython's prompt
begins it, by what `main.py` holds, in a folder of its own. So no tournament's journal gets a fact of it, and under a
uid and a secret that are drawn for the occasion no desk takes it for a box. Of seat A the contact of Już is pressed, by
way of a wire from that of Dalej, which the firmware does not get; the buttons are shared ones, so each press ends a
move.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import accumulate
from typing import Final

from moveclock import cable, facts, identity
from moveclock.settings import SILENT, Settings

# What a press caused is written when it is decided, PRESS_MS and 30 ms after it, and a checkpoint 5 s after that: the
# last press comes while it is written. The others are primes, to meet displays (50 ms) and collections (150) anywhere.
PERIODS_MS: Final = (733, 811, 631, 977, 5160)
LOOP_MS: Final = sum(PERIODS_MS)
PRESS_MS: Final = 120
GUARD_MS: Final = 300  # shorter than the shortest move
GAME_MOVES: Final = 150  # a long game; folders for its facts are made before it, as between games of an evening
SETTLE_MS: Final = 15_000  # in which they are
FOLDER: Final = "/measure"

_NEAR_MS: Final = 100  # a press this far off its place says nothing of which one it was
_TICKS_PER_MS: Final = 320  # 80 MHz over 250
_CLOCK_DIV: Final = 250
_PIECE_MS: Final = 102  # an RMT counts to 32767
_FIRST_LINK_MS: Final = 60_000
_SPARE_MS: Final = 120_000


def pulses() -> tuple[list[int], list[int]]:
    """What the RMT repeats: durations in its ticks, and levels. Two of them are a symbol, of which it has 48."""
    durations: list[int] = []
    levels: list[int] = []
    for period_ms in PERIODS_MS:
        for level, span_ms in ((0, PRESS_MS), (1, period_ms - PRESS_MS)):
            count = -(-span_ms // _PIECE_MS)
            if period_ms == PERIODS_MS[-1] and level and (len(durations) + count) % 2:
                count += 1
            least, more = divmod(span_ms * _TICKS_PER_MS, count)
            durations += [least + (piece < more) for piece in range(count)]
            levels += [level] * count
    return durations, levels


# --- what is sent to the prompt -----

# Whoever looks after a long removal feeds the watchdog.
_EMPTY: Final = """
import os
def empty(path, feed):
    try:
        entries = list(os.ilistdir(path))
    except OSError:
        return
    for entry in entries:
        feed()
        if entry[1] & 0x4000:
            empty(path + '/' + entry[0], feed)
        else:
            os.remove(path + '/' + entry[0])
    os.rmdir(path)
"""

_READY: Final = """
import sys
try:
    import esp32
    from board import pins
    esp32.RMT
    empty(FOLDER, lambda: None)
    os.mkdir(FOLDER)
    with open(FOLDER + '/' + IDENTITY_FILE, 'wb') as file:
        file.write(IDENTITY)
    print('dalej:pins', *pins(sys.implementation._machine).buttons[:2])
except Exception as error:
    print('dalej:failed', type(error).__name__, error)
"""

# The names that it takes are public: private ones are shortened on a board, and constants are not there at all.
_PLAY: Final = """
import sys, time
import machine, micropython
import esp32
sys.path.insert(0, '/.')
os.chdir(FOLDER)
import board
import devices.flash
import devices.identifying
class Drawn:
    @staticmethod
    def unique_id():
        return UID
def stays_broken():
    raise OSError(5)
devices.identifying.machine = Drawn
devices.flash.mount_anew = stays_broken
contacts = board.Pins.contacts
board.Pins.contacts = lambda self, *built: [one for one in contacts(self, *built) if one[0] != SENDS]
out = board.pins(sys.implementation._machine).buttons[1]
feed = lambda: None
main = {}
with open('/main.py') as file:
    exec(file.read().rpartition('main()')[0], main)
micropython.kbd_intr(-1)
try:
    pump = main['begun']()
    feed = pump.edge.watchdog.feed
    machine.Pin(out, machine.Pin.OUT, value=1, drive=machine.Pin.DRIVE_0)
    presses = esp32.RMT(0, pin=machine.Pin(out), clock_div=CLOCK_DIV, idle_level=True)
    presses.loop(True)
    presses.write_pulses(DURATIONS, LEVELS)
    until, linked = FIRST_LINK_MS, False
    while pump.box.uptime.now < until and not pump.hopeless:
        time.sleep_ms(pump.turn())
        link = pump.box.links.peer(LINK) is not None
        if link and not linked:
            linked, until = True, MOST_MS
        elif linked and not link:
            break
except Exception as error:
    main['fail'](error)
os.chdir('/')
try:
    empty(FOLDER, feed)
finally:
    machine.reset()
"""

PINS: Final = "dalej:pins"  # begins the line that tells the pins of Już and Dalej,
FAILED: Final = "dalej:failed"  # ... and this one why it cannot be


def ready(uid: bytes, secret: bytes) -> str:
    """The program that makes the folder, for a box of that uid and secret, and tells its pins."""
    own = identity.Identity(identity.SHARED, uid, secret).pack()
    return _with({"FOLDER": FOLDER, "IDENTITY_FILE": identity.FILE, "IDENTITY": own}, _EMPTY + _READY)


def play(uid: bytes, moves: int) -> str:
    """The program that begins the firmware and the presses. It ends with the link to a desk, when nobody comes or when
    so many moves must long be over: then it removes the folder and starts the board as at power-on.
    """
    durations, levels = pulses()
    names = {
        "FOLDER": FOLDER, "UID": uid, "SENDS": facts.SHARED_DALEJ, "LINK": cable.LINK, "CLOCK_DIV": _CLOCK_DIV,
        "DURATIONS": durations, "LEVELS": levels, "FIRST_LINK_MS": _FIRST_LINK_MS,
        "MOST_MS": 2 * takes_ms(moves) + _SPARE_MS,
    }  # fmt: skip
    return _with(names, _EMPTY + _PLAY)


def _with(names: dict[str, object], program: str) -> str:
    return "".join(f"{name} = {value!r}\n" for name, value in names.items()) + program


# --- the games -----


def rules() -> Settings:
    """Of a game that is measured: four seats, A begins, no sound for half an hour."""
    settings = Settings()
    settings.first = 0
    settings.shared_guard_ms = GUARD_MS
    settings.sound = SILENT
    return settings


def games(moves: int) -> list[int]:
    """How many moves each game has."""
    whole, rest = divmod(moves, GAME_MOVES)
    return [GAME_MOVES] * whole + [rest] * (rest > 0)


def takes_ms(moves: int) -> int:
    """How long so many moves take, with what lies between the games."""
    return moves * LOOP_MS // len(PERIODS_MS) + len(games(moves)) * (SETTLE_MS + LOOP_MS)


# --- what came of it -----


@dataclass(frozen=True, slots=True)
class Judged:
    """`errors_ms`: of each move whose both presses are there, recorded minus true; presses that are missing, and that
    nobody made.
    """

    errors_ms: Sequence[int]
    lost: int
    doubled: int


def judge(lengths_ms: Sequence[int]) -> Judged:
    """What one game's moves, as long as the box recorded them, say: each press is given the nearest place in the loop,
    and of several at one place the nearest is it. That an RMT may need some microseconds to begin its loop anew is
    nothing in the 30 loops of a game.
    """
    presses = list(accumulate(lengths_ms, initial=0))
    begin = min(_PLACES_MS, key=lambda place: sum(min(abs(_place(at + place)[1]), _NEAR_MS) for at in presses))
    doubled = 0
    found: dict[int, tuple[int, int]] = {}  # number of a press -> how far off, when
    for at in presses:
        number, off = _place(at + begin)
        if number in found:
            doubled += 1
        if number not in found or abs(off) < found[number][0]:
            found[number] = (abs(off), at)
    numbers = sorted(found)
    errors = [
        found[number + 1][1] - found[number][1] - PERIODS_MS[number % len(PERIODS_MS)]
        for number in numbers
        if number + 1 in found
    ]
    return Judged(errors, numbers[-1] - numbers[0] + 1 - len(numbers), doubled)


_PLACES_MS: Final = (0, *accumulate(PERIODS_MS[:-1]))


def _place(at: int) -> tuple[int, int]:
    """The number of the nearest press of a loop that began at 0, and how much later `at` is than that."""
    loops, rest = divmod(at, LOOP_MS)
    places = (*_PLACES_MS, LOOP_MS)
    nearest = min(range(len(places)), key=lambda number: abs(rest - places[number]))
    return loops * len(PERIODS_MS) + nearest, rest - places[nearest]
