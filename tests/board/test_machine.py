"""Pins, buses, timers, memory, watchdog and time keep to what an ESP32 does."""

from __future__ import annotations

import asyncio
import time
from pathlib import Path

import psutil
import pytest

from tests.board.board import Machine, VirtualBoard
from tests.board.rig import play, printed

BEGIN = """
import machine, time
from machine import Pin
def tried(what, *args, **kwargs):
    try:
        return what(*args, **kwargs)
    except Exception as error:
        return type(error).__name__ + " " + str(error.errno if isinstance(error, OSError) else error)
"""
BUTTON = 32


def test_an_interrupt_of_a_pin_has_no_hard(tmp_path: Path) -> None:
    assert printed(tmp_path, BEGIN + "print(tried(Pin(32).irq, print, hard=True)[:9])") == ["TypeError"]


def test_a_timer_has_no_hard(tmp_path: Path) -> None:
    program = BEGIN + "print(tried(machine.Timer, 0, period=10, callback=print, hard=True))"

    assert printed(tmp_path, program) == ["ValueError hard Timers are not implemented"]


@pytest.mark.parametrize(
    ("asked", "seen"), [("", "[(12345, 0), (52345, 1)]"), (", Pin.IRQ_RISING", "[(52345, 1)]")], ids=["all", "rising"]
)
def test_an_edge_that_was_asked_for_is_stamped_when_it_happens_even_in_a_long_sleep(
    tmp_path: Path, asked: str, seen: str
) -> None:
    async def press(board: VirtualBoard) -> None:
        board.edge(BUTTON, 0, at=12_345)
        board.edge(BUTTON, 1, at=52_345)

    program = BEGIN + (
        "pin = Pin(32, Pin.IN, Pin.PULL_UP)\nstamps = []\n"
        f"pin.irq(lambda pin: stamps.append((time.ticks_us(), pin.value())){asked})\ntime.sleep_ms(100)\nprint(stamps)"
    )
    assert printed(tmp_path, program, press) == [seen]


def test_of_more_than_eight_callbacks_that_wait_the_rest_is_dropped_without_a_word(tmp_path: Path) -> None:
    async def bounce(board: VirtualBoard) -> None:
        for number in range(20):
            board.edge(BUTTON, number % 2, at=10_000 + number)

    program = BEGIN + (
        "pin = Pin(32, Pin.IN, Pin.PULL_UP)\nseen = []\npin.irq(seen.append)\n"
        "state = machine.disable_irq()\ntime.sleep_ms(50)\nmachine.enable_irq(state)\ntime.sleep_ms(1)\n"
        "pin.irq(None)\ntime.sleep_ms(20)\nprint(len(seen))"
    )
    assert printed(tmp_path, program, bounce) == ["8"]


def test_an_exception_in_a_callback_is_printed_and_the_next_one_runs(tmp_path: Path) -> None:
    async def press(board: VirtualBoard) -> None:
        board.edge(BUTTON, 0, at=10_000)
        board.edge(BUTTON, 1, at=20_000)
        await board.run(50)
        board.expect_trouble("ZeroDivisionError")
        board.expect_trouble("ZeroDivisionError")

    program = BEGIN + "Pin(32, Pin.IN, Pin.PULL_UP).irq(lambda pin: 1 // 0)\ntime.sleep_ms(100)\nprint('on')"

    assert printed(tmp_path, program, press)[-1] == "on"


def test_a_pin_without_a_pull_up_floats_and_an_input_only_pin_has_none(tmp_path: Path) -> None:
    program = BEGIN + (
        "up = Pin.PULL_UP\nprint(Pin(32, Pin.IN, up).value(), Pin(33, Pin.IN).value(), Pin(36, Pin.IN, up).value(), "
        "Pin(34, Pin.IN).value(), tried(Pin, 35, Pin.OUT), tried(Pin, 6))"
    )
    assert printed(tmp_path, program) == ["1 0 0 1 ValueError pin can only be input ValueError invalid pin"]


def test_an_s3_has_other_pins(tmp_path: Path) -> None:
    program = BEGIN + "import sys\nprint(tried(Pin, 25), Pin(48) is Pin(48), sys.implementation._machine)"

    said = printed(tmp_path, program, machine=Machine(chip="esp32s3"))

    assert said == ["ValueError invalid pin True Generic ESP32S3 module with ESP32S3"]


