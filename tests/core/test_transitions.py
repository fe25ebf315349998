"""Where each row of the clock's tables leads: played to every state that it names, and to no other.

That no other follows is watched in all that `ClockRun` plays: the tests beside this one, the vectors, random tables.
Steps are as `ClockRun.step` takes them.
"""

from clock_run import NEXT, ClockRun, dalej, juz, table
from moveclock import facts as k
from moveclock import settings as rules

A, B, C, D = range(4)
LIMIT = 60000


def tap(contact: int, after: int = 1000) -> list[object]:
    return ["press", after, contact, 0, 0]


def hold(contact: int, after: int = 1000) -> list[object]:
    return ["press", after, contact, 1, 0]


def order(command: int, *arguments: int) -> list[object]:
    return ["order", 1000, command] + list(arguments)


def wait(ms: int) -> list[object]:
    return ["wait", ms]


CUT: list[object] = ["cut", 1000]
CONFIGURE: list[object] = ["configure", 1000, 1, "".join(f"{byte:02x}" for byte in rules.Settings().pack())]
TAKE_OVER = order(k.C_TAKE_OVER, 2, 9, C, 30000, 20, 0)
CALL = tap(k.SEDZIA, 20000)  # later than the first 5 s: the clock stops when the move ends
WITHDRAW = [order(k.C_WITHDRAW, seat) for seat in (B, C, D)]

# What was done before, from a table that is ready.
READY: list[list[object]] = []
RUNNING = [order(k.C_START)]
LATE = RUNNING + [wait(LIMIT)]
STOPPED = RUNNING + [hold(k.SEDZIA)]
STOPPED_LATE = LATE + [order(k.C_STOP, k.REFEREE)]
OVER = RUNNING + [hold(juz(A))]
IDLE = None  # a box that nobody has set up

# ... and of a final lap: the next move that ends is the last one.
LAST = RUNNING + [order(k.C_FINAL_LAP, k.ROUND_TIME)]
LAST_LATE = LAST + [wait(LIMIT)]
LAST_OVER = LAST + [tap(juz(A))]
END_WITH_MOVE = {"on_round_time": rules.END_WITH_MOVE}
ADVANCE = {"on_expiry": rules.ADVANCE, "grace_ms": 5000}
ADVANCE_TO_END = {"on_expiry": rules.ADVANCE, "grace_ms": 5000, "on_round_time": rules.END_WITH_MOVE}
NOBODY_STARTS = {"first": k.NOBODY}

