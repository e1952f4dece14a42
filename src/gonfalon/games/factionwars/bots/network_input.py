"""The network input of Faction Wars: the bytes of a row, and the policy output of each action."""

from __future__ import annotations

from math import log
from typing import Final

from gonfalon.bots.networks.card_match import CardFeatures
from gonfalon.bots.networks.network_input import NetworkInput
from gonfalon.core.basics.cards import HIDDEN, KIND
from gonfalon.core.rules.game import Game
from gonfalon.core.rules.state import Seat, State
from gonfalon.games.factionwars.bots.card_worth import Outlook, boltzmann
from gonfalon.games.factionwars.bots.position_value import FEATURES, Valuer
from gonfalon.games.factionwars.rules.actions import CARD, TO
from gonfalon.games.factionwars.rules.setup import Setup
from gonfalon.games.factionwars.rules.state import FactionState

PROMPTS: Final = ["select", "bystander", "victim", "keep", "exchange", "desert", "parley", "gift"]
SELECT: Final = 0
PICK_TEMPERATURE: Final = 1.0
"""Temperature of the priors of picks, in points."""
SIMPLE_PRIOR: Final = 1.5
"""Prior log-odds of the usual answer to a small question."""
FACTORS: Final = [2.0, 10.0, 1.0, 20.0, 5.0, 10.0, 2.0]
OFFSETS: Final = [0.0, 0.0, 0.0, 100.0, 0.0, 0.0, 0.0]
"""Each feature of an army becomes a byte by a factor and an offset."""
HEAD: Final = 4


