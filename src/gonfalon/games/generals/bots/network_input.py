"""The network input of Generals: the bytes of a row, and the policy output of each action.

Cards and generals are numbered by kind, so one network plays all decks of a card file. The policy's part of a row is
written from a view of the seat, so it cannot contain anything that the seat does not know.
"""

from __future__ import annotations

from typing import Final

from gonfalon.bots.networks.card_match import CardFeatures
from gonfalon.bots.networks.network_input import NetworkInput
from gonfalon.core.basics.cards import HIDDEN, KIND
from gonfalon.core.rules.game import Game
from gonfalon.core.rules.state import Seat, State
from gonfalon.games.generals.bots.heuristic import GeneralsHeuristic
from gonfalon.games.generals.bots.look_ahead import asks_main
from gonfalon.games.generals.bots.position_value import (
    COUNTERS,
    DEAD,
    PLOTS,
    READY,
    RECRUITS,
    TERM_COUNT,
    compute_terms,
)
from gonfalon.games.generals.effects.frame import PARTS
from gonfalon.games.generals.observation import find_act
from gonfalon.games.generals.rules.actions import CARD, UNIT
from gonfalon.games.generals.rules.acts.declarations import Act
from gonfalon.games.generals.rules.acts.questions import DiscardOwn, Pay, Pick
from gonfalon.games.generals.rules.beliefs import Posterior
from gonfalon.games.generals.rules.cards import ACTS, CHARACTER, EVENTS, STATS, SUBTYPES, TYPES, Kind
from gonfalon.games.generals.rules.lasting import WHOSE
from gonfalon.games.generals.rules.setup import Setup
from gonfalon.games.generals.rules.state import ACTIVE_USED, ATTACK_USED, MOVE_USED, NEW, GeneralsState
from gonfalon.games.generals.rules.turn import ChooseAct
from gonfalon.games.generals.rules.zones import DEAD as FALLEN
from gonfalon.games.generals.rules.zones import ZONE_OF

PROMPTS: Final = [
    *("main", "act", "target", "pay", "answer", "bearer", "executor", "place", "sacrifice", "discard"),
    *("excess", "may-draw", "take-away", "search", "recruit", "replace", "order", "mulligan"),
]
CARD_BLOCKS: Final = {"main": 0, "answer": 1, "pay": 2, "discard": 2, "excess": 2}
"""The outputs for cards form four blocks: to play, to counter with, to give up, and all other questions."""
UNIT_BLOCKS: Final = {"main": 0, "act": 1}
"""The outputs for generals form three blocks: to act, to be attacked, and all other questions."""
HEAD_SIZE: Final = 16
TERM_SCALE: Final = 5.0
"""The factor by which a term of a position is stored in a byte."""
HIDDEN_TERMS: Final = [DEAD, COUNTERS, RECRUITS, PLOTS, READY]
"""The terms that depend on the cards of a hand, which the other seat does not see."""
ZONE_COUNT: Final = 4
ACT_FLAGS: Final = [NEW, MOVE_USED, ATTACK_USED, ACTIVE_USED]
MIN_PRIOR: Final = -6.0
UNITS_PER_COPY: Final = 60
"""The units in a byte for one copy of an unseen card, so that expected numbers of copies have fractions."""
MAX_CACHED_LISTS: Final = 4096
PLAYS_LIKE: Final = {"3": ("1", "2", "3")}
"""For a version of the rules, the versions that play much the same: versions 2 and 3 changed very rare cases."""


