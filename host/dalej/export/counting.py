"""How points are counted, in sentences with their clauses: the help at the foot of a score sheet."""

from __future__ import annotations

from dalej.domain.rulesets import Ruleset
from dalej.words import _


def how_to_count(rules: Ruleset, seats: int) -> list[str]:
    """One sentence a rule, as short as a player needs it, for a table of so many seats."""
    return [_went_out(rules), _joker(rules), *_never_opened(rules), _lowest(rules), *_big(rules, seats)]


def _cited(sentence: str, clause: str) -> str:
    return _("{sentence} [{clause}]").format(sentence=sentence, clause=clause)


def _went_out(rules: Ruleset) -> str:
    sentence = _("Went out: every other player scores minus their rack, the winner plus the sum of the others’ losses.")
    return _cited(sentence, rules.clause("winner_takes_penalties"))


def _joker(rules: Ruleset) -> str:
    sentence = _("A joker left on the rack: −{points}.").format(points=rules.joker_points)
    return _cited(sentence, rules.clause("joker_points"))


def _never_opened(rules: Ruleset) -> list[str]:
    if rules.never_opened_points is None:
        sentence = _("Never opened when another player goes out: the rack counts.")
        return [_cited(sentence, rules.clause("never_opened_points"))]
    if rules.could_have_opened_points is None:
        sentence = _("Never opened when another player goes out: −{points}.").format(points=rules.never_opened_points)
    else:
        sentence = _("Never opened when another player goes out: −{points}; −{higher} if they could have.").format(
            points=rules.never_opened_points, higher=rules.could_have_opened_points
        )
    return [_cited(sentence, rules.clause("never_opened_points"))]


def _lowest(rules: Ruleset) -> str:
    sentence = _(
        "Bank empty or time over: the lowest rack wins, every other player scores minus the difference to it, "
        "the winner plus the sum of the differences."
    )
    return _cited(sentence, rules.clause("several_lowest"))


def _big(rules: Ruleset, seats: int) -> list[str]:
    scales = {4: "big_points_4", 3: "big_points_3", 2: "big_points_2"}
    scale = {4: rules.big_points_4, 3: rules.big_points_3, 2: rules.big_points_2}.get(seats)
    if scale is None:
        return []
    sentence = _("Big points by place at a table of {seats}: {points}.").format(
        seats=seats, points=" – ".join(map(str, scale))
    )
    return [_cited(sentence, rules.clause(scales[seats]))]
