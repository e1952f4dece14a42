"""A match: two bots play the same deals from all seats.

A deal is a game with its options and a stream of chance. With two seats it is played twice, with A in either seat; with
more seats A sits in each seat once and B in all others. So luck and seats cancel out, and the interval counts deals,
not games. If A and B play alike, exchanging seats changes nothing, so every game has its own stream of chance. The same
seed gives the same match with any number of worker processes.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import partial
from hashlib import sha256
from itertools import permutations
from math import log
from statistics import median
from time import perf_counter, process_time
from typing import Final, NamedTuple, TypeAlias

from gonfalon import games
from gonfalon.bots import Bot, Budget, Choice, make
from gonfalon.bots.outside.faults import count_faults, describe_faults
from gonfalon.bots.outside.notation import is_notation
from gonfalon.bots.outside.program import ProgramBot
from gonfalon.bots.players.driver import Driver
from gonfalon.core.basics.decks import DeckError
from gonfalon.core.basics.errors import OptionError
from gonfalon.core.basics.options import Options
from gonfalon.core.basics.rng import Rng, check_seed
from gonfalon.core.files.record import Record
from gonfalon.core.rules.game import Game
from gonfalon.core.rules.state import TOGETHER, Seat, State
from gonfalon.core.text.english import slug
from gonfalon.core.text.untrusted import print_text
from gonfalon.lab.run.sequential import RunningMean
from gonfalon.lab.run.workers import Team, Workers

SEED_FACTOR: Final = 0x9E3779B97F4A7C15
"""Odd 64-bit constant that spreads consecutive deal numbers over all seeds (the golden ratio, as in SplitMix64)."""
WORD_MASK: Final = 0xFFFFFFFFFFFFFFFF
"""Mask of 64 bits."""
MIN_TEST_DEALS: Final = 20
"""Number of deals before the sequential test decides."""
MIN_VARIANCE: Final = 0.01
"""Lower bound of the variance in the sequential test."""
DECISIVE_LOG_RATIO: Final = log(19)
"""Log likelihood ratio at which the sequential test decides: an error rate of 5 % either way."""
_GAMES: Final[dict[str, Game]] = {}
"""Games by name and options, cached for each process."""


@dataclass(frozen=True)
class MatchGame:
    """One game of a match."""

    a_seat: int
    sides: tuple[str, ...]  # the faction or deck of each seat
    score: float  # of A: 1, 0, or its part of a shared victory
    winners: tuple[int, ...]
    how: str
    decisions: int
    turns: int  # 0 in a game that does not count them
    first: Seat | None  # the seat that decided first; None if the first decision was simultaneous


@dataclass(frozen=True)
class LengthSummary:
    """The lengths of games: half of them are at most `median`."""

    median: float
    least: int
    most: int


@dataclass(frozen=True)
class WinRate:
    """A win rate with its 95 % interval. A shared victory counts in parts."""

    score: float
    low: float
    high: float
    games: int


@dataclass(frozen=True)
class MatchResult:
    """A finished match: A's score in all games, from 0 to 1, with its 95 % interval."""

    game: str
    version: str
    a: str
    b: str
    pairs: int
    games: int
    seed: int
    score: float
    low: float
    high: float
    decisions: int
    lengths: dict[str, LengthSummary]
    """Lengths in decisions, and in turns in games that count them."""
    endings: dict[str, int]
    seats: list[float]
    """A's score in each seat."""
    first: WinRate | None
    """Win rate of the seat that decided first; None in games that begin with a simultaneous decision."""
    sides: dict[str, WinRate]
    """Win rate of each faction or deck, played by either level."""
    table: dict[str, dict[str, float]]
    """A's score with the faction or deck of the row against that of the column."""
    dealt_anew: bool = False
    """Whether A and B play alike, so that every game had its own deal."""
    digest: str = ""
    """Hash of all games, the same with any number of workers."""
    chosen: dict[str, dict[str, int]] = field(default_factory=dict)
    """Numbers of moves that were chosen for the programs `A` and `B`, by their faults."""


BotFactory: TypeAlias = Callable[[str, Game], Bot]
"""A function that makes the bot with a name."""


class Deal(NamedTuple):
    """The games of a deal, and what is counted about A and about B."""

    games: list[MatchGame]
    times: tuple[list[float], list[float]]
    """The CPU seconds of each decision."""
    chosen: tuple[Counter[str], Counter[str]]
    """The faults of programs that cost them a move."""


