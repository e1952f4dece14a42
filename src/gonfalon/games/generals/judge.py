"""A second opinion on Generals for the conformance kit, worked out from the log and the card data.

Slow and plain on purpose: it shares no code with the rules, so that a slip in either shows.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from math import comb, prod
from typing import Self

from gonfalon.core.cards import KIND
from gonfalon.core.judged import Judged
from gonfalon.core.options import Options
from gonfalon.core.rng import Rng
from gonfalon.core.state import Action, State
from gonfalon.games.generals import oracle
from gonfalon.games.generals.cards import decks, tiny
from gonfalon.games.generals.cards.crowd import CROWDS
from gonfalon.games.generals.cards.trials import trials
from gonfalon.games.generals.rules import events as ev
from gonfalon.games.generals.rules.state import GeneralsState
from gonfalon.games.generals.ruleset import GeneralsRules, standard, the_state

LIVE = range(4)


def _open_cards(s: GeneralsState, seat: int) -> Counter[int]:
    """The cards of a seat that the other one sees."""
    bit = 1 << (10 + 1 - seat)
    zones = [s.hand, s.deck, s.discard, s.casualty, s.field, s.gear, s.flight, s.out]
    return Counter(card & KIND for zone in zones for card in zone[seat] if card & bit)


MOST_LISTS = 20_000


def _legal_lists(game: GeneralsRules, seat: int) -> dict[tuple[int, ...], float] | None:
    """Every legal list of which all is true that was announced, with its probability before a card was seen; None
    where there are too many."""
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


def _sums(game: GeneralsRules, s: GeneralsState) -> list[str]:
    """Follow the cards of RESOURCE and of the hands by what the log tells."""
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


def _payments(game: GeneralsRules, s: GeneralsState, seat: int) -> list[Action]:
    """Every card after which enough are left that do not come before it in the card list."""
    left = s.stack[-1].left  # type: ignore[attr-defined]
    hand = sorted(card & KIND for card in s.hand[seat] if card & KIND >= s.floor[seat])
    fitting = {kind for kind in hand if sum(other >= kind for other in hand) >= left}
    return sorted(game.parse(game.pool.cards[kind].slug) for kind in fitting)


def _counters(game: GeneralsRules, s: GeneralsState, seat: int) -> list[Action] | None:
    """Counters of the hand that answer the act and can be paid for; where something changes costs
    nothing is said."""
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


class GeneralsJudge(GeneralsRules, Judged):
    """What the conformance kit plays, and what it compares with."""

    @classmethod
    def tiny(cls) -> list[Self]:
        return [cls(cards=raw, decks=("red", "blue"), exact=True) for raw in tiny.TINY]

    @classmethod
    def samples(cls) -> list[Self]:
        """All nine decks, every option, decks drawn by lot, which hold the cards that no ready-made one does, and
        crowds."""
        pool = standard().pool
        slugs = [deck.slug for deck in pool.decks]
        rotated = [*slugs[1:], slugs[0]]
        tools = decks.GeneralsDecks(pool)
        lots = [tools.code(decks.random_deck(pool, Rng(seed), 60)) for seed in range(1, 9)]
        return [
            *[cls(decks=pair) for pair in zip(slugs, rotated, strict=True)],
            cls(decks=(slugs[0], slugs[0]), mulligan=True),
            cls(decks=(slugs[1], slugs[6]), strict_blocking=True, counter_chain=False),
            cls(decks=(slugs[4], slugs[7]), strategy_overdeplete_loses=True, qun_counts=False),
            cls(decks=(slugs[3], slugs[8]), exact=True),
            cls(decks=(lots[0], lots[1])),
            cls(decks=(lots[2], lots[3]), mulligan=True, strict_blocking=True),
            cls(decks=(lots[4], lots[5]), strategy_overdeplete_loses=True),
            cls(decks=(lots[6], lots[7]), exact=True),
            cls(decks=(slugs[2], slugs[5]), lists="open", starts="seat-2"),
            cls(decks=(lots[1], lots[6]), lists="open", exact=True),
            *[cls(cards=raw, decks=("a", "b"), strict_blocking=strict) for raw, strict in CROWDS],
        ]

    @classmethod
    def samples_with(cls, options: Options) -> Sequence[Self]:
        """With a card file the decks in it and others that hold its cards."""
        if options.get("cards") is None or "decks" in options:
            return super().samples_with(options)
        pairs = trials(cls(**options).pool, standard().pool)
        return [cls(**options, decks=pair) for pair in pairs]

    def invariants(self, state: State) -> list[str]:
        """What is wrong in a full state, as sentences."""
        s = the_state(state)
        faults = [
            f"a DISCARD of seat {seat} holds a card somebody may know" for seat in (0, 1) if _known(s.discard[seat])
        ]
        for seat in (0, 1):
            units = [u for u in range(self.setup.units) if self.setup.owner[u] == seat]
            standing = sorted(self.setup.kind[u] for u in units if s.zone[u] in LIVE)
            if standing != sorted(card & KIND for card in s.field[seat]):
                faults.append(f"seat {seat}'s generals in play are {standing}, its cards say otherwise")
            fallen = sorted(self.setup.kind[u] for u in units if s.zone[u] == -2)
            if fallen != sorted(card & KIND for card in s.casualty[seat]):
                faults.append(f"seat {seat}'s fallen are {fallen}, its CASUALTY says otherwise")
            names = [self.pool.cards[card & KIND].name for card in [*s.field[seat], *s.casualty[seat]]]
            if len(set(names)) != len(names):
                faults.append(f"seat {seat} has two generals of a name in play or CASUALTY (ruling 32)")
            worn = [kind for u in units for kind in (s.armament[u], s.troop[u]) if kind >= 0]
            if sorted(worn) != sorted(card & KIND for card in s.gear[seat]):
                faults.append(f"seat {seat}'s generals bear {worn}, its Equipment says otherwise")
            arms = [self.pool.cards[s.armament[u]].name for u in units if s.armament[u] >= 0]
            if len(set(arms)) != len(arms):
                faults.append(f"seat {seat} has two Armaments of a name in play (ruling 38)")
            if any(s.zone[u] == (3 if seat == 0 else 0) for u in units):
                faults.append(f"a general of seat {seat} is in ENEMY'S FORTRESS (ruling 3)")
            if any((s.armament[u] >= 0 or s.troop[u] >= 0) and s.zone[u] not in LIVE for u in units):
                faults.append(f"a general of seat {seat} bears Equipment out of play (ruling 39)")
            seen, written = Counter(s.seen[seat]), Counter(s.lists[seat])
            if self.closed and not _open_cards(s, seat) <= seen <= written:
                faults.append(f"of seat {seat}'s list {sorted(seen.elements())} is said to be known")
        if s.log is not None:
            faults += _sums(self, s)
        return faults + oracle.recruits(self, s)

    def reference(self, state: State, seat: int) -> list[Action] | None:
        """The legal actions of a seat worked out from the card data alone, for payments, for the acts of
        generals, and for Counters; None for other decisions."""
        s = the_state(state)
        asked = s.stack[-1].prompt if s.stack else ""
        if asked in ("pay", "excess"):
            return _payments(self, s, seat)
        if asked == "act":
            return oracle.acts(self, s, seat)
        if asked == "answer":
            return _counters(self, s, seat)
        return None

    def judge(self, before: State, seat: int, action: Action, after: State) -> list[str]:
        return oracle.judge(self, the_state(before), action, the_state(after))

    def possible_lists(self, view: State) -> list[tuple[float, list[list[int]]]] | None:
        """Every pair of deck lists that a view allows, with its probability: each legal list as likely as it was
        before, times the chance that as many of its cards as were seen, drawn at random, are just these."""
        s = the_state(view)
        thought = []
        for seat in (0, 1):
            if s.lists[seat]:
                thought.append({tuple(s.lists[seat]): 1.0})
                continue
            every = _legal_lists(self, seat)
            if every is None:
                return None
            seen = Counter(s.seen[seat])
            size = self.announced[seat].cards
            for deck in every:
                counts = Counter(deck)
                every[deck] *= prod(comb(counts[kind], seen[kind]) for kind in seen) / comb(size, seen.total())
            total = sum(every.values())
            thought.append({deck: weight / total for deck, weight in every.items() if weight})
        commands = [known.commandment for known in self.announced]
        return [
            (p * q, [[*red, commands[0]], [*blue, commands[1]]])
            for red, p in thought[0].items()
            for blue, q in thought[1].items()
        ]
