"""Gonfalon's games as Python games of OpenSpiel.

    import pyspiel
    import gonfalon.bridges.openspiel
    game = pyspiel.load_game("gonfalon_feint(factions=keion/agents)")

Every installed game with the option `exact` is registered as `gonfalon_NAME`. Chance is explicit: decks are dealt card
by card. Simultaneous decisions are made in turn, and hidden until all are made. A game's options are its parameters;
a list is written with slashes, `tiny=1` is the first of the configurations whose complete tree can be walked, and
`solved=1` the first of larger ones whose values are known.
`load` converts a game of Gonfalon to a game of OpenSpiel.
"""

from __future__ import annotations

from gonfalon.bridges import explain_import_error

try:
    from gonfalon.bridges.openspiel.game import SpielGame, load, register
    from gonfalon.bridges.openspiel.state import SpielState
except ImportError as error:
    raise explain_import_error(error) from error

__all__ = ["SpielGame", "SpielState", "load", "register"]

# `pyspiel.load_game` knows only registered games, so the import registers all of them.
register()
