"""Reasons for the moves of the bots of Feint, made of the ratings of the battles that are sure or likely."""

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

UNLIKELY: Final = 0.15
"""The probability of a battle below which a card there is a bluff; equal chances are 0.2."""
LIKELY: Final = 0.4
"""The probability from which a battle is counted besides the sure ones."""


def list_reasons(s: FeintState, action: Action, beliefs: tuple[Belief, ...]) -> list[Reason]:
    """Return the reasons for an action of the viewer, given the beliefs about the other Location Card."""
    prompt, seat = s.stack[-1].prompt, s.viewer
    number, slot = divmod(action - CARD, SLOTS)
    if prompt == "reinforce":
        return explain_discard(s, seat, action)
    if action == PASS:
        return explain_pass(s, seat, beliefs)
    if PLACE <= action < PLACE + s.places:
        return explain_location(s, beliefs, action - PLACE)
    if SPOT <= action < CARD:
        return explain_target(s, prompt, *divmod(action - SPOT, SPOTS))
    if action >= CARD and slot:
        return explain_play(s, s.kinds[number], slot - 1, beliefs)
    if prompt == "medic" and action != DONE:
        return [tell(messages.WHY_RETURNS, get_strength(s, number)), *quote_worth(s, s.kinds[number])]
    if prompt == "support":
        pattern = messages.WHY_NEXT if action == DONE else messages.WHY_BURIES
        kind = s.deck[seat][-1] & KIND if action in (DONE, LOWER) else number
        return [tell(pattern, get_strength(s, kind))]
    return []


def name_place(s: FeintState, place: int) -> str:
    """Return the name of a Location."""
    return messages.LOCATION.format(place=s.setup.numbers[place])


def get_strength(s: FeintState, kind: int) -> Fact:
    """Return the Strength of a kind."""
    return Fact(s.kinds[kind].name, messages.WHY_STRENGTH, s.kinds[kind].strength)


def quote_worth(s: FeintState, kind: Kind) -> list[Reason]:
    """Return the text of a card with an ability that is worth something."""
    return [quote(kind.name, kind.says(s.setup))] if kind.worth > 0.0 and (kind.acts or kind.resolves) else []


def explain_location(s: FeintState, beliefs: tuple[Belief, ...], place: int) -> list[Reason]:
    """Return the reasons to send a card to a Location."""
    step = s.stack[-1]
    if isinstance(step, Storm):
        return explain_round(s, beliefs, place, s.kinds[step.kind], OPPONENT[s.viewer])
    if isinstance(step, Scramble):
        s = s.clone()
        s.log = None
        s.move(step.side(s), step.place, step.index(s), place)
    return explain_round(s, beliefs, place)


# ---- discards ---------------------------------------------------------------------------------------


