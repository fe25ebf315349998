"""`dalej results`: results of games, entered, read from a file, listed, confirmed, taken back."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from typing import Any

import click
from msgspec.structs import replace

from dalej.cli.actcommand import Told, act_command
from dalej.cli.decision import (
    agreed,
    do,
    event_command,
    json_option,
    opened,
    round_option,
    table_argument,
    who_option,
    why_option,
    yes_option,
)
from dalej.cli.eventfile import is_event
from dalej.cli.resultdialogue import (
    Dialogue,
    how,
    say_bearing,
    say_line,
    say_missing,
    say_remarks,
    say_result,
    say_stands,
    say_table,
)
from dalej.cli.resultlists import import_command, template_command
from dalej.cli.terminal import (
    Group,
    ask,
    ask_until,
    example,
    is_terminal,
    json_line,
    name_commands,
    named,
    say_wrapped,
    table,
    typed_here,
)
from dalej.domain.game.facts import SEATS
from dalej.domain.game.games import BoxGame
from dalej.domain.game.sentences import word
from dalej.domain.scoring.points import gained
from dalej.domain.scoring.sheets import ENDINGS
from dalej.domain.tournament.stages import round_name
from dalej.domain.tournament.tournament import NOT_PLAYED, GameAt, Result, Round, Tournament
from dalej.errors import DalejError, Refused, WrongInput
from dalej.event.event import Event
from dalej.event.roundgames import games_of_round
from dalej.hints import EVENT, once_more, typed
from dalej.office import results
from dalej.office.acts.act import expect_reason
from dalej.office.acts.results import (
    ConfirmResult,
    CorrectClosed,
    CorrectResult,
    Ended,
    EnterResult,
    ReopenResult,
    WithRacks,
    ended_as,
)
from dalej.office.corrections import bearing
from dalej.office.notation import Places, controls, ended_by, game_and_racks, racks_in, spelled, without_ending
from dalej.office.results import prepared
from dalej.office.rounds import tables_words, to_be_confirmed, unconfirmed
from dalej.words import N_, _, advised, ngettext, readable, said, who_said


def list_command() -> click.Command:
    """`dalej results list`."""
    return event_command(
        "list", show, _("Every game of a round: its scores, who entered and who confirmed it, and what is missing."),
        "dalej results list league.dalej", "dalej results list league.dalej --round 1 --json",
        params=[
            round_option(),
            click.Option(["--table", "only"], type=click.IntRange(1), help=_("Only this table.")),
            json_option(),
        ],
    )  # fmt: skip


def show(event: str, key: str | None, only: int | None, as_json: bool) -> None:
    """Print the games."""
    with opened(event, _("the organiser")) as held:
        state = held.state()
        one = results.which(state, key)
        if only is not None:
            results.table_of(one, only)
        boxes = games_of_round(held.read(), state, one.key, None if only is None else [only])
    games = [at for at in _games(one) if only in (None, at.table)]
    if as_json:
        for at in games:
            json_line(_fields(one, at, boxes.get(at)))
        return
    click.echo(_("{event}: {round}").format(event=readable(state.name), round=round_name(*one.key)))
    click.echo()
    headings = (_("table"), _("game"), _("how it ended"), *SEATS, _("entered by"), _("confirmed by"))
    table(headings, (_row(one, at, boxes.get(at)) for at in games), numbers=(0, 1))
    click.echo()
    missing = len([at for at in one.missing() if at in games])
    click.echo(
        ngettext("{count} game is missing.", "{count} games are missing.", missing).format(count=missing)
        if missing
        else _("Every result is in.")
    )


def _games(one: Round) -> Iterator[GameAt]:
    """All games of the round, by table and game, also those of a table that is no longer part of the seating."""
    seated = () if one.seating is None else one.seating.tables
    wanted = {GameAt(at.table, game) for at in seated for game in range(1, one.stage.games + 1)}
    yield from sorted(wanted | set(one.results))


def _row(one: Round, at: GameAt, box: BoxGame | None) -> tuple[str, ...]:
    result = one.results.get(at)
    if result is None:
        blank = ("",) * (len(SEATS) + 2)
        return (str(at.table), str(at.game), _not_entered(box), *blank)
    cells = {
        score.seat: f"{readable(score.name)} {gained(score.small)}" + ("" if not score.big else f" ({score.big})")
        for score in result.scores
    }
    confirmed = "" if result.confirmed is None else who_said(result.confirmed.who)
    seats = (cells.get(seat, "") for seat in SEATS)
    return (str(at.table), str(at.game), how(result), *seats, who_said(result.mark.who), confirmed)


def _not_entered(box: BoxGame | None) -> str:
    if box is None:
        return _("missing")
    if box.ended is None:
        return _("under way")
    return _("played, not entered ({how}{seat})").format(
        how=word(box.ended), seat=f", {box.winner}" if box.winner else ""
    )


def _fields(one: Round, at: GameAt, box: BoxGame | None) -> dict[str, object]:
    """A game under its JSON names."""
    result = one.results.get(at)
    fields: dict[str, object] = {
        "stage": one.key.stage, "round": one.key.round, "table": at.table, "game": at.game,
        "state": _state(result, box),
    }  # fmt: skip
    if result is not None:
        fields |= {
            "ended": NOT_PLAYED if result.sheet is None else result.sheet.ended,
            "scores": [
                {
                    "seat": score.seat, "player": result.players[score.seat], "name": score.name,
                    "small": score.small, "big": score.big, "place": score.place,
                }
                for score in result.scores
            ],
            "number": result.mark.cursor, "who": result.mark.who, "when_ms": result.mark.when_ms,
            "confirmed_by": None if result.confirmed is None else result.confirmed.who,
        }  # fmt: skip
    if box is not None:
        fields["box"] = {
            "box": box.box, "game": box.game, "ended": box.ended, "winner": box.winner,
            "announced": {seat: list(moves) for seat, moves in box.announced.items()},
            "in_time": sorted(box.in_time), "withdrawn": list(box.withdrawn), "bank": box.bank,
        }  # fmt: skip
    return fields


def _state(result: Result | None, box: BoxGame | None) -> str:
    if result is not None:
        return "entered" if result.sheet is not None else NOT_PLAYED
    if box is None:
        return "missing"
    return "under_way" if box.ended is None else "played"


class _Results(Group):
    """`dalej results 3 …` is `dalej results enter 3 …`."""

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        words = args[1:] if is_event(args[0]) else args
        return super().resolve_command(ctx, ["enter", *args] if words and words[0].isdecimal() else args)


def short_command() -> click.Command:
    """`dalej r`: `dalej results enter`, and without a table a line for each game."""
    return enter_command("r", _by_lines)


def command() -> click.Group:
    """`dalej results enter|correct|import|template|list|confirm|reopen`."""
    group = _Results(
        "results",
        help=_("Results of games. A table's number in place of a command enters its next game."),
        epilog=example("dalej results 3 0 23 45+j -", "dalej results enter league.dalej 3 1 A=0 B=23 C=45+j D=-"),
    )
    for part in (
        enter_command(), _correct(), import_command(), template_command(), list_command(), _confirm(), _reopen(),
    ):  # fmt: skip
        group.add_command(part)
    return group


def enter(
    event: str, table: int | None, values: tuple[str, ...], key: str | None, ended: str | None, small: tuple[str, ...],
    ruling: str, ruled_small: tuple[str, ...], ruled_place: tuple[str, ...], why: str | None, who: str,
) -> None:  # fmt: skip
    """Enter one game from the command line, or ask for the table's games, or for all that lack, in a terminal."""
    _expect_no_option(values)
    if table is None:
        _enter_all(event, key, who)
        return
    words, how_ended = _with_end(values, ended)
    not_played = how_ended == NOT_PLAYED
    if why is not None and not not_played:
        raise click.UsageError(_("--why goes with --ended {not_played}; {command} corrects a result").format(
            not_played=spelled(NOT_PLAYED), command=named("results", "correct")))  # fmt: skip
    expect_reason(EnterResult, why or "")
    _expect_ruling(ruling, ruled_small, ruled_place)
    no_racks = not words or (len(words) == 1 and words[0].isdecimal())
    if no_racks and not not_played:
        _expect_terminal(table)
        with opened(event, who) as held:
            one = results.to_enter(held.state(), key, table, values)
            Dialogue(_ask, say_wrapped).table(held, one.key.text, table, int(words[0]) if words else None)
        return
    if not_played and not why and is_terminal():
        why = ask_until(_("Why was the game not played?"))
    with opened(event, who) as held:
        state = held.state()
        one = results.to_enter(state, key, table, values)
        game, racks = game_and_racks(words, _places(state, one, _expected(state, one, table, words), table))
        paper = EnterResult(
            table=table, game=_next_game(one, table) if game is None else game, round=one.key.text, ruling=ruling,
            ended=how_ended, racks=racks,
            small=dict(controls(small)), ruled_small=dict(controls(ruled_small)),
            ruled_place=dict(controls(ruled_place)),
        )  # fmt: skip
        _enter_one(held, event, one, paper, why or "", brief=any("=" not in one for one in values[1:]))


