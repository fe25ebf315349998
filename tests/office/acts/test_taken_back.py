"""Whatever is done to a table that stands, in whatever order, taken back in turn leaves it as it was."""

from __future__ import annotations

from pathlib import Path
from random import Random

from dalej.errors import Refused
from dalej.event.ledger import APPLIED
from dalej.office.acts.wishes import Wish
from moveclock import facts as k
from tests.office.acts.desk import LIS, WHY, ActingDesk

ACTS = 6


def test_acts_in_any_order_are_taken_back_one_after_the_other(tmp_path: Path, seed: int) -> None:
    random = Random(seed)
    desk = ActingDesk(tmp_path)
    desk.setting.moves(2)
    desk.do("stop", reason="referee")
    states = [_stood(desk)]
    undos: list[Wish] = []
    while len(undos) < ACTS:
        choices: list[tuple[str, dict[str, int | str]]] = [
            ("set_time", {"ms": random.randrange(40_000)}), ("give_time", {"ms": random.randrange(1, 20_000)}),
            ("restart_move", {}), ("set_seat", {"seat": random.choice("ABCD")}),
            ("set_bank", {"tiles": random.randrange(1, 60)}), ("end_game", {}), ("reopen_game", {"how": "same_seat"}),
        ]  # fmt: skip
        act, args = random.choice(choices)
        try:
            done = desk.wish(Wish(act, {"table": 1, **args}, WHY), LIS)
        except Refused:
            continue
        assert set(desk.results(done)) == {APPLIED}
        assert done.undo is not None
        undos.append(done.undo)
        states.append(_stood(desk))
    for undo in reversed(undos):
        assert _stood(desk) == states.pop()
        assert set(desk.results(desk.wish(undo))) == {APPLIED}
    assert _stood(desk) == states.pop()
    desk.close()


def _stood(desk: ActingDesk) -> tuple[int, ...]:
    clock = desk.clock
    over = clock.state == k.OVER
    return (
        clock.state,
        clock.game,
        clock.move,
        clock.seat,
        clock.bank,
        clock.out,
        0 if over else clock.watch.remaining(0),
    )
