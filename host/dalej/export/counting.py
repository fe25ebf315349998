"""How a game goes and how it is counted, in sentences with their clauses: the help at the foot of a score sheet."""

from __future__ import annotations

from collections.abc import Iterator

from dalej.domain.rulesets import Ruleset
from dalej.words import _


def how_to_count(rules: Ruleset, seats: int) -> list[str]:
    """One sentence a rule, as short as a player needs it, for a table of so many seats."""
    return [
        *_starts(rules), _went_out(rules), _joker(rules), *_never_opened(rules), *_lowest(rules), _withdrawn(rules),
        *_big(rules, seats),
    ]  # fmt: skip


def _cited(sentence: str, clause: str) -> str:
    return _("{sentence} [{clause}]").format(sentence=sentence, clause=clause)


def _starts(rules: Ruleset) -> Iterator[str]:
    if (rules.first_starter, rules.next_starter) == ("table", "table"):
        yield _cited(_("The players decide who starts a game."), rules.clause("first_starter"))
        return
    first = {
        "seat_a": _("Seat A starts the first game."),
        "highest_tile": _("Whoever draws the highest tile starts the first game."),
        "table": _("The players decide who starts the first game."),
    }[rules.first_starter]
    later = {
        "clockwise": _("The next seat clockwise starts the next game."),
        "table": _("The players decide who starts the next game."),
    }[rules.next_starter]
    yield _cited(first, rules.clause("first_starter"))
    yield _cited(later, rules.clause("next_starter"))


def _went_out(rules: Ruleset) -> str:
    sentence = _("Went out: every other player scores minus their rack, the winner plus the sum of the others’ losses.")
    return _cited(sentence, rules.clause("winner_takes_penalties"))


def _joker(rules: Ruleset) -> str:
    sentence = _("A joker left on the rack: −{points}.").format(points=rules.joker_points)
    return _cited(sentence, rules.clause("joker_points"))


def _never_opened(rules: Ruleset) -> Iterator[str]:
    plain, higher = rules.never_opened_points, rules.could_have_opened_points
    if plain is None:
        yield _cited(
            _("Never opened when another player goes out: the rack counts."), rules.clause("never_opened_points")
        )
    elif higher is None:
        sentence = _("Never opened when another player goes out: −{points}.").format(points=plain)
        yield _cited(sentence, rules.clause("never_opened_points"))
    else:
        sentence = _("Never opened when another player goes out: −{points}; −{higher} if they could have.").format(
            points=plain, higher=higher
        )
        yield _cited(sentence, rules.clause("never_opened_points"))
        if rules.announcement_lifts and higher != plain:
            sentence = _("If the tile they lacked came in the last round and they had announced it: −{points}.").format(
                points=plain
            )
            yield _cited(sentence, rules.clause("announcement_lifts"))


def _lowest(rules: Ruleset) -> Iterator[str]:
    sentence = _(
        "Bank empty or time over: the lowest rack wins, every other player scores minus the difference to it, "
        "the winner plus the sum of the differences."
    )
    if rules.several_lowest != "split":
        yield _cited(
            sentence + " " + _("Several lowest racks score the full sum each."), rules.clause("several_lowest")
        )
        return
    shared = _("Several lowest racks share it: plus and minus are equal in every game and in the count.")
    yield _cited(f"{sentence} {shared}", rules.clause("several_lowest"))
    odd = {
        "first_seat": _("A point left over goes to the winner whose seat comes first."),
        "last_seat": _("A point left over goes to the winner whose seat comes last."),
    }[rules.odd_points]
    yield _cited(odd, rules.clause("odd_points"))


def _withdrawn(rules: Ruleset) -> str:
    sentence = (
        _("Whoever withdraws loses the own rack or penalty in full and ranks last in that game.")
        if rules.withdrawn_ranks == "last"
        else _("Whoever withdraws loses the own rack or penalty in full and ranks by points.")
    )
    return _cited(sentence, rules.clause("withdrawn_ranks"))


def _big(rules: Ruleset, seats: int) -> Iterator[str]:
    scales = {4: "big_points_4", 3: "big_points_3", 2: "big_points_2"}
    scale = {4: rules.big_points_4, 3: rules.big_points_3, 2: rules.big_points_2}.get(seats)
    if scale is not None:
        sentence = _("Big points by place at a table of {seats}: {points}.").format(
            seats=seats, points=" – ".join(map(str, scale))
        )
        yield _cited(sentence, rules.clause(scales[seats]))
