"""The quick card of a table: two sides of A5, each in one language, whatever language its printer reads.

What each press means, by the moment in which it is made; which sounds and codes of faults there are, and what a table
does then; and the box's own pictures of displays and ring, of a clock that is put into each state.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Final, NamedTuple

from dalej.domain.game.facts import FAULTS
from dalej.domain.game.sentences import FAULTS as FAULT_WORDS
from dalej.office.paper.formats import pdf
from dalej.words import N_, _, speaking
from moveclock import clock as c
from moveclock import facts as k
from moveclock import view as v
from moveclock.clock import Clock
from moveclock.settings import Settings
from moveclock.view import RING, View, view

BUTTONS: Final[Mapping[int, str]] = {c.JUZ: "Już", c.DALEJ: "Dalej", c.KOSTKA: "Kostka", c.SEDZIA: "Sędzia"}
_TABLE: Final = Settings()
SECONDS: Final[Mapping[str, int]] = {
    "dispute": _TABLE.dispute_ms // 1000, "claim": _TABLE.claim_ms // 1000, "withdraw": _TABLE.withdraw_ms // 1000,
    "alert": _TABLE.alert_ms // 1000,
}  # fmt: skip


class Press(NamedTuple):
    """One row: which button, how (`c.TAPPED` or ms of a hold), what it means; `explains`: states of the clock."""

    button: int
    gesture: int
    explains: tuple[int, ...]
    words: str


class Moment(NamedTuple):
    """When, and what may be pressed then."""

    heading: str
    presses: Sequence[Press]


_START: Final = Press(
    c.JUZ, c.TAPPED, (k.READY,),
    N_("starts the game, Dalej as well. If all the buttons blink: the first tap takes the start, the second starts"),
)  # fmt: skip
_START_SHARED: Final = Press(
    c.JUZ,
    c.TAPPED,
    (k.READY,),
    N_("starts the game. Was nobody told to start? The first tap names a player, Dalej the next one"),
)
_YOURS: Final = (
    Press(c.KOSTKA, c.TAPPED, (k.RUNNING, k.EXPIRED, k.STOPPED), N_("notices the tile that you take")),
    Press(c.JUZ, c.TAPPED, (k.RUNNING,), N_("tiles laid: your move is over")),
    Press(c.DALEJ, c.TAPPED, (k.RUNNING,), N_("passed: take a tile first, then tap; your move is over")),
    Press(c.DALEJ, c.HELD, (k.RUNNING,), N_("before your click: „Wyłożę się w następnej rundzie”")),
    Press(c.JUZ, c.HELD, (k.RUNNING,), N_("your rack is empty: the game is over")),
)  # fmt: skip
_OVERDUE: Final = (
    Press(c.JUZ, c.TAPPED, (k.EXPIRED,), N_("the late move stands; your move begins")),
    Press(
        c.DALEJ, c.TAPPED, (k.EXPIRED,),
        N_("the late move was undone and its penalty tile is taken; your move begins"),
    ),
)  # fmt: skip
_REFEREE: Final = (
    Press(
        c.SEDZIA, c.TAPPED, (k.RUNNING,),
        N_("in the first {dispute} s of a move: a dispute about the move before, the clock stops. Later: about this"
           " move, the clock stops when it ends"),
    ),
    Press(
        c.SEDZIA, c.TAPPED, (k.RUNNING,),
        N_("in your first {claim} s, if the player before passed without a tile and the rules forbid that: your move"
           " will begin again"),
    ),
    Press(c.SEDZIA, c.TAPPED, (k.RUNNING, k.STOPPED), N_("again within {withdraw} s: the call is withdrawn")),
    Press(
        c.SEDZIA, c.TAPPED, (k.READY, k.EXPIRED, k.OVER),
        N_("before and after a game, and when time is over: calls the referee"),
    ),
    Press(c.SEDZIA, c.HELD, (k.RUNNING,), N_("stops the clock now")),
    Press(
        c.SEDZIA, c.HELD_LONG, (k.STOPPED,),
        N_("clock stopped, all agree: it goes on after 3-2-1. What the desk stopped, it lets go on"),
    ),
    Press(c.SEDZIA, c.HELD_LONG, (k.OVER,), N_("game over: ready for the next one")),
)  # fmt: skip


def moments(*, shared: bool, kostka: bool) -> list[Moment]:
    """In the order of the card, the time that is over last. `shared`: the box has one Już and one Dalej for all seats;
    `kostka`: it has a contact for tiles.
    """
    yours = [press for press in _YOURS if kostka or press.button != c.KOSTKA]
    return [
        Moment(
            N_("The screen shows the time for each move: ready") if shared else N_("Ready: the buttons blink"),
            (_START_SHARED if shared else _START,),
        ),
        Moment(N_("Your move") if shared else N_("Your move: your buttons are lit"), yours),
        Moment(
            N_("Sędzia, pressed on the screen: for everybody")
            if shared
            else N_("Sędzia, the red button: for everybody"),
            _REFEREE,
        ),
        Moment(N_("Time is over: the next player presses"), _OVERDUE),
    ]


class Sound(NamedTuple):
    """Its notes as the firmware's buzzer plays them, hertz (0: a rest) and milliseconds, and when they are heard."""

    sound: int
    notes: Sequence[tuple[int, int]]
    words: str


