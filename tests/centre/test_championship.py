"""A championship in three halls: whatever is killed and cut in the middle of it, there is one set of standings, and it
is that of the same tournament in one hall.
"""

from __future__ import annotations

from contextlib import AsyncExitStack, closing
from functools import partial
from pathlib import Path

import pytest

from dalej.centre.forward import Forwarder
from dalej.centre.mirror import Mirror
from dalej.domain.tournament.standings import Line
from dalej.event.event import Event
from dalej.event.ledger import Ledger
from dalej.office.acts.rounds import CloseRound
from tests.air.building import building, far_from
from tests.air.hall import Hall as Radio
from tests.air.hall import play as on_air
from tests.centre.cup import Cup, does, in_one_hall, play, table_of
from tests.centre.hall import listening, network
from tests.centre.making import lines_of
from tests.event.ledger.keeping import IN_A_FILE, ON_POSTGRES
from tests.waiting import until

ROUNDS = 2

pytestmark = pytest.mark.usefixtures("at_once")


@pytest.mark.parametrize("keeping", [IN_A_FILE, ON_POSTGRES])
def test_three_halls_one_centre_a_killed_gateway_and_a_cut_network_end_as_one_hall(
    tmp_path: Path, mirror: Mirror, database: str, keeping: str
) -> None:
    """Given the tournament in a file of the centre or on its PostgreSQL, and a box at table 1 that the desk of North
    hears by a gateway alone, when in round two the gateway is killed, another one takes over and the network to the
    centre is cut meanwhile, then each fact of the box is in North's file and at the centre once, and the standings are
    those of one hall.
    """

    async def scenario(radio: Radio) -> None:
        async with AsyncExitStack() as stack:
            cup = stack.enter_context(
                closing(Cup(tmp_path, mirror, database=database if keeping == ON_POSTGRES else ""))
            )
            centre = await stack.enter_async_context(listening(mirror, wholes=[cup.whole]))
            await cup.join(centre.port)
            net = await stack.enter_async_context(network(centre))
            box = await radio.box()
            here = await building(radio, file="North.dalej")  # its desk has that hall's event file
            far_from(radio, box, here.place.computer)
            first = await here.gateway(await radio.computer())
            tellers = [await stack.enter_async_context(hall.on(net.port)) for hall in cup.halls.values()]
            await here.place.live(box)
            await here.place.configure(box)
            for number in range(1, ROUNDS + 1):
                one = cup.seat(number)
                await cup.until_heard(cup.halls.values())
                games = one.missing()
                for count, at in enumerate(games):
                    with cup.halls[cup.event.state().hall_of(at.table)].event() as event:
                        play(event, at, 7)
                    if number == ROUNDS and count == len(games) // 2:
                        await radio.moves(box, 2)
                        net.silent = True
                        await first.kill()
                        await until(lambda: not here.place.is_live(box), "the link to be over")
                        await radio.moves(box, 2)
                        await here.gateway(await radio.computer(), "gym")
                        net.cut()
                        await here.place.live(box)
                        net.silent = False
                await cup.until_back()
                does(cup.event, CloseRound())
            await here.place.settled(box)
            here.place.expect_once(box)
            expected = in_one_hall(tmp_path / "alone.dalej", ROUNDS, 7)
            assert table_of(cup.event) == expected
            for hall, teller in zip(cup.halls.values(), tellers, strict=True):
                with Ledger.open(hall.file) as ledger:
                    await until(partial(_all_told, teller, ledger), f"the centre to know all of {hall.name}")
                    assert mirror.lines(hall.name, limit=100_000) == lines_of(ledger)
                with hall.event() as event:
                    await until(partial(_stands, event, expected), f"{hall.name} to know the last round closed")
            await here.close()

    on_air(tmp_path, scenario)


def _stands(event: Event, expected: list[Line]) -> bool:
    return table_of(event) == expected


def _all_told(teller: Forwarder, ledger: Ledger) -> bool:
    return teller.through == ledger.head()
