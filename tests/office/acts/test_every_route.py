"""What a person decides is the same decision by every route: done with the same entries in the event, refused with the
same sentence, and refused to whoever may not.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterator
from contextlib import contextmanager, nullcontext
from dataclasses import replace
from pathlib import Path
from typing import Any, Final

import pytest

from dalej.errors import DalejError, Refused
from dalej.event.ledger import Ledger
from dalej.office.acts.catalogue import ACTS
from dalej.office.acts.roles import ROLES, Role
from dalej.views.settingwords import in_words
from dalej.words import said
from tests.cli.conftest import Program, program
from tests.office.acts.cases import (
    DONE,
    NO_COMMAND,
    OF_ORGANISERS,
    OF_REFEREES,
    OF_TABLES,
    REFUSED,
    Case,
    named,
)
from tests.office.acts.forms import NoSuchForm
from tests.office.acts.ready import Ready, may, prepare
from tests.office.acts.routes import HANDS, Wished, beside, entries, obeyed

SERVED: Final = "end_sessions"  # by whoever serves the web


@pytest.fixture
def dalej(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Program:
    monkeypatch.setenv("LANGUAGE", "en")
    return program(capsys)


@contextmanager
def each_entry_once() -> Iterator[None]:
    """Whoever opens an event reads each of its entries at most once, whatever is done."""
    read: defaultdict[int, Counter[int]] = defaultdict(Counter)
    opened: list[Ledger] = []

    def counting(asked: Callable[..., list[Any]]) -> Callable[..., list[Any]]:
        def counted(self: Ledger, *where: int) -> list[Any]:
            opened.append(self)  # none of them is another one's by its number
            found = asked(self, *where)
            read[id(self)].update(one.cursor for one in found)
            return found

        return counted

    with pytest.MonkeyPatch.context() as patch:
        for name in ("since", "decisions_between", "others_between"):
            patch.setattr(Ledger, name, counting(getattr(Ledger, name)))
        yield
    assert {times for cursors in read.values() for times in cursors.values()} <= {1}


def by_command(
    ready: Ready, case: Case, dalej: Program, monkeypatch: pytest.MonkeyPatch
) -> tuple[int, str, list[object], list[str]]:
    """How the command ended, what it said against it, what the event holds beyond before, what lies beside it."""
    assert ready.command, "there is no command"
    event = ready.copy("command")
    monkeypatch.chdir(event.parent)
    if name := case.file[0]:
        (event.parent / name).write_text(case.file[1], encoding="utf-8")
    with Ledger.open(event) as ledger:
        head, files = ledger.head(), beside(event)
        with each_entry_once(), obeyed(event) if case.words.startswith(("table", "hall")) else nullcontext():
            done = dalej(*ready.command)
        return done.code, done.err, entries(ledger, head), sorted(beside(event) - files)


def with_a_command(cases: list[Case]) -> list[Any]:
    """Each case that may be typed."""
    return [
        pytest.param(case, id=name)
        for case, name in zip(cases, named(cases), strict=True)
        if case.act not in NO_COMMAND
    ]


def by_hands(ready: Ready, route: str, role: Role = "organiser") -> Wished:
    with each_entry_once():
        return HANDS[route](ready.copy(f"{route}-{role}"), ready.now_ms, role, ready.wish, ready.of)


# --- what is done -----


@pytest.mark.parametrize("case", DONE, ids=named(DONE))
def test_what_is_done_is_the_same_by_whatever_hands(tmp_path: Path, case: Case) -> None:
    ready = prepare(tmp_path, case)

    if case.act == SERVED:
        assert by_hands(ready, "browser") == Wished([])
        return
    first, *others = (by_hands(ready, route, role) for route in HANDS for role in may(case.act))

    assert first.error is None, said(first.error)
    assert bool(first.entries) is not (case.act == "print" or case.is_so)
    assert tuple(first.files) == case.files
    assert [one for one in others if one != first] == []


@pytest.mark.parametrize("case", with_a_command(DONE))
def test_what_hands_do_a_command_does_with_the_same_entries(
    tmp_path: Path, dalej: Program, monkeypatch: pytest.MonkeyPatch, case: Case
) -> None:
    ready = prepare(tmp_path, case)

    code, err, made, files = by_command(ready, case, dalej, monkeypatch)

    assert code == 0, err
    wished = by_hands(ready, "performer")
    assert (made, files) == (wished.entries, wished.files)


@pytest.mark.parametrize("case", [one for one in DONE if one.act not in (SERVED, "print") and not one.is_so],
                         ids=[name for name, one in zip(named(DONE), DONE, strict=True)
                              if one.act not in (SERVED, "print") and not one.is_so])  # fmt: skip
def test_a_reason_is_kept_by_the_acts_that_say_so_and_by_no_other(tmp_path: Path, case: Case) -> None:
    ready = prepare(tmp_path, case)
    given = replace(ready, wish=replace(ready.wish, why="the owl saw it"))

    made = by_hands(given, "performer").entries

    unplayed = case.args.get("ended") == "not_played"
    kept = ACTS[case.act].why or ACTS[case.act].keeps_why or unplayed
    assert ("the owl saw it" in str(made)) is kept


# --- what is refused -----


@pytest.mark.parametrize("case", REFUSED, ids=named(REFUSED))
def test_what_is_refused_is_refused_with_one_sentence_by_whatever_hands(tmp_path: Path, case: Case) -> None:
    ready = prepare(tmp_path, case)
    told: set[tuple[type[DalejError], str]] = set()

    for route in HANDS:
        if case.act == SERVED and route != "browser":
            continue
        refused = by_hands(ready, route)
        assert refused.error is not None, route
        assert (refused.entries, refused.files) == ([], []), route
        told.add((type(refused.error), said(refused.error)))
    assert len(told) == 1
    assert all(case.says in sentence for _family, sentence in told)


@pytest.mark.parametrize("case", with_a_command(REFUSED))
def test_what_hands_are_refused_a_command_is_refused_with_the_same_sentence(
    tmp_path: Path, dalej: Program, monkeypatch: pytest.MonkeyPatch, case: Case
) -> None:
    ready = prepare(tmp_path, case)

    code, err, made, files = by_command(ready, case, dalej, monkeypatch)

    assert (code, made, files) == (1, [], []), err
    refusal = by_hands(ready, "performer").error
    assert refusal is not None
    told = said(refusal) if case.act != "set_option" else said(in_words(refusal))  # as the settings' screen says it
    assert err.startswith(told), "what follows is what may be typed"


# --- who may not -----


@pytest.mark.parametrize(("act", "role"), [
    (act, role) for act in ACTS for role in ROLES if act not in OF_TABLES and role not in may(act)
])  # fmt: skip
def test_who_may_not_is_refused_in_the_same_words_by_whatever_hands(tmp_path: Path, act: str, role: Role) -> None:
    ready = prepare(tmp_path, next(case for case in DONE if case.act == act))

    assert isinstance(by_hands(ready, "browser", role).error, NoSuchForm)
    for route in HANDS.keys() - {"browser"}:
        refused = by_hands(ready, route, role)
        assert isinstance(refused.error, Refused), route
        assert f"not with the role {role}, only" in said(refused.error), route
        assert (refused.entries, refused.files) == ([], []), route


def test_nobody_at_the_command_line_has_another_role(dalej: Program) -> None:
    """Whoever has the file may write it, so no command of an act asks for a role."""
    for case in (one for one in DONE if one.words):
        help_words = dalej(*case.words.split()[: 1 if case.words.startswith(("undo", "advance")) else 2], "--help").out
        assert "--role" not in help_words, case.words


# --- the table itself -----


def test_every_act_of_the_catalogue_is_played_and_refused_and_is_somebodys() -> None:
    of_people = {*ACTS} - OF_TABLES
    assert {case.act for case in DONE} == of_people
    assert {case.act for case in REFUSED} == of_people
    assert of_people == OF_REFEREES | OF_ORGANISERS
    assert not OF_REFEREES & OF_ORGANISERS


def test_every_act_has_a_command_or_a_reason_why_it_has_none() -> None:
    played = {case.act for case in DONE if case.words} & {case.act for case in REFUSED if case.words}

    assert {*ACTS} - played - OF_TABLES == NO_COMMAND.keys()
