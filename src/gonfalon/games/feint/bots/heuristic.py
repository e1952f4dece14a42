"""The heuristic of Feint: scores of actions, the chance to win at the end of a round, and the hidden Location."""

from __future__ import annotations

import json
from functools import cache
from math import exp
from pathlib import Path
from typing import Final

from gonfalon.bots.players.choice import Belief, Choice
from gonfalon.bots.players.heuristic import Heuristic
from gonfalon.bots.players.reasons import Reason
from gonfalon.bots.search.trials import believed
from gonfalon.core.basics.cards import KIND, SEEN
from gonfalon.core.rules.game import Game
from gonfalon.core.rules.state import Action, Seat, State
from gonfalon.games.feint.bots.inference import estimate_location_odds
from gonfalon.games.feint.bots.linear_policy import LinearPolicy
from gonfalon.games.feint.bots.reasons import list_reasons
from gonfalon.games.feint.bots.round_outlook import DOWN_STRENGTH, sigmoid
from gonfalon.games.feint.face import messages
from gonfalon.games.feint.rules.actions import CARD, DONE, LOWER, OWN, PLACE, SLOTS, SPOT, SPOTS
from gonfalon.games.feint.rules.state import DOWN, OPPONENT, FeintState

WEIGHTS: Final = Path(__file__).with_name("linear_policy.json")
PLAYS: Final = ("deploy", "play-one", "conjure")
SMALL: Final = ("reinforce", "medic", "support", "order")
DOUBT: Final = 0.02  # least relative likelihood of a Location, so that no bluff excludes the true one
CARDS: Final = 0.19  # log-odds of the game for each card ahead, divided by the rounds to come
RATING: Final = 0.2  # log-odds of the round for each point of rating, about
WON: Final = 0.97  # chance from which a round counts as won
KEEP: Final = -0.3  # Strength that a card to keep may be worth less than the average of the deck
NEED: Final = 4.5  # cards that each round to come needs
HEAL: Final = 2.0  # Strength that a card to draw again may be worth less than the average


