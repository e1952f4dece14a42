"""Printed cards and cards on the table as data."""

from __future__ import annotations

from typing import Final, Required, TypedDict

from gonfalon.core.basics.cards import HIDDEN, KIND
from gonfalon.core.rules.state import Card, Seat
from gonfalon.games.jinkei.face import messages
from gonfalon.games.jinkei.face.words import JinkeiWords

SHAPES: Final = ["triangle", "circle"]


class CardFace(TypedDict, total=False):
    """The visible side of a card."""

    slug: str
    name: str
    rank: int
    colour: str
    shape: str
    points: int
    text: str
    rulings: list[int]


class Printed(CardFace, total=False):
    """A printed card with its provenance."""

    provenance: dict[str, str]


class Face(CardFace, total=False):
    """A card on the table, or its back."""

    back: Required[bool]
    owner: Required[Seat]
    id: Required[str]


def build_card_face(game: JinkeiWords, kind: int) -> CardFace:
    """Return the visible side of a card."""
    rank, colour = game.setup.rank[kind], game.setup.colour[kind]
    text = {0: messages.TEXT_0, 12: messages.TEXT_12}.get(rank, "")
    return {
        "slug": game.names[kind],
        "name": game.kind_name(kind),
        "rank": rank,
        "colour": game.box.colours[colour],
        "shape": SHAPES[colour],
        "points": game.setup.points[kind],
        "text": text,
        "rulings": [16, 17, 18] if rank in (0, 12) else [],
    }


def build_printed_card(game: JinkeiWords, kind: int) -> Printed:
    """Return a printed card with its provenance."""
    return {**build_card_face(game, kind), "provenance": {"rank": "rulebook", "points": "rulebook"}}


def build_card(game: JinkeiWords, seat: Seat, card: Card, place: str) -> Face:
    """Return a card, or its back. A deck has one card of each kind, so the id of a known card is its name."""
    if card & KIND == HIDDEN:
        return {"back": True, "owner": seat, "id": f"h{seat}-{place}"}
    return {
        **build_card_face(game, card & KIND),
        "back": False,
        "owner": seat,
        "id": f"k{seat}-{game.names[card & KIND]}",
    }
