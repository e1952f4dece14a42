"""The card of a data set: contents, origin and reading instructions.

`card.json` is for programs, `README.md` for people; Hugging Face reads the head of the latter.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from hashlib import sha256
from pathlib import Path
from typing import Final, TypedDict

from gonfalon import __version__
from gonfalon.core.basics.options import Options
from gonfalon.lab.data.datasets import Part, Plan, make_tables
from gonfalon.lab.data.tables import COLUMNS, DECISIONS, GAMES
from gonfalon.lab.run import atomic_files, machine

FORMAT: Final = "gonfalon-data-set"
FORMAT_VERSION: Final = 1
LICENCE: Final = "MIT"
MILLION_GAMES: Final = 1_000_000
CORES: Final = 2


class Speed(TypedDict):
    """The time that a data set took, which differs between machines."""

    cpu_seconds: float
    games_a_cpu_second: float
    hours_for_a_million_on_two_cores: float
    build: str
    on: str


class Card(TypedDict):
    """The contents of `card.json`."""

    format: str
    format_version: int
    game: str
    title: str
    games: int
    decisions: int
    levels: list[str]
    seed: int
    part: int
    views: bool
    rules: str
    data: list[str]
    setups: list[Options]
    view_sizes: list[int | None]
    columns: dict[str, dict[str, str]]
    plan: str
    digest: str
    licence: str
    made_by: str
    measured: Speed


def build_card(plan: Plan, parts: Sequence[Part]) -> Card:
    """Return the contents of `card.json`. All values but `measured` are the same on any machine."""
    tables = make_tables(plan)
    game = tables[0].game
    sizes = [None if table.layout is None else table.layout.size for table in tables]
    # Parts have their own hashes, so the whole needs no second pass over the rows.
    digest = sha256("".join(part.digest for part in parts).encode()).hexdigest()[:32]
    return {
        "format": FORMAT,
        "format_version": FORMAT_VERSION,
        "game": plan.game,
        "title": game.title,
        "games": sum(part.games for part in parts),
        "decisions": sum(part.decisions for part in parts),
        "levels": list(plan.levels),
        "seed": plan.seed,
        "part": plan.size,
        "views": plan.views,
        "rules": game.version,
        "data": sorted(set(plan.data)),
        "setups": [json.loads(setup) for setup in plan.setups],
        "view_sizes": sizes if plan.views else [],
        "columns": {kind: dict(columns) for kind, columns in COLUMNS.items()},
        "plan": plan.hash,
        "digest": digest,
        "licence": LICENCE,
        "made_by": f"gonfalon {__version__}",
        "measured": measure_speed(parts),
    }


def measure_speed(parts: Sequence[Part]) -> Speed:
    """Return the CPU seconds of the bots, and an estimate for a million games."""
    spent, count = sum(part.spent for part in parts), sum(part.games for part in parts)
    rate = count / spent if spent else 0.0
    # The estimate assumes that all games are independent and use all cores.
    hours = MILLION_GAMES / rate / CORES / 3600 if rate else 0.0
    return {
        "cpu_seconds": round(spent, 1),
        "games_a_cpu_second": round(rate, 2),
        "hours_for_a_million_on_two_cores": round(hours, 1),
        "build": machine.describe_build(),
        "on": machine.describe_machine(),
    }


def format_readme(card: Card) -> str:
    """Return the contents of `README.md`."""
    levels, found = ", ".join(card["levels"]), card["measured"]
    lines = [
        HEAD.format(**card),
        f"# {card['title']}: {levels}",
        "",
        describe_contents(card, levels),
        "",
        "## Reading it",
        "",
    ]
    lines += [READ, "", "## Columns", ""]
    for kind in (GAMES, DECISIONS):
        lines += [f"### {kind}", "", "| Column | Contents |", "|---|---|"]
        lines += [f"| `{column}` | {words} |" for column, words in COLUMNS[kind].items()]
        lines.append("")
    lines += ["## How it was made", "", describe_origin(card), "", describe_speed(found), ""]
    return "\n".join(lines)


def describe_contents(card: Card, levels: str) -> str:
    """Return a description of the set's contents."""
    who = f"The levels {levels} take turns in all seats, in every combination."
    if len(card["levels"]) == 1:
        who = f"The level {levels} plays all seats."
    return (
        f"{card['games']:,} games with {card['decisions']:,} decisions, played by the bots of Gonfalon. {who} Each "
        "row of `decisions` holds only what the seat could know when it decided, and the final result (`score`). Each "
        "row of `games` holds the complete record with all hidden cards: a model trained on it learns to cheat. The "
        "games show how these levels play, not how people play."
    )


def describe_origin(card: Card) -> str:
    """Return a description of the set's origin."""
    words = [f"gonfalon lab data {card['game']} --games {card['games']} --players {','.join(card['levels'])}"]
    words += [f"--seed {card['seed']} --part {card['part']}", *(["--views"] if card["views"] else []), "--out FOLDER"]
    return (
        f"Made by {card['made_by']}: `{' '.join(words)}`, with the options of each matchup in `card.json` and "
        f"version {card['rules']} of the rules. The same command writes the same rows with any number of workers; "
        f"digest {card['digest']}. Licence: {card['licence']}."
    )


def describe_speed(found: Speed) -> str:
    """Return a description of the time that the set took."""
    return (
        f"{found['games_a_cpu_second']:,} games per CPU second ({found['build']}; {found['on']}). A million take "
        f"about {found['hours_for_a_million_on_two_cores']:,} hours on two such cores."
    )


HEAD: Final = """---
license: mit
pretty_name: "Gonfalon, {title}"
tags: [card-game, imperfect-information, imitation-learning]
configs:
- config_name: games
  data_files: games/*.parquet
- config_name: decisions
  data_files: decisions/*.parquet
---
"""
READ: Final = """```python
import json
from pathlib import Path

import polars as pl

folder = Path(".")
card = json.loads((folder / "card.json").read_text())
games = pl.scan_parquet(folder / "games/*.parquet")
decisions = pl.scan_parquet(folder / "decisions/*.parquet")
```

The same version of Gonfalon can replay a game: \
`gonfalon.lab.data.datasets.read_record(card["setups"][row["setup"]], row)`. With views, \
`numpy.frombuffer(row["view"], "int8")` is one row, whose length depends on the matchup (`view_sizes`, in the order of \
`setups`), and `gonfalon.bridges.numbers.Numbers(game).named(view)` splits it into named parts, where `game` is \
`gonfalon.game(card["game"], **card["setups"][row["setup"]])`."""


def write_card(card: Card, folder: Path) -> None:
    """Write both files. The card for programs comes last, because it marks the set as complete."""
    texts = {"README.md": format_readme(card), "card.json": json.dumps(card, indent=1, ensure_ascii=False) + "\n"}
    for name, text in texts.items():
        atomic_files.write_file(folder / name, text)