class FactionNetworkInput(NetworkInput):
    """The network input for any number of seats. Cards and goals are numbered by kind."""

    def __init__(self, game: Game, setup: Setup, weights: list[float]) -> None:
        super().__init__(game)
        self.setup: Setup = setup
        self.valuer: Valuer = Valuer(setup, weights)
        self.outlook: Outlook | None = None
        self.pick_chances: list[list[float]] = []
        self.prompts: dict[str, int] = {name: i for i, name in enumerate(PROMPTS)}
        owned, kinds, goals = list(range(setup.owned)), list(range(len(setup.kinds))), setup.goal_kinds
        self.width: int = len(owned)
        self.kinds: int = len(kinds)
        self.goals: int = len(goals)
        row, answers = self.row, self.answer_layout
        row.add([1.0] * len(PROMPTS))
        self.head_at: int = row.add([0.02] * HEAD)
        self.armies_at: int = row.size
        for _ in range(setup.seats):
            row.add_cards(owned)
            row.add_cards(kinds)
            row.add([0.02] * (FEATURES + 1 + setup.size) + [1.0] * setup.size)
        self.lineup_at: int = row.size
        self.army_size: int = (self.lineup_at - self.armies_at) // setup.seats
        for _ in range(setup.size):
            row.add_cards(owned)
        self.left_at: int = row.add_cards(owned)
        row.add_cards(owned)
        self.goals_at: int = row.add_cards(goals)
        self.known = row.size
        for _ in range(setup.seats - 1):
            row.add_cards(goals)
        self.size = row.size
        answers.add_cards(owned)
        answers.add([1.0] * setup.seats)
        answers.add_cards(kinds)
        self.outputs = answers.size
        self.updates = 2400

    def features(self) -> list[CardFeatures]:
        return list_features(self.setup)

    def write_row(self, s: State, seat: Seat, out: bytearray, at: int) -> None:
        assert isinstance(s, FactionState)
        outlook = Outlook(self.valuer, s, seat, self.valuer.find_goals(s)[seat])
        self.outlook = outlook
        prompt = self.prompts.get(s.stack[-1].prompt, -1)  # cards of an owner's file may ask other questions
        if prompt >= 0:
            out[at + prompt] = 1
        head = at + self.head_at
        # The factors spread the usual numbers over the range of a byte.
        out[head] = to_byte(4.0 * outlook.rounds)
        out[head + 1] = to_byte(20.0 * s.depleted)
        out[head + 2] = 50 if s.last >= 0 else 0
        out[head + 3] = to_byte(2.0 * len(s.deck))
        if prompt == SELECT:
            self.pick_chances = outlook.estimate_picks([card & KIND for card in s.lineup], PICK_TEMPERATURE)
        self.write_armies(s, seat, outlook, prompt == SELECT, out, at)
        self.write_lineup(s, out, at)
        self.write_rest(s, seat, outlook.owned, out, at)

    def write_armies(self, s: FactionState, seat: Seat, outlook: Outlook, picks: bool, out: bytearray, at: int) -> None:
        """Write for each seat its cards, its pile, the features of its army, its chances and its pick."""
        setup = self.setup
        owned = outlook.owned
        seats = list(range(outlook.seats))
        numbers = self.valuer.compute_features(
            owned, outlook.free, outlook.rounds, outlook.draws, outlook.goals, outlook.shown, seats
        )
        chances = boltzmann(outlook.before, outlook.spread)
        for near in range(setup.seats):
            other = (seat + near) % setup.seats
            row = at + self.armies_at + near * self.army_size
            for kind in range(self.width):
                out[row + kind] = owned[other * self.width + kind]
            row += self.width
            for card in s.pile[other]:
                out[row + (card & KIND)] += 1
            row += self.kinds
            for i in range(FEATURES):
                out[row + i] = to_byte(OFFSETS[i] + FACTORS[i] * numbers[other * FEATURES + i])
            row += FEATURES
            out[row] = to_byte(100.0 * chances[other])
            row += 1
            if picks:
                for i in range(len(s.lineup)):
                    out[row + i] = to_byte(100.0 * self.pick_chances[other][i])
            elif s.picks[other] >= 0:
                out[row + setup.size + s.picks[other]] = 1

    def write_lineup(self, s: FactionState, out: bytearray, at: int) -> None:
        """Write the card at each place of the line-up."""
        place = 0
        gone = s.list_gone_places()
        for card in s.lineup:
            while place in gone:
                place += 1
            out[at + self.lineup_at + place * self.width + (card & KIND)] = 1
            place += 1

    def write_rest(self, s: FactionState, seat: Seat, owned: list[int], out: bytearray, at: int) -> None:
        """Write the cards that no army owns, the discard pile, and the goals that the seat knows."""
        setup = self.setup
        free = self.valuer.number[:]
        for i in range(len(owned)):
            free[i % self.width] -= owned[i]
        left = at + self.left_at
        for kind in range(self.width):
            out[left + kind] = max(0, free[kind])
        for card in s.discard:
            if card & KIND < self.width:
                out[left + self.width + (card & KIND)] += 1
        if self.goals:
            for near in range(setup.seats):
                for card in s.goal[(seat + near) % setup.seats]:
                    if card & KIND != HIDDEN:
                        goal = (card & KIND) - setup.first_goal
                        out[at + self.goals_at + near * self.goals + goal] = 1

    def answers(self, s: State) -> list[int]:
        assert isinstance(s, FactionState)
        if s.stack[-1].prompt == "select":
            return [s.lineup[action] & KIND for action in s.actions]
        seats = self.setup.seats
        return [
            self.width + seats + action - CARD if action >= CARD else self.width + (action - TO - s.turn) % seats
            for action in s.actions
        ]

    def priors(self, s: State) -> list[float]:
        assert isinstance(s, FactionState)
        if s.stack[-1].prompt == "select":
            chances = self.pick_chances[s.turn]
            return [log(max(0.0001, chances[action])) for action in s.actions]
        assert self.outlook is not None
        likely = self.outlook.choose_rough_answer(s)
        return [SIMPLE_PRIOR if action == likely else 0.0 for action in s.actions]


def list_features(setup: Setup) -> list[CardFeatures]:
    """Return the features of all cards (ability and numbers) and all goals (rule and numbers)."""
    found: list[CardFeatures] = []
    for kind in setup.kinds:
        role = "card" if kind.id < setup.owned else "conscript"
        role += " of the later revision" if setup.later else ""  # which no network was trained with
        numbers = (kind.battle, kind.points, kind.symbol)
        found.append(CardFeatures(kind.slug, role, kind.faction, frozenset([kind.ability]), numbers))
    for goal in setup.goals:
        numbers = (goal.count, goal.bonus, 0)
        found.append(CardFeatures(goal.slug, "goal", goal.faction, frozenset([goal.rule]), numbers))
    return found


def to_byte(x: float) -> int:
    """Return a number rounded to a byte."""
    return max(0, min(255, int(x + 0.5)))
