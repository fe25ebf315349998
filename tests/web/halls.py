"""Events that pages show: a league at whose tables something waits for a referee."""

from __future__ import annotations

from pathlib import Path
from typing import Final

from moveclock import facts as k
from tests.domain.begun import lay, table
from tests.domain.tables import A, B, C, PlayedTable
from tests.world import an_event, at_noon, stands, tell

LATE, CLAIMED, DISPUTED, QUIET = 1, 2, 3, 4  # tables
CALLED: Final = "Liga Borsuka"


def league(folder: Path, players: int = 16) -> Path:
    """Seated, no box stands anywhere; nobody has entered anything."""
    with an_event(folder, players, name=CALLED, wall_ms=at_noon) as event:
        return event.ledger.path


def hall(folder: Path) -> Path:
    """Sixteen at four tables with boxes. Seat A of the first has run out of time, at the second B claims that A's move
    is begun anew, at the third there is a dispute, at the fourth they play.
    """
    with an_event(folder, 16, name=CALLED, wall_ms=at_noon) as event:
        for number, played in {LATE: late(), CLAIMED: claimed(), DISPUTED: disputed(), QUIET: quiet()}.items():
            stands(event, played.box, number)
            tell(event, played)
        return event.ledger.path


def late() -> PlayedTable:
    at = table(box="a00000000001")
    at.wait(75_000)
    return at


def claimed() -> PlayedTable:
    at = table(box="a00000000002")
    at.wait(5_000)
    at.press(2 * A + 1)
    at.wait(2_000)
    at.press(k.SEDZIA)
    return at


def denied(folder: Path) -> Path:
    """The claim was denied, as its box has told; its clock stands still."""
    with an_event(folder, 16, name=CALLED, wall_ms=at_noon) as event:
        at = claimed()
        assert not at.order(k.C_DENY_CLAIM)
        stands(event, at.box, CLAIMED)
        tell(event, at)
        return event.ledger.path


def decided_on(folder: Path) -> tuple[Path, PlayedTable]:
    """A dispute for which the clock stands at the third table, where C is to move; what its box may still tell."""
    with an_event(folder, 16, name=CALLED, wall_ms=at_noon) as event:
        at = table(box="a00000000003")
        lay(at, A, B)
        at.wait(2_000)
        at.press(k.SEDZIA)
        stands(event, at.box, DISPUTED)
        tell(event, at)
        return event.ledger.path, at


def disputed() -> PlayedTable:
    at = table(box="a00000000003")
    lay(at, A, B)
    at.wait(8_000)
    at.press(k.SEDZIA)
    return at


def quiet() -> PlayedTable:
    at = table(box="a00000000004")
    lay(at, A, B, C)
    return at
