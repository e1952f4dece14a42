"""A match: two levels play the same deals from all seats.

A deal is a game with its options and a stream of chance. With two seats it is played twice, A in
either seat; with more, A sits in each seat once and B in all others. So luck and seats cancel out,
and the deal, not the game, is what the interval counts. Where A and B play alike nothing changes with
the seats: then every game has a stream of chance of its own. The same seed gives the same match with
any number of worker processes.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from functools import partial
from hashlib import sha256
from itertools import permutations
from math import log
from statistics import median
from time import process_time
from typing import Final, TypeAlias

from gonfalon import games
from gonfalon.bots import Bot, Budget, Choice, make
from gonfalon.bots.players.driver import Driver
from gonfalon.core.basics.decks import DeckError
from gonfalon.core.basics.errors import OptionError
from gonfalon.core.basics.options import Options
from gonfalon.core.basics.rng import Rng, check_seed
from gonfalon.core.files.record import Record
from gonfalon.core.rules.game import Game
from gonfalon.core.rules.state import TOGETHER, Seat, State
from gonfalon.core.text.english import slug
from gonfalon.lab.run.exploiter import Exploiter
from gonfalon.lab.run.sequential import Track
from gonfalon.lab.run.workers import Team, Workers

MIX: Final = 0x9E3779B97F4A7C15
WORD: Final = 0xFFFFFFFFFFFFFFFF
MOST: Final = 1_000_000_000
EXPLOITER: Final = "exploiter/"
ENOUGH: Final = 20
"""Deals before a sequential test says anything."""
LEAST: Final = 0.01
"""The least variance that it believes."""
SURE: Final = log(19)
_GAMES: Final[dict[str, Game]] = {}


@dataclass(frozen=True)
class Played:
    """One game of a match."""

    a_seat: int
    sides: tuple[str, ...]  # what each seat played: its faction or deck, where the game has them
    score: float  # A's: 1 a win, 0 a loss, a share of a shared victory
    winners: tuple[int, ...]
    how: str
    decisions: int
    turns: int  # 0 in a game that does not count them
    first: Seat | None  # who was asked first; None where all were asked together


@dataclass(frozen=True)
class Length:
    """How long games were: half of them at most `median`."""

    median: float
    least: int
    most: int


@dataclass(frozen=True)
class Share:
    """How often somebody won, with the 95 % interval. Shared victories count as their parts."""

    score: float
    low: float
    high: float
    games: int


@dataclass(frozen=True)
class Result:
    """A match that is over: A's score of all games, from 0 to 1, with its 95 % interval."""

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
    lengths: dict[str, Length]
    """In decisions, and in turns where the game counts them."""
    endings: dict[str, int]
    seats: list[float]
    """A's score in each seat."""
    first: Share | None
    """How often who was asked first won; None in a game that asks all seats together first."""
    sides: dict[str, Share]
    """How often each faction or deck won, in whose hands ever."""
    table: dict[str, dict[str, float]]
    """A's score with the faction or deck of the row against that of the column."""
    dealt_anew: bool = False
    """Whether A and B play alike, so that every game of a deal was dealt anew."""
    digest: str = ""
    """Stands for every game: the same by any workers."""


Maker: TypeAlias = Callable[[str, Game], Bot]
"""Makes the bot that a text names."""
Deal: TypeAlias = tuple[list[Played], tuple[list[float], list[float]]]
"""The games of a deal, and the seconds that A's and B's decisions took."""


class Timed(Bot):
    """A bot with a clock around it."""

    def __init__(self, bot: Bot) -> None:
        super().__init__(bot.name, bot.game)
        self.bot: Bot = bot
        self.budget = bot.budget
        self.spans: list[float] = []
        """Seconds of CPU time, a decision each."""

    def think(self, view: State, budget: Budget, rng: Rng) -> Choice:
        begin = process_time()
        choice = self.bot.think(view, budget, rng)
        self.spans.append(process_time() - begin)
        return choice


def match(
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
    maker: Maker | None = None,
) -> Result:
    """Play a match; `times` is filled with the seconds of CPU time of A's and B's decisions.

    With `between` it stops as soon as a sequential test (`verdict`) knows whether A's score is rather
    the higher or the lower of the two; `pairs` is then the most that is played. `mirrored`: both have the
    same deck (`matchups`). `maker` makes the bots of `a` and `b`, `entrant` if nobody else does. Raises OptionError.
    """
    setups, seed = matchups(name, options or {}, mirrored), check_seed(seed)
    same = alike(*[(maker or entrant)(level, game_of(name, setups[0])) for level in (a, b)])
    play = partial(play_deal, a, b, name, setups, seed)
    if maker is not None:
        play = partial(play, maker=maker)
    with Team(workers) as team:
        deals = until_known(team.map(play, range(pairs), most=1 if between else 50), between)
    if times is not None:
        for label, at in (("A", 0), ("B", 1)):
            times[label] = [span for _, clocks in deals for span in clocks[at]]
    return replace(summary(a, b, name, len(deals), seed, [played for played, _ in deals]), dealt_anew=same)


