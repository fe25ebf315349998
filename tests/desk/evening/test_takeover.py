"""Where a spare box goes on: what facts and the last thing heard tell together, and what they do not."""

from __future__ import annotations

from dalej.desk.evening.meeting import LastHeard, as_decided, unended
from dalej.domain.game.commands import MidGame
from dalej.domain.game.facts import Fact
from dalej.domain.game.heard import Told
from dalej.event.ledger import Baseline
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


def late_game() -> list[Fact]:
    """B's time ran out, in a final lap that began in A's move."""
    facts = game()
    at = facts[-1].uptime_ms + 60_000
    rows = [
        (k.FINAL_LAP_BEGUN, k.ROUND_TIME, 0, 0),
        (k.TIME_RAN_OUT, 0, 60_000, 1),
        (k.MOVE_ENDED, k.BY_TIMEOUT, 60_000, 1),
        (k.TILE_DRAWN, 0, 60_000, 0),
    ]
    return [
        *facts,
        *(
            Fact("b" * 12, EPOCH, 6 + place, 1, at, kind, 1, 2, k.SEAT_B, code, a, b, 49)
            for place, (kind, code, a, b) in enumerate(rows)
        ),
    ]


def test_a_move_whose_time_is_over_is_handed_over_so_with_its_tile_and_the_final_lap() -> None:
    found = unended(late_game(), None)

    assert found is not None
    assert found.remaining_ms == 0
    assert found.more == MidGame(
        late=True, drawn=True, lap_reason=k.ROUND_TIME, lap_mask=15, lap_waits=True,
    )  # fmt: skip
    assert found.arguments()["more"] == found.more.number


def test_a_move_like_any_other_is_handed_over_as_firmware_of_before_understands_it() -> None:
    found = unended(game(), None)

    assert found is not None
    assert "more" not in found.arguments()


def test_a_box_that_was_heard_past_the_limit_had_not_sent_the_facts_that_say_so() -> None:
    found = unended(game(), heard(3_000, state=k.EXPIRED, head=7))
    another = unended(game(), heard(3_000, state=k.EXPIRED, head=14))

    assert found is not None and another is not None  # noqa: PT018
    assert (found.more.late, found.remaining_ms, found.missing) == (True, 0, 2)
    assert not another.more.late, "that may be a later move of the same seat"


def test_what_was_decided_when_the_box_was_met_stands_though_more_is_known_by_now() -> None:
    found = unended(late_game(), None)
    assert found is not None
    at = Baseline(table=1, box="c" * 12, epoch=1, seq=0, game=1, move=2, seat=k.SEAT_B, remaining_ms=30_000, bank=49)
    earlier = Baseline(table=1, box="c" * 12, epoch=1, seq=0, game=1, move=1, seat=k.SEAT_A, remaining_ms=0, bank=50)

    assert (as_decided(found, at).more.late, as_decided(found, at).remaining_ms) == (False, 30_000)
    assert as_decided(found, earlier).more == MidGame(lap_reason=k.ROUND_TIME, lap_mask=15)
