# mypy: ignore-errors
# ruff: noqa: A002
"""The I2C bus with the displays on it."""

import errno

from machine_parts import part
from outside import hear, say


class I2C:
    """A bus with HT16K33 displays at the addresses that the outside names; whatever else is asked for is absent."""

    def __init__(
        self, id: int = -1, *, scl: object = None, sda: object = None, freq: int = 400000, timeout: int = 50000
    ) -> None:
        if id not in (0, 1):
            raise ValueError("invalid I2C port")
        self._id = id

    def scan(self) -> list:
        return sorted([address for address in part["i2c"] if address not in _silent])

    def writeto(self, addr: int, buf: bytes, stop: bool = True) -> int:
        _device(addr).written(bytes(buf))
        return len(buf)

    def writevto(self, addr: int, vector: list, stop: bool = True) -> int:
        return self.writeto(addr, b"".join([bytes(buf) for buf in vector]), stop)

    def writeto_mem(self, addr: int, memaddr: int, buf: bytes, *, addrsize: int = 8) -> None:
        self.writeto(addr, bytes([memaddr]) + bytes(buf))

    def readfrom(self, addr: int, nbytes: int, stop: bool = True) -> bytes:
        return _device(addr).ram[:nbytes]

    def readfrom_into(self, addr: int, buf: bytearray, stop: bool = True) -> None:
        buf[:] = self.readfrom(addr, len(buf))

    def readfrom_mem(self, addr: int, memaddr: int, nbytes: int, *, addrsize: int = 8) -> bytes:
        return bytes(_device(addr).ram[memaddr : memaddr + nbytes])

    def readfrom_mem_into(self, addr: int, memaddr: int, buf: bytearray, *, addrsize: int = 8) -> None:
        buf[:] = self.readfrom_mem(addr, memaddr, len(buf))

    def init(self, **what: object) -> None:
        pass

    def deinit(self) -> None:
        pass


class SoftI2C(I2C):
    """The same bus, driven by software."""

    def __init__(self, scl: object, sda: object, *, freq: int = 400000, timeout: int = 50000) -> None:
        super().__init__(0, scl=scl, sda=sda)


class _Ht16k33:
    """A display's chip: 16 bytes of RAM, an oscillator and an output that begin switched off."""

    def __init__(self, address: int) -> None:
        self._address = address
        self.ram = bytearray(16)
        self._awake = self._shown = False
        self._brightness = 15
        self._told = None

    def written(self, data: bytes) -> None:
        if not data:
            return
        command = data[0]
        if command < 0x10:
            for offset, byte in enumerate(data[1:]):
                self.ram[(command + offset) % 16] = byte
        elif command & 0xF0 == 0x20:
            self._awake = bool(command & 1)
        elif command & 0xF0 == 0x80:
            self._shown = bool(command & 1)
        elif command & 0xF0 == 0xE0:
            self._brightness = command & 15
        told = (self.ram.hex(), self._awake and self._shown, self._brightness)
        if told != self._told:
            self._told = told
            say("display", self._address, *told)


_devices = {}
_silent = []  # addresses that do not answer for now


def _device(address: int) -> _Ht16k33:
    if address not in part["i2c"] or address in _silent:
        raise OSError(errno.ENODEV)
    if address not in _devices:
        _devices[address] = _Ht16k33(address)
    return _devices[address]


def _answers(address: int, answers: bool) -> None:
    if answers and address in _silent:
        _silent.remove(address)
        _devices.pop(address, None)  # its power was gone: RAM and switches are as at power-on
    elif not answers and address not in _silent:
        _silent.append(address)


hear("i2c", _answers)
