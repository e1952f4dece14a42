"""The board of Feint: the model that its template, its sheet and the API read, and its builders."""

from __future__ import annotations

from collections import Counter
from typing import Final, Literal, TypedDict

from gonfalon.core.basics.cards import HIDDEN, KIND, SEEN
from gonfalon.core.rules.page import CardIds, GameEnd, find_end, is_due
from gonfalon.core.rules.state import Card, Seat
from gonfalon.games.feint.face.cards import CardFace, build_card_face
from gonfalon.games.feint.face.resolution import Resolution, build_resolution, find_last_round
from gonfalon.games.feint.face.words import FeintWords
from gonfalon.games.feint.rules import events as ev
from gonfalon.games.feint.rules.actions import CARD, SLOTS
from gonfalon.games.feint.rules.state import DOWN, FACE_DOWN, MORE_STAY, OPPONENT, STAY, FeintState

PHASES: Final[dict[str, str]] = dict.fromkeys(("reinforce", "shuffle", "deal", "toss"), "reinforcement")


class Face(CardFace):
    """A card on the table that the viewer knows."""

    id: str
    back: Literal[False]
    owner: int
    down: bool
    turned: bool
    weight: int
    stay: int


class HeldFace(Face):
    """A card of a hand; `marked` while its owner discards it in secret."""

    marked: bool


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
    """Whether it is a Battle Location; None before the Resolution if the viewer does not know."""
    sides: list[Side]


class ScoutedLocation(TypedDict):
    """A seat's Location Card."""

    number: int | None
    revealed: bool
    drawn: bool


class SeatPanel(TypedDict):
    """A seat's numbers, cards and Location Cards."""

    seat: int
    faction: str
    faction_name: str
    colour: str
    pattern: str
    morale: int
    at_risk: int
    at_risk_hidden: int
    vp: int
    passed: bool
    to_act: bool
    hand: list[HeldFace | Back]
    hand_count: int
    deck_count: int
    known_deck: list[Face | Back]
    discard: list[Face | Back]
    location: ScoutedLocation
    next_location: int | None
    pips: dict[str, int]


class Board(TypedDict):
    """The whole table as the viewer may know it."""

    viewer: int
    me: int | None
    round: int
    rounds: int
    phase: str
    start: int
    won: list[int | None]
    seats: list[SeatPanel]
    places: list[Place]
    resolution: Resolution | None
    outcome: GameEnd | None


def build_board(game: FeintWords, s: FeintState) -> Board:
    """Return the board of a view."""
    cards = CardBuilder(game)
    fought = build_resolution(s)
    if s.moment:
        cards.turned.update(
            (event[2], event[3] & KIND, f"at{s.setup.numbers[event[4]]}")
            for event in find_last_round(s)
            if event[0] == ev.TURNED
        )
    phase = s.moment or (PHASES.get(s.stack[-1].prompt, "deployment") if s.stack else "over")
    battles = fought["battles"] if fought and phase in ("resolution", "over") else None
    places = [build_place(s, cards, place, battles) for place in range(s.places)]  # first, as ids count equal cards
    return {
        "viewer": s.viewer,
        "me": s.viewer if s.viewer >= 0 else None,
        "round": min(s.round, s.end - 1),
        "rounds": s.end - 1,
        "phase": phase,
        "start": s.first,
        "won": [s.won[i] if i < len(s.won) else None for i in range(s.end - 1)],
        "seats": [build_seat(game, s, cards, seat) for seat in (0, 1)],
        "places": places,
        "resolution": fought,
        "outcome": find_end(s),
    }


def build_seat(game: FeintWords, s: FeintState, cards: CardBuilder, seat: Seat) -> SeatPanel:
    """Return the panel of a seat."""
    faction = game.box.factions[s.setup.factions[seat]]
    numbers = s.setup.numbers
    fielded = [card for place in range(s.places) for card in s.at(seat, place)]
    at = find_known_location(s, seat)
    scouted = bool(s.scout[seat])
    pile = s.pile[seat]
    # Only an Explorer shows the top of a Location Draw Pile, and only to its owner.
    peeked = bool(pile) and pile[-1] & KIND != HIDDEN
    # Cards that the viewer saw when they were returned to the draw pile.
    known_deck = [card for card in reversed(s.deck[seat]) if card & KIND != HIDDEN]
    return {
        "seat": seat,
        "faction": faction["slug"],
        "faction_name": faction["name"],
        "colour": faction["colour"],
        "pattern": faction["pattern"],
        "morale": s.morale[seat],
        "at_risk": s.fielded_morale(seat),
        "at_risk_hidden": sum(card & KIND == HIDDEN for card in fielded),
        "vp": s.won.count(seat),
        "passed": bool(s.passed >> seat & 1),
        "to_act": is_due(s, seat),
        "hand": build_hand(s, cards, seat),
        "hand_count": len(s.hand[seat]),
        "deck_count": len(s.deck[seat]),
        "known_deck": [cards.build(seat, card, "deck") for card in known_deck],
        "discard": [cards.build(seat, card, "discard") for card in s.discard[seat]],
        "location": {
            "number": numbers[at] if at >= 0 else None,
            "revealed": scouted and bool(s.scout[seat][0] & SEEN[OPPONENT[seat]]),
            "drawn": scouted,
        },
        "next_location": numbers[pile[-1] & KIND] if peeked else None,
        "pips": count_possible_locations(s, seat),
    }


