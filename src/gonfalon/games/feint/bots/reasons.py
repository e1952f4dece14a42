"""Reasons for the moves of the bots of Feint: what a move changes in the round, for each other Location Card."""

from __future__ import annotations

from dataclasses import dataclass
from math import fsum
from typing import Final

from gonfalon.bots.players.choice import Belief, Choice, Fact
from gonfalon.bots.players.reasons import Reason, is_alike, quote, tell
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


def list_unseen(s: FeintState, seat: Seat) -> list[Kind]:
    """Return the cards of a seat that can still come: of the own deck, or of the other player's hand and deck."""
    cards, zones = s.pools()[2 * seat]
    left, kept = list(cards), s.deck[seat] if seat == s.viewer else s.hand[seat]
    for card in [card for zone in zones if zone is not kept for card in zone if card & SEEN[s.viewer]]:
        left.remove(card & KIND)
    return [s.kinds[number] for number in left]


def tell_alike(s: FeintState, choice: Choice) -> list[Reason]:
    """Return that the best other action is about equally good, if its chance is and its interval reaches as high."""
    for other in choice.alternatives[:1]:
        one, two = choice.value, other.value
        if one and two and is_alike(choice, other.action) and abs(one.high - two.high) < SPREAD:
            number, slot = divmod(other.action - CARD, SLOTS)
            if other.action == PASS:
                return [tell(messages.WHY_PASS_ALIKE)]
            if other.action >= CARD and slot:
                return [tell(messages.WHY_ALIKE, card=s.kinds[number].name, place=name_place(s, slot - 1))]
    return []


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
    facts = [
        count(messages.THE_DECK, messages.WHY_BETTER, better),
        deck,
        Fact(kind.name, messages.WHY_STRENGTH, kind.strength),
    ]
    cheaper = messages.WHY_CHEAPER if better > len([1 for one in left if one.strength > kind.strength]) else ""
    if is_done and 5 * better <= 2 * len(left) and kind.worth >= 0.0:
        return [tell(messages.WHY_KEEPS, *facts, cheaper=cheaper)]
    if is_done:
        few = tell(messages.WHY_FEW, deck, count(messages.THE_ROUND, messages.WHY_ROUNDS, rounds))
        return [few] if len(left) < NEED * rounds else []
    is_worst = 2 * better > len(left) and all(count_better(one, left) < better for one in kept if one is not kind)
    return [tell(messages.WHY_DISCARDS, *facts, cheaper=cheaper)] if is_worst else []


def count_better(kind: Kind, left: list[Kind]) -> int:
    """Return the number of cards with more Strength than a card, or as much for less Morale."""
    return len([one for one in left if (one.strength, -one.morale) > (kind.strength, -kind.morale)])


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
    found = [case.chance for case in cases if place in case.places]
    return 1.0 if len(found) == len(cases) else fsum(found)


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


def find_reply(s: FeintState, cases: list[Case], beliefs: tuple[Belief, ...]) -> list[Reason]:
    """Return where a card can take the lead in one of some cases; one whose effect is not known counts too."""
    cards = {case.card for case in cases}
    for kind in {kind.id: kind for kind in list_unseen(s, OPPONENT[s.viewer])}.values():
        for place in [place for place in range(s.places) if kind.fits(s, place)]:
            after = list_cases(play_out(s, OPPONENT[s.viewer], kind, place), beliefs)
            is_known = kind.ability not in FURTHER and not s.has_scrambler(s.viewer, place)
            if not is_known or any(case.card in cards and not case.is_safe for case in after):
                return [tell(messages.WHY_HOLDS, place=name_place(s, place))]
    return []


def name_case(s: FeintState, place: int, chance: float) -> tuple[list[Fact], str]:
    """Return a Location where a battle is possible, with its probability if the other player's cards tell of it."""
    if chance == 1.0 or not any(s.at(OPPONENT[s.viewer], at) for at in range(s.places)):
        return [], (messages.WHY_SURE if chance == 1.0 else "{place}").format(place=name_place(s, place))
    fact = Fact(name_place(s, place), messages.WHY_THEIR_LOCATION, round(100 * chance))
    return [fact], messages.WHY_PROBABLE.format(place=fact.subject, chance=fact.value)


