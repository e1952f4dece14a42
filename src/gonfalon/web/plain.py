"""The table of a game that brings no page of its own: whatever its board holds, laid out as sides, zones and cards.

All of it is made from the board that the viewer is given anyway, so it can show nothing more. What cannot be drawn so
is left to the game's words.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final
from zlib import crc32

from gonfalon.core.game import Game
from gonfalon.core.page import CardIds
from gonfalon.core.simple import slug
from gonfalon.table.shown import ShownAction

HIDDEN: Final = (None, "?", "")
"""How boards tell a card that the viewer does not know."""
MOST_BACKS: Final = 8
"""More cards face down than that are a pile."""
MOST_CARDS: Final = 12
"""Of more cards face up equal ones are drawn once."""
MOST_SHARED: Final = 5
"""The same where nobody's cards lie; there any that are face down are a pile."""
COLOURS: Final = ("red", "blue", "yellow", "green", "purple", "orange", "teal", "brown", "grey")
PATTERNS: Final = ("barry", "paly", "bendy", "chevronny", "lozengy", "checky", "plain")
ENDS: Final = ("end", "end-turn", "done", "stop")
"""The answers to which the key `e` leads."""


class Odd(Exception):
    """A board holds what is neither a card, a zone nor a number."""


@dataclass
class Zone:
    """A row of cards: None is one that the viewer does not know."""

    id: str
    label: str
    cards: list[str | None]
    secret: bool = False


@dataclass
class Side:
    """What belongs to a seat, or to nobody (-1)."""

    seat: int
    facts: list[tuple[str, str]] = field(default_factory=list)
    zones: list[Zone] = field(default_factory=list)


def table_of(
    game: Game | None,
    board: Mapping[str, Any],
    me: int | None,
    names: Sequence[str],
    answers: Sequence[ShownAction],
) -> dict[str, Any] | None:
    """What _plain.html is given of a board: the sides of the others, what lies between, one's own side; None for one
    that is told in words alone. `answers` may be given by touching the card that they name."""
    sides = [Side(seat) for seat in range(len(names))]
    shared = Side(-1)
    try:
        for key, value in board.items():
            if key != "viewer":
                place(sides, shared, key, value)
    except Odd:
        return None
    if not any(side.zones or side.facts for side in (*sides, shared)):
        return None
    veil(sides, shared)
    order = sides if me is None else [*sides[me + 1 :], *sides[:me]]
    draw = Drawing(printed(game), {slug(answer["id"]): answer for answer in answers}, me)
    others = [draw.side(side, names[side.seat]) for side in order]
    between = draw.side(shared, "")
    return {"others": others, "shared": between, "mine": draw.side(sides[me], names[me]) if me is not None else None}


def marked(answers: Sequence[ShownAction]) -> list[dict[str, str]]:
    """Answers as buttons, with the marks of those to which keys of their own lead."""
    marks = {"pass": "pass"} | dict.fromkeys(ENDS, "done")
    return [{"id": one["id"], "text": one["text"], "mark": marks.get(one["id"], "")} for one in answers]


# ---- reading a board ----------------------------------------------------------------------------------------------


def place(sides: list[Side], shared: Side, key: str, value: object) -> None:
    """Put a field of a board where it belongs. Raises Odd."""
    each = isinstance(value, (list, tuple)) and len(value) == len(sides)
    if isinstance(value, (list, tuple)) and each and all(isinstance(one, (list, tuple)) for one in value):
        for side, one in zip(sides, value, strict=True):
            put(side, key, one)
    elif isinstance(value, (list, tuple)) and each and all(is_number(one) for one in value):
        for side, one in zip(sides, value, strict=True):
            side.facts.append((label_of(key), told(one)))
    elif isinstance(value, (list, tuple)) and each and all(isinstance(one, dict) and not is_card(one) for one in value):
        for side, fields in zip(sides, value, strict=True):
            for name, one in fields.items():
                if name not in ("name", "seat"):
                    put(side, name, one)
    elif isinstance(value, dict) and not is_card(value):
        for name, one in value.items():
            place(sides, shared, name, one)
    else:
        put(shared, key, value)


def put(side: Side, key: str, value: object) -> None:
    """Put a field at a side: a zone, several of them, or a number. Raises Odd."""
    if isinstance(value, (list, tuple)):
        if value and all(is_number(one) for one in value):
            side.facts.append((label_of(key), ", ".join(told(one) for one in value)))
        elif value and all(isinstance(one, (list, tuple)) for one in value):
            for n, part in enumerate(value, start=1):
                put(side, f"{key} {n}", part)
        else:
            zone = f"z-{slug(key)}" + (f"-{side.seat}" if side.seat >= 0 else "")
            side.zones.append(Zone(zone, label_of(key, side.seat >= 0), [face_of(one) for one in value]))
    elif is_card(value):
        put(side, key, [value])
    elif isinstance(value, (str, int, float)):
        side.facts.append((label_of(key), told(value)))
    elif value is not None:
        raise Odd


