"""The five levels of Jinkei. They see views; `gonfalon.bots` says what a bot is."""

from __future__ import annotations

from gonfalon.games.jinkei.players.levels import players

__all__ = ["players"]