def tell_case(s: FeintState, pattern: str, pairs: list[tuple[Case, Case]], values: list[int]) -> list[Reason]:
    """Return a sentence about ratings after and before a play, with the cases in which they hold."""
    facts, when = [count(messages.THE_ROUND, messages.WHY_RATING, value) for value in values], ""
    same = [(one, two) for one, two in pairs if [two.own, two.foe, one.own, one.foe][-len(values) :] == values]
    others = [pair for pair in pairs if pair not in same]
    is_most = len(others) == 1 < len(same)
    if others:
        named = [name_case(s, case.card, case.chance) for _, case in (others if is_most else same)]
        facts += [fact for found, _ in named for fact in found]
        when = messages.WHY_UNLESS_THEY if is_most else messages.WHY_IF
        when = when.format(places=messages.WHY_OR.join([name for _, name in named]))
    if any(count_hidden(s, at) for one, two in same for at in one.places + two.places):
        facts.append(count(messages.THE_ROUND, messages.WHY_HIDDEN_STRENGTH, FACE_DOWN))
        when += messages.WHY_FACE_DOWN.format(strength=FACE_DOWN)
    return [tell(pattern, *facts, when=when)]


def count_lead(s: FeintState, cases: list[Case]) -> tuple[Fact, str]:
    """Return the least lead in some cases, and whether it can be greater."""
    leads = [case.own - case.most for case in cases]
    is_open = max(leads) > min(leads) or any(count_hidden(s, at) for case in cases for at in case.places)
    return count(messages.THE_ROUND, messages.WHY_RATING, min(leads)), messages.WHY_OR_MORE if is_open else ""


def tell_mean(s: FeintState, cases: list[Case], plays: list[tuple[Kind, int]], is_least: bool) -> list[Reason]:
    """Return the ratings and probabilities of two plays, if the first has the greater average, or the least."""
    facts, chances, names, means = [], [], [], []
    for kind, at in plays:
        chance, rating = find_chance(cases, at), s.setup.numbers[at] * kind.strength
        told, name = name_case(s, at, chance)
        facts.append(count(kind.name, messages.WHY_RATING, rating))
        chances += told
        names.append(name if told or chance == 1.0 else messages.WHY_ONLY_IF.format(place=name))
        means.append(chance * rating)
    least, most = means if is_least else reversed(means)
    pattern = messages.WHY_LEAST if is_least else messages.WHY_MEAN
    return [tell(pattern, *facts, *chances, here=names[0], there=names[1])] if most > 1.2 * least else []


