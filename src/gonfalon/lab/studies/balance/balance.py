"""The fairness of a game: the score of every side against every other, with the precision that was requested.

The study also measures other properties that matter to a designer: the advantage of deciding first, changes of the
lead, and comebacks. Games are spent where they are most useful: in waves, each matchup gets the number that its
interval still lacks, at most doubling its games. A lopsided matchup needs fewer games than an even one, and mirror
matches share one figure. A wave follows from the waves before it alone, so any number of processes has the same result.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from hashlib import sha256
from itertools import combinations
from math import ceil, sqrt
from pathlib import Path
from typing import Final, TypeAlias

from gonfalon import games
from gonfalon.bots import make
from gonfalon.core.basics.decks import DeckError
from gonfalon.core.basics.errors import OptionError
from gonfalon.core.basics.options import Options
from gonfalon.core.basics.rng import Rng
from gonfalon.core.files.reading import NOT_ORDINARY, read_text
from gonfalon.core.rules.game import Game
from gonfalon.lab.run.blocks import Arm, Block, Row
from gonfalon.lab.run.match import (
    SEED_FACTOR,
    WORD_MASK,
    find_deck_option,
    find_faction_option,
    find_given_option,
    find_side_option,
    list_matchups,
    name_sides,
)
from gonfalon.lab.run.sequential import RunningMean
from gonfalon.lab.run.session import BlockTeam
from gonfalon.lab.run.workers import Workers
from gonfalon.lab.studies.whatif.whatif import INTERRUPTED_NOTE, describe_share_reliability

MIN_BLOCKS: Final = 2
"""Number of blocks of a matchup before anything is reported."""
COMEBACK_CHANCE: Final = 0.2
"""Estimated win chance below which a later victory counts as a comeback."""
CLEAR_DISTANCE: Final = 0.05
"""Smallest distance from 50 % at which a side counts as clearly uneven."""
COLUMN_WIDTH: Final = 9
"""Width of a column of matchups, in characters."""


ReportProgress: TypeAlias = Callable[[int, float, int], None]
"""A function called with the number of games, the widest half interval, and the number of missing games."""


@dataclass(frozen=True)
class Figure:
    """A mean with half of its 95 % interval, and the number of games."""

    what: str
    value: float
    half: float
    games: int

    @property
    def low(self) -> float:
        return self.value - self.half

    @property
    def high(self) -> float:
        return self.value + self.half


@dataclass(frozen=True)
class Cell:
    """The score of the first side against the second, from either seat."""

    a: str
    b: str
    score: float
    half: float
    games: int


@dataclass(frozen=True)
class Balance:
    """The result of a study of fairness."""

    game: str
    title: str
    version: str
    data: str
    players: str
    believe: str
    seed: int
    precision: float
    reached: bool
    games: int
    spent: float
    cells: list[Cell]
    sides: list[Figure]
    """Score of each side over all opponents with equal weights."""
    seats: list[Figure]
    first: list[Figure]
    """Score of the seat that decides first.

    Only mirror matches count if the game allows them: elsewhere the side would matter too.
    """
    equals: bool
    came: list[Figure]
    """Score with each goal or type that is chosen or dealt during the game."""
    length: list[Figure]
    endings: list[Figure]
    story: list[Figure]
    """Changes of the lead, comebacks and decisive decisions, by the players' own estimates; empty without estimates."""
    digest: str
    stopped: bool = False
    """Whether the study was interrupted. The intervals are the wider ones then."""


class Matchup:
    """Two sides, a side against itself, or the only table of a game without sides, with its rounds so far."""

    def __init__(self, arm: Arm, a: str, b: str) -> None:
        self.arm = arm
        self.a = a
        self.b = b
        self.rows: list[Row] = []
        self.blocks: int = 0
        self.score: RunningMean = RunningMean(grain=1 / len(arm.setups))
        self.alike: int = 1
        """Number of matchups that share one figure, so that each may be less precise."""

    def half_width(self) -> float:
        """Return half of the interval of the matchup's figure."""
        return self.score.half_width() / sqrt(self.alike)

    def add(self, block: Block) -> None:
        """Add the next block."""
        self.blocks += 1
        self.rows += block.rows
        width = len(self.arm.setups)
        for at in range(0, len(block.rows), width):
            rows = block.rows[at : at + width]
            # A mirror match has no first side; its figure is the score of deciding first.
            if self.a != self.b:
                self.score.add(sum(row.scores[row.sides.index(self.a)] for row in rows) / width)
            else:
                self.score.add(sum(row.scores[max(0, row.first)] for row in rows) / width)

    def count_missing_blocks(self, precision: float) -> int:
        """Return the number of missing blocks, at most the number of existing ones."""
        # An interval needs a few blocks before its width means anything.
        if self.blocks < MIN_BLOCKS:
            return MIN_BLOCKS - self.blocks
        # The width of an interval falls with the square root of the number of games.
        more = ceil(self.blocks * ((self.half_width() / precision) ** 2 - 1))
        return max(0, min(self.blocks, more))


