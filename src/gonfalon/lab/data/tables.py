"""Games as Parquet tables, one row for each game or each decision, for use in other programs.

Every row holds the rules, cards, players and seed that produced it, so that rows of several files can be combined and
the deals of two variants compared. Win chances are the players' own estimates.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from types import ModuleType
from typing import TYPE_CHECKING, Final

from gonfalon.core.basics.errors import DataError, OptionError
from gonfalon.core.extras import describe_missing
from gonfalon.lab.run.blocks import Arm, Row, prepare_matchups

if TYPE_CHECKING:
    from polars import DataFrame

GAMES: Final = "games"
DECISIONS: Final = "decisions"
FORMAT: Final = "gonfalon-lab"
FORMAT_VERSION: Final = "2"
MAX_ROWS_IN_MEMORY: Final = 20_000
"""Number of rows in memory, and in a row group of a file."""
COMPRESSION_LEVEL: Final = 9
"""Compression level of zstd.

Files with views are a fifth smaller than by default, at a cost of some microseconds a row.
"""
COMMON_COLUMNS: Final[Mapping[str, str]] = {
    "game": "name of the game: feint, jinkei, generals, factionwars",
    "version": "version of its rules",
    "data": "hash of its card data",
    "variant": "before or after if two variants were compared, else empty",
    "players": "levels at the table, each once",
    "seed": "seed of the study, as text",
    "round": "number of the deal; rows with the same round, setup and seed in two variants are one deal",
    "setup": "number of the matchup in the round",
}
COLUMNS: Final[Mapping[str, Mapping[str, str]]] = {
    GAMES: {
        **COMMON_COLUMNS,
        "sides": "faction or deck of each seat",
        "scores": "score of each seat: 1, 0, or its part of a shared victory",
        "how": "kind of ending",
        "decisions": "number of decisions by players, without those of chance",
        "length": "number of turns, or of rounds in games that have rounds; 0 in games without either",
        "first": "the seat that decided first; -1 if the first decision was simultaneous",
        "came": "type or goal that each seat turned out to have; empty in games without them",
        "told": "number of decisions with an estimated win chance",
        "mattered": "number of these in which another action was at least 5 points worse",
        "leads": "number of changes of the lead, by these estimates",
        "lowest": "lowest win chance that a winner estimated; 1 without estimates",
        "levels": "level of each seat",
        "asked": "the record: the seats that decided, in order, -1 for chance; null outside of data sets",
        "actions": "the record: the chosen actions, in the game's own numbers; null outside of data sets",
    },
    DECISIONS: {
        **COMMON_COLUMNS,
        "number": "number of the decision in the record, including those of chance",
        "seat": "the deciding seat",
        "level": "level of the seat",
        "side": "faction or deck of the seat",
        "prompt": "name of the prompt",
        "options": "number of legal actions",
        "action": "the chosen action, in the game's notation",
        "chance": "the player's estimated win chance; null if the level estimates none",
        "other": "the highest estimate of another considered action; null without one",
        "view": "the view of the seat: signed bytes, a row as in `gonfalon.vector`; null without `--views`",
        "legal": "numbers of the legal actions, as in the masks of `gonfalon.vector`; null without `--views`",
        "pick": "number of the chosen action; null without `--views`",
        "score": "final score of the seat",
    },
}
Cells = dict[str, object]


def import_polars() -> ModuleType:
    """Return the module polars.

    Raises:
        OptionError: It is not installed.
    """
    try:
        import polars
    except ModuleNotFoundError as error:
        raise OptionError(describe_missing(error, "Parquet") or str(error)) from None
    return polars


def list_common_cells(arm: Arm, variant: str = "") -> Iterator[Cells]:
    """Yield the cells that all rows of a matchup share, for each matchup of an arm."""
    for game, _, _ in prepare_matchups(arm):
        yield {
            "game": arm.game, "version": game.version, "data": game.data_hash, "variant": variant,
            # The seed is text, because one of 2**63 or more does not fit into a signed column.
            "players": arm.players, "seed": str(arm.seed),
        }  # fmt: skip


def list_game_cells(arm: Arm, rows: Iterable[Row], variant: str = "") -> list[Cells]:
    """Return a row for each game of an arm."""
    heads = list(list_common_cells(arm, variant))
    return [{**heads[row.setup], **row._asdict(), "levels": [arm.players] * len(row.sides)} for row in rows]


class GameCollector:
    """The games of a study, collected for a file if one is requested."""

    def __init__(self, path: Path | None) -> None:
        self.sheet = None if path is None else TableWriter(GAMES, path)

    def add(self, arm: Arm, rows: Iterable[Row], variant: str = "") -> None:
        """Add the games of an arm."""
        if self.sheet is not None:
            self.sheet.add(list_game_cells(arm, rows, variant))

    def write(self) -> None:
        """Write the file, if one was requested."""
        if self.sheet is not None:
            self.sheet.close()


# ---- files ------------------------------------------------------------------------------------------------------


def make_table(kind: str, cells: list[Cells]) -> DataFrame:
    """Return rows as a table with all columns of its kind, in order."""
    polars = import_polars()
    types = {
        **dict.fromkeys(("round", "setup", "decisions", "length", "first", "number", "seat", "options"), polars.Int32),
        **dict.fromkeys(("told", "mattered", "leads"), polars.Int32),
        **dict.fromkeys(("lowest", "chance", "other", "score"), polars.Float64),
        **dict.fromkeys(("sides", "came", "levels"), polars.List(polars.String)),
        "scores": polars.List(polars.Float64), "asked": polars.List(polars.Int8), "actions": polars.List(polars.Int64),
        "view": polars.Binary, "legal": polars.List(polars.Int16), "pick": polars.Int16,
    }  # fmt: skip
    schema = {column: types.get(column, polars.String) for column in COLUMNS[kind]}
    made: DataFrame = polars.DataFrame(cells, schema=schema, orient="row")
    return made


class TableWriter:
    """A file written while its rows arrive, with at most `HELD` of them in memory.

    It appears completely when it is closed, or not at all.
    """

    def __init__(self, kind: str, path: Path) -> None:
        import_polars()
        path.parent.mkdir(parents=True, exist_ok=True)
        self.kind = kind
        self.path = path
        self.height = 0
        self.waiting: list[Cells] = []
        # In the same folder as the file, so that the final rename stays within one file system.
        self.folder = TemporaryDirectory(prefix=f"{path.name}.", suffix=".part", dir=path.parent)
        self.parts: list[Path] = []

    def add(self, cells: Iterable[Cells]) -> None:
        """Add rows."""
        for row in cells:
            self.waiting.append(row)
            if len(self.waiting) == MAX_ROWS_IN_MEMORY:
                self.put()

    def put(self) -> None:
        """Write the waiting rows to a temporary part."""
        # An empty table still needs one part with its columns.
        if self.parts and not self.waiting:
            return
        self.height += len(self.waiting)
        self.parts.append(Path(self.folder.name) / f"{len(self.parts)}.parquet")
        make_table(self.kind, self.waiting).write_parquet(self.parts[-1])
        self.waiting.clear()

    def close(self, more: Mapping[str, str] | None = None) -> None:
        """Write the file from its parts, each a row group.

        Args:
            more: Further metadata.
        """
        self.put()
        whole = Path(self.folder.name) / "whole"
        # The paths are names and not patterns: a folder may contain brackets.
        lazy = import_polars().scan_parquet(self.parts, glob=False)
        # Streaming keeps memory small, whatever the size of the file.
        lazy.sink_parquet(
            whole,
            metadata={**make_metadata(self.kind), **(more or {})},
            row_group_size=MAX_ROWS_IN_MEMORY,
            compression_level=COMPRESSION_LEVEL,
        )
        whole.replace(self.path)
        self.folder.cleanup()


def make_metadata(kind: str) -> dict[str, str]:
    """Return the metadata that identifies a file of this module."""
    return {FORMAT: f"{kind} {FORMAT_VERSION}"}


def read_metadata(path: Path) -> dict[str, str]:
    """Return the metadata of a file.

    Raises:
        DataError: The file cannot be read.
    """
    polars = import_polars()
    with explain_errors(path):
        found: dict[str, str] = polars.read_parquet_metadata(path)
    return found


@contextmanager
def explain_errors(path: Path) -> Iterator[None]:
    """Turn errors of reading into sentences."""
    polars = import_polars()
    try:
        yield
    except OSError as error:
        raise DataError(f"{path}: {error.strerror or error}.") from None
    except polars.exceptions.PolarsError:
        raise DataError(f"{path} is not a Parquet file, or it is damaged.") from None


def read_table(path: Path | str) -> DataFrame:
    """Return the table of a file, or of all its parts in a folder.

    Raises:
        DataError: The file is damaged, or was not written by this version.
    """
    polars, path = import_polars(), Path(path)
    if path.is_dir():
        parts = [read_table(part) for part in sorted(path.glob("*.parquet"))]
        if not parts:
            inside = [str(path / kind) for kind in COLUMNS if any((path / kind).glob("*.parquet"))]
            raise DataError(
                f"There is no table in {path}" + (f", but in {' and in '.join(inside)}." if inside else ".")
            )
        whole: DataFrame = polars.concat(parts)
        return whole
    kind, _, form = read_metadata(path).get(FORMAT, "").partition(" ")
    with explain_errors(path):
        made: DataFrame = polars.read_parquet(path)
    if kind not in COLUMNS or form != FORMAT_VERSION or made.columns != list(COLUMNS[kind]):
        raise DataError(f"{path} was not written by `gonfalon lab`, or by another version of it.")
    return made
