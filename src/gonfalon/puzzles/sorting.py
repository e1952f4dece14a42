"""Of what kind a puzzle is, by criteria that anybody can check in its file.

In this order:

- *bluff*: the best answer is one that others do not see whole: a card laid face down, or one of several that look
  alike from across the table.
- *tempo*: the best answer, or the second, does nothing now (a pass, the end of a turn, a hold); so the question is when
  to act.
- *reading the hand*: what is best turns on cards that lie hidden. With all of them open another answer would be best,
  or the second is the better one in at least a fifth of the worlds that the seat has to reckon with.
- *tactics*: the rest. Whatever lies hidden, the answer is nearly always the same.
"""

from __future__ import annotations

from typing import Final

BLUFF: Final = "bluff"
TEMPO: Final = "tempo"
READING: Final = "reading the hand"
TACTICS: Final = "tactics"
KINDS: Final = (TACTICS, READING, BLUFF, TEMPO)
