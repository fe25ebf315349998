"""What an organiser changes about an event: its name, its day, its ruleset, single values of that ruleset; how each
stands to the regulation, what it would touch; and when it comes too late: what was scored, seated or entered by other
rules stays as it is.
"""

from __future__ import annotations

import difflib
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, Literal

from dalej import hints
from dalej.domain.game.tablesettings import Choices, settings_for
from dalej.domain.rules import options
from dalej.domain.rules import options as values
from dalej.domain.rules.clauses import cited
from dalej.domain.rules.options import format_value
from dalej.domain.rules.rulesets import Rule, schema
from dalej.domain.rules.ruletext import parse
from dalej.domain.rules.values import listed
from dalej.domain.tournament.stages import round_said, stage_said
from dalej.domain.tournament.tournament import EVENT, OPTION, RULESET, Round, Tournament
from dalej.errors import DalejError, Damaged, Refused, WrongInput
from dalej.event.event import Change, Event, Seen, imagined
from dalej.event.ledger import Decision, Draft
from dalej.event.ledger.entries import Json
from dalej.office.decisionwords import expect_none_newer
from dalej.office.effect import effect
from dalej.office.opening import proper_date, proper_town, ruleset_draft
from dalej.office.players import proper_name
from dalej.office.settingnames import LIMIT, in_seconds, key_meant, label
from dalej.office.signups import yes_or_no
from dalej.rulesets import rulebook
from dalej.words import N_, is_word

# Besides what is in the section "scoring", results of closed rounds depend on these.
_SCORES: Final = ("jokers", "ranking", "stage_points", "absent_points")
_SCORING: Final = "scoring"
_FORMAT: Final = "format"
_STAGES: Final = "stages"


def touches_results(key: str) -> bool:
    """Whether scores or stages depend on that value of a ruleset."""
    return _scores(key) or schema()[key].section == _FORMAT


def expect_in_time(before: Tournament, after: Tournament) -> None:
    """Refused if the rules of `after` contradict what was played by those of `before`."""
    if before.ruleset == after.ruleset:
        return
    if before.ruleset.id != after.ruleset.id:
        expect_nothing_played(before)
    changed = [rule.key for rule in before.ruleset.rules if rule.value != after.ruleset.rule(rule.key).value]
    _expect_scored_alike(before, changed)
    key = next((one for one in changed if schema()[one].section == _FORMAT), _STAGES)
    for one in before.rounds.values():
        if one.seating is not None or one.results or one.closed is not None:
            _expect_same_shape(before, after, one, key)
    planned, takes = ({stage.id: stage.takes for stage in state.plan} for state in (before, after))
    for stage in [*before.entrants][1:]:
        if stage not in after.entrants or planned[stage] != takes[stage]:
            raise _decided(before, key, stage)


def expect_nothing_played(state: Tournament) -> None:
    """Refused, with the round, if there are results already: they were played by this ruleset."""
    begun = next((one for one in state.rounds.values() if one.results or one.closed), None)
    if begun is not None:
        raise Refused(
            N_("the event stays with {ruleset}: {round} has results already"),
            ruleset=state.ruleset.id, round=round_said(*begun.key),
        )  # fmt: skip


def _scores(key: str) -> bool:
    return key in _SCORES or schema()[key].section == _SCORING


def _expect_scored_alike(before: Tournament, changed: list[str]) -> None:
    closed = next((one for one in before.rounds.values() if one.closed), None)
    key = next((one for one in changed if _scores(one)), None)
    if closed is not None and key is not None:
        raise Refused(
            N_("{key} stays {old}: {round} is closed and scored by it"),
            key=key, old=_old(before, key), round=round_said(*closed.key),
        )  # fmt: skip


def _expect_same_shape(before: Tournament, after: Tournament, one: Round, key: str) -> None:
    """The round as it was played is still a round of its stage, and who went on from there would have gone on."""
    stage = next((stage for stage in after.plan if stage.id == one.key.stage), None)
    games = max((at.game for at in one.results), default=0)
    if stage is None or stage.rounds < one.key.round or stage.games < games:
        raise Refused(
            N_("{key} stays {old}: {round} is seated already, games entered: {games}"),
            key=key, old=_old(before, key), round=round_said(*one.key), games=games,
        )  # fmt: skip
    entered = _stage_after(before, one.key.stage) in before.entrants
    if one.stage.takes != stage.takes or (entered and one.stage.rounds != stage.rounds):
        raise _decided(before, key, one.key.stage)


