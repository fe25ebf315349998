"""`dalej ruling`: what was ruled and claimed at the tables, and what a referee decides on it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Final

import click

from dalej.cli.actcommand import Told, act_command, carry_out
from dalej.cli.decision import (
    do,
    event_command,
    json_option,
    opened,
    round_option,
    table_argument,
    who_option,
    why_option,
)
from dalej.cli.eventfile import EventCommand
from dalej.cli.requested import once_told
from dalej.cli.terminal import Group, example, json_line, table
from dalej.domain.game.bank import banks
from dalej.domain.game.facts import SEATS
from dalej.domain.game.rulings import RULING, Ruling
from dalej.domain.game.sentences import word
from dalej.domain.tournament.bodies import Body
from dalej.domain.tournament.stages import round_name
from dalej.domain.tournament.tournament import CLAIM, TABLE_RULING, Tournament
from dalej.event import cases
from dalej.event.cases import Case, Claimed, Place, Untold
from dalej.event.event import Event
from dalej.event.ledger import Decision
from dalej.event.reading import Reading
from dalej.office import decisionwords, rulings
from dalej.office.acts.rulings import Revoke, Rule, Tie
from dalej.office.acts.wishes import Done, Wish
from dalej.office.players import find
from dalej.office.reasons import reason
from dalej.words import N_, _, ngettext, readable, who_said

STANDINGS: Mapping[str, str] = {
    "current": N_("holds"), "replaced": N_("replaced"), "revoked": N_("taken back"), "lapsed": N_("the move went on"),
    "void": N_("dealt anew"), "overtaken": N_("the table had settled it before"),
    "waits": N_("as soon as its box has told"), "astray": N_("no: no time-out waited there"),
}  # fmt: skip
CLAIMS: Mapping[str | None, str] = {
    None: N_("claim, nobody has answered it"), "restarted": N_("claim: the move started again"),
    "denied": N_("claim denied"), "withdrawn": N_("claim withdrawn"), "resumed": N_("claim: the clock went on"),
}  # fmt: skip
BY: Mapping[str, str] = {
    "default": N_("the ruleset, for now"),
    "table": N_("the table"),
    "referee": N_("the referee"),
}


def list_command() -> click.Command:
    """`dalej ruling list`."""
    return EventCommand(
        "list", callback=show,
        params=[
            click.Option(["--table", "only"], type=click.IntRange(1), help=_("Only this table.")),
            json_option(),
        ],
        help=_("Every time-out with its rulings, those that hold no longer among them; claims; the bank of every game "
               "with the tiles that rulings take and give back."),
        epilog=example("dalej ruling list league.dalej", "dalej ruling list league.dalej --table 3 --json"),
    )  # fmt: skip


def show(event: str, only: int | None, as_json: bool) -> None:
    """Print the rulings."""
    with opened(event, _("the referee")) as held:
        state = held.state()
        reading = held.read()
        found = [case for case in cases.cases(reading, state) if only in (None, case.place.table)]
        claimed = [claim for claim in cases.claims(reading, state) if only in (None, claim.place.table)]
        decisions = reading.decisions()
        counted = _banks(reading, found)
        ahead = [one for one in cases.untold(reading) if only in (None, one.table)]
    by_hand = [one for one in decisions if _by_hand(one, only)]
    made = {one.cursor: one for one in decisions}
    if as_json:
        for told in _objects(state, found, claimed, by_hand, made):
            json_line(told)
        for one in ahead:
            json_line({"kind": RULING, "table": one.table, "rulings": [_untold(state, one)]})
        return
    headings = (
        _("no."), _("round"), _("table"), _("game"), _("move"), _("player"), _("ruling"), _("tiles"), _("clause"),
        _("by"), _("holds"), _("why"),
    )  # fmt: skip
    rows = [
        *_rows(state, found, made),
        *_claim_rows(state, claimed, made),
        *_hand_rows(state, by_hand),
        *_untold_rows(state, ahead),
    ]
    if rows:
        table(headings, rows, numbers=(0, 2, 3, 4, 7))
        click.echo()
    open_cases = sum(case.current is not None and case.current.provisional for case in found)
    count = len(found)
    click.echo(ngettext("{count} time-out", "{count} time-outs", count).format(count=count), nl=False)
    click.echo(
        _("; {open} of them only as the ruleset says, until somebody rules.").format(open=open_cases)
        if open_cases
        else "."
    )
    for line in counted:
        click.echo(line)


# --- for people -----


def _rows(state: Tournament, found: list[Case], made: Mapping[int, Decision]) -> Iterator[tuple[str, ...]]:
    for case in found:
        for ruling in case.history:
            decision = None if ruling.decision is None else made[ruling.decision]
            yield (
                "" if decision is None else str(decision.cursor), *_where(state, case.place), word(ruling.ruling),
                "?" if ruling.tiles is None else str(ruling.tiles), ruling.clause,
                _(BY[ruling.by]) if decision is None else who_said(decision.who), _(STANDINGS[ruling.standing]),
                "" if decision is None else readable(reason(decision.why)),
            )  # fmt: skip


def _claim_rows(state: Tournament, claimed: list[Claimed], made: Mapping[int, Decision]) -> Iterator[tuple[str, ...]]:
    clause = state.ruleset.clause("draw")
    for claim in claimed:
        answers = _answers_to(claim, made)
        for one in answers:
            said = _("claim granted") if one.body.get("granted") else _("claim denied")
            yield (
                str(one.cursor), *_where(state, claim.place), said, "", clause, who_said(one.who), _holds(one, answers),
                readable(reason(one.why)),
            )  # fmt: skip
        if not answers:
            yield ("", *_where(state, claim.place), _(CLAIMS[claim.answer]), "", clause, _("the box"), "", "")


def _hand_rows(state: Tournament, by_hand: list[Decision]) -> Iterator[tuple[str, ...]]:
    for one in by_hand:
        body = one.body
        seat = str(body.get("seat"))
        said = word(str(body.get("ruling")))
        clause = state.ruleset.clause("draw")
        if one.kind == CLAIM:
            said = _("claim granted") if body.get("granted") else _("claim denied")
        else:
            clause = state.ruleset.clause_of(str(body["ruling"]), str(body.get("seen", "")))
        tiles = "" if one.kind == CLAIM else "?" if body.get("tiles") is None else str(body["tiles"])
        player = state.players.get(int(str(body.get("player") or 0)))
        name = seat if player is None else f"{seat} {readable(player.name)}"
        yield (
            str(one.cursor), round_name(Body(one).text("stage"), Body(one).number("round")),
            str(body.get("table")), str(body.get("game")), "–", name, said, tiles, clause, who_said(one.who),
            _(STANDINGS[_standing_by_hand(one, by_hand)]), readable(reason(one.why)),
        )  # fmt: skip


def _untold_rows(state: Tournament, ahead: list[Untold]) -> Iterator[tuple[str, ...]]:
    for one in ahead:
        told = _untold(state, one)
        yield (
            str(one.decision.cursor), "–", str(one.table), "–", "–", "–", word(str(told["ruling"])),
            "?" if told["tiles"] is None else str(told["tiles"]), str(told["clause"]), who_said(one.decision.who),
            _(STANDINGS[str(told["standing"])]), readable(reason(one.decision.why)),
        )  # fmt: skip


def _where(state: Tournament, place: Place) -> tuple[str, str, str, str, str]:
    key = "–" if place.key is None else round_name(*place.key)
    player = state.players.get(place.player)
    name = place.letter if player is None else f"{place.letter} {readable(player.name)}"
    return key, str(place.table), str(place.game), str(place.move), name


def _answers_to(claim: Claimed, made: Mapping[int, Decision]) -> list[Decision]:
    """All there were, in order."""
    return [one for one in made.values() if one.kind == CLAIM and one.body.get("of") == list(claim.of)]


def _holds(one: Decision, answers: Sequence[Decision]) -> str:
    return _(STANDINGS[_standing(one, answers)])


def _standing(one: Decision, answers: Sequence[Decision]) -> str:
    """Of several answers that nobody has taken back the last one holds."""
    if one.revoked_by is not None:
        return "revoked"
    return "current" if one is [other for other in answers if other.revoked_by is None][-1] else "replaced"


def _standing_by_hand(one: Decision, by_hand: Sequence[Decision]) -> str:
    """Of answers to a seat's claim the last holds; a ruling holds until one that stands takes its place."""
    if one.kind == CLAIM:
        same = ("stage", "round", "table", "game", "seat")
        answers = [other for other in by_hand if other.kind == CLAIM and all(
            other.body.get(key) == one.body.get(key) for key in same
        )]  # fmt: skip
        return _standing(one, answers)
    if one.revoked_by is not None:
        return "revoked"
    instead = [other.body.get("instead") for other in by_hand if other.revoked_by is None]
    return "replaced" if one.cursor in instead else "current"


