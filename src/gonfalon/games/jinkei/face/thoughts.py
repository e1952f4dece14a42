"""Words for the beliefs of the bots of Jinkei."""

from __future__ import annotations

from typing import Final

from gonfalon.games.jinkei.face import messages
from gonfalon.games.jinkei.face.words import name_space

RANKS: Final = (messages.RANK_0, messages.RANKS_1_TO_4, messages.RANKS_5_TO_7, messages.RANKS_8_AND_9, messages.RANK_12)


def classify_rank(rank: int) -> int:
    """Return the class of a rank, as an index of RANKS."""
    return 0 if rank == 0 else 1 if rank < 5 else 2 if rank < 8 else 3 if rank < 12 else 4


def name_their_card(space: int) -> str:
    """Return a name for the other seat's card on a space."""
    return messages.THEIR_CARD.format(space=name_space(space))
