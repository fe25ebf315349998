"""`dalej event`: the event as a file."""

from __future__ import annotations

import click

from dalej.cli.output import example
from dalej.ledger import Ledger
from dalej.words import _


def command() -> click.Group:
    """`dalej event backup`."""
    group = click.Group(
        "event", help=_("The event as a file."), epilog=example("dalej event backup league.dalej b.dalej")
    )
    group.add_command(
        click.Command(
            "backup", callback=backup,
            params=[
                click.Argument(["event"], metavar=_("EVENT")),
                click.Argument(["file"], metavar=_("FILE")),
                click.Option(["--overwrite"], is_flag=True, help=_("Replace FILE if it exists.")),
            ],
            help=_("Copy the whole event to one file, also while others write."),
            epilog=example("dalej event backup league.dalej /media/stick/league-copy.dalej"),
        )
    )  # fmt: skip
    return group


def backup(event: str, file: str, overwrite: bool) -> None:
    """Copy and say so."""
    with Ledger.open(event) as ledger:
        ledger.backup(file, overwrite=overwrite)
    click.echo(_("{event} is copied to {file}").format(event=event, file=file))
