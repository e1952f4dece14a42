"""Reference rules of Generals for the conformance kit, computed from the log and the card data.

Slow and simple on purpose. It shares no code with the rules, so an error in either shows.
"""

from __future__ import annotations

from collections import Counter
from math import comb, prod

from gonfalon.check.reference_rules import ReferenceRules
from gonfalon.core.basics.cards import KIND
from gonfalon.core.rules.state import Action, State
from gonfalon.games.generals import Generals
from gonfalon.games.generals.rules import events as ev
from gonfalon.games.generals.rules.state import GeneralsState
from gonfalon.games.generals.ruleset import as_generals_state
from gonfalon_reference_rules.generals import oracle
from gonfalon_reference_rules.generals.crowd import CROWDS

LIVE = range(4)


def _open_cards(s: GeneralsState, seat: int) -> Counter[int]:
    """Return the cards of a seat that the other one sees."""
    bit = 1 << (10 + 1 - seat)
    zones = [s.hand, s.deck, s.discard, s.casualty, s.field, s.gear, s.flight, s.out]
    return Counter(card & KIND for zone in zones for card in zone[seat] if card & bit)


MOST_LISTS = 20_000


def _legal_lists(game: Generals, seat: int) -> dict[tuple[int, ...], float] | None:
    """Return every legal list that fits the announced facts, with its probability before any card was seen, or None if
    there are too many."""
    pool, known = game.pool, game.announced[seat]
    marks = {faction.code for faction in pool.factions if not faction.counts} | set(known.factions)
    fit = [card for card in pool.cards if card.type != "commandment" and card.faction in marks]
    lists: dict[tuple[int, ...], float] = {(): 1.0}
    for card in fit:
        longer: dict[tuple[int, ...], float] = {}
        for deck, number in lists.items():
            for count in range(min(pool.copies, known.cards - len(deck)) + 1):
                longer[(*deck, *[card.kind] * count)] = number * comb(pool.copies, count)
        lists = longer
        if len(lists) > MOST_LISTS:
            return None
    whole = {
        deck: number
        for deck, number in lists.items()
        if len(deck) == known.cards and set(known.factions) <= {pool.cards[kind].faction for kind in deck}
    }
    ready = [tuple(pool.resource(deck)) for deck in pool.decks]
    same = [
        deck
        for deck, one in zip(ready, pool.decks, strict=True)
        if deck in whole and pool.commandment(one) == known.commandment
    ]
    total = sum(whole.values()) / (0.25 if same else 1.0)
    found = {deck: number / total for deck, number in whole.items()}
    for deck in same:
        found[deck] += 0.75 / len(same)
    return found


def _known(zone: list[int]) -> bool:
    return any(card != card & KIND for card in zone)


def _sums(game: Generals, s: GeneralsState) -> list[str]:
    """Follow the cards of RESOURCE and of the hands by the log."""
    left = [known.cards for known in game.announced]
    hand = [0, 0]
    pile = [0, 0]
    assert s.log is not None
    for code, _, seat, _card, a, b in s.log:
        if code == ev.DREW:
            left[seat] -= a
            hand[seat] += a
        elif code == ev.DEPLETED:
            left[seat] -= a
            pile[seat] += a
        elif code in (ev.DISCARDED, ev.PAID, ev.FULL):
            hand[seat] -= a
            pile[seat] += a
        elif code == ev.DECLARED:
            hand[seat] -= 1
        elif code in (ev.USED, ev.LOST_GEAR):
            pile[seat] += 1
        elif code == ev.FOUND and a:
            left[seat] -= 1
            hand[seat] += 1
        elif code == ev.RECOVERED:
            left[seat] += a
            pile[seat] -= a
        elif code == ev.RETURNED:
            hand[seat] += 1
        elif code == ev.MULLIGAN and a:
            left[seat] += hand[seat]
            hand[seat] = 0
        elif code == ev.RECRUITED and b < 0:
            hand[seat] -= 1  # by a card's effect, not declared
    faults = []
    for seat in (0, 1):
        counted = (len(s.deck[seat]), len(s.hand[seat]), len(s.discard[seat]))
        if (left[seat], hand[seat], pile[seat]) != counted:
            told = (left[seat], hand[seat], pile[seat])
            faults.append(f"seat {seat} has RESOURCE, hand and DISCARD of {counted}, the log says {told}")
    return faults


def _payments(game: Generals, s: GeneralsState, seat: int) -> list[Action]:
    """Return every card after which enough later cards of the card list are left."""
    left = s.stack[-1].left  # type: ignore[attr-defined]
    hand = sorted(card & KIND for card in s.hand[seat] if card & KIND >= s.floor[seat])
    fitting = {kind for kind in hand if sum(other >= kind for other in hand) >= left}
    return sorted(game.parse(game.pool.cards[kind].slug) for kind in fitting)


