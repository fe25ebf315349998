"""Every act of the catalogue in a table: from which state it is played, with which arguments, what is typed for the
same decision on the command line, and what comes of it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, Final

from dalej.office.acts.wishes import WHY_MOST
from tests.office.acts.office import RACKS, WHY
from tests.office.acts.states import (
    Eliminations,
    OnPaper,
    State,
    Step,
    WithBox,
    by_lis,
    claims,
    does,
    full_round,
    hall_stopped,
    later_moves,
    level,
    over,
    phone_stands,
    plays,
    seated,
    stands,
    third_move,
    time_is_over,
)

TYPED: Final = ("A=0", "B=23+j", "C=-", "D=12,7")
BOOK: Final = "x" * (WHY_MOST + 1)

# Who may, said once more than in the catalogue: a role that is let in there by mistake is found here.
OF_REFEREES: Final = frozenset({
    "stop", "resume", "set_time", "give_time", "restart_move", "set_seat", "set_bank", "blink", "fetch", "start",
    "final_lap", "end_game", "reopen_game", "redeal", "next_game", "rule", "grant_claim", "deny_claim", "revoke", "tie",
    "warn", "exclude", "withdraw", "enter_result", "enter_results", "correct_result", "confirm_result", "reopen_result",
    "stop_hall", "resume_hall", "print", "restore", "take_call", "tell_table",
})  # fmt: skip
OF_ORGANISERS: Final = frozenset({
    "back", "sign_up", "sign_up_list", "change_player", "consent", "draw_seating", "move_player", "lock_seating",
    "absent", "present", "unseat", "open_table", "date_round", "start_round", "close_round", "reopen_round", "advance",
    "set_option", "send_settings", "undo", "end_sessions", "correct_closed", "set_hall", "give_round", "take_round",
})  # fmt: skip

# What a table does by itself, on its phone: tests/phones/test_racks.py and test_words.py play it, and who may not.
OF_TABLES: Final = frozenset({"write_racks", "agree_racks", "read_word"})

# Acts without a command, and why there is none to be.
NO_COMMAND: Final[Mapping[str, str]] = {
    "end_sessions": "sessions live in the server that runs, which only its own screens reach",
    "restore": "it is wished by a screen that remembers what it did; by hand one types the act that takes another back",
    "fetch": "a command that rules on what a box tells asks the box itself",
    "take_call": "whoever types sees no call: it is taken with a touch on a page",
}


@dataclass(frozen=True, eq=False)
class Case:
    """An act with its arguments, and what is typed behind the event in its place ("": nothing). In both, {1A} is who
    sits there, {absent} who misses the round, {last} is the last decision's number. `why` None: no reason is given.
    """

    act: str
    words: str
    args: Mapping[str, Any] = field(default_factory=dict)
    before: tuple[Step, ...] = ()
    why: str | None = WHY
    says: str = ""  # a part of the sentence that refuses it
    on: Callable[..., State] = OnPaper
    files: tuple[str, ...] = ()  # what lies beside the event then
    is_so: bool = False  # already: nothing is decided
    file: tuple[str, str] = ("", "")  # that the command reads: its name and what stands in it
    of: str = ""  # the act that the same hands do before, with these arguments: what takes it back is wished then


def named(cases: list[Case]) -> list[str]:
    """By number and act: several are of one act, in other states."""
    return [f"{number}-{case.act}" for number, case in enumerate(cases, start=1)]


def undo_of_last(state: State, name: str) -> Any:
    """That argument of the wish which takes back what was done last."""
    assert state.last is not None
    assert state.last.undo is not None
    return state.last.undo.args[name]


def at_box(act: str, words: str, *steps: Step, says: str = "", **args: Any) -> Case:
    """An act on table 1, where a box stands."""
    return Case(act, words, {"table": 1, **args}, steps, says=says, on=WithBox)


CLOSED: Final = (full_round, does("close_round"))
SECOND: Final = (*CLOSED, does("draw_seating", seed=3))
FILED: Final = [{"table": 1, "game": 1, "entry": {"ended": "went_out", "racks": [
    {"seat": "A", "points": 0}, {"seat": "B", "points": 7}, {"seat": "C", "points": 8}, {"seat": "D", "points": 40},
]}}]  # fmt: skip
SHEET: Final = "table,game,seat,points\n1,1,A,0\n1,1,B,7\n1,1,C,8\n1,1,D,40\n"
ONE_ROUND_WITH_A_FORM: Final = (("form_players", "3"), ("rounds", "1"))
ENTERED: Final = (does("enter_result", table=1, game=1, racks=RACKS),)
HALLS: Final = (does("set_hall", hall="North", tables="1"),)
GIVEN: Final = (*HALLS, does("give_round"))
TAKEN_BACK: Final = (*GIVEN, does("take_round"))
RULE: Final = {"table": 1, "game": 1, "seat": "B"}
RESULT: Final = {"table": 1, "game": 1, "racks": RACKS}
ENTER: Final = f"results enter 1 1 {' '.join(TYPED)}"
CORRECT: Final = f"results correct 1 1 {' '.join(TYPED)}"

REFUSED: Final = [
    # tables that play, or have played
    Case("unseat", "seat remove {2A}", {"player": "{2A}"}, (plays(2, over=True),), says="who played it stays"),
    Case("unseat", "seat remove {2A}", {"player": "{2A}"}, (plays(2),), says="goes on at these tables: 2;"),
    Case("move_player", "seat move {1A} 2B", {"player": "{1A}", "table": 2, "seat": "B"}, (plays(2),),
         says="goes on at these tables: 2;"),
    Case("move_player", "seat move {1A} 2B", {"player": "{1A}", "table": 2, "seat": "B"}, (plays(1, over=True),),
         says="who played it stays"),
    Case("open_table", "seat move 9 new --yes", {"player": 9}, (does("sign_up", name="Kret"), plays(2)),
         says="goes on at these tables: 2;"),
    Case("draw_seating", "seat draw --again --anyway few", {"again": True, "anyway": "few"}, (plays(2),),
         says="these tables have begun to play: 2;"),
    Case("draw_seating", "seat draw --again --anyway few", {"again": True, "anyway": "few"}, (plays(1, over=True),),
         says="these tables have begun to play: 1;"),
    Case("undo", "undo {last} --yes", {"number": "{last}"},
         (does("move_player", player="{1A}", table=2, seat="B"), plays(1)), says="goes on at these tables: 1;"),
    Case("undo", "undo --yes", {}, (does("move_player", player="{1A}", table=2, seat="B"), plays(1, over=True)),
         says="who played it stays"),
    Case("undo", "undo --yes", {}, (does("draw_seating", again=True, anyway="few", seed=9), plays(1)),
         says="these tables have begun to play: 1;"),
    # no reason, or none that can be kept
    Case("undo", "undo --yes", {}, why=None),
    Case("undo", "undo --yes", {}, why="  "),
    Case("warn", "players warn 3", {"player": 3}, why=" "),
    Case("exclude", "players exclude 3 --without-warning", {"player": 3, "unwarned": True}, why=" "),
    Case("rule", "ruling decide 1 1 B undone", {**RULE, "verdict": "undone"}, why=" "),
    Case("grant_claim", "ruling claim 1 1 B granted", RULE, why=" "),
    Case("deny_claim", "ruling claim 1 1 B denied", RULE, why=" "),
    Case("revoke", "ruling revoke {last}", {"number": "{last}"}, (does("rule", **RULE, verdict="undone"),), why=" "),
    Case("tie", "ruling tie 1 2", {"players": [1, 2]}, why=" "),
    Case("correct_result", CORRECT, RESULT, ENTERED, why=" "),
    Case("reopen_result", "results reopen 1 1", {"table": 1, "game": 1}, ENTERED, why=" "),
    Case("reopen_round", "round reopen league/1", {"round": "league/1"}, CLOSED, why=" "),
    *(Case(act, words, {"player": 3}, why=BOOK) for act, words in (
        ("withdraw", "players withdraw 3"), ("absent", "players absent 3"), ("warn", "players warn 3"),
    )),
    # what the event does not allow
    Case("unseat", "seat remove 1", {"player": 1}, (does("unseat", player=1),)),
    Case("open_table", "seat move {1A} new --yes", {"player": "{1A}"}),
    Case("draw_seating", "seat draw --anyway few", {"anyway": "few"}),
    Case("lock_seating", "seat lock", {"on": True}, (does("lock_seating", on=True),)),
    Case("absent", "players absent {1A}", {"player": "{1A}"}),
    Case("present", "players present {1A}", {"player": "{1A}"}, (does("withdraw", player="{1A}"),)),
    Case("withdraw", "players withdraw 3", {"player": 3}, (does("exclude", player=3, unwarned=True),)),
    Case("exclude", "players exclude 3", {"player": 3}),
    Case("back", "players back 3", {"player": 3}),
    Case("warn", "players warn 3", {"player": 3}, (does("withdraw", player=3),)),
    Case("sign_up", "players add sowa", {"name": "sowa"}),
    Case("sign_up_list", "players import list.csv", {"players": [{"line": 2, "name": "sowa"}], "file": "list.csv"},
         file=("list.csv", "name\nsowa\n")),
    Case("enter_results", "results import league.csv --round league/1", {"games": FILED, "round": "league/1"}, CLOSED,
         file=("league.csv", SHEET)),
    Case("change_player", "players rename 1 SOWA", {"player": 1, "name": "SOWA"}),
    Case("enter_result", ENTER, RESULT, ENTERED),
    Case("enter_result", "results enter 1 5 A=0 B=1 C=2 D=3",
         {"table": 1, "game": 5, "racks": {"A": "0", "B": "1", "C": "2", "D": "3"}}),
    Case("enter_result", "results enter 1 1 A=0 B=0 C=2 D=3",
         {"table": 1, "game": 1, "racks": {"A": "0", "B": "0", "C": "2", "D": "3"}}),
    Case("enter_result", "results enter 3 1 A=0 B=1 C=2 D=3",
         {"table": 3, "game": 1, "racks": {"A": "0", "B": "1", "C": "2", "D": "3"}}),
    Case("enter_result", f"{ENTER} --round league/1", {**RESULT, "round": "league/1"}, CLOSED),
    Case("correct_result", CORRECT, RESULT),
    Case("correct_closed", f"{CORRECT} --round league/1".replace("1 1", "9 1", 1),
         {**RESULT, "table": 9, "round": "league/1"}, SECOND, says="there is no table 9"),
    Case("confirm_result", "results confirm 1 --yes --who lis", {"table": 1},
         (by_lis("enter_result", **RESULT),)),
    Case("reopen_result", "results reopen 1 1", {"table": 1, "game": 1}),
    Case("reopen_result", "results reopen 1 1 --round league/1", {"table": 1, "game": 1, "round": "league/1"}, CLOSED),
    Case("start_round", "round start"),
    Case("date_round", "round date tomorrow", {"date": "tomorrow"}),
    Case("date_round", "round date 2026-12-04 --round league/9", {"date": "2026-12-04", "round": "league/9"}),
    Case("close_round", "round close"),
    Case("reopen_round", "round reopen league/1", {"round": "league/1"}),
    Case("reopen_round", "round reopen league/1", {"round": "league/1"}, SECOND),
    Case("set_hall", "centre tables North 0", {"hall": "North", "tables": "0"}, says="names no tables"),
    Case("set_hall", "centre tables centre 1", {"hall": "centre", "tables": "1"}, says="is no name of a hall"),
    Case("set_hall", "centre tables South 1", {"hall": "South", "tables": "1"}, HALLS, says="stands in hall North"),
    Case("set_hall", "centre tables North 2", {"hall": "North", "tables": "2"}, GIVEN, says="take it back first"),
    Case("give_round", "round give", says="stands in a hall with an event file of its own"),
    Case("take_round", "round take", {}, HALLS, says="is not with the halls"),
    Case("close_round", "round close --anyway late", {"anyway": "late"}, GIVEN, says="take it back first"),
    Case("close_round", "round close --anyway late", {"anyway": "late"}, TAKEN_BACK, says="is not complete yet"),
    Case("enter_result", ENTER, RESULT, GIVEN, says="table 1 stands in hall North"),
    Case("advance", "advance"),
    Case("set_option", "event set closed maybe", {"key": "closed", "value": "maybe"}),
    Case("set_option", "event set jokers 3 --yes", {"key": "jokers", "value": "3"}, CLOSED),
    Case("rule", "ruling decide 3 1 B undone", {"table": 3, "game": 1, "seat": "B", "verdict": "undone"}),
    Case("revoke", "ruling revoke 1", {"number": 1}),
    Case("tie", "ruling tie 1 1", {"players": [1, 1]}),
    Case("undo", "undo 999 --yes", {"number": 999}),
    # a box that plays, or does not
    at_box("stop", "table stop 1 referee", reason="referee", says="no game is under way"),
    at_box("resume", "table resume 1", third_move, says="its clock runs"),
    *(at_box(act, words, third_move, says="stop its clock first", **args) for act, words, args in (
        ("set_time", "table set-time 1 7", {"ms": 7_000}), ("give_time", "table give-time 1 20", {"ms": 20_000}),
        ("restart_move", "table restart-move 1 --yes", {}), ("set_seat", "table set-seat 1 A", {"seat": "A"}),
        ("set_bank", "table set-bank 1 3", {"tiles": 3}),
    )),
    at_box("start", "table start 1", third_move, says="game 1 is under way"),
    at_box("next_game", "table next-game 1", third_move, says="game 1 is under way"),
    at_box("reopen_game", "table reopen-game 1 same_seat --yes", third_move, how="same_seat",
       says="game 1 is under way"),
    at_box("final_lap", "table final-lap 1 round_time --yes", over, reason="round_time", says="game 1 is over"),
    at_box("final_lap", "table final-lap 1 round_time --yes", third_move,
       does("final_lap", table=1, reason="round_time"), reason="round_time", says="has begun already"),
    at_box("end_game", "table end-game 1 --yes", over, says="game 1 is over"),
    at_box("redeal", "table redeal 1 --yes", later_moves, says="in the first round alone"),
    Case("tell_table", "table tell 1 hurry", {"table": 1, "words": "hurry"}, says="shows no words, only a phone does",
         on=WithBox),
    *(Case(act, words, {"table": 2, **args}, (), says="table 2 has no box", on=WithBox) for act, words, args in (
        ("stop", "table stop 2 referee", {"reason": "referee"}), ("resume", "table resume 2", {}),
        ("set_time", "table set-time 2 7", {"ms": 7_000}), ("give_time", "table give-time 2 20", {"ms": 20_000}),
        ("restart_move", "table restart-move 2 --yes", {}), ("set_seat", "table set-seat 2 A", {"seat": "A"}),
        ("set_bank", "table set-bank 2 3", {"tiles": 3}), ("blink", "table blink 2", {}), ("fetch", "", {}),
        ("start", "table start 2", {}), ("final_lap", "table final-lap 2 round_time --yes", {"reason": "round_time"}),
        ("end_game", "table end-game 2 --yes", {}),
        ("reopen_game", "table reopen-game 2 same_seat --yes", {"how": "same_seat"}),
        ("redeal", "table redeal 2 --yes", {}), ("next_game", "table next-game 2", {}),
    )),
    at_box("rule", "ruling decide 1 1 3 undone", third_move, move=3, game=1, verdict="undone"),
    at_box("rule", "ruling decide 1 1 C undone", time_is_over, game=1, seat="C", verdict="undone",
       says="a box counts at table 1"),
    at_box("grant_claim", "ruling claim 1 1 3 granted", third_move, move=3, game=1),
    at_box("deny_claim", "ruling claim 1 1 3 denied", third_move, move=3, game=1),
    at_box("take_call", "", time_is_over, does("take_call", table=1, call="time_out"), call="time_out",
           says="Sowa is on the way to table 1 already"),
    at_box("deny_claim", "ruling claim 1 1 4 denied", claims, does("grant_claim", table=1, move=4),
       move=4, game=1, says="is answered: Sowa has granted it"),
    at_box("grant_claim", "ruling claim 1 1 4 granted", claims, does("deny_claim", table=1, move=4),
       move=4, game=1, says="is answered: Sowa has denied it"),
    Case("stop_hall", "hall stop round_break --yes", {"reason": "round_break"}, (stands,), on=WithBox,
         says="no clock of the hall runs"),
    Case("resume_hall", "hall resume --yes", {}, (stands,), on=WithBox,
         says="no clock stands that was stopped with the hall"),
    Case("send_settings", "hall send-settings", {}, (third_move, does("set_option", key="limit", value="50s")),
         on=WithBox, says="tables 1 are in a game"),
    Case("restore", "", {"numbers": lambda state: undo_of_last(state, "numbers")}, (does("warn", player=3),),
         says="is Sowa's"),
    Case("restore", "", {}, says="there is nothing to put back"),
    Case("end_sessions", "", {"role": "nobody"}),
    Case("print", "paper sheets --round league/9", {"what": "sheets", "form": "pdf", "round": "league/9"}),
    Case("print", "paper sheets", {"what": "sheets", "form": "pdf"}, CLOSED),
    Case("print", "paper sheets --table 9", {"what": "sheets", "form": "pdf", "table": 9}),
    Case("print", "paper standings --stage final", {"what": "standings", "form": "pdf", "stage": "final"}),
    Case("print", "paper form", {"what": "form", "form": "pdf"}, says="asks for no final form"),
    Case("print", "paper form", {"what": "form", "form": "pdf"}, on=Eliminations, says="come into the final"),
    Case("print", "paper diplomas", {"what": "diplomas", "form": "pdf"}, CLOSED),
    Case("print", "paper prizes", {"what": "prizes", "form": "pdf"}),
    Case("print", "paper numbers", {"what": "numbers", "form": "pdf"}, CLOSED),
    # the same acts with what cannot be
    Case("enter_result", "results enter 1 1 --ended not-played", {"table": 1, "game": 1, "ended": "not_played"},
         why=" "),
    Case("enter_result", "results enter 1 1 A=7 B=x C=8 D=40",
         {"table": 1, "game": 1, "racks": {"A": "7", "B": "x", "C": "8", "D": "40"}}),
    Case("enter_result", "results enter 1 1 A=0 B=3", {"table": 1, "game": 1, "racks": {"A": "0", "B": "3"}}),
    Case("enter_result", "results enter 9 1 A=0 B=3", {"table": 9, "game": 1, "racks": {"A": "0", "B": "3"}}),
    Case("enter_result", f"{ENTER} --round league/7", {**RESULT, "round": "league/7"}),
    Case("confirm_result", "results confirm 1 --yes", {"table": 1}),
    Case("confirm_result", "results confirm 9 --yes", {"table": 9}),
    Case("confirm_result", "results confirm 1 --yes", {"table": 1}, (*ENTERED, by_lis("confirm_result", table=1))),
    Case("reopen_result", "results reopen 1 5", {"table": 1, "game": 5}, ENTERED),
    Case("draw_seating", "seat draw --again --anyway few", {"again": True, "anyway": "few"}, ENTERED),
    Case("draw_seating", "seat draw --again --anyway few", {"again": True, "anyway": "few"},
         (does("lock_seating", on=True),)),
    Case("draw_seating", "seat draw --again", {"again": True}),
    Case("move_player", "seat move {1A} 9A", {"player": "{1A}", "table": 9, "seat": "A"}),
    Case("move_player", "seat move {1A} 2A", {"player": "{1A}", "table": 2, "seat": "A"},
         (does("lock_seating", on=True),)),
    Case("move_player", "seat move 99 2A", {"player": 99, "table": 2, "seat": "A"}),
    Case("unseat", "seat remove {1A}", {"player": "{1A}"}, (does("lock_seating", on=True),)),
    Case("lock_seating", "seat lock --off", {"on": False}),
    Case("start_round", "round start", {}, CLOSED),
    Case("close_round", "round close", {}, CLOSED),
    Case("absent", "players absent 99", {"player": 99}),
    Case("withdraw", "players withdraw 99", {"player": 99}),
    Case("back", "players back 3", {"player": 3}, (does("exclude", player=3, unwarned=True),)),
    Case("warn", "players warn 99", {"player": 99}),
    Case("change_player", "players rename 99 Kret", {"player": 99, "name": "Kret"}),
    Case("consent", "players consent 3 99", {"players": [3, 99]}),
    Case("set_option", "event set nonsense 3", {"key": "nonsense", "value": "3"}),
    Case("set_option", "event set joker_points 30", {"key": "joker_points", "value": "30"},
         says="the regulation says otherwise"),
    Case("set_option", "event set date tomorrow", {"key": "date", "value": "tomorrow"}),
    Case("set_option", "event set ruleset it-classic", {"key": "ruleset", "value": "it-classic"}),
    Case("advance", "advance --players 7", {"players": 7}, on=Eliminations),
    Case("rule", "ruling decide 9 1 B undone", {"table": 9, "game": 1, "seat": "B", "verdict": "undone"}),
    Case("rule", "ruling decide 1 9 B undone", {"table": 1, "game": 9, "seat": "B", "verdict": "undone"}),
    Case("rule", "ruling decide 1 1 7 stands", {"table": 1, "game": 1, "move": 7, "verdict": "stands"}),
    Case("grant_claim", "ruling claim 1 1 7 granted", {"table": 1, "game": 1, "move": 7}),
    Case("revoke", "ruling revoke {last}", {"number": "{last}"}, (does("warn", player=3),)),
    Case("revoke", "ruling revoke 999", {"number": 999}),
    Case("tie", "ruling tie 1 99", {"players": [1, 99]}),
    Case("tie", "ruling tie {1A} {2A}", {"players": lambda state: [seated(state, 1), seated(state, 2)]}, (level,)),
    Case("undo", "undo {last} --yes", {"number": "{last}"}, (*ENTERED, does("undo")), ),
    Case("undo", "undo --yes", {}, (*ENTERED, does("undo"))),
    Case("reopen_round", "round reopen league/7", {"round": "league/7"}),
]  # fmt: skip

DONE: Final = [
    Case("draw_seating", "seat draw --again --anyway few --seed 9", {"again": True, "anyway": "few", "seed": 9}),
    Case("draw_seating", "seat draw --again --anyway few --seed 9 --playing 2",
         {"again": True, "anyway": "few", "seed": 9, "playing": [2]}, (plays(2),)),
    Case("move_player", "seat move {1A} 2B", {"player": "{1A}", "table": 2, "seat": "B"}),
    Case("move_player", "seat move {1A} 2B --playing 1,2",
         {"player": "{1A}", "table": 2, "seat": "B", "playing": [1, 2]}, (plays(1), plays(2))),
    Case("open_table", "seat move 9 new --yes", {"player": 9}, (does("sign_up", name="Kret"),)),
    Case("unseat", "seat remove {1A}", {"player": "{1A}"}),
    Case("unseat", "seat remove {1A}", {"player": "{1A}"}, (does("unseat", player="{2A}"),)),
    Case("unseat", "seat remove {2A} --playing 2", {"player": "{2A}", "playing": [2]}, (plays(2),)),
    Case("lock_seating", "seat lock", {"on": True}),
    Case("lock_seating", "seat lock --off", {"on": False}, (does("lock_seating", on=True),)),
    Case("absent", "players absent {1A} --free-seat", {"player": "{1A}", "free_seat": True}),
    Case("absent", "players absent {2A} --free-seat --playing 2", {"player": "{2A}", "free_seat": True, "playing": [2]},
         (plays(2),)),
    Case("absent", "players absent {1A}", {"player": "{1A}"},
         (does("unseat", player=lambda state: seated(state, 1, 1)),)),
    Case("present", "players present {1A}", {"player": "{1A}"}, is_so=True),
    Case("present", "players present {absent}", {"player": "{absent}"}, (does("unseat", player="{1A}"),)),
    Case("withdraw", "players withdraw 3", {"player": 3}),
    Case("back", "players back 3", {"player": 3}, (does("withdraw", player=3),)),
    Case("warn", "players warn 3", {"player": 3}),
    Case("exclude", "players exclude 3 --without-warning", {"player": 3, "unwarned": True}),
    Case("sign_up", "players add Kret", {"name": "Kret"}),
    Case("sign_up_list", "players import list.csv", {"players": [{"line": 2, "name": "Kret"}], "file": "list.csv"},
         file=("list.csv", "name\nKret\n")),
    Case("enter_results", "results import league.csv", {"games": FILED}, file=("league.csv", SHEET)),
    Case("change_player", "players rename 1 Liszka", {"player": 1, "name": "Liszka"}),
    Case("change_player", "players rename 1 Lis", {"player": 1, "name": "Lis"}, is_so=True),
    Case("consent", "players consent 3", {"players": [3]}),
    Case("consent", "players consent 3 5", {"players": [3, 5]}, (does("consent", players=[3]),)),
    Case("consent", "players consent 3", {"players": [3]}, (does("consent", players=[3]),), is_so=True),
    Case("consent", "players consent 3 --missing", {"players": [3], "missing": True},
         (does("consent", players=[3]),)),
    Case("enter_result", ENTER, RESULT),
    Case("correct_result", CORRECT, RESULT, ENTERED),
    Case("correct_closed", f"{CORRECT} --round league/1", {**RESULT, "round": "league/1"}, SECOND,
         files=("event.league-1.backup.dalej",)),
    Case("confirm_result", "results confirm 1 --yes", {"table": 1}, ENTERED),
    Case("confirm_result", "results confirm 1 --yes --round league/1", {"table": 1, "round": "league/1"}, SECOND),
    Case("reopen_result", "results reopen 1 1", {"table": 1, "game": 1}, ENTERED),
    Case("start_round", "round start --minutes 20", {"minutes": 20}),
    Case("date_round", "round date 2026-12-04 --round league/2", {"date": "2026-12-04", "round": "league/2"}, why=None),
    Case("close_round", "round close --anyway late", {"anyway": "late"}, files=("event.league-1.backup.dalej",)),
    Case("reopen_round", "round reopen league/1", {"round": "league/1"}, CLOSED),
    Case("set_hall", "centre tables North 1-2", {"hall": "North", "tables": "1-2"}),
    Case("set_hall", "centre tables North 1", {"hall": "North", "tables": "1"}, HALLS, is_so=True),
    Case("give_round", "round give", {}, HALLS),
    Case("take_round", "round take", {}, GIVEN),
    Case("set_option", "event set limit 50s", {"key": "limit", "value": "50s"}),
    Case("rule", "ruling decide 1 1 B undone", {**RULE, "verdict": "undone"}),
    Case("grant_claim", "ruling claim 1 1 B granted", RULE),
    Case("deny_claim", "ruling claim 1 1 B denied", RULE),
    Case("revoke", "ruling revoke {last}", {"number": "{last}"}, (does("rule", **RULE, verdict="undone"),)),
    Case("undo", "undo --yes", {}, (does("lock_seating", on=True),)),
    Case("undo", "undo {last} --yes --playing 1", {"number": "{last}", "playing": [1]},
         (does("move_player", player="{1A}", table=2, seat="B"), plays(1))),
    # acts on a box
    at_box("stop", "table stop 1 dispute", third_move, reason="dispute"),
    at_box("resume", "table resume 1", stands),
    at_box("set_time", "table set-time 1 7", stands, ms=7_000),
    at_box("give_time", "table give-time 1 20", stands, ms=20_000),
    at_box("restart_move", "table restart-move 1 --yes", stands),
    at_box("set_seat", "table set-seat 1 a", stands, seat="A"),
    at_box("set_bank", "table set-bank 1 3", stands, tiles=3),
    at_box("blink", "table blink 1", third_move),
    at_box("fetch", "", third_move),
    at_box("take_call", "", time_is_over, call="time_out"),
    Case("tell_table", "table tell 2 hurry", {"table": 2, "words": "hurry"}, (phone_stands,), on=WithBox),
    at_box("start", "table start 1"),
    at_box("final_lap", "table final-lap 1 round_time --yes", third_move, reason="round_time"),
    at_box("end_game", "table end-game 1 --yes", third_move),
    at_box("reopen_game", "table reopen-game 1 next_seat --yes", over, how="next_seat"),
    at_box("redeal", "table redeal 1 --yes", third_move),
    at_box("next_game", "table next-game 1", over),
    at_box("rule", "ruling decide 1 1 3 takes_invalid --tiles 5", time_is_over, game=1, move=3,
       verdict="takes_invalid", tiles=5),
    at_box("grant_claim", "ruling claim 1 1 4 granted", claims, game=1, move=4),
    at_box("deny_claim", "ruling claim 1 1 4 denied", claims, game=1, move=4),
    Case("revoke", "ruling revoke {last}", {"number": "{last}"},
         (time_is_over, does("rule", table=1, move=3, verdict="undone")), on=WithBox),
    Case("withdraw", "players withdraw {1A}", {"player": "{1A}"}, (third_move,), on=WithBox),
    Case("exclude", "players exclude {1A} --without-warning", {"player": "{1A}", "unwarned": True}, (third_move,),
         on=WithBox),
    Case("back", "players back {1A}", {"player": "{1A}"}, (third_move, does("withdraw", player="{1A}")), on=WithBox),
    Case("stop_hall", "hall stop round_break --yes", {"reason": "round_break"}, (third_move,), on=WithBox),
    Case("resume_hall", "hall resume --yes", {}, (third_move, hall_stopped), on=WithBox),
    Case("send_settings", "hall send-settings", {}, (does("set_option", key="limit", value="50s"),), on=WithBox),
    Case("restore", "", {name: (lambda state, name=name: undo_of_last(state, name))
                         for name in ("table", "epoch", "seq", "of")},
         (third_move, does("end_game", table=1), does("reopen_game", table=1, how="same_seat"),
          does("restart_move", table=1)), on=WithBox),
    Case("restore", "", {"player": 3}, of="warn"),
    Case("end_sessions", "", {"role": "referee"}),
    Case("advance", "advance", on=Eliminations),
    Case("advance", "advance --players 16", {"players": 16}, on=Eliminations),
    Case("tie", "ruling tie {1C} {1B}", {"players": lambda state: [seated(state, 1, 2), seated(state, 1, 1)]},
         (level,)),
    Case("date_round", "round date default --round league/2", {"date": "default", "round": "league/2"},
         (does("date_round", date="2026-12-04", round="league/2"),), why=None),
    Case("print", "paper sheets", {"what": "sheets", "form": "pdf"}, files=("event-sheets-1.pdf",)),
    Case("print", "paper seating --round league/1", {"what": "seating", "form": "pdf", "round": "league/1"}, SECOND,
         files=("event-seating-1.pdf",)),
    Case("print", "paper standings", {"what": "standings", "form": "pdf"}, files=("event-standings.pdf",)),
    Case("print", "paper form", {"what": "form", "form": "pdf"},
         (*(does("set_option", key=key, value=value, knowingly=True) for key, value in ONE_ROUND_WITH_A_FORM), *CLOSED),
         files=("event-form.pdf",)),
    Case("print", "paper seating --wall", {"what": "wall", "form": "pdf"}, files=("event-wall-1.pdf",)),
    Case("print", "paper numbers", {"what": "numbers", "form": "pdf"}, files=("event-numbers.pdf",)),
    Case("print", "paper results", {"what": "results", "form": "pdf"}, SECOND, files=("event-results-1.pdf",)),
    Case("print", "paper prizes", {"what": "prizes", "form": "pdf"}, SECOND, files=("event-prizes.pdf",)),
    Case("print", "paper diplomas --taking-part", {"what": "diplomas", "form": "pdf", "taking_part": True},
         (does("set_option", key="rounds", value="1", knowingly=True), *CLOSED),
         files=("event-diplomas-for-everybody.pdf",)),
    # the same acts with more of what may be said to them
    Case("enter_result", "results enter 1 1 --ended not-played", {"table": 1, "game": 1, "ended": "not_played"}),
    Case("enter_result", "results enter 1 1 A=12 B=23 C=8 D=40 --ended bank-empty",
         {"table": 1, "game": 1, "ended": "bank_empty", "racks": {"A": "12", "B": "23", "C": "8", "D": "40"}}),
    Case("correct_result", "results correct 1 1 --ended not-played",
         {"table": 1, "game": 1, "ended": "not_played"}, ENTERED),
    Case("confirm_result", "results confirm 1 --yes", {"table": 1}, (full_round,)),
    Case("reopen_result", "results reopen 1", {"table": 1}, (full_round, by_lis("confirm_result", table=1))),
    Case("sign_up", "players add Kret --group 4b --anyway let_in", {"name": "Kret", "group": "4b", "anyway": "let_in"}),
    Case("sign_up", "players add Kret", {"name": "Kret"}, (full_round, does("withdraw", player=3))),
    Case("change_player", "players rename 9 Krecik", {"player": 9, "name": "Krecik"},
         (does("sign_up", name="Kret", group="4b"),)),
    Case("withdraw", "players withdraw {1A}", {"player": "{1A}"}, why=None),
    Case("back", "players back {1A}", {"player": "{1A}"}, (does("withdraw", player="{1A}"),), why=None),
    Case("draw_seating", "seat draw --anyway few --seed 9", {"anyway": "few", "seed": 9}, CLOSED),
    Case("move_player", "seat move {1A} 1B", {"player": "{1A}", "table": 1, "seat": "B"}),
    Case("move_player", "seat move {absent} 1A", {"player": "{absent}", "table": 1, "seat": "A"},
         (does("unseat", player="{1A}"),)),
    Case("date_round", "round date 2026-12-04", {"date": "2026-12-04"}, why=None),
    Case("date_round", "round date 2026-12-04 --round league/1", {"date": "2026-12-04", "round": "league/1"}, CLOSED),
    Case("close_round", "round close --anyway few", {"anyway": "few"}, (full_round,),
         files=("event.league-1.backup.dalej",)),
    Case("set_option", "event set name Jesień", {"key": "name", "value": "Jesień"}),
    Case("set_option", "event set name Jesień", {"key": "name", "value": "Jesień"}, why=None),
    Case("set_option", "event set limit default", {"key": "limit", "value": "default"}, is_so=True),
    Case("set_option", "event set limit default", {"key": "limit", "value": "default"},
         (does("set_option", key="limit", value="50s"),)),
    Case("set_option", "event set joker_points 30 --yes", {"key": "joker_points", "value": "30", "knowingly": True}),
    Case("rule", "ruling decide 1 1 B takes_invalid --tiles 5", {**RULE, "verdict": "takes_invalid", "tiles": 5}),
    Case("rule", "ruling decide 1 1 B touched", {**RULE, "verdict": "touched"}),
    Case("rule", "ruling decide 1 1 B stands", {**RULE, "verdict": "stands"},
         (does("rule", **RULE, verdict="undone"),)),
    Case("rule", "ruling decide 1 1 B stands --another", {**RULE, "verdict": "stands", "another": True},
         (does("rule", **RULE, verdict="undone"),)),
    Case("tie", "ruling tie {1C} {1B} --stage league",
         {"players": lambda state: [seated(state, 1, 2), seated(state, 1, 1)], "stage": "league"}, (level,)),
    Case("undo", "undo {last} --yes", {"number": "{last}"}, (does("withdraw", player=3), does("warn", player=4))),
    Case("undo", "undo --yes", {}, (does("sign_up", name="Kret"),)),
    Case("advance", "advance --players 12 --anyway room", {"players": 12, "anyway": "room"}, on=Eliminations),
]  # fmt: skip
