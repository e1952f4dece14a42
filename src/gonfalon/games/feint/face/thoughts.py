"""Why a player of Feint does what it does, in words of the game."""

from __future__ import annotations

from typing import Final

from gonfalon.core.rules.state import Action
from gonfalon.games.feint.rules.actions import CARD, SLOTS
from gonfalon.games.feint.rules.state import FeintState

ONLY: Final = "Nothing else is legal."
OWN_FIRST: Final = "My own card does what it does before a Scrambler moves."
LOCATION_CARD: Final = "their Location Card"
PLAYS_ALL: Final = "I play what I have."
GOOD_HAND: Final = "What is left in my hand is no worse than what I would draw."
SAVES: Final = "I keep the rest: the draw pile must last to the end."
TOO_DEEP: Final = "I shall not come to the bottom of my draw pile."
ALL_WELCOME: Final = "All of these cards are welcome."
WORTH_LESS: Final = "{} is worth less than what I would draw."
WANTED: Final = "{} is what I want to draw again most."
UNWANTED: Final = "I would rather draw something else than {}."

# What decides between a play and passing, by `Prospect.ahead_of`:
WORTH_PLAYING: Final = (
    "is worth more for the game",
    "leaves me better off in Morale",
    "brings more besides than it costs",
)
WORTH_KEEPING: Final = (
    "is worth less for the game",
    "puts more Morale at risk than that is worth",
    "is worth more to me later",
)


def percent(p: float) -> str:
    """A chance in words."""
    return f"{100 * p:.0f} %"


def card_at(s: FeintState, action: Action) -> str:
    """What is played and where to, within a sentence."""
    number, slot = divmod(action - CARD, SLOTS)
    name = s.kinds[number].name
    return f"{name} at {s.setup.numbers[slot - 1]}" if slot else name


def plays(one: str, p: float, passing: float, ahead: int) -> str:
    """Why a card rather than to pass, by the chances to win the round and by what speaks for the card."""
    mine, theirs = percent(p), percent(passing)
    if mine != theirs and p > passing:
        return f"With {one} I would win this round {mine} of the time, and {theirs} if I passed now."
    told = f"With {one} I would win this round {mine} of the time, and no less often if I passed now ({theirs})"
    return f"{told}; but it {WORTH_PLAYING[ahead]}."


def plays_several(one: str, p: float, passing: float) -> str:
    """Why a card with which others come."""
    won = f"I would win this round {percent(p)} of the time, and {percent(passing)} if I passed now"
    return f"With {one} and a few more cards {won}."


def passes(p: float, one: str, other: float, ahead: int) -> str:
    """Why to pass rather than the best that could be played; `one` is empty where there is nothing."""
    told = f"If I pass now I win this round {percent(p)} of the time"
    if not one:
        return f"{told}."
    if percent(other) == percent(p) or other < p:
        return f"{told}, and no more often with {one}, the best that I could play ({percent(other)})."
    return f"{told}; {one} would make that {percent(other)}, but it {WORTH_KEEPING[ahead]}."


def best_of_all(one: str, p: float) -> str:
    """Why a card where one must be played."""
    return f"{one} leaves me best off of all that I may choose from: I would win this round {percent(p)} of the time."


def best_off(p: float) -> str:
    """Why a place or a card that is pointed at."""
    return f"So I am best off: I would win this round {percent(p)} of the time."


# ---- of those that search: the chances are told as they stand beside the sentence ------------------------


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
