"""A whole day of a referee, of an organiser, of the public: in Chromium, Firefox and WebKit, by touch, and by keys.

Each engine that is not here is skipped, with the name of Debian's package that has it.
"""

from __future__ import annotations

from collections.abc import Callable, Coroutine
from pathlib import Path
from typing import Any, Final

import pytest

from dalej.domain.game.calls import TAKEN
from dalej.domain.tournament.tournament import Tournament
from dalej.event.event import state_of
from dalej.event.reading import read
from tests.web.engines import Driven
from tests.web.halls import CALLED, CLAIMED, DISPUTED, LATE, hall, league
from tests.web.person import Hand, Person
from tests.web.rig import Rig, invited, served
from tests.world import FIRST, an_event, at_noon

HANDS: Final = ("touch", "keyboard")
RACKS: Final = {"A": "0", "B": "15", "C": "25", "D": "35"}
GAMES: Final = 4  # of a league's round
WELL_DONE: Final = ".done:not(.trouble)"


def day(driven: Driven, folder: Path, hand: Hand, story: Callable[[Rig, Person], Coroutine[Any, Any, None]],
        **plan: Any) -> None:  # fmt: skip
    """One person's, whose scripts have nothing to complain of."""

    async def run() -> None:
        async with served(folder, **plan) as rig, driven.engine.tab() as tab:
            await story(rig, Person(tab, rig.url, hand))
            assert tab.problems == []

    driven.run(run())


def decided(rig: Rig, kind: str) -> list[str]:
    return [one.who for one in read(rig.ledger).decisions() if one.kind == kind and not one.revoked_by]


def of(rig: Rig) -> Tournament:
    return state_of(read(rig.ledger))


async def entered(borsuk: Person, rig: Rig, games: int) -> None:
    await borsuk.until_so(lambda: len(of(rig).rounds[FIRST].results) == games, f"{games} games in the event")
    await borsuk.reads(f"game {games}: the result is entered")  # else what is chosen next meets a page on its way


async def joins(person: Person, rig: Rig, role: str, name: str) -> None:
    """By an invitation, as it is scanned."""
    async with rig.browser() as organiser:
        await organiser.log_in("organiser", "Borsuk", lang="en")
        await person.goto("/login?lang=en")
        await person.goto(await invited(organiser, role))
    await person.fill("#name", name)
    await person.choose("button.does")
    await person.until("document.getElementById('main')", "the first page")


@pytest.mark.parametrize("hand", HANDS)
def test_a_referee_joins_takes_a_call_answers_a_time_out_a_claim_and_a_dispute_and_takes_back(
    driven: Driven, tmp_path: Path, hand: Hand
) -> None:
    async def story(rig: Rig, sowa: Person) -> None:
        await joins(sowa, rig, "referee", "Sowa")
        await sowa.choose(f"[data-call='{CLAIMED} early_click'] a[data-act=take_call]")
        await sowa.until_so(lambda: decided(rig, TAKEN) == ["Sowa (referee)"], "the call that Sowa took")
        await sowa.until(f"document.querySelector(\"[data-call='{CLAIMED} early_click'] .taken\")", "who is on the way")
        await sowa.until("document.querySelector('#done .done')", "that it is done")

        sowa.touches = 0
        await sowa.choose(f"[data-call='{LATE} time_out'] summary")
        await sowa.choose(f"[data-call='{LATE} time_out'] details a", "late or not valid → undone, draws 1")
        await sowa.until_so(lambda: decided(rig, "ruling") == ["Sowa (referee)"], "the ruling, where the call stands")
        await sowa.until(
            f"document.querySelector({WELL_DONE!r}).textContent.includes('Table 1, game 1')", "that it is said"
        )
        await answered(sowa, LATE)

        await sowa.choose(".done button", "Take it back")
        await sowa.until_so(lambda: decided(rig, "ruling") == [], "the ruling that was taken back")
        await sowa.until(f"document.querySelector(\"[data-call='{LATE} time_out']\")", "the call that waits again")

        sowa.touches = 0
        await sowa.choose(f"[data-call='{CLAIMED} early_click'] a.card")
        await sowa.choose("button", "yes → fresh move: Jeż (B)")
        await answered(sowa, CLAIMED)
        assert decided(rig, "claim") == ["Sowa (referee)"]

        sowa.touches = 0
        await sowa.choose(f"[data-call='{DISPUTED} dispute'] a.card")
        await sowa.choose("button", "stop the clock")
        await answered(sowa, DISPUTED)
        *claims, asked = rig.ledger.open_requests()
        assert (asked.command, asked.table, asked.who) == ("stop", DISPUTED, "Sowa (referee)")
        assert [(one.command, one.table) for one in claims] == [("resume", CLAIMED)]

    day(driven, tmp_path, hand, story, event=hall(tmp_path))


