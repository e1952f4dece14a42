"""Jinkei's table in characters: two formations that face each other, and the battle between them."""

# pyright: reportTypedDictNotRequiredAccess=false, reportGeneralTypeIssues=false
# What a piece has follows from what it is; a back has no face.

from __future__ import annotations

from typing import Final

from gonfalon.core.text.sheet import BACK, Line, Piece, Sheet, beside, clipped, fitted, length, mark, whole
from gonfalon.games.jinkei.face.board import Board, Face, Fighter, FormationChoice, SeatBoard, Space

ROWS: Final = ("Van", "Rear", "Reinf")
"""Vanguard, Rearguard, Reinforcements."""
SIGNS: Final = {"triangle": "▲", "circle": "●"}
COLOURS: Final = {"red": "red", "blue": "blue"}
CLOTHS: Final = {"black": ("black", "bendy"), "white": ("white", "barry")}
LABEL: Final = 6
FIGHTING: Final = ("lead", "answer", "advance", "duel")


def sheet(board: Board, names: list[str], width: int, height: int) -> Sheet:
    """The board at a width; with more height the spaces of a formation have lines between them."""
    me = board["me"] or 0
    other = 1 - me
    airy = height >= 24
    theirs, mine = board["seats"][other], laid_out(board["seats"][me])
    lines = [seat_line(theirs, names[other], width), *formation(theirs, "", width, airy)]
    lines += battle_lines(board, names, width)
    lines += [*formation(mine, board["phase"], width, airy), seat_line(mine, names[me], width)]
    if board["phase"] == "formation" and board["me"] is not None:
        lines = [lines[0], [], *choices(mine["choices"], width, airy), [], lines[-1]]
    hand = [hand_piece(card) for card in mine["hand"]] if board["me"] is not None else []
    return Sheet(head(board, me, names), lines, hand)


def laid_out(seat: SeatBoard) -> SeatBoard:
    """One's own side with the cards where one has laid them, which nobody else sees yet."""
    laid = {slug: space for slug, _, space in (notation.partition("-") for notation in seat["placed"])}
    faces = {card["slug"]: card for card in seat["hand"] if not card["back"] and card["slug"] in laid}
    spaces = [space.copy() for space in seat["spaces"]]
    for space in spaces:
        cards = [card for slug, card in faces.items() if laid[slug] == space["space"]]
        space["cards"] = [*space.get("cards", []), *cards]
    hand = [card for card in seat["hand"] if card["back"] or card["slug"] not in faces]
    return {**seat, "spaces": spaces, "hand": hand}


def head(board: Board, me: int, names: list[str]) -> Line:
    """The round and the points."""
    game = f"Game {board['game']} of {board['games']}  " if board["games"] > 1 else ""
    when = f"{game}Round {board['round']} of {board['rounds']}" if board["round"] else "Before the first round"
    points = "  ".join(f"{names[seat]} {board['seats'][seat]['points']}" for seat in (me, 1 - me))
    return [Piece(f"{when}  {points} points", "bold")]


def cloth(seat: SeatBoard) -> tuple[str, str]:
    """A seat's colour and the character of its pattern."""
    colour, pattern = CLOTHS.get(seat["colour"], ("grey", "plain"))
    return colour, mark(pattern)


def seat_line(seat: SeatBoard, name: str, width: int) -> Line:
    """A seat's banner and numbers."""
    colour, sign = cloth(seat)
    line = [Piece(f"{sign} {name}", f"bold {colour}")]
    if seat["formation"]:
        line.append(Piece(f"  {seat['formation']}", "bold"))
    if seat["role"]:
        line.append(Piece(f"  {seat['role']}", "bold"))
    counts = {"hand": seat["hand_count"], "deck": seat["deck_count"], "taken": seat["taken_count"]}
    return whole([*line, *(Piece(f"  {label} {count}", "soft") for label, count in counts.items())], width)


