"""A viewer's beliefs about secret deck lists."""

from __future__ import annotations

from mypy_extensions import mypyc_attr

from gonfalon.core.basics.rng import Rng


@mypyc_attr(allow_interpreted_subclasses=True)
class Beliefs:
    """The beliefs of one view, for a game with secret deck lists (`State.beliefs`)."""

    def draw(self, rng: Rng) -> list[list[int]]:
        """Return a random complete list for each deck of `State.pools`.

        Each set of lists is drawn with its probability given the view; known lists are returned as they are. Equal
        lists should be one object, which must not change, so that values derived from it are computed once.
        """
        raise NotImplementedError

    def draw_any(self, rng: Rng) -> list[list[int]]:
        """Return any possible lists, regardless of their probability: for tests of secrecy."""
        return self.draw(rng)
