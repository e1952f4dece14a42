"""An arranged table of Feint, in the words of the rulebook's examples.

May is the start player (seat 0), David her opponent (seat 1). Cards are made for each test, so that
no test depends on reconstructed numbers:

table = Table(may=[card("ox", 6)], david=[card("hen", 3)])
table.may.holds("ox").scouted(2)
table.david.has("hen", at=5).scouted(5)
table.deploys(table.may)
table.may.plays("ox@2")
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from gonfalon.core.basics.cards import KIND, SEEN
from gonfalon.core.rules.game import names_for
from gonfalon.games.feint import Feint
from gonfalon.games.feint.face.board import Back, Face
from gonfalon.games.feint.face.resolution import Resolution
from gonfalon.games.feint.rules.cards import ABILITIES
from gonfalon.games.feint.rules.phases import CLEANUP, DEPLOY, RESOLVE, START_ROUND
from gonfalon.games.feint.rules.state import BOTH, DOWN, STAY, FeintState
from gonfalon.testing import scenario

FILLER = 20


def card(
    slug: str,
    strength: int = 1,
    ability: str = "",
    *,
    morale: int = 1,
    copies: int = 4,
    tags: tuple[str, ...] = (),
    protected: bool = False,
    location: int | None = None,
    by: int | None = None,
    tokens: int | None = None,
) -> dict[str, Any]:
    """A card made for a test, in the form of the card data."""
    made: dict[str, Any] = {
        "slug": slug,
        "name": slug.replace("-", " ").title(),
        "copies": copies,
        "strength": strength,
        "morale": morale,
        "tags": list(tags),
        "protected": protected,
    }
    if ability:
        made["ability"] = ability
    if tokens is not None:
        made["tokens"] = tokens
    if location is not None:
        made["location"] = location
    if by is not None:
        made["by"] = by
    return made


def card_with(ability: str, slug: str, strength: int = 1, protected: bool = False) -> dict[str, Any]:
    """Return a card of one copy with any ability and the card data it needs."""
    tags = {"engineer": ("engineer",), "gangan": ("gang",)}.get(ability, ())
    return card(
        slug,
        strength,
        ability,
        morale=0,
        copies=1,
        tags=("tower",) if "tower" in ability else tags,
        protected=protected,
        location=4 if ability == "knight" else None,
        by=1 if ABILITIES[ability].most else None,
    )


def box(
    may: list[dict[str, Any]], david: list[dict[str, Any]], slugs: tuple[str, str] = ("red", "blue"), **numbers: Any
) -> dict[str, Any]:
    """Return card data of two factions, each filled up with twenty plain cards of Strength 1."""
    factions = []
    for rank, (slug, cards) in enumerate(zip(slugs, (may, david), strict=True)):
        filler = card(f"{slug}-filler", 1, copies=FILLER)
        factions.append({"slug": slug, "name": slug.title(), "initiative": 101 + rank, "cards": [*cards, filler]})
    return {"form": 1, "box": numbers, "faction": factions}


def faces(cards: Sequence[Face | Back]) -> list[Face]:
    """Return all cards of a board that the viewer knows."""
    known = [card for card in cards if card["back"] is False]
    assert len(known) == len(cards)
    return known


def readable(table: Table, viewer: int) -> dict[str, Any]:
    """Return all data that leaves the core for a viewer. Positions with equal data look alike."""
    view = table.state.mask(viewer)
    names = names_for(table.game, viewer, ["May", "David"])
    assert view.log is not None
    return {
        "state": view.dump(),
        "board": table.game.board(view),
        "text": table.game.text(view, names),
        "prompt": table.game.prompt(view, names),
        "controls": table.game.controls(view),
        "log": [table.game.words(event, view, names) for event in view.log],
        "decisions": [(d.seat, d.prompt, d.actions) for d in view.decisions()],
    }


class Player(scenario.Player["Table", FeintState]):
    """One side of the table. Arranging methods return the player, so that they can be chained."""

    # ---- arranging ------------------------------------------------------------------------------

    def holds(self, *slugs: str) -> Player:
        """Make the hand exactly these cards."""
        self.table.empty(self.state.hand[self.seat], self.seat)
        self.state.hand[self.seat] += [self.table.fetch(self.seat, slug) | SEEN[self.seat] for slug in slugs]
        return self

    def has(self, *slugs: str, at: int, down: bool = False, stay: bool = False) -> Player:
        """Put these cards of the player at a Location."""
        for slug in slugs:
            taken = self.table.fetch(self.seat, slug)
            seen = SEEN[self.seat] | DOWN if down else BOTH
            self.state.put(self.seat, taken | seen | (STAY if stay else 0), self.table.place(at))
        return self

    def discarded(self, *slugs: str) -> Player:
        """Put these cards on the discard pile."""
        self.state.discard[self.seat] += [self.table.fetch(self.seat, slug) | BOTH for slug in slugs]
        return self

    def stacked(self, *slugs: str, only: bool = False) -> Player:
        """Put these cards on top of the draw pile, the first uppermost. With `only` they are all of it (the rest goes
        to the discard pile)."""
        top = [self.table.fetch(self.seat, slug) for slug in slugs]
        if only:
            self.state.discard[self.seat] += [c & KIND | BOTH for c in self.state.deck[self.seat]]
            self.state.deck[self.seat].clear()
        self.state.deck[self.seat] += reversed(top)
        return self

    def scouted(self, number: int) -> Player:
        """Set the Location Card of this round."""
        self.state.pile[self.seat] += [c & KIND for c in self.state.scout[self.seat]]
        self.state.scout[self.seat] = [self._location(number) | SEEN[self.seat]]
        return self

    def next_location(self, number: int) -> Player:
        """Set the top of the Location Draw Pile."""
        self.state.pile[self.seat].append(self._location(number))
        return self

    def _location(self, number: int) -> int:
        pile = self.state.pile[self.seat]
        at = next(i for i, c in enumerate(pile) if c & KIND == self.table.place(number))
        return pile.pop(at) & KIND

    def morale_is(self, morale: int) -> Player:
        self.state.morale[self.seat] = morale
        return self

    # ---- acting ---------------------------------------------------------------------------------

    plays = scenario.Player.does
    answers = scenario.Player.does

    def passes(self) -> Player:
        return self.does("pass")

    # ---- looking --------------------------------------------------------------------------------

    @property
    def hand(self) -> list[str]:
        return self.table.names(self.state.hand[self.seat])

    @property
    def deck(self) -> list[str]:
        """The draw pile, top first."""
        return self.table.names(reversed(self.state.deck[self.seat]))

    @property
    def discard(self) -> list[str]:
        return self.table.names(self.state.discard[self.seat])

    @property
    def morale(self) -> int:
        return self.state.morale[self.seat]

    @property
    def points(self) -> int:
        return self.state.won.count(self.seat)

    def at(self, number: int) -> list[str]:
        """The player's cards at a Location."""
        return self.table.names(self.state.at(self.seat, self.table.place(number)))

    def sees(self, zone: list[int]) -> list[str]:
        """Return a zone of a masked state as names, with `?` for hidden cards."""
        return self.table.names(zone)


