"""The flat box's printed case: base, deck, masks, caps; the tray that stands aside; who sees what past them.

`sizes`, `quantities` and `sight` are numbers only. All else needs build123d and is imported from its own module.
"""
