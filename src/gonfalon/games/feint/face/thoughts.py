"""Reasons for the moves of the bots of Feint. The chances of all moves appear beside the sentence."""

from __future__ import annotations

from typing import Final

from gonfalon.core.rules.state import Action
from gonfalon.games.feint.face import messages
from gonfalon.games.feint.rules.actions import CARD, PASS, SLOTS
from gonfalon.games.feint.rules.state import FeintState

LOCATION_CARD: Final = messages.THEIR_LOCATION_CARD
ONE_CARD: Final = {
    "reinforce": messages.WHY_DISCARD,
    "medic": messages.WHY_RETURN,
    "support": messages.WHY_BOTTOM,
}
"""Reasons to choose a card, by prompt."""
NO_CARD: Final = {
    "reinforce": messages.WHY_KEEP,
    "medic": messages.WHY_STOP,
    "support": messages.WHY_LEAVE,
    "order": messages.WHY_ORDER,
}
"""Reasons to choose no card, by prompt."""


def name_play(s: FeintState, action: Action) -> str:
    """Return the short name of a play: `Patriot to 5`, or `Pass`."""
    if action == PASS:
        return messages.PASS_SHORT
    number, slot = divmod(action - CARD, SLOTS)
    name = s.kinds[number].name
    return messages.PLAY_SHORT.format(card=name, place=s.setup.numbers[slot - 1]) if slot else name


def explain_round(move: str, chance: str) -> str:
    """Return that a move wins the round more often than all others, with its chance."""
    return messages.WINS_OFTEN.format(move=move, chance=chance)


def explain_tie(move: str, other: str, chance: str) -> str:
    """Return that two moves have about the same chance to win the game."""
    return messages.AS_OFTEN.format(move=move, other=other, chance=chance)


def explain_rest(move: str, other: str, other_wins_more: bool) -> str:
    """Return why a move wins the game more often than the next best, though not the round."""
    if other_wins_more:
        return messages.LATER_ROUNDS.format(move=move, other=other)
    return messages.SAVES_CARDS.format(move=move)
