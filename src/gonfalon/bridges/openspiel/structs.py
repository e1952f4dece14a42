"""States, observations and actions as JSON."""

from __future__ import annotations

import json

from gonfalon.core.rules.game import Game, names_for
from gonfalon.core.rules.state import State


class Struct:
    """OpenSpiel's interface for objects with a JSON form."""

    def __init__(self, **fields: object) -> None:
        self.fields = fields

    def to_dict(self) -> dict[str, object]:
        return self.fields

    def to_json(self) -> str:
        return json.dumps(self.fields, ensure_ascii=False)

    def __getattr__(self, name: str) -> object:
        try:
            return self.fields[name]
        except KeyError:
            raise AttributeError(name) from None

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Struct) and self.fields == other.fields

    def __hash__(self) -> int:
        return hash(self.to_json())

    def __repr__(self) -> str:
        return f"Struct({self.to_json()})"


def board_data(game: Game, view: State) -> object:
    """Return the table as JSON values."""
    try:
        return game.board(view)
    except NotImplementedError:
        return view.data()


def observation_struct(game: Game, view: State) -> Struct:
    """Return a seat's view of the table, the prompt, and the seat's legal actions in notation."""
    seat = view.viewer
    prompt = game.prompt(view, names_for(game, seat)) if view.stack else ""
    legal = [game.notation(action) for action in view.legal(seat)]
    return Struct(player=seat, prompt=prompt, legal_actions=legal, table=board_data(game, view))
