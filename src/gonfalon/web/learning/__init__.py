"""Lessons, puzzles and the library."""
