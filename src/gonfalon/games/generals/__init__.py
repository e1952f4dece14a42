"""Generals: the Three Kingdoms customizable card game, with this project's own cards."""

from gonfalon.games.generals.game import Generals

__all__ = ["Generals"]
