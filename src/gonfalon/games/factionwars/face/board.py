"""The forms of what pages, terminals and programs are shown of Faction Wars: its board, and how a decision is asked."""

from __future__ import annotations

from typing import NotRequired, Required, TypedDict

from gonfalon.core.rules import page
from gonfalon.core.rules.page import GameEnd
from gonfalon.core.rules.state import Seat

Scores = dict[str, int]
"""A score by its parts (`scoring.PARTS`)."""


class Printed(TypedDict, total=False):
    """What is printed on a card. A goal has no faction, ability, symbol, copies and battle value, an Action card no
    battle value and points."""

    slug: str
    name: str
    kind: str
    faction: str | None
    ability: str | None
    icons: list[str]
    symbol: str | None
    text: str
    rulings: list[int]
    copies: int
    battle: int
    points: int
    provenance: dict[str, str]


class CatalogueCard(Printed, total=False):
    """A card with its faction's arms."""

    faction_name: str
    colour: str


class Face(Printed, total=False):
    """A card on the table: its back, or all that is `Printed` on it."""

    back: Required[bool]


class Counted(TypedDict):
    """So many of a card."""

    card: Printed
    count: int


class Progress(TypedDict):
    """How far a seat would be with its goal, and was."""

    have: int
    need: int
    had: int


class Worth(TypedDict):
    """What one more card would add to a score; `ability`: it does more; `kept`: who collects it owns it."""

    points: int
    parts: Scores
    goal: Progress | None
    ability: bool
    kept: bool


class Place(TypedDict):
    """A place of the line-up: what lies there, or what lay there before it was resolved."""

    place: int
    id: str
    card: Face | None
    was: Face | None
    gone: bool
    taken_by: Seat | None
    selected_by: list[Seat]
    worth: Worth | None


class Deck(TypedDict):
    """The recruit deck and its discard pile."""

    count: int
    discard_count: int
    discard: list[Counted]
    depleted: int
    depletions: int


class Members(TypedDict):
    """What an army has of a faction."""

    slug: str
    name: str
    count: int
    cards: list[Counted]


class GoalStep(TypedDict):
    """What a goal asks for of one faction."""

    slug: str
    have: int


class GoalBoard(Printed):
    """A goal, with its progress as it stands; by faction, if it asks for some of every one."""

    have: int
    need: int
    steps: list[GoalStep]
    met: bool
    bonus: int


class SeatBoard(TypedDict):
    """An army, its best recruit, and what it scores as far as the viewer knows."""

    seat: Seat
    factions: list[Members]
    recruits: int
    pool: int
    best: Printed | None
    bystanders: int
    berserkers: int
    berserker_points: int
    conscripts: int
    battle_deck: int
    pile_count: int
    pile: list[Counted]
    goal: GoalBoard | None
    has_goal: bool
    score: Scores
    points: int
    points_complete: bool
    to_act: bool


class Pick(TypedDict):
    """A selector that was revealed."""

    seat: Seat
    place: int
    card: Face


class Shown(TypedDict):
    """A card revealed in a battle."""

    seat: Seat
    card: Face
    value: int


class Turned(Shown):
    """The same in the row of who revealed it: in which reveal, and as which card of that."""

    reveal: int
    order: int


class Lane(TypedDict):
    """A fighter's row of a battle: the cards in their order, and how they stand."""

    seat: Seat
    cards: list[Turned]
    verdict: str
    out: bool
    won: bool


class Out(TypedDict):
    """Who is out of a battle."""

    seat: Seat
    why: str


class Tied(TypedDict):
    """Who goes on in a battle."""

    seats: list[Seat]
    why: str


class Reveal(TypedDict):
    """One reveal of a battle."""

    shown: list[Shown]
    out: list[Out]
    tied: Tied | None


class Aftermath(TypedDict):
    """One thing that a claim led to: what, who, which card, whom, out of how many."""

    what: str
    seat: Seat | None
    card: Face | None
    other: Seat | None
    of: int | None
    why: NotRequired[str]


class Scene(TypedDict):
    """A place that was resolved: a claim or a battle, and what it led to."""

    place: int
    card: Face
    seats: list[Seat]
    battle: bool
    reveals: list[Reveal]
    lanes: list[Lane]
    winner: Seat | None
    lost: str | None
    then: list[Aftermath]


class Row(TypedDict):
    """What the cards of a kind score in the end."""

    slug: str
    name: str
    count: int
    each: int
    points: int


class OpenRow(TypedDict):
    """What an open Bonus Card scores in the end."""

    slug: str
    name: str
    points: int


class Final(TypedDict):
    """A seat's score in the end."""

    seat: Seat
    cards: list[Row]
    open: list[OpenRow]
    parts: Scores
    goal: GoalBoard | None
    total: int
    winner: bool


class Board(TypedDict):
    """All that lies on the table."""

    viewer: int
    me: Seat | None
    players: int
    revision: str
    reconstructed: bool
    round: int
    last_round: bool
    last_why: str | None
    phase: str
    my_pick: int | None
    lineup: list[Place]
    resolving: int | None
    table: list[Face]
    deck: Deck
    bonus: list[Face]
    aside: list[Face]
    factions: list[dict[str, str]]
    seats: list[SeatBoard]
    revealed: list[Pick]
    scenes: list[Scene]
    final: list[Final] | None
    outcome: GameEnd | None


class Choice(page.Choice):
    """An action as a button, with the card, seat or place that it names."""

    card: NotRequired[Printed]
    seat: NotRequired[Seat]
    place: NotRequired[int]
    worth: NotRequired[Worth]


class Barred(TypedDict):
    """A seat that cannot be chosen, and why."""

    seat: Seat
    why: str


class Controls(TypedDict):
    """How a page asks: `mode` is the prompt, `kind` what is chosen, `why` not for everything else of that sort."""

    mode: str | None
    kind: str | None
    choices: list[Choice]
    why: dict[str, str]
    barred: NotRequired[list[Barred]]
    rule: NotRequired[str]
