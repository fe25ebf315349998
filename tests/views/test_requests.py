"""What boxes have been asked and have not answered, as a screen follows it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from random import Random
from typing import Final

from dalej.event.ledger import APPLIED, NO_LINK, REFUSED, SENT, Outcome, Request
from dalej.views.requests import KEPT, Answered, AnsweredFold, Result

TABLES: Final = 5
RESULTS: Final[Mapping[str, Result]] = {
    SENT: "waiting", APPLIED: "applied", REFUSED: "refused", NO_LINK: "no_link",
}  # fmt: skip


def test_what_waits_at_a_table_are_its_latest_requests_without_an_answer_in_their_order(seed: int) -> None:
    random, fold, asked = Random(seed), AnsweredFold(), dict[int, Answered]()
    for cursor in range(3 * KEPT):
        if random.random() < 0.6:
            request = Request(cursor, cursor, random.randint(1, TABLES), None, "stop", {}, "Lis", 1, "", None, None)
            fold.take(request)
            asked[request.id] = Answered(request.id, request.table, "stop", "Lis")
            for gone in [*asked][:-KEPT]:
                del asked[gone]
        elif asked:
            number = random.choice([*asked][-50:])
            told = random.choice((SENT, APPLIED, REFUSED, NO_LINK) if asked[number].result == "waiting" else (APPLIED,))
            fold.take(Outcome(cursor, number, told, "", 1))
            asked[number] = replace(asked[number], result=RESULTS[told])

    for table in range(1, TABLES + 1):
        assert [one.id for one in fold.waits_at(table)] == [
            one.id for one in asked.values() if one.table == table and one.result == "waiting"
        ]
