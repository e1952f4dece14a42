"""A rule-of-thumb player of Faction Wars, from one seat's view.

It weighs what each card of the line-up is worth to everybody, guesses from that where the others will
go and who would win a battle there, and takes the place that promises most.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import TYPE_CHECKING, Final

from gonfalon.core.cards import KIND
from gonfalon.core.rng import Rng
from gonfalon.core.state import Action, Seat, State
from gonfalon.games.factionwars.actions import CARD, TAKE, TO
from gonfalon.games.factionwars.state import FactionState
from gonfalon.games.factionwars.worth import Appraisal

if TYPE_CHECKING:
    from gonfalon.games.factionwars.game import FactionWars

THOUGHTS: Final = 2  # what I think that they think that I take
HEAT: Final = 1.0  # how far from the best in points another seat still goes, in e-folds
SWAY: Final = 0.6  # points by which its own choices vary, so that they are not foreseen


class Heuristic:
    """`choose(view, rng)` gives an action of the viewer and the reason."""

    def __init__(self, game: FactionWars) -> None:
        self.game = game

    def choose(self, view: State, rng: Rng) -> tuple[Action, str]:
        assert isinstance(view, FactionState)
        legal = view.legal(view.viewer)
        look = Appraisal(self.game, view)
        prompt = view.stack[-1].prompt
        if prompt == "select":
            return self.select(look, view, legal, rng)
        if prompt == "bystander":
            return best(legal, lambda a: look.harm(look.me, a - TO)), "It hurts them most there."
        if prompt == "victim":
            return self.victim(look, view, legal), "Their army is where most is to be gained."
        if prompt == "parley":
            return best(legal, lambda a: look.stolen(look.me, a - TO)), "Their recruits are worth most to me."
        if prompt == "gift":
            other = self.partner(view)
            price = look.loss(look.me, other)
            found = best(legal, lambda a: -look.keep(look.me, a - CARD) - price * look.keep(other, a - CARD))
            return found, "I can spare it best."
        if prompt == "desert":
            return best(legal, lambda a: -look.keep(look.me, a - CARD)), "I can spare it best."
        return best(legal, lambda a: look.worth(look.me, a - CARD)), "It is worth most to me."

    def victim(self, look: Appraisal, view: FactionState, legal: list[Action]) -> Action:
        """Whom a Buccaneer or Kunoichi hits."""
        kills = bool(view.stack[-1].key()[1])
        gain = look.removed if kills else look.stolen
        return best(legal, lambda a: gain(look.me, a - TO))

    def partner(self, view: FactionState) -> Seat:
        """With whom a Parley is held."""
        return view.stack[-1].key()[1]

    def select(self, look: Appraisal, view: FactionState, legal: list[Action], rng: Rng) -> tuple[Action, str]:
        """The place with the best worth times chance to get it."""
        seats = range(look.seats)
        cards = [card & KIND for card in view.lineup]
        worths = [[look.worth(seat, kind) for kind in cards] for seat in seats]
        beats = [[look.beats(seat, other) if seat != other else 0.5 for other in seats] for seat in seats]
        went = [[1.0 / len(cards)] * len(cards) for _ in seats]
        for _ in range(THOUGHTS):
            went = [spread(hopes(seat, worths[seat], went, beats)) for seat in seats]
        mine = hopes(look.me, worths[look.me], went, beats)
        action = best(legal, lambda a: mine[a - TAKE] + SWAY * int(rng.below(1000)) / 1000)
        place = action - TAKE
        chance = mine[place] / worths[look.me][place] if worths[look.me][place] > 0 else 0.0
        worth = f"{worths[look.me][place]:.1f} points"
        return action, f"Worth {worth} to me, with a chance of {100 * chance:.0f} % to get it."


def hopes(seat: Seat, worths: list[float], went: list[list[float]], beats: list[list[float]]) -> list[float]:
    """For each place what a seat may hope for there: the card's worth times the chance that no other
    comes and wins."""
    found: list[float] = []
    for place in range(len(worths)):
        chance = 1.0
        for other in range(len(went)):
            if other != seat:
                chance *= 1.0 - went[other][place] * (1.0 - beats[seat][other])
        found.append(worths[place] * chance)
    return found


def spread(values: list[float]) -> list[float]:
    """How likely a player goes to each place: the better the likelier."""
    top = max(values)
    weights = [math.exp((value - top) / HEAT) for value in values]
    total = sum(weights)
    return [weight / total for weight in weights]


def best(actions: list[Action], value: Callable[[Action], float]) -> Action:
    """The action of the highest value, the first of equals."""
    return max(actions, key=value)
