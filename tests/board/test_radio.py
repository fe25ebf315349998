"""The radio's stand-in keeps to what is known of MicroPython's on an ESP32: one test for each sentence of it."""

from __future__ import annotations

import textwrap
from pathlib import Path
from typing import Any

from tests.board.board import Machine, NoRadio, VirtualBoard
from tests.board.rig import RADIO_ON, play, printed

SERVED = (
    RADIO_ON
    + """
U = bluetooth.UUID
((value, events),) = ble.gatts_register_services(((U(0x1234), ((U(1), 8), (U(2), 16))),))
print(value, events)
seen = []
ble.irq(lambda event, data: seen.append((event,) + tuple([bytes(x) if isinstance(x, memoryview) else x for x in data])))
ble.gap_advertise(100000, b"\\x02\\x01\\x06")
time.sleep_ms(50)
"""
)
PEER = bytes.fromhex("a1a2a3a4a5a6")
VALUE, EVENTS = 18, 20


async def _connect(board: VirtualBoard, *, mtu: int = 23) -> None:
    await board.run(10)
    board.connected(0, PEER)
    if mtu != 23:
        board.mtu(0, mtu)
    await board.run(10)


class Remembers(NoRadio):
    """A radio's other end that keeps what it was told."""

    def __init__(self) -> None:
        super().__init__()
        self.notified: list[bytes] = []
        self.said: list[Any] = []

    def register(self, services: list[tuple[str, list[tuple[str, int, int]]]]) -> None:
        self.said.append(services)

    def notify(self, conn: int, handle: int, data: bytes) -> None:
        self.notified.append(data)

    def advertise(self, adv: bytes | None, resp: bytes, connectable: bool, interval_us: int) -> None:
        self.said.append((adv, connectable))


def test_nothing_works_before_the_radio_is_on(tmp_path: Path) -> None:
    said = printed(tmp_path, RADIO_ON.replace("ble.active(True)", "") + "print(tried(ble.gap_advertise, 100000, b''))")

    assert said == ["OSError 19"]


def test_a_longer_write_than_the_attributes_twenty_bytes_is_cut_without_a_word(tmp_path: Path) -> None:
    async def write(board: VirtualBoard) -> None:
        await _connect(board)
        board.written(0, VALUE, bytes(range(30)))

    assert printed(tmp_path, SERVED + "print(ble.gatts_read(value) == bytes(range(20)))", write)[-1] == "True"


def test_a_bigger_buffer_holds_more(tmp_path: Path) -> None:
    async def write(board: VirtualBoard) -> None:
        await _connect(board)
        board.written(0, VALUE, bytes(range(30)))

    program = SERVED.replace("seen = []", "seen = []\nble.gatts_set_buffer(value, 256)")
    assert printed(tmp_path, program + "print(len(ble.gatts_read(value)))", write)[-1] == "30"


def test_the_second_of_two_writes_wins_unless_the_handler_reads_each(tmp_path: Path) -> None:
    async def write_twice(board: VirtualBoard) -> None:
        await _connect(board)
        board.written(0, VALUE, b"one")
        board.written(0, VALUE, b"two")

    late = printed(tmp_path / "late", SERVED + "print(ble.gatts_read(value), len(seen))", write_twice)
    program = SERVED.replace("seen = []", "seen = []\nread = []").replace(
        "time.sleep_ms(50)",
        "ble.irq(lambda e, d: read.append(ble.gatts_read(value)) if e == 3 else None)\ntime.sleep_ms(50)",
    )
    at_once = printed(tmp_path / "at once", program + "print(read)", write_twice)

    assert late[-1] == "b'two' 3"
    assert at_once[-1] == "[b'one', b'two']"


def test_a_connection_its_mtu_a_write_and_its_end_are_events(tmp_path: Path) -> None:
    async def visit(board: VirtualBoard) -> None:
        await _connect(board, mtu=247)
        board.written(0, VALUE, b"x")
        board.disconnected(0)

    said = printed(tmp_path, SERVED + "for event in seen: print(event)", visit)

    assert said[1:] == [f"(1, 0, 1, {PEER!r})", "(21, 0, 247)", f"(3, 0, {VALUE})", f"(2, 0, 1, {PEER!r})"]


