"""What a person decides is the same decision on a screen and on the command line: refused with the same sentence, and
done with the same entries in the event. Every act that both routes have is played by both, from the same state.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

import pytest

from dalej.acts.catalogue import ACTS
from dalej.acts.reasons import WHY_MOST
from dalej.cli import table
from dalej.errors import DalejError
from dalej.ledger import ASSIGN, Ledger
from dalej.words import said
from tests.acts.test_office import LIS, RACKS, SOWA, WHY, Office
from tests.acts.test_seats_in_play import box_plays, player_at
from tests.cli.conftest import Program

EVENT: Final = "event.dalej"
TYPED: Final = ("A=0", "B=23+j", "C=-", "D=12,7")
BOOK: Final = "x" * (WHY_MOST + 1)
NO_COMMAND: Final = {
    "stop_hall", "resume_hall",  # what a whole hall is told, a screen tells it
    "send_settings", "end_sessions", "restore",
    "fetch",  # what a call asks of its box
    "print",  # beside the event; `dalej paper` writes where it is told
}  # fmt: skip

Step = Callable[[Office], object]


@dataclass(frozen=True)
class Case:
    """An act with its arguments, and what is typed behind the event in its place. In both, {one} and {two} are who sits
    at 1A and 2A, {last} is the last decision's number. `why` None: no reason is given.
    """

    act: str
    words: str
    args: Mapping[str, Any] = field(default_factory=dict)
    before: tuple[Step, ...] = ()
    why: str | None = WHY
    says: str = ""  # a part of the sentence that refuses it


def named(cases: list[Case]) -> list[str]:
    """By number and act: several are of one act, in other states."""
    return [f"{number}-{case.act}" for number, case in enumerate(cases, start=1)]


def filled(office: Office, value: Any) -> Any:
    """With the numbers that are meant."""
    if not isinstance(value, str) or not value.startswith("{"):
        return value
    if value == "{last}":
        return [one.cursor for one in office.event.ledger.decisions() if one.kind != ASSIGN][-1]
    return player_at(office, {"{one}": 1, "{two}": 2}[value])


def does(act: str, **args: Any) -> Step:
    return lambda office: office.do(act, SOWA, **{name: filled(office, value) for name, value in args.items()})


def plays(number: int, *, over: bool = False) -> Step:
    return lambda office: box_plays(office, number, over=over)


def full_round(office: Office) -> None:
    for number in (1, 2):
        for game in range(1, 5):
            office.do("enter_result", SOWA, table=number, game=game, racks=RACKS)


CLOSED: Final = (full_round, does("close_round"))
SECOND: Final = (*CLOSED, does("draw_seating", seed=3))
ENTERED: Final = (does("enter_result", table=1, game=1, racks=RACKS),)
RULE: Final = {"table": 1, "game": 1, "seat": "B"}
RESULT: Final = {"table": 1, "game": 1, "racks": RACKS}
ENTER: Final = f"results enter 1 1 {' '.join(TYPED)}"

REFUSED: Final = [
    # tables that play, or have played
    Case("unseat", "seat remove {two}", {"player": "{two}"}, (plays(2, over=True),), says="who played it stays"),
    Case("unseat", "seat remove {two}", {"player": "{two}"}, (plays(2),), says="goes on at these tables: 2;"),
    Case("move_player", "seat move {one} 2B", {"player": "{one}", "table": 2, "seat": "B"}, (plays(2),),
         says="goes on at these tables: 2;"),
    Case("move_player", "seat move {one} 2B", {"player": "{one}", "table": 2, "seat": "B"}, (plays(1, over=True),),
         says="who played it stays"),
    Case("open_table", "seat move 9 new --yes", {"player": 9}, (does("sign_up", name="Kret"), plays(2)),
         says="goes on at these tables: 2;"),
    Case("draw_seating", "seat draw --again --anyway few", {"again": True, "anyway": "few"}, (plays(2),),
         says="these tables have begun to play: 2;"),
    Case("draw_seating", "seat draw --again --anyway few", {"again": True, "anyway": "few"}, (plays(1, over=True),),
         says="these tables have begun to play: 1;"),
    Case("undo", "undo {last} --yes", {"number": "{last}"},
         (does("move_player", player="{one}", table=2, seat="B"), plays(1)), says="goes on at these tables: 1;"),
    Case("undo", "undo --yes", {}, (does("move_player", player="{one}", table=2, seat="B"), plays(1, over=True)),
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
    Case("correct_result", f"{ENTER} --correct", RESULT, ENTERED, why=" "),
    Case("reopen_result", "results reopen 1 1", {"table": 1, "game": 1}, ENTERED, why=" "),
    Case("reopen_round", "round reopen league/1", {"round": "league/1"}, CLOSED, why=" "),
    *(Case(act, words, {"player": 3}, why=BOOK) for act, words in (
        ("withdraw", "players withdraw 3"), ("absent", "players absent 3"), ("warn", "players warn 3"),
    )),
    # what the event does not allow
    Case("unseat", "seat remove 1", {"player": 1}, (does("unseat", player=1),)),
    Case("open_table", "seat move {one} new --yes", {"player": "{one}"}),
    Case("draw_seating", "seat draw --anyway few", {"anyway": "few"}),
    Case("lock_seating", "seat lock", {"on": True}, (does("lock_seating", on=True),)),
    Case("absent", "players absent {one}", {"player": "{one}"}),
    Case("present", "players present {one}", {"player": "{one}"}, (does("withdraw", player="{one}"),)),
    Case("withdraw", "players withdraw 3", {"player": 3}, (does("exclude", player=3, unwarned=True),)),
    Case("exclude", "players exclude 3", {"player": 3}),
    Case("back", "players back 3", {"player": 3}),
    Case("warn", "players warn 3", {"player": 3}, (does("withdraw", player=3),)),
    Case("sign_up", "players add sowa", {"name": "sowa"}),
    Case("change_player", "players rename 1 SOWA", {"player": 1, "name": "SOWA"}),
    Case("enter_result", ENTER, RESULT, ENTERED),
    Case("enter_result", "results enter 1 5 A=0 B=1 C=2 D=3",
         {"table": 1, "game": 5, "racks": {"A": "0", "B": "1", "C": "2", "D": "3"}}),
    Case("enter_result", "results enter 1 1 A=0 B=0 C=2 D=3",
         {"table": 1, "game": 1, "racks": {"A": "0", "B": "0", "C": "2", "D": "3"}}),
    Case("enter_result", "results enter 3 1 A=0 B=1 C=2 D=3",
         {"table": 3, "game": 1, "racks": {"A": "0", "B": "1", "C": "2", "D": "3"}}),
    Case("enter_result", f"{ENTER} --round league/1", {**RESULT, "round": "league/1"}, CLOSED),
    Case("correct_result", f"{ENTER} --correct", RESULT),
    Case("confirm_result", "results confirm 1 --yes --who lis", {"table": 1},
         (lambda office: office.do("enter_result", LIS, **RESULT),)),
    Case("reopen_result", "results reopen 1 1", {"table": 1, "game": 1}),
    Case("reopen_result", "results reopen 1 1 --round league/1", {"table": 1, "game": 1, "round": "league/1"}, CLOSED),
    Case("start_round", "round start"),
    Case("date_round", "round date tomorrow", {"date": "tomorrow"}),
    Case("date_round", "round date 2026-12-04 --round league/9", {"date": "2026-12-04", "round": "league/9"}),
    Case("close_round", "round close"),
    Case("reopen_round", "round reopen league/1", {"round": "league/1"}),
    Case("reopen_round", "round reopen league/1", {"round": "league/1"}, SECOND),
    Case("advance", "advance"),
    Case("set_option", "event set closed maybe", {"key": "closed", "value": "maybe"}),
    Case("set_option", "event set jokers 3 --yes", {"key": "jokers", "value": "3"}, CLOSED),
    Case("rule", "ruling decide 3 1 B undone", {"table": 3, "game": 1, "seat": "B", "verdict": "undone"}),
    Case("revoke", "ruling revoke 1", {"number": 1}),
    Case("tie", "ruling tie 1 1", {"players": [1, 1]}),
    Case("undo", "undo 999 --yes", {"number": 999}),
]  # fmt: skip

DONE: Final = [
    Case("draw_seating", "seat draw --again --anyway few --seed 9", {"again": True, "anyway": "few", "seed": 9}),
    Case("draw_seating", "seat draw --again --anyway few --seed 9 --playing 2",
         {"again": True, "anyway": "few", "seed": 9, "playing": [2]}, (plays(2),)),
    Case("move_player", "seat move {one} 2B", {"player": "{one}", "table": 2, "seat": "B"}),
    Case("move_player", "seat move {one} 2B --playing 1,2",
         {"player": "{one}", "table": 2, "seat": "B", "playing": [1, 2]}, (plays(1), plays(2))),
    Case("open_table", "seat move 9 new --yes", {"player": 9}, (does("sign_up", name="Kret"),)),
    Case("unseat", "seat remove {one}", {"player": "{one}"}),
    Case("unseat", "seat remove {one}", {"player": "{one}"}, (does("unseat", player="{two}"),)),
    Case("unseat", "seat remove {two} --playing 2", {"player": "{two}", "playing": [2]}, (plays(2),)),
    Case("lock_seating", "seat lock", {"on": True}),
    Case("lock_seating", "seat lock --off", {"on": False}, (does("lock_seating", on=True),)),
    Case("absent", "players absent {one}", {"player": "{one}"},
         (lambda office: does("unseat", player=player_at(office, 1, 1))(office),)),
    Case("present", "players present {one}", {"player": "{one}"}),
    Case("withdraw", "players withdraw 3", {"player": 3}),
    Case("back", "players back 3", {"player": 3}, (does("withdraw", player=3),)),
    Case("warn", "players warn 3", {"player": 3}),
    Case("exclude", "players exclude 3 --without-warning", {"player": 3, "unwarned": True}),
    Case("sign_up", "players add Kret", {"name": "Kret"}),
    Case("change_player", "players rename 1 Liszka", {"player": 1, "name": "Liszka"}),
    Case("change_player", "players rename 1 Lis", {"player": 1, "name": "Lis"}),
    Case("enter_result", ENTER, RESULT),
    Case("correct_result", f"{ENTER} --correct", RESULT, ENTERED),
    Case("correct_result", f"{ENTER} --correct --round league/1", {**RESULT, "round": "league/1"}, SECOND),
    Case("confirm_result", "results confirm 1 --yes", {"table": 1}, ENTERED),
    Case("confirm_result", "results confirm 1 --yes --round league/1", {"table": 1, "round": "league/1"}, SECOND),
    Case("reopen_result", "results reopen 1 1", {"table": 1, "game": 1}, ENTERED),
    Case("start_round", "round start --minutes 20", {"minutes": 20}),
    Case("date_round", "round date 2026-12-04 --round league/2", {"date": "2026-12-04", "round": "league/2"}, why=None),
    Case("close_round", "round close --anyway late", {"anyway": "late"}),
    Case("reopen_round", "round reopen league/1", {"round": "league/1"}, CLOSED),
    Case("set_option", "event set limit 50s", {"key": "limit", "value": "50s"}),
    Case("rule", "ruling decide 1 1 B undone", {**RULE, "verdict": "undone"}),
    Case("grant_claim", "ruling claim 1 1 B granted", RULE),
    Case("deny_claim", "ruling claim 1 1 B denied", RULE),
    Case("revoke", "ruling revoke {last}", {"number": "{last}"}, (does("rule", **RULE, verdict="undone"),)),
    Case("undo", "undo --yes", {}, (does("lock_seating", on=True),)),
    Case("undo", "undo {last} --yes --playing 1", {"number": "{last}", "playing": [1]},
         (does("move_player", player="{one}", table=2, seat="B"), plays(1))),
]  # fmt: skip
TAKE_WHY: Final = (
    "undo", "players withdraw", "players back", "players warn", "players exclude", "players absent", "players present",
    "players rename", "results reopen", "round reopen", "ruling", "event set",
)  # fmt: skip


@pytest.fixture
def office(tmp_path: Path) -> Iterator[Office]:
    office = Office(tmp_path)
    yield office
    office.event.ledger.close()


def typed(office: Office, case: Case, event: str) -> list[str]:
    """The command with its event, its author and its reason."""
    words = [str(filled(office, word)) for word in case.words.split()]
    group = 1 if words[0] in ("undo", "advance") else 2
    whole = [*words[:group], event, *words[group:]]
    if case.why is not None and (case.words.startswith(TAKE_WHY) or "--correct" in words):
        whole += ["--why", case.why]
    return whole if "--who" in words else [*whole, "--who", "Lis"]


def wish(office: Office, case: Case) -> None:
    office.do(case.act, LIS, case.why or "", **{name: filled(office, value) for name, value in case.args.items()})


@pytest.mark.parametrize("case", REFUSED, ids=named(REFUSED))
def test_what_a_screen_refuses_the_command_line_refuses_with_the_same_sentence(
    office: Office, dalej: Program, case: Case
) -> None:
    for step in case.before:
        step(office)
    head = office.head
    command = typed(office, case, EVENT)

    with pytest.raises(DalejError) as why:
        wish(office, case)
    done = dalej(*command)

    assert (done.code, office.head) == (1, head)
    sentence = said(why.value)
    assert done.err.startswith(sentence), "what follows is what may be typed"
    assert case.says in sentence


@pytest.mark.parametrize("case", DONE, ids=named(DONE))
def test_what_a_screen_does_the_command_line_does_with_the_same_entries(
    office: Office, dalej: Program, tmp_path: Path, case: Case
) -> None:
    for step in case.before:
        step(office)
    head, copy = office.head, tmp_path / "copy.dalej"
    command = typed(office, case, copy.name)
    office.event.ledger.backup(copy, overwrite=True)

    wish(office, case)
    done = dalej(*command)

    assert done.code == 0, done.err
    with Ledger.open(copy) as ledger:
        assert entries(ledger, head) == entries(office.event.ledger, head)


def entries(ledger: Ledger, after: int) -> list[object]:
    return [
        (one.cursor, one.kind, one.subject, one.body, one.who, one.why, one.revokes)
        for one in ledger.decisions() if one.cursor > after
    ]  # fmt: skip


def test_every_act_of_the_catalogue_is_played_by_both_routes_or_has_but_one() -> None:
    of_tables = {act.name for act in ACTS.values() if act.about == "table" and act.offered}
    made = {name.replace("-", "_") for name in table.command().commands}
    played = {case.act for case in REFUSED} & ({case.act for case in DONE} | {"advance", "tie"})

    assert made <= of_tables, "a command made of the act, done by the same performer"
    assert ACTS.keys() - made - NO_COMMAND == played
