"""Whether somebody else has decided on the same thing since a person looked: nobody is overruled unseen."""

from __future__ import annotations

from collections.abc import Callable

from dalej.errors import Refused
from dalej.ledger import REVOKE, Decision
from dalej.office.event import Seen
from dalej.office.history import names_in, told
from dalej.office.reasons import reason_said
from dalej.telling import instant
from dalej.words import N_

About = Callable[[Decision], bool]


def expect_none_newer(seen: Seen, since: int, who: str, about: About) -> None:
    """Refused, with who, what and when, if another person than `who` decided anything `about` it after the ledger's
    entry `since`, or took such a thing back; 0: nobody said what was seen.
    """
    if not since:
        return
    concerned = {one.cursor for one in seen.decisions if about(one)}
    for one in reversed(seen.decisions):
        if one.cursor <= since:
            return
        if one.who != who and (one.cursor in concerned or (one.kind == REVOKE and one.revokes in concerned)):
            raise Refused(
                N_("{who} has decided on this in the meantime, {when}: {what} ({why}); look at it, then decide again"),
                who=one.who, when=instant(one.when_ms), what=told(one, names_in(seen.decisions)),
                why=reason_said(one.why), cursor=one.cursor,
            )  # fmt: skip