def explain_discard(s: FeintState, seat: Seat, action: Action) -> list[Reason]:
    """Return the reasons to discard a card before drawing, or to keep those that are left."""
    kept = [card & KIND for card in s.hand[seat]]
    for answer in s.answers[seat]:
        kept.remove((answer - CARD) // SLOTS)
    if action == DONE and not kept:
        return [tell(messages.WHY_EMPTY_HAND)]
    number = min(kept, key=lambda one: s.kinds[one].strength) if action == DONE else (action - CARD) // SLOTS
    kind, (left, zones) = s.kinds[number], s.pools()[2 * seat]
    left = list(left)
    for card in [card for zone in zones if zone is not s.deck[seat] for card in zone if card & SEEN[seat]]:
        left.remove(card & KIND)
    deck = Fact(messages.THE_DECK, messages.WHY_CARDS, len(left), is_counted=True)
    better = len([one for one in left if s.kinds[one].strength > kind.strength])
    text = [quote(kind.name, kind.says(s.setup))]
    if (3 * better > len(left)) != (action == DONE):
        pattern = messages.WHY_KEEPS if action == DONE else messages.WHY_DISCARDS
        return [tell(pattern, get_strength(s, number), replace(deck, quantity=messages.WHY_BETTER, value=better), deck)]
    if action == DONE and kind.worth > 0.0:
        return [tell(messages.WHY_ABILITY, card=kind.name), *text]
    rounds = Fact(messages.THE_ROUND, messages.WHY_ROUNDS, s.end - s.round, is_counted=True)
    if action == DONE or kind.morale < 2:
        return [tell(messages.WHY_FEW if action == DONE else messages.WHY_MANY, deck, rounds)]
    found = tell(messages.WHY_EXPENSIVE, get_strength(s, number), get_morale(kind))
    return [*text, found] if kind.worth < 0.0 else [found]


def get_morale(kind: Kind) -> Fact:
    """Return the Morale that a card costs in a lost round."""
    return Fact(kind.name, messages.THE_MORALE, kind.morale)


# ---- battles ----------------------------------------------------------------------------------------


def find_chances(s: FeintState, beliefs: tuple[Belief, ...], place: int, added: Kind | None) -> list[float]:
    """Return the probability of a battle at each Location, with a card added at one of them."""
    likely = dict(beliefs[0].likely) if beliefs else {}
    known = [card & KIND for cards in s.scout for card in cards if card & SEEN[s.viewer]]
    here = [[*list_kinds(s, at), *([added] if added and at == place else [])] for at in range(s.places)]
    chances = [likely.get(str(number), 0.0) for number in s.setup.numbers]
    for at in range(s.places):
        if any(kind.bars(at) for kind in here[at]):
            chances[at] = 0.0
        elif at in known or any(kind.adds(s) >> at & 1 for kinds in here for kind in kinds):
            chances[at] = 1.0
    return chances


def list_kinds(s: FeintState, place: int) -> list[Kind]:
    """Return the known cards at a Location."""
    return [s.kinds[card & KIND] for seat in (0, 1) for card in s.at(seat, place) if card & KIND != HIDDEN]


def rate_place(s: FeintState, seat: Seat, place: int) -> int:
    """Return the Strategy Rating of the cards of a seat at a Location that the view shows."""
    known = [card & KIND for card in s.at(seat, place) if card & KIND != HIDDEN]
    return s.setup.numbers[place] * sum([s.kinds[kind].strength for kind in known])


def count_added(s: FeintState, seat: Seat, place: int, kind: Kind) -> int:
    """Return the Strategy Rating that a card adds at a Location, with the cards that it gathers there."""
    strength = 0 if isinstance(kind, BombTower) else kind.strength  # a Bomb Tower leaves again
    # A Scrambler may move it before it acts.
    if isinstance(kind, GanganBit) and not s.has_scrambler(OPPONENT[seat], place):
        others = [s.at(seat, one) for one in range(s.places) if one != place]
        strength += sum([s.kinds[card & KIND].strength for cards in others for card in cards if kind.gathers(s, card)])
    return strength * s.setup.numbers[place]


def explain_round(
    s: FeintState, beliefs: tuple[Belief, ...], place: int = -1, added: Kind | None = None, side: Seat = -1
) -> list[Reason]:
    """Return the ratings of the round with the sure battles and the one at a place, or else the likeliest. If that one
    loses a lead in the sure battles, the lead comes first.

    Args:
        s: The view.
        beliefs: The beliefs about the other Location Card.
        place: The Location where a card is added, or -1.
        added: The card, if it is known.
        side: The seat whose card it is.
    """
    chances = find_chances(s, beliefs, place, added)
    sure = [at for at, chance in enumerate(chances) if chance == 1.0]
    order = sorted(range(s.places), key=lambda at: (at != place, -chances[at]))
    more = [at for at in order if 0.0 < chances[at] < 1.0 and (at == place or chances[at] >= LIKELY)][:1]
    cases = [sure, sure + more] if sure and more and place not in more else [sure + more]
    found = [rate_round(s, chances, case, place, added, side) for case in cases if case]
    is_split = len(found) > 1 and get_lead(found[0]) > 0 >= get_lead(found[1])
    return (found if is_split else found[-1:]) or [tell(messages.WHY_NO_BATTLE)]


def get_lead(reason: Reason) -> int:
    """Return the lead in a rated round."""
    return reason.facts[0].value - reason.facts[1].value


def rate_round(
    s: FeintState, chances: list[float], places: list[int], place: int, added: Kind | None, side: Seat
) -> Reason:
    """Return both ratings of the round with battles at some places; for the rest see `explain_round`."""
    seat, foe = s.viewer, OPPONENT[s.viewer]
    before = [sum([rate_place(s, one, at) for at in places]) for one in (seat, foe)]
    after = list(before)
    if added and place in places:
        after[side != seat] += count_added(s, side, place, added)
    facts = [Fact(messages.THE_ROUND, messages.WHY_RATING, value, is_counted=True) for value in after]
    names = [name_place(s, at) for at in places]
    for i, at in enumerate(places):
        if chances[at] < 1.0:
            facts.append(Fact(names[i], messages.WHY_THEIR_LOCATION, round(100 * chances[at])))
            names[i] = messages.WHY_PROBABLE.format(place=names[i], chance=facts[-1].value)
    is_hidden = any(card & KIND == HIDDEN for at in places for card in s.at(foe, at))
    text = messages.WHY_AND_AT.join(names) + (messages.WHY_FACE_DOWN if is_hidden else "")
    pattern = messages.WHY_TIE if after[0] == after[1] else messages.WHY_STANDS
    if after[0] < after[1] and before != after:
        pattern = messages.WHY_TRAILS
        facts[2:2] = [Fact(messages.THE_ROUND, messages.WHY_BEFORE, value, is_counted=True) for value in before]
    return tell(pattern, *facts, places=text)


def explain_play(s: FeintState, kind: Kind, place: int, beliefs: tuple[Belief, ...]) -> list[Reason]:
    """Return the reasons to play a card to a Location: the round with it, its ability, and whether it is a bluff."""
    seat, name = s.viewer, name_place(s, place)
    chance, found = find_chances(s, beliefs, place, kind)[place], explain_round(s, beliefs, place, kind, seat)
    secret = [card & KIND for card in s.scout[seat] if not card & SEEN[OPPONENT[seat]]]
    if kind.bars(place):
        return [tell(messages.WHY_CANCELS, card=kind.name, place=name), *found]
    if chance < UNLIKELY and secret and not s.passed:
        odds = tell(messages.WHY_CHANCE, Fact(name, messages.WHY_THEIR_LOCATION, round(100 * chance)))
        is_cheap = kind.morale == min([s.kinds[card & KIND].morale for card in s.hand[seat]])
        bluff = tell(messages.WHY_BLUFF, place=name_place(s, secret[0]))
        return [*quote_worth(s, kind), bluff, tell(messages.WHY_CHEAP, get_morale(kind)) if is_cheap else odds]
    if s.load[place] + kind.weight >= s.capacity(place):
        found.append(tell(messages.WHY_FULL, place=name))
    return [*found[:1], *quote_worth(s, kind), *found[1:]]


def explain_pass(s: FeintState, seat: Seat, beliefs: tuple[Belief, ...]) -> list[Reason]:
    """Return the reasons to play no more cards: the round as it stands, and the Morale or the cards that are saved."""
    found, risk, hand = explain_round(s, beliefs)[-1:], s.fielded_morale(seat), len(s.hand[seat])
    is_ahead = bool(found[0].facts) and get_lead(found[0]) > 0
    if not hand:
        return [*found, tell(messages.WHY_EMPTY_HAND)]
    if s.passed and is_ahead:
        return [*found, tell(messages.WHY_THEY_PASSED)]
    if risk and is_ahead:
        return [*found, tell(messages.WHY_RISKS, Fact(messages.THE_MORALE, messages.WHY_AT_RISK, risk))]
    return [*found, tell(messages.WHY_SAVES_HAND, Fact(messages.THE_HAND, messages.WHY_CARDS, hand))]


def explain_target(s: FeintState, prompt: str, place: int, index: int) -> list[Reason]:
    """Return the rating of a card at a Location, which goes under the own deck or is destroyed."""
    number = s.at(OPPONENT[s.viewer] if prompt == "bomb" else s.viewer, place)[index] & KIND
    if number == HIDDEN:
        return [tell(messages.WHY_UNSEEN)]
    kind = s.kinds[number]
    rating = Fact(kind.name, messages.WHY_RATING, kind.strength * s.setup.numbers[place], is_counted=True)
    pattern = messages.WHY_DESTROYS if prompt == "bomb" else messages.WHY_RESCUES
    return [tell(pattern, rating, get_morale(kind), place=name_place(s, place))]
