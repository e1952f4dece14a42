"""Measurements of the bots as files: a page, a picture, and an index of the folder."""

from __future__ import annotations

from pathlib import Path

from gonfalon.core.files.reading import read_text
from gonfalon.lab.run import atomic_files

INDEX = "README.md"
INTRO = (
    "# How strong the bots are\n\n"
    "This folder has the newest measurements of the bots. Every page names its date, machine, build, rules and seed, "
    "and the command that repeats it; `make strength` measures further ones. All measurements are between programs, so "
    "scores and win chances predict little about people.\n\n"
    "- *Levels*: levels against each other, in deals played from every seat, with times.\n"
    "- *Reviews*: whether reviews of finished games are right about luck and mistakes, and about their own "
    "certainty.\n"
    "- [Notes](notes/): further measurements.\n"
)


def file_stem(game: str, seats: int) -> str:
    """Return the name of a game's files, with the number of seats unless it is two."""
    return game if seats == 2 else f"{game}-{seats}"


def write_page(folder: Path, name: str, page: str, picture: str = "") -> None:
    """Write the page of one study and its picture, and update the index of the folder."""
    folder.mkdir(parents=True, exist_ok=True)
    atomic_files.write_file(folder / f"{name}.md", page)
    if picture:
        atomic_files.write_file(folder / f"{name}.svg", picture)
    atomic_files.write_file(folder / INDEX, format_index(folder))


def format_index(folder: Path) -> str:
    """Return the index of a folder: its pages, by their headings."""
    lines = [INTRO]
    for path in sorted(folder.glob("*.md")):
        if path.name != INDEX:
            heading = read_text(path).partition("\n")[0].lstrip("# ")
            lines.append(f"- [{heading}]({path.name})")
    return "\n".join(lines).rstrip() + "\n"