def explain_play(s: FeintState, choice: Choice, kind: Kind, place: int) -> list[Reason]:
    """Return the reasons to play a card to a Location: what it changes in the round, or has and the next best lacks."""
    t, before, foe = play_out(s, s.viewer, kind, place), list_cases(s, choice.beliefs), OPPONENT[s.viewer]
    cases, left, by = list_cases(t, choice.beliefs), s.end - s.round - 1, s.setup.numbers
    pairs, alike = list(zip(before, cases, strict=True)), tell_alike(s, choice)
    # A Scrambler can change everything, and the loss of a lead needs more than a sentence.
    if s.has_scrambler(foe, place) or any(one.is_won and not two.is_won for one, two in pairs):
        return alike
    number, slot = divmod(choice.alternatives[0].action - CARD, SLOTS) if choice.alternatives else (-1, 0)
    rival, at, chance = s.kinds[number] if number >= 0 and slot else None, slot - 1, find_chance(cases, place)
    is_other = rival is not None and rival is not kind and at == place
    is_apart = is_other or [other.action for other in choice.alternatives[:1]] == [PASS]
    kinds = {(action - CARD) // SLOTS for action in s.actions if action >= CARD}
    text = explain_ability(s, kind, place, left) if len(kinds) > 1 and (rival is not kind or alike) else []
    plain = text if is_apart and text else alike and [*alike, *text]
    if s.passed and all((one.is_safe and two.is_safe) or (one.is_lost and two.is_lost) for one, two in pairs):
        return [tell(messages.WHY_DECIDED), *text] if text and all(case.is_safe for case in before) else plain
    found = tell_lead(s, pairs) or tell_hold(s, t, cases, before, choice)
    cost = count(messages.THE_MORALE, messages.WHY_AT_RISK, s.fielded_morale(foe))
    if found and cost.value >= s.morale[foe]:
        found.append(tell(messages.WHY_LETHAL, cost, count(messages.THE_MORALE, messages.WHY_LEFT, s.morale[foe])))
    more = tell_room(s, t, place) if chance >= LIKELY and cases[0].is_won else []
    if rival and is_other and kind.place >= 0 and rival.place < 0 and chance >= LIKELY:
        more.append(tell(messages.WHY_NARROW, other=rival.name, place=name_place(s, place)))
    found = [*found, *text, *more] if found or more else plain
    if found or chance < LIKELY:
        return found
    others = [one for one in range(s.places) if by[one] > by[place] and kind.base + one in s.actions]
    if not rival and others:
        rival, at = kind, max(others, key=lambda one: find_chance(cases, one) * by[one])
    if not rival or at == place or rival.resolves or kind.resolves:
        return []
    return tell_mean(s, cases, [(kind, place), (rival, at)], False)


def tell_lead(s: FeintState, pairs: list[tuple[Case, Case]]) -> list[Reason]:
    """Return in which cases a play takes the lead."""
    gained = [(one, two) for one, two in pairs if two.own > two.foe and not one.is_won]
    if not gained or not any(s.load):
        return []
    (one, two), (fact, more) = gained[0], count_lead(s, [case for _, case in pairs])
    if fact.value > 0 and (s.passed or len(gained) == len(pairs) > 1):
        return [tell(messages.WHY_WINS if s.passed else messages.WHY_LEADS, fact, more=more)]
    lost = [case for _, case in pairs if case.own <= case.foe]
    pattern, values = messages.WHY_TAKES_LEAD, [two.own, two.foe, one.own, one.foe]
    if fact.value > 0 and len(pairs) > len(gained) and one.chance >= LIKELY / 4.0:
        pattern, values = messages.WHY_ALWAYS, values[2:]
    elif len(lost) == 1 < len(gained) and all(case.is_safe for _, case in gained):
        pattern, values = messages.WHY_UNLESS, [lost[0].own, lost[0].foe]
        pairs = [(case, case) for _, case in pairs]
    elif one.chance < LIKELY / 2.0:
        return []
    return tell_case(s, pattern, pairs, values)


def tell_hold(s: FeintState, t: FeintState, after: list[Case], before: list[Case], choice: Choice) -> list[Reason]:
    """Return where a card could take the lead before a play, if none can after it."""
    is_open = s.hand[OPPONENT[s.viewer]] and not s.passed and any(s.load) and all(case.is_safe for case in after)
    if not is_open or find_reply(t, after, choice.beliefs):
        return []
    return find_reply(s, [case for case in before if case.is_safe and case.chance >= LIKELY], choice.beliefs)


def tell_room(s: FeintState, t: FeintState, place: int) -> list[Reason]:
    """Return that a Location where the viewer leads has no room for an answer."""
    left, (engineers, towers), foe = t.capacity(place) - t.load[place], t.works(place), OPPONENT[s.viewer]
    ours, theirs = [sum([kind.strength for kind in list_kinds(t, seat, place)]) for seat in (s.viewer, foe)]
    strongest = max([kind.strength for kind in list_unseen(s, foe)], default=0)
    is_led = ours > theirs + strongest * count_hidden(t, place) and engineers <= towers
    if s.passed or not s.hand[foe] or left >= FACE_DOWN or not is_led:
        return []
    pattern = messages.WHY_ROOM if left > 0 else messages.WHY_FULL
    return [tell(pattern, count(name_place(s, place), messages.WHY_CAPACITY, max(0, left)))]


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
    if kind.ability in ("conjurer", "medic") and not s.discard[s.viewer]:
        return []
    is_seen = any(card & SEEN[s.viewer] for card in s.pile[s.viewer][-1:])
    is_useful = left > 0 and kind.ability in ("guardian-angel", "medic", "medic" if is_seen else "explorer")
    return [quote(kind.name, kind.says(s.setup))] if is_useful or kind.ability in FURTHER else []


def explain_pass(s: FeintState, beliefs: tuple[Belief, ...]) -> list[Reason]:
    """Return the reasons to play no more cards: the round is decided, or no card that is left changes it."""
    seat, foe, cases, won = s.viewer, OPPONENT[s.viewer], list_cases(s, beliefs), s.won.count(s.viewer)
    risk, left = s.fielded_morale(seat), s.end - s.round
    is_costly = risk > 0 and all(s.kinds[card & KIND].morale for card in s.hand[seat])
    saved = [tell(messages.WHY_RISKS, count(messages.THE_MORALE, messages.WHY_AT_RISK, risk))] if is_costly else []
    if 2 * won - len(s.won) > left and risk < s.morale[seat]:
        return [tell(messages.WHY_SCORE, count(messages.THE_ROUND, messages.WHY_WON, won)), *saved]
    saved = saved if risk < s.morale[seat] and left > 1 else []
    least, more = count_lead(s, cases)
    if least.value > 0 and (s.passed or not s.hand[foe]):
        return [tell(messages.WHY_SAFE, least, more=more)]
    outcomes, values = list_outcomes(s, beliefs), [cases[0].own, cases[0].foe]
    if outcomes and all([case.own, case.foe] == values for found in [cases, *outcomes] for case in found):
        pattern, pairs = messages.WHY_STANDS, list(zip(cases, cases, strict=True))
        return [*tell_case(s, pattern, pairs, values), *saved]
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
