"""The act that sends boxes the settings as they are now: those that rest, for a box in a game takes none.

A desk that runs does so by itself, a while after a game has ended (`dalej.running.renewing`); this is for at once.
"""

from __future__ import annotations

from typing import Any, Final

from dalej.acts.tables import table_at
from dalej.acts.wishes import Args, Done, Wish, done
from dalej.domain.positions import Position
from dalej.domain.tournament import Round, Tournament
from dalej.errors import Refused
from dalej.office import rounds
from dalej.office.boxes import games_of_round
from dalej.office.boxsettings import SettingsGiven
from dalej.office.event import Event
from dalej.office.tableplans import CONFIGURE, TablePlan, plans_of, renewed
from dalej.words import N_


def send_settings(event: Event, wish: Wish) -> Done:
    """Every box of the round that goes by other settings and rests is asked to take these; `table`: only that one."""
    only = Args(wish).maybe("table", 1, 9_999)
    state = event.state()
    one = rounds.seated(state)
    games = games_of_round(event.ledger, state, one.key)
    given = SettingsGiven(event.ledger)
    given.read_on()
    known = {table.table: table for table in given.tables(state, games) if only in (None, table.table)}
    if not known:
        raise Refused(N_("there is no table {table} in this round"), table=only)
    lacking = {number: table for number, table in known.items() if table.lacks}
    if not lacking:
        raise Refused(N_("no box has to be sent anything: each has the settings, waits for its answer, or has no game"))
    playing = [number for number, table in lacking.items() if table.plays]
    now = [plan for plan in plans_of(event.ledger, state, one) if plan.number in lacking and plan.number not in playing]
    if not now:
        raise Refused(
            N_("tables {tables} are in a game: a box takes other settings only between games"),
            tables=", ".join(map(str, playing)),
        )
    with event.together():
        requests = [_ask(event, state, plan, known[plan.number].box, one, wish.why) for plan in now]
    data: dict[str, Any] = {
        "tables": ", ".join(str(plan.number) for plan in now),
        "playing": ", ".join(map(str, playing)),
    }
    said = N_("Asked to take the settings: the boxes of tables {tables}.")
    if playing:
        said = N_("Asked to take the settings: the boxes of tables {tables}. In a game, to be sent later: {playing}.")
    return done(said, requests=requests, **data)


def _ask(event: Event, state: Tournament, plan: TablePlan, box: str, one: Round, why: str) -> int:
    found = table_at(event.ledger, plan.number)
    at = Position() if found is None else found.at
    return event.ledger.request(
        plan.number, CONFIGURE, dict(renewed(plan, state.ruleset, at)), who=event.who, at_ms=event.wall_ms(),
        why=why or f"round {one.key.round}: settings changed", box=box,
    ).id  # fmt: skip


HANDLERS: Final = {"send_settings": send_settings}