# state, action, next, what was done before, the input, settings
PLAYS: tuple[tuple[int, str, int, list[list[object]] | None, list[object], dict[str, int]], ...] = (
    (k.RUNNING, "laid", k.RUNNING, RUNNING, tap(juz(A)), {}),
    (k.RUNNING, "laid", k.STOPPED, RUNNING + [CALL], tap(juz(A)), {}),
    (k.RUNNING, "laid", k.OVER, LAST, tap(juz(A)), END_WITH_MOVE),
    (k.RUNNING, "passed", k.RUNNING, RUNNING, tap(dalej(A)), {}),
    (k.RUNNING, "passed", k.STOPPED, RUNNING + [CALL], tap(dalej(A)), {}),
    (k.RUNNING, "passed", k.OVER, LAST, tap(dalej(A)), END_WITH_MOVE),
    (k.RUNNING, "tile_taken", k.RUNNING, RUNNING, tap(k.KOSTKA), {}),
    (k.RUNNING, "announced", k.RUNNING, RUNNING, hold(dalej(A)), {}),
    (k.RUNNING, "rack_emptied", k.OVER, RUNNING, hold(juz(A)), {}),
    (k.RUNNING, "disputed", k.RUNNING, RUNNING, CALL, {}),
    (k.RUNNING, "disputed", k.STOPPED, RUNNING, tap(k.SEDZIA), {}),
    (k.RUNNING, "stopped_by_table", k.STOPPED, RUNNING, hold(k.SEDZIA), {}),
    (k.EXPIRED, "late_move_stands", k.RUNNING, LATE, tap(juz(B)), {}),
    (k.EXPIRED, "late_move_stands", k.OVER, LAST_LATE, tap(juz(B)), END_WITH_MOVE),
    (k.EXPIRED, "late_move_undone", k.RUNNING, LATE, tap(dalej(B)), {}),
    (k.EXPIRED, "late_move_undone", k.OVER, LAST_LATE, tap(dalej(B)), END_WITH_MOVE),
    (k.STOPPED, "resumed_by_table", k.STOPPED, STOPPED, hold(k.SEDZIA), {}),
    (k.OVER, "next_game_by_table", k.READY, OVER, hold(k.SEDZIA), {}),
    (k.READY, "referee_called", k.READY, READY, tap(k.SEDZIA), {}),
    (k.EXPIRED, "referee_called", k.EXPIRED, LATE, tap(k.SEDZIA), {}),
    (k.OVER, "referee_called", k.OVER, OVER, tap(k.SEDZIA), {}),
    (k.READY, "named_or_started", k.RUNNING, READY, tap(juz(A)), {}),
    (k.READY, "named_or_started", k.READY, READY, tap(dalej(C)), NOBODY_STARTS),
    (k.STOPPED, "call_withdrawn", k.RUNNING, RUNNING + [tap(k.SEDZIA)], tap(k.SEDZIA), {}),
    (k.STOPPED, "call_withdrawn", k.EXPIRED, RUNNING + [tap(k.SEDZIA, 59000), wait(1000)], tap(k.SEDZIA), {}),
    (k.STOPPED, "owed_tile_taken", k.STOPPED, RUNNING + [tap(dalej(A)), hold(k.SEDZIA)], tap(k.KOSTKA), {}),
    (k.EXPIRED, "penalty_tile_taken", k.EXPIRED, LATE, tap(k.KOSTKA), {}),
    (k.RUNNING, "time_ran_out", k.EXPIRED, RUNNING, wait(LIMIT), {}),
    (k.RUNNING, "time_ran_out", k.STOPPED, RUNNING + [CALL], wait(LIMIT), {}),
    (k.EXPIRED, "grace_over", k.RUNNING, LATE, wait(5000), ADVANCE),
    (k.EXPIRED, "grace_over", k.OVER, LAST_LATE, wait(5000), ADVANCE_TO_END),
    (k.STOPPED, "countdown_over", k.RUNNING, STOPPED + [hold(k.SEDZIA)], wait(3000), {}),
    (k.STOPPED, "countdown_over", k.EXPIRED, STOPPED_LATE + [hold(k.SEDZIA)], wait(3000), {}),
    (k.IDLE, "order_configure", k.READY, IDLE, CONFIGURE, {}),
    (k.READY, "order_configure", k.READY, READY, CONFIGURE, {}),
    (k.OVER, "order_configure", k.READY, OVER, CONFIGURE, {}),
    (k.READY, "order_start", k.RUNNING, READY, order(k.C_START), {}),
    (k.RUNNING, "order_stop", k.STOPPED, RUNNING, order(k.C_STOP, k.REFEREE), {}),
    (k.EXPIRED, "order_stop", k.STOPPED, LATE, order(k.C_STOP, k.REFEREE), {}),
    (k.STOPPED, "order_stop", k.STOPPED, STOPPED, order(k.C_STOP, k.ROUND_BREAK), {}),
    (k.STOPPED, "order_resume", k.RUNNING, STOPPED, order(k.C_RESUME), {}),
    (k.STOPPED, "order_resume", k.EXPIRED, STOPPED_LATE, order(k.C_RESUME), {}),
    (k.STOPPED, "order_set_remaining", k.STOPPED, STOPPED, order(k.C_SET_REMAINING, 5000), {}),
    (k.STOPPED, "order_give_time", k.STOPPED, STOPPED_LATE, order(k.C_GIVE_TIME, 5000), {}),
    (k.STOPPED, "order_restart_move", k.STOPPED, STOPPED, order(k.C_RESTART_MOVE), {}),
    (k.READY, "order_set_seat", k.READY, READY, order(k.C_SET_SEAT, C), {}),
    (k.STOPPED, "order_set_seat", k.STOPPED, STOPPED_LATE, order(k.C_SET_SEAT, C), {}),
    (k.STOPPED, "order_set_bank", k.STOPPED, STOPPED, order(k.C_SET_BANK, 0), {}),
    (k.STOPPED, "order_withdraw", k.STOPPED, STOPPED, order(k.C_WITHDRAW, A), {}),
    (k.STOPPED, "order_withdraw", k.OVER, STOPPED + WITHDRAW[:2], WITHDRAW[2], {}),
    (k.STOPPED, "order_deny_claim", k.STOPPED, RUNNING + [tap(dalej(A)), tap(k.SEDZIA)], order(k.C_DENY_CLAIM),
     {"draw": rules.DRAW_FLAG}),
    (k.READY, "order_redeal", k.READY, READY, order(k.C_REDEAL), {}),
    (k.STOPPED, "order_redeal", k.READY, STOPPED, order(k.C_REDEAL), {}),
    (k.RUNNING, "order_final_lap", k.RUNNING, RUNNING, order(k.C_FINAL_LAP, k.ROUND_TIME), {}),
    (k.EXPIRED, "order_final_lap", k.EXPIRED, LATE, order(k.C_FINAL_LAP, k.ROUND_TIME), {}),
    (k.STOPPED, "order_final_lap", k.STOPPED, STOPPED, order(k.C_FINAL_LAP, k.ROUND_TIME), {}),
    (k.RUNNING, "order_end_game", k.OVER, RUNNING, order(k.C_END_GAME), {}),
    (k.EXPIRED, "order_end_game", k.OVER, LATE, order(k.C_END_GAME), {}),
    (k.STOPPED, "order_end_game", k.OVER, STOPPED, order(k.C_END_GAME), {}),
    (k.OVER, "order_reopen", k.STOPPED, OVER, order(k.C_REOPEN, k.SAME_SEAT), {}),
    (k.OVER, "order_reopen", k.OVER, LAST_OVER, order(k.C_REOPEN, k.NEXT_SEAT), END_WITH_MOVE),  # there is no next move
    (k.OVER, "order_next_game", k.READY, OVER, order(k.C_NEXT_GAME), {}),
    (k.IDLE, "order_take_over", k.STOPPED, IDLE, TAKE_OVER, {}),
    (k.READY, "order_take_over", k.STOPPED, READY, TAKE_OVER, {}),
    (k.OVER, "order_take_over", k.STOPPED, OVER, TAKE_OVER, {}),
    (k.RUNNING, "power_lost", k.STOPPED, RUNNING, CUT, {}),
    (k.EXPIRED, "power_lost", k.STOPPED, LATE, CUT, {}),
    (k.STOPPED, "power_lost_in_stop", k.STOPPED, STOPPED, CUT, {}),
)  # fmt: skip


