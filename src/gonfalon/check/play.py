"""Games played at random, which the laws examine."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from typing import Any, Final, Protocol

from gonfalon.check.reference_rules import ReferenceRules
from gonfalon.core.basics.rng import Rng
from gonfalon.core.files.record import Record
from gonfalon.core.knowledge.worlds import worlds
from gonfalon.core.rules.game import Game
from gonfalon.core.rules.state import CHANCE, NO_ACTIONS, NO_ANSWERS, SEED, Action, AnyStep, Seat, State

MAX_CASES = 48
"""Number of cases in the cache, so that laws that see the same games play them only once."""
GLANCE_SHARE: Final = 0.1
"""Share of the patience for a law that examines positions of a case until its time is over."""


Sender = Callable[[Game, State, int], dict[str, str]]
"""Returns the texts that are sent to a viewer of a full state, by topic."""
Pages = Callable[[Game, list[tuple[Seat, Action]]], dict[str, str]]
"""Opens the pages of a table after these decisions. Returns an error for each page by its name, empty if it opens."""
Requests = Callable[[Game, State, Seat, list[Action]], tuple[int, str]]
"""Sends several actions of a seat at once to a table in this position. Returns the number accepted, and the refusal."""


class Case:
    """One game played at random from a seed."""

    def __init__(self, game: Game, seed: int) -> None:
        self.game = game
        self.seed = seed
        self.decisions: list[tuple[Seat, Action]] = []
        self.states: list[State] = []
        """Copies of the positions: `states[i]` is the one before decision i, the last one the end."""
        self.crash: Exception | None = None
        """The exception that the rules raised, if any. The case ends there."""
        self.endless = False
        """Whether the game had more decisions than its bound."""

    def rng(self, salt: str) -> Rng:
        """Return a generator of this case for one law, so that findings do not depend on the other laws checked."""
        # Python's hash of a string differs between processes, so the salt is mixed in by hand.
        mixed = self.seed
        for letter in salt:
            mixed = (mixed * 1_000_003 + ord(letter)) & 0xFFFFFFFFFFFFFFFF
        return Rng(mixed)

    def picks(self, rng: Rng, count: int) -> list[int]:
        """Return some positions, ascending and unique.

        Each kind of decision has the same chance, so that rare ones are examined as often as common ones.

        Args:
            rng: Chooses the positions.
            count: The maximum number of positions.
        """
        groups: dict[str, list[int]] = {}
        for at, state in enumerate(self.states):
            groups.setdefault(type(state.stack[-1]).__name__ if state.stack else "", []).append(at)
        kinds = list(groups.values())
        found: set[int] = set()
        for _ in range(count if kinds else 0):
            group = kinds[int(rng.below(len(kinds)))]
            found.add(group[int(rng.below(len(group)))])
        return sorted(found)

    def seeds(self) -> list[int]:
        """Return the seeds of all shuffles in the game."""
        return [-1 - action for seat, action in self.decisions if seat == CHANCE and action < SEED]


def choose_randomly(state: State, rng: Rng) -> tuple[Seat, Action]:
    """Return a random decision. If several seats decide at once, any of them may be first."""
    open_decisions = state.decisions()
    decision = open_decisions[int(rng.below(len(open_decisions)))]
    return decision.seat, decision.sample(rng)


def play_case(game: Game, seed: int, keep: bool = True) -> Case:
    """Play a game at random, with at most `bound` decisions.

    Args:
        game: The game.
        seed: The seed of all decisions.
        keep: Whether to keep a copy of every position.
    """
    case = Case(game, seed)
    rng = Rng(seed)
    try:
        state = game.start(log=True)
        while True:
            if keep:
                case.states.append(state.clone())
            if state.over:
                break
            if len(case.decisions) > game.bound:
                case.endless = True
                break
            seat, action = choose_randomly(state, rng)
            case.decisions.append((seat, action))
            state.apply(seat, action)
    except Exception as error:
        # The law of endings reports the exception, so the kit itself must not stop.
        case.crash = error
    return case


def play_to_end(state: State, rng: Rng, bound: int) -> int:
    """Play a state to its end at random, in place.

    Returns:
        The number of decisions, or -1 if there are more than `bound`.
    """
    for count in range(bound + 1):
        if state.over:
            return count
        state.apply(*choose_randomly(state, rng))
    return -1


def reset_shared_lists() -> bool:
    """Return whether rules changed the lists that all states share, and empty these lists for the games that follow."""
    # All states share these lists, so one write would spoil every later game.
    written = bool(NO_ACTIONS)
    NO_ACTIONS.clear()
    for seats, answers in enumerate(NO_ANSWERS):
        if len(answers) != seats or any(answer is not NO_ACTIONS for answer in answers):
            answers[:] = [NO_ACTIONS] * seats
            written = True
    return written


class Coverage:
    """The number of games, positions and decisions that the laws saw."""

    def __init__(self) -> None:
        self.games = 0
        self.configurations: set[int] = set()
        self.positions = 0
        self.decisions = 0
        self.cpu = 0.0
        """CPU seconds of the whole run."""
        self.missing = ""
        """A clause about laws that saw too few games to prove anything; empty if all saw enough."""

    def count(self, case: Case) -> None:
        """Add a case."""
        self.games += 1
        # The bench keeps its games alive, so no two of them share an id.
        self.configurations.add(id(case.game))
        self.positions += len(case.states)
        self.decisions += len(case.decisions)

    def line(self) -> str:
        """Return the numbers as a phrase."""
        return (
            f"{self.games:,} games of {len(self.configurations)} configurations, {self.positions:,} positions and "
            f"{self.decisions:,} decisions in {self.cpu:.0f} s of CPU time"
        )


class Worlds(Protocol):
    """A sampler of worlds of one view."""

    def sample(self, rng: Rng) -> State: ...


Sampler = Callable[[State], Worlds]


class Bench:
    """The things that laws share: games, cases, the clock, and the replaceable parts.

    Args:
        games: Full-size games.
        tiny: Games whose trees are small enough to enumerate.
        patience: CPU seconds that a look at one case may take.
        sampler: Deals worlds of a view.
        record: Makes an empty record.
        senders: Further functions that send text to a viewer.
        seen: Receives the numbers of games and positions.
        pages: Opens web pages.
        requests: Sends actions to a table.
        reference: Reference rules of the game.
    """

    def __init__(
        self,
        games: Sequence[Game],
        tiny: Sequence[Game],
        patience: float,
        sampler: Sampler = worlds,
        record: Callable[..., Record] = Record,
        senders: list[Sender] | None = None,
        seen: Coverage | None = None,
        pages: Pages | None = None,
        requests: Requests | None = None,
        reference: ReferenceRules[Any] | None = None,
    ) -> None:
        self.games = games
        self.tiny = tiny
        self.patience = patience
        self.sampler = sampler
        self.record = record
        self.senders = senders or []
        self.pages = pages
        self.requests = requests
        self.reference: ReferenceRules[Any] = reference or ReferenceRules()
        self.note = ""
        """A remark of the law that is being checked, for the report."""
        self.tried = 0
        """Number of positions in which the cheating bot was tested."""
        self.caught = 0
        """Number of positions in which the cheating bot was caught."""
        self.swaps: dict[tuple[int, int], list[int]] = {}
        """For each pair of an event's code and card: the number of times it occurred without cards changing hands, and
        with."""
        self.alike = 0
        """Number of decisions that every level answered alike in twin worlds."""
        self.known_actions: dict[int, dict[Action, str]] = {}
        """For each configuration, by its id: the notation of each action met so far."""
        self.known_texts: dict[int, dict[str, Action]] = {}
        """For each configuration, by its id: the action of each notation met so far."""
        self.known_steps: dict[int, dict[tuple[object, ...], AnyStep]] = {}
        """For each configuration, by its id: the first step met with each key."""
        self.seen = seen or Coverage()
        self._cases: dict[tuple[bool, int], Case] = {}
        self._counted: set[tuple[bool, int]] = set()

    def case(self, number: int, tiny: bool) -> Case:
        """Return a case by its number, which is also its seed; configurations take turns."""
        key = (tiny, number)
        case = self._cases.get(key)
        if case is None:
            games = self.tiny if tiny else self.games
            case = play_case(games[number % len(games)], number + 1)
            # The oldest case goes: states of many games would fill the memory.
            while len(self._cases) >= MAX_CASES:
                del self._cases[next(iter(self._cases))]
            self._cases[key] = case
            # A case that left the cache is played again, but counts once.
            if key not in self._counted:
                self._counted.add(key)
                self.seen.count(case)
        return case

    def deadline(self, share: float = 1.0) -> float:
        """Return the end of the look at one case, in `time.process_time()`, which a busy machine does not shorten.

        Args:
            share: The share of the patience. A law that examines several positions asks for a small share: many games
                teach more than many positions of a few.
        """
        return time.process_time() + share * self.patience
