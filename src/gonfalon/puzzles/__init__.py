"""Puzzles about hidden information: positions from games with one action that is best by the knowledge of the seat.

`files.py` reads them, `shelf.py` finds those of a game, and `course.py` contains the steps of solving one.
`tools/puzzles` searches and proves them.
"""
