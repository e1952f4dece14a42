"""Faction Wars as a network sees it: a row of bytes, and the numbers of its answers."""

from __future__ import annotations

from collections.abc import Callable
from math import log
from typing import Final

from gonfalon.bots.networks.network_input import NetworkInput
from gonfalon.core.basics.cards import HIDDEN, KIND
from gonfalon.core.rules.game import Game
from gonfalon.core.rules.state import Seat, State
from gonfalon.games.factionwars.bots.position_value import FEATURES, Valuer
from gonfalon.games.factionwars.bots.trial_round import Trial, first_sight, logit
from gonfalon.games.factionwars.rules.actions import CARD, TO
from gonfalon.games.factionwars.rules.setup import Setup
from gonfalon.games.factionwars.rules.state import FactionState

PROMPTS: Final = ["select", "bystander", "victim", "keep", "exchange", "desert", "parley", "gift"]
HEAT: Final = 1.0
"""By how many points the priors are thought to miss the best."""
INCLINED: Final = 1.5  # log-odds with which the usual answer to a small question begins
TIMES: Final = [2.0, 10.0, 1.0, 20.0, 5.0, 10.0, 2.0]
BASES: Final = [0.0, 0.0, 0.0, 100.0, 0.0, 0.0, 0.0]
"""The features of an army as bytes: what they are multiplied by, and what is added."""
HEAD: Final = 4


class SeatValuer(Valuer):
    """Knows the goal of one seat only."""

    def __init__(self, setup: Setup, weights: list[float]) -> None:
        super().__init__(setup, weights)
        self.seat: Seat = 0

    def goals_of(self, s: FactionState) -> list[int]:
        found = super().goals_of(s)
        for seat in range(self.seats):
            if seat != self.seat:
                found[seat] = -1
        return found