class FeintHeuristic(Heuristic):
    """Scores plays by a learned policy and all other questions by the worth of cards in Strength.

    The facet is the other seat's Location Card.
    """

    def __init__(self, game: Game) -> None:
        super().__init__(game)
        state = game.start()
        assert isinstance(state, FeintState)
        self.policy: LinearPolicy = LinearPolicy(state.setup, read_weights())
        self.numbers: list[int] = state.setup.numbers
        self.places: int = len(self.numbers)
        self.worth: list[float] = [kind.strength - 0.5 * kind.morale + kind.worth for kind in state.kinds]
        """The worth of having a card of each kind in hand, in Strength."""
        self.means: list[float] = [sum([self.worth[kind] for kind in deck]) / len(deck) for deck in state.setup.decks]
        self.me: Seat = 0
        self.foe: Seat = 1
        self.round: int = 0
        self.suspected: list[float] = [1.0] * self.places
        self.cases: int = self.places

    def is_minor(self, view: State) -> bool:
        return view.stack[-1].prompt in SMALL

    def allows_noise(self, view: State) -> bool:
        assert isinstance(view, FeintState)
        if view.stack[-1].prompt not in PLAYS:
            return super().allows_noise(view)
        # After the other seat has passed, more cards in a round that is won are only lost.
        self.policy.look(view, view.viewer)
        return self.policy.foe_acts or self.policy.p_still < WON

    def prepare(self, view: State) -> None:
        assert isinstance(view, FeintState)
        self.me = view.viewer
        self.foe = OPPONENT[view.viewer]
        self.round = view.round
        self.cases = self.places if view.scout[self.foe] else 1  # there is no Location Card during the Reinforcement
        odds = estimate_location_odds(view)
        top = max(odds)
        # Relative to the likeliest place, so that exp() cannot overflow.
        self.suspected = [DOUBT + (1.0 - DOUBT) * exp(one - top) for one in odds]

    # ---- worlds ---------------------------------------------------------------------------------

    def facets(self) -> int:
        return self.cases

    def facet(self, world: State) -> int:
        assert isinstance(world, FeintState)
        card = world.scout[self.foe]
        return card[0] & KIND if card else 0

    def likelihood(self, world: State) -> float:
        assert isinstance(world, FeintState)
        card = world.scout[self.foe]
        return self.suspected[card[0] & KIND] if card else 1.0

    def chances(self, view: State) -> list[float]:
        assert isinstance(view, FeintState)
        left = [0] * self.places
        card = view.scout[self.foe][0]
        if card & SEEN[self.me]:
            left[card & KIND] = 1
            return [float(count) for count in left]
        for kind in view.setup.location_deck:
            left[kind] += 1
        for zone in (view.pile[self.foe], view.used[self.foe]):
            for card in zone:
                if card & SEEN[self.me]:
                    left[card & KIND] -= 1
        return [count * suspected for count, suspected in zip(left, self.suspected, strict=True)]

    def beliefs(self, view: State) -> tuple[Belief, ...]:
        return believed(self, self.chances(view)) if self.cases > 1 else ()

    def about(self) -> str:
        return messages.THEIR_LOCATION_CARD

    def case(self, facet: int) -> str:
        return str(self.numbers[facet])

    # ---- the horizon ----------------------------------------------------------------------------

    def is_leaf(self, s: State) -> bool:
        assert isinstance(s, FeintState)
        return s.round != self.round or not s.stack

    def win_chances(self, s: State) -> list[float]:
        assert isinstance(s, FeintState)
        if s.winner >= 0:
            return [1.0, 0.0] if s.winner == 0 else [0.0, 1.0]
        left = s.end - s.round
        lead = s.won.count(0) - s.won.count(1)
        cards = len(s.hand[0]) + len(s.deck[0]) - len(s.hand[1]) - len(s.deck[1])
        odds = self.policy.game_odds(left, lead, s.morale[0], s.morale[1]) + CARDS * cards / max(1, left)
        value = sigmoid(odds)
        return [value, 1.0 - value]

    # ---- scores ---------------------------------------------------------------------------------

    def scores(self, s: State) -> list[float]:
        assert isinstance(s, FeintState)
        prompt = s.stack[-1].prompt
        if prompt == "order":
            return [1.0 if action == OWN else 0.0 for action in s.actions]
        if prompt == "reinforce":
            return self.score_discards(s)
        if prompt == "medic" or prompt == "support":
            return [self.score_card(s, prompt, action) for action in s.actions]
        self.policy.look(s, s.turn)
        if prompt in PLAYS:
            return self.policy.scores(s)
        return [RATING * self.rate_target(s, prompt, action) for action in s.actions]

    def score_discards(self, s: FeintState) -> list[float]:
        """Discard cards that are worth less than the next ones, as long as the draw pile lasts."""
        seat = s.turn
        hand = sorted([self.worth[card & KIND] for card in s.hand[seat]])
        spare = len(s.deck[seat]) - (s.setup.hand - len(hand)) - int(NEED * (s.end - 1 - s.round))
        least = self.means[seat] + KEEP
        # With fewer spare cards than the hand has, only the worst ones may go.
        if spare < len(hand):
            least = min(least, hand[max(0, spare)])
        worths = [least if action == DONE else self.worth[(action - CARD) // SLOTS] for action in s.actions]
        # Discards are chosen in the order of their numbers, so all of them score alike.
        return [1.0 if worth < least else least - worth for worth in worths]

    def score_card(self, s: FeintState, prompt: str, action: Action) -> float:
        """Score a card to draw again, or one to put under the draw pile."""
        seat = s.turn
        if action == DONE:
            return 0.0
        kind = s.deck[seat][-1] & KIND if action == LOWER else (action - CARD) // SLOTS
        better = self.worth[kind] - self.means[seat]
        return better + HEAL if prompt == "medic" else KEEP - better

    def rate_target(self, s: FeintState, prompt: str, action: Action) -> float:
        """Return the rating gained by choosing a card in play or a Location. `policy.look` must be up to date."""
        seat = s.turn
        places = self.policy.places
        if action < SPOT:
            use = places[action - PLACE].use
            return -use if prompt == "storm" or s.setup.moves_played else use  # the card is the opponent's, or ours
        place, index = divmod(action - SPOT, SPOTS)
        owner = OPPONENT[seat] if prompt == "bomb" else seat
        card = s.board[owner * self.places + place][index]
        if owner == seat:
            kind = s.kinds[card & KIND]
            return 2.0 * kind.morale - places[place].use * kind.strength
        hidden = card & DOWN and not card & SEEN[seat]
        return places[place].use * (DOWN_STRENGTH if hidden else float(s.kinds[card & KIND].strength))

    # ---- public actions ---------------------------------------------------------------------------

    def public(self, s: State, seat: Seat, action: Action, viewer: Seat) -> Action:
        assert isinstance(s, FeintState)
        return s.public(seat, action, viewer)

    def publics(self, s: State, seat: Seat, viewer: Seat) -> list[Action]:
        # Nearly all plays are open, so the list of the state is returned without a copy.
        assert isinstance(s, FeintState)
        actions = s.actions
        if viewer == seat:
            return actions
        for i, action in enumerate(actions):
            if s.public(seat, action, viewer) != action:
                return actions[:i] + [s.public(seat, other, viewer) for other in actions[i:]]
        return actions

    # ---- words ----------------------------------------------------------------------------------

    def reasons(self, view: State, choice: Choice) -> list[Reason]:
        assert isinstance(view, FeintState)
        return list_reasons(view, choice)


@cache
def read_weights() -> dict[str, dict[str, float]]:
    """Return the weights of the policy, by their group and name."""
    weights: dict[str, dict[str, float]] = json.loads(WEIGHTS.read_text(encoding="utf-8"))
    return weights