def _expect_no_option(values: Sequence[str]) -> None:
    """-12 is what somebody takes a rack for, and is told so; what begins with two dashes is an option that is none."""
    if unknown := next((one for one in values if one.startswith("--")), None):
        raise click.NoSuchOption(unknown)


def _by_lines(event: str, table: int | None, key: str | None, who: str, **typed: Any) -> None:
    """Without a table games, a line each, until an empty one; what is wrong with one is said, and it is typed again."""
    if table is not None:
        enter(event, table, key=key, who=who, **typed)
        return
    _expect_terminal(None)
    say_wrapped(_("A line for each game: the table, then the racks in the order of the seats, such as 3 0 23 45+j -. "
                  "Enter alone ends."))  # fmt: skip
    while words := _ask(_("table, racks"), "").split():
        try:
            if not (words[0].isascii() and words[0].isdigit()):
                raise WrongInput(N_("“{found}” is no table: expected its number first"), found=words[0])
            enter(event, int(words[0]), tuple(words[1:]), key, None, (), "", (), (), None, who)
        except DalejError as problem:
            say_wrapped(advised(name_commands(problem, event)))
        except click.Abort as stop:
            if isinstance(stop.__context__, KeyboardInterrupt | EOFError):
                raise


def _enter_all(event: str, key: str | None, who: str) -> None:
    _expect_terminal(None)
    with opened(event, who) as held:
        one = results.which(held.state(), key)
        dialogue = Dialogue(_ask, say_wrapped)
        if not one.missing():
            click.echo(_("Every result is in."))
        for table in dict.fromkeys(at.table for at in one.missing()):
            dialogue.table(held, one.key.text, table, None)


