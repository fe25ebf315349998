"""A call is a question to whoever comes, and each answer says what it comes to."""

from __future__ import annotations

from dataclasses import replace

import pytest

from dalej.domain.game.facts import SEATS
from dalej.event.ledger import Decision
from dalej.office.rulings import Verdict
from dalej.views.callwords import comes_to, question, verdict_words
from dalej.views.offers import asked_briefly, asks, for_alert, likely
from dalej.views.rows import Alert, AlertKind, Row
from tests.views.decided import decided

NAMES = ("Wilk", "Jeż", "Sowa", "Kuna")
B, C = SEATS.index("B"), SEATS.index("C")


def a_table(state: str, reason: str | None = None, seat: int = C, left_ms: int = 38_000) -> Row:
    return Row(
        table=3, box="a00000000003", called="3", state=state, reason=reason, seat=seat, name=NAMES[seat],
        left_ms=left_ms, limit_ms=40_000, game=1, move=3, move_at_least=False, bank=50, names=NAMES, seats=15, out=0,
        penalties=(0, 0, 0, 0), final_lap=False, lag=0, way="link", age_ms=0, stale=False, moves_on=False, alerts=(),
    )  # fmt: skip


def a_call(kind: AlertKind, *, seat: int = B, denied: bool = False) -> Alert:
    return Alert(3, kind, seat, 2, 14_000, True, True, denied)


def test_a_time_out_asks_what_was_seen() -> None:
    assert question(a_call("time_out"), a_table("expired", seat=B)) == ("Jeż (B): what did you see at the table?")


def test_a_claim_names_who_claims_and_each_answer_whose_move_it_changes() -> None:
    row, call = a_table("stopped", "early_click"), a_call("early_click")
    row = replace(row, alerts=(call,))

    assert question(call, row) == ("Jeż (B): Dalej before taking the tile?")
    assert {one.act.name: one.comes_to for one in for_alert("referee", row, call)} == {
        "grant_claim": "Sowa (C) begins the move anew with its full time, at once.",
        "deny_claim": "Sowa (C) goes on with the 0:38 that are left, at once.",
        "resume": "",
    }


def test_a_claim_that_is_answered_asks_for_its_clock_alone() -> None:
    row, call = a_table("stopped", "early_click"), a_call("early_click", denied=True)

    assert question(call, row) == "The claim is answered. The clock still stands: let it go on."
    assert comes_to("resume", call, row) == "Nothing else changes: Sowa (C) goes on with 0:38."
    assert comes_to("resume", replace(call, denied=False), row, answered=True) == ""


def test_a_dispute_says_whose_move_it_is_about_and_who_is_to_move_now() -> None:
    row, call = a_table("stopped", "dispute"), a_call("dispute")

    assert question(call, row) == ("Dispute about the move of Jeż (B). By now Sowa (C) is to move.")
    own = replace(row, seat=B)
    assert "By now" not in question(call, own), "the disputed move is still the one at work"
    assert comes_to("resume", call, row) == "Nothing else changes: Sowa (C) goes on with 0:38."
    assert asks(call, row) == question(call, row)


def test_a_claim_whose_answer_is_taken_back_is_asked_about_again() -> None:
    call = replace(a_call("stands"), move=3, told=("c1", 1, 40))
    row = replace(a_table("stopped", "referee"), alerts=(call,))
    answer = Decision(7, "claim", None, {"of": ["c1", 1, 40], "table": 3, "granted": True}, "Sowa", 0, "", None, None)

    assert "taken back" not in asks(call, row, decided(answer))
    again = asks(call, row, decided(replace(answer, revoked_by=8)))
    assert again == "The answer to the claim was taken back. Did Dalej come before the tile?"
    other = replace(row, alerts=(replace(call, told=("c1", 1, 90)),))
    earlier = decided(replace(answer, revoked_by=8))
    assert "taken back" not in asks(other.alerts[0], other, earlier), "that was the claim of another move"
    offers = for_alert("referee", row, call, page=decided(replace(answer, revoked_by=8)))
    assert [one.act.name for one in offers if not one.why_not][:2] == ["grant_claim", "deny_claim"]
    answers = likely(offers, call, row)
    assert [one.words for one in answers] == ["yes → fresh move: Sowa (C)", "no → Sowa (C) plays on: 0:38"]
    assert asked_briefly(answers, call, row) == "Jeż (B): Dalej before taking the tile?", (
        "it says whom the claim accuses"
    )
    assert asked_briefly(answers, replace(call, seat=row.seat), row) == "Dalej before taking the tile?"


