"""`dalej seat`: who sits where in the round to work on."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

import click

from dalej.cli.actcommand import Told, act_command, carry_out, say_printed
from dalej.cli.decision import (
    agreed,
    anyway_option,
    do,
    event_command,
    json_option,
    opened,
    playing_option,
    round_option,
    who_option,
    within,
    yes_option,
)
from dalej.cli.terminal import Group, example, json_line, named, table
from dalej.domain.game.facts import SEATS
from dalej.domain.tournament.stages import round_name
from dalej.domain.tournament.tournament import Round, RoundKey, Seating, Tournament
from dalej.errors import WrongInput
from dalej.event.event import imagined
from dalej.office.acts.seating import DrawSeating, LockSeating, MovePlayer, OpenTable, Order, Unseat
from dalej.office.players import find
from dalej.office.reseating import Others, rearranged
from dalej.office.results import which
from dalej.office.rounds import seated, seating_of
from dalej.office.seating import ORDERS, Chair, chair_name, repeated
from dalej.words import N_, _, alphabetical, is_word, ngettext, readable, who_said

NEW: Final = N_("new")
_CHAIR: Final = re.compile(r"([1-9][0-9]{0,3})\s*([A-Da-d]?)")


def command() -> click.Group:
    """`dalej seat draw|show|move|remove|lock`."""
    group = Group("seat", help=_("Who sits where."), epilog=example("dalej seat draw league.dalej"))
    for part in (_draw(), _show(), _move(), _remove(), _lock()):
        group.add_command(part)
    return group


def draw(
    event: str, seed: int | None, order: Order | None, anyway: str, again: bool, playing: list[int], as_json: bool,
    who: str,
) -> None:  # fmt: skip
    """Seat the round to work on and print who sits where."""
    with opened(event, who) as held:
        drawn = do(held, DrawSeating(again, seed, anyway, order, tuple(playing)).wish())
        state = held.state()
    one = seated(state)
    _print(state, one, as_json=as_json)
    seating = seating_of(one)
    if seating.seed is not None and not as_json:
        click.echo(_("Drawn with seed {seed}; --seed {seed} draws the same again.").format(seed=seating.seed))
    if seating.how == "fresh_lot":
        _warn_of_repeats(state, one.key)
    if not as_json:
        say_printed(drawn)


def show(event: str, key: str | None, as_json: bool) -> None:
    """Print a seating."""
    with opened(event, _("the organiser")) as held:
        state = held.state()
        one = shown(state, key)
        seating_of(one)
    _print(state, one, as_json=as_json)


def shown(state: Tournament, key: str | None) -> Round:
    """The round to look at: the one to work on; when none is, the last one that was played."""
    if key is None and state.current is None:
        return [*state.rounds.values()][-1]
    return which(state, key)


def move(event: str, player: str, chair: str, playing: list[int], yes: bool, who: str, as_json: bool) -> int:
    """Seat a player elsewhere; for a new table others move too, which is asked."""
    to = read_chair(chair)
    with opened(event, who) as held:
        seen = held.seen()
        number = find(seen.state, player).number
        change, others = rearranged(seen, number, to)
        wish = OpenTable(number, tuple(playing)).wish(seen=seen.head)
        if to.table is None:
            _say_others(seen.state, others, err=as_json)
            agreed(yes, _("Seat them so?"))
        else:
            place = seating_of(seated(imagined(seen, change.drafts))).place_of(number)
            assert place is not None, "who is moved sits"
            wish = MovePlayer(number, to.table, SEATS[place[1]], tuple(playing)).wish(seen=seen.head)
        return carry_out(held, event, wish, as_json=as_json, after=_say_table)


def _say_table(told: Told) -> None:
    """Who sits there now."""
    state, player = told.held.state(), told.wish.args["player"]
    for at in seating_of(seated(state)).tables:
        if player in at.seated:
            click.echo(_("table {table}: {players}").format(
                table=at.table, players=", ".join(_name(state, other) for other in at.seated)
            ))  # fmt: skip


def _say_others(state: Tournament, others: Others, *, err: bool) -> None:
    for other, before, now in others:
        click.echo(_("{player} moves from {before} to {now}").format(
            player=_name(state, other), before=before or "–", now=now or "–"
        ), err=err)  # fmt: skip


def _is_removed(told: Told) -> None:
    state = told.held.state()
    if seating_of(seated(state)).place_of(int(str(told.wish.args["player"]))) is not None:
        again = named("seat", "draw", told.event, "--again")
        click.echo(_("too few would be left at that table: {command} seats everybody anew").format(command=again))


def lock(event: str, off: bool, who: str) -> None:
    """Lock the seating, or not any more."""
    with opened(event, who) as held:
        do(held, LockSeating(not off).wish())
        key = seated(held.state()).key
    said = _("{round}: the seating is locked.")
    if off:
        said = _("{round}: the seating may be changed again.")
    click.echo(said.format(round=round_name(*key)))


def read_chair(text: str) -> Chair:
    """A chair as people write it: 3B, 3 for any free chair there, "new" for a new table."""
    if is_word(text, NEW):
        return Chair(None)
    found = _CHAIR.fullmatch(text.strip())
    if found is None:
        raise WrongInput(N_("{found} is not a chair, expected the like of 3B, 3 or {new}"), found=text, new=_(NEW))
    return Chair(int(found[1]), SEATS.index(found[2].upper()) if found[2] else None)


def _print(state: Tournament, one: Round, *, as_json: bool) -> None:
    seating = seating_of(one)
    if as_json:
        for line in _objects(state, one, seating):
            json_line(line)
        return
    click.echo(_("{event}: {round}").format(event=readable(state.name), round=round_name(*one.key)))
    click.echo()
    rows = [[str(at.table), *(_name(state, player) for player in at.players)] for at in seating.tables]
    table((_("table"), *SEATS), rows, numbers=(0,))
    click.echo()
    places = sorted(
        (alphabetical(_name(state, player), state.ruleset.language), _name(state, player), chair)
        for player, chair in _chairs(seating)
    )
    table((_("player"), _("seat")), [(name, chair) for _key, name, chair in places])
    players = len(places)
    said = ngettext("{players} player", "{players} players", players).format(players=players)
    tables = len(seating.tables)
    click.echo()
    click.echo(
        ngettext("{players} at {tables} table", "{players} at {tables} tables", tables).format(
            players=said, tables=tables
        )
    )
    if seating.locked is not None:
        click.echo(_("Locked by {who}.").format(who=who_said(seating.locked.who)))


def _objects(state: Tournament, one: Round, seating: Seating) -> Iterator[dict[str, object]]:
    for at in seating.tables:
        yield {
            "stage": one.key.stage, "round": one.key.round, "table": at.table,
            "seats": {
                seat: {"player": player, "name": state.players[player].name}
                for seat, player in zip(SEATS, at.players, strict=True) if player
            },
            "how": seating.how, "seed": seating.seed, "locked": seating.locked is not None,
        }  # fmt: skip


def _chairs(seating: Seating) -> Iterator[tuple[int, str]]:
    for at in seating.tables:
        for seat, player in enumerate(at.players):
            if player:
                yield player, chair_name(at.table, seat)


def _name(state: Tournament, player: int) -> str:
    return readable(state.players[player].name) if player else "–"


def _warn_of_repeats(state: Tournament, key: RoundKey) -> None:
    pairs = repeated(state, key)
    if pairs:
        named = ", ".join(f"{_name(state, one)} – {_name(state, other)}" for one, other in pairs)
        click.echo(_("They meet again, which could not be avoided: {pairs}").format(pairs=named), err=True)


def _draw() -> click.Command:
    return event_command(
        "draw", draw, _("Seat the round that comes next, as its stage says."),
        "dalej seat draw league.dalej", "dalej seat draw league.dalej --again --seed 4711",
        params=[
            click.Option(["--seed"], type=within(DrawSeating, "seed"), metavar=_("N"),
                         help=_("Repeat the lot that this number made (default: drawn and printed).")),
            click.Option(["--order"], type=click.Choice(list(ORDERS)),
                         help=_("Seat otherwise than the stage says; given: in the order of sign-up.")),
            anyway_option(_("Go on with too few or too many players, for this reason.")),
            click.Option(["--again"], is_flag=True, help=_("In place of the seating that is there.")),
            playing_option(), json_option(), who_option(),
        ],
    )  # fmt: skip


def _show() -> click.Command:
    return event_command(
        "show", show, _("Show who sits where, by table and by name."),
        "dalej seat show league.dalej", "dalej seat show league.dalej --round league/1",
        params=[
            round_option(),
            json_option(),
        ],
    )  # fmt: skip


def _move() -> click.Command:
    return event_command(
        "move", move,
        _("Seat a player at another chair, 3B; who sits there changes places. A late player gets a free chair, "
          "or “{new}” opens a table when there is none.").format(new=_(NEW)),
        "dalej seat move league.dalej 7 3B", "dalej seat move league.dalej Sowa 5",
        params=[
            click.Argument(["player"], metavar=_("PLAYER")),
            click.Argument(["chair"], metavar=_("CHAIR")),
            playing_option(), yes_option(), who_option(), json_option(),
        ],
    )  # fmt: skip


def _remove() -> click.Command:
    return act_command(
        Unseat, "remove", "dalej seat remove league.dalej Borsuk", after=_is_removed,
        says=_("Take off a player who is not there, as long as the table has no result."),
    )  # fmt: skip


def _lock() -> click.Command:
    return event_command(
        "lock", lock, _("Keep the seating from being changed."),
        "dalej seat lock league.dalej",
        params=[
            click.Option(["--off"], is_flag=True, help=_("Let it be changed again.")), who_option(),
        ],
    )  # fmt: skip
