"""Games played at random: what the laws look at."""

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

KEPT = 48
"""Number of cases kept, so that laws that look at the same games play them only once."""
GLANCE: Final = 0.1
"""Share of the patience for a law that takes positions of a case until its time is up."""


Sender = Callable[[Game, State, int], dict[str, str]]
"""What is sent of a full state to a viewer, each thing as text."""
Pages = Callable[[Game, list[tuple[Seat, Action]]], dict[str, str]]
"""Opens the pages of a table at which these decisions were made: for each by its name what is wrong with it, or
nothing."""
Requests = Callable[[Game, State, Seat, list[Action]], tuple[int, str]]
"""Sends a seat's actions at once to a table in this position: how many were accepted, and why they were refused."""


class Case:
    """One game played at random from a seed.

    `states[i]` is a copy of the position before decision i, the last one the end. `crash` is what
    the rules raised, if they did; the case then stops there.
    """

    def __init__(self, game: Game, seed: int) -> None:
        self.game = game
        self.seed = seed
        self.decisions: list[tuple[Seat, Action]] = []
        self.states: list[State] = []
        self.crash: Exception | None = None
        self.endless = False

    def rng(self, salt: str) -> Rng:
        """A generator of this case's own for one law, so that a law's findings do not depend on
        what else is checked."""
        mixed = self.seed
        for letter in salt:
            mixed = (mixed * 1_000_003 + ord(letter)) & 0xFFFFFFFFFFFFFFFF
        return Rng(mixed)

    def picks(self, rng: Rng, count: int) -> list[int]:
        """Some positions, ascending, each once. Every kind of decision has the same chance, so that
        rare ones are looked at as often as common ones."""
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
        """The seeds that chance gave."""
        return [-1 - action for seat, action in self.decisions if seat == CHANCE and action < SEED]


def choose(state: State, rng: Rng) -> tuple[Seat, Action]:
    """A random decision; of several seats asked at once any may be first."""
    open_decisions = state.decisions()
    decision = open_decisions[int(rng.below(len(open_decisions)))]
    return decision.seat, decision.sample(rng)


def play(game: Game, seed: int, keep: bool = True) -> Case:
    """Play one game at random, at most `bound` decisions."""
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
            seat, action = choose(state, rng)
            case.decisions.append((seat, action))
            state.apply(seat, action)
    except Exception as error:
        case.crash = error
    return case


def finish(state: State, rng: Rng, bound: int) -> int:
    """Play a state to its end at random, in place; the number of decisions, or -1 when `bound` did
    not suffice."""
    for count in range(bound + 1):
        if state.over:
            return count
        state.apply(*choose(state, rng))
    return -1


def spoilt() -> bool:
    """Whether rules wrote into the lists that all states share; they are empty again, so that other games are not
    spoilt."""
    written = bool(NO_ACTIONS)
    NO_ACTIONS.clear()
    for seats, answers in enumerate(NO_ANSWERS):
        if len(answers) != seats or any(answer is not NO_ACTIONS for answer in answers):
            answers[:] = [NO_ACTIONS] * seats
            written = True
    return written


class Seen:
    """How much the laws had to look at."""

    def __init__(self) -> None:
        self.games = 0
        self.configurations: set[int] = set()
        self.positions = 0
        self.decisions = 0
        self.cpu = 0.0
        self.missing = ""
        """What was not looked at, so that nothing is proved; empty when it was enough."""

    def count(self, case: Case) -> None:
        self.games += 1
        self.configurations.add(id(case.game))
        self.positions += len(case.states)
        self.decisions += len(case.decisions)

    def line(self) -> str:
        return (
            f"{self.games:,} games of {len(self.configurations)} configurations, {self.positions:,} positions and "
            f"{self.decisions:,} decisions in {self.cpu:.0f} s of CPU time"
        )


class Worlds(Protocol):
    """What deals worlds of one view."""

    def sample(self, rng: Rng) -> State: ...


Sampler = Callable[[State], Worlds]


class Bench:
    """What the laws share: the games, the cases, the clock, the two replaceable organs of the core (a
    sampler of worlds, a record), so that a stranger's own can be checked as well, further senders, pages and
    requests, and the reference rules."""

    def __init__(
        self,
        games: Sequence[Game],
        tiny: Sequence[Game],
        patience: float,
        sampler: Sampler = worlds,
        record: Callable[..., Record] = Record,
        senders: list[Sender] | None = None,
        seen: Seen | None = None,
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
        self.tried = 0
        """How often the bot that cheats was tried,"""
        self.caught = 0
        """and how often it was caught."""
        self.swaps: dict[tuple[int, int], list[int]] = {}
        """By an event's code and card: how often it occurred without cards changing hands, and how often with."""
        self.alike = 0
        """Decisions in which every level answered alike in twin worlds."""
        self.known_actions: dict[int, dict[Action, str]] = {}
        self.known_texts: dict[int, dict[str, Action]] = {}
        self.known_steps: dict[int, dict[tuple[object, ...], AnyStep]] = {}
        self.seen = seen or Seen()
        self._cases: dict[tuple[bool, int], Case] = {}
        self._counted: set[tuple[bool, int]] = set()

    def case(self, number: int, tiny: bool) -> Case:
        """The case of this number: configurations take turns, the number is the seed."""
        key = (tiny, number)
        case = self._cases.get(key)
        if case is None:
            games = self.tiny if tiny else self.games
            case = play(games[number % len(games)], number + 1)
            while len(self._cases) >= KEPT:
                del self._cases[next(iter(self._cases))]
            self._cases[key] = case
            if key not in self._counted:
                self._counted.add(key)
                self.seen.count(case)
        return case

    def deadline(self, share: float = 1.0) -> float:
        """Return when a look at one case should end, in `time.process_time()`, so that a busy machine changes nothing.

        A law that takes several positions of a case asks for a small share: many games teach more than many positions
        of a few.
        """
        return time.process_time() + share * self.patience
