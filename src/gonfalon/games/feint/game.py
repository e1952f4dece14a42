"""Feint as a game with options: the factory of its states and the home of its words."""

from __future__ import annotations

from pathlib import Path
from typing import Any, ClassVar, Self

from gonfalon.core.errors import NotationError, OptionError
from gonfalon.core.game import Game, Option, Part, Zone
from gonfalon.core.shuffles import DealCard, Shuffle, push_shuffle
from gonfalon.core.state import Action, Event, Seat, State, Step
from gonfalon.games.feint import box as data
from gonfalon.games.feint import judge as second
from gonfalon.games.feint import observation
from gonfalon.games.feint.face import refusals, words
from gonfalon.games.feint.face import view as views
from gonfalon.games.feint.rules import chance, phases, playing, questions
from gonfalon.games.feint.rules.actions import CARD, DONE, FIRST, LOWER, OWN, PASS, PLACE, SCRAMBLER, SLOTS, SPOT, SPOTS
from gonfalon.games.feint.rules.cards import ABILITIES, Kind, Printed
from gonfalon.games.feint.rules.chance import TOSS
from gonfalon.games.feint.rules.phases import START_ROUND
from gonfalon.games.feint.rules.state import LAST_SPACE, FeintState, Setup
from gonfalon.games.feint.sample_boxes import BUSY, TINY

PLAIN: dict[Action, str] = {
    PASS: "pass",
    DONE: "done",
    OWN: "own-first",
    SCRAMBLER: "scrambler-first",
    LOWER: "lower-copy",
}
assert set(PLAIN.values()) == set(data.RESERVED)