def study_balance(
    name: str,
    options: Options,
    players: str,
    precision: float = 0.05,
    most: int = 100_000,
    seed: int = 0,
    workers: Workers = 1,
    folder: Path | None = None,
    tell: ReportProgress | None = None,
    keep: Callable[[Arm, list[Row]], None] | None = None,
    sides: Sequence[str] = (),
) -> Balance:
    """Play until every matchup has the precision, the games are used up, or the study is interrupted.

    Args:
        name: The name of the game.
        options: Its options.
        players: The level of all seats.
        precision: The wanted half width of each interval, as a share.
        most: The maximum number of games.
        seed: The seed of the deals.
        workers: A number of processes, or a cluster.
        folder: The folder that keeps the games, if any.
        tell: Called after each wave with the games so far, the widest interval, and the missing games.
        keep: Called at the end with the games of each matchup.
        sides: The factions, decks, types or deck files that meet; all by default.

    Raises:
        OptionError: An option or side is unknown, or there are too few games.
        KeyboardInterrupt: The study was interrupted before the first wave was done.
    """
    run = BalanceRun(pair_sides(name, options, players, seed, sides), precision, most)
    make(players, games.game(name, **first_options(run.met[0].arm)))
    with BlockTeam(workers, folder) as crew:
        run.play_waves(crew, tell)
    if keep is not None:
        for matchup in run.met:
            keep(matchup.arm, matchup.rows)
    return summarize_study(name, options, players, seed, run)


class BalanceRun:
    """A running study of fairness: its matchups, and the counts of their games."""

    def __init__(self, met: list[Matchup], precision: float, most: int) -> None:
        """Set up the counts.

        Raises:
            OptionError: There are too few games for a first wave.
        """
        least = sum(MIN_BLOCKS * block_games(matchup) for matchup in met)
        if most < least:
            raise OptionError(f"These matchups need at least {least:,} games; {most:,} are too few.")
        self.met = met
        self.precision = precision
        self.most = most
        self.games: int = 0
        self.spent: float = 0.0
        """CPU seconds."""
        self.digest = sha256()
        self.stopped: bool = False
        """Whether the study was interrupted."""

    def count_missing_games(self) -> int:
        """Return the number of missing games of all matchups."""
        return sum(matchup.count_missing_blocks(self.precision) * block_games(matchup) for matchup in self.met)

    def plan_wave(self) -> list[tuple[Matchup, int]]:
        """Return the missing blocks that the remaining games allow; none at the end of the study."""
        wave = [
            (matchup, matchup.blocks + more)
            for matchup in self.met
            for more in range(matchup.count_missing_blocks(self.precision))
        ]
        return limit_wave(wave, self.most - self.games)

    def play_waves(self, crew: BlockTeam, tell: ReportProgress | None) -> None:
        """Play until nothing is missing, the games are used up, or the study is interrupted.

        Raises:
            KeyboardInterrupt: The study was interrupted before the first wave was done.
        """
        while wave := self.plan_wave():
            try:
                blocks = crew.play([(matchup.arm, number) for matchup, number in wave])
            except KeyboardInterrupt:
                if not self.games:
                    raise
                self.stopped = True
                return
            self.add(wave, blocks)
            if tell is not None:
                tell(self.games, max(matchup.half_width() for matchup in self.met), self.count_missing_games())

    def add(self, wave: list[tuple[Matchup, int]], blocks: list[Block]) -> None:
        """Add the blocks of a wave."""
        for (matchup, _), block in zip(wave, blocks, strict=True):
            matchup.add(block)
            self.digest.update(block.digest.encode())
            self.spent += block.spent
            self.games += len(block.rows)