async def answered(sowa: Person, table: int) -> None:
    """It is done, in three touches at most, and the hall is there again."""
    await sowa.until(
        f"location.pathname === '/hall' && document.querySelector({WELL_DONE!r})", f"what was done at {table}"
    )
    assert sowa.touches <= 3


@pytest.mark.parametrize("hand", HANDS)
def test_an_organiser_signs_in_a_player_draws_the_seats_enters_a_table_s_results_and_closes_the_round(
    driven: Driven, tmp_path: Path, hand: Hand
) -> None:
    with an_event(tmp_path, 3, name=CALLED, wall_ms=at_noon, seated=False) as event:
        path = event.ledger.path

    async def story(rig: Rig, borsuk: Person) -> None:
        await joins(borsuk, rig, "organiser", "Borsuk")
        await borsuk.choose("nav a[href='/players']")
        await borsuk.choose("main a", "sign up a player")
        await borsuk.fill("main [name=name]", "Żółw")
        await borsuk.fill("[name=anyway]", "we play")
        await borsuk.choose("button.does")
        await borsuk.until_so(lambda: len(of(rig).players) == 4, "the fourth player")
        await borsuk.reads("Żółw")

        await borsuk.choose("nav a[href='/seating']")
        await borsuk.choose("main a", "seat the round")
        await borsuk.fill("[name=anyway]", "we play")
        await borsuk.choose("button.does", "seat the round")
        await borsuk.until_so(lambda: bool(of(rig).rounds[FIRST].seating), "seats")
        await borsuk.until("location.pathname === '/seating' && document.querySelector('#done .done')", "that they are")

        await borsuk.choose("nav a[href='/results']")
        await borsuk.choose("main a[href='/results/1']")
        for game in range(1, GAMES + 1):
            first = f"#r{game}A"
            await borsuk.until(f"document.querySelector({first!r}) === document.activeElement", "the next game's field")
            borsuk.touches = borsuk.keys = 0
            for seat, rack in RACKS.items():
                await borsuk.fill(f"#r{game}{seat}", rack)
            await borsuk.press("Enter")
            await entered(borsuk, rig, game)
            assert borsuk.hand == "touch" or borsuk.keys == len(RACKS), "a Tab to each but the first, an Enter"

        await borsuk.choose("nav a[href='/results']")
        await borsuk.choose("main a", "close the round")
        await borsuk.choose("button.does", "close the round")
        await borsuk.choose("button.does", "Yes: close the round")
        await borsuk.until_so(lambda: bool(of(rig).rounds[FIRST].closed), "the round that is closed")

    day(driven, tmp_path, hand, story, event=path)


@pytest.mark.parametrize("hand", HANDS)
def test_the_public_finds_a_seat_in_two_touches_and_its_standings_follow(
    driven: Driven, tmp_path: Path, hand: Hand
) -> None:
    async def story(rig: Rig, public: Person) -> None:
        await public.goto("/login?lang=en")
        await public.choose("button", "Look as the public")
        await public.until("document.getElementById('people')", "the list of who plays")
        public.touches = 0
        await public.fill("#q", "wilk")
        await public.choose("#people li a", "Wilk")
        await public.until("/table\\s*\\d/.test(document.querySelector('.mine .seat').innerText)", "table and seat")
        assert public.touches <= 2

        await public.choose("nav a[href='/standings']")
        await public.reads("No results yet.")
        async with rig.browser() as lis:
            await lis.log_in("referee", "Lis")
            racks = {f"racks:{seat}": rack for seat, rack in RACKS.items()}
            await lis.act("enter_result", {"table": 1, "game": 1}, racks)
        await public.until("document.querySelectorAll('table.standings tbody tr').length", "standings")

    day(driven, tmp_path, hand, story, event=league(tmp_path), public_open=True)
