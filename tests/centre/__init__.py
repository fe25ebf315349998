"""Halls and their centre, on a real PostgreSQL."""