def test_nobody_hears_of_a_subscription_and_a_notification_asks_for_none(tmp_path: Path) -> None:
    radio = Remembers()

    async def visit(board: VirtualBoard) -> None:
        board.radio = radio
        await _connect(board)

    said = printed(tmp_path, SERVED + "ble.gatts_notify(0, events, b'hello')\nprint(len(seen))", visit)

    assert (said[-1], radio.notified) == ("1", [b"hello"])


def test_a_notification_is_cut_to_the_mtu_less_three(tmp_path: Path) -> None:
    radio = Remembers()

    async def visit(board: VirtualBoard) -> None:
        board.radio = radio
        await _connect(board, mtu=100)

    printed(tmp_path, SERVED + "ble.gatts_notify(0, events, bytes(150))", visit)

    assert [len(data) for data in radio.notified] == [97]


def test_too_many_unsent_notifications_are_enomem_until_some_are_sent(tmp_path: Path) -> None:
    async def hold(board: VirtualBoard) -> None:
        board.held = True
        await _connect(board)
        board.tell("sent", 3, at=board.time + 60_000)

    program = """
    got = [tried(ble.gatts_notify, 0, events, bytes([n])) for n in range(14)]
    print(got.count(None), got[-1])
    time.sleep_ms(50)
    got = [tried(ble.gatts_notify, 0, events, bytes([n])) for n in range(14)]
    print(got.count(None))
    """
    assert printed(tmp_path, SERVED + textwrap.dedent(program), hold)[1:] == ["12 OSError 12", "3"]


def test_of_long_notifications_fewer_fit(tmp_path: Path) -> None:
    async def hold(board: VirtualBoard) -> None:
        board.held = True
        await _connect(board, mtu=247)

    program = "print([tried(ble.gatts_notify, 0, events, bytes(244)) for _ in range(7)].count(None))"
    assert printed(tmp_path, SERVED + program, hold)[-1] == "6"


def test_a_notification_to_who_has_gone_is_enotconn(tmp_path: Path) -> None:
    assert printed(tmp_path, SERVED + "print(tried(ble.gatts_notify, 0, events, b'x'))")[-1] == "OSError 107"


def test_there_are_four_connections_at_most_and_none_without_advertising(tmp_path: Path) -> None:
    async def crowd(board: VirtualBoard) -> None:
        await board.run(10)
        for conn in range(3):
            board.connected(conn, PEER)
        await board.run(1)
        assert [line[1] for line in board.lines if line[1] == "refused"] == ["refused"] * 2

    assert printed(tmp_path, SERVED + "print(len(seen))", crowd)[-1] == "1"


def test_connectable_advertising_with_four_connections_is_enomem(tmp_path: Path) -> None:
    program = (
        SERVED
        + """
for number in range(3):
    ble.gap_advertise(100000, b"")
    time.sleep_ms(50)
print(len(seen), tried(ble.gap_advertise, 100000, b""), tried(ble.gap_advertise, 100000, b"", connectable=False))
"""
    )

    async def crowd(board: VirtualBoard) -> None:
        await board.run(10)
        for conn in range(4):
            board.connected(conn, PEER)
            await board.run(50)

    assert printed(tmp_path, program, crowd)[-1] == "4 OSError 12 None"


def test_advertising_ends_with_a_connection_and_has_to_be_begun_again(tmp_path: Path) -> None:
    async def visit_twice(board: VirtualBoard) -> None:
        await _connect(board)
        board.connected(1, PEER)
        await board.run(50)
        board.connected(1, PEER)

    program = SERVED + "ble.gap_advertise(100000)\ntime.sleep_ms(50)\nprint([data[1] for data in seen])"
    assert printed(tmp_path, program, visit_twice)[-1] == "[0, 1]"


def test_an_advertisement_holds_31_bytes_and_one_that_is_too_long_ends_the_one_before(tmp_path: Path) -> None:
    radio = Remembers()

    async def listen(board: VirtualBoard) -> None:
        board.radio = radio

    said = printed(
        tmp_path,
        RADIO_ON + "ble.gap_advertise(100000, bytes(31), resp_data=bytes(31))\n"
        "print(tried(ble.gap_advertise, 100000, bytes(32)))",
        listen,
    )

    assert said == ["OSError -18"]
    assert radio.said == [(bytes(31), True), (None, False)]


def test_a_scan_response_that_is_too_long_is_einval(tmp_path: Path) -> None:
    assert printed(tmp_path, RADIO_ON + "print(tried(ble.gap_advertise, 100000, b'', resp_data=bytes(32)))") == [
        "OSError 22"
    ]


