"""The box as files that tools can check: circuit, harness, list of parts, enclosure, power, and the guide's pictures.

Nothing here runs on a box or at the desk. `python -m hardware` writes everything a maker needs into dist/hardware.
"""
