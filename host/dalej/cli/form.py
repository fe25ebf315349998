"""`dalej form`: the personal data that the final form asks for, and erasing them.

They are asked of the finalists alone. Values are printed by `form show` and on the form, nowhere else; `form show` has
also those of whoever is no finalist any more, so that nothing is kept unseen.
"""

from __future__ import annotations

import sys
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import date
from pathlib import Path
from typing import Final

import click

from dalej import drafts
from dalej.cli import terminal
from dalej.cli.decision import agreed, do, json_option, opened, who_option, yes_option
from dalej.cli.eventfile import EventCommand
from dalej.cli.listfile import sheet_option
from dalej.cli.terminal import Group, ask, command_line, completed_by_files, example
from dalej.clock import SystemClock
from dalej.domain.game.sentences import local
from dalej.domain.tournament.fold import standings
from dalej.domain.tournament.tournament import Tournament
from dalej.errors import DalejError, Refused, WrongInput
from dalej.event.event import Event, state_of
from dalej.event.ledger import PERSONAL_FIELDS, Ledger
from dalej.event.ledger.elsewhere import is_elsewhere
from dalej.event.reading import read
from dalej.office import formdata, formfile
from dalej.office.acts.players import Consent
from dalej.office.finalists import filled, finalists, known, lacks_consent, places, suggested, without_consent
from dalej.office.formdata import CONSENT, PHONE, Answers, title
from dalej.office.players import find
from dalej.office.problems import expect_none
from dalej.office.spreadsheets import KNOWN, load
from dalej.words import N_, _, capital, ngettext, readable, said

_WRITTEN: Final = (".pdf", ".xlsx", ".csv", ".ods")  # as which a form, or its list, may lie beside the event
_LISTED: Final = "form"


def command() -> click.Group:
    """`dalej form set|template|import|show|erase`."""
    group = Group(
        "form", help=_("Personal data for the final form: of the finalists alone, erased by one command."),
        epilog=example(
            _typed(surname="Rudy", town="Reda"), "dalej players consent cup.dalej Lis", "dalej form erase cup.dalej"
        ),
    )  # fmt: skip
    group.add_command(
        EventCommand(
            "set", callback=keep,
            params=[
                click.Argument(["player"], metavar=_("PLAYER")),
                click.Argument(["fields"], nargs=-1, metavar=_("FIELD=VALUE…")),
                who_option(),
            ],
            help=_(
                "Keep a finalist's data: {fields}; without any it asks for what is not known. What is right is kept "
                "also if something else is wrong."
            ).format(fields=_titles(formdata.FIELDS)),
            epilog=example(
                "dalej form set cup.dalej Lis",
                _typed(first_name="Lis", surname="Rudy", town="Reda", born="4.05.2013", consent=_("yes")),
            ),
        )
    )  # fmt: skip
    group.add_command(
        EventCommand(
            "template", callback=template,
            params=[
                click.Argument(["file"], required=False, metavar=_("[FILE]")),
                click.Option(["--overwrite"], is_flag=True, help=_("Replace FILE if it exists.")),
            ],
            help=_("A list of the finalists to fill in and import, as XLSX or CSV; it holds personal data."),
            epilog=example("dalej form template cup.dalej"),
        )
    )  # fmt: skip
    group.add_command(
        EventCommand(
            "import", callback=import_,
            params=[
                click.Argument(["file"], metavar=_("FILE"), shell_complete=completed_by_files),
                click.Option(["--encoding"], type=click.Choice(KNOWN), help=_("How CSV is written, if not clear.")),
                sheet_option(),
                who_option(),
            ],
            help=_("Keep what such a list says; what is right is kept also if something else is wrong."),
            epilog=example("dalej form import cup.dalej cup-form.xlsx"),
        )
    )  # fmt: skip
    group.add_command(
        EventCommand(
            "show", callback=show, params=[json_option()],
            help=_("The finalists, and everybody of whom something is kept."),
            epilog=example("dalej form show cup.dalej"),
        )
    )  # fmt: skip
    group.add_command(
        EventCommand(
            "erase", callback=erase,
            params=[
                click.Argument(["player"], required=False, metavar=_("[PLAYER]")),
                yes_option(),
            ],
            help=_("Erase all personal data of the event, or one player's, for good; the sporting record stays."),
            epilog=example("dalej form erase cup.dalej", "dalej form erase cup.dalej Lis"),
        )
    )  # fmt: skip
    return group


def _typed(**fields: str) -> str:
    """An example, with the fields as the reader calls them."""
    words = (f"{title(field)}={value}" for field, value in fields.items())
    return " ".join(["dalej form set cup.dalej Lis", *(f'"{word}"' if " " in word else word for word in words)])