def test_services_cannot_be_registered_while_it_advertises(tmp_path: Path) -> None:
    assert printed(tmp_path, SERVED + "print(tried(ble.gatts_register_services, ()))")[-1] == "OSError 16"


def test_an_exception_that_escapes_the_handler_ends_all_events_for_good(tmp_path: Path) -> None:
    async def write_twice(board: VirtualBoard) -> None:
        await _connect(board)
        board.written(0, VALUE, b"one")
        board.written(0, VALUE, b"two")
        await board.run(100)
        board.expect_trouble("ZeroDivisionError")

    program = SERVED.replace("time.sleep_ms(50)", "") + (
        "def handler(event, data):\n    seen.append(event)\n    if event == 3: 1 // 0\n"
        "ble.irq(handler)\ntime.sleep_ms(90)\nprint(seen)\n"
    )
    assert printed(tmp_path, program, write_twice)[-1] == "[1, 3]"


def test_there_is_no_rxbuf(tmp_path: Path) -> None:
    program = RADIO_ON + "print(tried(ble.config, 'rxbuf'), tried(ble.config, rxbuf=1000), ble.config('mtu'))"

    assert printed(tmp_path, program) == ["ValueError unknown config param ValueError unknown config param 256"]


def test_off_and_on_forgets_the_mtu_and_links_without_an_event_and_asks_the_handler_for_secrets(
    tmp_path: Path,
) -> None:
    async def visit(board: VirtualBoard) -> None:
        await _connect(board)

    program = SERVED + (
        "ble.config(mtu=247)\nble.active(False)\nble.active(True)\n"
        "print([event[0] for event in seen], ble.config('mtu'), ble.gap_disconnect(0))"
    )
    assert printed(tmp_path, program, visit)[-1] == "[1, 29, 29, 30] 256 False"


def test_a_controller_that_does_not_answer_costs_four_seconds_to_switch_off_and_four_to_switch_on(
    tmp_path: Path,
) -> None:
    async def deafen(board: VirtualBoard) -> None:
        await board.run(10)
        board.tell("deaf", True)

    program = SERVED + (
        "begun = time.ticks_ms()\nprint(tried(ble.gap_advertise, 100000), time.ticks_ms() - begun)\n"
        "begun = time.ticks_ms()\nprint(ble.active(False), tried(ble.active, True), time.ticks_ms() - begun)"
    )
    assert printed(tmp_path, program, deafen)[1:] == ["OSError -19 2000", "False OSError 110 8000"]


def test_a_link_is_closed_once(tmp_path: Path) -> None:
    async def visit(board: VirtualBoard) -> None:
        await _connect(board)

    program = SERVED + "print(ble.gap_disconnect(0), tried(ble.gap_disconnect, 0), ble.gap_disconnect(1))"
    assert printed(tmp_path, program, visit)[-1] == "True OSError 114 False"


def test_callbacks_of_pins_wait_while_the_handler_runs(tmp_path: Path) -> None:
    async def at_once(board: VirtualBoard) -> None:
        await _connect(board)
        board.written(0, VALUE, b"x")

    program = SERVED.replace("time.sleep_ms(50)", "") + (
        "import micropython\norder = []\n"
        "def handler(event, data):\n"
        "    if event == 3:\n"
        "        micropython.schedule(order.append, 'callback')\n        order.append('handler')\n"
        "ble.irq(handler)\ntime.sleep_ms(50)\nprint(order)\n"
    )
    assert printed(tmp_path, program, at_once)[-1] == "['handler', 'callback']"


def test_a_radio_that_does_not_start_is_etimedout(tmp_path: Path) -> None:
    said = printed(
        tmp_path, RADIO_ON.replace("ble.active(True)", "") + "print(tried(ble.active, True), ble.active(True))",
        machine=Machine(radio_fails=1),
    )  # fmt: skip

    assert said == ["OSError 110 True"]


def test_the_other_end_is_told_of_services_by_their_uuids_flags_and_handles(tmp_path: Path) -> None:
    radio = Remembers()

    async def listen(board: VirtualBoard) -> None:
        (board.flash / "main.py").write_text(SERVED)
        await board.power_on()
        await board.until(lambda: board.ended)

    play(tmp_path, listen, radio=radio, simulated=True)

    assert radio.said[0] == [("0x1234", [("0x0001", 8, VALUE), ("0x0002", 16, EVENTS)])]
