"""Games of a study, played in blocks that follow from their names alone.

An arm is a game as a study plays it: the options of its matchups in order, and the players. A round is one deal of each
matchup. Deals are numbered by streams of chance that do not depend on the arm, so two arms play the same deals, and a
block is the same on any machine and at any time. The name of a block is the hash of everything that determines it.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from hashlib import sha256
from itertools import zip_longest
from time import process_time
from typing import Final, NamedTuple, TypeAlias

from gonfalon import games
from gonfalon.bots import Bot, make
from gonfalon.bots.outside.faults import count_faults
from gonfalon.bots.outside.notation import hash_bot, is_notation
from gonfalon.bots.players.driver import Driver
from gonfalon.core.basics.errors import OptionError
from gonfalon.core.basics.options import Options
from gonfalon.core.basics.rng import Rng
from gonfalon.core.files.record import Record
from gonfalon.core.rules.game import Game
from gonfalon.core.rules.state import State
from gonfalon.lab.run import sources
from gonfalon.lab.run.match import SEED_FACTOR, WORD_MASK, find_first_seat, name_sides
from gonfalon.lab.run.paired_deals import Copy, PairedDriver, list_piles, match_copies

FILE_FORMAT: Final = 2
"""Version of the block files. Raise it when the rows of a block change."""
BLOCK_GAMES: Final = 40
"""Approximate number of games in a block."""
DECISIVE_GAP: Final = 0.05
"""Smallest difference in win chance between two considered actions that makes a decision count as decisive."""
LEAD_MARGIN: Final = 0.1
"""Smallest distance of a win chance from 0.5 that counts as a lead."""


class Row(NamedTuple):
    """One game. A score is 1, 0, or the seat's part of a shared victory."""

    round: int
    setup: int
    sides: tuple[str, ...]
    scores: tuple[float, ...]
    how: str
    decisions: int
    length: int
    """Number of turns, or of rounds in games that have rounds; 0 in games without either."""
    first: int
    """Seat that decided first; -1 in games that begin with a simultaneous decision."""
    came: tuple[str, ...] = ()
    """Type or goal that each seat turned out to have (`Rules.turned_out`)."""
    told: int = 0
    """Number of decisions with an estimated win chance. Only some levels estimate it."""
    mattered: int = 0
    """Number of decisions with a gap of at least `DECISIVE_GAP` to the worst considered action."""
    leads: int = 0
    """Number of changes of the lead between two seats, each ahead by at least `LEAD_MARGIN`."""
    lowest: float = 1.0
    """Lowest win chance that a winner estimated during the game."""