def correct(
    event: str, table: int, game: int, values: tuple[str, ...], key: str | None, ended: str | None,
    small: tuple[str, ...], ruling: str, ruled_small: tuple[str, ...], ruled_place: tuple[str, ...], why: str,
    yes: bool, who: str,
) -> None:  # fmt: skip
    """Another result in the place of one, from the command line, or asked for in a terminal."""
    words, how_ended = _with_end(values, ended)
    _expect_ruling(ruling, ruled_small, ruled_place)
    asks = not words and how_ended != NOT_PLAYED
    if asks:
        _expect_terminal(table)
    with opened(event, who) as held:
        one = results.to_correct(held.state(), key)
        results.table_of(one, table)
        if asks:
            ended, racks, _why = Dialogue(_ask, say_wrapped).corrected(held, one, GameAt(table, game))
            how_ended = ended_as(ended)
        else:
            racks = racks_in(
                words, _places(held.state(), one, _seats_of(held.state(), one, GameAt(table, game), words), table)
            )
        paper = (CorrectResult if one.closed is None else CorrectClosed)(
            table=table, game=game, round=one.key.text, ruling=ruling, ended=how_ended, racks=racks,
            small=dict(controls(small)), ruled_small=dict(controls(ruled_small)),
            ruled_place=dict(controls(ruled_place)),
        )  # fmt: skip
        _enter_one(held, event, one, paper, why, yes=yes)


def _seats_of(state: Tournament, one: Round, at: GameAt, words: Sequence[str]) -> list[str]:
    """Seats that have a rack in a game, those of its sheet if there is one; or as many as are typed (`_told_of`)."""
    seats, there = results.seats_of(results.table_of(one, at.table)), one.results.get(at)
    played = None if there is None or there.sheet is None else {rack.seat for rack in there.sheet.racks}
    left = results.left_before(state, one, at) if played is None else set(seats) - played
    return _told_of(seats, left, words)


