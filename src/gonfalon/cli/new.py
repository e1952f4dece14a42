"""The command `gonfalon new NAME`: a folder with a small playable game, as a start for a new one."""

from __future__ import annotations

import keyword
import re
import sys
from pathlib import Path
from string import Template
from typing import Final

from gonfalon.cli import messages
from gonfalon.cli.arguments import UsageError

TEMPLATES: Final = Path(__file__).parent / "new_game"
SUFFIX: Final = ".txt"
"""The suffix of templates, so that no tool mistakes them for modules of this package."""
MAX_NAME_LENGTH: Final = 40
"""The maximum number of characters of a name."""


def lay_out(name: str, where: Path) -> list[Path]:
    """Write the package of a game called `name` into the folder `where / name`.

    Returns:
        The files, relative to that folder.

    Raises:
        UsageError: The name is invalid or taken, or the folder is not empty.
    """
    fault = find_name_fault(name)
    if fault:
        raise UsageError(fault)
    folder = where / name
    if folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
        raise UsageError(messages.FOLDER_EXISTS.format(folder=folder))
    words = name.split("_")
    filled = {
        "name": name,
        "Name": "".join(map(str.capitalize, words)),
        "title": " ".join(words).capitalize(),
        "install": build_install_command(),
    }
    written: list[Path] = []
    for source in sorted(TEMPLATES.rglob(f"*{SUFFIX}")):
        # Without the suffix of templates `game.py.txt` becomes `game.py`.
        first, *rest = source.relative_to(TEMPLATES).with_suffix("").parts
        path = Path(name if first == "package" else first, *rest)
        target = folder / path
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text(Template(source.read_text("utf-8")).substitute(filled), "utf-8")
        written.append(path)
    return written


def find_name_fault(name: str) -> str | None:
    """Return why a name for a game is invalid, as a sentence; None if it is valid."""
    if not re.fullmatch(r"[a-z][a-z0-9]*(_[a-z0-9]+)*", name):
        return messages.BAD_NAME.format(name=repr(name[:MAX_NAME_LENGTH]))
    if len(name) > MAX_NAME_LENGTH:
        return messages.NAME_TOO_LONG.format(limit=MAX_NAME_LENGTH, length=len(name))
    if keyword.iskeyword(name) or keyword.issoftkeyword(name):
        return messages.NAME_IS_KEYWORD.format(name=repr(name))
    from gonfalon.games import names

    if name in names():
        return messages.NAME_IS_GAME.format(name=repr(name))
    if name in sys.stdlib_module_names or name in ("gonfalon", "tests") or is_installed(name):
        return messages.NAME_IS_MODULE.format(name=repr(name))
    return None


def is_installed(name: str) -> bool:
    """Return whether a module of this name exists outside of the current folder."""
    from importlib.machinery import PathFinder

    here = Path.cwd()
    # The current folder may already contain the package of the new game.
    return PathFinder.find_spec(name, [path for path in sys.path if path and Path(path).resolve() != here]) is not None


def build_install_command() -> str:
    """Return the arguments of Python that install a game beside Gonfalon, without the network if the build tools are
    installed."""
    from importlib.util import find_spec

    ready = all(find_spec(builder) for builder in ("hatchling", "editables"))
    return f"-m pip install --no-deps {'--no-build-isolation ' if ready else ''}--editable ."


def format_next_steps(name: str) -> str:
    """Return the next steps after writing a package."""
    return messages.NEXT_STEPS.format(name=name, python=Path(sys.executable), install=build_install_command())
