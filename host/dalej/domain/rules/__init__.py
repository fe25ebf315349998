"""A regulation as data: its values, each with the clause that says so, and what an organiser sets otherwise."""
