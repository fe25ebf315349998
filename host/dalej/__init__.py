"""Dalej's desk: logs what the boxes report, applies what the regulations ask, shows a hall and runs a tournament."""
