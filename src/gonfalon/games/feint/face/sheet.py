"""Feint's table in characters: five Locations side by side, the other's cards above them and one's own below."""

# pyright: reportTypedDictNotRequiredAccess=false, reportGeneralTypeIssues=false
# What a piece has follows from what it is; a back has no face.

from __future__ import annotations

from typing import Final

from gonfalon.core.text.sheet import BACK, Line, Piece, Sheet, beside, clipped, fitted, length, mark, whole
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
    """The board at a width, with as many of the cards as the height has room for."""
    me = board["me"] or 0
    other = 1 - me
    wide = (width - 4) // max(len(board["places"]), 1)
    rows = max(2, min(8, (height - 7) // 2))
    mine = board["seats"][me]["location"]["number"]
    fought = battles(board)
    columns = [column(place, me, rows, wide, place["number"] == mine, board, fought) for place in board["places"]]
    body = beside(columns, [wide] * len(columns), Piece("┊", "line"))
    lost = lost_by(board)
    theirs, own = (seat_line(board["seats"][seat], names[seat], width, lost.get(seat)) for seat in (other, me))
    shown = hand_pieces(board["seats"][me]) if board["me"] is not None else []
    return Sheet(head(board, me, names), [theirs, *body, own], shown)


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


def seat_line(seat: SeatPanel, name: str, width: int, lost: int | None) -> Line:
    """A seat's banner and numbers; what it has `lost` just now, or else what it risks."""
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
    return whole([who, *rest], width)


def battles(board: Board) -> list[int] | None:
    """At the moment of Resolution the Locations that are fought for."""
    fought = board["resolution"]
    return fought["battles"] if fought and board["phase"] == "resolution" else None


def column(
    place: Place, me: int, rows: int, width: int, mine: bool, board: Board, fought: list[int] | None
) -> list[Line]:
    """A Location: their cards towards the middle, its number, one's own."""
    theirs = cards(place, 1 - me, rows, width, board)
    theirs = [*([[]] * (rows - len(theirs))), *theirs]
    own = cards(place, me, rows, width, board)
    counts = fought is None or place["number"] in fought
    sums = [rating(place, seat, board, counts) for seat in (1 - me, me)]
    battle = bool(place["battle"]) if fought is None else counts
    middle = [fitted(sums[0], width, True), *name_lines(place, width, mine, battle), fitted(sums[1], width, True)]
    return [*theirs, *middle, *own, *([[]] * (rows - len(own)))]


def name_lines(place: Place, width: int, mine: bool, battle: bool) -> list[Line]:
    """Its number and what lies there already; the line under it shows that as a bar."""
    words = f"Location {place['number']}" if width >= WIDE else f" {place['number']}"
    look = "title last" if battle else "title"
    sign = "⚑" if mine else ""
    state = "closed" if place["closed"] else f"{place['load']}/{place['capacity']}"
    name = [Piece(f"{words}{sign} ", look, f"@{place['number']}"), Piece(f" {state}", "soft")]
    room = max(width - 2, 1)
    full = min(room, round(room * place["load"] / max(place["capacity"], 1)))
    bar = [Piece(BLOCKS[0] * full, "ask"), Piece(BLOCKS[1] * (room - full), "line")]
    return [fitted(name, width, True), fitted(bar, width, True)]


def rating(place: Place, seat: int, board: Board, counts: bool) -> Line:
    """What a seat has there: Strength times the Location's number."""
    side = place["sides"][seat]
    if not side["cards"]:
        return []
    more = "+?" if side["hidden"] else ""
    colour = board["seats"][seat]["colour"]
    return [
        Piece(
            f"{side['strength']}{more}×{place['number']}={side['rating']}{more}", f"bold {colour}" if counts else "soft"
        )
    ]


def cards(place: Place, seat: int, rows: int, width: int, board: Board) -> list[Line]:
    """A seat's cards at a Location, a line each; of too many the last say how many there are."""
    side = place["sides"][seat]["cards"]
    colour = board["seats"][seat]["colour"]
    pieces = [
        Piece(clipped(card_text(card), width - 1), f"{colour} wash", f"#{place['number']}.{n}", card_of(card))
        for n, card in enumerate(side, start=1)
    ]
    if len(pieces) > rows:
        more = Piece(f"and {len(pieces) - rows + 1} more", "soft")
        pieces = [*pieces[: rows - 1], more]
    return [[piece] for piece in pieces]


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
    """The cards of the hand; what is marked to be discarded is crossed."""
    marked = seat["marked"][:]
    pieces: list[Piece] = []
    for card in seat["hand"]:
        slug = card_of(card)
        if crossed := slug in marked:
            marked.remove(slug)
        text, look = (f"× {card_text(card)}", "bad") if crossed else (card_text(card), "own")
        pieces.append(Piece(text, look, slug, slug))
    return pieces
