"""Is it fair? Every side against every other, each matchup as closely as was asked, and what else a designer asks of a
game: who begins, how often the lead changes, whether somebody who is nearly beaten can still win.

Games are spent where they tell most: in waves, each matchup gets so many as its interval still lacks, at most as many
again as it has. A lopsided matchup is known sooner than an even one, and sides that meet themselves tell one figure
together. What a wave plays follows from the waves before it alone, so any number of processes finds the same.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from hashlib import sha256
from itertools import combinations
from math import ceil, sqrt
from pathlib import Path
from typing import Final

from gonfalon import games
from gonfalon.bots import make
from gonfalon.core.basics.decks import DeckError
from gonfalon.core.basics.errors import OptionError
from gonfalon.core.basics.options import Options
from gonfalon.core.basics.rng import Rng
from gonfalon.core.files.reading import NOT_ORDINARY, read_text
from gonfalon.core.rules.game import Game
from gonfalon.lab.run.blocks import Arm, Block, Row
from gonfalon.lab.run.match import MIX, WORD, decks_of, factions_of, given_of, matchups, side_option, sides_of
from gonfalon.lab.run.sequential import Track
from gonfalon.lab.run.session import Crew
from gonfalon.lab.run.workers import Workers
from gonfalon.lab.studies.whatif.whatif import BY_HAND, belief_in_shares

LEAST: Final = 2
"""Blocks of a matchup before anything is said of it."""
BEATEN: Final = 0.2
"""Whoever wins after such a chance has come back."""
CLEAR: Final = 0.05
COLUMN: Final = 9
"""How wide a column of matchups is."""


@dataclass(frozen=True)
class Figure:
    """A mean with half of its 95 % interval, and the games that tell of it."""

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
    """What the first side scores against the second, from either seat."""

    a: str
    b: str
    score: float
    half: float
    games: int


@dataclass(frozen=True)
class Balance:
    """What a study of fairness has found."""

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
    """The share of victories over all opponents, each counted alike."""
    seats: list[Figure]
    first: list[Figure]
    """Of whoever decides first, among equals where the game lets them meet: else it would be a side's share."""
    equals: bool
    came: list[Figure]
    """The share of victories with each goal, where such things are chosen or dealt in the game."""
    length: list[Figure]
    endings: list[Figure]
    story: list[Figure]
    """Changes of the lead in a game, the share of winners who had been nearly beaten, that of decisions that matter; by
    the players' own chances, so there are none by players who tell none."""
    digest: str
    stopped: bool = False
    """Whether somebody has stopped it; the intervals are the wider ones then."""


class Matchup:
    """Two sides that meet, or one that meets itself, or the one table of a game without sides; its rounds so far."""

    def __init__(self, arm: Arm, a: str, b: str) -> None:
        self.arm = arm
        self.a = a
        self.b = b
        self.rows: list[Row] = []
        self.blocks: int = 0
        self.score: Track = Track(grain=1 / len(arm.setups))
        self.alike: int = 1
        """So many matchups tell one figure together: each may be known less closely by itself."""

    def half(self) -> float:
        """Half of the interval of what it tells."""
        return self.score.half() / sqrt(self.alike)

    def add(self, block: Block) -> None:
        """Take the next block in."""
        self.blocks += 1
        self.rows += block.rows
        width = len(self.arm.setups)
        for at in range(0, len(block.rows), width):
            rows = block.rows[at : at + width]
            if self.a != self.b:
                self.score.add(sum(row.scores[row.sides.index(self.a)] for row in rows) / width)
            else:
                self.score.add(sum(row.scores[max(0, row.first)] for row in rows) / width)

    def lacking(self, precision: float) -> int:
        """How many blocks it still needs, at most as many as it has."""
        if self.blocks < LEAST:
            return LEAST - self.blocks
        more = ceil(self.blocks * ((self.half() / precision) ** 2 - 1))
        return max(0, min(self.blocks, more))


