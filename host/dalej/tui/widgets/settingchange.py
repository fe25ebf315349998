"""Changing a setting, in words: what was typed as it is meant, what the change would do, what is wrong with it."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

from dalej.domain.options import value_text
from dalej.domain.rulesets import Rule, Ruleset, schema
from dalej.domain.shapes import OneOf, Whole, YesNo
from dalej.errors import DalejError
from dalej.office.differing import Touched
from dalej.office.options import friendly
from dalej.office.settingnames import LABELS, label
from dalej.quoting import quoted
from dalej.tui.ask.confirm import Confirm
from dalej.tui.widgets.settingwords import full_key, value_words
from dalej.words import _, readable, said

EFFECTS_MOST: Final = 8
EFFECTS_TYPED: Final = 2  # of them while one types
MINUTES: Final = ("round_time", "no_new_game")
MS_MOST: Final = 5_000  # a time that cannot be longer is meant in milliseconds
_BARE: Final = re.compile(r"\d{1,9}([.,]\d{1,3})?", re.ASCII)


def meant(key: str, text: str, ready: Sequence[str]) -> str:
    """What was typed as the event takes it: a number alone has the setting's unit, and a value may be typed as it
    reads in the list of `ready` ones.
    """
    text = text.strip()
    for one in ready:
        if text.casefold() == value_words(key, one).casefold():
            return one
    shape = schema().get(full_key(key))
    if not (isinstance(shape, Whole) and full_key(key).endswith("_ms") and _BARE.fullmatch(text)):
        return text
    whole = text.isdigit()
    unit = "min" if key in MINUTES else "ms" if whole and shape.high <= MS_MOST else "s"
    return f"{text} {unit}"


def problem_words(problem: DalejError) -> str:
    """What is wrong, with settings and values called as the screen calls them."""
    key = friendly(str(problem.data.get("key", "")))
    if key not in LABELS:
        return said(problem)
    data = {**problem.data, "key": label(key)}
    shape = schema().get(full_key(key))
    if "allowed" in data and isinstance(shape, OneOf | YesNo):
        data["allowed"] = " / ".join(value_words(key, one) for one in getattr(shape, "words", ("yes", "no")))
    if "old" in data:
        data["old"] = value_words(key, str(data["old"]))
    return said(DalejError(problem.template, **data))


def would_lines(would: Touched, key: str, *, seated: bool = True) -> list[str]:
    """What the change would do, while one types. `seated`: a round is, so that boxes can be sent its settings."""
    one = would.setting
    if not one.change.drafts:
        return [_("It is so already.")]
    lines = [f"✓ {_shown(key, one.old)} → {_shown(key, one.new)}"]
    rule = one.becomes
    if would.against:
        lines.append("✗ " + _("The regulation says otherwise; the organiser answers for it."))
    elif rule is not None and rule.granted:
        lines.append("◇ " + _("The regulation allows it."))
    if would.scored:
        lines.append("! " + _("Results that are in depend on it."))
    if would.boxes:
        sent = _("Boxes go by it once they are sent it, between games.")
        lines.append(sent if seated else _("Boxes go by it once a round is seated."))
    return [*lines, *would.effects[:EFFECTS_TYPED]]


def sure(would: Touched, key: str, ruleset: Ruleset) -> Confirm:
    """Asks whether all of that is meant."""
    one = would.setting
    lines = [
        _("{key} becomes {value}; it was {old}.").format(
            key=label(key), value=_shown(key, one.new), old=_shown(key, one.old)
        )
    ]
    if would.against and one.becomes is not None:
        rule = one.becomes
        quote = quoted(rule.quote, ruleset.language)
        lines.append(_("The regulation says otherwise, {clause}: {quote}").format(clause=rule.clause, quote=quote))
        if rule.allows:
            lines.append(permits(rule, key, ruleset.language))
    if would.scored:
        depend, alone = _("Results that are in depend on it:"), _("Results that are in depend on it.")
        lines.append(depend if would.effects else alone)
    lines += would.effects[:EFFECTS_MOST]
    if len(would.effects) > EFFECTS_MOST:
        lines.append(_("and {count} more").format(count=len(would.effects) - EFFECTS_MOST))
    return Confirm(_("Change it all the same?"), lines, yes=_("change it"))


def permits(rule: Rule, key: str, language: str) -> str:
    """What the text permits besides, in its own words if it has some for that."""
    others = ", ".join(value_words(key, value_text(rule.key, value)) for value in rule.allows)
    if not rule.allows_quote:
        return _("The regulation permits as well: {values}").format(values=others)
    clause, quote = rule.granting
    return _("The regulation permits as well: {values}, {clause}: {quote}").format(
        values=others, clause=readable(clause), quote=readable(quoted(quote, language))
    )


def done_words(would: Touched, key: str) -> str:
    """What was changed."""
    return f"{label(key)}: {_shown(key, would.setting.old)} → {_shown(key, would.setting.new)}"


def back_words(would: Touched, key: str) -> str:
    """What is so again once the change is taken back."""
    words = f"{label(key)}: {_shown(key, would.setting.new)} → {_shown(key, would.setting.old)}"
    return _("Taken back:") + f" {words}"


def _shown(key: str, text: str) -> str:
    return readable(value_words(key, text)) or "–"
