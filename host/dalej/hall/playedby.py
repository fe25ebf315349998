"""By which rules the hall plays: the ruleset that was chosen, and what the organiser has set otherwise."""

from __future__ import annotations

from dalej.domain.options import with_options
from dalej.domain.rulesets import Ruleset
from dalej.domain.ruletext import parse
from dalej.domain.tournament import OPTION
from dalej.domain.tournamentbodies import Body
from dalej.eventlog import RULESET
from dalej.ledger import Decision


class PlayedBy:
    """A fold over decisions. `first`: the rules until the ledger names others; of standing ones the latest count."""

    def __init__(self, first: Ruleset) -> None:
        self.ruleset = first
        self._first = first
        self._chosen: dict[int, Ruleset] = {}  # by cursor, like the options
        self._options: dict[int, tuple[str, object]] = {}

    def decide(self, decision: Decision) -> bool:
        """Take in one decision, of whatever kind; whether the hall plays by other rules now. WrongInput or Damaged, and
        nothing changed, if it says nothing.
        """
        before = self.ruleset
        chosen, options = dict(self._chosen), dict(self._options)
        if decision.kind == RULESET:
            chosen[decision.cursor] = parse(str(decision.body.get("text", "")), f"{decision.body.get('id')}.toml")
        elif decision.kind == OPTION:
            body = Body(decision)
            options[decision.cursor] = body.text("key"), body.anything("value")
        for revoked in (decision.revokes, decision.cursor if decision.revoked_by is not None else None):
            if revoked is not None:
                chosen.pop(revoked, None)
                options.pop(revoked, None)
        if chosen != self._chosen or options != self._options:
            ruleset = next(reversed(chosen.values()), self._first)
            self.ruleset = with_options(ruleset, dict(options.values()))
            self._chosen, self._options = chosen, options
        return self.ruleset != before
