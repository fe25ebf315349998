"""Hardware that is there and does nothing: what the firmware itself takes of a heap is measured with it."""

PWRON_RESET = 1
HARD_RESET = 2
WDT_RESET = 3
SOFT_RESET = 5


def unique_id() -> bytes:
    return b"\x02bench"


def freq(hz: int) -> None:
    pass


def reset_cause() -> int:
    return PWRON_RESET


class Pin:
    IN = OUT = PULL_UP = IRQ_FALLING = IRQ_RISING = 1

    def __init__(self, number: int, *how: int, **more: int) -> None:
        self.level = 1

    def value(self, *level: int) -> int | None:
        if level:
            self.level = level[0]
            return None
        return self.level

    def irq(self, handler: object, trigger: int = 0) -> None:
        self.handler = handler


class I2C:
    def __init__(self, number: int, **wires: object) -> None:
        pass

    def writeto(self, address: int, data: bytes) -> int:
        return 0

    def writeto_mem(self, address: int, register: int, data: bytes) -> None:
        pass


class SPI:
    def __init__(self, number: int, **wires: object) -> None:
        pass

    def write(self, data: bytes) -> None:
        pass


class SoftSPI:
    def __init__(self, **wires: object) -> None:
        pass

    def write_readinto(self, told: bytes, heard: bytearray) -> None:
        pass


class PWM:
    def __init__(self, pin: Pin, **how: int) -> None:
        pass

    def freq(self, hertz: int) -> None:
        pass

    def duty_u16(self, duty: int) -> None:
        pass


class ADC:
    ATTN_11DB = 3

    def __init__(self, pin: Pin, **how: int) -> None:
        pass

    def read_uv(self) -> int:
        return 2000000


class RTC:
    kept = b""

    def memory(self, *data: bytes) -> bytes:
        if data:
            RTC.kept = bytes(data[0])
        return RTC.kept


class WDT:
    def __init__(self, **how: int) -> None:
        pass

    def feed(self) -> None:
        pass