def until_known(deals: Iterable[Deal], between: tuple[float, float] | None) -> list[Deal]:
    """The deals up to the one with which the test knows; all of them without a test."""
    found: list[Deal] = []
    scores: list[float] = []
    for deal in deals:
        found.append(deal)
        if between:
            scores.append(mean(game.score for game in deal[0]))
            if verdict(scores, *between):
                break
    return found


def verdict(scores: list[float], low: float, high: float) -> int:
    """What Wald's sequential probability ratio test says of the deals so far: 1 if their mean is rather `high` than
    `low`, -1 if rather `low`, 0 if that is not known yet; wrong once in twenty times either way. Scores of deals
    count as normally distributed, with the variance that they show."""
    n = len(scores)
    if n < ENOUGH:
        return 0
    p = sum(scores) / n
    variance = max(LEAST, sum((score - p) ** 2 for score in scores) / (n - 1))
    ratio = n * (high - low) * (2 * p - low - high) / (2 * variance)
    return 0 if abs(ratio) < SURE else 1 if ratio > 0 else -1


def matchups(name: str, options: Options, mirrored: bool = False, given: bool = False) -> list[Options]:
    """The options of the deals, taken in turn: every ordered choice of different factions or ready-made
    decks, where the game has them and they are not given; else just what is given. Where it is `mirrored`, each
    ready-made deck for all seats: then no deck is better than the other. Raises OptionError where there are none.
    Where sides are `given`, no seat chooses one in the game (`given_of`)."""
    if mirrored:
        return mirrors(name, options)
    found = decks_of(name, options) or factions_of(name, options) or (given_of(name, options) if given else None)
    if found is None:
        return [options]
    option, words = found
    setups = [{**options, option: chosen} for chosen in permutations(words, game_of(name, options).seats)]
    try:
        for setup in setups:
            game_of(name, setup)
    except OptionError:  # an owner's card file with other factions
        return [options]
    return setups or [options]


def mirrors(name: str, options: Options) -> list[Options]:
    """The options with each ready-made deck for all seats. Raises OptionError where there are none."""
    game = game_of(name, options)
    found = decks_of(name, options)
    if found and found[1]:
        option, words = found
        return [{**options, option: (word,) * game.seats} for word in words]
    if not games.kind(name).has_decks():
        why = "nobody brings a deck"
    else:
        why = "there are no ready-made ones" if found else "the option gives the decks already"
    raise OptionError(f"{game.title} cannot be played with mirrored decks: {why}.")


def decks_of(name: str, options: Options) -> tuple[str, list[str]] | None:
    """The option that takes a deck for each seat, and the ready-made ones (an owner's too)."""
    if not games.kind(name).has_decks():
        return None
    decks = game_of(name, options).decks()
    if decks is None or decks.option in options:
        return None
    return decks.option, [decks.word(deck) for deck in decks.ready()]


def factions_of(name: str, options: Options) -> tuple[str, list[str]] | None:
    """The option that takes a faction for each seat, and the factions that the lobby lists."""
    kind = games.kind(name)
    if "factions" in options or "factions" not in {option.name for option in kind.options_spec}:
        return None
    return "factions", [faction["slug"] for faction in kind.lobby()["factions"]]


def given_of(name: str, options: Options) -> tuple[str, list[str]] | None:
    """The option that gives each seat a side that it would choose in the game itself, and all sides."""
    found = game_of(name, options).given_sides()
    return None if found is None or found[0] in options else found


def game_of(name: str, options: Options) -> Game:
    """A game, made once in each process."""
    key = f"{name} {options!r}"
    if key not in _GAMES:
        _GAMES[key] = games.game(name, **options)
    return _GAMES[key]


def entrant(text: str, game: Game) -> Bot:
    """A bot of a level, `club`; of a level that thinks for so many iterations, `club:200`; or who searches for the
    best answer to one of these, `exploiter/club`. Raises OptionError."""
    if text.startswith(EXPLOITER):
        frozen = text.removeprefix(EXPLOITER)
        return Exploiter(frozen, game, entrant(frozen, game))
    level, colon, iterations = text.partition(":")
    bot = make(level, game)
    if colon:
        if not (iterations.isascii() and iterations.isdigit() and 0 < int(iterations) <= MOST):
            raise OptionError(f"{text!r} should end with a number of iterations from 1 to {MOST}, as in {level}:200.")
        bot.budget = Budget(iterations=int(iterations))
    return bot


