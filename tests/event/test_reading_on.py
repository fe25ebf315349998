"""What a reading that goes on for a whole day says is what somebody says who opens the event then; what says nothing,
or what was decided and taken back, keeps nobody from the rest.
"""

from __future__ import annotations

import gc
import weakref
from collections.abc import Iterator
from pathlib import Path
from random import Random

import pytest

from dalej.domain.game.facts import Fact
from dalej.domain.game.games import BoxGame, BoxGames
from dalej.domain.tournament.tournament import OPTION, SEATING, GameAt, RoundKey
from dalej.errors import WrongInput
from dalej.event import cases, eventlog
from dalej.event.boxplaces import BoxTables
from dalej.event.event import Event
from dalej.event.ledger import ASSIGN, Report
from dalej.event.people import SEATED
from dalej.event.reading import read
from dalej.event.roundgames import RoundGames, games_of_round
from dalej.event.tables import Tables
from dalej.views.hall import HallModel
from moveclock import facts as k
from tests import world
from tests.desk.evening.evening import SOON_MS, Evening
from tests.domain.begun import OTHER, go_out, lay, table
from tests.domain.evenings import evening
from tests.domain.tables import BOX, A, Journal
from tests.views.writing import RULES
from tests.world import NOON


@pytest.fixture
def league(tmp_path: Path) -> Iterator[Event]:
    """Four are seated; a box stands at their table."""
    with world.an_event(tmp_path, 4) as event:
        world.stands(event, BOX, 1)
        yield event


def test_a_move_after_the_announcement_counts_though_somebody_looked_before_it(league: Event) -> None:
    """pl-eliminations 6n: who announced the opening in the last move is no player who never opened."""
    journal = Journal()
    journal.write(k.CONFIGURED, 0, 0, b=15, c=50)
    journal.write(k.GAME_STARTED, 0, 0, c=50)
    for move in range(1, 5):
        journal.play(move - 1, move, move * 10_000, 5_000, k.BY_JUZ)
    journal.write(k.OPENING_ANNOUNCED, 51_000, 5, 0)
    journal.play(0, 5, 50_000, 5_000, k.BY_JUZ)
    now_ms = league.wall_ms() + 10_000
    league.ledger.record([Report(fact, now_ms) for fact in journal.facts])
    one = league.state().current
    assert one is not None
    for lately in (True, False):
        games_of_round(league.read(), league.state(), one.key, lately=lately)

    for move in range(6, 11):
        journal.play((move - 1) % 4, move, move * 10_000, 5_000, k.BY_JUZ)
    league.ledger.record([Report(fact, now_ms) for fact in journal.facts])

    known = games_of_round(league.read(), league.state(), one.key)
    assert known == games_of_round(read(league.ledger), league.state(), one.key)
    assert known[GameAt(1, 1)].moved, "it is a game in which somebody moved"


@pytest.mark.parametrize("lately", [True, False])
def test_what_boxes_told_of_a_round_is_looked_through_again_only_when_a_game_or_the_tournament_is_another(
    league: Event, lately: bool
) -> None:
    """Given somebody who has looked at one table in between: what is new there is new for all."""
    journal = Journal()
    journal.write(k.CONFIGURED, 0, 0, b=15, c=50)
    journal.write(k.GAME_STARTED, 0, 0, c=50)
    one = league.state().current
    assert one is not None

    def told() -> dict[GameAt, BoxGame]:
        league.ledger.record([Report(fact, NOON) for fact in journal.facts])
        return games_of_round(league.read(), league.state(), one.key, lately=True)

    def fresh() -> dict[GameAt, BoxGame]:
        return games_of_round(read(league.ledger), league.state(), one.key)

    before = told()
    assert told() is before
    journal.play(0, 1, 10_000, 5_000, k.BY_JUZ)
    first = told()
    journal.play(1, 2, 20_000, 5_000, k.BY_JUZ)
    assert told() is first
    league.ledger.decide("call_taken", {"table": 1, "call": "time_out"}, who="Sowa", when_ms=NOON, why="so")
    assert told() is first

    journal.write(k.GAME_ENDED, 30_000, 2, 1, k.WENT_OUT)
    league.ledger.record([Report(fact, NOON) for fact in journal.facts])
    games_of_round(league.read(), league.state(), one.key, [1], lately=lately)
    assert told() == fresh()
    assert told()[GameAt(1, 1)].ended is not None
    option(league, "joker_points", 30)
    assert told() == fresh()


