"""`dalej hall stop|resume|send-settings`: what is done to all tables at once, typed. Each act of the catalogue about
the hall is a command, done as screens do it; the boxes carry it out.
"""

from __future__ import annotations

from collections.abc import Mapping

import click

from dalej.cli.actcommand import act_command, answers, args_of, expect_desk
from dalej.cli.decision import agreed, do, opened
from dalej.cli.terminal import Group, example, json_line
from dalej.errors import DalejError
from dalej.event.event import Event
from dalej.office.acts.catalogue import ACTS, Act
from dalej.office.acts.tables import tables_now
from dalej.office.acts.wishes import Wish
from dalej.words import _, ngettext, readable, said
from moveclock import facts as k


def command() -> click.Group:
    """`dalej hall stop|resume|send-settings`."""
    group = Group(
        "hall", help=_("What is done to all tables at once: stop every clock, let them go on, send the settings."),
        epilog=example("dalej hall stop league.dalej round_break", "dalej hall resume league.dalej"),
    )  # fmt: skip
    for act in ACTS.values():
        if act.about == "hall":
            group.add_command(_command(act))
    return group


def _command(act: Act) -> click.Command:
    name = act.name.removesuffix("_hall").replace("_", "-")

    def callback(event: str, who: str, yes: bool = False, as_json: bool = False, **given: object) -> int:
        return _do(act, event, given, who, yes, as_json)

    return act_command(act, name, callback, f"dalej hall {name} league.dalej")


def _do(act: Act, event: str, given: Mapping[str, object], who: str, yes: bool, as_json: bool) -> int:
    """Ask the boxes, wait for what each answers, say it; 1 if one has not carried it out."""
    with opened(event, who) as held:
        expect_desk(held, event)
        if act.destroys and (count := _count(act, held)):
            agreed(yes, _("{what} Do it?").format(what=said(DalejError(act.confirm, count=count))))
        done = do(held, Wish(act.name, args_of(act, given), str(given.get("why") or "")))
        if not as_json:
            click.echo(readable(str(done)))
        found = list(answers(held, done, _("waits for the boxes …")))
    missing = [one for one in found if not one.is_done]
    if as_json:
        json_line({"act": act.name, "requests": [one.fields() for one in found]})
        return int(bool(missing))
    count = len(found) - len(missing)
    click.echo(ngettext("{count} box has done it.", "{count} boxes have done it.", count).format(count=count))
    for one in missing:
        click.echo(said(one.problem), err=True)
    return int(bool(missing))


def _count(act: Act, held: Event) -> int:
    """Tables that it would touch; with none there is nothing to ask about, and the act says so."""
    wanted = (k.STOPPED,) if act.name == "resume_hall" else (k.RUNNING, k.EXPIRED)
    return sum(now.plays and now.at.state in wanted for now in tables_now(held.read()))
