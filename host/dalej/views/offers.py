"""What can be done at a table, or about what waits there, and why not what cannot: the acts that every screen offers,
with what is known of their arguments. Pure.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final

from dalej.domain.game.facts import SEATS, STATES, is_phone, seat_name
from dalej.office.acts.act import Act
from dalej.office.acts.attable import ToBox
from dalej.office.acts.catalogue import ACTS, allowed
from dalej.office.acts.clocks import Resume, SetSeat
from dalej.office.acts.players import OfPlayer
from dalej.office.acts.roles import Role
from dalej.office.acts.rulings import AboutMove, DenyClaim, GrantClaim, OfClaim, Revoke, Rule
from dalej.office.acts.tablewords import TellTable
from dalej.office.rulings import answer_words, usual
from dalej.views.book import Page
from dalej.views.callwords import (
    claim_asked,
    claim_words,
    comes_to,
    given_back_words,
    goes_on_words,
    question,
    stands_words,
    undone_words,
)
from dalej.views.rows import PLAYS, Alert, Row, SeenTurn
from dalej.words import N_, _, said

UNREAD: Final = Page()  # of which nothing is known
Args = Mapping[str, object]

_ABOUT: Final = ("table", "player", "game")
_LETTERS: Final = "123456789dfhijklopvwy"  # none that means something else on most screens: n, q, x, z

_RULED_MOSTLY: Final = ("stands", "undone", "touched")
# What a yes or a no to a claim rests on: it is in the question.
_CLAIM_ANSWERS: Final[Mapping[type[Act], str]] = {
    GrantClaim: N_("the tile was drawn late"),
    DenyClaim: N_("the tile was drawn first"),
}
_BY_MISTAKE: Final = N_("a click by mistake")

# What an alert asks for, the likeliest first.
_ANSWERS: Final[Mapping[str, Sequence[str]]] = {
    "time_out": ("rule",),
    "early_click": ("grant_claim", "deny_claim", "resume"),
    "dispute": ("resume", "restart_move", "set_time", "set_seat", "rule", "stop", "warn"),
    "referee": ("resume", "stop", "warn", "set_time"),
    "power_lost": ("resume", "set_time", "set_seat"),
    "stands": ("grant_claim", "deny_claim", "resume", "restart_move", "set_time", "set_seat", "rule"),
    "silent": ("blink",),
}


@dataclass(frozen=True, slots=True)
class Offer:
    """An act with what is known of its arguments. `key`: chooses it on a menu; `why_not`: "" if it can be done now;
    `comes_to`: what follows from it as an answer to a call, "" where its title says that.
    """

    act: type[Act]
    args: Args
    key: str = ""
    why_not: str = ""
    comes_to: str = ""


@dataclass(frozen=True, slots=True)
class Likely:
    """An answer that is nearly always the one: an act with everything that it asks, done by one touch on `words`."""

    act: type[Act]
    args: Args
    why: str
    words: str


def late_moves(turns: Sequence[SeenTurn]) -> list[int]:
    """Of one game the moves whose time ran out, oldest first: what there is to rule on."""
    return [one.turn.move for one in turns if not one.turn.void and one.turn.ruling]


def at_table(
    role: Role, row: Row, late: Sequence[int] | None = None, *, ruled: bool = True, page: Page = UNREAD
) -> list[Offer]:
    """Every act on a table, those who sit there and its results, in one order with the same keys at all times.

    `late`: moves of this game that ran out of time; None: not known. `ruled`: there is a ruling that may be taken back.
    `page`: the event, in which a claim may be answered.
    """
    acts = [act for act in allowed(role) if act.about in _ABOUT]
    acts += [act for act in allowed(role) if act is Revoke]  # of a decision, looked for among those on the table
    taken = {act.key for act in acts}
    free = iter([key for key in _LETTERS if key not in taken])
    offers = [offer(act, row, act.key or next(free, ""), late, page) for act in acts]
    none = _("nobody has ruled on anything yet")
    return [one if ruled or one.act is not Revoke else replace(one, why_not=none) for one in offers]


def offer(act: type[Act], row: Row, key: str = "", late: Sequence[int] | None = None, page: Page = UNREAD) -> Offer:
    """The act at that table."""
    return Offer(act, arguments(act, row, late), key, why_not(act, row, late, page))


def for_alert(
    role: Role, row: Row, alert: Alert, late: Sequence[int] | None = None, page: Page = UNREAD
) -> list[Offer]:
    """What may be done about it, with the move that it is about; each keeps its digit while it cannot be done.

    Empty if there is nothing to be done, or not yet.
    """
    if alert.kind == "early_click" and not alert.urgent:
        return []  # nobody has claimed anything
    acts = {act.name for act in allowed(role)}
    answered = is_answered(alert, row, page)
    offers = [offer(ACTS[name], row, "", late, page) for name in _ANSWERS[alert.kind] if name in acts]
    if alert.kind == "early_click" and not (answered or alert.denied):
        first = _("the clock goes on with the answer")
        offers = [replace(one, why_not=one.why_not or first) if one.act is Resume else one for one in offers]
    if not any(not one.why_not for one in offers):
        return []
    if alert.kind in ("dispute", "stands"):  # a time-out of long ago is not what this one is about
        past = _("no time ran out in this move or the one before")
        offers = [replace(one, why_not=one.why_not or past) if _is_past(one, row) else one for one in offers]
    moves = [move if isinstance(move := one.args.get("move"), int) else None for one in offers]
    return [
        Offer(one.act, {**one.args, **_of_alert(one.act, alert, row, one.args)}, str(place), one.why_not,
              comes_to(one.act.name, alert, row, answered=answered, move=move))
        for place, (one, move) in enumerate(zip(offers, moves, strict=True), start=1)
    ]  # fmt: skip


def likely(offers: Sequence[Offer], alert: Alert, row: Row, page: Page = UNREAD) -> list[Likely]:
    """Of what `for_alert` offers that can be done: the few answers that a referee is asked for at the table. Where a
    claim waits for a yes or a no, the clock goes on with either.
    """
    can = [offer for offer in offers if not offer.why_not]
    claimed = [offer for offer in can if offer.act in _CLAIM_ANSWERS]
    return [one for offer in claimed or can for one in _likely(offer, alert, row, page)]


def asked_briefly(answers: Sequence[Likely], alert: Alert, row: Row) -> str:
    """What is asked above the answers; "" where they say that themselves."""
    claimed = any(one.act in _CLAIM_ANSWERS for one in answers)
    return claim_asked(alert, row) if claimed else ""


def _likely(offer: Offer, alert: Alert, row: Row, page: Page) -> list[Likely]:
    act, args = offer.act, offer.args
    if act is Rule and alert.kind == "time_out" and page.state is not None:
        usually = {seen: usual(page.state, seen, row.bank) for seen in _RULED_MOSTLY}
        late = (usually["touched"].ruling, usually["touched"].tiles) == ("undone", usually["undone"].tiles)
        why = act.reasons[0]
        return [
            Likely(act, {**args, "verdict": "stands"}, why, stands_words()),
            Likely(act, {**args, "verdict": "undone"}, why, undone_words(usually["undone"].tiles, late=late)),
        ]
    if act in _CLAIM_ANSWERS:
        return [Likely(act, args, _CLAIM_ANSWERS[act], claim_words(row, granted=act is GrantClaim))]
    if act is Resume and alert.kind in ("dispute", "referee", "power_lost", "stands"):
        return [Likely(act, args, "", goes_on_words(row, disputed=alert.kind == "dispute"))]
    if act is SetSeat and args.get("seat") not in (None, seat_name(row.seat)):
        return [Likely(act, args, _BY_MISTAKE, given_back_words(row, SEATS.index(str(args["seat"]))))]
    return []


def _is_past(offer: Offer, row: Row) -> bool:
    move = offer.args.get("move")
    return offer.act is Rule and isinstance(move, int) and move < row.move - 1


def asks(alert: Alert, row: Row, page: Page = UNREAD) -> str:
    """What happened there and what is asked of whoever answers it, in a sentence or two."""
    asked = question(alert, row, answered=is_answered(alert, row, page))
    if alert.kind == "stands" and claimed_again(row, page):
        return _("The answer to the claim was taken back. Did Dalej come before the tile?")
    return asked


def claimed_again(row: Row, page: Page) -> bool:
    """Whether the clock stands in a move that was claimed, and the answer to that claim was taken back."""
    claim = next((one.told for one in row.alerts if one.kind == "stands" and one.told is not None), None)
    answer = None if claim is None else page.claims.get(claim)
    return answer is not None and answer.revoked_by is not None


def why_not(act: type[Act], row: Row, late: Sequence[int] | None = None, page: Page = UNREAD) -> str:
    """Why it cannot be done now, in words; "" if it can, as far as is known here."""
    if act.about != "table":
        return ""
    if not row.box:
        return "" if issubclass(act, AboutMove) else _("no box stands there")
    if issubclass(act, TellTable) and not is_phone(row.box):
        return _("its box shows no words")
    if issubclass(act, OfClaim) and (answered := _answered(row, page)):
        return answered
    waits_for = (one for one in row.alerts if one.kind == "early_click" and one.urgent and not one.denied)
    if issubclass(act, OfClaim) and next(waits_for, None) is None and not claimed_again(row, page):
        return _("no claim waits for an answer")
    if issubclass(act, Rule) and late is not None and not late and not _time_is_over(row):
        return _("nobody's time has run out in this game")
    states = [STATES[state] for state in act.states()]
    if not states or row.state in states or row.state == "unknown":
        return ""
    if row.state in ("running", "expired") and "stopped" in states:
        return _("stop the clock first")
    return {
        "running": _("the clock runs"), "expired": _("the clock has run out"), "stopped": _("the clock stands"),
        "over": _("the game is over"), "ready": _("no game is under way"),
    }.get(row.state, _("no game is under way"))  # fmt: skip


def is_answered(alert: Alert, row: Row, page: Page) -> bool:
    """Whether somebody has decided on the claim, and only the clock has to go on."""
    return alert.kind == "early_click" and bool(_answered(row, page))


def _answered(row: Row, page: Page) -> str:
    """How the claim that stands there was answered; "" if nobody has decided on it."""
    claim = next((one for one in row.alerts if one.kind == "early_click" and one.urgent), None)
    answer = None if claim is None or claim.told is None else page.claims.get(claim.told)
    return "" if answer is None or answer.revoked_by is not None else said(answer_words(answer))


def _time_is_over(row: Row) -> bool:
    return row.state == "expired" or any(one.kind == "time_out" for one in row.alerts)


def arguments(act: type[Act], row: Row, late: Sequence[int] | None = None) -> Args:
    """What the screen knows of the act's arguments: where it is, and the move that the person looks at."""
    of_who_sits = issubclass(act, OfPlayer) and act.seated and act.about == "player"
    at_table = of_who_sits or act.about in ("table", "game") or act is Revoke
    args: dict[str, object] = {"table": row.table} if at_table else {}
    rules = issubclass(act, Rule)
    if row.ahead is not None and (issubclass(act, OfClaim) or (rules and _time_is_over(row))):
        return {**args, "epoch": row.ahead[0], "head": row.ahead[1]}  # what waits there, whatever its box calls it
    if issubclass(act, ToBox | AboutMove) and row.box and row.game:
        args["game"] = row.game
        if row.move and not row.move_at_least and row.state in PLAYS:
            args["move"] = row.move
    if rules:  # nobody rules on the move that is being played
        args.pop("move", None)
        if row.state == "expired":
            args["move"] = row.move
        elif late:
            args["move"] = late[-1]
    return args


def _of_alert(act: type[Act], alert: Alert, row: Row, args: Args) -> Args:
    """Whoever answers a call has dealt with it: the clock goes on with the answer."""
    named = {ask.name for ask in act.asks()}
    found: dict[str, object] = {}
    if "goes_on" in named and row.state == "stopped":
        found["goes_on"] = True
    if act is SetSeat and alert.kind == "dispute" and seat_name(alert.seat) is not None:
        found["seat"] = seat_name(alert.seat)  # whose move it was: the likeliest
    if "move" in named and alert.kind == "time_out" and alert.move and "head" not in args:
        found["move"] = alert.move
    if "reason" in named:
        found["reason"] = "dispute" if alert.kind == "dispute" else "referee"
    return found


def filled(act: type[Act], args: Args) -> bool:
    """Whether nothing is left to ask: it can be done at once. Of whoever it is about somebody has to be named."""
    asks = act.asks()
    nobody = [ask.kind == "player" and ask.name not in args for ask in asks]
    return not (act.why or act.destroys() or any(nobody) or any(ask.needed and ask.name not in args for ask in asks))
