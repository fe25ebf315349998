"""Hall and centre step by step, without a network between them: what each step that fails, is done twice or is done by
somebody else comes to; and what a hall with a valid key can do to the event of all.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack, closing
from pathlib import Path

import msgspec
import pytest

from dalej.centre.copying import copy_hall
from dalej.centre.decided import Listening
from dalej.centre.mirror import Mirror
from dalej.centre.stream import BEGINNING, digest_of, line_of
from dalej.centre.talk import BATCHES, ENTRIES_MOST, Batch, Reached
from dalej.centre.whole import Whole
from dalej.domain.tournament.tournament import COMPLETE, CONFIRMED, HOME, RESULT, WARNED, GameAt, Round, RoundKey
from dalej.errors import Refused
from dalej.event.event import Event
from dalej.event.ledger import Json, Ledger
from dalej.office import undo
from dalej.office.acts.halls import GiveRound, SetHall, TakeRound
from dalej.office.acts.players import Warn
from dalej.office.acts.results import CorrectClosed, CorrectResult
from dalej.office.acts.rounds import CloseRound, ReopenRound
from dalej.office.acts.settings import SetOption
from tests.centre.cup import Cup, confirm, does, opened, play, racks_of, table_of

KEY = RoundKey("league", 1)


class Steps:
    """A hall that tells and listens when it is asked to."""

    def __init__(self, cup: Halls, name: str, stack: ExitStack) -> None:
        self.cup, self.name, self.stack = cup, name, stack
        self.key = f"key of {name}".ljust(43, "x")
        self.file = cup.folder / f"{name}.dalej"
        cup.mirror.add_hall(name, self.key, 1)
        with Ledger.create(self.file) as ledger:
            ledger.decide(HOME, {"hall": name}, who="Bóbr", when_ms=cup.clock(), why="one of several", subject=HOME)
        self.begin()
        self.listen()

    def begin(self) -> None:
        self.ledger = self.stack.enter_context(closing(Ledger.open(self.file)))
        self.event = Event(self.ledger, who=f"Sędzia {self.name}", wall_ms=self.cup.clock)
        self.listening = Listening(Event(self.ledger, who=self.name, wall_ms=self.cup.clock), self.name)

    def put_back(self, copy: Path) -> None:
        self.ledger.close()
        Ledger.restore(copy, self.file)
        self.begin()

    def post(self, after: int, digest: str, lines: list[str], anew: int | None = None) -> Reached:
        batch = BATCHES.read(msgspec.json.encode(Batch(f"desk of {self.name}", after, digest, lines, anew)))
        reached = self.cup.mirror.take(self.key, batch, self.cup.clock())
        if reached.through == after + len(lines):
            self.bring(self.cup.whole)
        return reached

    def bring(self, whole: Whole) -> None:
        mirror = self.cup.mirror
        self.cup.said += map(str, whole.bring(mirror, mirror.whose(self.key), self.cup.clock()))

    def meet(self) -> Reached:
        reached = self.post(0, BEGINNING.hex(), [])
        if reached.through > self.ledger.head() or digest_of(self.ledger, reached.through).hex() != reached.digest:
            reached = self.post(0, BEGINNING.hex(), [], anew=reached.epoch)
        return reached

    def tell(self) -> None:
        reached = self.meet()
        while lines := [line_of(entry) for entry in self.ledger.since(reached.through, ENTRIES_MOST)]:
            reached = self.post(reached.through, reached.digest, lines)

    def listen(self, whole: Whole | None = None) -> None:
        whole = whole or self.cup.whole
        hall = self.cup.mirror.whose(self.key)
        whole.look_through(self.cup.mirror, hall)
        while (told := whole.told(hall, self.listening.asking())).lines or told.not_taken:
            self.listening.take(told)
            if not told.lines:
                return

    def round(self) -> Round:
        return self.event.state().rounds[KEY]

    def decides(self, kind: str, body: Mapping[str, Json], subject: str | None = None, why: str = "x") -> int:
        """Whatever somebody writes into the file."""
        return self.ledger.decide(kind, body, who="Kuna", when_ms=self.cup.clock(), why=why, subject=subject).cursor


class Halls(Cup):
    """`said`: what the centre did not take."""

    def __init__(self, folder: Path, mirror: Mirror, stack: ExitStack) -> None:
        super().__init__(folder, mirror)
        self.said: list[str] = []
        self.stack = stack
        self.steps = {name: Steps(self, name, stack) for name in self.event.state().halls}

    def sync(self) -> None:
        for _ in range(2):
            for hall in self.steps.values():
                hall.tell()
                hall.listen()

    def back(self) -> None:
        does(self.event, TakeRound())
        self.sync()

    def closes(self) -> None:
        """The round is taken back and closed, and every hall has heard of it."""
        self.back()
        does(self.event, CloseRound("late"), "late")
        self.sync()

    def round(self) -> Round:
        return self.event.state().rounds[KEY]

    def expect_the_same(self) -> None:
        self.sync()
        for hall in self.steps.values():
            assert scores(hall.round()) == scores(self.round()), hall.name
            assert table_of(hall.event) == table_of(self.event)


def scores(one: Round) -> dict[GameAt, object]:
    return {at: (result.scores, result.confirmed is not None) for at, result in one.results.items()}


@pytest.fixture
def cup(tmp_path: Path, mirror: Mirror) -> Iterator[Halls]:
    with ExitStack() as stack:
        made = stack.enter_context(closing(Halls(tmp_path, mirror, stack)))
        made.seat(1)
        made.sync()
        yield made


@pytest.fixture
def north(cup: Halls) -> Steps:
    return cup.steps["North"]


@pytest.fixture
def south(cup: Halls) -> Steps:
    return cup.steps["South"]


# --- what fails, is done twice, or by somebody else -----


def test_of_two_centres_that_bring_at_once_the_second_takes_nothing_away(
    cup: Halls, north: Steps, monkeypatch: pytest.MonkeyPatch
) -> None:
    with Ledger.open(cup.file) as ledger:
        second = Whole(Event(ledger, who="the centre", wall_ms=cup.clock))
        play(north.event, GameAt(1, 1), 1)
        lines, done = cup.mirror.lines, list[int]()

        def meanwhile(name: str, after: int, limit: int, epoch: int) -> list[str]:
            found = lines(name, after, limit, epoch)
            if not done and limit == ENTRIES_MOST:
                done.append(1)
                north.bring(second)
            return found

        monkeypatch.setattr(cup.mirror, "lines", meanwhile)
        with pytest.raises(Refused, match="listened to by another program"):
            north.tell()
    assert done
    cup.expect_the_same()
    assert set(cup.round().results) == {GameAt(1, 1)}
    assert not cup.said


def test_what_was_lost_in_a_closed_round_and_given_back_stays_when_the_round_is_given_again(
    cup: Halls, north: Steps
) -> None:
    copy = cup.folder / "copy.dalej"
    north.ledger.backup(copy)
    play(north.event, GameAt(1, 1), 1)
    cup.closes()
    north.put_back(copy)
    cup.sync()
    does(cup.event, ReopenRound("league/1"), "a sheet was found")
    does(cup.event, GiveRound())
    cup.expect_the_same()
    racks = racks_of(GameAt(1, 1), north.round(), 9)
    does(north.event, CorrectResult(table=1, game=1, racks=racks, ended="went_out"), "read wrongly")
    cup.back()
    cup.expect_the_same()
    assert set(cup.round().results) == {GameAt(1, 1)}


def test_a_file_that_comes_back_after_another_one_keeps_its_results_of_closed_rounds(cup: Halls, north: Steps) -> None:
    """Given two files of one hall, of which the first played a round that is closed, when the second tells for a while
    and then the first again, then both and the centre count what was played.
    """
    other, first = cup.folder / "other.dalej", cup.folder / "first.dalej"
    north.ledger.backup(other)
    play(north.event, GameAt(1, 1), 1)
    play(north.event, GameAt(2, 3), 1)
    cup.closes()
    north.ledger.backup(first)
    for _ in range(2):
        for file in (other, first):
            north.put_back(file)
            cup.expect_the_same()
            assert set(north.round().results) == {GameAt(1, 1), GameAt(2, 3)}
    assert not cup.said


@pytest.mark.parametrize("to", ["", "South"], ids=["the centre itself", "another hall"])
def test_what_is_confirmed_after_a_table_moved_finds_the_result_of_the_hall_before(
    cup: Halls, north: Steps, south: Steps, to: str
) -> None:
    play(north.event, GameAt(3, 1), 1)
    cup.sync()
    cup.back()
    does(cup.event, SetHall(hall="North", tables="1-2"))
    if to:
        does(cup.event, SetHall(hall="South", tables="3-6"))
        does(cup.event, GiveRound())
    cup.sync()
    confirm(south.event if to else cup.event, 3)
    cup.expect_the_same()
    assert cup.round().results[GameAt(3, 1)].confirmed is not None
    if to:
        cup.closes()
    cup.expect_the_same()


def test_a_closed_round_is_corrected_at_the_centre_while_the_next_one_is_played(cup: Halls, north: Steps) -> None:
    play(north.event, GameAt(1, 1), 1)
    cup.closes()
    cup.seat(2)
    cup.sync()
    play(north.event, GameAt(1, 1), 1)
    cup.sync()
    racks = racks_of(GameAt(1, 1), cup.round(), 9)
    right = CorrectClosed(table=1, game=1, round="league/1", racks=racks, ended="went_out")
    with pytest.raises(Refused, match="League, round 1 is closed: the centre corrects it"):
        does(north.event, right, "a sheet was found")
    before = scores(cup.round())
    does(cup.event, right, "a sheet was found")
    assert scores(cup.round()) != before
    cup.expect_the_same()


def test_what_the_centre_has_corrected_stays_when_a_file_from_before_is_put_back(cup: Halls, north: Steps) -> None:
    play(north.event, GameAt(1, 1), 1)
    copy = cup.folder / "copy.dalej"
    north.ledger.backup(copy)
    cup.closes()
    racks = racks_of(GameAt(1, 1), cup.round(), 9)
    does(cup.event, CorrectClosed(table=1, game=1, round="league/1", racks=racks, ended="went_out"), "a sheet")
    corrected = scores(cup.round())
    cup.sync()
    does(cup.event, ReopenRound("league/1"), "another sheet")
    does(cup.event, GiveRound())
    cup.sync()
    north.put_back(copy)
    cup.expect_the_same()
    assert scores(cup.round()) == corrected


def test_undo_at_the_centre_passes_over_no_step_that_halls_have_heard_of(cup: Halls) -> None:
    cup.closes()
    does(cup.event, SetHall(hall="South", tables="4-5"))
    with pytest.raises(Refused, match=r"hall South: tables 4, 5.* is not taken back but decided otherwise"):
        undo.undo(cup.event, None, "x")


def test_whoever_types_in_a_hall_what_the_centre_does_is_told_so(cup: Halls, north: Steps) -> None:
    for act in (GiveRound(), TakeRound(), CloseRound()):
        with pytest.raises(Refused, match="rounds and rules are decided at the centre"):
            does(north.event, act)
    with pytest.raises(Refused, match="is with the halls North, South, West: take it back first"):
        does(cup.event, CloseRound())
    cup.back()
    does(cup.event, SetHall(hall="West", tables="8"))
    does(cup.event, GiveRound())
    cup.sync()
    with pytest.raises(Refused, match="table 7 stands in no hall: it is decided about at the centre"):
        play(north.event, GameAt(7, 1), 1)
    play(cup.event, GameAt(7, 1), 1)
    cup.expect_the_same()


def test_a_hall_of_a_wrong_name_is_taken_out_again_after_a_round(cup: Halls) -> None:
    cup.closes()
    with pytest.raises(Refused, match="table 7 stands in hall West"):
        does(cup.event, SetHall(hall="Wset", tables="7-9"))
    does(cup.event, SetHall(hall="West", tables=""))
    does(cup.event, SetHall(hall="Wset", tables="7-8"))
    does(cup.event, SetHall(hall="Wset", tables=""))
    assert set(cup.event.state().halls) == {"North", "South"}


def test_a_retelling_that_breaks_off_takes_nothing_away_and_is_no_copy(
    cup: Halls, north: Steps, mirror: Mirror, tmp_path: Path
) -> None:
    play(north.event, GameAt(1, 1), 1)
    copy = tmp_path / "copy.dalej"
    north.ledger.backup(copy)
    does(north.event, Warn(player=1), "talks")
    cup.sync()
    north.put_back(copy)
    assert north.meet().epoch == 2
    assert set(cup.round().results) == {GameAt(1, 1)}, "it has told nothing yet"
    with pytest.raises(Refused, match=r"0 entries of epoch 2, and .* of the one before") as refused:
        copy_hall(mirror, "North", tmp_path / "new.dalej", 1)
    assert refused.value.hint is not None
    assert copy_hall(mirror, "North", tmp_path / "new.dalej", 1, epoch=1) > 1
    with opened(tmp_path / "new.dalej", "x", cup.clock) as event:
        assert event.state().rounds[KEY].results.keys() == {GameAt(1, 1)}
    cup.expect_the_same()


def test_what_was_not_taken_is_told_though_the_centre_was_started_anew_meanwhile(cup: Halls, north: Steps) -> None:
    copy = cup.folder / "copy.dalej"
    north.ledger.backup(copy)
    play(north.event, GameAt(1, 3), 1)
    cup.closes()
    north.put_back(copy)
    play(north.event, GameAt(1, 1), 1)
    north.tell()
    cup.whole = Whole(Event(cup.ledger, who="the centre", wall_ms=cup.clock))
    play(north.event, GameAt(2, 1), 1)
    north.tell()
    cup.expect_the_same()
    assert set(north.round().results) == {GameAt(1, 3)}


def test_of_an_event_file_that_is_none_of_this_hall_nothing_is_taken(cup: Halls, north: Steps, tmp_path: Path) -> None:
    play(north.event, GameAt(1, 1), 1)
    cup.sync()
    before = table_of(cup.event)
    other = tmp_path / "evening.dalej"
    with Ledger.create(other) as ledger:
        ledger.decide("note", {}, who="x", when_ms=1, why="x")
    north.ledger.close()
    north.file = other
    north.begin()
    north.tell()
    assert table_of(cup.event) == before
    assert any("not its own of this event" in one for one in cup.said)


def test_how_games_count_is_not_changed_while_halls_confirm_them(cup: Halls) -> None:
    with pytest.raises(Refused, match="take it back first"):
        does(cup.event, SetOption(setting="joker_points", value="25", knowingly=True))
    does(cup.event, SetOption(setting="limit", value="50s"))


def test_whoever_takes_back_the_last_step_in_a_hall_means_their_own(cup: Halls, north: Steps, south: Steps) -> None:
    play(north.event, GameAt(1, 1), 1)
    play(south.event, GameAt(4, 1), 1)
    undo.undo(south.event, None, "wrong table")
    cup.sync()
    before = len(north.round().results)
    undo.undo(north.event, None, "wrong table")
    assert len(north.round().results) <= before
    cup.expect_the_same()


def test_what_refers_to_nothing_that_a_hall_has_is_passed_over(cup: Halls, north: Steps) -> None:
    """Given a revocation of something that North was never told, as the last of the centre's decisions."""
    number = cup.ledger.decide("home", {"hall": "-"}, who="x", when_ms=1, why="x").cursor
    cup.ledger.revoke(number, who="x", when_ms=2, why="x")
    for _ in range(2):
        north.listen()
    does(cup.event, Warn(player=1), "talks")
    cup.sync()
    assert len(north.event.state().players[1].warnings) == 1


