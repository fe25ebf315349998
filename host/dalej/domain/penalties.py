"""What a seat pays that never opened, and whether its rack must be counted then."""

from __future__ import annotations

from dalej.domain.racks import Ended, Rack
from dalej.domain.reasons import Citing, Reason
from dalej.domain.rulesets import Ruleset
from dalej.words import N_


def penalty(rack: Rack, ended: Ended, ruleset: Ruleset) -> int | None:
    """The penalty for never having opened; None where the rack counts as any other.

    Where nobody went out because bank or time ended the game, only a ruleset with `penalties_without_winner` knows one.
    """
    if rack.opened or not _known(ended, ruleset):
        return None
    return ruleset.could_have_opened_points if _higher(rack, ruleset) else ruleset.never_opened_points


def must_be_counted(rack: Rack, ended: Ended, ruleset: Ruleset) -> bool:
    """Whether the game cannot be scored without that rack's count."""
    if rack.ruled_small is not None:
        return False
    if not rack.withdrawn:
        if ended == "last_seat":
            return False
        if ended != "went_out":
            return True  # whose rack is lowest cannot be told otherwise
    return penalty(rack, ended, ruleset) is None or ruleset.never_opened_counts == "on_top"


def reasons(rack: Rack, ended: Ended, cite: Citing) -> tuple[Reason, ...]:
    """Why a seat that never opened pays what it pays."""
    if not _known(ended, cite.ruleset):
        return (
            cite.value(
                "penalties_without_winner", N_("never opened, but nobody went out: the rack counts as any other")
            ),
        )
    points = penalty(rack, ended, cite.ruleset)
    higher = _higher(rack, cite.ruleset)
    key = "could_have_opened_points" if higher else "never_opened_points"
    if points is None:
        return (cite.value(key, N_("never opened: the rack counts as any other")),)
    template = N_("never opened and could have: {penalty:+d}") if higher else N_("never opened: {penalty:+d}")
    found = [cite.value(key, template, penalty=-points)]
    if rack.could_have_opened and not higher:
        found.append(cite.value("announcement_lifts", N_("the opening was announced, which lifts the higher penalty")))
    if cite.ruleset.never_opened_counts == "instead":
        found.append(cite.value("never_opened_counts", N_("this stands in place of the rack and its jokers")))
    else:
        found.append(cite.value("never_opened_counts", N_("the rack and its jokers count as well")))
    return tuple(found)


def _known(ended: Ended, ruleset: Ruleset) -> bool:
    return ended in {"went_out", "last_seat"} or ruleset.penalties_without_winner


def _higher(rack: Rack, ruleset: Ruleset) -> bool:
    return rack.could_have_opened and not (rack.announced and ruleset.announcement_lifts)
