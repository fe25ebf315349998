"""The desk with real boxes: what `dalej run` keeps going while a tournament is played."""
