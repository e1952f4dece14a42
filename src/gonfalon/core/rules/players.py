"""Who plays a game: its rule of thumb, its own bots, what a network sees of it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

from gonfalon.core.rules.rules import Rules

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from gonfalon.core.basics.rng import Rng
    from gonfalon.core.rules.state import Action, State


class RuleOfThumb(Protocol):
    """A player without a search that sees one seat's view only."""

    def choose(self, view: State, rng: Rng) -> tuple[Action, str]:
        """A legal action of the seat whose view this is, and the reason as a sentence."""
        ...


class Players(Rules):
    """The bots of a game. One that says nothing of them is searched, at three levels."""

    def rule_of_thumb(self) -> RuleOfThumb | None:
        """The game's own rule of thumb, or None."""
        return None

    def players(self) -> Mapping[str, Callable[..., object]] | None:
        """The game's own bots: for each numbered level that it supplies (`gentle`, `casual`, `club`,
        `strong`, `expert`) what makes one, called with the level's name and this game; see
        `gonfalon.bots.players.bot`. A level left out is not offered for this game. By default None: the search
        that plays any game supplies some of them (`gonfalon.bots.search.searcher`)."""
        return None

    def network_input(self) -> object | None:
        """How networks read this game (`gonfalon.bots.networks.network_input`); None for a game that is not to
        be learnt."""
        return None

    def insight(self) -> object | None:
        """What the review of a finished game knows of this one beyond its rules (`gonfalon.bots.insight.Insight`); None
        for what serves any game."""
        return None
