"""The evening box: a board with a screen, two arcade buttons, a power bank; in a printed stand or in a cardboard box.

Nothing here knows another build. `stand` and the pictures need build123d and are imported from their own modules.
"""
