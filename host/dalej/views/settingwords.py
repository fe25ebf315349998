"""Settings as an organiser understands them: in groups, by what they do; their values in words where they are words."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from dalej.domain.rules import options
from dalej.domain.rules.clauses import quoted
from dalej.domain.rules.rulesets import OneOf, Rule, Ruleset, Whole, YesNo, schema
from dalej.domain.rules.values import spoken, stages_from
from dalej.domain.tournament.stages import stage_name
from dalej.domain.tournament.tournament import RULESET, Tournament
from dalej.errors import DalejError, WrongInput
from dalej.office.settingnames import LABELS, LIMIT, in_seconds, label
from dalej.office.settings import MARKS, OF_THE_EVENT, Stand, Touched, friendly, original_text, stand
from dalej.rulesets.rulebook import title
from dalej.words import N_, _, day_shown, is_word, language, readable, said


@dataclass(frozen=True, slots=True)
class Group:
    """`keys` as people type them, without `_ms`; those of the event itself, and of this screen, among them."""

    title: str
    keys: tuple[str, ...]


LANGUAGE: Final = "language"

GROUPS: Final = (
    Group(N_("THE EVENT"), ("name", "town", "date", "closed", "ruleset")),
    Group(N_("TIME"), (
        "limit", "round_time", "no_new_game", "on_expiry", "grace", "alert_after", "countdown",
    )),
    Group(N_("DRAWING AND CLICKS"), (
        "draw", "claim_window", "late_tile_window", "guard", "shared_guard", "dispute_window", "withdraw_window",
    )),
    Group(N_("WHEN THE TIME HAS RUN OUT"), (
        "default_ruling_drawn", "default_ruling", "stands_tiles", "undone_tiles", "takes_invalid_tiles",
        "nothing_laid_tiles", "touched_ruling",
    )),
    Group(N_("TABLES AND TILES"), (
        "seats_min", "seats_max", "jokers", "tiles", "hand", "first_starter", "next_starter", "redeal_allowed",
    )),
    Group(N_("ROUNDS AND STAGES"), (
        "rounds", "games", "stages", "shape", "players_min", "closed_players_min", "players_max", "players_counted",
        "tables_max", "semifinal_small", "semifinal_large", "semifinal_small_up_to", "level_seating", "ranking",
        "stage_points", "absent_points", "not_played_stands", "not_played_advances",
    )),
    Group(N_("THE END OF A GAME"), ("on_bank_empty", "on_round_time")),
    Group(N_("SCORING"), (
        "opening_points", "opening_joker_points", "joker_points", "never_opened_points", "could_have_opened_points",
        "never_opened_counts", "announcement_lifts", "winner_takes_penalties", "penalties_without_winner",
        "several_lowest", "odd_points", "level_big_points", "withdrawn_ranks", "big_points_4",
        "big_points_3", "big_points_2",
    )),
    Group(N_("AT THE BOX"), ("sound", "taps_only")),
    Group(N_("PAPER"), ("check_results", "form_players", "form_working_days", "public_names")),
    Group(N_("CONDUCT"), ("exclusion",)),
    Group(N_("THIS SCREEN"), (LANGUAGE,)),
)  # fmt: skip

# Words of a ruleset's file, as people say them; the file's own word is what is typed.
WORDS: Final[Mapping[str, str]] = {
    "yes": N_("yes"), "no": N_("no"), "none": N_("none"), "unknown": N_("not known before counting"),
    "rack": N_("the rack"), "tile": N_("as the tile it stands for"),
    "hold": N_("the table waits for a verdict"), "advance": N_("the next move starts"),
    "off": N_("off"), "flag": N_("noted, the next player may claim"), "block": N_("the click is refused"),
    "stands": N_("the move stands"), "undone": N_("the move is undone"),
    "takes_invalid": N_("invalid tiles are taken"),
    "seat_a": N_("seat A"), "highest_tile": N_("the highest tile"), "table": N_("the table says"),
    "clockwise": N_("the next seat"),
    "final_lap": N_("everybody has one more move"), "play_on": N_("play goes on"), "end_at_once": N_("it ends at once"),
    "instead": N_("instead of the rack"), "on_top": N_("on top of the rack"),
    "short": N_("first name and initial"), "in_full": N_("in full, with a consent"),
    "full": N_("each in full"), "split": N_("shared"),
    "first_seat": N_("to the first seat"), "last_seat": N_("to the last seat"),
    "higher": N_("the higher"), "lower": N_("the lower"),
    "last": N_("last"), "by_points": N_("by points"),
    "league": N_("league"), "eliminations": N_("eliminations"), "championship": N_("championship"),
    "series": N_("series"), "big_then_small": N_("big points, then small"), "small": N_("small points"),
    "fresh": N_("from nought"), "carried": N_("carried over"), "lot": N_("by lot"), "sign_up": N_("by sign-up"),
    "signed_up": N_("who has signed up"), "present": N_("who is there"),
    "silent": N_("silent"), "soft": N_("soft"), "loud": N_("loud"),
    "advised": N_("advised"), "required": N_("required"),
    "after_warning": N_("after a warning"), "outright": N_("outright"),
}  # fmt: skip

LANGUAGE_NAMES: Final[Mapping[str, str]] = {"pl": "polski", "en": "English", "it": "italiano"}  # each in its own words

# What organisers ask for again and again; a digit or a click puts it in.
_OFTEN: Final[Mapping[str, tuple[str, ...]]] = {
    "limit": ("40 s", "60 s", "30 s", "45 s", "90 s"),
    "round_time": ("45 min", "60 min", "75 min", "90 min"),
}
CHOICES_MOST: Final = 9
EFFECTS_TYPED: Final = 2  # of them while one types
MINUTES: Final = ("round_time", "no_new_game")
MS_MOST: Final = 5_000  # a time that cannot be longer is meant in milliseconds
_BARE: Final = re.compile(r"\d{1,9}([.,]\d{1,3})?", re.ASCII)


def full_key(key: str) -> str:
    """The ruleset's own name."""
    return f"{key}_ms" if f"{key}_ms" in schema() else key