@dataclass(frozen=True, slots=True)
class _Person:
    """Whom the form asks about, or of whom something is kept. `place` None: nobody knows it before the final."""

    player: int
    name: str
    consent: bool | None
    place: int | None
    finalist: bool


def keep(event: str, player: str, fields: tuple[str, ...], who: str) -> None:
    """Keep what is given, or what is answered; whatever is wrong is told at once, and asked again where somebody can
    answer.
    """
    with opened(event, who) as held:
        state = held.state()
        person = _finalist(state, find(state, player).number)
        given, unknown = _given(fields)
        answers = _expecting(state, person, formdata.read(given.items(), _today()))
        if not fields:
            answers = _answered(held, event, person)
        _keep(held, person, answers)
        if answers.wrong and _is_asked():
            for problem in (*unknown, *answers.wrong.values()):
                click.echo(said(problem), err=True)
            wrong = [field for field in answers.wrong if field != PHONE or person.place == 1]
            again = {field: _asked(field, "") for field in wrong}
            _keep(held, person, formdata.read(again.items(), _today()))
            answers = answers._replace(wrong={})
        _say_lacking(held, event, [person.player])
        expect_none([*unknown, *answers.wrong.values()])


def template(event: str, file: str | None, overwrite: bool) -> None:
    """The finalists with what is known of them; only its owner may read it."""
    from dalej.office.paper.formats import beside, save  # noqa: PLC0415 -- what draws PDF is slow to load

    with Ledger.open(event) as ledger:
        state = state_of(read(ledger))
        kept = ledger.personal()
    people = [(person.player, person.place) for person in _finalists(state)]
    path = beside(Path(event), _LISTED, ".xlsx") if file is None else Path(file)
    save(path, formfile.blank(state, people, kept), overwrite=overwrite, mode=drafts.OWNER)
    click.echo(_("{file} is written").format(file=path))


def import_(event: str, file: str, encoding: str | None, sheet: str | None, who: str) -> None:
    """Every row that is right, and all that is wrong."""
    with opened(event, who) as held:
        state = held.state()
        people = {person.player: person for person in _finalists(state)}
        lines, wrong = formfile.read(load(file), file, state, _today(), encoding, sheet)
        for line in lines:
            try:
                person = _finalist(state, line.player)
            except Refused as problem:
                wrong.append(line.wrong("player", problem))
                continue
            answers = _expecting(state, person, line.answers)
            _keep(held, person, answers)
            wrong += [line.wrong(field, problem) for field, problem in answers.wrong.items()]
        _say_lacking(held, event, people)
        click.echo(_("{file} holds personal data too: delete it when the form is sent.").format(file=readable(file)))
        expect_none(wrong)


def _keep(held: Event, person: _Person, answers: Answers) -> None:
    """What is right of it; and says which fields are kept, never what stands in them."""
    kept = held.ledger.personal().get(person.player, {})
    there = known(held.state().players[person.player])  # no second copy of it is kept
    values = {
        field: value for field, value in answers.values.items() if field in kept or value != there.get(field, "")
    }  # fmt: skip
    held.ledger.keep_personal(person.player, values, today=_today())
    kept = held.ledger.personal().get(person.player, {})
    if answers.values:
        there = filled(held.state(), {person.player: kept}, person.player)
        names = _titles(field for field in PERSONAL_FIELDS if field in there) or _("nothing")
        click.echo(_("{player}: kept for the final form: {fields}").format(player=readable(person.name), fields=names))
    if answers.consent is not None and answers.consent is not held.state().players[person.player].consent:
        click.echo(readable(str(do(held, Consent((person.player,), missing=not answers.consent).wish()))))


def _expecting(state: Tournament, person: _Person, answers: Answers) -> Answers:
    """The same; a phone number of anybody but the winner is wrong."""
    if not answers.values.get(PHONE):
        return answers
    try:
        _expect_winner(state, person)
    except Refused as problem:
        values = {field: value for field, value in answers.values.items() if field != PHONE}
        return answers._replace(values=values, wrong={**answers.wrong, PHONE: problem})
    return answers


def _say_lacking(held: Event, event: str, players: Iterable[int]) -> None:
    """Whose parent's consent is missing, and what ticks it."""
    state, kept = held.state(), held.ledger.personal()
    lacking = [one for one in players if lacks_consent(state, one, kept.get(one, {}).get("born", ""))]
    if lacking:
        click.echo(without_consent(state.players[one] for one in lacking))
        ticks = command_line("players", "consent", event, *map(str, lacking))
        click.echo(_("When the papers have come: {command}").format(command=ticks))


