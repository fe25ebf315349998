"""The book that screens read: what it says after every kind of news, what it says when the file cannot be read, and
that a fact of a game that merely goes on costs no more than its reading.
"""

from __future__ import annotations

import asyncio
import random
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dalej.domain.tournament.tournament import GameAt
from dalej.errors import Unreachable, WrongInput
from dalej.event.event import Event
from dalej.event.ledger import Ledger
from dalej.event.reading import read
from dalej.event.roundgames import RoundGames, games_of_round
from dalej.views.book import EventBook
from moveclock import facts as k
from tests import world
from tests.domain.begun import announce, go_out, lay, next_game, table
from tests.domain.tables import BOX, A, B
from tests.world import Ticking, close, draw, play, stands, tell

DEADLINE_S = 20


@pytest.fixture
def event(tmp_path: Path) -> Iterator[Event]:
    """A league of eight, seated at two tables; the first has a box."""
    with world.an_event(tmp_path) as held:
        stands(held, BOX, 1)
        yield held


@pytest.fixture
def book(event: Event) -> Iterator[EventBook]:
    with Ledger.open(event.ledger.path) as ledger:
        yield EventBook(Event(ledger, who="", wall_ms=Ticking()))


async def test_a_page_says_what_was_decided(event: Event, book: EventBook) -> None:
    assert await book.turn()
    assert book.page.state is not None
    assert len(book.page.state.players) == 8
    assert not await book.turn()
    play(event, random.Random(1))
    assert await book.turn()
    assert book.page.round is not None
    assert not book.page.round.missing()


async def test_a_page_says_how_a_box_saw_its_game_end(event: Event, book: EventBook) -> None:
    played = table()
    told = tell(event, played)
    await book.turn()
    assert book.page.boxes[GameAt(1, 1)].ended is None
    lay(played, A)
    go_out(played, B)
    told = tell(event, played, told)
    assert await book.turn()
    assert (book.page.boxes[GameAt(1, 1)].ended, book.page.boxes[GameAt(1, 1)].winner) == ("went_out", "B")
    next_game(played)
    tell(event, played, told)
    assert await book.turn()
    assert GameAt(1, 2) in book.page.boxes


async def test_moves_of_a_game_that_goes_on_read_no_box_anew_and_turn_no_page(event: Event, book: EventBook) -> None:
    played = table()
    told = tell(event, played)
    await book.turn()
    games, head = book._event.read().fold(RoundGames), book.page.head
    reads = games.reads
    for _ in range(5):
        for _seat in range(4):
            lay(played, played.clock.seat)
        told = tell(event, played, told)
        assert not await book.turn()
    assert games.reads == reads
    assert book.page.head > head


async def test_an_event_file_that_is_gone_is_told_and_what_was_read_stays(event: Event, book: EventBook) -> None:
    await book.turn()
    state = book.page.state

    def broken() -> int:
        raise Unreachable("the event file stays locked")

    head, book._event.ledger.head = book._event.ledger.head, broken  # type: ignore[method-assign]  # it fails
    assert await book.turn()
    assert str(book.page.problem) == "the event file stays locked"
    assert book.page.state is state
    assert not await book.turn()
    book._event.ledger.head = head  # type: ignore[method-assign]  # it fails
    assert await book.turn()
    assert book.page.problem is None
    assert book.page.state is not None


async def test_an_event_without_a_ruleset_says_so_until_it_has_one(tmp_path: Path) -> None:
    with Ledger.create(tmp_path / "bare.dalej") as ledger:
        book = EventBook(Event(ledger, who="", wall_ms=Ticking()))
        await book.turn()
        assert book.page.state is None
        assert isinstance(book.page.problem, WrongInput)


STEPS = st.lists(
    st.sampled_from(["lay", "out", "next", "announce", "reopen", "redeal", "result", "look", "look", "reboot"]),
    max_size=24,
)  # fmt: skip


@given(STEPS)
def test_whatever_happens_the_book_knows_the_games_as_somebody_who_reads_everything_anew(
    tmp_path_factory: pytest.TempPathFactory, steps: list[str]
) -> None:
    with world.an_event(tmp_path_factory.mktemp("book")) as event:
        stands(event, BOX, 1)
        book = EventBook(event)
        played, told, lot = table(), 0, random.Random(1)
        for step in [*steps, "look"]:
            seat = played.clock.seat if played.clock.seat < 4 else A
            if step == "lay":
                lay(played, seat)
            elif step == "out":
                go_out(played, seat)
            elif step == "announce":
                announce(played, seat)
            elif step == "next" and played.clock.state == 5:
                next_game(played)
            elif step == "reopen":
                played.order(k.C_REOPEN, 0)
            elif step == "redeal":
                played.order(k.C_REDEAL)
            elif step == "reboot":
                played.cut_power()
            elif step == "result" and (one := event.state().current) is not None and one.missing():
                play(event, lot, one.missing()[:1])
            elif step == "result":
                close(event)
                draw(event, again=False)
            elif step == "look":
                told = tell(event, played, told)
                asyncio.run(book.turn())
                state, page = event.state(), book.page
                assert state.current is not None
                anew = games_of_round(read(event.ledger), state, state.current.key)
                assert _but_for_the_bank(page.boxes) == _but_for_the_bank(anew)


def _but_for_the_bank(games: object) -> object:
    """A game that goes on is not read again for each tile and move."""
    assert isinstance(games, dict)
    return {
        at: game if game.ended is not None else (game.box, game.game, game.begun, game.winner, game.reopened)
        for at, game in games.items()
    }


async def test_a_turn_that_nobody_waits_for_any_more_ends_before_the_next_begins(event: Event, book: EventBook) -> None:
    """A screen that closes gives up what it waits for; its thread goes on reading."""
    await book.turn()
    play(event, random.Random(1))
    begun, go_on, reading, most = threading.Event(), threading.Event(), [0], [0]
    head = book._event.ledger.head

    def slow() -> int:
        reading[0] += 1
        most[0] = max(most[0], reading[0])
        begun.set()
        assert go_on.wait(DEADLINE_S)
        try:
            return head()
        finally:
            reading[0] -= 1

    book._event.ledger.head = slow  # type: ignore[method-assign]  # it takes its time
    left = asyncio.ensure_future(book.turn())
    assert await asyncio.to_thread(begun.wait, DEADLINE_S)
    left.cancel()
    begun.clear()
    following = asyncio.ensure_future(book.turn())
    for _ in range(20):
        await asyncio.sleep(0)
    assert not begun.is_set()
    go_on.set()
    await following
    assert most == [1]
    assert book.page.state is not None
    assert book.page.state.rounds
