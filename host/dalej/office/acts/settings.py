"""The act that changes a setting of the event or of its ruleset."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated

from dalej.domain.tournament.tournament import RULESET
from dalej.errors import DalejError, Refused
from dalej.event.event import Event
from dalej.hints import EVENT, typed
from dalej.office.acts.act import Act, Asked
from dalej.office.acts.sight import Sight
from dalej.office.acts.undoing import undoable
from dalej.office.acts.wishes import Done, Wish, done
from dalej.office.settingnames import key_meant, label_said
from dalej.office.settings import set_as_seen
from dalej.rulesets import rulebook
from dalej.words import N_


class SetOption(Act, frozen=True, rename={"setting": "key"}):
    """A key and its value as they are typed; “default” is what the ruleset says. `knowingly`: even against the
    regulation.
    """

    name = "set_option"
    title = N_("change a setting")
    keeps_why = True
    confirm = N_("{key} becomes {value}; it was {old}.")
    setting: Annotated[str, Asked("text", N_("setting"))]
    value: Annotated[str, Asked("text", N_("value"))]
    knowingly: Annotated[bool, Asked("flag", N_("against the regulation"))] = False

    @classmethod
    def touched(cls, args: Mapping[str, object], sight: Sight) -> Mapping[str, object]:
        return {} if sight.state is None else {"old": sight.state.options.get(str(args.get("key")), "…")}

    def do(self, event: Event, wish: Wish) -> Done:
        """Of rulesets only those that ship with Dalej: whoever wishes may sit in a browser, and files of this computer
        are none of a browser's business.
        """
        if key_meant(self.setting).strip().lower() == RULESET and self.value not in rulebook.available():
            raise Refused(
                N_("here a ruleset is one of {known}, not one in a file"), known=", ".join(rulebook.available())
            ).hinted(N_("{command} chooses one in a file"), command=typed("event", "set", EVENT, RULESET, "FILE"))
        return self.set(event, wish)

    def set(self, event: Event, wish: Wish) -> Done:
        """Any ruleset, of a file too."""
        one, made = set_as_seen(
            event, self.setting, self.value, wish.why or None, wish.seen, knowingly=self.knowingly
        )  # fmt: skip
        if not made:
            return done(N_("{key} is {value} already."), key=label_said(one.key), value=one.new)
        nothing = DalejError(N_("nothing"))
        return undoable(N_("{key}: {old} → {new}."), made, wish, key=label_said(one.key), old=one.old or nothing,
                        new=one.new or nothing)  # fmt: skip