SOUNDS: Final = (
    Sound(v.CLICK, ((3000, 15),), N_("the press has arrived")),
    Sound(v.TURN, ((1500, 60),), N_("the next move begins; the clock goes on")),
    Sound(v.REFUSE, ((300, 90), (0, 40), (300, 90)), N_("that changes nothing now; or: take your tile first")),
    Sound(v.TIME_OVER, ((800, 500), (0, 120), (800, 500)), N_("the time is over")),
    Sound(v.CALL, ((2000, 100), (0, 60), (2000, 100)), N_("the referee is called")),
    Sound(v.END, ((1000, 120), (1500, 120), (2000, 240)), N_("the game is over")),
    Sound(v.ALERT, ((1200, 150), (900, 150), (1200, 150)), N_("the final lap begins; or a fault: look at the display")),
)


class Advice(NamedTuple):
    """What a table does about faults of these names (`dalej.domain.game.sentences.FAULTS`)."""

    words: str
    names: Sequence[str]


ADVICE: Final = (
    Advice(N_("Something lies on the button? Free it; once let go, it counts again."), (
        "contact_stuck", "contact_held_at_start",
    )),
    Advice(N_("Fetch the referee at once. Remember whose move it is and how much time was left."), (
        "journal_full", "flash_write_failed", "tick_handler_failed", "clock_state_unreadable", "flash_test_failed",
        "journal_unreadable", "not_started",
    )),
    Advice(N_("Play on, and tell the referee after the game."), (
        "torn_record_dropped", "new_epoch", "edge_handler_failed", "receive_handler_failed", "link_handler_failed",
        "edges_lost", "frames_lost", "radio_handler_failed", "main_loop_failed", "display_missing",
        "battery_implausible", "radio_not_started", "radio_hung", "no_identity", "foreign_identity",
        "damaged_identity",
    )),
)  # fmt: skip


def codes(name: str) -> list[tuple[int, int]]:
    """The runs of numbers, first and last, under which a fault of this name is shown."""
    found = sorted(code for code, named in FAULTS.items() if named == name)
    return list(_runs(found))


def _runs(numbers: Sequence[int]) -> Iterator[tuple[int, int]]:
    first = 0
    for place, number in enumerate(numbers, 1):
        if place == len(numbers) or numbers[place] != number + 1:
            yield numbers[first], number
            first = place


COLOURS: Final = {
    v.DARK: "dark", v.GREEN: "green", v.AMBER: "amber", v.RED: "red", v.BLUE: "blue", v.WHITE: "white"
}  # fmt: skip
# Segments a to g of each character that is shown, as a display draws it; the point and the colon are apart.
SEGMENTS: Final = {
    "0": "abcdef", "1": "bc", "2": "abdeg", "3": "abcdg", "4": "bcfg", "5": "acdfg", "6": "acdefg", "7": "abc",
    "8": "abcdefg", "9": "abcdfg", " ": "", "-": "g", "E": "adefg", "d": "bcdeg", "n": "ceg",
}  # fmt: skip
_AT_MS: Final = 0
_A_FAULT: Final = k.E_DISPLAY


class Scene(NamedTuple):
    """One picture: the text of a display (seat A's, or that of whom it concerns), the ring, and what they mean."""

    text: str
    colour: int
    pixels: int
    words: str


def scenes() -> list[Scene]:
    """Every picture, in the order of a game."""
    running = _running()
    return [
        _scene(view(Clock(Settings()), _AT_MS), N_("ring dark: no game is set up yet")),
        _scene(view(_ready(), _AT_MS), N_("white: ready, so much time for each move")),
        _scene(view(running, 18_000), N_("green: a move runs, so much is left")),
        _scene(view(running, 50_500), N_("amber: the last ten seconds, with tenths")),
        _scene(view(running, 57_400), N_("red: the last five seconds")),
        _scene(view(_expired(), 72_000), N_("red, all of it: the time is over, for so many seconds")),
        _scene(view(_stopped(29_000), 40_000), N_("blue: the clock stands, so much is left")),
        _scene(view(_resumed(29_000), 29_000), N_("blue: it goes on in so many seconds")),
        _scene(view(_withdrawn(29_000), 29_000), N_("this player has left the game"), k.SEAT_C),
        _scene(view(_over(29_000), 29_000), N_("dark: the game is over")),
        _scene(view(running, 18_000, _A_FAULT), N_("a fault, see below")),
    ]


