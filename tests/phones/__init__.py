"""Phones and tablets that are boxes, and the desk that they reach over a network."""
