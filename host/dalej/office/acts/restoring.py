"""What has no act of its own to take it back: a table is put back to where it stood, a decision of one's own revoked.

A wish that restores names the act and the last fact of the box from before it, so that nobody can put a table anywhere
else. The least is asked that helps: time or bank of a move that still stands there; else the game is ended and taken
over where it stood, with its final lap and with the verdict that was open. What the table did since then stays: tiles
that were drawn, and moves, after which only what goes beyond a move is put back: who plays, the bank, the final lap.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import Annotated, Final

from msgspec import Meta

from dalej.domain.game.commands import MidGame, take_over
from dalej.domain.game.facts import SEATS, Fact
from dalej.domain.game.positions import Position, position
from dalej.errors import Refused, WrongInput
from dalej.event.event import Event
from dalej.event.ledger import Decision, Json
from dalej.office.acts.act import Act, Count, Table, missing
from dalej.office.acts.attable import ANY, TableNow, ask, asked, expect_not_asked, expect_settled, table_now
from dalej.office.acts.roles import REFEREES
from dalej.office.acts.wishes import Done, Wish, cursors, done, taken_back
from dalej.office.decisionwords import names_in, told_together
from dalej.office.undo import undo_together
from dalej.words import N_
from moveclock import facts as k

SEATING: Final = ("withdraw", "exclude")  # acts that change who plays
LAPPING: Final = ("final_lap", "set_bank")  # acts that begin a final lap, or end it

_PLAYS: Final = (k.RUNNING, k.EXPIRED, k.STOPPED)
_MOVED: Final = (k.BY_JUZ, k.BY_DALEJ, k.BY_EMPTY_RACK)
_TAKEN: Final = (k.TILE_DRAWN, k.MOVE_ENDED, k.TABLE_RESTORED)
_EPOCH_MOST: Final = (1 << 32) - 1
_TOLD: Final = 3  # decisions that are told one by one
_BACK: Final = N_("Table {table}: its box is asked to put the table back as it was; its clock stands then.")

Step = tuple[str, dict[str, Json]]  # a command and its arguments


def as_it_was(now: TableNow, wish: Wish, decisions: list[int] | None = None) -> Wish | None:
    """The wish that puts the table back to where it stands now; None if nobody can tell a box where that is."""
    if not now.plays or now.at.late is None or now.at.bank is None:
        return None
    numbers = tuple(decisions) if decisions else None
    then = Restore(table=now.table, epoch=now.at.epoch, seq=now.at.seq, of=wish.act, numbers=numbers)
    return then.wish(taken_back(wish.why))


def own_undo(made: Sequence[Decision], wish: Wish) -> Wish | None:
    """The wish of whoever decided that to take it back; None if nothing was decided."""
    return Restore(numbers=tuple(cursors(made))).wish(taken_back(wish.why)) if made else None


class Restore(Act, frozen=True, kw_only=True):
    """Takes back one's own decisions (`numbers`), and what the act `of` did to a table after fact `seq`."""

    name = "restore"
    title = N_("put it back as it was")
    about = "table"
    roles = REFEREES
    why = True
    offered = False
    numbers: Annotated[tuple[Count, ...], Meta(min_length=1)] | None = None
    table: Table | None = None
    epoch: Annotated[int, Meta(ge=0, le=_EPOCH_MOST)] | None = None
    seq: Annotated[int, Meta(ge=1)] | None = None
    of: str = ""

    def do(self, event: Event, wish: Wish) -> Done:
        numbers = [] if self.numbers is None else _standing_now(event, self.numbers)
        _expect_own(event, numbers)
        if self.table is None:
            if not numbers:
                raise WrongInput(N_("there is nothing to put back: expected a table or numbers of decisions"))
            return _revoked(event, numbers, wish)
        if self.epoch is None or self.seq is None:
            raise missing(self, "epoch" if self.epoch is None else "seq")
        now = table_now(event, self.table)
        expect_not_asked(event, now, "take_over")
        expect_settled(event, now, ANY)
        steps = _steps(event, now, self.epoch, self.seq, self.of)
        if not numbers and not steps:
            raise Refused(N_("table {table} stands as it stood then"), table=now.table)
        with event.together():
            if numbers:
                _revoked(event, numbers, wish)
            requests = _ask(event, now, steps, wish.why)
        return asked(event, now, _BACK, requests)


def let_in_again(event: Event, now: TableNow, seat: int, why: str) -> list[int]:
    """Asks the box to let a seat that has withdrawn move again; [] if it is not skipped there.

    A box that took the game over never told that the seat withdrew: there it is as the game was taken over.
    """
    at = now.at
    if not now.plays or not at.out >> seat & 1:
        return []
    facts = [one.fact for one in now.facts]
    here = [fact for fact in facts if fact.seq > at.dealt_seq]
    gone = [fact.seq for fact in here if fact.kind == k.SEAT_WITHDRAWN and fact.seat == seat]
    begun = next((fact.seq for fact in here if fact.kind == k.MOVE_STARTED), at.seq)
    last = gone[-1] - 1 if gone else begun
    before = position(fact for fact in facts if fact.seq <= last)
    more = replace(at.mid_game, lap_mask=at.mid_game.lap_mask | _still_to_move(before) & 1 << seat)
    steps = _over_again(now, at, _left_now(event, now), at.out & ~(1 << seat), more)
    return _ask(event, now, steps, why)