def study(
    name: str,
    options: Options,
    players: str,
    precision: float = 0.05,
    most: int = 100_000,
    seed: int = 0,
    workers: Workers = 1,
    folder: Path | None = None,
    tell: Callable[[int, float, int], None] | None = None,
    keep: Callable[[Arm, list[Row]], None] | None = None,
    sides: Sequence[str] = (),
) -> Balance:
    """Play until every matchup is known as closely as was asked, the most games are played, or somebody stops it. With
    `sides` these alone meet: factions, decks, types, or the files of decks. Raises OptionError, and
    KeyboardInterrupt where nothing is known by then."""
    met = meetings(name, options, players, seed, sides)
    least = sum(LEAST * games_of(matchup) for matchup in met)
    if most < least:
        raise OptionError(
            f"It takes {least:,} games before anything can be told of these matchups; {most:,} are too few."
        )
    make(players.partition(":")[0], games.game(name, **json_options(met[0].arm)))
    digest, spent, played, reached, stopped = sha256(), 0.0, 0, False, False
    with Crew(workers, folder) as crew:
        while not reached and played < most:
            wave = affordable(
                [(matchup, matchup.blocks + more) for matchup in met for more in range(matchup.lacking(precision))],
                most - played,
            )
            if not wave:
                break
            try:
                blocks = crew.play([(m.arm, n) for m, n in wave])
            except KeyboardInterrupt:
                if not played:
                    raise
                stopped = True
                break
            for (matchup, _), block in zip(wave, blocks, strict=True):
                matchup.add(block)
                digest.update(block.digest.encode())
                spent += block.spent
                played += len(block.rows)
            reached = not any(matchup.lacking(precision) for matchup in met)
            if tell is not None:
                left = sum(matchup.lacking(precision) * games_of(matchup) for matchup in met)
                tell(played, max(matchup.half() for matchup in met), left)
    if keep is not None:
        for matchup in met:
            keep(matchup.arm, matchup.rows)
    whole = digest.hexdigest()[:32]
    return found(name, options, players, seed, precision, reached, met, round(spent, 2), whole, stopped)


def games_of(matchup: Matchup) -> int:
    """How many games a block of a matchup has."""
    return len(matchup.arm.setups) * matchup.arm.rounds


def affordable(wave: list[tuple[Matchup, int]], games: int) -> list[tuple[Matchup, int]]:
    """The blocks of a wave for which there are games left, as many of one matchup as of another while it lasts."""
    left, kept = games, set()
    for matchup, number in sorted(wave, key=lambda one: one[1] - one[0].blocks):
        left -= games_of(matchup)
        if left < 0:
            break
        kept.add((matchup, number))
    return [one for one in wave if one in kept]


def json_options(arm: Arm) -> Options:
    """The options of an arm's first table."""
    import json

    made: Options = json.loads(arm.setups[0])
    return made


def meetings(name: str, options: Options, players: str, seed: int, sides: Sequence[str] = ()) -> list[Matchup]:
    """Every two sides, then each side and itself where the game allows that. A game without sides is one table. Raises
    OptionError."""
    game = games.game(name, **options)
    choice, options = choice_of(game, options, sides)
    if choice is None or game.seats != 2:
        setups = matchups(name, options)
        return [Matchup(Arm.of(name, setups, players, seed), "", "")]
    option, words = choice
    made: list[Matchup] = []
    names: dict[str, str] = {}
    for a, b in [*combinations(words, 2), *((word, word) for word in words)]:
        setups = [{**options, option: pair} for pair in (((a, b), (b, a)) if a != b else ((a, b),))]
        mirror = {"mirror": True} if a == b and "mirror" in game.options else {}
        try:
            own = Rng((seed + (len(made) + 1) * MIX) & WORD).seed()  # deals of its own: else all would share their luck
            arm = Arm.of(name, [{**setup, **mirror} for setup in setups], players, own)
            who = sides_of(games.game(name, **setups[0], **mirror))
        except OptionError:
            if a == b:
                continue
            raise
        if any(names.setdefault(word, side) != side for word, side in zip((a, b), who, strict=True)):
            raise OptionError(f"Two of these decks are called {who[0]!r}; give one of them another Name.")
        made.append(Matchup(arm, who[0], who[1]))
    mirrors = [matchup for matchup in made if matchup.a == matchup.b]
    for matchup in mirrors:
        matchup.alike = len(mirrors)  # what it is worth to begin
    return made


def choice_of(game: Game, options: Options, sides: Sequence[str]) -> tuple[tuple[str, list[str]] | None, Options]:
    """The option that gives each seat its side, and the sides that meet; the other options. Those that the options
    give to the seats are sides that meet, too. Raises OptionError."""
    option = side_option(game)
    given = game.options.get(option) if option in options else None
    if sides:
        found = [side_of(game, text) for text in sides]
    elif isinstance(given, (list, tuple)) and len(given) == game.seats:
        found = [str(side) for side in given]
    else:
        name = game.name
        return decks_of(name, options) or factions_of(name, options) or given_of(name, options), options
    if game.seats != 2:
        raise OptionError(f"Sides can be named where two play, and {game.title} has {game.seats} seats.")
    return (option, list(dict.fromkeys(found))), {key: value for key, value in options.items() if key != option}


