"""Reasons for the moves of the bots of Feint: what a move changes in the round, for each other Location Card."""

from __future__ import annotations

from dataclasses import dataclass
from math import fsum
from typing import Final

from gonfalon.bots.players.choice import Belief, Choice, Fact
from gonfalon.bots.players.reasons import Reason, quote, tell
from gonfalon.core.basics.cards import HIDDEN, KIND, SEEN
from gonfalon.core.rules.state import Action, Seat
from gonfalon.games.feint.face import messages
from gonfalon.games.feint.rules.actions import CARD, DONE, PASS, PLACE, SLOTS
from gonfalon.games.feint.rules.cards import BombTower, GanganBit, Kind, MasterOfEarth
from gonfalon.games.feint.rules.playing import Scramble, Storm
from gonfalon.games.feint.rules.state import DOWN, FACE_DOWN, OPPONENT, FeintState

LIKELY: Final = 0.25
"""The probability from which a case is worth a reason of its own."""
NEED: Final = 4.5
"""The number of cards that each round to come needs, about."""
SPREAD: Final = 0.05
"""The greatest difference between the intervals of actions that are called about equally good."""
FURTHER: Final = ("conjurer", "good-for-something")
"""The abilities that play a further card."""


@dataclass(frozen=True)
class Case:
    """A possible other Location Card: its probability, the battles with it, and both ratings, the viewer's first.

    A face-down card counts 3 Strength in `foe` and `is_won`, and the extremes in `most`, `is_safe` and `is_lost`.
    """

    card: int
    chance: float
    places: list[int]
    own: int
    foe: int
    most: int
    is_won: bool
    is_safe: bool
    is_lost: bool


def list_reasons(s: FeintState, choice: Choice) -> list[Reason]:
    """Return the reasons for an action of the viewer; none if nothing strong speaks for it."""
    action, prompt = choice.action, s.stack[-1].prompt
    number, slot = divmod(action - CARD, SLOTS)
    if prompt == "reinforce":
        return explain_discard(s, s.viewer, action)
    if not choice.beliefs and not s.scout[OPPONENT[s.viewer]][0] & SEEN[s.viewer]:
        return []
    if action == PASS:
        return explain_pass(s, choice.beliefs) or tell_alike(s, choice)
    if PLACE <= action < PLACE + s.places:
        return explain_location(s, choice.beliefs, action - PLACE)
    return explain_play(s, choice, s.kinds[number], slot - 1) if action >= CARD and slot else []


def name_place(s: FeintState, place: int) -> str:
    """Return the name of a Location."""
    return messages.LOCATION.format(place=s.setup.numbers[place])


def count(subject: str, quantity: str, value: int) -> Fact:
    """Return a number that is counted for a reason."""
    return Fact(subject, quantity, value, is_counted=True)


def get_strength(kind: Kind) -> Fact:
    """Return the Strength of a card."""
    return Fact(kind.name, messages.WHY_STRENGTH, kind.strength)


def list_unseen(s: FeintState, seat: Seat) -> list[Kind]:
    """Return the cards of a seat that can still come: of the own deck, or of the other player's hand and deck."""
    cards, zones = s.pools()[2 * seat]
    left, kept = list(cards), s.deck[seat] if seat == s.viewer else s.hand[seat]
    for card in [card for zone in zones if zone is not kept for card in zone if card & SEEN[s.viewer]]:
        left.remove(card & KIND)
    return [s.kinds[number] for number in left]


def tell_alike(s: FeintState, choice: Choice) -> list[Reason]:
    """Return that the best other action is about equally good, if its chance is shown as the same."""
    for other in choice.alternatives[:1]:
        one, two = choice.value, other.value
        if one and two and round(100 * one.value) == round(100 * two.value) and abs(one.high - two.high) < SPREAD:
            number, slot = divmod(other.action - CARD, SLOTS)
            if other.action == PASS:
                return [tell(messages.WHY_PASS_ALIKE)]
            if other.action >= CARD and slot:
                return [tell(messages.WHY_ALIKE, card=s.kinds[number].name, place=name_place(s, slot - 1))]
    return []


# ---- discards ---------------------------------------------------------------------------------------


