"""Whether the journal of a box is whole and contradicts itself nowhere. A truthful one never has a problem.

This file looks at the numbering: what is missing, said twice, or goes back in time. Whether the facts make sense as a
game is for `dalej.domain.tablecheck`, which starts afresh behind every gap.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise
from typing import Final

from dalej.domain.facts import Fact
from dalej.domain.problems import Problem
from dalej.domain.tablecheck import RULES, TableCheck
from dalej.words import N_
from moveclock import facts as k

_UPTIME: Final = 0xFFFFFFFF
_BOOT: Final = 0xFFFF
_IN_MEMORY: Final = 64  # facts a box holds while its flash cannot be written; the fault comes after what it gave up

Span = tuple[int, int]  # first and last seq


def verify(
    facts: Iterable[Fact], *, baseline: int | None = None, head: int | None = None, lost: Iterable[Span] = ()
) -> list[Problem]:
    """What is missing or contradictory in the facts of one box and one epoch, in the order of their numbers.

    `baseline`: the last seq that does not count, None if the first fact there is may be the first; `head`: the last seq
    the box is known to have written; `lost`: ranges (first, last) that it reported as no longer held.
    """
    ordered = sorted(facts, key=lambda fact: fact.seq)
    problems = list(_said_twice(ordered))
    unique = [fact for before, fact in zip([None, *ordered], ordered, strict=False) if _is_new(before, fact)]
    told = [(fact.a, fact.b) for fact in unique if fact.kind == k.RECORDS_LOST]
    problems += _missing(unique, baseline, head, [*lost, *told])
    problems += _back_in_time(unique)
    problems += _at_the_table(unique)
    return sorted(problems, key=lambda problem: problem.seqs)


def _is_new(before: Fact | None, fact: Fact) -> bool:
    return before is None or before.seq != fact.seq


def _said_twice(ordered: Sequence[Fact]) -> Iterator[Problem]:
    for before, fact in pairwise(ordered):
        if before.seq == fact.seq and before != fact:
            yield Problem.of(fact, "contradiction", N_("fact {seq} was reported in two versions"), {})


def _missing(facts: Sequence[Fact], baseline: int | None, head: int | None, lost: Sequence[Span]) -> Iterator[Problem]:
    if not facts:
        return
    expected = facts[0].seq if baseline is None else baseline + 1
    end = facts[-1].seq if head is None else head
    for first, last in sorted([*((fact.seq, fact.seq) for fact in facts), *lost, (end + 1, end + 1)]):
        if first > expected and expected <= end:
            template = N_("facts {first} to {last} are missing")
            if first == expected + 1:
                template = N_("fact {first} is missing")
            span = (expected, min(first - 1, end))
            yield Problem.of(facts[0], "missing", template, {"first": span[0], "last": span[1]}, *span)
        expected = max(expected, last + 1)


def _back_in_time(facts: Sequence[Fact]) -> Iterator[Problem]:
    """Boots count up; within one, what happens at the table is dated in the order in which it was written."""
    for before, fact in pairwise(facts):
        if (fact.boot - before.boot) & _BOOT > _BOOT // 2:
            template = N_("fact {seq} is of boot {boot}, after one of boot {before}")
            yield Problem.of(fact, "boot_back", template, {"boot": fact.boot, "before": before.boot})
    for before, fact in pairwise(fact for fact in facts if fact.kind in RULES):
        if before.boot == fact.boot and (fact.uptime_ms - before.uptime_ms) & _UPTIME > _UPTIME // 2:
            template = N_("fact {seq} is dated {earlier} ms before fact {before}")
            earlier = (before.uptime_ms - fact.uptime_ms) & _UPTIME
            data = {"before": before.seq, "earlier": earlier}
            yield Problem.of(fact, "uptime_back", template, data, before.seq, fact.seq)


def _at_the_table(facts: Sequence[Fact]) -> Iterator[Problem]:
    given_up = [fact.seq for fact in facts if fact.kind == k.FAULT and fact.code == k.E_FLASH_WRITE and fact.a]
    check = TableCheck()
    expected = 0
    for fact in facts:
        if fact.seq != expected or any(seq - _IN_MEMORY <= fact.seq <= seq for seq in given_up):
            check.forget()
        expected = fact.seq + 1
        yield from check.take(fact)