def _counters(game: Generals, s: GeneralsState, seat: int) -> list[Action] | None:
    """Return the Counters of the hand that answer the act and can be paid for, or nothing where an effect changes
    costs."""
    act = s.stack[-1].act  # type: ignore[attr-defined]
    word = ("strategy", "tactical_strike", "active", "equip", "melee", "siege", "counter")[act.code]
    legal = ["pass"]
    for kind in {card & KIND for card in s.hand[seat]}:
        card = game.pool.cards[kind]
        if card.type == "counter" and word in card.abilities[0]["to"]:
            if card.requires or set(card.pay) - {"hand"}:
                return None
            if card.cost <= len(s.hand[seat]) - 1:
                legal.append(card.slug)
    return sorted(game.parse(text) for text in legal)


class GeneralsReferenceRules(ReferenceRules[Generals]):
    """Reference rules of Generals."""

    def build_samples(self, kind: type[Generals]) -> list[Generals]:
        return [kind(cards=raw, decks=("a", "b"), strict_blocking=strict) for raw, strict in CROWDS]

    def find_faults(self, game: Generals, state: State) -> list[str]:
        s = as_generals_state(state)
        faults = [
            f"a DISCARD of seat {seat} holds a card somebody may know" for seat in (0, 1) if _known(s.discard[seat])
        ]
        for seat in (0, 1):
            units = [u for u in range(game.setup.units) if game.setup.owner[u] == seat]
            standing = sorted(game.setup.kind[u] for u in units if s.zone[u] in LIVE)
            if standing != sorted(card & KIND for card in s.field[seat]):
                faults.append(f"seat {seat}'s generals in play are {standing}, its cards say otherwise")
            fallen = sorted(game.setup.kind[u] for u in units if s.zone[u] == -2)
            if fallen != sorted(card & KIND for card in s.casualty[seat]):
                faults.append(f"seat {seat}'s fallen are {fallen}, its CASUALTY says otherwise")
            names = [game.pool.cards[card & KIND].name for card in [*s.field[seat], *s.casualty[seat]]]
            if len(set(names)) != len(names):
                faults.append(f"seat {seat} has two generals of a name in play or CASUALTY (ruling 32)")
            worn = [kind for u in units for kind in (s.armament[u], s.troop[u]) if kind >= 0]
            if sorted(worn) != sorted(card & KIND for card in s.gear[seat]):
                faults.append(f"seat {seat}'s generals bear {worn}, its Equipment says otherwise")
            arms = [game.pool.cards[s.armament[u]].name for u in units if s.armament[u] >= 0]
            if len(set(arms)) != len(arms):
                faults.append(f"seat {seat} has two Armaments of a name in play (ruling 38)")
            if any(s.zone[u] == (3 if seat == 0 else 0) for u in units):
                faults.append(f"a general of seat {seat} is in ENEMY'S FORTRESS (ruling 3)")
            if any((s.armament[u] >= 0 or s.troop[u] >= 0) and s.zone[u] not in LIVE for u in units):
                faults.append(f"a general of seat {seat} bears Equipment out of play (ruling 39)")
            seen, written = Counter(s.seen[seat]), Counter(s.lists[seat])
            if game.closed and not _open_cards(s, seat) <= seen <= written:
                faults.append(f"of seat {seat}'s list {sorted(seen.elements())} is said to be known")
        if s.log is not None:
            faults += _sums(game, s)
        return faults + oracle.recruits(game, s)

    def legal_actions(self, game: Generals, state: State, seat: int) -> list[Action] | None:
        """Return the legal actions of a seat computed from the card data alone, for payments, for the acts of generals,
        and for Counters. None for other decisions."""
        s = as_generals_state(state)
        asked = s.stack[-1].prompt if s.stack else ""
        if asked in ("pay", "excess"):
            return _payments(game, s, seat)
        if asked == "act":
            return oracle.acts(game, s, seat)
        if asked == "answer":
            return _counters(game, s, seat)
        return None

    def judge_step(self, game: Generals, before: State, seat: int, action: Action, after: State) -> list[str]:
        return oracle.judge(game, as_generals_state(before), action, as_generals_state(after))

    def possible_decks(self, game: Generals, view: State) -> list[tuple[float, list[list[int]]]] | None:
        """Return every pair of deck lists that a view allows, with its probability: the prior of each list times the
        chance of drawing exactly the seen cards from it."""
        s = as_generals_state(view)
        thought = []
        for seat in (0, 1):
            if s.lists[seat]:
                thought.append({tuple(s.lists[seat]): 1.0})
                continue
            every = _legal_lists(game, seat)
            if every is None:
                return None
            seen = Counter(s.seen[seat])
            size = game.announced[seat].cards
            for deck in every:
                counts = Counter(deck)
                every[deck] *= prod(comb(counts[kind], seen[kind]) for kind in seen) / comb(size, seen.total())
            total = sum(every.values())
            thought.append({deck: weight / total for deck, weight in every.items() if weight})
        commands = [known.commandment for known in game.announced]
        return [
            (p * q, [[*red, commands[0]], [*blue, commands[1]]])
            for red, p in thought[0].items()
            for blue, q in thought[1].items()
        ]
