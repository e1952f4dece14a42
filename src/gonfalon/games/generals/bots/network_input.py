"""Generals as a network sees it: a row of bytes, and the numbers of its answers.

Cards and generals go by kind, of which a card file has as many as it has, so one network serves all decks
that are made of them. What the policy reads is written from a view of the seat's, so that nothing else can
be in it.
"""

from __future__ import annotations

from typing import Final

from gonfalon.bots.networks.network_input import NetworkInput
from gonfalon.core.basics.cards import HIDDEN, KIND
from gonfalon.core.basics.rng import Rng
from gonfalon.core.rules.game import Game
from gonfalon.core.rules.state import Action, Seat, State
from gonfalon.games.generals.bots.position_value import (
    COUNTERS,
    DEAD,
    PLOTS,
    READY,
    RECRUITS,
    TERMS,
    terms,
)
from gonfalon.games.generals.bots.turns import EFFORT, HELD, Turns, asks_main, spare
from gonfalon.games.generals.effects.frame import PARTS
from gonfalon.games.generals.observation import act_of
from gonfalon.games.generals.rules.actions import CARD, END, PASS, UNIT
from gonfalon.games.generals.rules.acts.declarations import Act
from gonfalon.games.generals.rules.acts.questions import DiscardOwn, Pay, Pick
from gonfalon.games.generals.rules.beliefs import Posterior
from gonfalon.games.generals.rules.cards import CHARACTER, Kind
from gonfalon.games.generals.rules.lasting import WHOSE
from gonfalon.games.generals.rules.state import ACTIVE_USED, ATTACK_USED, MOVE_USED, NEW, GeneralsState
from gonfalon.games.generals.rules.turn import ChooseAct
from gonfalon.games.generals.rules.zones import DEAD as FALLEN
from gonfalon.games.generals.rules.zones import ZONE_OF

PROMPTS: Final = [
    "main",
    "act",
    "target",
    "pay",
    "answer",
    "bearer",
    "executor",
    "place",
    "sacrifice",
    "discard",
    "excess",
    "may-draw",
    "take-away",
    "search",
    "recruit",
    "replace",
    "order",
    "mulligan",
]
MAIN: Final = 0
ACT: Final = 1
ANSWER: Final = 4
SPENT: Final = (3, 9, 10)
"""The prompts that ask which cards to give up."""
HEAD: Final = 16
TENTH: Final = 5.0
"""What the terms of a position are multiplied by to be bytes."""
SECRETS: Final = [DEAD, COUNTERS, RECRUITS, PLOTS, READY]
"""The terms that depend on which cards a hand holds."""
ZONES: Final = 4
DONE: Final = [NEW, MOVE_USED, ATTACK_USED, ACTIVE_USED]
STEEP: Final = 8.0
"""By how much log-odds of winning are multiplied to be log-odds of doing."""
FAR: Final = 6.0  # the lowest hunch, below the best
INCLINED: Final = 2.0  # log-odds with which the cards begin that can be spared best
SEED: Final = 1
COPY: Final = 60
"""What a copy of an unseen card counts in a row, so that the mean of what a list may hold is told in parts."""
MOST: Final = 4096
"""Deck lists of which is kept what was worked out, at most."""


PLAYS_LIKE: Final = {"3": ("1", "2", "3")}
"""By the version of the rules those that play much the same: versions 2 and 3 changed what hardly ever happens."""