class TimedBot(Bot):
    """A bot whose decisions are timed."""

    def __init__(self, bot: Bot) -> None:
        super().__init__(bot.name, bot.game)
        self.bot: Bot = bot
        # The CPU time of a program is not that of this process.
        self.clock: Callable[[], float] = perf_counter if isinstance(bot, ProgramBot) else process_time
        self.budget = bot.budget
        self.spans: list[float] = []
        """CPU seconds of each decision, or seconds of a program's decision."""
        self.faults: Counter[str] = Counter()
        """Moves that were chosen for a program, by its faults."""

    def begin_game(self) -> Bot:
        self.bot = self.bot.begin_game()
        return self

    def think(self, view: State, budget: Budget, rng: Rng) -> Choice:
        begin = self.clock()
        choice = self.bot.think(view, budget, rng)
        self.spans.append(self.clock() - begin)
        count_faults([choice], self.faults)
        return choice


def play_match(
    a: str,
    b: str,
    name: str,
    options: Options | None = None,
    pairs: int = 100,
    seed: int = 0,
    workers: Workers = 1,
    times: dict[str, list[float]] | None = None,
    between: tuple[float, float] | None = None,
    mirrored: bool = False,
    maker: BotFactory = make,
) -> MatchResult:
    """Play a match.

    Args:
        a: The bot A, as `gonfalon.bots.make` reads it.
        b: The bot B.
        name: The name of the game.
        options: Its options; sides that they leave out are taken in turn (`list_matchups`).
        pairs: The number of deals, or the maximum with `between`.
        seed: The seed of all deals.
        workers: A number of processes, or a cluster.
        times: Filled with the CPU seconds of A's and B's decisions.
        between: Two scores. The match stops as soon as a sequential test decides which one A's score is closer to.
        mirrored: Whether both levels have the same deck.
        maker: Makes the bots `a` and `b`.

    Raises:
        OptionError: An option or a level is unknown.
    """
    setups, seed = list_matchups(name, options or {}, mirrored), check_seed(seed)
    same = play_alike(*[maker(level, get_game(name, setups[0])) for level in (a, b)])
    play = partial(play_deal, a, b, name, setups, seed, maker=maker)
    with Team(workers) as team:
        deals = play_until_decided(team.map(play, range(pairs), most=1 if between else 50), between)
    if times is not None:
        times |= {label: [span for deal in deals for span in deal.times[at]] for at, label in enumerate("AB")}
    found = summarize_match(a, b, name, len(deals), seed, [deal.games for deal in deals])
    return replace(found, dealt_anew=same, chosen=count_chosen_moves(deals))


def count_chosen_moves(deals: list[Deal]) -> dict[str, dict[str, int]]:
    """Return the numbers of moves that were chosen for A and for B, by their faults."""
    chosen = {label: sum((deal.chosen[at] for deal in deals), Counter()) for label, at in (("A", 0), ("B", 1))}
    return {label: dict(counts) for label, counts in chosen.items() if counts}


def play_until_decided(deals: Iterable[Deal], between: tuple[float, float] | None) -> list[Deal]:
    """Return the deals up to the one that decides the test; all of them without a test."""
    found: list[Deal] = []
    scores: list[float] = []
    for deal in deals:
        found.append(deal)
        if between:
            scores.append(rounded_mean(game.score for game in deal.games))
            if test_scores(scores, *between):
                break
    return found


def test_scores(scores: list[float], low: float, high: float) -> int:
    """Run Wald's sequential probability ratio test on the scores of deals.

    Scores count as normally distributed, with the variance that they show. The error rate is 5 % either way.

    Returns:
        1 if the mean is closer to `high`, -1 if it is closer to `low`, and 0 while that is open.
    """
    n = len(scores)
    if n < MIN_TEST_DEALS:
        return 0
    p = sum(scores) / n
    variance = max(MIN_VARIANCE, sum((score - p) ** 2 for score in scores) / (n - 1))
    # Log likelihood ratio of two normal distributions with equal variance.
    ratio = n * (high - low) * (2 * p - low - high) / (2 * variance)
    return 0 if abs(ratio) < DECISIVE_LOG_RATIO else 1 if ratio > 0 else -1


