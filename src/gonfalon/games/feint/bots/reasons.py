"""Reasons for the moves of the bots of Feint, made of the numbers on the board."""

from __future__ import annotations

from typing import Final

from gonfalon.bots.players.choice import Belief, Fact
from gonfalon.bots.players.reasons import Reason, tell
from gonfalon.core.basics.cards import HIDDEN, KIND
from gonfalon.core.rules.state import Action, Seat
from gonfalon.games.feint.face import messages
from gonfalon.games.feint.rules.actions import CARD, DONE, LOWER, PASS, PLACE, SLOTS, SPOT, SPOTS
from gonfalon.games.feint.rules.cards import Kind
from gonfalon.games.feint.rules.state import OPPONENT, FeintState

LIKELY: Final = 0.3
"""The probability from which their battle at a Location is called likely; equal chances are 0.2."""
UNLIKELY: Final = 0.15


def name_play(s: FeintState, action: Action) -> str:
    """Return the short name of a play: `Patriot to 5`, or `Pass`."""
    if action == PASS:
        return messages.PASS_SHORT
    number, slot = divmod(action - CARD, SLOTS)
    name = s.kinds[number].name
    return messages.PLAY_SHORT.format(card=name, place=s.setup.numbers[slot - 1]) if slot else name


def list_reasons(s: FeintState, action: Action, beliefs: tuple[Belief, ...]) -> list[Reason]:
    """Return the reasons for an action of the viewer, given the beliefs about the other Location Card."""
    prompt, seat = s.stack[-1].prompt, s.viewer
    if prompt == "reinforce":
        return [explain_discard(s, seat, action)]
    if action == PASS:
        return explain_pass(s, seat)
    if action >= CARD:
        number, slot = divmod(action - CARD, SLOTS)
        if slot:
            return explain_play(s, seat, number, slot - 1, beliefs)
    elif action == LOWER:
        number = s.deck[seat][-1] & KIND
    elif action >= SPOT:
        return explain_target(s, OPPONENT[seat] if prompt == "bomb" else seat, *divmod(action - SPOT, SPOTS))
    elif PLACE <= action < PLACE + s.places:
        return [compare_ratings(s, seat, action - PLACE, None, beliefs)]
    else:
        return []
    if prompt == "support":
        return [tell(messages.WHY_BURIES, get_strength(s, number), count_deck(s, seat))]
    return [tell(messages.WHY_RETURNS, get_strength(s, number))] if prompt == "medic" else []


def name_place(s: FeintState, place: int) -> str:
    """Return the name of a Location."""
    return messages.LOCATION.format(place=s.setup.numbers[place])


def count_deck(s: FeintState, seat: Seat) -> Fact:
    """Return the size of a seat's draw pile."""
    return Fact(messages.THE_DECK, messages.WHY_CARDS, len(s.deck[seat]))


