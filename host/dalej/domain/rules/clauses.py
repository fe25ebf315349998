"""Why something is as it is: sentences that quote the regulation, in the quotation marks of its own language."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final

from dalej.domain.rules.rulesets import Ruleset
from dalej.errors import DalejError, Sayable


@dataclass(frozen=True, slots=True)
class Reason:
    """An English template with `{named}` fields, the clause it rests on, the regulation's words if they are known."""

    template: str
    clause: str
    quote: str = ""
    data: Mapping[str, Sayable] = field(default_factory=dict)

    @property
    def sentence(self) -> str:
        """The reason in English with its clause, as programs get it."""
        quote = f": {self.quote}" if self.quote else ""
        return f"{self.template.format(**self.data)} [{self.clause}{quote}]"


class Citing:
    """Makes reasons that cite one ruleset."""

    def __init__(self, ruleset: Ruleset) -> None:
        self.ruleset = ruleset
        self._rules = {rule.key: rule for rule in ruleset.rules}
        self._texts = {(text.topic, text.clause): text for text in reversed(ruleset.texts)}  # the first one stays
        self._topics = {text.topic: text for text in reversed(ruleset.texts)}

    def value(self, key: str, template: str, **data: Sayable) -> Reason:
        """A reason that rests on the value named `key`. Where the organiser has set another value, it rests on the
        sentence that permits it; without one the regulation's words would contradict it and are left out.
        """
        rule = self._rules[key]
        clause, quote = rule.citation
        return Reason(template, clause, "" if rule.organiser and not rule.granted else quote, data)

    def passage(self, topic: str, key: str, template: str, **data: Sayable) -> Reason:
        """A reason that rests on the passage about `topic`, if possible in the clause of the value named `key`; where
        the ruleset quotes no such passage, on that clause without a quote, which would be about something else.
        """
        clause = self._rules[key].clause
        text = self._texts.get((topic, clause)) or self._topics.get(topic)
        if text is None:
            return Reason(template, clause, data=data)
        return Reason(template, text.clause, text.quote, data)

    def ruling(self, key: str, template: str, **data: Sayable) -> Reason:
        """A reason that rests on the referee's word, about the value named `key`."""
        return self.passage("dispute", key, template, **data)


_MARKS: Final[Mapping[str, str]] = {"pl": "„{}”"}
_OTHERS: Final = "“{}”"


def quoted(quote: str, language: str) -> str:
    """The words between their marks; nothing for none."""
    return _MARKS.get(language, _OTHERS).format(quote) if quote else ""


def cited(clause: str, quote: str, language: str = "pl") -> DalejError:
    """A clause with the regulation's own words, as messages have it; in the quotation marks of its `language`."""
    return DalejError("[{clause}: {quote}]" if quote else "[{clause}]", clause=clause, quote=quoted(quote, language))
