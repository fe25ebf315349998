"""The battery behind a voltage divider on ADC1 (ADC2 is not free while a radio is on)."""

from array import array

from machine import ADC, Pin

_READINGS = 8  # averaged
_LEAST_MV = 2500  # what a chip that runs can have
_MOST_MV = 5600


class Battery:
    """Its voltage, as the mean of the last eight readings."""

    def __init__(self, pin: int, divider: int) -> None:
        self._adc = ADC(Pin(pin), atten=ADC.ATTN_11DB)
        self._divider = divider
        self._last = array("H", bytes(2 * _READINGS))
        self._place = 0
        for _ in range(_READINGS):
            self.millivolts()

    def millivolts(self) -> int:
        """Take a reading; the mean of it and those before. A chip that was never calibrated reads 0."""
        try:
            read = self._adc.read_uv()
        except OSError:
            read = 0
        self._last[self._place] = min(65535, read * self._divider // 1000)
        self._place = (self._place + 1) % _READINGS
        return sum(self._last) // _READINGS

    def plausible(self) -> bool:
        """Whether a chip could run on what is read; a missing divider gives anything."""
        return _LEAST_MV <= self.millivolts() <= _MOST_MV
