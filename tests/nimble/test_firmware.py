"""What the unchanged firmware makes of a radio, a flash and visitors that behave badly: real NimBLE, real littlefs."""

from __future__ import annotations

import asyncio
from pathlib import Path
from random import Random
from types import MethodType

import pytest
from bumble import hci

from dalej.boxes.firmware.flash import files_of, image
from dalej.boxes.firmware.tree import compiled, sources
from moveclock import facts as k
from moveclock import identity
from tests.air import bumble_backend
from tests.air import stranger as visitors
from tests.air.air import AirController
from tests.air.hall import Hall, Place, play
from tests.air.onair import OnAir
from tests.air.scenarios import game
from tests.air.stranger import Stranger
from tests.board.journal import facts
from tests.nimble.board import FLASH_SIZE
from tests.nimble.radio import NimbleOnAir
from tests.waiting import until

pytestmark = [pytest.mark.e2e, pytest.mark.usefixtures("in_the_hall")]

DISALLOWED = hci.HCI_ErrorCode.COMMAND_DISALLOWED_ERROR


def _facts(box: NimbleOnAir, folder: Path) -> list[tuple[int, ...]]:
    """The facts on its flash, read by littlefs's own Python binding and by the core."""
    root = folder / "read back"
    for path, data in box.board.files().items():
        (root / path).parent.mkdir(parents=True, exist_ok=True)
        (root / path).write_bytes(data)
    return facts(root, tuple(box.uid), folder / "copy")


async def _strangers(hall: Hall, box: OnAir, count: int, monkeypatch: pytest.MonkeyPatch) -> list[Stranger]:
    """So many who are connected, each with an address of his own."""
    found = []
    for number in range(count):
        monkeypatch.setattr(visitors, "ADDRESS", f"EE:EE:EE:EE:EE:{16 + number:02X}")
        found.append(await hall.stranger(box))
    return found


async def _game(hall: Hall) -> tuple[NimbleOnAir, Place]:
    """A table that is set up."""
    box, place = await game(hall)
    return _nimble(box), place


def _nimble(box: object) -> NimbleOnAir:
    assert isinstance(box, NimbleOnAir)
    return box


def test_a_link_of_an_mtu_below_100_is_refused_in_words(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bumble_backend, "MTU", 23)

    async def scenario(hall: Hall) -> None:
        box = await hall.box()
        place = await hall.desk(wait=False)
        await until(lambda: place.air.trouble, "the desk to say what is wrong")
        said = str(place.air.trouble)
        assert (box.uid.hex() in said, "23 bytes" in said, "100" in said) == (True, True, True)
        await until(lambda: box.links == 0, "the link to be given up")

    play(tmp_path, scenario)


