"""What a box looks at before it plays: each finding is a numbered code of `moveclock.facts`; see error-codes.md.

A note sounds, and all segments, a quarter of the ring and the button lights go on, from side to side, A to D: that they
work, and that the sides are where they should be, only people can see. Never all at once: an empty battery that breaks
down under so much light would start the box again and again.
"""

from devices.counter import sleep_ms
from devices.edge import Edge
from moveclock import facts as k
from moveclock.settings import SOFT
from moveclock.view import TURN

_SHOWN_MS = 150  # a side
_NOTE_MS = 10
_FILE = "selftest"
_TEXT = b"what is written can be read"


def troubles(edge: Edge) -> list:
    """Have it seen and heard: `findings`."""
    show(edge)
    return findings(edge)


def findings(edge: Edge) -> list:
    """`(code, detail)` of all that is wrong."""
    found = [(k.E_DISPLAY + seat, seat) for seat in edge.displays.missing()]
    if not _flash_keeps(edge):
        found.append((k.E_FLASH_TEST, 0))
    if not edge.battery.plausible():
        found.append((k.E_BATTERY, edge.battery.millivolts()))
    if edge.hung:
        found.append((k.E_RADIO_HUNG, 0))
    elif edge.radio is None:
        found.append((k.E_RADIO, 0))
    if edge.persona.code:
        found.append((edge.persona.code, 0))
    for contact in edge.buttons.held():
        found.append((k.E_HELD + contact, contact))
    return found


def show(edge: Edge) -> None:
    """One side after the other, then nothing."""
    edge.buzzer.play(TURN, SOFT, 0)
    for seat in range(4):
        edge.displays.light(seat)
        edge.lamps.light(seat)
        for now in range(0, _SHOWN_MS, _NOTE_MS):
            edge.buzzer.go_on(now)
            sleep_ms(_NOTE_MS)
        edge.displays.show_all("    ")
    edge.lamps.darken()


def _flash_keeps(edge: Edge) -> bool:
    flash = edge.flash
    try:
        flash.write(_FILE, _TEXT)
        kept = flash.read(_FILE) == _TEXT
        flash.remove(_FILE)
    except OSError:
        return False
    return kept
