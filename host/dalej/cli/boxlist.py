"""`dalej box list|rename|forget`: which boxes the club has, and which table of an event each stands on."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

import click

from dalej.cli.boxassign import assign_command
from dalej.cli.office import agreed, json_option, yes_option
from dalej.cli.output import example, json_line, table
from dalej.club.boxes import OwnBox, OwnBoxes, expect_name
from dalej.club.folder import club_folder
from dalej.ledger import Ledger
from dalej.office.boxplaces import BoxPlace, places
from dalej.telling import instant
from dalej.words import _, readable
from moveclock.identity import KOSTKA, SHARED

__all__ = ["assign_command", "forget_command", "list_command", "rename_command"]


def list_command() -> click.Command:
    """`dalej box list`."""
    return click.Command(
        "list", callback=list_,
        params=[
            click.Option(["--event"], metavar=_("EVENT"), help=_("Also which table of this event each stands on.")),
            json_option(),
        ],
        help=_("The club's boxes: name, uid, how each is built, when it was paired."),
        epilog=example("dalej box list", "dalej box list --event league.dalej"),
    )  # fmt: skip


def rename_command() -> click.Command:
    """`dalej box rename`."""
    return click.Command(
        "rename", callback=rename,
        params=[_box_argument(), click.Argument(["name"], metavar=_("NAME"))],
        help=_("Call a box otherwise on the club's list; a name is best what is written on it."),
        epilog=example("dalej box rename 12 spare", "dalej box rename 240ac4001207 4"),
    )  # fmt: skip


def forget_command() -> click.Command:
    """`dalej box forget`."""
    return click.Command(
        "forget", callback=forget, params=[_box_argument(), yes_option()],
        help=_("Take a box off the club's list; it keeps its secret until it is paired anew."),
        epilog=example("dalej box forget 12"),
    )  # fmt: skip


def _box_argument() -> click.Argument:
    return click.Argument(["box"], metavar=_("BOX"))


def list_(event: str | None, as_json: bool) -> None:
    """Print them."""
    boxes = list(OwnBoxes(club_folder()))
    on: dict[str, BoxPlace] = {}
    if event is not None:
        with Ledger.open(event) as ledger:
            on = {one.box: one for one in places(ledger)}
    if as_json:
        for line in _objects(boxes, on, with_tables=event is not None):
            json_line(line)
        return
    if not boxes:
        click.echo(_("The club has no boxes yet: dalej box pair PORT makes one its own."))
    else:
        _print(boxes, on, with_tables=event is not None)
    _say_strangers(boxes, on.values())


def _print(boxes: Sequence[OwnBox], on: dict[str, BoxPlace], *, with_tables: bool) -> None:
    rows = [(box.name, box.uid, _built(box.build), _paired(box)) for box in boxes]
    headings = (_("box"), _("uid"), _("built with"), _("paired"))
    if not with_tables:
        table(headings, rows, wraps=(2, 3))
        return
    standing = [str(on[box.uid].table) if box.uid in on else "–" for box in boxes]
    table(
        (*headings, _("table")), [(*row, at) for row, at in zip(rows, standing, strict=True)], numbers=(4,),
        wraps=(2, 3),
    )  # fmt: skip


def _objects(boxes: Iterable[OwnBox], on: dict[str, BoxPlace], *, with_tables: bool) -> Iterator[dict[str, object]]:
    for box in boxes:
        said: dict[str, object] = {
            "name": box.name, "uid": box.uid, "kostka": bool(box.build & KOSTKA), "shared": bool(box.build & SHARED),
            "paired_ms": None if box.outdated else box.paired_ms,
        }  # fmt: skip
        if with_tables:
            said["table"] = on[box.uid].table if box.uid in on else None
        yield said


def _say_strangers(boxes: Iterable[OwnBox], on: Iterable[BoxPlace]) -> None:
    own = {box.uid for box in boxes}
    for one in on:
        if one.box not in own:
            click.echo(
                _("Box {box} stands on table {table} and is not on this computer's list of the club's boxes.").format(
                    box=_with_uid(one), table=one.table
                ),
                err=True,
            )


def _built(build: int) -> str:
    if build & SHARED:
        return _("shared buttons, tile contact") if build & KOSTKA else _("shared buttons")
    return _("buttons at every seat, tile contact") if build & KOSTKA else _("buttons at every seat")


def _paired(box: OwnBox) -> str:
    return _("with another secret: pair it anew") if box.outdated else instant(box.paired_ms)


def rename(box: str, name: str) -> None:
    """Change the name on the list."""
    boxes = OwnBoxes(club_folder())
    own, new = boxes.find(box), name.strip()
    expect_name(new)
    boxes.keep(replace(own, name=new))
    click.echo(_("Box {box} is called {name} from now on.").format(box=_named(own), name=readable(new)))


def forget(box: str, yes: bool) -> None:
    """Ask, and take it off the list."""
    boxes = OwnBoxes(club_folder())
    own = boxes.find(box)
    agreed(yes, _("Take box {box} off the club's list?").format(box=_named(own)))
    boxes.forget(own.uid)
    click.echo(_("Box {box} is off the list. It keeps its secret: dalej box pair PORT makes it the club's again, or "
                 "another club's.").format(box=_named(own)))  # fmt: skip


def _named(box: OwnBox) -> str:
    return _("{name} ({uid})").format(name=readable(box.name), uid=box.uid)


def _with_uid(one: BoxPlace) -> str:
    return _("{name} ({uid})").format(name=readable(one.name), uid=one.box) if one.name else one.box
