"""Faction Wars as a game with options: it joins the rules, the words, the page and the bots."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import ClassVar, Final, Self

from gonfalon.core.basics.cards import KIND
from gonfalon.core.basics.errors import DataError, NotationError
from gonfalon.core.basics.options import Options
from gonfalon.core.files.card_files import Raw
from gonfalon.core.rules.game import Game, Option, Part, Zone
from gonfalon.core.rules.players import RuleOfThumb
from gonfalon.core.rules.rules import starts_game
from gonfalon.core.rules.shuffles import EVERY_ZONE, DealCard, Shuffle
from gonfalon.core.rules.state import Action, AnyStep, Seat, State
from gonfalon.core.rules.tensor import Writer
from gonfalon.games.factionwars import box as data
from gonfalon.games.factionwars import observation
from gonfalon.games.factionwars.face.page import FactionPage
from gonfalon.games.factionwars.rules import chance, rounds
from gonfalon.games.factionwars.rules.actions import ACTION_LIMIT, CARD, DEAL, MAX_KINDS, STEAL, STEAL_OPEN, TAKE, TO
from gonfalon.games.factionwars.rules.cards import Conscript, Kind, LaterConscript
from gonfalon.games.factionwars.rules.chance import shuffle_mixed_zones
from gonfalon.games.factionwars.rules.neutrals import NEUTRALS, WarIsOver
from gonfalon.games.factionwars.rules.recruits import RECRUITS
from gonfalon.games.factionwars.rules.rounds import BEGIN, NOT_YET, SELECT
from gonfalon.games.factionwars.rules.scoring import scoring
from gonfalon.games.factionwars.rules.scoring.goals import GOALS, Goal
from gonfalon.games.factionwars.rules.setup import Setup
from gonfalon.games.factionwars.rules.state import FactionState, as_faction_state

WITH_KIND: Final = (("", CARD), ("steal:", STEAL), ("steal-open:", STEAL_OPEN), ("deal:", DEAL))
"""Prefixes of the notation of actions that name a card."""


class FactionWars(FactionPage, Game):
    """Faction Wars: Cowboys, Ninjas, Pirates, Vikings, for two to five seats.

    Most names and numbers of the cards, all goals and Action cards are reconstructed (see cards.toml). The option
    `cards` replaces them with the numbers of a box.

    Raises:
        OptionError: An option has no such value.
        DataError: The card file has faults.
    """

    name: ClassVar[str] = "factionwars"
    title: ClassVar[str] = "Faction Wars"
    tagline: ClassVar[str] = "All players pick at once. Take a recruit alone, or fight for it."
    genre: ClassVar[str] = "a loud card game for two to five"
    brief: ClassVar[Sequence[str]] = (
        "All players secretly pick a card of the same line.",
        "Alone on a card, you take it. Otherwise you fight for it with the army that you have.",
        "The army with the most points wins.",
    )
    invented: ClassVar[str] = "Most numbers on the cards are reconstructed, not published."
    version: ClassVar[str] = "3"
    origins: ClassVar[Mapping[str, str]] = {"box": "rulebook", "box.chain": "ours"}
    is_direct: ClassVar[bool] = True
    folder: ClassVar[Path] = Path(__file__).parent
    seat_counts: ClassVar[tuple[int, ...]] = data.SEAT_COUNTS
    steps: ClassVar[tuple[type[AnyStep], ...]] = (
        *sorted(
            {step for ability in (RECRUITS | NEUTRALS).values() for step in ability.steps},
            key=lambda step: step.__name__,
        ),
        *(DealCard, chance.Pick, Shuffle),
        *(rounds.Battle, rounds.Begin, rounds.Compare, rounds.Fill, rounds.Resolve, rounds.Reveal, rounds.Select),
        *(rounds.StartRound, scoring.Score),
    )
    step_numbers: ClassVar[tuple[int, int]] = (7, 5)
    options_spec: ClassVar[tuple[Option, ...]] = (
        Option(
            "seats",
            3,
            "Players",
            "the number of players",
            ((2, "two players"), (3, "three players"), (4, "four players"), (5, "five players")),
        ),
        Option(
            "revision",
            "earlier",
            "Rules",
            "the rulebook's earlier revision, or the later one, of which only a part is published: how War is Over "
            "comes into the deck and what public Bonus Cards score is reconstructed",
            (("earlier", "the earlier rulebook, with hidden goals"), ("later", "the later one, partly reconstructed")),
        ),
        Option(
            "shuffle",
            "all",
            "After losing a recruit",
            "the cards to shuffle after losing a recruit",
            (("all", "shuffle all cards into a new battle deck"), ("deck", "shuffle only the rest of the battle deck")),
        ),
        Option(
            "end",
            "round",
            "When the recruit deck has run out for the last time",
            "when the game is over",
            (("round", "the round is finished"), ("at-once", "the game is over at once")),
        ),
        Option(
            "bonus",
            "recruits",
            "Bonus Cards",
            "whether they count as recruits and can be picked at random",
            (
                ("recruits", "are recruits like others"),
                ("safe", "are recruits, but never picked at random"),
                ("apart", "are not recruits"),
            ),
        ),
        Option(
            "bystander",
            "zero",
            "A Bystander revealed in a battle",
            "its effect there",
            (("zero", "has the value 0"), ("out", "takes its owner out of the battle")),
        ),
        Option(
            "tie",
            "shared",
            "Tied scores",
            "which player wins when the best scores are tied",
            (("shared", "share the win"), ("broken", "fewer Bystanders win, then more recruits")),
        ),
        Option(
            "symbols",
            "alone",
            "Rock, paper, scissors",
            "whether Conscripts play it when a recruit is tied with them",
            (("alone", "when all tied cards are Conscripts"), ("always", "among the Conscripts, beside recruits too")),
            added=True,
        ),
        Option(
            "exhausted",
            "out",
            "A tied player without another card",
            "the effect on the battle",
            (("out", "is out, and the others continue"), ("ends", "ends the battle, and no player takes the card")),
            added=True,
        ),
        Option("exact", False, "Exact chance", "shuffles are decided card by card", public=False),
        Option("cards", None, "Card file", "your own cards, goals and numbers", public=False, file=True),
    )

    def __init__(self, **options: object) -> None:
        super().__init__(**options)
        self.seats = self.options["seats"]
        self.box = data.read_box(self.options["cards"])
        self.data_hash = self.box.hash
        if self.options["cards"] is not None:
            self.options["cards"] = self.box.alone
        self.later = self.options["revision"] == "later"
        box = self.box
        self.entries = [*box.cards, *box.conscripts, *box.goals]
        self.kind_of = {entry["slug"]: kind for kind, entry in enumerate(self.entries)}
        self.setup = self._make_setup()
        deck = len(self.setup.deck) + 5 * len(self.setup.conscripts)
        # Every refill but the last takes as many cards as there are places.
        rounds = self.setup.depletions * len(self.setup.deck) // self.setup.size + 2
        # A seat selects; each place may set off a chain; its steps ask at most a seat each, a pick, a shuffle.
        chance = 2 * deck if self.options["exact"] else 2
        self.bound = (
            chance + 9 + rounds * self.seats * (1 + chance + (self.setup.chain + 1) * (self.seats + 4 + chance))
        )

    @property
    def learnt_hash(self) -> str:
        """The hash of the card data with this number of players. A network learns the game of one number of players."""
        return self.box.hash_with(self.seats)

    def pinned(self) -> Options:
        return {**self.shown_options(), "cards": self.box.alone}

    def _make_setup(self) -> Setup:
        box, options = self.box, self.options
        kinds, deck, war = self._make_deck_kinds()
        conscripts = self._add_conscripts(kinds)
        recruits = [kind for kind in kinds if kind.faction >= 0]
        goals = (
            [] if self.later else [self._make_goal(goal, len(kinds) + i, recruits) for i, goal in enumerate(box.goals)]
        )
        if goals and len(goals) < self.seats:
            raise DataError(f"The card data have {len(goals)} goals; {self.seats} players need one each.")
        return Setup(
            seats=self.seats,
            kinds=kinds,
            factions=len(box.factions),
            plain=sum(not kind.is_bonus for kind in recruits),
            recruits=len(recruits),
            owned=len(box.cards),
            deck=deck,
            conscripts=conscripts,
            goals=goals,
            open_bonus=box.open_bonus if self.later else 0,
            war=war,
            size=self.seats + (box.later_extra if self.later else box.extra),
            depletions=box.depletions[self.seats - data.SEAT_COUNTS[0]],
            chain=box.chain,
            later=self.later,
            exact=options["exact"],
            shuffle_all=options["shuffle"] == "all",
            at_once=options["end"] == "at-once",
            bystander_out=options["bystander"] == "out",
            bonus=options["bonus"],
            breaks_ties=options["tie"] == "broken",
            always_symbols=options["symbols"] == "always",
            tie_ends=options["exhausted"] == "ends",
            select=SELECT[self.seats],
        )

    def _make_deck_kinds(self) -> tuple[list[Kind], list[int], int]:
        """Return the kinds of the recruit deck, its cards, and the kind of War is Over (-1 without it)."""
        abilities = RECRUITS | NEUTRALS
        kinds: list[Kind] = []
        deck: list[int] = []
        war = -1
        for card in self.box.cards:
            ability = abilities[card.get("ability", "")]
            kind = ability(len(kinds), card["slug"], card["of"], card.get("battle", 0), card.get("points", 0), -1)
            copies = self.count_copies(card)
            if ability is WarIsOver:  # a game has at most one copy of it
                copies = min(copies, 1) if war < 0 else 0
                war = kind.id if copies else war
            deck += [kind.id] * copies
            kinds.append(kind)
        return kinds, deck, war

    def _add_conscripts(self, kinds: list[Kind]) -> list[int]:
        """Add the conscripts to the kinds, and return the cards of a first battle deck."""
        conscripts: list[int] = []
        conscript = LaterConscript if self.later else Conscript
        for card in self.box.conscripts:
            symbol = data.SYMBOLS.index(card["symbol"]) if "symbol" in card else -1
            conscripts += [len(kinds)] * card["copies"]
            kinds.append(conscript(len(kinds), card["slug"], -1, card["battle"], 0, symbol))
        return conscripts

    def _make_goal(self, goal: Raw, number: int, recruits: list[Kind]) -> Goal:
        rule = GOALS[goal["rule"]]
        slugs = [faction["slug"] for faction in self.box.factions]
        value, abilities = goal.get("value", -1), goal.get("abilities", [])
        apart = self.options["bonus"] == "apart"
        return rule(
            id=number,
            slug=goal["slug"],
            faction=slugs.index(goal["faction"]) if "faction" in goal else -1,
            count=data.find_goal_number(goal, "count", self.seats),
            bonus=data.find_goal_number(goal, "bonus", self.seats),
            counted=[
                kind.id
                for kind in recruits
                if rule.is_counted(kind, value, abilities) and not (apart and kind.is_bonus)
            ],
        )

    @starts_game
    def start(self, log: bool = False) -> FactionState:
        setup = self.setup
        late_war = setup.war >= 0 and setup.depletions > 1
        stack: list[AnyStep] = [BEGIN]
        s = FactionState(
            setup,
            stack,
            army=[[kind | setup.full for kind in setup.conscripts] for _ in range(self.seats)],
            pile=[[] for _ in range(self.seats)],
            deck=[kind for kind in setup.deck if kind != setup.war or not late_war],
            discard=[],
            lineup=[],
            table=[],
            aside=[setup.war | setup.full] if late_war else [],
            goal=[[] for _ in range(self.seats)],
            goals=setup.goal_kinds[:],
            bonus=[],
            bonuses=setup.bonus_kinds[:] if setup.open_bonus else [],
            picks=NOT_YET[self.seats],
            totals=[0] * self.seats,
        )
        if log:
            s.log = []
        shuffle_mixed_zones(s, EVERY_ZONE)
        s.settle()
        return s

    def turned_out(self, state: State) -> list[str]:
        """Return the slugs of the dealt goals, which exist in the earlier revision only."""
        goals = [cards[0] & KIND for cards in as_faction_state(state).goal if cards]
        return [self.entries[goal]["slug"] for goal in goals] if len(goals) == self.seats else []

    # ---- notation -------------------------------------------------------------------------------

    def notation(self, action: Action) -> str:
        if action < 0:
            return f"seed:{-1 - action}"
        if TAKE <= action < TAKE + self.setup.size:
            return f"take:{action - TAKE + 1}"
        if TO <= action < TO + self.seats:
            return f"to:{action - TO}"
        if CARD <= action < ACTION_LIMIT:
            which, kind = divmod(action - CARD, MAX_KINDS)
            if kind < len(self.entries):
                return f"{WITH_KIND[which][0]}{self.entries[kind]['slug']}"
        raise NotationError(f"{action} is no action of Faction Wars.")

    def parse(self, text: str) -> Action:
        text = text.strip().lower()
        head, colon, tail = text.partition(":")
        try:
            if colon and head in ("seed", "take", "to"):
                if not re.fullmatch("[0-9]{1,40}", tail):
                    raise ValueError
                number = int(tail)
                if head == "seed":
                    return -1 - number
                if head == "take" and 1 <= number <= self.setup.size:
                    return TAKE + number - 1
                if head == "to" and number < self.seats:
                    return TO + number
                raise ValueError
            for prefix, first in WITH_KIND:
                if prefix == head + colon or (not prefix and not colon):
                    return first + self.kind_of[tail if prefix else text]
            raise ValueError
        except (KeyError, ValueError):
            raise NotationError(f"{text[:60]!r} is no action of Faction Wars.") from None

    def rule_of_thumb(self) -> RuleOfThumb:
        from gonfalon.games.factionwars.bots.levels import make_rule_of_thumb

        return make_rule_of_thumb(self)

    def players(self) -> Mapping[str, Callable[..., object]]:
        from gonfalon.games.factionwars.bots.levels import make_players

        return make_players()

    def insight(self) -> object:
        from gonfalon.games.factionwars.bots.insight import FactionInsight

        return FactionInsight(self)

    def network_input(self) -> object:
        from gonfalon.games.factionwars.bots.levels import make_network_input

        return make_network_input(self)

    def all_actions(self) -> list[Action]:
        return [action for action in super().all_actions() if action < CARD + self.setup.owned]

    def all_chances(self) -> list[Action]:
        return [action for action in super().all_actions() if action >= STEAL]

    def zones(self) -> list[Zone]:
        return observation.list_zones(self.seats)

    def joining(self, deck: str) -> list[int]:
        return list(range(self.setup.owned)) if deck in ("army", "recruits") else []

    def parts(self) -> list[Part]:
        return observation.list_parts(self.setup)

    @property
    def measure(self) -> Callable[[State, Seat, Writer], None]:
        # Without a method of Python between, because every row calls it.
        return observation.write_numbers

    @classmethod
    def tiny(cls) -> list[Self]:
        return [cls(seats=seats, cards=raw, exact=True, **options) for seats, raw, options in TINY]

    @classmethod
    def solved(cls) -> list[Self]:
        return [cls(seats=2, cards=SOLVED, exact=True)]

    @classmethod
    def samples(cls) -> list[Self]:
        return [
            *[cls(seats=seats) for seats in cls.seat_counts],
            cls(seats=3, revision="later"),
            cls(seats=4, shuffle="deck", end="at-once", bonus="safe", bystander="out", tie="broken"),
            cls(seats=2, revision="later", end="at-once", bonus="apart"),
            cls(seats=5, bonus="apart", shuffle="deck", symbols="always", exhausted="ends"),
            cls(seats=2, exact=True),
            cls(seats=5, revision="later", bystander="out"),
            cls(seats=3, exact=True, revision="later"),
            cls(seats=3, exact=True, shuffle="deck", symbols="always", exhausted="ends"),
        ]

    @classmethod
    def samples_with(cls, options: Options) -> Sequence[Self]:
        """Return samples of both revisions for a card file, because each revision has cards that the other lacks."""
        if options.get("cards") is None or "revision" in options:
            return super().samples_with(options)
        return [cls(**options, revision=revision) for revision in ("earlier", "later")]


def _make_data(red: list[Raw], neutral: list[Raw], conscripts: list[str], goals: list[Raw], extra: int) -> Raw:
    return {
        "form": 1,
        "alone": True,
        "box": {"extra": extra, "later_extra": extra, "depletions": [1, 1, 1, 1]},
        "faction": [{"slug": "red", "name": "Red", "cards": [_make_card(**card) for card in red]}],
        "neutral": [_make_card(**card) for card in neutral],
        "conscript": [
            {"slug": symbol, "name": symbol.title(), "symbol": symbol, "copies": 1, "battle": 1}
            for symbol in conscripts
        ],
        "goal": goals,
    }


def _make_card(slug: str, copies: int, points: int = 1, ability: str = "") -> Raw:
    card: Raw = {"slug": slug, "name": slug.title(), "copies": copies, "battle": max(0, points), "points": points}
    return {**card, "ability": ability} if ability else card


_MOST: Final = {"slug": "most", "name": "Most", "rule": "most-recruits", "bonus": 2}
_CLEAN: Final = {"slug": "clean", "name": "Clean", "rule": "no-bystander", "bonus": 1}
TINY: Final[list[tuple[int, Raw, Options]]] = [
    (
        2,
        _make_data(
            [{"slug": "oak", "copies": 1, "points": 2}, {"slug": "thief", "copies": 1, "ability": "buccaneer"}],
            [{"slug": "crowd", "copies": 1, "points": -1, "ability": "bystander"}],
            ["rock", "paper"],
            [_MOST, _CLEAN],
            0,
        ),
        {},
    ),
    (
        2,
        _make_data(
            [{"slug": "oak", "copies": 1, "points": 2}, {"slug": "ash", "copies": 1}],
            [{"slug": "truce", "copies": 1, "ability": "parley"}],
            ["rock", "paper"],
            [_MOST, _CLEAN, {**_MOST, "slug": "more", "bonus": 1}],
            0,
        ),
        {"shuffle": "deck"},
    ),
    (
        3,
        _make_data(
            [{"slug": "oak", "copies": 2, "points": 2}, {"slug": "dirk", "copies": 1, "ability": "kunoichi"}],
            [],
            ["rock"],
            [],
            0,
        ),
        {"tie": "broken"},
    ),
]
"""Games with so few cards that each can be played through completely."""
SOLVED: Final = _make_data(
    [
        {"slug": "oak", "copies": 1, "points": 3},
        {"slug": "ash", "copies": 1, "points": 2},
        {"slug": "elm", "copies": 1},
        {"slug": "thief", "copies": 1, "ability": "buccaneer"},
    ],
    [{"slug": "crowd", "copies": 1, "points": -1, "ability": "bystander"}],
    ["rock", "paper"],
    [_MOST, _CLEAN],
    0,
)
"""Five recruits for two players, and a goal for each."""
