"""Who is logged in, for how long, and that a name is a name."""

from __future__ import annotations

import os

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dalej.clock import ManualClock
from dalej.errors import Refused, WrongInput
from dalej.office.acts.roles import Actor, Role
from dalej.web.pages import LONGEST, chosen, named
from dalej.web.sessions import IDLE_MS, PUBLIC_MOST, SESSIONS_MOST, WHOLE_MS, Session, Sessions, Why, device_of


class Table:
    def __init__(self) -> None:
        self.clock = ManualClock()
        self.ends: list[tuple[str, Why]] = []
        self.sessions = Sessions(self.clock, os.urandom, lambda one, why: self.ends.append((one.actor.name, why)))

    def enter(self, role: Role = "referee", name: str = "Lis") -> tuple[str, Session]:
        return self.sessions.begin(Actor(name, role, served=True), "10.0.0.1", "pl", "stamp")

    def sweep(self, stamp: str = "stamp") -> None:
        self.sessions.sweep({"public": stamp, "referee": stamp, "organiser": stamp})


def test_a_token_finds_its_session_and_is_kept_nowhere() -> None:
    table = Table()
    token, session = table.enter()

    assert table.sessions.find(token) is session
    assert len(token) == 64
    assert token not in repr(session)
    assert table.sessions.find(token.upper()) is None
    assert table.sessions.find("") is None


def test_who_does_nothing_is_logged_out() -> None:
    table = Table()
    token, session = table.enter()
    table.clock.time_ms = IDLE_MS - 1
    table.sessions.used(session)
    table.clock.time_ms += IDLE_MS - 1
    table.sweep()
    assert not session.ended

    table.clock.time_ms += 1
    assert table.sessions.find(token) is None
    table.sweep()
    assert table.ends == [("Lis", "time")]
    assert table.sessions.why_over(token) == "time"


def test_a_picture_on_the_wall_is_not_idle_but_a_referee_s_tablet_is() -> None:
    table = Table()
    for role in ("public", "referee"):
        _, session = table.enter(role, role)
        session.screens = 1
    table.clock.time_ms = IDLE_MS
    table.sweep()

    assert table.ends == [("referee", "time")]


def test_a_session_lasts_a_day_of_play_and_not_longer_however_busy() -> None:
    table = Table()
    token, session = table.enter()
    while table.clock.time_ms < WHOLE_MS - 1:
        table.clock.time_ms = min(table.clock.time_ms + IDLE_MS // 2, WHOLE_MS - 1)
        assert table.sessions.find(token) is session
    table.clock.time_ms = WHOLE_MS

    assert table.sessions.find(token) is None


def test_a_changed_password_ends_sessions_and_one_that_cannot_be_read_does_not() -> None:
    table = Table()
    table.enter()
    table.sessions.sweep(None)
    assert table.ends == []
    table.sweep("another")
    assert table.ends == [("Lis", "password")]


def test_ending_tells_the_screens_once() -> None:
    table = Table()
    _, session = table.enter()
    told: list[str] = []
    session.watchers.add(lambda: told.append("closed"))
    table.sessions.end(session, "out")
    table.sessions.end(session, "ended")

    assert (told, table.ends) == (["closed"], [("Lis", "out")])


def test_a_role_is_ended_and_the_others_stay() -> None:
    table = Table()
    table.enter("referee", "Lis")
    table.enter("organiser", "Borsuk")

    assert table.sessions.end_all("ended", "referee") == 1
    assert table.sessions.end_all("ended") == 1
    assert table.ends == [("Lis", "ended"), ("Borsuk", "ended")]


@pytest.mark.parametrize(
    ("browser", "device"),
    [
        ("Mozilla/5.0 (iPhone; CPU iPhone OS 17_5 like Mac OS X) Version/17.5 Mobile/15E148 Safari/604.1", "iPhone"),
        ("Mozilla/5.0 (Linux; Android 14; SM-X200) Chrome/130.0 Safari/537.36", "Android tablet"),
        ("Mozilla/5.0 (X11; CrOS x86_64 14541.0.0) Chrome/130.0 Safari/537.36", "Chromebook"),
        ("Mozilla/5.0 (X11; Linux x86_64; rv:128.0) Gecko/20100101 Firefox/128.0", "Linux"),
        ("curl/8.5", ""), ("", ""),
    ],
)  # fmt: skip
def test_what_a_browser_calls_itself_names_the_kind_of_device(browser: str, device: str) -> None:
    assert device_of(browser) == device


def test_the_table_does_not_grow_without_end() -> None:
    table = Table()
    for _ in range(SESSIONS_MOST):
        table.enter("referee")
    with pytest.raises(Refused, match=f"{SESSIONS_MOST} people"):
        table.enter("referee")


def test_however_many_come_as_the_public_a_referee_gets_in_and_who_looks_stays() -> None:
    table = Table()
    looks = table.enter("public", "Lis")[1]
    looks.screens = 1
    for number in range(2 * SESSIONS_MOST):
        table.clock.time_ms += 1
        table.enter("public", f"Mysz {number}")

    assert len(table.sessions) == PUBLIC_MOST
    assert table.ends[0] == ("Mysz 0", "time")
    assert not looks.ended
    table.enter("referee", "Sowa")
    assert table.sessions.trusted == {"10.0.0.1"}


def test_where_every_one_of_the_public_looks_the_next_is_told_so() -> None:
    table = Table()
    for _ in range(PUBLIC_MOST):
        table.enter("public")[1].screens = 1
    with pytest.raises(Refused, match=f"{PUBLIC_MOST} people"):
        table.enter("public")


@pytest.mark.parametrize("text", ["Sowa", "  Żuraw   2 ", "D'Artagnan", "Łoś-Ryś", "नेवला", "Jeż_7"])
def test_names_as_people_have_them(text: str) -> None:
    assert named(text) == " ".join(text.split())


@pytest.mark.parametrize(
    "text",
    [
        "",
        "  ",
        "7",
        "Lis (organiser)",
        "Lis\x1b[2J",
        "<b>Lis</b>",
        "Lis\u202eabc",
        "L" * (LONGEST + 1),
        "Lis\ud800",
        "a/b",
    ],
)
def test_what_is_no_name_or_wears_a_role(text: str) -> None:
    with pytest.raises(WrongInput):
        named(text)


@given(st.text())
def test_a_name_is_clean_or_refused(text: str) -> None:
    try:
        name = named(text)
    except WrongInput:
        return
    assert 0 < len(name) <= LONGEST
    assert not set(name) & set('()<>&"\n\t\x1b')


@pytest.mark.parametrize(
    ("accepted", "language"),
    [
        ("pl-PL,pl;q=0.9,en;q=0.8", "pl"), ("de-DE,de;q=0.9,it;q=0.5,en;q=0.4", "it"), ("", "en"), ("de", "en"),
        ("en;q=x,pl;q=0.1", "pl"), (",;=,q=", "en"), ("IT", "it"), ("pl;q=0", "en"),
    ],
)  # fmt: skip
def test_the_browser_says_which_language(accepted: str, language: str) -> None:
    assert chosen(accepted, "en") == language
