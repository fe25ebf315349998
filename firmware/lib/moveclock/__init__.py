"""Dalej's core: the rules of the per-move clock and all that keeps its record honest.

Runs unchanged on MicroPython and CPython. Imports `struct`, `binascii`, `hashlib`, `collections` and itself; time is
always an argument, in integer milliseconds; nothing here sleeps, prints or touches hardware.
"""
