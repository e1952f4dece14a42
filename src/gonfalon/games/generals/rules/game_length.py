"""The upper bound of a game's length: why no game is endless (ruling 68), in numbers.

Cards are used up. RESOURCE grows only by cards that leave the game in return, so there are at most as many turns as
cards in both RESOURCE, with the returned cards counted again. The same number bounds how often a card leaves a hand for
DISCARD, CASUALTY, Equipment or Out of game (`flow`).

Acts that use up no card are limited in each turn: a general has one move, one attack and one active effect. It gets
more of them only if an effect readies it, or if it returns to the hand and is recruited again, which then costs a card.
Triggered abilities follow from one of these; operations that could trigger themselves again (`ready`, `duel`) have a
limit for each turn, which checker.py demands of every card file.
"""

from __future__ import annotations

from collections import Counter
from typing import Final

from gonfalon.games.generals.effects.changes import Delayed
from gonfalon.games.generals.effects.on_cards import RecoverCards
from gonfalon.games.generals.effects.on_generals import SUCCESS_DUEL, Bounce, Duel, Plot, Ready
from gonfalon.games.generals.effects.run import DecisionBounds, iterate_operations
from gonfalon.games.generals.rules import cards
from gonfalon.games.generals.rules.setup import Setup

DELAYED_TURNS: Final = 3
"""The most turns in which a delayed ability counts: the turn in which it begins, the enemy's, and one more if it began
there."""


def compute_bound(setup: Setup) -> int:
    """Return a number of decisions that no game exceeds."""
    return _Bound(setup).compute_total()


def count_recovered(kind: cards.Kind) -> int:
    """Return how many cards a card can return under RESOURCE. It can do so once, because then it leaves the game."""
    found = [
        op.count
        for script in list_scripts(kind)
        for op in iterate_operations(script.ops)
        if isinstance(op, RecoverCards)
    ]
    return max(found, default=0)


def list_scripts(kind: cards.Kind) -> list[cards.Script]:
    """Return all scripts of a card, without those of delayed abilities."""
    found = [active.script for active in kind.actives] + [one.script for one in kind.replaces]
    found += [trigger.script for triggers in kind.triggers for trigger in triggers]
    return found if kind.script is None else [*found, kind.script]


def list_triggers(kind: cards.Kind, limited: bool) -> list[cards.Trigger]:
    """Return the triggers of a card that have a limit, or those that have none."""
    return [one for triggers in kind.triggers for one in triggers if bool(one.limit) == limited]