class Feint(Game):
    """Warriors of Jogu: Feint, for two seats.

    Numbers of the cards are mostly reconstructed (see cards.toml); an owner of the box replaces them
    with `cards`. Raises OptionError and DataError.
    """

    name: ClassVar[str] = "feint"
    title: ClassVar[str] = "Warriors of Jogu: Feint"
    tagline: ClassVar[str] = "Each of you knows one of two battles. Bluff about yours, guess the other."
    invented: ClassVar[str] = "Most numbers on the cards are reconstructed, not published."
    version: ClassVar[str] = "2"
    folder: ClassVar[Path] = Path(__file__).parent
    steps: ClassVar[tuple[type[Step[Any]], ...]] = (
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
            "which card a Scrambler moves (ruling 64)",
            (("itself", "itself"), ("played", "the card just played")),
        ),
        Option(
            "gang",
            "tag",
            "A Gang card is",
            "which cards a Gangan Bit gathers (ruling 62)",
            (("tag", "a Gangan Bit"), ("faction", "any card of the Gang of Mibits")),
        ),
        Option("mirror", False, "Allow a mirror match", "both seats may have the same faction (ruling 1)"),
        Option("capacity", 0, "Capacity", "Strength a Location holds; 0: as the box says (10)"),
        Option("end_round", 0, "End-game marker", "the space where the game ends; 0: as the box says (8, so 7 rounds)"),
        Option("exact", False, "Exact chance", "shuffles are decided card by card", public=False),
        Option("cards", None, "Card file", "an owner's own numbers and decks", public=False, file=True),
    )

    def __init__(self, **options: Any) -> None:
        super().__init__(**options)
        self.seats = 2
        self.box = data.read(self.options["cards"])
        self.data_hash = self.box.hash
        if self.options["cards"] is not None:
            self.options["cards"] = self.box.alone
        self.cards: list[dict[str, Any]] = []
        """The printed cards; a kind is an index of these."""
        kinds: list[Kind] = []
        for number, faction in enumerate(self.box.factions):
            for card in faction["cards"]:
                location = card.get("location", 0)
                printed = Printed(
                    slug=card["slug"],
                    name=card["name"],
                    faction=number,
                    strength=card["strength"],
                    morale=card["morale"],
                    tags=card.get("tags", []),
                    protected=card.get("protected", False),
                    location=location,
                    place=self.box.locations.index(location) if location in self.box.locations else -1,
                    by=card.get("by", 0),
                )
                kinds.append(ABILITIES[card.get("ability", "")](len(kinds), printed))
                self.cards.append(card)
        self.kind_of = {kind.slug: kind for kind in kinds}
        self.setup = self._set_up(kinds)
        self.bound = 60 * self.setup.most_rounds * max(len(deck) for deck in self.setup.decks)

    def pinned(self) -> dict[str, Any]:
        return {**self.shown_options(), "cards": self.box.alone}

    def _set_up(self, kinds: list[Kind]) -> Setup:
        options, box = self.options, self.box
        slugs = [faction["slug"] for faction in box.factions]
        chosen = options["factions"]
        if len(chosen) != 2:
            raise OptionError(f"Option factions names two factions, not {len(chosen)}.")
        for slug in chosen:
            if slug not in slugs:
                raise OptionError(f"There is no faction {slug!r}; there are: {', '.join(slugs)}.")
        if chosen[0] == chosen[1] and not options["mirror"]:
            raise OptionError("Both seats have the same faction; option mirror=yes allows that (ruling 1).")
        factions = [slugs.index(slug) for slug in chosen]
        capacity = options["capacity"] or box.capacity
        end_round = options["end_round"] or box.end_round
        if not 1 <= capacity <= 99:
            raise OptionError(f"Option capacity is from 1 to 99, not {capacity}.")
        if not 2 <= end_round <= LAST_SPACE:
            raise OptionError(f"Option end_round is from 2 to {LAST_SPACE}, not {end_round}.")
        decks = [[k.id for k in kinds if k.faction == f for _ in range(self.cards[k.id]["copies"])] for f in factions]
        rank = [box.factions[faction]["initiative"] for faction in factions]
        first = -1 if rank[0] == rank[1] else int(rank[1] < rank[0])
        return Setup(
            kinds=kinds,
            decks=decks,
            numbers=box.locations,
            location_deck=[place for place in range(len(box.locations)) for _ in range(box.location_copies)],
            capacity=capacity,
            hand=box.hand,
            morale=box.morale,
            end_round=end_round,
            first=first,
            exact=options["exact"],
            moves_played=options["scrambler"] == "played",
            whole_gang=options["gang"] == "faction",
            factions=factions,
        )

    def start(self, log: bool = False) -> FeintState:
        setup = self.setup
        places = len(setup.numbers)
        s = FeintState(
            setup,
            [START_ROUND],
            hand=[[], []],
            deck=[setup.decks[0][:], setup.decks[1][:]],
            discard=[[], []],
            pile=[setup.location_deck[:], setup.location_deck[:]],
            used=[[], []],
            scout=[[], []],
            board=[[] for _ in range(2 * places)],
            load=[0] * places,
            morale=[setup.morale, setup.morale],
            won=[],
        )
        s.first = setup.first
        if log:
            s.log = []
        if setup.first < 0:
            s.first = 0
            s.stack.append(TOSS)
        push_shuffle(s, 0b1111, exact=setup.exact, quick=False)
        s.settle()
        return s

    # ---- notation -------------------------------------------------------------------------------

    def notation(self, action: Action) -> str:
        if action < 0:
            return f"seed:{-1 - action}"
        if action in PLAIN:
            return PLAIN[action]
        if action in (FIRST, FIRST + 1):
            return f"first:{action - FIRST}"
        numbers = self.box.locations
        if PLACE <= action < PLACE + len(numbers):
            return f"@{numbers[action - PLACE]}"
        if SPOT <= action < SPOT + SPOTS * len(numbers):
            place, index = divmod(action - SPOT, SPOTS)
            return f"#{numbers[place]}.{index + 1}"
        kind, slot = divmod(action - CARD, SLOTS)
        if action >= CARD and kind < len(self.cards) and slot <= len(numbers):
            slug: str = self.cards[kind]["slug"]
            return f"{slug}@{numbers[slot - 1]}" if slot else slug
        raise NotationError(f"{action} is no action of Feint.")

    def parse(self, text: str) -> Action:
        text = text.strip().lower()
        for action, word in PLAIN.items():
            if text == word:
                return action
        try:
            if text.startswith("seed:"):
                seed = int(text[5:])
                if seed < 0:
                    raise ValueError
                return -1 - seed
            if text in ("first:0", "first:1"):
                return FIRST + int(text[6:])
            if text.startswith("#"):
                number, _, index = text[1:].partition(".")
                if not 1 <= int(index) <= SPOTS:
                    raise ValueError
                return SPOT + self.box.locations.index(int(number)) * SPOTS + int(index) - 1
            slug, at, number = text.partition("@")
            place = self.box.locations.index(int(number)) if at else -1
        except ValueError:
            raise NotationError(f"{text[:60]!r} is no action of Feint.") from None
        if not slug and at:
            return PLACE + place
        if slug not in self.kind_of:
            raise NotationError(f"{text[:60]!r} is no action of Feint: there is no card {slug[:60]!r}.")
        return CARD + self.kind_of[slug].id * SLOTS + (place + 1 if at else 0)

    # ---- words and views (each from a masked state) ------------------------------------------------

    def words(self, event: Event, view: State, names: list[str]) -> str:
        return words.sentence(self, event, names)

    def prompt(self, view: State, names: list[str]) -> str:
        return words.prompt(self, _feint(view), names)

    def ending(self, view: State, names: list[str]) -> str:
        return words.ending(_feint(view), names)

    def describe(self, view: State, action: Action) -> str:
        return words.describe(self, _feint(view), action)

    def refusal(self, view: State, seat: Seat, action: Action) -> str:
        return refusals.refusal(_feint(view), seat, action)

    def board(self, view: State) -> dict[str, Any]:
        return views.board(self, _feint(view))

    def text(self, view: State, names: list[str]) -> str:
        return views.text(self, _feint(view), names)

    def controls(self, view: State) -> dict[str, Any]:
        return views.controls(self, _feint(view))

    def card(self, text: str) -> dict[str, Any] | None:
        wanted = text.strip().lower().replace(" ", "-")
        kind = self.kind_of.get(wanted)
        return views.printed(self, kind.id) if kind else None

    def all_cards(self) -> list[dict[str, Any]]:
        return [self._with_faction(kind) for kind in self.setup.kinds if kind.faction in self.setup.factions]

    def catalogue(self) -> list[dict[str, Any]]:
        return [self._with_faction(kind) for kind in self.setup.kinds]

    def _with_faction(self, kind: Kind) -> dict[str, Any]:
        faction = self.box.factions[kind.faction]
        names = {"faction_name": faction["name"], "colour": faction.get("colour", "")}
        return views.printed(self, kind.id) | names

    def seat_names(self) -> list[str]:
        names = [str(self.box.factions[faction]["name"]) for faction in self.setup.factions]
        return names if names[0] != names[1] else [f"{names[0]} ({seat + 1})" for seat in (0, 1)]

    def public(self, state: State, seat: int, action: Action, viewer: int) -> Action:
        """A face-down play, and which card a Support Tower sent down, show only that they happened.

        What stands for them is the first such kind's number.
        """
        if viewer in (seat, -3):
            return action
        if state.stack and state.stack[-1].prompt == "support":
            return action if action == DONE else CARD
        if action < CARD:
            return action
        kind, slot = divmod(action - CARD, SLOTS)
        if slot and self.setup.kinds[kind].face_down:
            alike = [k.id for k in self.setup.kinds if k.face_down and k.faction == self.setup.kinds[kind].faction]
            return CARD + alike[0] * SLOTS + slot
        return action

    def all_actions(self) -> list[Action]:
        return [action for action in super().all_actions() if action not in (FIRST, FIRST + 1)]

    def all_chances(self) -> list[Action]:
        places = [PLACE + place for place in range(len(self.box.locations))]
        return [FIRST, FIRST + 1, *places, *(CARD + SLOTS * kind for kind in range(len(self.cards)))]

    def zones(self) -> list[Zone]:
        return observation.zones(self.setup)

    def parts(self) -> list[Part]:
        return observation.parts(self.setup)

    def measure(self, view: State, me: Seat) -> list[int]:
        return observation.measure(_feint(view), me)

    def invariants(self, state: State) -> list[str]:
        return second.invariants(self, _feint(state))

    def reference(self, state: State, seat: int) -> list[Action] | None:
        return second.reference(self, _feint(state), seat)

    def judge(self, before: State, seat: int, action: Action, after: State) -> list[str]:
        return second.judge(self, _feint(before), seat, action, _feint(after))

    def rule_of_thumb(self) -> Any:
        from gonfalon.games.feint.bots.rule_of_thumb import Heuristic

        return Heuristic(self)

    def players(self) -> dict[str, Any]:
        from gonfalon.games.feint.bots.levels import players

        return players()

    def network_input(self) -> Any:
        from gonfalon.games.feint.bots.levels import sense

        return sense(self)

    @classmethod
    def lobby(cls) -> dict[str, Any]:
        """What a page needs to offer this game: its factions."""
        box = data.read(None)
        keys = ("slug", "name", "colour", "glyph", "pattern", "style")
        return {"factions": [{key: faction.get(key, "") for key in keys} for faction in box.factions]}

    @classmethod
    def tiny(cls) -> list[Self]:
        return [cls(cards=raw, exact=True, factions=("red", "blue")) for raw in TINY]

    @classmethod
    def samples(cls) -> list[Self]:
        slugs = [faction["slug"] for faction in data.read(None).factions]
        pairs = [(a, b) for a in slugs for b in slugs if a != b]
        return [
            *[cls(cards=box, factions=("red", "blue"), scrambler=moves, gang=gang) for box, moves, gang in BUSY],
            *[cls(factions=pair) for pair in pairs],
            cls(factions=("mibits", "mibits"), mirror=True, scrambler="played", gang="faction"),
            cls(factions=("agents", "mibits"), scrambler="played"),
            cls(factions=("agents", "agents"), mirror=True, end_round=11, capacity=12),
            cls(factions=("wu", "engineers"), exact=True),
        ]

    @classmethod
    def samples_with(cls, options: dict[str, Any]) -> list[Self]:
        """With a card file each faction that is the owner's own, in both readings of a Scrambler and of a Gang."""
        if options.get("cards") is None or "factions" in options:
            return super().samples_with(options)
        made: list[Self] = []
        for pair in data.own_pairs(data.read(options["cards"])):
            mirror = {"mirror": True} if pair[0] == pair[1] else {}
            for reading in ({}, {"scrambler": "played", "gang": "faction"}):
                one = cls(**{**mirror, **reading, **options, "factions": pair})
                if one.options not in [other.options for other in made]:
                    made.append(one)
        return made


def _feint(state: State) -> FeintState:
    assert isinstance(state, FeintState)
    return state