class FactionNetworkInput(NetworkInput):
    """For any number of seats, but for one at a time."""

    def __init__(self, game: Game, setup: Setup, weights: list[float]) -> None:
        super().__init__(game)
        self.setup: Setup = setup
        self.valuer: SeatValuer = SeatValuer(setup, weights)
        self.trial: Trial | None = None
        self.sights: list[list[float]] = []
        seats = setup.seats
        width = setup.owned
        self.width: int = width
        self.all: int = setup.first_goal if setup.goals else len(setup.kinds)
        goals = len(setup.goals)
        self.goals: int = goals
        self.prompts: dict[str, int] = {name: i for i, name in enumerate(PROMPTS)}
        self.head_at: int = len(PROMPTS)
        self.seats_at: int = self.head_at + HEAD
        self.each: int = width + self.all + FEATURES + 1 + 2 * setup.size
        self.lineup_at: int = self.seats_at + seats * self.each
        self.left_at: int = self.lineup_at + setup.size * width
        self.goal_at: int = self.left_at + 2 * width
        self.known = self.goal_at + goals
        self.size = self.known + (seats - 1) * goals
        self.outputs = width + seats + len(setup.kinds)
        self.updates = 2400

    def scales(self) -> list[float]:
        found = [1.0] * self.size
        for i in range(HEAD):
            found[self.head_at + i] = 0.02
        for near in range(self.setup.seats):
            at = self.seats_at + near * self.each + self.width + self.all
            for i in range(FEATURES + 1 + self.setup.size):
                found[at + i] = 0.02
        return found

    def write_row(self, s: State, seat: Seat, out: bytearray, at: int) -> None:
        assert isinstance(s, FactionState)
        setup = self.setup
        seats = setup.seats
        width = self.width
        size = setup.size
        valuer = self.valuer
        valuer.seat = seat
        trial = Trial(setup, valuer, s)
        self.trial = trial
        prompt = self.prompts[s.stack[-1].prompt]
        out[at + prompt] = 1
        head = at + self.head_at
        out[head] = byte(4.0 * trial.rounds)
        out[head + 1] = byte(20.0 * s.depleted)
        if s.last >= 0:
            out[head + 2] = 50
        out[head + 3] = byte(2.0 * len(s.deck))
        cards: list[int] = []
        if prompt == 0:
            cards = [card & KIND for card in s.lineup]
            self.sights = first_sight(trial, cards, HEAT)
        place = 0
        gone = s.gone()
        for card in s.lineup:
            while place in gone:
                place += 1
            out[at + self.lineup_at + place * width + (card & KIND)] = 1
            place += 1
        owned = s.owned_by_all()
        features = valuer.features(owned, trial.rounds, trial.draws, trial.goals, trial.shown)
        chances = logit(trial.before, trial.spread)
        free = valuer.number[:]
        for near in range(seats):
            other = (seat + near) % seats
            row = at + self.seats_at + near * self.each
            self.put_army(s, other, owned, free, out, row)
            row += width + self.all
            for i in range(FEATURES):
                out[row + i] = byte(BASES[i] + TIMES[i] * features[other * FEATURES + i])
            row += FEATURES
            out[row] = byte(100.0 * chances[other])
            row += 1
            if prompt == 0:
                for i in range(len(cards)):
                    out[row + i] = byte(100.0 * self.sights[other][i])
            elif s.picks[other] >= 0:
                out[row + size + s.picks[other]] = 1
        self.put_rest(s, seat, free, out, at)

    def put_army(
        self, s: FactionState, seat: Seat, owned: list[int], free: list[int], out: bytearray, row: int
    ) -> None:
        """What a seat owns, which is no longer free, and what of it lies open."""
        width = self.width
        first = seat * width
        for kind in range(width):
            count = owned[first + kind]
            if count:
                out[row + kind] = count
                free[kind] -= count
        row += width
        for card in s.pile[seat]:
            out[row + (card & KIND)] += 1

    def put_rest(self, s: FactionState, seat: Seat, free: list[int], out: bytearray, at: int) -> None:
        """The cards that are nobody's, and the goals that are known."""
        width = self.width
        left = at + self.left_at
        for kind in range(width):
            if free[kind] > 0:
                out[left + kind] = free[kind]
        for card in s.discard:
            if card & KIND < width:
                out[left + width + (card & KIND)] += 1
        if self.goals:
            seats = self.setup.seats
            goals = at + self.goal_at
            for near in range(seats):
                held = s.goal[(seat + near) % seats]
                if held and held[0] & KIND != HIDDEN:
                    out[goals + near * self.goals + (held[0] & KIND) - self.setup.first_goal] = 1

    def answers(self, s: State) -> list[int]:
        assert isinstance(s, FactionState)
        if s.stack[-1].prompt == "select":
            return [s.lineup[action] & KIND for action in s.actions]
        found: list[int] = []
        seats = self.setup.seats
        for action in s.actions:
            if action >= CARD:
                found.append(self.width + seats + action - CARD)
            else:
                found.append(self.width + (action - TO - s.turn) % seats)
        return found

    def priors(self, s: State) -> list[float]:
        assert isinstance(s, FactionState)
        if s.stack[-1].prompt == "select":
            sight = self.sights[s.turn]
            return [log(max(0.0001, sight[action])) for action in s.actions]
        assert self.trial is not None
        likely = self.trial.act(s)
        return [INCLINED if action == likely else 0.0 for action in s.actions]


class NetValuer(Valuer):
    """Asks a network for the chances of two seats between two rounds. `judge` is what it says of a row, from
    -1, lost, to 1."""

    def __init__(
        self, setup: Setup, weights: list[float], encoder: FactionNetworkInput, judge: Callable[[bytearray], float]
    ):
        super().__init__(setup, weights)
        self.encoder: FactionNetworkInput = encoder
        self.judge: Callable[[bytearray], float] = judge

    def chances(self, s: FactionState) -> list[float]:
        if not s.stack:
            return super().chances(s)
        room = bytearray(self.encoder.size)
        self.encoder.write_row(s, 0, room, 0)
        value = 0.5 + 0.5 * self.judge(room)
        return [value, 1.0 - value]


def byte(x: float) -> int:
    """A number as a byte."""
    return max(0, min(255, int(x + 0.5)))
