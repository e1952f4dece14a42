"""Feint's table in characters: five Locations side by side, the other's cards above them and one's own below."""

# pyright: reportTypedDictNotRequiredAccess=false, reportGeneralTypeIssues=false
# What a piece has follows from what it is; a back has no face.

from __future__ import annotations

from typing import Final

from gonfalon.core.text.sheet import (
    BACK,
    Line,
    Piece,
    Sheet,
    beside,
    clipped,
    fitted,
    flowing,
    grouped,
    length,
    mark,
    whole,
)
from gonfalon.games.feint.face.board import Back, Board, Face, Place, SeatPanel

WIDE: Final = 14
"""From so many columns a Location has room for words."""
BLOCKS: Final = ("█", "░")
SHORTER: Final = ((" if lost", ""), ("Location ", "⚑"), ("  ", " "))
"""What is shortened in a seat's line, one after the other, until it fits."""
DISCARD: Final = "  discard "
SHORTEST: Final = 8
"""Names are not cut any shorter."""


def sheet(board: Board, names: list[str], width: int, height: int) -> Sheet:
    """Draw the board with as many cards as the height has room for; without a height as a list of all that is known."""
    me = board["me"] or 0
    lost = lost_by(board)
    if height:
        body = columns(board, me, width, max(2, min(8, (height - 7) // 2)))
    else:
        body = [line for place in board["places"] for line in place_list(place, board, names, width)]
    theirs, own = (seat_lines(board, seat, names[seat], width, lost.get(seat), bool(height)) for seat in (1 - me, me))
    shown = hand_pieces(board["seats"][me]) if board["me"] is not None else []
    return Sheet(head(board, me, names), [*theirs, *body, *own], shown)


def head(board: Board, me: int, names: list[str]) -> Line:
    """The round, and the rounds won by each."""
    line = [Piece(f"Round {board['round']} of {board['rounds']}  " if board["round"] else "", "bold")]
    for winner in board["won"][: board["rounds"]]:
        seat = board["seats"][winner] if winner is not None else None
        line.append(Piece(f"{mark(seat['pattern'])}" if seat else "·", f"bold {seat['colour']}" if seat else "soft"))
    points = "  ".join(f"{names[seat]} {board['seats'][seat]['vp']}" for seat in (me, 1 - me))
    return [*line, Piece(f"  {points}", "bold")]


def lost_by(board: Board) -> dict[int, int]:
    """At the moment of Resolution what each seat has lost by it."""
    fought = board["resolution"]
    if not fought or board["phase"] != "resolution":
        return {}
    return {fought["loser"]: fought["lost"], fought["winner"]: 0}


def seat_lines(board: Board, at: int, name: str, width: int, lost: int | None, is_short: bool) -> list[Line]:
    """Return a seat's banner and numbers: what it has just `lost`, or else what it risks."""
    seat = board["seats"][at]
    line = [Piece(f"{mark(seat['pattern'])} {name}", f"bold {seat['colour']}")]
    if width >= 80:
        line.append(Piece(f"  {seat['faction_name']}", seat["colour"]))
    line.append(Piece(f"  Morale {seat['morale']}", "bold"))
    risk = [str(seat["at_risk"])] * bool(seat["at_risk"]) + ["?"] * bool(seat["at_risk_hidden"])
    if lost:
        line.append(Piece(f" -{lost}", "bad"))
    elif lost is None and risk:
        line.append(Piece(f" (-{'+'.join(risk)} if lost)", "bad"))
    if seat["location"]["revealed"]:
        line.append(Piece(f"  Location {seat['location']['number']}", "bold"))
    if seat["passed"]:
        line.append(Piece("  passed", "bold"))
    line += [Piece(f"  hand {seat['hand_count']}", "soft"), Piece(f"  deck {seat['deck_count']}", "soft")]
    if not is_short:
        return [*flowing([*line, *seat_details(board, at)], width, gap="", indent=2), *pile_lines(board, at, width)]
    if seat["discard"] and width >= 70:
        top = seat["discard"][-1]
        name = "a card" if top["back"] else top["name"]
        line.append(Piece(f"{DISCARD}{len(seat['discard'])}, {name} on top", "soft", "", card_of(top)))
    who, *rest = line
    for long, short in SHORTER:
        if length([who, *rest]) > width:
            rest = [piece._replace(text=piece.text.replace(long, short)) for piece in rest]
        if length([who, *rest]) > width and rest[-1].text.startswith(DISCARD):
            rest.pop()
    over = length([who, *rest]) - width
    if over > 0:
        who = who._replace(text=clipped(who.text, max(len(who.text) - over, SHORTEST + 2)))
    return [whole([who, *rest], width)]


def seat_details(board: Board, at: int) -> Line:
    """Return what a short line of a seat leaves out: its turn and its Location Cards."""
    seat = board["seats"][at]
    location = seat["location"]
    words = (
        "starts" if board["start"] == at else "",
        "to act" if seat["to_act"] else "",
        f"secret Location {location['number']}" if location["number"] and not location["revealed"] else "",
        f"next Location {seat['next_location']}" if seat["next_location"] else "",
    )
    return [Piece(f"  {word}") for word in words if word]


def pile_lines(board: Board, at: int, width: int) -> list[Line]:
    """Return the cards of a seat that the viewer knows outside the Locations and the viewer's own hand."""
    seat = board["seats"][at]
    hand = [card for card in seat["hand"] if not card["back"]] if board["me"] != at else []
    lines: list[Line] = []
    for label, cards in (("hand", hand), ("next to draw", seat["known_deck"]), ("discard", seat["discard"])):
        pieces = [Piece(card_text(card), seat["colour"], "", card_of(card)) for card in cards]
        pieces = grouped(pieces) if label == "discard" else pieces
        lines += flowing([Piece(f"  {label}:", "soft"), *pieces], width, indent=4) if pieces else []
    left = ", ".join(f"{number} ×{count}" for number, count in seat["pips"].items() if count)
    return [*lines, *flowing([Piece(f"  possible Locations: {left}", "soft")], width)]


def columns(board: Board, me: int, width: int, rows: int) -> list[Line]:
    """Return the Locations side by side."""
    wide = (width - 4) // max(len(board["places"]), 1)
    mine = board["seats"][me]["location"]["number"]
    drawn = [column(place, me, rows, wide, place["number"] == mine, board) for place in board["places"]]
    return beside(drawn, [wide] * len(drawn), Piece("┊", "line"))


def place_list(place: Place, board: Board, names: list[str], width: int) -> list[Line]:
    """Return a Location with all its cards, one seat after the other."""
    state = " over, closed" if place["closed"] else " battle" if place["battle"] else ""
    lines: list[Line] = [[Piece(f"Location {place['number']}  {place['load']}/{place['capacity']}{state}", "title")]]
    for seat in (1, 0) if board["me"] != 1 else (0, 1):
        pieces = card_pieces(place, seat, board)
        if pieces:
            sum = rating(place, seat, board)
            lines += flowing([Piece(f"  {names[seat]}", "bold"), *sum, *pieces], width, indent=4)
    return lines


def column(place: Place, me: int, rows: int, width: int, mine: bool, board: Board) -> list[Line]:
    """Return a Location: the other's cards towards the middle, its number, the viewer's own cards."""
    theirs = cards(place, 1 - me, rows, width, board)
    theirs = [*([[]] * (rows - len(theirs))), *theirs]
    own = cards(place, me, rows, width, board)
    sums = [rating(place, seat, board) for seat in (1 - me, me)]
    middle = [fitted(sums[0], width, True), *name_lines(place, width, mine), fitted(sums[1], width, True)]
    return [*theirs, *middle, *own, *([[]] * (rows - len(own)))]


def name_lines(place: Place, width: int, mine: bool) -> list[Line]:
    """Its number and what lies there already; the line under it shows that as a bar."""
    words = f"Location {place['number']}" if width >= WIDE else f" {place['number']}"
    look = "title last" if place["battle"] else "title"
    sign = "⚑" if mine else ""
    state = "closed" if place["closed"] else f"{place['load']}/{place['capacity']}"
    name = [Piece(f"{words}{sign} ", look, f"@{place['number']}"), Piece(f" {state}", "soft")]
    room = max(width - 2, 1)
    full = min(room, round(room * place["load"] / max(place["capacity"], 1)))
    bar = [Piece(BLOCKS[0] * full, "ask"), Piece(BLOCKS[1] * (room - full), "line")]
    return [fitted(name, width, True), fitted(bar, width, True)]


def rating(place: Place, seat: int, board: Board) -> Line:
    """What a seat has there: Strength times the Location's number."""
    side = place["sides"][seat]
    if not side["cards"]:
        return []
    more = "+?" if side["hidden"] else ""
    text = f"{side['strength']}{more}×{place['number']}={side['rating']}{more}"
    return [Piece(text, "soft" if place["battle"] is False else f"bold {board['seats'][seat]['colour']}")]


def cards(place: Place, seat: int, rows: int, width: int, board: Board) -> list[Line]:
    """Return a seat's cards at a Location, a line each; the last line counts those without room."""
    pieces = [piece._replace(text=clipped(piece.text, width - 1)) for piece in card_pieces(place, seat, board)]
    if len(pieces) > rows:
        more = Piece(f"and {len(pieces) - rows + 1} more", "soft")
        pieces = [*pieces[: rows - 1], more]
    return [[piece] for piece in pieces]


def card_pieces(place: Place, seat: int, board: Board) -> list[Piece]:
    """Return a seat's cards at a Location."""
    look = f"{board['seats'][seat]['colour']} wash"
    side = place["sides"][seat]["cards"]
    return [Piece(card_text(card), look, f"#{place['number']}.{n}", card_of(card)) for n, card in enumerate(side, 1)]


def card_text(card: Face | Back) -> str:
    """A card's Strength and Morale, and its name."""
    if card["back"]:
        return f"{BACK} face down"
    down = BACK if card["down"] else ""
    stay = "+" if card["stay"] else ""
    return f"{down}{card['strength']}/{card['morale']}{stay} {card['name']}"


def card_of(card: Face | Back) -> str:
    """The card to be read about, by its slug."""
    return "" if card["back"] else card["slug"]


def hand_pieces(seat: SeatPanel) -> list[Piece]:
    """Return the cards of the hand; those marked for the discard pile are crossed."""
    pieces: list[Piece] = []
    for card in seat["hand"]:
        marked = not card["back"] and card["marked"]
        text, look = (f"× {card_text(card)}", "bad") if marked else (card_text(card), "own")
        pieces.append(Piece(text, look, card_of(card), card_of(card)))
    return pieces
