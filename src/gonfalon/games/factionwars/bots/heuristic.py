"""The heuristic of Faction Wars: picks by the worth of cards and the chance to get them, rounds as the horizon."""

from __future__ import annotations

from math import log
from typing import Final

from gonfalon.bots.players.choice import Belief, Choice
from gonfalon.bots.players.heuristic import Heuristic
from gonfalon.bots.players.reasons import Reason
from gonfalon.bots.search.search import softmax
from gonfalon.bots.search.weighted_choice import drawn
from gonfalon.core.basics.cards import KIND
from gonfalon.core.basics.rng import Rng
from gonfalon.core.rules.game import Game
from gonfalon.core.rules.state import Action, Seat, State
from gonfalon.games.factionwars.bots.card_worth import Appraisal, Outlook, foresee_picks, weigh_by_chance
from gonfalon.games.factionwars.bots.inference import Guess
from gonfalon.games.factionwars.bots.position_value import WEIGHTS, Valuer
from gonfalon.games.factionwars.bots.reasons import list_reasons
from gonfalon.games.factionwars.face import thoughts
from gonfalon.games.factionwars.face.words import FactionWords
from gonfalon.games.factionwars.rules.actions import CARD, TAKE, TO
from gonfalon.games.factionwars.rules.state import FactionState

TEMPERATURE: Final = 0.1
"""The temperature of picks, in spreads of the final points, with which the picks of all levels are likeliest."""


class FactionHeuristic(Heuristic):
    """Estimates cards by the position that `prepare` is given: armies are public, and equal in all worlds."""

    def __init__(self, game: Game) -> None:
        super().__init__(game)
        assert isinstance(game, FactionWords)
        self.table: FactionWords = game
        self.valuer: Valuer = Valuer(game.setup, WEIGHTS[game.seats])
        self.view: FactionState | None = None
        self.round: int = 0
        self.guesses: list[Guess] = []
        self.races: dict[int, Race] = {}

    def prepare(self, view: State) -> None:
        assert isinstance(view, FactionState)
        self.view = view
        self.round = view.round
        self.guesses = []
        self.races = {}

    # ---- worlds ---------------------------------------------------------------------------------

    def find_guess(self) -> Guess:
        """Return the likelihoods of the others' goals in the prepared view."""
        if not self.guesses:
            assert self.view is not None
            self.guesses = [Guess(self.table, self.view)]
        return self.guesses[0]

    def likelihood(self, world: State) -> float:
        assert isinstance(world, FactionState)
        return self.find_guess().weigh_world(world)

    def beliefs(self, view: State) -> tuple[Belief, ...]:
        assert isinstance(view, FactionState)
        return tuple(self.find_guess().list_beliefs(view))

    # ---- playing on -----------------------------------------------------------------------------

    def is_leaf(self, s: State) -> bool:
        if not s.stack:
            return True
        assert isinstance(s, FactionState)
        return s.round != self.round and s.stack[-1].prompt == "select"

    def win_chances(self, s: State) -> list[float]:
        assert isinstance(s, FactionState)
        return self.valuer.estimate_chances(s)

    def scores(self, s: State) -> list[float]:
        assert isinstance(s, FactionState)
        seat = s.turn
        race = self.find_race(s, seat)
        if s.stack[-1].prompt == "select":
            assert self.view is not None
            if seat != self.view.viewer:  # nobody knows how far other players think
                return [log(race.picks[seat][action - TAKE]) for action in s.actions]
            return [race.hopes[action - TAKE] / race.temperature for action in s.actions]
        return [points / race.temperature for points in self.estimate_points(s, seat, race.look)]

    def estimate_points(self, s: FactionState, seat: Seat, look: Appraisal) -> list[float]:
        """Return the worth to a seat, in points, of each answer to the question of an ability."""
        prompt = s.stack[-1].prompt
        key = s.stack[-1].key()
        found: list[float] = []
        for action in s.actions:
            if action < CARD:
                other = action - TO
                if prompt == "bystander":
                    found.append(look.estimate_harm(seat, other))
                elif prompt == "victim" and key[1]:
                    found.append(look.estimate_removal(seat, other))
                else:
                    found.append(look.estimate_theft(seat, other))
            elif prompt == "gift":
                kind, partner = action - CARD, key[1]
                found.append(
                    -look.estimate_gain(seat, kind)
                    - look.estimate_rival_loss(seat, partner) * look.estimate_gain(partner, kind)
                )
            elif prompt == "desert":
                found.append(-look.estimate_gain(seat, action - CARD))
            else:
                found.append(look.worth(seat, action - CARD))
        return found

    def find_race(self, s: FactionState, seat: Seat) -> Race:
        """Return the race for the line-up from the knowledge of a seat of a world, which includes its own goal."""
        assert self.view is not None
        goal = self.valuer.find_goals(s)[seat]
        # A race depends on the seat and its goal alone. No goal is -1, which gives keys below zero.
        number = goal * self.seats + seat
        found = self.races.get(number)
        if found is None:
            found = Race(Outlook(self.valuer, self.view, seat, goal), self.view)
            self.races[number] = found
        return found

    def playout_action(self, s: State, rng: Rng) -> Action:
        assert isinstance(s, FactionState)
        scores = self.scores(s)
        if s.stack[-1].prompt == "select":
            return s.actions[drawn(softmax(scores, len(scores)), rng)]
        return s.actions[scores.index(max(scores))]

    # ---- words ----------------------------------------------------------------------------------

    def reasons(self, view: State, choice: Choice) -> list[Reason]:
        assert isinstance(view, FactionState)
        return list_reasons(self.table, view, choice)

    def named(self, view: State, action: Action) -> str:
        assert isinstance(view, FactionState)
        return thoughts.name_action(self.table, view, action)


class Race:
    """A line-up that all pick from, as one seat sees it."""

    def __init__(self, outlook: Outlook, view: FactionState) -> None:
        self.seat: Seat = outlook.seat
        self.look: Appraisal = Appraisal(outlook, view)
        self.temperature: float = TEMPERATURE * outlook.spread
        self.odds: list[list[float]] = outlook.estimate_odds()
        self.worths: list[list[float]] = []
        self.picks: list[list[float]] = []
        self.hopes: list[float] = []
        if view.stack[-1].prompt == "select":
            cards = [card & KIND for card in view.lineup]
            self.worths = [[self.look.worth(other, kind) for kind in cards] for other in range(view.seats)]
            steps = foresee_picks(self.worths, self.odds, self.temperature)
            for other in range(view.seats):
                sums = [sum([step[other][place] for step in steps]) for place in range(len(cards))]
                self.picks.append([total / len(steps) for total in sums])
            self.hopes = weigh_by_chance(self.seat, self.worths[self.seat], self.picks, self.odds)
