"""Puzzles for hidden information: positions from games in which one answer is the best that the seat could know.

`files.py` reads and lays them out, `shelf.py` finds those that a game brings, and `course.py` is how one is solved.
They are found and proved by `tools/puzzles`.
"""
