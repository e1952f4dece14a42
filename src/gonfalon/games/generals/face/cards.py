"""Cards of Generals as data."""

from __future__ import annotations

from typing import Required, TypedDict, cast

from gonfalon.core.basics.cards import HIDDEN, KIND
from gonfalon.core.rules.page import CardIds
from gonfalon.core.rules.state import Card, Seat
from gonfalon.games.generals.cards.decks import cost_text
from gonfalon.games.generals.rules.cards import Active
from gonfalon.games.generals.ruleset import GeneralsRules


class Part(TypedDict):
    """A change of a number, with its source."""

    what: str
    by: int


class Cost(TypedDict):
    """The present cost of a card: the printed cost and the parts that change it."""

    printed: int
    now: int
    parts: list[Part]
    resource: int
    sacrifice: int
    text: str


class CardFace(TypedDict, total=False):
    """The printed side of a card."""

    id: str
    slug: str
    name: str
    type: str
    subtypes: list[str]
    faction_name: str
    colour: str
    glyph: str
    pattern: str
    cost: int | None
    cost_text: str
    might: int | None
    wits: int | None
    upkeep: int | None
    text: str
    story: str
    rulings: list[int]
    provenance: dict[str, str]


class Printed(CardFace, total=False):
    """A printed card with its faction and the costs of its active effects."""

    faction: str
    actives: list[str]


class Face(CardFace, total=False):
    """A card in a zone. A card whose `back` is shown has no printed fields."""

    back: Required[bool]
    dom: Required[str]
    price: Cost
    dead: bool
    """Whether a general of the hand can never be recruited."""


def build_card_face(game: GeneralsRules, kind: int) -> CardFace:
    """Return the printed side of a card."""
    card = game.pool.cards[kind]
    general = card.type == "character"
    faction = game.pool.faction(card.faction)
    return {
        "id": card.id,
        "slug": card.slug,
        "name": card.name,
        "type": card.type,
        "subtypes": list(card.subtypes),
        "faction_name": faction.name,
        "colour": faction.colour,
        "glyph": faction.glyph,
        "pattern": faction.pattern,
        "cost": card.cost if card.type != "commandment" else None,
        "cost_text": cost_text(card) if card.type != "commandment" else "",
        "might": card.might if general else None,
        "wits": card.wits if general else None,
        "upkeep": card.upkeep if general else None,
        "text": game.card_text(kind),
        "story": card.story,
        "rulings": list(card.rulings),
        "provenance": dict(card.sources),
    }


def printed_card(game: GeneralsRules, kind: int) -> Printed:
    """Return a printed card with its faction and the costs of its active effects."""
    return {
        **build_card_face(game, kind),
        "faction": game.pool.faction(game.pool.cards[kind].faction).slug,
        "actives": [cost_of_active(active) for active in game.kinds[kind].actives],
    }


def cost_of_active(active: Active) -> str:
    """Return the cost of an active effect in words."""
    parts = [(active.resource, "RESOURCE"), (active.sacrifice, "general")]
    more = [f"{count} {name}" for count, name in parts if count]
    return " and ".join([str(active.hand), *more] if active.hand or not more else more)


class CardBuilder(CardIds):
    """Builds the cards of one board."""

    def __init__(self, game: GeneralsRules) -> None:
        super().__init__()
        self.game = game
        self.faces: dict[int, CardFace] = {}

    def face(self, seat: Seat, card: Card, zone: str) -> Face:
        """Return a card, or its back."""
        kind = card & KIND
        if kind == HIDDEN:
            return {"back": True, "dom": self.numbered(f"h{seat}-{zone}")}
        # Copies of a kind share their printed fields on one board.
        if kind not in self.faces:
            self.faces[kind] = build_card_face(self.game, kind)
        shown = self.faces[kind]
        dom = self.numbered(f"k{seat}-{self.game.pool.cards[kind].slug}")
        return cast(Face, {**shown, "back": False, "dom": dom})