def play_deal(
    a: str, b: str, name: str, setups: list[Options], seed: int, number: int, maker: Maker | None = None
) -> Deal:
    """All games of one deal, and the seconds of A's and B's decisions."""
    game = game_of(name, setups[number % len(setups)])
    stream = Rng((seed + (number + 1) * MIX) & WORD)
    chance = stream.seed()
    bot_a, bot_b = (Timed((maker or entrant)(level, game)) for level in (a, b))
    found = []
    for a_seat in range(game.seats):
        if a_seat and alike(bot_a.bot, bot_b.bot):
            chance = stream.seed()
        bots = [bot_a if seat == a_seat else bot_b for seat in range(game.seats)]
        driver = Driver(Record(game), bots, chance, log=True)  # as at a table: a view tells what has happened
        driver.advance()
        outcome = driver.state.outcome()
        if outcome is None:
            raise OptionError(f"A game of {name} ended without an outcome.")
        winners = tuple(outcome.winners)
        score = 1.0 / len(winners) if a_seat in winners else 0.0
        if not winners:
            score = 1.0 / game.seats
        made = sum(1 for seat, _ in driver.record.decisions if seat >= 0)
        turns = game.turn(driver.state)
        first = asked_first(driver.record)
        found.append(Played(a_seat, tuple(sides_of(game)), score, winners, outcome.how, made, turns, first))
    return found, (bot_a.spans, bot_b.spans)


def alike(a: Bot, b: Bot) -> bool:
    """Whether two entrants are one level that thinks as long, so that they play alike."""
    return type(a) is type(b) and (a.name, a.budget) == (b.name, b.budget)


def asked_first(record: Record) -> Seat | None:
    """The seat that had to decide first; None where all had to at once."""
    state = record.game.start()
    for seat, action in record.decisions:
        if seat >= 0:
            return None if state.stack[-1].seat == TOGETHER else seat
        state.apply(seat, action)
    return None


def sides_of(game: Game) -> list[str]:
    """What tells the seats apart before anybody sits down."""
    decks = game.decks()
    chosen = game.options.get(side_option(game))
    if not isinstance(chosen, (list, tuple)) or len(chosen) != game.seats:
        return [f"seat {seat}" for seat in range(game.seats)]
    if decks is None:
        return [str(faction) for faction in chosen]
    names: dict[str, str] = {}
    for text in map(str, chosen):
        if text not in names:
            try:
                name = decks.find(text).slug
            except DeckError:  # a whole deck file, which may bear the name of a ready-made one
                name = slug(decks.parse(text)[0].name) or "own"
                name = f"own-{name}" if name in {deck.slug for deck in decks.ready()} else name
            names[text] = f"{name}-2" if name in names.values() else name
    return [names[str(text)] for text in chosen]


def side_option(game: Game) -> str:
    """The option that gives each seat its side."""
    decks, given = game.decks(), game.given_sides()
    return given[0] if given else "factions" if decks is None else decks.option


# ---- figures ------------------------------------------------------------------------------------


def summary(a: str, b: str, name: str, pairs: int, seed: int, deals: list[list[Played]]) -> Result:
    """What a match's games come to."""
    played = [game for deal in deals for game in deal]
    score, low, high = interval([mean(game.score for game in deal) for deal in deals])
    endings: dict[str, int] = {}
    for game in played:
        endings[game.how] = endings.get(game.how, 0) + 1
    sides = sorted({side for game in played for side in game.sides})
    seats = len(played[0].sides)
    lengths = {"decisions": [game.decisions for game in played], "turns": [game.turns for game in played]}
    return Result(
        game=name,
        version=games.kind(name).version,
        a=a,
        b=b,
        pairs=pairs,
        games=len(played),
        seed=seed,
        score=score,
        low=low,
        high=high,
        decisions=sum(lengths["decisions"]),
        lengths={what: Length(median(all), min(all), max(all)) for what, all in lengths.items() if any(all)},
        endings=dict(sorted(endings.items())),
        seats=[mean(game.score for game in played if game.a_seat == seat) for seat in range(seats)],
        first=share([[won(game, game.first) for game in deal if game.first is not None] for deal in deals]),
        sides={
            side: part
            for side in sides
            if (part := share([[got for game in deal for got in shares(game, side)] for deal in deals]))
        },
        table={
            row: {
                column: mean(found)
                for column in sides
                if (found := [g.score for g in played if against(g, row, column)])
            }
            for row in sides
        },
        digest=digest_of(played),
    )


def digest_of(played: Iterable[Played]) -> str:
    """What stands for every game of these."""
    return sha256(json.dumps([list(vars(game).values()) for game in played]).encode()).hexdigest()[:32]