def _scene(shown: View, words: str, seat: int = k.SEAT_A) -> Scene:
    colour, pixels, _seat = shown.ring
    return Scene(shown.displays[seat], colour, pixels, words)


def _ready() -> Clock:
    clock = Clock(Settings())
    clock.prepare(_AT_MS, 1, k.SEAT_A, k.TABLE)
    return clock


def _running() -> Clock:
    clock = _ready()
    clock.start(_AT_MS, k.TABLE)
    return clock


def _expired() -> Clock:
    clock = _running()
    clock.expire(clock.settings.limit_ms)
    return clock


def _stopped(at: int) -> Clock:
    clock = _running()
    clock.press(k.SEDZIA, True, at)
    return clock


def _resumed(at: int) -> Clock:
    clock = _stopped(at)
    clock.press(k.SEDZIA, True, at)
    return clock


def _withdrawn(at: int) -> Clock:
    clock = _stopped(at)
    clock.order(k.C_WITHDRAW, at, (k.SEAT_C,))
    clock.resume(at, k.TABLE)
    return clock


def _over(at: int) -> Clock:
    clock = _running()
    clock.press(2 * k.SEAT_A + c.JUZ, True, at)
    return clock


_KINDS = {c.JUZ: "green", c.DALEJ: "amber", c.KOSTKA: "tile", c.SEDZIA: "red"}


def quick_card(tables: Sequence[int], languages: Sequence[str], *, shared: bool = False, kostka: bool = True) -> bytes:
    """A PDF with a card for each table, a page for each language; with no table one card without a number.

    `shared`: of a box with one Już and one Dalej for all seats. `kostka`: of one with a contact for tiles.
    """
    sides = []
    for language in languages:
        with speaking(language):
            sides.append({"language": language, **_side(shared, kostka), "tables": _titles(tables)})
    return pdf("card", "Dalej", {"language": languages[0], "ring": RING, "segments": SEGMENTS, "sides": sides})


def _titles(tables: Sequence[int]) -> list[str]:
    return [_("Table {table}").format(table=table) for table in tables] or [""]


def _side(shared: bool, kostka: bool) -> dict[str, object]:
    return {
        "words": _words(shared, kostka),
        "moments": [
            {"heading": _(moment.heading), "presses": [_press(press, shared) for press in moment.presses]}
            for moment in moments(shared=shared, kostka=kostka)
        ],
        "scenes": [
            {"text": one.text, "colour": COLOURS[one.colour], "pixels": one.pixels, "words": _(one.words)}
            for one in scenes()
        ],
        "sounds": [{"notes": one.notes, "words": _(one.words)} for one in SOUNDS],
        "faults": [
            {"words": _(advice.words), "codes": [_fault(name) for name in advice.names]} for advice in ADVICE
        ],
    }  # fmt: skip


def _words(shared: bool, kostka: bool) -> Mapping[str, str]:
    return {
        "title": _("The clock at the table"),
        "displays": _("Screen; its bar is drawn as a ring") if shared else _("Displays and ring"),
        "sounds": _("Sounds"), "faults": _("Faults: E and a number."),
        "blinks": _("blinks: the referee is called"),
        "no_kostka": "" if kostka else _("Dalej itself counts as the tile."),
        "late": _(
            "The table decides together. No agreement? Tap Sędzia. After {alert} s the desk sees it, too."
        ).format(**SECONDS),
        "settings": _("A table can be set to be silent, or to taps alone for small children."),
        "shown": _("Shown for five seconds; the clock runs on underneath."),
    }  # fmt: skip


def _press(press: Press, shared: bool) -> dict[str, str]:
    return {
        "kind": _KINDS[press.button], "button": BUTTONS[press.button], "gesture": _gesture(press, shared),
        "words": _(press.words).format(**SECONDS),
    }  # fmt: skip


def _gesture(press: Press, shared: bool) -> str:
    if press.button == c.KOSTKA:
        return _("tap") if shared else _("by itself")
    return _("tap") if press.gesture == c.TAPPED else _("hold {seconds} s").format(seconds=press.gesture // 1000)


def _fault(name: str) -> dict[str, str]:
    runs = [f"{first}" if first == last else f"{first}–{last}" for first, last in codes(name)]
    return {"codes": f"E {', '.join(runs)}", "words": _(FAULT_WORDS[name])}
