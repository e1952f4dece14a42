"""The players of a game: its rule of thumb, its own bots, and its input for networks."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

from gonfalon.core.rules.rules import Rules

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from gonfalon.core.basics.rng import Rng
    from gonfalon.core.rules.state import Action, State


class RuleOfThumb(Protocol):
    """A player without a search that chooses from the view of one seat."""

    def choose(self, view: State, rng: Rng) -> tuple[Action, str]:
        """Return a legal action and its reason.

        Args:
            view: The view of the seat that must decide.
            rng: The source of all randomness.

        Returns:
            The action, and a sentence that explains it, or an empty text.
        """
        ...


class Players(Rules):
    """The bots of a game. The defaults offer the levels of a search that plays any game.

    The types of `gonfalon.bots` do not appear here, because the core does not import them.
    """

    def rule_of_thumb(self) -> RuleOfThumb | None:
        """Return the game's own rule of thumb; None without one. The level `greedy` plays it."""
        return None

    def players(self) -> Mapping[str, Callable[..., object]] | None:
        """Return the game's own bots.

        Returns:
            For each supported level (`gentle`, `casual`, `club`, `strong`, `expert`) the function that makes a bot
            (`gonfalon.bots.players.bot.Bot`), called with the name of the level and this game. Other levels are not
                offered.
            None, the default: the search for any game plays (`gonfalon.bots.search.searcher`).
        """
        return None

    def network_input(self) -> object | None:
        """Return the encoding of this game for networks (`gonfalon.bots.networks.network_input`); None for a game
        without networks."""
        return None

    def insight(self) -> object | None:
        """Return the game's knowledge for reviews of finished games (`gonfalon.bots.insight.Insight`); None for the
        default that serves any game."""
        return None
