"""The boxes themselves, whatever event they serve: the club's secret, which boxes it has paired, what is written onto
them.
"""