def count_rounds(setups: int) -> int:
    """Return the number of rounds of a block with this number of matchups."""
    return max(1, BLOCK_GAMES // setups)


@dataclass(frozen=True)
class Arm:
    """A game as a study plays it, and its players."""

    game: str
    setups: tuple[str, ...]
    """Options of each matchup, as JSON."""
    players: str
    seed: int
    beside: tuple[str, ...] = ()
    """Options of the matchups that the deals are paired with (`paired_deals`). Empty if seeds shuffle."""
    source: str = ""
    """Hash of the players' file; empty for levels."""

    @classmethod
    def of(cls, name: str, setups: list[Options], players: str, seed: int, beside: list[Options] | None = None) -> Arm:
        """Return the arm of these options, with everything pinned that determines a game."""
        source = hash_bot(players, make(players, games.game(name, **setups[0]))) if is_notation(players) else ""
        return cls(name, pin_options(name, setups), players, seed, pin_options(name, beside or []), source)

    @cached_property
    def hash(self) -> str:
        """Hash of the rules, the sources, the options and cards, the players, and the seed."""
        made = [FILE_FORMAT, self.game, games.find_game_class(self.game).version, sources.hash_game_sources(self.game)]
        whole = [*made, self.setups, self.players, self.seed, self.beside, *filter(None, [self.source])]
        return sha256(json.dumps(whole).encode()).hexdigest()[:20]

    @property
    def rounds(self) -> int:
        """Number of rounds of a block."""
        return count_rounds(len(self.setups))


def pin_options(name: str, setups: list[Options]) -> tuple[str, ...]:
    """Return options as JSON, complete with everything that determines a game."""
    return tuple(json.dumps(games.game(name, **setup).pinned(), sort_keys=True) for setup in setups)


@dataclass(frozen=True)
class Block:
    """The games of a block in order, and the CPU seconds that they took."""

    rows: list[Row]
    spent: float
    chosen: dict[str, int] = field(default_factory=dict)
    """Numbers of moves that were chosen for a program, by its faults."""

    @property
    def digest(self) -> str:
        """Hash of all rows."""
        return sha256(json.dumps(self.rows).encode()).hexdigest()


MAX_CACHED_ARMS: Final = 32
"""Number of arms whose games are cached."""


class PreparedMatchup(NamedTuple):
    """The game of a matchup and the bot that plays all its seats."""

    game: Game
    bot: Bot
    """Shared by all seats; bots keep no data between decisions."""
    came: Mapping[Copy, Copy] | None
    """Copies of cards, with the copies that they replace in the paired deck. None if seeds shuffle."""


_PREPARED: Final[dict[str, list[PreparedMatchup]]] = {}
"""Games and bots of each arm, cached for each process."""


def prepare_matchups(arm: Arm) -> list[PreparedMatchup]:
    """Return the game and the bot of each matchup."""
    if arm.hash not in _PREPARED:
        if len(_PREPARED) >= MAX_CACHED_ARMS:  # A study of cards has hundreds of arms.
            _PREPARED.clear()
        made = [games.game(arm.game, **json.loads(setup)) for setup in arm.setups]
        # Without paired deals `beside` is empty, and `zip_longest` gives None for each matchup.
        sides = [games.game(arm.game, **json.loads(setup)) for setup in arm.beside]
        came = [match_copies(list_piles(old), list_piles(game)) for old, game in zip(sides, made, strict=False)]
        places = zip_longest(made, came)
        _PREPARED[arm.hash] = [PreparedMatchup(game, make(arm.players, game), other) for game, other in places]
    return _PREPARED[arm.hash]


def play_block(arm: Arm, number: int) -> Block:
    """Play the block with this number."""
    began = process_time()
    rows: list[Row] = []
    chosen: Counter[str] = Counter()
    for round_number in range(number * arm.rounds, (number + 1) * arm.rounds):
        for setup in range(len(arm.setups)):
            driver = play_to_end(arm, round_number, setup)
            rows.append(summarize_game(driver, round_number, setup))
            count_faults(driver.thoughts.values(), chosen)
    return Block(rows, round(process_time() - began, 3), dict(chosen))


def parse_row(row: list[object]) -> Row:
    """Return a row read from JSON.

    Raises:
        TypeError: The list does not have the fields of a row.
    """
    made = Row._make(row)
    # JSON has lists only, and rows read from a file must equal those just played.
    return made._replace(sides=tuple(made.sides), scores=tuple(made.scores), came=tuple(made.came))


def play_game(arm: Arm, round: int, setup: int) -> Row:
    """Play one game and return its row."""
    return summarize_game(play_to_end(arm, round, setup), round, setup)


def play_to_end(arm: Arm, round: int, setup: int) -> Driver:
    """Play one game to its end.

    Its chance follows from the seed, the round and the matchup, not from the arm.
    """
    game, bot, came = prepare_matchups(arm)[setup]
    # The number of the deal and the seed alone decide chance, so both arms of a comparison get the same.
    number = round * len(arm.setups) + setup
    chance = Rng((arm.seed + (number + 1) * SEED_FACTOR) & WORD_MASK).seed()
    bots = [bot] * game.seats
    # With a log, as at a table: bots may read the events of their view.
    driver = (
        Driver(Record(game), bots, chance, log=True) if came is None else PairedDriver(Record(game), bots, chance, came)
    )
    driver.advance()
    return driver


def summarize_game(driver: Driver, round: int, setup: int) -> Row:
    """Summarize a finished game.

    Raises:
        OptionError: The game ended without an outcome.
    """
    game = driver.game
    outcome = driver.state.outcome()
    if outcome is None:
        raise OptionError(f"A game of {game.name} ended without an outcome.")
    # A game without a winner is shared by all seats.
    winners = outcome.winners or list(range(game.seats))
    scores = tuple(1.0 / len(winners) if seat in winners else 0.0 for seat in range(game.seats))
    made = sum(1 for seat, _ in driver.record.decisions if seat >= 0)
    first = find_first_seat(driver.record)
    sides = tuple(name_sides(game))
    how, length, begun = outcome.how, count_turns(game, driver.state), -1 if first is None else first
    came = tuple(game.turned_out(driver.state))
    return Row(round, setup, sides, scores, how, made, length, begun, came, *summarize_estimates(driver, winners))


def summarize_estimates(driver: Driver, winners: list[int]) -> tuple[int, int, int, float]:
    """Summarize the win chances that the bots estimated during a game.

    Returns:
        The number of decisions with an estimate, the number of decisive ones, the number of changes of the lead, and
        the lowest estimate of a winner.
    """
    told = mattered = leads = 0
    lowest, ahead = 1.0, -1
    for number, choice in sorted(driver.thoughts.items()):
        if choice.value is None:
            continue
        seat, chance = driver.record.decisions[number][0], choice.value.value
        told += 1
        others = [other.value.value for other in choice.alternatives if other.value is not None]
        mattered += bool(others) and chance - min(others) >= DECISIVE_GAP
        if seat in winners:
            lowest = min(lowest, chance)
        if driver.game.seats == 2 and abs(chance - 0.5) >= LEAD_MARGIN:
            # An estimate is that of the deciding seat; below one half the other seat leads.
            leader = seat if chance > 0.5 else 1 - seat
            leads += ahead not in (-1, leader)
            ahead = leader
    return told, mattered, leads, lowest


def count_turns(game: Game, state: State) -> int:
    """Return the number of turns, or of rounds in a game that counts rounds."""
    return game.turn(state) or int(getattr(state, "round", 0))


BlockName: TypeAlias = tuple[Arm, int]
"""A block, by its name: the arm and the number of the block."""


def play_named_block(name: BlockName) -> Block:
    """Play the block with this name."""
    return play_block(*name)