def list_matchups(name: str, options: Options, mirrored: bool = False, given: bool = False) -> list[Options]:
    """Return the options of the deals, which are played in turn.

    They are all ordered choices of different factions or preset decks, unless the options already fix them.

    Args:
        name: The name of the game.
        options: Its options.
        mirrored: Give all seats the same preset deck, each deck in turn, so that no deck has an advantage.
        given: Fix the sides that seats otherwise choose during the game (`Game.given_sides`).

    Raises:
        OptionError: The game has no decks to mirror.
    """
    if mirrored:
        return list_mirrored_matchups(name, options)
    found = (
        find_deck_option(name, options)
        or find_faction_option(name, options)
        or (find_given_option(name, options) if given else None)
    )
    if found is None:
        return [options]
    option, words = found
    setups = [{**options, option: chosen} for chosen in permutations(words, get_game(name, options).seats)]
    try:
        for setup in setups:
            get_game(name, setup)
    except OptionError:  # The user's card file has other factions.
        return [options]
    return setups or [options]


def list_mirrored_matchups(name: str, options: Options) -> list[Options]:
    """Return the options with each preset deck for all seats.

    Raises:
        OptionError: The game has no preset decks.
    """
    game = get_game(name, options)
    found = find_deck_option(name, options)
    if found and found[1]:
        option, words = found
        return [{**options, option: (word,) * game.seats} for word in words]
    if not games.find_game_class(name).has_decks():
        why = "the game has no decks"
    else:
        why = "it has no preset decks" if found else "the options already set the decks"
    raise OptionError(f"Cannot play {game.title} with mirrored decks: {why}.")


def find_deck_option(name: str, options: Options) -> tuple[str, list[str]] | None:
    """Return the option for the decks of the seats, and all preset decks; None if there is none or it is set."""
    if not games.find_game_class(name).has_decks():
        return None
    decks = get_game(name, options).decks()
    if decks is None or decks.option in options:
        return None
    return decks.option, [decks.word(deck) for deck in decks.ready()]


def find_faction_option(name: str, options: Options) -> tuple[str, list[str]] | None:
    """Return the option for the factions of the seats, and all listed factions; None if there is none or it is set."""
    kind = games.find_game_class(name)
    if "factions" in options or "factions" not in {option.name for option in kind.options_spec}:
        return None
    return "factions", [faction["slug"] for faction in kind.lobby()["factions"]]


def find_given_option(name: str, options: Options) -> tuple[str, list[str]] | None:
    """Return the option that fixes the sides that seats choose during the game, and all sides; None if it is set."""
    found = get_game(name, options).given_sides()
    return None if found is None or found[0] in options else found


def get_game(name: str, options: Options) -> Game:
    """Return a game, cached for each process."""
    key = f"{name} {options!r}"
    if key not in _GAMES:
        _GAMES[key] = games.game(name, **options)
    return _GAMES[key]


def play_deal(
    a: str, b: str, name: str, setups: list[Options], seed: int, number: int, maker: BotFactory = make
) -> Deal:
    """Play all games of one deal."""
    game = get_game(name, setups[number % len(setups)])
    stream = Rng((seed + (number + 1) * SEED_FACTOR) & WORD_MASK)
    chance = stream.seed()
    bot_a, bot_b = (TimedBot(maker(level, game)) for level in (a, b))
    found = []
    # A sits in each seat once, with the same deal, so that luck and seats cancel out.
    for a_seat in range(game.seats):
        # Equal players would repeat the game from each seat, so every game gets its own chance.
        if a_seat and play_alike(bot_a.bot, bot_b.bot):
            chance = stream.seed()
        bots = [bot_a if seat == a_seat else bot_b for seat in range(game.seats)]
        driver = Driver(Record(game), bots, chance, log=True)  # With a log, as at a table.
        driver.advance()
        outcome = driver.state.outcome()
        if outcome is None:
            raise OptionError(f"A game of {name} ended without an outcome.")
        winners = tuple(outcome.winners)
        score = 1.0 / len(winners) if a_seat in winners else 0.0
        # A game without a winner is shared by all seats.
        if not winners:
            score = 1.0 / game.seats
        made = sum(1 for seat, _ in driver.record.decisions if seat >= 0)
        turns = game.turn(driver.state)
        first = find_first_seat(driver.record)
        found.append(MatchGame(a_seat, tuple(name_sides(game)), score, winners, outcome.how, made, turns, first))
    return Deal(found, (bot_a.spans, bot_b.spans), (bot_a.faults, bot_b.faults))


def play_alike(a: Bot, b: Bot) -> bool:
    """Return whether two bots are the same level with the same budget."""
    return type(a) is type(b) and (a.name, a.budget) == (b.name, b.budget)


def find_first_seat(record: Record) -> Seat | None:
    """Return the seat that decided first; None if the first decision was simultaneous."""
    state = record.game.start()
    for seat, action in record.decisions:
        if seat >= 0:
            return None if state.stack[-1].seat == TOGETHER else seat
        state.apply(seat, action)
    return None


