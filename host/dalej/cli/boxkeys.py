"""`dalej box keys`: where the club's secret is kept, and how it gets to the spare laptop. It is never printed."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Final

import click

from dalej.boxes.folder import club_folder, write_new
from dalej.boxes.paired import OwnBox, OwnBoxes
from dalej.boxes.secret import SECRET_BYTES, ClubKeys, fingerprint
from dalej.cli.decision import agreed, json_option, yes_option
from dalej.cli.terminal import Group, command_line, example, json_line
from dalej.errors import DalejError, Refused, Unreachable, WrongInput
from dalej.words import N_, _, cause, ngettext, readable, said

if TYPE_CHECKING:
    from dalej.boxes.clubexport import Carried

_TRIES: Final = 3  # at a terminal
_LONGEST: Final = 4_000_000  # bytes of a file, characters of a line


def keys_command() -> click.Group:
    """`dalej box keys export|import|show|renew`."""
    group = Group(
        "keys", help=_("The club's secret, by which boxes and laptops know each other: show, carry to a spare laptop."),
        epilog=example("dalej box keys export club-keys.json", "dalej box keys import club-keys.json"),
    )  # fmt: skip
    for one in (_export(), _import(), _show(), _renew()):
        group.add_command(one)
    return group


def _export() -> click.Command:
    return click.Command(
        "export", callback=export_, params=[_file(), _stdin_option()],
        help=_("Write the club's secret and its list of boxes to FILE, sealed under a passphrase that it asks for."),
        epilog=example("dalej box keys export /media/stick/club-keys.json"),
    )  # fmt: skip


def _import() -> click.Command:
    return click.Command(
        "import", callback=import_,
        params=[
            _file(), _stdin_option(),
            click.Option(["--replace"], is_flag=True,
                         help=_("In the place of another secret; what was paired with that must be paired anew.")),
        ],
        help=_("Take over the club's secret and its list of boxes from FILE, which dalej box keys export wrote."),
        epilog=example("dalej box keys import /media/stick/club-keys.json"),
    )  # fmt: skip


def _show() -> click.Command:
    return click.Command(
        "show", callback=show, params=[json_option()],
        help=_("Where the club's secret is kept, and its fingerprint, which is the same on every laptop of the club."),
        epilog=example("dalej box keys show"),
    )  # fmt: skip


def _renew() -> click.Command:
    return click.Command(
        "renew", callback=renew, params=[yes_option()],
        help=_("A new secret, such as after a laptop was stolen: every box must be paired anew."),
        epilog=example("dalej box keys renew"),
    )  # fmt: skip


def _file() -> click.Argument:
    return click.Argument(["file"], metavar=_("FILE"))


def _stdin_option() -> click.Option:
    return click.Option(
        ["--passphrase-stdin"], is_flag=True, help=_("Read the passphrase from standard input, one line, for scripts.")
    )


def export_(file: str, passphrase_stdin: bool) -> None:
    """Ask, seal, write."""
    from dalej.boxes import clubexport  # noqa: PLC0415 -- its ciphers take their time to load

    folder = club_folder()
    secret = ClubKeys(folder, os.urandom).secret()
    boxes = list(OwnBoxes(folder))
    path = Path(file)
    if os.path.lexists(path):
        raise _exists(file)
    text = clubexport.pack(secret, boxes, _new_passphrase(passphrase_stdin), os.urandom)
    if not write_new(path, text):
        raise _exists(file)
    count = len(boxes)
    click.echo(ngettext(
        "{file} holds the club's secret (fingerprint {fingerprint}) and its list of {count} box.",
        "{file} holds the club's secret (fingerprint {fingerprint}) and its list of {count} boxes.", count,
    ).format(file=readable(file), fingerprint=fingerprint(secret), count=count))  # fmt: skip
    click.echo(_("On the other laptop: {command}").format(command=command_line("box", "keys", "import", path.name)))
    click.echo(_("Whoever has the file and the passphrase can speak to the boxes as the desk: keep them apart."))


def import_(file: str, passphrase_stdin: bool, replace: bool) -> None:
    """Unseal, compare, keep, merge."""
    from dalej.boxes import clubexport  # noqa: PLC0415 -- as above

    folder = club_folder()
    keys, boxes = ClubKeys(folder, os.urandom), OwnBoxes(folder)
    text = _read(file)
    clubexport.expect_whole(text)
    here = _fingerprint_here(keys, replace=replace)
    before = keys.remembered() if here is None else here
    brought = _unsealed(text, _line()) if passphrase_stdin else _asked(text)
    came = fingerprint(brought.secret)
    if before not in ("", came) and not replace:
        raise Refused(
            N_("this computer has another club secret (fingerprint {here}) than the file ({came}): --replace takes the "
               "file's, and every box that was paired with this one must then be paired anew"),
            here=before, came=came,
        )  # fmt: skip
    if here != came and before not in ("", came):
        _replace(keys, boxes, brought.secret)
    elif here != came:
        keys.replace(brought.secret)
    renamed = boxes.merge(brought.boxes, outdated=before not in ("", came))
    count = len(brought.boxes)
    click.echo(ngettext(
        "The club's secret (fingerprint {fingerprint}) and {count} box of the file are here; the secret is in {where}.",
        "The club's secret (fingerprint {fingerprint}) and {count} boxes of the file are here; the secret is in"
        " {where}.", count,
    ).format(fingerprint=came, count=count, where=keys.where()))  # fmt: skip
    for was, box in renamed:
        click.echo(_("Two boxes are called {was}: {uid} gets the name {name}; dalej box rename gives it a better "
                     "one.").format(was=readable(was), uid=box.uid, name=readable(box.name)))  # fmt: skip
    _say_outdated(boxes)


def show(as_json: bool) -> None:
    """Print it."""
    folder = club_folder()
    keys = ClubKeys(folder, os.urandom)
    known = fingerprint(keys.secret())
    count = len(list(OwnBoxes(folder)))
    if as_json:
        json_line({"fingerprint": known, "where": keys.where(), "folder": str(folder), "boxes": count})
        return
    click.echo(_("The club's secret is in {where}.").format(where=keys.where()))
    click.echo(_("Fingerprint: {fingerprint}").format(fingerprint=known))
    click.echo(ngettext(
        "{count} box is on the list in {folder}.", "{count} boxes are on the list in {folder}.", count
    ).format(count=count, folder=folder))  # fmt: skip


def renew(yes: bool) -> None:
    """Ask, draw, mark every box."""
    folder = club_folder()
    keys, boxes = ClubKeys(folder, os.urandom), OwnBoxes(folder)
    before = _fingerprint_here(keys, replace=True)
    if before == "":
        keys.secret()  # says what makes the first one
    agreed(yes, _("Every box must be paired anew over the cable, and other laptops need a new export. Make a new "
                  "secret?"))  # fmt: skip
    secret = os.urandom(SECRET_BYTES)
    _replace(keys, boxes, secret)
    click.echo(_("The club has a new secret, in {where}. Fingerprint: {fingerprint}").format(
        where=keys.where(), fingerprint=fingerprint(secret)
    ))  # fmt: skip
    _say_outdated(boxes)


def _replace(keys: ClubKeys, boxes: OwnBoxes, secret: bytes) -> None:
    """Every box is marked first: if this is ended halfway, some are to be paired anew that need not be, and none is
    forgotten that must be.
    """
    marked = list(boxes)
    boxes.merge((), outdated=True)
    try:
        keys.replace(secret)
    except DalejError:
        boxes.merge(marked)
        raise


def _fingerprint_here(keys: ClubKeys, *, replace: bool) -> str | None:
    """Empty if there is no secret; None, if it is to be replaced anyway, where what is there cannot be told."""
    try:
        return fingerprint(keys.secret()) if keys.exist() else ""
    except DalejError:
        if replace:
            return None
        raise


def _say_outdated(boxes: Iterable[OwnBox]) -> None:
    names = [readable(box.name) for box in boxes if box.outdated]
    if names:
        click.echo(ngettext(
            "To be paired anew, with dalej box pair PORT: box {boxes}.",
            "To be paired anew, with dalej box pair PORT: boxes {boxes}.", len(names),
        ).format(boxes=", ".join(names)))  # fmt: skip


def _exists(file: str) -> WrongInput:
    return WrongInput(N_("{file} exists already: expected a new file"), file=file)


def _read(file: str) -> str:
    try:
        with Path(file).open("rb") as reading:
            return reading.read(_LONGEST).decode("utf-8", "replace")
    except OSError as error:
        raise Unreachable(N_("{file} cannot be read: {problem}"), file=file, problem=cause(error)) from error


def _new_passphrase(from_stdin: bool) -> str:
    """Asked twice: whoever mistypes it has a file that nobody can open."""
    from dalej.boxes import clubexport  # noqa: PLC0415 -- as above

    if from_stdin:
        return _line()
    _expect_terminal()
    click.echo(_("A passphrase for the file: {shortest} characters or more, such as four words.").format(
        shortest=clubexport.SHORTEST
    ), err=True)  # fmt: skip
    while True:
        passphrase = _prompted(_("Passphrase"))
        try:
            clubexport.expect_passphrase(passphrase)
        except WrongInput as why:
            click.echo(_("{problem}; once more:").format(problem=said(why)), err=True)
            continue
        if _prompted(_("Once more")) == passphrase:
            return passphrase
        click.echo(_("These were not the same; from the beginning."), err=True)


def _asked(text: str) -> Carried:
    """What is in the file, by a passphrase that is asked for again if it was mistyped."""
    _expect_terminal()
    for left in reversed(range(_TRIES)):
        try:
            return _unsealed(text, _prompted(_("Passphrase")))
        except Refused as why:
            if not left:
                raise
            click.echo(_("{problem}; once more:").format(problem=said(why)), err=True)
    raise AssertionError("the last try has raised")


def _unsealed(text: str, passphrase: str) -> Carried:
    from dalej.boxes import clubexport  # noqa: PLC0415 -- as above

    return clubexport.unpack(text, passphrase)


def _line() -> str:
    line = _decoded(lambda: sys.stdin.readline(_LONGEST))
    if not line:
        raise WrongInput(N_("standard input is empty: expected the passphrase, one line"))
    return line.rstrip("\r\n")


def _prompted(question: str) -> str:
    return _decoded(lambda: click.prompt(question, hide_input=True, err=True))


def _decoded(read: Callable[[], str]) -> str:
    try:
        return read()
    except UnicodeDecodeError as error:
        raise WrongInput(N_("the passphrase is no text in {encoding}"), encoding=error.encoding) from error


def _expect_terminal() -> None:
    if not sys.stdin.isatty():
        raise click.UsageError(_("a passphrase is asked for in a terminal; for a script there is --passphrase-stdin"))
