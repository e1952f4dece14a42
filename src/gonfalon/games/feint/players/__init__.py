"""The players of Feint, one for each level."""

from __future__ import annotations

from gonfalon.games.feint.players.levels import players

__all__ = ["players"]
