"""What a program has at hand for a whole day is not searched for cycles again and again.

Python looks through all objects for those that only hold each other, again whenever a quarter as many have been made:
with a day's facts of sixty tables a million, which takes a second or more in which no page is drawn and no box is
answered. What a search has found to be in use is left out of the next ones, once it is much; it goes when nobody holds
it any more, as ever. Only what holds itself would stay then, so nothing big may: a reading goes at once.
"""

from __future__ import annotations

import gc
from collections.abc import Mapping
from typing import Final

MANY: Final = 100_000  # objects, which are searched in a twentieth of a second
_OLDEST: Final = 2


def leave_out_what_stays() -> None:
    """From now on, in this process."""
    if _after_search not in gc.callbacks:
        gc.callbacks.append(_after_search)


def _after_search(phase: str, search: Mapping[str, int]) -> None:
    if phase == "stop" and search["generation"] == _OLDEST and len(gc.get_objects()) > MANY:
        gc.freeze()