def _ask(event: Event, now: TableNow, steps: Sequence[Step], why: str) -> list[int]:
    at = now.at.game, now.at.move
    requests: list[int] = []
    for command, args in steps:
        requests.append(ask(event, now, command, args, why, alone=False, at=at))
        if command == "take_over":
            at = int(str(args["game"])), int(str(args["move"]))
    return requests


def _steps(event: Event, now: TableNow, epoch: int, seq: int, act: str) -> list[Step]:
    """What the box is asked, one after the other."""
    facts = [one.fact for one in now.facts]
    then, at = position(fact for fact in facts if fact.seq <= seq), now.at
    if epoch != at.epoch or then.seq != seq or not then.dealt_seq:
        raise WrongInput(N_("table {table}: its box has told nothing of that moment"), table=now.table)
    since = [fact for fact in facts if fact.seq > seq]
    dealt_anew = any(fact.kind == k.GAME_REDEALT for fact in since)
    if at.game != then.game or (dealt_anew and at.move) or then.state not in _PLAYS or then.late is None:
        raise _gone_on(now)
    if dealt_anew:
        return _taken_over(then, _left_then(facts, then), then.bank or 0, then.out, then.mid_game)
    bank = _bank_of(then, facts)
    if _has_moved(facts, seq):
        return _with_moves(event, now, then, since, act, bank)
    more = _with_tiles(then.mid_game, then, since)
    left_ms = _left_then(since[:1] or facts, then)
    if not now.plays or not _stands_there(at, then) or (bank != at.bank and _bears_on_lap(then, bank)):
        return _over_again(now, then, left_ms, then.out, more, bank)
    steps: list[Step] = []
    if not more.late:
        steps.append(("set_remaining", {"ms": left_ms}))
    if bank != at.bank:
        steps.append(("set_bank", {"tiles": bank}))
    return [*_standing(at), *steps] if steps else []


def _with_moves(event: Event, now: TableNow, then: Position, since: Sequence[Fact], act: str, bank: int) -> list[Step]:
    """The table has played on: it goes on from where it is, with what outlives a move as it was."""
    at = now.at
    if not now.plays or act not in (*SEATING, *LAPPING):
        raise _gone_on(now)
    more, out = at.mid_game, at.out
    if act in SEATING:
        let_in = at.out & ~then.out
        if not let_in:
            return []
        out, more = then.out, replace(more, lap_mask=more.lap_mask | _still_to_move(then) & let_in)
        bank = at.bank or 0
    else:
        lap = _lap_alone(then, since).mid_game
        more = replace(more, lap_reason=lap.lap_reason, lap_mask=lap.lap_mask & ~at.out, lap_waits=lap.lap_waits)
        if lap.lap_reason == at.mid_game.lap_reason and not _bears_on_lap(at, bank):
            return [] if bank == at.bank else [*_standing(at), ("set_bank", {"tiles": bank})]
    return _over_again(now, at, _left_now(event, now), out, more, bank)


def _has_moved(facts: Sequence[Fact], seq: int) -> bool:
    """Whether the table ended a move of its own since that fact, or settled one that was late."""
    fold = position(fact for fact in facts if fact.seq <= seq)
    for fact in facts:
        if fact.seq <= seq:
            continue
        settled = fact.kind == k.TABLE_RESTORED or (fact.kind == k.MOVE_STARTED and fold.state == k.EXPIRED)
        if settled or fact.kind == k.TIME_RAN_OUT or (fact.kind == k.MOVE_ENDED and fact.code in _MOVED):
            return True
        fold.take(fact)
    return False


def _lap_alone(then: Position, since: Sequence[Fact]) -> Position:
    """How the table would stand by what it did since then, without what a desk did to bank and lap."""
    for number, fact in enumerate(since):
        lap_of_desk = fact.kind == k.FINAL_LAP_BEGUN and not _by_table(since, number)
        if fact.kind != k.BANK_CORRECTED and not lap_of_desk:
            then.take(fact)
    return then


def _by_table(since: Sequence[Fact], number: int) -> bool:
    """Whether the lap began because the table itself had drawn the last tile."""
    before = since[number - 1] if number else None
    return before is not None and before.kind in (k.TILE_DRAWN, k.MOVE_ENDED, k.TABLE_RESTORED) and before.c == 0


