"""Workers that play the blocks of a study."""

from __future__ import annotations

import json
import sys
from collections import Counter
from collections.abc import Generator, Iterable, Iterator
from functools import partial
from itertools import count, islice, tee
from pathlib import Path

from gonfalon.bots.outside.faults import describe_faults
from gonfalon.core.files.reading import read_text
from gonfalon.core.text.untrusted import print_text
from gonfalon.lab.run import atomic_files
from gonfalon.lab.run.blocks import FILE_FORMAT, Arm, Block, BlockName, parse_row, play_named_block
from gonfalon.lab.run.workers import Team, Workers


class BlockTeam(Team):
    """Workers that play named blocks and return them in the order of the names.

    Blocks that the folder holds already are read instead of played again. The file of a block appears whole or not at
    all, so an interrupted study continues where it stopped, and two studies share the blocks they have in common.
    """

    def __init__(self, workers: Workers, folder: Path | None) -> None:
        super().__init__(workers)
        self.folder = folder
        self.chosen: dict[str, Counter[str]] = {}
        """Moves that were chosen for programs, by player and fault."""
        if folder is not None:
            folder.mkdir(parents=True, exist_ok=True)

    def close(self) -> None:
        """Dismiss the workers, and report the moves that were chosen for programs."""
        super().close()
        while self.chosen:
            print_text(describe_faults(*self.chosen.popitem()), sys.stderr)

    def play(self, wave: list[BlockName]) -> list[Block]:
        """Return the blocks of a wave. Raises OptionError if workers are killed again and again."""
        return list(self.each(wave))

    def each(self, names: Iterable[BlockName]) -> Iterator[Block]:
        """Yield the blocks one by one; `names` may be endless."""
        given, names = tee(names)
        if self.folder is None:
            blocks = self.in_order(play_named_block, names)
        else:
            find, write = partial(find_block, self.folder), partial(write_block, self.folder)
            blocks = self.in_order(play_named_block, names, find, write)
        for (arm, _), block in zip(given, blocks, strict=False):
            if block.chosen:
                self.chosen.setdefault(arm.players, Counter()).update(block.chosen)
            yield block

    def stream(self, arms: list[Arm]) -> Generator[list[Block]]:
        """Yield the blocks of several arms, number by number and without end.

        The order is the same with any number of workers.
        """
        blocks = self.each((arm, number) for number in count() for arm in arms)
        while True:
            yield list(islice(blocks, len(arms)))


def block_path(folder: Path, name: BlockName) -> Path:
    """Return the path of a block's file."""
    return folder / f"{name[0].hash}-{name[1]}.json"


def write_block(folder: Path, name: BlockName, block: Block) -> None:
    """Write a block to its file."""
    body = {"form": FILE_FORMAT, "digest": block.digest, "spent": block.spent, "rows": block.rows}
    body |= {"chosen": block.chosen} if block.chosen else {}
    atomic_files.write_file(block_path(folder, name), json.dumps(body))


def find_block(folder: Path, name: BlockName) -> Block | None:
    """Return a block from its file; None if there is none or it is damaged, so that the block is played again."""
    arm, number = name
    rounds = range(number * arm.rounds, (number + 1) * arm.rounds)
    # A file of another version or a truncated one does not have exactly these rows.
    due = [(round, setup) for round in rounds for setup in range(len(arm.setups))]
    block = read_block(block_path(folder, name))
    return block if block is not None and [(row.round, row.setup) for row in block.rows] == due else None


def read_block(path: Path) -> Block | None:
    """Return the contents of a file; None if there is none or it is damaged."""
    try:
        body = json.loads(read_text(path))
        block = Block([parse_row(row) for row in body["rows"]], float(body["spent"]), dict(body.get("chosen", {})))
        return block if (body["form"], body["digest"]) == (FILE_FORMAT, block.digest) else None
    except (OSError, ValueError, KeyError, TypeError):
        return None
