"""The table of Feint in a terminal: five Locations side by side, the opponent's cards above, the viewer's below."""

# pyright: reportTypedDictNotRequiredAccess=false, reportGeneralTypeIssues=false
# pyright does not narrow Face | Back by the key `back`; mypy does.

from __future__ import annotations

from typing import Final

from gonfalon.core.text.sheet import (
    BACK,
    Line,
    Piece,
    Sheet,
    clip_text,
    drop_pieces,
    fit_line,
    flow_pieces,
    group_equal,
    join_columns,
    length,
    mark,
)
from gonfalon.games.feint.face.board import Back, Board, Face, Place, SeatPanel

MIN_COLUMNS_FOR_WORDS: Final = 18
"""The width of a Location in columns from which words fit in."""
BLOCKS: Final = ("█", "░")
SHORTER: Final = ((" if lost", ""), ("Location ", "⚑"), ("  ", " "))
"""The replacements that shorten a seat's line, in this order, until it fits."""
DISCARD: Final = "  discard "
MIN_NAME_LENGTH: Final = 8
"""The number of characters to which names are shortened at most."""


def draw_sheet(board: Board, names: list[str], width: int, height: int) -> Sheet:
    """Draw the board with as many cards as fit in the height. With height 0 draw a list of all known cards instead."""
    me = board["me"] or 0  # spectators see the table from the first seat
    lost = find_lost_morale(board)
    if height:
        body = draw_columns(board, me, width, max(2, min(8, (height - 7) // 2)))
    else:
        body = [line for place in board["places"] for line in draw_place_list(place, board, names, width)]
    theirs, own = (draw_seat(board, seat, names[seat], width, lost.get(seat), bool(height)) for seat in (1 - me, me))
    shown = build_hand_pieces(board["seats"][me]) if board["me"] is not None else []
    return Sheet(draw_head(board, me, names), [*theirs, *body, *own], shown)


def draw_head(board: Board, me: int, names: list[str]) -> Line:
    """Return the line of the round, its winners so far, and the points."""
    line = [Piece(f"Round {board['round']} of {board['rounds']}  " if board["round"] else "", "bold")]
    for winner in board["won"][: board["rounds"]]:
        seat = board["seats"][winner] if winner is not None else None
        line.append(Piece(f"{mark(seat['pattern'])}" if seat else "·", f"bold {seat['colour']}" if seat else "soft"))
    points = "  ".join(f"{names[seat]} {board['seats'][seat]['vp']}" for seat in (me, 1 - me))
    return [*line, Piece(f"  {points}", "bold")]


def find_lost_morale(board: Board) -> dict[int, int]:
    """Return the Morale that each seat loses at the moment of a Resolution; empty at other times."""
    fought = board["resolution"]
    if not fought or board["phase"] != "resolution":
        return {}
    return {fought["loser"]: fought["lost"], fought["winner"]: 0}


def draw_seat(board: Board, at: int, name: str, width: int, lost: int | None, is_short: bool) -> list[Line]:
    """Return a seat's banner and numbers, with the Morale that it has just `lost`, or risks."""
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
        return [
            *flow_pieces([*line, *list_seat_details(board, at)], width, gap="", indent=2),
            *draw_piles(board, at, width),
        ]
    if seat["discard"] and width >= 70:
        top = seat["discard"][-1]
        name = "a card" if top["back"] else top["name"]
        line.append(Piece(f"{DISCARD}{len(seat['discard'])}, {name} on top", "soft", "", find_card_slug(top)))
    who, *rest = line
    for long, short in SHORTER:
        if length([who, *rest]) > width:
            rest = [piece._replace(text=piece.text.replace(long, short)) for piece in rest]
        if length([who, *rest]) > width and rest[-1].text.startswith(DISCARD):
            rest.pop()
    over = length([who, *rest]) - width
    if over > 0:
        who = who._replace(text=clip_text(who.text, max(len(who.text) - over, MIN_NAME_LENGTH + 2)))
    return [drop_pieces([who, *rest], width)]


def list_seat_details(board: Board, at: int) -> Line:
    """Return the details that a seat's short line omits: its turn and its Location Cards."""
    seat = board["seats"][at]
    location = seat["location"]
    words = (
        "starts" if board["start"] == at else "",
        "to act" if seat["to_act"] else "",
        f"secret Location {location['number']}" if location["number"] and not location["revealed"] else "",
        f"next Location {seat['next_location']}" if seat["next_location"] else "",
    )
    return [Piece(f"  {word}") for word in words if word]


def draw_piles(board: Board, at: int, width: int) -> list[Line]:
    """Return the known cards of a seat outside the Locations and the viewer's own hand."""
    seat = board["seats"][at]
    hand = [card for card in seat["hand"] if not card["back"]] if board["me"] != at else []
    lines: list[Line] = []
    for label, cards in (("hand", hand), ("next to draw", seat["known_deck"]), ("discard", seat["discard"])):
        pieces = [Piece(format_card(card), seat["colour"], "", find_card_slug(card)) for card in cards]
        pieces = group_equal(pieces) if label == "discard" else pieces
        lines += flow_pieces([Piece(f"  {label}:", "soft"), *pieces], width, indent=4) if pieces else []
    left = ", ".join(f"{number} ×{count}" for number, count in seat["pips"].items() if count)
    return [*lines, *flow_pieces([Piece(f"  possible Locations: {left}", "soft")], width)]


def draw_columns(board: Board, me: int, width: int, rows: int) -> list[Line]:
    """Return the Locations side by side."""
    wide = (width - 4) // max(len(board["places"]), 1)
    mine = board["seats"][me]["location"]["number"]
    drawn = [draw_column(place, me, rows, wide, place["number"] == mine, board) for place in board["places"]]
    return join_columns(drawn, [wide] * len(drawn), Piece("┊", "line"))


def draw_place_list(place: Place, board: Board, names: list[str], width: int) -> list[Line]:
    """Return a Location with all its cards, first those of the opponent."""
    state = " over, closed" if place["closed"] else " battle" if place["battle"] else ""
    lines: list[Line] = [[Piece(f"Location {place['number']}  {place['load']}/{place['capacity']}{state}", "title")]]
    for seat in (1, 0) if board["me"] != 1 else (0, 1):
        pieces = build_card_pieces(place, seat, board)
        if pieces:
            sum = format_rating(place, seat, board)
            lines += flow_pieces([Piece(f"  {names[seat]}", "bold"), *sum, *pieces], width, indent=4)
    return lines


def draw_column(place: Place, me: int, rows: int, width: int, mine: bool, board: Board) -> list[Line]:
    """Return a Location: the opponent's cards, its number, the viewer's cards, aligned to the middle."""
    theirs = draw_cards(place, 1 - me, rows, width, board)
    theirs = [*([[]] * (rows - len(theirs))), *theirs]
    own = draw_cards(place, me, rows, width, board)
    sums = [format_rating(place, seat, board) for seat in (1 - me, me)]
    middle = [fit_line(sums[0], width, True), *draw_place_name(place, width, mine), fit_line(sums[1], width, True)]
    return [*theirs, *middle, *own, *([[]] * (rows - len(own)))]


def draw_place_name(place: Place, width: int, mine: bool) -> list[Line]:
    """Return the number of a Location and its used Capacity, with a bar below."""
    words = f"Location {place['number']}" if width >= MIN_COLUMNS_FOR_WORDS else f" {place['number']}"
    look = "title last" if place["battle"] else "title"
    sign = "⚑" if mine else ""
    state = "closed" if place["closed"] else f"{place['load']}/{place['capacity']}"
    name = [Piece(f"{words}{sign} ", look, f"@{place['number']}"), Piece(f" {state}", "soft")]
    room = max(width - 2, 1)
    full = min(room, round(room * place["load"] / max(place["capacity"], 1)))
    bar = [Piece(BLOCKS[0] * full, "ask"), Piece(BLOCKS[1] * (room - full), "line")]
    return [fit_line(name, width, True), fit_line(bar, width, True)]


def format_rating(place: Place, seat: int, board: Board) -> Line:
    """Return a seat's rating at a Location: Strength times number."""
    side = place["sides"][seat]
    if not side["cards"]:
        return []
    more = "+?" if side["hidden"] else ""
    text = f"{side['strength']}{more}×{place['number']}={side['rating']}{more}"
    return [Piece(text, "soft" if place["battle"] is False else f"bold {board['seats'][seat]['colour']}")]


def draw_cards(place: Place, seat: int, rows: int, width: int, board: Board) -> list[Line]:
    """Return a seat's cards at a Location, a line each. The last line counts the cards that do not fit."""
    pieces = [piece._replace(text=clip_text(piece.text, width - 1)) for piece in build_card_pieces(place, seat, board)]
    if len(pieces) > rows:
        more = Piece(f"and {len(pieces) - rows + 1} more", "soft")
        pieces = [*pieces[: rows - 1], more]
    return [[piece] for piece in pieces]


def build_card_pieces(place: Place, seat: int, board: Board) -> list[Piece]:
    """Return a seat's cards at a Location."""
    look = f"{board['seats'][seat]['colour']} wash"
    side = place["sides"][seat]["cards"]
    return [
        Piece(format_card(card), look, f"#{place['number']}.{n}", find_card_slug(card))
        for n, card in enumerate(side, 1)
    ]


def format_card(card: Face | Back) -> str:
    """Return a card's Strength, Morale and name."""
    if card["back"]:
        return f"{BACK} face down"
    down = BACK if card["down"] else ""
    stay = "+" if card["stay"] else ""
    return f"{down}{card['strength']}/{card['morale']}{stay} {card['name']}"


def find_card_slug(card: Face | Back) -> str:
    """Return the slug of the card whose text a piece opens; empty for a back."""
    return "" if card["back"] else card["slug"]


def build_hand_pieces(seat: SeatPanel) -> list[Piece]:
    """Return the cards of the hand, with a cross before those marked to discard."""
    pieces: list[Piece] = []
    for card in seat["hand"]:
        marked = not card["back"] and card["marked"]
        text, look = (f"× {format_card(card)}", "bad") if marked else (format_card(card), "own")
        pieces.append(Piece(text, look, find_card_slug(card), find_card_slug(card)))
    return pieces