def game_begins(league: Event, journal: Journal | None = None) -> RoundKey:
    """The first one of the round at its table; which round that is."""
    journal = journal or Journal()
    journal.write(k.CONFIGURED, 0, 0, b=15, c=50)
    journal.write(k.GAME_STARTED, 0, 0, c=50)
    league.ledger.record([Report(fact, NOON) for fact in journal.facts])
    one = league.state().current
    assert one is not None
    return one.key


def test_who_looks_at_one_table_again_and_again_goes_through_no_game_again(
    league: Event, monkeypatch: pytest.MonkeyPatch
) -> None:
    journal = Journal()
    key = game_begins(league, journal)
    (at,) = games_of_round(league.read(), league.state(), key, [1], lately=True)
    assert at == GameAt(1, 1)
    looked: list[int] = []
    of_fact = BoxTables.table_of_fact

    def counted(boxes: BoxTables, box: str, epoch: int, seq: int) -> int | None:
        looked.append(seq)
        return of_fact(boxes, box, epoch, seq)

    monkeypatch.setattr(BoxTables, "table_of_fact", counted)

    assert [*games_of_round(league.read(), league.state(), key, [1], lately=True)] == [at]
    assert games_of_round(league.read(), league.state(), key, [2], lately=True) == {}
    assert looked == []
    journal.play(0, 1, 10_000, 5_000, k.BY_JUZ)
    league.ledger.record([Report(fact, NOON) for fact in journal.facts])
    games_of_round(league.read(), league.state(), key, [1])
    assert looked, "who asks for what is so now gets it"


def test_who_looks_at_a_table_sees_no_game_of_a_box_that_stands_elsewhere_by_now(league: Event) -> None:
    key = game_begins(league)

    def looks() -> list[GameAt]:
        return [*games_of_round(league.read(), league.state(), key, [1], lately=True)]

    assert looks() == [GameAt(1, 1)]
    (stands,) = league.read().decisions(ASSIGN, standing=True)
    league.ledger.revoke(stands.cursor, who="Puchacz", when_ms=NOON, why="it does not stand there")
    world.stands(league, BOX, 2)

    assert looks() == []


def plays(journal: Journal, moves: int = 4, *, set_up: bool = True) -> None:
    """Another game 1, which nobody ends."""
    if set_up:
        journal.write(k.CONFIGURED, 0, 0, b=15, c=50)
    journal.write(k.GAME_STARTED, 0, 0, c=50)
    for move in range(1, moves + 1):
        journal.play((move - 1) % 4, move, move * 10_000, 5_000, k.BY_JUZ)


def expect_as_fresh(league: Event, key: RoundKey) -> dict[GameAt, BoxGame]:
    """What is known, which is what whoever reads anew finds, and what screens show."""
    shown = games_of_round(league.read(), league.state(), key, lately=True)
    known = games_of_round(league.read(), league.state(), key)
    assert shown == known == games_of_round(read(league.ledger), league.state(), key)
    return known


def test_a_box_of_which_somebody_says_later_since_when_it_stands_elsewhere_has_a_game_at_both_tables(
    tmp_path: Path,
) -> None:
    """Given the same number at both: at one table the second would replace the first."""
    journal = Journal()
    plays(journal)
    there = journal.facts[-1].seq
    plays(journal)
    with world.an_event(tmp_path, 8) as league:
        world.stands(league, BOX, 1)
        league.ledger.record([Report(fact, NOON) for fact in journal.facts])
        one = league.state().current
        assert one is not None
        assert [*expect_as_fresh(league, one.key)] == [GameAt(1, 1)]

        world.stands(league, BOX, 2, there)

        assert [*expect_as_fresh(league, one.key)] == [GameAt(1, 1), GameAt(2, 1)]


