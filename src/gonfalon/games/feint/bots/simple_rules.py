"""Simple rules of play from the guide, for the second judge of reviews.

They share nothing with the heuristic and the network: no worth of cards, no inference, no fitted number.
"""

from __future__ import annotations

from gonfalon.core.basics.cards import KIND
from gonfalon.games.feint.rules.actions import CARD, DONE, PASS, SLOTS
from gonfalon.games.feint.rules.state import DOWN, FACE_DOWN, OPPONENT, FeintState


def rate_actions(s: FeintState) -> list[float]:
    """Return log-odds for the actions of the seat in turn: lead where the battles are, pay little, pass when lost."""
    prompt = s.stack[-1].prompt
    if prompt == "reinforce":
        return [3.0 if action == DONE else 3.0 - s.kinds[(action - CARD) // SLOTS].strength for action in s.actions]
    return rate_plays(s) if prompt == "deploy" else [0.0] * len(s.actions)


def rate_plays(s: FeintState) -> list[float]:
    """Return log-odds for playing a card to a Location, and for passing."""
    leads, chances = weigh_battles(s)
    ahead = sum(lead * chance for lead, chance in zip(leads, chances, strict=True))
    found = []
    for action in s.actions:
        if action == PASS:
            # A lead after the opponent's pass is final. A large deficit is not worth more cards.
            found.append(3.0 if (s.passed and ahead > 0.0) or ahead < -25.0 else 0.5 if ahead > 12.0 else -0.5)
            continue
        kind, place = s.kinds[(action - CARD) // SLOTS], (action - CARD) % SLOTS - 1
        after = ahead + kind.strength * s.setup.numbers[place] * chances[place]
        turns = 2.0 if ahead <= 0.0 < after else 0.0
        found.append((after - ahead) / 6.0 + turns - 0.8 * kind.morale - (3.0 if s.passed and after <= 0.0 else 0.0))
    return found


def weigh_battles(s: FeintState) -> tuple[list[float], list[float]]:
    """Return the lead of the seat in turn at each place in Strategy Rating, and the chance of a battle there.

    The own Location Card is known. The opponent's is likelier where the opponent has Strength, and one of the cards
    that the opponent has not used yet.
    """
    seat, foe = s.turn, OPPONENT[s.turn]
    mine = [sum(s.kinds[card & KIND].strength for card in s.at(seat, place)) for place in range(s.places)]
    theirs = [
        sum(FACE_DOWN if card & DOWN else s.kinds[card & KIND].strength for card in s.at(foe, place))
        for place in range(s.places)
    ]
    leads = [float(number * (a - b)) for number, a, b in zip(s.setup.numbers, mine, theirs, strict=True)]
    used = [card & KIND for card in s.used[foe]]
    left = [s.setup.location_deck.count(place) - used.count(place) for place in range(s.places)]
    odds = [count * (1.0 + strength) ** 3 for count, strength in zip(left, theirs, strict=True)]
    chances = [one / sum(odds) for one in odds]
    for card in s.scout[seat]:
        chances[card & KIND] = 1.0
    return leads, chances
