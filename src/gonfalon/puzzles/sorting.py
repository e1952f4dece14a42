"""The kinds of puzzles, by criteria that can be checked in the file.

In this order:

- *bluff*: the best answer is partly hidden from others: a card laid face down, or one of several answers that look
alike to the other seats.
- *tempo*: the best answer, or the second, does nothing now (a pass, the end of a turn, a hold), so the question is when
to act.
- *reading the hand*: the best answer depends on hidden cards. With all of them open another answer would be best, or
the second is better in at least a fifth of the possible worlds.
- *tactics*: all others. For almost any hidden cards the answer is the same.
"""

from __future__ import annotations

from typing import Final

BLUFF: Final = "bluff"
TEMPO: Final = "tempo"
READING: Final = "reading the hand"
TACTICS: Final = "tactics"
KINDS: Final = (TACTICS, READING, BLUFF, TEMPO)
