"""What prints and what is drawn: solids, letters, a printer's rules, pictures of solids. Each build has its own pieces.

All of it needs build123d, so nothing is imported here.
"""
