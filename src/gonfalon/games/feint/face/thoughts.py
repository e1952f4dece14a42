"""Reasons of the bots of Feint, in words of the game."""

from __future__ import annotations

from typing import Final

from gonfalon.core.rules.state import Action
from gonfalon.games.feint.rules.actions import CARD, SLOTS
from gonfalon.games.feint.rules.state import FeintState

LOCATION_CARD: Final = "their Location Card"
ONE_CARD: Final = {
    "reinforce": "{} is worth less than an average card of my deck.",
    "medic": "{} is the card that I most want to draw again.",
    "support": "I would rather draw another card than {}.",
}
"""Why a card is discarded, taken back or put under the draw pile."""
NO_CARD: Final = {
    "reinforce": "I keep the rest of my hand.",
    "medic": "None of these cards is worth drawing again.",
    "support": "I like to draw all of these cards.",
    "order": "My own card acts before a Scrambler moves.",
}
"""Why none is, and which ability comes first."""


def card_at(s: FeintState, action: Action) -> str:
    """Return a play as a noun within a sentence."""
    number, slot = divmod(action - CARD, SLOTS)
    name = s.kinds[number].name
    return f"{name} at {s.setup.numbers[slot - 1]}" if slot else name


# ---- of searches: the chances appear beside the sentence ------------------------------------------------


def wins_more(one: str, two: str, mine: str, theirs: str) -> str:
    """The one wins the round more often than the two, the next best; an empty `theirs` where it fell behind early."""
    told = f"With {one} I win this round in {mine} of the ways in which it may go on;"
    return (
        f"{told} with {two}, the next best, in {theirs}."
        if theirs
        else f"{told} {two}, the next best, fell behind early."
    )


def level(one: str, two: str, chance: str) -> str:
    """Both come to the same."""
    return (
        f"{one[:1].upper()}{one[1:]} and {two} come to about the same chance to win the game ({chance}); the first was "
        "ahead by a hair."
    )


def leaves_more(one: str, two: str, mine: str, theirs: str, chances: tuple[str, str]) -> str:
    """The two wins the round more often, or, with an empty `theirs`, about as often, and the one the game."""
    more = f"more for the rounds to come ({chances[0]} to win the game, against {chances[1]})."
    if theirs:
        return f"With {two} I would win this round more often ({theirs} against {mine}), but {one} leaves me {more}"
    return (
        f"With {one} I win this round about as often as with {two} ({mine} of the ways in which it may go on), and am "
        f"left with {more}"
    )
