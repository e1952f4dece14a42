"""Gonfalon's games as Python games of OpenSpiel.

    import pyspiel
    import gonfalon.bridges.openspiel
    game = pyspiel.load_game("gonfalon_feint(factions=keion/agents)")

Every installed game that has the option `exact` is registered as `gonfalon_NAME`. Chance is explicit:
decks are dealt card by card. Those who choose at the same time choose in turn, and are shown nothing of the
others' choice. A game's options are its parameters; a list is written with slashes, and `tiny=1` is the
first of the configurations so small that their whole tree can be walked. `load` makes a game of
OpenSpiel from a game of Gonfalon.
"""

from __future__ import annotations

from gonfalon.bridges import missing

try:
    from gonfalon.bridges.openspiel.game import SpielGame, load, register
    from gonfalon.bridges.openspiel.state import SpielState
except ImportError as error:
    raise missing(error) from error

__all__ = ["SpielGame", "SpielState", "load", "register"]

register()
