"""`dalej box list|assign|rename|forget`: which boxes the club has, and which table of an event each stands on."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Final

import click

from dalej.boxes.folder import club_folder
from dalej.boxes.paired import OwnBox, OwnBoxes, expect_name
from dalej.cli.decision import agreed, event_command, json_option, opened, who_option, why_option, yes_option
from dalej.cli.terminal import example, json_line, table
from dalej.domain.game.facts import is_phone
from dalej.domain.game.sentences import instant
from dalej.domain.tournament.stages import round_name
from dalej.domain.tournament.tournament import Round, Tournament
from dalej.errors import WrongInput
from dalej.event.boxplaces import ALL, NOW, BoxPlace, Moved, Wish, decide, places, take_all_away
from dalej.event.event import Event
from dalej.event.ledger import Ledger
from dalej.event.reading import read
from dalej.words import N_, _, is_word, ngettext, readable
from moveclock.identity import KOSTKA, SCREEN, SHARED

NONE: Final = N_("none")
_MOST: Final = 9_999  # tables


@dataclass(frozen=True, slots=True)
class _Order:
    """How boxes are given to tables."""

    since: str
    goes_on: bool

    def wish(self, box: OwnBox, table: int | None) -> Wish:
        return Wish(box.uid, table, self.since, self.goes_on, box.name)


_ORDINARY: Final = _Order(NOW, goes_on=True)


def assign_command() -> click.Command:
    """`dalej box assign`."""
    return event_command(
        "assign", assign,
        _("Give a box to a table, in the place of the box that stood there; TABLE “{none}” takes it away.").format(
            none=_(NONE)
        ),
        "dalej box assign league.dalej 12 4", "dalej box assign league.dalej --all",
        "dalej box assign league.dalej 12 none", "dalej box assign league.dalej --none",
        params=[
            click.Argument(["box"], metavar=_("[BOX"), required=False),
            click.Argument(["table"], metavar=_("TABLE]"), required=False),
            click.Option(["--all", "all_of"], is_flag=True,
                         help=_("Every box called by a number goes to the table of that number, where none stands.")),
            click.Option(["--none", "none_of"], is_flag=True,
                         help=_("Without boxes from now on: every box is taken off its table.")),
            click.Option(["--fresh"], is_flag=True,
                         help=_("Begin a new game, and end one that the box still holds; without this a spare box goes "
                                "on with the game of the box before.")),
            click.Option(["--all-facts"], is_flag=True,
                         help=_("Everything the box holds counts, such as what was played before the laptop came.")),
            yes_option(), who_option(), why_option(),
        ],
    )  # fmt: skip


def assign(
    event: str, box: str | None, table: str | None, all_of: bool, none_of: bool, fresh: bool, all_facts: bool,
    yes: bool, who: str, why: str | None,
) -> None:  # fmt: skip
    """Decide and say what follows."""
    order = _Order(ALL if all_facts else NOW, not fresh)
    if all_of and (box is not None or table is not None):
        raise click.UsageError(_("--all gives every box to a table: expected no BOX and no TABLE beside it"))
    if none_of and (all_of or fresh or all_facts or box is not None):
        raise click.UsageError(_("--none takes every box away: it goes with none of BOX, TABLE, --all, --fresh and "
                                 "--all-facts"))  # fmt: skip
    if not all_of and not none_of and (box is None or table is None):
        raise click.UsageError(_("expected a box and a table, --all or --none"))
    with opened(event, who) as held:
        if none_of:
            _take_all_away(held, why or _("played without boxes"), yes)
            return
        if box is None or table is None:
            _assign_all(held, order, why or _("each box was put on the table of its number"))
        elif is_word(table, NONE):
            _take_away(held, box, why or _("the box was taken away from its table"))
        else:
            found = OwnBoxes(club_folder()).find(box)
            _assign_one(held, found, _table(table), order, why or _("the box was put on this table"), yes)


def _assign_one(held: Event, box: OwnBox, to: int, order: _Order, why: str, yes: bool) -> None:
    empty = _nobody_sits(held.state(), to)
    asked = empty is not None and _agreed(held, box, to, empty, yes)

    def plan(before: Sequence[BoxPlace]) -> list[Wish]:
        there = any((one.box, one.table) == (box.uid, to) for one in before)
        return [] if there and order == _ORDINARY else [order.wish(box, to)]

    moved = _decide(held, plan, why)
    name = readable(box.name)
    if moved.before == moved.after:
        click.echo(_("Box {box} stands on table {table} already.").format(box=name, table=to))
        return
    was = next((one for one in moved.before if one.box == box.uid), None)
    before = next((one for one in moved.before if one.table == to and one.box != box.uid), None)
    if before is None:
        click.echo(_("Box {box} stands on table {table} from now on.").format(box=name, table=to))
    else:
        click.echo(_("Box {box} stands on table {table} from now on, in the place of box {other}.").format(
            box=name, table=to, other=readable(before.called)
        ))  # fmt: skip
    if was is not None and was.table != to:
        click.echo(_("Table {table} has no box now.").format(table=was.table))
    click.echo(_follows(order, before, to))
    if empty is not None and not asked:
        click.echo(empty, err=True)


def _follows(order: _Order, before: BoxPlace | None, to: int) -> str:
    if before is not None and order.goes_on:
        return _("It goes on with the game of box {other}, if that is not over, as soon as dalej run hears it.").format(
            other=readable(before.called)
        )
    if order.since == ALL:
        return _("Everything it holds counts at table {table} as soon as dalej run hears it.").format(table=to)
    if not order.goes_on:
        return _("It begins a new game as soon as dalej run hears it; one that it still holds is ended.")
    return _("What is played on it counts from when dalej run hears it; --all-facts counts what it holds already.")


def _assign_all(held: Event, order: _Order, why: str) -> None:
    boxes = list(OwnBoxes(club_folder()))
    if not boxes:
        raise WrongInput(N_("the club has no boxes yet: dalej box pair PORT makes one its own"))
    one = _round(held.state())
    wanted = set(one.tables()) if one is not None and one.seating is not None else None
    numbered = {int(box.name): box for box in boxes if _is_table(box.name) and str(int(box.name)) == box.name}

    def plan(before: Sequence[BoxPlace]) -> list[Wish]:
        taken, stand = {place.table for place in before}, {place.box for place in before}
        return [
            order.wish(box, number)
            for number, box in sorted(numbered.items())
            if number not in taken and box.uid not in stand and (wanted is None or number in wanted)
        ]

    _say_all(_decide(held, plan, why), numbered, wanted)


def _say_all(moved: Moved, numbered: dict[int, OwnBox], wanted: set[int] | None) -> None:
    given = [one for one in moved.after if one not in moved.before]
    for one in given:
        click.echo(_("Box {box} stands on table {table} from now on.").format(
            box=readable(one.called), table=one.table
        ))  # fmt: skip
    for one in moved.before:
        if one.table not in numbered or numbered[one.table].uid != one.box:
            click.echo(_("Box {box} stays on table {table}.").format(box=readable(one.called), table=one.table))
    count = len(given)
    click.echo(
        ngettext("{count} box is given to a table.", "{count} boxes are given to tables.", count).format(count=count)
    )
    lacking = sorted((wanted or set()) - {one.table for one in moved.after})
    if lacking:
        click.echo(ngettext("Table {tables} has no box.", "Tables {tables} have no box.", len(lacking)).format(
            tables=", ".join(map(str, lacking))
        ))  # fmt: skip


def _take_away(held: Event, text: str, why: str) -> None:
    box = _standing(held, text)
    moved = _decide(held, lambda _before: [Wish(box.uid, None, name=box.name)], why)
    was = next(one for one in moved.before if one.box == box.uid)
    click.echo(_("Box {box} stands on no table any more; table {table} has no box.").format(
        box=readable(box.name), table=was.table
    ))  # fmt: skip


def _take_all_away(held: Event, why: str, yes: bool) -> None:
    """Asked about where a desk serves the boxes now."""
    if held.ledger.lease.holder(held.wall_ms()) is not None and _is_terminal():
        agreed(yes, _("A desk serves these boxes now. Take them all off their tables?"))
    had = take_all_away(held, why)
    for at, box in had.items():
        click.echo(_("Box {box} stands on no table any more; table {table} has no box.").format(
            box=readable(box), table=at
        ))  # fmt: skip
    if not had:
        click.echo(_("No table has a box."))


def _standing(held: Event, text: str) -> OwnBox:
    """A box of the club's list, or one that stands on a table though it was forgotten."""
    try:
        return OwnBoxes(club_folder()).find(text)
    except WrongInput:
        found = [one for one in places(held.read()) if text.strip().lower() in (one.name.lower(), one.box)]
        if len(found) != 1:
            raise
        return OwnBox(found[0].box, found[0].called, 0, 0)


