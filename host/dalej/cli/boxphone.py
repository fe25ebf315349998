"""`dalej box phone`: codes by which phones and tablets become boxes, on the screen for a minute, or on paper."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import Final
from urllib.parse import urlsplit

import click
import segno

from dalej import drafts
from dalej.boxes.folder import club_folder
from dalej.boxes.paired import OwnBoxes
from dalej.boxes.phones import CLAIM_MS, POSTER_MS, Code, Phones
from dalej.boxes.secret import ClubKeys
from dalej.cli.decision import event_command, opened, who_option, why_option
from dalej.clock import SystemClock
from dalej.errors import Refused, WrongInput
from dalej.hints import EVENT, typed
from dalej.office.numbers import tables as several_tables
from dalej.office.paper import formats
from dalej.office.paper.phonecodes import phone_codes
from dalej.office.phonecodes import PhoneCodes
from dalej.words import N_, _, readable

_LOOK_MS: Final = 500


def phone_command() -> click.Command:
    """`dalej box phone`."""
    return event_command(
        "phone", phone,
        _("A phone or tablet becomes the box of a table: it scans the code that is shown here, once, within a minute. "
          "With --paper, one code for each table is written to be printed; each can be claimed once within a day."),
        "dalej box phone league.dalej 3", "dalej box phone league.dalej 1-12 --paper codes.pdf",
        params=[
            click.Argument(["tables"], metavar=_("TABLES")),
            click.Option(["--paper"], metavar=_("FILE.pdf"), help=_("Write the codes to be printed.")),
            click.Option(["--overwrite"], is_flag=True, help=_("Replace FILE.pdf.")),
            click.Option(["--at", "url"], metavar=_("URL"),
                         help=_("Where the desk answers phones (default: where dalej run does here now).")),
            who_option(), why_option(),
        ],
    )  # fmt: skip


def phone(
    event: str, tables: str, paper: str | None, overwrite: bool, url: str | None, who: str, why: str | None
) -> None:
    """Draw them, give each its table, show them."""
    wanted = several_tables(tables)
    clock, folder = SystemClock(), club_folder()
    phones = Phones(folder, ClubKeys(folder, os.urandom), os.urandom)
    reason = why or _("a phone is the box of this table")
    if paper is None and len(wanted) > 1 and not sys.stdout.isatty():
        raise Refused(N_("several codes are shown one after the other on a terminal; --paper FILE.pdf writes them"))
    with opened(event, who) as held:
        at = phones.address() if url is None else _address(url)
        codes = PhoneCodes(phones, OwnBoxes(folder), held.by, clock.wall_ms)
        if paper is not None:
            codes.expect_free(wanted, held.who)

            def made() -> bytes:
                drawn = {table: codes.draw(table, POSTER_MS) for table in wanted}
                codes.stand({table: code.box for table, code in drawn.items()}, held.who, reason)
                return phone_codes({table: f"{at}/b{code.fragment}" for table, code in drawn.items()})

            formats.save(Path(paper), {".pdf": made}, overwrite=overwrite, mode=drafts.OWNER)
            click.echo(_("{file} is written: each code makes one phone the box of its table, once.").format(file=paper))
            return
        for table in wanted:
            code = codes.draw(table)
            _show(code, table, f"{at}/b{code.fragment}")
            _wait(codes, code, table, clock)
            codes.stand({table: code.box}, held.who, reason)
            click.echo(_("A phone has claimed it: {name} is the box of table {table} now.").format(
                name=readable(code.box.name), table=table
            ))  # fmt: skip


def _show(code: Code, table: int, address: str) -> None:
    """To people: a code in a file would be a secret that lies about."""
    click.echo(_("Table {table}: scan this with the phone that is to be its box, {name}.").format(
        table=table, name=readable(code.box.name)
    ))  # fmt: skip
    if sys.stdout.isatty():
        segno.make(address, error="m").terminal(compact=True)
    else:
        click.echo(address)
    sys.stdout.flush()


def _wait(codes: PhoneCodes, code: Code, table: int, clock: SystemClock) -> None:
    """Until it is claimed, or too late: then it is off the list again, and Refused."""
    until_ms = clock.now_ms() + CLAIM_MS
    while clock.now_ms() < until_ms:
        if codes.is_claimed(code.box.uid):
            return
        clock.sleep_ms(_LOOK_MS)
    codes.forget(code.box.uid)
    raise Refused(N_("nobody has claimed {name} within a minute: it is taken back"), name=code.box.name).hinted(
        N_("{command} shows another code"), command=typed("box", "phone", EVENT, table)
    )


def _address(text: str) -> str:
    """As a browser needs it, without what comes behind."""
    parts = urlsplit(text)
    if parts.scheme not in ("http", "https") or not parts.hostname or parts.path.strip("/") or parts.query:
        raise WrongInput(N_("{url} is no address of a desk: expected one such as http://192.168.1.5:8643"), url=text)
    return f"{parts.scheme}://{parts.netloc}"
