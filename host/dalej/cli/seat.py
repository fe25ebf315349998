"""`dalej seat`: who sits where in the round to work on."""

from __future__ import annotations

import re
import secrets
from collections.abc import Iterator, Mapping
from typing import Final

import click

from dalej.cli.office import event_argument, json_option, opened, who_option
from dalej.cli.output import example, json_line, table
from dalej.domain.facts import SEATS
from dalej.domain.format import Method
from dalej.domain.tournament import Round, RoundKey, Seating, Tournament
from dalej.errors import WrongInput
from dalej.office import moves, seats
from dalej.office.moves import Chair, chair_name
from dalej.office.players import find, folded
from dalej.office.results import which
from dalej.office.rounds import seated, seating_of
from dalej.words import N_, _, ngettext, readable

ORDERS: Final[Mapping[str, Method]] = {
    "lot": "lot", "rank": "rank", "snake": "snake", "fresh_lot": "fresh_lot", "given": "table",
}  # fmt: skip
NEW: Final = "new"
SEEDS: Final = 1_000_000  # six digits can be read out and typed again
_CHAIR: Final = re.compile(r"([1-9][0-9]{0,3})\s*([A-Da-d]?)")


def command() -> click.Group:
    """`dalej seat draw|show|move|remove|lock`."""
    group = click.Group("seat", help=_("Who sits where."), epilog=example("dalej seat draw league.dalej"))
    for part in (_draw(), _show(), _move(), _remove(), _lock()):
        group.add_command(part)
    return group


def draw(event: str, seed: int | None, order: str | None, anyway: str, again: bool, as_json: bool, who: str) -> None:
    """Seat the round to work on and print who sits where."""
    wanted = seats.Draw(
        seed=secrets.randbelow(SEEDS) if seed is None else seed,
        order=None if order is None else ORDERS[order], anyway=anyway, again=again,
    )  # fmt: skip
    with opened(event, who) as held:
        held.change(lambda state: seats.draw(state, wanted))
        state = held.state()
    one = seated(state)
    _print(state, one, as_json=as_json)
    seating = seating_of(one)
    if seating.seed is not None and not as_json:
        click.echo(_("Drawn with seed {seed}; --seed {seed} draws the same again.").format(seed=seating.seed))
    if seating.how == "fresh_lot":
        _warn_of_repeats(state, one.key)


def show(event: str, key: str | None, as_json: bool) -> None:
    """Print a seating."""
    with opened(event, _("the organiser")) as held:
        state = held.state()
    one = which(state, key)
    _print(state, one, as_json=as_json)


def move(event: str, player: str, chair: str, who: str) -> None:
    """Seat a player elsewhere."""
    to = read_chair(chair)
    with opened(event, who) as held:
        held.change(lambda state: moves.move(state, find(state, player), to))
        state = held.state()
    _say_moved(state, seating_of(seated(state)), find(state, player).number)


def remove(event: str, player: str, who: str) -> None:
    """Take a player off the seating."""
    with opened(event, who) as held:
        held.change(lambda state: moves.remove(state, find(state, player)))
        state = held.state()
    key = seated(state).key
    click.echo(
        _("{player} does not play round {round} of {stage}.").format(
            player=readable(find(state, player).name), round=key.round, stage=key.stage
        )
    )


def lock(event: str, off: bool, who: str) -> None:
    """Lock the seating, or not any more."""
    with opened(event, who) as held:
        held.change(lambda state: moves.lock(state, on=not off))
        key = seated(held.state()).key
    said = _("The seating of round {round} of {stage} is locked.")
    if off:
        said = _("The seating of round {round} of {stage} may be changed again.")
    click.echo(said.format(round=key.round, stage=key.stage))


def read_chair(text: str) -> Chair:
    """A chair as people write it: 3B, 3 for any free chair there, "new" for a new table."""
    if text.strip().lower() == NEW:
        return Chair(None)
    found = _CHAIR.fullmatch(text.strip())
    if found is None:
        raise WrongInput(N_("{found} is not a chair, expected the like of 3B, 3 or {new}"), found=text, new=NEW)
    return Chair(int(found[1]), SEATS.index(found[2].upper()) if found[2] else None)


