"""The printed figures of cards in words, and the differences of own cards from the standard set."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final, TypedDict
from weakref import WeakKeyDictionary

from gonfalon.core.files.card_changes import Change, format_value
from gonfalon.core.files.card_sets import describe_card_set, find_set_name
from gonfalon.core.rules.game import Game
from gonfalon.web import messages
from gonfalon.web.shared.template_context import Context

ELSEWHERE: Final = frozenset(
    (
        "slug",
        "id",
        "name",
        "text",
        "story",
        "rulings",
        "provenance",
        "faction",
        "faction_name",
        "colour",
        "glyph",
        "pattern",
        "icons",
        "icon_words",
        "shape",
        "type",
        "kind",
        "subtypes",
        "cost",
        "cost_text",
        "ability",
        "actives",
    )
)
"""The fields of a card that are shown elsewhere than among its numbers, or to programs only."""

Fact = tuple[str, str, str]
"""A figure or a single word of a card with its source: ("Might", "5", "ours")."""


class Mark(TypedDict):
    """A changed figure of a card: its key and name, the standard value with its source, and the value in this game."""

    key: str
    label: str
    before: str
    after: str
    origin: str


_KNOWN: Final[WeakKeyDictionary[Game, OwnCards | None]] = WeakKeyDictionary()


def list_facts(card: Context) -> tuple[Fact, ...]:
    """Return the printed figures and single words of a card (see `Game.card`)."""
    origin = card.get("provenance") or {}
    facts = [
        (format_label(key), format_figure(value), origin.get(key, ""))
        for key, value in card.items()
        if key not in ELSEWHERE
    ]
    cost = card.get("cost_text") or card.get("cost")
    if cost not in (None, ""):
        facts.insert(0, ("Cost", format_figure(cost), origin.get("cost", "")))
    if card.get("actives"):
        facts.append(("Active effect costs", format_figure(card["actives"]), origin.get("text", "")))
    return tuple(fact for fact in facts if fact[1])


def format_label(key: str) -> str:
    """Return `bonus-sets` as a heading."""
    return key.replace("_", " ").replace("-", " ").capitalize()


def format_figure(value: object) -> str:
    """Return a value as text; empty for a missing one."""
    if value is None or value is False or isinstance(value, dict):
        return ""
    if value is True:
        return "yes"
    return ", ".join(map(str, value)) if isinstance(value, list | tuple) else str(value)


def mark_cards(game: Game, standard: Game) -> dict[str, list[Mark]]:
    """Return the changed figures of the cards of a game, by the slug of the card. Cards that the standard game does
    not have are left out."""
    before = {str(card.get("slug")): dict(card) for card in standard.catalogue()}
    found = {}
    for card in game.catalogue():
        slug = str(card.get("slug"))
        if slug in before and before[slug] != card and (marks := compare_card(before[slug], dict(card))):
            found[slug] = marks
    return found


def compare_card(before: Context, after: Context) -> list[Mark]:
    """Return the changed figures of a card. A change of its text is named, and the standard text is quoted."""
    old, new = ({label: (value, origin) for label, value, origin in list_card_words(one)} for one in (before, after))
    return [
        {
            "key": label.lower().replace(" ", "_"),
            "label": label,
            "before": old.get(label, ("", ""))[0],
            "after": new.get(label, ("", ""))[0],
            "origin": old.get(label, ("", ""))[1],
        }
        for label in dict.fromkeys((*old, *new))
        if old.get(label, ("", ""))[0] != new.get(label, ("", ""))[0]
    ]


def list_card_words(card: Context) -> list[Fact]:
    """Return name, figures and text of a card."""
    origin = card.get("provenance") or {}
    words = [(format_label(key), str(card.get(key) or ""), origin.get(key, "")) for key in ("name", "text")]
    return [words[0], *list_facts(card), words[1]]


class ChangeInWords(TypedDict):
    """A difference from the standard set in words: its number, the standard value and its source, the new value."""

    title: str
    before: str
    after: str
    origin: str


class OwnCards(TypedDict):
    """The own cards of a game: their name, all changes, and the changed figures by the slug of the card."""

    name: str
    changes: list[ChangeInWords]
    marks: dict[str, list[Mark]]


def format_change(value: object) -> str:
    """Return a value of card data for people. The rows of a picture are apart."""
    if isinstance(value, list) and all(isinstance(part, str | int) for part in value):
        return (" / " if any(isinstance(part, str) for part in value) else ", ").join(map(str, value))
    return format_value(value)


def show_changes(changes: Iterable[Change]) -> list[ChangeInWords]:
    """Return differences from the standard set in words."""
    return [
        {
            "title": change.title,
            "before": format_change(change.before),
            "after": format_change(change.after),
            "origin": change.origin,
        }
        for change in changes
    ]


def describe_own_cards(game: Game) -> OwnCards | None:
    """Return the own cards of a game; None for a game with the standard set, of today or of an earlier version."""
    if game not in _KNOWN:
        changes = describe_card_set(game)
        found: OwnCards = {
            "name": find_set_name(game) or messages.OWN_CARDS,
            "changes": show_changes(changes),
            "marks": mark_cards(game, type(game)()) if changes else {},
        }
        _KNOWN[game] = found if changes else None
    return _KNOWN[game]


def list_marks(game: Game) -> dict[str, list[Mark]]:
    """Return the changed figures of a game's cards, by the slug of the card."""
    own = describe_own_cards(game)
    return own["marks"] if own else {}
