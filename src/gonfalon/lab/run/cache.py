"""A folder in which a study keeps its blocks.

The file of a block appears whole or not at all, so an interrupted study continues where it stopped, and
two studies share the blocks they have in common.
"""

from __future__ import annotations

import json
from pathlib import Path

from gonfalon.core.files.reading import read_text
from gonfalon.lab.run import atomic_files
from gonfalon.lab.run.blocks import FORM, Block, Named, row_of


def path_of(folder: Path, name: Named) -> Path:
    """Where a block is kept."""
    return folder / f"{name[0].hash}-{name[1]}.json"


def keep_block(folder: Path, name: Named, block: Block) -> None:
    """Keep a block."""
    body = {"form": FORM, "digest": block.digest, "spent": block.spent, "rows": block.rows}
    atomic_files.write(path_of(folder, name), json.dumps(body))


def kept_block(folder: Path, name: Named) -> Block | None:
    """A block out of its file; None where there is none, or a damaged one, which is then played again."""
    arm, number = name
    rounds = range(number * arm.rounds, (number + 1) * arm.rounds)
    due = [(round, setup) for round in rounds for setup in range(len(arm.setups))]
    block = read_block(path_of(folder, name))
    return block if block is not None and [(row.round, row.setup) for row in block.rows] == due else None


def read_block(path: Path) -> Block | None:
    """What a file holds; None where there is none, or a damaged one."""
    try:
        body = json.loads(read_text(path))
        block = Block([row_of(row) for row in body["rows"]], float(body["spent"]))
        return block if (body["form"], body["digest"]) == (FORM, block.digest) else None
    except (OSError, ValueError, KeyError, TypeError):
        return None
