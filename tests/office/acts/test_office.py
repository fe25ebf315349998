"""Acts that decide: their effect in the ledger, their undoing, and two people who decide on one thing."""

from __future__ import annotations

import asyncio
import json
import stat
import threading
from dataclasses import replace
from pathlib import Path
from random import Random
from typing import Any

import pytest

from dalej.domain.tournament.tournament import GONE, GameAt
from dalej.errors import DalejError, Refused
from dalej.event.event import Event
from dalej.event.ledger import Ledger
from dalej.event.reading import read
from dalej.event.roundgames import games_of_round
from dalej.office import attendance
from dalej.office.acts.catalogue import ACTS
from dalej.office.acts.hands import LocalHands
from dalej.office.acts.performer import AuditFile, FileAudit, Performer
from dalej.office.acts.players import Exclude
from dalej.office.acts.roles import Actor
from dalej.office.acts.sight import Sight, decision_named
from dalej.office.acts.wishes import WHY_MOST, Wish
from dalej.rulesets import rulebook
from moveclock import facts as k
from tests import world
from tests.office.acts.desk import ActingDesk
from tests.office.acts.office import LIS, RACKS, SOWA, WHY, Office, player_at
from tests.world import NOON, box_plays

FULL = Path("/dev/full")


@pytest.mark.parametrize(
    ("act", "args"),
    [
        ("warn", {"player": 3}), ("withdraw", {"player": 3}), ("exclude", {"player": 3, "unwarned": True}),
        ("enter_result", {"table": 1, "game": 2, "racks": RACKS}), ("lock_seating", {"on": True}),
        ("rule", {"table": 1, "game": 1, "seat": "B", "verdict": "takes_invalid", "tiles": 5}),
        ("grant_claim", {"table": 1, "game": 1, "seat": "B"}), ("deny_claim", {"table": 1, "game": 1, "seat": "B"}),
        ("start_round", {"minutes": 90}), ("set_option", {"key": "limit", "value": "50 s"}),
        ("correct_result", {"table": 1, "game": 1, "racks": {**RACKS, "B": "24"}}), ("confirm_result", {"table": 1}),
    ],
)  # fmt: skip
def test_what_was_decided_is_kept_with_its_reason_and_taken_back(
    office: Office, act: str, args: dict[str, Any]
) -> None:
    office.do("enter_result", SOWA, table=1, game=1, racks=RACKS)
    before = office.plain()

    done = office.do(act, **args)

    made = [one for one in read(office.event.ledger).decisions() if one.cursor in done.decisions]
    assert made
    assert {one.who for one in made} == {"Lis"}
    assert done.undo is not None
    assert office.plain() != before or act in ("grant_claim", "deny_claim")
    office.performer.do(LIS, done.undo)
    assert office.plain() == before
    assert all(
        one.revoked_by is not None for one in read(office.event.ledger).decisions() if one.cursor in done.decisions
    ) or (act == "lock_seating")


def test_against_the_regulation_a_setting_is_changed_only_knowingly(office: Office) -> None:
    before = office.plain()
    with pytest.raises(Refused, match=r"joker_points stays 50: the regulation says otherwise than 30 \[6m: "):
        office.do("set_option", key="joker_points", value="30")
    assert office.plain() == before

    office.do("set_option", key="joker_points", value="30", knowingly=True)

    assert office.state.ruleset.joker_points == 30


def test_6k_a_ruling_on_touched_tiles_is_told_with_its_clause_and_decided_again_so(office: Office) -> None:
    done = office.do("rule", table=1, game=1, seat="B", verdict="touched")
    (made,) = (one for one in read(office.event.ledger).decisions() if one.cursor in done.decisions)
    assert made.body["seen"] == "touched"
    assert done.undo is not None

    taken_back = office.performer.do(LIS, done.undo)

    assert taken_back.undo is not None
    assert taken_back.undo.args["verdict"] == "touched"


@pytest.mark.parametrize(
    ("act", "first", "second"),
    [
        ("rule", {"table": 1, "game": 1, "seat": "B", "verdict": "undone"}, {"verdict": "stands"}),
        ("grant_claim", {"table": 1, "game": 1, "seat": "B"}, {}),
        ("set_option", {"key": "limit", "value": "50 s"}, {"value": "60 s"}),
        ("correct_result", {"table": 1, "game": 1, "racks": RACKS}, {"racks": {**RACKS, "B": "24"}}),
    ],
)  # fmt: skip
def test_the_second_of_two_is_told_what_the_first_decided_and_may_decide_again(
    office: Office, act: str, first: dict[str, Any], second: dict[str, Any]
) -> None:
    office.do("enter_result", LIS, table=1, game=1, racks={**RACKS, "B": "30"})
    seen = office.head
    office.do(act, LIS, WHY, seen, **first)

    with pytest.raises(Refused, match="Lis has decided on this in the meantime"):
        office.do(act, SOWA, WHY, seen, **{**first, **second})

    assert office.do(act, SOWA, WHY, office.head, **{**first, **second}).decisions


