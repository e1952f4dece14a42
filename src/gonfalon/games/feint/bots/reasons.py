"""Reasons for the moves of the bots of Feint, made of the ratings of the battles that are sure or likely."""

from __future__ import annotations

from dataclasses import dataclass, replace
from math import fsum
from typing import Final

from gonfalon.bots.players.choice import Belief, Fact
from gonfalon.bots.players.reasons import Reason, quote, tell
from gonfalon.core.basics.cards import HIDDEN, KIND, SEEN
from gonfalon.core.rules.state import Action, Seat
from gonfalon.games.feint.face import messages
from gonfalon.games.feint.rules.actions import CARD, DONE, PASS, PLACE, SLOTS, SPOT, SPOTS
from gonfalon.games.feint.rules.cards import BombTower, GanganBit, Kind, MasterOfEarth
from gonfalon.games.feint.rules.playing import Scramble, Storm
from gonfalon.games.feint.rules.state import DOWN, FACE_DOWN, OPPONENT, FeintState

LIKELY: Final = 0.3
"""The probability from which a battle is counted besides the sure ones. Below it a card there is a bluff."""


@dataclass(frozen=True)
class Case:
    """Possible battles of a round, and both ratings there before and after a move, the viewer's first."""

    places: list[int]
    before: list[int]
    after: list[int]


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
    if prompt == "support" and action == DONE:
        return [tell(messages.WHY_NEXT, get_strength(s.kinds[s.deck[seat][-1] & KIND]))]
    return explain_return(s, prompt, s.kinds[number]) if action >= CARD else []


def name_place(s: FeintState, place: int) -> str:
    """Return the name of a Location."""
    return messages.LOCATION.format(place=s.setup.numbers[place])


def get_strength(kind: Kind) -> Fact:
    """Return the Strength of a card."""
    return Fact(kind.name, messages.WHY_STRENGTH, kind.strength)


def get_morale(kind: Kind) -> Fact:
    """Return the Morale that a card costs in a lost round."""
    return Fact(kind.name, messages.THE_MORALE, kind.morale)


def quote_ability(s: FeintState, kind: Kind) -> list[Reason]:
    """Return the text of an ability that is worth something, without the restrictions of a Tower."""
    is_useful = kind.worth > 0.0 and (kind.acts or kind.resolves)
    return [quote(kind.name, kind.says(s.setup).rpartition("Capacity. ")[2])] if is_useful else []


# ---- discards ---------------------------------------------------------------------------------------


