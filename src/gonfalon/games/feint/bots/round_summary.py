"""A round of Feint in a few numbers, and what the decks of a box let one expect, for the rule of thumb."""

from __future__ import annotations

from math import log
from typing import Final

from gonfalon.games.feint.rules.cards import GanganBit, Kind, Knight
from gonfalon.games.feint.rules.state import Setup

# What the rule of thumb and the rollout policy both assume:
TRUST: Final = 3.5  # Strength that a place seems to have before a card lies there; less: quicker to infer
FILL: Final = 0.55  # of the room at a seat's own Location, what it still fills in this round
NOISE: Final = 4.0  # variance of a round that goes on
SPREAD: Final = 2.0  # variance that a point of Strength still to come brings
DOWN_STRENGTH: Final = 3.2  # of a face-down card


class RoundSummary:
    """A round in numbers, as one seat sees it."""

    __slots__ = (
        "mine",
        "theirs",
        "load",
        "capacity",
        "cost",
        "their_cost",
        "morale",
        "their_morale",
        "added",
        "barred",
        "reach",
        "crew",
        "their_hand",
        "gain",
        "bonus",
        "slots",
        "towers",
        "gang",
        "gatherers",
    )

    def __init__(self, mine: list[float], theirs: list[float], reach: list[float], load: list[int]) -> None:
        self.mine: list[float] = mine
        self.theirs: list[float] = theirs
        self.load: list[int] = load
        self.capacity: list[int] = []  # of each place; replaced, never changed
        self.cost: float = 0.0  # Morale my cards lose me if I lose the round
        self.their_cost: float = 0.0
        self.morale: float = 0.0
        self.their_morale: float = 0.0
        self.added: bool = False  # a Dragoon is in play
        self.barred: int = 0  # bitmask of places with a Punisher
        self.reach: list[float] = reach  # the Strength of my hand that may go to a place
        self.crew: float = 0.0  # the Strength of my hand's Engineers
        self.their_hand: float = 0.0  # cards
        self.gain: float = 0.0  # Morale at the Resolution, by Masters of Earth
        self.bonus: float = 0.0  # what does not show in the round
        self.slots: list[int] = []  # Engineers less Towers at each place; none where nobody has Towers
        self.gang: list[float] = []  # the Strength of my Gang cards at each place; none where I have none
        self.gatherers: int = 0  # the Gangan Bits in my hand
        self.towers: list[int] = []  # the Strength of the Towers of my hand, best first

    def copy(self) -> RoundSummary:
        twin = RoundSummary(self.mine[:], self.theirs[:], self.reach[:], self.load[:])
        twin.capacity = self.capacity
        twin.cost = self.cost
        twin.their_cost = self.their_cost
        twin.morale = self.morale
        twin.their_morale = self.their_morale
        twin.added = self.added
        twin.barred = self.barred
        twin.crew = self.crew
        twin.their_hand = self.their_hand
        twin.gain = self.gain
        twin.bonus = self.bonus
        twin.slots = self.slots[:] if self.slots else self.slots
        twin.towers = self.towers
        twin.gang = self.gang[:] if self.gang else self.gang
        twin.gatherers = self.gatherers
        return twin


class DeckFacts:
    """What is known of a game before a card is dealt."""

    def __init__(self, setup: Setup) -> None:
        self.kinds: list[Kind] = setup.kinds
        places = len(setup.numbers)
        self.reach: list[list[float]] = []  # of a card of each seat's deck, the mean Strength for each place
        self.crew: list[float] = []  # of a card of each seat's deck, the mean Strength as an Engineer
        for deck in setup.decks:
            summary = RoundSummary([], [], [0.0] * places, [])
            for k in deck:
                self.hold(summary, self.kinds[k], 1.0 / len(deck))
            self.reach.append(summary.reach)
            self.crew.append(summary.crew)
        self.gatherer: list[Kind | None] = []  # each seat's Gangan Bit
        for deck in setup.decks:
            found = [self.kinds[k] for k in deck if isinstance(self.kinds[k], GanganBit)]
            self.gatherer.append(found[0] if found else None)
        self.tower_share: list[float] = []  # of each seat's deck, and their mean Strength
        self.tower_mean: list[float] = []
        for deck in setup.decks:
            towers = [self.kinds[k].strength for k in deck if self.kinds[k].tower]
            self.tower_share.append(len(towers) / max(1, len(deck)))
            self.tower_mean.append(sum(towers) / max(1, len(towers)))
        self.worth: list[float] = [kind.strength - 0.5 * kind.morale + kind.worth for kind in self.kinds]
        """How glad one is of a card in hand, in points of Strength."""

    def hold(self, k: RoundSummary, kind: Kind, share: float) -> None:
        """Have a card in hand, or with a negative share no longer: what it lets one still add to each place."""
        if kind.tower:
            return
        if kind.engineer:
            k.crew += share * kind.strength
        elif isinstance(kind, Knight):
            if kind.place >= 0:
                k.reach[kind.place] += share * kind.strength
        else:
            strength = share * kind.strength * kind.reliable
            for place in range(len(k.reach)):
                k.reach[place] += strength


def odds(lead: int, left: int) -> float:
    """Log-odds of more victory points at the end, with every round to come a toss."""
    good = 0.0
    total = 0.0
    ways = 1.0
    for wins in range(left + 1):
        end = lead + 2 * wins - left
        good += ways if end > 0 else 0.5 * ways if end == 0 else 0.0
        total += ways
        ways = ways * (left - wins) / (wins + 1)
    p = min(0.98, max(0.02, good / total))
    return log(p / (1.0 - p))