def test_whoever_entered_a_result_does_not_confirm_it(office: Office) -> None:
    office.do("enter_result", LIS, table=1, game=1, racks=RACKS)

    with pytest.raises(Refused, match="somebody else must confirm it"):
        office.do("confirm_result", LIS, table=1)
    seen = office.head
    office.do("correct_result", LIS, table=1, game=1, racks={**RACKS, "B": "24"})
    with pytest.raises(Refused, match="in the meantime"):
        office.do("confirm_result", SOWA, WHY, seen, table=1)


def test_a_decision_of_somebody_else_is_not_put_back_by_a_referee(office: Office) -> None:
    done = office.do("warn", LIS, player=3)
    assert done.undo is not None

    with pytest.raises(Refused, match="is Lis's"):
        office.performer.do(Actor("Sowa", "referee"), done.undo)


def test_a_ruling_that_was_taken_back_is_decided_again_by_taking_that_back(office: Office) -> None:
    done = office.do("rule", table=1, game=1, seat="B", verdict="takes_invalid", tiles=5)
    before = office.plain()
    back = office.do("revoke", number=done.decisions[0])
    assert back.undo is not None

    office.performer.do(LIS, back.undo)

    assert office.plain() == before


def test_a_ruling_is_taken_back_whatever_others_have_decided_since_on_something_else(office: Office) -> None:
    done = office.do("rule", table=1, game=1, seat="B", verdict="undone")
    seen = office.head
    office.do("warn", SOWA, player=3)

    assert office.do("revoke", LIS, WHY, seen, number=done.decisions[0]).decisions


def test_of_two_who_take_a_ruling_back_the_second_is_told(office: Office) -> None:
    done = office.do("rule", table=1, game=1, seat="B", verdict="undone")
    seen = office.head
    office.do("revoke", SOWA, number=done.decisions[0])

    with pytest.raises(Refused, match="Sowa has decided on this in the meantime"):
        office.do("revoke", LIS, WHY, seen, number=done.decisions[0])


def test_an_order_that_was_taken_back_is_decided_again_by_taking_that_back(office: Office) -> None:
    office.do("enter_result", table=1, game=1, racks={"A": "0", "B": "9", "C": "9", "D": "30"})
    done = office.do("tie", players=[player_at(office, 1, 2), player_at(office, 1, 1)])
    before = office.plain()
    back = office.do("revoke", number=done.decisions[0])
    assert office.plain() != before
    assert back.undo is not None

    office.performer.do(LIS, back.undo)

    assert office.plain() == before


@pytest.mark.parametrize("act", ["revoke", "undo"])
def test_who_takes_a_decision_back_is_asked_about_it_by_what_it_says_and_whose_it_is(office: Office, act: str) -> None:
    number = office.do("rule", SOWA, table=1, game=1, seat="B", verdict="undone").decisions[0]
    office.do("warn", LIS, player=3)
    sight = Sight(state=office.state, decisions=read(office.event.ledger).decisions())

    assert ACTS[act].question({"number": number}, sight).startswith(f"Decision {number} is taken back: ")
    assert "undone" in ACTS[act].question({"number": number}, sight)
    assert decision_named({"number": number}, sight)["who"] == "Sowa"


def test_where_nobody_is_warned_before_nobody_asks_whether_somebody_was(office: Office) -> None:
    assert Exclude.means("unwarned", {}, office.state)
    outright = replace(office.state, ruleset=replace(office.state.ruleset, exclusion=attendance.OUTRIGHT))
    assert not Exclude.means("unwarned", {}, outright)
    assert Exclude.means("why", {}, outright)


def test_who_takes_an_order_back_at_once_leaves_the_players_level(office: Office) -> None:
    office.do("enter_result", table=1, game=1, racks={"A": "0", "B": "9", "C": "9", "D": "30"})
    before = office.plain()
    done = office.do("tie", players=[player_at(office, 1, 2), player_at(office, 1, 1)])
    assert done.undo is not None

    office.performer.do(LIS, done.undo)

    assert office.plain() == before