def _decided(before: Tournament, key: str, stage: str) -> Refused:
    return Refused(
        N_("{key} stays {old}: who plays in {stage}, or after it, is decided already"),
        key=key, old=_old(before, key), stage=stage_said(stage),
    )  # fmt: skip


def _old(before: Tournament, key: str) -> str:
    return format_value(before.ruleset.rule(key))


def _stage_after(state: Tournament, stage: str) -> str:
    """The id of the stage after that one, "" after the last."""
    ids = [*(each.id for each in state.plan), ""]
    return ids[ids.index(stage) + 1]


NAME: Final = "name"
TOWN: Final = "town"
DATE: Final = "date"
IS_CLOSED: Final = "closed"
OF_THE_EVENT: Final = (NAME, TOWN, DATE, IS_CLOSED)
SET: Final = N_("the organiser's choice")
_KINDS: Final = (OPTION, EVENT, RULESET)
DEFAULT: Final = N_("default")  # in place of a value: as the ruleset says


@dataclass(frozen=True, slots=True)
class Setting:
    """A value to be set. `key`, `old` and `new` as people type them; `rule`: the ruleset's value as it was, `becomes`
    as it will be; None for what is the event's own.
    """

    key: str
    old: str
    new: str
    change: Change
    rule: Rule | None = None
    becomes: Rule | None = None

    @property
    def against_the_text(self) -> bool:
        """Whether the regulation says otherwise, and does not leave that value to anybody."""
        return self.becomes is not None and not self.becomes.permitted

    @property
    def touches_results(self) -> bool:
        """Whether scores or stages depend on it."""
        return self.key == RULESET or (self.rule is not None and touches_results(self.rule.key))


def friendly(key: str) -> str:
    """A ruleset's key as people type it."""
    return key.removesuffix("_ms")


def keys() -> tuple[str, ...]:
    """What can be set."""
    return (*OF_THE_EVENT, RULESET, *options.keys())


def setting(seen: Seen, key: str, text: str, why: str | None = None) -> Setting:
    """What setting it would mean. WrongInput if there is no such key or value, Refused if it comes too late."""
    key = key_meant(key)
    named = key.strip().lower()
    if named in OF_THE_EVENT:
        return _of_event(seen.state, named, text, why)
    if named == RULESET:
        return _ruleset(seen.state, text, why)
    found = _of_ruleset(seen.state, key, text, why)
    if found.change.drafts:
        _expect_sense(seen, found)
    return found


def says_otherwise(wanted: Setting, language: str) -> Refused:
    """That the regulation, written in that `language`, does not say so, and what else it permits, in its own words."""
    assert wanted.becomes is not None, "only a ruleset's value can be against its text"
    return against(wanted.becomes, wanted.key, wanted.old, wanted.new, language)


def against(rule: Rule, key: str, old: str, new: str, language: str) -> Refused:
    """The same of any rule whose value is another than its text permits; `key`, `old` and `new` as people type them."""
    template = N_("{key} stays {old}: the regulation says otherwise than {new} {citation}")
    if rule.allows:
        template = N_(
            "{key} stays {old}: the regulation says otherwise than {new} {citation} and permits {allowed} besides "
            "{granting}"
        )
    if key == LIMIT:
        old, new = in_seconds(old), in_seconds(new)
    return Refused(
        template, key=key, old=old, new=new, citation=cited(rule.clause, rule.quote, language),
        allowed=listed(options.value_text(rule.key, value) for value in rule.allows),
        granting=cited(*rule.granting, language),
    )  # fmt: skip


def set_as_seen(
    event: Event, key: str, text: str, why: str | None, since: int = 0, *, knowingly: bool = False
) -> tuple[Setting, list[Decision]]:
    """Set it. Refused too if somebody else has set it after the ledger's entry `since`, and unless it is done
    `knowingly` if the regulation says otherwise; no decision: it is so.
    """
    found: list[Setting] = []

    def plan(seen: Seen) -> Change:
        wanted = setting(seen, key, text, why)
        if wanted.against_the_text and wanted.change.drafts and not knowingly:
            raise says_otherwise(wanted, seen.state.ruleset.language).hinted(
                N_("{command} changes it knowingly"), command=hints.once_more("--yes")
            )
        subjects = {draft.subject for draft in wanted.change.drafts}
        expect_none_newer(seen, since, event.who, lambda one: one.kind in _KINDS and one.subject in subjects)
        found[:] = [wanted]
        return wanted.change

    made = event.change_seen(plan)
    return found[0], made