# --- a hall with a valid key -----


def _result(cup: Halls, table: int, game: int = 1, **more: Json) -> tuple[str, dict[str, Json], str]:
    seating = cup.round().seating
    assert seating is not None
    seats = seating.at(table)
    assert seats is not None
    racks: list[Json] = [
        {"seat": seat, "player": player, "points": 0 if seat == "A" else 9, "jokers": 0, "opened": True}
        for seat, player in zip("ABCD", seats.players, strict=True)
    ]
    body: dict[str, Json] = {
        "stage": "league", "round": 1, "table": table, "game": game, "ended": "went_out", "started": 4, "ruling": "",
        "racks": racks, **more,
    }  # fmt: skip
    return RESULT, body, f"result:league:1:{table}:{game}"


def _of_another_table(cup: Halls) -> tuple[str, dict[str, Json], str]:
    kind, body, _subject = _result(cup, 5)
    return kind, {**body, "table": 1}, "result:league:1:1:1"


def _nested(_cup: Halls) -> tuple[str, dict[str, Json], None]:
    deep: Json = []
    for _ in range(900):
        deep = [deep]
    return WARNED, {"player": 1, "more": deep}, None


STRANGE: Mapping[str, Callable[[Halls], tuple[str, Mapping[str, Json], str | None]]] = {
    "a list within lists": _nested,
    "more than anybody writes": lambda _cup: (WARNED, {"player": 1, "more": "x" * 9_000}, None),
    "a player of another table": _of_another_table,
    "a player whom nobody knows": lambda cup: _result(cup, 1, racks=[{"seat": "A", "player": 9_999, "points": 0}]),
    "a game that the round has not": lambda cup: _result(cup, 1, game=77),
    "a table of another hall": lambda cup: _result(cup, 5),
    "the subject of another table": lambda cup: (*_result(cup, 1)[:2], "result:league:1:9:1"),
    "no subject": lambda cup: (*_result(cup, 1)[:2], None),
    "an end that there is not": lambda cup: _result(cup, 1, ended="stolen"),
    "a number that no file holds": lambda _cup: (
        CONFIRMED, {"stage": "league", "round": 1, "table": 1, "results": [10**18 * 9]}, "confirmed:league:1:1"
    ),
    "a warning for nobody": lambda _cup: (WARNED, {"player": 9_999}, None),
    "complete, for another hall": lambda _cup: (
        COMPLETE, {"stage": "league", "round": 1, "hall": "South", "of": 1}, None
    ),
}  # fmt: skip


