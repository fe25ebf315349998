"""The act that changes a setting of the event or of its ruleset."""

from __future__ import annotations

from typing import Final

from dalej.domain.tournament.tournament import RULESET
from dalej.errors import Refused
from dalej.event.event import Event
from dalej.office.acts.undoing import undoable
from dalej.office.acts.waiting import with_moved_up
from dalej.office.acts.wishes import Args, Done, Wish, done
from dalej.office.hints import EVENT, typed
from dalej.office.settings import set_as_seen
from dalej.rulesets import rulebook
from dalej.words import N_


def set_option(event: Event, wish: Wish) -> Done:
    """A key and its value as they are typed; “default” is what the ruleset says. `knowingly`: even against the
    regulation. Of rulesets only those that ship with Dalej: whoever wishes may sit in a browser, and files of this
    computer are none of a browser's business.
    """
    args = Args(wish)
    key, value = args.text("key"), args.text("value")
    if key.strip().lower() == RULESET and value not in rulebook.available():
        raise Refused(
            N_("here a ruleset is one of {known}, not one in a file"), known=", ".join(rulebook.available())
        ).hinted(N_("{command} chooses one in a file"), command=typed("event", "set", EVENT, RULESET, "FILE"))
    one, made = set_as_seen(event, key, value, wish.why or None, wish.seen, knowingly=args.flag("knowingly"))
    if not made:
        return done(N_("{key} is {value} already."), key=one.key, value=one.new)
    return with_moved_up(
        event, undoable(N_("{key}: {old} → {new}."), made, wish, key=one.key, old=one.old, new=one.new)
    )


HANDLERS: Final = {"set_option": set_option}
