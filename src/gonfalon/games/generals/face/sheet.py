"""The table of Generals in characters: four zones one below the other, the enemy's FORTRESS first."""

# pyright: reportTypedDictNotRequiredAccess=false, reportGeneralTypeIssues=false
# Whether a piece has a key follows from its kind: a card that shows its back has no printed fields.

from __future__ import annotations

from textwrap import wrap
from typing import Final

from gonfalon.core.text.english import YOU, of
from gonfalon.core.text.sheet import BACK, Line, Piece, Sheet, drop_pieces, fit_line, flow_pieces, length, mark
from gonfalon.games.generals.face.board import Board, SeatBoard, ZoneBoard
from gonfalon.games.generals.face.cards import Face
from gonfalon.games.generals.face.film import StagedBoard
from gonfalon.games.generals.face.units import Unit

MIN_TALL_LINES: Final = 20
"""Lines of a screen from which on a zone keeps an empty line for a side without generals."""


def draw_sheet(board: StagedBoard, names: list[str], width: int, height: int) -> Sheet:
    """Return the drawing of a board. With a height of 0 nothing is left out."""
    me = board["me"] or 0
    other = 1 - me
    units = {unit["id"]: unit for seat in board["seats"] for unit in seat["units"]}
    is_short = bool(height)
    lines = draw_seat(board["seats"][other], names[other], width, is_short)
    for zone in board["zones"]:
        lines += draw_zone(zone, units, board, me, width, height)
    lines += draw_act(board, names, width) if is_short else draw_act_and_effects(board, names, width)
    lines += draw_seat(board["seats"][me], names[me], width, is_short)
    if not is_short:
        lines += [
            line
            for seat in (other, me)
            for line in draw_piles(board["seats"][seat], names[seat], seat == board["me"], width)
        ]
    hand = [draw_hand_card(card) for card in board["seats"][me]["hand"]] if board["me"] is not None else []
    return Sheet(draw_head(board, names), lines, hand)


def draw_head(board: Board, names: list[str]) -> Line:
    """Return the first line: the turn, its player, and the cards still to pay."""
    whose = of(YOU if board["active"] == board["me"] else names[board["active"]])
    line = [Piece(f"Turn {board['turn']}  {whose} turn", "bold")]
    if board["paying"]:
        line.append(Piece(f"  {board['paying']} to pay", "ask"))
    return line


def draw_seat(seat: SeatBoard, name: str, width: int, is_short: bool) -> list[Line]:
    """Return a seat's banners and numbers, and its Commandment and CASUALTY."""
    banner = seat["factions"][0]
    who = Piece(f"{mark(banner['pattern'])} {name}", f"bold {banner['colour']}")
    led = [Piece(f"  {one['name']}", one["colour"]) for one in seat["factions"]]
    numbers = [Piece(f"  RESOURCE {seat['resource']}", "bold bad" if seat["upkeep"]["short"] else "bold")]
    found = {"Upkeep": seat["upkeep"]["due"], "hand": seat["hand_count"], "DISCARD": seat["discard"]}
    numbers += [Piece(f"  {label} {number}", "soft") for label, number in found.items()]
    line = [who, *led, *numbers]
    more: Line = []
    if not seat["commandment"]["back"]:
        more.append(Piece(seat["commandment"]["name"], "soft", "", seat["commandment"]["slug"]))
    for card in seat["casualty"]:
        more.append(Piece(f"† {card['name']}" if not card["back"] else BACK, "soft", "", slug_of(card)))
    if not is_short:
        line += [Piece("  to act")] if seat["to_act"] else []
        return [*flow_pieces(line, width, "", 2), *(flow_pieces([Piece("  "), *more], width, indent=4) if more else [])]
    # In a narrow terminal the names of factions go first, because the numbers matter more.
    first = drop_pieces(line if length(line) <= width else [who, *numbers], width)
    return [first, flow_pieces([Piece("  "), *more], width)[0]] if more else [first]


