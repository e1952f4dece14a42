"""How people pick: nobody knows who sits there, so they are taken for a mixture of several kinds of players.

What a level would do in the others' place is one of these kinds only. It is often quite sure of that, and so would be
wrong as often as somebody else sits there. How much of each kind there is was fitted to what the five levels and the
rule of thumb, each as often, really pick (`tools/fitting/factionwars_opponents.py`): there, what is told comes true,
with any number of seats.
"""

from __future__ import annotations

from typing import Final

from gonfalon.core.rules.state import Seat
from gonfalon.games.factionwars.bots.card_worth import Appraisal
from gonfalon.games.factionwars.bots.rule_levels import Gentle
from gonfalon.games.factionwars.bots.rule_of_thumb import Race
from gonfalon.games.factionwars.bots.trial_round import logit
from gonfalon.games.factionwars.face.words import FactionWords
from gonfalon.games.factionwars.rules.state import FactionState

KINDS: Final = {
    "any": 0.1,  # whatever it may be that they want: so nothing is ever sure
    "points": 0.2,  # those who take the points that lie there
    "worth": 0.15,  # those who go where most is to be had, whoever else does
    "rivals": 0.4,  # those who reckon with others who do that
    "own": 0.15,  # those who think as the level does that asks
}
"""How much of each there is; 1 in all."""
HEATS: Final = {"points": 0.3, "worth": 1.5, "rivals": 0.3}
"""By how many points each of them misses its best."""


class People:
    """The picks that are to be expected of others in a view."""

    def __init__(self, game: FactionWords, view: FactionState, cards: list[int]) -> None:
        self.view = view
        self.cards = cards
        self.race = Race(Appraisal(game, view), cards)
        self.first = self.race.first()
        self.gentle = Gentle(game)

    def picks(self, seat: Seat, own: list[float]) -> list[float]:
        """How likely a seat goes to each place. `own` is what the level that asks would do there."""
        return mixed(KINDS, self.kinds(seat, own))

    def kinds(self, seat: Seat, own: list[float]) -> dict[str, list[float]]:
        """How likely each kind of player goes to each place."""
        points = [self.gentle.printed(self.view, seat, kind) for kind in self.cards]
        return {
            "any": [1.0 / len(self.cards)] * len(self.cards),
            "points": logit(points, HEATS["points"]),
            "worth": logit(self.race.worths[seat], HEATS["worth"]),
            "rivals": logit(self.race.hopes(seat, self.first), HEATS["rivals"]),
            "own": own,
        }


def mixed(shares: dict[str, float], kinds: dict[str, list[float]]) -> list[float]:
    """What kinds of players do together."""
    places = range(len(kinds["own"]))
    return [sum(share * kinds[name][place] for name, share in shares.items()) for place in places]
