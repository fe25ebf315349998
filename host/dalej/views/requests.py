"""What became of the commands that people asked boxes for: a fold over the ledger's requests and their outcomes."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Final, Literal

from dalej.event.ledger import APPLIED, NO_LINK, REFUSED, Outcome, Request

Result = Literal["waiting", "applied", "refused", "no_link"]

KEPT: Final = 2_000  # of the latest requests; a screen asks for those of its last act


@dataclass(frozen=True, slots=True)
class Answered:
    """A request, asked for because of `why`. `result` "no_link": nobody could tell the box yet or any more; `reason`:
    why the box refused it.
    """

    id: int
    table: int
    command: str
    who: str
    result: Result = "waiting"
    reason: str = ""
    why: str = ""


class AnsweredFold:
    """Takes requests and outcomes in the ledger's order."""

    def __init__(self) -> None:
        self._asked: dict[int, Answered] = {}
        self._waits: defaultdict[int, dict[int, Answered]] = defaultdict(dict)  # by table, those without an answer

    def take(self, entry: Request | Outcome) -> None:
        """One more."""
        if isinstance(entry, Request):
            self._keep(Answered(entry.id, entry.table, entry.command, entry.who, why=entry.why))
            if len(self._asked) > KEPT:
                gone = self._asked.pop(next(iter(self._asked)))
                self._waits[gone.table].pop(gone.id, None)
        elif (asked := self._asked.get(entry.request)) is not None:
            self._keep(replace(asked, result=_result(entry.result), reason=entry.reason))

    def _keep(self, one: Answered) -> None:
        self._asked[one.id] = one
        if one.result == "waiting":
            self._waits[one.table][one.id] = one
        else:
            self._waits[one.table].pop(one.id, None)

    def waits_at(self, table: int) -> list[Answered]:
        """Those at that table that their box has not answered yet, the oldest first."""
        return [*self._waits.get(table, {}).values()]

    def last_stop_at(self, table: int) -> Answered | None:
        """The last one that stopped the clock of that table."""
        found = (one for one in reversed(self._asked.values()) if (one.table, one.command) == (table, "stop"))
        return next((one for one in found if one.result == "applied"), None)

    def of(self, ids: Iterable[int]) -> list[Answered]:
        """Those of these requests that have been read by now."""
        return [self._asked[each] for each in ids if each in self._asked]


def _result(said: str) -> Result:
    results: dict[str, Result] = {APPLIED: "applied", REFUSED: "refused", NO_LINK: "no_link"}
    return results.get(said, "waiting")