def _stands_there(at: Position, then: Position) -> bool:
    """Whether it is the same move with the same seats and the same final lap, and as late or not."""
    one, other = (replace(each.mid_game, drawn=False, penalty=False) for each in (at, then))
    return (at.move, at.seat, at.out, one) == (then.move, then.seat, then.out, other)


def _bears_on_lap(at: Position, bank: int) -> bool:
    """Whether a box that is told of such a bank would begin a final lap, or end it."""
    return bank == 0 or at.lap_reason == k.BANK_EMPTY


def _with_tiles(more: MidGame, then: Position, since: Iterable[Fact]) -> MidGame:
    """A tile that the table took in the move since then is taken."""
    if not any(fact.kind == k.TILE_DRAWN and fact.code == 1 and fact.move == then.move for fact in since):
        return more
    return replace(more, penalty=True) if more.late else replace(more, drawn=True)


def _bank_of(then: Position, facts: Sequence[Fact]) -> int:
    """The tiles that were left then, without those that the table has taken since."""
    fold = position(fact for fact in facts if fact.seq <= then.seq)
    taken = 0
    for fact in facts:
        if fact.seq > then.seq:
            before = fold.bank or 0
            fold.take(fact)
            taken += before - (fold.bank or 0) if fact.kind in _TAKEN else 0
    return max(0, (then.bank or 0) - taken)


def _over_again(
    now: TableNow, where: Position, left_ms: int, out: int, more: MidGame, bank: int | None = None
) -> list[Step]:
    """The game is ended, if it is under way, and goes on there."""
    ended: list[Step] = [*_standing(now.at), ("end_game", {})] if now.plays else []
    return [*ended, *_taken_over(where, left_ms, (where.bank or 0) if bank is None else bank, out, more)]


def _taken_over(where: Position, left_ms: int, bank: int, out: int, more: MidGame) -> list[Step]:
    """A box takes nothing over whose seat does not play: one that left while it was late leaves again."""
    left = out & 1 << where.seat
    args: dict[str, Json] = dict(take_over(
        game=where.game, move=where.move, seat=where.seat, remaining_ms=left_ms, bank=bank, out=out & ~left, more=more
    ))  # fmt: skip
    again: list[Step] = [("withdraw", {"seat": SEATS[where.seat]})] if left else []
    return [("take_over", args), *again]


def _standing(at: Position) -> list[Step]:
    return [] if at.state == k.STOPPED else [("stop", {"reason": "referee"})]


def _left_now(event: Event, now: TableNow) -> int:
    if now.at.mid_game.late:
        return 0
    left_ms = now.left_ms(event.wall_ms())
    if left_ms is None:
        raise Refused(N_("table {table}: its box has not told how much of the move is left"), table=now.table)
    return left_ms


def _left_then(facts: Iterable[Fact], then: Position) -> int:
    """What was left when the act took effect: with the first fact after it."""
    after = next((fact for fact in facts if fact.seq > then.seq and fact.boot == then.boot), None)
    left_ms = then.left_at(then.at_ms if after is None else after.uptime_ms)
    return max(0, left_ms or 0)


def _still_to_move(at: Position) -> int:
    """Seats that had not had their move of the final lap; all while there was none."""
    return at.seats if at.lap_reason is None else at.mid_game.lap_mask


def _gone_on(now: TableNow) -> Refused:
    return Refused(
        N_("table {table} cannot be put back: it is in game {game}, move {move} by now"),
        table=now.table, game=now.at.game, move=now.at.move,
    )  # fmt: skip


def _standing_now(event: Event, numbers: Sequence[int]) -> list[int]:
    """Those decisions; in place of one that was taken back, the one that decided the same anew."""
    decisions = event.read().decisions()
    by_number = {one.cursor: one for one in decisions}
    found: list[int] = []
    for number in numbers:
        one = by_number.get(number)
        same = [] if one is None or one.revoked_by is None or one.subject is None else [
            other.cursor for other in decisions
            if (other.kind, other.subject) == (one.kind, one.subject) and other.revoked_by is None
        ]  # fmt: skip
        found.append(same[-1] if same else number)
    return found


def _expect_own(event: Event, numbers: list[int]) -> None:
    reading = event.read()
    for number in numbers:
        found = reading.decision(number)
        if found is None:
            raise WrongInput(N_("there is no decision {number}"), number=number)
        if found.who != event.who:
            raise Refused(N_("decision {number} is {who}'s: an organiser takes it back, with its number"),
                          number=number, who=found.who)  # fmt: skip


def _revoked(event: Event, numbers: list[int], wish: Wish) -> Done:
    before = event.read().head
    undo_together(event, numbers, wish.why)
    decisions = event.read().decisions()
    names, by_number = names_in(decisions), {one.cursor: one for one in decisions}
    what = told_together([by_number[number] for number in numbers[:_TOLD]], names)
    return done(N_("Taken back: {decision}."), decision=what,
                decisions=cursors(one for one in decisions if one.cursor > before))  # fmt: skip
