"""What was done, or refused, is kept as what it is made of: the viewer's language says it, not that of the server."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from dalej.desk.feed.messages import NoticeTold, line_of, parted, plain, to_screen
from dalej.domain.game.sentences import seconds_said
from dalej.errors import Counted, DalejError
from dalej.event.ledger import Decision
from dalej.event.reading import read
from dalej.office.acts.catalogue import ACTS
from dalej.office.acts.wishes import Done, Wish
from dalej.office.reasons import reason
from dalej.typedjson import line_of as line_with
from dalej.words import said
from tests.office.acts.arguments import BOSS, right
from tests.office.acts.desk import ActingDesk, a_third_move
from tests.tui.languages import speaking

SERVERS = ("en", "pl", "it")


@pytest.fixture(scope="module")
def desk(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ActingDesk]:
    """A clock stands, a time-out is ruled on, a round is seated."""
    with a_third_move(tmp_path_factory.mktemp("languages")) as made:
        made.setting.run(70_000)
        made.do("rule", verdict="undone")
        made.do("stop", reason="referee")
        yield made


class _NotKept(Exception):
    pass


def made_of(came_of_it: Done | DalejError) -> object:
    """All that is kept of it."""
    assert str(came_of_it)
    undo = came_of_it.undo if isinstance(came_of_it, Done) else None
    return type(came_of_it), came_of_it.template, line_with(plain(came_of_it.data)), repr(undo)


def wished(desk: ActingDesk, wish: Wish) -> object:
    """What came of it; nothing of it is done."""
    found: object = None
    try:
        with desk.place.ledger.together():
            found = made_of(desk.performer.do(BOSS, wish))
            raise _NotKept
    except _NotKept:
        pass
    except DalejError as error:
        found = made_of(error)
    return found


@pytest.mark.parametrize("act", sorted(ACTS.keys() - {"print"}))  # whose files are named anew
def test_what_is_kept_is_the_same_whatever_language_the_server_speaks(desk: ActingDesk, act: str) -> None:
    whole: dict[str, Any] = {"table": 1, **{ask.name: right(ask) for ask in ACTS[act].asks()}}
    ruled = [one.cursor for one in read(desk.place.ledger).decisions() if one.kind == "ruling"][-1]
    variants = [{}, whole, {**whole, "number": ruled}, {**whole, "numbers": [ruled]}]
    variants += [{name: value for name, value in whole.items() if name != left} for left in whole]
    for args in variants:
        answers = set()
        for language in SERVERS:
            with speaking(language):
                answers.add(wished(desk, Wish(act, args, "seen")))
        assert len(answers) == 1, answers


def test_what_was_undone_is_said_in_polish_with_a_decimal_comma(tmp_path: Path) -> None:
    with a_third_move(tmp_path) as desk:
        desk.setting.run(70_000)
        with speaking("en"):
            made = desk.do("rule", verdict="undone")
            assert made.undo is not None
            desk.performer.do(BOSS, made.undo)
            desk.do("stop", reason="referee")
            given = desk.do("give_time", ms=68_000)
            locked = desk.performer.do(BOSS, Wish("lock_seating", {"on": True}))
            back = desk.performer.do(BOSS, Wish("undo", {"number": locked.decisions[0]}, "too early"))

        with speaking("pl"):
            assert str(given).startswith("Stolik 1: stoper ma dodać 68,0 s")
            undone = str(back)
            assert undone.startswith("Cofnięte: Liga, runda 1: rozsadzenie zablokowane")


def test_parts_that_count_travel_with_all_their_forms() -> None:
    part = Counted("{count} table seated", "{count} tables seated", count=5, round=DalejError("round {n}", n=2))
    template = "Taken back: {decision} (number {number})."

    heard = to_screen(line_of(NoticeTold("offer", "7", template, plain({"decision": part, "number": 7}))))

    assert isinstance(heard, NoticeTold)
    there = DalejError(heard.template, **parted(heard.data))
    assert str(there) == "Taken back: 5 tables seated (number 7)."
    assert isinstance(there.data["decision"], Counted)


def test_a_notice_of_the_desk_is_said_with_the_viewers_numbers() -> None:
    data = {"box": "7", "table": 3, "shown": seconds_said(12_345), "heard": seconds_said(68_000)}
    template = (
        "table {table}: box {box} lost its power and goes on with {shown} s; when it was last heard there were {heard} "
        "s left"
    )

    heard = to_screen(line_of(NoticeTold("offer", "7", template, plain(data))))

    assert isinstance(heard, NoticeTold)
    with speaking("pl"):
        assert "68,0 s" in said(DalejError(heard.template, **parted(heard.data)))
    with speaking("en"):
        assert "68.0 s" in said(DalejError(heard.template, **parted(heard.data)))


@pytest.mark.parametrize(
    ("kept", "polish"),
    [
        ("every result is in", "są wszystkie wyniki"),
        ("table 1 was checked", "stolik 1 sprawdzony"),
        ("seated by lot, seed 7", "rozsadzenie: losowanie (liczba losowania 7)"),
        (
            "seated by lot, seed 7, nevertheless: few of us",
            "rozsadzenie: losowanie (liczba losowania 7), mimo uwag: few of us",
        ),
        ("Sowa does not play round 1", "Sowa nie gra w rundzie 1"),
        ("from the score sheet", "z tabeli punktowej"),
        ("without a warning: bije się", "bez upomnienia: bije się"),
        ("it is in the way of the table's game", "przeszkadza w grze przy tym stoliku"),
        ("taken back: every result is in", "cofnięte: są wszystkie wyniki"),
        ("cofnięte: źle policzone", "cofnięte: źle policzone"),
        ("16 go on from preliminaries to semifinal", "awans, Eliminacje → Półfinał, liczba graczy: 16"),
        ("Lis z {klasa}", "Lis z {klasa}"),
        ("what somebody has written", "what somebody has written"),
    ],
)
def test_a_reason_that_nobody_typed_is_said_in_the_readers_language(kept: str, polish: str) -> None:
    with speaking("pl"):
        assert reason(kept) == polish
    with speaking("en"):
        assert reason(kept).lower() == kept.lower()


def test_every_reason_that_the_office_gives_by_itself_is_known(tmp_path: Path) -> None:
    with a_third_move(tmp_path) as desk:
        for act, args in (
            ("lock_seating", {"on": True}), ("lock_seating", {"on": False}), ("start_round", {"minutes": 90}),
            ("set_option", {"key": "limit", "value": "30"}), ("absent", {"player": 4}),
        ):  # fmt: skip
            try:
                desk.performer.do(BOSS, Wish(act, args, ""))
            except DalejError:
                continue
        made: list[Decision] = read(desk.place.ledger).decisions()
    with speaking("pl"):
        left = [one.why for one in made if one.why and reason(one.why) == one.why and one.who == "Puchacz"]
    assert not [why for why in left if why not in ("it stands there", "liga", "seen")], left
