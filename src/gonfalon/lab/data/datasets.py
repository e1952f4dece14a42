"""Data sets: games of levels against levels by the million, as Parquet in parts of a thousand games.

What stands in a part follows from the plan and its number alone, so any number of workers writes the same set. A part
appears whole or not at all: whoever was stopped goes on with the same command. No more than one part for each worker is
in memory.
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
from gonfalon.bots import Bot, Choice
from gonfalon.bots.players.driver import Driver
from gonfalon.core.arrays.layout import Layout
from gonfalon.core.basics.errors import DataError, OptionError
from gonfalon.core.basics.options import Options
from gonfalon.core.basics.rng import Rng
from gonfalon.core.files.record import Record
from gonfalon.core.rules.game import Game
from gonfalon.core.rules.state import OPEN, Action, State
from gonfalon.lab.data.tables import DECISIONS, FORM, GAMES, Cells, Sheet, marks_of, needed
from gonfalon.lab.run import atomic_files as whole
from gonfalon.lab.run import sources
from gonfalon.lab.run.blocks import told_row
from gonfalon.lab.run.match import MIX, WORD, entrant, matchups, sides_of
from gonfalon.lab.run.workers import Team, Workers

PART: Final = 1000
"""So many games are a part, unless one says otherwise."""
FILES: Final = 100_000
"""So many parts at most: their numbers have five digits."""
SET: Final = "gonfalon-set"
"""Under this word a file says to which set it belongs, and under the others what part it is."""
MOST: Final = 10_000
"""So many ways to seat the levels at most."""


@dataclass(frozen=True)
class Plan:
    """Which games a set holds: game k is of matchup k, counted round, and who sits where changes with each game."""

    game: str
    setups: tuple[str, ...]
    """The options of each matchup, as JSON."""
    data: tuple[str, ...]
    """The hash of the card data of each."""
    levels: tuple[str, ...]
    seed: int
    views: bool = False
    """Whether decisions come with what the seat could know, as numbers."""
    size: int = PART
    """Games in a part."""

    @classmethod
    def of(
        cls, name: str, options: Options, levels: Iterable[str], seed: int = 0, views: bool = False, size: int = PART
    ) -> Plan:
        """The plan of these options. Raises OptionError."""
        needed()
        made = [games.game(name, **setup) for setup in matchups(name, options)]
        told = tuple(levels)
        if len(set(told)) < len(told):
            raise OptionError("Name each level once.")
        for level in told:
            entrant(level, made[0])
        if len(told) ** made[0].seats > MOST:
            raise OptionError(f"{len(told)} levels sit in {made[0].seats} seats in too many ways; name fewer.")
        setups = tuple(json.dumps(game.shown_options(), sort_keys=True) for game in made)
        return cls(name, setups, tuple(game.data_hash for game in made), told, seed, views, size)

    @cached_property
    def hash(self) -> str:
        """What stands for it: the form, the sources of rules and bots, the options and cards, who plays, the seed."""
        whole = [
            FORM,
            self.game,
            sources.of_game(self.game),
            self.setups,
            self.levels,
            self.seed,
            self.views,
            self.size,
        ]
        return sha256(json.dumps(whole).encode()).hexdigest()[:20]

    def seating(self, round: int, setup: int) -> tuple[str, ...]:
        """Who sits where: in the rounds of a matchup, each level in each seat against each other, by turns."""
        ways = seatings(self.levels, tables_of(self)[0].game.seats)
        return ways[(round + setup) % len(ways)]


@lru_cache(maxsize=8)
def seatings(levels: tuple[str, ...], seats: int) -> list[tuple[str, ...]]:
    """All ways to seat levels."""
    return list(product(levels, repeat=seats))


@dataclass(frozen=True)
class Table:
    """A game and what is needed to play it, made once in each process."""

    game: Game
    bots: Mapping[str, Bot]
    layout: Layout | None


@lru_cache(maxsize=4)
def tables_of(plan: Plan) -> list[Table]:
    """The table of each matchup. Bots keep nothing from one decision to the next. Raises OptionError where the card
    data are others than the plan's, as they may be on another machine."""
    made = [games.game(plan.game, **json.loads(setup)) for setup in plan.setups]
    if tuple(game.data_hash for game in made) != plan.data:
        raise OptionError("A worker has other card data than the program that asks it.")
    return [
        Table(game, {level: entrant(level, game) for level in plan.levels}, Layout(game) if plan.views else None)
        for game in made
    ]


# ---- games ------------------------------------------------------------------------------------------------------


def played(plan: Plan, number: int) -> Driver:
    """A game of the set, played to its end."""
    round, setup = divmod(number, len(plan.setups))
    table = tables_of(plan)[setup]
    bots = [table.bots[level] for level in plan.seating(round, setup)]
    chance = Rng((plan.seed + (number + 1) * MIX) & WORD).seed()
    driver = Driver(Record(table.game), bots, chance, log=True)  # as at a table: a view tells what happened
    driver.advance()
    return driver


def cells_of(plan: Plan, number: int) -> tuple[Cells, list[Cells]]:
    """The row of a game, and those of its decisions."""
    driver = played(plan, number)
    round, setup = divmod(number, len(plan.setups))
    levels, row = plan.seating(round, setup), told_row(driver, round, setup)
    common = {
        "game": plan.game, "version": driver.game.version, "data": driver.game.data_hash, "variant": "",
        "players": ",".join(dict.fromkeys(levels)), "seed": str(plan.seed), "round": round, "setup": setup,
    }  # fmt: skip
    made = driver.record.decisions
    asked, actions = [seat for seat, _ in made], [action for _, action in made]
    whole = {**common, **row._asdict(), "levels": levels, "asked": asked, "actions": actions}
    rows = []  # from positions without a log, of which views are ten times as cheap
    for number, (state, seat, action) in enumerate(driver.record.fold(driver.game.start())):
        if seat >= 0:
            known = known_cells(tables_of(plan)[setup], state.mask(seat), action, driver.thoughts.get(number))
            came = {"number": number, "level": levels[seat], "score": row.scores[seat]}
            rows.append({**common, **known, **came})
    return whole, rows


