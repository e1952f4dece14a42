"""Reference rules: the rules of a game written a second time, which the kit compares with the game.

A package offers them for a game, its own or another, through an entry point whose name is the game's:

    [project.entry-points."gonfalon.reference_rules"]
    duel = "duel_reference:DuelReferenceRules"
"""

from __future__ import annotations

from collections.abc import Sequence
from importlib.metadata import entry_points
from typing import Any, Generic, TypeVar

from gonfalon.core.basics.errors import OptionError
from gonfalon.core.rules.game import Game
from gonfalon.core.rules.state import Action, Seat, State

G = TypeVar("G", bound=Game)


class ReferenceRules(Generic[G]):
    """An independent implementation of a game's rules, as plain as possible.

    A method that is not overridden has no opinion. Methods also have none on cards or rules that they do not know. Keep
    data that lasts from one call to the next here, and not in the game.
    """

    def build_samples(self, kind: type[G]) -> Sequence[G]:
        """Return configurations that the kit plays in addition to `Game.samples`, in which rare events are frequent."""
        return []

    def find_faults(self, game: G, state: State) -> list[str]:
        """Return a sentence for each fault of a full state, such as a sum that differs from the log.

        The kit asks at every position.
        """
        return []

    def legal_actions(self, game: G, state: State, seat: Seat) -> list[Action] | None:
        """Return the legal actions of a seat in a full state; None without an opinion."""
        return None

    def judge_step(self, game: G, before: State, seat: Seat, action: Action, after: State) -> list[str]:
        """Return a sentence for each fault of the full state after a decision.

        Both states keep their logs, so the events in between can be read. The kit asks at every decision, those of
        chance included.
        """
        return []

    def possible_decks(self, game: G, view: State) -> list[tuple[float, list[list[int]]]] | None:
        """Return the deck lists that a view allows, in the order of `State.pools`, each set with its probability.

        The kit compares `State.beliefs` with it. None where there are too many.
        """
        return None


def load_reference_rules(name: str) -> ReferenceRules[Any]:
    """Return the installed reference rules of a game, or rules without opinions if none are installed.

    Raises:
        OptionError: The entry point does not name a class of reference rules.
    """
    loaded: object = ReferenceRules
    for entry in entry_points(group="gonfalon.reference_rules", name=name):
        loaded = entry.load()
    if not (isinstance(loaded, type) and issubclass(loaded, ReferenceRules)):
        raise OptionError(f"The entry point of the reference rules of {name!r} is not a gonfalon ReferenceRules.")
    return loaded()
