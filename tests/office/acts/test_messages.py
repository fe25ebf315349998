"""What is wrong with a wish is said in the words of the form, never by the names that programs use."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, Final

import pytest

from dalej.errors import DalejError, Refused, Unreachable, WrongInput
from dalej.event.ledger import Baseline
from dalej.office import rounds
from dalej.office.acts.act import Act
from dalej.office.acts.catalogue import ACTS
from dalej.office.acts.wishes import Wish
from dalej.words import said
from moveclock import facts as k
from tests.office.acts.arguments import BOSS, HIDDEN, named_in, right
from tests.office.acts.desk import LIS, SOWA, ActingDesk, a_third_move
from tests.office.acts.few_links import FewLinks
from tests.tui.languages import speaking
from tests.world import draw

LANGUAGES: Final = ("pl", "it")  # in English some of the names are the words of the form
WRONG: Final[tuple[Any, ...]] = (None, "x", -1, 10**12, True, ["x"], {"a": 1})


def wishes_of(act: type[Act]) -> Iterator[dict[str, Any]]:
    """Nothing at all, each argument left out, and each one wrong in many ways."""
    whole = {"table": 1, **{ask.name: right(ask) for ask in act.asks()}}
    yield {}
    for name in whole:
        for value in WRONG:
            yield {**whole, name: value}
        yield {other: value for other, value in whole.items() if other != name}
    for name in HIDDEN:
        for value in ("x", -1):
            yield {**whole, name: value}


@pytest.fixture(scope="module")
def desk(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ActingDesk]:
    with a_third_move(tmp_path_factory.mktemp("messages")) as made:
        yield made


@pytest.mark.parametrize("act", sorted(ACTS))
def test_no_message_of_an_act_shows_the_name_of_an_argument(desk: ActingDesk, act: str) -> None:
    shown: set[tuple[str, str]] = set()
    for args in wishes_of(ACTS[act]):
        try:
            with desk.place.ledger.together():
                desk.performer.do(BOSS, Wish(act, args, "seen"))
                raise _NotKept
        except _NotKept:
            continue
        except DalejError as error:
            for language in LANGUAGES:
                with speaking(language):
                    shown.add((language, said(error)))
    wrong = {(language, sentence): named_in(sentence) for language, sentence in shown if named_in(sentence)}
    assert not wrong
    assert shown, "nothing was refused"


class _NotKept(Exception):
    pass


def test_a_missing_argument_is_called_as_the_form_calls_it(desk: ActingDesk) -> None:
    with pytest.raises(WrongInput) as found:
        desk.performer.do(LIS, Wish("set_seat", {"table": 1}, "seen"))

    with speaking("pl"):
        assert said(found.value) == "oddaj ruch graczowi: brakuje „miejsce” (możliwe: A, B, C, D)"
    with speaking("en"):
        assert said(found.value) == "give the move to a seat: “seat” was not given, expected: A, B, C, D"


# --- an act about what waits finds what waits ------------------------------------------------------------------------


@pytest.mark.parametrize("act", ["grant_claim", "deny_claim"])
def test_a_claim_that_waits_is_answered_without_its_move_being_named(tmp_path: Path, act: str) -> None:
    with a_third_move(tmp_path) as desk:
        with pytest.raises(Refused, match="table 1: no claim waits there for an answer"):
            desk.do(act)
        desk.setting.tap(2 * k.SEAT_C + 1)
        desk.setting.run(1_000)
        desk.setting.tap(k.SEDZIA)
        desk.setting.run(1_000)

        done = desk.do(act)

        assert str(done).startswith("Table 1, game 1, Sowa (D): the claim is")
        with pytest.raises(Refused, match="is answered: Lis has"):
            desk.do("grant_claim", SOWA)


def test_a_time_out_that_waits_is_ruled_on_without_its_move_being_named(tmp_path: Path) -> None:
    with a_third_move(tmp_path) as desk:
        with pytest.raises(Refused, match="table 1: no time-out waits there for a ruling"):
            desk.do("rule", verdict="undone")
        desk.setting.run(70_000)

        assert "Borsuk (C): undone, tiles: 1" in str(desk.do("rule", verdict="undone"))


def test_a_time_out_that_waits_is_ruled_on_also_when_the_next_round_is_seated_already(tmp_path: Path) -> None:
    with a_third_move(tmp_path) as desk:
        desk.setting.run(70_000)
        desk.event().change(lambda state: rounds.close(state, "the hall is closed"))
        draw(desk.event(), 2)

        assert "Borsuk (C): undone, tiles: 1" in str(desk.do("rule", verdict="undone"))


def test_who_rules_where_a_box_brought_its_game_along_is_asked_for_the_seat(tmp_path: Path) -> None:
    with a_third_move(tmp_path) as desk:
        desk.setting.run(70_000)
        at = Baseline(2, desk.now.box, desk.now.at.epoch, desk.now.at.seq)
        desk.place.ledger.assign(at, who="Puchacz", when_ms=desk.setting.clock.wall_ms(), why="it stands there now")

        with pytest.raises(WrongInput, match="“seat, where no box counts” was not given"):
            desk.do("rule", table=2, verdict="undone")


def test_a_claim_of_which_its_box_has_not_told_yet_is_answered_in_a_moment(tmp_path: Path) -> None:
    hall = FewLinks(tmp_path)
    table = hall.claims()
    row = hall.row(table)
    assert row.ahead is not None
    args: Mapping[str, Any] = {"table": table, "epoch": row.ahead[0], "head": row.ahead[1]}

    with pytest.raises(Unreachable, match="its box has not told of the claim yet; one moment"):
        hall.do("grant_claim", **args)
    hall.waits_until_told(table)

    assert "the claim is granted" in str(hall.do("grant_claim", **args))
    hall.close()
