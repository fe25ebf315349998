"""How a setting stands to the regulation, and what it would touch if it became another: said before it is done."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, Literal

from dalej.domain import options as values
from dalej.domain.rulesets import Rule
from dalej.domain.tablesettings import Choices, settings_for
from dalej.domain.tournament import Tournament
from dalej.errors import DalejError
from dalej.office.effect import effect
from dalej.office.event import Seen, imagined
from dalej.office.options import Setting, setting
from dalej.words import N_

Stand = Literal["says", "open", "allows", "against"]

# What the mark of each says, in words; the shape stands before it, so that nothing depends on a colour.
MARKS: Final[dict[Stand, tuple[str, str]]] = {
    "says": ("=", N_("as the regulation says")),
    "open": ("○", N_("ours: the regulation leaves it open")),
    "allows": ("◇", N_("the regulation allows it")),
    "against": ("✗", N_("not as the regulation says")),
}


def stand(rule: Rule) -> Stand:
    """`says`: the value is the text's; `open`: the text leaves the matter, or which value, to whoever organises;
    `allows`: the organiser chose another value and the text permits that; `against`: the text says otherwise.
    """
    if not rule.permitted:
        return "against"
    if rule.ours:
        return "open"
    return "allows" if rule.organiser else "says"


@dataclass(frozen=True, slots=True)
class Touched:
    """What one change of a setting would do. `setting.change.drafts` empty: it is so already.

    `effects`: sentences; `scored`: results that are in depend on it; `boxes`: what boxes go by changes; `against`: the
    regulation says otherwise than the new value.
    """

    setting: Setting
    effects: Sequence[str]
    scored: bool
    boxes: bool
    against: bool

    @property
    def grave(self) -> bool:
        """Whether it is asked about before it is done."""
        return self.scored or self.against


def touched(seen: Seen, key: str, text: str) -> Touched:
    """What setting `key` to `text` would do. WrongInput if that is no value, Refused if it comes too late."""
    wanted = setting(seen, key, text)
    if not wanted.change.drafts:
        return Touched(wanted, (), scored=False, boxes=False, against=False)
    after = imagined(seen, wanted.change.drafts)
    scored = wanted.touches_results and any(one.results for one in seen.state.rounds.values())
    own = f"{'' if wanted.rule is None else wanted.rule.key}:"
    effects = tuple(said for said in effect(seen.state, after) if not said.startswith(own))
    return Touched(
        wanted, effects, scored=scored, boxes=_for_boxes(seen.state) != _for_boxes(after),
        against=wanted.against_the_text,
    )  # fmt: skip


def original_text(rule: Rule) -> str:
    """What the ruleset itself has there, as people type it."""
    return values.value_text(rule.key, rule.original if rule.organiser else rule.value)


def _for_boxes(state: Tournament) -> bytes:
    """The settings of a full table; b"" if these rules make none."""
    try:
        return settings_for(state.ruleset, Choices(seats="ABCD"[: state.ruleset.seats_max])).pack()
    except DalejError:
        return b""