class Table(scenario.Table[Feint, FeintState, Player]):
    """A game in its first Deployment phase, with May to act. All cards that the test does not place are in the draw
    piles."""

    def __init__(
        self,
        may: list[dict[str, Any]] | None = None,
        david: list[dict[str, Any]] | None = None,
        numbers: dict[str, Any] | None = None,
        slugs: tuple[str, str] = ("red", "blue"),
        **options: Any,
    ) -> None:
        cards = box(may or [], david or [], slugs, **(numbers or {}))
        super().__init__(Feint(factions=slugs, cards=cards, **options), Player)
        self.state.apply(-1, self.game.parse("seed:1"))
        for player in self.people:
            self.empty(self.state.hand[player.seat], player.seat)
        self.forget()

    def player(self, seat: int) -> Player:
        return self.people[seat]

    def place(self, number: int) -> int:
        return self.game.box.locations.index(number)

    def empty(self, zone: list[int], seat: int) -> None:
        """Put a zone's cards under the draw pile, unknown."""
        self.state.deck[seat][:0] = [c & KIND for c in zone]
        zone.clear()

    def fetch(self, seat: int, slug: str) -> int:
        """Take a card out of the draw pile."""
        deck = self.state.deck[seat]
        kind = self.game.kind_of[slug].id
        at = next(i for i, c in enumerate(deck) if c & KIND == kind)
        return deck.pop(at) & KIND

    def deploys(self, player: Player) -> Table:
        """Start this player's turn in the Deployment phase, with no passes."""
        self.state.passed = 0
        self.state.stack[:] = [CLEANUP, RESOLVE, DEPLOY[player.seat]]
        self.state.settle()
        return self

    def reinforces(self) -> Table:
        """Begin a round with its Reinforcement phase. The Location Cards are drawn again."""
        for pile, scout in zip(self.state.pile, self.state.scout, strict=True):
            pile += [c & KIND for c in scout]
            scout.clear()
        self.state.stack[:] = [START_ROUND]
        self.state.settle()
        return self

    def both_pass(self) -> Table:
        """Let both pass in turn until the Deployment phase ends."""
        for _ in range(2):
            if self.state.stack and self.state.stack[-1].prompt == "deploy":
                self.player(self.state.turn).passes()
        return self

    def name(self, card: int) -> str:
        slug: str = self.game.cards[card]["slug"]
        return slug

    def load(self, number: int) -> int:
        """Return the load of a Location, as Capacity counts it."""
        return self.state.load[self.place(number)]

    def settle(self) -> Table:
        self.state.settle()
        return self

    @property
    def resolution(self) -> Resolution:
        """The public sums of the last round."""
        found = self.game.board(self.open)["resolution"]
        assert found is not None
        return found