def _decide(held: Event, plan: Callable[[Sequence[BoxPlace]], Sequence[Wish]], why: str) -> Moved:
    return decide(held, plan, why)


def _agreed(held: Event, box: OwnBox, to: int, empty: str, yes: bool) -> bool:
    """Whether somebody was asked, and agrees, that the box goes to a table where nobody sits. Scripts are not asked."""
    stands = any((one.box, one.table) == (box.uid, to) for one in places(held.read()))
    if stands or yes or not _is_terminal():
        return False
    agreed(yes, _("{nobody} Put box {box} there all the same?").format(nobody=empty, box=readable(box.name)))
    return True


def _is_terminal() -> bool:
    return sys.stdin is not None and sys.stdin.isatty() and sys.stderr is not None and sys.stderr.isatty()


def _nobody_sits(state: Tournament, number: int) -> str | None:
    """That in words; None if somebody does, or nobody sits anywhere."""
    one = _round(state)
    if one is None or one.seating is None or any(at.table == number for at in one.seating.tables):
        return None
    return _("{round}: nobody sits at table {table}.").format(round=round_name(*one.key), table=number)


def _round(state: Tournament) -> Round | None:
    """The round to work on, if somebody sits in it."""
    one = state.current
    return one if one is not None and one.seating is not None else None


