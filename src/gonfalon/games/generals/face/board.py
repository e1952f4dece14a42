"""The board of Generals: the model that its template, its sheet and the API read, and its builders."""

from __future__ import annotations

from typing import NotRequired, TypedDict

from gonfalon.core.basics.cards import HIDDEN, KIND
from gonfalon.core.rules.page import GameEnd, find_end
from gonfalon.core.rules.state import Card, Seat
from gonfalon.games.generals.cards.pool import Faction
from gonfalon.games.generals.face import messages, preview, words
from gonfalon.games.generals.face.cards import CardBuilder, Face
from gonfalon.games.generals.face.deeds import Deed, list_deeds
from gonfalon.games.generals.face.fights import Fight, list_fights
from gonfalon.games.generals.face.preview import Preview, Upkeep
from gonfalon.games.generals.face.units import Unit, build_unit, note_deeds
from gonfalon.games.generals.rules.acts.counters import Answer
from gonfalon.games.generals.rules.cards import BY_MELEE, BY_SIEGE, RULES
from gonfalon.games.generals.rules.lasting import LAST_MOD, LAST_RULE, Entry
from gonfalon.games.generals.rules.state import OPPONENT, GeneralsState
from gonfalon.games.generals.rules.zones import PLACES, WORDS, ZONE_OF
from gonfalon.games.generals.ruleset import GeneralsRules


class Banner(TypedDict):
    """A faction."""

    slug: str
    name: str
    colour: str
    glyph: str
    pattern: str
    style: NotRequired[str]


class Counted(TypedDict):
    """A card of a deck list."""

    slug: str
    name: str
    count: int


class SeatBoard(TypedDict):
    """A seat's side of the table."""

    seat: int
    deck: str
    list: list[Counted] | None
    seen: list[Counted]
    factions: list[Banner]
    hand_limit: int
    resource: int
    discard: int
    hand: list[Face]
    hand_count: int
    known_resource: list[Face]
    casualty: list[Face]
    out: list[Face]
    flight: list[Face]
    commandment: Face
    units: list[Unit]
    upkeep: Upkeep
    threat: int
    warnings: list[str]
    to_act: bool


class ZoneBoard(TypedDict):
    """A zone with the generals of both sides in it."""

    zone: int
    place: str
    name: str
    sides: list[list[str]]


class Declared(TypedDict):
    """The act that is being answered."""

    seat: int
    text: str
    unit: str | None
    targets: list[str]
    preview: Preview | None


Lasting = TypedDict("Lasting", {"seat": int, "from": str, "unit": str | None, "text": str, "turns": int})
"""A temporary effect."""


class Board(TypedDict):
    """The table as a viewer knows it."""

    viewer: int
    me: int | None
    turn: int
    active: int
    asked: str
    seats: list[SeatBoard]
    zones: list[ZoneBoard]
    act: Declared | None
    done: list[Deed]
    """The acts of the viewer's enemy in their latest turn, in order."""
    fights: list[Fight]
    """The melees and Sieges of this turn and the previous one, in order."""
    lasting: list[Lasting]
    paying: int
    outcome: GameEnd | None


def build_board(game: GeneralsRules, s: GeneralsState) -> Board:
    """Return the board of a view."""
    faces = CardBuilder(game)
    # Spectators see the table from the first seat.
    me = s.viewer if s.viewer >= 0 else 0
    units = [[build_unit(game, s, faces, u) for u in s.army[seat]] for seat in (0, 1)]
    deeds = list_deeds(game, s, OPPONENT[me])
    note_deeds(units, deeds)
    asked = s.stack[-1].prompt if s.stack else "over"
    return {
        "viewer": s.viewer,
        "me": s.viewer if s.viewer >= 0 else None,
        "turn": s.number,
        "active": s.active,
        "asked": asked,
        "seats": [build_seat(game, s, faces, seat, units[seat]) for seat in (0, 1)],
        # From the enemy's FORTRESS to the viewer's own.
        "zones": [build_zone(me, zone, units) for zone in ZONE_OF[OPPONENT[me]]],
        "act": build_declared(game, s),
        "done": deeds,
        "fights": list_fights(game, s),
        "lasting": [build_lasting(game, s, entry) for entry in s.lasting],
        "paying": preview.count_cards_to_pay(s),
        "outcome": find_end(s),
    }


def build_declared(game: GeneralsRules, view: GeneralsState) -> Declared | None:
    """Return the act that can be answered now, with a preview, or None if there is none."""
    step = view.stack[-1] if view.stack else None
    if not isinstance(step, Answer):
        return None
    act = step.act
    shown: Preview | None = None
    if act.code == BY_MELEE and view.in_play(act.unit) and view.in_play(act.other):
        shown = {
            **preview.preview_melee(view, act.unit, act.other),
            "follows": preview.describe_result(game, view, act.unit, act.other),
        }
    elif act.code == BY_SIEGE and view.in_play(act.unit):
        shown = preview.preview_siege(view, act.unit)
    return {
        "seat": act.doer,
        "text": words.name_act(game, act),
        "unit": preview.unit_or_none(game, act.unit),
        "targets": [preview.unit_id(game, u) for u in act.list_aims()],
        "preview": shown,
    }