def name_sides(game: Game) -> list[str]:
    """Return a name for the side of each seat: its faction, its deck, or the seat's number."""
    decks = game.decks()
    chosen = game.options.get(find_side_option(game))
    if not isinstance(chosen, (list, tuple)) or len(chosen) != game.seats:
        return [f"seat {seat}" for seat in range(game.seats)]
    if decks is None:
        return [str(faction) for faction in chosen]
    names: dict[str, str] = {}
    for text in map(str, chosen):
        if text not in names:
            try:
                name = decks.find(text).slug
            except DeckError:  # The text of a deck file, whose name may equal that of a preset deck.
                name = slug(decks.parse(text)[0].name) or "own"
                name = f"own-{name}" if name in {deck.slug for deck in decks.ready()} else name
            # Two different deck files may have the same name.
            names[text] = f"{name}-2" if name in names.values() else name
    return [names[str(text)] for text in chosen]


def find_side_option(game: Game) -> str:
    """Return the name of the option that sets the side of each seat."""
    decks, given = game.decks(), game.given_sides()
    return given[0] if given else "factions" if decks is None else decks.option


# ---- figures ------------------------------------------------------------------------------------


def summarize_match(a: str, b: str, name: str, pairs: int, seed: int, deals: list[list[MatchGame]]) -> MatchResult:
    """Return the result of a match."""
    played = [game for deal in deals for game in deal]
    score, low, high = estimate_interval([rounded_mean(game.score for game in deal) for deal in deals])
    endings: dict[str, int] = {}
    for game in played:
        endings[game.how] = endings.get(game.how, 0) + 1
    sides = sorted({side for game in played for side in game.sides})
    seats = len(played[0].sides)
    lengths = {"decisions": [game.decisions for game in played], "turns": [game.turns for game in played]}
    return MatchResult(
        game=name,
        version=games.find_game_class(name).version,
        a=a,
        b=b,
        pairs=pairs,
        games=len(played),
        seed=seed,
        score=score,
        low=low,
        high=high,
        decisions=sum(lengths["decisions"]),
        lengths={what: LengthSummary(median(all), min(all), max(all)) for what, all in lengths.items() if any(all)},
        endings=dict(sorted(endings.items())),
        seats=[rounded_mean(game.score for game in played if game.a_seat == seat) for seat in range(seats)],
        first=estimate_win_rate(
            [[seat_score(game, game.first) for game in deal if game.first is not None] for deal in deals]
        ),
        sides=rate_sides(deals, sides),
        table={row: score_pairings(played, row, sides) for row in sides},
        digest=hash_games(played),
    )


def rate_sides(deals: list[list[MatchGame]], sides: list[str]) -> dict[str, WinRate]:
    """Return the win rate of each side, played by either level."""
    rates = {
        side: estimate_win_rate([[score for game in deal for score in iter_side_scores(game, side)] for deal in deals])
        for side in sides
    }
    return {side: rate for side, rate in rates.items() if rate is not None}


def score_pairings(played: list[MatchGame], row: str, sides: list[str]) -> dict[str, float]:
    """Return A's score with the side `row` against each other side that it has met."""
    scores = {side: [game.score for game in played if is_pairing(game, row, side)] for side in sides}
    return {side: rounded_mean(found) for side, found in scores.items() if found}


def hash_games(played: Iterable[MatchGame]) -> str:
    """Return the hash of games."""
    return sha256(json.dumps([list(vars(game).values()) for game in played]).encode()).hexdigest()[:32]


def seat_score(game: MatchGame, seat: Seat) -> float:
    """Return the score of a seat: 1, 0, or its part of a shared victory."""
    return 1.0 / len(game.winners) if seat in game.winners else 0.0


def estimate_win_rate(deals: list[list[float]]) -> WinRate | None:
    """Return the mean of the scores with an interval that counts deals; None without a game."""
    # Games of one deal are not independent, so a deal counts as one value.
    counted = [deal for deal in deals if deal]
    if not counted:
        return None
    return WinRate(*estimate_interval([sum(deal) / len(deal) for deal in counted]), sum(map(len, counted)))


def iter_side_scores(game: MatchGame, side: str) -> Iterator[float]:
    """Yield the score of each seat that played a side."""
    for seat, name in enumerate(game.sides):
        if name == side:
            yield seat_score(game, seat)


def is_pairing(game: MatchGame, row: str, column: str) -> bool:
    """Return whether A played the side `row` and some seat of B the side `column`."""
    others = [side for seat, side in enumerate(game.sides) if seat != game.a_seat]
    return game.sides[game.a_seat] == row and column in others


