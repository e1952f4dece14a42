"""Each game has one board model, which its template, its sheet and the API read."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

import pytest

from gonfalon import games
from gonfalon.core.files.replay import replay_sights
from gonfalon.core.rules.game import Game
from gonfalon.core.rules.page import TEXT_WIDTH, Shown
from gonfalon.core.rules.state import OPEN, SPECTATOR, State
from gonfalon.core.rules.words import names_for
from gonfalon.testing import random_record
from gonfalon.web.shared.renderer import Renderer
from gonfalon.web.shared.template_context import BLANK_UI, NO_CONTROLS, Context

OPTIONS: Final[Mapping[str, Sequence[Mapping[str, object]]]] = {
    "factionwars": ({"seats": 2}, {"seats": 4, "revision": "later"}),
    "feint": ({}, {}),
    "generals": ({}, {}),
    "jinkei": ({"games": 2, "memory": "open"}, {}),
}
"""The options of games besides the default in which a board shows all fields."""
OFTEN: Final = 2
"""The number of positions of each question and moment examined in a game."""
FOR_PROGRAMS: Final = {"viewer", "outcome", "winners", "how"}
"""The viewer and the result, by which programs read any board."""
ALSO_FOR_PROGRAMS: Final[Mapping[str, frozenset[str]]] = {
    "factionwars": frozenset({"icons", "why"}),
    "feint": frozenset({"tags", "tie"}),
    "generals": frozenset({"what", "by", "sacrifice", "part"}),
}
"""Facts of a game that pages show as sentences."""


def positions(game: Game, seed: int) -> Iterator[tuple[State, Context]]:
    """Yield views of all questions and moments of a random game, with the template's context."""
    record, met = random_record(game, seed), Counter[str]()
    for n, sight in enumerate(replay_sights(record, OPEN, actions=False)):
        state = sight.state
        asked = state.moment or (state.stack[-1].prompt if state.stack else "")
        met[asked] += 1
        if met[asked] > OFTEN and n % 41:
            continue
        for viewer in (n % game.seats, SPECTATOR, OPEN):
            view = state.mask(viewer)
            yield view, context(game, view, record.names)


def context(game: Game, view: State, plain: list[str]) -> Context:
    """Return the context of a table's template."""
    names = names_for(game, view.viewer, plain)
    controls = game.controls(view)
    moment = {"text": "", "head": "", "recap": [], "seconds": 1, "number": 1, "name": view.moment}
    return {
        "shares": False,
        "arms": [game.arms(seat) for seat in range(game.seats)],
        "table": {"key": "", "title": "", "game": game.name, "game_title": game.title},
        "over": {"text": "", "rematch": None, "replay_url": None} if view.over else None,
        "menu": dict.fromkeys(("guide_url", "learn_url", "cards_url", "record_url", "replay_url", "review_url")),
        "decision": {"text": "", "prompt": "", "actions": [], "version": 1} if controls["mode"] else None,
        "me": view.viewer if view.viewer >= 0 else None,
        "ui": {
            **BLANK_UI,
            **(controls if controls["mode"] else NO_CONTROLS),
            "form_url": "act",
            "token_hidden": {"expected": 1},
            "names": names,
            "waiting": None,
            "can_take_back": False,
            "back_url": None,
        },
        "hint": None,
        "moments": 1,
        "moment": moment if view.moment else None,
        "lasting": None,
        "all_open": view.viewer == OPEN,
        "board": json.loads(json.dumps(game.board(view))),
    }


def screens(game: Game, board: Shown, before: Shown | None, names: list[str]) -> list[object]:
    """Return all text that terminals draw of a board."""
    film = game.film(board, before, names)
    sizes = ((55, 16), (110, 40), (TEXT_WIDTH, 0))
    drawn: list[object] = [game.sheet(board, names, width, height) for width, height in sizes]
    return [*drawn, *(game.sheet(still.board, names, 80, 30) for still in film), *(still.words for still in film)]


def keys_of(value: object) -> Iterator[str]:
    """Yield the names of all fields. The fields of a provenance are names of other fields."""
    if isinstance(value, list):
        for inner in value:
            yield from keys_of(inner)
    elif isinstance(value, dict):
        for key, inner in value.items():
            yield key
            if key != "provenance":
                yield from keys_of(inner)


def without(value: object, key: str) -> Any:
    """Return a board without the fields of a name."""
    if isinstance(value, dict):
        return {name: without(one, key) for name, one in value.items() if name != key}
    return [without(one, key) for one in value] if isinstance(value, list) else value


@pytest.mark.parametrize("name", ["factionwars", "feint", "generals", "jinkei"])
def test_template_and_sheet_read_every_field_of_the_model(name: str) -> None:
    """A field that changes no page and no screen is useless."""
    template = Renderer({name: games.find_game_class(name)}).templates
    unread: set[str] = set()
    read: set[str] = set(FOR_PROGRAMS) | ALSO_FOR_PROGRAMS.get(name, frozenset())
    for seed, options in enumerate(({}, *OPTIONS[name])):
        game = games.find_game_class(name)(**options)
        before: Shown | None = None
        for view, given in positions(game, seed):
            board, names = given["board"], given["ui"]["names"]
            page, drawn = template.draw(f"{name}/table.html", given), screens(game, board, before, names)
            unread |= set(keys_of(board)) - read
            for key in sorted(unread):
                less = without(board, key)
                try:
                    same = template.draw(f"{name}/table.html", given | {"board": less}) == page
                    same = same and screens(game, less, before, names) == drawn
                except Exception:
                    same = False
                if not same:
                    unread.remove(key)
                    read.add(key)
            before = board if view.viewer >= 0 else before
    assert not unread
