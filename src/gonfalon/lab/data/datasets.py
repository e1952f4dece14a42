"""Data sets: games of levels against levels on a large scale, as Parquet files of a thousand games each.

The contents of a part follow from the plan and its number alone, so any number of workers writes the same set. A part
is written completely or not at all, so the same command continues an interrupted set. Memory holds at most one part for
each worker.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property, lru_cache, partial
from hashlib import sha256
from itertools import product
from pathlib import Path
from tempfile import TemporaryDirectory
from time import process_time
from typing import Any, Final

from gonfalon import games
from gonfalon.bots import Bot, Choice, make
from gonfalon.bots.players.driver import Driver
from gonfalon.core.arrays.layout import Layout
from gonfalon.core.basics.errors import DataError, OptionError
from gonfalon.core.basics.options import Options
from gonfalon.core.basics.rng import Rng
from gonfalon.core.files.record import Record
from gonfalon.core.rules.game import Game
from gonfalon.core.rules.state import OPEN, Action, State
from gonfalon.lab.data.tables import DECISIONS, FORMAT_VERSION, GAMES, Cells, TableWriter, import_polars, read_metadata
from gonfalon.lab.run import atomic_files as whole
from gonfalon.lab.run import sources
from gonfalon.lab.run.blocks import summarize_game
from gonfalon.lab.run.match import SEED_FACTOR, WORD_MASK, list_matchups, name_sides
from gonfalon.lab.run.workers import Team, Workers

PART_GAMES: Final = 1000
"""Number of games in a part, by default."""
MAX_FILES: Final = 100_000
"""Maximum number of parts: file names have five digits."""
SET_KEY: Final = "gonfalon-set"
"""Metadata key of the set in a file; the key of the part is derived from it."""
MAX_SEATINGS: Final = 10_000
"""Maximum number of ways to seat the levels."""


@dataclass(frozen=True)
class Plan:
    """The games of a set: game k belongs to matchup k modulo their number, and the seats change with each game."""

    game: str
    setups: tuple[str, ...]
    """Options of each matchup, as JSON."""
    data: tuple[str, ...]
    """Hash of the card data of each matchup."""
    levels: tuple[str, ...]
    seed: int
    views: bool = False
    """Whether each decision comes with the seat's view as numbers."""
    size: int = PART_GAMES
    """Number of games in a part."""

    @classmethod
    def of(
        cls,
        name: str,
        options: Options,
        levels: Iterable[str],
        seed: int = 0,
        views: bool = False,
        size: int = PART_GAMES,
    ) -> Plan:
        """Return the plan of these options.

        Raises:
            OptionError: A level is unknown or named twice, or there are too many ways to seat them.
        """
        import_polars()
        made = [games.game(name, **setup) for setup in list_matchups(name, options)]
        told = tuple(levels)
        if len(set(told)) < len(told):
            raise OptionError("Name each level once.")
        for level in told:
            make(level, made[0])
        # All combinations are kept in memory.
        if len(told) ** made[0].seats > MAX_SEATINGS:
            raise OptionError(
                f"There are too many ways to seat {len(told)} levels in {made[0].seats} seats. Name fewer levels."
            )
        setups = tuple(json.dumps(game.shown_options(), sort_keys=True) for game in made)
        return cls(name, setups, tuple(game.data_hash for game in made), told, seed, views, size)

    @cached_property
    def hash(self) -> str:
        """Hash of the file format, the sources of rules and bots, the options and cards, the levels, and the seed."""
        whole = [
            FORMAT_VERSION,
            self.game,
            sources.hash_game_sources(self.game),
            self.setups,
            self.levels,
            self.seed,
            self.views,
            self.size,
        ]
        return sha256(json.dumps(whole).encode()).hexdigest()[:20]

    def seating(self, round: int, setup: int) -> tuple[str, ...]:
        """Return the level of each seat. The rounds of a matchup go through all combinations."""
        # The matchup shifts the start, so that the games of a short set do not all have the same seating.
        ways = list_seatings(self.levels, make_tables(self)[0].game.seats)
        return ways[(round + setup) % len(ways)]


@lru_cache(maxsize=8)
def list_seatings(levels: tuple[str, ...], seats: int) -> list[tuple[str, ...]]:
    """Return all ways to seat the levels."""
    return list(product(levels, repeat=seats))


