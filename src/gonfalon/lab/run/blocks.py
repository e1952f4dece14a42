"""Games of a study, played in blocks: what a block holds follows from its name alone.

An arm is a game as a study plays it: the options of its matchups, in their order, and who plays. A round is one deal of
each matchup. Deals are numbered by arm-independent streams of chance, so two arms play the same deals, and a block is
the same wherever and whenever it is played. Its name is the hash of all that decides it.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from hashlib import sha256
from itertools import zip_longest
from time import process_time
from typing import Final, NamedTuple, TypeAlias

from gonfalon import games
from gonfalon.bots import Bot
from gonfalon.bots.players.driver import Driver
from gonfalon.core.basics.errors import OptionError
from gonfalon.core.basics.options import Options
from gonfalon.core.basics.rng import Rng
from gonfalon.core.files.record import Record
from gonfalon.core.rules.game import Game
from gonfalon.core.rules.state import State
from gonfalon.lab.run import sources
from gonfalon.lab.run.match import MIX, WORD, asked_first, entrant, sides_of
from gonfalon.lab.run.paired_deals import Copy, Dealer, came_of, piles_of

FORM: Final = 2
"""Of the files: raised when other rows are written for the same block."""
GAMES: Final = 40
"""A block has about so many."""
MATTERS: Final = 0.05
"""A decision matters if another action that was weighed has so much less chance to win."""
AHEAD: Final = 0.1
"""Somebody leads whose chance is so far from even."""


class Row(NamedTuple):
    """One game. What each seat got is 1, 0, or its part of a shared victory."""

    round: int
    setup: int
    sides: tuple[str, ...]
    scores: tuple[float, ...]
    how: str
    decisions: int
    length: int
    """In turns, or in rounds where the game has these; 0 where it has neither."""
    first: int
    """The seat that decided first; -1 where all did at once."""
    came: tuple[str, ...] = ()
    """What each seat turned out to have, its type or its goal (`Rules.turned_out`)."""
    told: int = 0
    """At how many decisions a chance to win was told: by levels that tell chances, and the next two as well."""
    mattered: int = 0
    """At how many of them the chance lay so much above that of another action (`MATTERS`)."""
    leads: int = 0
    """How often the lead changed between two seats (`AHEAD`)."""
    lowest: float = 1.0
    """The lowest chance that a winner ever told."""


def rounds_of(setups: int) -> int:
    """How many rounds a block of so many matchups has."""
    return max(1, GAMES // setups)


@dataclass(frozen=True)
class Arm:
    """A game as a study plays it, and by whom."""

    game: str
    setups: tuple[str, ...]
    """The options of each matchup, as JSON."""
    players: str
    seed: int
    beside: tuple[str, ...] = ()
    """The options whose deals each matchup keeps as far as its own decks allow (`coupling`); else seeds shuffle."""

    @classmethod
    def of(cls, name: str, setups: list[Options], players: str, seed: int, beside: list[Options] | None = None) -> Arm:
        """The arm of these options, a game made of each of them to write down all that decides it."""
        return cls(name, pinned(name, setups), players, seed, pinned(name, beside or []))

    @cached_property
    def hash(self) -> str:
        """What stands for it: the rules and all sources that decide a game, the options and cards, who plays, and the
        seed."""
        made = [FORM, self.game, games.kind(self.game).version, sources.of_game(self.game)]
        whole = [*made, self.setups, self.players, self.seed, self.beside]
        return sha256(json.dumps(whole).encode()).hexdigest()[:20]

    @property
    def rounds(self) -> int:
        """How many rounds a block has."""
        return rounds_of(len(self.setups))


def pinned(name: str, setups: list[Options]) -> tuple[str, ...]:
    """Options as JSON, with all that decides a game."""
    return tuple(json.dumps(games.game(name, **setup).pinned(), sort_keys=True) for setup in setups)


@dataclass(frozen=True)
class Block:
    """The games of a block in their order, and the seconds of CPU time that they took."""

    rows: list[Row]
    spent: float

    @property
    def digest(self) -> str:
        return sha256(json.dumps(self.rows).encode()).hexdigest()


KEPT: Final = 32
"""The games of so many arms are kept."""


class Place(NamedTuple):
    """Where a matchup is played."""

    game: Game
    bot: Bot
    """Bots keep nothing from one decision to the next."""
    came: Mapping[Copy, Copy] | None
    """Which copies lie where others would; None where seeds shuffle."""


_TABLES: Final[dict[str, list[Place]]] = {}
"""Games and their players, made once in each process."""


def tables_of(arm: Arm) -> list[Place]:
    """The game of each matchup and who plays it."""
    if arm.hash not in _TABLES:
        if len(_TABLES) >= KEPT:  # a study of cards has hundreds of arms
            _TABLES.clear()
        made = [games.game(arm.game, **json.loads(setup)) for setup in arm.setups]
        sides = [games.game(arm.game, **json.loads(setup)) for setup in arm.beside]
        came = [came_of(piles_of(old), piles_of(game)) for old, game in zip(sides, made, strict=False)]
        places = zip_longest(made, came)
        _TABLES[arm.hash] = [Place(game, entrant(arm.players, game), other) for game, other in places]
    return _TABLES[arm.hash]


def play(arm: Arm, number: int) -> Block:
    """The block of a number."""
    began = process_time()
    rows = [
        play_game(arm, round, setup)
        for round in range(number * arm.rounds, (number + 1) * arm.rounds)
        for setup in range(len(arm.setups))
    ]
    return Block(rows, round(process_time() - began, 3))


def row_of(row: list[object]) -> Row:
    """A row out of JSON. Raises TypeError."""
    made = Row._make(row)
    return made._replace(sides=tuple(made.sides), scores=tuple(made.scores), came=tuple(made.came))


def play_game(arm: Arm, round: int, setup: int) -> Row:
    """One game."""
    return told_row(played(arm, round, setup), round, setup)


def played(arm: Arm, round: int, setup: int) -> Driver:
    """One game, played to its end: its chance follows from the seed, the round and the matchup, and not from the
    arm."""
    game, bot, came = tables_of(arm)[setup]
    number = round * len(arm.setups) + setup
    chance = Rng((arm.seed + (number + 1) * MIX) & WORD).seed()
    bots = [bot] * game.seats
    # With a log, as at a table: a view tells what happened.
    driver = Driver(Record(game), bots, chance, log=True) if came is None else Dealer(Record(game), bots, chance, came)
    driver.advance()
    return driver


def told_row(driver: Driver, round: int, setup: int) -> Row:
    """What a game came to. Raises OptionError."""
    game = driver.game
    outcome = driver.state.outcome()
    if outcome is None:
        raise OptionError(f"A game of {game.name} ended without an outcome.")
    winners = outcome.winners or list(range(game.seats))
    scores = tuple(1.0 / len(winners) if seat in winners else 0.0 for seat in range(game.seats))
    made = sum(1 for seat, _ in driver.record.decisions if seat >= 0)
    first = asked_first(driver.record)
    sides = tuple(sides_of(game))
    how, length, begun = outcome.how, length_of(game, driver.state), -1 if first is None else first
    came = tuple(game.turned_out(driver.state))
    return Row(round, setup, sides, scores, how, made, length, begun, came, *story(driver, winners))


def story(driver: Driver, winners: list[int]) -> tuple[int, int, int, float]:
    """What the players' chances tell of a game: decisions with a chance, those that mattered, changes of the lead, the
    lowest chance of a winner."""
    told = mattered = leads = 0
    lowest, ahead = 1.0, -1
    for number, choice in sorted(driver.thoughts.items()):
        if choice.value is None:
            continue
        seat, chance = driver.record.decisions[number][0], choice.value.value
        told += 1
        others = [other.value.value for other in choice.alternatives if other.value is not None]
        mattered += bool(others) and chance - min(others) >= MATTERS
        if seat in winners:
            lowest = min(lowest, chance)
        if driver.game.seats == 2 and abs(chance - 0.5) >= AHEAD:
            leader = seat if chance > 0.5 else 1 - seat
            leads += ahead not in (-1, leader)
            ahead = leader
    return told, mattered, leads, lowest


def length_of(game: Game, state: State) -> int:
    """Turns, or rounds of a game that is played in rounds."""
    return game.turn(state) or int(getattr(state, "round", 0))


Named: TypeAlias = tuple[Arm, int]
"""A block, by its name."""


def play_named(name: Named) -> Block:
    """The games of a block."""
    return play(*name)
