"""`dalej hall stop|resume|send-settings`: what is done to all tables at once, typed. Each act of the catalogue about
the hall is a command, done as screens do it; the boxes carry it out.
"""

from __future__ import annotations

import click

from dalej.cli.actcommand import commands_about
from dalej.cli.terminal import Group, example
from dalej.words import _


def command() -> click.Group:
    """`dalej hall stop|resume|send-settings`."""
    group = Group(
        "hall", help=_("What is done to all tables at once: stop every clock, let them go on, send the settings."),
        epilog=example("dalej hall stop league.dalej round_break", "dalej hall resume league.dalej"),
    )  # fmt: skip
    for one in commands_about("hall", "hall"):
        group.add_command(one)
    return group
