"""`dalej form`: the personal data that the final form asks for, and erasing them.

They are asked of the finalists alone. Values are printed by `form show` and on the form, nowhere else.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

import click

from dalej.cli import output
from dalej.cli.office import agreed, event_argument, json_option, yes_option
from dalej.cli.output import example
from dalej.domain.standings import Line
from dalej.domain.tournament import Tournament
from dalej.domain.tournamentfold import standings, tournament
from dalej.errors import Refused, WrongInput
from dalej.export.finalform import finalists
from dalej.ledger import PERSONAL_FIELDS, Ledger
from dalej.office.players import find
from dalej.words import N_, _, ngettext, readable

_PHONE: Final = "phone"


def command() -> click.Group:
    """`dalej form set|show|erase`."""
    group = click.Group(
        "form", help=_("Personal data for the final form: of the finalists alone, erased by one command."),
        epilog=example("dalej form set cup.dalej Lis surname=Rudy town=Reda", "dalej form erase cup.dalej"),
    )  # fmt: skip
    group.add_command(
        click.Command(
            "set", callback=keep,
            params=[
                event_argument(),
                click.Argument(["player"], metavar=_("PLAYER")),
                click.Argument(["fields"], nargs=-1, metavar=_("FIELD=VALUE…")),
            ],
            help=_("Keep a finalist's data: {fields}; without any it asks for each.").format(
                fields=", ".join(PERSONAL_FIELDS)
            ),
            epilog=example(
                "dalej form set cup.dalej Lis",
                "dalej form set cup.dalej Lis first_name=Lis surname=Rudy town=Reda born=2013-05-04",
            ),
        )
    )  # fmt: skip
    group.add_command(
        click.Command(
            "show", callback=show, params=[event_argument(), json_option()],
            help=_("The finalists and what is known of them."), epilog=example("dalej form show cup.dalej"),
        )
    )  # fmt: skip
    group.add_command(
        click.Command(
            "erase", callback=erase, params=[event_argument(), yes_option()],
            help=_("Erase all personal data of the event for good; the sporting record stays."),
            epilog=example("dalej form erase cup.dalej"),
        )
    )  # fmt: skip
    return group


def keep(event: str, player: str, fields: tuple[str, ...]) -> None:
    """Keep what is given, or what is answered."""
    with Ledger.open(event) as ledger:
        state = tournament(ledger.decisions())
        number = find(state, player).number
        line = _finalist(state, number)
        values = _given(fields) if fields else _answered(ledger.personal().get(number, {}), line)
        if values.get(_PHONE) and line.place != 1:
            raise Refused(
                N_("a phone number is only asked of the winner, {player} is not first"), player=_name(state, line)
            )
        ledger.keep_personal(number, values)
        names = list(ledger.personal().get(number, {}))
    known = ", ".join(names) if names else _("nothing")
    click.echo(_("{player}: kept for the final form: {fields}").format(player=_name(state, line), fields=known))


def show(event: str, as_json: bool) -> None:
    """Print the finalists and their data."""
    with Ledger.open(event) as ledger:
        state = tournament(ledger.decisions())
        kept = ledger.personal()
    people = finalists(state, standings(state))
    if as_json:
        for line in people:
            output.json_line({
                "place": line.place, "player": line.player, "name": state.players[line.player].name,
                "consent": state.players[line.player].consent,
                **{field: kept.get(line.player, {}).get(field) for field in PERSONAL_FIELDS},
            })  # fmt: skip
        return
    headings = (_("place"), _("player"), _("consent"), *(_title(field) for field in PERSONAL_FIELDS))
    output.table(headings, (_row(state, line, kept.get(line.player, {})) for line in people), numbers=(0,))


def erase(event: str, yes: bool) -> None:
    """Erase, and say which copies still hold the data."""
    agreed(yes, _("Erase all personal data in {event} for good?").format(event=event))
    with Ledger.open(event) as ledger:
        count = ledger.erase_personal()
        copies = [str(path.name) for path in ledger.copies_with_personal()]
        forms = [
            path.name for path in sorted(ledger.path.absolute().parent.glob("*.pdf")) if _is_form(ledger, path.stem)
        ]
    click.echo(
        ngettext(
            "Personal data of {count} player are erased from {event}; results and standings stay.",
            "Personal data of {count} players are erased from {event}; results and standings stay.",
            count,
        ).format(count=count, event=event)
    )
    click.echo(_("Copies of the file and printed forms, wherever they are, still hold theirs: delete them too."))
    for name in [*copies, *forms]:
        click.echo(_("  beside it: {file}").format(file=readable(name)))


def _is_form(ledger: Ledger, stem: str) -> bool:
    return stem.startswith(f"{ledger.path.stem}-form")


def _finalist(state: Tournament, number: int) -> Line:
    """The player's line; Refused if the form does not ask about them."""
    people = finalists(state, standings(state))
    for line in people:
        if line.player == number:
            return line
    raise Refused(
        N_("{player} is not among the {count} finalists: personal data are asked of nobody else"),
        player=readable(state.players[number].name), count=len(people),
    )  # fmt: skip


def _given(fields: tuple[str, ...]) -> dict[str, str]:
    values: dict[str, str] = {}
    for number, field in enumerate(fields, start=1):
        name, equals, value = field.partition("=")
        if not equals:  # whatever it is, it may be an address: it is not quoted
            raise WrongInput(N_("argument {number}: expected FIELD=VALUE, such as town=Reda"), number=number)
        if name in values:
            raise WrongInput(N_("{field} is given twice"), field=name)
        values[name] = value
    return values


def _answered(known: Mapping[str, str], line: Line) -> dict[str, str]:
    """Asks for each field; Enter keeps what is there."""
    asked = [field for field in PERSONAL_FIELDS if field != _PHONE or line.place == 1]
    return {
        field: click.prompt(_title(field), default=known.get(field, ""), show_default=field in known, err=True)
        for field in asked
    }


def _title(field: str) -> str:
    return {
        "first_name": _("first name"), "surname": _("surname"), "town": _("town"), "born": _("date of birth"),
        "email": _("e-mail"), "phone": _("phone"),
    }.get(field, field)  # fmt: skip


def _row(state: Tournament, line: Line, kept: Mapping[str, str]) -> tuple[str, ...]:
    consent = {True: _("yes"), False: _("no"), None: "?"}[state.players[line.player].consent]
    return (str(line.place), _name(state, line), consent, *(readable(kept.get(field, "")) for field in PERSONAL_FIELDS))


def _name(state: Tournament, line: Line) -> str:
    return readable(state.players[line.player].name)