def _of_event(state: Tournament, key: str, text: str, why: str | None) -> Setting:
    body: dict[str, Json] = {NAME: state.name, TOWN: state.town, DATE: state.date, IS_CLOSED: state.closed}
    old = body[key]
    if key == IS_CLOSED:
        body[key] = not is_word(text, DEFAULT) and _yes(text)
    elif key == NAME:
        body[key] = proper_name(state.ruleset.title if is_word(text, DEFAULT) else text)
    else:
        text = "" if is_word(text, DEFAULT) else text
        body[key] = proper_date(text) if key == DATE else proper_town(text)
    drafts = [] if body[key] == old else [Draft(EVENT, body, EVENT)]
    return Setting(key, _typed(old), _typed(body[key]), Change(drafts, why or SET))


def _yes(text: str) -> bool:
    try:
        return yes_or_no(text) or False
    except ValueError:
        raise WrongInput(N_("{key} is {found}, expected yes or no"), key=IS_CLOSED, found=text) from None


def _typed(value: Json) -> str:
    return ("yes" if value else "no") if isinstance(value, bool) else str(value)


def _ruleset(state: Tournament, text: str, why: str | None) -> Setting:
    expect_nothing_played(state)
    source, file = rulebook.source(text)
    ruleset = parse(source, file)
    options.with_options(ruleset, state.options)
    return Setting(
        RULESET, state.ruleset.id, ruleset.id,
        Change([ruleset_draft(ruleset.id, source)], why or f"played by {ruleset.id}"),
    )  # fmt: skip


def _of_ruleset(state: Tournament, key: str, text: str, why: str | None) -> Setting:
    if is_word(text, DEFAULT):
        known = _in_schema(key)
        value: object = None
        after = options.with_option(state.ruleset, known, None)
    else:
        try:
            known, value = options.option(state.ruleset, key, text)
        except WrongInput as wrong:
            raise wrong if _is_key(key) else _listed(_near(key) or wrong) from None
        after = options.with_option(state.ruleset, known, value)
    rule = state.ruleset.rule(known)
    changed = after.rule(known)
    old, new = options.format_value(rule), options.format_value(changed)
    body: dict[str, Json] = {"key": known, "value": value}  # type: ignore[dict-item]  # plain JSON, as options say
    drafts = [] if old == new else [Draft(OPTION, body, f"{OPTION}:{known}")]
    named = friendly(known)
    if key.strip().lower() in (options.ROUNDS, options.GAMES):  # of the first stage: only that has been typed
        named = key.strip().lower()
        old, new = (str(getattr(ruleset.stages[0], named)) for ruleset in (state.ruleset, after))
    return Setting(named, old, new, Change(drafts, why or SET), rule, changed)


def _in_schema(key: str) -> str:
    """The ruleset's own name of a key; WrongInput if it is none."""
    known = options.named(key)
    if known in (options.ROUNDS, options.GAMES):
        return "stages"
    if known in schema():
        return known
    raise _listed(WrongInput(N_("{key} is nothing that can be set"), key=key))


def _near(key: str) -> WrongInput | None:
    """That there is no such setting, and which are called nearly so in the reader's language; None if none is."""
    near = difflib.get_close_matches(key.strip().lower(), [label(one) for one in keys()], n=5)
    if not near:
        return None
    return WrongInput(N_("{key} is nothing that can be set, expected such as {near}"), key=key, near=", ".join(near))


def _is_key(key: str) -> bool:
    return options.named(key) in (*schema(), options.ROUNDS, options.GAMES)


def _listed(wrong: WrongInput) -> WrongInput:
    return wrong.hinted(N_("{command} lists what can be set"), command=hints.typed("event", "set", hints.EVENT))


def _expect_sense(seen: Seen, wanted: Setting) -> None:
    try:
        after = imagined(seen, wanted.change.drafts)
    except Damaged:
        return  # `Event` refuses whatever makes the event unreadable, and says why
    expect_in_time(seen.state, after)


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
