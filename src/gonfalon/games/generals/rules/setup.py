"""The unchanging public facts of a game of Generals: cards, the possible contents of deck lists, units, options.

The lists themselves are in the state, because they are their owners' secrets.
"""

from __future__ import annotations

from collections.abc import Sequence

from gonfalon.games.generals.effects.frame import OTHER, PARTS, Frame
from gonfalon.games.generals.rules.beliefs import Prior
from gonfalon.games.generals.rules.cards import (
    CHARACTER,
    COUNTER,
    EQUIPMENT,
    EVENTS,
    MIGHT,
    STATS,
    UPKEEP,
    WITS,
    Kind,
    Mod,
    Rule,
    Trigger,
)


class Setup:
    """Flat lists of a game's facts, which all its states share.

    A unit is a kind of general that a deck list may hold. A side never has two generals of one name (golden rules), so
    a kind is on a side's battlefield at most once, and its unit identifies it.
    """

    __slots__ = (
        *("kinds", "mods", "rules", "delayed", "closed", "may", "sizes", "copies", "priors", "commands"),
        *("limits", "factions", "opening", "exact", "strict_blocking", "counter_chain", "mulligan", "starter"),
        *("card_damage", "units", "owner", "kind", "name", "faction", "base", "unit_of", "alike", "army_of"),
        *("frames", "answerable", "counters", "aura_units", "aura_gear", "card_units", "card_gear"),
        *("seat_units", "seat_gear", "rule_units", "rule_gear", "trigger_units", "trigger_gear"),
        *("replace_units", "replace_gear", "any_set", "aura_set", "static_bits", "listened"),
    )

    def __init__(
        self,
        *,
        kinds: list[Kind],
        mods: list[Mod],
        rules: list[Rule],
        delayed: list[Trigger],
        closed: bool,
        priors: list[Prior],
        limits: list[int],
        factions: list[int],
        opening: int,
        exact: bool,
        strict_blocking: bool,
        counter_chain: bool,
        mulligan: bool,
        card_damage: bool,
        starter: int,
    ) -> None:
        self.kinds: list[Kind] = kinds
        self.mods: list[Mod] = mods
        self.rules: list[Rule] = rules
        self.delayed: list[Trigger] = delayed
        self.closed: bool = closed  # whether deck lists are secret (ruling 65)
        self.priors: list[Prior] = priors  # by seat, like all lists below
        self.may: list[list[int]] = [prior.kinds for prior in priors]  # the kinds that RESOURCE may hold, ascending
        self.sizes: list[int] = [prior.size for prior in priors]  # of RESOURCE at the start
        self.copies: int = priors[0].copies  # the most copies of a name in a deck
        self.commands: list[int] = [prior.command for prior in priors]  # the kinds of the Commandments
        self.limits: list[int] = limits  # hand limits (ruling 56)
        self.factions: list[int] = factions  # the number of announced factions (ruling 61)
        self.opening: int = opening
        self.exact: bool = exact
        self.strict_blocking: bool = strict_blocking  # the other reading of ruling 4
        self.counter_chain: bool = counter_chain  # whether Counters can be answered (ruling 41)
        self.mulligan: bool = mulligan  # the option of ruling 51
        self.card_damage: bool = card_damage  # the other reading of ruling 62
        self.starter: int = starter  # the first player; -1 if chance decides (ruling 50)
        self._number_units()
        self._look_up()

    def _number_units(self) -> None:
        """Number the generals that the deck lists may hold, and index their facts by these numbers."""
        kinds = self.kinds
        self.owner: list[int] = []
        self.kind: list[int] = []
        self.unit_of: list[list[int]] = [[-1] * len(kinds), [-1] * len(kinds)]
        self.army_of: list[list[int]] = [[], []]
        for seat in (0, 1):
            for number in self.may[seat]:
                if kinds[number].type == CHARACTER:
                    self.unit_of[seat][number] = len(self.kind)
                    self.army_of[seat].append(len(self.kind))
                    self.owner.append(seat)
                    self.kind.append(number)
        self.units: int = len(self.kind)
        self.name: list[int] = [kinds[number].name_number for number in self.kind]
        self.faction: list[int] = [kinds[number].faction for number in self.kind]
        self.base: list[list[int]] = [[0] * self.units for _ in STATS]
        self.base[MIGHT] = [kinds[number].might for number in self.kind]
        self.base[WITS] = [kinds[number].wits for number in self.kind]
        self.base[UPKEEP] = [kinds[number].upkeep for number in self.kind]
        self.alike: list[list[int]] = [
            [v for v in self.army_of[self.owner[u]] if self.name[v] == self.name[u]] for u in range(self.units)
        ]
        # For each source the frame of its static abilities, made once because these are computed so often.
        self.frames: list[Frame] = []
        for u in range(self.units):
            for part in range(PARTS):
                self.frames.append(Frame(self.owner[u], u * PARTS + part, self.kind[u], u))
        for seat in (0, 1):
            for _ in range(PARTS):
                self.frames.append(Frame(seat, (self.units + seat) * PARTS + OTHER, self.commands[seat], -1))

    def _look_up(self) -> None:
        """Index the cards by the numbers, rules and events that they affect, so that play skips all others."""
        kinds = self.kinds
        gear = [kinds[number] for may in self.may for number in may if kinds[number].type == EQUIPMENT]
        generals = [kinds[number] for number in self.kind]
        sources = [*generals, *gear, kinds[self.commands[0]], kinds[self.commands[1]]]
        self._look_up_counters()
        stats = len(STATS)
        self.aura_units: list[list[int]] = index_holders([kind.auras for kind in generals], stats)
        self.aura_gear: list[bool] = mark_used([kind.auras for kind in gear], stats)
        self.card_units: list[list[int]] = index_holders([kind.cards for kind in generals], stats)
        self.card_gear: list[bool] = mark_used([kind.cards for kind in gear], stats)
        self.seat_units: list[list[int]] = index_holders([kind.seats for kind in generals], stats)
        self.seat_gear: list[bool] = mark_used([kind.seats for kind in gear], stats)
        self.rule_units: list[int] = [u for u, kind in enumerate(generals) if kind.aura_rules or kind.seat_rules]
        self.rule_gear: bool = any(kind.aura_rules or kind.seat_rules for kind in gear)
        self.trigger_units: list[list[int]] = index_holders([kind.triggers for kind in generals], len(EVENTS))
        self.trigger_gear: list[bool] = mark_used([kind.triggers for kind in gear], len(EVENTS))
        self.replace_units: list[int] = [u for u, kind in enumerate(generals) if kind.replaces]
        self.replace_gear: bool = any(kind.replaces for kind in gear)
        self.aura_set: list[bool] = [any(mod.sets for kind in sources for mod in kind.auras[i]) for i in range(stats)]
        self.any_set: list[bool] = [
            self.aura_set[i]
            or any(mod.sets for kind in sources for mod in kind.own[i])
            or any(mod.sets and mod.stat == i for mod in self.mods)
            for i in range(stats)
        ]
        self.listened: list[bool] = mark_used([kind.triggers for kind in sources], len(EVENTS))
        self._look_up_rules(sources)

    def _look_up_counters(self) -> None:
        """Index the Counters of each seat and the acts that they answer."""
        kinds = self.kinds
        self.counters: list[list[int]] = [
            [number for number in self.may[seat] if kinds[number].type == COUNTER] for seat in (0, 1)
        ]
        # The acts that the Counters of a seat's possible deck could answer, by public knowledge (ruling 40).
        self.answerable: list[int] = [0, 0]
        for seat in (0, 1):
            for number in self.counters[seat]:
                self.answerable[seat] |= kinds[number].answers

    def _look_up_rules(self, sources: list[Kind]) -> None:
        """Collect the rules that the cards can add."""
        # The rules that static abilities can add at all in this game.
        self.static_bits: int = 0
        for kind in sources:
            self.static_bits |= kind.bits
            for rule in [*kind.own_rules, *kind.aura_rules, *kind.seat_rules, *kind.card_rules]:
                self.static_bits |= rule.bit

    def command_frame(self, seat: int) -> Frame:
        """Return the frame of a seat's Commandment."""
        return self.frames[(self.units + seat) * PARTS]


def index_holders(tables: Sequence[Sequence[Sequence[object]]], width: int) -> list[list[int]]:
    """Return, for each number, the indexes of the tables that have entries for it."""
    return [[at for at, table in enumerate(tables) if table[i]] for i in range(width)]


def mark_used(tables: Sequence[Sequence[Sequence[object]]], width: int) -> list[bool]:
    """Return, for each number, whether any of the tables has entries for it."""
    return [any(table[i] for table in tables) for i in range(width)]
