"""Where a spare box goes on: what facts and the last thing heard tell together, and what they do not."""

from __future__ import annotations

from dalej.domain.facts import Fact
from dalej.domain.heard import Told
from dalej.running.takeover import LastHeard, unended
from moveclock import facts as k

EPOCH = 7


def game(*, ended: bool = False) -> list[Fact]:
    """Seat A's move is made, B has 60 s since uptime 20 000."""
    rows = [
        (k.CONFIGURED, 1, 0, k.SEAT_A, 0, 60_000, 15, 50),
        (k.GAME_STARTED, 1, 0, k.SEAT_A, 0, 60_000, 0, 50),
        (k.MOVE_STARTED, 1, 1, k.SEAT_A, 0, 60_000, 0, 50),
        (k.MOVE_ENDED, 1, 1, k.SEAT_A, k.BY_DALEJ, 10_000, 1, 49),
        (k.MOVE_STARTED, 1, 2, k.SEAT_B, 0, 60_000, 0, 49),
    ]
    if ended:
        rows.append((k.GAME_ENDED, 1, 2, k.NOBODY, k.DESK_ENDED, 0, 0, 0))
    return [Fact("b" * 12, EPOCH, seq, 1, 4_000 * seq, *row) for seq, row in enumerate(rows, start=1)]


def heard(
    left_ms: int | None, *, state: int = k.RUNNING, head: int = 5, epoch: int = EPOCH, later_ms: int = 0
) -> LastHeard:
    told = Told(
        at_ms=100_000, epoch=epoch, boot=1, head=head, state=state, seat=k.SEAT_B, alarm=0, left_ms=left_ms,
        uptime_ms=None, game=None, move=None, bank=None, backlog=0,
    )  # fmt: skip
    return LastHeard(told, 100_000 + later_ms)


def left(last: LastHeard | None) -> int:
    found = unended(game(), last)
    assert found is not None
    return found.remaining_ms


def test_game_move_seat_bank_and_who_plays_are_in_the_facts() -> None:
    found = unended(game(), None)

    assert found is not None
    assert (found.game, found.move, found.seat, found.bank, found.out) == (1, 2, k.SEAT_B, 49, 0)
    assert (found.seats, found.starter, found.missing) == ("ABCD", "A", 0)


def test_without_anything_heard_the_move_has_what_its_facts_say() -> None:
    assert left(None) == 60_000


def test_a_running_move_has_less_by_the_time_the_box_was_heard_last() -> None:
    assert left(heard(42_000)) == 42_000
    assert left(heard(42_000, later_ms=5_000)) == 37_000
    assert left(heard(2_000, later_ms=5_000)) == 0


def test_a_stopped_move_keeps_what_it_had() -> None:
    assert left(heard(42_000, state=k.STOPPED, later_ms=60_000)) == 42_000


def test_an_expired_move_has_nothing_left() -> None:
    assert left(heard(3_000, state=k.EXPIRED)) == 0


def test_what_was_heard_of_another_journal_or_without_a_time_does_not_count() -> None:
    assert left(heard(42_000, epoch=EPOCH + 1)) == 60_000
    assert left(heard(None)) == 60_000


def test_facts_that_nobody_received_are_counted_and_the_time_of_a_later_move_is_not_taken() -> None:
    found = unended(game(), heard(42_000, head=9))

    assert found is not None
    assert (found.missing, found.remaining_ms) == (4, 60_000)


def test_a_game_that_is_over_or_was_never_told_of_is_none() -> None:
    assert unended(game(ended=True), heard(42_000)) is None
    assert unended(game()[:1], None) is None
    assert unended([], heard(42_000)) is None