def side_of(game: Game, text: str) -> str:
    """What the game's option takes a side by: the word itself, or what stands in a deck's file. Raises OptionError."""
    known = decks_of(game.name, {}) or factions_of(game.name, {}) or given_of(game.name, {})
    if known is None:
        raise OptionError(f"{game.title} has no sides to be named.")
    path, decks = Path(text), game.decks()
    if text in known[1]:
        return text
    if decks is None:
        raise OptionError(f"There is no side {text[:60]!r} in {game.title}; there are {', '.join(known[1])}.")
    if not path.is_file():
        if path.parent != Path() and path.exists():
            raise OptionError(NOT_ORDINARY.format(path))
        try:
            decks.find(text)
        except DeckError:
            there = f"there are {', '.join(known[1])}"
            raise OptionError(f"There is no file {text[:200]!r}, and no such ready-made deck; {there}.") from None
        return text
    try:
        return read_text(path)
    except (OSError, ValueError):
        raise OptionError(f"{path} cannot be read as a deck file.") from None


# ---- figures --------------------------------------------------------------------------------------------------


def found(
    name: str,
    options: Options,
    players: str,
    seed: int,
    precision: float,
    reached: bool,
    met: list[Matchup],
    spent: float,
    digest: str,
    stopped: bool = False,
) -> Balance:
    """All that the matchups come to."""
    game = games.game(name, **options)
    told = partial(figure, wide=stopped)
    rows = [row for matchup in met for row in matchup.rows]
    pairs = [matchup for matchup in met if matchup.a != matchup.b]
    mirrors = [matchup for matchup in met if matchup.a == matchup.b and matchup.a]
    apart = [row for matchup in (pairs or met) for row in matchup.rows]
    equal = [row for matchup in mirrors for row in matchup.rows] or apart
    ways = sorted({row.how for row in apart})
    came = sorted({word for row in rows if row.came != row.sides for word in row.came})
    return Balance(
        game=name,
        title=game.title,
        version=game.version,
        data=game.data_hash,
        players=players,
        believe=belief_in_shares(players),
        seed=seed,
        precision=precision,
        reached=reached,
        games=len(rows),
        spent=spent,
        cells=[Cell(m.a, m.b, round(m.score.mean, 4), half_of(m.score, stopped), len(m.rows)) for m in pairs],
        sides=shares(pairs, stopped),
        seats=[told(f"seat {seat}", (row.scores[seat] for row in apart)) for seat in range(game.seats)],
        first=some([told("who decides first", (row.scores[row.first] for row in equal if row.first >= 0))]),
        equals=bool(mirrors) or not pairs,
        came=[
            told(word, (s for row in rows for s, w in zip(row.scores, row.came, strict=True) if w == word))
            for word in came
        ],
        length=lengths(apart, stopped),
        endings=[told(how, (float(row.how == how) for row in apart)) for how in ways],
        story=stories(rows, game, stopped),
        digest=digest,
        stopped=stopped,
    )


def figure(what: str, values: Iterable[float], wide: bool = False) -> Figure:
    """The mean of some games; `wide`: with the interval that holds whenever one stops."""
    track = Track(values)
    return Figure(what, round(track.mean, 4), half_of(track, wide) if track.n > 1 else 1.0, track.n)


def half_of(track: Track, wide: bool) -> float:
    """Half of the interval that may be told."""
    return round(track.half_at_any_time() if wide else track.half(), 4)


def some(figures: Iterable[Figure]) -> list[Figure]:
    """Those of which something is known."""
    return [figure for figure in figures if figure.games]


def shares(pairs: list[Matchup], wide: bool = False) -> list[Figure]:
    """What each side scores over all opponents, who count alike however often they were met."""
    sides = list(dict.fromkeys(side for matchup in pairs for side in (matchup.a, matchup.b)))
    told = []
    for side in sides:
        own = [m for m in pairs if side in (m.a, m.b)]
        score = sum(m.score.mean if m.a == side else 1 - m.score.mean for m in own) / len(own)
        half = sqrt(sum(half_of(m.score, wide) ** 2 for m in own)) / len(own)
        told.append(Figure(side, round(score, 4), round(half, 4), sum(len(m.rows) for m in own)))
    return sorted(told, key=lambda figure: -figure.value)