def rounded_mean(values: Iterable[float]) -> float:
    """Return the mean, rounded to four places; 0 for no values."""
    found = list(values)
    return round(sum(found) / len(found), 4) if found else 0.0


def exact_mean(values: list[float]) -> float:
    """Return the mean; 0 for no values."""
    return sum(values) / len(values) if values else 0.0


def estimate_interval(scores: list[float]) -> tuple[float, float, float]:
    """Return the mean of deals' scores, each from 0 to 1, and the ends of its 95 % interval.

    A single deal, and deals with equal scores, have an interval as well (`RunningMean`).
    """
    track = RunningMean(scores)
    low, high = max(0.0, track.mean - track.half_width()), min(1.0, track.mean + track.half_width())
    return round(track.mean, 4), round(low, 4), round(high, 4)


def find_percentile(values: list[float], share: float) -> float:
    """Return the value below which this share of the values is; 0 for no values."""
    found = sorted(values)
    return found[min(len(found) - 1, int(share * len(found)))] if found else 0.0


def format_score(result: MatchResult) -> str:
    """Return the score of A with its interval, and which score is even at a table of more than two."""
    score, low, high = (f"{100 * value:.1f}" for value in (result.score, result.low, result.high))
    even = f"; {100 / len(result.seats):.1f} % is even" if len(result.seats) > 2 else ""
    return f"A scores {score} % (95 %: {low} to {high}){even}; seed {result.seed}"


def print_match(result: MatchResult, times: dict[str, list[float]], names: Mapping[str, str]) -> None:
    """Print a match as text, with the names of factions and decks."""
    print(f"{result.game}: A = {result.a}, B = {result.b}; {result.games} games of {result.pairs} deals")
    if result.dealt_anew:
        print("A and B play alike, so every game has its own deal and nothing cancels out.")
    print(format_score(result))
    in_seats = ", ".join(f"{100 * score:.1f} % in seat {seat}" for seat, score in enumerate(result.seats))
    print(f"A by seat: {in_seats}")
    endings = ", ".join(f"{how} {count}" for how, count in result.endings.items())
    print(f"{result.decisions / result.games:.1f} decisions a game; ended by {endings}")
    for what, length in result.lengths.items():
        print(f"Length in {what}: median {length.median:g}, from {length.least} to {length.most}")
    if result.first is not None:
        print(f"The seat that decides first wins {format_win_rate(result.first)}")
    for label, spans in times.items():
        level = result.a if label == "A" else result.b
        p50, p95 = (1000 * find_percentile(spans, share) for share in (0.5, 0.95))
        what = "ms" if is_notation(level) else "ms of CPU"
        print(f"{label} ({level}): {what} a decision: {1000 * exact_mean(spans):.2f}, p50 {p50:.2f}, p95 {p95:.2f}")
    for label, counts in result.chosen.items():
        print_text(describe_faults(result.a if label == "A" else result.b, counts))
    print(f"Digest {result.digest}: the same with any number of workers")
    print_sides(result, names)


def print_sides(result: MatchResult, names: Mapping[str, str]) -> None:
    """Print the scores of factions or decks."""
    labels = {side: names.get(side, side) for side in result.sides}
    wide = max(9, *(len(label) for label in labels.values())) + 2
    # Mirrored decks have no table of matchups.
    if all(set(row) == {side} for side, row in result.table.items()):  # Mirrored: both always have the same.
        print("\nA's score by side")
        for side, label in labels.items():
            print(f"{label:<{wide}}{100 * result.table[side][side]:.1f} %")
        return
    print("\nA's score in %: A's side in rows, B's side in columns; the last column is the win rate of the side")
    print(" " * (wide + 4) + "".join(f"{head:>7}" for head in [*range(1, len(labels) + 1), "all"]))
    for number, (side, label) in enumerate(labels.items(), 1):
        cells = [result.table[side].get(other) for other in labels]
        row = "".join(f"{'' if cell is None else f'{100 * cell:.0f}':>7}" for cell in cells)
        print(f"{number:>2}  {label:<{wide}}{row}{100 * result.sides[side].score:>7.1f}")
    print("\nWin rate of each side")
    for side, found in result.sides.items():
        print(f"{labels[side]:<{wide}}{format_win_rate(found)}")


def format_win_rate(share: WinRate) -> str:
    """Return text like `54.0 % (95 %: 50.1 to 57.9; 200 games)`."""
    low, high = (f"{100 * value:.1f}" for value in (share.low, share.high))
    return f"{100 * share.score:.1f} % (95 %: {low} to {high}; {share.games} games)"