def test_a_game_of_which_the_setting_up_is_not_known_stays_where_it_was_told_whoever_is_put_elsewhere(
    tmp_path: Path,
) -> None:
    journal = Journal()
    plays(journal, set_up=False)
    there = journal.facts[-1].seq
    plays(journal)
    with world.an_event(tmp_path, 8) as league:
        world.stands(league, BOX, 1)
        world.stands(league, BOX, 2, there)
        league.ledger.record([Report(fact, NOON) for fact in journal.facts])
        one = league.state().current
        assert one is not None
        assert [*expect_as_fresh(league, one.key)] == [GameAt(1, 1), GameAt(2, 1)]

        world.stands(league, OTHER, 2)

        assert [*expect_as_fresh(league, one.key)] == [GameAt(1, 1), GameAt(2, 1)]


def test_a_game_from_before_its_round_was_drawn_anew_is_none_of_it(league: Event) -> None:
    key = game_begins(league)
    assert [*expect_as_fresh(league, key)] == [GameAt(1, 1)]
    (drawn,) = league.read().decisions(SEATING, standing=True)
    league.ledger.revoke(drawn.cursor, who="Puchacz", when_ms=NOON + 60_000, why="somebody came late")
    assert expect_as_fresh(league, key) == {}

    world.draw(league, 1)

    assert expect_as_fresh(league, key) == {}


def test_a_game_that_is_taken_over_under_a_number_that_the_box_has_played_is_news(league: Event) -> None:
    journal = Journal()
    plays(journal)
    journal.write(k.GAME_ENDED, 50_000, 4, 1, k.WENT_OUT)
    journal.write(k.CONFIGURED, 0, 0, b=15, c=50)
    league.ledger.record([Report(fact, NOON) for fact in journal.facts])
    one = league.state().current
    assert one is not None
    expect_as_fresh(league, one.key)

    journal.write(k.MOVE_STARTED, 60_000, 7, 2, a=30_000, b=1 << 9, c=40)
    league.ledger.record([Report(fact, NOON) for fact in journal.facts])

    assert expect_as_fresh(league, one.key)[GameAt(1, 2)].takes_over