@pytest.mark.parametrize("what", STRANGE)
def test_what_a_hall_has_no_business_to_say_is_not_taken_and_stops_nobody(
    cup: Halls, north: Steps, south: Steps, what: str
) -> None:
    kind, body, subject = STRANGE[what](cup)
    before = table_of(cup.event)
    number = north.decides(kind, body, subject)
    north.tell()
    assert [one for one in cup.said if f"hall North, entry {number} is not taken" in one]
    assert table_of(cup.event) == before
    south.listen()
    play(south.event, GameAt(4, 1), 1)
    south.tell()
    with Ledger.open(cup.file) as ledger:
        state = Event(ledger, who="x", wall_ms=cup.clock).state()
    assert set(state.rounds[KEY].results) == {GameAt(4, 1)}


def test_a_hall_does_not_take_back_that_it_is_complete(cup: Halls, north: Steps) -> None:
    cup.closes()
    marker = next(one for one in north.event.read().decisions() if one.kind == COMPLETE)
    north.ledger.revoke(marker.cursor, who="Kuna", when_ms=cup.clock(), why="x")
    north.tell()
    kind, body, subject = _result(cup, 1)
    north.decides(kind, body, subject)
    north.tell()
    assert not cup.round().results
    assert not cup.round().returns
    assert any("takes back that the hall is complete" in one for one in cup.said)


def test_a_step_of_a_hall_is_none_of_the_centres(cup: Halls, north: Steps) -> None:
    """Given a warning by the same name at the same instant, for the same reason, as the centre's last step."""
    made = does(cup.event, Warn(player=1), "talks")
    last = cup.event.ledger.decisions_between(made.decisions[0] - 1, made.decisions[0])[0]
    north.ledger.decide(WARNED, {"player": 2}, who=last.who, when_ms=last.when_ms, why=last.why)
    north.tell()
    undone = undo.undo(cup.event, None, "x")
    assert [one.cursor for one in undone.decisions] == [last.cursor]
