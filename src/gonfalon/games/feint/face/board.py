"""The forms of what a page of Feint is given: cards, the board, and how a decision is asked."""

from __future__ import annotations

from typing import Literal, NotRequired, TypedDict

from gonfalon.core.rules.page import Choice, GameEnd


class Change(TypedDict):
    """The numbers of an ability, where it has some."""

    by: NotRequired[int]
    tokens: NotRequired[int]


class PrintedCard(Change):
    """What is printed on a card, with what is known about it."""

    slug: str
    name: str
    faction: str
    strength: int
    morale: int
    copies: int
    tags: list[str]
    ability: str | None
    protected: bool
    text: str
    icons: list[str]
    icon_words: list[str]
    rulings: list[int]
    provenance: dict[str, str]


class CatalogueCard(PrintedCard):
    """A card that is looked up."""

    faction_name: str
    colour: str


class Face(PrintedCard):
    """A card on the table that the viewer knows."""

    id: str
    back: Literal[False]
    owner: int
    down: bool
    turned: bool
    known: bool
    stay: int


class Back(TypedDict):
    """A card on the table that the viewer does not know."""

    id: str
    back: Literal[True]
    owner: int
    down: bool
    weight: int


class Side(TypedDict):
    """A seat's cards at a Location."""

    cards: list[Face | Back]
    strength: int
    hidden: int
    rating: int


class Place(TypedDict):
    """A Location."""

    number: int
    load: int
    capacity: int
    closed: bool
    battle: bool | None
    sides: list[Side]


class ScoutedLocation(TypedDict):
    """A seat's Location Card."""

    number: int | None
    revealed: bool
    drawn: bool


class SeatPanel(TypedDict):
    """What there is to see of a seat."""

    seat: int
    faction: str
    faction_name: str
    colour: str
    glyph: str
    pattern: str
    morale: int
    at_risk: int
    at_risk_hidden: int
    vp: int
    passed: bool
    to_act: bool
    hand: list[Face | Back]
    hand_count: int
    deck_count: int
    known_deck: list[Face | Back]
    discard: list[Face | Back]
    location: ScoutedLocation
    next_location: int | None
    pips: dict[str, int]
    marked: list[str]


class Part(TypedDict):
    """What a battle adds to a Strategy Rating."""

    number: int
    strength: int
    value: int


class Sum(TypedDict):
    """A seat's Strategy Rating."""

    seat: int
    parts: list[Part]
    total: int


class Resolution(TypedDict):
    """The sums of the last finished round."""

    round: int
    battles: list[int]
    sums: list[Sum]
    winner: int
    loser: int
    tie: bool
    lost: int


class Board(TypedDict):
    """All that lies on the table, as the viewer may know it."""

    viewer: int
    me: int | None
    round: int
    rounds: int
    phase: str
    start: int
    capacity: int
    hand_size: int
    won: list[int | None]
    seats: list[SeatPanel]
    places: list[Place]
    resolution: Resolution | None
    outcome: GameEnd | None


class PlayableCard(TypedDict):
    """Where a card may be played, and why not elsewhere."""

    places: list[int]
    why: dict[str, str | None]
    announce: bool
    why_all: str | None
    """Why nowhere; of a card with one Location of its own, why not there."""
    told: bool
    """Whether its own text names the one Location it may go to."""


# "pass" is no name of a class's attribute.
_Pass = TypedDict("_Pass", {"pass": bool})


class Controls(_Pass):
    """How a page asks the viewer's decision: marks to discard, a card with its Location, or a choice."""

    mode: str | None
    cards: dict[str, PlayableCard]
    source: NotRequired[str]
    confirm_pass: str | None
    choices: list[Choice]


class Lobby(TypedDict):
    """What there is to choose before a game."""

    factions: list[dict[str, str]]