def value_words(key: str, text: str) -> str:
    """A value as it is typed -> as it is read: words of the file are translated, numbers stay."""
    if key == LANGUAGE:
        return LANGUAGE_NAMES.get(text, text)
    if key == "stages":
        return _stages_words(text)
    if key == LIMIT:
        return in_seconds(text)
    if key == RULESET:
        return title(text)
    shape = schema().get(full_key(key))
    worded = (
        key == "closed" or isinstance(shape, OneOf | YesNo) or (isinstance(shape, Whole) and text == shape.word)
        or text == "none"
    )  # fmt: skip
    return _(WORDS[text]) if worded and text in WORDS else text


def value_typed(key: str, text: str) -> str:
    """The other way round: of a word in any language the one that is typed; all else as it is."""
    shape = schema().get(full_key(key))
    known: list[str] = list(shape.words) if isinstance(shape, OneOf) else []
    known += [shape.word] if isinstance(shape, Whole) and shape.word else ["none"]
    return next((word for word in known if word in WORDS and is_word(text, WORDS[word])), text)


def in_words(problem: DalejError) -> DalejError:
    """What is wrong with a setting, which is called so as people call it, and so are its values; all else as it is."""
    key = friendly(str(problem.data.get("key", "")))
    if key not in LABELS:
        return problem
    problem.data["key"] = label(key)
    shape = schema().get(full_key(key))
    if "allowed" in problem.data and isinstance(shape, OneOf | YesNo):
        words = getattr(shape, "words", ("yes", "no"))
        problem.data["allowed"] = " / ".join(value_words(key, one) for one in words)
    if "old" in problem.data:
        problem.data["old"] = value_words(key, str(problem.data["old"]))
    return problem


def _stages_words(text: str) -> str:
    """Each stage by its name, with its rounds and the games in each."""
    try:
        stages = stages_from("stages", text)
    except WrongInput:
        return text
    return " · ".join(f"{stage_name(one['id'])} {one['rounds']}×{one['games']}" for one in stages)


def choices(key: str, ruleset: Ruleset, rulesets: tuple[str, ...] = ()) -> list[str]:
    """Values that can be picked, as they are typed; [] where one types."""
    if key == LANGUAGE:
        return list(LANGUAGE_NAMES)
    if key == "ruleset":
        return list(rulesets)[:CHOICES_MOST]
    if key == "closed":
        return ["yes", "no"]
    if found := words_of(key):
        return found
    if key in _OFTEN:
        return list(_OFTEN[key])
    if key == "rounds" or key == "games":
        return [str(count) for count in range(1, 7)]
    shape = schema().get(full_key(key))
    if isinstance(shape, Whole):
        return _numbers(key, shape, ruleset)
    return []


def words_of(key: str) -> list[str]:
    """The values of a setting that has nothing but words, as they are typed; [] for others."""
    shape = schema().get(full_key(key))
    if isinstance(shape, OneOf):
        return list(shape.words)
    return ["yes", "no"] if isinstance(shape, YesNo) else []


