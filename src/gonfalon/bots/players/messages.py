"""Reasons of bots of any game, ready for translation: `NAME.format(...)` with the named parameters.

`move` is the chosen action, `other` the alternative, `chances` the reported chances of both, which may be empty.
"""

from __future__ import annotations

from typing import Final

HABIT: Final = "{move}. From many games, I choose it here {share}."
HABIT_OVER: Final = "{move}. From many games, I choose it here {share}, although {other} came out higher{chances}."
MIXED: Final = "{move}. I vary my play here to stay unpredictable: {share}."
MIXED_OVER: Final = "{move}. I vary my play here to stay unpredictable: {share}. {other} would do better{chances}."
ONLY: Final = "{move}. Of all that I tried, it did best."
BETTER: Final = "{move}. It did best, and {other} came next{chances}."
LEARNT: Final = "{move}. {other} came out {rank}{chances}, but from many games I prefer this ({share} to {less})."
TRIED: Final = "{move}. {other} came out {rank}{chances}, but I tried it only {fewer}, and this {more}."
AT_SIGHT: Final = "{move}. {other} came out {rank}{chances}, but this looks better at first sight."
NOISE: Final = "{move}. {other} came out {rank}{chances}, but at my level I do not always play the best move."
POINTS: Final = "{move}. {other} came out {rank}{chances}, but this brings more points ({points} to {fewer})."
SAFE: Final = "{move}. {other} came out {rank}{chances} if the others play as I expect, but this is safer."
HIGHER: Final = "higher"
AS_HIGH: Final = "as high"
CHANCE: Final = " ({chance} to win both)"
CHANCES: Final = " ({high} to win, against {low})"
RARELY: Final = "less than 1 % of the time"
OFTEN: Final = "{share} of the time"
SIGHT: Final = "{move} looks best at first sight."
SIGHT_NEXT: Final = "{move} looks best at first sight, and {other} next."