def _expect_ruling(ruling: str, ruled_small: tuple[str, ...], ruled_place: tuple[str, ...]) -> None:
    if (ruled_small or ruled_place) and not ruling:
        raise click.UsageError(_("--ruled-small and --ruled-place need --ruling with the referee's reason"))


def _expect_terminal(table: int | None) -> None:
    if not is_terminal() and table is None:
        raise WrongInput(
            N_("no table was given, expected such as 3; only in a terminal all games that lack are asked for")
        )
    if not is_terminal() and table is not None:
        raise WrongInput(
            N_("table {table}: no racks were given, expected such as A=0 B=23 C=45+j D=-; in a terminal they are "
               "asked for"),
            table=table,
        )  # fmt: skip


def confirm(event: str, table: int | None, key: str | None, yes: bool, who: str) -> int:
    """Show a table's results, or those of every table that waits, and record that a second person has checked them.
    Where nobody is asked it is recorded before it is shown: whoever reads only the beginning stops nothing.
    """
    asks = not yes and is_terminal()
    with opened(event, who) as held:
        one = results.which(held.state(), key)
        if table is not None:
            _confirm_one(held, one, table, asks=asks)
            _say_confirmed(one, [table], who, shown=asks)
            say_missing(one, table)
            return 0
        tables, left, silent = unconfirmed(one), list[int](), list[int]()
        own: dict[int, Refused] = {}
        if not tables:
            click.echo(_("{round}: no table waits for a second person.").format(round=round_name(*one.key)))
        for number in tables:
            try:
                _confirm_one(held, one, number, asks=asks)
            except click.Abort:
                left.append(number)
            except Refused as problem:
                left.append(number)
                own[number] = problem
            else:
                if asks:
                    _say_confirmed(one, [number], who, shown=True)
                else:
                    silent.append(number)
    _say_confirmed(one, silent, who, shown=False)
    _say_own(own, who, event)
    if left:
        click.echo(_("Not confirmed: tables {tables}").format(tables=tables_words(left)), err=True)
    return int(bool(left))


def _say_confirmed(one: Round, tables: Sequence[int], who: str, *, shown: bool) -> None:
    for number in tables:
        if not shown:
            say_table(one, number)
        click.echo(_("Table {table} is confirmed by {who}.").format(table=number, who=readable(who)))


def _say_own(refused: Mapping[int, Refused], who: str, event: str) -> None:
    """Why tables were not confirmed; of all that the same person has entered it is said once."""
    own = {table: problem for table, problem in refused.items() if "game" in problem.data}
    if len(own) > 1:
        told = Refused(N_("tables {tables}: {who} has entered them, somebody else must confirm them"),
                       tables=tables_words(list(own)), who=who)  # fmt: skip
        told.hint = next(iter(own.values())).hint
        refused = {0: told} | {table: problem for table, problem in refused.items() if table not in own}
    for problem in refused.values():
        click.echo(advised(name_commands(problem, event)), err=True)


def _confirm_one(held: Event, one: Round, table: int, *, asks: bool) -> None:
    seen = held.read().head
    results.confirm(held.state(), one.key, table, held.who)
    if asks:
        say_table(one, table)
        agreed(False, _("Is that what the score sheet says?"))
    do(held, ConfirmResult(table=table, round=one.key.text).wish(seen=seen))


def _is_taken_back(told: Told) -> None:
    one = results.which(told.before, str(told.wish.args.get("round") or "") or None)
    say_missing(told.held.state().rounds[one.key], int(str(told.wish.args["table"])))


def _expected(state: Tournament, one: Round, table: int, words: Sequence[str]) -> list[str]:
    """Seats of the table that have a rack in its next game; or as many as are typed (`_told_of`)."""
    seats, games = results.seats_of(results.table_of(one, table)), results.missing_at(one, table)
    left = results.left_before(state, one, GameAt(table, games[0])) if games else set()
    return _told_of(seats, left, words)


def _told_of(seats: Iterable[str], left: Collection[str], words: Sequence[str]) -> list[str]:
    """The seats that the racks are of: those who stay, or everybody where w stands in the place of each who left."""
    everybody = [*seats]
    last = words[-len(everybody) :]
    whole = len(everybody) <= len(words) <= len(everybody) + 1
    if whole and all(word.lower() == "w" for seat, word in zip(everybody, last, strict=True) if seat in left):
        return everybody
    return [seat for seat in everybody if seat not in left]