def _by_hand(one: Decision, only: int | None) -> bool:
    without_box = one.kind == TABLE_RULING or (one.kind == CLAIM and one.body.get("of") is None)
    return without_box and only in (None, one.body.get("table"))


def _banks(reading: Reading, found: list[Case]) -> list[str]:
    """Games whose bank is another than the box counts, in a sentence each."""
    current = [case.current for case in found if case.current is not None]
    places = {part.deal[:3]: case.place for case in found for part in case.told.parts}
    facts = (told.fact for told in reading.facts() if (told.fact.box, told.fact.epoch, told.fact.game) in places)
    lines: list[str] = []
    for bank in banks(facts, current, {case.told: None for case in found}):
        place = places[bank.box, bank.epoch, bank.game]
        if not bank.void and not bank.goes_on and bank.now.counted != bank.now.corrected:
            lines.append(
                _("Table {table}, game {game}: {corrected} tiles in the bank by the rulings, {counted} on the box.")
                .format(table=place.table, game=place.game, corrected=bank.now.corrected, counted=bank.now.counted)
            )  # fmt: skip
    return lines


# --- for programs -----


def _objects(
    state: Tournament, found: list[Case], claimed: list[Claimed], by_hand: list[Decision],
    made: Mapping[int, Decision],
) -> Iterator[dict[str, object]]:  # fmt: skip
    for case in found:
        yield {
            "kind": RULING, **_place(state, case.place), "box": case.of[0], "epoch": case.of[1], "seq": case.of[2],
            "rulings": [_ruling(ruling, made) for ruling in case.history],
        }  # fmt: skip
    for claim in claimed:
        answers = _answers_to(claim, made)
        yield {
            "kind": CLAIM, **_place(state, claim.place), "box": claim.of[0], "epoch": claim.of[1],
            "seq": claim.of[2], "answer": claim.answer,
            "answers": [{**_decision(one), "standing": _standing(one, answers)} for one in answers],
        }  # fmt: skip
    for one in by_hand:
        yield {"kind": one.kind, **one.body, **_decision(one), "standing": _standing_by_hand(one, by_hand)}


