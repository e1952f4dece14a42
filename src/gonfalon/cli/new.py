"""`gonfalon new NAME`: a folder with a small game that plays, for its author to make their own of it."""

from __future__ import annotations

import keyword
import re
import sys
from pathlib import Path
from string import Template
from typing import Final

from gonfalon.cli.arguments import UsageError

TEMPLATES: Final = Path(__file__).parent / "new_game"
SUFFIX: Final = ".txt"
"""The suffix of templates, so that no tool takes one for a module of ours."""
LONGEST: Final = 40


def lay_out(name: str, where: Path) -> list[Path]:
    """Write the package of a game called `name` into the folder `where / name`; the files, relative to it. Raises
    UsageError for a name that cannot be used or is taken, and for a folder with something in it."""
    fault = fault_of(name)
    if fault:
        raise UsageError(fault)
    folder = where / name
    if folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
        raise UsageError(f"{folder} is there already, and nothing is overwritten.")
    words = name.split("_")
    filled = {
        "name": name,
        "Name": "".join(map(str.capitalize, words)),
        "title": " ".join(words).capitalize(),
        "install": install(),
    }
    written: list[Path] = []
    for source in sorted(TEMPLATES.rglob(f"*{SUFFIX}")):
        first, *rest = source.relative_to(TEMPLATES).with_suffix("").parts
        path = Path(name if first == "package" else first, *rest)
        target = folder / path
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text(Template(source.read_text("utf-8")).substitute(filled), "utf-8")
        written.append(path)
    return written


def fault_of(name: str) -> str | None:
    """Return why a name for a game is invalid, as a sentence; None if it is valid."""
    if not re.fullmatch(r"[a-z][a-z0-9]*(_[a-z0-9]+)*", name):
        return f"{name[:LONGEST]!r} is no name for a game: use small letters, digits and _, with a letter first."
    if len(name) > LONGEST:
        return f"The name of a game has at most {LONGEST} letters; this one has {len(name)}."
    if keyword.iskeyword(name) or keyword.issoftkeyword(name):
        return f"{name!r} is a word of Python's own; a game needs another name."
    from gonfalon.games import names

    if name in names():
        return f"There is a game {name!r} already; a new one needs another name."
    if name in sys.stdlib_module_names or name in ("gonfalon", "tests") or installed(name):
        return f"There is a Python module {name!r} already; a game needs another name."
    return None


def installed(name: str) -> bool:
    """Return whether a module of this name exists outside of the current folder."""
    from importlib.machinery import PathFinder

    here = Path.cwd()
    return PathFinder.find_spec(name, [path for path in sys.path if path and Path(path).resolve() != here]) is not None


def install() -> str:
    """Return the command that installs a game where Gonfalon is installed, after that environment's Python: without the
    network if the build tools are there."""
    from importlib.util import find_spec

    ready = all(find_spec(builder) for builder in ("hatchling", "editables"))
    return f"-m pip install --no-deps {'--no-build-isolation ' if ready else ''}--editable ."


def report(name: str) -> str:
    """Return the next steps."""
    return (
        f"{name}/ holds a small game that plays. Next:\n"
        f"  cd {name}\n"
        f"  {Path(sys.executable)} {install()}\n"
        f"  gonfalon check {name} --seconds 60\n"
        f"  gonfalon play {name}\n"
        f"Then change {name}/rules/, {name}/face/words.py and {name}/guide.md; a table server that is running takes a\n"
        "change over when it is started again."
    )
