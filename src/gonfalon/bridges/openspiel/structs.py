"""States, observations and actions as JSON."""

from __future__ import annotations

import json

from gonfalon.core.rules.game import Game, names_for
from gonfalon.core.rules.state import State


class Struct:
    """What OpenSpiel calls a struct: something that writes itself down as JSON."""

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


def table(game: Game, view: State) -> object:
    """The table as JSON."""
    try:
        return game.board(view)
    except NotImplementedError:
        return view.data()


def observation(game: Game, view: State) -> Struct:
    """The table as a seat sees it, what is asked, and the seat's legal actions in notation."""
    seat = view.viewer
    prompt = game.prompt(view, names_for(game, seat)) if view.stack else ""
    legal = [game.notation(action) for action in view.legal(seat)]
    return Struct(player=seat, prompt=prompt, legal_actions=legal, table=table(game, view))