def _place(state: Tournament, place: Place) -> dict[str, object]:
    player = state.players.get(place.player)
    return {
        "stage": None if place.key is None else place.key.stage,
        "round": None if place.key is None else place.key.round,
        "table": place.table, "game": place.game, "move": place.move,
        "seat": place.letter if place.seat < len(SEATS) else None,
        "player": None if player is None else player.number, "name": None if player is None else player.name,
    }  # fmt: skip


def _ruling(ruling: Ruling, made: Mapping[int, Decision]) -> dict[str, object]:
    said: dict[str, object] = {
        "ruling": ruling.ruling, "tiles": ruling.tiles, "clause": ruling.clause, "by": ruling.by,
        "provisional": ruling.provisional, "standing": ruling.standing,
    }  # fmt: skip
    return said if ruling.decision is None else said | _decision(made[ruling.decision])


def _untold(state: Tournament, one: Untold) -> dict[str, object]:
    body = one.decision.body
    said: dict[str, object] = {
        "ruling": body["ruling"], "tiles": body["tiles"],
        "clause": state.ruleset.clause_of(str(body["ruling"]), str(body.get("seen", ""))), "by": "referee",
        "provisional": False, "standing": "waits" if one.waits else "astray",
    }  # fmt: skip
    return said | _decision(one.decision)


def _decision(one: Decision) -> dict[str, object]:
    said: dict[str, object] = {
        "number": one.cursor, "who": one.who, "when_ms": one.when_ms, "why": one.why,
        "revoked": one.revoked_by is not None,
    }  # fmt: skip
    return said | ({"granted": one.body["granted"]} if one.kind == CLAIM else {})


ANSWERS: Final = ("granted", "denied")


def command() -> click.Group:
    """`dalej ruling list|decide|revoke|claim|tie`."""
    group = Group(
        "ruling", help=_("What was ruled at the tables, and what a referee decides."),
        epilog=example("dalej ruling list league.dalej --table 3"),
    )  # fmt: skip
    for part in (list_command(), _decide(), _revoke(), _claim(), _tie()):
        group.add_command(part)
    return group


def decide(
    event: str, table: int, game: int, move: str, verdict: str, tiles: int | None, another: bool, key: str | None,
    why: str, who: str, as_json: bool,
) -> int:  # fmt: skip
    """Rule on a time-out."""
    seen = {name: value for name, value in (("tiles", tiles), ("another", another)) if value is not None}
    return _decided(
        event, who, Wish("rule", {**_meant(table, game, move, key), "verdict": verdict, **seen}, why), as_json
    )


def claim(
    event: str, table: int, game: int, move: str, said: str, goes_on: bool, key: str | None, why: str, who: str,
    as_json: bool,
) -> int:  # fmt: skip
    """Answer a claim; a box that waits for the answer is told."""
    act = "grant_claim" if said == ANSWERS[0] else "deny_claim"
    return _decided(event, who, Wish(act, {**_meant(table, game, move, key), "goes_on": goes_on}, why), as_json)