def _table(text: str) -> int:
    if not _is_table(text):
        raise WrongInput(N_("“{table}” is no table: expected a number from 1 on, or {none}"), table=text, none=_(NONE))
    return int(text)


def _is_table(text: str) -> bool:
    return text.isascii() and text.isdecimal() and len(text) <= len(str(_MOST)) and int(text) > 0


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
            on = {one.box: one for one in places(read(ledger))}
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
    rows = [(box.name, box.uid, _built(box), _paired(box)) for box in boxes]
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
            "name": box.name, "uid": box.uid, "phone": is_phone(box.uid), "kostka": bool(box.build & KOSTKA),
            "shared": bool(box.build & SHARED),
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


def _built(box: OwnBox) -> str:
    build = box.build
    if is_phone(box.uid):
        return _("phone or tablet")
    if build & SCREEN:
        return _("evening box, tile on the screen") if build & KOSTKA else _("evening box")
    if build & SHARED:
        return _("shared buttons, tile contact") if build & KOSTKA else _("shared buttons")
    return _("buttons at every seat, tile contact") if build & KOSTKA else _("buttons at every seat")


def _paired(box: OwnBox) -> str:
    if box.outdated:
        return _("with another secret: pair it anew")
    if is_phone(box.uid) and not box.device:
        return _("no phone has claimed it yet")
    return instant(box.paired_ms)


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
    if is_phone(own.uid):
        told = _("Phone {box} is no box any more; dalej box phone gives its table to another one, or to it.")
        click.echo(told.format(box=_named(own)))
        return
    click.echo(_("Box {box} is off the list. It keeps its secret: dalej box pair PORT makes it the club's again, or "
                 "another club's.").format(box=_named(own)))  # fmt: skip


def _named(box: OwnBox) -> str:
    return _("{name} ({uid})").format(name=readable(box.name), uid=box.uid)


def _with_uid(one: BoxPlace) -> str:
    return _("{name} ({uid})").format(name=readable(one.name), uid=one.box) if one.name else one.box
