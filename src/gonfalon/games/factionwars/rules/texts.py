"""What the cards do, in our own words, with the rulings that belong to them."""

from __future__ import annotations

from typing import Final

ABILITIES: Final[dict[str, tuple[str, tuple[int, ...]]]] = {
    "": ("", ()),
    "gambler": ("You draw the top card of the recruit deck; its ability triggers.", (14, 22, 23, 26)),
    "buccaneer": (
        "You choose a player and take a random recruit of theirs; its ability triggers for you.",
        (16, 17, 18, 19, 20, 21),
    ),
    "kunoichi": (
        "You choose a player; a random recruit of theirs goes to the recruit discard pile.",
        (16, 17, 18, 19),
    ),
    "berserker": ("Each of your Berserkers scores as many points as you have Berserkers.", (29,)),
    "bonus": ("1 point for each of your {faction}, this card included.", (17, 28)),
    "bonus-sets": ("{points} points for each set of one card of every faction.", ()),
    "bystander": ("You put it into another player's discard pile. It is no recruit.", (13, 14, 15, 34, 38)),
    "call": ("Draw three cards of the recruit deck, collect one of them, discard the others.", (14, 21, 22, 26)),
    "exchange": ("Collect a recruit of your choice out of the recruit discard pile.", (21, 22)),
    "desertion": ("Every other player removes a recruit of their choice and shuffles.", (19, 22)),
    "parley": (
        "Choose a player: give a recruit of your choice, take a random one of theirs; its ability triggers. "
        "Both of you shuffle.",
        (17, 19, 22, 35, 36, 37),
    ),
    "war": ("The round in which it appears is the last.", (39, 40)),
}
"""ability -> (what it does, rulings)"""

OPEN: Final[dict[str, tuple[str, tuple[int, ...]]]] = {
    "bonus": ("It lies open: 1 point for each of your {faction}, for everybody.", (41,)),
    "bonus-sets": ("It lies open: {points} points for each set of one card of every faction, for everybody.", (41,)),
}
"""The same for Bonus Cards that nobody can own (later revision)."""

CONSCRIPT: Final = ("Never a recruit, no points. Level conscripts play rock, paper, scissors.", (8, 9, 10, 11, 12))
LATER_CONSCRIPT: Final = ("Never a recruit, no points. Level conscripts go on like any other cards.", (3,))

GOALS: Final[dict[str, str]] = {
    "most-faction": "more {faction} than anybody else",
    "most-recruits": "more recruits than anybody else",
    "no-bystander": "no Bystander",
    "every-faction": "at least {count} of every faction",
    "battle-value": "at least {count} recruits of battle value {value}",
    "abilities": "at least {count} of {abilities}",
}
