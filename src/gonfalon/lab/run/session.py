"""Workers that play the blocks of a study."""

from __future__ import annotations

from collections.abc import Generator, Iterable, Iterator
from functools import partial
from itertools import count, islice
from pathlib import Path

from gonfalon.lab.run.blocks import Arm, Block, Named, play_named
from gonfalon.lab.run.cache import keep_block, kept_block
from gonfalon.lab.run.workers import Team, Workers


class Crew:
    """Workers that play named blocks and return them in the order of the names.

    Blocks that the folder holds already are read instead of played again.
    """

    def __init__(self, workers: Workers, folder: Path | None) -> None:
        self.team = Team(workers)
        self.folder = folder
        if folder is not None:
            folder.mkdir(parents=True, exist_ok=True)

    def __enter__(self) -> Crew:
        return self

    def __exit__(self, *_: object) -> None:
        self.team.close()

    def play(self, wave: list[Named]) -> list[Block]:
        """Return the blocks of a wave. Raises OptionError if workers are killed again and again."""
        return list(self.each(wave))

    def each(self, names: Iterable[Named]) -> Iterator[Block]:
        """Yield the blocks one by one; `names` may be endless."""
        if self.folder is None:
            return self.team.in_order(play_named, names)
        return self.team.in_order(play_named, names, partial(kept_block, self.folder), partial(keep_block, self.folder))

    def stream(self, arms: list[Arm]) -> Generator[list[Block]]:
        """Yield the blocks of several arms, number by number and without end.

        The order is the same with any number of workers.
        """
        blocks = self.each((arm, number) for number in count() for arm in arms)
        while True:
            yield list(islice(blocks, len(arms)))