def test_a_display_that_is_absent_is_enodev_and_one_that_is_there_shows_its_digits(tmp_path: Path) -> None:
    async def look(board: VirtualBoard) -> None:
        await board.run(50)
        assert (board.digits(0x70), board.digits(0x71)) == ("12:34", "")

    program = BEGIN + (
        "bus = machine.I2C(0, scl=Pin(22), sda=Pin(21), freq=400000)\n"
        "bus.writeto(0x70, b'\\x21')\nbus.writeto(0x70, b'\\x81')\n"
        "bus.writeto_mem(0x70, 0, bytes([6, 0, 0x5b, 0, 2, 0, 0x4f, 0, 0x66]))\n"
        "print(bus.scan(), tried(bus.writeto, 0x72, b'\\x21'))\ntime.sleep_ms(100)"
    )
    said = printed(tmp_path, program, look, machine=Machine(i2c=(0x70, 0x71)))

    assert said == ["[112, 113] OSError 19"]


def test_a_display_that_lost_its_power_is_enodev_and_then_dark(tmp_path: Path) -> None:
    async def shake(board: VirtualBoard) -> None:
        await board.run(10)
        board.tell("i2c", 0x70, False)
        await board.run(50)
        board.tell("i2c", 0x70, True)

    program = BEGIN + (
        "bus = machine.I2C(0, scl=Pin(22), sda=Pin(21))\nbus.writeto_mem(0x70, 0, b'\\xff')\ntime.sleep_ms(30)\n"
        "print(tried(bus.readfrom_mem, 0x70, 0, 1))\ntime.sleep_ms(90)\nprint(bus.readfrom_mem(0x70, 0, 1))"
    )
    assert printed(tmp_path, program, shake) == ["OSError 19", "b'\\x00'"]


def test_pixels_and_tones_are_seen_outside(tmp_path: Path) -> None:
    async def look(board: VirtualBoard) -> None:
        await board.run(100)
        assert board.pixels(18) == [(1, 2, 3), (0, 0, 9)]
        assert [(pin, hertz) for _, pin, hertz, _ in board.tones] == [(4, 1500), (4, 0)]

    printed(
        tmp_path,
        BEGIN + "import neopixel\nstrip = neopixel.NeoPixel(Pin(18), 2)\nstrip[0] = (1, 2, 3)\n"
        "strip[1] = (0, 0, 9)\nstrip.write()\n"
        "tone = machine.PWM(Pin(4), freq=1500, duty_u16=32768)\ntime.sleep_ms(20)\ntone.duty_u16(0)\ntime.sleep_ms(90)",
        look,
    )


def test_the_battery_is_read_up_to_what_its_attenuation_allows(tmp_path: Path) -> None:
    program = BEGIN + (
        "adc = machine.ADC(Pin(35), atten=machine.ADC.ATTN_11DB)\nprint(adc.read_uv())\n"
        "adc.atten(machine.ADC.ATTN_0DB)\nprint(adc.read_uv())"
    )
    assert printed(tmp_path, program, machine=Machine(millivolts={"35": 1850})) == ["1850000", "950000"]


def test_ticks_wrap_at_two_to_the_thirty(tmp_path: Path) -> None:
    program = BEGIN + (
        "a = time.ticks_ms()\ntime.sleep_ms(20)\nb = time.ticks_ms()\n"
        "print(a > b, time.ticks_diff(b, a), time.ticks_add(0, -1))"
    )
    said = printed(tmp_path, program, machine=Machine(ticks=(1 << 30) * 1000 - 10_000))

    assert said == ["True 20 1073741823"]


def test_timers_call_back_in_time(tmp_path: Path) -> None:
    program = BEGIN + (
        "seen = []\n"
        "once = machine.Timer(0, mode=machine.Timer.ONE_SHOT, period=15, callback=lambda t: seen.append('once'))\n"
        "often = machine.Timer(1, period=10, callback=lambda t: seen.append(time.ticks_us() // 1000))\n"
        "time.sleep_ms(35)\noften.deinit()\ntime.sleep_ms(35)\nprint(seen)"
    )
    assert printed(tmp_path, program) == ["[10, 'once', 20, 30]"]


def test_a_watchdog_is_at_least_a_second_long(tmp_path: Path) -> None:
    assert printed(tmp_path, BEGIN + "print(tried(machine.WDT, timeout=999))") == ["ValueError WDT timeout too short"]


WATCHED = BEGIN + (
    "print(machine.reset_cause(), machine.RTC().memory())\n"
    "if machine.reset_cause() == machine.PWRON_RESET:\n"
    "    machine.RTC().memory(b'kept')\n    dog = machine.WDT(timeout=2000)\n"
    "    for _ in range(5):\n        dog.feed()\n        time.sleep_ms(1500)\n"
)


def test_a_watchdog_that_is_not_fed_resets_at_its_time_and_what_the_rtc_holds_is_kept(tmp_path: Path) -> None:
    async def watch(board: VirtualBoard) -> None:
        (board.flash / "main.py").write_text(WATCHED + "    time.sleep_ms(5000)\n")
        await board.power_on()
        await board.until(lambda: b"3 b'kept'" in board.output, 20_000)
        assert board.resets == ["watchdog"]
        assert 8_000_000 <= board.time <= 8_100_000  # with the second start

    play(tmp_path, watch, simulated=True)