def explain_discard(s: FeintState, seat: Seat, action: Action) -> Reason:
    """Return the reason to discard a card before drawing, or to keep those that are left."""
    if action != DONE:
        return tell(messages.WHY_DISCARDS, get_strength(s, (action - CARD) // SLOTS), count_deck(s, seat))
    kept = [card & KIND for card in s.hand[seat]]
    for answer in s.answers[seat]:
        kept.remove((answer - CARD) // SLOTS)
    if not kept:
        return tell(messages.WHY_EMPTY_HAND)
    return tell(messages.WHY_KEEPS, get_strength(s, min(kept, key=lambda kind: s.kinds[kind].strength)))


def get_strength(s: FeintState, kind: int) -> Fact:
    """Return the Strength of a kind."""
    return Fact(s.kinds[kind].name, messages.WHY_STRENGTH, s.kinds[kind].strength)


def explain_play(s: FeintState, seat: Seat, number: int, place: int, beliefs: tuple[Belief, ...]) -> list[Reason]:
    """Return the reasons to play a card to a Location: the ratings there, and the Capacity that is left."""
    kind = s.kinds[number]
    if kind.acts:  # the ability may change the board, so the ratings are those before it
        shown = compare_ratings(s, seat, place, None, beliefs)
        here = [shown] if rate_place(s, 0, place) or rate_place(s, 1, place) else []
        return [tell(messages.WHY_ADDS, get_strength(s, number)), *here]
    found = [compare_ratings(s, seat, place, kind, beliefs)]
    load = s.load[place] + kind.weight
    if load == s.capacity(place):
        found.append(tell(messages.WHY_FULL, Fact(name_place(s, place), messages.WHY_CAPACITY_USED, load)))
    return found


def rate_place(s: FeintState, seat: Seat, place: int) -> int:
    """Return the Strategy Rating of the cards of a seat at a Location that the view shows."""
    known = [card & KIND for card in s.at(seat, place) if card & KIND != HIDDEN]
    return s.setup.numbers[place] * sum([s.kinds[kind].strength for kind in known])


def compare_ratings(s: FeintState, seat: Seat, place: int, added: Kind | None, beliefs: tuple[Belief, ...]) -> Reason:
    """Return the comparison of both ratings at a Location, with the chance of a battle there.

    Args:
        s: The view.
        seat: The seat that chooses.
        place: The Location.
        added: The card that the seat adds, if any.
        beliefs: The beliefs about the other Location Card.
    """
    name = name_place(s, place)
    mine = rate_place(s, seat, place) + (added.strength * s.setup.numbers[place] if added else 0)
    theirs = rate_place(s, OPPONENT[seat], place)
    if added is None:
        level = messages.WHY_STANDS_LEVEL if mine else messages.WHY_STANDS_EMPTY
        pattern = level if mine == theirs else messages.WHY_STANDS
    else:
        pattern = messages.WHY_LEADS if mine > theirs else messages.WHY_TIES if mine == theirs else messages.WHY_TRAILS
    hidden = HIDDEN in [card & KIND for card in s.at(OPPONENT[seat], place)]
    pattern = pattern.format(place=name) + (messages.WHY_AND_FACE_DOWN if hidden else "")
    ratings = Fact(name, messages.WHY_RATING, mine, "", None if mine == theirs else theirs)
    if added and added.bars(place):
        return tell(pattern + messages.WHY_AND_NO_BATTLE, ratings)
    scout = s.scout[seat]
    if scout and scout[0] & KIND == place:
        return tell(pattern + messages.WHY_AND_BATTLE, ratings)
    likely = dict(beliefs[0].likely).get(str(s.setup.numbers[place]), 0.0) if beliefs else UNLIKELY
    if UNLIKELY <= likely < LIKELY or (not mine and not theirs):
        return tell(pattern + ".", ratings)
    if likely in (0.0, 1.0):
        return tell(pattern + (messages.WHY_AND_THEIRS if likely else messages.WHY_AND_NO_CARD), ratings)
    ending = messages.WHY_AND_LIKELY if likely >= LIKELY else messages.WHY_AND_UNLIKELY
    return tell(pattern + ending, ratings, Fact(name, messages.WHY_THEIR_LOCATION, round(100 * likely)))


def explain_pass(s: FeintState, seat: Seat) -> list[Reason]:
    """Return the reasons to play no more cards: the own battle, and the Morale or the cards that are saved."""
    found = [compare_ratings(s, seat, s.scout[seat][0] & KIND, None, ())] if s.scout[seat] else []
    risk, hand = s.fielded_morale(seat), len(s.hand[seat])
    if not hand:
        found.append(tell(messages.WHY_EMPTY_HAND))
    elif risk:
        found.append(tell(messages.WHY_RISKS, Fact(messages.THE_MORALE, messages.WHY_AT_RISK, risk)))
    else:
        found.append(tell(messages.WHY_SAVES_HAND, Fact(messages.THE_HAND, messages.WHY_CARDS, hand)))
    return found


def explain_target(s: FeintState, owner: Seat, place: int, index: int) -> list[Reason]:
    """Return the Strength of a card at a Location."""
    kind = s.at(owner, place)[index] & KIND
    return [] if kind == HIDDEN else [tell(messages.WHY_AIMS, get_strength(s, kind))]
