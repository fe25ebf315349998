"""The box's enclosure: printed in pieces, without supports, on a bed of 220 mm, and put together with a screwdriver.

`pieces` and the pictures need build123d and are imported from their own modules; numbers are cheap and are here.
"""

from hardware.enclosure.quantities import fasteners, printed
from hardware.enclosure.sizes import DEVKITS, SIZES, Sizes

__all__ = ["DEVKITS", "SIZES", "Sizes", "fasteners", "printed"]
