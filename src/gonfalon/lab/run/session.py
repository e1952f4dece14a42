"""Workers that play the blocks of a study."""

from __future__ import annotations

import json
from collections.abc import Generator, Iterable, Iterator
from functools import partial
from itertools import count, islice
from pathlib import Path

from gonfalon.core.files.reading import read_text
from gonfalon.lab.run import atomic_files
from gonfalon.lab.run.blocks import FORM, Arm, Block, Named, play_named, row_of
from gonfalon.lab.run.workers import Team, Workers


class Crew(Team):
    """Workers that play named blocks and return them in the order of the names.

    Blocks that the folder holds already are read instead of played again. The file of a block appears whole or not at
    all, so an interrupted study continues where it stopped, and two studies share the blocks they have in common.
    """

    def __init__(self, workers: Workers, folder: Path | None) -> None:
        super().__init__(workers)
        self.folder = folder
        if folder is not None:
            folder.mkdir(parents=True, exist_ok=True)

    def play(self, wave: list[Named]) -> list[Block]:
        """Return the blocks of a wave. Raises OptionError if workers are killed again and again."""
        return list(self.each(wave))

    def each(self, names: Iterable[Named]) -> Iterator[Block]:
        """Yield the blocks one by one; `names` may be endless."""
        if self.folder is None:
            return self.in_order(play_named, names)
        return self.in_order(play_named, names, partial(kept_block, self.folder), partial(keep_block, self.folder))

    def stream(self, arms: list[Arm]) -> Generator[list[Block]]:
        """Yield the blocks of several arms, number by number and without end.

        The order is the same with any number of workers.
        """
        blocks = self.each((arm, number) for number in count() for arm in arms)
        while True:
            yield list(islice(blocks, len(arms)))


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
