"""The card of a data set: what it holds, how it came about and how it is read, for programs (card.json) and for people
(README.md, whose head is what Hugging Face reads)."""

from __future__ import annotations

import json
from collections.abc import Sequence
from hashlib import sha256
from pathlib import Path
from typing import Any, Final

from gonfalon import __version__
from gonfalon.lab.data.datasets import Part, Plan, tables_of
from gonfalon.lab.data.tables import COLUMNS, DECISIONS, GAMES
from gonfalon.lab.run import atomic_files, machine

FORMAT: Final = "gonfalon-data-set"
FORMAT_VERSION: Final = 1
LICENCE: Final = "MIT"
MILLION: Final = 1_000_000
CORES: Final = 2


def card_of(plan: Plan, parts: Sequence[Part]) -> dict[str, Any]:
    """What card.json holds. `measured` is of this machine; all else is the same wherever the set is made."""
    tables = tables_of(plan)
    game = tables[0].game
    sizes = [None if table.layout is None else table.layout.size for table in tables]
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
        "measured": measured(parts),
    }


def measured(parts: Sequence[Part]) -> dict[str, Any]:
    """How long it took, in CPU seconds of whoever played, and how long a million games would."""
    spent, count = sum(part.spent for part in parts), sum(part.games for part in parts)
    rate = count / spent if spent else 0.0
    hours = MILLION / rate / CORES / 3600 if rate else 0.0
    told = {"cpu_seconds": round(spent, 1), "games_a_cpu_second": round(rate, 2)}
    return {
        **told,
        "hours_for_a_million_on_two_cores": round(hours, 1),
        "build": machine.build(),
        "on": machine.machine(),
    }


def page_of(card: dict[str, Any]) -> str:
    """README.md."""
    levels, found = ", ".join(card["levels"]), card["measured"]
    lines = [HEAD.format(**card), f"# {card['title']}: {levels}", "", told_of(card, levels), "", "## Reading it", ""]
    lines += [READ, "", "## Columns", ""]
    for kind in (GAMES, DECISIONS):
        lines += [f"### {kind}", "", "| Column | What it is |", "|---|---|"]
        lines += [f"| `{column}` | {words} |" for column, words in COLUMNS[kind].items()]
        lines.append("")
    lines += ["## How it was made", "", made_of(card), "", speed_of(found), ""]
    return "\n".join(lines)


def told_of(card: dict[str, Any], levels: str) -> str:
    """What a set holds, in words."""
    who = f"Each of the levels {levels} sits in each seat against each other, by turns."
    if len(card["levels"]) == 1:
        who = f"All seats are played by the level {levels}."
    return (
        f"{card['games']:,} games with {card['decisions']:,} decisions, played by the bots of Gonfalon. {who} A row of "
        "`decisions` tells what the seat could know when it decided, and besides only what came of it (`score`). A row "
        "of `games` holds the whole record, every card of it: who learns to play from that learns to cheat. The games "
        "show how these levels play, and no person."
    )


def made_of(card: dict[str, Any]) -> str:
    """How a set came about, in words."""
    words = [f"gonfalon lab data {card['game']} --games {card['games']} --players {','.join(card['levels'])}"]
    words += [f"--seed {card['seed']} --part {card['part']}", *(["--views"] if card["views"] else []), "--out FOLDER"]
    return (
        f"Made by {card['made_by']}: `{' '.join(words)}`, with the options that `card.json` tells of each matchup, by "
        f"version {card['rules']} of the rules. The same command writes the same rows with any number of workers; "
        f"digest {card['digest']}. Licence: {card['licence']}."
    )


def speed_of(found: dict[str, Any]) -> str:
    """How long it took, in words."""
    return (
        f"{found['games_a_cpu_second']:,} games a CPU second ({found['build']}; {found['on']}). A million take about "
        f"{found['hours_for_a_million_on_two_cores']:,} hours on two such cores."
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

With Gonfalon of the same version a game can be replayed: \
`gonfalon.lab.data.datasets.record_of(card["setups"][row["setup"]], row)`. Where there are views, \
`numpy.frombuffer(row["view"], "int8")` is one, as long as the matchup takes (`view_sizes`, in the order of `setups`), \
and `gonfalon.bridges.numbers.Numbers(game).named(view)` cuts it into its named parts, where `game` is \
`gonfalon.game(card["game"], **card["setups"][row["setup"]])`."""


def write(card: dict[str, Any], folder: Path) -> None:
    """Write both, the one for programs last."""
    texts = {"README.md": page_of(card), "card.json": json.dumps(card, indent=1, ensure_ascii=False) + "\n"}
    for name, text in texts.items():
        atomic_files.write(folder / name, text)
