"""What `dalej box install` and `dalej box image` share: what a box is built with, and how it becomes the club's."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Final

import click

from dalej.club.boxes import OwnBox, OwnBoxes
from dalej.club.folder import club_folder
from dalej.club.keys import ClubKeys
from dalej.errors import WrongInput
from dalej.provision.micropython import MicroPython, expect_chip, read
from dalej.words import N_, _
from moveclock.identity import KOSTKA, SHARED, Identity

_FULL: Final = "full"
_SMALL: Final = "small"
_MOST: Final = 32 << 20  # bytes of a .bin that are read


def micropython_option(help_: str) -> click.Option:
    """Which downloaded MicroPython to use."""
    return click.Option(["--micropython"], metavar=_("FILE.bin"), help=help_)


def build_option() -> click.Option:
    """How many buttons a box has."""
    return click.Option(
        ["--build"], type=click.Choice([_FULL, _SMALL]),
        help=_("full: two buttons for each seat; small: one Już and one Dalej (default: as it was, else full)."),
    )  # fmt: skip


def kostka_option() -> click.Option:
    """Whether a box feels a tile being drawn."""
    return click.Option(
        ["--kostka/--no-kostka"], default=None,
        help=_("Whether it has a contact at the draw stack (default: as it was, else yes)."),
    )  # fmt: skip


def given_micropython(file: str | None, chip: str | None) -> MicroPython | None:
    """The downloaded image that was named; WrongInput if it is none, or for another chip."""
    if file is None:
        return None
    try:
        with Path(file).open("rb") as opened:
            data = opened.read(_MOST)
    except OSError as error:
        raise WrongInput(N_("{file} cannot be read: {problem}"), file=file, problem=error.strerror) from error
    given = read(data, file)
    if chip is not None:
        expect_chip(given, chip)
    return given


def known_box(boxes: OwnBoxes, uid: bytes) -> OwnBox | None:
    """The club's entry for a box."""
    return next((one for one in boxes if one.uid == uid.hex()), None)


def built_with(build: str | None, kostka: bool | None, known: OwnBox | None) -> int:
    """What the box is built with: as it is said, else as it was, else everything."""
    before = known.build if known else KOSTKA
    shared = before & SHARED if build is None else SHARED * (build == _SMALL)
    return shared | (before & KOSTKA if kostka is None else KOSTKA * kostka)


def paired(uid: bytes, build: int) -> Identity:
    """The identity of a box of this club; the club's secret is made if this is its first box."""
    keys = ClubKeys(club_folder(), os.urandom)
    if not keys.exist():
        keys.make()
        click.echo(_("The club's secret was made; it is kept in {where}.").format(where=keys.where()))
    return Identity(build, uid, keys.of_box(uid))
