"""Printed cards as data for pages, terminals, the catalog and the guide."""

from __future__ import annotations

from typing import Final, NotRequired, TypedDict

from gonfalon.games.feint import box
from gonfalon.games.feint.face import messages
from gonfalon.games.feint.face.words import FeintWords
from gonfalon.games.feint.rules.cards import Kind

ICONS: Final = {
    "restrict": messages.SIGN_RESTRICT,
    "play": messages.SIGN_PLAY,
    "trigger": messages.SIGN_TRIGGER,
    "resolve": messages.SIGN_RESOLVE,
    "protected": messages.SIGN_PROTECTED,
}
PROTECTED_RULINGS: Final = (30, 31, 32, 33)


class Change(TypedDict):
    """The numbers of an ability that has some."""

    by: NotRequired[int]
    tokens: NotRequired[int]


class CardFace(TypedDict):
    """The visible side of a card."""

    slug: str
    name: str
    faction: str
    strength: int
    morale: int
    tags: list[str]
    text: str
    icons: list[str]


class PrintedCard(CardFace, Change):
    """A printed card with its rulings and its provenance."""

    copies: int
    ability: str | None
    protected: bool
    icon_words: list[str]
    rulings: list[int]
    provenance: dict[str, str]


class CatalogueCard(PrintedCard):
    """A printed card with its faction, for the catalog."""

    faction_name: str
    colour: str


def build_card_face(game: FeintWords, kind: Kind) -> CardFace:
    """Return the visible side of a card."""
    protected = kind.protected
    return {
        "slug": kind.slug,
        "name": kind.name,
        "faction": game.box.factions[kind.faction]["slug"],
        "strength": kind.strength,
        "morale": kind.morale,
        "tags": list(game.cards[kind.id].get("tags", [])),
        "text": f"{kind.says(game.setup)} Protected.".strip() if protected else kind.says(game.setup),
        "icons": [*kind.icons, "protected"] if protected else list(kind.icons),
    }


def build_printed_card(game: FeintWords, kind: Kind) -> PrintedCard:
    """Return a printed card with its provenance."""
    card = game.cards[kind.id]
    face = build_card_face(game, kind)
    change: Change = {"by": card["by"]} if "by" in card else {}
    if "tokens" in card:
        change["tokens"] = card["tokens"]
    return {
        **face,
        **change,
        "copies": card["copies"],
        "ability": kind.ability or None,
        "protected": kind.protected,
        "icon_words": [ICONS[icon] for icon in face["icons"]],
        "rulings": [*kind.rulings, *(PROTECTED_RULINGS if kind.protected else ())],
        "provenance": box.find_provenance(card),
    }


def build_catalogue_card(game: FeintWords, kind: Kind) -> CatalogueCard:
    """Return a printed card with its faction."""
    faction = game.box.factions[kind.faction]
    return {**build_printed_card(game, kind), "faction_name": faction["name"], "colour": faction["colour"]}


def build_guide_row(game: FeintWords, kind: Kind) -> list[str]:
    """Return a card as a row of the guide, with our own names in italics and an i after inferred numbers."""
    card = game.cards[kind.id]
    numbers = [
        f"{card[key]} i" if key in card.get("inferred", []) else str(card[key]) for key in ("strength", "morale")
    ]
    name = f"*{kind.name}*" if card.get("ours") else kind.name
    text = " ".join([*(f"{tag.capitalize()}." for tag in card.get("tags", [])), build_printed_card(game, kind)["text"]])
    return [name, str(card["copies"]), *numbers, ", ".join(kind.icons), text, ", ".join(map(str, kind.rulings))]
