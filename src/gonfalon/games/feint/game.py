"""The game class of Feint: title, options, samples and the parts of the game."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import cached_property
from itertools import permutations
from pathlib import Path
from typing import TYPE_CHECKING, ClassVar, Final, Self

from gonfalon.core.basics.options import Options
from gonfalon.core.rules.game import Game, Option, Part, Zone
from gonfalon.core.rules.samples import PAIRINGS
from gonfalon.core.rules.shuffles import DealCard, Shuffle
from gonfalon.core.rules.state import AnyStep, Seat, State
from gonfalon.core.rules.tensor import Writer
from gonfalon.games.feint import box, observation, tiny
from gonfalon.games.feint.face.page import FeintPage
from gonfalon.games.feint.rules import chance, phases, playing, questions
from gonfalon.games.feint.rules.state import LAST_SPACE
from gonfalon.games.feint.setup import FeintRules

if TYPE_CHECKING:
    from gonfalon.core.rules.players import RuleOfThumb
    from gonfalon.games.feint.bots.network_input import FeintNetworkInput


END_SPACES: Final = tuple(
    (space, f"space {space}: {space - 1} round{'s' if space > 2 else ''}") for space in range(2, LAST_SPACE + 1)
)
"""The spaces of the round track where the end marker may start, each with its label."""


class Feint(FeintPage, FeintRules, Game):
    """Warriors of Jogu: Feint, for two seats.

    Most card numbers are reconstructed (see cards.toml). An owner of the box replaces them
    with the option `cards`. The constructor raises OptionError and DataError.
    """

    name: ClassVar[str] = "feint"
    title: ClassVar[str] = "Warriors of Jogu: Feint"
    tagline: ClassVar[str] = "Each of you knows one of two battles. Bluff about yours, guess the other."
    genre: ClassVar[str] = "a bluffing card game for two"
    brief: ClassVar[Sequence[str]] = (
        "Five Locations, two battles. You know one of them, your opponent knows the other.",
        "Take turns to play cards. Fight for your Location, or pretend to.",
        "Most rounds out of seven wins.",
    )
    invented: ClassVar[str] = "Most numbers on the cards are reconstructed, not published."
    version: ClassVar[str] = "2"
    origins: ClassVar[Mapping[str, str]] = {"box": "rulebook", "faction.initiative": "rulebook"}
    is_direct: ClassVar[bool] = True
    folder: ClassVar[Path] = Path(__file__).parent
    steps: ClassVar[tuple[type[AnyStep], ...]] = (
        *(questions.Assassinate, questions.Bomb, questions.Conjure, questions.Heal, questions.Inspect, questions.Peek),
        *(questions.PlayOne, questions.Swap),
        *(DealCard, Shuffle, chance.Toss),
        *(phases.Cleanup, phases.Deploy, phases.Reinforce, phases.Resolve, phases.Scout, phases.StartRound),
        *(playing.Order, playing.Scramble, playing.Storm),
    )
    step_numbers: ClassVar[tuple[int, int]] = (8, 5)
    flags: ClassVar[tuple[str, ...]] = ("face down", "under a Stay token", "about to be moved")
    options_spec: ClassVar[tuple[Option, ...]] = (
        Option("factions", ("keion", "agents"), "Factions", "the faction of each seat", public=False),
        Option(
            "scrambler",
            "itself",
            "A Scrambler moves",
            "which card a Scrambler moves",
            (("itself", "itself"), ("played", "the card just played")),
        ),
        Option(
            "gang",
            "tag",
            "A Gang card is",
            "which cards a Gangan Bit gathers",
            (("tag", "a Gangan Bit"), ("faction", "any card of the Gang of Mibits")),
        ),
        Option("mirror", False, "Allow a mirror match", "both seats may have the same faction"),
        Option(
            "capacity",
            0,
            "Capacity",
            "Strength that a Location can hold; 0: the number of the box (10)",
            least=0,
            most=99,
        ),
        Option(
            "end_round",
            0,
            "End-game marker",
            "the space of the round track where the game ends",
            ((0, "as in the box: 8, so 7 rounds"), *END_SPACES),
        ),
        Option("exact", False, "Exact chance", "deal shuffles card by card", public=False),
        PAIRINGS,
        Option("cards", None, "Card file", "your own numbers and decks", public=False, file=True),
    )

    @classmethod
    def tiny(cls) -> list[Self]:
        return [cls(cards=raw, exact=True, factions=("red", "blue")) for raw in tiny.TINY]

    @classmethod
    def solved(cls) -> list[Self]:
        return [cls(cards=raw, exact=True, factions=("red", "blue")) for raw in tiny.SOLVED]

    @classmethod
    def samples(cls) -> list[Self]:
        slugs = [faction["slug"] for faction in box.read_box(None).factions]
        pairs = [(a, b) for a in slugs for b in slugs if a != b]
        ends = [0, *(space for space, _ in END_SPACES)]
        return [
            *[cls(factions=pair, end_round=ends[number % len(ends)]) for number, pair in enumerate(pairs)],
            cls(factions=("mibits", "mibits"), mirror=True, scrambler="played", gang="faction"),
            cls(factions=("agents", "mibits"), scrambler="played", pairings=True),
            cls(factions=("agents", "agents"), mirror=True, end_round=11, capacity=12),
            cls(factions=("wu", "engineers"), exact=True),
        ]

    @classmethod
    def samples_with(cls, options: Options) -> Sequence[Self]:
        """Return samples of each faction that a card file changes, in both readings of Scrambler and Gang."""
        if options.get("cards") is None or "factions" in options:
            return super().samples_with(options)
        made: list[Self] = []
        for pair in box.pair_own_factions(box.read_box(options["cards"])):
            mirror = {"mirror": True} if pair[0] == pair[1] else {}
            for reading in ({}, {"scrambler": "played", "gang": "faction"}):
                one = cls(**{**mirror, **reading, **options, "factions": pair})
                if one.options not in [other.options for other in made]:
                    made.append(one)
        return made

    @cached_property
    def drawn(self) -> list[Self]:
        """The games of all ordered pairs of factions."""
        pairs = permutations([faction["slug"] for faction in self.box.factions], 2)
        return [type(self)(**{**self.options, "factions": pair}) for pair in pairs]

    def pairings(self) -> list[Self]:
        return self.drawn if self.options["pairings"] else []

    def zones(self) -> list[Zone]:
        found = observation.list_zones(self.setup)
        if not self.options["pairings"]:
            return found
        most = max(sum(card["copies"] for card in faction["cards"]) for faction in self.box.factions)
        return [zone._replace(order=most) if zone.deck == "cards" and zone.order else zone for zone in found]

    def joining(self, deck: str) -> list[int]:
        return list(range(len(self.cards))) if deck == "cards" and self.options["pairings"] else []

    def parts(self) -> list[Part]:
        return observation.list_parts(self.setup)

    @property
    def measure(self) -> Callable[[State, Seat, Writer], None]:
        # Without a method of Python between, because every row calls it.
        return observation.write_numbers

    def rule_of_thumb(self) -> RuleOfThumb:
        from gonfalon.games.feint.bots.levels import rule_of_thumb

        return rule_of_thumb(self)

    def players(self) -> Mapping[str, Callable[..., object]]:
        from gonfalon.games.feint.bots.levels import list_levels

        return list_levels()

    def insight(self) -> object:
        from gonfalon.games.feint.bots.insight import FeintInsight

        return FeintInsight(self)

    def network_input(self) -> FeintNetworkInput:
        from gonfalon.games.feint.bots.levels import network_input

        return network_input(self)
