"""Views and states as rows of numbers."""

from __future__ import annotations

from weakref import WeakKeyDictionary

from gonfalon.core.arrays.layout import Layout
from gonfalon.core.rules.game import Game
from gonfalon.core.rules.state import Seat, State

_LAYOUTS: WeakKeyDictionary[Game, Layout] = WeakKeyDictionary()
"""Cache of `build_layout`."""


def build_layout(game: Game) -> Layout:
    """Return the layout of a game's tensors, computed once for each game."""
    layout = _LAYOUTS.get(game)
    if layout is None:
        layout = _LAYOUTS[game] = Layout(game)
    return layout


def build_row(game: Game, state: State, seat: Seat) -> bytes:
    """Return the row of a full state for a seat, as learners receive it."""
    layout = build_layout(game)
    out = layout.new()
    layout.fill(state, seat, out)
    return bytes(out)


def build_tensor(game: Game, view: State) -> bytes:
    """Return the row of a view."""
    layout = build_layout(game)
    out = layout.new()
    layout.write(view, out)
    return bytes(out)
