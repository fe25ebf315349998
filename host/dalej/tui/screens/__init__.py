"""Whole screens: the hall, one table, the help."""