@pytest.mark.parametrize(
    ("reason", "kind", "left_ms", "says"),
    [
        (
            "early_click", "early_click", 38_000,
            {"grant_claim": "yes → fresh move: Sowa (C)", "deny_claim": "no → Sowa (C) plays on: 0:38"},
        ),
        (
            "dispute", "dispute", 38_000,
            {"resume": "nothing wrong → Sowa (C) plays on: 0:38",
             "set_seat": "mistaken click → Jeż (B) plays on: 0:38"},
        ),
        (
            "dispute", "dispute", 0,
            {"resume": "nothing wrong → the time of Sowa (C) is over",
             "set_seat": "mistaken click → Jeż (B) plays on: 0.0"},
        ),
        ("referee", "referee", 38_000, {"resume": "Sowa (C) plays on: 0:38"}),
        ("box_lost_power", "power_lost", 38_000, {"resume": "Sowa (C) plays on: 0:38"}),
    ],
)  # fmt: skip
def test_the_answers_that_are_nearly_always_given_say_what_they_come_to(
    reason: str, kind: AlertKind, left_ms: int, says: dict[str, str]
) -> None:
    call = a_call(kind)
    row = replace(a_table("stopped", reason, left_ms=left_ms), alerts=(call,))
    answers = likely(for_alert("referee", row, call), call, row)
    assert {one.act.name: one.words for one in answers} == says
    assert bool(asked_briefly(answers, call, row)) is (kind == "early_click")


def test_a_disputed_move_of_whoever_is_to_move_is_given_back_to_nobody() -> None:
    call = a_call("dispute", seat=C)
    row = replace(a_table("stopped", "dispute"), alerts=(call,))
    assert [one.act.name for one in likely(for_alert("referee", row, call), call, row)] == ["resume"]


def test_a_dispute_in_a_move_that_runs_says_when_its_clock_stops() -> None:
    row, call = a_table("running", seat=B), a_call("dispute")

    assert question(call, row) == "Dispute about the move of Jeż (B): the clock stops when that move ends."
    assert comes_to("stop", call, row) == "At once, not only when this move ends."
    assert comes_to("resume", call, row) == "", "nothing of what it would come to is true while the clock runs"


def test_nobody_goes_on_with_no_time_left_where_the_late_move_waits_for_its_verdict() -> None:
    assert comes_to("resume", a_call("dispute"), a_table("stopped", "dispute", left_ms=0)) == (
        "Nothing else changes: the time of Sowa (C) is over, and the table waits for the verdict."
    )


def test_an_answer_lets_the_clock_go_on_and_a_dispute_offers_whose_move_it_was_first() -> None:
    row, call = a_table("stopped", "dispute"), a_call("dispute")
    known = {one.act.name: one.args for one in for_alert("referee", row, call)}

    assert (known["set_seat"]["seat"], known["set_seat"]["goes_on"]) == ("B", True)
    assert known["restart_move"]["goes_on"] is known["set_time"]["goes_on"] is True
    runs = {one.act.name: one.args for one in for_alert("referee", a_table("running", seat=B), call)}
    assert "goes_on" not in runs["set_time"]


@pytest.mark.parametrize(
    ("kind", "state", "reason", "words"),
    [
        ("stands", "stopped", "referee",
         "The clock was stopped from the desk. It is Sowa (C)'s move, with 0:38 left. What have you decided?"),
        ("referee", "stopped", "referee", "The referee is called: the clock stands. What have you decided?"),
        ("referee", "ready", None, "The table calls the referee; no clock is stopped for that."),
        ("power_lost", "stopped", "box_lost_power",
         "The box was without power: the clock stands at what was left for Sowa (C). What have you decided?"),
        ("silent", "running", None,
         "Nothing heard for 14 s: what is shown is old. The game may well go on there: somebody should look."),
    ],
)  # fmt: skip
def test_every_other_call_says_what_goes_on(kind: AlertKind, state: str, reason: str | None, words: str) -> None:
    assert question(a_call(kind), a_table(state, reason)) == words


def test_what_was_seen_says_what_is_ruled_by_it_and_what_that_costs() -> None:
    undone, unknown = Verdict("undone", 1, "", "touched"), Verdict("takes_invalid", None, "")

    assert verdict_words("touched", undone) == "→ undone, penalty tiles by the rules: 1"
    assert verdict_words("undone", undone) == "penalty tiles by the rules: 1"
    assert verdict_words("takes_invalid", unknown) == "tiles not counted yet"