def _places(state: Tournament, one: Round, seats: Sequence[str], table: int) -> Places:
    """Who sits at the table on those seats."""
    everybody = {seat: readable(name) for seat, name in results.names_at(state, one, table).items()}
    names = {seat: name for seat, name in everybody.items() if seat in seats}
    gone = {seat: name for seat, name in everybody.items() if seat not in seats}
    return Places(names, one.stage.games, state.ruleset.seats_max, gone)


def _with_end(values: tuple[str, ...], ended: str | None) -> tuple[tuple[str, ...], Ended | None]:
    """What was typed without the words for how the game ended, which may stand last, and that."""
    if ended is not None:
        return values, ended_as(ended)
    words, told = without_ending(values)
    return tuple(words), ended_as(told)


def _enter_one(
    held: Event, event: str, one: Round, paper: WithRacks, why: str, *, yes: bool = False, brief: bool = False
) -> None:  # fmt: skip
    state, at, entry = held.state(), GameAt(paper.table, paper.game), paper.entry(why)
    if isinstance(paper, EnterResult):
        results.expect_not_played(entry, at)
    try:
        ready = prepared(held, one, at, entry)
    except WrongInput as problem:
        if entry.ended is not None or ended_by(entry.racks) is not None:
            raise
        if not is_terminal():
            raise problem.hinted(N_("such as {command}"), command=once_more("--ended", spelled(ENDINGS[1]))) from None
        paper = replace(paper, ended=ended_as(Dialogue(_ask, say_wrapped).ended()))
        ready = prepared(held, one, at, paper.entry(why))
    remarks = list(ready.remarks)
    if ready.doubts and is_terminal():
        results.scored(state, one, at, ready.entry)  # what cannot be right is not asked about
        say_remarks(ready.doubts, event)
        agreed(yes, _("Is that so?"))
    else:
        remarks += ready.doubts
    asks = not yes and is_terminal()
    borne = bearing(held.seen(), one.key, at, ready.entry) if isinstance(paper, CorrectClosed) else None
    if borne is not None and asks:
        say_bearing(one, borne)
        agreed(False, _("Correct it so?"))
    did = do(held, paper.wish(why))
    if borne is not None and not asks:
        say_bearing(one, borne)
    state = held.state()
    one = state.rounds[one.key]
    say_remarks(remarks, event)
    (say_line if brief else say_result)(one.results[at])
    say_remarks(results.remarks(state, one, at), event)
    if not brief:
        say_missing(one, at.table)
    if isinstance(paper, CorrectClosed):
        copy = did.data.get("copy")
        click.echo(said(copy) if isinstance(copy, DalejError) else _("Its copy beside the event is written anew."))
        say_stands(held.seen(), one.key, event)
        if (one.key, at.table) in to_be_confirmed(state):
            command = typed_here(
                typed("results", "confirm", EVENT, at.table, "--round", one.key.text, "--who", "NAME"), event
            )
            click.echo(_("A second person confirms table {table}: {command}").format(table=at.table, command=command))
    elif isinstance(paper, CorrectResult):
        say_stands(held.seen(), one.key, event)


def _next_game(one: Round, table: int) -> int:
    missing = results.missing_at(one, table)
    if not missing:
        latest = results.of_table(one, table)[-1]
        results.expect_no_result(one, latest.at)
    return missing[0]


def _ask(question: str, default: str) -> str:
    answer = ask(question, default)
    return "".join(f"^{chr(ord(sign) + 64)}" if sign < " " else sign for sign in answer)  # an arrow is ^[[A


