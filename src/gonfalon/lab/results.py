"""What the lab finds out, kept as files: the figures as JSON, a page, a picture, and an index of the folder."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

from gonfalon.core.files import read_text
from gonfalon.lab import whole

if TYPE_CHECKING:
    from _typeshed import DataclassInstance

Study = TypeVar("Study", bound="DataclassInstance")

INDEX = "README.md"
INTRO = (
    "# How strong the bots are\n\n"
    "What `gonfalon lab` has measured, the newest of each; `make strength` measures it again. Every page says "
    "when and on which machine, with which build, rules and seed; the figures are in the JSON file beside it. All of "
    "it is between programs: a share or a chance says little here about people.\n\n"
    "- *Levels* is levels against each other (all, or each against the next and greedy), over deals that are "
    "played from every seat: ratings, scores, times, and where it was asked what the exploiter scores, who knows a "
    "level and searches for the best answer to it.\n"
    "- *Chances* is whether the chances to win that levels tell come true.\n"
    "- *Reviews* is whether reviews of finished games are right: about luck, mistakes, and how sure they are.\n"
    "- *Many tables* is whether bots keep to their time while ten tables play.\n"
    "- [Notes](notes/) are what was measured besides.\n"
)


def stem(game: str, seats: int) -> str:
    """The name of a game's files: with the number of seats where it is not two."""
    return game if seats == 2 else f"{game}-{seats}"


def write(folder: Path, name: str, figures: Mapping[str, object], page: str, picture: str = "") -> None:
    """Write the files of one study, and the index of the folder anew."""
    folder.mkdir(parents=True, exist_ok=True)
    whole.write(folder / f"{name}.json", json.dumps(figures, indent=1) + "\n")
    whole.write(folder / f"{name}.md", page)
    if picture:
        whole.write(folder / f"{name}.svg", picture)
    whole.write(folder / INDEX, index(folder))


def tell(
    found: Study,
    name: str,
    page: Callable[[Study, str], str],
    picture: Callable[[Study], str],
    folder: Path | None,
    as_json: bool,
) -> None:
    """Print what a study has found, as a page or as JSON, and write its files into a folder if there is one."""
    if folder is not None:
        write(folder, name, asdict(found), page(found, f"{name}.svg"), picture(found))
    print(json.dumps(asdict(found), indent=1) + "\n" if as_json else page(found, ""), end="")


def index(folder: Path) -> str:
    """The index of a folder: its pages, by their headings."""
    lines = [INTRO]
    for path in sorted(folder.glob("*.md")):
        if path.name != INDEX:
            heading = read_text(path).partition("\n")[0].lstrip("# ")
            lines.append(f"- [{heading}]({path.name}), [figures]({path.stem}.json)")
    return "\n".join(lines).rstrip() + "\n"