def is_number(value: object) -> bool:
    """Whether a field is a number, or yes or no."""
    return isinstance(value, (int, float))


def is_card(value: object) -> bool:
    """Whether a field is a card of its own, not fields of a seat."""
    if not isinstance(value, dict):
        return False
    flat = not any(isinstance(one, (list, tuple, dict)) for one in value.values())
    return "back" in value or (flat and isinstance(value.get("name"), str))


def face_of(value: object) -> str | None:
    """What a card is called; None face down. Raises Odd."""
    if isinstance(value, dict) and is_card(value):
        return None if value.get("back") is True else str(value["name"]) if "name" in value else None
    if value in HIDDEN:
        return None
    if not isinstance(value, str):
        raise Odd
    return value


def told(value: object) -> str:
    """A number or a word as people read it."""
    return {True: "yes", False: "no"}[value] if isinstance(value, bool) else str(value)


def label_of(key: str, one: bool = False) -> str:
    """What a field is called: `hands` at a seat is a Hand."""
    words = key.replace("_", " ").replace("-", " ").strip()
    words = words[:-1] if one and words == "hands" else words
    return words[:1].upper() + words[1:]


def veil(sides: list[Side], shared: Side) -> None:
    """Mark what others may not see, as far as a board tells: a zone that is dark to its viewer somewhere."""
    dark = {zone.label for side in (*sides, shared) for zone in side.zones if None in zone.cards}
    for side in (*sides, shared):
        for zone in side.zones:
            zone.secret = zone.label in dark or zone.label.startswith("Hand")


# ---- drawing it ----------------------------------------------------------------------------------------------------


def printed(game: Game | None) -> dict[str, str]:
    """The cards of a game of which there is more to read, by their names, in its order."""
    return (
        {}
        if game is None
        else {str(card["name"]): str(card.get("slug", "")) for card in game.all_cards() if "name" in card}
    )


def texts(game: Game) -> list[dict[str, Any]]:
    """What _plain_cards.html is given: what is printed on a game's cards, with the arms that they bear on the board."""
    words = {str(card["name"]): str(card.get("text", "")) for card in game.all_cards() if "name" in card}
    return [
        arms(name, n) | {"slug": slug, "text": words[name]}
        for n, (name, slug) in enumerate(printed(game).items())
        if slug
    ]


def arms(name: str, number: int | None = None) -> dict[str, Any]:
    """A card's initial on a field of its own: by its number in the game's list, else by its name."""
    number = crc32(name.encode()) if number is None else number
    colour, pattern = COLOURS[number % len(COLOURS)], PATTERNS[number % len(PATTERNS)]
    return {"name": name, "letter": name[:1].upper(), "colour": colour, "pattern": pattern}


class Drawing:
    """Gives every card an id from what is seen, its arms, and the answer that it stands for."""

    def __init__(self, printed: dict[str, str], answers: dict[str, ShownAction], me: int | None) -> None:
        self.ids = CardIds()
        self.printed = printed
        self.arms: dict[str, int] = {name: n for n, name in enumerate(printed)}
        self.answers = answers
        self.me = me

    def side(self, side: Side, name: str) -> dict[str, Any]:
        """A side, or what lies between them."""
        mine = side.seat == self.me
        zones = [self.zone(zone, mine, side.seat >= 0) for zone in side.zones]
        return {"seat": side.seat, "name": name, "facts": side.facts, "zones": zones}

    def zone(self, zone: Zone, mine: bool, seated: bool) -> dict[str, Any]:
        """A zone; equal cards of a long one are drawn once."""
        known = [card for card in zone.cards if card is not None]
        backs = len(zone.cards) - len(known)
        counts: dict[str, int] = {}
        for card in known:
            counts[card] = counts.get(card, 0) + 1
        most_cards, most_backs = (MOST_CARDS, MOST_BACKS) if seated else (MOST_SHARED, 1)
        drawn = list(counts.items()) if len(known) > most_cards else [(card, 1) for card in known]
        may = self.answers if mine and zone.secret else {}
        return {
            "id": zone.id,
            "label": zone.label,
            "secret": zone.secret and bool(known),
            "hand": mine and zone.secret,
            "size": len(zone.cards),
            "cards": [self.card(card, count, may.get(slug(card))) for card, count in drawn],
            "backs": [self.ids.numbered(f"c-{zone.id}-back") for _ in range(backs if backs <= most_backs else 1)],
            "pile": backs if backs > most_backs else 0,
        }

    def card(self, name: str, count: int, answer: ShownAction | None) -> dict[str, Any]:
        """A card face up."""
        return arms(name, self.arms.get(name)) | {
            "id": self.ids.numbered(f"c-{slug(name)}"),
            "count": count,
            "text": self.printed.get(name, ""),
            "answer": answer["id"] if answer else None,
        }
