"""A piezo on a PWM pin: the sounds of `moveclock.view`, played a note at a time and never waited for."""

from machine import PWM, Pin

from moveclock.settings import SILENT, SOFT
from moveclock.view import ALERT, CALL, CLICK, END, REFUSE, TIME_OVER, TURN

# Sound, then its notes: hertz (0: a rest) and milliseconds. Later ones are the more important.
_SOUNDS = (
    (CLICK, ((3000, 15),)),
    (TURN, ((1500, 60),)),
    (REFUSE, ((300, 90), (0, 40), (300, 90))),
    (END, ((1000, 120), (1500, 120), (2000, 240))),
    (CALL, ((2000, 100), (0, 60), (2000, 100))),
    (ALERT, ((1200, 150), (900, 150), (1200, 150))),
    (TIME_OVER, ((800, 500), (0, 120), (800, 500))),
)
_SOFT = 1200  # of 65535: a narrow pulse is quieter
_LOUD = 32768


class Buzzer:
    """Plays one sound; a more important one interrupts it, a lesser one is not heard."""

    def __init__(self, pin: int) -> None:
        self._pwm = PWM(Pin(pin, Pin.OUT), freq=1000, duty_u16=0)
        self._playing = -1  # its place in _SOUNDS
        self._note = 0
        self._until = 0
        self._duty = _LOUD

    def play(self, sound: int, loudness: int, now: int) -> None:
        """Begin a sound at `now` ms of uptime; `loudness` is one of moveclock.settings."""
        if loudness == SILENT:
            return
        for place in range(len(_SOUNDS)):
            if _SOUNDS[place][0] == sound and place >= self._playing:
                self._duty = _SOFT if loudness == SOFT else _LOUD
                self._playing = place
                self._note = 0
                self._begin(now)

    def go_on(self, now: int) -> None:
        """The next note, if it is time for it."""
        if self._playing >= 0 and now >= self._until:
            self._note += 1
            self._begin(now)

    def sounds(self) -> bool:
        """Whether a note is to be ended soon."""
        return self._playing >= 0

    def _begin(self, now: int) -> None:
        notes = _SOUNDS[self._playing][1]
        if self._note == len(notes):
            self._playing = -1
            self._pwm.duty_u16(0)
            return
        hertz, length = notes[self._note]
        if hertz:
            self._pwm.freq(hertz)
        self._pwm.duty_u16(self._duty if hertz else 0)
        self._until = now + length
