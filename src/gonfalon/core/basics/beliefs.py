"""What a viewer thinks of deck lists that nobody has shown them."""

from __future__ import annotations

from mypy_extensions import mypyc_attr

from gonfalon.core.basics.rng import Rng


@mypyc_attr(allow_interpreted_subclasses=True)
class Beliefs:
    """Of one view, for a game in which players keep the lists of their decks to themselves; `State.beliefs`
    gives it."""

    def draw(self, rng: Rng) -> list[list[int]]:
        """A complete list for each deck of `State.pools`, each set of lists as often as it is likely by all that the
        view shows. Lists that the viewer knows are what they are. Equal lists had better be one object, which must not
        change: what follows from it is then worked out once."""
        raise NotImplementedError

    def draw_any(self, rng: Rng) -> list[list[int]]:
        """The same without regard to what is likely, as long as it is possible: for tests of what the viewer cannot
        tell apart."""
        return self.draw(rng)