def _print(state: Tournament, one: Round, *, as_json: bool) -> None:
    seating = seating_of(one)
    if as_json:
        for line in _objects(state, one, seating):
            json_line(line)
        return
    click.echo(
        _("{event}: round {round} of {stage}").format(
            event=readable(state.name), round=one.key.round, stage=one.key.stage
        )
    )
    click.echo()
    rows = [[str(at.table), *(_name(state, player) for player in at.players)] for at in seating.tables]
    table((_("table"), *SEATS), rows, numbers=(0,))
    click.echo()
    places = sorted((folded(_name(state, player)), _name(state, player), chair) for player, chair in _chairs(seating))
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
        click.echo(_("Locked by {who}.").format(who=readable(seating.locked.who)))


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


def _say_moved(state: Tournament, seating: Seating, player: int) -> None:
    for at in seating.tables:
        if player in at.seated:
            click.echo(
                _("{player} sits at {chair}; table {table}: {players}").format(
                    player=_name(state, player), chair=chair_name(at.table, at.players.index(player)), table=at.table,
                    players=", ".join(_name(state, other) for other in at.seated),
                )
            )  # fmt: skip


def _warn_of_repeats(state: Tournament, key: RoundKey) -> None:
    pairs = seats.repeated(state, key)
    if pairs:
        named = ", ".join(f"{_name(state, one)} – {_name(state, other)}" for one, other in pairs)
        click.echo(_("They meet again, which could not be avoided: {pairs}").format(pairs=named), err=True)


def _draw() -> click.Command:
    return click.Command(
        "draw", callback=draw,
        params=[
            event_argument(),
            click.Option(["--seed"], type=click.IntRange(0, 2**63 - 1), metavar=_("N"),
                         help=_("Repeat the lot that this number made (default: drawn and printed).")),
            click.Option(["--order"], type=click.Choice(list(ORDERS)),
                         help=_("Seat otherwise than the stage says; given: in the order of sign-up.")),
            click.Option(["--anyway"], default="", metavar=_("REASON"),
                         help=_("Go on with too few or too many players, for this reason.")),
            click.Option(["--again"], is_flag=True, help=_("In place of the seating that is there.")),
            json_option(), who_option(),
        ],
        help=_("Seat the round that comes next, as its stage says."),
        epilog=example("dalej seat draw league.dalej", "dalej seat draw league.dalej --again --seed 4711"),
    )  # fmt: skip


def _show() -> click.Command:
    return click.Command(
        "show", callback=show,
        params=[
            event_argument(),
            click.Option(["--round", "key"], metavar=_("ROUND"),
                         help=_("Which round, 2 or league/2 (default: the current one).")),
            json_option(),
        ],
        help=_("Show who sits where, by table and by name."),
        epilog=example("dalej seat show league.dalej", "dalej seat show league.dalej --round league/1"),
    )  # fmt: skip


def _move() -> click.Command:
    return click.Command(
        "move", callback=move,
        params=[
            event_argument(),
            click.Argument(["player"], metavar=_("PLAYER")),
            click.Argument(["chair"], metavar=_("CHAIR")),
            who_option(),
        ],
        help=_("Seat a player at another chair, 3B; who sits there changes places. A late player gets a free chair, "
               "or “new” opens a table when there is none."),
        epilog=example("dalej seat move league.dalej 7 3B", "dalej seat move league.dalej Sowa 5"),
    )  # fmt: skip


def _remove() -> click.Command:
    return click.Command(
        "remove", callback=remove,
        params=[event_argument(), click.Argument(["player"], metavar=_("PLAYER")), who_option()],
        help=_("Take off a player who is not there, before the round begins."),
        epilog=example("dalej seat remove league.dalej Borsuk"),
    )  # fmt: skip


def _lock() -> click.Command:
    return click.Command(
        "lock", callback=lock,
        params=[
            event_argument(), click.Option(["--off"], is_flag=True, help=_("Let it be changed again.")), who_option()
        ],
        help=_("Keep the seating from being changed."),
        epilog=example("dalej seat lock league.dalej"),
    )  # fmt: skip