class GeneralsNetworkInput(NetworkInput):
    """The network input for games with any decks. Parts of a row for both sides begin with the seat's own."""

    def __init__(self, game: Game, setup: Setup) -> None:
        super().__init__(game)
        kinds = setup.kinds
        self.setup: Setup = setup
        self.kinds: int = len(kinds)
        generals = [kind.id for kind in kinds if kind.type == CHARACTER]
        self.generals: int = len(generals)
        self.general: list[int] = [generals.index(kind.id) if kind.type == CHARACTER else -1 for kind in kinds]
        self.heuristic: GeneralsHeuristic = GeneralsHeuristic(game)
        self.view: GeneralsState | None = None
        self.expected: dict[tuple[object, ...], list[int]] = {}
        """Expected copies of each kind in a deck list, by the facts known of the list."""
        self.prompts: dict[str, int] = {name: i for i, name in enumerate(PROMPTS)}
        cards, row, answers = list(range(self.kinds)), self.row, self.answer_layout
        row.add([1.0] * len(PROMPTS))
        self.head_at: int = row.add([0.1] * HEAD_SIZE)
        self.terms_at: int = row.add([0.1 / TERM_SCALE] * 2 * TERM_COUNT)
        self.hands_at, _ = row.add_cards(cards), row.add_cards(cards)
        self.unseen_at, _ = row.add_cards(cards, 0.5 / UNITS_PER_COPY), row.add_cards(cards, 0.5 / UNITS_PER_COPY)
        self.used_at, _ = row.add_cards(cards), row.add_cards(cards)
        self.zones_at, _ = row.add_cards(generals, each=ZONE_COUNT), row.add_cards(generals, each=ZONE_COUNT)
        self.done_at: int = row.add_cards(generals, each=len(ACT_FLAGS))
        self.now_at, _ = row.add_cards(generals, 0.2, each=2), row.add_cards(generals, 0.2, each=2)
        self.fallen_at, _ = row.add_cards(generals), row.add_cards(generals)
        self.card_at: int = row.add_cards(cards)
        self.actor_at, _ = row.add_cards(generals), row.add_cards(generals)
        self.targets_at, _ = row.add_cards(generals), row.add_cards(generals)
        self.known = row.add_cards(cards)
        row.add([0.1 / TERM_SCALE] * len(HIDDEN_TERMS))
        self.size = row.size
        answers.add([1.0] * UNIT)
        self.plays_at: int = answers.size
        for _ in range(4):
            answers.add_cards(cards)
        self.units_at: int = answers.size
        for _ in range(3 * 2):
            answers.add_cards(generals)
        self.outputs = answers.size
        self.updates = 1000
        self.rules = PLAYS_LIKE.get(game.version, self.rules)

    def features(self) -> list[CardFeatures]:
        return [build_card_features(kind) for kind in self.setup.kinds]

    def kinds_in_play(self) -> list[int]:
        return sorted({*self.setup.may[0], *self.setup.may[1], *self.setup.commands})

    def write_row(self, s: State, seat: Seat, out: bytearray, at: int) -> None:
        assert isinstance(s, GeneralsState)
        # The part of the policy is written from the view, so it cannot contain hidden cards.
        view = s.mask(seat)
        assert isinstance(view, GeneralsState)
        self.view = view
        foe = 1 - seat
        out[at + self.prompts[view.stack[-1].prompt]] = 1
        numbers = [len(view.deck[seat]), len(view.deck[foe]), len(view.hand[seat]), len(view.hand[foe])]
        numbers += [len(view.discard[seat]), len(view.discard[foe]), min(100, view.number)]
        numbers += [10 * int(view.active == seat), min(100, 10 * view.sieges), 10 * int(view.number == 1)]
        for i in range(len(numbers)):
            out[at + self.head_at + i] = numbers[i]
        closing = asks_main(view)
        mover = 1 - view.active if closing else view.active
        write_terms(compute_terms(view, seat, mover, closing), out, at + self.terms_at)
        write_terms(compute_terms(view, foe, mover, closing), out, at + self.terms_at + TERM_COUNT)
        for side in (0, 1):
            self.write_cards(view, seat ^ side, side, out, at)
            self.write_army(view, seat, side, out, at)
            self.write_effects(view, seat ^ side, side, out, at)
        self.write_act(view, seat, out, at)
        # Only the value of the network reads this part, and it is asked about worlds only.
        hidden = at + self.known
        shown = [card & KIND for card in s.hand[foe] if card & KIND != HIDDEN]
        for kind in shown:
            out[hidden + kind] += 1
        if shown:
            foes = compute_terms(s, foe, mover, closing)
            write_terms([foes[term] for term in HIDDEN_TERMS], out, hidden + self.kinds)

    def write_cards(self, view: GeneralsState, owner: Seat, side: int, out: bytearray, at: int) -> None:
        """Write the hand, the cards in use, and the unseen copies of a side, 0 for the seat's own."""
        hand = at + self.hands_at + side * self.kinds
        unseen = at + self.unseen_at + side * self.kinds
        used = at + self.used_at + side * self.kinds
        for kind, copies in enumerate(self.count_copies(view, owner)):
            if copies:
                out[unseen + kind] = copies
        seen = view.field[owner] + view.gear[owner] + view.casualty[owner] + view.flight[owner] + view.out[owner]
        # Copies in sight are not among the unseen ones.
        for card in view.hand[owner] + seen:
            if card & KIND != HIDDEN and out[unseen + (card & KIND)] >= UNITS_PER_COPY:
                out[unseen + (card & KIND)] -= UNITS_PER_COPY
        for card in view.hand[owner]:
            if card & KIND != HIDDEN:
                out[hand + (card & KIND)] += 1
        for card in view.command[owner]:
            if card & KIND != HIDDEN:
                out[used + (card & KIND)] = 1
        for card in view.gear[owner]:
            out[used + (card & KIND)] += 1

    def write_army(self, view: GeneralsState, seat: Seat, side: int, out: bytearray, at: int) -> None:
        """Write the generals of a side in play, and its fallen ones."""
        for u in view.army[seat ^ side]:
            general = self.general_of(view, seat, u)
            out[at + self.zones_at + general * ZONE_COUNT + ZONE_OF[seat][view.zone[u]]] = 1
            out[at + self.now_at + 2 * general] = min(60, view.might(u))
            out[at + self.now_at + 2 * general + 1] = min(60, view.wits(u))
            if not side:
                for i, bit in enumerate(ACT_FLAGS):
                    if view.flags[u] & bit:
                        out[at + self.done_at + general * len(ACT_FLAGS) + i] = 1
        for u in view.setup.army_of[seat ^ side]:
            if view.zone[u] == FALLEN:
                out[at + self.fallen_at + self.general_of(view, seat, u)] = 1

    def write_effects(self, view: GeneralsState, owner: Seat, side: int, out: bytearray, at: int) -> None:
        """Write the numbers of temporary effects and marks of a side."""
        setup = view.setup
        lasting = marked = 0
        for entry in view.lasting:
            lasting += int(entry[WHOSE] == owner)
        for source, marks in enumerate(view.marks):
            if marks:
                u = source // PARTS
                if (setup.owner[u] if u < setup.units else u - setup.units) == owner:
                    marked += marks
        out[at + self.head_at + 10 + side] = min(100, 10 * lasting)
        out[at + self.head_at + 12 + side] = min(100, 2 * marked)

    def count_copies(self, view: GeneralsState, owner: Seat) -> list[int]:
        """Return the exact or expected copies of each kind in a deck list, in units of 1 / `UNITS_PER_COPY`."""
        deck = view.lists[owner]
        if not deck:
            prior, seen = view.setup.priors[owner], view.seen[owner]
            key = (prior, *seen)
            found = self.expected.get(key)
            if found is None:
                # A full cache is emptied: a game uses few of its entries at a time.
                if len(self.expected) >= MAX_CACHED_LISTS:
                    self.expected.clear()
                mean = Posterior(prior, seen).expected(self.kinds)
                self.expected[key] = found = [min(255, int(UNITS_PER_COPY * copies + 0.5)) for copies in mean]
            return found
        counts = [0] * self.kinds
        for kind in deck:
            counts[kind] = min(255, counts[kind] + UNITS_PER_COPY)
        return counts

    def write_act(self, view: GeneralsState, seat: Seat, out: bytearray, at: int) -> None:
        """Write the act that the question belongs to: its card, the acting general and its targets."""
        step = view.stack[-1]
        kind = unit = -1
        targets: list[int] = []
        if isinstance(step, (Pay, DiscardOwn)):
            out[at + self.head_at + 14] = min(25, step.left) * 10
        elif isinstance(step, Pick):
            targets = step.picked
            kind, unit = step.frame.kind, step.frame.me
        elif isinstance(step, ChooseAct):
            unit = step.unit
        for i in range(len(view.stack) - 1, -1, -1):
            act: Act | None = find_act(view.stack[i])
            if act is not None:
                kind = act.kind if kind < 0 else kind
                unit = act.unit if unit < 0 else unit
                targets = targets + act.list_aims()
                if act.code >= 0:
                    out[at + self.head_at + 15] = 10 * (act.code + 1)
                break
        if kind >= 0:
            out[at + self.card_at + kind] = 1
        if unit >= 0:
            out[at + self.actor_at + self.general_of(view, seat, unit)] = 1
        for u in targets:
            if u < view.setup.units:
                out[at + self.targets_at + self.general_of(view, seat, u)] = 1

    def general_of(self, s: GeneralsState, seat: Seat, u: int) -> int:
        """Return the number of a general among those of both sides, the seat's own first."""
        return (s.setup.owner[u] ^ seat) * self.generals + self.general[s.setup.kind[u]]

    def answers(self, s: State) -> list[int]:
        assert isinstance(s, GeneralsState)
        prompt = s.stack[-1].prompt
        plays = self.plays_at + CARD_BLOCKS.get(prompt, 3) * self.kinds
        units = self.units_at + UNIT_BLOCKS.get(prompt, 2) * 2 * self.generals
        found: list[int] = []
        for action in s.actions:
            if action >= CARD:
                found.append(plays + action - CARD)
            elif action >= UNIT:
                found.append(units + self.general_of(s, s.turn, action - UNIT))
            else:
                found.append(action)
        return found

    def priors(self, s: State) -> list[float]:
        """Return the scores of a look ahead by one action, at least `MIN_PRIOR`."""
        assert self.view is not None
        return [max(MIN_PRIOR, score) for score in self.heuristic.scores_to(self.view, 1)]