def known_cells(table: Table, view: State, action: Action, thought: Choice | None) -> Cells:
    """What a row tells of a decision besides whose game it is and what came of it: all of it from the view of the seat
    that decides. Raises ValueError for a full state."""
    if view.viewer == OPEN:
        raise ValueError("A decision is told from a view.")
    seat, game = view.viewer, table.game
    [asked] = view.decisions()
    others = [] if thought is None else [o.value.value for o in thought.alternatives if o.value is not None]
    cells: Cells = {
        "seat": seat, "side": sides_of(game)[seat], "prompt": asked.prompt, "options": len(asked.actions),
        "action": game.notation(action),
        "chance": None if thought is None or thought.value is None else thought.value.value,
        "other": max(others, default=None),
    }  # fmt: skip
    if table.layout is not None:
        out, ids = table.layout.new(), table.layout.writer.ids
        table.layout.write(view, out)
        cells |= {"view": bytes(out), "legal": [ids[one] for one in asked.actions], "pick": ids[action]}
    return cells


def record_of(options: Options, row: Mapping[str, Any]) -> Record:
    """The record of a row of a game, of the options that the card tells of its setup. Raises OptionError, and
    DataError where rules or cards are others than those it was played with."""
    game = games.game(str(row["game"]), **options)
    if (game.version, game.data_hash) != (row["version"], row["data"]):
        raise DataError(f"This game of {game.title} was played by other rules, or with other cards, than there are.")
    return Record(game, game.seat_names(), list(zip(row["asked"], row["actions"], strict=True)))


# ---- parts ------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Part:
    """A part as it lies in its two files: how many rows each has, what stands for these, and the CPU seconds."""

    at: int
    games: int
    decisions: int
    digest: str
    spent: float

    def marks(self, plan: Plan) -> dict[str, str]:
        """What its files say of it."""
        told = [self.at, self.games, self.decisions, self.digest, self.spent]
        return {SET: plan.hash, f"{SET}-part": json.dumps(told)}

    @classmethod
    def told(cls, marks: Mapping[str, str]) -> Part:
        """The part of which a file says this."""
        at, count, decisions, digest, spent = json.loads(marks[f"{SET}-part"])
        return cls(at, count, decisions, digest, spent)


Files = tuple[bytes, bytes]


def play_part(plan: Plan, bounds: tuple[int, int]) -> tuple[Part, Files]:
    """The games from a number to another, in any process."""
    first, end = bounds
    began, digest, paths = process_time(), sha256(), {}
    with TemporaryDirectory() as name:
        sheets = {kind: Sheet(kind, Path(name) / f"{kind}.parquet") for kind in (GAMES, DECISIONS)}
        for number in range(first, end):
            game, decisions = cells_of(plan, number)
            sheets[GAMES].add([game])
            sheets[DECISIONS].add(decisions)
            told = [game, [[row["chance"], row["other"]] for row in decisions]]  # all else follows from these
            digest.update(json.dumps(told).encode())
        for sheet in sheets.values():
            sheet.put()
        count, made = (sheets[kind].height for kind in (GAMES, DECISIONS))
        spent = round(process_time() - began, 3)
        part = Part(first // plan.size, count, made, digest.hexdigest()[:32], spent)
        for kind, sheet in sheets.items():
            sheet.close(part.marks(plan))
            paths[kind] = sheet.path
        return part, (paths[GAMES].read_bytes(), paths[DECISIONS].read_bytes())


def file_of(folder: Path, kind: str, number: int) -> Path:
    """Where a part lies."""
    return folder / kind / f"{number:05}.parquet"


def kept_part(plan: Plan, folder: Path, number: int, count: int) -> Part | None:
    """A part that lies there with so many games; None where it has to be played. Raises OptionError where the file is
    of another set."""
    found = []
    for kind in (GAMES, DECISIONS):
        path = file_of(folder, kind, number)
        if not path.exists():
            return None
        marks = marks_of(path)
        if marks.get(SET) != plan.hash:
            raise OptionError(f"{folder} holds another data set, or one of other rules or bots; name another folder.")
        found.append(Part.told(marks))
    return found[0] if found[0] == found[1] and found[0].games == count else None


def put(folder: Path, number: int, files: Files) -> None:
    """Write both files of a part; the one of its games last."""
    for kind, data in reversed(list(zip((GAMES, DECISIONS), files, strict=True))):
        path = file_of(folder, kind, number)
        path.parent.mkdir(parents=True, exist_ok=True)
        whole.write(path, data)


def write(plan: Plan, count: int, folder: Path, workers: Workers = 1) -> Iterator[Part]:
    """So many games in a folder, part by part; what lies there already is not played again. Raises OptionError."""
    bounds = [(first, min(count, first + plan.size)) for first in range(0, count, plan.size)]
    if len(bounds) > FILES:
        raise OptionError(f"These are {len(bounds):,} files; --part makes them fewer, {FILES:,} at most.")
    there = {at: kept_part(plan, folder, at, end - first) for at, (first, end) in enumerate(bounds)}
    wanted = [bounds[at] for at, part in there.items() if part is None]

    def keep(_: tuple[int, int], made: tuple[Part, Files]) -> None:
        put(folder, made[0].at, made[1])

    with Team(workers) as team:
        made = team.in_order(partial(play_part, plan), wanted, keep=keep)
        for part in there.values():
            yield next(made)[0] if part is None else part
