"""The box as files that tools can check, a folder for each build: `evening`, which needs no solder, and `flat`, which a
board house assembles.

Nothing here runs on a box or at the desk. `python -m hardware BUILD` writes all that a maker needs into dist/hardware.
"""
