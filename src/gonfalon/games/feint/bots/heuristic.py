"""Steers a search through the worlds of Feint: to the end of a round, with quick players for both
seats. A quick player weighs the round as `rollout_policy.py` says, with the numbers of its JSON file."""

from __future__ import annotations

from math import exp
from typing import Final

from gonfalon.bots.players.choice import Basis, Choice
from gonfalon.bots.players.heuristic import Heuristic
from gonfalon.bots.players.reasons import described, percent
from gonfalon.core.basics.cards import KIND, SEEN
from gonfalon.core.basics.rng import Rng
from gonfalon.core.rules.game import Game
from gonfalon.core.rules.state import Action, Seat, State
from gonfalon.games.feint.bots.inference import suspicion
from gonfalon.games.feint.bots.rollout_policy import CARDS, RolloutPolicy, sigmoid
from gonfalon.games.feint.bots.round_summary import DOWN_STRENGTH
from gonfalon.games.feint.face import thoughts
from gonfalon.games.feint.rules.actions import CARD, DONE, OWN, PASS, PLACE, SPOT, SPOTS
from gonfalon.games.feint.rules.state import DOWN, OPPONENT, FeintState

SMALL: Final = ("reinforce", "medic", "support", "order")
ALIKE: Final = 0.015  # chances of a round that differ less are alike
DOUBT: Final = 0.02  # so that no feint can rule the truth out


class FeintHeuristic(Heuristic):
    """The facet is the other seat's Location Card. `sharp` says how much of what the other lays is believed
    to betray it: 1 as much as games have shown, 0 nothing."""

    def __init__(
        self,
        game: Game,
        passing: dict[str, float],
        playing: dict[str, float],
        ability: dict[str, float],
        sharp: float,
    ) -> None:
        super().__init__(game)
        self.sharp: float = sharp
        state = game.start()
        assert isinstance(state, FeintState)
        self.rollout: RolloutPolicy = RolloutPolicy(state.setup, passing, playing, ability)
        self.numbers: list[int] = state.setup.numbers
        self.places: int = len(self.numbers)
        self.me: Seat = 0
        self.foe: Seat = 1
        self.round: int = 0
        self.betrayed: list[float] = [1.0] * self.places  # by what games have shown
        self.suspected: list[float] = [1.0] * self.places  # as far as it is believed
        self.cases: int = self.places

    def is_minor(self, view: State) -> bool:
        return view.stack[-1].prompt in SMALL

    def prepare(self, view: State) -> None:
        assert isinstance(view, FeintState)
        self.me = view.viewer
        self.foe = OPPONENT[view.viewer]
        self.round = view.round
        self.cases = self.places if view.scout[self.foe] else 1  # none is drawn at the Reinforcement
        odds = suspicion(view)
        top = max(odds)
        self.betrayed = [DOUBT + (1.0 - DOUBT) * exp(one - top) for one in odds]
        self.suspected = [one**self.sharp for one in self.betrayed]

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
        # Told is all that games have shown, however little of it a level goes by: any less comes true too often.
        return [count * betrayed for count, betrayed in zip(left, self.betrayed, strict=True)]

    def about(self) -> str:
        return thoughts.LOCATION_CARD

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
        value = sigmoid(self.rollout.odds(left, lead, s.morale[0], s.morale[1]) + CARDS * cards / max(1, left))
        return [value, 1.0 - value]

    # ---- quick players --------------------------------------------------------------------------

    def scores(self, s: State) -> list[float]:
        assert isinstance(s, FeintState)
        prompt = s.stack[-1].prompt
        if prompt != "deploy" and prompt != "play-one" and prompt != "conjure":
            return []
        rollout = self.rollout
        rollout.look(s, s.turn)
        return rollout.scores(s)

    def playout_action(self, s: State, rng: Rng) -> Action:
        assert isinstance(s, FeintState)
        scores = self.scores(s)
        if not scores:
            return self.simple(s)
        top = scores[0]
        for score in scores:
            if score > top:
                top = score
        total = 0.0
        shares: list[float] = []
        for score in scores:
            share = exp(max(-30.0, score - top))
            shares.append(share)
            total += share
        mark = total * rng.random()
        actions = s.actions
        for i in range(len(shares)):
            mark -= shares[i]
            if mark < 0.0:
                return actions[i]
        return actions[len(actions) - 1]

    def simple(self, s: FeintState) -> Action:
        """The small questions."""
        actions = s.actions
        prompt = s.stack[-1].prompt
        if prompt == "order":
            return OWN
        if prompt == "reinforce" or prompt == "support":
            return DONE
        if prompt == "medic":
            return actions[len(actions) - 1]
        seat = s.turn
        rollout = self.rollout
        rollout.survey(s, seat)
        best = -1e9
        found = actions[0]
        for action in actions:
            if action >= CARD:
                return found
            if action >= SPOT:
                place, index = divmod(action - SPOT, SPOTS)
                owner = OPPONENT[seat] if prompt == "bomb" else seat
                card = s.board[owner * self.places + place][index]
                hidden = card & DOWN and not card & SEEN[seat]
                strength = DOWN_STRENGTH if hidden else float(s.kinds[card & KIND].strength)
                value = rollout.spots[place].use * strength
                if owner == seat:
                    value = 2.0 * s.kinds[card & KIND].morale - value
            else:
                value = rollout.spots[action - PLACE].use
                if prompt == "storm" or s.setup.moves_played:  # the other seat's card goes there
                    value = -value
            if value > best:
                best = value
                found = action
        return found

    def public(self, s: State, seat: Seat, action: Action, viewer: Seat) -> Action:
        assert isinstance(s, FeintState)
        return s.public(seat, action, viewer)

    def publics(self, s: State, seat: Seat, viewer: Seat) -> list[Action]:
        # Nearly all is played openly: then the list of the state itself serves.
        assert isinstance(s, FeintState)
        actions = s.actions
        if viewer == seat:
            return actions
        for i, action in enumerate(actions):
            if s.public(seat, action, viewer) != action:
                return actions[:i] + [s.public(seat, other, viewer) for other in actions[i:]]
        return actions

    # ---- words ----------------------------------------------------------------------------------

    def notes(self, s: State, before: State) -> list[float]:
        """1 when the searching seat has won the round."""
        assert isinstance(s, FeintState)
        return [float(s.won[len(s.won) - 1] == self.me) if s.won else 0.0]

    def facts(self, noted: list[float], else_noted: list[float]) -> list[tuple[str, float]]:
        return [("round", noted[0]), ("else", else_noted[0])]

    def because(self, view: State, choice: Choice) -> str:
        reason = choice.reason
        if reason is None or reason.basis != Basis.BETTER or reason.other is None:
            return super().because(view, choice)
        value, other = choice.value, choice.chance(reason.other)
        one, two = self.named(view, choice.action), self.named(view, reason.other)
        mine, theirs = reason.fact("round"), reason.fact("else")
        if mine >= theirs + ALIKE:
            return thoughts.wins_more(one, two, percent(mine), percent(theirs))
        if value is None or other is None:
            return thoughts.wins_more(one, two, percent(mine), "")
        chances = (percent(value.value), percent(other.value))
        if chances[0] == chances[1]:
            return thoughts.level(one, two, chances[0])
        return thoughts.leaves_more(one, two, percent(mine), percent(theirs) if mine <= theirs - ALIKE else "", chances)

    def named(self, view: State, action: Action) -> str:
        assert isinstance(view, FeintState)
        if self.is_minor(view):
            return described(self.game, view, action)
        if action == PASS:
            return "passing"
        if action >= CARD:
            return thoughts.card_at(view, action)
        return described(self.game, view, action)
