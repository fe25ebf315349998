"""What the organiser does next, as the event stands: one decision for commands, screens and pages."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final, Literal

from dalej.domain.game.games import BoxGame
from dalej.domain.tournament.stages import round_said
from dalej.domain.tournament.tournament import GameAt, Player, Round, Tournament
from dalej.errors import Counted, DalejError
from dalej.hints import EVENT
from dalej.office import advancing
from dalej.office.halls import halls_of, named
from dalej.office.players import listed
from dalej.office.rounds import REQUIRED, to_be_confirmed, unconfirmed
from dalej.office.seating import present, ways_to_a_seat
from dalej.words import N_, _

Where = Literal["", "people", "seating", "entry", "confirm", "standings"]
_NO_BOXES: Final[Mapping[GameAt, BoxGame]] = {}


@dataclass(frozen=True, slots=True)
class Step:
    """`command` does it, without the program's name, and `before` is typed before it; both empty where there is only
    to wait. `act`: what does it on a screen or a page; `where`: on which of them, "" for any, and at which `table`.
    """

    said: DalejError
    command: tuple[str, ...] = ()
    act: str = ""
    where: Where = ""
    table: int = 0
    before: tuple[str, ...] = ()


def next_step(state: Tournament, event: str, boxes: Mapping[GameAt, BoxGame] = _NO_BOXES) -> Step:
    """Always one: at the end, what is hung up and handed out. `boxes`: what they tell of the round's games."""
    if state.home and (waits := _in_hall(state)) is not None:
        return waits
    if not any(player.takes_part for player in state.players.values()):
        said = DalejError(N_("sign up players, one by one or from a list"))
        return Step(said, ("players", "import", event, _("sign-ups.csv")), "sign_up", "people")
    one = state.current
    plays = one is not None and one.seating is not None and bool(one.missing())
    if (corrected := to_be_confirmed(state)) and not plays:
        key, table = corrected[0]
        said = DalejError(
            N_("let a second person confirm table {table} of {round}, which was corrected"),
            round=round_said(*key), table=table,
        )  # fmt: skip
        command = ("results", "confirm", event, str(table), "--round", key.text)
        return Step(said, command, "confirm_result", "confirm", table)
    if one is not None:
        step = _of_round(state, one, event, boxes)
        late = _without_seat(state, one) if plays else []
        return _and_nobody_forgotten(state, step, event, late) if late else step
    return _at_the_end(state, event) if state.over else _who_goes_on(state, event)


def _without_seat(state: Tournament, one: Round) -> list[Player]:
    """Who plays in the round that is seated, has no seat in it, and could still get one."""
    seated = {number for at in one.seating.tables for number in at.seated} if one.seating is not None else set()
    late = [number for number in sorted(set(present(state, one)) - seated) if ways_to_a_seat(state, number)]
    return [state.players[number] for number in late]


def _and_nobody_forgotten(state: Tournament, step: Step, event: str, late: Sequence[Player]) -> Step:
    """With the command that helps the first of them to a seat."""
    told = Counted(
        "{step} ({names} has no seat yet)", "{step} ({names} have no seat yet)", count=len(late), step=step.said,
        names=listed(late),
    )  # fmt: skip
    way = ways_to_a_seat(state, late[0].number)[0].command
    return replace(step, said=told, before=tuple(event if word == EVENT else word for word in way.words))


def left_out(state: Tournament) -> int:
    """Games without a result in rounds that are closed."""
    return sum(len(one.missing()) for one in state.rounds.values() if one.closed is not None)


def _at_the_end(state: Tournament, event: str) -> Step:
    if left := left_out(state):
        said: DalejError = Counted(
            "all rounds are closed, {count} game has no result: print the standings and the diplomas",
            "all rounds are closed, {count} games have no result: print the standings and the diplomas",
            count=left,
        )  # fmt: skip
    else:
        said = DalejError(N_("everything is played: print the standings and the diplomas"))
    return Step(
        said, ("paper", "diplomas", event), "print", "standings", before=("paper", "standings", event)
    )  # fmt: skip


