"""The pictures of the screens are small, complete, and on the page about them."""

from __future__ import annotations

import re

from docs.generated import SCREENS, pages
from tools.screens.camera import MAX_BYTES

NAME = re.compile(r"(?:film-(\w+)-(1280|390)|([\w-]+)-(1280|1920|390|360)-(light|dark))\.webp")
ALL = 4_700_000
"""The maximum total size in bytes, because every clone of the project includes them."""
FILES = sorted(SCREENS.glob("*.webp"))


def test_no_picture_is_large() -> None:
    sizes = {path.name: path.stat().st_size for path in FILES}
    assert {name: size for name, size in sizes.items() if size > MAX_BYTES} == {}
    assert sum(sizes.values()) <= ALL


def test_every_screen_is_there_at_every_size_by_day_and_by_night() -> None:
    found: dict[str, set[tuple[str, str]]] = {}
    films: dict[str, set[str]] = {}
    for path in FILES:
        match = NAME.fullmatch(path.name)
        assert match, path.name
        film, width, screen, size, scheme = match.groups()
        if film:
            films.setdefault(film, set()).add(width)
        else:
            found.setdefault(screen, set()).add((size, scheme))
    every = {(size, scheme) for size in ("1280", "1920", "390", "360") for scheme in ("light", "dark")}
    assert {screen for screen, variants in found.items() if variants != every} == set()
    assert films == {game: {"1280", "390"} for game in ("feint", "jinkei", "factionwars")}


def test_the_page_shows_each_of_them() -> None:
    shown = set(re.findall(r"pictures/screens/([\w-]+\.webp)", pages()["why/screens.md"]))
    assert shown == {path.name for path in FILES}
