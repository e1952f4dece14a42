"""The law against endless loops: no player can keep a game going forever.

Random play rarely repeats itself, so the law searches for loops that cost nothing: a card that returns itself to the
hand, two cards that undo each other, a deck that is searched and put back. A best-first search starts from a position
of a game and prefers decisions that leave most cards where they were, or bring them back. If all cards are in the same
zones as before and the same question is asked, the decisions in between are a round. A round breaks the law if it can
be repeated until the game exceeds its bound, or a thousand times when the time is over.
"""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Iterator
from heapq import heappop, heappush
from typing import Final, NamedTuple

from gonfalon.check.law import Law, LawBrokenError
from gonfalon.check.observe import list_zones
from gonfalon.check.play import Bench, Case
from gonfalon.core.basics.cards import KIND
from gonfalon.core.basics.rng import Rng
from gonfalon.core.rules.game import Game
from gonfalon.core.rules.state import CHANCE, SEED, Action, Seat, State

MAX_POSITIONS: Final = 400
"""Maximum number of positions searched from a start."""
MAX_BRANCHES: Final = 24
"""Maximum number of actions tried for one question."""
RETURN_BONUS: Final = 6
"""Bonus in the search, in decisions of depth, for each time that cards came back to where they were."""
AWAY_PENALTY: Final = 2
"""Penalty in the search, in decisions of depth, for each card that is in another zone than at the start."""
ENDLESS_REPETITIONS: Final = 1000
"""Number of repetitions that count as endless when the time is over."""
MAX_SHOWN_DECISIONS: Final = 12
"""Maximum number of decisions of a round in a message."""

SeatAction = tuple[Seat, Action]
Placement = tuple[tuple[tuple[str, Seat], ...], tuple[tuple[int, ...], ...]]


class Node(NamedTuple):
    """A position of the search, with the decision that led to it from its parent."""

    state: State
    parent: Node | None
    decided: SeatAction
    depth: int
    place: Placement
    returns: int
    """Number of times on the way that cards came back to where they had been."""

    def above(self) -> Iterator[Node]:
        """Yield the positions on the way to this one, the nearest first."""
        node = self.parent
        while node is not None:
            yield node
            node = node.parent

    def since(self, start: Node) -> list[SeatAction]:
        """Return the decisions between an earlier position and this one."""
        found = []
        node = self
        while node is not start:
            found.append(node.decided)
            assert node.parent is not None
            node = node.parent
        return found[::-1]


def build_placement(state: State) -> Placement:
    """Return the pending steps and the kinds in each zone, in any order."""
    steps = tuple((type(step).__name__, step.seat) for step in state.stack)
    return steps, tuple(tuple(sorted(card & KIND for card in zone)) for zone in list_zones(state))


def count_moved_cards(place: Placement, home: Placement) -> int:
    """Return the number of cards that are in another zone than at the start."""
    pairs = zip(place[1], home[1], strict=True)
    return sum((Counter(old) - Counter(now)).total() for now, old in pairs if now != old)


