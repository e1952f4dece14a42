"""Games as tables: one row a game and one row a decision, as Parquet, for whoever works on them elsewhere.

Every row says by which rules, cards, players and seed it came about, so that rows of several files can be put together,
and the deals of two variants side by side. What a chance is, is told by the players themselves.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any, Final

from gonfalon.core.basics.errors import DataError, OptionError
from gonfalon.core.extras import describe_missing
from gonfalon.lab.run.blocks import Arm, Row, tables_of

if TYPE_CHECKING:
    from polars import DataFrame

GAMES: Final = "games"
DECISIONS: Final = "decisions"
FORMAT: Final = "gonfalon-lab"
FORM: Final = "2"
HELD: Final = 20_000
"""So many rows are held in memory, and are a group in a file."""
PACKED: Final = 9
"""How hard zstd tries: a fifth smaller than as usual where views are in it, for some microseconds a row."""
COMMON: Final[Mapping[str, str]] = {
    "game": "which game: feint, jinkei, generals, factionwars",
    "version": "the version of its rules",
    "data": "the hash of its card data",
    "variant": "before or after where two variants were compared, else empty",
    "players": "the levels at the table, each once",
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
        "levels": "each seat's level",
        "asked": "the record: who decided, one after the other, -1 for chance; null outside of data sets",
        "actions": "the record: what was decided, in the game's own numbers; null outside of data sets",
    },
    DECISIONS: {
        **COMMON,
        "number": "the number of the decision in the record, chance counted",
        "seat": "who decided",
        "level": "the level of that seat",
        "side": "the faction or deck of that seat",
        "prompt": "what was asked",
        "options": "how many actions were legal",
        "action": "what was chosen, in the game's notation",
        "chance": "the player's own chance to win with it; null where the level tells none",
        "other": "the highest such chance of another action that was weighed; null where there is none",
        "view": "what the seat could know: signed bytes, a row as `gonfalon.vector` shows it; null without `--views`",
        "legal": "the numbers of the legal actions, as masks of `gonfalon.vector` count them; null without `--views`",
        "pick": "the number of the action that was chosen; null without `--views`",
        "score": "what the seat got in the end",
    },
}
Cells = dict[str, Any]


def needed() -> Any:
    """Polars. Raises OptionError where it is not installed."""
    try:
        import polars
    except ModuleNotFoundError as error:
        raise OptionError(describe_missing(error, "Parquet") or str(error)) from None
    return polars


def head(arm: Arm, variant: str = "") -> Iterator[Cells]:
    """What all rows of each matchup of an arm have in common."""
    for game, _, _ in tables_of(arm):
        yield {
            "game": arm.game, "version": game.version, "data": game.data_hash, "variant": variant,
            "players": arm.players, "seed": str(arm.seed),
        }  # fmt: skip


def of_games(arm: Arm, rows: Iterable[Row], variant: str = "") -> list[Cells]:
    """A row for each game of an arm."""
    heads = list(head(arm, variant))
    return [{**heads[row.setup], **row._asdict(), "levels": [arm.players] * len(row.sides)} for row in rows]


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
        **dict.fromkeys(("sides", "came", "levels"), polars.List(polars.String)),
        "scores": polars.List(polars.Float64), "asked": polars.List(polars.Int8), "actions": polars.List(polars.Int64),
        "view": polars.Binary, "legal": polars.List(polars.Int16), "pick": polars.Int16,
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
        if self.parts and not self.waiting:
            return
        self.height += len(self.waiting)
        self.parts.append(Path(self.folder.name) / f"{len(self.parts)}.parquet")
        table(self.kind, self.waiting).write_parquet(self.parts[-1])
        self.waiting.clear()

    def close(self, more: Mapping[str, str] | None = None) -> None:
        """Write the file, its parts one after the other, each a group of rows; `more` is written beside them."""
        self.put()
        whole = Path(self.folder.name) / "whole"
        lazy = needed().scan_parquet(self.parts, glob=False)
        lazy.sink_parquet(
            whole, metadata={**mark(self.kind), **(more or {})}, row_group_size=HELD, compression_level=PACKED
        )
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


def marks_of(path: Path) -> dict[str, str]:
    """What stands in a file beside its rows. Raises DataError."""
    polars = needed()
    with told_of(path):
        found: dict[str, str] = polars.read_parquet_metadata(path)
    return found


@contextmanager
def told_of(path: Path) -> Iterator[None]:
    """Errors of reading as sentences."""
    polars = needed()
    try:
        yield
    except OSError as error:
        raise DataError(f"{path}: {error.strerror or error}.") from None
    except polars.exceptions.PolarsError:
        raise DataError(f"{path} is no Parquet file, or a damaged one.") from None


def read(path: Path | str) -> DataFrame:
    """A table that was written here, or all parts of one in a folder. Raises DataError, for a damaged file and for
    somebody else's."""
    polars, path = needed(), Path(path)
    if path.is_dir():
        parts = [read(part) for part in sorted(path.glob("*.parquet"))]
        if not parts:
            inside = [str(path / kind) for kind in COLUMNS if any((path / kind).glob("*.parquet"))]
            raise DataError(
                f"There is no table in {path}" + (f", but in {' and in '.join(inside)}." if inside else ".")
            )
        whole: DataFrame = polars.concat(parts)
        return whole
    kind, _, form = marks_of(path).get(FORMAT, "").partition(" ")
    with told_of(path):
        made: DataFrame = polars.read_parquet(path)
    if kind not in COLUMNS or form != FORM or made.columns != list(COLUMNS[kind]):
        raise DataError(f"{path} was not written by `gonfalon lab`, or by another version of it.")
    return made