def enter_command(name: str = "enter", callback: Callable[..., object] = enter) -> click.Command:
    """`dalej results enter`, under that name."""
    entering = event_command(
        name, callback, "\n\n".join((
            _("Enter the result of a game: for every seat what lies on its rack. Without racks a terminal asks for "
              "them, seat by seat and game by game; without TABLE for every game that lacks. Racks alone are those of "
              "the seats in their order."),
            "\b\n" + "\n".join((
                _("A=0, A=out     the rack is empty: went out"),
                _("B=23           its numbered tiles add up to 23"),
                _("C=45+j         and one joker; 45+2j two of them, 2j jokers alone"),
                _("C=12,7,j       its tiles one by one"),
                _("D=-            never opened"),
                _("D=!            never opened, but could have (in a shell: D=x)"),
                _("D=!a           could have, and had announced it (in a shell: D=xa)"),
                _("D=-:45+j       never opened, with the rack where it counts"),
                _("B=45w          left during the game; w may follow any of these"),
                _("B=w            left before this game: plays neither it nor those that follow"),
            )),
        )),
        "dalej r 3 0 23 45+j -", "dalej r", "dalej results enter league.dalej 3",
        "dalej results enter league.dalej 3 1 A=0 B=23 C=45+j D=-",
        f"dalej results enter league.dalej 3 2 A=12 B=23 C=8 D=40 --ended {spelled(ENDINGS[1])}",
        f'dalej results enter league.dalej 3 4 --ended {spelled(NOT_PLAYED)} --why "the time was over"',
        params=[
            table_argument(required=False),
            click.Argument(["values"], nargs=-1, metavar=_("[GAME] [SEAT=RACK]...")),
            round_option(),
            *_sheet(), why_option(required=False), who_option(),
        ],
    )  # fmt: skip
    entering.ignore_unknown_options = True
    return entering


def _correct() -> click.Command:
    return event_command(
        "correct", correct,
        _("Correct a result, also of a round that is closed, which stays closed: what changes by it is said first. "
          "Racks are written as for `dalej results enter`; without them a terminal asks for them."),
        'dalej results correct league.dalej 3 2 A=0 B=23 C=8 D=- --why "B and C were exchanged"',
        'dalej results correct league.dalej 3 2 A=0 B=23 C=8 D=- --round league/1 --why "the 3 is an 8"',
        no_args_is_help=True,
        params=[
            table_argument(),
            click.Argument(["game"], type=click.IntRange(1), metavar=_("GAME")),
            click.Argument(["values"], nargs=-1, metavar=_("[SEAT=RACK]...")),
            click.Option(["--round", "key"], metavar=_("ROUND"),
                         help=_("Which round, 2 or league/2 (default: the one that is played, else the last one).")),
            *_sheet(), why_option(CorrectResult), yes_option(), who_option(),
        ],
    )  # fmt: skip


def _sheet() -> list[click.Option]:
    """What may stand on a score sheet beside the racks."""
    return [
        click.Option(
            ["--ended"],
            metavar="|".join(map(spelled, (*ENDINGS, NOT_PLAYED))),
            help=_("How the game ended; an empty rack goes without saying, {not_played} needs --why.").format(
                not_played=spelled(NOT_PLAYED)
            ),
        ),
        click.Option(
            ["--small"],
            multiple=True,
            metavar=_("SEAT=POINTS"),
            help=_("Small points as the players wrote them down, for control."),
        ),
        click.Option(
            ["--ruling"],
            default="",
            metavar=_("REASON"),
            help=_("A referee lets this sheet stand although it contradicts itself."),
        ),
        click.Option(
            ["--ruled-small"],
            multiple=True,
            metavar=_("SEAT=POINTS"),
            help=_("With --ruling: small points that the referee gives instead."),
        ),
        click.Option(
            ["--ruled-place"],
            multiple=True,
            metavar=_("SEAT=PLACE"),
            help=_("With --ruling: the place that the referee gives instead."),
        ),
    ]


def _confirm() -> click.Command:
    return event_command(
        "confirm", confirm,
        _("Show the results of a table and record that you, and not who entered them, have checked them; without TABLE "
          "those of every table that waits for it, one after the other."),
        "dalej results confirm league.dalej 3 --who Sowa", "dalej results confirm league.dalej --who Sowa",
        params=[
            table_argument(required=False), round_option(),
            yes_option(), who_option(),
        ],
    )  # fmt: skip


def _reopen() -> click.Command:
    return act_command(
        ReopenResult, "reopen", 'dalej results reopen league.dalej 3 2 --why "B and C were exchanged"',
        says=_("Take back the result of a game, or all of a table, and with it what was confirmed; the history keeps "
               "them."),
        after=_is_taken_back,
    )  # fmt: skip
