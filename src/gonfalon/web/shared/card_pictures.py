"""Pictures of cards: an icon for each card, and portraits drawn from parts.

A game's `face/faces.toml` names the icon of each card by slug, and the parts of each portrait; `face/parts.toml` holds
the shapes of the parts. Portraits are drawn once, as sheets of symbols: `generals-wu-faces.svg#generals-sun-ce`.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterable, Mapping
from functools import cache
from pathlib import Path
from string import Template
from typing import Final

from gonfalon.core.rules.game import Game
from gonfalon.web.shared.template_context import FACE, Context

LAYERS: Final = (
    (("arm",), False),
    (("head.back",), True),
    (("body",), False),
    (("ears", "face", "mark", "eyes", "beard", "head"), True),
    (("held",), False),
)
"""The places of a portrait from back to front, and whether their parts are as wide as the face."""
WIDTHS: Final = {"": 1, "slim": 0.93, "broad": 1.09}
PALETTES: Final = {"skin": "skin", "hair": "hair", "metal": "metal", "cloth": "cloth", "hat": "cloth", "trim": "cloth"}
"""The colors of a portrait, and the palette of each."""
SHAPE: Final = re.compile(r"(= )?(\S+) (M.*)")
COMMAND: Final = re.compile(r"([MLHVCQTZ])([^MLHVCQTZ]*)")
NUMBER: Final = re.compile(r"-?[\d.]+")
SIZE: Final = 64
GRID: Final = 4
"""The units of a sheet in a unit of `parts.toml`."""
OUTLINE: Final = 'fill="none" stroke="$ink" stroke-width="5.2" stroke-linejoin="round" stroke-linecap="round"'


def read_face(folder: Path, name: str) -> Context:
    """Return the data of a file of a game's face; empty if the game has no such file."""
    file = folder / FACE / name
    return tomllib.loads(file.read_text("utf-8")) if file.is_file() else {}


@cache
def read_icons(folder: Path) -> Mapping[str, str]:
    """Return the icon of each card of a game by slug; empty for a game without `faces.toml`."""
    icons: Mapping[str, str] = read_face(folder, "faces.toml").get("icon", {})
    return icons


def list_pictures(kinds: Mapping[str, type[Game]]) -> dict[str, dict[str, dict[str, str]]]:
    """Return the icon and the symbol of the portrait of each card, by game and slug; empty for a missing one."""
    found: dict[str, dict[str, dict[str, str]]] = {}
    for game, kind in kinds.items():
        faces = read_face(kind.folder, "faces.toml")
        drawn = [slug for sheet in faces.get("portraits", {}).values() for slug in sheet]
        found[game] = {slug: {"icon": icon, "portrait": ""} for slug, icon in read_icons(kind.folder).items()}
        for slug in drawn:
            found[game].setdefault(slug, {"icon": ""})["portrait"] = f"{game}-{slug}"
    return found


def list_sheets(kinds: Iterable[type[Game]]) -> dict[str, str]:
    """Return the sheets of portraits of all games, by file name."""
    return {name: sheet for kind in kinds for name, sheet in draw_sheets(kind.name, kind.folder).items()}


@cache
def draw_sheets(game: str, folder: Path) -> dict[str, str]:
    """Return the sheets of portraits of one game, by file name."""
    sheets = read_face(folder, "faces.toml").get("portraits", {})
    parts = read_face(folder, "parts.toml")
    return {f"{game}-{sheet}-faces.svg": draw_sheet(game, faces, parts) for sheet, faces in sheets.items()}


def draw_sheet(game: str, faces: Context, parts: Context) -> str:
    """Return a sheet of portraits."""
    symbols = "\n".join(draw_symbol(f"{game}-{slug}", face, parts) for slug, face in faces.items())
    return f'<svg xmlns="http://www.w3.org/2000/svg">\n{symbols}\n</svg>\n'


def draw_symbol(symbol: str, face: Context, parts: Context) -> str:
    """Return a portrait as a symbol.

    Args:
        symbol: The symbol's id.
        face: A part for each place, and the colors.
        parts: The content of `parts.toml`.
    """
    face = {**parts["defaults"], **face}
    colors = dict(parts["colors"]["fixed"])
    for name, palette in PALETTES.items():
        colors[name], colors[f"{name}2"] = parts["colors"][palette][face[name] or face["cloth"]]
    width = WIDTHS[face["shape"]]
    layers = []
    for places, wide in LAYERS:
        drawn = "".join(draw_part(face, place, parts["parts"]) for place in places)
        if wide and drawn and width != 1:
            drawn = f'<g transform="matrix({width} 0 0 1 {SIZE * GRID / 2 * (1 - width):g} 0)">{drawn}</g>'
        layers.append(drawn)
    shapes = Template(f"<g {OUTLINE}>{''.join(layers)}</g>").substitute(colors)
    return f'<symbol id="{symbol}" viewBox="0 0 {SIZE * GRID} {SIZE * GRID}">{shapes}</symbol>'


def draw_part(face: Context, place: str, parts: Context) -> str:
    """Return the shapes of the part at a place: `head`, or `head.back` for those of the head behind the body."""
    place, _, back = place.partition(".")
    shapes = parts[place].get(f"{face[place]}-back", "") if back else parts[place][face[place]] if face[place] else ""
    aside = place == "arm" and face["left"]
    return "".join(draw_shape(line, aside) for line in shapes.splitlines())


def draw_shape(line: str, aside: bool = False) -> str:
    """Return a line of `parts.toml` as a path; of `aside`, its mirror image."""
    found = SHAPE.fullmatch(line)
    if not found:
        raise ValueError(f"not a shape: {line}")
    both, paint, path = found.groups()
    sides = (False, True) if both else (aside,)
    fill, stroke, width, dashes = (*paint.split("/"), "", "", "")[:4]
    looks = {"fill": find_color(fill), "stroke": find_color(stroke), "stroke-width": enlarge(width)}
    looks["stroke-dasharray"] = " ".join(map(enlarge, dashes.split(",")))
    given = "".join(f'{name}="{value}" ' for name, value in looks.items() if value)
    return f'<path {given}d="{"".join(draw_path(path, side) for side in sides)}"/>'


def find_color(word: str) -> str:
    """Return a color's place in the template: `hat` is `$hat`, and `-` no color."""
    return "none" if word == "-" else word and f"${word}"


def enlarge(length: str) -> str:
    """Return a length in the units of the sheet."""
    return length and f"{float(length) * GRID:g}"


def draw_path(path: str, mirrored: bool) -> str:
    """Return a path, or its mirror image, in relative commands and whole numbers, which are the shortest."""
    drawn = ""
    at = start = (0, 0)
    for command, numbers in COMMAND.findall(path):
        values = [round(float(n) * GRID) for n in NUMBER.findall(numbers)]
        values = [*values, at[1]] if command == "H" else [at[0], *values] if command == "V" else values
        points = list(zip(values[::2], values[1::2], strict=True)) or [start]
        steps = [(at[0] - x if mirrored else x - at[0], y - at[1]) for x, y in points]
        at = points[-1]
        if command == "M":
            start = at
            drawn += f"M{SIZE * GRID - at[0] if mirrored else at[0]} {at[1]}"
        elif command in "HV":
            drawn += f"{command.lower()}{steps[0][command == 'V']}"
        else:
            drawn += command.lower() + " ".join(f"{x} {y}" for x, y in steps if command != "Z")
    return drawn.replace(" -", "-")