class _Bound(DecisionBounds):
    """Counts up to the bound. `decisions` includes the questions of each ability as often as it can be used."""

    def __init__(self, setup: Setup) -> None:
        self.setup = setup
        kinds = setup.kinds
        # Deck lists may be secret: all legal copies of every card that they may hold count, and of the cards that
        # return others those that return the most.
        self.cards = Counter([number for may in setup.may for number in may for _ in range(setup.copies)])
        back = [
            sorted([count_recovered(kinds[number]) for number in may] * setup.copies, reverse=True) for may in setup.may
        ]
        self.recovered = sum(sum(most[:size]) for most, size in zip(back, setup.sizes, strict=True))
        flow = sum(setup.sizes) + self.recovered
        super().__init__(flow, setup.units, shuffle=flow if setup.exact else 1)
        # Each turn uses up a card of RESOURCE, except the first, which has no draw, and the last, which loses.
        self.turns = self.flow + 2
        # The cards that may be in play at some time: each general once a side, all Equipment, both Commandments.
        lasting = Counter([*setup.kind, *setup.commands])
        lasting += Counter({number: n for number, n in self.cards.items() if kinds[number].type != cards.CHARACTER})
        self.sources = [(kinds[number], count) for number, count in lasting.items()]
        """Each kind of card with its number of copies."""
        self.decisions = 0
        self.readied = 0
        self.duels = 0
        self.begun: list[tuple[cards.Trigger, int]] = []
        """Delayed abilities, and the most times that each begins."""
        free = [one for kind, _ in self.sources for one in kind.replaces if not (one.limit or one.hand or one.resource)]
        # The fall of one general may ask its owner, and again for each replacement that costs nothing.
        self.spared += max([0, *(self.count_script_decisions(one.script) for one in free if not one.dies)])

    def compute_total(self) -> int:
        """Return the bound. Abilities with a limit are counted first, since they can cause other events."""
        units, turns, flow = self.units, self.turns, self.flow
        everything = (
            op for kind, _ in self.sources for script in list_scripts(kind) for op in iterate_operations(script.ops)
        )
        returns = any(isinstance(op, Bounce) for op in everything)
        often = turns + flow if returns else turns  # the most times of an act that a general has once a turn
        for kind, count in self.sources:
            if kind.script is not None:
                self.add_script(kind.script, count + self.recovered)
            for active in kind.actives:
                self.add_script(active.script, count * often)
            for one in kind.replaces:
                if one.limit:
                    self.add_script(one.script, count * one.limit * (turns + flow))
                elif one.hand or one.resource or one.dies:
                    self.add_script(one.script, flow + units)
            for trigger in list_triggers(kind, limited=True):
                self.add_script(trigger.script, count * trigger.limit * (turns + flow))
        self.add_delayed([], limited=True)
        mine = max([1, *(len(army) for army in self.setup.army_of)])
        moves = attacks = mine * turns + self.readied
        actives = mine * often
        entries = units + (units * turns + flow if returns else 0)
        wins = attacks + self.duels
        events = [0] * len(cards.EVENTS)
        events[cards.MOVES], events[cards.SIEGE_DONE], events[cards.TACTIC_DONE] = moves, attacks, flow
        # A general falls once: CASUALTY is final, so there are at most as many falls as units.
        events[cards.WINS_MELEE], events[cards.DEFEATS], events[cards.TO_CASUALTY] = wins, wins + units, units
        events[cards.RECRUITED], events[cards.TURN_START], events[cards.END_PHASE] = entries, turns, turns
        for kind, count in self.sources:
            for trigger in list_triggers(kind, limited=False):
                self.add_script(trigger.script, count * events[trigger.event])
        self.add_delayed(events, limited=False)
        # The decisions outside abilities: the general, its act, the answer, and replacements for two victims; a card,
        # its general, and the answers around it; a recruited general and its place; cards that go face down from a
        # hand; sacrificed generals; the end of the turn; the opening.
        acts = 2 * moves + (3 + 2 * self.spared) * attacks + 3 * actives + 4 * flow + 2 * entries
        return acts + flow + units + turns + self.decisions + 4 * self.shuffle + 3

    def add_script(self, script: cards.Script, times: int) -> None:
        """Add the decisions of a script that runs at most `times` times. Each run may also need to be ordered among
        others."""
        self.decisions += times * (1 + self.count_script_decisions(script))
        for op in iterate_operations(script.ops, delayed=False):
            if isinstance(op, Ready):
                self.readied += times * self.bound_targets(op.target, script)
            elif isinstance(op, Duel) or (isinstance(op, Plot) and op.success == SUCCESS_DUEL):
                self.duels += times
            elif isinstance(op, Delayed):
                self.begun.append((op.trigger, times))

    def add_delayed(self, events: list[int], limited: bool) -> None:
        """Add the delayed abilities that have begun, and those that begin because of them."""
        waiting = [begun for begun in self.begun if bool(begun[0].limit) == limited]
        self.begun = [begun for begun in self.begun if bool(begun[0].limit) != limited]
        for trigger, times in waiting:
            uses = trigger.limit * DELAYED_TURNS if limited else events[trigger.event]
            self.add_script(trigger.script, times * uses)
        if any(bool(trigger.limit) == limited for trigger, _ in self.begun):
            self.add_delayed(events, limited)

    def count_script_decisions(self, script: cards.Script) -> int:
        """Return the largest number of decisions in one run of a script."""
        found = 0
        for op in iterate_operations(script.ops, delayed=False):
            found += op.count_decisions(self, script) + sum(self.bound_chosen(choice) + 1 for choice in op.choices)
        return found
