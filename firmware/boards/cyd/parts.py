"""What a box shows, sounds and feels, for the evening box. Forgotten when all is made."""

from devices.waking import screen

from board import pins
from devices.buttons import Buttons
from devices.buzzer import Buzzer
from devices.persona import Persona
from devices.screen import Lights, Time
from devices.stalls import Stalls
from devices.touch import Glass, Half
from moveclock import facts as k

_PLUGGED_MV = 5000  # a power bank tells nothing of itself


class Plugged:
    """In place of a battery that can be measured."""

    def millivolts(self) -> int:
        """What is behind the plug."""
        return _PLUGGED_MV

    def plausible(self) -> bool:
        """Nobody can know better."""
        return True


def parts(machine: str, persona: Persona, _stalls: Stalls) -> tuple:
    """`(buttons, displays, lamps, buzzer, battery)` of the board that calls itself `machine`. No call of these parts
    keeps handlers waiting, so no stall is declared.
    """
    board = pins(machine)
    panel = screen(board)
    glass = Glass(board.touched, board.touch)
    halves = [(k.SEDZIA, Half(glass, (1,) if persona.kostka else (1, -1), True))]
    if persona.kostka:
        halves.append((k.KOSTKA, Half(glass, (-1,), False)))
    return (
        Buttons(board.contacts(), (), (), halves),
        Time(panel),
        Lights(panel),
        Buzzer(board.buzzer),
        Plugged(),
    )