def test_what_was_taken_back_and_entered_anew_is_taken_back_by_the_same_hands_again(office: Office) -> None:
    """Given a screen that remembers its first step alone, when it takes that back twice, the new result goes too."""
    before = office.plain()
    done = office.do("enter_result", table=1, game=1, racks=RACKS)
    assert done.undo is not None
    office.performer.do(LIS, done.undo)
    office.do("enter_result", table=1, game=1, racks={**RACKS, "B": "24"})

    office.performer.do(LIS, done.undo)

    assert office.plain() == before


def test_who_steps_up_to_a_screen_decides_under_their_own_name(office: Office) -> None:
    hands = LocalHands(LIS, office.performer).under("Sowa")

    done = asyncio.run(hands.do(Wish("warn", {"player": 2}, WHY)))

    (made,) = (one for one in read(office.event.ledger).decisions() if one.cursor in done.decisions)
    assert (made.who, hands.actor.role) == ("Sowa", LIS.role)


def test_a_ruling_on_a_round_that_is_named_is_on_no_later_one(office: Office) -> None:
    for table in (1, 2):
        for game in range(1, 5):
            office.do("enter_result", SOWA, table=table, game=game, racks=RACKS)
    office.do("close_round")
    office.do("draw_seating", seed=3, anyway="few of us")

    done = office.do("rule", table=1, game=1, seat="B", verdict="undone", round="league/1")

    (made,) = (one for one in read(office.event.ledger).decisions() if one.cursor in done.decisions)
    assert made.body["round"] == 1


