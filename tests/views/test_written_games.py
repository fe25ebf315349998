"""Every written game, looked at before each of its lines: the row is what the box on the table says."""

from __future__ import annotations

from pathlib import Path

import pytest

from dalej.event.ledger import Ledger
from dalej.simulator.writtengame import Line, Played
from dalej.views.following import Follower
from dalej.views.hall import HallModel
from tests.games.written import games, read
from tests.views.watching import expect_agreement


@pytest.mark.parametrize("path", games(), ids=lambda path: path.stem)
def test_before_every_line_of_a_written_game_the_row_agrees_with_the_box(
    path: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    game, looks = read(path), 0
    model = HallModel(game.ruleset)
    do = Played._do

    def look(played: Played) -> None:
        nonlocal looks
        follower.catch_up()
        box, now = played.box.box, played.world.now_ms
        model.pulse(now, now)
        for heard in played.desk.heard_since(0):
            model.heard(heard)
        if box is None or not box.settled() or ledger.contiguous(box.uid.hex(), box.journal.epoch) < box.journal.head:
            return
        looks += 1
        expect_agreement(model.row(1, now), box, box.uptime.date(played.box.raw()), never_met=False)

    def look_and_do(played: Played, line: Line) -> None:
        look(played)
        do(played, line)

    monkeypatch.setattr(Played, "_do", look_and_do)
    with Ledger.create(tmp_path / "e.dalej") as ledger:
        follower = Follower(ledger, model)
        look(game.play(ledger))

    assert looks > 1