def _numbers(key: str, shape: Whole, ruleset: Ruleset) -> list[str]:
    """The word it may be, and numbers around what counts now."""
    known = [shape.word] if shape.word else []
    now = getattr(ruleset, full_key(key))
    if full_key(key).endswith("_ms"):
        step = 100 if shape.high <= 5_000 else 1_000 if shape.high <= 60_000 else 60_000
        base = now if isinstance(now, int) else shape.low
        near = [base + step * by for by in (-2, -1, 0, 1, 2)]
        return known + [spoken(one) for one in near if shape.low <= one <= shape.high]
    if shape.high - shape.low <= 8:
        return known + [str(one) for one in range(shape.low, shape.high + 1)]
    base = now if isinstance(now, int) else shape.low
    step = 1 if shape.high <= 120 else 10 if shape.high <= 300 else 50
    near = [base + step * by for by in (-2, -1, 0, 1, 2)]
    return known + [str(one) for one in near if shape.low <= one <= shape.high]


def rule_of(state: Tournament, key: str) -> Rule | None:
    """The ruleset's value behind a setting, None for one of the event or the screen."""
    if key in (*OF_THE_EVENT, RULESET, LANGUAGE):
        return None
    return state.ruleset.rule("stages" if key in (options.ROUNDS, options.GAMES) else full_key(key))


def stands(state: Tournament, key: str) -> Stand | None:
    """Where a setting stands to the regulation, None for one of the event or the screen; rounds and games each by
    itself, though both are of the stages.
    """
    rule = rule_of(state, key)
    if rule is None:
        return None
    if key in (options.ROUNDS, options.GAMES) and isinstance(rule.original, tuple):
        first = next(iter(rule.original), None)
        if getattr(first, key, None) == getattr(state.ruleset.stages[0], key):
            return "says"
    return stand(rule)


def value_now(state: Tournament, key: str) -> str:
    """A value as it is typed."""
    if key == LANGUAGE:
        return language()
    if key in (options.ROUNDS, options.GAMES):
        return str(getattr(state.ruleset.stages[0], key))
    rule = rule_of(state, key)
    if rule is not None:
        return options.format_value(rule)
    own = {
        "name": state.name,
        "town": state.town,
        "date": day_shown(state.date),
        "closed": "yes" if state.closed else "no",
    }
    return {**own, RULESET: state.ruleset.id}[key]


def about(state: Tournament, key: str) -> list[str]:
    """What there is to say about a setting: its value, and what the regulation says of it."""
    rule = rule_of(state, key)
    if rule is None:
        return [f"{label(key)}: {shown(key, value_now(state, key))}"]
    where = stands(state, key)
    assert where is not None, "it is of the regulation"
    shape, words = MARKS[where]
    lines = [f"{label(key)}: {shown(key, value_now(state, key))} · {shape} {_(words)}"]
    clause, quote = rule.citation
    quote = quoted(quote, state.ruleset.language)
    lines.append(
        _("The regulation, {clause}: {quote}").format(clause=readable(clause), quote=readable(quote)) if quote
        else _("The regulation, {clause}").format(clause=readable(clause))
    )  # fmt: skip
    if rule.organiser and key not in ("rounds", "games"):
        lines.append(_("Without your choice: {value}").format(value=value_words(key, original_text(rule))))
    if rule.ours:
        lines.append(_("Ours, because: {why}").format(why=_(rule.why)))
    if rule.modifiable:
        lines.append(_("The regulation permits any other value."))
    elif rule.allows and not rule.granted:
        lines.append(permits(rule, key, state.ruleset.language))
    return lines


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
    return said(in_words(problem))


def would_lines(would: Touched, key: str, *, seated: bool = True) -> list[str]:
    """What the change would do, while one types. `seated`: a round is, so that boxes can be sent its settings."""
    one = would.setting
    if not one.change.drafts:
        return [_("It is so already.")]
    lines = [f"✓ {shown(key, one.old)} → {shown(key, one.new)}"]
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


def permits(rule: Rule, key: str, spoken_by: str) -> str:
    """What the text permits besides, in its own words if it has some for that."""
    others = ", ".join(value_words(key, options.value_text(rule.key, value)) for value in rule.allows)
    if not rule.allows_quote:
        return _("The regulation permits as well: {values}").format(values=others)
    clause, quote = rule.granting
    return _("The regulation permits as well: {values}, {clause}: {quote}").format(
        values=others, clause=readable(clause), quote=readable(quoted(quote, spoken_by))
    )


def shown(key: str, text: str) -> str:
    """A value as it stands on a screen."""
    return readable(value_words(key, text)) or "–"