def test_a_line_of_the_audit_of_which_half_is_kept_is_told_as_a_full_disk(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    said = list[str]()
    monkeypatch.setattr("os.write", lambda _file, line: len(line) // 2)

    AuditFile(tmp_path / "event.audit.jsonl", said.append).add({"act": "warn"})

    assert said == ["the disk is full"]


def test_of_two_at_one_instant_on_one_file_one_decides_and_one_is_refused(office: Office) -> None:
    seen, told = office.head, list[object]()
    begin = threading.Barrier(2)

    def rule(name: str) -> None:
        with Ledger.open(office.event.ledger.path) as ledger:
            performer = Performer(lambda who: Event(ledger, who=who, wall_ms=lambda: NOON), lambda _line: None)
            wish = Wish("rule", {"table": 1, "game": 1, "seat": "B", "verdict": "undone"}, WHY, seen)
            begin.wait(10)
            try:
                told.append(performer.do(Actor(name, "referee"), wish))
            except DalejError as refusal:
                told.append(refusal)

    threads = [threading.Thread(target=rule, args=(name,)) for name in ("Lis", "Sowa")]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(30)
    assert sorted(type(one).__name__ for one in told) == ["Done", "Refused"]


def test_the_audit_keeps_a_line_for_each_act_and_refusal_and_a_full_disk_fails_no_act(
    office: Office, tmp_path: Path
) -> None:
    file, said = tmp_path / "event.audit.jsonl", list[str]()
    performer = Performer(
        lambda who: Event(office.event.ledger, who=who, wall_ms=office.wall), FileAudit(AuditFile(file, said.append))
    )
    performer.do(LIS, Wish("warn", {"player": 2}, WHY))
    with pytest.raises(Refused):
        performer.do(Actor("Jeż", "public"), Wish("warn", {"player": 2}, WHY))

    lines = [json.loads(line) for line in file.read_text(encoding="utf-8").splitlines()]
    assert [(line["name"], line["role"], line["act"], line["refused"] is None) for line in lines] == [
        ("Lis", "organiser", "warn", True), ("Jeż", "public", "warn", False),
    ]  # fmt: skip
    assert stat.S_IMODE(file.stat().st_mode) == 0o600

    file.unlink()
    file.mkdir()
    for number in (3, 4):
        performer.do(LIS, Wish("warn", {"player": number}, WHY))
    assert len(said) == 1
    assert len(office.state.players[4].warnings) == 1


def test_the_audit_names_by_their_numbers_what_was_decided_and_what_a_box_was_asked(
    desk: ActingDesk, tmp_path: Path
) -> None:
    file = tmp_path / "event.audit.jsonl"
    performer = Performer(desk.event, FileAudit(AuditFile(file, pytest.fail)))

    done = performer.do(LIS, Wish("withdraw", {"player": world.player_at(desk.event().state(), 1, k.SEAT_A)}, WHY))

    (line,) = [json.loads(line) for line in file.read_text(encoding="utf-8").splitlines()]
    assert [one.cursor for one in read(desk.place.ledger).decisions() if one.kind == GONE] == line["decisions"]
    assert [one.id for one in desk.place.ledger.open_requests()] == line["requests"] == [*done.requests]
    assert len(line["requests"]) == 2


@pytest.mark.skipif(not FULL.exists(), reason="only Linux has a disk that is always full")
def test_a_disk_that_is_full_fails_no_act_and_is_said_once(office: Office) -> None:
    said = list[str]()
    performer = Performer(
        lambda who: Event(office.event.ledger, who=who, wall_ms=office.wall), FileAudit(AuditFile(FULL, said.append))
    )

    for number in (3, 4):
        performer.do(LIS, Wish("warn", {"player": number}, WHY))

    assert said == ["the disk is full"]
    assert len(office.state.players[4].warnings) == 1


def test_a_round_is_played_and_closed_by_acts_alone(office: Office) -> None:
    games = range(1, office.state.plan[0].games + 1)
    for table in (1, 2):
        for game in games:
            office.do("enter_result", LIS, table=table, game=game, racks=RACKS)
        office.do("confirm_result", SOWA, table=table)
    done = office.do("close_round")

    assert (office.event.ledger.path.parent / str(done.data["file"])).exists()
    office.do("reopen_round")
    assert office.state.current is not None
    assert office.state.current.closed is None
    assert games_of_round(read(office.event.ledger), office.state, office.state.current.key) == {}
    assert GameAt(1, 1) in office.state.current.results


def test_whoever_closes_a_round_by_any_screen_is_told_what_was_open(office: Office) -> None:
    for number in (1, 2):
        office.do("enter_result", LIS, table=number, game=1, racks=RACKS)
    office.do("confirm_result", SOWA, table=2)
    box_plays(office.event, 2)
    said = str(office.do("close_round", anyway="time is over"))

    assert said.startswith("League, round 1 is closed; a copy is in ")
    assert said.endswith("Note – not confirmed by a second person: table 1; a box still plays: table 2.")


@pytest.mark.parametrize(
    ("tables", "told"),
    [
        ([1], "A box still plays a game from before it: table 1."),
        ([1, 2], "Boxes that still play a game from before it: tables 1, 2."),
    ],
)
def test_whoever_starts_a_round_is_told_where_a_game_of_the_one_before_goes_on(
    office: Office, tables: list[int], told: str
) -> None:
    for table in tables:
        box_plays(office.event, table)
    assert str(office.do("start_round", minutes=40)) == "League, round 1 has begun: 40 minutes."
    office.do("close_round", anyway="time is over")
    office.do("draw_seating", seed=4)
    said = str(office.do("start_round", minutes=40))

    assert said == f"League, round 2 has begun: 40 minutes. {told}"


@pytest.mark.parametrize("key", ["ruleset", " Ruleset ", "regulamin", "regolamento"])
def test_a_screen_chooses_among_the_rulesets_of_dalej_and_reads_no_file_of_this_computer(
    office: Office, tmp_path: Path, key: str
) -> None:
    file = tmp_path / "ours.toml"
    rulebook.copy("school-league", file)

    with pytest.raises(Refused, match="not one in a file") as refused:
        office.do("set_option", key=key, value=str(file))
    assert (
        str(refused.value.hint) == "dalej event set EVENT ruleset FILE chooses one in a file"
    )  # for the command line alone
    with pytest.raises(Refused) as late:
        office.do("set_option", key=key, value="it-classic")  # read, and then too late: somebody sits already
    assert "is chosen with" not in late.value.template


def test_a_reason_as_long_as_can_be_kept_stops_nobody_from_taking_it_back(office: Office) -> None:
    done = office.do("warn", LIS, "x" * WHY_MOST, player=1)
    assert done.undo is not None
    assert office.performer.do(LIS, done.undo).decisions


def test_of_several_who_are_signed_up_or_miss_the_round_all_are_taken_back(office: Office) -> None:
    office.do("close_round", anyway="time is over")
    for act, args in (
        ("sign_up_list", {"players": [{"line": 2, "name": "Kret"}, {"line": 3, "name": "Kos"}]}),
        ("absent", {"players": [1, 2, 3]}),
    ):
        before = office.state.players, office.state.current
        done = office.do(act, **args)
        assert done.undo is not None
        office.performer.do(LIS, done.undo)
        assert (office.state.players, office.state.current) == before


def test_the_final_form_that_an_act_writes_is_read_by_its_owner_alone(tmp_path: Path) -> None:
    with world.an_event(tmp_path, games="1", rounds="1", form_players="3") as event:
        world.play(event, Random(1))
        world.close(event)

        Performer(event.by, lambda _line: None).do(LIS, Wish("print", {"what": "form", "form": "pdf"}))

    assert stat.S_IMODE((tmp_path / "event-form.pdf").stat().st_mode) == 0o600
