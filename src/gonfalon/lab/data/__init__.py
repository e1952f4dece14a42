"""Data sets of games."""