def test_of_four_links_the_oldest_stranger_is_closed_and_the_game_goes_on(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def scenario(hall: Hall) -> None:
        box, place = await game(hall)
        strangers = await _strangers(hall, box, 3, monkeypatch)
        await until(lambda: strangers[0].over, "the first to make room")
        assert (box.links, place.is_live(box)) == (3, True)
        kinds = hci.HCI_LE_Set_Advertising_Parameters_Command.AdvertisingType
        advertiser = box.controller.le_legacy_advertiser
        await until(lambda: advertiser.enabled and advertiser.advertising_type == kinds.ADV_IND, "room for others")
        await hall.moves(box, 1)
        await until(lambda: box.links == 1, "the others to be shown the door")
        await until(lambda: all(stranger.over for stranger in strangers), "them to know it")
        await place.settled(box)
        place.expect_once(box)

    play(tmp_path, scenario)


def test_frames_of_every_size_and_kind_from_strangers_leave_the_table_alone(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def scenario(hall: Hall) -> None:
        box, place = await game(hall)
        random = Random(5)
        for stranger in await _strangers(hall, box, 2, monkeypatch):
            for size in (1, 2, 23, 244, 245, 256, 257, 500, 512):
                await stranger.write(bytes([random.randrange(8)]) + random.randbytes(size - 1))
        await hall.moves(box, 2)
        await place.settled(box)
        place.expect_once(box)
        assert place.is_live(box)

    play(tmp_path, scenario)


def test_a_controller_that_refuses_to_advertise_is_tried_again_switched_off_and_on_and_heard_again(
    tmp_path: Path,
) -> None:
    async def scenario(hall: Hall) -> None:
        box, place = await game(hall)
        refusals = 6
        usual = type(box.controller).on_hci_le_set_advertising_enable_command

        def refuse(
            here: AirController, command: hci.HCI_LE_Set_Advertising_Enable_Command
        ) -> hci.HCI_StatusReturnParameters | None:
            nonlocal refusals
            if command.advertising_enable and refusals:
                refusals -= 1
                return hci.HCI_StatusReturnParameters(DISALLOWED)
            return usual(here, command)

        box.controller.on_hci_le_set_advertising_enable_command = MethodType(refuse, box.controller)  # type: ignore[method-assign]
        await box.tap(2 * k.SEAT_A)
        await until(lambda: not refusals, "it to have tried so often")
        await until(lambda: box.controller.le_legacy_advertiser.enabled, "it to be heard again")
        await place.live(box)
        await hall.moves(box, 1)
        await place.settled(box)
        place.expect_once(box)

    play(tmp_path, scenario)


def test_a_reset_during_a_game_comes_back_stopped_with_the_links_of_before_gone(tmp_path: Path) -> None:
    async def scenario(hall: Hall) -> None:
        box, place = await _game(hall)
        await hall.moves(box, 1)
        await place.settled(box)
        before = place.facts(box)
        for _ in range(2):
            await box.power_off()
            await box.power_on()
        await place.live(box)
        await place.settled(box)
        place.expect_once(box)
        assert place.facts(box)[: len(before)] == before
        assert box.face.state == k.STOPPED
        assert [fact[0] for fact in _facts(box, tmp_path)].count(k.BOOTED) == 3

    play(tmp_path, scenario)


@pytest.mark.parametrize("after", range(0, 24, 3))
def test_power_that_goes_in_the_middle_of_a_write_costs_nothing_that_a_desk_has_seen(
    tmp_path: Path, after: int
) -> None:
    async def scenario(hall: Hall) -> None:
        box, place = await _game(hall)
        await hall.moves(box, 1)
        box.board.cut_power_at_write(after)
        for _ in range(6):
            if not box.board.on:
                break
            await box.tap(k.SEDZIA)
            await asyncio.sleep(0.1)
        await until(lambda: not box.board.on, "the power to go")
        seen = place.facts(box)
        await box.port.pull_out()
        await box.power_on()
        await place.live(box)
        await place.settled(box)
        place.expect_once(box)
        assert place.facts(box)[: len(seen)] == seen
        assert box.face.state == k.STOPPED

    play(tmp_path, scenario)


def test_the_image_that_dalej_writes_starts_and_is_heard(tmp_path: Path) -> None:
    async def scenario(hall: Hall) -> None:
        box = NimbleOnAir(hall.air, tmp_path, 1)
        hall.boxes.append(box)
        files = files_of(compiled(sources()), identity.Identity(identity.KOSTKA, box.uid, box.secret))
        box.board.image.write_bytes(image(files, FLASH_SIZE))
        await box.power_on()
        place = await hall.desk()
        await place.configure(box)
        await hall.moves(box, 2)
        await place.settled(box)
        place.expect_once(box)

    play(tmp_path, scenario)


def test_a_flash_that_fails_is_mounted_anew_and_the_game_is_played_on(tmp_path: Path) -> None:
    async def scenario(hall: Hall) -> None:
        box, place = await _game(hall)
        await hall.moves(box, 1)
        box.board.break_flash(5, 3)
        await box.tap(k.SEDZIA)
        await asyncio.sleep(0.3)
        box.board.break_flash(0)
        await until(lambda: place.has_all(box), "what was kept in memory to be written and sent")
        await hall.moves(box, 0)
        await place.settled(box)
        place.expect_once(box)
        assert place.is_live(box)

    play(tmp_path, scenario)