def _who_goes_on(state: Tournament, event: str) -> Step:
    """With the choice that the text leaves, if it leaves one."""
    _stage, into = advancing.ends_and_follows(state)
    others = advancing.left_open(state, into)
    said = DalejError(N_("say who goes on to the next stage"))
    if others and into.takes is not None:
        said = DalejError(
            N_("say who goes on to the next stage: {takes} players, or {others} where the organiser chooses so "
               "[{clause}]"),
            takes=into.takes, others=", ".join(map(str, others)), clause=state.ruleset.clause("stages"),
        )  # fmt: skip
    return Step(said, ("advance", event), "advance")


def _of_round(state: Tournament, one: Round, event: str, boxes: Mapping[GameAt, BoxGame]) -> Step:
    about = round_said(*one.key)
    if one.seating is None:
        return Step(DalejError(N_("seat {round}"), round=about), ("seat", "draw", event), "draw_seating", "seating")
    missing = one.missing()
    if state.halls and not state.home and (step := _with_halls(state, one, event)) is not None:
        return step
    if missing and one.clock is None and not one.results and not state.home:  # the clock is the centre's
        length = ("--minutes", "90") if state.ruleset.round_time_ms is None else ()
        return Step(
            DalejError(N_("print the score sheets, then start the clock of {round}"), round=about),
            ("round", "start", event, *length), "start_round", before=("paper", "sheets", event),
        )  # fmt: skip
    if missing:
        return _entering(missing, event, boxes)
    if state.ruleset.check_results == REQUIRED and (tables := unconfirmed(one)):
        said = DalejError(N_("let a second person confirm table {table}"), table=tables[0])
        return Step(said, ("results", "confirm", event, str(tables[0])), "confirm_result", "confirm", tables[0])
    return Step(DalejError(N_("close {round}"), round=about), ("round", "close", event), "close_round")


def _in_hall(state: Tournament) -> Step | None:
    """What a hall waits for; None: there is something to do in it."""
    one = state.current
    if one is None or one.seating is None:
        return Step(DalejError(N_("wait: the centre decides what is played next")))
    about = round_said(*one.key)
    if one.given is None:
        template = N_("wait: the centre has not given {round} to the halls yet")
        if one.returns:
            template = N_("wait: the centre has taken {round} back")
        return Step(DalejError(template, round=about))
    if not one.missing():
        return Step(DalejError(N_("wait: every result of {round} is in here; the centre takes it back"), round=about))
    return None


def _with_halls(state: Tournament, one: Round, event: str) -> Step | None:
    """What the centre does about a round that halls play; None: as in one hall."""
    about, halls = round_said(*one.key), named(one.returns)
    if one.given is None and one.returns:
        return Step(
            DalejError(N_("wait: {round} is not complete yet from the halls {halls}"), round=about, halls=halls)
        )
    if one.given is None:
        if not one.missing() or not halls_of(state, one):
            return None
        return Step(DalejError(N_("give {round} to the halls"), round=about), ("round", "give", event), "give_round")
    open_ones = {state.hall_of(at.table) for at in one.missing()}
    if open_ones - {""}:
        halls = named(open_ones - {""})
        return Step(DalejError(N_("wait: {round} is played in the halls {halls}"), round=about, halls=halls))
    if open_ones:
        return None
    return Step(
        DalejError(N_("take {round} back from the halls"), round=about), ("round", "take", event), "take_round"
    )  # fmt: skip


def _entering(missing: list[GameAt], event: str, boxes: Mapping[GameAt, BoxGame]) -> Step:
    """The sheet of a game that is over at its box; while others go on and none is over there are no racks to be
    entered, as far as the boxes know.
    """
    over = [at for at in missing if at in boxes and boxes[at].ended is not None]
    play = {at.table for at in missing if at in boxes and boxes[at].ended is None}
    if play and not over:
        return Step(Counted(
            "wait: {count} table plays; its racks are entered when its game is over",
            "wait: {count} tables play; their racks are entered when their games are over",
            count=len(play),
        ))  # fmt: skip
    table = (over or missing)[0].table
    said = DalejError(N_("enter the results of table {table}"), table=table)
    return Step(said, ("results", "enter", event, str(table)), "enter_result", "entry", table)
