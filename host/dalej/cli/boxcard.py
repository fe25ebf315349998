"""`dalej box card`: what buttons, lights, sounds and codes mean, on paper for each table."""

from __future__ import annotations

from pathlib import Path
from typing import Final

import click

from dalej.cli.terminal import example
from dalej.errors import WrongInput
from dalej.office.numbers import tables as several_tables
from dalej.office.paper import formats
from dalej.office.paper.card import quick_card
from dalej.words import LANGUAGES, N_, _

_SIDES: Final = ("pl", "en")
_SIDES_MOST: Final = 2  # a sheet has no more
_FOUR_SIDED: Final = "four-sided"
_EVENING: Final = "evening"


def card_command() -> click.Command:
    """`dalej box card`."""
    return click.Command(
        "card", callback=card,
        params=[
            click.Argument(["file"], metavar=_("FILE")),
            click.Option(["--tables"], metavar=_("NUMBERS"),
                         help=_("A card for each, such as 1-8 or 1,2,5 (default: one card without a number).")),
            click.Option(["--languages"], metavar=_("FRONT,BACK"), default=",".join(_SIDES), show_default=True,
                         help=_("The language of each side, or one language for a single side: {languages}.").format(
                             languages=", ".join(LANGUAGES))),
            click.Option(["--build"], type=click.Choice([_FOUR_SIDED, _EVENING]), default=_FOUR_SIDED,
                         show_default=True,
                         help=_("four-sided: two buttons for each seat; evening: one Już and one Dalej.")),
            click.Option(["--kostka/--no-kostka"], default=None,
                         help=_("Whether it has a contact at the draw stack (default: a four-sided box has one, an "
                                "evening box has none).")),
            click.Option(["--overwrite"], is_flag=True, help=_("Replace FILE if it exists.")),
        ],
        help=_("Write the card that lies on the table (PDF, A5, two sides): what buttons, lights, sounds and codes "
               "mean."),
        epilog=example("dalej box card cards.pdf --tables 1-8", "dalej box card card.pdf --languages it,en"),
    )  # fmt: skip


def card(file: str, tables: str | None, languages: str, build: str, kostka: bool | None, overwrite: bool) -> None:
    """Make it, say where it is."""
    numbers = [] if tables is None else several_tables(tables)
    sides = _sides(languages)
    shared = build == _EVENING
    with_kostka = not shared if kostka is None else kostka
    made = {".pdf": lambda: quick_card(numbers, sides, shared=shared, kostka=with_kostka)}
    formats.save(Path(file), made, overwrite=overwrite)
    click.echo(_("{file} is written").format(file=file))


def _sides(text: str) -> list[str]:
    sides = [part.strip() for part in text.split(",")]
    if len(sides) > _SIDES_MOST or not set(sides) <= set(LANGUAGES):
        raise WrongInput(
            N_("{text} names no sides of a card, expected one or two of {languages}"),
            text=text, languages=", ".join(LANGUAGES),
        )  # fmt: skip
    return sides
