"""Puzzles for hidden information: positions from games in which one answer is the best that the seat could know.

`finding.py` cuts them from finished games and proves them, `sorting.py` says of what kind they are, `files.py` writes
them down, `shelf.py` finds those that a game brings, and `proving.py` tries them again, ten times as hard.
"""
