"""Whatever people do to a hall, its players and its results, taken back in turn leaves it as it was."""

from __future__ import annotations

from pathlib import Path
from random import Random
from typing import Any, Final

from dalej.errors import DalejError
from dalej.event.ledger import APPLIED
from dalej.office.acts.roles import Actor
from dalej.office.acts.wishes import Wish
from moveclock import facts as k
from tests.office.acts.desk import LIS, WHY, ActingDesk
from tests.office.acts.office import RACKS, Office
from tests.world import draw, sign_up

ACTS: Final = 6
PUCHACZ: Final = Actor("Puchacz", "organiser")
TABLES: Final = 3


def test_decisions_on_people_rounds_and_results_are_taken_back_one_after_the_other(tmp_path: Path, seed: int) -> None:
    random = Random(seed)
    office = Office(tmp_path)
    states: list[object] = [office.plain()]
    undos: list[Wish] = []
    while len(undos) < 2 * ACTS:
        act, args = _decision(random)
        try:
            done = office.do(act, **args)
        except DalejError:
            continue
        if done.undo is not None:
            undos.append(done.undo)
            states.append(office.plain())
    for undo in reversed(undos):
        assert office.plain() == states.pop()
        office.wall.now_ms += 1_000
        office.performer.do(Actor("Lis", "organiser"), undo)
    assert office.plain() == states.pop()
    office.event.ledger.close()


def _decision(random: Random) -> tuple[str, dict[str, Any]]:
    player, table, game = random.randint(1, 8), random.randint(1, 2), random.randint(1, 3)
    at = {"table": table, "game": game}
    choices: list[tuple[str, dict[str, Any]]] = [
        ("warn", {"player": player}), ("withdraw", {"player": player}), ("back", {"player": player}),
        ("exclude", {"player": player, "unwarned": True}), ("lock_seating", {"on": random.random() < 0.5}),
        ("enter_result", {**at, "racks": RACKS}), ("correct_result", {**at, "racks": {**RACKS, "B": "24"}}),
        ("rule", {**at, "seat": random.choice("ABCD"), "verdict": "takes_invalid", "tiles": random.randint(1, 9)}),
        ("grant_claim", {**at, "seat": "B"}), ("set_option", {"key": "limit", "value": f"{random.randint(30, 60)} s"}),
        ("move_player", {"player": player, "table": table, "seat": random.choice("ABCD")}),
        ("start_round", {"minutes": random.randint(30, 90)}),
    ]  # fmt: skip
    return random.choice(choices)


def test_a_hall_its_tables_and_its_players_are_put_back_one_after_the_other(tmp_path: Path, seed: int) -> None:
    random = Random(seed)
    desk = ActingDesk(tmp_path, boxes=TABLES)
    sign_up(desk.event(), range(1, 4 * TABLES + 1))
    draw(desk.event())
    for box in range(TABLES):
        desk.setting.moves(random.randint(1, 3), box=box)
    desk.setting.run(random.choice((1_000, 1_000, 60_000)))  # or the moves are late
    desk.wish(Wish("stop_hall", {"reason": "referee"}), LIS)
    states = [_stood(desk)]
    undos: list[Wish] = []
    while len(undos) < ACTS:
        act, args = _act(random)
        try:
            done = desk.wish(Wish(act, args, WHY), PUCHACZ)
        except DalejError:
            continue
        assert set(desk.results(done)) <= {APPLIED}, (act, args)
        assert done.undo is not None, (act, args)
        undos.append(done.undo)
        states.append(_stood(desk))
    for undo in reversed(undos):
        assert _stood(desk) == states.pop(), undo
        done = desk.wish(undo, PUCHACZ)
        assert set(desk.results(done)) <= {APPLIED}, undo
    assert _stood(desk) == states.pop()
    desk.close()


def _act(random: Random) -> tuple[str, dict[str, Any]]:
    at = {"table": random.randint(1, TABLES)}
    choices: list[tuple[str, dict[str, Any]]] = [
        ("set_time", {**at, "ms": random.randrange(1, 40_000)}), ("give_time", {**at, "ms": 9_000}),
        ("restart_move", at), ("set_seat", {**at, "seat": random.choice("ABCD")}),
        ("set_bank", {**at, "tiles": random.choice((0, 5, 50))}),
        ("final_lap", {**at, "reason": random.choice(("round_time", "bank_empty"))}), ("end_game", at),
        ("withdraw", {"player": random.randint(1, 4 * TABLES)}), ("warn", {"player": random.randint(1, 4 * TABLES)}),
        ("exclude", {"player": random.randint(1, 4 * TABLES), "unwarned": True}),
    ]  # fmt: skip
    return random.choice(choices)


def _stood(desk: ActingDesk) -> tuple[object, ...]:
    players = desk.event().state().players.values()
    return (
        [(player.gone is None, len(player.warnings)) for player in players],
        [_table(desk, box.box.clock) for box in desk.setting.boxes if box.box is not None],
    )


def _table(desk: ActingDesk, clock: Any) -> tuple[object, ...]:
    """A table whose game is over stands nowhere."""
    over = clock.state == k.OVER
    left = 0 if over or clock.late else clock.watch.remaining(desk.setting.world.now_ms)
    lap = (clock.lap_reason, clock.lap_mask, clock.lap_waits) if clock.lap_reason != k.NOBODY and not over else ()
    return clock.state, clock.game, clock.move, clock.seat, clock.bank, clock.out, left, not over and clock.late, lap
