"""What the players of a table have written down themselves at the end of a game, and who of them agrees. Pure.

Two kinds of decisions: `RACKS` {"stage", "round", "table", "game", "racks": {seat: text},
"ended": how, if not by an empty rack}, text as in
`dalej.office.notation`, and `AGREES` {"table", "seat", "of": the number of the racks that are agreed to}. Who writes
anew begins anew: whoever agreed before has agreed to something else.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from dalej.domain.tournament.tournament import GameAt, RoundKey
from dalej.event.ledger import Decision

RACKS: Final = "table_racks"
AGREES: Final = "table_agrees"
OF_RACKS: Final = (RACKS, AGREES)


@dataclass(frozen=True, slots=True)
class Written:
    """`number`: of the decision; `agreed`: seats, in their order; `ended`: how the game did, "": by an empty rack."""

    number: int
    racks: Mapping[str, str]
    agreed: tuple[str, ...]
    ended: str = ""

    def lacks(self, seats: Sequence[str]) -> list[str]:
        """Those of the seats that have not agreed yet."""
        return [seat for seat in seats if seat not in self.agreed]


def written_at(decisions: Sequence[Decision], key: RoundKey, at: GameAt) -> Written | None:
    """What was written down last for that game, None if nothing was."""
    wanted = {"stage": key.stage, "round": key.round, "table": at.table, "game": at.game}
    agreed: set[tuple[int, str]] = set()  # the racks' number, and a seat
    for one in reversed(decisions):
        if one.revoked_by is not None:
            continue
        of = one.body.get("of")
        if one.kind == AGREES and isinstance(of, int):
            agreed.add((of, str(one.body.get("seat"))))
        elif one.kind == RACKS and all(one.body.get(name) == value for name, value in wanted.items()):
            racks = one.body.get("racks")
            told = {str(seat): str(text) for seat, text in racks.items()} if isinstance(racks, dict) else {}
            agree = tuple(sorted(seat for number, seat in agreed if number == one.cursor))
            return Written(one.cursor, told, agree, str(one.body.get("ended") or ""))
    return None
