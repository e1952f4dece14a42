"""Views as numbers."""

from __future__ import annotations

from weakref import WeakKeyDictionary

from gonfalon.core.arrays.layout import Layout
from gonfalon.core.rules.game import Game
from gonfalon.core.rules.state import Seat, State

_LAYOUTS: WeakKeyDictionary[Game, Layout] = WeakKeyDictionary()


def layout_of(game: Game) -> Layout:
    """The layout of a game's tensors, worked out once."""
    layout = _LAYOUTS.get(game)
    if layout is None:
        layout = _LAYOUTS[game] = Layout(game)
    return layout


def row(game: Game, state: State, seat: Seat) -> bytes:
    """What a seat may know of a full state as numbers, as learners are handed it."""
    layout = layout_of(game)
    out = layout.new()
    layout.fill(state, seat, out)
    return bytes(out)


def tensor(game: Game, view: State) -> bytes:
    """A view as numbers."""
    layout = layout_of(game)
    out = layout.new()
    layout.write(view, out)
    return bytes(out)