def draw_zone(
    zone: ZoneBoard, units: dict[str, Unit], board: StagedBoard, me: int, width: int, height: int
) -> list[Line]:
    """Return a zone: its name on a line across, the enemy's generals, the viewer's own."""
    title = Piece(f" {zone['name']} ", "title", f"@{zone['place']}")
    lines: list[Line] = [[Piece("──", "line"), title, Piece("─" * (width - len(title.text) - 2), "line")]]
    for seat in (1 - me, me):
        pieces = [draw_unit(units[id], board, bool(height)) for id in zone["sides"][seat]]
        if pieces or height >= MIN_TALL_LINES:
            lines += flow_pieces([Piece(" "), *pieces], width, " ", 2) if pieces else [[]]
    return lines


def draw_unit(unit: Unit, board: StagedBoard, is_short: bool) -> Piece:
    """Return a general with its present numbers and its gear; without `is_short` also with its acts of this turn."""
    seat = board["seats"][unit["seat"]]
    beaten, fights = unit["id"] in board.get("beaten", ()), unit["id"] in board.get("fighting", ())
    sign = "†" if beaten else mark(seat["factions"][0]["pattern"])
    gear = "".join(f" +{one['name']}" if not one["back"] else f" +{BACK}" for one in unit["gear"])
    acts = {"new": unit["new"]}
    if not is_short:
        acts |= {"moved": unit["moved"], "attacked": unit["attacked"], "used": unit["used"]}
    new = "".join(f" {word}" for word, did in acts.items() if did)
    text = f"{sign} {unit['name']} {unit['now']['might']}/{unit['now']['wits']}{gear}{new} "
    look = "bad wash" if beaten else f"{unit['colour']} wash last" if fights else f"{unit['colour']} wash"
    return Piece(text, look, unit["id"], unit["slug"])


def draw_act(board: Board, names: list[str], width: int) -> list[Line]:
    """Return the act that can be answered now, in one line."""
    if act := board["act"]:
        preview = f" {act['preview']['text']}" if act["preview"] else ""
        return [fit_line([Piece(f"{names[act['seat']]}: {act['text']}{preview}", "ask")], width)]
    return []


def draw_act_and_effects(board: Board, names: list[str], width: int) -> list[Line]:
    """Return the act that can be answered now, the temporary effects and the warnings, in full."""
    act = board["act"]
    preview = f" ({act['preview']['text']})" if act and act["preview"] else ""
    texts = [f"Declared by {names[act['seat']]}: {act['text']}{preview}."] if act else []
    for one in board["lasting"]:
        source = f" ({one['from']})" if one["from"] else ""
        texts.append(f"{names[one['seat']]}, {one['unit'] or 'all'}: {one['text']}{source}, turns left {one['turns']}.")
    texts += [f"! {warning}" for seat in board["seats"] for warning in seat["warnings"]]
    return [[Piece(line)] for text in texts for line in wrap(text, width, subsequent_indent="  ")]


def draw_piles(seat: SeatBoard, name: str, is_own: bool, width: int) -> list[Line]:
    """Return the hidden cards of a seat that the viewer knows, apart from the viewer's own hand."""
    hand = [draw_hand_card(card) for card in seat["hand"] if not card["back"]] if not is_own else []
    known = [draw_hand_card(card) for card in seat["known_resource"]]
    seen = [Piece(f"{card['name']} ×{card['count']}") for card in seat["seen"]]
    lines: list[Line] = []
    for label, pieces in (("hand", hand), ("next in RESOURCE", known), ("seen of the deck", seen)):
        lines += flow_pieces([Piece(f"{name}, {label}:", "soft"), *pieces], width, indent=2) if pieces else []
    return lines


def slug_of(card: Face) -> str:
    """Return the slug of a card, by which it can be looked up; empty for a back."""
    return "" if card["back"] else card["slug"]


def draw_hand_card(card: Face) -> Piece:
    """Return a card of the hand with its present cost."""
    if card["back"]:
        return Piece(f"{BACK} face down", "soft")
    price = f" ({card['price']['now']})" if "price" in card else ""
    numbers = "" if card["might"] is None else f" {card['might']}/{card['wits']}"
    return Piece(f"{card['name']}{numbers}{price}", card["colour"], card["slug"], card["slug"])
