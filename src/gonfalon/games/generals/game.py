"""The game Generals, joined from its rules, its pages and its observation."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import cached_property
from itertools import permutations
from typing import ClassVar, Self

from gonfalon.core.basics.options import Options
from gonfalon.core.basics.rng import Rng
from gonfalon.core.rules.game import Game, Part, Zone
from gonfalon.core.rules.players import RuleOfThumb
from gonfalon.core.rules.state import Seat, State
from gonfalon.core.rules.tensor import Writer
from gonfalon.games.generals import observation
from gonfalon.games.generals.cards import decks, tiny
from gonfalon.games.generals.cards.trials import make_trial_pairs
from gonfalon.games.generals.face.page import GeneralsPage
from gonfalon.games.generals.ruleset import GeneralsRules, compile_standard


class Generals(GeneralsPage, GeneralsRules, Game):
    """A Three Kingdoms customizable card game for two seats, each with its own deck.

    The rules are those of the rulebook. The cards are this project's (see cards.toml); the option `cards` loads others.

    Raises:
        OptionError: An option has a value that the game does not accept.
        DataError: The card file has faults.
    """

    is_direct: ClassVar[bool] = True

    def __init__(self, **options: object) -> None:
        super().__init__(**options)
        self.measures = observation.Measure(self.setup)

    @classmethod
    def tiny(cls) -> list[Self]:
        return [cls(cards=raw, decks=("red", "blue"), exact=True) for raw in tiny.TINY]

    @classmethod
    def solved(cls) -> list[Self]:
        options = {"decks": ("red", "blue"), "starts": "seat-1", "strategy_overdeplete_loses": True}
        return [cls(cards=raw, exact=True, **options) for raw in tiny.SOLVED]

    @classmethod
    def samples(cls) -> list[Self]:
        """Return games with all nine preset decks, every option, and random decks with the cards that no preset deck
        has."""
        pool = compile_standard().pool
        slugs = [deck.slug for deck in pool.decks]
        rotated = [*slugs[1:], slugs[0]]
        tools = decks.GeneralsDecks(pool)
        lots = [tools.code(decks.random_deck(pool, Rng(seed), 60)) for seed in range(1, 9)]
        return [
            *[cls(decks=pair) for pair in zip(slugs, rotated, strict=True)],
            cls(decks=(slugs[0], slugs[0]), mulligan=True, starts="seat-1"),
            cls(decks=(slugs[1], slugs[6]), strict_blocking=True, counter_chain=False),
            cls(decks=(slugs[4], slugs[7]), strategy_overdeplete_loses=True, qun_counts=False),
            cls(decks=(slugs[3], slugs[8]), exact=True, pairings=True),
            cls(decks=(lots[0], lots[1])),
            cls(decks=(lots[2], lots[3]), mulligan=True, strict_blocking=True),
            cls(decks=(lots[4], lots[5]), strategy_overdeplete_loses=True),
            cls(decks=(lots[6], lots[7]), exact=True),
            cls(decks=(slugs[2], slugs[5]), lists="open", starts="seat-2"),
            cls(decks=(lots[1], lots[6]), lists="open", exact=True),
        ]

    @classmethod
    def samples_with(cls, options: Options) -> Sequence[Self]:
        """Return games with the options. With a card file, they use its decks and random decks of its cards."""
        if options.get("cards") is None or "decks" in options:
            return super().samples_with(options)
        pairs = make_trial_pairs(cls(**options).pool, compile_standard().pool)
        return [cls(**options, decks=pair) for pair in pairs]

    @cached_property
    def drawn(self) -> list[Self]:
        """The games of all ordered pairs of preset decks."""
        pairs = permutations([deck.slug for deck in self.pool.decks], 2)
        return [type(self)(**{**self.options, "decks": pair}) for pair in pairs]

    def pairings(self) -> list[Self]:
        return self.drawn if self.options["pairings"] else []

    def zones(self) -> list[Zone]:
        return observation.list_zones(self.setup)

    def joining(self, deck: str) -> list[int]:
        return observation.list_kinds(self.setup)

    def parts(self) -> list[Part]:
        return self.measures.parts

    @property
    def measure(self) -> Callable[[State, Seat, Writer], None]:
        # Without a method of Python between, because every row calls it.
        return self.measures.put

    def rule_of_thumb(self) -> RuleOfThumb:
        from gonfalon.games.generals.bots.levels import make_rule_of_thumb

        return make_rule_of_thumb(self)

    def players(self) -> Mapping[str, Callable[..., object]]:
        from gonfalon.games.generals.bots.levels import list_bot_makers

        return list_bot_makers()

    def insight(self) -> object:
        from gonfalon.games.generals.bots.insight import GeneralsInsight

        return GeneralsInsight(self)

    def network_input(self) -> object:
        from gonfalon.games.generals.bots.levels import make_network_input

        return make_network_input(self, self.setup)
