"""`gonfalon check GAME --option FILE` plays with the owner's file in every game that accepts one."""

from __future__ import annotations

from typing import Any

import pytest

from gonfalon import games
from gonfalon.core.basics.rng import Rng
from gonfalon.core.rules.game import Game, names_for
from gonfalon.core.rules.state import OPEN
from gonfalon.games.feint import tiny
from gonfalon.games.jinkei import box as jinkei
from tests.generals import folk

WARDENS = {
    "slug": "wardens",
    "name": "Wardens",
    "initiative": 77,
    "cards": [tiny.make_card("halberdier", 20, 3, 1), tiny.make_card("lamplighter", 20, 2, 1)],
}
SMITHS = {
    "slug": "smiths",
    "name": "Smiths",
    "cards": [
        {"slug": "tinker", "name": "Tinker", "copies": 9, "later": 0, "battle": 2, "points": 2},
        {"slug": "bellfounder", "name": "Bellfounder", "copies": 0, "later": 9, "battle": 3, "points": 3},
    ],
}
DECK = {"colours": ["teal", "plum"], "ranks": list(range(11)), "achievements": [1] * 11}

OWN: dict[str, tuple[str, dict[str, Any], set[str]]] = {
    # the option, a file, and names of the file that only somebody who plays with it reads
    "feint": ("cards", {"form": 1, "faction": [WARDENS]}, {"Halberdier", "Lamplighter"}),
    "generals": ("cards", {"form": 1, "card": folk.FOLK}, {one["name"] for one in folk.FOLK}),
    "factionwars": ("cards", {"form": 1, "faction": [SMITHS]}, {"Tinker", "Bellfounder"}),
    "jinkei": ("formations", {**jinkei.read_standard_box(), "deck": DECK}, {"Teal", "Plum"}),
}


def read_in(game: Game, seed: int) -> str:
    """Return all text of a random game for an omniscient viewer."""
    state, rng = game.start(log=True), Rng(seed)
    names, read = names_for(game, OPEN), []
    while not state.over:
        read.append(game.text(state.mask(OPEN), names))
        state.apply(state.turn, state.sample(rng))
    return "\n".join(read)


def test_every_game_with_a_file_is_here() -> None:
    files = {name: [o.name for o in games.find_game_class(name).options_spec if o.file] for name in games.names()}
    assert {name: found for name, found in files.items() if found} == {name: [own[0]] for name, own in OWN.items()}


@pytest.mark.parametrize("name", OWN)
def test_the_contents_of_a_file_are_played(name: str) -> None:
    option, raw, wanted = OWN[name]
    samples = games.find_game_class(name).samples_with({option: raw})
    read = "\n".join(read_in(game, seed) for game in samples for seed in (1, 2))
    assert {word for word in wanted if word not in read} == set()
