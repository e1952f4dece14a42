"""Games as tables: one row a game and one row a decision, as Parquet, for whoever works on them elsewhere.

Every row says by which rules, cards, players and seed it came about, so that rows of several files can be put together,
and the deals of two variants side by side. What a chance is, is told by the players themselves.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from multiprocessing import get_context
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any, Final

from gonfalon import games
from gonfalon.bots import make
from gonfalon.bots.driver import Driver
from gonfalon.core.errors import DataError, OptionError
from gonfalon.core.options import Options
from gonfalon.lab.blocks import Arm, Row, played, tables_of, told_row
from gonfalon.lab.match import matchups

if TYPE_CHECKING:
    from polars import DataFrame

GAMES: Final = "games"
DECISIONS: Final = "decisions"
FORMAT: Final = "gonfalon-lab"
FORM: Final = "1"
HELD: Final = 20_000
"""So many rows are held in memory, and are a group in a file."""
COMMON: Final[Mapping[str, str]] = {
    "game": "which game: feint, jinkei, generals, factionwars",
    "version": "the version of its rules",
    "data": "the hash of its card data",
    "variant": "before or after where two variants were compared, else empty",
    "players": "the level of the bots",
    "seed": "the seed of the study, as text",
    "round": "the number of the deal; rows of one round, setup and seed in two variants are one deal",
    "setup": "the number of the matchup in the round",
}
COLUMNS: Final[Mapping[str, Mapping[str, str]]] = {
    GAMES: {
        **COMMON,
        "sides": "each seat's faction or deck",
        "scores": "what each seat got: 1, 0, or its part of a shared victory",
        "how": "how the game ended",
        "decisions": "how many decisions players made; chance is not counted",
        "length": "turns, or rounds where the game has these; 0 where it has neither",
        "first": "the seat that decided first; -1 where all did at once",
        "came": "what each seat turned out to have, its type or goal; empty where there is no such thing",
        "told": "at how many decisions a player told its chance to win",
        "mattered": "at how many of these another action had 5 points less",
        "leads": "how often the lead changed, by these chances",
        "lowest": "the lowest chance that a winner ever told; 1 where none did",
    },
    DECISIONS: {
        **COMMON,
        "number": "the number of the decision in the record, chance counted",
        "seat": "who decided",
        "side": "the faction or deck of that seat",
        "prompt": "what was asked",
        "options": "how many actions were legal",
        "action": "what was chosen, in the game's notation",
        "chance": "the player's own chance to win with it; null where the level tells none",
        "other": "the highest such chance of another action that was weighed; null where there is none",
        "score": "what the seat got in the end",
    },
}
Cells = dict[str, Any]


def needed() -> Any:
    """Polars. Raises OptionError where it is not installed."""
    try:
        import polars
    except ModuleNotFoundError as error:
        raise OptionError(
            f'Parquet needs the package {error.name}, which is not installed: pip install "gonfalon[data]".'
        ) from None
    return polars


def head(arm: Arm, variant: str = "") -> Iterator[Cells]:
    """What all rows of each matchup of an arm have in common."""
    for game, _ in tables_of(arm):
        yield {
            "game": arm.game, "version": game.version, "data": game.data_hash, "variant": variant,
            "players": arm.players, "seed": str(arm.seed),
        }  # fmt: skip


def of_games(arm: Arm, rows: Iterable[Row], variant: str = "") -> list[Cells]:
    """A row for each game of an arm."""
    heads = list(head(arm, variant))
    return [{**heads[row.setup], **row._asdict()} for row in rows]


def of_decisions(common: Cells, driver: Driver, row: Row) -> Iterator[Cells]:
    """A row for each decision of a game, chance left out."""
    game = driver.game
    for number, (state, seat, action) in enumerate(driver.record.steps()):
        if seat < 0:
            continue
        asked = next(decision for decision in state.decisions() if decision.seat == seat)
        thought = driver.thoughts.get(number)
        others = [] if thought is None else [o.value.value for o in thought.alternatives if o.value is not None]
        yield {
            **common, "round": row.round, "setup": row.setup, "number": number, "seat": seat, "side": row.sides[seat],
            "prompt": asked.prompt, "options": len(asked.actions), "action": game.notation(action),
            "chance": None if thought is None or thought.value is None else thought.value.value,
            "other": max(others, default=None), "score": row.scores[seat],
        }  # fmt: skip


def round_of(arm: Arm, round: int) -> tuple[list[Cells], list[Cells]]:
    """The games of a round and their decisions."""
    rows, decisions = list[Row](), list[Cells]()
    for setup, common in enumerate(head(arm)):
        driver = played(arm, round, setup)
        rows.append(told_row(driver, round, setup))
        decisions += of_decisions(common, driver, rows[-1])
    return of_games(arm, rows), decisions


def play(
    name: str, options: Options, players: str, count: int, seed: int = 0, workers: int = 1
) -> tuple[DataFrame, DataFrame]:
    """About so many games, each matchup equally often: the games and the decisions. Raises OptionError."""
    needed()
    arm = Arm.of(name, matchups(name, options), players, seed)
    make(players.partition(":")[0], games.game(name, **matchups(name, options)[0]))
    rounds = range(max(1, -(-count // len(arm.setups))))
    work = partial(round_of, arm)
    if workers == 1:
        found = [work(round) for round in rounds]
    else:  # spawned: a forked one would inherit locks of threads, such as those of Polars
        with ProcessPoolExecutor(workers, mp_context=get_context("spawn")) as pool:
            found = list(pool.map(work, rounds))
    both = ([cells for one in found for cells in one[at]] for at in (0, 1))
    return table(GAMES, next(both)), table(DECISIONS, next(both))


class Kept:
    """The games of a study, for a file if one is wanted."""

    def __init__(self, path: Path | None) -> None:
        self.sheet = None if path is None else Sheet(GAMES, path)

    def add(self, arm: Arm, rows: Iterable[Row], variant: str = "") -> None:
        """Put the games of an arm aside."""
        if self.sheet is not None:
            self.sheet.add(of_games(arm, rows, variant))

    def write(self) -> None:
        """Write them."""
        if self.sheet is not None:
            self.sheet.close()


# ---- files ------------------------------------------------------------------------------------------------------


def table(kind: str, cells: list[Cells]) -> DataFrame:
    """Rows as a table with all columns of its kind, in their order."""
    polars = needed()
    types = {
        **dict.fromkeys(("round", "setup", "decisions", "length", "first", "number", "seat", "options"), polars.Int32),
        **dict.fromkeys(("told", "mattered", "leads"), polars.Int32),
        **dict.fromkeys(("lowest", "chance", "other", "score"), polars.Float64),
        "sides": polars.List(polars.String), "came": polars.List(polars.String),
        "scores": polars.List(polars.Float64),
    }  # fmt: skip
    schema = {column: types.get(column, polars.String) for column in COLUMNS[kind]}
    made: DataFrame = polars.DataFrame(cells, schema=schema, orient="row")
    return made


class Sheet:
    """A file that is written while its rows come, with never more than `HELD` of them in memory. It appears whole, when
    it is closed, or not at all."""

    def __init__(self, kind: str, path: Path) -> None:
        needed()
        path.parent.mkdir(parents=True, exist_ok=True)
        self.kind = kind
        self.path = path
        self.height = 0
        self.waiting: list[Cells] = []
        self.folder = TemporaryDirectory(prefix=f"{path.name}.", suffix=".part", dir=path.parent)
        self.parts: list[Path] = []

    def add(self, cells: Iterable[Cells]) -> None:
        """Further rows."""
        for row in cells:
            self.waiting.append(row)
            if len(self.waiting) == HELD:
                self.put()

    def put(self) -> None:
        """Put what waits aside."""
        self.height += len(self.waiting)
        self.parts.append(Path(self.folder.name) / f"{len(self.parts)}.parquet")
        table(self.kind, self.waiting).write_parquet(self.parts[-1])
        self.waiting.clear()

    def close(self) -> None:
        """Write the file: its parts one after the other, each a group of rows."""
        if self.waiting or not self.parts:
            self.put()
        whole = Path(self.folder.name) / "whole"
        lazy = needed().scan_parquet(self.parts, glob=False)
        lazy.sink_parquet(whole, metadata=mark(self.kind), row_group_size=HELD)
        whole.replace(self.path)
        self.folder.cleanup()


def mark(kind: str) -> dict[str, str]:
    """What our files are known by."""
    return {FORMAT: f"{kind} {FORM}"}


def write(kind: str, made: DataFrame, path: Path) -> None:
    """Write a table, whole or not at all."""
    path.parent.mkdir(parents=True, exist_ok=True)
    part = path.with_suffix(path.suffix + ".part")
    made.write_parquet(part, metadata=mark(kind))
    part.replace(path)


def read(path: Path) -> DataFrame:
    """A table that was written here. Raises DataError, for a damaged file and for somebody else's."""
    polars = needed()
    try:
        kind, _, form = polars.read_parquet_metadata(path).get(FORMAT, "").partition(" ")
        made: DataFrame = polars.read_parquet(path)
    except OSError as error:
        raise DataError(f"{path}: {error.strerror or error}.") from None
    except polars.exceptions.PolarsError:
        raise DataError(f"{path} is no Parquet file, or a damaged one.") from None
    if kind not in COLUMNS or form != FORM or made.columns != list(COLUMNS[kind]):
        raise DataError(f"{path} was not written by `gonfalon lab`, or by another version of it.")
    return made


def main(
    name: str, options: Options, players: str, count: int, seed: int, workers: int, folder: Path, as_json: bool
) -> int:
    """The command `gonfalon lab data`."""
    import json

    rows, decisions = play(name, options, players, count, seed, workers)
    told = {}
    for kind, made in ((GAMES, rows), (DECISIONS, decisions)):
        write(kind, made, folder / f"{kind}.parquet")
        told[str(folder / f"{kind}.parquet")] = made.height
    lines = (f"{path}: {height:,} rows" for path, height in told.items())
    print(json.dumps(told, indent=1) if as_json else "\n".join(lines))
    return 0