def block_games(matchup: Matchup) -> int:
    """Return the number of games of a block of a matchup."""
    return len(matchup.arm.setups) * matchup.arm.rounds


def limit_wave(wave: list[tuple[Matchup, int]], games: int) -> list[tuple[Matchup, int]]:
    """Return the blocks of a wave that fit the remaining games, evenly spread over the matchups."""
    left, kept = games, set()
    # Blocks in rounds over all matchups, so that an early end treats them alike.
    for matchup, number in sorted(wave, key=lambda one: one[1] - one[0].blocks):
        left -= block_games(matchup)
        if left < 0:
            break
        kept.add((matchup, number))
    return [one for one in wave if one in kept]


def first_options(arm: Arm) -> Options:
    """Return the options of an arm's first table."""
    import json

    made: Options = json.loads(arm.setups[0])
    return made


def pair_sides(name: str, options: Options, players: str, seed: int, sides: Sequence[str] = ()) -> list[Matchup]:
    """Return the matchups: every pair of sides, then each side against itself if the game allows it.

    A game without sides has one matchup.

    Raises:
        OptionError: A side is unknown, or two decks have the same name.
    """
    game = games.game(name, **options)
    choice, options = find_sides(game, options, sides)
    if choice is None or game.seats != 2:
        setups = list_matchups(name, options)
        return [Matchup(Arm.of(name, setups, players, seed), "", "")]
    option, words = choice
    made: list[Matchup] = []
    names: dict[str, str] = {}
    for a, b in [*combinations(words, 2), *((word, word) for word in words)]:
        setups = [{**options, option: pair} for pair in (((a, b), (b, a)) if a != b else ((a, b),))]
        mirror = {"mirror": True} if a == b and "mirror" in game.options else {}
        try:
            # Each matchup has its own deals: otherwise all matchups would share their luck.
            own = Rng((seed + (len(made) + 1) * SEED_FACTOR) & WORD_MASK).seed()
            arm = Arm.of(name, [{**setup, **mirror} for setup in setups], players, own)
            who = name_sides(games.game(name, **setups[0], **mirror))
        except OptionError:
            if a == b:
                continue
            raise
        # Results are reported by name, so different decks need different names.
        if any(names.setdefault(word, side) != side for word, side in zip((a, b), who, strict=True)):
            raise OptionError(f"Two of these decks have the name {who[0]!r}. Change the Name of one of them.")
        made.append(Matchup(arm, who[0], who[1]))
    mirrors = [matchup for matchup in made if matchup.a == matchup.b]
    for matchup in mirrors:
        matchup.alike = len(mirrors)  # Mirrors share one figure, the score of deciding first.
    return made


def find_sides(game: Game, options: Options, sides: Sequence[str]) -> tuple[tuple[str, list[str]] | None, Options]:
    """Return the option for the sides with the sides that meet, and the other options.

    Sides that the options already set are the sides that meet.

    Raises:
        OptionError: A side is unknown, or the game does not have two seats.
    """
    option = find_side_option(game)
    given = game.options.get(option) if option in options else None
    if sides:
        found = [read_side(game, text) for text in sides]
    elif isinstance(given, (list, tuple)) and len(given) == game.seats:
        found = [str(side) for side in given]
    else:
        name = game.name
        return find_deck_option(name, options) or find_faction_option(name, options) or find_given_option(
            name, options
        ), options
    if game.seats != 2:
        raise OptionError(f"Sides can be selected only in games with two seats, and {game.title} has {game.seats}.")
    return (option, list(dict.fromkeys(found))), {key: value for key, value in options.items() if key != option}


def read_side(game: Game, text: str) -> str:
    """Return the value of the game's option for a side: its name, or the contents of a deck file.

    Raises:
        OptionError: There is no such side or file.
    """
    known = find_deck_option(game.name, {}) or find_faction_option(game.name, {}) or find_given_option(game.name, {})
    if known is None:
        raise OptionError(f"{game.title} has no sides to select.")
    path, decks = Path(text), game.decks()
    if text in known[1]:
        return text
    if decks is None:
        raise OptionError(f"{game.title} has no side {text[:60]!r}. Its sides: {', '.join(known[1])}.")
    if not path.is_file():
        if path.parent != Path() and path.exists():
            raise OptionError(NOT_ORDINARY.format(path))
        try:
            decks.find(text)
        except DeckError:
            there = ", ".join(known[1])
            raise OptionError(
                f"There is no file {text[:200]!r}, and no such preset deck. Preset decks: {there}."
            ) from None
        return text
    try:
        return read_text(path)
    except (OSError, ValueError):
        raise OptionError(f"Cannot read {path} as a deck file.") from None


