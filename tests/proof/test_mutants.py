"""Mutants are counted by what became of them; too many that live are a fault, and each that may has its reason."""

from __future__ import annotations

import ast
import re
from pathlib import Path

import pytest

from proof import mutants
from tests.documents import ROOT


def test_a_mutant_died_was_refused_or_lived_with_a_reason_or_without_and_none_is_passed_over() -> None:
    told = {
        "moveclock.clock.x_a__mutmut_1": "killed",
        "moveclock.clock.x_a__mutmut_2": "survived",
        "dalej.domain.game.turns.x_b__mutmut_1": "timeout",
        "dalej.domain.game.turns.x_b__mutmut_2": "no tests",
        "dalej.domain.game.turns.x_b__mutmut_3": "caught by type check",
        "dalej.domain.game.turns.x_b__mutmut_4": "not checked",
    }
    *tried, untried = told

    assert mutants.counted(mutants.CORE, tried, told, lambda name: "clock" in name).counts == {
        "mutants": 5,
        "... of domain that died": 1,
        "... of domain that lived and should not": 1,
        "... of domain that mypy refuses": 1,
        "... of moveclock that died": 1,
        "... of moveclock that lived for a reason": 1,
    }
    with pytest.raises(AssertionError, match=r"did not try dalej\.domain\.game\.turns\.x_b__mutmut_4: not checked"):
        mutants.counted(mutants.CORE, [untried], told, lambda _: True)


CLOCK, DOMAIN, ACT = "moveclock.clock.x_a", "dalej.domain.game.turns.x_b", "dalej.office.acts.act.x_c"


def became(name: str, many: int, lived: int = 0) -> dict[str, str]:
    """Of so many mutants of a function."""
    return {f"{name}__mutmut_{number}": "survived" if number < lived else "killed" for number in range(many)}


@pytest.mark.parametrize(("name", "other"), [(CLOCK, DOMAIN), (DOMAIN, CLOCK)])
def test_more_than_one_in_twenty_mutants_that_live_are_a_fault_however_many_die_elsewhere(
    name: str, other: str
) -> None:
    few, many = ({**became(name, 40, lived), **became(other, 400)} for lived in (2, 3))

    assert not mutants.counted(mutants.CORE, [*few], few, lambda _: False).found
    assert not mutants.counted(mutants.CORE, [*many], many, lambda _: True).found
    too_many = mutants.counted(mutants.CORE, [*many], many, lambda _: False)
    assert re.fullmatch(r"of 40 mutants of [a-z]+ 3 lived that should not", too_many.found)
    assert too_many.counts["mutants"] == 440


@pytest.mark.parametrize(("shop", "name", "many"), [(mutants.CORE, CLOCK, 19), (mutants.ACTS, ACT, 40)])
def test_mutants_that_live_among_few_or_in_the_office_are_counted_alone(
    shop: mutants.Workshop, name: str, many: int
) -> None:
    told = became(name, many, many)

    counted = mutants.counted(shop, [*told], told, lambda _: False)
    assert (list(counted.counts.values()), counted.found) == ([many, many], "")


def test_whatever_has_not_come_to_its_end_is_tried_again(monkeypatch: pytest.MonkeyPatch) -> None:
    known = {
        "moveclock.clock.x_a__mutmut_1": "killed",
        "moveclock.clock.x_a__mutmut_2": "not checked",
        "moveclock.clock.x_a__mutmut_3": "check was interrupted by user",
    }
    tried: list[str] = []

    def mutmut(_shop: mutants.Workshop, *words: str, **_: str) -> str:
        tried.extend(word for word in words if word in known)
        known.update(dict.fromkeys(tried, "killed"))
        return ""

    monkeypatch.setattr(mutants, "_laid_out", lambda _: None)
    monkeypatch.setattr(mutants, "_known", lambda _: dict(known))
    monkeypatch.setattr(mutants, "_mutmut", mutmut)

    assert mutants.of_the_core(1).counts["... of moveclock that died"] == 3
    assert sorted(tried) == ["moveclock.clock.x_a__mutmut_2", "moveclock.clock.x_a__mutmut_3"]


REASON = "[[survivor]]\nfunction = '{}'\nwas = '{}'\nbecame = '{}'\nwhy = 'nobody reads it'"
DIFF = """# moveclock.peer.xǁPeerǁgreet__mutmut_6: survived
--- moveclock/peer.py
+++ moveclock/peer.py
@@ -1,2 +1,2 @@
-            raise wire.WireError("one hello after the other")
+            raise wire.WireError("XXone hello after the otherXX")
"""


@pytest.mark.parametrize(
    ("function", "was", "became", "is_explained"),
    [
        ("moveclock.peer.Peer.greet", "^raise ", "^raise ", True),
        ("moveclock.", r"^raise wire\.WireError\(", "XX", True),
        ("moveclock.peer.Peer.open", "^raise ", "^raise ", False),
        ("moveclock.peer.Peer.greet", "^return ", "^raise ", False),
        ("moveclock.peer.Peer.greet", "^raise ", "None", False),
    ],
)
def test_a_reason_is_that_of_a_function_and_a_change(
    function: str, was: str, became: str, *, is_explained: bool
) -> None:
    known = mutants.reasons(REASON.format(function, was, became))

    assert mutants.explained("moveclock.peer.xǁPeerǁgreet__mutmut_6", DIFF, known) is is_explained


def test_a_reason_of_one_line_is_none_for_another_that_the_same_mutant_changes() -> None:
    known = mutants.reasons(REASON.format("", "^raise ", ""))

    assert not mutants.explained("moveclock.wire.x_read__mutmut_1", f"{DIFF}-    return 1\n+    return 2\n", known)
    assert not mutants.explained("moveclock.wire.x_read__mutmut_1", "", known)


def test_each_reason_is_of_a_function_that_there_is() -> None:
    """One that is gone, or was renamed, would explain nothing, or something else."""
    for one in mutants.reasons(mutants.SURVIVORS.read_text("utf-8")):
        package, *names = one.function.strip(".").split(".") if one.function else ["moveclock"]
        roots = {"moveclock": ROOT / "firmware/lib/moveclock", "dalej": ROOT / "host/dalej"}
        there: Path | ast.AST = roots[package]
        for name in names:
            if isinstance(there, Path) and (there / name).is_dir():
                there = there / name
            elif isinstance(there, Path):
                there = ast.parse((there / f"{name}.py").read_text("utf-8"))
            else:
                (there,) = [
                    one for one in ast.iter_child_nodes(there)
                    if isinstance(one, (ast.ClassDef, ast.FunctionDef)) and one.name == name
                ]  # fmt: skip
        assert one.why, one
