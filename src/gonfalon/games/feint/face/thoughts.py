"""Reasons for the moves of the bots of Feint."""

from __future__ import annotations

from typing import Final

from gonfalon.core.rules.state import Action
from gonfalon.games.feint.rules.actions import CARD, SLOTS
from gonfalon.games.feint.rules.state import FeintState

LOCATION_CARD: Final = "their Location Card"
ONE_CARD: Final = {
    "reinforce": "{} is worth less than an average card of my deck.",
    "medic": "I most want to draw {} again.",
    "support": "I would rather draw another card than {}.",
}
"""Reasons to choose a card, by prompt."""
NO_CARD: Final = {
    "reinforce": "I keep the rest of my hand.",
    "medic": "None of these cards is worth drawing again.",
    "support": "I want to draw all of these cards.",
    "order": "My own card acts before a Scrambler moves.",
}
"""Reasons to choose no card, by prompt."""


def name_play(s: FeintState, action: Action) -> str:
    """Return the name of a play for the middle of a sentence: `Patriot at 5`."""
    number, slot = divmod(action - CARD, SLOTS)
    name = s.kinds[number].name
    return f"{name} at {s.setup.numbers[slot - 1]}" if slot else name


# ---- searches: the chances appear beside the sentence ---------------------------------------------------


def explain_round(one: str, two: str, mine: str, theirs: str) -> str:
    """Return why a move wins the round more often than the next best.

    Args:
        one: The move.
        two: The next best move.
        mine: Chance of the move to win the round, in percent.
        theirs: Chance of the next best move; empty if the search dropped it early.
    """
    against = f"{two}, the next best, in {theirs}." if theirs else f"{two}, the next best, fell behind early."
    return f"{one[:1].upper()}{one[1:]} wins this round in {mine} of my trials; {against}"


def explain_tie(one: str, two: str, chance: str) -> str:
    """Return that two moves have about the same chance to win the game."""
    return (
        f"{one[:1].upper()}{one[1:]} and {two} win the game about equally often ({chance}); the first was just ahead."
    )


def explain_rest(one: str, two: str, mine: str, theirs: str, chances: tuple[str, str]) -> str:
    """Return why a move wins the game more often than the next best, though not the round.

    Args:
        one: The move.
        two: The next best move.
        mine: Chance of the move to win the round, in percent.
        theirs: Chance of the next best move to win the round; empty if it is about equal.
        chances: Chances of both moves to win the game.
    """
    more = f"more for the next rounds ({chances[0]} to win the game, against {chances[1]})."
    if theirs:
        rival = f"{two[:1].upper()}{two[1:]}"
        return f"{rival} wins this round more often ({theirs} against {mine}), but {one} leaves me {more}"
    return f"{one[:1].upper()}{one[1:]} wins this round about as often as {two} ({mine}), and leaves me {more}"
