"""Folders in which studies keep their blocks, and how those of several machines become one.

A block's file appears whole or not at all, so a study that was stopped goes on where it was, and two studies share what
they have in common. Beside the blocks stands which studies they are of: only what belongs together is merged.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from hashlib import sha256
from pathlib import Path
from typing import Final

from gonfalon import games
from gonfalon.core.errors import DataError
from gonfalon.core.files import read_text
from gonfalon.core.options import Options
from gonfalon.lab import sources, whole
from gonfalon.lab.blocks import FORM, Block, Named, row_of

STUDIES: Final = "study-*.json"
BLOCKS: Final = "[0-9a-f]*-*.json"
OTHERWISE: Final[Mapping[str, str]] = {
    "game": "another game",
    "version": "other rules",
    "sources": "another Gonfalon",
    "variants": "other cards or options",
    "seed": "another seed",
}
"""In what studies must agree to be merged, and how they differ otherwise. Who plays may differ, and what is asked."""

Note = dict[str, object]
"""What a study is."""


def note(what: str, name: str, variants: Sequence[Options], players: str, seed: int) -> Note:
    """A study, with the variants of the game that it plays."""
    pinned = [games.game(name, **options).pinned() for options in variants]
    return {
        "study": what,
        "game": name,
        "version": games.kind(name).version,
        "sources": sources.of_game(name),
        "variants": [sha256(json.dumps(one, sort_keys=True).encode()).hexdigest()[:20] for one in pinned],
        "players": players,
        "seed": str(seed),
    }


def keep_note(folder: Path, study: Note) -> None:
    """Say in a folder that it keeps blocks of a study."""
    folder.mkdir(parents=True, exist_ok=True)
    text = json.dumps(study)
    whole.write(folder / f"study-{sha256(text.encode()).hexdigest()[:20]}.json", text)


def path_of(folder: Path, name: Named) -> Path:
    """Where a block is kept."""
    return folder / f"{name[0].hash}-{name[1]}.json"


def keep_block(folder: Path, name: Named, block: Block) -> None:
    """Keep a block."""
    body = {"form": FORM, "digest": block.digest, "spent": block.spent, "rows": block.rows}
    whole.write(path_of(folder, name), json.dumps(body))


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


# ---- several machines -----------------------------------------------------------------------------------------


def merge(into: Path, given: Sequence[Path]) -> str:
    """Put the blocks of several folders into one, and say how many these were. One that is given twice counts once.
    Nothing is written where a study does not belong to the others, or a block is another one elsewhere. Raises
    DataError."""
    own = notes(into) if into.exists() else {}
    for folder in given:
        found = notes(folder)
        if not found:
            raise DataError(f"{folder} keeps no study of the lab.")
        for study in found.values():
            check(folder, study, [*own.values()] or [*found.values()])
        own |= found
    new, there, damaged = dict[str, Path](), 0, 0
    for path in (path for folder in given for path in sorted(folder.glob(BLOCKS))):
        block = read_block(path)
        before = read_block(new.get(path.name, into / path.name))
        if block is None:
            damaged += 1
        elif before is None:
            new[path.name] = path
        elif before.digest != block.digest:
            raise DataError(f"{path} holds other games than {new.get(path.name, into / path.name)}, of the same block.")
        else:
            there += 1
    for study in own.values():
        keep_note(into, study)
    for name, path in new.items():
        whole.write(into / name, read_text(path))
    left = f"; damaged, and left out: {damaged}" if damaged else ""
    return f"Blocks that are new in {into}: {len(new)}; there already: {there}{left}."


def notes(folder: Path) -> dict[str, Note]:
    """The studies of a folder. Raises DataError."""
    try:
        found = {path.name: json.loads(read_text(path)) for path in sorted(folder.glob(STUDIES))}
    except (OSError, ValueError):
        raise DataError(f"What {folder} says of its studies cannot be read.") from None
    if not all(isinstance(study, dict) and OTHERWISE.keys() <= study.keys() for study in found.values()):
        raise DataError(f"What {folder} says of its studies cannot be read.")
    return found


def check(folder: Path, study: Note, own: Sequence[Note]) -> None:
    """Whether a study belongs to one of others. Raises DataError."""
    differ = [[word for key, word in OTHERWISE.items() if study[key] != other[key]] for other in own]
    least = min(differ, key=len)
    if least:
        raise DataError(f"{folder} keeps a study of {least[0]}: it cannot be merged with the others.")
