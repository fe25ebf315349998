"""Who may sign up, leave and be sent away, clause by clause."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from dalej.errors import Refused
from dalej.event.event import Event, moved_up, queue
from dalej.event.reading import read
from dalej.office import attendance, seating, settings, signups, undo
from dalej.office.signups import SignUp
from tests import world
from tests.office.deciding import close, seat
from tests.world import ANIMALS, signed_up

EIGHT = ANIMALS[:8]


def enter(event: Event, *names: str, anyway: str = "", new_only: bool = False, qualified: bool = False) -> int:
    """How many came in."""
    wanted = [SignUp(0, name, qualified=qualified) for name in names]
    return len(event.change(lambda state: signups.enter(state, wanted, anyway=anyway, new_only=new_only)))


def withdraw(event: Event, number: int) -> None:
    event.change(lambda state: attendance.withdraw(state.players[number]))


def test_numbers_follow_the_order_of_sign_up_and_are_never_used_again(tmp_path: Path) -> None:
    with signed_up(tmp_path) as event:
        withdraw(event, 8)
        enter(event, "Dzik")
        assert [player.name for player in event.state().players.values()] == [*EIGHT, "Dzik"]
        assert event.state().players[9].name == "Dzik"


def test_a_number_whose_sign_up_was_taken_back_is_nobodys_for_ever(tmp_path: Path) -> None:
    """It may be on paper already, and personal data are kept by it."""
    with signed_up(tmp_path) as event:
        enter(event, "Dzik")
        undo.undo(event, None, "a misspelled name")
        enter(event, "Kuna")
        assert [player.number for player in event.state().players.values() if player.name == "Kuna"] == [10]


def test_a_class_spelled_otherwise_is_the_class_as_it_was_first_written(tmp_path: Path) -> None:
    spelled = ["5 b", "5b", "5.B", "V b", "5c", "1 1", "11", ""]
    wanted = [SignUp(0, f"Lis {letter}", group) for letter, group in zip("abcdefgh", spelled, strict=True)]
    with signed_up(tmp_path) as event:
        event.change(lambda state: signups.enter(state, wanted))
        groups = [player.group for player in event.state().players.values()][-len(wanted) :]
        assert groups == ["5 b", "5 b", "5 b", "5 b", "5c", "1 1", "11", ""]


THIRTY_TWO = [f"Lis {letter}{other}" for letter in "abcdefgh" for other in "abcd"]


def waits(event: Event) -> list[int]:
    return [player.number for player in queue(event.state())]


def test_school_league_18_the_thirty_third_waits_or_is_let_in_for_a_recorded_reason(tmp_path: Path) -> None:
    with signed_up(tmp_path, *THIRTY_TWO) as event:
        enter(event, "Sowa")
        assert waits(event) == [33]
        assert len(event.state().entrants["league"]) == 32
        enter(event, "Kuna", anyway="a ninth table")
        assert waits(event) == [33]
        assert event.state().players[34].takes_part
        assert event.state().players[34].mark.why == "signed up, beyond the limit: a ninth table"


def test_school_league_18_of_a_list_of_forty_eight_wait_and_move_up_in_their_order(tmp_path: Path) -> None:
    with world.an_event(tmp_path, 0, seated=False) as event:
        forty = [SignUp(line, f"Lis {line} x") for line in range(1, 41)]
        event.change(lambda state: signups.enter(state, forty, file="list.csv"))
        assert waits(event) == list(range(33, 41))
        withdraw(event, 34)  # of the waiting list itself: nobody moves up
        made = event.change(lambda state: attendance.withdraw(state.players[5], "moves away"))
        assert [player.number for player in moved_up(made, event.state())] == [33]
        assert waits(event) == list(range(35, 41))
        event.change(lambda state: attendance.exclude(state, state.players[6], "so", without_warning=True))
        assert waits(event) == list(range(36, 41))
        assert len(event.state().entrants["league"]) - 2 == 32
        event.change_seen(lambda seen: settings.setting(seen, "players_max", "34").change)
        assert waits(event) == [38, 39, 40]


def test_school_league_18_who_comes_back_after_another_has_moved_up_waits_and_makes_no_33(tmp_path: Path) -> None:
    with signed_up(tmp_path, *THIRTY_TWO, "Sowa", "Kuna") as event:
        withdraw(event, 1)
        assert waits(event) == [34]
        event.change(lambda state: attendance.back(state, state.players[1]))
        assert waits(event) == [34, 1]
        assert sum(player.takes_part for player in event.state().players.values()) == 32
        withdraw(event, 2)
        withdraw(event, 3)
        assert waits(event) == []


def test_school_league_18_a_withdrawal_undone_takes_the_moving_up_back_until_it_is_seated(tmp_path: Path) -> None:
    with signed_up(tmp_path, *THIRTY_TWO, "Sowa") as event:
        withdraw(event, 1)
        undo.undo(event, None, "a mistake")
        assert waits(event) == [33]
        withdraw(event, 1)
        event.change(lambda state: seating.draw(state, seating.Draw(seed=1)))
        with pytest.raises(Refused, match="rests on it"):
            undo.undo(
                event, next(one.cursor for one in read(event.ledger).decisions()[::-1] if one.kind == "gone"), "so"
            )
        with pytest.raises(Refused, match="stays out"):
            event.change(lambda state: attendance.back(state, state.players[1]))


def test_school_league_18_who_left_a_round_under_way_does_not_come_back_beside_who_moved_up(tmp_path: Path) -> None:
    with signed_up(tmp_path, *THIRTY_TWO, "Sowa") as event:
        event.change(lambda state: seating.draw(state, seating.Draw(seed=1)))
        withdraw(event, 1)
        assert waits(event) == []
        with pytest.raises(Refused, match=r"has no place any more: 32 players take part.* \[18: .*Limit miejsc"):
            event.change(lambda state: attendance.back(state, state.players[1]))


def test_18_a_renamed_player_waits_on_in_the_same_place(tmp_path: Path) -> None:
    with signed_up(tmp_path, *THIRTY_TWO, "Sowa", "Kuna") as event:
        event.change(lambda state: signups.change_player(state, state.players[33], "Sowa Mała", ""))
        assert waits(event) == [33, 34]


def test_18_whose_parents_consent_comes_waits_on_in_the_same_place(tmp_path: Path) -> None:
    with signed_up(tmp_path, *THIRTY_TWO, "Sowa", "Kuna") as event:
        players = [event.state().players[number] for number in (1, 33)]
        assert len(event.change(lambda _state: signups.consent(players, on_file=True))) == 2
        assert waits(event) == [33, 34]
        assert [event.state().players[number].consent for number in (1, 33, 34)] == [True, True, None]


def test_what_the_list_told_of_surname_and_town_outlives_a_consent_and_a_corrected_name(tmp_path: Path) -> None:
    with signed_up(tmp_path) as event:
        one = SignUp(2, "Jan Nowak", "Reda", surname="Nowak", town="Reda")
        event.change(lambda state: signups.enter(state, [one], file="list.csv"))
        event.change(lambda state: signups.consent([state.players[9]], on_file=True))
        event.change(lambda state: signups.change_player(state, state.players[9], "Nowak Jan", "Reda"))
        player = event.state().players[9]
        assert (player.consent, player.surname, player.town) == (True, "Nowak", "Reda")
        event.change(lambda state: signups.change_player(state, state.players[9], "Nowak Jan", "Puck"))
        assert event.state().players[9].town == ""


def test_nobody_moves_up_once_the_last_round_is_seated(tmp_path: Path) -> None:
    with signed_up(tmp_path, *THIRTY_TWO, "Sowa") as event:
        event.change_seen(lambda seen: settings.setting(seen, "rounds", "1", "short").change)
        event.change(lambda state: seating.draw(state, seating.Draw(seed=1)))
        withdraw(event, 1)
        assert waits(event) == [33]


def test_school_league_18_whoever_leaves_frees_a_place(tmp_path: Path) -> None:
    names = [f"Lis {letter}{other}" for letter in "abcdefgh" for other in "abcd"]
    with signed_up(tmp_path, *names) as event:
        withdraw(event, 1)
        enter(event, "Sowa")


def test_eliminations_14_whoever_has_qualified_enters_no_other_elimination(tmp_path: Path) -> None:
    with signed_up(tmp_path, ruleset="pl-eliminations") as event:
        with pytest.raises(Refused, match=r"Dzik has already qualified.*ORGANIZACJA 14: .*zakwalifikowała"):
            enter(event, "Dzik", qualified=True)
        assert len(event.state().players) == len(EIGHT)


def test_a_league_takes_whoever_has_qualified_elsewhere(tmp_path: Path) -> None:
    with signed_up(tmp_path) as event:
        assert enter(event, "Dzik", qualified=True) == 1


def test_a_name_that_is_taken_is_refused_and_nobody_of_the_list_is_in(tmp_path: Path) -> None:
    with signed_up(tmp_path) as event:
        with pytest.raises(Refused, match="Żuraw is player 5 already"):
            enter(event, "Dzik", "ZURAW")
        assert len(event.state().players) == len(EIGHT)


def test_a_list_that_has_grown_adds_who_is_new(tmp_path: Path) -> None:
    with signed_up(tmp_path) as event:
        assert enter(event, *EIGHT, "Dzik", new_only=True) == 1
        assert enter(event, *EIGHT, "Dzik", new_only=True) == 0


def test_two_desks_that_sign_up_at_once_use_no_number_twice(tmp_path: Path) -> None:
    with signed_up(tmp_path) as event:
        wanted = [SignUp(0, "Dzik")]
        calls: list[int] = []

        def plan(state: object) -> object:
            if not calls:
                calls.append(1)
                enter(event, "Kuna")
            return signups.enter(state, wanted)  # type: ignore[arg-type]  # the state that `change` gives

        event.change(plan)  # type: ignore[arg-type]  # the same
        assert [(number, player.name) for number, player in event.state().players.items()][-2:] == [
            (9, "Kuna"), (10, "Dzik"),
        ]  # fmt: skip


def test_whoever_comes_late_joins_the_round_that_is_seated_while_a_table_can_take_them_else_the_next(
    tmp_path: Path,
) -> None:
    with signed_up(tmp_path) as event:
        assert signups.joins(event.state()) == (("league", 1), 0)
        seat(event, 1, (1, 2, 3, 4), (5, 6, 7, 8))
        assert signups.joins(event.state()) == (("league", 1), 0)
        world.play(event, random.Random(1))
        assert signups.joins(event.state()) == (("league", 2), 1)
        enter(event, "Dzik")


def test_nobody_joins_once_the_last_round_is_played_and_before_that_whoever_a_table_can_take(tmp_path: Path) -> None:
    with signed_up(tmp_path, ruleset="pl-eliminations") as event:
        seat(event, 1, (1, 2, 3, 4), (5, 6, 7, 8), stage="preliminaries")
        close(event, 1, stage="preliminaries")
        seat(event, 2, (1, 2, 3, 4), (5, 6, 7, 8), stage="preliminaries")
        enter(event, "Dzik")
        told = seating.without_seat(event.state(), event.state().players[9])
        assert [way.act for way in told.ways] == ["open_table"]
        world.play(event, random.Random(1))
        with pytest.raises(Refused, match="nobody can come in"):
            enter(event, "Kuna")


def test_a_player_is_renamed_but_not_to_a_name_that_is_taken(tmp_path: Path) -> None:
    with signed_up(tmp_path) as event:
        event.change(lambda state: signups.change_player(state, state.players[1], "lis", ""))
        assert event.state().players[1].name == "lis"
        with pytest.raises(Refused, match="Sowa is player 2"):
            event.change(lambda state: signups.change_player(state, state.players[1], "SOWA", ""))
        assert event.change(lambda state: signups.change_player(state, state.players[1], "lis", "")) == []


def test_eliminations_15_a_player_withdraws_at_any_moment_and_only_once(tmp_path: Path) -> None:
    with signed_up(tmp_path, ruleset="pl-eliminations") as event:
        seat(event, 1, (1, 2, 3, 4), (5, 6, 7, 8), stage="preliminaries")
        withdraw(event, 3)
        gone = event.state().players[3].gone
        assert gone is not None
        assert gone.how == "withdrawn"
        with pytest.raises(Refused, match="already left"):
            withdraw(event, 3)


def test_a_withdrawal_is_taken_back_before_the_next_draw_only(tmp_path: Path) -> None:
    with signed_up(tmp_path) as event:
        seat(event, 1, (1, 2, 3, 4), (5, 6, 7, 8))
        withdraw(event, 3)
        event.change(lambda state: attendance.back(state, state.players[3]))
        assert event.state().players[3].gone is None
        withdraw(event, 3)
        close(event, 1)
        seat(event, 2, (1, 2, 4), (5, 6, 7, 8))
        with pytest.raises(Refused, match="League, round 2 has been drawn"):
            event.change(lambda state: attendance.back(state, state.players[3]))


def test_school_league_6u_an_exclusion_follows_a_warning(tmp_path: Path) -> None:
    with signed_up(tmp_path) as event:
        with pytest.raises(Refused, match=r"6u: .*po wcześniejszym upomnieniu"):
            event.change(lambda state: attendance.exclude(state, state.players[2], "shouts"))
        event.change(lambda state: attendance.warn(state.players[2], "shouts"))
        event.change(lambda state: attendance.exclude(state, state.players[2], "shouts again"))
        player = event.state().players[2]
        assert [mark.why for mark in player.warnings] == ["shouts"]
        assert player.gone is not None
        assert (player.gone.how, player.gone.mark.why) == ("excluded", "shouts again")
        with pytest.raises(Refused, match="only undoing that decision takes it back"):
            event.change(lambda state: attendance.back(state, state.players[2]))


def test_school_league_6u_an_exclusion_without_a_warning_says_so(tmp_path: Path) -> None:
    with signed_up(tmp_path) as event:
        event.change(lambda state: attendance.exclude(state, state.players[2], "bites", without_warning=True))
        gone = event.state().players[2].gone
        assert gone is not None
        assert gone.mark.why == "without a warning: bites"


def test_whoever_misses_a_round_is_absent_from_the_current_one_until_present(tmp_path: Path) -> None:
    with signed_up(tmp_path) as event:
        event.change(lambda state: attendance.absent(state, [state.players[1], state.players[2]], away=True))
        event.change(lambda state: attendance.absent(state, [state.players[2], state.players[3]], away=False))
        current = event.state().current
        assert current is not None
        assert current.absent == {1}


@pytest.mark.parametrize("goes", ["excluded", "withdrawn"])
def test_school_league_18_undoing_that_somebody_left_makes_no_33(tmp_path: Path, goes: str) -> None:
    with signed_up(tmp_path, *THIRTY_TWO) as event:
        if goes == "excluded":
            event.change(lambda state: attendance.exclude(state, state.players[5], "rude", without_warning=True))
        else:
            withdraw(event, 5)
        left = read(event.ledger).decisions()[-1].cursor
        enter(event, "Dzik", "Kuna")
        assert waits(event) == [34]

        undo.undo(event, left, "it was somebody else")

        state = event.state()
        assert state.players[5].gone is None
        assert waits(event) == [34, 5]
        assert sum(player.takes_part for player in state.players.values()) == 32


def test_school_league_18_who_waits_does_not_come_in_by_undoing_that(tmp_path: Path) -> None:
    with signed_up(tmp_path, *THIRTY_TWO) as event:
        withdraw(event, 5)
        enter(event, "Dzik")
        event.change(lambda state: attendance.back(state, state.players[5]))
        assert waits(event) == [5]

        with pytest.raises(Refused, match=r"has no place any more: 32 players take part"):
            undo.undo(event, None, "now")
        assert waits(event) == [5]


def test_school_league_18_a_moving_up_that_a_free_place_would_repeat_at_once_is_not_taken_back(tmp_path: Path) -> None:
    """Somebody else left meanwhile: the place is theirs either way, at once and not with whatever is decided next."""
    with signed_up(tmp_path, *THIRTY_TWO, "Sowa") as event:
        withdraw(event, 1)
        left = read(event.ledger).decisions()[-1].cursor
        withdraw(event, 2)

        undone = undo.undo(event, left, "it was somebody else")

        assert waits(event) == []
        assert event.state().players[1].takes_part
        assert "33 Sowa stays in: a place is free all the same" in undone.effect
        assert [one.kind for one in undone.decisions] == ["gone"]


def test_school_league_18_that_alone_is_refused_to_be_taken_back_while_the_place_is_free(tmp_path: Path) -> None:
    with signed_up(tmp_path, *THIRTY_TWO, "Sowa") as event:
        _sign_up_taken_back(event, 5)
        assert waits(event) == []

        with pytest.raises(Refused, match="33 Sowa would move up again at once, because a place is free"):
            undo.undo(event, None, "so")
        assert waits(event) == []


def test_school_league_18_who_waits_moves_up_in_the_step_by_which_a_place_is_free_again(tmp_path: Path) -> None:
    """Nobody waits before the step: whoever moved up by the one that is taken back does afterwards, first of them."""
    with signed_up(tmp_path, *THIRTY_TWO, "Sowa", "Kuna") as event:
        event.change_seen(lambda seen: settings.setting(seen, "players_max", "34", "a ninth table").change)
        limit = read(event.ledger).decisions()[-1].cursor
        withdraw(event, 1)

        undone = undo.undo(event, limit, "no ninth table")

        assert waits(event) == [34]
        assert "33 Sowa stays in: a place is free all the same" in undone.effect


def _sign_up_taken_back(event: Event, player: int) -> None:
    number = next(one.cursor for one in read(event.ledger).decisions() if one.subject == f"player:{player}")
    undo.undo(event, number, "signed up twice")
