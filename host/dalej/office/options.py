"""What an organiser changes about an event: its name, its day, its ruleset, and single values of that ruleset."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from dalej import rulebook
from dalej.domain import options
from dalej.domain.rulesets import Rule, schema
from dalej.domain.ruletext import parse
from dalej.domain.rulevalues import listed
from dalej.domain.tournament import EVENT, OPTION, RULESET, Tournament
from dalej.errors import Damaged, Refused, WrongInput
from dalej.ledger import Decision, Draft
from dalej.ledger.entries import Json
from dalej.office import commands
from dalej.office.event import Change, Event, Seen, imagined
from dalej.office.headings import yes_or_no
from dalej.office.newer import expect_none_newer
from dalej.office.opening import proper_date, proper_town, ruleset_draft
from dalej.office.players import proper_name
from dalej.office.registering import cited
from dalej.office.rulechanges import expect_in_time, expect_nothing_played, touches_results
from dalej.office.settingnames import LIMIT, in_seconds
from dalej.words import N_

NAME: Final = "name"
TOWN: Final = "town"
DATE: Final = "date"
IS_CLOSED: Final = "closed"
OF_THE_EVENT: Final = (NAME, TOWN, DATE, IS_CLOSED)
SET: Final = N_("the organiser's choice")
_KINDS: Final = (OPTION, EVENT, RULESET)
DEFAULT: Final = "default"  # in place of a value: as the ruleset says


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
                N_("{command} changes it knowingly"), command=commands.once_more("--yes")
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
        body[key] = text != DEFAULT and _yes(text)
    elif key == NAME:
        body[key] = proper_name(state.ruleset.title if text == DEFAULT else text)
    else:
        text = "" if text == DEFAULT else text
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
    if text.strip().lower() == DEFAULT:
        known = _in_schema(key)
        value: object = None
        after = options.with_option(state.ruleset, known, None)
    else:
        try:
            known, value = options.option(state.ruleset, key, text)
        except WrongInput as wrong:
            raise wrong if _is_key(key) else _listed(wrong) from None
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


def _is_key(key: str) -> bool:
    return options.named(key) in (*schema(), options.ROUNDS, options.GAMES)


def _listed(wrong: WrongInput) -> WrongInput:
    return wrong.hinted(N_("{command} lists what can be set"), command=commands.typed("event", "set", commands.EVENT))


def _expect_sense(seen: Seen, wanted: Setting) -> None:
    try:
        after = imagined(seen, wanted.change.drafts)
    except Damaged:
        return  # `Event` refuses whatever makes the event unreadable, and says why
    expect_in_time(seen.state, after)