def build_card_features(kind: Kind) -> CardFeatures:
    """Return the features of a card: its type, costs and numbers, and the effects of its text."""
    traits = {word for number, word in enumerate(SUBTYPES) if kind.subtypes >> number & 1}
    traits |= {f"answers {word}" for number, word in enumerate(ACTS) if kind.answers >> number & 1}
    traits |= {f"when {word}" for number, word in enumerate(EVENTS) if kind.triggers[number]}
    scripts = [trigger.script for found in kind.triggers for trigger in found]
    scripts += [active.script for active in kind.actives] + [one.script for one in kind.replaces]
    scripts += [kind.script] if kind.script is not None else []
    traits |= {f"does {type(op).__name__}" for script in scripts for op in script.ops}
    numbers: list[float] = [kind.cost, kind.hand, kind.resource, kind.sacrifice, kind.might, kind.wits, kind.upkeep]
    numbers += [len(kind.actives), len(kind.replaces), *kind.flat]
    for number in range(len(STATS)):
        for mods in (kind.own[number], kind.auras[number], kind.cards[number], kind.seats[number]):
            numbers.append(sum(mod.by for mod in mods))
    rules = (kind.own_rules, kind.aura_rules, kind.seat_rules, kind.card_rules)
    traits |= {f"rule {rule.bit}" for found in rules for rule in found}
    return CardFeatures(kind.slug, TYPES[kind.type], kind.faction, frozenset(traits), tuple(numbers))


def write_terms(numbers: list[float], out: bytearray, at: int) -> None:
    """Write terms of a position as bytes."""
    for i in range(len(numbers)):
        out[at + i] = max(0, min(255, int(TERM_SCALE * numbers[i] + 0.5)))