# ---- figures --------------------------------------------------------------------------------------------------


def summarize_study(name: str, options: Options, players: str, seed: int, run: BalanceRun) -> Balance:
    """Return the result of a study from its matchups."""
    game, met, stopped = games.game(name, **options), run.met, run.stopped
    told = partial(make_figure, wide=stopped)
    rows = [row for matchup in met for row in matchup.rows]
    pairs = [matchup for matchup in met if matchup.a != matchup.b]
    mirrors = [matchup for matchup in met if matchup.a == matchup.b and matchup.a]
    apart = [row for matchup in (pairs or met) for row in matchup.rows]
    equal = [row for matchup in mirrors for row in matchup.rows] or apart
    ways = sorted({row.how for row in apart})
    return Balance(
        game=name,
        title=game.title,
        version=game.version,
        data=game.data_hash,
        players=players,
        believe=describe_share_reliability(players),
        seed=seed,
        precision=run.precision,
        reached=not run.count_missing_games(),
        games=len(rows),
        spent=round(run.spent, 2),
        cells=[Cell(m.a, m.b, round(m.score.mean, 4), reported_half(m.score, stopped), len(m.rows)) for m in pairs],
        sides=side_figures(pairs, stopped),
        seats=[told(f"seat {seat}", (row.scores[seat] for row in apart)) for seat in range(game.seats)],
        first=keep_known(
            [told("the seat that decides first", (row.scores[row.first] for row in equal if row.first >= 0))]
        ),
        equals=bool(mirrors) or not pairs,
        came=came_figures(rows, stopped),
        length=length_figures(apart, stopped),
        endings=[told(how, (float(row.how == how) for row in apart)) for how in ways],
        story=story_figures(rows, game, stopped),
        digest=run.digest.hexdigest()[:32],
        stopped=stopped,
    )


def make_figure(what: str, values: Iterable[float], wide: bool = False) -> Figure:
    """Return the mean of some games.

    Args:
        what: The name of the figure.
        values: One value for each game.
        wide: Whether to use the interval that holds at any time.
    """
    track = RunningMean(values)
    return Figure(what, round(track.mean, 4), reported_half(track, wide) if track.n > 1 else 1.0, track.n)


def reported_half(track: RunningMean, wide: bool) -> float:
    """Return half of the interval that may be reported."""
    return round(track.half_width_any_time() if wide else track.half_width(), 4)


def keep_known(figures: Iterable[Figure]) -> list[Figure]:
    """Return the figures with at least one game."""
    return [figure for figure in figures if figure.games]


def side_figures(pairs: list[Matchup], wide: bool = False) -> list[Figure]:
    """Return the score of each side over all opponents with equal weights."""
    sides = list(dict.fromkeys(side for matchup in pairs for side in (matchup.a, matchup.b)))
    told = []
    for side in sides:
        own = [m for m in pairs if side in (m.a, m.b)]
        # Each opponent has the same weight, although closer matchups have more games.
        score = sum(m.score.mean if m.a == side else 1 - m.score.mean for m in own) / len(own)
        # Matchups are independent, so the squares of their intervals add up.
        half = sqrt(sum(reported_half(m.score, wide) ** 2 for m in own)) / len(own)
        told.append(Figure(side, round(score, 4), round(half, 4), sum(len(m.rows) for m in own)))
    return sorted(told, key=lambda figure: -figure.value)


def came_figures(rows: list[Row], wide: bool = False) -> list[Figure]:
    """Return the score with each goal or type that is chosen or dealt during the game."""
    return [
        make_figure(word, (s for row in rows for s, w in zip(row.scores, row.came, strict=True) if w == word), wide)
        for word in sorted({word for row in rows if row.came != row.sides for word in row.came})
    ]


def length_figures(rows: list[Row], wide: bool = False) -> list[Figure]:
    """Return the lengths of games."""
    turns = make_figure("turns or rounds", (float(row.length) for row in rows if row.length), wide)
    return keep_known([make_figure("decisions", (float(row.decisions) for row in rows), wide), turns])


