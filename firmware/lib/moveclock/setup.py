"""Set-up mode: the rules of a table chosen at the box, without any desk. Buttons in, texts of four characters out.

Już shows the next value, Dalej goes on to the next item, Sędzia saves and plays, as does Dalej after the last item.
Values that a desk has set and this menu does not offer are offered as long as nobody leaves them.

    L 60   limit in seconds                     drOF  drFL  drbL   draw before click: off, flag, block
    AbCd   the seats in play, each in its place SoOF  SoLo  SoHi   sound: silent, soft, loud
    HoLd   holds count        tAPS   taps only
"""

from moveclock import facts as k
from moveclock.settings import DRAW_BLOCK, DRAW_FLAG, DRAW_OFF, LOUD, SILENT, SOFT, Settings

LIMITS = (40000, 60000, 120000)
SEATS = (15, 7, 11, 13, 14, 5, 10, 3, 6, 12, 9)  # masks of all tables: four, three, then two that face each other

_LETTERS = "AbCd"
_LIMIT = 0
_SEATS = 1
_DRAW = 2
_SOUND = 3
_TAPS = 4
_ITEMS = 5
_DRAWS = ((DRAW_OFF, "drOF"), (DRAW_FLAG, "drFL"), (DRAW_BLOCK, "drbL"))
_SOUNDS = ((SILENT, "SoOF"), (SOFT, "SoLo"), (LOUD, "SoHi"))
_TAPPED = ((0, "HoLd"), (1, "tAPS"))


class Setup:
    """The menu over `settings`, which it changes. `over`: it is time to save them and play."""

    def __init__(self, settings: Settings) -> None:
        self.settings = settings
        self.over = False
        self._item = _LIMIT
        self._limits = list(LIMITS)
        if settings.limit_ms not in LIMITS:
            self._limits.append(settings.limit_ms)

    def press(self, contact: int) -> bool:
        """A tap of a contact; False if it means nothing here."""
        if self.over or contact == k.KOSTKA:
            return False
        if contact == k.SEDZIA:
            self.over = True
        elif contact == k.SHARED_JUZ or (contact < k.KOSTKA and contact % 2 == 0):
            self._change()
        else:
            self._item += 1
            self.over = self._item == _ITEMS
        return True

    def text(self) -> str:
        """The four characters that all displays show."""
        settings = self.settings
        if self.over:
            return "PLAY"
        if self._item == _LIMIT:
            return f"L{min(999, settings.limit_ms // 1000):3d}"
        if self._item == _SEATS:
            text = ""
            for seat in range(4):
                text += _LETTERS[seat] if settings.seats >> seat & 1 else " "
            return text
        rows, value = self._row()
        for known, text in rows:
            if known == value:
                return str(text)
        return "----"

    def _row(self) -> tuple:
        settings = self.settings
        if self._item == _DRAW:
            return _DRAWS, settings.draw
        if self._item == _SOUND:
            return _SOUNDS, settings.sound
        return _TAPPED, int(settings.taps_only)

    def _change(self) -> None:
        settings = self.settings
        if self._item == _LIMIT:
            settings.limit_ms = _after(self._limits, settings.limit_ms)
        elif self._item == _SEATS:
            settings.seats = _after(SEATS, settings.seats)
            if settings.first != k.NOBODY and not settings.seats >> settings.first & 1:
                settings.first = k.NOBODY
        elif self._item == _DRAW:
            settings.draw = (settings.draw + 1) % len(_DRAWS)
        elif self._item == _SOUND:
            settings.sound = (settings.sound + 1) % len(_SOUNDS)
        else:
            settings.taps_only = not settings.taps_only


def _after(values: tuple | list, value: int) -> int:
    """The value that follows, the first after the last."""
    place = 0
    while values[place] != value:
        place += 1
    return int(values[(place + 1) % len(values)])
