"""How players of an event, as organisers entered them and noted consents, are called where everybody reads it."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from dalej.office import signups
from dalej.office.acts.performer import Performer
from dalej.office.acts.roles import Actor
from dalej.office.acts.wishes import Wish
from dalej.office.publicnames import public_names
from dalej.office.settings import setting
from tests.world import an_event, signed_up

BORSUK = Actor("Borsuk", "organiser")


def named(folder: Path, *names: str, full: bool = False, consents: dict[int, bool] | None = None) -> list[str]:
    with signed_up(folder, *names) as event:
        performer = Performer(event.by, lambda _line: None)
        for player, agreed in (consents or {}).items():
            args: dict[str, Any] = {"players": [player], **({} if agreed else {"missing": True})}
            performer.do(BORSUK, Wish("consent", args, "as the parents say"))
        if full:
            event.change_seen(lambda seen: setting(seen, "public_names", "in_full").change)
        return list(public_names(event.state()).values())


def test_the_first_name_and_the_surname_s_initial_are_shown(tmp_path: Path) -> None:
    assert named(tmp_path, "Jan Nowak", "Anna Maria Żak", "Sowa") == ["Jan N.", "Anna Maria Ż.", "Sowa"]


def test_what_tells_full_names_apart_is_no_part_of_the_short_ones(tmp_path: Path) -> None:
    assert named(tmp_path, "Jan Nowak (4b)", "Ewa Lis") == ["Jan N.", "Ewa L."]


def test_namesakes_are_told_apart_by_their_numbers(tmp_path: Path) -> None:
    assert named(tmp_path, "Jan Nowak", "Jan Nawrot", "Jan Zając") == ["Jan N. (1)", "Jan N. (2)", "Jan Z."]


def test_where_nobody_has_consented_nobody_is_named_in_full_though_that_was_chosen(tmp_path: Path) -> None:
    assert named(tmp_path, "Jan Nowak", "Ewa Lis", full=True) == ["Jan N.", "Ewa L."]


def test_where_consents_are_asked_for_a_full_name_is_shown_only_with_one(tmp_path: Path) -> None:
    agreed = {1: True, 2: False}

    assert named(tmp_path, "Jan Nowak", "Ewa Lis", "Adam Kos", full=True, consents=agreed) == [
        "Jan Nowak", "Ewa L.", "Adam K.",
    ]  # fmt: skip


def test_where_the_regulation_asks_for_a_form_nobody_is_named_in_full_before_a_consent(tmp_path: Path) -> None:
    with an_event(tmp_path, 0, ruleset="pl-eliminations", seated=False) as event:
        event.change(lambda state: signups.enter(state, [signups.SignUp(1, "Jan Nowak")]))

        assert list(public_names(event.state()).values()) == ["Jan N."]