def test_each_row_leads_to_the_states_it_names() -> None:
    for state, action, after, before, step, values in PLAYS:
        run = ClockRun() if before is None else table(**values)
        for earlier in before or ():
            run.step(earlier)
        assert run.clock.state == state, (state, action, run.clock.state)
        known = len(run.taken)
        run.step(step)
        assert run.taken[known:] == [(state, action, after)], (state, action, after, run.taken[known:])


def test_every_state_that_a_row_names_is_played_here() -> None:
    named = {(state, action, after) for (state, action), then in NEXT.items() for after in then}
    assert {play[:3] for play in PLAYS} == named


def test_no_state_is_without_a_way_out_and_none_but_idle_is_out_of_reach() -> None:
    ways = {(state, after) for (state, _), then in NEXT.items() for after in then if state != after}
    states = set(range(k.IDLE, k.OVER + 1))
    assert {state for state, _ in ways} == states
    assert {after for _, after in ways} == states - {k.IDLE}


def test_a_box_that_starts_at_rest_stays_where_it_was() -> None:
    for before in (IDLE, READY, OVER):
        run = ClockRun() if before is None else table()
        for step in before or ():
            run.step(step)
        known, state = len(run.taken), run.clock.state
        run.step(CUT)
        assert run.clock.state == state and run.taken[known:] == []