def explain_discard(s: FeintState, seat: Seat, action: Action) -> list[Reason]:
    """Return the reasons to discard a card before drawing, or to keep those that are left."""
    numbers = [card & KIND for card in s.hand[seat]]
    for answer in s.answers[seat]:
        numbers.remove((answer - CARD) // SLOTS)
    kept, is_done, left = [s.kinds[number] for number in numbers], action == DONE, list_unseen(s, seat)
    if not kept:
        return []
    kind = max(kept, key=lambda one: count_better(one, left)) if is_done else s.kinds[(action - CARD) // SLOTS]
    if kind.tower and not is_done and not any(one.engineer for one in kept):
        return [tell(messages.WHY_NO_ENGINEER, card=kind.name)]
    better, rounds = count_better(kind, left), s.end - s.round
    deck = count(messages.THE_DECK, messages.WHY_CARDS, len(left))
    facts = [count(messages.THE_DECK, messages.WHY_BETTER, better), deck, get_strength(kind)]
    if is_done and 5 * better <= 2 * len(left):
        return [tell(messages.WHY_KEEPS, *facts)]
    if is_done:
        few = tell(messages.WHY_FEW, deck, count(messages.THE_ROUND, messages.WHY_ROUNDS, rounds))
        return [few] if len(left) < NEED * rounds else []
    others = [one for one in kept if one is not kind]
    if kind.worth < 0.0 and all(one.worth > kind.worth for one in others):
        return [quote(kind.name, kind.says(s.setup))]
    is_worst = 2 * better > len(left) and all(count_better(one, left) < better for one in others)
    return [tell(messages.WHY_DISCARDS, *facts)] if is_worst else []


def count_better(kind: Kind, left: list[Kind]) -> int:
    """Return the number of cards with more Strength than a card, or as much for less Morale."""
    return len([one for one in left if (one.strength, -one.morale) > (kind.strength, -kind.morale)])


# ---- cases ------------------------------------------------------------------------------------------


def list_kinds(s: FeintState, seat: Seat, place: int) -> list[Kind]:
    """Return the known cards of a seat at a Location."""
    return [s.kinds[card & KIND] for card in s.at(seat, place) if card & KIND != HIDDEN]


def count_hidden(s: FeintState, place: int) -> int:
    """Return the number of cards of the other player at a Location that the viewer does not know."""
    return len([card for card in s.at(OPPONENT[s.viewer], place) if card & KIND == HIDDEN])


def list_cases(s: FeintState, beliefs: tuple[Belief, ...]) -> list[Case]:
    """Return the possible other Location Cards, the likeliest first, with the battles and ratings."""
    foe, numbers, by, found = OPPONENT[s.viewer], range(s.places), s.setup.numbers, []
    likely, secret, home = dict(beliefs[0].likely) if beliefs else {}, s.scout[foe][0], s.scout[s.viewer][0] & KIND
    here = [list_kinds(s, 0, at) + list_kinds(s, 1, at) for at in numbers]
    adds = [at for at in numbers if any(kind.adds(s) >> at & 1 for kinds in here for kind in kinds)]
    covert = [kind.strength for kind in list_unseen(s, foe) if kind.face_down]
    for card in numbers:
        chance = float(card == secret & KIND) if secret & SEEN[s.viewer] else likely.get(str(by[card]), 0.0)
        chosen = [*adds, home, card]
        battles = [at for at in numbers if at in chosen and not any(kind.bars(at) for kind in here[at])]
        own, open_rating = [
            sum([by[at] * kind.strength for at in battles for kind in list_kinds(s, seat, at)])
            for seat in (s.viewer, foe)
        ]
        hidden = sum([by[at] * count_hidden(s, at) for at in battles])
        least, mean, most = [
            open_rating + hidden * each for each in (min(covert, default=0), FACE_DOWN, max(covert, default=0))
        ]
        lead = own + (s.first == s.viewer)
        if chance > 0.0:
            found.append(Case(card, chance, battles, own, mean, most, lead > mean, lead > most, lead <= least))
    return sorted(found, key=lambda case: -case.chance)


def find_chance(cases: list[Case], place: int) -> float:
    """Return the probability of a battle at a Location."""
    is_sure = all(place in case.places for case in cases)
    return 1.0 if is_sure else fsum([case.chance for case in cases if place in case.places])


def play_out(s: FeintState, seat: Seat, kind: Kind, place: int) -> FeintState:
    """Return the position after a play, as far as its effect on the ratings is known."""
    t = s.clone()
    t.log = None
    if isinstance(kind, BombTower):
        numbers = [(i, card & KIND) for i, card in enumerate(s.at(OPPONENT[seat], place)) if card & KIND != HIDDEN]
        for _, i in sorted([(s.kinds[one].strength, i) for i, one in numbers if not s.kinds[one].protected])[-1:]:
            t.lift(OPPONENT[seat], place, i)
        return t
    t.put(seat, kind.id | SEEN[seat] | SEEN[s.viewer] | (DOWN if kind.face_down else 0), place)
    # A Scrambler may move it before it acts.
    if isinstance(kind, GanganBit) and not s.has_scrambler(OPPONENT[seat], place):
        kind.on_play(t, seat, place)
    return t


def find_reply(s: FeintState, cases: list[Case], beliefs: tuple[Belief, ...]) -> Reason | None:
    """Return where a card of the other player can take the lead in one of some cases.

    Cards that play a further card, and Scramblers that have to leave, have no known effect, so they count too.
    """
    cards = {case.card for case in cases}
    for kind in {kind.id: kind for kind in list_unseen(s, OPPONENT[s.viewer])}.values():
        for place in [place for place in range(s.places) if kind.fits(s, place)]:
            after = list_cases(play_out(s, OPPONENT[s.viewer], kind, place), beliefs)
            is_known = kind.ability not in FURTHER and not s.has_scrambler(s.viewer, place)
            if not is_known or any(case.card in cards and not case.is_safe for case in after):
                return tell(messages.WHY_HOLDS, place=name_place(s, place))
    return None


def count_case(s: FeintState, case: Case, values: list[int]) -> tuple[list[Fact], str]:
    """Return the facts of a sentence about ratings in a case, and the name of the case if it is not sure."""
    facts, when = [count(messages.THE_ROUND, messages.WHY_RATING, value) for value in values], ""
    if case.chance < 1.0:
        facts.append(Fact(name_place(s, case.card), messages.WHY_THEIR_LOCATION, round(100 * case.chance)))
        when = messages.WHY_IF.format(place=facts[-1].subject, chance=facts[-1].value)
    if any(count_hidden(s, at) for at in case.places):
        facts.append(count(messages.THE_ROUND, messages.WHY_HIDDEN_STRENGTH, FACE_DOWN))
        when += messages.WHY_FACE_DOWN.format(strength=FACE_DOWN)
    return facts, when


def tell_mean(s: FeintState, cases: list[Case], plays: list[tuple[Kind, int]], is_least: bool) -> list[Reason]:
    """Return the ratings and probabilities of two plays, if the first has the greater average, or the least."""
    facts, chances, names, means = [], [], [], []
    for kind, at in plays:
        chance, rating = find_chance(cases, at), s.setup.numbers[at] * kind.strength
        facts.append(count(kind.name, messages.WHY_RATING, rating))
        chances.append(Fact(name_place(s, at), messages.WHY_THEIR_LOCATION, round(100 * chance)))
        names.append((messages.WHY_SURE if chance == 1.0 else messages.WHY_PROBABLE).format(chances[-1]))
        means.append(chance * rating)
    facts += [fact for fact in chances if fact.value < 100]
    least, most = means if is_least else reversed(means)
    pattern = messages.WHY_LEAST if is_least else messages.WHY_MEAN
    return [tell(pattern, *facts, here=names[0], there=names[1])] if most > 1.2 * least else []


# ---- plays ------------------------------------------------------------------------------------------


def explain_play(s: FeintState, choice: Choice, kind: Kind, place: int) -> list[Reason]:
    """Return the reasons to play a card to a Location: what it changes in the round, or has and the next best lacks."""
    t, before, foe = play_out(s, s.viewer, kind, place), list_cases(s, choice.beliefs), OPPONENT[s.viewer]
    cases, left = list_cases(t, choice.beliefs), s.end - s.round - 1
    pairs, alike = list(zip(before, cases, strict=True)), tell_alike(s, choice)
    # A Scrambler can change everything, and the loss of a lead needs more than a sentence.
    if s.has_scrambler(foe, place) or any(one.is_won and not two.is_won for one, two in pairs):
        return alike
    (rival, at), chance = find_rival(s, choice), find_chance(cases, place)
    text = [] if rival is kind and not alike else explain_ability(s, kind, place, left)
    if s.passed and all((one.is_safe and two.is_safe) or (one.is_lost and two.is_lost) for one, two in pairs):
        is_free = (before[0].is_safe or not kind.morale) and not (kind.acts and kind.worth < 0.0)
        more = text or ([tell(messages.WHY_NEW_CARD)] if len(s.deck[s.viewer]) > NEED * left > 0.0 else [])
        return [tell(messages.WHY_DECIDED), *more] if is_free and more else text or alike
    found = tell_lead(s, pairs) or tell_hold(s, t, cases, before, choice)
    cost = count(messages.THE_MORALE, messages.WHY_AT_RISK, s.fielded_morale(foe))
    if found and cost.value >= s.morale[foe]:
        found.append(tell(messages.WHY_LETHAL, cost, count(messages.THE_MORALE, messages.WHY_LEFT, s.morale[foe])))
    found += text + (tell_room(s, t, place) if chance >= LIKELY and cases[0].is_won else [])
    if rival and at == place and kind.place >= 0 and rival.place < 0 and chance >= LIKELY:
        found.append(tell(messages.WHY_NARROW, get_strength(kind), other=rival.name, place=name_place(s, place)))
    if alike and at not in (-1, place) and max(chance, find_chance(cases, at)) < LIKELY:
        alike.append(tell(messages.WHY_UNLIKELY))
    if found or alike or chance < LIKELY:
        return found or alike
    others = [one for one in range(s.places) if one != place and kind.base + one in s.actions]
    if not rival and others:
        rival, at = kind, max(others, key=lambda one: find_chance(cases, one) * s.setup.numbers[one])
    if not rival or at == place or rival.resolves or kind.resolves:
        return []
    return tell_mean(s, cases, [(kind, place), (rival, at)], False)


def find_rival(s: FeintState, choice: Choice) -> tuple[Kind | None, int]:
    """Return the card and the Location of the best other action that was tried, if it is a play."""
    number, slot = divmod(choice.alternatives[0].action - CARD, SLOTS) if choice.alternatives else (-1, 0)
    return (s.kinds[number], slot - 1) if number >= 0 and slot else (None, -1)


def tell_lead(s: FeintState, pairs: list[tuple[Case, Case]]) -> list[Reason]:
    """Return in which cases a play takes the lead."""
    gained = [(one, two) for one, two in pairs if two.own > two.foe and not one.is_won]
    if not gained or not any(s.load):
        return []
    (one, two), least = gained[0], min([case.own - case.most for _, case in pairs])
    fact = count(messages.THE_ROUND, messages.WHY_RATING, least)
    if least > 0 and (s.passed or len(gained) == len(pairs) > 1):
        return [tell(messages.WHY_WINS if s.passed else messages.WHY_LEADS, fact)]
    lost = [case for _, case in pairs if case.own <= case.foe]
    pattern, case, values = messages.WHY_TAKES_LEAD, two, [two.own, two.foe, one.own, one.foe]
    if least > 0 and len(pairs) > len(gained) and one.chance >= LIKELY / 4.0:
        pattern, case, values = messages.WHY_ALWAYS, one, values[2:]
    elif len(lost) == 1 < len(gained) and all(case.is_safe for _, case in gained):
        pattern, case, values = messages.WHY_UNLESS, lost[0], [lost[0].own, lost[0].foe]
    elif one.chance < LIKELY / 2.0:
        return []
    facts, when = count_case(s, case, values)
    return [tell(pattern, *facts, when=when)]


def tell_hold(s: FeintState, t: FeintState, after: list[Case], before: list[Case], choice: Choice) -> list[Reason]:
    """Return where a card could take the lead before a play, if none can after it."""
    is_open = s.hand[OPPONENT[s.viewer]] and not s.passed and any(s.load) and all(case.is_safe for case in after)
    if not is_open or find_reply(t, after, choice.beliefs):
        return []
    reply = find_reply(s, [case for case in before if case.is_safe and case.chance >= LIKELY], choice.beliefs)
    return [reply] if reply else []


def tell_room(s: FeintState, t: FeintState, place: int) -> list[Reason]:
    """Return that a Location where the viewer leads has no room for an answer."""
    left, (engineers, towers), foe = t.capacity(place) - t.load[place], t.works(place), OPPONENT[s.viewer]
    ours, theirs = [sum([kind.strength for kind in list_kinds(t, seat, place)]) for seat in (s.viewer, foe)]
    strongest = max([kind.strength for kind in list_unseen(s, foe)], default=0)
    is_led = ours > theirs + strongest * count_hidden(t, place) and engineers <= towers
    if s.passed or not s.hand[foe] or left >= FACE_DOWN or not is_led:
        return []
    return [tell(messages.WHY_ROOM, count(name_place(s, place), messages.WHY_CAPACITY, max(0, left)))]


def explain_ability(s: FeintState, kind: Kind, place: int, left: int) -> list[Reason]:
    """Return the ability of a card if it has an effect at a Location, with some rounds to come, that is of use."""
    foe, gain = OPPONENT[s.viewer], s.capacity(place) - s.load[place] - kind.strength
    if isinstance(kind, MasterOfEarth):
        return [tell(messages.WHY_GAINS, count(kind.name, messages.WHY_GAIN, gain))] if gain > 0 else []
    if kind.ability == "assassin" and s.hand[foe]:
        return [tell(messages.WHY_ASSASSIN, Fact(messages.THE_HAND, messages.WHY_CARDS, len(s.hand[foe])))]
    if kind.ability == "saboteur" and 0 < len(s.deck[foe]) < NEED * left:
        deck = Fact(messages.THE_DECK, messages.WHY_CARDS, len(s.deck[foe]))
        return [tell(messages.WHY_SABOTEUR, deck, count(messages.THE_ROUND, messages.WHY_ROUNDS, left))]
    own = [(at, one) for at in range(s.places) for one in list_kinds(s, s.viewer, at)]
    is_useful = kind.ability in FURTHER or (left > 0 and kind.ability in ("guardian-angel", "medic"))
    is_seen = any(card & SEEN[s.viewer] for card in s.pile[s.viewer][-1:])
    is_useful |= left > 0 and kind.ability == "explorer" and not is_seen
    is_useful |= kind.ability == "gangan" and any(at != place and one.gang for at, one in own)
    is_useful |= kind.ability == "trojan" and any(not one.protected for _, one in own)
    return [quote(kind.name, kind.says(s.setup))] if is_useful else []


# ---- passes and places ------------------------------------------------------------------------------


def explain_pass(s: FeintState, beliefs: tuple[Belief, ...]) -> list[Reason]:
    """Return the reasons to play no more cards: the round is decided, or no card that is left changes it."""
    seat, foe, cases, won = s.viewer, OPPONENT[s.viewer], list_cases(s, beliefs), s.won.count(s.viewer)
    risk, left = s.fielded_morale(seat), s.end - s.round
    is_costly = risk > 0 and all(s.kinds[card & KIND].morale for card in s.hand[seat])
    saved = [tell(messages.WHY_RISKS, count(messages.THE_MORALE, messages.WHY_AT_RISK, risk))] if is_costly else []
    if 2 * won - len(s.won) > left and risk < s.morale[seat]:
        return [tell(messages.WHY_SCORE, count(messages.THE_ROUND, messages.WHY_WON, won)), *saved]
    saved = saved if risk < s.morale[seat] and left > 1 else []
    least = min([case.own - case.most for case in cases])
    if least > 0 and (s.passed or not s.hand[foe]):
        return [tell(messages.WHY_SAFE, count(messages.THE_ROUND, messages.WHY_RATING, least))]
    outcomes = list_outcomes(s, beliefs)
    same = {(one.card, one.own, one.foe) for one in cases if one.chance >= LIKELY / 2.0}
    is_idle = outcomes and all(same <= {(one.card, one.own, one.foe) for one in found} for found in outcomes)
    return [tell(messages.WHY_NO_CHANGE), *saved] if is_idle else []


def list_outcomes(s: FeintState, beliefs: tuple[Belief, ...]) -> list[list[Case]]:
    """Return the cases after each play; an empty list if the effect of one is not known."""
    found = []
    for number, slot in [divmod(action - CARD, SLOTS) for action in s.actions if action >= CARD]:
        if s.kinds[number].ability in FURTHER or (slot and s.has_scrambler(OPPONENT[s.viewer], slot - 1)):
            return []
        if slot:
            found.append(list_cases(play_out(s, s.viewer, s.kinds[number], slot - 1), beliefs))
    return found


def explain_location(s: FeintState, beliefs: tuple[Belief, ...], place: int) -> list[Reason]:
    """Return the reasons to send a card to a Location rather than to the best other one."""
    step, t = s.stack[-1], s.clone()
    if isinstance(step, Storm):
        kind = s.kinds[step.kind]
        t = play_out(s, OPPONENT[s.viewer], kind, place)
    else:
        assert isinstance(step, Scramble)
        if step.side(s) != s.viewer:
            return []  # with scrambler=played: it can be a face-down card
        kind, t.log = s.kinds[s.at(s.viewer, step.place)[step.index(s)] & KIND], None
        t.move(s.viewer, step.place, step.index(s), place)
    cases, sign = list_cases(t, beliefs), -1.0 if isinstance(step, Storm) else 1.0
    others = [action - PLACE for action in s.actions if action != PLACE + place]
    at = max(others, key=lambda one: sign * find_chance(cases, one) * s.setup.numbers[one])
    return tell_mean(s, cases, [(kind, place), (kind, at)], isinstance(step, Storm))
