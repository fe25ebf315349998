"""Every act: what it is called, who may do it, what it asks for, what it touches, whether it needs a reason, and the
passages it rests on.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final, Literal

from dalej.errors import DalejError, WrongInput
from dalej.office.acts.roles import EVERYBODY, ORGANISERS, REFEREES, ROLES, Role
from dalej.words import N_

About = Literal["hall", "table", "player", "game", "round", "event", "decision", "sessions"]
Kind = Literal[
    "seconds", "tiles", "number", "seat", "choice", "player", "players", "table", "text", "racks", "flag", "ruling"
]  # fmt: skip


@dataclass(frozen=True, slots=True)
class Ask:
    """One field of an act's form. `name`: in the wish's `args` (seconds travel as `ms`); `choices`: English words that
    are shown translated; `least`, `most`: what a number may be; `needed`: it cannot be left out.
    """

    name: str
    kind: Kind
    label: str
    choices: Sequence[str] = ()
    least: int = 0
    most: int = 9_999
    needed: bool = True


@dataclass(frozen=True, slots=True)
class Act:
    """`title`: on a button or in the palette. `confirm`: the question that names what it touches, for an act that
    destroys something; its fields are those of the form and of what it is about. `why`: a reason must be given.
    `topics`: of the ruleset's passages (`dalej.domain.rules.rulesets.TOPICS`). `key`: its key where it is offered.
    `offered`: on a menu; else it is only wished to take another act back, or before one is done.
    """

    name: str
    about: About
    roles: frozenset[Role]
    title: str
    asks: Sequence[Ask] = ()
    confirm: str = ""
    why: bool = False
    topics: Sequence[str] = ()
    key: str = ""
    offered: bool = True

    def ask(self, name: str) -> Ask:
        """The field of that name."""
        return next(one for one in self.asks if one.name == name)

    @property
    def destroys(self) -> bool:
        """Whether it is asked about before it is done."""
        return bool(self.confirm)


STOPS: Final = ("referee", "dispute", "round_break")
LAPS: Final = ("round_time", "bank_empty")
REOPENINGS: Final = ("same_seat", "next_seat")
ENDS: Final = ("went_out", "bank_empty", "round_time", "last_seat", "not_played")
PRINTED: Final = ("sheets", "seating", "standings")
FORMS: Final = ("pdf", "csv", "xlsx", "html")
SEEN: Final = ("stands", "undone", "takes_invalid", "touched", "nothing_laid")

_SEAT: Final = Ask("seat", "seat", N_("seat"))
_PLAYER: Final = Ask("player", "player", N_("player"))
_TABLE: Final = Ask("table", "table", N_("table"))
_GAME: Final = Ask("game", "number", N_("game"), least=1)
_RACKS: Final = Ask("racks", "racks", N_("racks"))
_GAME_HERE: Final = Ask("game", "number", N_("game"), least=1, needed=False)  # the one under way, if left out
_SEAT_THERE: Final = Ask("seat", "seat", N_("seat, where no box counts"), needed=False)
_MOVE: Final = Ask("move", "number", N_("move"), least=1, needed=False)  # needed where a box counts
_ENDED: Final = Ask("ended", "choice", N_("how it ended"), ENDS, needed=False)
_RULING: Final = Ask("ruling", "text", N_("it stands all the same, because"), needed=False)
_ANYWAY: Final = Ask("anyway", "text", N_("nevertheless, because"), needed=False)
_NAME: Final = Ask("name", "text", N_("name"))
_GROUP: Final = Ask("group", "text", N_("class, club or town"), needed=False)
_TIME: Final = Ask("ms", "seconds", N_("seconds"), most=3_600)

_ALL: Final = (
    # --- the clock of a table -----
    Act("stop", "table", REFEREES, N_("stop the clock"), (Ask("reason", "choice", N_("because of"), STOPS),), key="s",
        topics=("dispute", "gaps")),
    Act("resume", "table", REFEREES, N_("let the clock go on"), key="r", topics=("dispute",)),
    Act("set_time", "table", REFEREES, N_("correct what is left"), (_TIME,), why=True, key="t", topics=("time_limit",)),
    Act("give_time", "table", REFEREES, N_("give extra time"), (_TIME,), why=True, key="g", topics=("time_limit",)),
    Act("restart_move", "table", REFEREES, N_("restart the move"), why=True, key="m", topics=("click", "time_limit"),
        confirm=N_("Table {table}: {name}'s move begins anew with {seconds} s; what was played of it does not count.")),
    Act("set_seat", "table", REFEREES, N_("change whose move it is"), (_SEAT,), why=True, key="c",
        topics=("direction",)),
    Act("set_bank", "table", REFEREES, N_("correct the bank"), (Ask("tiles", "tiles", N_("tiles"), most=106),),
        why=True, key="b", topics=("stack", "bank_empty")),
    Act("blink", "table", REFEREES, N_("let the box blink")),
    Act("fetch", "table", REFEREES, N_("ask the box for what it has to tell"), offered=False),
    # --- games -----
    Act("start", "table", REFEREES, N_("start the game"), topics=("starting",)),
    Act("final_lap", "table", REFEREES, N_("begin the final lap"), (Ask("reason", "choice", N_("because of"), LAPS),),
        why=True, topics=("end", "bank_empty"),
        confirm=N_("Table {table}: the running move is completed, then every seat moves once, and game {game} ends.")),
    Act("end_game", "table", REFEREES, N_("end the game"), why=True, topics=("end",),
        confirm=N_("Table {table}: game {game} ends in move {move}.")),
    Act("reopen_game", "table", REFEREES, N_("reopen the game"), (Ask("how", "choice", N_("with"), REOPENINGS),),
        why=True, topics=("end",), confirm=N_("Table {table}: game {game} goes on after its end.")),
    Act("redeal", "table", REFEREES, N_("deal anew"), why=True, topics=("redeal",),
        confirm=N_("Table {table}: game {game} is dealt anew; the {move} moves made in it do not count.")),
    Act("next_game", "table", REFEREES, N_("set the next game up")),
    # --- rulings -----
    Act("rule", "table", REFEREES, N_("rule on a time-out"), (
        _MOVE, Ask("verdict", "choice", N_("what was seen"), SEEN),
        Ask("tiles", "tiles", N_("tiles"), most=106, needed=False), _GAME_HERE, _SEAT_THERE,
        Ask("another", "flag", N_("another time-out of that seat"), needed=False),
    ), why=True, key="u", topics=("time_out", "touching")),
    Act("grant_claim", "table", REFEREES, N_("grant the claim"), (_MOVE, _GAME_HERE, _SEAT_THERE),
        why=True, topics=("click", "drawing")),
    Act("deny_claim", "table", REFEREES, N_("deny the claim"), (_MOVE, _GAME_HERE, _SEAT_THERE),
        why=True, topics=("click", "drawing")),
    Act("revoke", "decision", REFEREES, N_("take a ruling back"), (Ask("number", "ruling", N_("ruling"), least=1),),
        why=True, confirm=N_("Decision {number} is taken back: {decision}.")),
    Act("tie", "event", REFEREES, N_("order players who are level"), (Ask("players", "players", N_("best first")),),
        why=True, topics=("ties",)),
    # --- people -----
    Act("warn", "player", REFEREES, N_("warn a player"), (_PLAYER,), why=True, topics=("conduct",)),
    Act("exclude", "player", REFEREES, N_("exclude a player"), (_PLAYER, Ask("unwarned", "flag", N_("without warning"),
        needed=False)), why=True, topics=("conduct",),
        confirm=N_("{name} leaves the tournament, excluded; the seat is skipped from now on.")),
    Act("withdraw", "player", REFEREES, N_("a player withdraws"), (_PLAYER,), topics=("withdrawal",),
        confirm=N_("{name} leaves the tournament for good; the seat is skipped from now on.")),
    Act("back", "player", ORGANISERS, N_("a player is back"), (_PLAYER,), topics=("withdrawal",)),
    Act("sign_up", "event", ORGANISERS, N_("sign up a player"), (_NAME, _GROUP, _ANYWAY), topics=("form",)),
    Act("change_player", "player", ORGANISERS, N_("correct a name or a group"), (_PLAYER, _NAME, _GROUP)),
    # --- results -----
    Act("enter_result", "game", REFEREES, N_("enter a result"), (_TABLE, _GAME, _RACKS, _ENDED, _RULING),
        topics=("rack_count", "scoring"), key="e"),
    Act("correct_result", "game", REFEREES, N_("correct a result"), (_TABLE, _GAME, _RACKS, _ENDED, _RULING), why=True,
        topics=("rack_count", "scoring"),
        confirm=N_("Table {table}, game {game}: the result that {who} entered is replaced.")),
    Act("confirm_result", "game", REFEREES, N_("confirm the results of a table"), (_TABLE,)),
    Act("reopen_result", "game", REFEREES, N_("take a result back"), (
        _TABLE, Ask("game", "number", N_("game"), needed=False),
    ), why=True, confirm=N_("Table {table}: the result of game {game} is taken back.")),
    # --- the hall and its rounds -----
    Act("stop_hall", "hall", REFEREES, N_("stop the whole hall"), (Ask("reason", "choice", N_("because of"), STOPS),),
        topics=("gaps",), confirm=N_("The clocks of all {count} tables that play are stopped.")),
    Act("resume_hall", "hall", REFEREES, N_("let the whole hall go on"), topics=("gaps",),
        confirm=N_("The clocks of all {count} tables that were stopped with the hall go on.")),
    Act("draw_seating", "round", ORGANISERS, N_("seat the round"), (
        Ask("again", "flag", N_("draw anew"), needed=False), Ask("seed", "number", N_("seed"), needed=False,
        most=(1 << 63) - 1), _ANYWAY), topics=("seating",)),
    Act("move_player", "round", ORGANISERS, N_("move a player to another seat"), (
        _PLAYER, _TABLE, _SEAT), topics=("seating",)),
    Act("lock_seating", "round", ORGANISERS, N_("lock the seating"), (Ask("on", "flag", N_("locked"), needed=False),)),
    Act("absent", "round", ORGANISERS, N_("a player misses the round"), (_PLAYER,)),
    Act("present", "round", ORGANISERS, N_("a player is there after all"), (_PLAYER,)),
    Act("unseat", "round", ORGANISERS, N_("take a player off the table"), (_PLAYER,), topics=("seating",)),
    Act("open_table", "round", ORGANISERS, N_("seat a late player at a new table"), (_PLAYER,), topics=("seating",)),
    Act("date_round", "round", ORGANISERS, N_("set the day of a round"), (
        Ask("date", "text", N_("day, such as 2026-12-04")),
        Ask("round", "text", N_("round, such as league/2"), needed=False),), topics=("stages",)),
    Act("start_round", "round", ORGANISERS, N_("start the round's clock"), (
        Ask("minutes", "number", N_("minutes"), least=1, most=600, needed=False),), topics=("stages",)),
    Act("close_round", "round", ORGANISERS, N_("close the round"), (_ANYWAY,), topics=("stages",),
        confirm=N_("{round} is closed: its results count for the standings.")),
    Act("reopen_round", "round", ORGANISERS, N_("open the round again"), (
        Ask("round", "text", N_("round, such as league/1"), needed=False),), why=True,
        confirm=N_("{round} is worked on again; who had gone on because of it goes on all the same.")),
    Act("advance", "event", ORGANISERS, N_("settle who goes on"), (
        Ask("players", "number", N_("players"), least=2, most=5_000, needed=False), _ANYWAY), topics=("stages",)),
    Act("print", "event", REFEREES, N_("print"), (
        Ask("what", "choice", N_("what"), PRINTED), Ask("form", "choice", N_("as"), FORMS))),
    # --- settings -----
    Act("set_option", "event", ORGANISERS, N_("change a setting"), (
        Ask("key", "text", N_("setting")), Ask("value", "text", N_("value")),
        Ask("knowingly", "flag", N_("against the regulation"), needed=False)),
        confirm=N_("{key} becomes {value}; it was {old}.")),
    Act("send_settings", "hall", ORGANISERS, N_("send the settings to the boxes that rest"), (
        Ask("table", "table", N_("table"), needed=False),)),
    Act("undo", "decision", ORGANISERS, N_("take a decision back"), (Ask("number", "number", N_("number"), least=1,
        needed=False),), why=True, confirm=N_("Decision {number} is taken back: {decision}.")),
    Act("restore", "table", REFEREES, N_("put it back as it was"), why=True, offered=False),
    Act("end_sessions", "sessions", ORGANISERS, N_("log people out"), (
        Ask("role", "choice", N_("role"), (EVERYBODY, *ROLES)),),
        confirm=N_("These are logged out of their browsers and must log in again: {role}.")),
)  # fmt: skip

ACTS: Final[Mapping[str, Act]] = {act.name: act for act in _ALL}


def allowed(role: Role) -> list[Act]:
    """What that role may be offered, in the order of the catalogue."""
    return [act for act in ACTS.values() if act.offered and role in act.roles]


WHY_MOST: Final = 500


def expect_reason(act: Act | None, why: str) -> None:
    """WrongInput if it is no reason that can be kept (half a character, or a book), or none where the act needs one."""
    if len(why) > WHY_MOST or any("\ud800" <= sign <= "\udfff" for sign in why):
        raise WrongInput(N_("the reason cannot be kept, expected up to {most} readable characters"), most=WHY_MOST)
    if act is not None and act.why and not why.strip():
        raise WrongInput(N_("{act}: say why, it is kept with the decision"), act=DalejError(act.title))
