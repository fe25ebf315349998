"""What any screen shows of a hall and its tournament, as data and words: no terminal, no browser."""