def build_hand(s: FeintState, cards: CardBuilder, seat: Seat) -> list[HeldFace | Back]:
    """Return the hand of a seat. Of equal cards the first ones are marked."""
    marks = Counter((action - CARD) // SLOTS for action in s.answers[seat] if action >= CARD)
    hand: list[HeldFace | Back] = []
    for card in s.hand[seat]:
        shown = cards.build(seat, card, "hand")
        if shown["back"] is True:
            hand.append(shown)
            continue
        kind = card & KIND
        hand.append({**shown, "marked": marks[kind] > 0})
        marks[kind] -= 1
    return hand


class CardBuilder(CardIds):
    """Builds the cards of one board."""

    def __init__(self, game: FeintWords) -> None:
        super().__init__()
        self.game = game
        self.faces: dict[int, CardFace] = {}
        self.turned: Counter[tuple[Seat, int, str]] = Counter()
        """The number of cards that have just been turned up, by seat, kind and zone."""

    def build(self, seat: Seat, card: Card, zone: str) -> Face | Back:
        """Return a card, or its back."""
        kind = card & KIND
        down = bool(card & DOWN)
        if kind == HIDDEN:
            return {
                "back": True,
                "owner": seat,
                "down": down,
                "weight": FACE_DOWN,
                "id": self.numbered(f"h{seat}-{zone}"),
            }
        if kind not in self.faces:
            self.faces[kind] = build_card_face(self.game, self.game.setup.kinds[kind])
        face = self.faces[kind]
        return {
            **face,
            "back": False,
            "owner": seat,
            "down": down,
            "turned": self.take_turned(seat, kind, zone),
            "weight": FACE_DOWN if down else face["strength"],
            "stay": 1 + card // MORE_STAY if card & STAY else 0,
            "id": self.numbered(f"k{seat}-{face['slug']}"),
        }

    def take_turned(self, seat: Seat, kind: int, zone: str) -> bool:
        """Return whether a card has just been turned up, and count it once."""
        found = self.turned[seat, kind, zone] > 0
        self.turned[seat, kind, zone] -= found
        return found


def build_place(s: FeintState, cards: CardBuilder, place: int, battles: list[int] | None) -> Place:
    """Return a Location; `battles` are the Battle Locations once they are resolved."""
    number = s.setup.numbers[place]
    sides: list[Side] = []
    for seat in (0, 1):
        fielded = s.at(seat, place)
        known = [card for card in fielded if card & KIND != HIDDEN]
        strength = sum(s.kinds[card & KIND].strength for card in known)
        sides.append(
            {
                "cards": [cards.build(seat, card, f"at{number}") for card in fielded],
                "strength": strength,
                "hidden": len(fielded) - len(known),
                "rating": strength * number,
            }
        )
    scouted = any(find_known_location(s, seat) == place for seat in (0, 1))
    return {
        "number": number,
        "load": s.load[place],
        "capacity": s.capacity(place),
        "closed": s.load[place] > s.capacity(place),
        "battle": number in battles if battles is not None else scouted or None,
        "sides": sides,
    }


def find_known_location(s: FeintState, seat: Seat) -> int:
    """Return the place of a seat's Location Card; -1 while the viewer does not know it."""
    scout = s.scout[seat]
    return scout[0] & KIND if scout and scout[0] & KIND != HIDDEN else -1


def count_possible_locations(s: FeintState, seat: Seat) -> dict[str, int]:
    """Return the number of Location Cards by number that a seat can still draw or hold unrevealed.

    The counts are public: all players see the Location Cards of earlier rounds.
    """
    numbers = s.setup.numbers
    left = {number: s.setup.location_deck.count(place) for place, number in enumerate(numbers)}
    gone = s.used[seat][:]
    if s.scout[seat] and s.scout[seat][0] & SEEN[0] and s.scout[seat][0] & SEEN[1]:
        gone += s.scout[seat]
    for card in gone:
        left[numbers[card & KIND]] -= 1
    return {str(number): count for number, count in left.items()}