@dataclass(frozen=True)
class BotTable:
    """A game with its bots and the layout of its views."""

    game: Game
    bots: Mapping[str, Bot]
    layout: Layout | None


@lru_cache(maxsize=4)
def make_tables(plan: Plan) -> list[BotTable]:
    """Return the table of each matchup, cached for each process. Bots keep no data between decisions.

    Raises:
        OptionError: The card data differ from those of the plan, as may happen on another machine.
    """
    made = [games.game(plan.game, **json.loads(setup)) for setup in plan.setups]
    if tuple(game.data_hash for game in made) != plan.data:
        raise OptionError("The card data of a worker differ from those of the main program.")
    return [
        BotTable(game, {level: make(level, game) for level in plan.levels}, Layout(game) if plan.views else None)
        for game in made
    ]


# ---- games ------------------------------------------------------------------------------------------------------


def play_to_end(plan: Plan, number: int) -> Driver:
    """Play a game of the set to its end."""
    round, setup = divmod(number, len(plan.setups))
    table = make_tables(plan)[setup]
    bots = [table.bots[level] for level in plan.seating(round, setup)]
    chance = Rng((plan.seed + (number + 1) * SEED_FACTOR) & WORD_MASK).seed()
    driver = Driver(Record(table.game), bots, chance, log=True)  # With a log, as at a table.
    driver.advance()
    return driver


def list_cells(plan: Plan, number: int) -> tuple[Cells, list[Cells]]:
    """Return the row of a game, and the rows of its decisions."""
    driver = play_to_end(plan, number)
    round, setup = divmod(number, len(plan.setups))
    levels, row = plan.seating(round, setup), summarize_game(driver, round, setup)
    common = {
        "game": plan.game, "version": driver.game.version, "data": driver.game.data_hash, "variant": "",
        "players": ",".join(dict.fromkeys(levels)), "seed": str(plan.seed), "round": round, "setup": setup,
    }  # fmt: skip
    made = driver.record.decisions
    asked, actions = [seat for seat, _ in made], [action for _, action in made]
    whole = {**common, **row._asdict(), "levels": levels, "asked": asked, "actions": actions}
    rows = []  # From positions without a log, whose views are ten times cheaper.
    for number, (state, seat, action) in enumerate(driver.record.fold(driver.game.start())):
        if seat >= 0:
            known = list_known_cells(make_tables(plan)[setup], state.mask(seat), action, driver.thoughts.get(number))
            came = {"number": number, "level": levels[seat], "score": row.scores[seat]}
            rows.append({**common, **known, **came})
    return whole, rows


def list_known_cells(table: BotTable, view: State, action: Action, thought: Choice | None) -> Cells:
    """Return the cells of a decision that follow from the view of the deciding seat.

    Raises:
        ValueError: The state is a full one, not a view.
    """
    if view.viewer == OPEN:
        raise ValueError("A decision needs a view, not a full state.")
    seat, game = view.viewer, table.game
    [asked] = view.decisions()
    others = [] if thought is None else [o.value.value for o in thought.alternatives if o.value is not None]
    cells: Cells = {
        "seat": seat, "side": name_sides(game)[seat], "prompt": asked.prompt, "options": len(asked.actions),
        "action": game.notation(action),
        "chance": None if thought is None or thought.value is None else thought.value.value,
        "other": max(others, default=None),
    }  # fmt: skip
    if table.layout is not None:
        out, ids = table.layout.new(), table.layout.writer.ids
        table.layout.write(view, out)
        cells |= {"view": bytes(out), "legal": [ids[one] for one in asked.actions], "pick": ids[action]}
    return cells


def read_record(options: Options, row: Mapping[str, Any]) -> Record:
    """Return the record of a row of a game.

    Args:
        options: The options of its setup, from the card of the set.
        row: The row.

    Raises:
        OptionError: An option is unknown.
        DataError: The installed rules or cards differ from those of the game.
    """
    game = games.game(str(row["game"]), **options)
    if (game.version, game.data_hash) != (row["version"], row["data"]):
        raise DataError(f"This game of {game.title} was played with other rules or cards than the installed ones.")
    return Record(game, game.seat_names(), list(zip(row["asked"], row["actions"], strict=True)))