def test_a_box_that_says_more_leads_through_nothing_that_it_or_others_have_said_before(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    first, second = table(), table(box=OTHER)
    told: list[int] = []
    add = BoxGames.add

    def noted(self: BoxGames, fact: Fact) -> None:
        told.append(fact.seq)
        add(self, fact)

    with world.an_event(tmp_path, 8) as league:
        world.stands(league, BOX, 1)
        world.stands(league, OTHER, 2)
        after = world.tell(league, first), world.tell(league, second)
        one = league.state().current
        assert one is not None
        expect_as_fresh(league, one.key)
        games = league.read().fold(RoundGames)
        reads = games.reads
        monkeypatch.setattr(BoxGames, "add", noted)

        go_out(first, A)
        lay(second, A)
        said = [fact.seq for fact in first.facts[after[0] :]]
        world.tell(league, first, after[0])
        world.tell(league, second, after[1])
        games_of_round(league.read(), league.state(), one.key, lately=True)
        assert (games.reads, told) == (reads + 1, said), "that box alone has ended a game"
        games_of_round(league.read(), league.state(), one.key, [1])
        assert games.reads == reads + 1
        games_of_round(league.read(), league.state(), one.key)
        assert (games.reads, told) == (reads + 2, [*said, *(fact.seq for fact in second.facts[after[1] :])])


def test_what_nobody_reads_any_more_goes_at_once(league: Event) -> None:
    """Nor may it hold itself: what a program has for the day is not searched for that (`dalej.cli.longlived`)."""
    game_begins(league)
    reading = read(league.ledger)
    held = [weakref.ref(reading.fold(fold)) for fold in (Tables, RoundGames)]
    gc.disable()
    try:
        reading.back_to(0)
        assert [one() for one in held] == [None, None]
    finally:
        gc.enable()


@pytest.mark.parametrize("which", range(8))
def test_whoever_reads_on_for_an_evening_knows_the_games_that_a_fresh_reader_finds(tmp_path: Path, which: int) -> None:
    """Given facts that come late, numbers that are played again, and a box that is carried to and fro."""
    chance = Random(which)
    *_, at = evening(which, 150)
    untold = list(at.facts)
    with world.an_event(tmp_path, 8) as league:
        world.stands(league, BOX, 1)
        one = league.state().current
        assert one is not None
        while untold:
            told = [untold.pop(0) for _ in range(min(len(untold), chance.randrange(1, 12)))]
            untold += [told.pop(chance.randrange(len(told))) for _ in range(chance.randrange(3)) if untold and told]
            league.ledger.record([Report(fact, NOON) for fact in told])
            if chance.random() < 0.1:
                world.stands(league, BOX, chance.choice((1, 2)), chance.choice((0, at.facts[-1].seq - len(untold))))
            asked = chance.choice((None, [1], [2]))
            games_of_round(league.read(), league.state(), one.key, asked, lately=chance.random() < 0.7)

            known = games_of_round(league.read(), league.state(), one.key)
            assert known == games_of_round(read(league.ledger), league.state(), one.key)
        assert known, "somebody has played"


def option(event: Event, key: str, value: object) -> int:
    return event.ledger.decide(
        OPTION, {"key": key, "value": value}, who="Puchacz", when_ms=1, why="so", subject=f"option:{key}",  # type: ignore[dict-item]  # a number
        expects=event.state().latest.get(f"option:{key}"),
    ).cursor  # fmt: skip


def test_settings_that_would_not_have_gone_together_before_they_were_taken_back_lock_nobody_out(league: Event) -> None:
    most = option(league, "players_max", 60)
    option(league, "players_min", 40)
    option(league, "players_min", 4)
    league.ledger.revoke(most, who="Puchacz", when_ms=2, why="not so many")

    reading = read(league.ledger)

    assert eventlog.ruleset_of(reading).players_max == eventlog.ruleset_of(league.read()).players_max == 32
    assert eventlog.turns(reading) == []
    assert cases.cases(reading, league.state()) == []


def test_rules_that_cannot_be_read_are_said_and_a_screen_goes_by_the_last_that_could(league: Event) -> None:
    wrong = option(league, "players_min", 400)
    reading = read(league.ledger)
    with pytest.raises(WrongInput, match="players_min is 400"):
        eventlog.turns(reading)
    model = HallModel(RULES)
    troubles = 0
    for entry in league.ledger.since(0):
        try:
            model.entry(entry)
        except WrongInput:
            troubles += 1
    assert (troubles, model.ruleset.players_min) == (1, RULES.players_min)

    league.ledger.revoke(wrong, who="Puchacz", when_ms=2, why="a slip")

    assert eventlog.turns(read(league.ledger)) == []


def test_a_decision_that_seats_nobody_keeps_nobody_from_the_log(league: Event) -> None:
    league.ledger.decide(SEATED, {"table": "x"}, who="Puchacz", when_ms=1, why="so")
    reading = read(league.ledger)
    assert eventlog.turns(reading) == []
    assert len(reading.fold(Tables).troubles) == 1


def test_a_box_that_was_put_on_a_wrong_table_and_back_keeps_what_was_ruled_meanwhile(tmp_path: Path) -> None:
    with Evening(tmp_path, boxes=2, players=8) as evening:
        evening.begins("1")
        evening.play("1", 2)
        evening.put("1", 2)  # by mistake: it stays where it is, and its game goes on
        evening.run()
        for _ in range(2):
            evening.play("1", 1)
            evening.run()
        evening.run(evening.clock_of("1").settings.limit_ms + 4_000)
        evening.tap("1", 2 * evening.clock_of("1").next_seat() + 1)
        evening.run()
        evening.play("1", 1)
        evening.run()
        evening.put("1", 1)
        evening.run(2 * SOON_MS)
        evening.play("1", 2)
        evening.run()

        reading = evening.event.read()
        late = [one.turn for one in eventlog.turns(reading) if one.turn.how == "timeout"]
        ruled = [one for one in cases.cases(reading, evening.event.state()) if one.current is not None]

    assert [(one.move, one.ruling) for one in late] == [
        (case.place.move, case.current.ruling) for case in ruled if case.current is not None
    ]
    assert late
    assert all(one.ruling is not None for one in late)
