"""Warriors of Jogu: Feint, by Tony Chen (Monsoon Publishing): rules, cards and words."""

from gonfalon.games.feint.game import Feint

__all__ = ["Feint"]