def formation(seat: SeatBoard, phase: str, width: int, airy: bool) -> list[Line]:
    """Three rows of three spaces, the Vanguard towards the middle; `phase`: of one's own, which can be touched."""
    rows = [[space for space in seat["spaces"] if space["row"] == row] for row in range(3)]
    if not any(rows):
        return [fitted([Piece("no formation yet", "soft")], width, True)]
    wide = (width - LABEL - 2) // 3
    lines: list[Line] = []
    for number in (0, 1, 2) if phase else (2, 1, 0):
        fights = seat["row"] == number
        name = ROWS[number]
        label = Piece(name[: LABEL - 1], "bold" if fights else "soft")
        cells = beside([space_lines(space, phase, wide, airy) for space in rows[number]], [wide] * 3)
        lines += [[*fitted([label] if n == len(cells) // 2 else [], LABEL), *cell] for n, cell in enumerate(cells)]
    return lines


def space_line(space: Space, phase: str, width: int) -> Line:
    """A space: its cards, or what may lie there."""
    if space["blank"]:
        return [Piece("░" * (width - 1), "line")]
    cards = space.get("cards", [])
    extra = marks(space, empty=not cards)
    if not cards:
        touch = f"-{space['space']}" if phase else ""
        text = extra or "·"
        text = f" {text}" if len(text) < width - 1 else text
        return [Piece(clipped(text.ljust(width - 1), width - 1), "soft card", touch)]
    pieces = [card_piece(card, touch_of(space, card, phase)) for card in cards]
    if length(pieces) + len(pieces) > width:
        pieces = [piece._replace(text=rank_text(card)) for piece, card in zip(pieces, cards, strict=True)]
    line = [part for piece in pieces for part in (piece, Piece(" "))][:-1]
    return [*line, Piece(f" {extra}" if extra else "", "soft")]


def space_lines(space: Space, phase: str, width: int, airy: bool) -> list[Line]:
    """A space on one line, or in a frame of its own."""
    if not airy:
        return [space_line(space, phase, width)]
    edge = "─" * (width - 3)
    inner = fitted(space_line(space, phase, width - 2), width - 3)
    return [
        [Piece(f"╭{edge}╮", "line")],
        [Piece("│", "line"), *inner, Piece("│", "line")],
        [Piece(f"╰{edge}╯", "line")],
    ]


def marks(space: Space, empty: bool) -> str:
    """What is printed on a space; that a card lies open there is seen."""
    signs = (
        f"+{space['bonus']}" if space["bonus"] else "",
        "two" if space["two"] else "",
        "any" if space["wild"] else "",
        "open" if space["reveal"] and empty else "",
    )
    return " ".join(sign for sign in signs if sign)


def touch_of(space: Space, card: Face, phase: str) -> str:
    """What touching a card of one's own formation says: its space in a battle, the card where one advances."""
    if phase not in FIGHTING or card["back"]:
        return f"-{space['space']}" if phase else ""
    return f"advance:{card['slug']}" if phase == "advance" else space["space"]


def card_piece(card: Face, touch: str) -> Piece:
    """A card: the shape of its colour, and its rank."""
    if card["back"]:
        return Piece(f"{BACK} face down", "soft", touch)
    return Piece(face_text(card), f"{COLOURS.get(card['colour'], '')} wash bold", touch, card["slug"])


def face_text(card: Face) -> str:
    """`▲ Red 9`."""
    return f"{SIGNS.get(card['shape'], '■')} {card['name']}"


def rank_text(card: Face) -> str:
    """The same where two lie in a narrow space: the shape tells the colour."""
    return BACK if card["back"] else f"{SIGNS.get(card['shape'], '■')} {card['name'].split()[-1]}"


def battle_lines(board: Board, names: list[str], width: int) -> list[Line]:
    """The battles of the round, and the one that is on."""
    signs: Line = [Piece("Battles ", "soft")]
    for winner in board["battles"]:
        if isinstance(winner, int):
            colour, sign = cloth(board["seats"][winner])
            signs.append(Piece(f"{sign} ", f"bold {colour}"))
        else:
            signs.append(Piece("· " if winner is None else "= ", "soft"))
    duel = board["duel"]
    if not duel:
        return [fitted([], width), fitted(signs, width, True), fitted([], width)]
    sides = [fighter_line(one, board, names) for one in (duel["lead"], duel["answer"]) if one]
    line = joined(sides, width)
    told = duel.get("told")
    verdict: Line = [Piece(told["sentence"], "ask")] if told else []
    return [fitted(signs, width, True), fitted(line, width, True), fitted(verdict, width, True)]


def joined(sides: list[Line], width: int) -> Line:
    """Who fights against whom, in so many words as there is room for."""
    if len(sides) < 2:
        return sides[0]
    lines = [[*sides[0], Piece(between, "soft"), *sides[1]] for between in ("  against  ", " against ", " / ")]
    return next((line for line in lines if length(line) <= width), lines[-1])


def fighter_line(fighter: Fighter, board: Board, names: list[str]) -> Line:
    """A card in the battle."""
    colour, sign = cloth(board["seats"][fighter["seat"]])
    return [
        Piece(f"{sign} {names[fighter['seat']]} ", f"bold {colour}"),
        Piece(face_text(fighter), f"{COLOURS.get(fighter['colour'], '')} wash bold", "", fighter["slug"]),
        Piece(f" {fighter['sum'].replace(' ', '')}" if fighter["sum"] else "", "soft"),
    ]


def choices(found: list[FormationChoice], width: int, airy: bool) -> list[Line]:
    """The formations to choose from, side by side."""
    half = (width - 3) // max(len(found), 1)
    columns: list[list[Line]] = []
    for one in found:
        lines: list[Line] = [[Piece(one["name"], "title", one["id"])]]
        for row in range(3):
            cells = [space_lines(space, "", half // 3, airy) for space in one["spaces"] if space["row"] == row]
            lines += [*([] if airy else [[]]), *beside(cells, [half // 3 - 1] * 3)]
        columns.append(lines)
    return beside(columns, [half] * len(columns), Piece(" │ ", "line")) if columns else []


def hand_piece(card: Face) -> Piece:
    """A card of the hand."""
    if card["back"]:
        return Piece(f"{BACK} face down", "soft")
    return Piece(face_text(card), COLOURS.get(card["colour"], ""), card["slug"], card["slug"])