class GeneralsNetworkInput(NetworkInput):
    """For the kinds of a card file."""

    def __init__(self, game: Game, kinds: list[Kind], weights: list[float]) -> None:
        super().__init__(game)
        self.kinds: int = len(kinds)
        self.general: list[int] = [-1] * len(kinds)
        count = 0
        for number, kind in enumerate(kinds):
            if kind.type == CHARACTER:
                self.general[number] = count
                count += 1
        self.generals: int = count
        self.turns: Turns = Turns(weights, Rng(SEED))
        self.view: GeneralsState | None = None
        self.thought: dict[tuple[object, ...], list[int]] = {}
        """What was worked out of a deck list, by what is known of it."""
        self.prompts: dict[str, int] = {name: i for i, name in enumerate(PROMPTS)}
        width = self.kinds
        self.head_at: int = len(PROMPTS)
        self.terms_at: int = self.head_at + HEAD
        self.hands_at: int = self.terms_at + 2 * TERMS
        self.unseen_at: int = self.hands_at + 2 * width
        self.used_at: int = self.unseen_at + 2 * width
        self.zones_at: int = self.used_at + 2 * width
        self.done_at: int = self.zones_at + 2 * count * ZONES
        self.now_at: int = self.done_at + count * len(DONE)
        self.fallen_at: int = self.now_at + 4 * count
        self.card_at: int = self.fallen_at + 2 * count
        self.doer_at: int = self.card_at + width
        self.aims_at: int = self.doer_at + 2 * count
        self.known = self.aims_at + 2 * count
        self.size = self.known + width + len(SECRETS)
        self.plays_at: int = UNIT  # answers that name a card: to play it, to counter with it, to give it up, else
        self.units_at: int = self.plays_at + 4 * width  # and a general: to act, to be attacked, else
        self.outputs = self.units_at + 3 * 2 * count
        self.updates = 1000
        self.rules = PLAYS_LIKE.get(game.version, self.rules)

    def scales(self) -> list[float]:
        found = [1.0] * self.size
        for i in range(HEAD):
            found[self.head_at + i] = 0.1
        for i in range(2 * TERMS):
            found[self.terms_at + i] = 0.1 / TENTH
        for i in range(4 * self.generals):
            found[self.now_at + i] = 0.2
        for i in range(len(SECRETS)):
            found[self.known + self.kinds + i] = 0.1 / TENTH
        for i in range(2 * self.kinds):
            found[self.unseen_at + i] = 0.5 / COPY
        return found

    def write_row(self, s: State, seat: Seat, out: bytearray, at: int) -> None:
        assert isinstance(s, GeneralsState)
        view = s.mask(seat)
        assert isinstance(view, GeneralsState)
        self.view = view
        foe = 1 - seat
        width = self.kinds
        out[at + self.prompts[view.stack[-1].prompt]] = 1
        head = at + self.head_at
        out[head] = len(view.deck[seat])
        out[head + 1] = len(view.deck[foe])
        out[head + 2] = len(view.hand[seat])
        out[head + 3] = len(view.hand[foe])
        out[head + 4] = len(view.discard[seat])
        out[head + 5] = len(view.discard[foe])
        out[head + 6] = min(100, view.number)
        out[head + 7] = 10 if view.active == seat else 0
        out[head + 8] = min(100, 10 * view.sieges)
        out[head + 9] = 10 if view.number == 1 else 0
        closing = asks_main(view)
        mover = 1 - view.active if closing else view.active
        ours = terms(view, seat, mover, closing)
        enemy = terms(view, foe, mover, closing)
        for i in range(TERMS):
            out[at + self.terms_at + i] = byte(ours[i])
            out[at + self.terms_at + TERMS + i] = byte(enemy[i])
        for side in (0, 1):
            self.put_side(view, seat, side, out, at)
        self.put_act(view, seat, out, at)
        secret = at + self.known
        told = False
        for card in s.hand[foe]:
            if card & KIND != HIDDEN:
                out[secret + (card & KIND)] += 1
                told = True
        if told:
            enemy = terms(s, foe, mover, closing)
            for i, term in enumerate(SECRETS):
                out[secret + width + i] = byte(enemy[term])

    def put_side(self, view: GeneralsState, seat: Seat, side: int, out: bytearray, at: int) -> None:
        """The cards and generals of a side, 0 the seat's own."""
        owner = seat ^ side
        self.put_cards(view, owner, side, out, at)
        self.put_army(view, seat, side, out, at)
        head = at + self.head_at
        for entry in view.lasting:
            if entry[WHOSE] == owner:
                out[head + 10 + side] = min(100, out[head + 10 + side] + 10)
        for source, marks in enumerate(view.marks):
            if marks:
                u = source // PARTS
                where = view.setup.owner[u] if u < view.setup.units else u - view.setup.units
                if where == owner:
                    out[head + 12 + side] = min(100, out[head + 12 + side] + 2 * marks)

    def put_cards(self, view: GeneralsState, owner: Seat, side: int, out: bytearray, at: int) -> None:
        """The hand, what lies open, and what is not seen yet."""
        width = self.kinds
        hand = at + self.hands_at + side * width
        unseen = at + self.unseen_at + side * width
        used = at + self.used_at + side * width
        for kind, copies in enumerate(self.copies(view, owner)):
            if copies:
                out[unseen + kind] = copies
        for card in view.hand[owner]:
            if card & KIND != HIDDEN:
                out[hand + (card & KIND)] += 1
                if out[unseen + (card & KIND)] >= COPY:
                    out[unseen + (card & KIND)] -= COPY
        for zone in (view.field[owner], view.gear[owner], view.casualty[owner], view.flight[owner], view.out[owner]):
            for card in zone:
                if card & KIND != HIDDEN and out[unseen + (card & KIND)] >= COPY:
                    out[unseen + (card & KIND)] -= COPY
        for card in view.command[owner]:
            if card & KIND != HIDDEN:
                out[used + (card & KIND)] = 1
        for card in view.gear[owner]:
            out[used + (card & KIND)] += 1

    def put_army(self, view: GeneralsState, seat: Seat, side: int, out: bytearray, at: int) -> None:
        """The generals in play and the fallen."""
        owner = seat ^ side
        setup = view.setup
        count = self.generals
        for u in view.army[owner]:
            number = self.general[setup.kind[u]]
            general = side * count + number
            out[at + self.zones_at + general * ZONES + ZONE_OF[seat][view.zone[u]]] = 1
            out[at + self.now_at + 2 * general] = min(60, view.might(u))
            out[at + self.now_at + 2 * general + 1] = min(60, view.wits(u))
            if not side:
                flags = view.flags[u]
                for i, bit in enumerate(DONE):
                    if flags & bit:
                        out[at + self.done_at + number * len(DONE) + i] = 1
        for u in setup.army_of[owner]:
            if view.zone[u] == FALLEN:
                out[at + self.fallen_at + side * count + self.general[setup.kind[u]]] = 1

    def copies(self, view: GeneralsState, owner: Seat) -> list[int]:
        """How many copies of each kind a deck list holds, in parts of COPY: for certain, or on average by all that is
        known of it."""
        deck = view.lists[owner]
        if not deck:
            prior, seen = view.setup.priors[owner], view.seen[owner]
            key = (prior, *seen)
            found = self.thought.get(key)
            if found is None:
                if len(self.thought) >= MOST:
                    self.thought.clear()
                mean = Posterior(prior, seen).expected(self.kinds)
                self.thought[key] = found = [min(255, int(COPY * copies + 0.5)) for copies in mean]
            return found
        counts = [0] * self.kinds
        for kind in deck:
            counts[kind] = min(255, counts[kind] + COPY)
        return counts

    def put_act(self, view: GeneralsState, seat: Seat, out: bytearray, at: int) -> None:
        """The act that the question belongs to: its card, who does it, whom it is aimed at."""
        due = view.stack[-1]
        kind = unit = -1
        aims: list[int] = []
        if isinstance(due, (Pay, DiscardOwn)):
            out[at + self.head_at + 14] = min(25, due.left) * 10
        elif isinstance(due, Pick):
            aims = due.picked
            kind, unit = due.frame.kind, due.frame.me
        elif isinstance(due, ChooseAct):
            unit = due.unit
        for i in range(len(view.stack) - 1, -1, -1):
            act: Act | None = act_of(view.stack[i])
            if act is not None:
                if kind < 0:
                    kind = act.kind
                if unit < 0:
                    unit = act.unit
                aims = aims + act.aims()
                if act.code >= 0:
                    out[at + self.head_at + 15] = 10 * (act.code + 1)
                break
        setup = view.setup
        if kind >= 0:
            out[at + self.card_at + kind] = 1
        if unit >= 0:
            out[at + self.doer_at + self.side_of(view, seat, unit)] = 1
        for u in aims:
            if u < setup.units:
                out[at + self.aims_at + self.side_of(view, seat, u)] = 1

    def side_of(self, s: GeneralsState, seat: Seat, u: int) -> int:
        """The number of a general among those of both sides."""
        return (s.setup.owner[u] ^ seat) * self.generals + self.general[s.setup.kind[u]]

    def answers(self, s: State) -> list[int]:
        assert isinstance(s, GeneralsState)
        seat = s.turn
        prompt = self.prompts[s.stack[-1].prompt]
        plays = self.plays_at - CARD
        if prompt == ANSWER:
            plays += self.kinds
        elif prompt in SPENT:
            plays += 2 * self.kinds
        elif prompt != MAIN:
            plays += 3 * self.kinds
        units = self.units_at
        if prompt == ACT:
            units += 2 * self.generals
        elif prompt != MAIN:
            units += 4 * self.generals
        found: list[int] = []
        for action in s.actions:
            if action >= CARD:
                found.append(plays + action)
            elif action >= UNIT:
                found.append(units + self.side_of(s, seat, action - UNIT))
            else:
                found.append(action)
        return found

    def priors(self, s: State) -> list[float]:
        """What each action brings at once, in one world of the view; the cards that can be spared best."""
        assert isinstance(s, GeneralsState)
        view = self.view
        assert view is not None
        seat = s.turn
        actions = s.actions
        prompt = self.prompts[s.stack[-1].prompt]
        if prompt in SPENT:
            likely: Action = spare(view, seat, actions)
            return [INCLINED if action == likely else 0.0 for action in actions]
        world = self.sampler(view).sample(Rng(SEED))
        assert isinstance(world, GeneralsState)
        turns = self.turns
        turns.rng = Rng(SEED)
        best: dict[Action, float] = {}
        if prompt == MAIN:
            best[END] = turns.value(world, seat) + EFFORT
        for deed in turns.deeds(world, seat):
            action = deed.path[0]
            value = deed.value + (HELD if action == PASS else 0.0)
            if action not in best or best[action] < value:
                best[action] = value
        found = [best.get(action, -2.0 * FAR) for action in actions]
        top = max(found)
        return [max(-FAR, STEEP * (value - top)) for value in found]


def byte(x: float) -> int:
    """A term of a position as a byte."""
    return max(0, min(255, int(TENTH * x + 0.5)))
