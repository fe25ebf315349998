"""A box as a page: the firmware's core on MicroPython's own machine, in any browser, in one file.

`machine/` is MicroPython's WebAssembly port as its makers publish it (MIT), in the version that tests/vm pins.
"""