def won(game: Played, seat: Seat) -> float:
    """What a seat got: 1, 0, or its part of a shared victory."""
    return 1.0 / len(game.winners) if seat in game.winners else 0.0


def share(deals: list[list[float]]) -> Share | None:
    """What somebody got in the games of each deal, None if in no game; the deals are what counts."""
    counted = [deal for deal in deals if deal]
    if not counted:
        return None
    return Share(*interval([sum(deal) / len(deal) for deal in counted]), sum(map(len, counted)))


def shares(game: Played, side: str) -> Iterator[float]:
    """What each seat that played a side got."""
    for seat, name in enumerate(game.sides):
        if name == side:
            yield won(game, seat)


def against(game: Played, row: str, column: str) -> bool:
    """Whether A played `row` and a B played `column`."""
    others = [side for seat, side in enumerate(game.sides) if seat != game.a_seat]
    return game.sides[game.a_seat] == row and column in others


def mean(values: Iterable[float]) -> float:
    """The mean, to four places; 0 of nothing."""
    found = list(values)
    return round(sum(found) / len(found), 4) if found else 0.0


def mean_of(values: list[float]) -> float:
    """The mean as it is; 0 of nothing."""
    return sum(values) / len(values) if values else 0.0


def interval(scores: list[float]) -> tuple[float, float, float]:
    """Return the mean of deals' scores, each from 0 to 1, and the ends of its 95 % interval.

    A single deal, and deals that all scored the same, have an interval as well (`Track`).
    """
    track = Track(scores)
    low, high = max(0.0, track.mean - track.half()), min(1.0, track.mean + track.half())
    return round(track.mean, 4), round(low, 4), round(high, 4)


def percentile(values: list[float], share: float) -> float:
    """The value below which this share of them lies; 0 of nothing."""
    found = sorted(values)
    return found[min(len(found) - 1, int(share * len(found)))] if found else 0.0


def show(result: Result, times: dict[str, list[float]]) -> None:
    """A match as lines of text."""
    percent = [f"{100 * value:.1f}" for value in (result.score, result.low, result.high)]
    print(f"{result.game}: A = {result.a}, B = {result.b}; {result.games} games of {result.pairs} deals")
    if result.dealt_anew:
        print("A and B play alike: every game was dealt anew, so a deal evens nothing out")
    print(f"A scores {percent[0]} % (95 %: {percent[1]} to {percent[2]}); seed {result.seed}")
    in_seats = ", ".join(f"{100 * score:.1f} % in seat {seat}" for seat, score in enumerate(result.seats))
    print(f"A by seat: {in_seats}")
    endings = ", ".join(f"{how} {count}" for how, count in result.endings.items())
    print(f"{result.decisions / result.games:.1f} decisions a game; ended by {endings}")
    for what, length in result.lengths.items():
        print(f"Length in {what}: median {length.median:g}, from {length.least} to {length.most}")
    if result.first is not None:
        print(f"Who is asked first wins {in_percent(result.first)}")
    for label, spans in times.items():
        level = result.a if label == "A" else result.b
        p50, p95 = (1000 * percentile(spans, share) for share in (0.5, 0.95))
        print(f"{label} ({level}): ms of CPU a decision: {1000 * mean_of(spans):.2f}, p50 {p50:.2f}, p95 {p95:.2f}")
    print(f"Digest {result.digest}: the same with any number of workers")
    sides = list(result.sides)
    wide = max(9, *(len(side) for side in sides)) + 2
    if all(set(row) == {side} for side, row in result.table.items()):  # mirrored: both always have the same
        print("\nA's score by side")
        for side in sides:
            print(f"{side:<{wide}}{100 * result.table[side][side]:.1f} %")
        return
    print("\nA's score in %, A's side down, B's across; the last column is how often a side won at all")
    print(" " * wide + "".join(f"{side[: wide - 1]:>{wide}}" for side in [*sides, "all"]))
    for side in sides:
        cells = [result.table[side].get(other) for other in sides]
        row = "".join(f"{'' if cell is None else f'{100 * cell:.0f}':>{wide}}" for cell in cells)
        print(f"{side:<{wide}}{row}{100 * result.sides[side].score:>{wide}.1f}")
    print("\nHow often each side won")
    for side, found in result.sides.items():
        print(f"{side:<{wide}}{in_percent(found)}")


def in_percent(share: Share) -> str:
    """`54.0 % (95 %: 50.1 to 57.9; 200 games)`."""
    low, high = (f"{100 * value:.1f}" for value in (share.low, share.high))
    return f"{100 * share.score:.1f} % (95 %: {low} to {high}; {share.games} games)"
