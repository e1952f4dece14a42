"""The heuristic of Generals: a look ahead through the turn, and fitted weights where a Main Phase begins."""

from __future__ import annotations

from typing import Final

from gonfalon.bots.players.choice import Belief, Choice
from gonfalon.bots.players.heuristic import Heuristic
from gonfalon.bots.players.reasons import Reason, is_alike, tell
from gonfalon.bots.search.trials import believed
from gonfalon.core.basics.cards import KIND
from gonfalon.core.basics.rng import Rng
from gonfalon.core.knowledge.worlds import worlds
from gonfalon.core.rules.game import Game
from gonfalon.core.rules.state import Action, State
from gonfalon.games.generals.bots.inference import CASES, compute_case_chances
from gonfalon.games.generals.bots.look_ahead import Line, LookAhead, asks_main, best_of, choose_card_to_spend
from gonfalon.games.generals.bots.position_value import FITTED, compute_log_odds, compute_probability
from gonfalon.games.generals.bots.reasons import Adviser
from gonfalon.games.generals.face import messages
from gonfalon.games.generals.rules.acts.questions import DiscardOwn, Pay
from gonfalon.games.generals.rules.state import GeneralsState
from gonfalon.games.generals.ruleset import GeneralsRules

HORIZON: Final = 3
"""Turns after which a world is judged, the current one included."""
MAX_DEPTH: Final = 3
"""The number of actions that are looked ahead in the present Main Phase; later Main Phases look one action ahead."""
STEEPNESS: Final = 8.0
"""The log-odds of choosing an action, by log-odds of winning."""
PREFERENCE: Final = 2.0
"""The log-odds of the card that pays best."""
SEED: Final = 1
"""The seed of the one world in which actions are scored, so that scores follow from the view."""


class GeneralsHeuristic(Heuristic):
    """Scores actions by the position after them. The facet is the number of Counters in the other hand."""

    def __init__(self, game: Game) -> None:
        super().__init__(game)
        self.until: int = 0
        self.me: int = 0
        self.counters: list[int] = []
        self.world: State | None = None
        self.rest: list[list[Action]] = [[], []]

    def prepare(self, view: State) -> None:
        assert isinstance(view, GeneralsState)
        self.me = view.viewer
        self.until = view.number + HORIZON
        self.counters = view.setup.counters[1 - self.me]
        self.world = None

    def is_minor(self, view: State) -> bool:
        return isinstance(view.stack[-1], (Pay, DiscardOwn))

    # ---- worlds ---------------------------------------------------------------------------------

    def facets(self) -> int:
        return len(CASES) if self.counters else 1

    def facet(self, world: State) -> int:
        assert isinstance(world, GeneralsState)
        held = 0
        for card in world.hand[1 - self.me]:
            if card & KIND in self.counters:
                held += 1
        return min(2, held)

    def chances(self, view: State) -> list[float]:
        assert isinstance(view, GeneralsState)
        return compute_case_chances(view, 1 - self.me)

    def beliefs(self, view: State) -> tuple[Belief, ...]:
        return believed(self, self.chances(view)) if self.counters else ()

    def about(self) -> str:
        return "Counters in their hand"

    def case(self, facet: int) -> str:
        return CASES[facet]

    # ---- actions --------------------------------------------------------------------------------

    def scores(self, s: State) -> list[float]:
        assert isinstance(s, GeneralsState)
        return self.scores_to(s, self.depth(s))

    def scores_to(self, s: GeneralsState, depth: int) -> list[float]:
        """Return the log-odds of winning after the best line of each action, multiplied by `STEEPNESS`."""
        if self.is_minor(s):
            likely = choose_card_to_spend(s, s.turn, s.actions)
            return [PREFERENCE if action == likely else 0.0 for action in s.actions]
        lines = self.lines(s, depth)
        top = max([line.value for line in lines])
        return [STEEPNESS * (line.value - top) for line in lines]

    def lines(self, s: GeneralsState, depth: int) -> list[Line]:
        """Return the best line of each action, in one world that the deciding seat considers possible."""
        return LookAhead(Rng(SEED)).best_lines(self.sample_world(s if s.viewer == s.turn else s.mask(s.turn)), depth)

    def sample_world(self, view: State) -> GeneralsState:
        """Return always the same world of a view, so that scores and reasons follow from the view alone."""
        world = worlds(view).sample(Rng(SEED))
        assert isinstance(world, GeneralsState)
        return world

    def depth(self, s: GeneralsState) -> int:
        """Return the number of actions to look ahead."""
        return MAX_DEPTH if s.number + HORIZON == self.until and s.turn == self.me else 1

    def playout_action(self, s: State, rng: Rng) -> Action:
        """Return the next action of the best line in this world."""
        assert isinstance(s, GeneralsState)
        seat = s.turn
        if self.is_minor(s):
            return choose_card_to_spend(s, seat, s.actions)
        # A playout keeps its world, so the rest of the last line is still the plan while its next action is legal.
        if self.world is not s:
            self.world = s
            self.rest = [[], []]
        rest = self.rest[seat]
        if not rest or rest[0] not in s.actions:
            rest = best_of(LookAhead(rng).best_lines(s, self.depth(s))).actions
        self.rest[seat] = rest[1:]
        return rest[0]

    # ---- positions ------------------------------------------------------------------------------

    def is_leaf(self, s: State) -> bool:
        if not s.stack:
            return True
        assert isinstance(s, GeneralsState)
        # Positions are comparable only where a Main Phase begins: the fitted weights are for these.
        return s.number >= self.until and asks_main(s)

    def win_chances(self, s: State) -> list[float]:
        assert isinstance(s, GeneralsState)
        chance = compute_probability(compute_log_odds(s, 0, False, FITTED))
        return [chance, 1.0 - chance]

    # ---- words ----------------------------------------------------------------------------------

    def reasons(self, view: State, choice: Choice) -> list[Reason]:
        assert isinstance(self.game, GeneralsRules)
        assert isinstance(view, GeneralsState)
        rivals, world = [one.action for one in choice.alternatives[:1] if one.value], self.sample_world(view)
        line, *others = [LookAhead(Rng(SEED)).best_line(world, action) for action in (choice.action, *rivals)]
        adviser = Adviser(self.game, view, line, others[0] if others else None)
        found = adviser.list_reasons()
        if choice.value is None or not rivals or not is_alike(choice, rivals[0]):
            return found
        after, names = [line.end, others[0].end], [self.named(view, action) for action in (choice.action, *rivals)]
        asked = [s.actions if asks_main(view) and asks_main(s) and s.turn == view.viewer else [] for s in after]
        is_open = choice.action in asked[1]
        if found and not is_open:
            return found
        # The order of acts matters where one changes the hand that the other needs.
        is_free = is_open and rivals[0] in asked[0] and len({len(s.hand[view.viewer]) for s in (view, *after)}) == 1
        pattern = messages.WHY_ORDER if is_free else messages.WHY_ALIKE
        is_decided = abs(choice.value.value - 0.5) > 0.47 and view.active == view.viewer
        found = found or (adviser.list_outlook() if is_decided else [])
        # The first of two reasons may lead to the other.
        more = found[:1] if found and found[-1].sentence.startswith(messages.THEN) else found[-1:]
        return [tell(pattern, action=names[0], other=names[1]), *more]
