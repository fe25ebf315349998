"""Measurements as ratios against a baseline taken in the same run; `python -m bench` prints them as a table."""