def build_zone(me: Seat, zone: int, units: list[list[Unit]]) -> ZoneBoard:
    """Return a zone with both armies in it, named from the side of seat `me`."""
    return {
        "zone": zone,
        "place": WORDS[ZONE_OF[me][zone]],
        "name": PLACES[ZONE_OF[me][zone]],
        "sides": [[unit["id"] for unit in units[seat] if "id" in unit and unit["zone"] == zone] for seat in (0, 1)],
    }


def build_lasting(game: GeneralsRules, view: GeneralsState, entry: Entry) -> Lasting:
    """Return a temporary effect: its card, the seat or general that it affects, and the turns left."""
    what, index, seat, u, amount, expires, _, kind = entry
    setup = view.setup
    if what == LAST_MOD:
        text = f"{messages.STAT_WORDS[setup.mods[index].stat]} {amount:+d}"
    elif what == LAST_RULE:
        text = messages.BARS[RULES[setup.rules[index].bit.bit_length() - 1]]
    else:
        text = "in force"
    return {
        "seat": seat,
        "from": game.kinds[kind].name if kind >= 0 else "",
        "unit": preview.unit_or_none(game, u),
        "text": text,
        "turns": expires - view.number,
    }


def build_seat(
    game: GeneralsRules, view: GeneralsState, faces: CardBuilder, seat: Seat, units: list[Unit]
) -> SeatBoard:
    """Return a seat's side of the table."""
    own = seat == view.viewer
    deck = view.lists[seat]
    return {
        "seat": seat,
        "deck": game.lists[seat].name if deck and game.lists else "",
        # The list of a deck includes its seen cards, so only an unknown list needs them.
        "list": count_cards(game, deck) if deck else None,
        "seen": count_cards(game, view.seen[seat]) if not deck else [],
        # Every seat announces its factions at the start (ruling 61).
        "factions": [build_banner(game.pool.faction(code)) for code in game.announced[seat].factions],
        "hand_limit": view.setup.limits[seat],
        "resource": len(view.deck[seat]),
        "discard": len(view.discard[seat]),
        "hand": build_hand(game, view, faces, seat),
        "hand_count": len(view.hand[seat]),
        # The top card is the end of the list, and is shown first.
        "known_resource": [
            faces.face(seat, card, "resource") for card in reversed(view.deck[seat]) if card & KIND != HIDDEN
        ],
        "casualty": [faces.face(seat, card, "casualty") for card in view.casualty[seat]],
        "out": [faces.face(seat, card, "out") for card in view.out[seat]],
        "flight": [faces.face(seat, card, "flight") for card in view.flight[seat]],
        "commandment": faces.face(seat, view.command[seat][0], "command"),
        "units": units,
        "upkeep": preview.build_upkeep(view, seat),
        "threat": preview.count_siege_threat(view, seat),
        # Warnings address the viewer, so other seats have none.
        "warnings": preview.list_warnings(view, seat) if own and view.winner < 0 else [],
        "to_act": seat in view.asked(),
    }


def build_hand(game: GeneralsRules, view: GeneralsState, faces: CardBuilder, seat: Seat) -> list[Face]:
    """Return the cards of a hand; those of the viewer with their price."""
    # Cards are paid in the order of the card list. In the view the cards that others know come last.
    hand = [faces.face(seat, card, "hand") for card in sorted(view.hand[seat], key=_card_kind)]
    for face in hand:
        if seat == view.viewer and "slug" in face:
            kind = game.kinds[game.pool.by_slug[face["slug"]].kind]
            face["price"] = preview.build_cost(game, view, seat, kind)
            face["dead"] = preview.is_dead_weight(view, seat, kind.id)
    return hand


def _card_kind(card: Card) -> int:
    return card & KIND


def build_banner(faction: Faction) -> Banner:
    """Return the banner of a faction."""
    return {
        "slug": faction.slug,
        "name": faction.name,
        "colour": faction.colour,
        "glyph": faction.glyph,
        "pattern": faction.pattern,
    }


def count_cards(game: GeneralsRules, kinds: list[int]) -> list[Counted]:
    """Return the cards of a deck list with their numbers, by type and then in the order of the card list."""
    order = sorted(set(kinds), key=lambda kind: (game.kinds[kind].type, kind))
    return [{"slug": game.kinds[k].slug, "name": game.kinds[k].name, "count": kinds.count(k)} for k in order]
