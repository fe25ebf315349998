"""Reasons that nobody typed: an event keeps them in English, and every reader gets them in the own language.

What a person wrote stays as it was written; of a reason with such a part in it the rest is said in the reader's words.
"""

from __future__ import annotations

import re
from functools import cache
from typing import Final

from dalej.domain.tournament.stages import stage_said
from dalej.errors import DalejError
from dalej.words import N_, _, said

# In the order in which they are tried: what is more particular comes first.
OWN: Final = (
    N_("taken back: {why}"), N_("done after all: {why}"), N_("closed nevertheless: {why}"),
    N_("{first}, nevertheless: {why}"), N_("without a warning: {why}"),
    N_("seated by {method}, seed {seed}"), N_("seated by {method}"),
    N_("every result is in"), N_("taken back"), N_("done after all"), N_("the seating is settled"),
    N_("the seating may be changed"), N_("table {table} was checked"), N_("from the score sheet"),
    N_("the round begins anew, {seconds} s"), N_("the round begins, {seconds} s"),
    N_("round {round}: time is over"), N_("round {round}: time will be over"),
    N_("round {round}: settings changed"),
    N_("{count} go on from {stage} to {into}"), N_("{player} does not play round {round}"),
    N_("box {box} was in another game"), N_("box {box} was met at its table"),
    N_("a spare box takes over"), N_("the round is seated"), N_("it is in the way of the table's game"),
    N_("a new event, played by {ruleset}"), N_("played by {ruleset}"), N_("a simulated hall"), N_("a written game"),
    N_("{player} from {before} to {now}"), N_("{player} to {now}"),
)  # fmt: skip
METHODS: Final = {
    "lot": N_("lot"), "fresh_lot": N_("a fresh lot"), "rank": N_("rank"), "snake": N_("snake"),
    "table": N_("their tables"),
}  # fmt: skip
_EARLIER: Final = {
    "to be changed": "the seating may be changed",
    "both players agree": "the players agree",
}  # as earlier versions wrote it
_FIELD: Final = re.compile(r"\\\{(\w+)\\\}")
_SHAPES: Final = {"before": r"\d+[A-D]", "now": r"\d+[A-D]", "table": r"\d+", "round": r"\d+", "count": r"\d+",
                  "seconds": r"\d+", "seed": r"\d+", "method": r"\w+", "stage": r"\S+", "into": r"\S+"}  # fmt: skip
_OF_REASONS: Final = ("why", "first")


def reason(why: str) -> str:
    """The reason in the reader's language."""
    return said(reason_said(why))


def reason_said(why: str) -> DalejError:
    """The same as a part of a sentence."""
    for template in OWN:
        for written in dict.fromkeys((template, _(template))):
            found = _pattern(written).fullmatch(why)
            if found is not None:
                return DalejError(template, **{name: _field(name, text) for name, text in found.groupdict().items()})
    known = _EARLIER.get(why, why)
    # Whatever else stands in a catalogue as a whole, such as a reason that a screen has offered.
    return DalejError(known) if "{" not in known else DalejError("{why}", why=why)


def _field(name: str, text: str) -> DalejError | str:
    if name in _OF_REASONS:
        return reason_said(text)
    if name == "method" and text in METHODS:
        return DalejError(METHODS[text])
    return stage_said(text) if name in ("stage", "into") else text


@cache
def _pattern(template: str) -> re.Pattern[str]:
    """What that sentence looks like, whatever its fields are."""
    return re.compile(_FIELD.sub(lambda at: f"(?P<{at[1]}>{_SHAPES.get(at[1], '.+')})", re.escape(template)), re.DOTALL)
