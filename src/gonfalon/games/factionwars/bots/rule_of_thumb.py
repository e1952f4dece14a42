"""A rule-of-thumb player of Faction Wars, from one seat's view.

It weighs what each card of the line-up is worth to everybody, guesses from that where the others will
go and who would win a battle there, and takes the place that promises most.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Final

from gonfalon.core.basics.cards import KIND
from gonfalon.core.basics.rng import Rng
from gonfalon.core.rules.state import Action, Seat, State
from gonfalon.games.factionwars.bots.card_worth import Appraisal
from gonfalon.games.factionwars.face import thoughts
from gonfalon.games.factionwars.face.words import FactionWords
from gonfalon.games.factionwars.rules.actions import CARD, TAKE, TO
from gonfalon.games.factionwars.rules.state import FactionState

THOUGHTS: Final = 2  # what I think that they think that I take
HEAT: Final = 1.0  # how far from the best in points another seat still goes, in e-folds
SWAY: Final = 0.6  # points by which its own choices vary, so that they are not foreseen
ASTRAY: Final = 0.4
"""How much of what others do is as good as anything else: with it, chances come true as often as they are told."""


class RuleOfThumb:
    """`choose(view, rng)` gives an action of the viewer and the reason."""

    def __init__(self, game: FactionWords) -> None:
        self.game = game

    def choose(self, view: State, rng: Rng) -> tuple[Action, str]:
        assert isinstance(view, FactionState)
        legal = view.legal(view.viewer)
        look = Appraisal(self.game, view)
        prompt = view.stack[-1].prompt
        if prompt == "select":
            return self.select(look, view, legal, rng)
        if legal[0] < CARD:
            return self.player(look, view, legal)
        if prompt == "gift":
            other = self.partner(view)
            price = look.loss(look.me, other)
            found = best(legal, lambda a: -look.keep(look.me, a - CARD) - price * look.keep(other, a - CARD))
        elif prompt == "desert":
            found = best(legal, lambda a: -look.keep(look.me, a - CARD))
        else:
            found = best(legal, lambda a: look.worth(look.me, a - CARD))
            return found, thoughts.WORTH_MOST.format(thoughts.the(self.game, found - CARD))
        return found, thoughts.SPARED_BEST.format(thoughts.the(self.game, found - CARD))

    def player(self, look: Appraisal, view: FactionState, legal: list[Action]) -> tuple[Action, str]:
        """Whom an ability hits."""
        prompt = view.stack[-1].prompt
        if prompt == "bystander":
            gain, why = look.harm, thoughts.HURT_MOST
        elif prompt == "parley":
            gain, why = look.stolen, thoughts.BEST_RECRUITS
        elif view.stack[-1].key()[1]:
            gain, why = look.removed, thoughts.MOST_TO_LOSE
        else:
            gain, why = look.stolen, thoughts.MOST_TO_GAIN
        found = best(legal, lambda a: gain(look.me, a - TO))
        return found, why.format(self.game.seat_names()[found - TO])

    def partner(self, view: FactionState) -> Seat:
        """With whom a Parley is held."""
        return view.stack[-1].key()[1]

    def select(self, look: Appraisal, view: FactionState, legal: list[Action], rng: Rng) -> tuple[Action, str]:
        """The place with the best worth times chance to get it."""
        cards = [card & KIND for card in view.lineup]
        race = Race(look, cards)
        went = race.went()
        mine = race.hopes(look.me, went)
        action = best(legal, lambda a: mine[a - TAKE] + SWAY * int(rng.below(1000)) / 1000)
        place = action - TAKE
        top = max(range(len(mine)), key=lambda other: (mine[other], -other))
        better = cards[top] if mine[top] > mine[place] else None
        worth, chance = race.worths[look.me][place], race.chance(look.me, place, went)
        return action, thoughts.weighed(self.game, cards[place], worth, chance, better)


class Race:
    """Who wants which card of a line-up how much, and who beats whom for it: by the rule of thumb."""

    def __init__(self, look: Appraisal, cards: list[int]) -> None:
        self.seats = range(look.seats)
        self.worths = [[look.worth(seat, kind) for kind in cards] for seat in self.seats]
        self.beats = [
            [look.beats(seat, other) if seat != other else 0.5 for other in self.seats] for seat in self.seats
        ]

    def first(self) -> list[list[float]]:
        """How likely everybody goes where, who go where most is to be had."""
        return [spread(worths) for worths in self.worths]

    def went(self) -> list[list[float]]:
        """The same when all think twice about where the others go."""
        went = [[1.0 / len(worths)] * len(worths) for worths in self.worths]
        for _ in range(THOUGHTS):
            went = [spread(self.hopes(seat, went)) for seat in self.seats]
        return went

    def hopes(self, seat: Seat, went: list[list[float]]) -> list[float]:
        """What a seat may hope for at each place."""
        return hopes(seat, self.worths[seat], went, self.beats)

    def chance(self, seat: Seat, place: int, went: list[list[float]]) -> float:
        """How likely a seat gets the card of a place if it goes there. Not all others go where they are thought to."""
        shares = [(1.0 - ASTRAY) * places[place] + ASTRAY / len(places) for places in went]
        return hopes(seat, [1.0], [[share] for share in shares], self.beats)[0]


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
    total = math.fsum(weights)
    return [weight / total for weight in weights]


def best(actions: list[Action], value: Callable[[Action], float]) -> Action:
    """The action of the highest value, the first of equals."""
    return max(actions, key=value)