def _decided(event: str, who: str, wish: Wish, as_json: bool) -> int:
    table = int(str(wish.args["table"]))

    def does(held: Event, wished: Wish) -> Done:
        return once_told(held, table, lambda: do(held, wished))

    with opened(event, who) as held:
        return carry_out(held, event, wish, as_json=as_json, after=_say_number, does=does)


def _say_number(told: Told) -> None:
    number = told.done.decisions[0]
    click.echo(_("Its number is {number}.").format(number=number))
    made = told.held.read().decision(number)
    instead = None if made is None else made.body.get("instead")
    if instead is not None:
        click.echo(_("It holds in place of number {number}; with --another both would hold.").format(number=instead))


def _meant(table: int, game: int, move: str, key: str | None) -> dict[str, int | str]:
    """The move, or where no box counts them the seat; games are numbered as in the round."""
    seat = cases.seat_letter(move)
    what: dict[str, int | str] = {"move": int(move)} if seat is None else {"seat": seat}
    return {"table": table, "game": game, "round": key or "", **what}


def tie(event: str, players: tuple[str, ...], stage: str | None, why: str, who: str) -> None:
    """Set the order among players who are level."""
    with opened(event, who) as held:
        numbers = [find(held.state(), one).number for one in players]
        done = do(held, Tie(tuple(numbers), stage or "").wish(why))
        decisions = held.read().decisions()
    click.echo(_told(done.decisions[0], decisions))


def _told(number: int, decisions: list[Decision]) -> str:
    made = next(one for one in decisions if one.cursor == number)
    return _("{decision} (number {number}).").format(
        decision=decisionwords.tell(made, decisionwords.names_in(decisions)), number=number
    )


def _of_move() -> list[click.Parameter]:
    return [
        table_argument(),
        click.Argument(["game"], type=click.IntRange(1), metavar=_("GAME")),
        click.Argument(["move"], metavar=_("MOVE")),
    ]


def _decide() -> click.Command:
    return event_command(
        "decide", decide,
        _("Rule on a time-out: it stands, it is undone, or the player takes what is in no valid set. MOVE is the "
          "number of the move; where no box counts them, the seat. Or say what was seen, and the ruleset says what "
          "follows: tiles touched after the time, nothing_laid from the own rack though all sets are valid."),
        'dalej ruling decide league.dalej 3 2 14 stands --why "all sets were valid"',
        'dalej ruling decide league.dalej 3 2 14 takes_invalid --tiles 5 --why "could not be put back"',
        'dalej ruling decide league.dalej 7 1 B undone --why "no box here"',
        params=[
            *_of_move(),
            click.Argument(["verdict"], type=click.Choice(rulings.SEEN)),
            click.Option(["--tiles"], type=click.IntRange(0, rulings.TILES_MOST), metavar=_("N"),
                         help=_("How many tiles it costs, beyond one drawn in time (default: as the ruleset says).")),
            click.Option(["--another"], is_flag=True,
                         help=_("Where no box counts: on another time-out of that seat, so that both rulings hold.")),
            round_option(), why_option(Rule), who_option(), json_option(),
        ],
    )  # fmt: skip


def _revoke() -> click.Command:
    return act_command(
        Revoke,
        "revoke",
        'dalej ruling revoke league.dalej 87 --why "wrong table"',
        says=_("Take back a referee's decision; what held before it holds again."),
        params=[click.Argument(["number"], type=click.IntRange(1), metavar=_("NUMBER"))],
    )


def _claim() -> click.Command:
    return event_command(
        "claim", claim,
        _("Answer a claim that a move start again because the one before was clicked before the tile was drawn. "
          "MOVE is the move that would start again; where no box counts them, the seat."),
        'dalej ruling claim league.dalej 3 2 15 denied --why "the tile was drawn first"',
        params=[
            *_of_move(), click.Argument(["said"], type=click.Choice(ANSWERS), metavar="|".join(ANSWERS)),
            click.Option(["--goes-on"], is_flag=True, help=_("The clock goes on at once.")),
            round_option(), why_option(required=True), who_option(), json_option(),
        ],
    )  # fmt: skip


def _tie() -> click.Command:
    return event_command(
        "tie", tie, _("Set the order among players who are level, the best first: the head referee's decision."),
        'dalej ruling tie league.dalej Sowa Lis --why "the game between them"',
        no_args_is_help=True,
        params=[
            click.Argument(["players"], nargs=-1, required=True, metavar=_("PLAYER PLAYER...")),
            click.Option(["--stage"], metavar=_("STAGE"), help=_("In which stage (default: the last one reached).")),
            why_option(Tie), who_option(),
        ],
    )  # fmt: skip
