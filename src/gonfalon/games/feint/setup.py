"""The rules of Feint as a game: options, card data, the first position, and the notation of actions."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from gonfalon.core.basics.errors import NotationError, OptionError
from gonfalon.core.files.card_files import Raw
from gonfalon.core.rules.rules import Rules, starts_game
from gonfalon.core.rules.shuffles import push_shuffle
from gonfalon.core.rules.state import Action, State
from gonfalon.games.feint import box as data
from gonfalon.games.feint.rules.actions import CARD, DONE, FIRST, LOWER, OWN, PASS, PLACE, SCRAMBLER, SLOTS, SPOT, SPOTS
from gonfalon.games.feint.rules.cards import ABILITIES, Kind, Printed
from gonfalon.games.feint.rules.chance import TOSS
from gonfalon.games.feint.rules.phases import START_ROUND
from gonfalon.games.feint.rules.state import FeintState, Setup

PLAIN: Final[dict[Action, str]] = {
    PASS: "pass",
    DONE: "done",
    OWN: "own-first",
    SCRAMBLER: "scrambler-first",
    LOWER: "lower-copy",
}
assert set(PLAIN.values()) == set(data.RESERVED)


class FeintRules(Rules):
    """The options, cards and notation of a game of Feint. The constructor raises OptionError and DataError."""

    def __init__(self, **options: object) -> None:
        super().__init__(**options)
        self.seats = 2
        self.box: data.Box = data.read_box(self.options["cards"])
        self.data_hash = self.box.hash
        if self.options["cards"] is not None:
            self.options["cards"] = self.box.alone
        self.cards: list[Raw] = [card for faction in self.box.factions for card in faction["cards"]]
        """The printed cards, indexed by kind."""
        kinds = build_kinds(self.box)
        self.kind_of: dict[str, Kind] = {kind.slug: kind for kind in kinds}
        self.setup: Setup = self._set_up(kinds)
        # No game comes near this number of decisions, however often its cards return from the discard pile.
        self.bound = 60 * self.setup.most_rounds * max(len(deck) for deck in self.setup.decks)

    def pinned(self) -> Raw:
        return {**self.shown_options(), "cards": self.box.alone}

    def plain_card(self, card: Mapping[str, object], side: str) -> Raw | None:
        """Return a card without an ability, with the median Strength and Morale of such cards in the box."""
        plain = [card for card in self.cards if not card.get("ability")] or self.cards
        # The lower median, so that the number is printed on a card even if the count is even.
        middle = {
            number: sorted(card[number] for card in plain)[(len(plain) - 1) // 2] for number in ("strength", "morale")
        }
        return {"slug": f"plain-{side}", "name": "Plain Card", **middle, "ours": True}

    def _factions(self) -> list[int]:
        """Return the faction number of each seat."""
        slugs = [faction["slug"] for faction in self.box.factions]
        chosen = self.options["factions"]
        if len(chosen) != 2:
            raise OptionError(f"Option factions takes two factions, not {len(chosen)}.")
        for slug in chosen:
            if slug not in slugs:
                raise OptionError(f"Unknown faction {slug!r}. Choose from: {', '.join(slugs)}.")
        if chosen[0] == chosen[1] and not self.options["mirror"]:
            raise OptionError("Both seats have the same faction: choose two, or allow a mirror match (ruling 1).")
        return [slugs.index(slug) for slug in chosen]

    def _set_up(self, kinds: list[Kind]) -> Setup:
        options, box = self.options, self.box
        factions = self._factions()
        capacity = options["capacity"] or box.capacity
        end_round = options["end_round"] or box.end_round
        if not 1 <= capacity <= 99:
            raise OptionError(f"Option capacity is from 1 to 99, not {capacity}.")
        decks = [[k.id for k in kinds if k.faction == f for _ in range(self.cards[k.id]["copies"])] for f in factions]
        rank = [box.factions[faction]["initiative"] for faction in factions]
        setup = Setup(
            kinds=kinds,
            decks=decks,
            numbers=box.locations,
            location_deck=[place for place in range(len(box.locations)) for _ in range(box.location_copies)],
            capacity=capacity,
            hand=box.hand,
            morale=box.morale,
            end_round=end_round,
            # The faction with the lower initiative starts; in a mirror match chance decides (ruling 1).
            first=-1 if rank[0] == rank[1] else int(rank[1] < rank[0]),
            exact=options["exact"],
            moves_played=options["scrambler"] == "played",
            whole_gang=options["gang"] == "faction",
            factions=factions,
        )
        if options["pairings"]:
            # Observations have the same parts for all pairings.
            setup.lasting = any(kind.rounds for kind in kinds)
            setup.tokens = max(kind.tokens for kind in kinds)
        return setup

    @starts_game
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
            # The toss replaces this seat before the first round. Until then the field needs a valid seat.
            s.first = 0
            s.stack.append(TOSS)
        # All four draw piles: the decks and the Location Cards of both seats.
        push_shuffle(s, 0b1111, exact=setup.exact, quick=False)
        s.settle()
        return s

    # ---- notation -------------------------------------------------------------------------------

    def notation(self, action: Action) -> str:
        # The seeds of shuffles are the negative actions.
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

    def public(self, state: State, seat: int, action: Action, viewer: int) -> Action:
        return as_feint(state).public(seat, action, viewer)

    def all_actions(self) -> list[Action]:
        # Only chance answers the toss, so a policy needs no output for it.
        return [action for action in super().all_actions() if action not in (FIRST, FIRST + 1)]

    def all_chances(self) -> list[Action]:
        places = [PLACE + place for place in range(len(self.box.locations))]
        return [FIRST, FIRST + 1, *places, *(CARD + SLOTS * kind for kind in range(len(self.cards)))]


def build_kinds(box: data.Box) -> list[Kind]:
    """Return the kinds of a box, numbered in the order of its cards."""
    kinds: list[Kind] = []
    for number, faction in enumerate(box.factions):
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
                place=box.locations.index(location) if location in box.locations else -1,
                by=card.get("by", 0),
                tokens=card.get("tokens", 1),
            )
            kinds.append(ABILITIES[card.get("ability", "")](len(kinds), printed))
    return kinds


def as_feint(state: State) -> FeintState:
    """Return a state, narrowed to the type of this game."""
    assert isinstance(state, FeintState)
    return state