def explain_discard(s: FeintState, seat: Seat, action: Action) -> list[Reason]:
    """Return the reasons to discard a card before drawing, or to keep those that are left."""
    numbers = [card & KIND for card in s.hand[seat]]
    for answer in s.answers[seat]:
        numbers.remove((answer - CARD) // SLOTS)
    kept, is_done = [s.kinds[number] for number in numbers], action == DONE
    if is_done and not kept:
        return [tell(messages.WHY_EMPTY_HAND)]
    kind = min(kept, key=lambda one: one.strength) if is_done else s.kinds[(action - CARD) // SLOTS]
    if kind.tower and not is_done and not any(one.engineer for one in kept):
        return [tell(messages.WHY_NO_ENGINEER, card=kind.name)]
    cards, zones = s.pools()[2 * seat]
    left = list(cards)
    for card in [card for zone in zones if zone is not s.deck[seat] for card in zone if card & SEEN[seat]]:
        left.remove(card & KIND)
    deck = Fact(messages.THE_DECK, messages.WHY_CARDS, len(left), is_counted=True)
    rounds = Fact(messages.THE_ROUND, messages.WHY_ROUNDS, s.end - s.round, is_counted=True)
    stronger = [number for number in left if s.kinds[number].strength > kind.strength]
    better = [number for number in left if number in stronger or s.kinds[number].morale < kind.morale]
    facts = [replace(deck, quantity=messages.WHY_BETTER, value=len(stronger)), deck]
    if is_done:
        if quote_ability(s, kind) and 3 * len(stronger) >= len(left):
            return [tell(messages.WHY_ABILITY, card=kind.name), *quote_ability(s, kind)]
        is_strong = 2 * len(stronger) < len(left)
        return [
            tell(messages.WHY_KEEPS, get_strength(kind), *facts) if is_strong else tell(messages.WHY_FEW, deck, rounds)
        ]
    found = [quote(kind.name, kind.says(s.setup))] if kind.worth < 0.0 else []
    # A weaker card may stay for its ability.
    if 2 * len(stronger) > len(left) and all(one.strength >= kind.strength or one.worth > 0.0 for one in kept):
        return [*found, tell(messages.WHY_DISCARDS, get_strength(kind), *facts)]
    able = [number for number in left if number in stronger or quote_ability(s, s.kinds[number])]
    for numbers, pattern in ((better, messages.WHY_EXPENSIVE), (able, messages.WHY_NO_ABILITY)):
        if 2 * len(numbers) > len(left):
            facts[0] = replace(deck, quantity=messages.WHY_PREFERRED, value=len(numbers))
            return [*found, tell(pattern, *facts, get_strength(kind))]
    return [*found, tell(messages.WHY_MANY, deck, rounds, get_strength(kind))]


def explain_return(s: FeintState, prompt: str, kind: Kind) -> list[Reason]:
    """Return the reasons to put a card under the deck, compared with the strongest other one."""
    others = [s.kinds[(one - CARD) // SLOTS] for one in s.actions if one >= CARD]
    best = max(others, key=lambda one: (one.strength, -one.morale))
    facts = [(get_strength(kind), best.strength), (get_morale(kind), best.morale)]
    compared = [replace(fact, other=best.name, than=than) for fact, than in facts]
    if best.strength <= kind.strength:
        return [tell(messages.WHY_STRONGEST, facts[0][0])]
    if prompt == "support":
        return [tell(messages.WHY_BURIES, compared[0])]
    text = quote_ability(s, kind)
    if best.morale <= kind.morale:
        return text or [tell(messages.WHY_RETURNS, facts[0][0])]
    return [*text, tell(messages.WHY_PRICES, *compared)]


# ---- battles ----------------------------------------------------------------------------------------


def find_chances(s: FeintState, beliefs: tuple[Belief, ...]) -> list[float]:
    """Return the probability of a battle at each Location."""
    likely = dict(beliefs[0].likely) if beliefs else {}
    known = [card & KIND for cards in s.scout for card in cards if card & SEEN[s.viewer]]
    here = [list_kinds(s, 0, at) + list_kinds(s, 1, at) for at in range(s.places)]
    chances = [likely.get(str(number), 0.0) for number in s.setup.numbers]
    for at in range(s.places):
        if any(kind.bars(at) for kind in here[at]):
            chances[at] = 0.0
        elif at in known or any(kind.adds(s) >> at & 1 for kinds in here for kind in kinds):
            chances[at] = 1.0
    return chances


def get_chance(s: FeintState, chances: list[float], place: int) -> Fact:
    """Return the probability of a battle at a Location in percent."""
    return Fact(name_place(s, place), messages.WHY_THEIR_LOCATION, round(100 * chances[place]))


def list_kinds(s: FeintState, seat: Seat, place: int) -> list[Kind]:
    """Return the known cards of a seat at a Location."""
    return [s.kinds[card & KIND] for card in s.at(seat, place) if card & KIND != HIDDEN]


def rate(s: FeintState, places: list[int]) -> list[int]:
    """Return both Strategy Ratings of the known cards at some Locations, the viewer's first."""
    by, seats = s.setup.numbers, (s.viewer, OPPONENT[s.viewer])
    return [sum([by[at] * one.strength for at in places for one in list_kinds(s, seat, at)]) for seat in seats]


def is_won(s: FeintState, ratings: list[int]) -> bool:
    """Return whether ratings win the round for the viewer. The start player wins ties."""
    return ratings[0] > ratings[1] or (ratings[0] == ratings[1] and s.first == s.viewer)


def play_out(s: FeintState, seat: Seat, kind: Kind, place: int) -> FeintState:
    """Return the position after a play, as far as its effect on the ratings is known."""
    t = s.clone()
    t.log = None
    if isinstance(kind, BombTower):
        numbers = [(i, card & KIND) for i, card in enumerate(s.at(OPPONENT[seat], place)) if card & KIND != HIDDEN]
        for _, i in sorted([(s.kinds[one].strength, i) for i, one in numbers if not s.kinds[one].protected])[-1:]:
            t.lift(OPPONENT[seat], place, i)
        return t
    t.put(seat, kind.id | SEEN[seat] | (DOWN if kind.face_down else 0), place)
    # A Scrambler may move it before it acts.
    if isinstance(kind, GanganBit) and not s.has_scrambler(OPPONENT[seat], place):
        kind.on_play(t, seat, place)
    return t


def list_cases(s: FeintState, t: FeintState, chances: list[float], place: int = -1) -> list[Case]:
    """Return the likely cases of battles, the likeliest first, or the one with a likely battle at a Location.

    Args:
        s: The view.
        t: The position after a move.
        chances: The probability of a battle at each Location after it.
        place: The Location, or -1.
    """
    least = 0.01 if s.passed else LIKELY
    sure = [at for at, chance in enumerate(chances) if chance == 1.0]
    found = [(chance, [*sure, at]) for at, chance in enumerate(chances) if least <= chance < 1.0]
    here = [case for case in found if place in case[1] and place not in sure and not s.passed]
    alone = 1.0 - fsum([chance for chance in chances if chance < 1.0])
    found += [(alone, sure)] if sure and alone >= least else []
    if not found and max(chances):
        found = [(1.0, sure or [chances.index(max(chances))])]
    return [Case(places, rate(s, places), rate(t, places)) for _, places in here or sorted(found, reverse=True)]


def tell_round(s: FeintState, chances: list[float], cases: list[Case]) -> list[Reason]:
    """Return both ratings of the likeliest case in which a move takes the lead, or else of the likeliest one."""
    if not cases:
        return [tell(messages.WHY_NO_BATTLE)]
    case, is_taken = find_case(s, cases)
    values = case.after if case.before in (case.after, [0, 0]) else case.after + case.before
    facts = [Fact(messages.THE_ROUND, messages.WHY_RATING, value, is_counted=True) for value in values]
    facts[2:] = [replace(fact, quantity=messages.WHY_BEFORE) for fact in facts[2:]]
    names = [name_place(s, at) for at in case.places]
    for i, at in enumerate(case.places):
        if chances[at] < 1.0:
            facts.append(get_chance(s, chances, at))
            names[i] = messages.WHY_PROBABLE.format(place=names[i], chance=facts[-1].value)
    pattern = messages.WHY_TAKES_LEAD if is_taken else messages.WHY_CHANGES
    if case.after[0] == case.after[1] or len(values) == 2:
        pattern = messages.WHY_TIE if case.after[0] == case.after[1] else messages.WHY_STANDS
    is_hidden = any(card & KIND == HIDDEN for at in case.places for card in s.at(OPPONENT[s.viewer], at))
    text = messages.WHY_AND_AT.join(names) + (messages.WHY_FACE_DOWN if is_hidden else "")
    return [tell(pattern, *facts, places=text)]


def find_case(s: FeintState, cases: list[Case]) -> tuple[Case, bool]:
    """Return the likeliest case in which a move takes the lead, or else the likeliest one, and whether it takes it."""
    taken = [case for case in cases if is_won(s, case.after) and not is_won(s, case.before)]
    return (taken or cases)[0], bool(taken)


def explain_location(s: FeintState, beliefs: tuple[Belief, ...], place: int) -> list[Reason]:
    """Return the reasons to send a card to a Location."""
    step = s.stack[-1]
    if isinstance(step, Storm):
        t = play_out(s, OPPONENT[s.viewer], s.kinds[step.kind], place)
    else:
        assert isinstance(step, Scramble)
        t = s.clone()
        t.log = None
        t.move(step.side(t), step.place, step.index(t), place)
    chances = find_chances(t, beliefs)
    if isinstance(step, Storm) and chances[place] < LIKELY:
        return [tell(messages.WHY_CHANCE, get_chance(s, chances, place))]
    return tell_round(s, chances, list_cases(t, t, chances, place))


def explain_play(s: FeintState, kind: Kind, place: int, beliefs: tuple[Belief, ...]) -> list[Reason]:
    """Return the reasons to play a card to a Location: the round with it, its ability, and what it prepares."""
    seat, foe, name, t = s.viewer, OPPONENT[s.viewer], name_place(s, place), play_out(s, s.viewer, kind, place)
    chances, text = find_chances(t, beliefs), explain_ability(s, kind, place)
    cases = list_cases(s, t, chances, place)
    found = tell_round(s, chances, cases)
    if kind.bars(place):
        return [tell(messages.WHY_CANCELS, card=kind.name, place=name), *found]
    is_open = s.passed and not any(card & KIND == HIDDEN for at in range(s.places) for card in s.at(foe, at))
    if (is_open or (s.passed and not cases)) and all(is_won(s, one.before) == is_won(s, one.after) for one in cases):
        return [tell(messages.WHY_DECIDED), *(text or ([tell(messages.WHY_NEW_CARD)] if s.deck[seat] else []))]
    if is_open and all(is_won(s, one.after) for one in cases):
        least = min([one.after[0] - one.after[1] for one in cases])
        return [tell(messages.WHY_WINS, Fact(messages.THE_ROUND, messages.WHY_RATING, least, is_counted=True)), *text]
    if chances[place] < LIKELY and not s.passed:
        return explain_bluff(s, kind, chances, place, text)
    case, _ = find_case(s, cases)
    if is_won(s, case.after) or kind.adds(s):
        return found + text + explain_room(s, t, kind, place, case)
    return explain_deficit(s, t, kind, case, found, text)


def explain_ability(s: FeintState, kind: Kind, place: int) -> list[Reason]:
    """Return the ability of a card if it is worth something and has an effect at a Location."""
    seat, foe = s.viewer, OPPONENT[s.viewer]
    if isinstance(kind, MasterOfEarth):
        gain = s.capacity(place) - s.load[place] - kind.strength
        return [tell(messages.WHY_GAINS, Fact(kind.name, messages.WHY_GAIN, gain, is_counted=True))] if gain > 0 else []
    own, theirs = [[(at, one) for at in range(s.places) for one in list_kinds(s, side, at)] for side in (seat, foe)]
    needs = {
        "gangan": [one for at, one in own if at != place and (one.gang or s.setup.whole_gang)],
        "conjurer": s.discard[seat],
        "medic": s.discard[seat],
        "trojan": [one for _, one in own if not one.protected],
        "assassin": s.hand[foe],
        "saboteur": s.deck[foe],
    }
    is_idle = not needs.get(kind.ability, [kind]) or (kind.adds(s) and any(one.adds(s) for _, one in own + theirs))
    return [] if is_idle else quote_ability(s, kind)


def explain_bluff(s: FeintState, kind: Kind, chances: list[float], place: int, text: list[Reason]) -> list[Reason]:
    """Return the use of a card at a Location where a battle is not likely, after the text of its ability."""
    secret, chance = s.scout[s.viewer][0], get_chance(s, chances, place)
    home = secret & KIND
    if secret & SEEN[OPPONENT[s.viewer]]:
        pattern = messages.WHY_CHANCE if chances[home] and kind.fits(s, home) else messages.WHY_NO_USE
        return text or [tell(pattern, chance, get_strength(kind), place=name_place(s, home))]
    if s.load[home] >= s.capacity(home) or not chances[home]:
        return [*text, tell(messages.WHY_LURE, chance)]
    is_cheap = all(kind.morale <= s.kinds[card & KIND].morale for card in s.hand[s.viewer])
    more = tell(messages.WHY_CHEAP, get_morale(kind)) if is_cheap else tell(messages.WHY_CHANCE, chance)
    return [*text, tell(messages.WHY_BLUFF, place=name_place(s, home)), more]


def explain_room(s: FeintState, t: FeintState, kind: Kind, place: int, case: Case) -> list[Reason]:
    """Return what a play at a battle prepares or prevents there, or the cards that a greater lead is for."""
    left, name, (engineers, towers) = t.capacity(place) - t.load[place], name_place(s, place), t.works(place)
    hand = [s.kinds[card & KIND] for card in s.hand[s.viewer]]
    heavy = max([(one.strength, one.name) for one in hand if one.tower], default=(0, ""))[1]
    if engineers > towers and heavy and kind.engineer:
        return [tell(messages.WHY_OPENS, card=heavy, place=name)]
    cards = Fact(messages.THE_HAND, messages.WHY_CARDS, len(s.hand[OPPONENT[s.viewer]]))
    if left > FACE_DOWN or engineers > towers:
        is_wider = cards.value and not s.passed and case.before[0] > case.before[1]
        return [tell(messages.WHY_ANSWERS, cards)] if is_wider else []
    fact = Fact(name, messages.WHY_CAPACITY, left, is_counted=True)
    return [tell(messages.WHY_ROOM, fact) if left > 0 else tell(messages.WHY_FULL, place=name)]


def explain_deficit(
    s: FeintState, t: FeintState, kind: Kind, case: Case, found: list[Reason], text: list[Reason]
) -> list[Reason]:
    """Return what can follow a play that does not take the lead: a card that does, its ability, or further cards."""
    hand = [s.kinds[card & KIND] for card in s.hand[s.viewer]]
    others = [one for one in hand if one.ability != "storm-prodigy" and (one != kind or hand.count(one) > 1)]
    plays = [(one, at) for at in case.places for one in others if one.fits(t, at)]
    for one, at in plays:
        if is_won(s, rate(play_out(t, s.viewer, one, at), case.places)):
            return [*found, tell(messages.WHY_FOLLOWS, get_strength(one), place=name_place(s, at))]
    if text or not kind.morale:
        return text + ([] if kind.morale else [tell(messages.WHY_FREE, card=kind.name)])
    gap = case.after[1] - case.after[0] + (s.first != s.viewer)
    more = len(hand) - (kind in hand)  # a Conjurer plays other cards than those
    facts = [(messages.THE_ROUND, messages.WHY_RATING, gap), (messages.THE_HAND, messages.WHY_CARDS, more)]
    missing = [Fact(subject, quantity, value, is_counted=True) for subject, quantity, value in facts]
    return found + ([tell(messages.WHY_MISSING, *missing)] if plays else [])


def explain_pass(s: FeintState, seat: Seat, beliefs: tuple[Belief, ...]) -> list[Reason]:
    """Return the reasons to play no more cards: the round as it stands, and the Morale or the cards that are saved."""
    chances, risk, left, won = find_chances(s, beliefs), s.fielded_morale(seat), s.end - s.round, s.won.count(seat)
    hand = Fact(messages.THE_HAND, messages.WHY_CARDS, len(s.hand[seat]))
    cases = list_cases(s, s, chances)
    found, is_ahead = tell_round(s, chances, cases), bool(cases) and is_won(s, cases[0].after)
    cost = Fact(messages.THE_MORALE, messages.WHY_AT_RISK, risk)
    saved = tell(messages.WHY_RISKS if risk else messages.WHY_NO_RISK, cost)
    if 2 * won - len(s.won) > left and risk < s.morale[seat]:
        found = [tell(messages.WHY_SCORE, Fact(messages.THE_ROUND, messages.WHY_WON, won, is_counted=True))]
    elif not hand.value:
        saved = tell(messages.WHY_EMPTY_HAND)
    elif s.passed and is_ahead:
        saved = tell(messages.WHY_THEY_PASSED)
    elif risk and not (is_ahead and risk < s.morale[seat]):
        return found + ([tell(messages.WHY_SAVES_HAND, hand)] if left > 1 else [])
    return [*found, saved]


def explain_target(s: FeintState, prompt: str, place: int, index: int) -> list[Reason]:
    """Return the rating of a card at a Location, which goes under the own deck or is destroyed."""
    number = s.at(OPPONENT[s.viewer] if prompt == "bomb" else s.viewer, place)[index] & KIND
    if number == HIDDEN:
        return [tell(messages.WHY_UNSEEN)]
    kind = s.kinds[number]
    rating = Fact(kind.name, messages.WHY_RATING, kind.strength * s.setup.numbers[place], is_counted=True)
    pattern = messages.WHY_DESTROYS if prompt == "bomb" else messages.WHY_RESCUES
    return [tell(pattern, rating, get_morale(kind), place=name_place(s, place))]
