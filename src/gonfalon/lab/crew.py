"""Workers who play the blocks of a study, all of them or a part."""

from __future__ import annotations

import sys
from collections.abc import Generator, Iterable, Iterator
from functools import partial
from itertools import count, islice
from pathlib import Path
from typing import NamedTuple

from gonfalon.lab.blocks import Arm, Block, Named, play_named
from gonfalon.lab.kept import Note, keep_block, keep_note, kept_block
from gonfalon.lab.workers import Team, Workers


class Part(NamedTuple):
    """What one of several machines plays: of so many blocks in a row the one of a number, counted from 1."""

    number: int
    of: int


class PartDone(Exception):
    """What a machine was to play has been played; what comes next depends on the others."""

    def tell(self) -> None:
        """Say so."""
        print(self, file=sys.stderr)


class Crew:
    """Workers who play named blocks, one wave after the other; the answers come in the order of the names. What lies
    in the folder is not played again. With a part, only that part of each wave is played here."""

    def __init__(
        self, workers: Workers, folder: Path | None, study: Note | None = None, part: Part | None = None
    ) -> None:
        self.team = Team(workers)
        self.folder = folder
        self.part = part
        if folder is not None:
            folder.mkdir(parents=True, exist_ok=True)
            if study is not None:
                keep_note(folder, study)

    def __enter__(self) -> Crew:
        return self

    def __exit__(self, *_: object) -> None:
        self.team.close()

    def play(self, wave: list[Named]) -> list[Block]:
        """The blocks of a wave. Raises OptionError where workers are killed again and again, and PartDone."""
        if self.part is None or self.folder is None:
            return list(self.each(wave))
        own = wave[self.part.number - 1 :: self.part.of]
        played = len([1 for _ in self.each(own)])
        blocks = [block for name in wave if (block := kept_block(self.folder, name)) is not None]
        if len(blocks) < len(wave):
            raise PartDone(
                f"Part {self.part.number} of {self.part.of} is played: {played} of {len(wave)} blocks, in "
                f"{self.folder}. Merge it with the others (gonfalon lab merge), then ask again without --part."
            )
        return blocks

    def each(self, names: Iterable[Named]) -> Iterator[Block]:
        """The blocks one by one; they may be without end."""
        if self.folder is None:
            return self.team.in_order(play_named, names)
        return self.team.in_order(play_named, names, partial(kept_block, self.folder), partial(keep_block, self.folder))

    def stream(self, arms: list[Arm], most: int) -> Generator[list[Block]]:
        """The blocks of several arms, number by number and without end, in the same order with any number of workers.
        With a part, those of so many games."""
        names = ((arm, number) for number in count() for arm in arms)
        if self.part is not None:
            games = sum(arm.rounds * len(arm.setups) for arm in arms)
            self.play(list(islice(names, -(-most // games) * len(arms))))
            names = ((arm, number) for number in count() for arm in arms)
        blocks = self.each(names)
        while True:
            yield list(islice(blocks, len(arms)))
