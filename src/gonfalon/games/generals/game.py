"""Generals: the door to all its rooms."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import ClassVar

from gonfalon.core.game import Game, Part, Zone
from gonfalon.core.players import RuleOfThumb
from gonfalon.core.state import Seat, State
from gonfalon.core.tensor import Writer
from gonfalon.games.generals import observation
from gonfalon.games.generals.face.view import GeneralsPage
from gonfalon.games.generals.judge import GeneralsJudge
from gonfalon.games.generals.ruleset import the_state


class Generals(GeneralsPage, GeneralsJudge, Game):
    """A Three Kingdoms customizable card game, for two seats, each with a deck of its own.

    The rules are the rulebook's; the cards are this project's (see cards.toml), and anybody can play
    with others by `cards`. Raises OptionError and DataError.
    """

    is_direct: ClassVar[bool] = True

    def __init__(self, **options: object) -> None:
        super().__init__(**options)
        self.measures = observation.Measure(self.setup)

    def zones(self) -> list[Zone]:
        return observation.zones(self.setup)

    def joining(self, deck: str) -> list[int]:
        return observation.kinds_of(self.setup)

    def parts(self) -> list[Part]:
        return self.measures.parts

    def measure(self, s: State, me: Seat, row: Writer) -> None:
        self.measures.put(the_state(s), me, row)

    def rule_of_thumb(self) -> RuleOfThumb:
        from gonfalon.games.generals.bots.rule_of_thumb import RuleOfThumb

        return RuleOfThumb(self)

    def players(self) -> Mapping[str, Callable[..., object]]:
        from gonfalon.games.generals.bots.levels import players

        return players()

    def insight(self) -> object:
        from gonfalon.games.generals.bots.insight import GeneralsInsight

        return GeneralsInsight(self)

    def network_input(self) -> object:
        from gonfalon.games.generals.bots.levels import network_input

        return network_input(self, self.setup)