@pytest.mark.parametrize("simulated", [False, True])
def test_a_watchdog_ends_a_program_that_computes_for_ever(tmp_path: Path, simulated: bool) -> None:
    async def watch(board: VirtualBoard) -> None:
        (board.flash / "main.py").write_text(
            BEGIN + "print('cause', machine.reset_cause())\nif machine.reset_cause() == 1:\n"
            "    machine.WDT(timeout=1000)\n    while True: pass\n"
        )
        await board.power_on()
        await board.until(lambda: b"cause 3" in board.output, 20_000)

    play(tmp_path, watch, simulated=simulated)


def test_a_reset_keeps_the_rtcs_memory_and_a_power_cut_does_not(tmp_path: Path) -> None:
    async def watch(board: VirtualBoard) -> None:
        (board.flash / "main.py").write_text(
            BEGIN + "print(machine.reset_cause(), machine.RTC().memory())\nmachine.RTC().memory(b'kept')\n"
            "if machine.reset_cause() == 1: machine.reset()\n"
        )
        await board.power_on()
        await board.until(lambda: b"2 b'kept'" in board.output)
        await board.reset_button()
        await board.until(lambda: board.output.count(b"1 b''") == 2)

    play(tmp_path, watch, simulated=True)


def test_a_board_whose_power_is_cut_while_it_starts_anew_stays_off(tmp_path: Path) -> None:
    async def watch(board: VirtualBoard) -> None:
        (board.flash / "main.py").write_text("import machine\nmachine.reset()\n")
        await board.power_on()
        while board.on:  # noqa: ASYNC110 -- no event tells the very moment between two processes
            await asyncio.sleep(0)
        await board.power_off()
        resets = len(board.resets)
        await asyncio.sleep(1)
        assert (board.on, len(board.resets)) == (False, resets)

    play(tmp_path, watch, simulated=True)


def test_an_exception_that_ends_the_program_comes_with_its_place(tmp_path: Path) -> None:
    async def fail(board: VirtualBoard) -> None:
        (board.flash / "main.py").write_text("import part\n")
        (board.flash / "part.py").write_text("\n\n1 // 0\n")
        await board.power_on()
        await board.until(lambda: board.ended)
        assert 'File "part.py", line 3' in board.expect_trouble("ZeroDivisionError")

    play(tmp_path, fail, simulated=True)


def test_real_time_is_real(tmp_path: Path) -> None:
    async def press(board: VirtualBoard) -> None:
        (board.flash / "main.py").write_text(
            BEGIN + "pin = Pin(32, Pin.IN, Pin.PULL_UP)\n"
            "pin.irq(lambda pin: print('edge', pin.value(), time.ticks_ms()))\n"
            "print('begun')\nwhile True: time.sleep_ms(10)\n"
        )
        await board.power_on()
        await board.until(lambda: b"begun" in board.output)
        pressed_s = time.monotonic()
        board.edge(BUTTON, 0)
        await board.until(lambda: b"edge 0" in board.output)
        seen_s = time.monotonic()
        await board.run(100)
        released_s = time.monotonic()
        board.edge(BUTTON, 1)
        await board.until(lambda: b"edge 1" in board.output)
        over_s = time.monotonic()
        down, up = [int(line.split()[2]) for line in board.output.splitlines() if line.startswith(b"edge")]
        assert 1_000 * (released_s - seen_s) - 2 <= up - down <= 1_000 * (over_s - pressed_s) + 2

    play(tmp_path, press)


def test_a_press_lasts_as_long_as_it_did_at_a_board_that_a_busy_computer_gave_no_time_meanwhile(tmp_path: Path) -> None:
    """The interrupts of an ESP32 would have stamped both edges."""

    async def press(board: VirtualBoard) -> None:
        (board.flash / "main.py").write_text(
            BEGIN + "pin = Pin(32, Pin.IN, Pin.PULL_UP)\nedges = []\n"
            "pin.irq(lambda pin: edges.append((time.ticks_ms(), pin.value())))\n"
            "print('begun')\nwhile len(edges) < 2: time.sleep_ms(10)\n"
            "print('edges', edges[0][1], edges[1][1], edges[1][0] - edges[0][0])\n"
        )
        await board.power_on()
        await board.until(lambda: b"begun" in board.output)
        (computing,) = [one for one in psutil.Process().children() if "board.mjs" in " ".join(one.cmdline())]
        computing.suspend()
        await board.press(BUTTON, 120)
        computing.resume()
        await board.until(lambda: board.ended)
        (told,) = [line.split()[1:] for line in board.output.splitlines() if line.startswith(b"edges")]
        down, up, lasted_ms = map(int, told)
        assert (down, up) == (0, 1)
        assert lasted_ms >= 120

    play(tmp_path, press)
