"""The firmware's own radio, `devices.radio`, on the real NimBLE: what no desk can make happen when a test wants it."""

from __future__ import annotations

from pathlib import Path
from types import MethodType

import pytest
from bumble import hci

from tests.nimble.rig import Visited, printed

pytestmark = [pytest.mark.e2e, pytest.mark.usefixtures("nimble")]

LINKED = """
import time
from devices.chip import Watchdog
from devices.radio import Radio
from devices.stalls import Stalls
radio = Radio(Watchdog(), Stalls())
radio.introduce(b"info", bytes(6))
radio.advertise(b"\\x03\\xff\\xff\\xff", 60000)
print("ready")
while not radio.events.waits():
    time.sleep_ms(5)
"""


def _refuses(_controller: object, _command: object) -> hci.HCI_StatusReturnParameters:
    return hci.HCI_StatusReturnParameters(hci.HCI_ErrorCode.COMMAND_DISALLOWED_ERROR)


def test_a_link_that_was_not_heard_of_before_off_and_on_is_forgotten_when_it_is_to_be_closed(tmp_path: Path) -> None:
    async def visit(visited: Visited) -> None:
        await visited.said("ready")
        here = visited.port.controller
        here.on_hci_le_set_advertising_enable_command = MethodType(_refuses, here)  # type: ignore[method-assign]
        await visited.central()
        await visited.said("cycled")
        del here.on_hci_le_set_advertising_enable_command
        await visited.said("heard again")
        await visited.central()

    program = (
        LINKED
        + """
link = radio.events._links[0]
while not radio.cycles:
    radio._rest = 0  # a busy computer's attempts take long
    radio.advertise(b"\\x03\\xff\\xff\\xfe", 60000)
    time.sleep_ms(20)
print("cycled")
while radio.events.waits():
    radio.take()
print(radio.links == [link], radio.disconnect(link), radio.links)
while radio.cycles:
    radio._rest = 0
    radio.advertise(b"\\x03\\xff\\xff\\xfe", 60000)
    time.sleep_ms(20)
print("heard again")
while not radio.events.waits():
    time.sleep_ms(5)
radio.take()
print(len(radio.links))
"""
    )
    said = printed(tmp_path, program, visit, firmware=True)

    assert said == ["ready", "cycled", "True False []", "heard again", "1"]


def test_a_link_is_being_closed_until_it_is_gone_and_then_it_is_none(tmp_path: Path) -> None:
    async def visit(visited: Visited) -> None:
        await visited.said("ready")
        here = visited.port.controller
        usual = here.on_hci_disconnect_command
        asked: list[hci.HCI_Disconnect_Command] = []

        def later(_controller: object, command: hci.HCI_Disconnect_Command) -> None:
            here._send_hci_command_status(hci.HCI_COMMAND_STATUS_PENDING, command.op_code)
            asked.append(command)

        here.on_hci_disconnect_command = MethodType(later, here)  # type: ignore[method-assign]
        await visited.central(247)
        await visited.said("True")
        usual(asked[0])
        await visited.said("gone")

    program = (
        LINKED
        + """
radio.take()
link = radio.links[0]
print(radio.disconnect(link), radio.disconnect(link), radio.links == [link])
while radio.links:
    if radio.events.waits():
        radio.take()
    time.sleep_ms(5)
print("gone", radio.disconnect(link))
"""
    )
    assert printed(tmp_path, program, visit, firmware=True) == ["ready", "True True True", "gone False"]
