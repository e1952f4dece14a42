"""The table of Generals in characters: four zones one below the other, the enemy's FORTRESS first."""

# pyright: reportTypedDictNotRequiredAccess=false, reportGeneralTypeIssues=false
# What a piece has follows from what it is; a back has no face.

from __future__ import annotations

from typing import Final

from gonfalon.core.text.english import YOU, of
from gonfalon.core.text.sheet import BACK, Line, Piece, Sheet, fitted, flowing, length, mark, whole
from gonfalon.games.generals.face.board import Board, Face, SeatBoard, Unit, ZoneBoard
from gonfalon.games.generals.face.film import StagedBoard

FEW: Final = 20
"""On fewer lines a zone has one line for each side."""


def sheet(board: StagedBoard, names: list[str], width: int, height: int) -> Sheet:
    """The board at a width; zones are as high as what is in them, or as there is room for."""
    me = board["me"] or 0
    other = 1 - me
    units = {unit["id"]: unit for seat in board["seats"] for unit in seat["units"]}
    lines = seat_lines(board["seats"][other], names[other], width)
    for zone in board["zones"]:
        lines += zone_lines(zone, units, board, me, width, height >= FEW)
    lines += happening(board, names, width)
    lines += seat_lines(board["seats"][me], names[me], width)
    hand = [hand_piece(card) for card in board["seats"][me]["hand"]] if board["me"] is not None else []
    return Sheet(head(board, names), lines, hand)


def head(board: Board, names: list[str]) -> Line:
    """Whose turn it is."""
    whose = of(YOU if board["active"] == board["me"] else names[board["active"]])
    line = [Piece(f"Turn {board['turn']}  {whose} turn", "bold")]
    if board["paying"]:
        line.append(Piece(f"  {board['paying']} to pay", "ask"))
    return line


def seat_lines(seat: SeatBoard, name: str, width: int) -> list[Line]:
    """A seat's banners and numbers, and what else lies open before it."""
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
    first = whole(line if length(line) <= width else [who, *numbers], width)
    return [first, flowing([Piece("  "), *more], width)[0]] if more else [first]


def zone_lines(
    zone: ZoneBoard, units: dict[str, Unit], board: StagedBoard, me: int, width: int, airy: bool
) -> list[Line]:
    """A zone: its name on a line across, the enemy's generals, one's own."""
    title = Piece(f" {zone['name']} ", "title", f"@{zone['place']}")
    lines: list[Line] = [[Piece("──", "line"), title, Piece("─" * (width - len(title.text) - 2), "line")]]
    for seat in (1 - me, me):
        pieces = [unit_piece(units[id], board) for id in zone["sides"][seat]]
        if pieces or airy:
            lines += flowing([Piece(" "), *pieces], width, " ", 2) if pieces else [[]]
    return lines


def unit_piece(unit: Unit, board: StagedBoard) -> Piece:
    """A general with the numbers of now, what they bear and what they did."""
    seat = board["seats"][unit["seat"]]
    beaten, fights = unit["id"] in board.get("beaten", ()), unit["id"] in board.get("fighting", ())
    sign = "†" if beaten else mark(seat["factions"][0]["pattern"])
    gear = "".join(f" +{one['name']}" if not one["back"] else f" +{BACK}" for one in unit["gear"])
    new = " new" if unit["new"] else ""
    text = f"{sign} {unit['name']} {unit['now']['might']}/{unit['now']['wits']}{gear}{new} "
    look = "bad wash" if beaten else f"{unit['colour']} wash last" if fights else f"{unit['colour']} wash"
    return Piece(text, look, unit["id"], unit["slug"])


def happening(board: Board, names: list[str], width: int) -> list[Line]:
    """The act that is answered, and what the enemy did."""
    if act := board["act"]:
        preview = f" {act['preview']['text']}" if act["preview"] else ""
        return [fitted([Piece(f"{names[act['seat']]}: {act['text']}{preview}", "ask")], width)]
    return []


def slug_of(card: Face) -> str:
    """The card to be read about, by its slug."""
    return "" if card["back"] else card["slug"]


def hand_piece(card: Face) -> Piece:
    """A card of the hand, with what it costs now."""
    if card["back"]:
        return Piece(f"{BACK} face down", "soft")
    price = f" ({card['price']['now']})" if "price" in card else ""
    numbers = "" if card["might"] is None else f" {card['might']}/{card['wits']}"
    return Piece(f"{card['name']}{numbers}{price}", card["colour"], card["slug"], card["slug"])
