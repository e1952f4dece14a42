"""Reasons for the moves of the bots of Feint, made of the numbers on the board."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from gonfalon.bots.players.choice import Belief, Fact
from gonfalon.bots.players.reasons import Reason, quote, tell
from gonfalon.core.basics.cards import HIDDEN, KIND, SEEN
from gonfalon.core.rules.state import Action, Seat
from gonfalon.games.feint.face import messages
from gonfalon.games.feint.rules.actions import CARD, DONE, LOWER, PASS, PLACE, SLOTS, SPOT, SPOTS
from gonfalon.games.feint.rules.cards import BombTower, GanganBit, Kind
from gonfalon.games.feint.rules.playing import Scramble, Storm
from gonfalon.games.feint.rules.state import OPPONENT, FeintState

BLUFF_PROBABILITY: Final = 0.15
"""The probability of a battle below which a card there is a bluff; equal chances are 0.2."""


def list_reasons(s: FeintState, action: Action, beliefs: tuple[Belief, ...]) -> list[Reason]:
    """Return the reasons for an action of the viewer, given the beliefs about the other Location Card."""
    prompt, seat = s.stack[-1].prompt, s.viewer
    if prompt == "reinforce":
        return explain_discard(s, seat, action)
    if action == PASS:
        return explain_pass(s, seat)
    if action >= CARD:
        number, slot = divmod(action - CARD, SLOTS)
        if slot:
            return explain_play(s, seat, number, slot - 1, beliefs)
    elif action == LOWER or prompt == "support":
        number = s.deck[seat][-1] & KIND
    elif action >= SPOT:
        return explain_target(s, OPPONENT[seat] if prompt == "bomb" else seat, *divmod(action - SPOT, SPOTS))
    elif PLACE <= action < PLACE + s.places:
        return [compare_ratings(s, seat, action - PLACE, *find_moved(s), beliefs)]
    else:
        return []
    if action == DONE:
        return [tell(messages.WHY_NEXT, get_strength(s, number))]
    if prompt == "support":
        return [tell(messages.WHY_BURIES, get_strength(s, number))]
    return [tell(messages.WHY_RETURNS, get_strength(s, number))] if prompt == "medic" else []


def name_place(s: FeintState, place: int) -> str:
    """Return the name of a Location."""
    return messages.LOCATION.format(place=s.setup.numbers[place])


def find_moved(s: FeintState) -> tuple[Kind | None, Seat]:
    """Return the card for which a Location is chosen, if the viewer knows it, and its seat."""
    step, number, side = s.stack[-1], HIDDEN, OPPONENT[s.viewer]
    if isinstance(step, Storm):
        number = step.kind
    elif isinstance(step, Scramble):
        side = step.side(s)
        number = s.at(side, step.place)[step.index(s)] & KIND
    return (None if number == HIDDEN else s.kinds[number]), side


def explain_discard(s: FeintState, seat: Seat, action: Action) -> list[Reason]:
    """Return the reasons to discard a card before drawing, or to keep those that are left."""
    kept = [card & KIND for card in s.hand[seat]]
    for answer in s.answers[seat]:
        kept.remove((answer - CARD) // SLOTS)
    if action == DONE and not kept:
        return [tell(messages.WHY_EMPTY_HAND)]
    kind = min(kept, key=lambda one: s.kinds[one].strength) if action == DONE else (action - CARD) // SLOTS
    left, zones = s.pools()[2 * seat]
    left = list(left)
    for card in [card for zone in zones if zone is not s.deck[seat] for card in zone if card & SEEN[seat]]:
        left.remove(card & KIND)
    count = len([one for one in left if s.kinds[one].strength > s.kinds[kind].strength])
    deck = Fact(messages.THE_DECK, messages.WHY_CARDS, len(left), is_counted=True)
    pattern = messages.WHY_KEEPS if action == DONE else messages.WHY_DISCARDS
    text = s.kinds[kind].says(s.setup)
    found = [tell(pattern, get_strength(s, kind), replace(deck, quantity=messages.WHY_BETTER, value=count), deck)]
    return [*found, quote(s.kinds[kind].name, text)] if text else found


def get_strength(s: FeintState, kind: int) -> Fact:
    """Return the Strength of a kind."""
    return Fact(s.kinds[kind].name, messages.WHY_STRENGTH, s.kinds[kind].strength)


def explain_play(s: FeintState, seat: Seat, number: int, place: int, beliefs: tuple[Belief, ...]) -> list[Reason]:
    """Return the reasons to play a card to a Location: the ratings there, its ability, and whether it is a bluff."""
    kind = s.kinds[number]
    if kind.bars(place):
        return [name_barring(s, kind, place), compare_ratings(s, seat, place, None, seat, beliefs)]
    text = [quote(kind.name, kind.says(s.setup))] if kind.acts or kind.resolves else []
    if isinstance(kind, BombTower):  # it leaves again
        return [*text, compare_ratings(s, seat, place, None, seat, beliefs)]
    found = [compare_ratings(s, seat, place, kind, seat, beliefs), *text]
    likely = find_chance(s, place, kind, beliefs)
    if s.scout[seat] and likely is not None and likely < BLUFF_PROBABILITY:
        found.append(tell(messages.WHY_BLUFF, place=name_place(s, s.scout[seat][0] & KIND)))
    return found


def find_chance(s: FeintState, place: int, added: Kind | None, beliefs: tuple[Belief, ...]) -> float | None:
    """Return the believed chance of a battle by cards in play and by the Location Cards; None if it is unknown."""
    kinds = [*list_kinds(s), *([added] if added else [])]
    own = [card & KIND for card in s.scout[s.viewer]]
    if place in own or any(kind.adds(s) >> place & 1 for kind in kinds):
        return 1.0
    return dict(beliefs[0].likely).get(str(s.setup.numbers[place]), 0.0) if beliefs else None


def list_kinds(s: FeintState, *places: int) -> list[Kind]:
    """Return the known cards at some Locations, or at all."""
    every = places or range(s.places)
    known = [card & KIND for place in every for seat in (0, 1) for card in s.at(seat, place)]
    return [s.kinds[number] for number in known if number != HIDDEN]


def name_barring(s: FeintState, kind: Kind, place: int) -> Reason:
    """Return the effect of a card that cancels a battle."""
    return tell(messages.WHY_CANCELS, card=kind.name, place=name_place(s, place))


def rate_place(s: FeintState, seat: Seat, place: int) -> int:
    """Return the Strategy Rating of the cards of a seat at a Location that the view shows."""
    known = [card & KIND for card in s.at(seat, place) if card & KIND != HIDDEN]
    return s.setup.numbers[place] * sum([s.kinds[kind].strength for kind in known])


def count_added(s: FeintState, seat: Seat, place: int, kind: Kind) -> int:
    """Return the Strategy Rating that a card adds at a Location, with the cards that it gathers there."""
    strength = kind.strength
    # A Scrambler may move it before it acts.
    if isinstance(kind, GanganBit) and not s.has_scrambler(OPPONENT[seat], place):
        others = [s.at(seat, one) for one in range(s.places) if one != place]
        strength += sum([s.kinds[card & KIND].strength for cards in others for card in cards if kind.gathers(s, card)])
    return strength * s.setup.numbers[place]


def compare_ratings(
    s: FeintState, seat: Seat, place: int, added: Kind | None, side: Seat, beliefs: tuple[Belief, ...]
) -> Reason:
    """Return the comparison of both ratings at a Location, with the chance of a battle there.

    Args:
        s: The view.
        seat: The seat that chooses.
        place: The Location.
        added: The card that is added, if any.
        side: The seat whose card it is.
        beliefs: The beliefs about the other Location Card.
    """
    barring = [kind for kind in list_kinds(s, place) if kind.bars(place)]
    if barring:
        return name_barring(s, barring[0], place)
    name = name_place(s, place)
    ratings = [rate_place(s, one, place) for one in (0, 1)]
    ratings[side] += count_added(s, side, place, added) if added else 0
    mine, theirs = ratings[seat], ratings[OPPONENT[seat]]
    if added is None:
        level = messages.WHY_STANDS_LEVEL if mine else messages.WHY_STANDS_EMPTY
        pattern = level if mine == theirs else messages.WHY_STANDS
    else:
        pattern = messages.WHY_LEADS if mine > theirs else messages.WHY_TIES if mine == theirs else messages.WHY_TRAILS
    hidden = HIDDEN in [card & KIND for card in s.at(OPPONENT[seat], place)]
    pattern = pattern.format(place=name) + (messages.WHY_AND_FACE_DOWN if hidden else "")
    # The last card of a round is never shown with those that it gathers.
    is_counted = isinstance(added, GanganBit)
    shown = Fact(name, messages.WHY_RATING, mine, "", None if mine == theirs else theirs, is_counted)
    likely = find_chance(s, place, added, beliefs)
    if likely in (None, 0.0, 1.0):
        endings = {None: ".", 0.0: messages.WHY_AND_NO_CARD, 1.0: messages.WHY_AND_BATTLE}
        return tell(pattern + endings[likely], shown)
    return tell(pattern + messages.WHY_AND_CHANCE, shown, Fact(name, messages.WHY_THEIR_LOCATION, round(100 * likely)))


def explain_pass(s: FeintState, seat: Seat) -> list[Reason]:
    """Return the reasons to play no more cards: the own battle, and the Morale or the cards that are saved."""
    places = [card & KIND for card in s.scout[seat]]
    found = [compare_ratings(s, seat, place, None, seat, ()) for place in places]
    leads = [place for place in places if rate_place(s, seat, place) > rate_place(s, OPPONENT[seat], place)]
    risk, hand = s.fielded_morale(seat), len(s.hand[seat])
    if not hand:
        found.append(tell(messages.WHY_EMPTY_HAND))
    elif s.passed and leads:
        found.append(tell(messages.WHY_THEY_PASSED))
    elif risk:
        found.append(tell(messages.WHY_RISKS, Fact(messages.THE_MORALE, messages.WHY_AT_RISK, risk)))
    else:
        found.append(tell(messages.WHY_SAVES_HAND, Fact(messages.THE_HAND, messages.WHY_CARDS, hand)))
    return found


def explain_target(s: FeintState, owner: Seat, place: int, index: int) -> list[Reason]:
    """Return the Strength of a card at a Location."""
    kind = s.at(owner, place)[index] & KIND
    return [] if kind == HIDDEN else [tell(messages.WHY_AIMS, get_strength(s, kind))]