def lengths(rows: list[Row], wide: bool = False) -> list[Figure]:
    """How long games are."""
    turns = figure("turns or rounds", (float(row.length) for row in rows if row.length), wide)
    return some([figure("decisions", (float(row.decisions) for row in rows), wide), turns])


def stories(rows: list[Row], game: Game, wide: bool = False) -> list[Figure]:
    """How games went, as far as chances were told."""
    told = [row for row in rows if row.told]
    if not told:
        return []
    decisions = figure("decisions that matter", (row.mattered / row.told for row in told), wide)
    back = figure("winners who had been nearly beaten", (float(row.lowest < BEATEN) for row in told), wide)
    leads = figure("changes of the lead in a game", (float(row.leads) for row in told), wide)
    return some([decisions, back, *([leads] if game.seats == 2 else [])])


# ---- telling --------------------------------------------------------------------------------------------------


def lines(balance: Balance, names: Mapping[str, str]) -> list[str]:
    """A study as lines of text. `names`: how people call factions and decks."""
    told = [
        f"{balance.title}, played by {balance.players}, who {balance.believe}",
        f"{balance.games:,} games in {balance.spent:.0f} s of CPU time.",
    ]
    if balance.stopped:
        told.append(BY_HAND)
    elif not balance.reached:
        told.append(f"Not every matchup is known to ±{100 * balance.precision:g} points: more games are needed.")
    if balance.cells:
        told += ["", *matrix(balance, names)]
    for head, figures, scale in (
        ("share of victories, %", balance.sides, 100.0),
        ("by what they turned out to have, %", balance.came, 100.0),
        ("by seat, %", balance.seats, 100.0),
        ("beginning, %" + ("" if balance.equals else ", which side begins mixed in"), balance.first, 100.0),
        ("length", balance.length, 1.0),
        ("ended by, %", balance.endings, 100.0),
    ):
        if figures:
            called = [replace(figure, what=names.get(figure.what, figure.what)) for figure in figures]
            told += ["", head, *[f"  {row(figure, scale)}" for figure in called]]
    if balance.story:
        told += ["", "how games went, by the players' own chances"]
        told += [
            f"  {row(f, 1.0 if 'lead' in f.what else 100.0)}{'' if 'lead' in f.what else ' %'}" for f in balance.story
        ]
    return [*told, "", f"Digest {balance.digest}: the same with any number of workers."]


def row(figure: Figure, scale: float) -> str:
    """A figure as a line."""
    return f"{figure.what:<36}{scale * figure.value:>7.1f} ±{scale * figure.half:.1f}"


def score_of(balance: Balance, a: str, b: str) -> tuple[float, float] | None:
    """What a side scores against another, with half the interval."""
    for cell in balance.cells:
        if (cell.a, cell.b) == (a, b):
            return cell.score, cell.half
        if (cell.b, cell.a) == (a, b):
            return 1 - cell.score, cell.half
    return None


def matrix(balance: Balance, names: Mapping[str, str]) -> list[str]:
    """The matchups as a table, whose columns have the numbers of its rows."""
    sides = [figure.what for figure in balance.sides]
    heads = [f"{number} {names.get(side, side)}" for number, side in enumerate(sides, start=1)]
    title = "row against column, %"
    wide = max(map(len, [title, *heads])) + 2
    told = [f"{title:<{wide}}" + "".join(f"{number:>{COLUMN}}" for number in range(1, len(sides) + 1))]
    for a, head in zip(sides, heads, strict=True):
        cells = [score_of(balance, a, b) for b in sides]
        texts = ["" if cell is None else f"{100 * cell[0]:.0f} ±{100 * cell[1]:.0f}" for cell in cells]
        told.append(f"{head:<{wide}}" + "".join(f"{text:>{COLUMN}}" for text in texts))
    return told


def known(balance: Balance) -> float:
    """How closely the least known matchup is known; that of a game without sides is known by its seats."""
    return max(found.half for found in (balance.cells or balance.seats))


def clear(balance: Balance) -> list[Figure]:
    """The sides that surely lie outside 45 to 55 %."""
    return [figure for figure in balance.sides if figure.low > 0.5 + CLEAR or figure.high < 0.5 - CLEAR]
