"""One event in which several people decide by turns: each under their own name, on what the others have made of it."""

from __future__ import annotations

from pathlib import Path

from dalej.event.event import Event
from dalej.event.reading import read
from dalej.office import attendance
from tests import world


def warn(event: Event, player: int) -> None:
    event.change(lambda state: attendance.warn(state.players[player], "late"))


def test_each_decides_under_their_own_name_on_what_stands_then(tmp_path: Path) -> None:
    with world.an_event(tmp_path) as event:
        lis, sowa = event.by("Lis"), event.by("Sowa")

        for who in (lis, sowa, lis):
            warn(who, 2)

        assert [one.who for one in read(event.ledger).decisions()[-3:]] == ["Lis", "Sowa", "Lis"]
        assert len(sowa.state().players[2].warnings) == 3


def test_what_one_has_scored_the_others_need_not_score_again(tmp_path: Path) -> None:
    with world.an_event(tmp_path, closed=1, seated=False) as event:
        before, after = (event.by(who).state() for who in ("Lis", "Sowa"))

        for key, one in before.rounds.items():
            for at, result in one.results.items():
                assert after.rounds[key].results[at].scores is result.scores
        assert sum(len(one.results) for one in before.rounds.values())