def show(event: str, as_json: bool) -> None:
    """Print the finalists, then whoever else has data, and the data."""
    with Ledger.open(event) as ledger:
        state = state_of(read(ledger))
        kept = ledger.personal()
    people = _people(state, kept)
    if as_json:
        for person in people:
            values = filled(state, kept, person.player)
            terminal.json_line({
                "place": person.place, "player": person.player, "name": person.name, "finalist": person.finalist,
                "consent": person.consent, **{field: values.get(field) for field in PERSONAL_FIELDS},
            })  # fmt: skip
        return
    headings = (_("place"), _("player"), *map(title, (CONSENT, *PERSONAL_FIELDS)))
    rows = (_row(person, filled(state, kept, person.player)) for person in people)
    terminal.table(headings, rows, numbers=(0,))
    for person in people:
        if not person.finalist:
            click.echo(
                _("{player} is not among the finalists: dalej form erase {event} {number} erases these data").format(
                    player=readable(person.name), event=event, number=person.player
                )
            )


def erase(event: str, player: str | None, yes: bool) -> None:
    """Erase, and say which copies still hold the data."""
    from dalej.office.paper.formats import is_beside  # noqa: PLC0415 -- what draws PDF is slow to load

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
            path.name for path in sorted(ledger.path.absolute().parent.iterdir())
            if path.suffix.lower() in _WRITTEN and is_beside(ledger.path, _LISTED, path)
        ]  # fmt: skip
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
    if is_elsewhere(Path(event)):
        click.echo(_("Copies of the centre hold theirs, too, and PostgreSQL's own log does for a while."))
    for name in [*copies, *forms]:
        click.echo(_("  beside it: {file}").format(file=readable(name)))


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


def _given(fields: tuple[str, ...]) -> tuple[dict[str, str], list[DalejError]]:
    """What was typed by field, and what is none."""
    values: dict[str, str] = {}
    wrong: list[DalejError] = []
    for number, text in enumerate(fields, start=1):
        name, equals, value = text.partition("=")
        field = formdata.field_of(name)
        if not equals:  # whatever it is, it may be an address: it is not quoted
            wrong.append(WrongInput(N_("argument {number}: expected FIELD=VALUE, such as town=Reda"), number=number))
        elif field is None:
            wrong.append(
                WrongInput(
                    N_("argument {number}: there is no such field, expected one of {fields}"),
                    number=number, fields=_titles(formdata.FIELDS),
                )
            )  # fmt: skip
        elif field in values:
            wrong.append(WrongInput(N_("{field} is given twice"), field=formdata.titled(field)))
        else:
            values[field] = value
    return values, wrong


def _answered(held: Event, event: str, person: _Person) -> Answers:
    """Asks for what the event does not know itself; Enter keeps what is there. What is wrong is asked again at once;
    whoever breaks off keeps what was answered.
    """
    player = held.state().players[person.player]
    kept = held.ledger.personal().get(person.player, {})
    told = known(player)
    listed = [field for field in told if field not in kept]
    for field in listed:
        click.echo(f"{capital(title(field))}: {readable(told[field])}", err=True)
    if listed:
        corrects = command_line("form", "set", event, str(person.player), f"{title(listed[0])}=…")
        click.echo(_("That is from the sign-up list; {command} corrects it.").format(command=corrects), err=True)
    there = suggested(player) | kept
    asked = [
        field for field in PERSONAL_FIELDS
        if (field in kept or field not in told) and (field != PHONE or person.place == 1)
    ]  # fmt: skip
    given: dict[str, str] = {}
    try:
        for field in asked:
            given[field] = _asked(field, formdata.as_typed(field, there.get(field, "")))
        born = formdata.read(given.items(), _today()).values.get(formdata.BORN, "")
        if lacks_consent(held.state(), person.player, born):
            given[CONSENT] = _asked(CONSENT, "" if player.consent is None else _("no"))
    except click.Abort:
        _keep(held, person, formdata.read(given.items(), _today()))
        raise
    return formdata.read(given.items(), _today())


def _asked(field: str, default: str) -> str:
    """An answer that can be right."""
    while True:
        question = _("Is a parent's consent on file?") if field == CONSENT else capital(title(field))
        answer = ask(question, default, err=True)
        wrong = formdata.read([(field, answer)], _today()).wrong
        if not wrong:
            return answer
        for problem in wrong.values():
            click.echo(said(problem), err=True)


def _is_asked() -> bool:
    """Whether somebody sits there who can answer."""
    return all(stream is not None and stream.isatty() for stream in (sys.stdin, sys.stderr))


def _today() -> date:
    return local(SystemClock().wall_ms()).date()


def _titles(fields: Iterable[str]) -> str:
    return ", ".join(title(field) for field in fields)


def _row(person: _Person, values: Mapping[str, str]) -> tuple[str, ...]:
    consent = {True: _("yes"), False: _("no"), None: "?"}[person.consent]
    place = "–" if person.place is None else str(person.place)
    shown = (readable(formdata.as_typed(field, values.get(field, ""))) for field in PERSONAL_FIELDS)
    return place, readable(person.name), consent, *shown
