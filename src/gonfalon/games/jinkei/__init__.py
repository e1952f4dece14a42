"""A formation duel after Jin-Kei Trick by Fukutarou (Fukuroudou): rules, formations and words."""

from gonfalon.games.jinkei.game import Jinkei

__all__ = ["Jinkei"]