def story_figures(rows: list[Row], game: Game, wide: bool = False) -> list[Figure]:
    """Return figures about the course of games, from the players' estimates."""
    told = [row for row in rows if row.told]
    if not told:
        return []
    decisions = make_figure("decisive decisions", (row.mattered / row.told for row in told), wide)
    back = make_figure("comebacks among victories", (float(row.lowest < COMEBACK_CHANCE) for row in told), wide)
    leads = make_figure("changes of the lead in a game", (float(row.leads) for row in told), wide)
    return keep_known([decisions, back, *([leads] if game.seats == 2 else [])])


# ---- output --------------------------------------------------------------------------------------------------


def format_lines(balance: Balance, names: Mapping[str, str]) -> list[str]:
    """Return a study as lines of text. `names` are the names of factions and decks by their slugs."""
    told = [
        f"{balance.title}, played by {balance.players}. Note: {balance.players} {balance.believe}",
        f"{balance.games:,} games in {balance.spent:.0f} s of CPU time.",
    ]
    if balance.stopped:
        told.append(INTERRUPTED_NOTE)
    elif not balance.reached:
        told.append(f"Not every matchup reached ±{100 * balance.precision:g} points. More games are needed.")
    if balance.cells:
        told += ["", *format_matrix(balance, names)]
    for head, figures, scale in (
        ("win rate, %", balance.sides, 100.0),
        ("by goal or type, %", balance.came, 100.0),
        ("by seat, %", balance.seats, 100.0),
        ("deciding first, %" + ("" if balance.equals else " (includes the effect of the side)"), balance.first, 100.0),
        ("length", balance.length, 1.0),
        ("ended by, %", balance.endings, 100.0),
    ):
        if figures:
            called = [replace(figure, what=names.get(figure.what, figure.what)) for figure in figures]
            told += ["", head, *[f"  {format_figure(figure, scale)}" for figure in called]]
    if balance.story:
        told += ["", "course of games, by the players' estimates"]
        told += [
            f"  {format_figure(f, 1.0 if 'lead' in f.what else 100.0)}{'' if 'lead' in f.what else ' %'}"
            for f in balance.story
        ]
    return [*told, "", f"Digest {balance.digest}: the same with any number of workers."]


def format_figure(figure: Figure, scale: float) -> str:
    """Return a figure as a line."""
    return f"{figure.what:<36}{scale * figure.value:>7.1f} ±{scale * figure.half:.1f}"


def find_score(balance: Balance, a: str, b: str) -> tuple[float, float] | None:
    """Return the score of a side against another, with half the interval; None if they have not met."""
    for cell in balance.cells:
        if (cell.a, cell.b) == (a, b):
            return cell.score, cell.half
        if (cell.b, cell.a) == (a, b):
            return 1 - cell.score, cell.half
    return None


def format_matrix(balance: Balance, names: Mapping[str, str]) -> list[str]:
    """Return the matchups as a table. Columns have the numbers of the rows."""
    sides = [figure.what for figure in balance.sides]
    heads = [f"{number} {names.get(side, side)}" for number, side in enumerate(sides, start=1)]
    title = "row against column, %"
    wide = max(map(len, [title, *heads])) + 2
    told = [f"{title:<{wide}}" + "".join(f"{number:>{COLUMN_WIDTH}}" for number in range(1, len(sides) + 1))]
    for a, head in zip(sides, heads, strict=True):
        cells = [find_score(balance, a, b) for b in sides]
        texts = ["" if cell is None else f"{100 * cell[0]:.0f} ±{100 * cell[1]:.0f}" for cell in cells]
        told.append(f"{head:<{wide}}" + "".join(f"{text:>{COLUMN_WIDTH}}" for text in texts))
    return told


def worst_precision(balance: Balance) -> float:
    """Return the precision of the least precise matchup, or of the seats in a game without sides."""
    return max(found.half for found in (balance.cells or balance.seats))


def find_uneven_sides(balance: Balance) -> list[Figure]:
    """Return the sides whose interval is outside 45 to 55 %."""
    return [
        figure for figure in balance.sides if figure.low > 0.5 + CLEAR_DISTANCE or figure.high < 0.5 - CLEAR_DISTANCE
    ]
