"""Who may do what: every role and every act, and whatever a hostile socket may send as a wish."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dalej.domain.tournament.tournament import Tournament
from dalej.errors import DalejError, Refused, WrongInput
from dalej.event.event import Event
from dalej.event.ledger import Ledger
from dalej.office.acts.act import Act
from dalej.office.acts.catalogue import ACTS, allowed, allowed_in
from dalej.office.acts.performer import Line, Performer
from dalej.office.acts.roles import ROLES, Actor, Role
from dalej.office.acts.wishes import Wish
from dalej.words import who_said
from tests.tui.languages import speaking
from tests.world import draw, new_event
from tools.roles import PAGES, page

SAYS_ENOUGH = ("draw_seating", "lock_seating", "advance", "close_round", "start_round", "undo")  # an empty wish does it
SERVED = {"end_sessions"}  # done by whoever serves the web


@pytest.fixture(scope="module")
def event(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Event]:
    event = new_event(tmp_path_factory.mktemp("acts"), "school-league", 8)
    draw(event)
    yield event
    event.ledger.close()


def performer(ledger: Ledger, lines: list[Line]) -> Performer:
    return Performer(lambda who: Event(ledger, who=who, wall_ms=lambda: 1), lines.append)


def test_every_act_says_itself_what_it_does_but_what_is_done_by_whoever_serves() -> None:
    assert {name for name, act in ACTS.items() if act.do is Act.do} == SERVED


def test_what_is_for_several_halls_is_offered_at_the_centre_of_such_an_event(event: Event) -> None:
    of_halls = {name for name, act in ACTS.items() if act.of_halls and act.offered}
    assert of_halls
    alone = event.state()
    halls = replace(alone, halls={"North": frozenset({1})})

    def offered(state: Tournament | None) -> set[str]:
        return {act.name for act in allowed_in(state, "organiser")} & of_halls

    assert offered(halls) == of_halls
    assert [offered(one) for one in (None, alone, replace(halls, home="North"))] == [set()] * 3


def test_what_is_not_on_offer_is_on_no_menu() -> None:
    assert {act.name for act in ACTS.values()} - {act.name for act in allowed("organiser")} == {
        "restore",
        "fetch",
        "sign_up_list",
        "enter_results",
        "correct_closed",
        "take_call",
        "write_racks",
        "agree_racks",
        "read_word",
        "set_hall",
    }


@pytest.mark.parametrize("role", ROLES)
@pytest.mark.parametrize("act", [act for act in ACTS if act not in SAYS_ENOUGH])
def test_a_role_is_refused_what_it_may_not_do_before_anything_is_read(act: str, role: Role, event: Event) -> None:
    lines: list[Line] = []
    before = event.ledger.head()

    with pytest.raises(DalejError) as refused:
        performer(event.ledger, lines).do(Actor("Lis", role), Wish(act))

    if role not in ACTS[act].roles:
        assert isinstance(refused.value, Refused)
        assert f"not with the role {role}" in str(refused.value)
    else:
        assert "not with the role" not in str(refused.value)
    assert event.ledger.head() == before
    assert [(line.wish.act, line.done, line.refusal) for line in lines] == [(act, None, refused.value)]


def test_logging_everybody_out_is_refused_where_nobody_serves_the_web(event: Event) -> None:
    with pytest.raises(Refused, match="only over the web"):
        performer(event.ledger, []).do(Actor("Lis", "organiser"), Wish("end_sessions"))


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=5,
)
NAMES = sorted(
    {ask.name for act in ACTS.values() for ask in act.asks()} | {"numbers", "epoch", "seq", "requests", "stage"}
)
LIKELY = st.integers(0, 5) | st.sampled_from(
    ["A", "B", "E", "referee", "stands", "same_seat", "league/1", "limit", "40 s", "0", "23+j", "-", "\0", "\ud800"]
)
RACKS = st.dictionaries(st.sampled_from("ABCDE"), LIKELY | st.text(max_size=4), max_size=4)


@given(
    st.sampled_from([*ACTS, "drop_tables", ""]), st.dictionaries(st.sampled_from(NAMES), LIKELY | RACKS | JSON),
    st.text(max_size=5) | st.just("\ud800") | st.just("w" * 501), st.integers(),
)  # fmt: skip
def test_whatever_is_wished_is_done_or_refused_in_words(
    event: Event, act: str, args: dict[str, object], why: str, seen: int
) -> None:
    lines: list[Line] = []
    try:
        wish = Wish(act, args, why, seen)  # type: ignore[arg-type]  # nothing has looked at the arguments yet
        done = performer(event.ledger, lines).do(Actor("Lis", "organiser"), wish)
        said = str(done)
    except DalejError as refusal:
        said = str(refusal)
    assert said
    assert len(lines) == 1


def test_an_act_that_needs_a_reason_is_not_done_without_one(event: Event) -> None:
    silent: list[str] = []
    for act in ACTS.values():
        if act.why:
            with pytest.raises(WrongInput, match="say why"):
                performer(event.ledger, []).do(Actor("Lis", "organiser"), Wish(act.name, {}, "  "))
            silent.append(act.name)
    assert {"rule", "set_time", "restore"} <= {*silent}


@pytest.mark.parametrize("language", PAGES)
def test_the_page_of_roles_is_current(language: str) -> None:
    assert PAGES[language].read_text(encoding="utf-8") == page(language), "run `python -m tools.roles --update`"


@pytest.mark.parametrize("act", SAYS_ENOUGH)
@pytest.mark.parametrize("role", ["public", "referee"])
def test_what_only_organisers_decide_is_refused_to_others(act: str, role: Role, event: Event) -> None:
    with pytest.raises(Refused, match=f"not with the role {role}"):
        performer(event.ledger, []).do(Actor("Lis", role), Wish(act, why="because"))


def test_the_role_behind_a_name_is_shown_in_the_reader_s_language_and_kept_in_one() -> None:
    who = Actor("Sowa", "referee", served=True).who
    assert who == "Sowa (referee)"
    for language, shown in (("en", "Sowa (referee)"), ("pl", "Sowa (sędzia)"), ("it", "Sowa (arbitro)")):
        with speaking(language):
            assert who_said(who) == shown
            assert who_said("Gęś (5b)") == "Gęś (5b)"