# ---- parts ------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Part:
    """A part in its two files: its number, the rows of each file, the hash of all rows, and the CPU seconds."""

    at: int
    games: int
    decisions: int
    digest: str
    spent: float

    def to_metadata(self, plan: Plan) -> dict[str, str]:
        """Return the metadata of its files."""
        told = [self.at, self.games, self.decisions, self.digest, self.spent]
        return {SET_KEY: plan.hash, f"{SET_KEY}-part": json.dumps(told)}

    @classmethod
    def from_metadata(cls, marks: Mapping[str, str]) -> Part:
        """Return the part described by the metadata of a file."""
        at, count, decisions, digest, spent = json.loads(marks[f"{SET_KEY}-part"])
        return cls(at, count, decisions, digest, spent)


Files = tuple[bytes, bytes]
"""The bytes of the file of games, and of the file of decisions."""


def play_part(plan: Plan, bounds: tuple[int, int]) -> tuple[Part, Files]:
    """Play the games of a part.

    Args:
        plan: The plan of the set.
        bounds: The number of the first game, and of the first game after the part.
    """
    first, end = bounds
    began, digest, paths = process_time(), sha256(), {}
    with TemporaryDirectory() as name:
        sheets = {kind: TableWriter(kind, Path(name) / f"{kind}.parquet") for kind in (GAMES, DECISIONS)}
        for number in range(first, end):
            game, decisions = list_cells(plan, number)
            sheets[GAMES].add([game])
            sheets[DECISIONS].add(decisions)
            told = [game, [[row["chance"], row["other"]] for row in decisions]]  # All other cells follow from these.
            digest.update(json.dumps(told).encode())
        for sheet in sheets.values():
            sheet.put()
        count, made = (sheets[kind].height for kind in (GAMES, DECISIONS))
        spent = round(process_time() - began, 3)
        part = Part(first // plan.size, count, made, digest.hexdigest()[:32], spent)
        for kind, sheet in sheets.items():
            sheet.close(part.to_metadata(plan))
            paths[kind] = sheet.path
        return part, (paths[GAMES].read_bytes(), paths[DECISIONS].read_bytes())


def part_path(folder: Path, kind: str, number: int) -> Path:
    """Return the path of a part's file."""
    return folder / kind / f"{number:05}.parquet"


def find_part(plan: Plan, folder: Path, number: int, count: int) -> Part | None:
    """Return a part from its files; None if it has to be played.

    Raises:
        OptionError: The files belong to another set.
    """
    found = []
    for kind in (GAMES, DECISIONS):
        path = part_path(folder, kind, number)
        if not path.exists():
            return None
        marks = read_metadata(path)
        if marks.get(SET_KEY) != plan.hash:
            raise OptionError(f"{folder} holds another data set, or one of other rules or bots. Name another folder.")
        found.append(Part.from_metadata(marks))
    # A part of another length, such as the last one of a shorter set, is played again.
    return found[0] if found[0] == found[1] and found[0].games == count else None


def write_part(folder: Path, number: int, files: Files) -> None:
    """Write both files of a part. The file of its games comes last, because it completes the part."""
    for kind, data in reversed(list(zip((GAMES, DECISIONS), files, strict=True))):
        path = part_path(folder, kind, number)
        path.parent.mkdir(parents=True, exist_ok=True)
        whole.write_file(path, data)


def write_set(plan: Plan, count: int, folder: Path, workers: Workers = 1) -> Iterator[Part]:
    """Write games into a folder, part by part. Existing parts are not played again.

    Raises:
        OptionError: There would be too many files, or the folder holds another set.
    """
    bounds = [(first, min(count, first + plan.size)) for first in range(0, count, plan.size)]
    if len(bounds) > MAX_FILES:
        raise OptionError(
            f"This set would have {len(bounds):,} files, and {MAX_FILES:,} are allowed. Use a larger --part."
        )
    # Check all existing parts first: a folder of another set must be refused before any work.
    there = {at: find_part(plan, folder, at, end - first) for at, (first, end) in enumerate(bounds)}
    wanted = [bounds[at] for at, part in there.items() if part is None]

    def keep(_: tuple[int, int], made: tuple[Part, Files]) -> None:
        write_part(folder, made[0].at, made[1])

    with Team(workers) as team:
        made = team.in_order(partial(play_part, plan), wanted, keep=keep)
        for part in there.values():
            yield next(made)[0] if part is None else part