class LoopSearch:
    """A search for loops from one position.

    Args:
        game: The game.
        start: The position.
        made: The number of decisions before it.
        rng: Chooses the seed of all shuffles in the search.
        patience: CPU seconds for repeating one round.
    """

    def __init__(self, game: Game, start: State, made: int, rng: Rng, patience: float) -> None:
        self.game = game
        self.made = made
        self.patience = patience
        self.seed = -1 - rng.seed()
        root = start.clone()
        root.log = None  # a log would make all positions different, and slow
        self.root = Node(root, None, (CHANCE, 0), 0, build_placement(root), 0)
        self.seen = {self.key(root)}
        self.tried: set[tuple[Placement, tuple[SeatAction, ...]]] = set()
        self.looked = 0

    def key(self, state: State) -> str:
        """Return a key that equal positions share."""
        return repr(state.dump())

    def find_loop(self, nodes: int) -> list[SeatAction]:
        """Return the decisions from the start through all repetitions of a loop; empty if none was found.

        Args:
            nodes: The maximum number of positions to search.
        """
        queue: list[tuple[int, int, Node]] = [(0, 0, self.root)]
        while queue and self.looked < nodes:
            node = heappop(queue)[2]
            for decided in self.list_decisions(node.state):
                self.looked += 1
                state = node.state.clone()
                state.apply(*decided)
                if state.over:
                    continue
                key = self.key(state)
                place = build_placement(state)
                # A round may begin at any earlier position, not only at the root.
                back = [old for old in (node, *node.above()) if old.place == place]
                came = bool(back) and node.place[1] != place[1]
                found = Node(state, node, decided, node.depth + 1, place, node.returns + came)
                for old in back:
                    line = self.repeat_round(old, found)
                    if line:
                        return line
                if key not in self.seen:
                    self.seen.add(key)
                    merit = (
                        found.depth
                        + AWAY_PENALTY * count_moved_cards(place, self.root.place)
                        - RETURN_BONUS * found.returns
                    )
                    heappush(queue, (merit, self.looked, found))
        return []

    def list_decisions(self, state: State) -> list[SeatAction]:
        """Return the decisions that can be made now. Every shuffle has the same seed."""
        found: list[SeatAction] = []
        for decision in state.decisions():
            actions = decision.actions[:MAX_BRANCHES]
            found += [(decision.seat, self.seed if action == SEED else action) for action in actions]
        return found

    def repeat_round(self, start: Node, end: Node) -> list[SeatAction]:
        """Repeat a round until the game exceeds its bound or the time is over.

        Args:
            start: The position before the round.
            end: The position after it.

        Returns:
            All decisions from the start of the search; empty if the round cannot be repeated, or was tried before.
        """
        round_ = end.since(start)
        known = (start.place, tuple(round_))
        if known in self.tried:
            return []
        self.tried.add(known)
        state = end.state.clone()
        rounds = 1
        room = self.game.bound - self.made - end.depth
        deadline = time.process_time() + self.patience
        while room >= 0 and (rounds < ENDLESS_REPETITIONS or time.process_time() < deadline):
            for seat, action in round_:
                if state.over or not state.is_legal(seat, action):
                    return []
                state.apply(seat, action)
            rounds += 1
            room -= len(round_)
        return start.since(self.root) + round_ * rounds


def check_no_loops(bench: Bench, case: Case) -> int:
    """No player can repeat a round of decisions forever.

    Mistake:
        Two free actions undo each other, or a card returns itself to the hand.
    Cure:
        Charge a price, limit the action to once a turn, or remove it while nothing has changed.
    """
    rng = case.rng("circles")
    asking = [at for at, state in enumerate(case.states) if state.turn >= 0 and not state.over]
    looked = 0
    if asking:
        at = asking[int(rng.below(len(asking)))]
        hunt = LoopSearch(case.game, case.states[at], at, rng, bench.patience)
        line = hunt.find_loop(MAX_POSITIONS)
        looked += hunt.looked
        if line:
            raise LawBrokenError(describe_round(case.game, line), at, line)
    return looked


def describe_round(game: Game, line: list[SeatAction]) -> str:
    """Return the round as a clause, for a failure."""
    size = next(size for size in range(1, len(line) + 1) if line[-size:] == line[-2 * size : -size])
    texts = [f"seat {seat}: {game.notation(action)}" for seat, action in line[-size:]]
    more = [f"and {len(texts) - MAX_SHOWN_DECISIONS} more"] if len(texts) > MAX_SHOWN_DECISIONS else []
    return (
        f"the game need not end, because this can be repeated forever: {', '.join(texts[:MAX_SHOWN_DECISIONS] + more)}"
    )


LAWS = [Law("no player can repeat moves forever", "positions", check_no_loops)]
