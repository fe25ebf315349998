"""`dalej form`: the personal data that the final form asks for, and erasing them.

They are asked of the finalists alone. Values are printed by `form show` and on the form, nowhere else; `form show` has
also those of whoever is no finalist any more, so that nothing is kept unseen.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

import click

from dalej.cli import terminal
from dalej.cli.decision import agreed, event_argument, json_option, yes_option
from dalej.cli.terminal import Group, example
from dalej.clock import SystemClock
from dalej.domain.game.sentences import local
from dalej.domain.tournament.fold import standings
from dalej.domain.tournament.tournament import Tournament
from dalej.errors import Refused, WrongInput
from dalej.event.event import state_of
from dalej.event.ledger import PERSONAL_FIELDS, Ledger
from dalej.event.reading import read
from dalej.office.paper.finalform import finalists, places
from dalej.office.players import find
from dalej.words import N_, _, ngettext, readable

_PHONE: Final = "phone"


def command() -> click.Group:
    """`dalej form set|show|erase`."""
    group = Group(
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
            help=_("The finalists, and everybody of whom something is kept."),
            epilog=example("dalej form show cup.dalej"),
        )
    )  # fmt: skip
    group.add_command(
        click.Command(
            "erase", callback=erase,
            params=[
                event_argument(),
                click.Argument(["player"], required=False, metavar=_("[PLAYER]")),
                yes_option(),
            ],
            help=_("Erase all personal data of the event, or one player's, for good; the sporting record stays."),
            epilog=example("dalej form erase cup.dalej", "dalej form erase cup.dalej Lis"),
        )
    )  # fmt: skip
    return group


@dataclass(frozen=True, slots=True)
class _Person:
    """Whom the form asks about, or of whom something is kept. `place` None: nobody knows it before the final."""

    player: int
    name: str
    consent: bool | None
    place: int | None
    finalist: bool


def keep(event: str, player: str, fields: tuple[str, ...]) -> None:
    """Keep what is given, or what is answered."""
    with Ledger.open(event) as ledger:
        state = state_of(read(ledger))
        number = find(state, player).number
        person = _finalist(state, number)
        values = _given(fields) if fields else _answered(ledger.personal().get(number, {}), person)
        if values.get(_PHONE):
            _expect_winner(state, person)
        ledger.keep_personal(number, values, today=local(SystemClock().wall_ms()).date())
        names = list(ledger.personal().get(number, {}))
    known = ", ".join(names) if names else _("nothing")
    click.echo(_("{player}: kept for the final form: {fields}").format(player=readable(person.name), fields=known))


def show(event: str, as_json: bool) -> None:
    """Print the finalists, then whoever else has data, and the data."""
    with Ledger.open(event) as ledger:
        state = state_of(read(ledger))
        kept = ledger.personal()
    people = _people(state, kept)
    if as_json:
        for person in people:
            terminal.json_line({
                "place": person.place, "player": person.player, "name": person.name, "finalist": person.finalist,
                "consent": person.consent,
                **{field: kept.get(person.player, {}).get(field) for field in PERSONAL_FIELDS},
            })  # fmt: skip
        return
    headings = (_("place"), _("player"), _("consent"), *(_title(field) for field in PERSONAL_FIELDS))
    terminal.table(headings, (_row(person, kept.get(person.player, {})) for person in people), numbers=(0,))
    for person in people:
        if not person.finalist:
            click.echo(
                _("{player} is not among the finalists: dalej form erase {event} {number} erases these data").format(
                    player=readable(person.name), event=event, number=person.player
                )
            )


def erase(event: str, player: str | None, yes: bool) -> None:
    """Erase, and say which copies still hold the data."""
    with Ledger.open(event) as ledger:
        one = None if player is None else find(state_of(read(ledger)), player)
        if one is None:
            agreed(yes, _("Erase all personal data in {event} for good?").format(event=event))
            count = ledger.erase_personal()
        else:
            said = _("Erase the personal data of {player} in {event} for good?")
            agreed(yes, said.format(player=readable(one.name), event=event))
            count = ledger.erase_personal(one.number)
        copies = [str(path.name) for path in ledger.copies_with_personal()]
        forms = [
            path.name for path in sorted(ledger.path.absolute().parent.glob("*.pdf")) if _is_form(ledger, path.stem)
        ]
    if one is None:
        erased = ngettext(
            "Personal data of {count} player are erased from {event}; results and standings stay.",
            "Personal data of {count} players are erased from {event}; results and standings stay.",
            count,
        ).format(count=count, event=event)
    else:
        said = _("{event} holds no personal data of {player}.")
        if count:
            said = _("The personal data of {player} are erased from {event}; results and standings stay.")
        erased = said.format(player=readable(one.name), event=event)
    click.echo(erased)
    click.echo(_("Copies of the file and printed forms, wherever they are, still hold theirs: delete them too."))
    for name in [*copies, *forms]:
        click.echo(_("  beside it: {file}").format(file=readable(name)))


def _is_form(ledger: Ledger, stem: str) -> bool:
    return stem.startswith(f"{ledger.path.stem}-form")


def _finalists(state: Tournament) -> list[_Person]:
    """Best first; Refused if the form does not ask about anybody yet."""
    people = finalists(state, standings(state))
    place = places(state, people)
    return [_person(state, line.player, place.get(line.player), finalist=True) for line in people]


def _finalist(state: Tournament, number: int) -> _Person:
    """That player; Refused if the form does not ask about them."""
    people = _finalists(state)
    for person in people:
        if person.player == number:
            return person
    raise Refused(
        N_("{player} is not among the {count} finalists: personal data are asked of nobody else"),
        player=readable(state.players[number].name), count=len(people),
    )  # fmt: skip


def _people(state: Tournament, kept: Mapping[int, object]) -> list[_Person]:
    """The finalists, and by number whoever else has data; Refused if the form asks about nobody yet and nobody has."""
    try:
        people = _finalists(state)
    except Refused:
        if not kept:
            raise
        people = []
    others = kept.keys() - {person.player for person in people}
    return [*people, *(_person(state, number, None, finalist=False) for number in sorted(others))]


def _person(state: Tournament, number: int, place: int | None, *, finalist: bool) -> _Person:
    known = state.players.get(number)  # nobody, if somebody else wrote to the file
    name, consent = ("", None) if known is None else (known.name, known.consent)
    return _Person(number, name, consent, place, finalist)


def _expect_winner(state: Tournament, person: _Person) -> None:
    if not state.over:
        raise Refused(
            N_("a phone number is only asked of the winner, and the final is not over: {player} may not have won"),
            player=readable(person.name),
        )  # fmt: skip
    if person.place != 1:
        raise Refused(
            N_("a phone number is only asked of the winner, {player} is not first"), player=readable(person.name)
        )


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


def _answered(known: Mapping[str, str], person: _Person) -> dict[str, str]:
    """Asks for each field; Enter keeps what is there."""
    asked = [field for field in PERSONAL_FIELDS if field != _PHONE or person.place == 1]
    return {
        field: click.prompt(_title(field), default=known.get(field, ""), show_default=field in known, err=True)
        for field in asked
    }


def _title(field: str) -> str:
    return {
        "first_name": _("first name"), "surname": _("surname"), "town": _("town"), "born": _("date of birth"),
        "email": _("e-mail"), "phone": _("phone"),
    }.get(field, field)  # fmt: skip


def _row(person: _Person, kept: Mapping[str, str]) -> tuple[str, ...]:
    consent = {True: _("yes"), False: _("no"), None: "?"}[person.consent]
    place = "–" if person.place is None else str(person.place)
    values = (readable(kept.get(field, "")) for field in PERSONAL_FIELDS)
    return place, readable(person.name), consent, *values
